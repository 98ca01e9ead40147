//! Arguments of `warcorpus stats`.

use std::path::PathBuf;

use clap::Args;

use super::counted_words::Casing;
use super::counter::MAX_NGRAM;
use crate::language::Language;

/// Examples in the help of the command.
pub const STATS_EXAMPLES: &str = "Examples:
  warcorpus stats corpus
  warcorpus stats corpus --out statistics --ngrams 3
  warcorpus stats corpus --out statistics --reference ces=syn2020.tsv --top 0
  warcorpus stats corpus --quantiles quantiles.toml

Words are tokens with a letter or digit. Without --out only the summary is printed; with it the directory
gets frequencies/, ngrams/, keywords/, yield.tsv, years.tsv and statistics.json.";

#[derive(Args, Debug)]
pub struct StatsOptions {
    /// A built corpus
    pub corpus: PathBuf,
    /// Directory to write tables to; made if it is not there
    #[arg(long, short)]
    pub out: Option<PathBuf>,
    /// Write only the quantiles of the quality signals by language, p5 to p95, to a file that `quality.thresholds` reads
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub quantiles: Option<PathBuf>,
    /// Count n-grams up to this length, within sentences and between punctuation
    #[arg(long, value_name = "N", default_value_t = 1, requires = "out",
          value_parser = clap::value_parser!(u8).range(1..=MAX_NGRAM as i64))]
    pub ngrams: u8,
    /// Rows of each list of frequencies; 0 for all
    #[arg(long, value_name = "K", default_value_t = 10_000)]
    pub top: usize,
    /// Keep case: The and the are two words
    #[arg(long)]
    pub case: bool,
    /// Frequency list to find the keywords of a language against: word, tab, count; several times for several languages
    #[arg(long, value_name = "LANGUAGE=FILE", requires = "out", value_parser = of_language::<PathBuf>)]
    pub reference: Vec<(String, PathBuf)>,
    /// Words of the reference corpus, if its list is only a part [default: the sum of its counts]
    #[arg(long, value_name = "LANGUAGE=WORDS", requires = "reference", value_parser = of_language::<u64>)]
    pub reference_words: Vec<(String, u64)>,
    /// Rows of each list of keywords
    #[arg(long, value_name = "K", default_value_t = 1000)]
    pub keywords: usize,
    /// Added to both frequencies per million before they are divided: small for rare keywords, large for common ones
    #[arg(long, value_name = "PER_MILLION", default_value_t = 1.0, value_parser = positive)]
    pub smoothing: f64,
}

impl StatsOptions {
    /// Whether words are counted in lower case.
    pub fn casing(&self) -> Casing {
        if self.case { Casing::Kept } else { Casing::Folded }
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
        for wrong in ["--ngrams 2", "-o s --ngrams 9", "-o s --reference a.tsv", "--reference ces=a", "--smoothing 0"] {
            assert!(!accepts(&format!("p stats corpus {wrong}")), "{wrong}");
        }
    }
}
