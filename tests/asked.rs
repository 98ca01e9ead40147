//! What is asked of a finished corpus: concordances, statistics, stop words.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::common::{Corpus, expect, response, said, sample};

const SMALL_SHARDS: &str = "plan.shard_bytes=20000";
/// A recipe with a paragraph that is too short to tell its language, and a poem.
const PAGES: [&str; 2] = [
    "<html lang=de><title>Kuchen</title><article><h1>Ein Kuchen mit Äpfeln</h1><p>Den Teig mit der Butter und dem \
     Zucker in einer Schüssel verrühren und danach an einem warmen Ort ruhen lassen.</p><p>3 Std. 10 Min.</p><p>Den \
     Kuchen im Ofen bei mittlerer Hitze backen, bis er oben braun ist, und auf einem Gitter auskühlen lassen.</p>\
     </article>",
    "<html lang=en><title>Poem</title><article><h1>The harbour at night</h1><p>The river runs slowly through the old \
     town, and in the evening the people walk along its banks and talk.</p><p>The harbour sleeps beneath the moon<br>\
     The gulls have gone to rest at last<br>And in the dark the tide comes soon<br>To wash away the day that \
     passed</p></article>",
];

fn built(more: &[&str]) -> Corpus {
    let mut arguments = vec!["--set", SMALL_SHARDS];
    arguments.extend(more);
    Corpus::build(0, &[&sample("web.warc.gz")], &arguments)
}

fn built_of_pages() -> Corpus {
    let records = PAGES.iter().enumerate().map(|(number, page)| {
        response(number, &format!("http://www.example.org/{number}"), "2025-01-01T12:00:00Z", page)
    });
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("a.warc");
    fs::write(&archive, records.collect::<String>()).unwrap();
    Corpus::build(0, &[&archive.display().to_string()], &[])
}

/// Sentences of a vertical file, each with document, paragraph and its text without white space.
fn sentences(vertical: &str) -> BTreeSet<(String, String, String)> {
    let mut found = BTreeSet::new();
    let (mut doc, mut paragraph, mut sentence) = (String::new(), String::new(), String::new());
    for line in vertical.lines() {
        let id = |tag: &str| line.strip_prefix(tag).and_then(|rest| rest.split('"').next()).map(String::from);
        match (line, id("<doc id=\""), id("<p id=\"")) {
            (_, Some(id), _) => doc = id,
            (_, _, Some(id)) => paragraph = id,
            ("<s>", ..) => sentence.clear(),
            ("<g/>", ..) => {}
            ("</s>", ..) => {
                found.insert((doc.clone(), paragraph.clone(), sentence.clone()));
            }
            _ => sentence.push_str(line),
        }
    }
    found
}

/// Words between characters that are no letters, digits or underscores, as `grep -ow` has them.
fn occurrences(corpus: &Corpus, word: &str) -> usize {
    let kept = corpus.paragraphs().into_iter().filter(|paragraph| paragraph.kept);
    let is_other = |c: char| !(c.is_alphanumeric() || c == '_');
    kept.map(|p| p.text.to_lowercase().split(is_other).filter(|found| *found == word).count()).sum()
}

#[test]
fn every_occurrence_is_found_once_in_corpus_order() {
    let corpus = built(&[]);
    for word in ["the", "tide", "of"] {
        let (out, _) = expect(0, &["concord", &corpus.out(), word, "--format", "json"]);
        let hits: Vec<Value> = serde_json::from_str(&out).unwrap();
        assert_eq!(hits.len(), occurrences(&corpus, word), "{word}");
        assert!(!hits.is_empty());
        let place = |hit: &Value| (hit["doc"].as_u64().unwrap(), hit["p_idx"].as_u64().unwrap());
        assert!(hits.iter().map(place).is_sorted());
        for hit in &hits {
            let characters: Vec<char> = hit["concordance"].as_str().unwrap().chars().collect();
            let [start, end] = ["start", "end"].map(|key| hit[key].as_u64().unwrap() as usize);
            assert_eq!(characters[start..end].iter().collect::<String>().to_lowercase(), word);
            assert_eq!(hit["keyword"], word);
        }
        let (out, _) = expect(0, &["concord", &corpus.out(), word, "--count"]);
        assert_eq!(out.lines().last().unwrap(), format!("all\t{}", hits.len()));
    }
}

/// Also where a paragraph has lines, and where its language is not known and the document's is.
#[test]
fn sentences_are_those_of_the_vertical() {
    let (web, pages) = (built(&[]), built_of_pages());
    for corpus in [&web, &pages] {
        let wanted = sentences(&corpus.vertical());
        let (out, _) = expect(0, &["concord", &corpus.out(), "--regex", r"\w+", "--format", "json"]);
        let hits: Vec<Value> = serde_json::from_str(&out).unwrap();
        assert!(!hits.is_empty());
        for hit in hits {
            let text: String = hit["concordance"].as_str().unwrap().split_whitespace().collect();
            assert!(wanted.contains(&(hit["doc"].to_string(), hit["p_idx"].to_string(), text)), "{hit}");
        }
    }
    let (lines, _) = expect(0, &["concord", &pages.out(), "Std", "tide", "--format", "tsv"]);
    said(&lines, &["\t3 Std. 10 Min.\t2\t5\t", "\tund\t", "\tAnd in the dark the tide comes soon\t20\t24\t"]);
}

#[test]
fn the_same_hits_come_first_however_much_is_shown() {
    let corpus = built(&[]);
    let out = corpus.out();
    for by in ["left", "right"] {
        let printed = |more: &[&str]| {
            let line = [&["concord", &out, "the", "--sort", by, "--limit", "20"][..], more].concat();
            expect(0, &line).0
        };
        let places = |more: &[&str]| -> Vec<String> {
            printed(more).lines().map(|line| line.split(' ').next().unwrap().to_string()).collect()
        };
        let first = places(&[]);
        assert_eq!(first.len(), 20);
        for more in [&["--width", "0"][..], &["--width", "4"], &["--tokens", "0"], &["--sentence"]] {
            assert_eq!(places(more), first, "{by} {more:?}");
        }
        let table = printed(&["--format", "tsv"]);
        let cells = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
        let of_table: Vec<String> = cells.map(|cells| format!("{}:{}", cells[10], cells[11])).collect();
        assert_eq!(of_table, first, "{by}");
    }
}

#[test]
fn threads_do_not_show() {
    let corpus = built(&[]);
    for more in
        [vec![], vec!["--limit", "7"], vec!["--sample", "3", "--limit", "9"], vec!["--sort", "right", "--unique"]]
    {
        let with = |threads: &str| {
            let mut arguments = vec!["concord", "CORPUS", "the", "--threads", threads];
            arguments.extend(&more);
            let out = corpus.out();
            arguments[1] = &out;
            expect(0, &arguments).0
        };
        assert!(!with("1").is_empty());
        assert_eq!(with("1"), with("3"), "{more:?}");
    }
}

#[test]
fn lemmas_are_found_in_tagged_corpora_only() {
    let tagger = r#"emit.tagger="awk '/^<./ { print; next } { print $0 \"\\tT\" length($0) \"\\t\" tolower($0) }'""#;
    let tagged = built(&["--set", tagger]);
    let (all, _) = expect(0, &["concord", &tagged.out(), "--lemma", "THE", "--count"]);
    assert_eq!(all.lines().last().unwrap(), format!("all\t{}", occurrences(&tagged, "the")));
    let (long, _) = expect(0, &["concord", &tagged.out(), "tide", "--tag", "T[45]", "--count"]);
    assert_eq!(long.lines().last().unwrap(), format!("all\t{}", occurrences(&tagged, "tide")));
    let untagged = built(&[]);
    for more in [&["--lemma", "the"][..], &["--lemma", "the", "--count"], &["--tag", "N", "--format", "json"]] {
        let (out, told) = expect(2, &[&["concord", &untagged.out()][..], more].concat());
        assert!(out.is_empty() && told.contains("not tagged"), "{more:?}: {out}{told}");
    }
}

#[test]
fn wrong_questions_are_refused() {
    let corpus = built(&[]);
    let (_, told) = expect(2, &["concord", &corpus.out(), "--regex", "("]);
    assert!(told.contains("--regex"), "{told}");
    let (_, told) = expect(2, &["stats", &corpus.out(), "--ngrams", "3"]);
    assert!(told.contains("--out"), "{told}");
    let out = corpus.out();
    let new = format!("{out}-new");
    for (arguments, named) in [
        (&["stats", &out, "--collocations", "tide,"][..], "empty"),
        (&["stats", &out, "--quantiles", "q.toml", "--years", "captured"], "--years"),
        (&["stats", &out, "--quantiles", "q.toml", "--group-by", "language"], "--group-by"),
        (&["inspect", &out, "0", "--rules", "none.toml"], "--rules"),
        (&["inspect", &out, "0", "--url", "http://example.org/"], "--url"),
        (&["inspect", "--raw", "none.html"], "cannot read none.html"),
        (&["build", "@none.txt", "--out", &new], "cannot read none.txt"),
        (&["build", "none.warc", "--out", &new, "--format", "tei"], "a setting: --set output.formats=tei"),
        (&["build", "none.warc", "--out", &new, "--set", "pii.mode=mask"], "needs pii.kinds"),
        (&["stats", &out, "--where", "page_type = articel"], "article, collection"),
        (&["concord", &out, "the", "--where", "language = xyz"], "`warcorpus languages` lists them"),
        (&["emit", &out, "--format", "text", "--out", &new, "--where", "script = Latin"], "Latn, Cyrl"),
        (&["stats", &out, "--where", "lix < 40"], "readability in quality.signals"),
        (&["stats", &out, "--group-by", "n_words"], "basic in quality.signals"),
        (
            &["emit", &out, "--format", "parquet", "--set", "parquet.columns=text,lix"],
            "add readability to quality.signals",
        ),
        (&["emit", &out, "--format", "text", "--set", "pii.kinds=email"], "pii.kinds"),
        (&["emit", &out, "--format", "text", "--set", "quality.action=drop"], "quality.action"),
        (&["emit", &out, "--format", "text", "--set", "near.action=mark"], "near.action"),
    ] {
        let (_, told) = expect(2, arguments);
        assert!(told.contains(named), "{arguments:?}: {told}");
    }
    let tagger = r#"emit.tagger="awk '/^<./ { print; next } { print $0 \"\\tT\" }'""#;
    let tagged = built(&["--set", tagger, "--set", "emit.tagger_columns=tag"]);
    let (_, told) = expect(2, &["concord", &tagged.out(), "--lemma", "the"]);
    assert!(told.contains("`lemma`"), "{told}");
}

#[test]
fn statistics_agree_with_tables_and_vertical() {
    let corpus = built(&[]);
    let dir = tempfile::tempdir().unwrap();
    let folder = |threads: &str| {
        let out = dir.path().join(threads);
        let named = out.display().to_string();
        expect(0, &["stats", &corpus.out(), "--out", &named, "--ngrams", "2", "--threads", threads]);
        out
    };
    let (one, three) = (folder("1"), folder("3"));
    let read = |name: &str| fs::read_to_string(one.join(name)).unwrap();
    for name in ["statistics.json", "years.tsv", "yield.tsv", "frequencies/eng.tsv", "ngrams/eng.2.tsv"] {
        assert_eq!(read(name), fs::read_to_string(three.join(name)).unwrap(), "{name}");
    }
    let statistics: Value = serde_json::from_str(&read("statistics.json")).unwrap();
    let kept: Vec<_> = corpus.documents().into_iter().filter(|document| document.kept).collect();
    assert_eq!(statistics["all"]["documents"], kept.len());
    assert_eq!(statistics["all"]["paragraphs"], corpus.paragraphs().iter().filter(|p| p.kept).count());
    assert_eq!(statistics["all"]["tokens"], corpus.stats()["vertical"]["tokens"]);
    let sentences = corpus.vertical().lines().filter(|line| *line == "<s>").count();
    assert_eq!(statistics["all"]["sentences"], sentences);
    let the = read("frequencies/eng.tsv").lines().find(|line| line.starts_with("the\t")).map(str::to_string);
    let count: usize = the.unwrap().split('\t').nth(1).unwrap().parse().unwrap();
    let english = |id: u64| kept.iter().any(|document| document.doc == id && document.language.code() == "eng");
    let of_vertical = corpus.vertical();
    let mut counted = 0;
    let mut inside = false;
    for line in of_vertical.lines() {
        if let Some(rest) = line.strip_prefix("<doc id=\"") {
            inside = english(rest.split('"').next().unwrap().parse().unwrap());
        }
        counted += usize::from(inside && line.to_lowercase() == "the");
    }
    assert_eq!(count, counted);
}

#[test]
fn a_list_of_one_s_own_is_made_and_used() {
    let dir = tempfile::tempdir().unwrap();
    let (text, list) = (dir.path().join("text.txt"), dir.path().join("list.txt"));
    let words: String = (0..400).map(|n| format!("the word{n} of tide {}\n", "and ".repeat(n % 7))).collect();
    fs::write(&text, words).unwrap();
    let [text, list] = [text, list].map(|path| path.display().to_string());
    fs::write(&list, "12 345\n").unwrap();
    let (_, told) = expect(2, &["stoplist", "--text", &list]);
    assert!(told.contains("the text has no word with a letter"), "{told}");
    expect(0, &["stoplist", "--text", &text, "--words", "150", "--out", &list]);
    let made = fs::read_to_string(&list).unwrap();
    assert_eq!(made.lines().count(), 150);
    assert!(made.lines().take(4).any(|word| word == "and"), "{made}");
    let setting = format!("clean.stoplist=\"{list}\"");
    let own = built(&["--set", &setting]);
    let share = |corpus: &Corpus| -> f32 { corpus.blocks().iter().map(|p| p.stopword_density).sum() };
    assert!(share(&own) > 0.0 && share(&own) < share(&built(&[])) / 2.0);
    // The job keeps it.
    fs::remove_file(&list).unwrap();
    expect(0, &["build", "--out", &own.out(), "--quiet"]);
    let out = dir.path().join("none").display().to_string();
    let (_, told) = expect(2, &["build", &sample("web.warc.gz"), "--out", &out, "--set", &setting]);
    assert!(told.contains("clean.stoplist"), "{told}");
}
