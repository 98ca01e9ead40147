//! Languages as two bytes: the ISO 639-3 codes that the language table can answer, and `und`; and any other code of three
//! letters, which a model of others may answer. Used by language-table as well.

use std::fmt;

/// All codes in alphabetical order, so that languages are ordered as their codes are. The index of a code is never
/// written to a file: it changes when a language is added.
const CODES: [&str; 276] = [
    "aar", "abk", "ace", "afr", "amh", "ara", "asm", "ast", "awa", "aym", "azb", "aze", "azz", "bak", "bam", "ban",
    "bar", "bas", "bbc", "bel", "bem", "ben", "bew", "bho", "bjn", "bod", "bos", "bre", "bug", "bul", "bxr", "cat",
    "cbk", "ccp", "ceb", "ces", "chr", "chu", "chv", "cjk", "ckb", "cnh", "cop", "cor", "crh", "csb", "cym", "dan",
    "deu", "dik", "div", "dsb", "dtp", "dyu", "dzo", "ell", "eng", "epo", "est", "eus", "ewe", "fao", "fas", "fij",
    "fin", "fit", "fkv", "fon", "fra", "fry", "ful", "fur", "fuv", "gla", "gle", "glg", "glv", "gos", "grc", "grn",
    "gsw", "guj", "guz", "hat", "hau", "heb", "hin", "hne", "hrv", "hsb", "hun", "hye", "hyw", "ibo", "ido", "iii",
    "iku", "ile", "ilo", "ina", "ind", "isl", "ita", "jav", "jbo", "jpn", "kaa", "kab", "kac", "kam", "kan", "kas",
    "kat", "kaz", "kbp", "kea", "kha", "khm", "kik", "kin", "kir", "kmb", "kmr", "knc", "koi", "kon", "kor", "kpv",
    "lao", "lat", "lav", "lfn", "lgg", "lij", "lim", "lin", "lit", "lld", "lmo", "ltg", "ltz", "lua", "lug", "luo",
    "lus", "lwg", "mad", "mag", "mai", "mak", "mal", "mar", "mas", "mdf", "mhr", "min", "mkd", "mlg", "mlt", "mni",
    "mns", "mon", "mos", "mri", "mrj", "msa", "mww", "mya", "myv", "myx", "nan", "nbl", "nde", "nds", "nep", "nij",
    "nld", "nno", "nob", "nqo", "nso", "nuj", "nus", "nya", "oci", "olo", "ori", "orm", "pag", "pam", "pan", "pap",
    "pcm", "pms", "pol", "pon", "por", "pus", "que", "roh", "ron", "run", "rus", "sag", "sah", "san", "sat", "scn",
    "shi", "shn", "sin", "slk", "slv", "sma", "sme", "smj", "smn", "smo", "sms", "sna", "snd", "som", "sot", "spa",
    "sqi", "srd", "srp", "ssw", "sun", "swa", "swe", "swg", "syc", "szl", "tah", "tam", "taq", "tat", "tel", "tgk",
    "tgl", "tha", "tir", "tok", "ton", "tpi", "tsn", "tso", "tuk", "tum", "tur", "twi", "tyv", "udm", "uig", "ukr",
    "umb", "und", "urd", "uzb", "vai", "vec", "ven", "vie", "vls", "vol", "vro", "war", "wol", "xal", "xho", "yid",
    "yor", "zgh", "zho", "zul",
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
