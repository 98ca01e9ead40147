use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const LIST: CollocationList = CollocationList { most: 100, min_pairs: 1, measure: Measure::LogDice };

fn query(forms: &[&str], window: &str) -> CollocationQuery {
    let forms: Vec<String> = forms.iter().map(|form| String::from(*form)).collect();
    CollocationQuery::new(&forms, Casing::default(), window.parse().unwrap())
}

/// The collocates in documents of sentences, each document counted by a counter of its own.
fn collocates(query: &CollocationQuery, documents: &[Vec<Vec<&str>>], list: &CollocationList) -> Option<Collocates> {
    let folder = tempfile::tempdir().unwrap();
    let mut all = CollocationCounter::new(query, folder.path(), 0).finish().unwrap();
    for document in documents {
        let mut counter = CollocationCounter::new(query, folder.path(), 0);
        counter.document("eng", document.iter()).unwrap();
        all.merge(counter.finish().unwrap());
    }
    all.rank(list).unwrap().remove("eng")
}

#[test]
fn a_node_is_found_in_the_lower_case_of_each_language() {
    let folder = tempfile::tempdir().unwrap();
    let query = query(&["IŞIK"], "1");
    let mut counter = CollocationCounter::new(&query, folder.path(), 0);
    for (language, sentence) in [("tur", vec!["Işık", "İz"]), ("eng", vec!["işik", "İz"]), ("aze", vec!["işik", "iz"])]
    {
        counter.document(language, [sentence].iter()).unwrap();
    }
    let found = counter.finish().unwrap().rank(&LIST).unwrap();
    assert_eq!(found.keys().collect::<Vec<_>>(), ["eng", "tur"]);
    assert_eq!(pairs(&found["tur"]), BTreeMap::from([("iz", (1, 1))]));
}

#[test]
fn an_apostrophe_of_the_node_stands_for_the_other_one() {
    let documents = [vec![vec!["I", "don't", "know"]], vec![vec!["I", "don’t", "know"]]];
    for node in ["don't", "don’t"] {
        let found = collocates(&query(&[node], "1"), &documents, &LIST).unwrap();
        assert_eq!(found.sizes.nodes, 2);
        assert_eq!(pairs(&found), BTreeMap::from([("i", (2, 2)), ("know", (2, 2))]));
    }
}

fn pairs(collocates: &Collocates) -> BTreeMap<&str, (u64, u64)> {
    collocates.rows.iter().map(|row| (&*row.word, (row.counts.pairs, row.documents))).collect()
}

#[test]
fn words_near_the_node() {
    let documents = [vec![vec!["Strong", ",", "black", "Tea", "is", "strong", "."], vec!["coffee"]], vec![vec!["tea"]]];
    let found = collocates(&query(&["tea"], "2"), &documents, &LIST).unwrap();
    assert_eq!(found.sizes, NodeCounts { words: 7, nodes: 2, near: 3 });
    assert_eq!(pairs(&found), BTreeMap::from([("black", (1, 1)), ("is", (1, 1)), ("strong", (1, 1))]));
    let strong = found.rows.iter().find(|row| &*row.word == "strong").unwrap();
    assert_eq!((strong.counts.count, strong.counts.log_dice()), (2, 14.0 + 0.5_f64.log2()));
    // Punctuation takes a place: `Strong` is three tokens before the node.
    let before = |window| collocates(&query(&["TEA"], window), &documents, &LIST).unwrap();
    assert_eq!(pairs(&before("2,0")).into_keys().collect::<Vec<_>>(), ["black"]);
    assert_eq!(pairs(&before("3,0")).into_keys().collect::<Vec<_>>(), ["black", "strong"]);
    assert!(collocates(&query(&["absent"], "2"), &documents, &LIST).is_none());
}

#[test]
fn an_occurrence_is_one_pair() {
    let documents = [vec![vec!["tea", "for", "tea"]]];
    let found = collocates(&query(&["tea"], "5"), &documents, &LIST).unwrap();
    assert_eq!(pairs(&found), BTreeMap::from([("for", (1, 1)), ("tea", (2, 1))]));
    let list = CollocationList { min_pairs: 2, ..LIST };
    assert_eq!(pairs(&collocates(&query(&["tea"], "5"), &documents, &list).unwrap()).len(), 1);
}

#[test]
fn windows() {
    let window = |text: &str| text.parse::<Window>().ok().map(|window| (window.left, window.right));
    assert_eq!((window("5"), window("0,3"), window(" 2 , 1")), (Some((5, 5)), Some((0, 3)), Some((2, 1))));
    assert_eq!([window("0"), window("x"), window("1,101"), window("-1"), window("")], [None; 5]);
}

/// For each word of the sentences: occurrences, and those that have a node in their reach, by looking at all pairs of
/// positions.
fn reference(sentences: &[Vec<&str>], window: Window) -> BTreeMap<String, (u64, u64)> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for sentence in sentences {
        for (at, word) in sentence.iter().enumerate().filter(|(_, token)| is_word(token)) {
            let is_pair = |(node, token): (usize, &&str)| {
                let reach = if at < node { node - at <= window.left } else { at - node <= window.right };
                token.eq_ignore_ascii_case("n") && node != at && reach
            };
            let is_near = sentence.iter().enumerate().any(is_pair);
            let count = counts.entry(word.to_lowercase()).or_default();
            count.0 += 1;
            count.1 += u64::from(is_near);
        }
    }
    counts
}

fn sentence() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(vec!["a", "B", "b", "n", "N", ",", "é"]), 0..15)
}

proptest! {
    #[test]
    fn equals_the_reference(
        documents in prop::collection::vec(prop::collection::vec(sentence(), 0..4), 0..4),
        left in 0usize..5,
        right in 1usize..5,
    ) {
        let window = Window { left, right };
        let query = CollocationQuery { window, ..query(&["n"], "1") };
        let want = reference(&documents.concat(), window);
        let found = collocates(&query, &documents, &LIST);
        prop_assert_eq!(found.is_some(), want.contains_key("n"));
        let Some(found) = found else { return Ok(()) };
        let sum = |of: fn(&(u64, u64)) -> u64| want.values().map(of).sum::<u64>();
        prop_assert_eq!(found.sizes, NodeCounts { words: sum(|w| w.0), nodes: want["n"].0, near: sum(|w| w.1) });
        let rows: BTreeMap<String, (u64, u64)> =
            found.rows.iter().map(|row| (row.word.to_string(), (row.counts.count, row.counts.pairs))).collect();
        prop_assert_eq!(rows, want.into_iter().filter(|(_, counts)| counts.1 > 0).collect());
        let sorted = found.rows.windows(2).all(|pair| pair[0].counts.log_dice() >= pair[1].counts.log_dice());
        prop_assert!(sorted);
    }
}
