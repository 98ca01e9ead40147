//! Sentences and tokens against treebanks (not part of the repository): they must not get worse.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::ops::Range;

use flate2::read::GzDecoder;
use serde_json::Value;
use warcorpus::text::segments::Segmenter;

use crate::common::shared;

/// Language, F1 of tokens and of sentences in percent: what was measured, less .3.
const FLOORS: [(&str, f64, f64); 12] = [
    ("ara", 79.6, 98.5),
    ("ces", 99.3, 99.1),
    ("deu", 98.5, 98.1),
    ("eng", 99.2, 88.8),
    ("fra", 99.4, 96.7),
    ("hun", 99.2, 98.9),
    ("jpn", 95.2, 99.0),
    ("pol", 98.6, 99.3),
    ("rus", 98.8, 94.9),
    ("tha", 89.5, 31.9),
    ("tur", 98.6, 86.1),
    ("zho", 92.9, 98.8),
];

/// Spans found, true, and both.
#[derive(Default)]
struct Score {
    found: usize,
    gold: usize,
    both: usize,
}

impl Score {
    fn add(&mut self, found: &BTreeSet<(usize, usize)>, gold: &BTreeSet<(usize, usize)>) {
        self.found += found.len();
        self.gold += gold.len();
        self.both += found.intersection(gold).count();
    }

    fn f1(&self) -> f64 {
        200.0 * self.both as f64 / (self.found + self.gold) as f64
    }
}

/// Offsets in the text without white space, for each byte of it.
fn bare(text: &str) -> Vec<usize> {
    let mut offsets = Vec::with_capacity(text.len() + 1);
    let mut visible = 0;
    for c in text.chars() {
        offsets.extend(std::iter::repeat_n(visible, c.len_utf8()));
        visible += usize::from(!c.is_whitespace());
    }
    offsets.push(visible);
    offsets
}

#[test]
fn treebanks_are_cut_as_well_as_they_were() {
    let segmenter = Segmenter::default();
    for (language, least_tokens, least_sentences) in FLOORS {
        let Some(path) = shared(&format!("segmentation/{language}.jsonl.gz")) else { return };
        let mut lines = String::new();
        GzDecoder::new(File::open(path).unwrap()).read_to_string(&mut lines).unwrap();
        let (mut tokens, mut sentences) = (Score::default(), Score::default());
        for line in lines.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let text = row["text"].as_str().unwrap();
            let offsets = bare(text);
            let span = |range: &Range<usize>| (offsets[range.start], offsets[range.end]);
            let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let gold = |key: &str| -> BTreeSet<(usize, usize)> {
                let at = |place: &Value| offsets[bytes[place.as_u64().unwrap() as usize]];
                row[key].as_array().unwrap().iter().map(|span| (at(&span[0]), at(&span[1]))).collect()
            };
            let cutter = segmenter.language(language);
            let found = cutter.sentences(text);
            let mut words = Vec::new();
            found.iter().for_each(|sentence| cutter.tokens(text, sentence.clone(), &mut words));
            sentences.add(&found.iter().map(span).collect(), &gold("sentences"));
            tokens.add(&words.iter().map(|token| span(&token.range)).collect(), &gold("tokens"));
        }
        println!("{language}: tokens {:.2}, sentences {:.2}", tokens.f1(), sentences.f1());
        assert!(tokens.f1() >= least_tokens && sentences.f1() >= least_sentences, "{language}");
    }
}
