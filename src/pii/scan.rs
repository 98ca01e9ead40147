//! Bounded looks to the left and right of a place in a text.

use std::ops::Range;

#[inline]
fn looked() {
    #[cfg(test)]
    LOOKS.set(LOOKS.get() + 1);
}

/// The character before a byte offset.
pub fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The character at a byte offset.
pub fn after(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The offset at which the longest run of wanted characters begins that ends at `end`; at most `most` characters.
pub fn run_before(text: &str, end: usize, most: usize, wanted: impl Fn(char) -> bool) -> usize {
    let wanted = |c: &char| {
        looked();
        wanted(*c)
    };
    let run = text.get(..end).unwrap_or_default().chars().rev().take(most).take_while(wanted);
    end - run.map(char::len_utf8).sum::<usize>()
}

/// The offset at which the longest run of wanted characters ends that begins at `start`; at most `most` characters.
pub fn run_after(text: &str, start: usize, most: usize, wanted: impl Fn(char) -> bool) -> usize {
    let wanted = |c: &char| {
        looked();
        wanted(*c)
    };
    let run = text.get(start..).unwrap_or_default().chars().take(most).take_while(wanted);
    start + run.map(char::len_utf8).sum::<usize>()
}

/// The last characters before a byte offset, at most `most`, in lower case and without a word that they cut.
pub fn context_before(text: &str, at: usize, most: usize) -> String {
    let begin = run_before(text, at, most, |_| true);
    let context = text.get(begin..at).unwrap_or_default();
    let is_cut = joins(before(text, begin));
    context.trim_start_matches(|c: char| is_cut && joins(Some(c))).to_lowercase()
}

/// The first characters after a byte offset, likewise.
pub fn context_after(text: &str, at: usize, most: usize) -> String {
    let end = run_after(text, at, most, |_| true);
    let context = text.get(at..end).unwrap_or_default();
    let is_cut = joins(after(text, end));
    context.trim_end_matches(|c: char| is_cut && joins(Some(c))).to_lowercase()
}

/// The words of a text. Han, kana and Hangul, which part no words or add particles to them, part those of other scripts.
pub fn words(context: &str) -> impl DoubleEndedIterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() && c < FIRST_EAST_ASIAN || c == '§';
    context.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty())
}

/// Whether a word in lower case stands among the last `most` characters before a byte offset, by itself.
pub fn has_word_before(text: &str, at: usize, most: usize, wanted: &[&str]) -> bool {
    words(&context_before(text, at, most)).any(|word| wanted.contains(&word))
}

/// Whether a word in lower case is the next one after a byte offset.
pub fn is_word_after(text: &str, at: usize, wanted: &[&str]) -> bool {
    let end = run_after(text, at + 1, LONGEST_WORD, char::is_alphanumeric);
    let word = text.get(at..end).unwrap_or_default().to_lowercase();
    after(text, at) == Some(' ') && words(&word).any(|word| wanted.contains(&word))
}

/// Characters of a word that is looked at.
const LONGEST_WORD: usize = 16;

/// The first character of the blocks of Han, kana and Hangul.
const FIRST_EAST_ASIAN: char = '\u{2E80}';

/// Whether what stands between two numbers, a mark or a conjunction, makes them a list.
pub fn parts_list(text: &str, gap: Range<usize>) -> bool {
    let Some(gap) = text.get(gap).filter(|gap| gap.len() <= LONGEST_GAP) else { return false };
    let is_mark = |c: char| matches!(c, ',' | ';' | '/' | '|' | '、' | '，' | '；');
    let word = gap.trim_matches(|c: char| c.is_whitespace() || c == ')' || is_mark(c));
    match word {
        "" => gap.contains(is_mark),
        _ => CONJUNCTIONS.contains(&word.to_lowercase().as_str()),
    }
}

/// Bytes between two numbers of a list at most.
const LONGEST_GAP: usize = 24;

/// Words between the numbers of a list.
const CONJUNCTIONS: [&str; 80] = [
    "&",
    "and",
    "or",
    "and/or",
    "und",
    "oder",
    "und/oder",
    "bzw",
    "sowie",
    "et",
    "ou",
    "y",
    "o",
    "u",
    "e",
    "ed",
    "oppure",
    "och",
    "eller",
    "og",
    "ja",
    "tai",
    "sekä",
    "és",
    "vagy",
    "en",
    "of",
    "a",
    "i",
    "oraz",
    "lub",
    "albo",
    "nebo",
    "či",
    "alebo",
    "ali",
    "in",
    "ili",
    "și",
    "si",
    "sau",
    "ve",
    "veya",
    "ή",
    "και",
    "и",
    "или",
    "й",
    "та",
    "або",
    "un",
    "vai",
    "ir",
    "arba",
    "või",
    "dhe",
    "ose",
    "dan",
    "atau",
    "và",
    "hoặc",
    "和",
    "与",
    "與",
    "或",
    "及",
    "と",
    "または",
    "や",
    "및",
    "또는",
    "و",
    "أو",
    "یا",
    "ו",
    "או",
    "และ",
    "หรือ",
    "और",
    "या",
];

/// Whether a character continues a word or number. Scripts that part no words (Thai, Han, kana) and those that add
/// particles to numbers (Hangul) lean on numbers that are not theirs.
pub fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| c < FIRST_LEANING && (c.is_alphanumeric() || c == '_'))
}

/// The first character of the Thai block; letters before it are of scripts that part words.
const FIRST_LEANING: char = '\u{0E00}';

/// Maximal runs of bytes, all of them ASCII, that `wanted` accepts: their byte ranges. Each kind that asks for them reads
/// the text once, at the speed of a byte table; code that jumps from digit to digit would not be worth it.
pub fn runs(text: &str, wanted: impl Fn(u8) -> bool + Copy) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let wanted = move |byte: &u8| {
        looked();
        wanted(*byte)
    };
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(place..)?;
        let start = place + rest.iter().position(wanted)?;
        let length = bytes.get(start..)?.iter().position(|byte| !wanted(byte)).unwrap_or(bytes.len() - start);
        place = start + length;
        Some(start..place)
    })
}

#[cfg(test)]
thread_local! {
    /// How many characters were looked at, from which a test sees that it grows as the text does.
    pub static LOOKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
