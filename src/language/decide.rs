//! Negative log probabilities of a text → its language, and how probable it is that the answer is right.
//!
//! The most probable language is the answer. It can be wrong in two ways: another language of the table is right, which
//! the distance to the second shows; or a language outside the table, which shows in a negative log probability above
//! what the answer's texts usually have. The two logits below were fitted (logistic regression, sentences and joined
//! sentences of the table's languages, articles of 173 other languages; `docs/language.md` has the figures).

use super::Language;
use super::score::{ScriptScore, TextScores};
use super::script::{Script, TABLED, UNTABLED};
use super::table::{LanguageCalibration, NgramTable};

/// Steps of a negative log probability in one unit of the natural logarithm.
const STEPS: f64 = 16.0;

/// A script with fewer languages has no meaningful mean over languages.
const MIN_FOR_MEAN: usize = 4;

/// A language that is more probable than others before a text is read: that of its document.
#[derive(Debug, Clone, Copy)]
pub struct Prior {
    pub language: Language,
    /// Logit by which it is more probable than any other language.
    pub logit: f64,
}

/// The most probable language of a text and the probability that it is right; none if no language of the table is
/// written in the text's script, or there are fewer than `least` letters, as [`letters_by_script`] counts them.
pub fn decide(table: &NgramTable, scores: &TextScores, prior: Option<Prior>, least: usize) -> Option<(Language, f64)> {
    let scripts = letters_by_script(scores);
    let (script, letters) = scripts.iter().copied().enumerate().rev().max_by_key(|(_, letters)| *letters)?;
    let all: u32 = scripts.iter().sum();
    if letters == 0 || script == Script::Other as usize || (all as usize) < least {
        return None;
    }
    match (script.checked_sub(1), table.calibrations.get(script)) {
        (None, Some(languages)) => best_of_script(&scores.wide, languages, prior),
        (Some(place), Some(languages)) => best_of_script(scores.narrow.get(place)?, languages, prior),
        (_, None) => language_of_script(script, f64::from(letters) / f64::from(all), prior),
    }
}

/// Number of letters of all scripts. A letter of a dense script counts as three of an alphabet.
pub fn letters(scores: &TextScores) -> u32 {
    letters_by_script(scores).iter().sum()
}

/// Number of letters of each script. A letter of a dense script counts as three of an alphabet.
fn letters_by_script(scores: &TextScores) -> [u32; TABLED.len() + 4] {
    let [hangul, kana, han, other] = scores.others;
    let scripts = TABLED.iter().skip(1).map(|(script, _)| *script);
    let narrow = scores.narrow.iter().zip(scripts);
    let narrow = narrow.map(|(score, script)| score.letters * if script == Script::Thai { 3 } else { 1 });
    // Japanese is written in both.
    let (kana, han) = if is_japanese(kana, han) { (kana + han, 0) } else { (0, kana + han) };
    let mut letters = [0; TABLED.len() + 4];
    let all = [scores.wide.letters].into_iter().chain(narrow).chain([hangul * 3, kana * 3, han * 3, other]);
    letters.iter_mut().zip(all).for_each(|(to, from)| *to = from);
    letters
}

/// Whether a text in kana and Han is Japanese: running Japanese has one kana in two letters, headlines less; a Chinese
/// text has few, in names.
fn is_japanese(kana: u32, han: u32) -> bool {
    kana * 8 >= han
}

/// The language of a script that only one language uses, with the share of letters in that script. Japanese in Han
/// alone is recognised by the prior only.
fn language_of_script(script: usize, share: f64, prior: Option<Prior>) -> Option<(Language, f64)> {
    let (_, code) = UNTABLED.iter().find(|(untabled, _)| *untabled as usize == script)?;
    let expected = prior.filter(|prior| script == Script::Han as usize && prior.language.code() == "jpn");
    let language = expected.map(|prior| prior.language).or_else(|| Language::by_code(code))?;
    Some((language, share))
}

/// The most probable language of a script, and the probability that it is right.
fn best_of_script<const W: usize>(
    score: &ScriptScore<W>,
    calibrations: &[LanguageCalibration],
    prior: Option<Prior>,
) -> Option<(Language, f64)> {
    let steps = f64::from(score.steps.max(1));
    let nlps = score.neg_log_probs.get(..calibrations.len())?;
    let expected = prior.and_then(|prior| calibrations.iter().position(|usual| usual.language == prior.language));
    let boost = |place| if Some(place) == expected { prior.map_or(0.0, |prior| prior.logit) } else { 0.0 };
    let (place, second) = best_two(nlps, expected, boost, weight(steps))?;
    let (usual, nlp) = (calibrations.get(place)?, f64::from(*nlps.get(place)?));
    let margin = boost(place) - weight(steps) * nlp - second;
    let sum: u64 = nlps.iter().map(|&nlp| u64::from(nlp)).sum();
    let excess = nlp / steps - usual.mean;
    let advantage = (sum as f64 / calibrations.len() as f64 - nlp) / steps - usual.advantage;
    let in_set = in_set_logit(excess, advantage, usual.variance, steps, calibrations.len()) + boost(place);
    Some((usual.language, probability(margin) * probability(in_set)))
}

/// The place with the highest logit, the first of equal ones, and the highest logit of all others. A logit is `boost`
/// less `weight` times the negative log probability; only the place `expected` has a boost.
///
/// Without a boost logits are ordered as whole numbers are: the products of two of them with one weight differ by more
/// than a rounding.
fn best_two(nlps: &[u32], expected: Option<usize>, boost: impl Fn(usize) -> f64, weight: f64) -> Option<(usize, f64)> {
    let (mut least, mut next) = ((usize::MAX, u32::MAX), u32::MAX);
    for (place, &nlp) in nlps.iter().enumerate().filter(|&(place, _)| Some(place) != expected) {
        if nlp < least.1 {
            (least, next) = ((place, nlp), least.1);
        } else if nlp < next {
            next = nlp;
        }
    }
    let logit = |place: usize| Some(boost(place) - weight * f64::from(*nlps.get(place)?));
    let others = nlps.len() - usize::from(expected.is_some());
    let second = if others > 1 { 0.0 - weight * f64::from(next) } else { f64::NEG_INFINITY };
    let Some(place) = expected else { return (others > 0).then_some((least.0, second)) };
    let own = logit(place)?;
    match logit(least.0) {
        Some(best) if own > best || own == best && place < least.0 => Some((place, best)),
        Some(_) => Some((least.0, second.max(own))),
        None => Some((place, f64::NEG_INFINITY)),
    }
}

/// By how much the logit of one language against another grows with one step of negative log probability between them,
/// in a text of `steps` letters and word ends: less than by the step itself, since letters do not follow one another
/// independently.
fn weight(steps: f64) -> f64 {
    (0.36 / steps.sqrt() + 4.6 / steps) / STEPS
}

/// Logit of a text being in its most probable language at all, and not in one outside the table. In a text of the
/// latter kind letters are less probable than usual (`excess`, per step), and not so much more probable than in the
/// mean of all languages (`advantage`, per step, less the usual one).
fn in_set_logit(excess: f64, advantage: f64, variance: f64, steps: f64, languages: usize) -> f64 {
    let excess = excess / (7.0 + 0.3 * variance + 270.0 / steps).sqrt();
    let advantage = advantage / (30.0 + 900.0 / steps).sqrt();
    if languages < MIN_FOR_MEAN { 5.0 - 1.56 * excess } else { 5.0 - 1.2 * excess + 0.54 * advantage }
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

    use super::*;

    /// The best place and the second logit by comparing all logits.
    fn slow_best_two(nlps: &[u32], boosts: &[f64], weight: f64) -> (usize, f64) {
        let logits: Vec<f64> = nlps.iter().zip(boosts).map(|(&nlp, boost)| boost - weight * f64::from(nlp)).collect();
        let best = (0..logits.len()).rev().max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
        let others = logits.iter().enumerate().filter(|(place, _)| *place != best).map(|(_, logit)| *logit);
        (best, others.fold(f64::NEG_INFINITY, f64::max))
    }

    proptest! {
        #[test]
        fn whole_numbers_find_the_best_language(
            nlps in prop::collection::vec(prop_oneof![1000u32..1010, 0u32..1_000_000], 1..20),
            expected in prop::option::of(0usize..20),
            steps in 1u32..3000,
            boost in prop_oneof![Just(0.0), Just(3.0)],
        ) {
            let weight = weight(f64::from(steps));
            let expected = expected.filter(|&place| place < nlps.len());
            let boosts: Vec<f64> = (0..nlps.len()).map(|place| if Some(place) == expected { boost } else { 0.0 }).collect();
            let found = best_two(&nlps, expected, |place| boosts[place], weight).unwrap();
            prop_assert_eq!(found, slow_best_two(&nlps, &boosts, weight));
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
