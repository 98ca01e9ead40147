//! The letters of a name and the signs that belong to them.

use crate::text::char_classes::{is_letter_or_mark, is_mark};

/// A name without the signs that are part of none.
pub(super) fn without_signs(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut before = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        // Combining marks belong to letters (Indic and decomposed names).
        let is_part = c.is_alphanumeric() || is_mark(c) || " -–.'’_()".contains(c);
        if is_part || is_inner_sign(before, c, chars.peek().copied()) {
            kept.push(c);
        }
        before = c;
    }
    kept
}

/// Signs that belong to a name between two of its letters: joiners (`علی\u{200C}رضا`), the mark that parts syllables of Tibetan,
/// dots (`ジョン・スミス`, `Gal·la`), hyphens, apostrophes.
const INNER_SIGNS: [char; 19] = [
    '\u{200C}', '\u{200D}', '་', '༌', '·', '‧', '・', '･', '＝', '゠', '\u{2010}', '\u{2011}', '‘', '´', '`', '՚', '׳',
    '״', '＇',
];

/// Whether a sign belongs to the letters beside it. A joiner may end a word in Malayalam and Bengali; ASCII quotation marks stand in
/// Hebrew words (`ד"ר`).
fn is_inner_sign(before: char, c: char, after: Option<char>) -> bool {
    let is_hebrew = |c: char| ('\u{590}'..='\u{5FF}').contains(&c);
    let is_known = INNER_SIGNS.contains(&c) || c == '"' && is_hebrew(before) && after.is_some_and(is_hebrew);
    let ends_letter = c == '\u{200D}' && after.is_none_or(|after| after == ' ');
    is_known && is_letter_or_mark(before) && (ends_letter || after.is_some_and(is_letter_or_mark))
}
