use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;

mod languages;
mod onion;

type Paragraph = Vec<u64>;
type Document = Vec<Paragraph>;
type Ngram = Vec<u64>;

const ALL: [Smoothing; 4] = [Smoothing::Stub, Smoothing::Bridge, Smoothing::Both, Smoothing::None];

fn words(name: u64, range: Range<u64>) -> Paragraph {
    range.map(|i| name * 1_000 + i).collect()
}

fn joined(parts: &[Paragraph]) -> Paragraph {
    parts.concat()
}

fn lengths(doc: &Document) -> Vec<usize> {
    doc.iter().map(Vec::len).collect()
}

/// Coverage of all documents with the first-owner rule.
fn first_owner(docs: &[Document], units: impl Fn(&Document) -> Vec<HashedSpan>) -> Vec<Vec<Coverage>> {
    let mut owner: HashMap<u64, usize> = HashMap::new();
    for (d, doc) in docs.iter().enumerate() {
        for unit in units(doc) {
            owner.entry(unit.hash).or_insert(d);
        }
    }
    let of = |(d, doc)| {
        coverage(&lengths(doc), &[], units(doc).into_iter(), |hash| owner.get(&hash).is_some_and(|&o| o < d))
    };
    docs.iter().enumerate().map(of).collect()
}

fn run(docs: &[Document], smoothing: Smoothing) -> Vec<Vec<u8>> {
    let covered = first_owner(docs, |doc| ngram_spans(&joined(doc), 7).collect());
    covered.iter().map(|c| dropped_paragraphs(c, 0.5, smoothing, 20).into_iter().map(u8::from).collect()).collect()
}

fn example_a() -> [Document; 2] {
    let (a, b) = (|| words(1, 0..30), || words(2, 0..30));
    [vec![a(), b()], vec![a(), words(3, 0..15), b(), words(4, 0..25)]]
}

#[test]
fn worked_example_a() {
    assert_eq!(run(&example_a(), Smoothing::Stub), [vec![0, 0], vec![1, 1, 1, 0]]);
    assert_eq!(run(&example_a(), Smoothing::None), [vec![0, 0], vec![1, 0, 1, 0]]);
    assert_eq!(run(&example_a(), Smoothing::Bridge), [vec![0, 0], vec![1, 0, 0, 0]]);
    assert_eq!(run(&example_a(), Smoothing::Both), [vec![0, 0], vec![1, 1, 0, 0]]);
}

#[test]
fn worked_example_a_by_document() {
    let docs = example_a().map(|doc| vec![joined(&doc)]);
    for smoothing in ALL {
        assert_eq!(run(&docs, smoothing), [[0], [1]]);
    }
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
    assert_eq!(run(&docs, Smoothing::Stub), [vec![0], vec![0, 0], vec![1, 0], vec![1, 0], vec![0, 0]]);
}

#[test]
fn worked_example_c() {
    let docs = [vec![words(1, 0..20)], vec![words(2, 0..21)], vec![words(3, 0..10), words(4, 0..11)]];
    // Onion drops the first one as a stub. Nothing in it repeats anything.
    for smoothing in ALL {
        assert_eq!(run(&docs, smoothing), [vec![0], vec![0], vec![0, 0]]);
    }
}

#[test]
fn seven_shared_words_of_twelve_are_a_duplicate() {
    let docs = [vec![words(1, 0..40)], vec![joined(&[words(1, 0..7), words(2, 0..5)]), words(3, 0..30)]];
    assert_eq!(run(&docs, Smoothing::Stub), [vec![0], vec![1, 0]]);
}

#[test]
fn repetition_inside_a_document_counts_and_drops_nothing() {
    let docs = [vec![words(1, 0..30), words(1, 0..30), words(2, 0..30)]];
    let covered = first_owner(&docs, |doc| ngram_spans(&joined(doc), 7).collect());
    assert_eq!(covered[0].iter().map(Coverage::share).collect::<Vec<_>>(), [0.0, 1.0, 0.0]);
    for smoothing in ALL {
        assert_eq!(run(&docs, smoothing), [[0, 0, 0]]);
    }
}

#[test]
fn empty_documents_and_paragraphs() {
    assert!(coverage(&[], &[], ngram_spans(&[], 7), |_| true).is_empty());
    assert_eq!(coverage(&[0, 0], &[], ngram_spans(&[], 7), |_| true), [Coverage::default(); 2]);
    assert!(ALL.iter().all(|&smoothing| dropped_paragraphs(&[], 0.5, smoothing, 20).is_empty()));
}

#[test]
fn a_share_exactly_at_the_threshold_is_not_above_it() {
    for hundredths in 0..=100u32 {
        for words in 1..400u32 {
            for seen in 0..=words {
                let above = Coverage { words, seen, elsewhere: seen }.repeats_others(f64::from(hundredths) / 100.0);
                assert_eq!(above, 100 * seen > hundredths * words, "{seen} of {words} at {hundredths} %");
            }
        }
    }
}

/// Which paragraphs are dropped of a document with headings, whose ranks are given, after `docs`.
fn with_headings(docs: &[Document], doc: &Document, ranks: &[u8]) -> Vec<u8> {
    let seen: HashSet<u64> =
        docs.iter().flat_map(|doc| ngram_spans(&joined(doc), 7).map(|unit| unit.hash).collect::<Vec<_>>()).collect();
    let (all, seen_before) = (joined(doc), |hash: u64| seen.contains(&hash));
    let covered = coverage(&lengths(doc), &[], ngram_spans(&all, 7), seen_before);
    let mut dropped = dropped_paragraphs(&covered, 0.5, Smoothing::Stub, 20);
    let may_stay: Vec<bool> =
        ranks.iter().zip(&covered).map(|(rank, covered)| *rank == 1 || !covered.repeats_others(0.5)).collect();
    keep_headings(ranks, &may_stay, &mut dropped);
    let covered = coverage(&lengths(doc), ranks, ngram_spans(&all, 7), seen_before);
    drop_headings(ranks, &covered, 0.5, &mut dropped);
    dropped.into_iter().map(u8::from).collect()
}

#[test]
fn headings_of_text_that_stays_are_no_stubs() {
    let (date, new) = (|| words(1, 0..8), || words(2, 0..30));
    let (title, subtitle) = (|| words(3, 0..5), || words(4, 0..4));
    let of = |doc: Document, ranks: &[u8]| with_headings(&[vec![date()]], &doc, ranks);
    assert_eq!(of(vec![title(), date(), new()], &[1, 0, 0]), [0, 1, 0]);
    assert_eq!(of(vec![title(), subtitle(), date(), new()], &[1, 2, 0, 0]), [0, 0, 1, 0]);
    // A list of stories has the title, too.
    let long_title = || words(5, 0..9);
    assert_eq!(with_headings(&[vec![long_title()]], &vec![long_title(), new()], &[1, 0]), [0, 0]);
    assert_eq!(with_headings(&[vec![long_title()]], &vec![long_title(), new()], &[2, 0]), [1, 0]);
    // A paragraph of few words is one, and so is a heading of nothing that is kept.
    assert_eq!(of(vec![title(), date(), new()], &[0, 0, 0]), [1, 1, 0]);
    assert_eq!(of(vec![title(), date(), subtitle(), new()], &[1, 0, 1, 0]), [1, 1, 0, 0]);
}

#[test]
fn answers_between_quotations_are_no_stubs() {
    let (one, two, answer) = (|| words(1, 0..30), || words(2, 0..30), |of: u64| words(of, 0..9));
    let (first, reply) = (vec![one(), two()], vec![one(), answer(3), two(), answer(4), words(5, 0..9)]);
    let seen: HashSet<u64> = ngram_spans(&joined(&first), 7).map(|unit| unit.hash).collect();
    let units = joined(&reply);
    let covered = coverage(&lengths(&reply), &[], ngram_spans(&units, 7), |hash| seen.contains(&hash));
    let decide = |quoted: [bool; 5]| {
        let mut dropped = dropped_paragraphs(&covered, 0.5, Smoothing::Stub, 20);
        keep_answers(&quoted, &covered, 0.5, &mut dropped);
        dropped
    };
    assert_eq!(decide([false; 5]), [true; 5]);
    assert_eq!(decide([true, false, true, false, false]), [true, false, true, false, false]);
    assert_eq!(decide([true, false, false, false, false]), [true; 5]);
    assert_eq!(decide([false, false, true, false, false]), [true; 5]);
}

#[test]
fn headings_go_with_all_that_stands_below_them() {
    let (a, b, new) = (|| words(1, 0..30), || words(2, 0..30), || words(3, 0..30));
    let (head, inner, other) = (|| words(4, 0..3), || words(5, 0..3), || words(6, 0..3));
    let copied = [vec![head(), a(), b()], vec![head(), inner(), a()]];
    // Behind a text of its own, since few words at the beginning would be a stub.
    let of = |doc: Document, ranks: &[u8]| {
        let (doc, ranks) = ([vec![words(7, 0..30)], doc].concat(), [&[0], ranks].concat());
        with_headings(&copied, &doc, &ranks).split_off(1)
    };
    assert_eq!(of(vec![head(), a(), b(), other(), new()], &[1, 0, 0, 1, 0]), [1, 1, 1, 0, 0]);
    assert_eq!(of(vec![head(), inner(), a(), other(), new()], &[1, 2, 0, 1, 0]), [1, 1, 1, 0, 0]);
    // Something new stands below it, or it is not the heading of that text.
    assert_eq!(of(vec![head(), a(), b(), new()], &[1, 0, 0, 0]), [0, 1, 1, 0]);
    assert_eq!(of(vec![head(), a(), inner(), new()], &[1, 0, 2, 0]), [0, 1, 0, 0]);
    assert_eq!(of(vec![other(), a()], &[1, 0]), [0, 1]);
    // The inner heading has a rank as the outer one: nothing stands below that.
    assert_eq!(of(vec![head(), inner(), a()], &[1, 1, 0]), [0, 1, 1]);
    // What the document itself repeats stays.
    let doc = vec![other(), new(), other(), new()];
    assert_eq!(of(doc, &[1, 0, 1, 0]), [0, 0, 0, 0]);
    // A copy in another document, before text of its own and behind it.
    let doc = vec![head(), a(), inner(), new()];
    assert_eq!(with_headings(&[vec![head(), a()]], &doc, &[1, 0, 1, 0]), [1, 1, 0, 0]);
    let doc = vec![new(), head(), a()];
    assert_eq!(with_headings(&[vec![head(), a()]], &doc, &[0, 2, 0]), [0, 1, 1]);
    assert_eq!(with_headings(&[vec![a()]], &doc, &[0, 2, 0]), [0, 0, 1]);
}

/// A paragraph: its words, and whether they were all seen.
type Given = (u32, bool);

fn smoothed(smoothing: Smoothing, paragraphs: &[Given]) -> Vec<u8> {
    let all = |words| Coverage { words, seen: words, elsewhere: words };
    let of = |&(words, seen): &Given| if seen { all(words) } else { Coverage { words, ..Coverage::default() } };
    let covered: Vec<Coverage> = paragraphs.iter().map(of).collect();
    dropped_paragraphs(&covered, 0.5, smoothing, 20).into_iter().map(u8::from).collect()
}

#[test]
fn bridges_need_a_kept_paragraph_on_both_sides() {
    let (dup, new) = ((30, true), (30, false));
    let cases: [(&[Given], &[u8]); 6] = [
        (&[new, dup, new], &[0, 0, 0]),
        (&[dup, new], &[1, 0]),
        (&[new, dup], &[0, 1]),
        (&[new, dup, dup, new], &[0, 1, 1, 0]),
        (&[dup, (0, false), dup, (0, false), dup], &[1, 0, 1, 0, 1]),
        (&[new, (0, false), dup, (0, false), new], &[0, 0, 0, 0, 0]),
    ];
    for (paragraphs, want) in cases {
        assert_eq!(smoothed(Smoothing::Bridge, paragraphs), want, "{paragraphs:?}");
    }
}

#[test]
fn both_decide_on_the_classes_before_smoothing() {
    let (dup, new, stub) = ((30, true), (30, false), (15, false));
    assert_eq!(smoothed(Smoothing::Both, &[new, dup, stub, dup, new]), [0, 0, 1, 0, 0]);
    assert_eq!(smoothed(Smoothing::Both, &[dup, stub, dup, stub, dup]), [1, 1, 0, 1, 1]);
    // A stub stands between kept paragraphs too, but the threshold has not dropped it.
    assert_eq!(smoothed(Smoothing::Both, &[dup, (5, false), (5, false), (5, false), dup]), [1; 5]);
}

#[test]
fn sentences_are_seen_as_wholes() {
    let sentence = |name, n| words(name, 0..n);
    let docs = [joined(&[sentence(1, 8), sentence(2, 6)]), joined(&[sentence(1, 8), sentence(2, 5), sentence(3, 9)])];
    let seen: HashSet<u64> = sentence_spans(&docs[0], &[8, 0, 6]).map(|unit| unit.hash).collect();
    assert_eq!(seen.len(), 2);
    let units = || sentence_spans(&docs[1], &[8, 5, 9]);
    assert_eq!(units().map(|unit| unit.words).collect::<Vec<_>>(), [0..8, 8..13, 13..22]);
    let covered = coverage(&[13, 9], &[], units(), |hash| seen.contains(&hash));
    let expected = [(13, 8), (9, 0)].map(|(words, seen)| Coverage { words, seen, elsewhere: seen });
    assert_eq!(covered, expected);
}

#[test]
fn sentences_repeat_inside_a_document() {
    let words = joined(&[words(1, 0..4), words(2, 0..3), words(1, 0..4)]);
    let covered = coverage(&[7, 4], &[], sentence_spans(&words, &[4, 3, 4]), |_| false);
    assert_eq!(covered.iter().map(|c| c.seen).collect::<Vec<_>>(), [0, 4]);
    assert!(sentence_spans(&words, &[0, 0]).next().is_none());
}

/// A list whose items end with the same sentence stays, unless other documents have the sentence.
#[test]
fn repetition_inside_a_document_makes_no_stubs() {
    let list: Document = (0..8).flat_map(|item| [words(item + 2, 0..15), words(1, 0..14)]).collect();
    assert_eq!(run(std::slice::from_ref(&list), Smoothing::Stub), [[0; 16]]);
    let elsewhere = vec![words(1, 0..14), words(99, 0..30)];
    let want: Vec<u8> = vec![1; 16];
    assert_eq!(run(&[elsewhere, list], Smoothing::Stub)[1], want);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn smoothing_changes_what_it_says(paragraphs in proptest::collection::vec((0u32..30, any::<bool>()), 0..12)) {
        let [stub, bridge, both, none] = ALL.map(|smoothing| smoothed(smoothing, &paragraphs));
        for i in 0..paragraphs.len() {
            prop_assert!(bridge[i] <= none[i] && none[i] <= stub[i]);
            // Bridged or not, what the threshold dropped; else the stubs decide.
            prop_assert_eq!(both[i], if none[i] == 1 { bridge[i] } else { stub[i] });
        }
    }
}
