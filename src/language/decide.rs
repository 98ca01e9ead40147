//! Negative log probabilities of a text → its language, and how probable it is that the answer is right.
//!
//! The most probable language is the answer. It can be wrong in two ways: another language of the table is right, which
//! the distance to the second shows; or a language outside the table, which shows in a negative log probability above
//! what the answer's texts usually have. The two logits below were fitted (logistic regression, sentences and joined
//! sentences of the table's languages, articles of other languages; `docs/language.md` has the figures).

use super::Language;
use super::hash::WIDE;
use super::score::{Scorer, ScriptScore};
use super::script::{CODES, Script};
use super::table::{NgramTable, TableLanguages};
use super::tables::{FIRST_NARROW, FIRST_OWN, LATIN_TABLES, OWN_SCRIPTS};

/// Steps of a negative log probability in one unit of the natural logarithm.
const STEPS: f64 = 16.0;

/// A table with fewer languages has no meaningful mean over languages.
const MIN_FOR_MEAN: usize = 4;

/// Number of letters of an alphabet that a letter of a dense script counts as.
const DENSE: u32 = 3;

/// Probability of the best language of the first table of Latin script below which the further tables are read.
const SURE_OF_FIRST: f64 = 0.95;

/// Letters from which on this is the probability without the prior: what stands in the document's language is no reason
/// against a relative in another table. Names and headings are shorter, and look like any language.
const ENOUGH_FOR_RELATIVES: u32 = 32;

/// A language that is more probable than others before a text is read: that of its document.
#[derive(Debug, Clone, Copy)]
pub struct Prior {
    pub language: Language,
    /// Logit by which it is more probable than any other language.
    pub logit: f64,
}

/// The most probable language of the text that a scorer has read, and the probability that it is right; none if no
/// language of the table is written in the text's script, or there are fewer than `least` letters.
pub fn decide(
    table: &NgramTable,
    scorer: &mut Scorer,
    scripts: &ScriptLetters,
    prior: Option<Prior>,
    least: usize,
) -> Option<(Language, f64)> {
    let (script, letters) = scripts.most?;
    if script == Script::Other as usize || (scripts.all as usize) < least {
        return None;
    }
    match script {
        0 => best_in_latin(table, scorer, prior, letters >= ENOUGH_FOR_RELATIVES),
        1..FIRST_NARROW => {
            let place = script + LATIN_TABLES - 1;
            best_of_tables(&[scorer.wide(table, place)?], table.languages.get(place..)?, prior).map(Answer::decided)
        }
        FIRST_NARROW..FIRST_OWN => {
            let place = script - FIRST_NARROW;
            let languages = table.languages.get(table.wide.len() + place..)?;
            best_of_tables(&[scorer.narrow(table, place)?], languages, prior).map(Answer::decided)
        }
        _ => language_of_script(script, f64::from(letters) / f64::from(scripts.all), prior),
    }
}

/// The same in Latin script: by the first table, and by all where that leaves doubt, the prior apart if `is_long`.
fn best_in_latin(
    table: &NgramTable,
    scorer: &mut Scorer,
    prior: Option<Prior>,
    is_long: bool,
) -> Option<(Language, f64)> {
    let first = scorer.wide(table, 0)?;
    let answer = best_of_tables(&[first], &table.languages, prior)?;
    let decided = answer.decided();
    let sure = if is_long { answer.without_prior() } else { decided.1 };
    if sure >= SURE_OF_FIRST {
        return Some(decided);
    }
    const { assert!(LATIN_TABLES == 3) };
    let scores = [first, scorer.wide(table, 1)?, scorer.wide(table, 2)?];
    best_of_tables(&scores, &table.languages, prior).map(Answer::decided)
}

/// How many letters a text has, and in which script most of them are. A letter of a script that only one language is
/// written in counts as three of an alphabet: fewer of them decide the language, and many of these scripts write syllables.
#[derive(Debug, Clone, Copy)]
pub struct ScriptLetters {
    /// Number of letters of all scripts.
    pub all: u32,
    /// Number and letters of the script with the most, the first of equal ones; none if there are no letters.
    most: Option<(usize, u32)>,
}

impl ScriptLetters {
    /// Those of a text with so many letters in each script.
    pub fn of(letters: &[u32; Script::Other as usize + 1]) -> ScriptLetters {
        let mut letters = *letters;
        if let Some([_, kana, han]) = letters.get_mut(FIRST_OWN..).and_then(|own| own.first_chunk_mut()) {
            // Japanese is written in both.
            (*kana, *han) = if is_japanese(*kana, *han) { (*kana + *han, 0) } else { (0, *kana + *han) };
        }
        let own = letters.get_mut(FIRST_OWN..Script::Other as usize).unwrap_or_default();
        own.iter_mut().for_each(|letters| *letters *= DENSE);
        let most = letters.iter().copied().enumerate().rev().max_by_key(|(_, letters)| *letters);
        ScriptLetters { all: letters.iter().sum(), most: most.filter(|(_, letters)| *letters > 0) }
    }

    /// The code of ISO 15924 of the script with the most letters.
    pub fn script(&self) -> Option<&'static str> {
        self.most.and_then(|(script, _)| CODES.get(script).copied())
    }
}

/// Whether a text in kana and Han is Japanese: running Japanese has one kana in two letters, headlines less; a Chinese
/// text has few, in names.
fn is_japanese(kana: u32, han: u32) -> bool {
    kana * 8 >= han
}

/// The language of a script that only one language uses, with the share of letters in that script. Japanese in Han
/// alone is recognised by the prior only.
fn language_of_script(script: usize, share: f64, prior: Option<Prior>) -> Option<(Language, f64)> {
    let (_, code) = OWN_SCRIPTS.iter().find(|(own, _)| *own as usize == script)?;
    let expected = prior.filter(|prior| script == Script::Han as usize && prior.language.code() == "jpn");
    let language = expected.map(|prior| prior.language).or_else(|| Language::of_letters(code))?;
    Some((language, share))
}

/// The most probable language of some tables.
#[derive(Debug, Clone, Copy)]
struct Answer {
    language: Language,
    /// Logit of its being more probable than all others.
    margin: f64,
    /// Logit of the text's being in it at all.
    in_set: f64,
    /// What the prior adds to both.
    boost: f64,
}

impl Answer {
    /// The language, and the probability that it is right.
    fn decided(self) -> (Language, f64) {
        (self.language, probability(self.margin) * probability(self.in_set))
    }

    /// The probability that it is right without the prior; at least, where the prior is another language's.
    fn without_prior(self) -> f64 {
        probability(self.margin - self.boost) * probability(self.in_set - self.boost)
    }
}

/// The most probable language of a script; the scores of its tables, and their languages.
fn best_of_tables<const W: usize>(
    scores: &[ScriptScore<W>],
    languages: &[TableLanguages],
    prior: Option<Prior>,
) -> Option<Answer> {
    let steps = f64::from(scores.first()?.steps.max(1));
    let tables = scores.iter().map(|score| score.neg_log_probs.as_slice()).zip(languages);
    let best = Best::of(tables, prior, weight(steps), prior_weight(steps))?;
    let (score, languages) = (scores.get(best.table)?, languages.get(best.table)?);
    let (language, usual) = (*languages.codes.get(best.row)?, languages.usual.get(best.row)?);
    let (all, nlp) = (score.neg_log_probs.get(..languages.codes.len())?, *score.neg_log_probs.get(best.row)?);
    let (sum, nlp): (u64, _) = (all.iter().map(|&nlp| u64::from(nlp)).sum(), f64::from(nlp));
    let excess = nlp / steps - usual.mean;
    let advantage = (sum as f64 / all.len() as f64 - nlp) / steps - usual.advantage;
    let in_set = in_set_logit(excess, advantage, usual.variance, steps, all.len()) + best.boost;
    Some(Answer { language, margin: best.margin, in_set, boost: best.boost })
}

/// The row with the highest logit.
#[derive(Debug, Clone, Copy)]
struct Best {
    /// Its table, and its place there.
    table: usize,
    row: usize,
    /// What the prior adds to its logit.
    boost: f64,
    /// By how much its logit is higher than those of all other languages.
    margin: f64,
}

impl Best {
    /// The best of the rows of some tables, the first of equal ones; for each table the negative log probabilities of
    /// its languages. A logit is that of the prior, `prior_weight` times the language's own one, less `weight` times
    /// the negative log probability.
    fn of<'a>(
        tables: impl Iterator<Item = (&'a [u32], &'a TableLanguages)>,
        prior: Option<Prior>,
        weight: f64,
        prior_weight: f64,
    ) -> Option<Best> {
        let prior = prior.unwrap_or(Prior { language: Language::UNDETERMINED, logit: 0.0 });
        let mut best: Option<(usize, usize, Language)> = None;
        let (mut highest, mut rival) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut logits = [0.0; WIDE];
        for (table, (nlps, languages)) in tables.enumerate() {
            // A loop without a branch, which the compiler turns into instructions on several numbers at once.
            for ((logit, &own), &nlp) in logits.iter_mut().zip(&languages.priors).zip(nlps) {
                *logit = prior_weight * own - weight * f64::from(nlp);
            }
            let rows = languages.codes.iter().zip(&languages.priors).zip(nlps).zip(&mut logits);
            for (((_, &own), &nlp), logit) in rows.filter(|(((language, _), _), _)| **language == prior.language) {
                *logit = prior.logit + prior_weight * own - weight * f64::from(nlp);
            }
            for (row, (&language, &logit)) in languages.codes.iter().zip(&logits).enumerate() {
                // Few rows go beyond this line.
                if logit <= rival {
                    continue;
                }
                let is_other = best.is_some_and(|(_, _, best)| best != language);
                if logit > highest || best.is_none() {
                    rival = if is_other { highest } else { rival };
                    highest = logit;
                    best = Some((table, row, language));
                } else if is_other {
                    rival = logit;
                }
            }
        }
        let boost = |language| if language == prior.language { prior.logit } else { 0.0 };
        best.map(|(table, row, language)| Best { table, row, boost: boost(language), margin: highest - rival })
    }
}

/// By how much the logit of one language against another grows with one step of negative log probability between them,
/// in a text of `steps` letters and word ends: less than by the step itself, since letters do not follow one another
/// independently.
fn weight(steps: f64) -> f64 {
    (1.17 / steps.sqrt() + 3.0 / steps) / STEPS
}

/// By how much the priors of languages count in a text of `steps` letters and word ends. Hardly a short text is in a rare
/// language that is not known by its document.
fn prior_weight(steps: f64) -> f64 {
    0.6 + 60.0 / steps
}

/// Logit of a text being in its most probable language at all, and not in one outside the table. In a text of the
/// latter kind letters are less probable than usual (`excess`, per step), and not so much more probable than in the
/// mean of all languages (`advantage`, per step, less the usual one).
fn in_set_logit(excess: f64, advantage: f64, variance: f64, steps: f64, languages: usize) -> f64 {
    if languages < MIN_FOR_MEAN {
        return 5.0 - 1.56 * excess / (7.0 + 0.3 * variance + 270.0 / steps).sqrt();
    }
    // What a page is about makes its letters more or less usual, however long it is.
    let excess = excess / (7.0 + 0.3 * variance + (6_800.0 / steps).max(34.0)).sqrt();
    let advantage = advantage / (30.0 + 31_600.0 / steps).sqrt();
    5.12 - 3.6 * excess + 0.71 * advantage
}

/// The logistic function 1 / (1 + e^-logit), by multiplications alone: the last bits of an exponential function differ
/// between mathematics libraries.
fn probability(logit: f64) -> f64 {
    const STEP: f64 = 0.939_413_062_813_475_8; // e^(-1/16)
    let mut steps = (logit.abs() * 16.0).round().min(1000.0) as u32;
    let (mut power, mut square) = (1.0, STEP);
    while steps > 0 {
        if !steps.is_multiple_of(2) {
            power *= square;
        }
        square *= square;
        steps /= 2;
    }
    if logit >= 0.0 { 1.0 / (1.0 + power) } else { power / (1.0 + power) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::table::UsualText;
    use super::*;

    /// Place of the best row and its margin, by comparing all logits. Rows are negative log probability and language, whose
    /// own logits are `priors`.
    fn slow(
        rows: &[(u32, usize)],
        priors: &[f64],
        expected: Option<(usize, f64)>,
        weight: f64,
        prior_weight: f64,
    ) -> (usize, f64) {
        let boost = |language| expected.filter(|(expected, _)| *expected == language).map_or(0.0, |(_, boost)| boost);
        let prior = |language: usize| boost(language) + prior_weight * priors[language];
        let logits: Vec<f64> = rows.iter().map(|&(nlp, of)| prior(of) - weight * f64::from(nlp)).collect();
        let best = (0..logits.len()).rev().max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
        let others = (0..rows.len()).filter(|&place| rows[place].1 != rows[best].1);
        (best, logits[best] - others.map(|place| logits[place]).fold(f64::NEG_INFINITY, f64::max))
    }

    proptest! {
        #[test]
        fn one_pass_finds_the_best_language(
            nlps in prop::collection::vec((prop_oneof![1000u32..1010, 0u32..1_000_000], 0usize..6), 1..20),
            expected in prop::option::of(0usize..6),
            steps in 1u32..3000,
            boost in prop_oneof![Just(0.0), Just(3.0)],
        ) {
            let codes = ["ces", "slk", "deu", "eng", "fra", "por"].map(|code| Language::of_letters(code).unwrap());
            let priors = [0.5, 0.0, 0.5, 0.5, 0.0, 0.0];
            let (weight, prior_weight) = (weight(f64::from(steps)), prior_weight(f64::from(steps)));
            let of_rows = |rows: &[(u32, usize)]| TableLanguages {
                codes: rows.iter().map(|&(_, language)| codes[language]).collect(),
                priors: rows.iter().map(|&(_, language)| priors[language]).collect(),
                usual: vec![UsualText::default(); rows.len()],
            };
            // In two tables.
            let (first, second) = nlps.split_at(nlps.len() / 2);
            let parts = [first, second].map(|rows| (rows.iter().map(|&(nlp, _)| nlp).collect::<Vec<_>>(), of_rows(rows)));
            let prior = expected.map(|language| Prior { language: codes[language], logit: boost });
            let tables = parts.iter().map(|(nlps, languages)| (nlps.as_slice(), languages));
            let found = Best::of(tables, prior, weight, prior_weight).unwrap();
            let (place, margin) = slow(&nlps, &priors, expected.map(|language| (language, boost)), weight, prior_weight);
            prop_assert_eq!(found.table * first.len() + found.row, place);
            prop_assert_eq!(found.margin, margin);
            prop_assert_eq!(found.boost, expected.filter(|language| *language == nlps[place].1).map_or(0.0, |_| boost));
        }
    }

    #[test]
    fn probabilities_are_those_of_the_logistic_function() {
        for logit in [-20.0f64, -3.0, -0.5, 0.0, 0.25, 2.0, 7.0] {
            let expected = 1.0 / (1.0 + (-logit).exp());
            assert!((probability(logit) - expected).abs() < 1e-9, "{logit}");
        }
    }
}
