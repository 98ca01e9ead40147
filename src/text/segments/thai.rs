//! Abbreviations of Thai, Lao and Khmer: one to four consonants with a full stop, once or several times: `พ.ศ.`, `ดร.`,
//! `พล.อ.`, `ຄ.ສ.`, `គ.ស.`

use super::chars::{CharClass, char_at, char_before, class, skip, skip_back};

/// Bytes of the consonants of one part at most: four of three bytes each.
const LONGEST_PART: usize = 12;

fn is_consonant(c: char) -> bool {
    matches!(c, 'ก'..='ฮ' | '\u{E81}'..='\u{EAE}' | '\u{1780}'..='\u{17A2}')
}

/// The offset behind the abbreviation that begins at an offset, where no letter of its script stands before it. One stop at
/// the end of the text is no part of a word.
pub fn abbreviation_end(text: &str, at: usize) -> Option<usize> {
    let (mut end, mut parts) = (at, 0);
    loop {
        let stop = skip(text, end, is_consonant);
        if stop == end || stop - end > LONGEST_PART || char_at(text, stop) != Some('.') {
            break;
        }
        (end, parts) = (stop + 1, parts + 1);
    }
    (parts > 1 || parts == 1 && end < text.len()).then_some(end)
}

/// Whether the stop at an offset is that of an abbreviation.
pub fn ends_abbreviation(text: &str, stop: usize) -> bool {
    let start = skip_back(text, stop, LONGEST_PART, is_consonant);
    start < stop && char_before(text, start).is_none_or(|c| class(c) != CharClass::Unspaced)
}
