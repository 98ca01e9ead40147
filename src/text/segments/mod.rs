//! Sentences and tokens of a paragraph, by the rules of its language.
//!
//! A sentence never spans two paragraphs; a heading or list item of an HTML page is a paragraph. Sentences are found by
//! a scan over the marks that can end them, tokens by a scan over the chunks between white space. Scripts without
//! spaces are tokenised by dictionary.
//!
//! What differs between languages is data: one TOML file per language in `languages/`, whose keys are
//!
//! | key | meaning |
//! | --- | --- |
//! | `nosplit` | abbreviations that never end a sentence (`Mr.`) |
//! | `maybe` | abbreviations that end one before a capital letter (`etc.`) |
//! | `maybe_before_starters` | those in `maybe` end one before one of the `starters` only |
//! | `after_hours` | words before which `a.m.` and `p.m.` end none |
//! | `after_number` | those that end one behind a number only (`в 2018 г.`, `в г. Москве`) |
//! | `before_starters` | those that end one before one of the `starters` only (`5 milj. Suomen`) |
//! | `number`, `number_endings` | abbreviations only before a number (`No. 5`), endings of such compounds (`Bahnhofstr. 12`) |
//! | `initials` | initials of two letters (`Gy`) |
//! | `last_words` | words of one letter that are no initials (Gujarati `છે`) |
//! | `ordinal_dot`, `ordinal_before_capital`, `months` | whether a number with a stop is an ordinal, what follows one |
//! | `year_first` | dates are written `2020. 3. 15.` |
//! | `marks` | further characters that end a sentence |
//! | `split_before_lower` | a sentence may begin with a small letter |
//! | `starters`, `starters_after_words`, `starters_after_colon`, `starters_after_marks` | words that begin sentences, also without a mark |
//! | `starter_endings`, `inner_starters`, `never_last`, `finite_verbs` | which capitalised words begin one without a mark |
//! | `salutations`, `stamps` | ends of sentences in messages |
//! | `spaces_end`, `inner_words` | spaces end sentences, but not beside these words |
//! | `cut_stop`, `keep_last_stop` | whether the stop of an abbreviation is a token of its own |
//! | `cut_hyphens`, `kept_prefixes`, `cut_ranges`, `keep_last_hyphen` | where hyphens are tokens |
//! | `colon_endings` | a colon attaches an ending (`EU:n`) |
//! | `gender_marks` | a star or colon attaches the ending of any gender (`Athlet*innen`) |
//! | `clitics_before`, `clitics_after`, `endings`, `exceptions` | parts of words that are tokens |
//! | `apostrophes_before`, `apostrophes_after` | words, and beginnings of words as `y-`, that have an apostrophe at that edge; `-` for any word |
//! | `endings_after_stop` | an apostrophe attaches endings to abbreviations (`T.C.'nin`) |
//! | `short_years` | an apostrophe and two digits are a year (`'90`) |
//! | `currencies` | words that are written to the number behind them (`Rp50.000`) |
//! | `number_heads`, `number_tails` | characters put to the digits behind them (`第6`) and before them (`20万`) |
//! | `syllables` | a script without spaces is cut into syllables |
//! | `words`, `joined_prefixes` | word list of a script without spaces, prefixes put to the next word |
//! | `[users_way]` | what [`Scheme::UsersWay`] changes |
//!
//! Unknown keys are refused. `docs/segmentation.md` gives the reasons and the figures.

mod apostrophes;
mod chars;
mod clitics;
mod dates;
mod dictionary;
mod embedded;
mod ethiopic;
mod full_stop;
mod glued;
mod hebrew;
mod lattice;
mod listed_words;
mod messages;
mod numbers;
mod own_marks;
mod rules;
mod segmented;
mod sentences;
#[cfg(test)]
mod tests;
mod thai;
mod tokens;
mod unmarked;
mod urdu;
mod web;
mod word_stop;
mod word_tokens;

use std::ops::Range;

pub use own_marks::{ETHIOPIC_COLON, is_own as is_own_mark};
use rules::{LanguageRules, RuleTable};
pub use segmented::{BYTES_OF_A_TOKEN, SegmentedSentence, SegmentedTexts};

/// A token of a paragraph.
///
/// The first token of a paragraph is not glued; the first token of a later sentence is glued if no white space
/// separates the sentences. Formats that mark glue only inside sentences ignore it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Byte range in the paragraph.
    pub range: Range<usize>,
    /// Whether no white space stands before the token.
    pub glued: bool,
}

/// Two tokenisation schemes, where treebanks and users of corpora differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// As the Universal Dependencies treebanks tokenise: `don't`, `well - known`, Czech `např .`
    #[default]
    Treebank,
    /// As users of corpora expect, setting `segments.users_way`: `do n't`, `well-known`, Czech `např.`
    UsersWay,
}

/// How a [`Segmenter`] finds sentences and tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// The tokenisation scheme; [`Scheme::Treebank`] by default.
    pub scheme: Scheme,
}

/// Finds sentences and tokens in paragraphs of any language. Cheap to make: the rules of a language are read when it is
/// first asked for, once in a program. One segmenter serves all threads.
///
/// ```
/// use warcorpus::Segmenter;
///
/// let paragraph = "Mr. Smith went home. He slept.";
/// let segmenter = Segmenter::default();
/// let sentences = segmenter.language("eng").sentences(paragraph);
/// let sentences: Vec<&str> = sentences.into_iter().map(|range| &paragraph[range]).collect();
/// assert_eq!(sentences, ["Mr. Smith went home.", "He slept."]);
/// ```
#[derive(Debug)]
pub struct Segmenter {
    rules: &'static RuleTable,
}

impl Default for Segmenter {
    fn default() -> Self {
        Segmenter::new(Options::default())
    }
}

impl Segmenter {
    /// A segmenter with these options.
    pub fn new(options: Options) -> Segmenter {
        Segmenter { rules: RuleTable::of(options.scheme) }
    }

    /// The tokenizer of a language by its ISO 639-3 code; one with the general rules for a code without rules of its
    /// own.
    pub fn language(&self, iso639_3: &str) -> Tokenizer<'_> {
        Tokenizer { rules: self.rules.get(iso639_3) }
    }
}

/// Whether a language has rules of its own; by its ISO 639-3 code.
pub fn has_rules(iso639_3: &str) -> bool {
    embedded::FILES.iter().any(|(codes, _)| codes.contains(&iso639_3))
}

/// Finds sentences and tokens in paragraphs of one language.
#[derive(Debug, Clone, Copy)]
pub struct Tokenizer<'a> {
    rules: &'a LanguageRules,
}

impl Tokenizer<'_> {
    /// Byte ranges of the sentences: in order, trimmed, none empty; together they cover all but white space.
    pub fn sentences(&self, paragraph: &str) -> Vec<Range<usize>> {
        sentences::sentences(paragraph, self.rules)
    }

    /// Appends the tokens of one sentence, which is a byte range of the paragraph. No token contains white space.
    pub fn tokens(&self, paragraph: &str, sentence: Range<usize>, out: &mut Vec<Token>) {
        tokens::tokens(paragraph, sentence, self.rules, out);
    }
}
