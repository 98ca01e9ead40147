use std::collections::BTreeMap;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::concord::choose::sample_key;
use crate::concord::collect::CollectError;

/// Some documents with a few sentences each; part n has the documents of that number.
const WORDS: [&str; 5] = ["one play more", "play it again", "a play", "a play, a play", "nothing"];

fn corpus(picks: &[Vec<usize>]) -> Vec<Vec<(u64, u32, &'static str)>> {
    let part = |(doc, picks): (usize, &Vec<usize>)| {
        let text = |(index, &pick): (usize, &usize)| (doc as u64, index as u32, WORDS[pick]);
        picks.iter().enumerate().map(text).collect()
    };
    picks.iter().enumerate().map(part).collect()
}

fn choose(line: &[&str], hits: Vec<Hit>) -> Vec<Hit> {
    let mut out = Vec::new();
    let mut print = |hit| {
        out.push(hit);
        Ok(())
    };
    let mut collector = Collector::new(&options(line)).unwrap();
    let mut flow = ControlFlow::Continue(());
    for hit in hits {
        flow = collector.take(hit, &mut print).unwrap();
        if flow.is_break() {
            break;
        }
    }
    if flow.is_continue() {
        collector.finish(&mut print).unwrap();
    }
    out
}

/// By as many workers as asked, in the form of lines.
fn printed(line: &[&str], parts: &[Vec<(u64, u32, &str)>], workers: usize) -> String {
    let queue = OrderedQueue::new(parts.len() as u32, workers, Hit::bytes);
    let mut out = Vec::new();
    let printer = Printer::new(&query(line), &options(line), &mut out);
    let collector = Collector::new(&options(line)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(claim) = queue.claim() {
                    for paragraph in &parts[claim.part() as usize] {
                        if !claim.push(hits(line, &[*paragraph])) {
                            return;
                        }
                    }
                }
            });
        }
        deliver(&queue, collector, printer).unwrap();
    });
    String::from_utf8(out).unwrap()
}

const LINES: [&[&str]; 8] = [
    &["play"],
    &["play", "--limit", "5"],
    &["play", "--limit", "5", "--sample", "7"],
    &["play", "--sort", "left", "--sentence"],
    &["play", "--sort", "right", "--limit", "4", "--max-per-doc", "2"],
    &["play", "--unique", "--format", "json"],
    &["play", "--sample", "3", "--limit", "3", "--max-per-doc", "1", "--sort", "word"],
    &["play", "--unique", "--max-per-doc", "1", "--limit", "3", "--format", "tsv"],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_number_of_workers_changes_nothing(
        picks in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 0..6), 0..12),
        line in prop::sample::select(&LINES[..]),
    ) {
        let parts = corpus(&picks);
        let want = printed(line, &parts, 1);
        prop_assert_eq!(&printed(line, &parts, 4), &want);
        // And the place where parts are cut does not.
        prop_assert_eq!(&printed(line, &[parts.concat()], 1), &want);
    }

    #[test]
    fn choices_are_those_of_an_obvious_way(
        picks in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 0..6), 0..12),
        limit in 1..20usize, most in 1..4usize, unique: bool,
    ) {
        let (limit_text, most_text) = (limit.to_string(), most.to_string());
        let mut every = vec!["play", "--sentence"];
        if unique {
            every.push("--unique");
        }
        let line = [&every[..], &["--limit", &limit_text, "--max-per-doc", &most_text]].concat();
        let corpus = corpus(&picks).concat();
        let mut sentences = std::collections::HashSet::new();
        let mut documents = BTreeMap::<u64, usize>::new();
        let mut want = hits(&every, &corpus);
        want.retain(|hit| !unique || sentences.insert(hit.text.clone()));
        want.retain(|hit| {
            let count = documents.entry(hit.document.doc).or_default();
            *count += 1;
            *count <= most
        });
        want.truncate(limit);
        prop_assert_eq!(choose(&line, hits(&line, &corpus)), want);
    }

    #[test]
    fn the_lot_falls_within_documents_first(
        picks in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 0..6), 0..12),
        limit in 1..12usize, most in 1..4usize,
    ) {
        let (limit_text, most_text) = (limit.to_string(), most.to_string());
        let all = hits(&["play"], &corpus(&picks).concat());
        let mut want = all.clone();
        want.sort_by_cached_key(|hit| sample_key(hit, 9));
        let mut documents = BTreeMap::<u64, usize>::new();
        want.retain(|hit| {
            let count = documents.entry(hit.document.doc).or_default();
            *count += 1;
            *count <= most
        });
        want.truncate(limit);
        want.sort_by_key(Hit::place);
        let line = ["play", "--sample", "9", "--limit", &limit_text, "--max-per-doc", &most_text];
        prop_assert_eq!(choose(&line, all), want);
    }

    #[test]
    fn samples_of_one_seed_are_nested(
        picks in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 0..6), 0..12), seed: u64,
    ) {
        let seed = seed.to_string();
        let all = hits(&["play"], &corpus(&picks).concat());
        let small = choose(&["play", "--sample", &seed, "--limit", "3"], all.clone());
        let large = choose(&["play", "--sample", &seed, "--limit", "6"], all.clone());
        prop_assert_eq!(small.len(), all.len().min(3));
        prop_assert!(small.iter().all(|hit| large.contains(hit)));
        prop_assert!(large.is_sorted_by_key(Hit::place));
    }
}

/// Part of the interface: the same seed chooses the same hits in every version.
#[test]
fn samples_are_pinned() {
    let texts: Vec<(u64, u32, &str)> = (0..1000).map(|n| (n / 10, (n % 10) as u32, "a play")).collect();
    let chosen = choose(&["play", "--sample", "1", "--limit", "4"], hits(&["play"], &texts));
    let places: Vec<_> = chosen.iter().map(Hit::place).collect();
    assert_eq!(places, [(25, 2, 2), (51, 2, 2), (67, 0, 2), (78, 8, 2)]);
}

#[test]
fn samples_take_from_everywhere() {
    let texts: Vec<(u64, u32, &str)> = (0..4000).map(|n| (n, 0, "a play")).collect();
    let chosen = choose(&["play", "--sample", "5", "--limit", "400"], hits(&["play"], &texts));
    let in_first_half = chosen.iter().filter(|hit| hit.document.doc < 2000).count();
    assert!((160..240).contains(&in_first_half), "{in_first_half}");
}

#[test]
fn sorting_looks_at_words_from_the_hit_outwards() {
    let texts =
        [(1, 0, "b a (play) 2"), (2, 0, "a b Play B"), (3, 0, "A, a play"), (4, 0, "play: a"), (5, 0, "ab play a b")];
    let sorted = |by: &str| -> Vec<u64> {
        let line = ["play", "--sort", by];
        choose(&line, hits(&line, &texts)).iter().map(|hit| hit.document.doc).collect()
    };
    assert_eq!(sorted("left"), [4, 3, 1, 5, 2]);
    assert_eq!(sorted("right"), [3, 1, 4, 5, 2]);
    assert_eq!(sorted("word"), [1, 2, 3, 4, 5]);
}

/// Sentences, widths and formats show more or less of the words that decide.
#[test]
fn the_context_that_is_shown_does_not_change_the_order() {
    let texts = [(1, 0, "Sea. The play b. Zoo."), (2, 0, "Air. The play b. Cat."), (3, 0, "Sky. A play a.")];
    for by in ["left", "right"] {
        for more in [
            &["--width", "40"][..],
            &["--width", "0"],
            &["--width", "4"],
            &["--tokens", "0"],
            &["--tokens", "1", "--format", "json"],
            &["--sentence", "--format", "html"],
            &["--format", "tsv"],
            &["--sample", "1", "--limit", "9"],
            &["--limit", "3"],
        ] {
            let line = [&["play", "--sort", by][..], more].concat();
            let documents = choose(&line, hits(&line, &texts)).iter().map(|hit| hit.document.doc).collect::<Vec<_>>();
            assert_eq!(documents, [3, 2, 1], "{line:?}");
        }
    }
}

#[test]
fn more_than_can_be_held_is_refused() {
    let line = ["play", "--sort", "left", "--limit", "1000001"];
    assert!(matches!(Collector::new(&options(&line)), Err(CollectError::TooLarge(1_000_001))));
    assert!(Collector::new(&options(&["play", "--limit", "1000001"])).is_ok());
    let hit = &hits(&["play"], &[(1, 0, "play")])[0];
    let mut collector = Collector::new(&options(&["play", "--sort", "left"])).unwrap();
    let mut print = |_| Ok(());
    for at in 0..1_000_000 {
        assert!(collector.take(Hit { at, ..hit.clone() }, &mut print).is_ok());
    }
    assert!(matches!(collector.take(Hit { at: 1_000_000, ..hit.clone() }, &mut print), Err(CollectError::TooMany)));
}

#[test]
fn contexts_that_take_too_much_memory_are_refused() {
    let hit = Hit { text: "x".repeat(64 << 20).into(), ..Hit::default() };
    for line in [&["play", "--sort", "left"][..], &["play", "--sample", "1", "--limit", "99", "--max-per-doc", "99"]] {
        let mut collector = Collector::new(&options(line)).unwrap();
        let mut print = |_| Ok(());
        for at in 0..31 {
            assert!(collector.take(Hit { at, ..hit.clone() }, &mut print).is_ok());
        }
        assert!(matches!(collector.take(Hit { at: 31, ..hit.clone() }, &mut print), Err(CollectError::TooLong)));
    }
}

#[test]
fn the_oldest_sentences_are_forgotten() {
    let hit = &hits(&["play"], &[(1, 0, "play")])[0];
    let numbers = (0..=1_000_000).chain([1_000_000, 0, 2]);
    let chosen = choose(&["play", "--unique"], numbers.map(|sentence| Hit { sentence, ..hit.clone() }).collect());
    let again: Vec<u64> = chosen[1_000_001..].iter().map(|hit| hit.sentence).collect();
    assert_eq!(again, [0], "1000000 and 2 are remembered");
}

#[test]
fn a_worker_that_fails_ends_the_reader() {
    let line = ["play", "--sort", "left"];
    let queue = OrderedQueue::new(2, 1, Hit::bytes);
    let claim = queue.claim().unwrap();
    assert!(claim.push(hits(&line, &[(1, 0, "play")])));
    queue.stop();
    let mut out = Vec::new();
    let printer = Printer::new(&query(&line), &options(&line), &mut out);
    assert_eq!(deliver(&queue, Collector::new(&options(&line)).unwrap(), printer).unwrap(), 0);
    assert!(out.is_empty() && !claim.push(Vec::new()) && queue.claim().is_none());
}

#[test]
fn a_reader_that_cannot_write_ends_the_workers() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let queue = OrderedQueue::new(2, 1, Hit::bytes);
    queue.claim().unwrap().push(hits(&["play"], &[(1, 0, "play")]));
    let printer = Printer::new(&query(&["play"]), &options(&["play"]), Full);
    let ended = deliver(&queue, Collector::new(&options(&["play"])).unwrap(), printer);
    assert!(matches!(ended, Err(CollectError::Write(_))) && queue.is_stopped());
}
