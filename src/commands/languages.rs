//! `languages`: lists the languages that are identified.

use std::fmt::Write as _;

use super::{Exit, print};
use crate::clean::stoplist::Stoplist;
use crate::language::Language;
use crate::text::segments;

pub const EXAMPLES: &str = "\
Example: the code of a language
  warcorpus languages | grep -i sorbian

Columns, separated by tabs: ISO 639-3 code, ISO 639-1 code, name, scripts in which it is identified, whether there is a \
stop-word list (yes or no), whether there are own rules for tokens and sentences (yes or no).";

#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub fn run(_: &Arguments) -> anyhow::Result<Exit> {
    let mut out = String::from("code\tcode2\tname\tscripts\tstoplist\trules\n");
    let yes = |is: bool| if is { "yes" } else { "no" };
    for language in Language::all() {
        let (code, name, scripts) = (language.code(), language.name(), language.scripts());
        let (stoplist, rules) = (yes(Stoplist::has_code(code)), yes(segments::has_rules(code)));
        let _ =
            writeln!(out, "{code}\t{}\t{name}\t{scripts}\t{stoplist}\t{rules}", language.two_letters().unwrap_or(""));
    }
    print(&out)?;
    Ok(Exit::Done)
}
