//! Arguments of `warcorpus stats` and `warcorpus stoplist`.

use std::path::PathBuf;

use clap::Args;

use super::counter::LONGEST;
use super::words::Casing;
use crate::stoplist::recipe::Extent;

pub const STATS_EXAMPLES: &str = "Examples:
  warcorpus stats corpus
  warcorpus stats corpus --out statistics --ngrams 3
  warcorpus stats corpus --out statistics --reference ces=syn2020.tsv --top 0

Words are tokens with a letter or digit. Without --out only the summary is printed; with it the directory
gets frequencies/, ngrams/, keywords/, yield.tsv, years.tsv and statistics.json.";

pub const STOPLIST_EXAMPLES: &str = "Examples:
  warcorpus stoplist corpus --language hsb --out lists/hsb.txt
  warcorpus stoplist --text wikipedia.txt --out lists/hsb.txt
  warcorpus build crawl/ --out corpus --set clean.stoplist='\"lists/hsb.txt\"'

The list is the commonest forms that cover 50 % of the running words, or 55 or 60 % where that is too few for
good text. Five million words are enough.";

#[derive(Args, Debug)]
pub struct StatsOptions {
    /// A built corpus
    pub corpus: PathBuf,
    /// Directory to write tables to; made if it is not there
    #[arg(long, short)]
    pub out: Option<PathBuf>,
    /// Count n-grams up to this length, within sentences and between punctuation
    #[arg(long, value_name = "N", default_value_t = 1, requires = "out",
          value_parser = clap::value_parser!(u8).range(1..=LONGEST as i64))]
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
    pub fn casing(&self) -> Casing {
        if self.case { Casing::Kept } else { Casing::Folded }
    }
}

#[derive(Args, Debug)]
pub struct StoplistOptions {
    /// A built corpus, whose kept paragraphs are read
    #[arg(required_unless_present = "text", conflicts_with = "text", requires = "language")]
    pub corpus: Option<PathBuf>,
    /// Read only documents of this language, ISO 639-3
    #[arg(long, value_name = "CODE", conflicts_with = "text")]
    pub language: Option<String>,
    /// Plain text in UTF-8 to read instead, each line a paragraph; - for standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub text: Vec<PathBuf>,
    /// File to write [default: standard output]
    #[arg(long, short)]
    pub out: Option<PathBuf>,
    /// Share of running words that the list covers, such as 0.5 [default: 0.5, 0.55 or 0.6, the first that will do]
    #[arg(long, conflicts_with = "words", value_parser = share)]
    pub share: Option<f64>,
    /// Number of words in the list
    #[arg(long, value_name = "N")]
    pub words: Option<usize>,
}

impl StoplistOptions {
    pub fn extent(&self) -> Extent {
        let share = self.share.map_or(Extent::Recipe, Extent::Share);
        self.words.map_or(share, Extent::Forms)
    }
}

/// `ces=…`.
fn of_language<T: std::str::FromStr<Err: ToString>>(text: &str) -> Result<(String, T), String> {
    let (language, value) = text.split_once('=').ok_or("expected LANGUAGE=…, such as ces=…")?;
    Ok((language.into(), value.parse().map_err(|error: T::Err| error.to_string())?))
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number: &f64| *number > 0.0 && number.is_finite())
        .ok_or_else(|| "expected a number above 0".into())
}

fn share(text: &str) -> Result<f64, String> {
    let within = |number: &f64| *number > 0.0 && *number <= 1.0;
    text.parse().ok().filter(within).ok_or_else(|| "expected a share above 0, at most 1".into())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Parser)]
    enum Program {
        #[command(after_help = STATS_EXAMPLES)]
        Stats(StatsOptions),
        #[command(after_help = STOPLIST_EXAMPLES)]
        Stoplist(StoplistOptions),
    }

    fn accepts(line: &str) -> bool {
        Program::try_parse_from(line.split(' ')).is_ok()
    }

    #[test]
    fn the_definitions_hold() {
        Program::command().debug_assert();
    }

    #[test]
    fn statistics_are_asked_for() {
        let line =
            "p stats corpus --out s --ngrams 3 --case --reference ces=a.tsv --reference-words ces=9 --smoothing 100";
        let Ok(Program::Stats(options)) = Program::try_parse_from(line.split(' ')) else { panic!() };
        assert_eq!((options.ngrams, options.top, options.casing()), (3, 10_000, Casing::Kept));
        assert_eq!(options.reference, [("ces".into(), PathBuf::from("a.tsv"))]);
        assert_eq!(options.reference_words, [("ces".into(), 9)]);
        assert!(accepts("p stats corpus"));
        for wrong in ["--ngrams 2", "-o s --ngrams 9", "-o s --reference a.tsv", "--reference ces=a", "--smoothing 0"] {
            assert!(!accepts(&format!("p stats corpus {wrong}")), "{wrong}");
        }
    }

    #[test]
    fn lists_are_asked_for() {
        let line = "p stoplist --text a.txt b.txt --share 0.55";
        let Ok(Program::Stoplist(options)) = Program::try_parse_from(line.split(' ')) else { panic!() };
        assert_eq!((options.text.len(), options.extent()), (2, Extent::Share(0.55)));
        assert!(accepts("p stoplist corpus --language ces --words 500"));
        for wrong in ["", " corpus", " corpus --text a", " --text a --language ces", " --text a --share 2"] {
            assert!(!accepts(&format!("p stoplist{wrong}")), "{wrong}");
        }
    }
}
