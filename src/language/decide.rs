//! Costs of a text → its language, and how probable it is that the answer is right.
//!
//! The language in which the text costs least is the answer. It is wrong in two ways: another language of the
//! table is, which the distance to the second shows; or a language that is not in it, which shows in a cost
//! above what the answer's texts usually have. The two logits below were fitted (logistic regression, sentences and
//! joined sentences of the table's languages, articles of 173 other languages; docs.md has the figures).

use super::script::{Script, TABLED, UNTABLED};
use super::table::{Table, Usual};
use super::tally::{Tallies, Tally};

/// Steps of cost in a natural logarithm of probability.
const STEPS: f64 = 16.0;

/// A script with fewer languages has no mean to speak of.
const FEW: usize = 4;

/// What is known of a text before it is read: the language of the document it stands in, and the logit
/// by which that is the more probable answer.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    pub code: &'a str,
    pub logit: f64,
}

/// The most probable language of a text, if there is one in the table, and the probability that it is right.
pub fn decide(table: &Table, tallies: &Tallies, expected: Option<Expected>) -> Option<(&'static str, f64)> {
    let scripts = weighed(tallies);
    let (script, letters) = scripts.iter().copied().enumerate().rev().max_by_key(|(_, letters)| *letters)?;
    let all: u32 = scripts.iter().sum();
    if letters == 0 || script == Script::Other as usize {
        return None;
    }
    match (script.checked_sub(1), table.languages.get(script)) {
        (None, Some(languages)) => among(&tallies.wide, languages, expected),
        (Some(place), Some(languages)) => among(tallies.narrow.get(place)?, languages, expected),
        (_, None) => untabled(script, f64::from(letters) / f64::from(all), expected),
    }
}

/// Letters by script. One of a dense script says as much as three of an alphabet.
fn weighed(tallies: &Tallies) -> [u32; TABLED.len() + 4] {
    let [hangul, kana, han, other] = tallies.others;
    let scripts = TABLED.iter().skip(1).map(|(script, _)| *script);
    let narrow = tallies.narrow.iter().zip(scripts);
    let narrow = narrow.map(|(tally, script)| tally.letters * if script == Script::Thai { 3 } else { 1 });
    // Japanese is written in both.
    let (kana, han) = if is_japanese(kana, han) { (kana + han, 0) } else { (0, kana + han) };
    let mut letters = [0; TABLED.len() + 4];
    let all = [tallies.wide.letters].into_iter().chain(narrow).chain([hangul * 3, kana * 3, han * 3, other]);
    letters.iter_mut().zip(all).for_each(|(to, from)| *to = from);
    letters
}

/// Letters of a text that count for its length.
pub fn letters(tallies: &Tallies) -> u32 {
    weighed(tallies).iter().sum()
}

/// Running Japanese has one kana in two letters, headlines less; a Chinese text has few, in names.
fn is_japanese(kana: u32, han: u32) -> bool {
    kana * 8 >= han
}

/// A script of one language, with the share of letters that are in it. Of Japanese in Han alone only its document
/// knows.
fn untabled(script: usize, share: f64, expected: Option<Expected>) -> Option<(&'static str, f64)> {
    let japanese = script == Script::Han as usize && expected.is_some_and(|expected| expected.code == "jpn");
    let script = if japanese { Script::Kana as usize } else { script };
    let (_, code) = UNTABLED.iter().find(|(untabled, _)| *untabled as usize == script)?;
    Some((code, share))
}

/// The cheapest language of a script.
fn among<const W: usize>(
    tally: &Tally<W>,
    languages: &[Usual],
    expected: Option<Expected>,
) -> Option<(&'static str, f64)> {
    let steps = f64::from(tally.steps.max(1));
    let weight = weight(steps);
    // Codes have three letters: so many are compared at once.
    let letters = |code: &str| code.as_bytes().first_chunk::<3>().copied();
    let (wanted, logit) = expected.map_or((None, 0.0), |expected| (letters(expected.code), expected.logit));
    let prior = |code: &str| if wanted.is_some() && letters(code) == wanted { logit } else { 0.0 };
    let mut best: Option<(f64, f64, &Usual)> = None;
    let (mut second, mut sum) = (f64::NEG_INFINITY, 0.0);
    for (usual, &cost) in languages.iter().zip(&tally.costs) {
        let cost = f64::from(cost);
        sum += cost;
        let points = prior(usual.code) - weight * cost;
        match best {
            Some((most, ..)) if points <= most => second = second.max(points),
            _ => second = best.replace((points, cost, usual)).map_or(second, |(points, ..)| points),
        }
    }
    let (points, cost, usual) = best?;
    let apart = points - second;
    let excess = cost / steps - usual.mean;
    let advantage = (sum / languages.len() as f64 - cost) / steps - usual.advantage;
    let familiar = familiar(excess, advantage, usual.variance, steps, languages.len()) + prior(usual.code);
    Some((usual.code, probability(apart) * probability(familiar)))
}

/// By how much the logit of one language against another grows with a step of cost between them, in a text of so
/// many letters: less than by the step itself, since letters do not follow one another independently.
fn weight(steps: f64) -> f64 {
    (0.36 / steps.sqrt() + 4.6 / steps) / STEPS
}

/// Logit of a text being in its best language at all. The letters of a text in a language that the table does not
/// have cost more than usual (`excess`), and not so much less than in the mean of all languages (`advantage`, less
/// the usual one).
fn familiar(excess: f64, advantage: f64, variance: f64, steps: f64, languages: usize) -> f64 {
    let excess = excess / (7.0 + 0.3 * variance + 270.0 / steps).sqrt();
    let advantage = advantage / (30.0 + 900.0 / steps).sqrt();
    if languages < FEW { 5.0 - 1.56 * excess } else { 5.0 - 1.2 * excess + 0.54 * advantage }
}

/// 1 / (1 + e^-logit), with multiplications alone: an exponential function's last bits differ from one system's
/// mathematics library to another's.
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
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_logistic_function() {
        for logit in [-20.0f64, -3.0, -0.5, 0.0, 0.25, 2.0, 7.0] {
            let expected = 1.0 / (1.0 + (-logit).exp());
            assert!((probability(logit) - expected).abs() < 1e-9, "{logit}");
        }
    }
}
