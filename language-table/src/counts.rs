//! Models → how often each n-gram of a script stands in the text that each language's model was made from.
//!
//! A model has, for an n-gram, the logarithm of count(n-gram) / count(its letters but the last). Along the path of an
//! n-gram these add up to count / count of all letters, and the rarest n-gram of a model stands there once; so
//! the counts themselves come back, as whole numbers. What follows an n-gram less often than it stands there is
//! the end of a word.

use fst::{Map, Streamer};
use fxhash::FxHashMap;
use rayon::prelude::*;

use crate::hash::{END, ORDER, RARE, last};
use crate::script::{Letter, Script, letter};
use crate::texts::script;
use crate::write::small;

/// Number of letters of a script that have a byte of their own, from [`FIRST`] on; the rest are one rare letter.
const LETTERS: usize = 252;
pub const FIRST: u8 = 2;

/// Share of the letters of some language from which on an n-gram is a candidate, and how often it stands there at least.
const RAREST: f64 = 2.3e-6;
const LEAST: u32 = 3;

/// A model of lingua stands for much more text than there is of a language otherwise. Texts are counted several times: as
/// often as gives them this share, but not oftener than that.
const TEXT_SHARE: f64 = 0.3;
const HEAVIEST: f64 = 300.0;

/// What a language's n-grams are counted from: the model of lingua, if it has one, and texts.
pub struct Source<'a> {
    pub model: Option<&'a [u8]>,
    /// How the model's letters are written in the script that is counted.
    pub spelling: Option<fn(char) -> &'static str>,
    pub texts: Vec<&'a str>,
}

/// The candidates of one order: rows of one number for each language.
#[derive(Default)]
pub struct Counts {
    pub rows: FxHashMap<u64, u32>,
    /// How often each stands in the text.
    pub times: Vec<u32>,
    /// How many different letters (or ends) follow it.
    pub followers: Vec<u32>,
}

/// What the sources of a table's languages say.
pub struct Counted {
    /// By order; the first stays empty.
    pub orders: Vec<Counts>,
    /// Letters of each language's text.
    pub totals: Vec<u32>,
}

/// An n-gram on the way from the first letter of the current one to its last.
struct Step {
    bytes: usize,
    key: Option<u64>,
    share: f64,
    times: u32,
    followed: u32,
}

/// Order, key → how often an n-gram stands in the sources of a language, and how many different letters (or ends) follow.
type Ngrams = FxHashMap<(u8, u64), (u32, u32)>;

/// Counts the n-grams of a table's languages; `letters` are those of its script.
pub fn count(sources: &[Source], letters: &[char]) -> Counted {
    let ids: FxHashMap<char, u8> = letters.iter().copied().zip(FIRST..).collect();
    let width = sources.len();
    let languages: Vec<(Ngrams, u32)> = sources.par_iter().map(|source| source.count(&ids)).collect();
    let mut orders: Vec<Counts> = (0..=ORDER).map(|_| Counts::default()).collect();
    for (ngrams, total) in &languages {
        for (&(order, key), &(times, _)) in ngrams {
            let frequent = times >= LEAST && f64::from(times) >= RAREST * f64::from(*total);
            let rows = orders.get_mut(usize::from(order)).map(|counts| &mut counts.rows);
            if let Some(rows) = rows.filter(|_| order == 1 || frequent) {
                let next = rows.len() as u32;
                rows.entry(key).or_insert(next);
            }
        }
    }
    for counts in &mut orders {
        counts.times = vec![0; counts.rows.len() * width];
        counts.followers = vec![0; counts.rows.len() * width];
    }
    for (language, (ngrams, _)) in languages.iter().enumerate() {
        for (&(order, key), &(times, followers)) in ngrams {
            let Some(counts) = orders.get_mut(usize::from(order)) else { continue };
            let Some(&row) = counts.rows.get(&key) else { continue };
            let place = row as usize * width + language;
            if let (Some(all), Some(different)) = (counts.times.get_mut(place), counts.followers.get_mut(place)) {
                (*all, *different) = (times, followers);
            }
        }
    }
    Counted { orders, totals: languages.iter().map(|(_, total)| *total).collect() }
}

impl Source<'_> {
    /// The n-grams of all that there is of a language, and its number of letters.
    fn count(&self, ids: &FxHashMap<char, u8>) -> (Ngrams, u32) {
        let (mut ngrams, mut letters) = (Ngrams::default(), 0);
        self.texts.iter().for_each(|text| letters += count_text(text, ids, &mut ngrams));
        if let Some(map) = self.model.and_then(|model| Map::new(model).ok()) {
            let total = total(&map);
            let weight = (total * TEXT_SHARE / f64::from(letters.max(1))).clamp(1.0, HEAVIEST) as u32;
            ngrams.values_mut().for_each(|(times, _)| *times *= weight);
            let add = |order: usize, key, times| ngrams.entry((order as u8, key)).or_default().0 += times;
            match self.spelling {
                None => walk(&map, ids, total, add),
                Some(spelling) => walk_respelt(&map, spelling, ids, total, add),
            }
            letters = letters * weight + total as u32;
        }
        let followed: Vec<(u8, u64)> = ngrams.keys().copied().filter(|(order, _)| *order > 1).collect();
        for (order, key) in followed {
            if let Some((_, followers)) = ngrams.get_mut(&(order - 1, key >> 8)) {
                *followers += 1;
            }
        }
        (ngrams, letters)
    }
}

/// Counts the n-grams of a text; its number of letters.
fn count_text(text: &str, ids: &FxHashMap<char, u8>, ngrams: &mut Ngrams) -> u32 {
    let (mut key, mut length, mut letters, mut word_of) = (0u64, 0, 0, None);
    let mut add = |key: &mut u64, length: &mut usize, id: u8| {
        *key = *key << 8 | u64::from(id);
        *length = (*length + 1).min(ORDER);
        (1..=*length).for_each(|order| ngrams.entry((order as u8, last(*key, order))).or_default().0 += 1);
    };
    for c in text.chars().chain([' ']) {
        let script = match letter(c) {
            Letter::Skipped => continue,
            Letter::Of(script) => Some(script),
            Letter::No => None,
        };
        if script != word_of {
            if length > 0 {
                add(&mut key, &mut length, END);
            }
            (key, length, word_of) = (0, 0, script);
        }
        if script.is_some() {
            letters += 1;
            add(&mut key, &mut length, ids.get(&small(c)).copied().unwrap_or(RARE));
        }
    }
    letters
}

/// The most frequent letters of a script, the most frequent first.
pub fn letters(sources: &[Source], of: Script) -> Vec<char> {
    let mut shares: FxHashMap<char, f64> = FxHashMap::default();
    let mut add = |c, share| {
        let best = shares.entry(c).or_insert(share);
        *best = best.max(share);
    };
    for source in sources {
        let model = source.model.filter(|_| source.spelling.is_none());
        if let Some(map) = model.and_then(|model| Map::new(model).ok()) {
            each(&map, |ngram, share| {
                let letter = single(ngram).filter(|&c| script(c) == Some(of));
                letter.into_iter().for_each(|c| add(c, share.exp()));
            });
        }
        let mut times: FxHashMap<char, u32> = FxHashMap::default();
        let all = source.texts.iter().flat_map(|text| text.chars()).filter(|&c| script(c) == Some(of)).map(small);
        all.for_each(|c| *times.entry(c).or_default() += 1);
        let total: u32 = times.values().sum();
        times.iter().for_each(|(&c, &times)| add(c, f64::from(times) / f64::from(total)));
    }
    let mut letters: Vec<(char, f64)> = shares.into_iter().collect();
    letters.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    letters.into_iter().take(LETTERS).map(|(c, _)| c).collect()
}

/// The letter of an n-gram that has no other.
fn single(ngram: &str) -> Option<char> {
    let mut letters = ngram.chars();
    letters.next().filter(|_| letters.next().is_none())
}

fn each(map: &Map<&[u8]>, mut visit: impl FnMut(&str, f64)) {
    let mut stream = map.stream();
    while let Some((ngram, logarithm)) = stream.next() {
        visit(std::str::from_utf8(ngram).unwrap_or_default(), f64::from_bits(logarithm));
    }
}

/// Number of letters of a model's text.
fn total(map: &Map<&[u8]>) -> f64 {
    let mut rarest: f64 = 0.0;
    let mut path: Vec<(usize, f64)> = Vec::new();
    let mut before = String::new();
    each(map, |ngram, logarithm| {
        while path.last().is_some_and(|(bytes, _)| before.get(..*bytes) != ngram.get(..*bytes)) {
            path.pop();
        }
        let share = path.last().map_or(0.0, |step| step.1) + logarithm;
        rarest = rarest.min(share);
        path.push((ngram.len(), share));
        before.clear();
        before.push_str(ngram);
    });
    (-rarest).exp().round()
}

/// Calls `visit` with order, key and count for each n-gram of known letters, and for each followed by the end of a word.
fn walk(map: &Map<&[u8]>, ids: &FxHashMap<char, u8>, total: f64, mut visit: impl FnMut(usize, u64, u32)) {
    let mut path: Vec<Step> = Vec::new();
    let mut before = String::new();
    let mut leave = |order: usize, step: Step| {
        let Some(key) = step.key else { return };
        let ends = step.times.saturating_sub(step.followed);
        if order < ORDER && ends > 0 {
            visit(order + 1, key << 8 | u64::from(END), ends);
        }
        visit(order, key, step.times);
    };
    each(map, |ngram, logarithm| {
        while path.last().is_some_and(|step| before.get(..step.bytes) != ngram.get(..step.bytes)) {
            let order = path.len();
            path.pop().into_iter().for_each(|step| leave(order, step));
        }
        let (share, key) = path.last().map_or((0.0, Some(0)), |step| (step.share, step.key));
        let share = share + logarithm;
        let id = ngram.chars().next_back().and_then(|c| ids.get(&c));
        let times = (share.exp() * total).round() as u32;
        if let Some(step) = path.last_mut() {
            step.followed += times;
        }
        let key = key.zip(id).map(|(key, &id)| key << 8 | u64::from(id));
        path.push(Step { bytes: ngram.len(), key, share, times, followed: 0 });
        before.clear();
        before.push_str(ngram);
    });
    while let Some(step) = path.pop() {
        leave(path.len() + 1, step);
    }
}

/// Like [`walk`], of the n-grams that the model's text has in another spelling. A letter may become two, so that n-grams
/// begin or end within it: each of those is counted with the shortest n-gram of the model that it lies in.
fn walk_respelt(
    map: &Map<&[u8]>,
    spelling: fn(char) -> &'static str,
    ids: &FxHashMap<char, u8>,
    total: f64,
    mut visit: impl FnMut(usize, u64, u32),
) {
    let mut letters = Vec::new();
    each(map, |ngram, _| letters.extend(single(ngram)));
    let own: FxHashMap<char, u8> = letters.iter().copied().zip(FIRST..).collect();
    let spelt = |letter: u8| -> Vec<u8> {
        let c = letters.get(usize::from(letter.wrapping_sub(FIRST)));
        let spelt = c.map_or("", |&c| spelling(c)).chars();
        if letter == END { vec![END] } else { spelt.map(|c| ids.get(&c).copied().unwrap_or(RARE)).collect() }
    };
    walk(map, &own, total, |order, key, times| {
        let word: Vec<Vec<u8>> = (0..order).rev().map(|place| spelt((key >> (8 * place)) as u8)).collect();
        let all: Vec<u8> = word.concat();
        let (Some(first), Some(last)) = (word.first().map(Vec::len), word.last().map(Vec::len)) else { return };
        for begin in 0..first {
            for end in all.len() + 1 - last..=all.len() {
                let Some(ngram) = all.get(begin..end).filter(|ngram| (1..=ORDER).contains(&ngram.len())) else {
                    continue;
                };
                visit(ngram.len(), ngram.iter().fold(0, |key, &letter| key << 8 | u64::from(letter)), times);
            }
        }
    });
}
