//! Sentences and tokens of a paragraph, by the rules of its language.
//!
//! A paragraph is never joined with another; what an HTML page shows as a heading or list item is a paragraph already.
//! Sentences are found by a scan over the marks that can end them, tokens by a scan over the chunks between white
//! space; both take time linear in the text. Scripts without spaces are cut with dictionaries.
//!
//! What differs between languages is data: one TOML file per language in `languages/`, whose keys are
//!
//! | key | meaning |
//! | --- | --- |
//! | `nosplit` | abbreviations that never end a sentence (`Mr.`) |
//! | `maybe` | abbreviations that end one before a capital letter (`etc.`) |
//! | `number` | abbreviations only before a number (`No. 5`) |
//! | `ordinal_dot`, `ordinal_before_capital`, `months` | whether a number with a stop is an ordinal, what follows one |
//! | `marks` | further characters that end a sentence |
//! | `split_before_lower` | a sentence may begin with a small letter |
//! | `starters`, `starters_after_words`, `starters_after_marks` | words that begin sentences, also without a mark |
//! | `salutations`, `stamps` | ends of sentences in letters |
//! | `spaces_end`, `inner_words` | spaces end sentences, but not beside these words |
//! | `cut_stop`, `keep_last_stop` | whether the stop of an abbreviation is a token of its own |
//! | `cut_hyphens`, `kept_prefixes`, `cut_ranges`, `keep_last_hyphen` | where hyphens are tokens |
//! | `clitics_before`, `clitics_after`, `endings`, `exceptions` | parts of words that are tokens |
//! | `number_tails` | characters put to the digits before them (`20万`) |
//! | `words`, `joined_prefixes` | word list of a script without spaces, prefixes put to the next word |
//! | `[users]` | what [`Options::users_way`] changes |
//!
//! Unknown keys are refused. `docs/segmentation.md` gives the reasons and the figures.

mod chars;
mod dictionary;
mod embedded;
mod lattice;
mod rules;
mod sentences;
#[cfg(test)]
mod tests;
mod tokens;
mod unmarked;
mod web;
mod words;

use std::ops::Range;

use rules::{Rules, Table};

/// A token: where it stands in the paragraph (bytes), and whether no white space stands before it.
///
/// The first token of a paragraph is not glued; the first of a later sentence is when the sentences touch. Formats that
/// mark glue only inside sentences ignore it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub range: Range<usize>,
    pub glued: bool,
}

/// How texts are cut where treebanks and corpus users differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Cut as users of corpora expect (`do n't`, `well-known`, Czech `např.`) instead of as the treebanks do (`don't`,
    /// `well - known`, `např .`).
    pub users_way: bool,
}

/// The rules of all languages. Immutable and cheap to make: a language's rules are read when it is first asked for.
pub struct Segmenter {
    table: Table,
}

impl Default for Segmenter {
    fn default() -> Self {
        Segmenter::new(Options::default())
    }
}

impl Segmenter {
    pub fn new(options: Options) -> Segmenter {
        Segmenter { table: Table::new(options.users_way) }
    }

    /// The rules of a language by its ISO 639-3 code; general rules for a code without a file.
    pub fn language(&self, iso639_3: &str) -> Cutter<'_> {
        Cutter { rules: self.table.get(iso639_3) }
    }
}

/// Cuts paragraphs of one language.
#[derive(Clone, Copy)]
pub struct Cutter<'a> {
    rules: &'a Rules,
}

impl Cutter<'_> {
    /// Byte ranges of the sentences: trimmed, none empty, in order, together all but white space.
    pub fn sentences(&self, paragraph: &str) -> Vec<Range<usize>> {
        sentences::sentences(paragraph, self.rules)
    }

    /// Adds the tokens of one sentence, ranges in the paragraph. None has white space in it.
    pub fn tokens(&self, paragraph: &str, sentence: Range<usize>, out: &mut Vec<Token>) {
        tokens::tokens(paragraph, sentence, self.rules, out);
    }
}
