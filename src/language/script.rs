//! Character → script. A letter is a character of the category L: vowel signs, tone marks and points end a word, since
//! the n-grams of lingua were counted that way. Devanagari's marks are letters: see marked.rs in
//! language-table, which uses this file as well.

use std::ops::RangeInclusive;

/// Writing systems that a language of the table uses, and `Other` for the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Devanagari,
    Greek,
    Hebrew,
    Armenian,
    Georgian,
    Thai,
    Bengali,
    Gujarati,
    Gurmukhi,
    Tamil,
    Telugu,
    Hangul,
    Kana,
    Han,
    Other,
}

use Script::*;

/// Scripts with n-grams, in the order of the table, and the codes of their languages, in the order of its rows.
pub const TABLED: [(Script, &str); 14] = [
    (
        Latin,
        "afr aze bos cat ces cym dan deu eng epo est eus fin fra gle hrv hun ind isl ita lat lav lit lug mri msa \
         nld nno nob pol por ron slk slv sna som sot spa sqi swa swe tgl tsn tso tur vie xho yor zul",
    ),
    (Cyrillic, "bel bul kaz mkd mon rus srp ukr"),
    (Arabic, "ara fas urd"),
    (Devanagari, "hin mar"),
    (Greek, "ell"),
    (Hebrew, "heb"),
    (Armenian, "hye"),
    (Georgian, "kat"),
    (Thai, "tha"),
    (Bengali, "ben"),
    (Gujarati, "guj"),
    (Gurmukhi, "pan"),
    (Tamil, "tam"),
    (Telugu, "tel"),
];

/// Scripts of one language that needs no n-grams; kana beside Han makes Japanese.
pub const UNTABLED: [(Script, &str); 3] = [(Hangul, "kor"), (Kana, "jpn"), (Han, "zho")];

/// The script of a letter; `None` for anything that is no letter.
pub fn script(c: char) -> Option<Script> {
    let script = match u32::from(c) {
        0x41..=0x5a | 0x61..=0x7a | 0xaa | 0xba | 0xc0..=0x2bf | 0x1e00..=0x1eff | 0xa720..=0xa7ff => Latin,
        0x370..=0x3ff | 0x1f00..=0x1fff => Greek,
        0x400..=0x52f | 0x1c80..=0x1c8f => Cyrillic,
        0x530..=0x58f => Armenian,
        0x590..=0x5ff => Hebrew,
        0x600..=0x6ff | 0x750..=0x77f | 0x8a0..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfefc => Arabic,
        0x900..=0x97f => Devanagari,
        0x980..=0x9ff => Bengali,
        0xa00..=0xa7f => Gurmukhi,
        0xa80..=0xaff => Gujarati,
        0xb80..=0xbff => Tamil,
        0xc00..=0xc7f => Telugu,
        0xe00..=0xe7f => Thai,
        0x10a0..=0x10ff | 0x1c90..=0x1cbf => Georgian,
        0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7af => Hangul,
        0x3041..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f => Kana,
        0x3005..=0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => Han,
        _ => Other,
    };
    let letter = match script {
        // All but dandas, digits and the sign of abbreviation.
        Devanagari => !('\u{964}'..='\u{970}').contains(&c),
        _ => c.is_alphabetic() && !is_mark(c),
    };
    letter.then_some(script)
}

/// Whether a character is a mark (category M) of the scripts above; those of other scripts do no harm as letters.
fn is_mark(c: char) -> bool {
    let in_block = |range: &RangeInclusive<u32>| range.contains(&(u32::from(c) & 0x7f));
    match u32::from(c) {
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5c7 | 0x610..=0x61a | 0x64b..=0x65f | 0x670 => true,
        0x6d6..=0x6dc | 0x6df..=0x6e4 | 0x6e7 | 0x6e8 | 0x6ea..=0x6ed => true,
        0xa70 | 0xa71 | 0xa75 => true,
        // The Indic blocks have one layout.
        0x980..=0xc7f => [0x00..=0x03, 0x3a..=0x3c, 0x3e..=0x4f, 0x51..=0x57, 0x62..=0x63].iter().any(in_block),
        0xe31 | 0xe34..=0xe3a | 0xe47..=0xe4e => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_script() {
        let cases = [
            ('a', Latin),
            ('ế', Latin),
            ('Ж', Cyrillic),
            ('ש', Hebrew),
            ('ก', Thai),
            ('が', Kana),
            ('字', Han),
            ('ि', Devanagari),
        ];
        for (c, expected) in cases {
            assert_eq!(script(c), Some(expected), "{c}");
        }
        assert_eq!(script('ក'), Some(Other));
    }

    #[test]
    fn marks_digits_and_punctuation_are_no_letters() {
        for c in ['7', '.', ' ', '\u{301}', '\u{964}', '\u{9be}', '\u{e34}', '\u{64e}', '\u{bbe}'] {
            assert_eq!(script(c), None, "{:x}", u32::from(c));
        }
    }
}
