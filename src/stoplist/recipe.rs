//! Sample → stop-word list.
//!
//! The lists of jusText are the forms that cover a fixed share of the running words. Which share is not documented; 50
//! % fits their sizes. The recipe: the shortest beginning of the frequency list that covers half of all running words,
//! without forms that have no letter, and 15,000 forms at most. The list is then tried on [long
//! paragraphs](super::sample::MIN_CHARACTERS) that were held out: if one in twenty of them is below the density from
//! which jusText accepts text as good, the share is raised to 55 % and then to 60 %.

use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};

use fxhash::FxHashSet;

use super::forms;
use super::sample::{FormSample, MAX_HELD_OUT};
use crate::error::Result;
use crate::store::key_counts::{MergedCounts, TopK};

/// Shares of running words that are tried in turn.
pub const SHARES: [f64; 3] = [0.50, 0.55, 0.60];
/// Largest number of forms in a list made by a share.
pub const MAX_FORMS: usize = 15_000;
/// Running words below which the topics of the texts decide what is in the list.
pub const MIN_WORDS: u64 = 5_000_000;
/// Forms below which a list is of no use. Such lists come mostly from encyclopedias written by programs.
pub const MIN_FORMS: usize = 100;
/// `STOPWORDS_HIGH` of jusText: the density that more than 95 of 100 paragraphs must reach.
pub const MIN_DENSITY: f64 = 0.32;

/// How long the list will be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListLength {
    /// The first of [`SHARES`] with which the list is dense enough in the paragraphs held out.
    Recipe,
    /// The forms that cover this share of running words, 0 to 1.
    Share(f64),
    /// This number of forms.
    Forms(usize),
}

/// A stop-word list and its measures.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratedList {
    /// The forms, most frequent first.
    pub forms: Vec<String>,
    /// Share of the sample's running words that are in the list, 0 to 1.
    pub covered: f64,
    /// Running words of the sample.
    pub words: u64,
    /// Fifth percentile of the stop-word density in the paragraphs held out, 0 to 1; `None` without such paragraphs.
    pub density: Option<f64>,
    pub warnings: Vec<Warning>,
}

/// A form and how often it occurs. Greater is more frequent; ties are broken by code point, and the first in that order
/// is the greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct FormFrequency {
    count: u64,
    form: Reverse<Box<str>>,
}

/// A reason to doubt the list. The message continues "the list".
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    FewWords { words: u64 },
    FewForms { forms: usize },
    FewHeldOut { paragraphs: usize },
    LowDensity { density: f64 },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Warning::FewWords { words } => {
                write!(
                    f,
                    "was made from {words} words; with fewer than {MIN_WORDS} it depends on the topics of the texts"
                )
            }
            Warning::FewForms { forms } => {
                write!(f, "has {forms} words; a job refuses lists with fewer than {MIN_FORMS}")
            }
            Warning::FewHeldOut { paragraphs } => {
                write!(f, "was tried on {paragraphs} long paragraphs only; a reliable test needs {MAX_HELD_OUT}")
            }
            Warning::LowDensity { density } => {
                write!(f, "finds at most {:.0} % stop words in one long paragraph of twenty; ", density * 100.0)?;
                write!(f, "good text should have {:.0} %: try a larger --share", MIN_DENSITY * 100.0)
            }
        }
    }
}

/// Makes a list from a sample.
pub fn make(sample: FormSample, length: ListLength) -> Result<GeneratedList> {
    let FormSample { runs, held_out, words, folder } = sample;
    let most = if let ListLength::Forms(forms) = length { forms } else { MAX_FORMS };
    // Twice as many, because forms without a letter are left out later.
    let mut top = TopK::new(most.saturating_mul(2));
    let mut merge = MergedCounts::new(runs, &folder)?;
    while let Some((form, tally)) = merge.advance()? {
        if top.least().is_none_or(|least: &FormFrequency| least.count < tally.count) {
            let form = Reverse(String::from_utf8_lossy(form).into());
            top.push(FormFrequency { count: tally.count, form });
        }
    }
    let held_out: Vec<String> = held_out.into_values().collect();
    Ok(choose(&top.into_sorted(), words, &held_out, length))
}

/// Makes the list from the commonest forms, most frequent first, and the number of all running words.
fn choose(ranked: &[FormFrequency], words: u64, held_out: &[String], length: ListLength) -> GeneratedList {
    let made = |share: f64, most: usize| {
        let chosen = cut(ranked, words, share, most);
        let forms: Vec<String> = chosen.iter().map(|form| form.form.0.to_string()).collect();
        let covered = chosen.iter().map(|form| form.count).sum::<u64>() as f64 / words.max(1) as f64;
        let density = fifth_percentile(held_out, &forms);
        let mut made = GeneratedList { forms, covered, words, density, warnings: Vec::new() };
        made.warnings = warnings(&made, held_out.len());
        made
    };
    let [first, second, third] = SHARES;
    let passes = |made: &GeneratedList| made.density.is_none_or(|density| density >= MIN_DENSITY);
    match length {
        ListLength::Share(share) => made(share, MAX_FORMS),
        ListLength::Forms(forms) => made(1.0, forms),
        ListLength::Recipe => {
            let tried = [first, second].into_iter().map(|share| made(share, MAX_FORMS)).find(passes);
            tried.unwrap_or_else(|| made(third, MAX_FORMS))
        }
    }
}

/// The shortest beginning of the frequency list that covers the share, without forms that have no letter.
fn cut(ranked: &[FormFrequency], words: u64, share: f64, most: usize) -> Vec<&FormFrequency> {
    let mut covered = 0;
    let needed = ranked.iter().take_while(|form| {
        // A division, because 0.55 * 100 is a little more than 55 in floating point.
        let wanted = (covered as f64 / words as f64) < share;
        covered += form.count;
        wanted
    });
    needed.filter(|form| form.form.0.chars().any(char::is_alphabetic)).take(most).collect()
}

/// The smallest stop-word density that at least 5 % of the paragraphs do not exceed.
fn fifth_percentile(paragraphs: &[String], list: &[String]) -> Option<f64> {
    let list: FxHashSet<String> = list.iter().map(|form| form.to_lowercase()).collect();
    let mut densities: Vec<f64> = paragraphs.iter().map(|text| density(text, &list)).collect();
    densities.sort_unstable_by(f64::total_cmp);
    densities.get(densities.len().div_ceil(20).saturating_sub(1)).copied()
}

/// Share of a paragraph's words that are in the list, 0 to 1. The list is in lower case.
fn density(text: &str, list: &FxHashSet<String>) -> f64 {
    let (mut words, mut found) = (0u32, 0u32);
    for form in forms(text) {
        words += 1;
        found += u32::from(list.contains(&form.to_lowercase()));
    }
    f64::from(found) / f64::from(words.max(1))
}

fn warnings(made: &GeneratedList, held_out: usize) -> Vec<Warning> {
    // A job folds case, so `The` and `the` count as one there.
    let forms = made.forms.iter().map(|form| form.to_lowercase()).collect::<FxHashSet<_>>().len();
    let few_words = (made.words < MIN_WORDS).then_some(Warning::FewWords { words: made.words });
    let few_forms = (forms < MIN_FORMS).then_some(Warning::FewForms { forms });
    let few_held_out = (held_out < MAX_HELD_OUT).then_some(Warning::FewHeldOut { paragraphs: held_out });
    let low_density =
        made.density.filter(|density| *density < MIN_DENSITY).map(|density| Warning::LowDensity { density });
    [few_words, few_forms, few_held_out, low_density].into_iter().flatten().collect()
}

/// Writes one form per line, as in the lists that come with the program.
pub fn write_list(forms: &[String], out: &mut impl Write) -> io::Result<()> {
    forms.iter().try_for_each(|form| writeln!(out, "{form}"))
}

#[cfg(test)]
mod tests;
