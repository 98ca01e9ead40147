//! The ways to find candidates, with and without verification.

use crate::crawl::Random;

use super::{Form, NO_OVERLAP, Page, build, by_url, verified_drops, word};

/// Sentences of 23 words, of which three are the same in all: terms by which they could be mixed up.
fn sentences(first: u64, common: u64) -> Vec<Vec<String>> {
    let usual = |i: u64| (0..6).filter(move |j| (i + j) % 2 == 1).map(move |j| common + j);
    let numbers = |i: u64| (first + i * 20..first + i * 20 + 20).chain(usual(i));
    (0..10).map(|i| numbers(i).map(word).collect()).collect()
}

fn text(sentences: &[Vec<String>]) -> String {
    let capital = |text: String| text[..1].to_uppercase() + &text[1..];
    sentences.iter().map(|words| capital(words.join(" ")) + ".").collect::<Vec<_>>().join(" ")
}

/// The same words in another order: the same to every method that counts words, and not one sequence of five.
fn shuffled(sentences: &[Vec<String>], random: &mut Random) -> Vec<Vec<String>> {
    let mut words = sentences.concat();
    for i in (1..words.len()).rev() {
        words.swap(i, random.below(i as u64 + 1) as usize);
    }
    words.chunks(23).map(<[String]>::to_vec).collect()
}

#[test]
fn every_method_finds_copies_and_no_verified_pair_is_unlike() {
    let base = sentences(0, 900);
    let mut changed = base.clone();
    changed[5][10] = word(7777);
    let texts = [text(&base), text(&base), text(&changed), text(&shuffled(&base, &mut Random(7)))];
    let names = ["base", "copy", "changed", "shuffled"];
    let mut pages: Vec<Page> =
        names.iter().zip(texts).map(|(name, text)| Page::new(format!("https://{name}.example/"), text)).collect();
    // A collection, so that words have frequencies; half of it shares the common words.
    for i in 0..8 {
        let common = if i % 2 == 0 { 900 } else { 8000 + i * 10 };
        pages.push(Page::new(format!("https://other{i}.example/"), text(&sentences(10_000 + i * 300, common))));
    }
    let methods =
        ["tf", "tfidf", "long_sent", "heavy_sent", "lex_rand", "descr_words", "megashingles", "bands", "exact"];
    for method in methods {
        let with = |verify: &str| {
            build(Form::Wet, &pages, &[NO_OVERLAP, &format!("near.method={method}"), &format!("near.verify={verify}")])
        };
        let (unverified, verified) = (with("none"), with("exact"));
        for corpus in [&unverified, &verified] {
            let documents = by_url(corpus);
            let (base, copy) = (&documents[&pages[0].url], &documents[&pages[1].url]);
            assert!(base.kept, "{method}");
            assert_eq!((copy.drop_reason.name(), copy.keeper), ("exact_duplicate", Some(base.doc)), "{method}");
        }
        let drops = verified_drops(&verified, &pages);
        assert!(
            !drops.iter().any(|(dropped, _)| dropped.contains("shuffled") || dropped.contains("other")),
            "{method}"
        );
        // What those methods are sure of that see a bag of words, or most of the text.
        let fate = |name: usize| by_url(&unverified)[&pages[name].url].drop_reason.name();
        if matches!(method, "tf" | "lex_rand") {
            assert_eq!(fate(3), "near_duplicate", "{method} without verification");
        }
        if matches!(method, "tf" | "long_sent" | "bands") {
            assert_eq!(fate(2), "near_duplicate", "{method}");
        }
    }
}
