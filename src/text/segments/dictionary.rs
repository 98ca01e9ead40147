//! Words of scripts that are written without spaces.
//!
//! Japanese, Chinese and Thai are cut with the word lists of [`lattice`](super::lattice); all other scripts, and Chinese
//! in traditional characters, with ICU's dictionaries and models.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::chars::{char_at, skip};
use super::lattice::Lattice;
use super::rules::{Rules, Words};

static ICU: LazyLock<WordSegmenterBorrowed<'static>> = LazyLock::new(|| WordSegmenter::new_auto(Default::default()));
static JAPANESE: LazyLock<Option<Lattice>> = LazyLock::new(|| Lattice::read(include_bytes!("words_of/jpn.gz")));
static CHINESE: LazyLock<Option<Lattice>> = LazyLock::new(|| Lattice::read(include_bytes!("words_of/zho.gz")));
static THAI: LazyLock<Option<Lattice>> = LazyLock::new(|| Lattice::read(include_bytes!("words_of/tha.gz")));

/// Longest piece given to a lattice (bytes): bounds its memory on a page without punctuation.
const LONGEST_PIECE: usize = 6_000;

/// Cuts a run of unspaced script, and calls `push` for each word.
pub fn cut(text: &str, run: Range<usize>, rules: &Rules, mut push: impl FnMut(Range<usize>)) {
    let mut start = run.start;
    while start < run.end {
        let script = char_at(text, start).map_or(Script::Other, script);
        let lattice = lattice(script, rules);
        let most = if lattice.is_some() { LONGEST_PIECE } else { run.len() };
        let end = skip(text, start, |c| self::script(c) == script).min(run.end).min(start + most);
        let end = text.floor_char_boundary(end);
        let piece = text.get(start..end).unwrap_or_default();
        match lattice.filter(|lattice| !lattice.is_foreign(piece)) {
            Some(lattice) => joined(piece, lattice, rules, |word| push(start + word.start..start + word.end)),
            None => by_icu(piece, |word| push(start + word.start..start + word.end)),
        }
        start = end;
    }
}

/// The words of a lattice, with the prefixes of the language put to the words that they make.
fn joined(piece: &str, lattice: &Lattice, rules: &Rules, mut push: impl FnMut(Range<usize>)) {
    let mut prefix: Option<Range<usize>> = None;
    lattice.cut(piece, |word| {
        if let Some(prefix) = prefix.take() {
            return push(prefix.start..word.end);
        }
        let text = piece.get(word.clone()).unwrap_or_default();
        if rules.joined_prefixes.iter().any(|joined| joined == text) {
            prefix = Some(word);
        } else {
            push(word);
        }
    });
    prefix.into_iter().for_each(push);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Ideographs and kana.
    Eastern,
    Thai,
    Other,
}

fn script(c: char) -> Script {
    match c as u32 {
        0x3005..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F => Script::Eastern,
        0x20000..=0x3FFFF => Script::Eastern,
        0xE00..=0xE7F => Script::Thai,
        _ => Script::Other,
    }
}

fn lattice(script: Script, rules: &Rules) -> Option<&'static Lattice> {
    match (script, rules.words) {
        (Script::Thai, _) => THAI.as_ref(),
        (Script::Eastern, Some(Words::Jpn)) => JAPANESE.as_ref(),
        (Script::Eastern, Some(Words::Zho)) => CHINESE.as_ref(),
        _ => None,
    }
}

fn by_icu(piece: &str, mut push: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for end in ICU.segment_str(piece).skip(1) {
        push(start..end);
        start = end;
    }
}
