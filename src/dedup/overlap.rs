//! Paragraph overlap, after onion (Pomikálek 2011): the share of a paragraph's words that lie under
//! n-grams seen before, in an earlier document or earlier in the same one.
//!
//! "Before" is corpus order, not processing order: an n-gram is seen if its first owner is an
//! earlier document. Onion's own rule differs only where that owner lost the paragraph itself.

use fxhash::FxHashSet;

use crate::text::words::ngrams;

/// Words of a paragraph, and how many of them were seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    pub words: u32,
    pub seen: u32,
}

impl Coverage {
    /// 0 for a paragraph without words.
    pub fn share(&self) -> f64 {
        if self.words == 0 { 0.0 } else { f64::from(self.seen) / f64::from(self.words) }
    }
}

/// Coverage of the paragraphs of one document. `words` are the word hashes of all of them in order,
/// `lengths` how many belong to each; n-grams run across paragraphs.
pub fn coverage(words: &[u64], lengths: &[usize], n: usize, seen_before: impl Fn(u64) -> bool) -> Vec<Coverage> {
    let mut covered = vec![false; words.len()];
    let mut own: FxHashSet<u64> = FxHashSet::default();
    let ends: Vec<usize> = lengths
        .iter()
        .scan(0, |end, &l| {
            *end += l;
            Some(*end)
        })
        .collect();
    let mut paragraph = 0;
    for (start, ngram) in ngrams(words, n).enumerate() {
        let last = start + n - 1;
        while ends.get(paragraph).is_some_and(|&end| end <= last) {
            paragraph += 1;
        }
        // A hit covers only those of its words that stand in the paragraph of the last one.
        let begin = if paragraph == 0 { 0 } else { ends.get(paragraph - 1).copied().unwrap_or(0) };
        if (!own.insert(ngram) || seen_before(ngram))
            && let Some(hit) = covered.get_mut(start.max(begin)..=last)
        {
            hit.fill(true);
        }
    }
    let mut begin = 0;
    ends.iter()
        .map(|&end| {
            let part = covered.get(begin..end).unwrap_or_default();
            begin = end;
            Coverage { words: part.len() as u32, seen: part.iter().filter(|&&c| c).count() as u32 }
        })
        .collect()
}

/// Which paragraphs go: those covered above `threshold`, and with `max_stub` also each run of at
/// most so many words between two of them, the document's ends counting as dropped.
pub fn drops(coverage: &[Coverage], threshold: f64, max_stub: Option<u32>) -> Vec<bool> {
    let mut bad: Vec<bool> = coverage.iter().map(|c| c.words > 0 && c.share() > threshold).collect();
    let Some(max_stub) = max_stub else { return bad };
    let mut start = 0;
    while start < bad.len() {
        let run = bad.iter().skip(start).take_while(|&&b| !b).count();
        let words: u32 = coverage.iter().skip(start).take(run).map(|c| c.words).sum();
        if words <= max_stub {
            bad.iter_mut().skip(start).take(run).for_each(|b| *b = true);
        }
        start += run + 1;
    }
    bad
}

#[cfg(test)]
mod tests {
    use super::*;
    use fxhash::FxHashMap;

    type Paragraph = Vec<u64>;

    fn words(name: u64, range: std::ops::Range<u64>) -> Paragraph {
        range.map(|i| name * 1_000 + i).collect()
    }

    fn joined(parts: &[Paragraph]) -> Paragraph {
        parts.concat()
    }

    /// All documents with the first-owner rule.
    fn run(docs: &[Vec<Paragraph>], max_stub: Option<u32>) -> Vec<Vec<u8>> {
        let mut owner: FxHashMap<u64, usize> = FxHashMap::default();
        for (d, doc) in docs.iter().enumerate() {
            for ngram in ngrams(&joined(doc), 7) {
                owner.entry(ngram).or_insert(d);
            }
        }
        docs.iter()
            .enumerate()
            .map(|(d, doc)| {
                let lengths: Vec<usize> = doc.iter().map(Vec::len).collect();
                let cover = coverage(&joined(doc), &lengths, 7, |n| owner.get(&n).is_some_and(|&o| o < d));
                drops(&cover, 0.5, max_stub).into_iter().map(u8::from).collect()
            })
            .collect()
    }

    #[test]
    fn worked_example_a() {
        let a = || words(1, 0..30);
        let b = || words(2, 0..30);
        let docs = [vec![a(), b()], vec![a(), words(3, 0..15), b(), words(4, 0..25)]];
        assert_eq!(run(&docs, Some(20)), [vec![0, 0], vec![1, 1, 1, 0]]);
        assert_eq!(run(&docs, None), [vec![0, 0], vec![1, 0, 1, 0]]);
    }

    #[test]
    fn worked_example_b() {
        let new = |name, n| words(name, 0..n);
        let docs = [
            vec![words(1, 0..40)],
            vec![joined(&[words(1, 0..15), new(2, 15)]), new(3, 30)],
            vec![joined(&[words(1, 0..16), new(4, 15)]), new(5, 30)],
            vec![joined(&[new(6, 15), words(1, 20..36)]), new(7, 30)],
            vec![joined(&[new(8, 15), words(1, 20..35)]), new(9, 30)],
        ];
        assert_eq!(run(&docs, Some(20)), [vec![0], vec![0, 0], vec![1, 0], vec![1, 0], vec![0, 0]]);
    }

    #[test]
    fn worked_example_c() {
        let docs = [vec![words(1, 0..20)], vec![words(2, 0..21)], vec![words(3, 0..10), words(4, 0..11)]];
        assert_eq!(run(&docs, Some(20)), [vec![1], vec![0], vec![0, 0]]);
        assert_eq!(run(&docs, None), [vec![0], vec![0], vec![0, 0]]);
    }

    #[test]
    fn seven_shared_words_of_twelve_are_a_duplicate() {
        let docs = [vec![words(1, 0..40)], vec![joined(&[words(1, 0..7), words(2, 0..5)]), words(3, 0..30)]];
        assert_eq!(run(&docs, Some(20)), [vec![0], vec![1, 0]]);
    }

    #[test]
    fn repetition_inside_a_document_counts() {
        let docs = [vec![words(1, 0..30), words(1, 0..30), words(2, 0..30)]];
        assert_eq!(run(&docs, None), [vec![0, 1, 0]]);
    }

    #[test]
    fn empty_documents_and_paragraphs() {
        assert!(coverage(&[], &[], 7, |_| true).is_empty());
        assert_eq!(coverage(&[], &[0, 0], 7, |_| true), [Coverage { words: 0, seen: 0 }; 2]);
        assert!(drops(&[], 0.5, Some(20)).is_empty());
    }
}
