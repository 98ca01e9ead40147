//! Arguments of `warcorpus stoplist`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::recipe::ListLength;
use crate::language::Language;
use crate::select::sample::share;

/// Examples in the help of the command.
pub const STOPLIST_EXAMPLES: &str = "Examples:
  warcorpus stoplist corpus --language gle --out lists/gle.txt
  warcorpus stoplist --text wikipedia.txt --out lists/hsb.txt
  warcorpus build crawl/ --out corpus --set clean.stoplist=lists/hsb.txt

The list has the commonest forms that cover 50 % of the running words, or 55 or 60 % if good text would have too
few stop words. A text of five million words is enough.";

#[derive(Args, Debug)]
pub struct StoplistOptions {
    /// A built corpus, whose kept paragraphs are read
    #[arg(required_unless_present = "text", conflicts_with = "text", requires = "language")]
    pub corpus: Option<PathBuf>,
    /// Read only documents of this language (`warcorpus languages`)
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "text", value_parser = Language::by_name)]
    pub language: Option<Language>,
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
    pub words: Option<NonZeroUsize>,
}

impl StoplistOptions {
    /// The length of the list that the options ask for.
    pub fn length(&self) -> ListLength {
        let share = self.share.map_or(ListLength::Recipe, ListLength::Share);
        self.words.map_or(share, |words| ListLength::Forms(words.get()))
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Parser)]
    enum Program {
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
    fn arguments_are_parsed() {
        let line = "p stoplist --text a.txt b.txt --share 0.55";
        let Program::Stoplist(options) = Program::try_parse_from(line.split(' ')).unwrap();
        assert_eq!((options.text.len(), options.length()), (2, ListLength::Share(0.55)));
        assert!(accepts("p stoplist corpus --language ces --words 500"));
        assert!(!accepts("p stoplist --text a --words 0"), "no list");
        for wrong in ["", " corpus", " corpus --text a", " --text a --language ces", " --text a --share 2"] {
            assert!(!accepts(&format!("p stoplist{wrong}")), "{wrong}");
        }
    }
}
