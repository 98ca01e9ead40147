//! Arguments of `warcorpus stats`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::by_year::YearOf;
use super::collocations::{Measure, Window};
use super::counted_words::Casing;
use super::counter::MAX_NGRAM;
use super::dispersion::{MAX_PARTS, PartUnit};
use crate::language::Language;

/// Examples in the help of the command.
pub const STATS_EXAMPLES: &str = "Examples:
  warcorpus stats corpus
  warcorpus stats corpus --out statistics --ngrams 3
  warcorpus stats corpus --out statistics --reference ces=syn2020.tsv --top 0
  warcorpus stats corpus --collocations climate --window 5
  warcorpus stats corpus --collocations go,went --by word --measure log-likelihood --out statistics
  warcorpus stats corpus --out statistics --dispersion 100 --years published --ngrams 2
  warcorpus stats corpus --group-by page_type --where 'languages has ces and lix < 40'
  warcorpus stats corpus --quantiles quantiles.toml

Words are tokens with a letter or digit. Without --out only the summary is printed; with it the directory
gets frequencies/, ngrams/, keywords/, collocations/, dispersion/, years/, yield.tsv, years.tsv, groups.tsv
and statistics.json.
The measures are described in docs/formats.md.";

#[derive(Args, Debug)]
pub struct StatsOptions {
    /// A built corpus
    pub corpus: PathBuf,
    /// Directory to write tables to; made if it is not there
    #[arg(long, short)]
    pub out: Option<PathBuf>,
    /// Write only the quantiles of the quality signals by language, p5 to p95, to a file that `quality.thresholds` reads
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "ngrams", "top", "case", "by", "group_by", "collocations",
          "dispersion", "years", "reference", "keywords", "smoothing"])]
    pub quantiles: Option<PathBuf>,
    /// Count n-grams up to this length, within sentences and between punctuation
    #[arg(long, value_name = "N", default_value_t = 1, requires = "out",
          value_parser = clap::value_parser!(u8).range(1..=MAX_NGRAM as i64))]
    pub ngrams: u8,
    /// Rows of each list of frequencies; 0 for all
    #[arg(long, value_name = "K", default_value_t = 10_000, requires = "out")]
    pub top: usize,
    /// Keep case: The and the are two words
    #[arg(long)]
    pub case: bool,
    /// What is counted as a word; lemmas need a tagged corpus
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    pub by: CountedBy,
    /// Count the documents for each value of a column (those of --where), such as page_type, language or year
    #[arg(long, value_name = "COLUMN")]
    pub group_by: Option<String>,
    #[command(flatten)]
    pub collocations: CollocationOptions,
    /// Write how evenly words are spread over this many parts of the corpus: Juilland's D, and DP of Gries
    #[arg(long, value_name = "PARTS", requires = "out", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PARTS)))]
    pub dispersion: Option<u32>,
    /// What is dealt into the parts
    #[arg(long, value_enum, value_name = "UNIT", default_value_t, requires = "dispersion")]
    pub parts: PartUnit,
    /// Write the frequencies of words and n-grams in each year, by this date of their documents
    #[arg(long, value_enum, value_name = "DATE", requires = "out")]
    pub years: Option<YearOf>,
    /// Frequency list to find the keywords of a language against: word, tab, count; several times for several languages
    #[arg(long, value_name = "LANGUAGE=FILE", requires = "out", value_parser = of_language::<PathBuf>)]
    pub reference: Vec<(String, PathBuf)>,
    /// Words of the reference corpus, if its list is only a part [default: the sum of its counts]
    #[arg(long, value_name = "LANGUAGE=WORDS", requires = "reference", value_parser = of_language::<u64>)]
    pub reference_words: Vec<(String, u64)>,
    /// Rows of each list of keywords; 0 for all
    #[arg(long, value_name = "K", default_value_t = 1000, requires = "reference")]
    pub keywords: usize,
    /// Added to both frequencies per million before they are divided: small for rare keywords, large for common ones
    #[arg(long, value_name = "PER_MILLION", default_value_t = 1.0, requires = "reference", value_parser = positive)]
    pub smoothing: f64,
}

// Not doc comments, because clap would show them in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum CountedBy {
    /// The word as it is written
    #[default]
    Word,
    /// The lemma that the tagger gave, or the word where it gave none
    Lemma,
}

/// A form of a node without the blanks around it.
fn form(text: &str) -> Result<String, &'static str> {
    Some(text.trim()).filter(|form| !form.is_empty()).map(String::from).ok_or("a word is empty")
}

// Which collocations are sought. Not a doc comment, because clap would show it in the help.
#[derive(Debug, Clone, Args)]
pub struct CollocationOptions {
    /// Find the words that stand near this one; several, separated by commas, are forms of one
    #[arg(long, value_name = "WORD", value_delimiter = ',', value_parser = form)]
    pub collocations: Vec<String>,
    /// Tokens on each side that are near, within the sentence; or LEFT,RIGHT
    #[arg(long, value_name = "TOKENS", default_value = "5", requires = "collocations")]
    pub window: Window,
    /// Fewest pairs of a collocation
    #[arg(long, value_name = "N", default_value_t = 3, requires = "collocations")]
    pub min_pairs: u64,
    /// What collocations are ordered by; all measures are written
    #[arg(long, value_enum, value_name = "MEASURE", default_value_t, requires = "collocations")]
    pub measure: Measure,
    /// Rows of each list of collocations
    #[arg(long, value_name = "K", default_value_t = 1000, requires = "collocations",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub collocates: u32,
}

impl StatsOptions {
    /// Whether words are counted in lower case.
    pub fn casing(&self) -> Casing {
        if self.case { Casing::Kept } else { Casing::default() }
    }
}

/// Parses a value for a language: `ces=…`.
fn of_language<T: std::str::FromStr<Err: ToString>>(text: &str) -> Result<(String, T), String> {
    let (language, value) = text.split_once('=').ok_or("expected LANGUAGE=…, such as ces=…")?;
    let language = Language::by_name(language)?;
    Ok((language.code().into(), value.parse().map_err(|error: T::Err| error.to_string())?))
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number: &f64| *number > 0.0 && number.is_finite())
        .ok_or_else(|| "expected a number above 0".into())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Parser)]
    enum Program {
        #[command(after_help = STATS_EXAMPLES)]
        Stats(StatsOptions),
    }

    fn accepts(line: &str) -> bool {
        Program::try_parse_from(line.split(' ')).is_ok()
    }

    #[test]
    fn the_definitions_hold() {
        Program::command().debug_assert();
    }

    #[test]
    fn arguments_are_parsed() {
        let line =
            "p stats corpus --out s --ngrams 3 --case --reference ces=a.tsv --reference-words ces=9 --smoothing 100";
        let Program::Stats(options) = Program::try_parse_from(line.split(' ')).unwrap();
        assert_eq!((options.ngrams, options.top, options.casing()), (3, 10_000, Casing::Kept));
        assert_eq!(options.reference, [("ces".into(), PathBuf::from("a.tsv"))]);
        assert_eq!(options.reference_words, [("ces".into(), 9)]);
        assert!(accepts("p stats corpus"));
        let line = "p stats corpus --collocations go,went --window 0,3 --measure t-score --by lemma";
        let Program::Stats(options) = Program::try_parse_from(line.split(' ')).unwrap();
        let wanted = &options.collocations;
        assert_eq!((wanted.collocations.join(" "), wanted.window), ("go went".into(), Window { left: 0, right: 3 }));
        assert_eq!((wanted.measure, options.by), (Measure::TScore, CountedBy::Lemma));
        for wrong in ["--window 3", "--dispersion 9", "-o s --dispersion 1", "--years published", "-o s --years x"] {
            assert!(!accepts(&format!("p stats corpus {wrong}")), "{wrong}");
        }
        for wrong in [
            "--ngrams 2",
            "-o s --ngrams 9",
            "-o s --reference a.tsv",
            "--reference ces=a",
            "--top 5",
            "-o s --keywords 5",
            "-o s --smoothing 2",
        ] {
            assert!(!accepts(&format!("p stats corpus {wrong}")), "{wrong}");
        }
    }
}
