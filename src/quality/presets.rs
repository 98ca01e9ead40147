//! The published recipes by their names.

use std::sync::LazyLock;

use super::recipe::{Rule, Step, at_most, least, most};
use super::{datamap, dclm, dclm_lines, dolma, madlad, oscar, redpajama};

fn gopher_repetition() -> Vec<Step> {
    vec![
        at_most("dup_para_frac", 0.3),
        at_most("dup_para_char_frac", 0.2),
        at_most("dup_line_frac", 0.3),
        at_most("dup_line_char_frac", 0.2),
        at_most("top_2_gram", 0.2),
        at_most("top_3_gram", 0.18),
        at_most("top_4_gram", 0.16),
        at_most("duplicated_5_n_grams", 0.15),
        at_most("duplicated_6_n_grams", 0.14),
        at_most("duplicated_7_n_grams", 0.13),
        at_most("duplicated_8_n_grams", 0.12),
        at_most("duplicated_9_n_grams", 0.11),
        at_most("duplicated_10_n_grams", 0.1),
    ]
}

fn gopher_quality() -> Vec<Step> {
    vec![
        least("gopher_short_doc", "non_symbol_words", 50.0),
        most("gopher_long_doc", "non_symbol_words", 100_000.0),
        least("gopher_below_avg_threshold", "avg_non_symbol_word_length", 3.0),
        most("gopher_above_avg_threshold", "avg_non_symbol_word_length", 10.0),
        most("gopher_too_many_hashes", "hash_word_ratio", 0.1),
        most("gopher_too_many_ellipsis", "ellipsis_word_ratio", 0.1),
        most("gopher_too_many_bullets", "bullet_lines_ratio", 0.9),
        most("gopher_too_many_end_ellipsis", "ellipsis_lines_ratio", 0.3),
        least("gopher_below_alpha_threshold", "alpha_words_ratio", 0.8),
        least("gopher_enough_stop_words", "distinct_stop_words", 2.0),
    ]
}

fn c4(needs_end: bool) -> Vec<Step> {
    vec![Step::C4 { needs_end }, least("too_few_sentences", "c4_sentences", 5.0)]
}

fn fineweb(repeated_characters: f64) -> Vec<Step> {
    vec![
        least("line_punct_ratio", "line_punct_ratio", 0.12),
        at_most("short_line_ratio", 0.67),
        at_most("char_dup_ratio", repeated_characters),
        at_most("list_ratio", 0.3),
    ]
}

/// FineWeb-2's filters; its configurations have the thresholds of each language.
fn fineweb_2() -> Vec<Step> {
    let off = ["dup_para_frac", "dup_para_char_frac", "dup_line_char_frac", "short_line_ratio"];
    let steps = [gopher_repetition(), fineweb(0.1), gopher_quality()].concat();
    steps.into_iter().filter(|step| !matches!(step, Step::Rule(rule) if off.contains(&rule.name))).collect()
}

/// Names of recipes with their steps.
pub(super) type Preset = (&'static str, fn() -> Vec<Step>);

/// The two rules of `configs/all_dressed` in datamap-rs; one of them is the list of cursed substrings.
pub(super) const MADLAD_ALL_DRESSED: &str = "madlad.all_dressed";

/// Every recipe. A name without a point is the implementation that most users mean.
pub(super) const PRESETS: [Preset; 20] = [
    ("gopher", || [gopher_repetition(), gopher_quality()].concat()),
    ("gopher.datatrove", || [gopher_repetition(), gopher_quality()].concat()),
    ("gopher.dclm", dclm::steps),
    ("gopher.dolma", dolma::steps),
    ("gopher.datamap", datamap::steps),
    ("gopher.rpv2", redpajama::steps),
    ("c4", || c4(true)),
    ("c4.datatrove", || c4(true)),
    ("c4.paragraphs", || vec![least("paragraphs", "c4_third_longest_line", 200.0)]),
    ("fineweb", || [gopher_repetition(), gopher_quality(), c4(false), fineweb(0.01)].concat()),
    ("fineweb.paper", || [gopher_repetition(), gopher_quality(), c4(false), fineweb(0.1)].concat()),
    ("fineweb2", fineweb_2),
    ("oscar", oscar::steps),
    ("oscar.ungoliant", oscar::steps),
    ("madlad", || madlad::steps("madlad_questionable")),
    ("madlad.datamap", || madlad::steps("madlad_questionable")),
    ("madlad.characters", || madlad::steps("madlad_questionable_characters")),
    ("madlad.paper", || madlad::steps("madlad_questionable_paper")),
    (MADLAD_ALL_DRESSED, || madlad::steps("madlad_list_case_or_cursed")),
    ("dclm", dclm_lines::steps),
];

/// The steps of a recipe, if there is one of this name.
pub(super) fn steps_of(recipe: &str) -> Option<Vec<Step>> {
    PRESETS.iter().find(|(name, _)| *name == recipe).map(|(_, steps)| steps())
}

/// Names of all recipes.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// Names of all rules of all recipes.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        PRESETS.iter().flat_map(|(_, steps)| rules_of(&steps()).map(|rule| rule.name).collect::<Vec<_>>()).collect()
    });
    NAMES.iter().copied()
}

pub(super) fn rules_of(steps: &[Step]) -> impl Iterator<Item = &Rule> {
    steps.iter().filter_map(|step| match step {
        Step::Rule(rule) => Some(rule),
        Step::C4 { .. } | Step::DclmLines => None,
    })
}
