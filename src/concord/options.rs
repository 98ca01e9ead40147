//! The options of the command `concord`, as typed.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

use crate::language::Language;

/// Examples and notes shown at the end of the help of `concord`.
pub const CONCORD_EXAMPLES: &str = "Examples:
  warcorpus concord corpus play plays played playing
  warcorpus concord corpus climate --language eng --sort right --limit 200
  warcorpus concord corpus climate --sample 1 --limit 500 --unique --format json > climate.json
  warcorpus concord corpus --regex '\\bun\\w+able\\b' --sentence --max-per-doc 1
  warcorpus concord corpus --lemma play --tag 'V.*' --format tsv
  warcorpus concord corpus climate --tokens 8
  warcorpus concord corpus climate --count
  warcorpus concord corpus climate --count --by year

A WORD matches whole words only: no letter, digit, mark or underscore may be next to it, as with grep -w. Apostrophes
and hyphens end a word, so that dog is found in dog's. In scripts without spaces between words (Han, kana, Thai, Lao,
Khmer, Burmese) a WORD matches anywhere. Of overlapping hits the first is taken; of hits at the same place, the longest.
In --regex, (?-u:\\b) is much faster than \\b if the text is not all ASCII. Hits of more than 4,096 bytes may be cut or missing.

In json, xml and tsv, start and end count characters (Unicode scalar values) from the start of the sentence, or of the
context of --tokens; end is the position after the last character.";

// What to search for, which hits to take, and how to print them. Not a doc comment, because clap would show it instead
// of the description of the command.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Word or phrase to search for; several are forms of one word, which is named by the first
    #[arg(value_name = "WORD", required_unless_present_any = ["lemma", "tag"])]
    pub words: Vec<String>,
    /// Treat each WORD as a regular expression (syntax of Rust's regex crate) on the text of a paragraph
    #[arg(long, requires = "words")]
    pub regex: bool,
    /// Only tokens with this lemma; the corpus must be tagged
    #[arg(long, value_name = "LEMMA")]
    pub lemma: Option<String>,
    /// Only tokens whose whole tag matches this regular expression; the corpus must be tagged
    #[arg(long, value_name = "REGEX")]
    pub tag: Option<String>,
    /// Distinguish upper and lower case in words, regular expressions and lemmas
    #[arg(long)]
    pub case: bool,
    /// Only paragraphs in these languages, such as eng,German (`warcorpus languages`)
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = language_code)]
    pub language: Vec<String>,
    /// Characters of context on each side, within the paragraph [default: 40]
    #[arg(long, value_name = "N", conflicts_with = "sentence")]
    pub width: Option<usize>,
    /// Tokens of context on each side, within the paragraph
    #[arg(long, value_name = "N", conflicts_with_all = ["sentence", "width"])]
    pub tokens: Option<usize>,
    /// Show the whole sentence as context; json, xml and tsv do so without --tokens
    #[arg(long)]
    pub sentence: bool,
    /// Sort by the words before the hit (nearest first), by those after it, or by the hit itself; ties in corpus order.
    /// Words within 100 characters count, whatever context is shown
    #[arg(long, value_name = "BY")]
    pub sort: Option<Sort>,
    /// Print only the first N hits, with --sort the first in sorted order; 0 prints all
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub limit: usize,
    /// Take at most N hits from each document; with --count and 1, the number of documents with a hit
    #[arg(long, value_name = "N")]
    pub max_per_doc: Option<NonZeroUsize>,
    /// Print a random sample of --limit hits instead of the first; the same seed gives the same sample
    #[arg(long, value_name = "SEED", requires = "limit")]
    pub sample: Option<u64>,
    /// Print each sentence only once (the last million sentences are remembered)
    #[arg(long)]
    pub unique: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ConcordanceFormat::Kwic)]
    pub format: ConcordanceFormat,
    /// Print only the number of hits, for each WORD and in total
    #[arg(long, conflicts_with_all = ["width", "tokens", "sentence", "sort", "limit", "sample", "unique", "format"])]
    pub count: bool,
    /// Count for each value of a column of the documents, such as year or domain (those of --where): hits, documents with
    /// a hit, documents, words, hits per million words
    #[arg(long, value_name = "COLUMN", requires = "count")]
    pub by: Option<String>,
}

/// ISO 639-3 code of the language that a user names.
fn language_code(name: &str) -> Result<String, String> {
    Language::by_name(name).map(|language| language.code().into())
}

// What hits are sorted by. Not doc comments, because clap would show them in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    Left,
    Right,
    Word,
}

// The formats of `--format`. Not a doc comment, because clap would show it in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ConcordanceFormat {
    /// Keyword in context: one line per hit, with the hits aligned
    Kwic,
    /// One array with an object per hit
    Json,
    /// A concordances element with an item per hit
    Xml,
    /// One line per hit, after a header line
    Tsv,
    /// A page for reading in a browser
    Html,
}

/// How much text is shown around a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitContext {
    /// This many characters on each side, within the paragraph.
    Characters(usize),
    /// This many tokens on each side, within the paragraph.
    Tokens(usize),
    /// The sentence of the hit.
    Sentence,
}

/// The default of `--width`.
const WIDTH: usize = 40;

impl Options {
    /// The context that the options ask for.
    pub(super) fn context(&self) -> HitContext {
        match self.tokens {
            Some(tokens) => HitContext::Tokens(tokens),
            None if self.sentence || self.format.is_record() => HitContext::Sentence,
            None => HitContext::Characters(self.width.unwrap_or(WIDTH)),
        }
    }

    /// Most hits to print; `None` for all.
    pub(super) fn limit(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.limit)
    }
}

impl ConcordanceFormat {
    /// Whether a hit is written as a record with named fields.
    pub(super) fn is_record(self) -> bool {
        matches!(self, ConcordanceFormat::Json | ConcordanceFormat::Xml | ConcordanceFormat::Tsv)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct CommandLine {
        #[command(flatten)]
        options: Options,
    }

    pub fn refused(line: &[&str]) -> String {
        CommandLine::try_parse_from(line).err().map(|error| error.to_string()).unwrap_or_default()
    }

    pub fn options(line: &[&str]) -> Options {
        CommandLine::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).options
    }

    #[test]
    fn defaults_are_those_of_the_help() {
        let o = options(&["play"]);
        assert_eq!((o.limit, o.format, o.context()), (0, ConcordanceFormat::Kwic, HitContext::Characters(40)));
        assert_eq!(options(&["play", "--format", "json"]).context(), HitContext::Sentence);
        assert_eq!(options(&["play", "--format", "json", "--tokens", "8"]).context(), HitContext::Tokens(8));
        assert_eq!(options(&["play", "--language", "English,de"]).language, ["eng", "deu"]);
        assert!(options(&["--lemma", "play"]).words.is_empty());
    }

    #[test]
    fn what_excludes_itself_is_refused() {
        assert!(refused(&[]).contains("<WORD>"), "{}", refused(&[]));
        for (line, named) in [
            (vec!["play", "--width", "9", "--sentence"], "--sentence"),
            (vec!["play", "--tokens", "8", "--sentence"], "--sentence"),
            (vec!["play", "--by", "year"], "--count"),
            (vec!["play", "--sample", "1"], "--limit"),
            (vec!["play", "--count", "--limit", "5"], "--limit"),
            (vec!["--regex", "--lemma", "play"], "WORD"),
            (vec!["play", "--max-per-doc", "0"], "--max-per-doc"),
        ] {
            assert!(refused(&line).contains(named), "{line:?}: {}", refused(&line));
        }
    }
}
