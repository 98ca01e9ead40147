//! Blocks → verdicts: which text of a page is its content.
//!
//! The functions here see the blocks of one page and nothing else: no files, no other pages. The blocks come from
//! `page`. What recurs on other pages of a site is found by `dedup::sites`; only [`Cleaner::revise`] is told about it.
//!
//! What is said about a block, from part to whole:
//!
//! | type | says |
//! | --- | --- |
//! | [`justext::Class`] | what jusText calls the block: good, near good, short or bad |
//! | [`justext::JusTextResult`] | its classes before and after jusText looks at the neighbours, and their grounds |
//! | [`RuleMatch`] | what the selectors of a site rule say: content, boilerplate or nothing |
//! | [`Decision`] | what the [`Cleaner`], or the site rule over it, decides: boilerplate or not, score and [`Reason`] |
//! | [`Verdict`] | what the [`Classifier`] returns: the decision, and jusText's result whatever the cleaner |
//!
//! A [`Cleaner`] never changes or reorders blocks; it returns one [`Decision`] per block. A [`Classifier`] is made once
//! from [`Options`] and gives the [`Verdict`]s on pages.
//!
//! [`RuleMatch`]: crate::page::blocks::RuleMatch
//!
//! A new cleaner is a file or folder here and a value of [`CleanerName`]. No code outside of this folder asks which
//! cleaner runs.

pub mod assessment;
mod classifier;
mod groups;
pub mod justext;
pub mod main_content;
mod page_profile;
mod reason;
mod site_rule;
mod stated_types;
pub mod stoplist;
mod stoplists;
pub mod stopwords;
pub mod trees;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use classifier::Classifier;
use justext::{Class, JusTextResult, Params};
pub use page_profile::PageProfile;
pub use reason::{Reason, RuleName};
use stopwords::StopwordShares;

use crate::named::named;
use crate::page::blocks::{Container, Page};

/// A page as a cleaner sees it.
#[derive(Debug, Clone, Copy)]
pub struct CleanerInput<'a> {
    /// The page with its blocks and their containers.
    pub page: &'a Page<'a>,
    /// The names and short words of the page.
    pub profile: &'a PageProfile,
    /// For each block the shares of its words that are stop words.
    pub stopword_shares: &'a [StopwordShares],
    /// For each block what jusText says about it.
    pub justext_results: &'a [JusTextResult],
    /// The thresholds by which jusText classified the page; lengths are adapted to its script.
    pub params: &'a Params,
}

/// What a cleaner, or the site rule over it, decides about one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    /// Whether the block is boilerplate.
    pub boilerplate: bool,
    /// Log-odds that the block is content, for cleaners that have such; content if above 0.
    pub score: Option<f32>,
    /// What decided.
    pub reason: Reason,
}

/// How much each kind of evidence weighed for content (above 0) or against it, in log-odds, what weighed most first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Weights {
    /// When the block was looked at by itself, with its containers and the page.
    pub by_itself: Vec<(Reason, f32)>,
    /// When the scores of the other blocks were known; empty if they did not matter.
    pub in_context: Vec<(Reason, f32)>,
}

/// The verdict on one block: a [`Decision`] and a [`JusTextResult`], whatever the cleaner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Whether the block is boilerplate.
    pub boilerplate: bool,
    /// Log-odds that the block is content; none for cleaners without scores and where a site rule decided.
    pub score: Option<f32>,
    /// What decided.
    pub reason: Reason,
    /// Final class by jusText: good or bad.
    pub class: Class,
    /// Class by jusText before the neighbours are considered.
    pub context_free: Class,
    /// Link characters per character.
    pub link_density: f32,
    /// Share of words in the stop list of the page, 0 to 1; 0 without a list.
    pub stopword_density: f32,
}

impl Verdict {
    fn new(decision: Decision, justext_result: JusTextResult) -> Verdict {
        let Decision { boilerplate, score, reason } = decision;
        let JusTextResult { class, context_free, link_density, stopword_density } = justext_result;
        Verdict { boilerplate, score, reason, class, context_free, link_density, stopword_density }
    }
}

/// What [`Cleaner::revise`] needs to know about each block of a page, content and boilerplate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbour {
    /// Index of the block on the page.
    pub index: u32,
    /// Whether the block is a heading.
    pub heading: bool,
    /// Characters of the block.
    pub characters: u32,
    /// Class by jusText before the neighbours are considered.
    pub context_free: Class,
}

/// A way to tell content from boilerplate. One serves all threads.
pub trait Cleaner: fmt::Debug + Send + Sync {
    /// Decides about the blocks of an HTML page, in their order.
    fn decide(&self, input: &CleanerInput<'_>) -> Vec<Decision>;

    /// How much each kind of evidence weighed in the decision about each block, for people who want to see why; nothing
    /// from cleaners that do not weigh.
    fn weights(&self, _input: &CleanerInput<'_>) -> Vec<Weights> {
        Vec::new()
    }

    /// Whether [`Cleaner::revise`] does anything. If not, callers need not keep [`Neighbour`]s.
    fn uses_neighbours(&self) -> bool {
        false
    }

    /// Decides again about the blocks of a page some of which have turned out to be `templates` of the site, and
    /// returns the [`Neighbour::index`] of every block that is boilerplate now, in ascending order; none if decisions
    /// do not depend on neighbours. `blocks` are all blocks of the page in order, `templates` has one entry for each of
    /// them.
    fn revise(&self, _blocks: &[Neighbour], _templates: &[bool]) -> Vec<u32> {
        Vec::new()
    }
}

/// Adds to the value of each container those of its children, the last one first.
fn add_to_parents<T>(values: &mut [T], containers: &[Container<'_>], add: impl Fn(&mut T, &T)) {
    for (child, container) in containers.iter().enumerate().rev() {
        // Parents come before their children.
        let Some((before, [own, ..])) = values.split_at_mut_checked(child) else { continue };
        if let Some(parent) = container.parent.and_then(|parent| before.get_mut(parent as usize)) {
            add(parent, own);
        }
    }
}

/// A feature that is 1 for true, 0 for false.
fn indicator(is: bool) -> f32 {
    f32::from(u8::from(is))
}

named! {
    /// The name of a cleaner: setting `clean.cleaner`.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum CleanerName {
        /// The learned one.
        #[default]
        Main "main"
        /// The published algorithm.
        Justext "justext"
    }
}

impl CleanerName {
    fn make(self, options: &Options) -> Box<dyn Cleaner> {
        match self {
            CleanerName::Main => Box::new(main_content::MainContent),
            CleanerName::Justext => Box::new(justext::JusText::new(&options.justext)),
        }
    }

    /// Whether the cleaner can reproduce the reference implementation of jusText, as [`Options::compat`] asks.
    pub fn has_compat(self) -> bool {
        self == CleanerName::Justext
    }
}

/// How pages are cleaned.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The cleaner; `main` by default.
    pub cleaner: CleanerName,
    /// Reproduce the reference implementation of jusText: lengths are not adapted to dense scripts. Off by default.
    pub compat: bool,
    /// The stop list of jusText: `auto` (by default; all lists together for languages that have one), `own` (that of
    /// the page's language), `all` (all lists together, whatever the language), `none`, or the name of a list.
    pub stoplist: String,
    /// Thresholds of jusText.
    pub justext: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options { cleaner: CleanerName::default(), compat: false, stoplist: "auto".into(), justext: Params::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaners_are_known_by_name() {
        for cleaner in CleanerName::ALL.iter().copied() {
            assert_eq!(CleanerName::by_name(cleaner.name()), Some(cleaner));
            let written = serde_json::to_string(&cleaner).unwrap();
            assert_eq!(written, format!("\"{}\"", cleaner.name()));
            assert_eq!(serde_json::from_str::<CleanerName>(&written).unwrap(), cleaner);
        }
        assert_eq!(CleanerName::default().name(), "main");
        let error = serde_json::from_str::<CleanerName>("\"best\"").unwrap_err().to_string();
        assert!(error.contains("`main` or `justext`"), "{error}");
        assert_eq!(size_of::<Class>(), 1);
    }
}
