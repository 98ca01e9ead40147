//! Languages as one byte: the ISO 639-3 codes that identification can answer, and `und`. Used by language-table
//! as well.

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

/// A language that identification knows, or [`Language::UNDETERMINED`], which is the default. One byte; ordered by
/// code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

impl Language {
    /// No language could be determined: `und`.
    pub const UNDETERMINED: Language = Language(undetermined());

    /// The ISO 639-3 code.
    pub fn code(self) -> &'static str {
        CODES.get(usize::from(self.0)).copied().unwrap_or(UNDETERMINED_CODE)
    }

    /// The language with an ISO 639-3 code; `und` is [`Language::UNDETERMINED`]. None for a code that identification
    /// does not know.
    pub fn by_code(code: &str) -> Option<Language> {
        CODES.binary_search(&code).ok().map(|index| Language(index as u8))
    }

    /// All languages that identification knows, in the order of their codes, without [`Language::UNDETERMINED`].
    pub fn all() -> impl Iterator<Item = Language> {
        (0..CODES.len() as u8).map(Language).filter(|language| *language != Language::UNDETERMINED)
    }
}

/// Index of [`UNDETERMINED_CODE`], found when the program is compiled.
const fn undetermined() -> u8 {
    let mut rest = CODES.as_slice();
    let mut index = 0;
    while let [code, behind @ ..] = rest {
        if matches!(code.as_bytes(), b"und") {
            break;
        }
        rest = behind;
        index += 1;
    }
    index
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
        assert_eq!((Language::default().code(), Language::all().count()), ("und", CODES.len() - 1));
        assert_eq!((size_of::<Language>(), size_of::<Option<Language>>() <= 2), (1, true));
    }
}
