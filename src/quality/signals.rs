//! The table `signals`: one number per signal and document. The names are those of the references, and the groups are
//! what a job chooses by (`quality.signals`).

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use crate::table::table_row;

/// A set of signals that is computed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Sizes and shares of a text, as datatrove's statistics name them.
    Basic,
    /// Readability and lexical richness.
    Readability,
    /// Gopher's repetition and quality, as datatrove computes them (Rae et al. 2021, table A1).
    Gopher,
    /// C4's line filter, as datatrove computes it (Raffel et al. 2020).
    C4,
    /// FineWeb's own filters (Penedo et al. 2024).
    Fineweb,
    /// The signals of RedPajama-V2 that need no model (Weber et al. 2024); two are null without their lists of words.
    Rpv2,
    /// Gopher's rules as DCLM computes them (Li et al. 2024).
    Dclm,
    /// Gopher's rules as Dolma computes them (Soldaini et al. 2024).
    Dolma,
    /// Gopher's rules as datamap-rs computes them.
    Datamap,
    /// The annotations of OSCAR 23.01, as ungoliant computes them (Abadji et al. 2022).
    Oscar,
    /// MADLAD-400's questionable sentences, as datamap-rs counts them (Kudugunta et al. 2023).
    Madlad,
    /// Its sentences in another language than the document, which cost an identification each.
    #[serde(rename = "madlad_language")]
    MadladLanguage,
    /// What DCLM's removal of lines takes from a text.
    #[serde(rename = "dclm_lines")]
    DclmLines,
    /// The signals of lines of RedPajama-V2: lists with a value for each line.
    #[serde(rename = "rpv2_lines")]
    Rpv2Lines,
}

/// The value of a signal of a document, if it is defined there.
pub type Value = fn(&Signals) -> Option<f64>;

macro_rules! signals {
    ($($group:ident { $($(#[$about:meta])* $name:ident: $type:ty),* $(,)? })*) => {
        table_row! {
            /// One row of `signals`: a document whose text was measured. A signal is null where it is not defined, such as
            /// a share of no words, and where its group was not measured: then the file does not have its column.
            #[derive(Debug, Clone, Default, PartialEq)]
            pub struct Signals in "signals" {
                pub doc: u64,
                pub failed_rule: Option<CompactString>,
                /// Tokens by the tokenizer of the job (`output.tokenizer`).
                pub token_count: Option<u32>,
                $($($(#[$about])* pub $name: Option<$type>,)*)*
                pub rps_lines_ending_with_terminal_punctution_mark: Option<Vec<f32>>,
                pub rps_lines_javascript_counts: Option<Vec<f32>>,
                pub rps_lines_num_words: Option<Vec<f32>>,
                pub rps_lines_numerical_chars_fraction: Option<Vec<f32>>,
                pub rps_lines_start_with_bulletpoint: Option<Vec<f32>>,
                pub rps_lines_uppercase_letter_fraction: Option<Vec<f32>>,
            }
        }

        /// Every signal of a document with one value: its name, its group, and its value.
        pub const SIGNALS: &[(&str, Group, Value)] = &[
            $($((stringify!($name), Group::$group, |signals| signals.$name.map(f64::from)),)*)*
        ];
    };
}

/// The signals of lines, which are lists, and what an expression can test instead.
pub const LINE_SIGNALS: [(&str, &str); 6] = [
    ("rps_lines_ending_with_terminal_punctution_mark", "use `lines_ending_with_terminal_mark_ratio`"),
    ("rps_lines_javascript_counts", "no signal of the document says this; SQL tests lists (docs/quality.md)"),
    ("rps_lines_num_words", "use `rps_doc_word_count` or `avg_words_per_line`"),
    ("rps_lines_numerical_chars_fraction", "use `digit_ratio`"),
    ("rps_lines_start_with_bulletpoint", "use `rps_frac_lines_start_with_bulletpoint`"),
    ("rps_lines_uppercase_letter_fraction", "use `uppercase_ratio`"),
];

signals! {
    Basic {
        length: u32,
        white_space_ratio: f64,
        non_alpha_digit_ratio: f64,
        digit_ratio: f64,
        uppercase_ratio: f64,
        elipsis_ratio: f64,
        punctuation_ratio: f64,
        n_lines: u32,
        avg_line_length: f64,
        short_line_ratio_chars_10: f64,
        short_line_ratio_chars_30: f64,
        long_line_ratio_chars_2000: f64,
        long_line_ratio_chars_10000: f64,
        lines_ending_with_terminal_mark_ratio: f64,
        bullet_point_lines_ratio: f64,
        line_duplicates: f64,
        line_char_duplicates: f64,
        n_words: u32,
        avg_word_length: f64,
        avg_words_per_line: f64,
        short_word_ratio_3: f64,
        long_word_ratio_7: f64,
        type_token_ratio: f64,
        uppercase_word_ratio: f64,
        capitalized_word_ratio: f64,
        n_sentences: u32,
    }
    Readability {
        lix: f64,
        ari: f64,
        mean_sentence_length: f64,
        mean_word_length: f64,
        mattr_500: f64,
        hapax_share: f64,
    }
    Gopher {
        dup_para_frac: f64,
        dup_para_char_frac: f64,
        dup_line_frac: f64,
        dup_line_char_frac: f64,
        top_2_gram: f64,
        top_3_gram: f64,
        top_4_gram: f64,
        duplicated_5_n_grams: f64,
        duplicated_6_n_grams: f64,
        duplicated_7_n_grams: f64,
        duplicated_8_n_grams: f64,
        duplicated_9_n_grams: f64,
        duplicated_10_n_grams: f64,
        non_symbol_words: u32,
        avg_non_symbol_word_length: f64,
        hash_word_ratio: f64,
        ellipsis_word_ratio: f64,
        bullet_lines_ratio: f64,
        ellipsis_lines_ratio: f64,
        alpha_words_ratio: f64,
        distinct_stop_words: u32,
    }
    C4 {
        c4_kept_lines: u32,
        c4_sentences: u32,
        c4_lorem_ipsum_lines: u32,
        c4_curly_bracket_lines: u32,
        c4_third_longest_line: u32,
    }
    Fineweb {
        line_punct_ratio: f64,
        short_line_ratio: f64,
        char_dup_ratio: f64,
        list_ratio: f64,
    }
    Rpv2 {
        rps_doc_word_count: u32,
        rps_doc_mean_word_length: f64,
        rps_doc_num_sentences: u32,
        rps_doc_symbol_to_word_ratio: f64,
        rps_doc_frac_lines_end_with_ellipsis: f64,
        rps_doc_frac_no_alph_words: f64,
        rps_doc_frac_unique_words: f64,
        rps_doc_unigram_entropy: f64,
        rps_doc_frac_all_caps_words: f64,
        rps_doc_curly_bracket: f64,
        rps_doc_lorem_ipsum: f64,
        rps_doc_frac_chars_top_2gram: f64,
        rps_doc_frac_chars_top_3gram: f64,
        rps_doc_frac_chars_top_4gram: f64,
        rps_doc_frac_chars_dupe_5grams: f64,
        rps_doc_frac_chars_dupe_6grams: f64,
        rps_doc_frac_chars_dupe_7grams: f64,
        rps_doc_frac_chars_dupe_8grams: f64,
        rps_doc_frac_chars_dupe_9grams: f64,
        rps_doc_frac_chars_dupe_10grams: f64,
        rps_frac_lines_start_with_bulletpoint: f64,
        rps_doc_stop_word_fraction: f64,
        rps_doc_ldnoobw_words: u32,
    }
    Dclm {
        dclm_words: u32,
        dclm_avg_word_length: f64,
        dclm_symbol_ratio: f64,
        dclm_bullet_lines_ratio: f64,
        dclm_ellipsis_lines_ratio: f64,
        dclm_non_alpha_words_ratio: f64,
        dclm_stop_words: u32,
        dclm_dup_line_frac: f64,
        dclm_dup_para_frac: f64,
        dclm_dup_line_char_frac: f64,
        dclm_dup_para_char_frac: f64,
        dclm_top_2_gram: f64,
        dclm_top_3_gram: f64,
        dclm_top_4_gram: f64,
        dclm_duplicated_5_n_grams: f64,
        dclm_duplicated_6_n_grams: f64,
        dclm_duplicated_7_n_grams: f64,
        dclm_duplicated_8_n_grams: f64,
        dclm_duplicated_9_n_grams: f64,
        dclm_duplicated_10_n_grams: f64,
    }
    Dolma {
        dolma_words: u32,
        dolma_median_word_length: f64,
        dolma_symbol_ratio: f64,
        dolma_alpha_words_ratio: f64,
        dolma_stop_words: u32,
        dolma_bullet_lines_ratio: f64,
        dolma_ellipsis_lines_ratio: f64,
        dolma_dup_line_frac: f64,
        dolma_dup_line_char_frac: f64,
        dolma_top_2_gram: f64,
        dolma_top_3_gram: f64,
        dolma_top_4_gram: f64,
        dolma_duplicated_5_n_grams: f64,
        dolma_duplicated_6_n_grams: f64,
        dolma_duplicated_7_n_grams: f64,
        dolma_duplicated_8_n_grams: f64,
        dolma_duplicated_9_n_grams: f64,
        dolma_duplicated_10_n_grams: f64,
    }
    Datamap {
        datamap_characters: u32,
        datamap_words: u32,
        datamap_avg_word_length: f64,
        datamap_symbol_ratio: f64,
        datamap_bullet_lines_ratio: f64,
        datamap_ellipsis_lines_ratio: f64,
        datamap_non_alpha_words_ratio: f64,
        datamap_stop_words: u32,
        datamap_dup_line_frac: f64,
        datamap_dup_para_frac: f64,
        datamap_dup_line_char_frac: f64,
        datamap_dup_para_char_frac: f64,
        datamap_top_2_gram: f64,
        datamap_top_3_gram: f64,
        datamap_top_4_gram: f64,
        datamap_duplicated_5_n_grams: f64,
        datamap_duplicated_6_n_grams: f64,
        datamap_duplicated_7_n_grams: f64,
        datamap_duplicated_8_n_grams: f64,
        datamap_duplicated_9_n_grams: f64,
        datamap_duplicated_10_n_grams: f64,
    }
    Oscar {
        oscar_lines: u32,
        oscar_short_lines_ratio: f64,
        oscar_header_short_ratio: f64,
        oscar_footer_short_ratio: f64,
        oscar_non_letter_ratio: f64,
    }
    Madlad {
        madlad_num_sentences: u32,
        madlad_list_case: f64,
        madlad_abnormal_len: f64,
        madlad_technical_characters: f64,
        madlad_cursed: f64,
        madlad_questionable: f64,
        madlad_questionable_characters: f64,
        madlad_list_case_or_cursed: f64,
    }
    MadladLanguage {
        madlad_other_language: f64,
        madlad_questionable_paper: f64,
    }
    DclmLines {
        dclm_uppercase_lines: u32,
        dclm_numeric_lines: u32,
        dclm_counter_lines: u32,
        dclm_short_lines: u32,
        dclm_phrase_lines: u32,
        dclm_removed_words_ratio: f64,
    }
}

/// Whether the table has a column if the signals of some groups are measured, and tokens are counted or not.
pub fn has_column(column: &str, groups: &[Group], counts_tokens: bool) -> bool {
    match column {
        "doc" | "failed_rule" => true,
        "token_count" => counts_tokens,
        _ => group_of(column).is_some_and(|group| groups.contains(&group)),
    }
}

impl Group {
    /// The name in settings.
    pub fn name(self) -> String {
        toml::Value::try_from(self).ok().and_then(|name| name.as_str().map(String::from)).unwrap_or_default()
    }
}

/// The group of a column; `None` for those that are no signals.
pub fn group_of(column: &str) -> Option<Group> {
    let is_of_lines = LINE_SIGNALS.iter().any(|(name, _)| *name == column);
    is_of_lines.then_some(Group::Rpv2Lines).or_else(|| by_name(column).map(|(group, _)| group))
}

/// The signal of a name.
pub fn by_name(name: &str) -> Option<(Group, Value)> {
    SIGNALS.iter().find(|(known, ..)| *known == name).map(|(_, group, value)| (*group, *value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn every_column_but_three_has_a_group() {
        let others = Signals::columns().into_iter().map(|(name, ..)| name).filter(|name| group_of(name).is_none());
        assert_eq!(others.collect::<Vec<_>>(), ["doc", "failed_rule", "token_count"]);
        let of = |groups: &[Group], counts_tokens| {
            let columns = Signals::columns().into_iter().map(|(name, ..)| name);
            columns.filter(|name| has_column(name, groups, counts_tokens)).count()
        };
        assert_eq!(of(&[], false), 2);
        assert_eq!(of(&[Group::Fineweb, Group::Rpv2Lines], true), 3 + 4 + 6);
    }

    #[test]
    fn every_signal_is_described_with_unit_or_range() {
        let described = Signals::SCHEMA;
        for (name, ..) in Signals::columns() {
            assert!(described.contains(&format!("\n{name} = \"")), "{name}");
        }
        assert_eq!(described.matches(" = \"").count(), Signals::columns().len());
    }
}
