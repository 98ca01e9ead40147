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
//! A new cleaner is a file or folder here and a line in `CLEANERS`. No code outside of this folder asks which cleaner
//! runs.

pub mod assessment;
mod classifier;
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

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use classifier::Classifier;
use justext::{Class, JusTextResult, Params};
pub use page_profile::PageProfile;
pub use reason::{Reason, RuleName};
use stopwords::StopwordShares;

use crate::page::blocks::Page;

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

/// One entry of the list of cleaners.
struct CleanerEntry {
    /// The value of the setting `clean.cleaner`.
    name: &'static str,
    /// Whether it can reproduce the reference implementation of jusText: `clean.compat`.
    has_compat: bool,
    new: fn(&Options) -> Box<dyn Cleaner>,
}

/// All cleaners.
static CLEANERS: [CleanerEntry; 2] = [
    CleanerEntry { name: "main", has_compat: false, new: |_| Box::new(main_content::MainContent) },
    CleanerEntry {
        name: "justext",
        has_compat: true,
        new: |options| Box::new(justext::JusText::new(&options.justext)),
    },
];

/// The name of a cleaner that exists. The default is `main`.
#[derive(Clone, Copy)]
pub struct CleanerName(&'static CleanerEntry);

impl CleanerName {
    /// The cleaner with a name; none if there is no such cleaner.
    pub fn by_name(name: &str) -> Option<CleanerName> {
        CLEANERS.iter().find(|entry| entry.name == name).map(CleanerName)
    }

    /// Names of all cleaners.
    pub fn all() -> impl Iterator<Item = CleanerName> {
        CLEANERS.iter().map(CleanerName)
    }

    /// The name, as in the configuration.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Whether the cleaner can reproduce the reference implementation of jusText, as [`Options::compat`] asks.
    pub fn has_compat(self) -> bool {
        self.0.has_compat
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

impl Default for CleanerName {
    fn default() -> CleanerName {
        let [main, ..] = &CLEANERS;
        CleanerName(main)
    }
}

impl PartialEq for CleanerName {
    fn eq(&self, other: &CleanerName) -> bool {
        self.name() == other.name()
    }
}

impl Eq for CleanerName {}

impl fmt::Debug for CleanerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for CleanerName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for CleanerName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CleanerName, D::Error> {
        struct NameVisitor;

        impl Visitor<'_> for NameVisitor {
            type Value = CleanerName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a cleaner")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<CleanerName, E> {
                CleanerName::by_name(name).ok_or_else(|| {
                    let names: Vec<&str> = CleanerName::all().map(CleanerName::name).collect();
                    E::custom(format_args!("unknown variant `{name}`, expected one of `{}`", names.join("`, `")))
                })
            }
        }

        deserializer.deserialize_str(NameVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaners_are_known_by_name() {
        for cleaner in CleanerName::all() {
            assert_eq!(CleanerName::by_name(cleaner.name()), Some(cleaner));
            let written = serde_json::to_string(&cleaner).unwrap();
            assert_eq!(serde_json::from_str::<CleanerName>(&written).unwrap(), cleaner);
        }
        assert_eq!(CleanerName::default().name(), "main");
        let error = serde_json::from_str::<CleanerName>("\"best\"").unwrap_err().to_string();
        assert!(error.contains("`main`, `justext`"), "{error}");
        assert_eq!(size_of::<Class>(), 1);
    }
}
