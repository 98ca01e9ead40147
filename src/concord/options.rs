//! What is asked for, as typed.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

pub const CONCORD_EXAMPLES: &str = "Examples:
  warcorpus concord corpus play plays played playing
  warcorpus concord corpus climate --language eng --sort right --limit 200
  warcorpus concord corpus climate --sample 1 --limit 500 --unique --format json > climate.json
  warcorpus concord corpus --regex '\\bun\\w+able\\b' --sentence --max-per-doc 1
  warcorpus concord corpus --lemma play --tag 'V.*' --format tsv
  warcorpus concord corpus climate --count

A WORD is found as a whole word: no letter, digit, mark or underscore touches it, as with grep -w; apostrophes and
hyphens end a word, so that dog is found in dog's. Where no spaces are written between words (Han, kana, Thai, Lao,
Khmer, Burmese) it is found anywhere. Of hits that overlap the first counts, of two at one place the longer. In
--regex, (?-u:\\b) is much faster than \\b where texts are not all ASCII.

start and end in json, xml and tsv count characters (Unicode scalar values) of the sentence, end exclusive.";

// What to look for, which hits to take, and how to print them. (A doc comment would replace the command's own line.)
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Word or phrase to look for; several are forms of one word, and the first of them names it
    #[arg(value_name = "WORD", required_unless_present_any = ["lemma", "tag"])]
    pub words: Vec<String>,
    /// The WORDs are regular expressions in the syntax of Rust's regex crate, for the text of a paragraph
    #[arg(long, requires = "words")]
    pub regex: bool,
    /// Only tokens of this lemma; the corpus must be tagged
    #[arg(long, value_name = "LEMMA")]
    pub lemma: Option<String>,
    /// Only tokens whose whole tag matches this regular expression; the corpus must be tagged
    #[arg(long, value_name = "REGEX")]
    pub tag: Option<String>,
    /// Tell capital from small letters in words, regular expressions and lemmas
    #[arg(long)]
    pub case: bool,
    /// Only paragraphs in these languages, such as eng,deu
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub language: Vec<String>,
    /// Characters of context on each side, within the paragraph [default: 40]
    #[arg(long, value_name = "N", conflicts_with = "sentence")]
    pub width: Option<usize>,
    /// The whole sentence as context; json, xml and tsv always have it
    #[arg(long)]
    pub sentence: bool,
    /// Sort by the words before the hit (nearest first), after it, or by the hit; ties in corpus order
    #[arg(long, value_name = "BY")]
    pub sort: Option<Sort>,
    /// Hits to print, 0 for all: the first ones, with --sort the first when all are sorted
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub limit: usize,
    /// Hits to take from one document at most
    #[arg(long, value_name = "N")]
    pub max_per_doc: Option<NonZeroUsize>,
    /// Print --limit hits from anywhere instead of the first; the same seed chooses the same hits
    #[arg(long, value_name = "SEED", requires = "limit")]
    pub sample: Option<u64>,
    /// Print each sentence once (the last million sentences are remembered)
    #[arg(long)]
    pub unique: bool,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Kwic)]
    pub format: Format,
    /// Print only the number of hits, of each WORD and in all
    #[arg(long, conflicts_with_all = ["width", "sentence", "sort", "limit", "max_per_doc", "sample", "unique", "format"])]
    pub count: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    Left,
    Right,
    Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One line a hit, the hits below one another
    Kwic,
    /// One array of objects
    Json,
    /// concordances, with an item for each hit
    Xml,
    /// One line a hit, with a header
    Tsv,
    /// A page to read
    Html,
}

/// How much text stands around a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// So many characters on each side, within the paragraph.
    Characters(usize),
    Sentence,
}

/// The default of `--width`.
const WIDTH: usize = 40;

impl Options {
    pub(super) fn context(&self) -> Context {
        match self.sentence || self.format.is_record() {
            true => Context::Sentence,
            false => Context::Characters(self.width.unwrap_or(WIDTH)),
        }
    }

    /// `None` for all.
    pub(super) fn limit(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.limit)
    }
}

impl Format {
    /// The formats with fields, which are for programs.
    pub(super) fn is_record(self) -> bool {
        matches!(self, Format::Json | Format::Xml | Format::Tsv)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    pub fn refused(line: &[&str]) -> String {
        Line::try_parse_from(line).err().map(|error| error.to_string()).unwrap_or_default()
    }

    pub fn options(line: &[&str]) -> Options {
        Line::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).options
    }

    #[test]
    fn defaults_are_those_of_the_help() {
        let o = options(&["play"]);
        assert_eq!((o.limit, o.format, o.context()), (0, Format::Kwic, Context::Characters(40)));
        assert_eq!(options(&["play", "--format", "json"]).context(), Context::Sentence);
        assert_eq!(options(&["play", "--language", "eng,deu"]).language, ["eng", "deu"]);
        assert!(options(&["--lemma", "play"]).words.is_empty());
    }

    #[test]
    fn what_excludes_itself_is_refused() {
        assert!(refused(&[]).contains("<WORD>"), "{}", refused(&[]));
        for (line, named) in [
            (vec!["play", "--width", "9", "--sentence"], "--sentence"),
            (vec!["play", "--sample", "1"], "--limit"),
            (vec!["play", "--count", "--limit", "5"], "--limit"),
            (vec!["--regex", "--lemma", "play"], "WORD"),
            (vec!["play", "--max-per-doc", "0"], "--max-per-doc"),
        ] {
            assert!(refused(&line).contains(named), "{line:?}: {}", refused(&line));
        }
    }
}
