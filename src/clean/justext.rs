//! The jusText algorithm: classes by length, links and stop words, then by neighbours.
//!
//! Contract: equal to the Python package 3.0.2 on the same blocks, its switched-off heading step
//! included ([`Params::heading_prepass`] switches it on, as the documentation describes it).
//!
//! J. Pomikálek: Removing Boilerplate and Duplicate Content from Web Corpora. Masaryk University 2011.

use serde::{Deserialize, Serialize};

use super::stoplist::{Stoplist, hash_on, word_hash};
use crate::hash::mix;
use crate::page::blocks::{Block, is_space};
use crate::text::char_classes::push_lowercase;
use crate::text::swar;

/// What a block is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Content.
    Good,
    /// Content if a neighbour is.
    NearGood,
    /// Too short to tell.
    Short,
    /// Boilerplate.
    Bad,
}

/// What the neighbours of a block must know of it.
pub trait Shape {
    fn heading(&self) -> bool;
    fn characters(&self) -> u32;
}

impl Shape for Block {
    fn heading(&self) -> bool {
        self.heading
    }

    fn characters(&self) -> u32 {
        self.characters
    }
}

impl Class {
    pub fn by_name(name: &str) -> Option<Class> {
        [Class::Good, Class::NearGood, Class::Short, Class::Bad].into_iter().find(|class| class.name() == name)
    }

    /// The reference's name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Good => "good",
            Class::NearGood => "neargood",
            Class::Short => "short",
            Class::Bad => "bad",
        }
    }
}

/// Thresholds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Params {
    /// Share of link characters above which a block is bad.
    pub max_link_density: f64,
    /// Characters below which a block is short.
    pub length_low: u32,
    /// Characters above which a block with many stop words is good.
    pub length_high: u32,
    /// Share of stop words from which a block is near good.
    pub stopwords_low: f64,
    /// Share of stop words from which a block is near good or good.
    pub stopwords_high: f64,
    /// Characters that may stand between a heading and the good block that rescues it.
    pub max_heading_distance: u32,
    /// Treat headings as any other block.
    pub no_headings: bool,
    /// Also run the heading step that the reference documents but never reaches.
    pub heading_prepass: bool,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            max_link_density: 0.2,
            length_low: 70,
            length_high: 200,
            stopwords_low: 0.30,
            stopwords_high: 0.32,
            max_heading_distance: 200,
            no_headings: false,
            heading_prepass: false,
        }
    }
}

impl Params {
    /// For languages without a stop list: no word counts.
    pub fn without_stoplist(&self) -> Params {
        Params { stopwords_low: 0.0, stopwords_high: 0.0, ..self.clone() }
    }

    /// For Han, kana, Hangul, Thai and the like, which say in one character what an alphabet says in two
    /// or three: lengths shrink, to 30 and 80 for the defaults. Not in the reference.
    pub fn for_dense_script(&self) -> Params {
        Params { length_low: self.length_low * 3 / 7, length_high: self.length_high * 2 / 5, ..self.clone() }
    }
}

/// What was found about a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Final class; only good and bad remain.
    pub class: Class,
    /// Class of the block on its own.
    pub context_free: Class,
    /// Whether the block is to be left out.
    pub boilerplate: bool,
    /// Link characters per character; can exceed 1 in the reference reading.
    pub link_density: f32,
    /// Share of words in the stop list.
    pub stopword_density: f32,
}

/// Classifies the blocks of a page. Without a stop list no word counts as one, so use it with
/// [`Params::without_stoplist`].
pub fn classify(blocks: &[Block], stoplist: Option<&Stoplist>, params: &Params) -> Vec<Verdict> {
    let mut words = ListWords::default();
    let density = |block: &Block| stoplist.map_or(0.0, |list| words.read(&block.text).share_in(list));
    classify_by(blocks, blocks.iter().map(density), params)
}

/// Likewise, with the share of stop words of each block.
pub fn classify_by(blocks: &[Block], densities: impl Iterator<Item = f64>, params: &Params) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> =
        blocks.iter().zip(densities).map(|(block, density)| on_its_own(block, density, params)).collect();
    revise(blocks, &mut verdicts, params);
    for verdict in &mut verdicts {
        verdict.boilerplate = verdict.class != Class::Good;
    }
    verdicts
}

fn on_its_own(block: &Block, density: f64, params: &Params) -> Verdict {
    let link_density = match block.characters {
        0 => 0.0,
        n => f64::from(block.link_characters) / f64::from(n),
    };
    let class = context_free(block, link_density, density, params);
    Verdict {
        class,
        context_free: class,
        boilerplate: false,
        link_density: link_density as f32,
        stopword_density: density as f32,
    }
}

fn context_free(block: &Block, link_density: f64, density: f64, params: &Params) -> Class {
    if link_density > params.max_link_density
        || block.text.contains('©')
        || block.text.contains("&copy")
        || block.in_select
    {
        Class::Bad
    } else if block.characters < params.length_low {
        if block.link_characters > 0 { Class::Bad } else { Class::Short }
    } else if density >= params.stopwords_high {
        if block.characters > params.length_high { Class::Good } else { Class::NearGood }
    } else if density >= params.stopwords_low {
        Class::NearGood
    } else {
        Class::Bad
    }
}

/// The reason where the blocks around decided.
pub const NEIGHBOURS: &str = "neighbours";

/// The step of the algorithm that decided: `links`, `form` (a sign of copyright), `element`, `stopwords`, `length` or
/// `neighbours`.
pub fn reason(block: &Block, verdict: &Verdict, params: &Params) -> &'static str {
    if verdict.class != verdict.context_free {
        return NEIGHBOURS;
    }
    let linked = f64::from(verdict.link_density) > params.max_link_density;
    let short = block.characters < params.length_low;
    match verdict.class {
        Class::Bad if linked || short && block.link_characters > 0 => "links",
        Class::Bad if block.text.contains('©') || block.text.contains("&copy") => "form",
        Class::Bad if block.in_select => "element",
        Class::Short => "length",
        _ => "stopwords",
    }
}

/// [`ListWords::share_in`] of every block, as the main cleaner takes them.
pub fn stopword_densities(blocks: &[Block], stoplist: &Stoplist) -> Vec<f32> {
    let mut words = ListWords::default();
    blocks.iter().map(|block| words.read(&block.text).share_in(stoplist) as f32).collect()
}

/// The words of a text as stop lists have them: with their punctuation, in lower case. All are hashed before the first is
/// looked up, so that the processor can wait for many places of a list at once.
#[derive(Debug, Default)]
pub struct ListWords {
    hashes: Vec<u64>,
    lower: String,
}

impl ListWords {
    /// Takes the words of a text in place of those of the last.
    pub fn read(&mut self, text: &str) -> &ListWords {
        self.hashes.clear();
        let mut at = 0;
        while at < text.len() {
            let (length, hash) = ascii_word(text.as_bytes(), at).unwrap_or_else(|| {
                let word = first_word(text.get(at..).unwrap_or_default());
                (word.len(), word_hash(lower_case(word, &mut self.lower).as_bytes()))
            });
            at += length;
            if length > 0 {
                self.hashes.push(hash);
            } else {
                at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            }
        }
        self
    }

    /// Share of the words that are in the list.
    pub fn share_in(&self, list: &Stoplist) -> f64 {
        let found: usize = self.hashes.iter().map(|&hash| usize::from(list.has(hash))).sum();
        found as f64 / self.hashes.len().max(1) as f64
    }
}

/// Length of the word that begins at a place, and its [`word_hash`] in lower case; None if it is not all ASCII. The length is
/// 0 where white space stands.
fn ascii_word(bytes: &[u8], from: usize) -> Option<(usize, u64)> {
    let (mut at, mut hash) = (from, 0);
    loop {
        let eight = swar::load(bytes, at);
        let ends = swar::within(eight, 0, b' ') | swar::beyond_ascii(eight);
        let count = swar::before(ends);
        if count > 0 {
            hash = hash_on(hash, swar::lower_case(swar::first(eight, count)));
        }
        at += count;
        if count < 8 {
            break;
        }
    }
    let is_end = bytes.get(at).is_none_or(|&byte| byte.is_ascii() && is_space(char::from(byte)));
    is_end.then(|| (at - from, mix(hash)))
}

/// What stands before the first white space.
fn first_word(text: &str) -> &str {
    text.split(is_space).next().unwrap_or_default()
}

/// The word in lower case, in the buffer.
fn lower_case<'a>(word: &str, buffer: &'a mut String) -> &'a str {
    buffer.clear();
    if word.contains('Σ') {
        // Only the final sigma needs the whole word.
        buffer.push_str(&word.to_lowercase());
    } else {
        word.chars().for_each(|c| push_lowercase(c, buffer));
    }
    buffer
}

/// Verdicts on blocks each on its own → those that their neighbours lead to.
pub fn revised<B: Shape>(mut verdicts: Vec<Verdict>, blocks: &[B], params: &Params) -> Vec<Verdict> {
    revise(blocks, &mut verdicts, params);
    verdicts
}

fn revise<B: Shape>(blocks: &[B], verdicts: &mut [Verdict], params: &Params) {
    let headings = !params.no_headings;
    if headings && params.heading_prepass {
        raise_headings(blocks, verdicts, params, |v| v.class == Class::Short, Class::NearGood);
    }
    decide_short(verdicts);
    decide_near_good(verdicts);
    if headings {
        let missed = |v: &Verdict| v.class == Class::Bad && v.context_free != Class::Bad;
        raise_headings(blocks, verdicts, params, missed, Class::Good);
    }
}

/// For every block, the class its neighbours in one direction lead to: the nearest that is good or
/// bad, or near good where that counts. Beyond the page all is bad.
fn neighbours<'a>(classes: impl Iterator<Item = &'a Verdict>, near_good_counts: bool) -> Vec<Class> {
    let mut nearest = Class::Bad;
    classes
        .map(|verdict| {
            let before = nearest;
            let counts = match verdict.class {
                Class::Good | Class::Bad => true,
                Class::NearGood => near_good_counts,
                Class::Short => false,
            };
            if counts {
                nearest = verdict.class;
            }
            before
        })
        .collect()
}

fn both_sides(verdicts: &[Verdict], near_good_counts: bool) -> Vec<(Class, Class)> {
    let before = neighbours(verdicts.iter(), near_good_counts);
    let after = neighbours(verdicts.iter().rev(), near_good_counts);
    before.into_iter().zip(after.into_iter().rev()).collect()
}

fn decide_short(verdicts: &mut [Verdict]) {
    let (firm, near) = (both_sides(verdicts, false), both_sides(verdicts, true));
    for ((verdict, firm), near) in verdicts.iter_mut().zip(firm).zip(near) {
        if verdict.class != Class::Short {
            continue;
        }
        let good = match firm {
            (Class::Good, Class::Good) => true,
            (Class::Bad, Class::Bad) => false,
            (Class::Bad, _) => near.0 == Class::NearGood,
            _ => near.1 == Class::NearGood,
        };
        verdict.class = if good { Class::Good } else { Class::Bad };
    }
}

/// In place and in order, as the reference: a decision counts for the blocks after it. That changes
/// nothing, because a near-good block turns bad only between two bad ones and good only beside a
/// good one, but equality is the contract.
fn decide_near_good(verdicts: &mut [Verdict]) {
    let after: Vec<Class> = {
        let mut after = neighbours(verdicts.iter().rev(), false);
        after.reverse();
        after
    };
    let mut before = Class::Bad;
    for (verdict, after) in verdicts.iter_mut().zip(after) {
        if verdict.class == Class::NearGood {
            let bad = before == Class::Bad && after == Class::Bad;
            verdict.class = if bad { Class::Bad } else { Class::Good };
        }
        if matches!(verdict.class, Class::Good | Class::Bad) {
            before = verdict.class;
        }
    }
}

/// Raises the headings that `wanted` selects if a good block follows near enough.
fn raise_headings<B: Shape>(
    blocks: &[B],
    verdicts: &mut [Verdict],
    params: &Params,
    wanted: impl Fn(&Verdict) -> bool,
    class: Class,
) {
    for at in 0..blocks.len() {
        let is_wanted = blocks.get(at).is_some_and(Shape::heading) && verdicts.get(at).is_some_and(&wanted);
        if is_wanted
            && good_follows(blocks, verdicts, at, params.max_heading_distance)
            && let Some(verdict) = verdicts.get_mut(at)
        {
            verdict.class = class;
        }
    }
}

fn good_follows<B: Shape>(blocks: &[B], verdicts: &[Verdict], at: usize, max_distance: u32) -> bool {
    let mut distance = 0u32;
    for (block, verdict) in blocks.iter().zip(verdicts).skip(at + 1) {
        if distance > max_distance {
            return false;
        }
        if verdict.class == Class::Good {
            return true;
        }
        distance = distance.saturating_add(block.characters());
    }
    false
}

#[cfg(test)]
mod tests;
