//! Abbreviations of Thai, Lao and Khmer: one to four consonants with a full stop, once or several times: `พ.ศ.`, `ดร.`,
//! `พล.อ.`, `ຄ.ສ.`, `គ.ស.`

use super::chars::{CharClass, char_at, char_before, class, skip, skip_back};

/// Bytes of the consonants of one part at most: four of three bytes each.
const LONGEST_PART: usize = 12;

/// What web pages part words with.
const ZERO_WIDTH_SPACE: char = '\u{200B}';
/// Abbreviations of Lao with one stop. Others are not known by their letters: a word may have no vowel sign (`ສອງ`).
const LAO: [&str; 1] = ["ດຣ"];
/// Abbreviations with vowel signs: March, April, June.
const MONTHS: [&str; 3] = ["มี.ค.", "เม.ย.", "มิ.ย."];

fn is_consonant(c: char) -> bool {
    matches!(c, 'ก'..='ฮ' | '\u{E81}'..='\u{EAE}' | '\u{1780}'..='\u{17A2}')
}

/// Whether consonants with one stop are an abbreviation.
fn may_stand_alone(part: &str) -> bool {
    part.starts_with(|c: char| ('ก'..='ฮ').contains(&c)) || LAO.contains(&part)
}

/// The offset of the stop behind the consonants at an offset, if there are so many; a stop of an ellipsis is none.
fn part_end(text: &str, at: usize) -> Option<usize> {
    let stop = skip(text, at, is_consonant);
    let is_part = stop > at && stop - at <= LONGEST_PART && char_at(text, stop) == Some('.');
    (is_part && char_at(text, stop + 1) != Some('.')).then_some(stop)
}

/// The offset behind the abbreviation that begins at an offset, where no letter of its script stands before it. One stop at
/// the end of the text is no part of a word.
pub fn abbreviation_end(text: &str, at: usize) -> Option<usize> {
    if char_before(text, at) == Some(ZERO_WIDTH_SPACE) {
        return None;
    }
    let rest = text.get(at..).unwrap_or_default();
    if let Some(month) = MONTHS.iter().find(|month| rest.starts_with(**month)) {
        return Some(at + month.len());
    }
    let (mut end, mut parts) = (at, 0);
    while let Some(stop) = part_end(text, end) {
        (end, parts) = (stop + 1, parts + 1);
    }
    let alone = || end < text.len() && may_stand_alone(text.get(at..end - 1).unwrap_or_default());
    (parts > 1 || parts == 1 && alone()).then_some(end)
}

/// Whether the stop at an offset is that of an abbreviation.
pub fn ends_abbreviation(text: &str, stop: usize) -> bool {
    let start = skip_back(text, stop, LONGEST_PART, is_consonant);
    let before = char_before(text, start);
    if part_end(text, start) != Some(stop)
        || before.is_some_and(|c| c == ZERO_WIDTH_SPACE || class(c) == CharClass::Unspaced)
    {
        return false;
    }
    may_stand_alone(text.get(start..stop).unwrap_or_default())
        || before == Some('.')
        || part_end(text, stop + 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consonants_with_stops() {
        for text in ["พ.ศ. 2560", "ดร. สมชาย", "ຄ.ສ. 1990", "ດຣ. ສົມສັກ", "គ.ស. 1990"]
        {
            let end = text.find(' ').unwrap();
            assert_eq!(abbreviation_end(text, 0), Some(end), "{text}");
            let stops = text.match_indices('.').map(|(stop, _)| stop);
            assert!(stops.clone().all(|stop| ends_abbreviation(text, stop)), "{text}");
        }
        for text in ["ສອງ. ຄົນ", "ຕາ ບອດ. ຄົນ", "ຕາ\u{200B}ບອດ. ຄົນ", "กก... ข", "ផង. គាត់"]
        {
            let stop = text.find('.').unwrap();
            assert!(!ends_abbreviation(text, stop), "{text}");
            let start = skip_back(text, stop, LONGEST_PART, is_consonant);
            assert_eq!(abbreviation_end(text, start), None, "{text}");
        }
    }
}
