//! Recipes: rules over signals, in the order of the filters that they come from. The first rule that a text fails names the
//! reason.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use compact_str::CompactString;
use fxhash::FxHashSet;
use regex::Regex;

use super::c4;
use super::characters::strip;
use super::dclm_lines;
use super::gopher::ENGLISH_STOP_WORDS;
use super::own_rule::{OwnRule, own_rule};
use super::presets::{MADLAD_ALL_DRESSED, names, rules_of, steps_of};
use super::signals::{Group, Signals, Value, by_name};
use super::thresholds::{Thresholds, WordList};
use super::{Lists, Meter, Text, number};

/// A recipe with the thresholds and rules that a job adds.
#[derive(Debug, Clone, Default)]
pub struct Recipe {
    steps: Vec<Step>,
    thresholds: Thresholds,
    /// Those of the thresholds, and for English those of Gopher.
    stop_words: WordsOfLanguages,
    rps_stop_words: WordsOfLanguages,
    ldnoobw_words: WordsOfLanguages,
    own: Vec<OwnRule>,
    /// What MADLAD-400's list of substrings finds, if the thresholds have it.
    cursed: Option<Regex>,
    /// The groups of signals that the rules look at, and those that the table shows.
    groups: Vec<Group>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Rule(Rule),
    /// Filters lines; the rules of FineWeb and of sentences after it see what is left.
    C4 {
        needs_end: bool,
    },
    /// Removes lines as DCLM does; no rule looks at what is left.
    DclmLines,
}

/// A bound on a signal. A text passes where the signal is not defined.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub name: &'static str,
    pub signal: &'static str,
    group: Group,
    value: Value,
    bound: Bound,
    threshold: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Bound {
    /// The signal must not be below the threshold.
    Least,
    /// The signal must not be above the threshold.
    Most,
    /// The signal must be below the threshold.
    Below,
}

/// A list of words of each language; that of languages without an own one has the empty name.
#[derive(Debug, Clone, Default)]
struct WordsOfLanguages(BTreeMap<String, FxHashSet<String>>);

impl WordsOfLanguages {
    fn of(&self, language: &str) -> Option<&FxHashSet<String>> {
        self.0.get(language).or(self.0.get(""))
    }
}

/// What a text fails that is empty, or of which no line is left.
const EMPTY: &str = "empty";

/// What a recipe says about a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judged {
    /// The first rule that the text fails.
    pub failed: Option<CompactString>,
    /// Byte ranges of the lines that the recipe leaves, if it filters lines.
    pub lines: Option<Vec<Range<usize>>>,
}

pub(super) fn least(name: &'static str, signal: &'static str, threshold: f64) -> Step {
    rule(name, signal, Bound::Least, threshold)
}

pub(super) fn most(name: &'static str, signal: &'static str, threshold: f64) -> Step {
    rule(name, signal, Bound::Most, threshold)
}

pub(super) fn below(name: &'static str, signal: &'static str, threshold: f64) -> Step {
    rule(name, signal, Bound::Below, threshold)
}

fn rule(name: &'static str, signal: &'static str, bound: Bound, threshold: f64) -> Step {
    let (group, value) = by_name(signal).expect("every rule of a recipe looks at a signal; a test makes them all");
    Step::Rule(Rule { name, signal, group, value, bound, threshold })
}

/// A rule that has the name of its signal.
pub(super) fn at_most(name: &'static str, threshold: f64) -> Step {
    most(name, name, threshold)
}

impl Recipe {
    /// The recipe `name` (none if it is empty) with thresholds and rules of one's own: expressions that must be true of a
    /// text, in the language of `select.where` over the names of the signals, `language`, and the columns of `models`. `shown` are
    /// the groups whose signals the table shows in any case.
    ///
    /// # Errors
    /// Which setting is wrong, and what is wrong with it.
    pub fn new(
        name: &str,
        thresholds: Thresholds,
        rules: &[String],
        shown: &[Group],
        models: &[&str],
    ) -> Result<Recipe, String> {
        let steps = match steps_of(name) {
            Some(steps) => steps,
            None if name.is_empty() => Vec::new(),
            None => {
                return Err(format!(
                    "quality.recipe: no recipe `{name}`; there are {}",
                    names().collect::<Vec<_>>().join(", ")
                ));
            }
        };
        if name == "fineweb2" && thresholds.is_empty() {
            return Err(
                "quality.recipe: fineweb2 needs the thresholds of its languages: quality.thresholds = [\"configs/*.yml\"]".into()
            );
        }
        let of_thresholds = |why| format!("quality.thresholds: {why}");
        let cursed = thresholds.cursed().map_err(of_thresholds)?;
        if name == MADLAD_ALL_DRESSED && cursed.is_none() {
            return Err(format!(
                "quality.recipe: {name} needs the list of cursed substrings: quality.thresholds = [\"madlad400_cursed.txt\"]"
            ));
        }
        thresholds
            .check(|name| rules_of(&steps).find(|rule| rule.name == name).map(|rule| rule.signal))
            .map_err(of_thresholds)?;
        let mut groups = shown.to_vec();
        for step in &steps {
            groups.push(match step {
                Step::Rule(rule) => rule.group,
                Step::C4 { .. } => Group::C4,
                Step::DclmLines => Group::DclmLines,
            });
        }
        let mut own = Vec::new();
        for rule in rules {
            let (rule, used) =
                own_rule(rule, &thresholds, models).map_err(|why| format!("quality.rules: `{rule}`: {why}"))?;
            own.push(rule);
            groups.extend(used);
        }
        groups.sort_unstable();
        groups.dedup();
        let mut stop_words = thresholds.words(WordList::StopWords);
        if !stop_words.contains_key("") {
            let english = || ENGLISH_STOP_WORDS.map(String::from).into_iter().collect();
            stop_words.entry("eng".into()).or_insert_with(english);
        }
        let [rps_stop_words, ldnoobw_words] =
            [WordList::RpsStopWords, WordList::Ldnoobw].map(|list| WordsOfLanguages(thresholds.words(list)));
        let stop_words = WordsOfLanguages(stop_words);
        Ok(Recipe { steps, thresholds, stop_words, rps_stop_words, ldnoobw_words, own, cursed, groups })
    }

    /// Whether there is nothing to measure and no rule. A rule may be about the language or scores alone.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.own.is_empty()
    }

    /// The groups of signals that are measured, in order.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The signals of a text in a language (ISO 639-3), and what the rules say about it. `scores` are those of the models, in
    /// the order of their names.
    pub fn measure(
        &self,
        doc: u64,
        language: &str,
        text: &Text,
        scores: &[Option<f32>],
        meter: &mut Meter,
    ) -> (Signals, Judged) {
        let mut signals = Signals { doc, ..Signals::default() };
        let lists = Lists {
            stop_words: self.stop_words.of(language),
            rps_stop_words: self.rps_stop_words.of(language),
            ldnoobw_words: self.ldnoobw_words.of(language),
            cursed: self.cursed.as_ref(),
            languages: meter.languages(language),
        };
        meter.measure(&self.groups, text, lists, &mut signals);
        let judged = self.judge(language, text, scores, &signals, meter);
        signals.failed_rule.clone_from(&judged.failed);
        (signals, judged)
    }

    fn judge(
        &self,
        language: &str,
        text: &Text,
        scores: &[Option<f32>],
        signals: &Signals,
        meter: &mut Meter,
    ) -> Judged {
        let mut judged = Judged::default();
        if strip(&text.text).is_empty() && !self.steps.is_empty() {
            judged.failed = Some(EMPTY.into());
            return judged;
        }
        let mut left = Cow::Borrowed(signals);
        for step in &self.steps {
            judged.failed = match step {
                Step::Rule(rule) => rule.fails(&left, self.thresholds.of(language, rule.name, rule.signal)),
                Step::C4 { needs_end } => {
                    let filtered = c4::filter(text, *needs_end);
                    let left = left.to_mut();
                    left.c4_sentences = number(filtered.sentences);
                    let kept = filtered.text(&text.text);
                    if kept != text.text {
                        meter.measure_fineweb(&kept, filtered.words(text), left);
                    }
                    judged.lines = Some(filtered.kept);
                    filtered.dropped.map(Into::into)
                }
                Step::DclmLines => {
                    judged.lines = Some(dclm_lines::filter(&text.text).kept);
                    None
                }
            };
            if judged.failed.is_some() {
                return judged;
            }
        }
        if judged.lines.as_ref().is_some_and(Vec::is_empty) {
            judged.failed = Some(EMPTY.into());
            return judged;
        }
        // Signals of the lines that are left would stand beside those of the whole text in one expression.
        let mut own = self.own.iter();
        judged.failed = own.find(|rule| !rule.passes(language, signals, scores)).map(|rule| rule.name.clone());
        judged
    }
}

impl Rule {
    /// The name of the rule if a text fails it. `threshold` is that of the job: `Some(None)` switches the rule off.
    fn fails(&self, signals: &Signals, threshold: Option<Option<f64>>) -> Option<CompactString> {
        let threshold = threshold.unwrap_or(Some(self.threshold))?;
        let value = (self.value)(signals)?;
        let fails = match self.bound {
            Bound::Least => value < threshold,
            Bound::Most => value > threshold,
            Bound::Below => value >= threshold,
        };
        fails.then(|| self.name.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::presets::PRESETS;
    use super::*;
    use crate::text::segments::{SegmentedTexts, Segmenter};

    /// The constructor of a rule panics otherwise.
    #[test]
    fn every_recipe_can_be_made() {
        for (name, steps) in PRESETS {
            assert!(!steps().is_empty(), "{name}");
        }
    }

    #[test]
    fn rules_of_filtered_lines_come_last() {
        // Only the signals of FineWeb and of sentences are measured again after C4.
        for (name, steps) in PRESETS {
            let after = steps().into_iter().skip_while(|step| matches!(step, Step::Rule(_))).skip(1);
            for step in after {
                let Step::Rule(rule) = step else { panic!("{name} filters lines twice") };
                let known = rule.signal == "c4_sentences" || rule.group == Group::Fineweb;
                assert!(known, "{name}: {}", rule.signal);
            }
        }
    }

    fn judged(recipe: &Recipe, language: &str, text: &str) -> Option<String> {
        let (segmenter, mut segments) = (Segmenter::default(), SegmentedTexts::default());
        (0..).zip(text.split('\n')).for_each(|(n, line)| segments.push(n, line, &segmenter.language(language)));
        let text =
            Text::of_paragraphs((0..).zip(text.split('\n')).map(|(n, line)| (line, segments.sentences(n).unwrap())));
        recipe.measure(1, language, &text, &[], &mut Meter::default()).1.failed.map(Into::into)
    }

    #[test]
    fn rules_of_ones_own_come_after_the_recipe() {
        let rules = ["n_words >= 3 and digit_ratio < .5".to_string(), "language in (ces, deu)".into()];
        let recipe = Recipe::new("", Thresholds::default(), &rules, &[], &[]).unwrap();
        assert_eq!(judged(&recipe, "ces", "Dobrý den všem."), None);
        assert_eq!(judged(&recipe, "ces", "Ahoj."), Some(rules[0].clone()));
        assert_eq!(judged(&recipe, "ces", "123456789 123 4 x"), Some(rules[0].clone()));
        assert_eq!(judged(&recipe, "eng", "Good day to all."), Some(rules[1].clone()));
        let recipe = Recipe::new("gopher", Thresholds::default(), &rules, &[], &[]).unwrap();
        assert_eq!(judged(&recipe, "ces", "Ahoj."), Some("top_2_gram".into()));
    }

    #[test]
    fn rules_of_ones_own_are_about_the_text_before_lines_are_removed() {
        let text = "One sentence ends here.\nno mark stands here\nAnother sentence ends.";
        let rules = ["line_punct_ratio > .9".to_string()];
        for (name, thresholds) in [("", ""), ("c4", "too_few_sentences = false")] {
            let recipe = Recipe::new(name, Thresholds::parse(thresholds).unwrap(), &rules, &[], &[]).unwrap();
            assert_eq!(judged(&recipe, "eng", text), Some(rules[0].clone()), "{name}");
        }
    }

    #[test]
    fn a_text_of_which_no_line_is_left_is_empty() {
        for (thresholds, failed) in [("", "too_few_sentences"), ("too_few_sentences = false", "empty")] {
            let thresholds = Thresholds::parse(thresholds).unwrap();
            let recipe = Recipe::new("c4", thresholds, &["n_words > 99".to_string()], &[], &[]).unwrap();
            assert_eq!(judged(&recipe, "eng", "Home\nShop").as_deref(), Some(failed));
        }
    }

    #[test]
    fn rules_name_models() {
        let rules = ["n_words < 9 and hq >= .5 or language = ces".to_string(), "cc < .9".into()];
        let recipe = Recipe::new("", Thresholds::default(), &rules, &[], &["hq", "cc"]).unwrap();
        let failed = |language: &str, scores: &[Option<f32>]| {
            let text = Text::given("One.", &[(0, 3)], &[0]);
            recipe.measure(1, language, &text, scores, &mut Meter::default()).1.failed
        };
        assert_eq!(failed("deu", &[Some(0.5), Some(0.5)]), None);
        assert_eq!(failed("deu", &[Some(0.25), Some(0.5)]).as_deref(), Some(rules[0].as_str()));
        assert_eq!(failed("ces", &[None, Some(0.5)]), None);
        assert_eq!(failed("deu", &[None, Some(0.5)]).as_deref(), Some(rules[0].as_str()));
        assert_eq!(failed("deu", &[Some(0.5), Some(0.95)]).as_deref(), Some("cc < .9"));
        let alone = Recipe::new("", Thresholds::default(), &rules[1..], &[], &["cc"]).unwrap();
        assert!(!alone.is_empty());
        assert!(Recipe::new("", Thresholds::default(), &rules, &[], &[]).unwrap_err().contains("hq"));
    }

    #[test]
    fn signals_are_compared_with_their_quantiles() {
        let quantiles = "[quantiles.all]\ndocuments = 9\n[quantiles.all.n_words]\np10 = 3.5\n\
                         [quantiles.ces]\ndocuments = 4\n[quantiles.ces.n_words]\np10 = 2";
        let rules = ["n_words >= p10".to_string()];
        let recipe = Recipe::new("", Thresholds::parse(quantiles).unwrap(), &rules, &[], &[]).unwrap();
        assert_eq!(judged(&recipe, "ces", "Dobrý den"), None);
        assert_eq!(judged(&recipe, "deu", "Guten Tag"), Some(rules[0].clone()));
        assert_eq!(judged(&recipe, "deu", "Guten Tag Ihnen allen"), None);
        let missing = Recipe::new("", Thresholds::default(), &rules, &[], &[]).unwrap_err();
        assert!(missing.contains("p10 of `n_words` needs a file of quantiles"), "{missing}");
    }

    #[test]
    fn mistakes_are_refused() {
        let new =
            |name: &str, rule: &str| Recipe::new(name, Thresholds::default(), &[rule.into()], &[], &[]).unwrap_err();
        assert!(new("gofer", "n_words > 1").contains("there are gopher, gopher.datatrove"));
        assert!(new("", "n_wrds > 1").contains("`n_words`"));
        assert!(new("", "n_words > many").contains("numbers"));
        assert!(new("", "rps_doc_stop_word_fraction > .3").contains("stopwords-json"));
        assert!(new("", "rps_doc_ldnoobw_words < 3").contains("LDNOOBW"));
        assert!(new("", "madlad_cursed < .2").contains("madlad400_cursed.txt"));
        assert!(new("fineweb2", "n_words > 1").contains("thresholds"));
    }

    #[test]
    fn thresholds_of_a_language_win() {
        let thresholds =
            Thresholds::parse("gopher_short_doc = 3\ntop_2_gram = false\n[ces]\ngopher_short_doc = 1").unwrap();
        let recipe = Recipe::new("gopher", thresholds, &[], &[], &[]).unwrap();
        assert_eq!(judged(&recipe, "deu", "Guten Tag"), Some("gopher_short_doc".into()));
        assert_eq!(judged(&recipe, "ces", "Dobrý den"), None);
    }
}
