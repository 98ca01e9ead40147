//! Names of languages: what a user may write for a language, and what `warcorpus languages` prints. Sources: the code
//! tables of ISO 639-1, 639-2 and 639-3.

use super::Language;

/// ISO 639-3 code, ISO 639-1 code (or empty), bibliographic code of ISO 639-2 where it differs (or empty), English name,
/// writing systems; in the order of the codes.
static NAMES: [(&str, &str, &str, &str, &str); 275] = [
    ("aar", "aa", "", "Afar", "Latin"),
    ("abk", "ab", "", "Abkhazian", "Cyrillic"),
    ("ace", "", "", "Achinese", "Latin, Arabic"),
    ("afr", "af", "", "Afrikaans", "Latin"),
    ("amh", "am", "", "Amharic", "Ethiopic"),
    ("ara", "ar", "", "Arabic", "Arabic, Latin"),
    ("asm", "as", "", "Assamese", "Bengali"),
    ("ast", "", "", "Asturian", "Latin"),
    ("awa", "", "", "Awadhi", "Devanagari"),
    ("aym", "ay", "", "Aymara", "Latin"),
    ("azb", "", "", "South Azerbaijani", "Arabic"),
    ("aze", "az", "", "Azerbaijani", "Latin"),
    ("azz", "", "", "Highland Puebla Nahuatl", "Latin"),
    ("bak", "ba", "", "Bashkir", "Cyrillic"),
    ("bam", "bm", "", "Bambara", "Latin"),
    ("ban", "", "", "Balinese", "Latin"),
    ("bar", "", "", "Bavarian", "Latin"),
    ("bas", "", "", "Basaa", "Latin"),
    ("bbc", "", "", "Toba Batak", "Latin"),
    ("bel", "be", "", "Belarusian", "Cyrillic"),
    ("bem", "", "", "Bemba", "Latin"),
    ("ben", "bn", "", "Bengali", "Bengali"),
    ("bew", "", "", "Betawi", "Latin"),
    ("bho", "bh", "", "Bhojpuri", "Devanagari"),
    ("bjn", "", "", "Banjar", "Latin, Arabic"),
    ("bod", "bo", "tib", "Tibetan", "Tibetan"),
    ("bos", "bs", "", "Bosnian", "Latin"),
    ("bre", "br", "", "Breton", "Latin"),
    ("bug", "", "", "Buginese", "Latin"),
    ("bul", "bg", "", "Bulgarian", "Cyrillic"),
    ("bxr", "", "", "Buryat", "Cyrillic"),
    ("cat", "ca", "", "Catalan", "Latin"),
    ("cbk", "", "", "Chavacano", "Latin"),
    ("ccp", "", "", "Chakma", "Chakma"),
    ("ceb", "", "", "Cebuano", "Latin"),
    ("ces", "cs", "cze", "Czech", "Latin"),
    ("chr", "", "", "Cherokee", "Cherokee"),
    ("chu", "cu", "", "Church Slavonic", "Cyrillic"),
    ("chv", "cv", "", "Chuvash", "Cyrillic"),
    ("cjk", "", "", "Chokwe", "Latin"),
    ("ckb", "", "", "Central Kurdish", "Arabic"),
    ("cnh", "", "", "Hakha Chin", "Latin"),
    ("cop", "", "", "Coptic", "Coptic"),
    ("cor", "kw", "", "Cornish", "Latin"),
    ("crh", "", "", "Crimean Tatar", "Latin"),
    ("csb", "", "", "Kashubian", "Latin"),
    ("cym", "cy", "wel", "Welsh", "Latin"),
    ("dan", "da", "", "Danish", "Latin"),
    ("deu", "de", "ger", "German", "Latin"),
    ("dik", "", "", "Southwestern Dinka", "Latin"),
    ("div", "dv", "", "Dhivehi", "Thaana"),
    ("dsb", "", "", "Lower Sorbian", "Latin"),
    ("dtp", "", "", "Kadazan Dusun", "Latin"),
    ("dyu", "", "", "Dyula", "Latin"),
    ("dzo", "dz", "", "Dzongkha", "Tibetan"),
    ("ell", "el", "gre", "Greek", "Greek"),
    ("eng", "en", "", "English", "Latin"),
    ("epo", "eo", "", "Esperanto", "Latin"),
    ("est", "et", "", "Estonian", "Latin"),
    ("eus", "eu", "baq", "Basque", "Latin"),
    ("ewe", "ee", "", "Ewe", "Latin"),
    ("fao", "fo", "", "Faroese", "Latin"),
    ("fas", "fa", "per", "Persian", "Arabic"),
    ("fij", "fj", "", "Fijian", "Latin"),
    ("fin", "fi", "", "Finnish", "Latin"),
    ("fit", "", "", "Meänkieli", "Latin"),
    ("fkv", "", "", "Kven", "Latin"),
    ("fon", "", "", "Fon", "Latin"),
    ("fra", "fr", "fre", "French", "Latin"),
    ("fry", "fy", "", "Western Frisian", "Latin"),
    ("ful", "ff", "", "Fula", "Adlam"),
    ("fur", "", "", "Friulian", "Latin"),
    ("fuv", "", "", "Nigerian Fulfulde", "Latin"),
    ("gla", "gd", "", "Scottish Gaelic", "Latin"),
    ("gle", "ga", "", "Irish", "Latin"),
    ("glg", "gl", "", "Galician", "Latin"),
    ("glv", "gv", "", "Manx", "Latin"),
    ("gos", "", "", "Gronings", "Latin"),
    ("grc", "", "", "Ancient Greek", "Greek"),
    ("grn", "gn", "", "Guarani", "Latin"),
    ("gsw", "", "", "Swiss German", "Latin"),
    ("guj", "gu", "", "Gujarati", "Gujarati"),
    ("guz", "", "", "Gusii", "Latin"),
    ("hat", "ht", "", "Haitian Creole", "Latin"),
    ("hau", "ha", "", "Hausa", "Latin"),
    ("heb", "he", "", "Hebrew", "Hebrew"),
    ("hin", "hi", "", "Hindi", "Devanagari"),
    ("hne", "", "", "Chhattisgarhi", "Devanagari"),
    ("hrv", "hr", "", "Croatian", "Latin"),
    ("hsb", "", "", "Upper Sorbian", "Latin"),
    ("hun", "hu", "", "Hungarian", "Latin"),
    ("hye", "hy", "arm", "Armenian", "Armenian"),
    ("hyw", "", "", "Western Armenian", "Armenian"),
    ("ibo", "ig", "", "Igbo", "Latin"),
    ("ido", "io", "", "Ido", "Latin"),
    ("iii", "ii", "", "Nuosu", "Yi"),
    ("iku", "iu", "", "Inuktitut", "Canadian Syllabics"),
    ("ile", "ie", "", "Interlingue", "Latin"),
    ("ilo", "", "", "Ilocano", "Latin"),
    ("ina", "ia", "", "Interlingua", "Latin"),
    ("ind", "id", "", "Indonesian", "Latin"),
    ("isl", "is", "ice", "Icelandic", "Latin"),
    ("ita", "it", "", "Italian", "Latin"),
    ("jav", "jv", "", "Javanese", "Latin, Javanese"),
    ("jbo", "", "", "Lojban", "Latin"),
    ("jpn", "ja", "", "Japanese", "Kana, Han"),
    ("kaa", "", "", "Karakalpak", "Cyrillic"),
    ("kab", "", "", "Kabyle", "Latin"),
    ("kac", "", "", "Jingpho", "Latin"),
    ("kam", "", "", "Kamba", "Latin"),
    ("kan", "kn", "", "Kannada", "Kannada"),
    ("kas", "ks", "", "Kashmiri", "Arabic, Devanagari"),
    ("kat", "ka", "geo", "Georgian", "Georgian"),
    ("kaz", "kk", "", "Kazakh", "Cyrillic"),
    ("kbp", "", "", "Kabiyè", "Latin"),
    ("kea", "", "", "Kabuverdianu", "Latin"),
    ("kha", "", "", "Khasi", "Latin"),
    ("khm", "km", "", "Khmer", "Khmer"),
    ("kik", "ki", "", "Kikuyu", "Latin"),
    ("kin", "rw", "", "Kinyarwanda", "Latin"),
    ("kir", "ky", "", "Kyrgyz", "Cyrillic"),
    ("kmb", "", "", "Kimbundu", "Latin"),
    ("kmr", "", "", "Northern Kurdish", "Latin"),
    ("knc", "", "", "Central Kanuri", "Latin, Arabic"),
    ("koi", "", "", "Komi-Permyak", "Cyrillic"),
    ("kon", "kg", "", "Kikongo", "Latin"),
    ("kor", "ko", "", "Korean", "Hangul"),
    ("kpv", "", "", "Komi-Zyrian", "Cyrillic"),
    ("lao", "lo", "", "Lao", "Lao"),
    ("lat", "la", "", "Latin", "Latin"),
    ("lav", "lv", "", "Latvian", "Latin"),
    ("lfn", "", "", "Lingua Franca Nova", "Latin"),
    ("lgg", "", "", "Lugbara", "Latin"),
    ("lij", "", "", "Ligurian", "Latin"),
    ("lim", "li", "", "Limburgish", "Latin"),
    ("lin", "ln", "", "Lingala", "Latin"),
    ("lit", "lt", "", "Lithuanian", "Latin"),
    ("lld", "", "", "Ladin", "Latin"),
    ("lmo", "", "", "Lombard", "Latin"),
    ("ltg", "", "", "Latgalian", "Latin"),
    ("ltz", "lb", "", "Luxembourgish", "Latin"),
    ("lua", "", "", "Luba-Lulua", "Latin"),
    ("lug", "lg", "", "Ganda", "Latin"),
    ("luo", "", "", "Dholuo", "Latin"),
    ("lus", "", "", "Mizo", "Latin"),
    ("lwg", "", "", "Wanga", "Latin"),
    ("mad", "", "", "Madurese", "Latin"),
    ("mag", "", "", "Magahi", "Devanagari"),
    ("mai", "", "", "Maithili", "Devanagari"),
    ("mak", "", "", "Makassarese", "Latin"),
    ("mal", "ml", "", "Malayalam", "Malayalam"),
    ("mar", "mr", "", "Marathi", "Devanagari"),
    ("mas", "", "", "Maasai", "Latin"),
    ("mdf", "", "", "Moksha", "Cyrillic"),
    ("mhr", "", "", "Eastern Mari", "Cyrillic"),
    ("min", "", "", "Minangkabau", "Latin, Arabic"),
    ("mkd", "mk", "mac", "Macedonian", "Cyrillic"),
    ("mlg", "mg", "", "Malagasy", "Latin"),
    ("mlt", "mt", "", "Maltese", "Latin"),
    ("mni", "", "", "Manipuri", "Bengali, Meetei Mayek"),
    ("mns", "", "", "Mansi", "Cyrillic"),
    ("mon", "mn", "", "Mongolian", "Cyrillic, Mongolian"),
    ("mos", "", "", "Mossi", "Latin"),
    ("mri", "mi", "mao", "Maori", "Latin"),
    ("mrj", "", "", "Western Mari", "Cyrillic"),
    ("msa", "ms", "may", "Malay", "Latin"),
    ("mww", "", "", "Hmong Daw", "Latin"),
    ("mya", "my", "bur", "Myanmar", "Myanmar"),
    ("myv", "", "", "Erzya", "Cyrillic"),
    ("myx", "", "", "Masaaba", "Latin"),
    ("nan", "", "", "Min Nan Chinese", "Latin"),
    ("nbl", "nr", "", "South Ndebele", "Latin"),
    ("nde", "nd", "", "North Ndebele", "Latin"),
    ("nds", "", "", "Low German", "Latin"),
    ("nep", "ne", "", "Nepali", "Devanagari"),
    ("nij", "", "", "Ngaju", "Latin"),
    ("nld", "nl", "dut", "Dutch", "Latin"),
    ("nno", "nn", "", "Norwegian Nynorsk", "Latin"),
    ("nob", "nb", "", "Norwegian Bokmål", "Latin"),
    ("nqo", "", "", "N'Ko", "N'Ko"),
    ("nso", "", "", "Northern Sotho", "Latin"),
    ("nuj", "", "", "Nyole", "Latin"),
    ("nus", "", "", "Nuer", "Latin"),
    ("nya", "ny", "", "Chichewa", "Latin"),
    ("oci", "oc", "", "Occitan", "Latin"),
    ("olo", "", "", "Livvi-Karelian", "Latin"),
    ("ori", "or", "", "Odia", "Odia"),
    ("orm", "om", "", "Oromo", "Latin"),
    ("pag", "", "", "Pangasinan", "Latin"),
    ("pam", "", "", "Kapampangan", "Latin"),
    ("pan", "pa", "", "Punjabi", "Gurmukhi"),
    ("pap", "", "", "Papiamento", "Latin"),
    ("pcm", "", "", "Nigerian Pidgin", "Latin"),
    ("pms", "", "", "Piedmontese", "Latin"),
    ("pol", "pl", "", "Polish", "Latin"),
    ("pon", "", "", "Pohnpeian", "Latin"),
    ("por", "pt", "", "Portuguese", "Latin"),
    ("pus", "ps", "", "Pashto", "Arabic"),
    ("que", "qu", "", "Quechua", "Latin"),
    ("roh", "rm", "", "Romansh", "Latin"),
    ("ron", "ro", "rum", "Romanian", "Latin"),
    ("run", "rn", "", "Rundi", "Latin"),
    ("rus", "ru", "", "Russian", "Cyrillic"),
    ("sag", "sg", "", "Sango", "Latin"),
    ("sah", "", "", "Yakut", "Cyrillic"),
    ("san", "sa", "", "Sanskrit", "Devanagari"),
    ("sat", "", "", "Santali", "Ol Chiki"),
    ("scn", "", "", "Sicilian", "Latin"),
    ("shi", "", "", "Tachelhit", "Arabic"),
    ("shn", "", "", "Shan", "Myanmar"),
    ("sin", "si", "", "Sinhala", "Sinhala"),
    ("slk", "sk", "slo", "Slovak", "Latin"),
    ("slv", "sl", "", "Slovenian", "Latin"),
    ("sma", "", "", "Southern Sami", "Latin"),
    ("sme", "se", "", "Northern Sami", "Latin"),
    ("smj", "", "", "Lule Sami", "Latin"),
    ("smn", "", "", "Inari Sami", "Latin"),
    ("smo", "sm", "", "Samoan", "Latin"),
    ("sms", "", "", "Skolt Sami", "Latin"),
    ("sna", "sn", "", "Shona", "Latin"),
    ("snd", "sd", "", "Sindhi", "Arabic"),
    ("som", "so", "", "Somali", "Latin"),
    ("sot", "st", "", "Southern Sotho", "Latin"),
    ("spa", "es", "", "Spanish", "Latin"),
    ("sqi", "sq", "alb", "Albanian", "Latin"),
    ("srd", "sc", "", "Sardinian", "Latin"),
    ("srp", "sr", "", "Serbian", "Cyrillic, Latin"),
    ("ssw", "ss", "", "Swati", "Latin"),
    ("sun", "su", "", "Sundanese", "Latin"),
    ("swa", "sw", "", "Swahili", "Latin"),
    ("swe", "sv", "", "Swedish", "Latin"),
    ("swg", "", "", "Swabian", "Latin"),
    ("syc", "", "", "Classical Syriac", "Syriac"),
    ("szl", "", "", "Silesian", "Latin"),
    ("tah", "ty", "", "Tahitian", "Latin"),
    ("tam", "ta", "", "Tamil", "Tamil"),
    ("taq", "", "", "Tamasheq", "Latin, Tifinagh"),
    ("tat", "tt", "", "Tatar", "Cyrillic"),
    ("tel", "te", "", "Telugu", "Telugu"),
    ("tgk", "tg", "", "Tajik", "Cyrillic"),
    ("tgl", "tl", "", "Tagalog", "Latin"),
    ("tha", "th", "", "Thai", "Thai"),
    ("tir", "ti", "", "Tigrinya", "Ethiopic"),
    ("tok", "", "", "Toki Pona", "Latin"),
    ("ton", "to", "", "Tongan", "Latin"),
    ("tpi", "", "", "Tok Pisin", "Latin"),
    ("tsn", "tn", "", "Tswana", "Latin"),
    ("tso", "ts", "", "Tsonga", "Latin"),
    ("tuk", "tk", "", "Turkmen", "Latin"),
    ("tum", "", "", "Tumbuka", "Latin"),
    ("tur", "tr", "", "Turkish", "Latin"),
    ("twi", "tw", "", "Twi", "Latin"),
    ("tyv", "", "", "Tuvan", "Cyrillic"),
    ("udm", "", "", "Udmurt", "Cyrillic"),
    ("uig", "ug", "", "Uyghur", "Arabic"),
    ("ukr", "uk", "", "Ukrainian", "Cyrillic"),
    ("umb", "", "", "Umbundu", "Latin"),
    ("urd", "ur", "", "Urdu", "Arabic"),
    ("uzb", "uz", "", "Uzbek", "Latin, Cyrillic"),
    ("vai", "", "", "Vai", "Vai"),
    ("vec", "", "", "Venetian", "Latin"),
    ("ven", "ve", "", "Venda", "Latin"),
    ("vie", "vi", "", "Vietnamese", "Latin"),
    ("vls", "", "", "West Flemish", "Latin"),
    ("vol", "vo", "", "Volapük", "Latin"),
    ("vro", "", "", "Võro", "Latin"),
    ("war", "", "", "Waray", "Latin"),
    ("wol", "wo", "", "Wolof", "Latin"),
    ("xal", "", "", "Kalmyk", "Cyrillic"),
    ("xho", "xh", "", "Xhosa", "Latin"),
    ("yid", "yi", "", "Yiddish", "Hebrew"),
    ("yor", "yo", "", "Yoruba", "Latin"),
    ("zgh", "", "", "Standard Moroccan Tamazight", "Tifinagh"),
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

    /// Code of ISO 639-1; `None` for a language that has none, or that the language table does not know.
    pub fn two_letters(self) -> Option<&'static str> {
        self.names().map(|(_, two, ..)| *two).filter(|two| !two.is_empty())
    }

    /// Language tag of BCP 47, as for `xml:lang`: the code of ISO 639-1 where there is one, else that of ISO 639-3.
    pub fn tag(self) -> &'static str {
        self.two_letters().unwrap_or(self.code())
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
            for name in [Some(language.code()), Some(language.name()), language.two_letters()].into_iter().flatten() {
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
        assert!(code("lad").unwrap_err().contains("not among the languages that are identified"));
    }
}
