//! Real sentences: how often unrelated ones repeat each other's n-grams, and whether repeated ones are found.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;

use super::*;
use crate::text::words::hashes;

/// Sentences of different authors (not part of the repository), without those of equal words.
fn sentences(path: &Path, language: &str) -> Vec<(String, Paragraph)> {
    let mut lines = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut lines).unwrap();
    let rows = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let texts = rows.filter(|row| row["lang"] == language && row["kind"] == "sentence");
    let mut known = HashSet::new();
    let hashed = texts.map(|row| {
        let text = row["text"].as_str().unwrap().to_string();
        let words = hashed(&text);
        (text, words)
    });
    hashed.filter(|(_, words)| words.len() >= 7 && known.insert(words.clone())).collect()
}

fn hashed(text: &str) -> Paragraph {
    let mut words = Vec::new();
    hashes(text, &mut words);
    words
}

fn ngrams(words: &Paragraph) -> HashSet<u64> {
    ngram_spans(words, 7).map(|span| span.hash).collect()
}

fn covered_by(words: &Paragraph, seen: impl Fn(u64) -> bool) -> Coverage {
    coverage(&[words.len()], &[], ngram_spans(words, 7), seen)[0]
}

/// The text with another letter in its middle.
fn changed(text: &str) -> String {
    let letters: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(at, _)| at).collect();
    let at = letters[letters.len() / 2];
    let letter = text[at..].chars().next().unwrap();
    let other = if letter.is_ascii() { "x" } else { "ฮ" };
    [&text[..at], other, &text[at + letter.len_utf8()..]].concat()
}

/// Sentences that have nothing to do with each other share few n-grams, also in languages without spaces between words; a
/// repeated sentence is found though a letter of it was changed.
#[test]
fn few_sentences_cover_others_in_any_script() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/langid/langid.jsonl.gz");
    if !path.exists() {
        println!("skipped: {} is missing", path.display());
        return;
    }
    for (language, most) in [("eng", 0.01), ("zho", 0.01), ("tha", 0.07), ("khm", 0.03)] {
        let all = sentences(&path, language);
        let mut documents: HashMap<u64, usize> = HashMap::new();
        let each = all.iter().flat_map(|(_, words)| ngrams(words));
        each.for_each(|ngram| *documents.entry(ngram).or_default() += 1);
        let covered = |words| covered_by(words, |ngram| documents[&ngram] > 1).repeats_others(0.2);
        let repeating = all.iter().filter(|(_, words)| covered(words)).count();
        let long: Vec<_> = all.iter().filter(|(_, words)| words.len() >= 20).collect();
        let is_found = |text: &str, words: &Paragraph| {
            let known = ngrams(words);
            covered_by(&hashed(&changed(text)), |ngram| known.contains(&ngram)).repeats_others(0.5)
        };
        let found = long.iter().filter(|(text, words)| is_found(text, words)).count();
        println!("{language}: {repeating} of {} repeat others, {found} of {} found", all.len(), long.len());
        assert!(repeating as f64 <= most * all.len() as f64);
        assert!(found * 100 >= long.len() * 97);
    }
}
