//! Names of languages: what a user may write for a language, and what `warcorpus languages` prints. Sources: the code
//! tables of ISO 639-1, 639-2 and 639-3.

use super::Language;

/// ISO 639-3 code, ISO 639-1 code, bibliographic code of ISO 639-2 where it differs (or empty), English name, writing
/// systems; in the order of the codes.
const NAMES: [(&str, &str, &str, &str, &str); 75] = [
    ("afr", "af", "", "Afrikaans", "Latin"),
    ("ara", "ar", "", "Arabic", "Arabic"),
    ("aze", "az", "", "Azerbaijani", "Latin"),
    ("bel", "be", "", "Belarusian", "Cyrillic"),
    ("ben", "bn", "", "Bengali", "Bengali"),
    ("bos", "bs", "", "Bosnian", "Latin"),
    ("bul", "bg", "", "Bulgarian", "Cyrillic"),
    ("cat", "ca", "", "Catalan", "Latin"),
    ("ces", "cs", "cze", "Czech", "Latin"),
    ("cym", "cy", "wel", "Welsh", "Latin"),
    ("dan", "da", "", "Danish", "Latin"),
    ("deu", "de", "ger", "German", "Latin"),
    ("ell", "el", "gre", "Greek", "Greek"),
    ("eng", "en", "", "English", "Latin"),
    ("epo", "eo", "", "Esperanto", "Latin"),
    ("est", "et", "", "Estonian", "Latin"),
    ("eus", "eu", "baq", "Basque", "Latin"),
    ("fas", "fa", "per", "Persian", "Arabic"),
    ("fin", "fi", "", "Finnish", "Latin"),
    ("fra", "fr", "fre", "French", "Latin"),
    ("gle", "ga", "", "Irish", "Latin"),
    ("guj", "gu", "", "Gujarati", "Gujarati"),
    ("heb", "he", "", "Hebrew", "Hebrew"),
    ("hin", "hi", "", "Hindi", "Devanagari"),
    ("hrv", "hr", "", "Croatian", "Latin"),
    ("hun", "hu", "", "Hungarian", "Latin"),
    ("hye", "hy", "arm", "Armenian", "Armenian"),
    ("ind", "id", "", "Indonesian", "Latin"),
    ("isl", "is", "ice", "Icelandic", "Latin"),
    ("ita", "it", "", "Italian", "Latin"),
    ("jpn", "ja", "", "Japanese", "Kana, Han"),
    ("kat", "ka", "geo", "Georgian", "Georgian"),
    ("kaz", "kk", "", "Kazakh", "Cyrillic"),
    ("kor", "ko", "", "Korean", "Hangul"),
    ("lat", "la", "", "Latin", "Latin"),
    ("lav", "lv", "", "Latvian", "Latin"),
    ("lit", "lt", "", "Lithuanian", "Latin"),
    ("lug", "lg", "", "Ganda", "Latin"),
    ("mar", "mr", "", "Marathi", "Devanagari"),
    ("mkd", "mk", "mac", "Macedonian", "Cyrillic"),
    ("mon", "mn", "", "Mongolian", "Cyrillic"),
    ("mri", "mi", "mao", "Maori", "Latin"),
    ("msa", "ms", "may", "Malay", "Latin"),
    ("nld", "nl", "dut", "Dutch", "Latin"),
    ("nno", "nn", "", "Norwegian Nynorsk", "Latin"),
    ("nob", "nb", "", "Norwegian Bokmål", "Latin"),
    ("pan", "pa", "", "Punjabi", "Gurmukhi"),
    ("pol", "pl", "", "Polish", "Latin"),
    ("por", "pt", "", "Portuguese", "Latin"),
    ("ron", "ro", "rum", "Romanian", "Latin"),
    ("rus", "ru", "", "Russian", "Cyrillic"),
    ("slk", "sk", "slo", "Slovak", "Latin"),
    ("slv", "sl", "", "Slovenian", "Latin"),
    ("sna", "sn", "", "Shona", "Latin"),
    ("som", "so", "", "Somali", "Latin"),
    ("sot", "st", "", "Southern Sotho", "Latin"),
    ("spa", "es", "", "Spanish", "Latin"),
    ("sqi", "sq", "alb", "Albanian", "Latin"),
    ("srp", "sr", "", "Serbian", "Cyrillic"),
    ("swa", "sw", "", "Swahili", "Latin"),
    ("swe", "sv", "", "Swedish", "Latin"),
    ("tam", "ta", "", "Tamil", "Tamil"),
    ("tel", "te", "", "Telugu", "Telugu"),
    ("tgl", "tl", "", "Tagalog", "Latin"),
    ("tha", "th", "", "Thai", "Thai"),
    ("tsn", "tn", "", "Tswana", "Latin"),
    ("tso", "ts", "", "Tsonga", "Latin"),
    ("tur", "tr", "", "Turkish", "Latin"),
    ("ukr", "uk", "", "Ukrainian", "Cyrillic"),
    ("urd", "ur", "", "Urdu", "Arabic"),
    ("vie", "vi", "", "Vietnamese", "Latin"),
    ("xho", "xh", "", "Xhosa", "Latin"),
    ("yor", "yo", "", "Yoruba", "Latin"),
    ("zho", "zh", "chi", "Chinese", "Han"),
    ("zul", "zu", "", "Zulu", "Latin"),
];

impl Language {
    /// The language that a user means: its code in ISO 639-1, 639-2 or 639-3, or its English name, in upper or lower
    /// case; `und` is [`Language::UNDETERMINED`].
    ///
    /// # Errors
    /// What the user may write instead.
    pub fn by_name(name: &str) -> Result<Language, String> {
        let wanted = name.trim().to_lowercase();
        let same = |(three, two, other, english, _): &&(&str, &str, &str, &str, &str)| {
            let name = english.to_lowercase();
            [*three, *two, *other, &name].iter().any(|known| !known.is_empty() && *known == wanted)
        };
        let code = NAMES.iter().find(same).map_or(wanted.as_str(), |(code, ..)| code);
        Language::by_code(code).ok_or_else(|| match code {
            "no" | "nor" | "norwegian" => format!("`{name}` is two languages here: nob (Bokmål) and nno (Nynorsk)"),
            _ => format!("`{name}` is not among the languages that are identified; `warcorpus languages` lists them"),
        })
    }

    /// English name; the code of a language that the language table does not know.
    pub fn name(self) -> &'static str {
        match self.names() {
            Some((_, _, _, name, _)) => name,
            None if self == Language::UNDETERMINED => "undetermined",
            None => self.code(),
        }
    }

    /// Code of ISO 639-1; `None` for a language that the language table does not know.
    pub fn two_letters(self) -> Option<&'static str> {
        self.names().map(|(_, two, ..)| *two)
    }

    /// Writing systems in which the language is identified.
    pub fn scripts(self) -> &'static str {
        self.names().map_or("", |(.., scripts)| scripts)
    }

    fn names(self) -> Option<&'static (&'static str, &'static str, &'static str, &'static str, &'static str)> {
        let index = NAMES.binary_search_by_key(&self.code(), |(code, ..)| code);
        index.ok().and_then(|index| NAMES.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_name_and_every_name_a_language() {
        let codes: Vec<&str> = Language::all().map(Language::code).collect();
        assert!(NAMES.iter().map(|(code, ..)| *code).eq(codes));
        for language in Language::all() {
            assert!(!language.scripts().is_empty());
            for name in [language.code(), language.name(), language.two_letters().unwrap()] {
                assert_eq!(Language::by_name(name), Ok(language), "{name}");
                assert_eq!(Language::by_name(&name.to_uppercase()), Ok(language), "{name}");
            }
        }
    }

    #[test]
    fn other_codes_are_known_or_explained() {
        let code = |name| Language::by_name(name).map(Language::code);
        for (name, expected) in [("cze", "ces"), ("ger", "deu"), (" German ", "deu"), ("und", "und"), ("chi", "zho")] {
            assert_eq!(code(name), Ok(expected), "{name}");
        }
        assert!(code("nor").unwrap_err().contains("nob (Bokmål) and nno"));
        assert!(code("hsb").unwrap_err().contains("not among the languages that are identified"));
    }
}
