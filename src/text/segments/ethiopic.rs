//! Shortened words of Ethiopic script: the first letter, a slash and the end of the word or the next word (`ዶ/ር`, `ም/ቤት`).

use super::chars::{char_at, skip_back};

/// Prepositions that are written to the next word: "of", "for", "in", "from".
const PREFIXES: [char; 4] = ['የ', 'ለ', 'በ', 'ከ'];
/// Bytes of the letters examined before a slash: one more than a preposition and the letter have.
const LONGEST_PART: usize = 9;

/// Whether the slash at an offset shortens a word: one letter stands before it, or one with a preposition (`የዶ/ር`), and a letter
/// behind it. Between longer words it stands for "or".
pub fn is_shortening(text: &str, at: usize) -> bool {
    if char_at(text, at) != Some('/') || !char_at(text, at + 1).is_some_and(is_ethiopic_letter) {
        return false;
    }
    let start = skip_back(text, at, LONGEST_PART, is_ethiopic_letter);
    let mut letters = text.get(start..at).unwrap_or_default().chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some(_), None, _) => true,
        (Some(first), Some(_), None) => PREFIXES.contains(&first),
        _ => false,
    }
}

fn is_ethiopic_letter(c: char) -> bool {
    matches!(c, '\u{1200}'..='\u{135A}')
}
