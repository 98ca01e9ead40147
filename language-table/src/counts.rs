//! Models → how often each n-gram of a script stands in the text that each language's model was made from.
//!
//! A model has, for an n-gram, the logarithm of count(n-gram) / count(its letters but the last). Along the path of an
//! n-gram these add up to count / count of all letters, and the rarest n-gram of a model stands there once; so
//! the counts themselves come back, as whole numbers. What follows an n-gram less often than it stands there is
//! the end of a word.

use fst::{Map, Streamer};
use fxhash::FxHashMap;

use crate::hash::{END, ORDER};
use crate::models::Model;
use crate::script::{Script, script};

/// Number of letters of a script that have a byte of their own, from [`FIRST`] on; the rest are one rare letter.
const LETTERS: usize = 252;
pub const FIRST: u8 = 2;

/// Share of the letters of some language from which on an n-gram is a candidate.
const RAREST: f64 = 2.3e-6;

/// The candidates of one order: rows of one number for each language.
#[derive(Default)]
pub struct Counts {
    pub rows: FxHashMap<u64, u32>,
    /// How often each stands in the text.
    pub times: Vec<u32>,
    /// How many different letters (or ends) follow it.
    pub followers: Vec<u32>,
}

/// What the models of a script's languages say.
pub struct Counted {
    /// The most frequent first.
    pub letters: Vec<char>,
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
    followers: u32,
}

pub fn count(models: &[&Model], of: Script) -> Counted {
    let maps: Vec<Map<&[u8]>> = models.iter().filter_map(|model| Map::new(model.ngrams.as_ref()).ok()).collect();
    let letters = letters(&maps, of);
    let ids: FxHashMap<char, u8> = letters.iter().copied().zip(FIRST..).collect();
    let width = maps.len();
    let mut orders: Vec<Counts> = (0..=ORDER).map(|_| Counts::default()).collect();
    let totals: Vec<f64> = maps.iter().map(total).collect();
    for (map, &total) in maps.iter().zip(&totals) {
        walk(map, &ids, total, |order, key, times, _| {
            let rows = orders.get_mut(order).map(|counts| &mut counts.rows);
            if let Some(rows) = rows.filter(|_| order == 1 || f64::from(times) >= RAREST * total) {
                let next = rows.len() as u32;
                rows.entry(key).or_insert(next);
            }
        });
    }
    for counts in &mut orders {
        counts.times = vec![0; counts.rows.len() * width];
        counts.followers = vec![0; counts.rows.len() * width];
    }
    for (language, (map, &total)) in maps.iter().zip(&totals).enumerate() {
        walk(map, &ids, total, |order, key, times, followers| {
            let Some(counts) = orders.get_mut(order) else { return };
            let Some(&row) = counts.rows.get(&key) else { return };
            let place = row as usize * width + language;
            if let Some(of) = counts.times.get_mut(place) {
                *of = times
            }
            if let Some(of) = counts.followers.get_mut(place) {
                *of = followers
            }
        });
    }
    Counted { letters, orders, totals: totals.iter().map(|&total| total as u32).collect() }
}

/// The most frequent letters of a script, the most frequent first.
fn letters(maps: &[Map<&[u8]>], of: Script) -> Vec<char> {
    let mut shares: FxHashMap<char, f64> = FxHashMap::default();
    for map in maps {
        each(map, |ngram, share| {
            let mut letters = ngram.chars();
            if let (Some(c), None) = (letters.next(), letters.next())
                && script(c) == Some(of)
            {
                let best = shares.entry(c).or_insert(share);
                *best = best.max(share);
            }
        });
    }
    let mut letters: Vec<(char, f64)> = shares.into_iter().collect();
    letters.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    letters.into_iter().take(LETTERS).map(|(c, _)| c).collect()
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

/// Calls `visit` with order, key, count and number of followers for each n-gram of known letters, and for each
/// followed by the end of a word.
fn walk(map: &Map<&[u8]>, ids: &FxHashMap<char, u8>, total: f64, mut visit: impl FnMut(usize, u64, u32, u32)) {
    let mut path: Vec<Step> = Vec::new();
    let mut before = String::new();
    let mut leave = |order: usize, step: Step| {
        let Some(key) = step.key else { return };
        let ends = step.times.saturating_sub(step.followed);
        if order < ORDER && ends > 0 {
            visit(order + 1, key << 8 | u64::from(END), ends, 0);
        }
        visit(order, key, step.times, step.followers + u32::from(ends > 0));
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
            step.followers += 1;
        }
        let key = key.zip(id).map(|(key, &id)| key << 8 | u64::from(id));
        path.push(Step { bytes: ngram.len(), key, share, times, followed: 0, followers: 0 });
        before.clear();
        before.push_str(ngram);
    });
    while let Some(step) = path.pop() {
        leave(path.len() + 1, step);
    }
}
