//! The texts that n-grams are counted in beside those of lingua's models: one JSON object a line, with the ISO 639-3 code
//! `lang`, its macrolanguage `macro`, `source` and `text`. They are not part of the repository; docs/language.md has their
//! sources and licences.

use std::fs::File;
use std::io::{BufRead, BufReader, Error, Read, Result};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use crate::script::{Letter, Script, letter};

/// A text in a known language.
pub struct Text {
    pub language: String,
    /// The macrolanguage that the language is a member of, or empty.
    pub of: String,
    pub script: Script,
    pub text: String,
    /// Whether n-grams are not counted in it, so that it shows what text usually costs.
    pub held_out: bool,
}

#[derive(Deserialize)]
struct Line {
    lang: String,
    #[serde(rename = "macro", default)]
    of: String,
    source: String,
    #[serde(default)]
    split: String,
    text: String,
}

/// Source whose licence is not certain.
const LEFT_OUT: &str = "bible-cc0";
/// Sources of labelled texts of which those of an even number of bytes are used; the others measure the table.
const HALVED: [&str; 3] = ["udhr", "dslcc2", "flores1"];
/// Of the gathered texts one in so many is held out.
const HELD_OUT: usize = 10;

/// Reads the texts of a folder.
pub fn texts(folder: &Path) -> Result<Vec<Text>> {
    let mut texts = Vec::new();
    for file in ["languages/train.jsonl.zst", "languages/contrast.jsonl.zst"] {
        let mut decoder = zstd::Decoder::new(File::open(folder.join(file))?)?;
        decoder.window_log_max(27)?;
        read(
            decoder,
            |line, number| {
                let used = line.source != LEFT_OUT && line.split != "dev";
                used.then_some(number % HELD_OUT == 0)
            },
            &mut texts,
        )?;
    }
    let labelled = MultiGzDecoder::new(File::open(folder.join("langid/langid.jsonl.gz"))?);
    let halved =
        |line: &Line, _| (HALVED.contains(&line.source.as_str()) && line.text.len().is_multiple_of(2)).then_some(false);
    read(labelled, halved, &mut texts)?;
    Ok(texts)
}

/// Adds the lines that are used: where `held_out` says so or not.
fn read(reader: impl Read, held_out: impl Fn(&Line, usize) -> Option<bool>, texts: &mut Vec<Text>) -> Result<()> {
    for (number, line) in BufReader::new(reader).lines().enumerate() {
        let line: Line = serde_json::from_str(&line?).map_err(Error::other)?;
        let Some(held_out) = held_out(&line, number) else { continue };
        let Some(script) = script_of(&line.text) else { continue };
        texts.push(Text { language: line.lang, of: line.of, script, text: line.text, held_out });
    }
    Ok(())
}

/// The script of most letters of a text.
pub fn script_of(text: &str) -> Option<Script> {
    let mut counts = [0u32; Script::Other as usize + 1];
    let mut best = None;
    let mut most = 0;
    for script in text.chars().filter_map(script) {
        let count = counts.get_mut(script as usize)?;
        *count += 1;
        if *count > most {
            (best, most) = (Some(script), *count);
        }
    }
    best
}

/// The script of a letter; none for anything that is no letter.
pub fn script(c: char) -> Option<Script> {
    match letter(c) {
        Letter::Of(script) => Some(script),
        Letter::Skipped | Letter::No => None,
    }
}
