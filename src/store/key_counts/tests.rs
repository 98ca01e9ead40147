use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn drained(mut merge: MergedCounts) -> Vec<(Vec<u8>, KeyCount)> {
    let mut out = Vec::new();
    while let Some((key, count)) = merge.advance().unwrap() {
        out.push((key.to_vec(), count));
    }
    out
}

fn expected(documents: &[Vec<Vec<u8>>]) -> Vec<(Vec<u8>, KeyCount)> {
    let mut counts: BTreeMap<Vec<u8>, KeyCount> = BTreeMap::new();
    for document in documents {
        for (i, key) in document.iter().enumerate() {
            let first = !document[..i].contains(key);
            *counts.entry(key.clone()).or_default() += KeyCount { count: 1, documents: u64::from(first) };
        }
    }
    counts.into_iter().collect()
}

/// Documents dealt out to `hands` in turn.
fn counted(documents: &[Vec<Vec<u8>>], memory: usize, hands: usize) -> Vec<(Vec<u8>, KeyCount)> {
    let folder = tempfile::tempdir().unwrap();
    let mut runs = Vec::new();
    for hand in 0..hands {
        let mut counts = KeyCounter::new(folder.path(), memory);
        for (number, document) in documents.iter().enumerate().skip(hand).step_by(hands) {
            document.iter().for_each(|key| counts.count(key, number as u32));
            counts.spill_if_full().unwrap();
        }
        runs.extend(counts.finish().unwrap());
    }
    let out = drained(MergedCounts::new(runs, folder.path()).unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "temporary files stayed");
    out
}

proptest! {
    #[test]
    fn any_memory_and_any_hands_count_the_same(
        documents in prop::collection::vec(prop::collection::vec(prop::collection::vec(0u8..3, 0..12), 0..20), 0..60),
        memory in prop::sample::select(vec![0usize, 20_000, 1 << 20]),
        hands in 1usize..4,
    ) {
        prop_assert_eq!(counted(&documents, memory, hands), expected(&documents));
    }
}

#[test]
fn many_keys_survive_growth() {
    let documents: Vec<Vec<Vec<u8>>> =
        (0..50u32).map(|d| (0..400u32).map(|k| (d * k).to_string().into_bytes()).collect()).collect();
    assert_eq!(counted(&documents, usize::MAX, 1), expected(&documents));
    assert_eq!(counted(&documents, 0, 2), expected(&documents));
}

#[test]
fn a_damaged_run_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut counts = KeyCounter::new(folder.path(), 0);
    (0..9999u32).for_each(|k| counts.add(k.to_string().as_bytes(), KeyCount { count: 1 << 40, documents: 300 }));
    let runs = counts.finish().unwrap();
    let path = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&path, &bytes).unwrap();
    let mut merge = MergedCounts::new(runs, folder.path()).unwrap();
    let end = std::iter::from_fn(|| match merge.advance() {
        Ok(row) => row.map(|_| None),
        Err(error) => Some(Some(error)),
    })
    .flatten()
    .next();
    assert!(end.is_some());
}
