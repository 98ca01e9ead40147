//! Bounded looks to the left and right of a place in a text.

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
    let run = text.get(..end).unwrap_or_default().chars().rev().take(most).take_while(|c| wanted(*c));
    end - run.map(char::len_utf8).sum::<usize>()
}

/// The offset at which the longest run of wanted characters ends that begins at `start`; at most `most` characters.
pub fn run_after(text: &str, start: usize, most: usize, wanted: impl Fn(char) -> bool) -> usize {
    let run = text.get(start..).unwrap_or_default().chars().take(most).take_while(|c| wanted(*c));
    start + run.map(char::len_utf8).sum::<usize>()
}

/// Whether a word in lower case stands among the last `most` characters before a byte offset, by itself.
pub fn has_word_before(text: &str, at: usize, most: usize, words: &[&str]) -> bool {
    let begin = run_before(text, at, most, |_| true);
    has_word(text.get(begin..at).unwrap_or_default(), words)
}

/// Whether a word in lower case is the next one after a byte offset.
pub fn is_word_after(text: &str, at: usize, words: &[&str]) -> bool {
    let end = run_after(text, at + 1, LONGEST_WORD, char::is_alphanumeric);
    after(text, at) == Some(' ') && has_word(text.get(at..end).unwrap_or_default(), words)
}

/// Characters of a word that is looked at.
const LONGEST_WORD: usize = 16;

fn has_word(context: &str, words: &[&str]) -> bool {
    let context = context.to_lowercase();
    let mut parts = context.split(|c: char| !c.is_alphanumeric() && !matches!(c, '§' | '☎' | '📞'));
    parts.any(|word| words.contains(&word))
}

/// Whether a character continues a word or number. Scripts that part no words (Thai, Han, kana) and those that add
/// particles to numbers (Hangul) lean on numbers that are not theirs.
pub fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| c < FIRST_LEANING && (c.is_alphanumeric() || c == '_'))
}

/// The first character of the Thai block; letters before it are of scripts that part words.
const FIRST_LEANING: char = '\u{0E00}';

/// Maximal runs of bytes, all of them ASCII, that `wanted` accepts: their byte ranges. Each kind that asks for them reads
/// the text once, at the speed of a byte table; code that jumps from digit to digit would not be worth it.
pub fn runs(text: &str, wanted: impl Fn(u8) -> bool + Copy) -> impl Iterator<Item = std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(place..)?;
        let start = place + rest.iter().position(|b| wanted(*b))?;
        let length = bytes.get(start..)?.iter().position(|b| !wanted(*b)).unwrap_or(bytes.len() - start);
        place = start + length;
        Some(start..place)
    })
}
