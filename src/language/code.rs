//! Languages as two bytes: the ISO 639-3 codes that the language table can answer, and `und`; and any other code of three
//! letters, which a model of others may answer. Used by language-table as well.

use std::fmt;

/// All codes in alphabetical order, so that languages are ordered as their codes are. The index of a code is never
/// written to a file: it changes when a language is added.
const CODES: [&str; 76] = [
    "afr", "ara", "aze", "bel", "ben", "bos", "bul", "cat", "ces", "cym", "dan", "deu", "ell", "eng", "epo", "est",
    "eus", "fas", "fin", "fra", "gle", "guj", "heb", "hin", "hrv", "hun", "hye", "ind", "isl", "ita", "jpn", "kat",
    "kaz", "kor", "lat", "lav", "lit", "lug", "mar", "mkd", "mon", "mri", "msa", "nld", "nno", "nob", "pan", "pol",
    "por", "ron", "rus", "slk", "slv", "sna", "som", "sot", "spa", "sqi", "srp", "swa", "swe", "tam", "tel", "tgl",
    "tha", "tsn", "tso", "tur", "ukr", "und", "urd", "vie", "xho", "yor", "zho", "zul",
];

/// The code of a text whose language is not determined.
const UNDETERMINED_CODE: &str = "und";

/// A language by its code, or [`Language::UNDETERMINED`], which is the default. Two bytes; ordered by code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u16);

/// Number of letters, and of codes of three letters.
const LETTERS: usize = 26;
const THREE_LETTERS: usize = LETTERS * LETTERS * LETTERS;

/// All codes of three letters in alphabetical order.
static THREE: [u8; THREE_LETTERS * 3] = three_letters();

impl Language {
    /// No language could be determined: `und`.
    pub const UNDETERMINED: Language = Language(number(UNDETERMINED_CODE.as_bytes()));

    /// The ISO 639-3 code.
    pub fn code(self) -> &'static str {
        let start = usize::from(self.0) * 3;
        let code = THREE.get(start..start + 3).and_then(|code| str::from_utf8(code).ok());
        code.unwrap_or(UNDETERMINED_CODE)
    }

    /// The language with an ISO 639-3 code; `und` is [`Language::UNDETERMINED`]. None for a code that the language table
    /// does not know.
    pub fn by_code(code: &str) -> Option<Language> {
        CODES.binary_search(&code).ok().and_then(|_| Language::of_letters(code))
    }

    /// The language with a code of three lower-case letters, known or not.
    pub fn of_letters(code: &str) -> Option<Language> {
        let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_lowercase());
        is_code.then(|| Language(number(code.as_bytes())))
    }

    /// All languages that the language table knows, in the order of their codes, without [`Language::UNDETERMINED`].
    pub fn all() -> impl Iterator<Item = Language> {
        let codes = CODES.iter().filter_map(|code| Language::of_letters(code));
        codes.filter(|language| *language != Language::UNDETERMINED)
    }
}

/// The place of a code of lower-case letters among all codes of as many letters.
const fn number(mut code: &[u8]) -> u16 {
    let mut number = 0;
    while let [letter, rest @ ..] = code {
        number = number * LETTERS as u16 + (*letter - b'a') as u16;
        code = rest;
    }
    number
}

const fn three_letters() -> [u8; THREE_LETTERS * 3] {
    let mut all = [0; THREE_LETTERS * 3];
    let mut rest = all.as_mut_slice();
    let mut code = 0;
    while let [first, second, third, behind @ ..] = rest {
        *first = b'a' + (code / (LETTERS * LETTERS)) as u8;
        *second = b'a' + (code / LETTERS % LETTERS) as u8;
        *third = b'a' + (code % LETTERS) as u8;
        code += 1;
        rest = behind;
    }
    all
}

impl Default for Language {
    fn default() -> Language {
        Language::UNDETERMINED
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_to_languages_and_back() {
        assert!(CODES.is_sorted());
        for code in CODES {
            assert_eq!(Language::by_code(code).map(Language::code), Some(code));
        }
        assert_eq!(Language::by_code("xxx"), None);
        for code in ["aaa", "hsb", "xxx", "zzz", "und"] {
            assert_eq!(Language::of_letters(code).map(Language::code), Some(code));
        }
        assert!(["", "cs", "Ces", "čes", "cesk"].iter().all(|code| Language::of_letters(code).is_none()));
        assert!(Language::of_letters("ces") < Language::of_letters("cet"));
        assert_eq!((Language::default().code(), Language::all().count()), ("und", CODES.len() - 1));
        assert!(size_of::<Option<Language>>() <= 4);
    }
}
