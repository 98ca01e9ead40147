//! Equality with the published algorithm of Onion, token by token.

use std::collections::{HashMap, HashSet};

use super::*;

/// Onion token by token: `bad` grows by the words of its paragraph that a hit is the first to mark.
fn slow_coverage(doc: &Document, n: usize, seen: impl Fn(&Ngram) -> bool) -> Vec<Coverage> {
    let (of_all, elsewhere) = (slow_hits(doc, n, true, &seen), slow_hits(doc, n, false, &seen));
    let words = doc.iter().map(|words| words.len() as u32);
    words.zip(of_all).zip(elsewhere).map(|((words, seen), elsewhere)| Coverage { words, seen, elsewhere }).collect()
}

/// Words that hits mark in each paragraph; `own` are the n-grams that stand further up in the document hits.
fn slow_hits(doc: &Document, n: usize, own: bool, seen: impl Fn(&Ngram) -> bool) -> Vec<u32> {
    let (mut buffer, mut local) = (Ngram::new(), HashSet::new());
    let paragraph = |words: &Paragraph| {
        let (mut prev, mut bad) = (n, 0);
        for &word in words {
            prev = prev.saturating_sub(1);
            buffer.push(word);
            if buffer.len() > n {
                buffer.remove(0);
            }
            if buffer.len() == n {
                if own && local.contains(&buffer) || seen(&buffer) {
                    bad += n - prev;
                    prev = n;
                }
                local.insert(buffer.clone());
            }
        }
        bad as u32
    };
    doc.iter().map(paragraph).collect()
}

/// Between every two consecutive paragraphs that repeat other documents, the ends of the document being two more, if there
/// is one.
fn slow_dropped_paragraphs(coverage: &[Coverage], threshold: f64, max_stub: Option<u32>) -> Vec<bool> {
    let bad = |seen: u32, words: u32| words > 0 && f64::from(seen) / f64::from(words) > threshold;
    let mut out: Vec<bool> = coverage.iter().map(|c| bad(c.elsewhere, c.words)).collect();
    let mut fences: Vec<isize> = (0..out.len()).filter(|&i| out[i]).map(|i| i as isize).collect();
    if fences.is_empty() {
        return out;
    }
    fences.insert(0, -1);
    fences.push(out.len() as isize);
    for pair in fences.windows(2) {
        let between = (pair[0] + 1) as usize..pair[1] as usize;
        let words: u32 = between.clone().filter(|&i| !out[i]).map(|i| coverage[i].words).sum();
        if max_stub.is_some_and(|most| words <= most) {
            out[between].fill(true);
        }
    }
    out
}

/// N-grams of a document and the paragraph in which each ends.
fn ends(doc: &Document, n: usize) -> Vec<(Ngram, usize)> {
    let paragraph: Vec<usize> = doc.iter().enumerate().flat_map(|(p, words)| vec![p; words.len()]).collect();
    joined(doc).windows(n).enumerate().map(|(i, ngram)| (ngram.to_vec(), paragraph[i + n - 1])).collect()
}

fn owners(docs: &[Document], n: usize) -> HashMap<Ngram, usize> {
    let mut owner = HashMap::new();
    for (d, doc) in docs.iter().enumerate() {
        for (ngram, _) in ends(doc, n) {
            owner.entry(ngram).or_insert(d);
        }
    }
    owner
}

/// What a corpus comes to: of each document the n-grams of it that are seen, and the paragraphs that go.
type Outcome = Vec<(HashSet<Ngram>, Vec<bool>)>;

fn outcome(
    doc: &Document,
    n: usize,
    max_stub: Option<u32>,
    seen: impl Fn(&Ngram) -> bool,
) -> (HashSet<Ngram>, Vec<bool>) {
    let dropped = slow_dropped_paragraphs(&slow_coverage(doc, n, &seen), 0.5, max_stub);
    (ends(doc, n).into_iter().map(|(ngram, _)| ngram).filter(seen).collect(), dropped)
}

fn by_first_owner(docs: &[Document], n: usize, max_stub: Option<u32>) -> Outcome {
    let owner = owners(docs, n);
    docs.iter()
        .enumerate()
        .map(|(d, doc)| outcome(doc, n, max_stub, |ngram| owner.get(ngram).is_some_and(|&o| o < d)))
        .collect()
}

/// The reference: only what ends in a kept paragraph is added to the global set.
fn by_kept_text(docs: &[Document], n: usize, max_stub: Option<u32>) -> Outcome {
    let mut global = HashSet::new();
    let one = |doc| {
        let (seen, dropped) = outcome(doc, n, max_stub, |ngram| global.contains(ngram));
        global.extend(ends(doc, n).into_iter().filter(|&(_, p)| !dropped[p]).map(|(ngram, _)| ngram));
        (seen, dropped)
    };
    docs.iter().map(one).collect()
}

/// Each n-gram of several documents ends in a kept paragraph of its first owner.
fn owners_keep_what_recurs(docs: &[Document], n: usize, outcome: &Outcome) -> bool {
    let owner = owners(docs, n);
    let keeps = |ngram: &Ngram| {
        let first = owner[ngram];
        ends(&docs[first], n).iter().any(|(own, p)| own == ngram && !outcome[first].1[*p])
    };
    docs.iter().enumerate().all(|(d, doc)| ends(doc, n).iter().all(|(ngram, _)| owner[ngram] == d || keeps(ngram)))
}

#[test]
fn an_owner_that_lost_its_paragraph_makes_the_difference() {
    let (text, stub) = (|| words(3, 0..30), || words(1, 0..10));
    let docs = [vec![text()], vec![text(), stub()], vec![stub(), words(2, 0..30)]];
    let of = |outcome: Outcome| outcome.into_iter().map(|(_, dropped)| dropped).collect::<Vec<_>>();
    assert_eq!(of(by_first_owner(&docs, 7, Some(20))), [vec![false], vec![true, true], vec![true, false]]);
    assert_eq!(of(by_kept_text(&docs, 7, Some(20))), [vec![false], vec![true, true], vec![false, false]]);
}

/// Paragraphs of runs of one long text, which share n-grams, and of random words.
fn corpus() -> impl Strategy<Value = Vec<Document>> {
    let run = (0u64..60, 0u64..16).prop_map(|(start, length)| (start..start + length).collect());
    let paragraph = prop_oneof![3 => run, 1 => proptest::collection::vec(0u64..3, 0..12)];
    proptest::collection::vec(proptest::collection::vec(paragraph, 0..5), 2..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn as_onion_token_by_token(docs in corpus(), n in 1usize..6, max_stub in 0u32..21, smooth: bool) {
        let covered = first_owner(&docs, |doc| ngram_spans(&joined(doc), n).collect());
        let owner = owners(&docs, n);
        let smoothing = if smooth { Smoothing::Stub } else { Smoothing::None };
        for (d, (doc, covered)) in docs.iter().zip(&covered).enumerate() {
            let slow = slow_coverage(doc, n, |ngram| owner.get(ngram).is_some_and(|&o| o < d));
            prop_assert_eq!(covered, &slow);
            prop_assert_eq!(dropped_paragraphs(covered, 0.5, smoothing, max_stub), slow_dropped_paragraphs(&slow, 0.5, smooth.then_some(max_stub)));
        }
    }

    #[test]
    fn agrees_with_onion_where_owners_keep_what_recurs(docs in corpus(), n in 1usize..6, stub in proptest::option::of(0u32..21)) {
        let (ours, onion) = (by_first_owner(&docs, n, stub), by_kept_text(&docs, n, stub));
        let same_seen = ours.iter().zip(&onion).all(|(ours, onion)| ours.0 == onion.0);
        prop_assert_eq!(same_seen, owners_keep_what_recurs(&docs, n, &ours));
        prop_assert_eq!(same_seen, owners_keep_what_recurs(&docs, n, &onion));
        if same_seen {
            prop_assert_eq!(ours, onion);
        }
    }
}
