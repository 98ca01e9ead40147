//! Character → script. A letter is a character of the category L; in scripts that write vowels by marks (the Indic ones,
//! Thai, Khmer, Tibetan, …) the marks are letters too. Accents that stand alone, and the points and vowel signs of Arabic,
//! Hebrew and Syriac, are skipped: a word is the same with and without. Used by language-table as well.

/// Writing systems of the languages of the table, and `Other` for the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Devanagari,
    Bengali,
    Greek,
    Hebrew,
    Armenian,
    Ethiopic,
    Tibetan,
    Myanmar,
    Canadian,
    Tifinagh,
    Syriac,
    Hangul,
    Kana,
    Han,
    Georgian,
    Thai,
    Lao,
    Gujarati,
    Gurmukhi,
    Oriya,
    Tamil,
    Telugu,
    Kannada,
    Malayalam,
    Sinhala,
    Khmer,
    Thaana,
    Cherokee,
    OlChiki,
    MeeteiMayek,
    Coptic,
    Nko,
    Adlam,
    Chakma,
    Mongolian,
    Javanese,
    Yi,
    Vai,
    Other,
}

use Script::*;

/// Codes of ISO 15924 in the order of the scripts, all but [`Other`]. Kana beside Han is Jpan.
#[rustfmt::skip]
pub const CODES: [&str; Other as usize] = [
    "Latn", "Cyrl", "Arab", "Deva", "Beng", "Grek", "Hebr", "Armn", "Ethi", "Tibt", "Mymr", "Cans", "Tfng", "Syrc",
    "Hang", "Jpan", "Hani", "Geor", "Thai", "Laoo", "Gujr", "Guru", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh",
    "Khmr", "Thaa", "Cher", "Olck", "Mtei", "Copt", "Nkoo", "Adlm", "Cakm", "Mong", "Java", "Yiii", "Vaii",
];

/// What a character is to a text's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letter {
    /// A letter of a script.
    Of(Script),
    /// A mark that words are read without.
    Skipped,
    /// Anything else: it ends a word.
    No,
}

/// What a character is.
pub fn letter(c: char) -> Letter {
    let code = u32::from(c);
    if is_skipped(code) {
        return Letter::Skipped;
    }
    let script = block(code);
    if c.is_alphabetic() || is_mark_as_letter(script, code) { Letter::Of(script) } else { Letter::No }
}

/// The script of a block of characters.
fn block(code: u32) -> Script {
    match code {
        0x41..=0x5a | 0x61..=0x7a | 0xaa | 0xba | 0xc0..=0x2bf | 0x1d00..=0x1d25 | 0x1e00..=0x1eff => Latin,
        0x2c60..=0x2c7f | 0xa720..=0xa7ff | 0xab30..=0xab6f => Latin,
        0x370..=0x3e1 | 0x3f0..=0x3ff | 0x1f00..=0x1fff => Greek,
        0x3e2..=0x3ef | 0x2c80..=0x2cff => Coptic,
        0x400..=0x52f | 0x1c80..=0x1c8f | 0x2de0..=0x2dff | 0xa640..=0xa69f => Cyrillic,
        0x530..=0x58f => Armenian,
        0x590..=0x5ff | 0xfb1d..=0xfb4f => Hebrew,
        0x600..=0x6ff | 0x750..=0x77f | 0x870..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfefc => Arabic,
        0x700..=0x74f => Syriac,
        0x780..=0x7bf => Thaana,
        0x7c0..=0x7ff => Nko,
        0x900..=0x97f | 0xa8e0..=0xa8ff => Devanagari,
        0x980..=0x9ff => Bengali,
        0xa00..=0xa7f => Gurmukhi,
        0xa80..=0xaff => Gujarati,
        0xb00..=0xb7f => Oriya,
        0xb80..=0xbff => Tamil,
        0xc00..=0xc7f => Telugu,
        0xc80..=0xcff => Kannada,
        0xd00..=0xd7f => Malayalam,
        0xd80..=0xdff => Sinhala,
        0xe00..=0xe7f => Thai,
        0xe80..=0xeff => Lao,
        0xf00..=0xfff => Tibetan,
        0x1000..=0x109f | 0xa9e0..=0xa9ff | 0xaa60..=0xaa7f => Myanmar,
        0x10a0..=0x10ff | 0x1c90..=0x1cbf | 0x2d00..=0x2d2f => Georgian,
        0x1100..=0x11ff | 0x3130..=0x318f | 0xa960..=0xa97f | 0xac00..=0xd7ff => Hangul,
        0x1200..=0x139f | 0x2d80..=0x2ddf | 0xab00..=0xab2f => Ethiopic,
        0x13a0..=0x13ff | 0xab70..=0xabbf => Cherokee,
        0x1400..=0x167f | 0x18b0..=0x18ff => Canadian,
        0x1780..=0x17ff => Khmer,
        0x1800..=0x18af => Mongolian,
        0x1c50..=0x1c7f => OlChiki,
        0x2d30..=0x2d7f => Tifinagh,
        0x3041..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f => Kana,
        0x3005..=0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => Han,
        0xa000..=0xa4cf => Yi,
        0xa500..=0xa63f => Vai,
        0xa980..=0xa9df => Javanese,
        0xaae0..=0xaaff | 0xabc0..=0xabff => MeeteiMayek,
        0x11100..=0x1114f => Chakma,
        0x1e900..=0x1e95f => Adlam,
        _ => Other,
    }
}

/// Whether words are read without a mark.
fn is_skipped(code: u32) -> bool {
    matches!(
        code,
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x5bf | 0x5c1..=0x5c2 | 0x5c4..=0x5c7 | 0x610..=0x61a | 0x640
            | 0x64b..=0x65f | 0x670 | 0x6d6..=0x6dc | 0x6df..=0x6e4 | 0x6e7..=0x6e8 | 0x6ea..=0x6ed | 0x711
            | 0x730..=0x74a | 0x8d3..=0x8e1 | 0x8e3..=0x8ff | 0xfb1e
    )
}

/// Whether a mark that is not alphabetic (a sign that silences a vowel, a tone) is a letter: in scripts that write
/// syllables by letter and mark.
fn is_mark_as_letter(script: Script, code: u32) -> bool {
    match script {
        // These blocks have one layout: the dot below, the sign of no vowel, accents.
        Devanagari | Bengali | Gurmukhi | Gujarati | Oriya | Tamil | Telugu | Kannada | Malayalam => {
            matches!(code & 0x7f, 0x3c | 0x4d | 0x51..=0x54) && code < 0xd80
        }
        Sinhala => code == 0xdca,
        Thai => matches!(code, 0xe47..=0xe4e),
        Lao => matches!(code, 0xeba | 0xec8..=0xece),
        Tibetan => matches!(code, 0xf18 | 0xf19 | 0xf35 | 0xf37 | 0xf39 | 0xf82..=0xf84),
        Myanmar => matches!(code, 0x1037 | 0x1039 | 0x103a | 0x1087..=0x108d),
        Khmer => matches!(code, 0x17c9..=0x17d3 | 0x17dd),
        Nko => matches!(code, 0x7eb..=0x7f3),
        MeeteiMayek => matches!(code, 0xabed | 0xaaf6),
        Javanese => matches!(code, 0xa9b3 | 0xa9c0),
        Chakma => matches!(code, 0x11133 | 0x11134),
        Adlam => matches!(code, 0x1e944..=0x1e94a),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_codes() {
        let codes = [Latin, Hangul, Kana, Han, Oriya, Vai].map(|script| CODES[script as usize]);
        assert_eq!(codes, ["Latn", "Hang", "Jpan", "Hani", "Orya", "Vaii"]);
    }

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
            ('\u{9be}', Bengali),
            ('\u{bcd}', Tamil),
            ('\u{e34}', Thai),
            ('ក', Khmer),
            ('\u{17d2}', Khmer),
            ('ⵣ', Tifinagh),
            ('ꯃ', MeeteiMayek),
            ('ꤰ', Other),
        ];
        for (c, expected) in cases {
            assert_eq!(letter(c), Letter::Of(expected), "{c}");
        }
    }

    #[test]
    fn marks_digits_and_punctuation_are_no_letters() {
        for c in ['7', '.', ' ', '\u{964}', '\u{970}', '९', '\u{f0b}', '\u{17d4}', '\u{1361}'] {
            assert_eq!(letter(c), Letter::No, "{:x}", u32::from(c));
        }
        for c in ['\u{301}', '\u{64e}', '\u{5b0}', '\u{640}'] {
            assert_eq!(letter(c), Letter::Skipped, "{:x}", u32::from(c));
        }
    }
}
