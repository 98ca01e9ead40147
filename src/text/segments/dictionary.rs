//! Word segmentation of scripts that are written without spaces.
//!
//! Japanese, Chinese and Thai go by the word lists of [`lattice`](super::lattice); all other scripts, and Chinese in
//! traditional characters, by ICU's dictionaries and models.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::chars::{char_at, skip};
use super::lattice::Lattice;
use super::rules::{LanguageRules, WordList};
use crate::text::char_classes::is_mark;

static ICU: LazyLock<WordSegmenterBorrowed<'static>> = LazyLock::new(|| WordSegmenter::new_auto(Default::default()));
static JAPANESE: LazyLock<Option<Lattice>> = LazyLock::new(|| Lattice::read(include_bytes!("words_of/jpn.txt")));
static CHINESE: LazyLock<Option<Lattice>> = LazyLock::new(|| Lattice::read(include_bytes!("words_of/zho.txt")));
static THAI: LazyLock<Option<Lattice>> = LazyLock::new(|| Lattice::read(include_bytes!("words_of/tha.txt")));

/// Longest piece given to a lattice or to ICU, in bytes: bounds their memory on a page without punctuation. Both take
/// time linear in the length of a piece.
const LONGEST_PIECE: usize = 6_000;

/// Segments a run of unspaced script and calls `push` for each word. No word begins with a combining mark, unless the run
/// does.
pub fn segment(text: &str, run: Range<usize>, rules: &LanguageRules, mut push: impl FnMut(Range<usize>)) {
    let mut word = run.start..run.start;
    words(text, run, rules, |next| {
        let continues = char_at(text, next.start).is_some_and(is_mark) || joins_next(text, word.clone());
        if !continues && !word.is_empty() {
            push(word.clone());
        }
        word = if continues { word.start..next.end } else { next };
    });
    if !word.is_empty() {
        push(word);
    }
}

/// Whether a word ends with a sign that joins two consonants: virama of Burmese, coeng of Khmer.
fn joins_next(text: &str, word: Range<usize>) -> bool {
    text.get(word).is_some_and(|word| word.ends_with(['\u{1039}', '\u{17D2}']))
}

/// Calls `push` for each word that a dictionary, ICU or the division into syllables finds in a run.
fn words(text: &str, run: Range<usize>, rules: &LanguageRules, mut push: impl FnMut(Range<usize>)) {
    let mut start = run.start;
    while start < run.end {
        let script = char_at(text, start).map_or(UnspacedScript::Other, script);
        let lattice = lattice(script, rules);
        let limit = text.floor_char_boundary(run.end.min(start + LONGEST_PIECE));
        let end = text.get(..limit).map_or(limit, |text| skip(text, start, |c| self::script(c) == script));
        let piece = text.get(start..end).unwrap_or_default();
        match lattice.filter(|lattice| !lattice.is_foreign(piece)) {
            Some(lattice) => by_lattice(piece, lattice, rules, |word| push(start + word.start..start + word.end)),
            None if rules.syllables => by_syllables(piece, |word| push(start + word.start..start + word.end)),
            None => by_icu(piece, |word| push(start + word.start..start + word.end)),
        }
        start = end;
    }
}

/// Calls `push` for each word of a piece by a word list, with the language's prefixes joined to the next word.
fn by_lattice(piece: &str, lattice: &Lattice, rules: &LanguageRules, mut push: impl FnMut(Range<usize>)) {
    let mut prefix: Option<Range<usize>> = None;
    lattice.segment(piece, |word| {
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
enum UnspacedScript {
    /// Ideographs and kana.
    HanOrKana,
    Thai,
    Other,
}

fn script(c: char) -> UnspacedScript {
    match c as u32 {
        0x3005..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F => {
            UnspacedScript::HanOrKana
        }
        0x20000..=0x3FFFF => UnspacedScript::HanOrKana,
        0xE00..=0xE7F => UnspacedScript::Thai,
        _ => UnspacedScript::Other,
    }
}

/// The word list for a script in a language; none where ICU is used.
fn lattice(script: UnspacedScript, rules: &LanguageRules) -> Option<&'static Lattice> {
    match (script, rules.words) {
        (UnspacedScript::Thai, _) => THAI.as_ref(),
        (UnspacedScript::HanOrKana, Some(WordList::Jpn)) => JAPANESE.as_ref(),
        (UnspacedScript::HanOrKana, Some(WordList::Zho)) => CHINESE.as_ref(),
        _ => None,
    }
}

/// Calls `push` for each word of a piece by ICU.
fn by_icu(piece: &str, mut push: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for end in ICU.segment_str(piece).skip(1) {
        push(start..end);
        start = end;
    }
}

/// Calls `push` for each syllable of a piece in the Burmese script: it begins with a consonant that is neither closed by
/// a vowel killer nor written below another.
fn by_syllables(piece: &str, mut push: impl FnMut(Range<usize>)) {
    const KILLER: char = '\u{103A}';
    const STACKER: char = '\u{1039}';
    let (mut start, mut before) = (0, None);
    let mut letters = piece.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let closed = letters.peek().is_some_and(|(_, next)| matches!(*next, KILLER | STACKER));
        if at > start && !closed && before != Some(STACKER) && !is_mark(c) {
            push(start..at);
            start = at;
        }
        before = Some(c);
    }
    push(start..piece.len());
}
