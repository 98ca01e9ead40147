//! The `justext` cleaner: the published algorithm. A block's class goes by length, links and stop words, then by its
//! neighbours.
//!
//! The results are those of the Python package 3.0.2 on the same blocks, its switched-off heading step included
//! ([`Params::heading_prepass`] switches it on, as the documentation describes it).
//!
//! J. Pomikálek: Removing Boilerplate and Duplicate Content from Web Corpora. Masaryk University 2011.

mod neighbours;

use serde::{Deserialize, Serialize};

use super::{Cleaner, CleanerInput, Decision, Neighbour, Reason};
use crate::named::named;
use crate::page::blocks::Block;
use neighbours::final_classes;

named! {
    /// The class that jusText gives to a block. In the end a block is good or bad.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[repr(u8)]
    pub enum Class {
        /// Content.
        Good "good"
        /// Content if a neighbour is.
        NearGood "neargood"
        /// Too short to decide by itself.
        Short "short"
        /// Boilerplate.
        #[default]
        Bad "bad"
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
    /// Characters between a heading and the good block that rescues it, at most.
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
    /// The thresholds for languages without a stop list: words do not count.
    pub fn without_stoplist(&self) -> Params {
        Params { stopwords_low: 0.0, stopwords_high: 0.0, ..self.clone() }
    }

    /// The thresholds for Han, kana, Hangul, Thai and the like, one character of which carries as much as two or three
    /// of an alphabet: lengths shrink, to 30 and 80 for the defaults. Not in the reference.
    pub fn for_dense_script(&self) -> Params {
        let (length_low, length_high) = (self.length_low.saturating_mul(3) / 7, self.length_high.saturating_mul(2) / 5);
        Params { length_low, length_high, ..self.clone() }
    }
}

/// What jusText says about a block: its class, and the densities that the class follows from. The [`Decision`] of the
/// `justext` cleaner follows from it; for other cleaners it only fills columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JusTextResult {
    /// Final class: good or bad.
    pub class: Class,
    /// Class of the block by itself, before its neighbours are considered.
    pub context_free: Class,
    /// Link characters per character; can exceed 1 with the reference's reading of pages.
    pub link_density: f32,
    /// Share of words in the stop list, 0 to 1.
    pub stopword_density: f32,
}

impl JusTextResult {
    /// Whether the block is boilerplate.
    pub fn is_boilerplate(&self) -> bool {
        self.class != Class::Good
    }
}

/// The `justext` cleaner.
#[derive(Debug, Clone)]
pub struct JusText {
    params: Params,
}

impl JusText {
    /// A cleaner with these thresholds.
    pub fn new(params: &Params) -> JusText {
        JusText { params: params.clone() }
    }
}

impl Cleaner for JusText {
    fn decide(&self, input: &CleanerInput<'_>) -> Vec<Decision> {
        decisions(&input.page.blocks, input.justext_results, input.params)
    }

    fn uses_neighbours(&self) -> bool {
        true
    }

    /// Classifies the blocks again, with the templates as bad blocks.
    fn revise(&self, blocks: &[Neighbour], templates: &[bool]) -> Vec<u32> {
        let without_templates: Vec<Neighbour> = blocks
            .iter()
            .zip(templates)
            .map(|(block, &template)| Neighbour {
                context_free: if template { Class::Bad } else { block.context_free },
                ..*block
            })
            .collect();
        let classes = final_classes(&without_templates, &self.params);
        blocks.iter().zip(classes).filter(|(_, class)| *class != Class::Good).map(|(block, _)| block.index).collect()
    }
}

/// The decisions that follow from jusText's classes. `params` are those by which the blocks were classified.
pub fn decisions(blocks: &[Block], justext_results: &[JusTextResult], params: &Params) -> Vec<Decision> {
    let decision = |(block, justext_result): (&Block, &JusTextResult)| Decision {
        boilerplate: justext_result.is_boilerplate(),
        score: None,
        reason: reason(block, justext_result, params),
    };
    blocks.iter().zip(justext_results).map(decision).collect()
}

/// Classifies the blocks of a page. Without a stop list no word counts as a stop word: use
/// [`Params::without_stoplist`] then.
#[cfg(any(test, feature = "internals"))]
pub fn classify(blocks: &[Block], stoplist: Option<&super::stoplist::Stoplist>, params: &Params) -> Vec<JusTextResult> {
    let mut words = super::stopwords::WordHashes::default();
    let share = |block: &Block| stoplist.map_or(0.0, |list| words.read(&block.text).share_in(list));
    classify_by(blocks, blocks.iter().map(share), params)
}

/// Classifies the blocks of a page by the share of stop words of each block, 0 to 1.
pub fn classify_by(blocks: &[Block], shares: impl Iterator<Item = f64>, params: &Params) -> Vec<JusTextResult> {
    let by_itself = |(block, share)| context_free(block, share, params);
    let mut justext_results: Vec<JusTextResult> = blocks.iter().zip(shares).map(by_itself).collect();
    let neighbours: Vec<Neighbour> = blocks
        .iter()
        .zip(&justext_results)
        .zip(0..)
        .map(|((block, justext_result), index)| Neighbour {
            index,
            heading: block.heading,
            characters: block.characters,
            context_free: justext_result.context_free,
        })
        .collect();
    let classes = final_classes(&neighbours, params);
    justext_results.iter_mut().zip(classes).for_each(|(justext_result, class)| justext_result.class = class);
    justext_results
}

/// The results for the blocks of a text around which nothing stands: near-good blocks are good, and so is what is beyond the
/// ends. Not in the reference.
pub fn as_prose(blocks: &[Block], justext_results: &[JusTextResult], params: &Params) -> Vec<JusTextResult> {
    let edge = Neighbour { index: 0, heading: false, characters: 0, context_free: Class::Good };
    let neighbours = blocks.iter().zip(justext_results).map(|(block, result)| Neighbour {
        heading: block.heading,
        characters: block.characters,
        context_free: if result.context_free == Class::NearGood { Class::Good } else { result.context_free },
        ..edge
    });
    let neighbours: Vec<Neighbour> = [edge].into_iter().chain(neighbours).chain([edge]).collect();
    let classes = final_classes(&neighbours, params).into_iter().skip(1);
    justext_results.iter().zip(classes).map(|(result, class)| JusTextResult { class, ..*result }).collect()
}

/// Link characters per character; 0 for a block without characters.
fn link_density(block: &Block) -> f64 {
    match block.characters {
        0 => 0.0,
        n => f64::from(block.link_characters) / f64::from(n),
    }
}

/// Whether a text has a sign of copyright.
fn has_copyright(text: &str) -> bool {
    const SIGN: &[u8] = "©".as_bytes();
    memchr::memchr2_iter(b'&', 0xc2, text.as_bytes()).any(|at| {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        rest.starts_with(SIGN) || rest.starts_with(b"&copy")
    })
}

/// The result for a block by itself.
fn context_free(block: &Block, stopwords: f64, params: &Params) -> JusTextResult {
    let link_density = link_density(block);
    let class = if link_density > params.max_link_density || has_copyright(&block.text) || block.in_select {
        Class::Bad
    } else if block.characters < params.length_low {
        if block.link_characters > 0 { Class::Bad } else { Class::Short }
    } else if stopwords >= params.stopwords_high {
        if block.characters > params.length_high { Class::Good } else { Class::NearGood }
    } else if stopwords >= params.stopwords_low {
        Class::NearGood
    } else {
        Class::Bad
    };
    JusTextResult { class, context_free: class, link_density: link_density as f32, stopword_density: stopwords as f32 }
}

/// The step of the algorithm that decided about a block: `links`, `form` (a sign of copyright), `element` (a list of
/// choices), `stopwords`, `length` or `neighbours`.
pub fn reason(block: &Block, justext_result: &JusTextResult, params: &Params) -> Reason {
    if justext_result.class != justext_result.context_free {
        return Reason::Neighbours;
    }
    // The density of the result is rounded to 32 bits and may exceed a limit that the block does not.
    let linked = link_density(block) > params.max_link_density;
    let short = block.characters < params.length_low;
    match justext_result.class {
        Class::Bad if linked || short && block.link_characters > 0 => Reason::Links,
        Class::Bad if has_copyright(&block.text) => Reason::Form,
        Class::Bad if block.in_select => Reason::Element,
        Class::Short => Reason::Length,
        _ => Reason::StopWords,
    }
}

#[cfg(test)]
mod tests;
