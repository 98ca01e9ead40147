//! Sentences → a model like lingua's, but with marks. Lingua counts n-grams of letters alone, which leaves little
//! of Devanagari: no vowels but those that begin a syllable. A few hundred sentences with them tell Hindi from
//! Marathi, and both from Nepali and Sanskrit, better than a large text without.

use std::collections::BTreeMap;

use fst::MapBuilder;

use crate::hash::ORDER;
use crate::script::script;

pub fn ngrams(sentences: Vec<&str>) -> Vec<u8> {
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for word in sentences.iter().flat_map(|sentence| sentence.split(|c| script(c).is_none())) {
        let letters: Vec<char> = word.chars().collect();
        let ngrams = (1..=ORDER).flat_map(|order| letters.windows(order));
        ngrams.for_each(|ngram| *times.entry(ngram.iter().collect()).or_default() += 1);
    }
    let all: u32 = times.iter().filter(|(ngram, _)| ngram.chars().count() == 1).map(|(_, times)| times).sum();
    let mut map = MapBuilder::memory();
    for (ngram, &own) in &times {
        let head = ngram.char_indices().next_back().and_then(|(last, _)| times.get(ngram.get(..last)?));
        let share = f64::from(own) / f64::from(*head.unwrap_or(&all));
        // The keys come in order; an n-gram that could not be added would be one that is never seen.
        map.insert(ngram, share.ln().to_bits()).ok();
    }
    map.into_inner().unwrap_or_default()
}
