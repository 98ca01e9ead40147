use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::stats::SegmentedParagraph;
use crate::stats::counted_words::{Casing, DocumentWords};
use crate::stats::counter::WordCounter;

type Page = (&'static str, Vec<Vec<&'static str>>);

fn counted(folder: &Path, pages: &[Page], memory: usize, workers: usize, longest: usize) -> WordCounts {
    let worker = |first: usize| {
        let mut counter = WordCounter::new(folder, memory, longest);
        let mut words = DocumentWords::default();
        for (language, sentences) in pages.iter().skip(first).step_by(workers) {
            words.read(&[SegmentedParagraph { text: "", sentences: sentences.clone() }], Casing::default());
            counter.document(language, &words).unwrap();
        }
        counter.finish().unwrap()
    };
    let mut all = worker(0);
    (1..workers).for_each(|first| all.merge(worker(first)));
    all
}

fn wanted(references: &BTreeMap<CompactString, ReferenceFrequencies>, top: usize) -> ListOptions<'_> {
    ListOptions { top, memory: 0, keywords: 2, references, smoothing: 1.0 }
}

/// Language, n, n-gram, count, documents of every row in order.
fn rows(lists: RankedLists) -> Vec<(String, u8, String, u64, u64)> {
    let mut out = Vec::new();
    lists
        .for_each(|list, rows| {
            for row in rows {
                let row = row?;
                out.push((list.language.to_string(), list.n, row.gram.0.to_string(), row.count, row.documents));
            }
            Ok(())
        })
        .unwrap();
    out
}

/// The rows of the frequency lists, computed by the plainest means.
fn expected(pages: &[Page], longest: usize, top: usize) -> Vec<(String, u8, String, u64, u64)> {
    let mut seen: BTreeMap<(String, u8, String), Vec<usize>> = BTreeMap::new();
    for (number, (language, sentences)) in pages.iter().enumerate() {
        for run in sentences.iter().flat_map(|sentence| sentence.split(|token| *token == ".")) {
            for n in 1..=longest {
                for gram in run.windows(n).map(|window| window.join(" ").to_lowercase()) {
                    seen.entry((language.to_string(), n as u8, gram)).or_default().push(number);
                }
            }
        }
    }
    let mut all: Vec<_> = seen
        .into_iter()
        .map(|((l, n, g), d)| (l, n, g, d.len() as u64, d.iter().collect::<BTreeSet<_>>().len() as u64))
        .collect();
    all.sort_by(|a, b| (&a.0, a.1, Reverse(a.3), &a.2).cmp(&(&b.0, b.1, Reverse(b.3), &b.2)));
    let mut taken: BTreeMap<(String, u8), usize> = BTreeMap::new();
    all.retain(|row| {
        let taken = taken.entry((row.0.clone(), row.1)).or_default();
        *taken += 1;
        top == 0 || *taken <= top
    });
    all
}

fn pages() -> impl Strategy<Value = Vec<Page>> {
    let sentence = prop::collection::vec(prop::sample::select(vec!["a", "A", "bé", "東", ".", "12", "ž"]), 0..8);
    let language = prop::sample::select(vec!["ces", "eng", "und"]);
    prop::collection::vec((language, prop::collection::vec(sentence, 0..5)), 0..12)
}

proptest! {
    #[test]
    fn any_memory_order_and_hands_give_the_plain_result(
        (pages, shuffled) in pages().prop_flat_map(|pages| (Just(pages.clone()), Just(pages).prop_shuffle())),
        memory in prop::sample::select(vec![0usize, 1 << 20]),
        workers in 1usize..4,
        longest in 1usize..4,
        top in 0usize..6,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let none = BTreeMap::new();
        let lists = rank(counted(folder.path(), &shuffled, memory, workers, longest), &wanted(&none, top)).unwrap();
        let expected_types: BTreeSet<_> =
            expected(&pages, 1, 0).into_iter().map(|row| row.2).collect();
        prop_assert_eq!(lists.types_of_all, expected_types.len() as u64);
        prop_assert_eq!(rows(lists), expected(&pages, longest, top));
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn keywords_are_the_best_by_simple_maths() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = vec![("ces", vec![vec!["pes", "a", "kůň", "a", "pes"]]), ("eng", vec![vec!["pes"]])];
    let list = ReferenceFrequencies::read("a\t9\npes\t1\n".as_bytes(), None, Casing::default()).unwrap();
    let references = BTreeMap::from([("ces".into(), list)]);
    let lists = rank(counted(folder.path(), &pages, 0, 1, 1), &wanted(&references, 10)).unwrap();
    assert_eq!(lists.keywords.keys().collect::<Vec<_>>(), ["ces"]);
    let keywords = &lists.keywords["ces"];
    assert_eq!(keywords.iter().map(|keyword| &*keyword.word).collect::<Vec<_>>(), ["kůň", "pes"]);
    assert_eq!(keywords[0].score, 200_001.0);
    assert_eq!(keywords[1].score, 400_001.0 / 100_001.0);
    assert_eq!(lists.types[&FrequencyListId { language: "ces".into(), n: 1 }], 3);
    assert_eq!((lists.types_of_all, lists.words["ces"]), (3, 5));
}

#[test]
fn no_number_of_keywords_is_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = vec![("ces", vec![vec!["pes", "a", "kůň", "a", "pes"]])];
    let list = ReferenceFrequencies::read("a\t9\npes\t1\n".as_bytes(), None, Casing::default()).unwrap();
    let references = BTreeMap::from([("ces".into(), list)]);
    let options = ListOptions { keywords: 0, ..wanted(&references, 10) };
    let lists = rank(counted(folder.path(), &pages, 0, 1, 1), &options).unwrap();
    let words: Vec<&str> = lists.keywords["ces"].iter().map(|keyword| &*keyword.word).collect();
    assert_eq!(words, ["kůň", "pes", "a"]);
}

#[test]
fn a_list_that_is_not_read_to_its_end_does_not_hurt_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = vec![("ces", vec![vec!["b", "a", "c"]]), ("eng", vec![vec!["d"]])];
    let none = BTreeMap::new();
    let lists = rank(counted(folder.path(), &pages, 0, 1, 1), &wanted(&none, 0)).unwrap();
    let mut firsts = Vec::new();
    lists
        .for_each(|list, rows| {
            firsts.push((list.language.to_string(), rows.next().unwrap()?.gram.0.to_string()));
            Ok(())
        })
        .unwrap();
    assert_eq!(firsts, [("ces".to_string(), "a".to_string()), ("eng".to_string(), "d".to_string())]);
}
