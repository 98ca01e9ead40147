//! Sample → stop-word list.
//!
//! The lists of jusText are the forms that make up a fixed share of running words; which share is not
//! documented, and 50 % fits their sizes. So: the shortest beginning of the frequency list that covers half of
//! all words, without what is digits and punctuation alone, 15,000 forms at most. Then the list is tried on
//! [long paragraphs](super::sample::LONG) that it was not made from: where more than one in twenty is below the
//! density by which jusText knows good text, the share is raised to 55 and at last 60 %.

use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};

use fxhash::FxHashSet;

use super::forms;
use super::sample::{MOST_ASIDE, Sample};
use crate::error::Result;
use crate::stats::lists::Frequency;
use crate::stats::top::Top;
use crate::store::key_counts::MergedCounts;

/// Shares of running words that are tried in turn.
pub const SHARES: [f64; 3] = [0.50, 0.55, 0.60];
/// Most forms of a list made by a share.
pub const MOST: usize = 15_000;
/// Running words below which a list depends on what the texts are about.
pub const FEWEST_WORDS: u64 = 5_000_000;
/// Forms below which a list is of no use: those of encyclopedias written by programs, mostly.
pub const FEWEST_FORMS: usize = 100;
/// `STOPWORDS_HIGH` of jusText, which 95 of 100 paragraphs must reach.
pub const DENSITY: f64 = 0.32;

/// How long the list is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// The shares of [`SHARES`] until the list passes.
    Recipe,
    /// The forms that cover this share of running words, 0 to 1.
    Share(f64),
    /// So many forms.
    Forms(usize),
}

/// A list and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The commonest first.
    pub forms: Vec<String>,
    /// Share of the sample's running words that are in the list.
    pub covered: f64,
    /// Running words of the sample.
    pub words: u64,
    /// Fifth percentile of the density in the paragraphs set aside; none without such paragraphs.
    pub density: Option<f64>,
    pub warnings: Vec<Warning>,
}

/// What speaks against it.
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    FewWords { words: u64 },
    FewForms { forms: usize },
    FewAside { paragraphs: usize },
    Thin { density: f64 },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Warning::FewWords { words } => {
                write!(
                    f,
                    "made from {words} words; with less than {FEWEST_WORDS} the topics of the texts show in the list"
                )
            }
            Warning::FewForms { forms } => {
                write!(f, "has {forms} words; a job refuses lists with less than {FEWEST_FORMS}")
            }
            Warning::FewAside { paragraphs } => {
                write!(f, "tried on {paragraphs} long paragraphs only, {MOST_ASIDE} are needed to tell that it will do")
            }
            Warning::Thin { density } => {
                write!(f, "one long paragraph in twenty has no more than {:.0} % stop words; ", density * 100.0)?;
                write!(f, "good text should have {:.0} %: try a larger --share", DENSITY * 100.0)
            }
        }
    }
}

/// Reads the sample once.
pub fn make(sample: Sample, extent: Extent) -> Result<Made> {
    let Sample { runs, aside, words, folder } = sample;
    let most = if let Extent::Forms(forms) = extent { forms } else { MOST };
    // As many again, for what is left out as no word.
    let mut top = Top::new(most.saturating_mul(2));
    let mut merge = MergedCounts::new(runs, &folder)?;
    while let Some((form, tally)) = merge.advance()? {
        if top.least().is_none_or(|least: &Frequency| least.count < tally.count) {
            let gram = Reverse(String::from_utf8_lossy(form).into());
            top.push(Frequency { count: tally.count, gram, documents: 0 });
        }
    }
    let aside: Vec<String> = aside.into_values().collect();
    Ok(choose(&top.into_sorted(), words, &aside, extent))
}

/// `ranked` are the commonest forms, `words` all running words.
fn choose(ranked: &[Frequency], words: u64, aside: &[String], extent: Extent) -> Made {
    let made = |share: f64, most: usize| {
        let chosen = cut(ranked, words, share, most);
        let forms: Vec<String> = chosen.iter().map(|form| form.gram.0.to_string()).collect();
        let covered = chosen.iter().map(|form| form.count).sum::<u64>() as f64 / words.max(1) as f64;
        let density = fifth_percentile(aside, &forms);
        let mut made = Made { forms, covered, words, density, warnings: Vec::new() };
        made.warnings = warnings(&made, aside.len());
        made
    };
    let [first, second, third] = SHARES;
    let passes = |made: &Made| made.density.is_none_or(|density| density >= DENSITY);
    match extent {
        Extent::Share(share) => made(share, MOST),
        Extent::Forms(forms) => made(1.0, forms),
        Extent::Recipe => {
            let tried = [first, second].into_iter().map(|share| made(share, MOST)).find(passes);
            tried.unwrap_or_else(|| made(third, MOST))
        }
    }
}

/// The shortest beginning that covers the share, without what is no word.
fn cut(ranked: &[Frequency], words: u64, share: f64, most: usize) -> Vec<&Frequency> {
    let mut covered = 0;
    let needed = ranked.iter().take_while(|form| {
        // Divided, as 0.55 of 100 would be a little more than 55.
        let wanted = (covered as f64 / words as f64) < share;
        covered += form.count;
        wanted
    });
    needed.filter(|form| form.gram.0.chars().any(char::is_alphabetic)).take(most).collect()
}

/// Of the stop-word densities of the paragraphs: the smallest that no more than 5 % of them are below.
fn fifth_percentile(paragraphs: &[String], list: &[String]) -> Option<f64> {
    let list: FxHashSet<String> = list.iter().map(|form| form.to_lowercase()).collect();
    let mut densities: Vec<f64> = paragraphs.iter().map(|text| density(text, &list)).collect();
    densities.sort_unstable_by(f64::total_cmp);
    densities.get(densities.len().div_ceil(20).saturating_sub(1)).copied()
}

/// Share of a paragraph's words that are in the list, which is in lower case.
fn density(text: &str, list: &FxHashSet<String>) -> f64 {
    let (mut words, mut found) = (0u32, 0u32);
    for form in forms(text) {
        words += 1;
        found += u32::from(list.contains(&form.to_lowercase()));
    }
    f64::from(found) / f64::from(words.max(1))
}

fn warnings(made: &Made, aside: usize) -> Vec<Warning> {
    // What a job counts: `The` and `the` are one there.
    let forms = made.forms.iter().map(|form| form.to_lowercase()).collect::<FxHashSet<_>>().len();
    let few_words = (made.words < FEWEST_WORDS).then_some(Warning::FewWords { words: made.words });
    let few_forms = (forms < FEWEST_FORMS).then_some(Warning::FewForms { forms });
    let few_aside = (aside < MOST_ASIDE).then_some(Warning::FewAside { paragraphs: aside });
    let thin = made.density.filter(|density| *density < DENSITY).map(|density| Warning::Thin { density });
    [few_words, few_forms, few_aside, thin].into_iter().flatten().collect()
}

/// One form a line, as in the lists that come with the program.
pub fn write_list(forms: &[String], out: &mut impl Write) -> io::Result<()> {
    forms.iter().try_for_each(|form| writeln!(out, "{form}"))
}

#[cfg(test)]
mod tests;
