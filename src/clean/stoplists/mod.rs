//! The lists of the commonest words that are part of the program, from the jusText package.
//!
//! One hundred languages; the files and their licence (BSD, two clauses) are in this folder. `gathered.txt` has lists for further
//! languages, made by `warcorpus stoplist` from the texts that docs/language.md names. A list is read when it is first used and
//! kept. Words are in lower case here, in the package not always.

use std::sync::OnceLock;

use super::stoplist::Stoplist;
use crate::language;

/// Lists with fewer words (made from encyclopedias written by programs) are of no use.
const MIN_WORDS: usize = 100;

/// A list that is part of the program.
struct EmbeddedList {
    name: &'static str,
    /// ISO 639-3; empty for a second list of the same language.
    code: &'static str,
    text: &'static str,
    list: OnceLock<Stoplist>,
}

impl Stoplist {
    /// The list with a name (`Czech`, in any case), however short; `all` is [`Stoplist::all`].
    pub fn by_name(name: &str) -> Option<&'static Stoplist> {
        if name.eq_ignore_ascii_case("all") {
            return Some(Stoplist::all());
        }
        LISTS.iter().find(|list| list.name.eq_ignore_ascii_case(name)).map(EmbeddedList::list)
    }

    /// The list for an ISO 639-3 code; None if there is none of use. The members of a macrolanguage share its list.
    pub fn by_code(code: &str) -> Option<&'static Stoplist> {
        embedded(code).map(EmbeddedList::list)
    }

    /// Whether [`Stoplist::by_code`] has a list, without reading it.
    pub fn has_code(code: &str) -> bool {
        embedded(code).is_some()
    }

    /// The union of the package's lists, for pages of unknown language.
    pub fn all() -> &'static Stoplist {
        static ALL: OnceLock<Stoplist> = OnceLock::new();
        ALL.get_or_init(|| LISTS.iter().flat_map(EmbeddedList::words).collect())
    }

    /// Names of all lists.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        LISTS.iter().map(|list| list.name)
    }
}

impl EmbeddedList {
    /// The words, one a line. Faster than the standard library's `lines` for lines as short as these.
    fn words(&self) -> impl Iterator<Item = &'static str> {
        let mut from = 0;
        memchr::memchr_iter(b'\n', self.text.as_bytes()).map(move |end| {
            let word = self.text.get(from..end).unwrap_or_default();
            from = end + 1;
            word
        })
    }

    fn list(&self) -> &Stoplist {
        self.list.get_or_init(|| self.words().collect())
    }
}

/// The list of use for an ISO 639-3 code. The members of a macrolanguage share its list.
fn embedded(code: &str) -> Option<&'static EmbeddedList> {
    // Beside these, codes that only models have.
    let code = match language::macrolanguage(code) {
        "nor" => "nob",
        "zlm" => "msa",
        "kmr" => "kur",
        "fil" => "tgl",
        other => other,
    };
    let is_of_use = |list: &&EmbeddedList| list.words().take(MIN_WORDS).count() == MIN_WORDS;
    let of_package = LISTS.iter().find(|list| !code.is_empty() && list.code == code).filter(is_of_use);
    of_package.or_else(|| gathered().iter().find(|list| list.code == code))
}

/// The lists of languages that the package has none of use for: a line with the code in brackets, then the words, one a
/// line.
fn gathered() -> &'static [EmbeddedList] {
    static GATHERED: OnceLock<Vec<EmbeddedList>> = OnceLock::new();
    let list = |section: &'static str| {
        let (code, text) = section.split_once("]\n")?;
        Some(EmbeddedList { name: code, code, text, list: OnceLock::new() })
    };
    GATHERED.get_or_init(|| include_str!("gathered.txt").split('[').filter_map(list).collect())
}

macro_rules! embedded_lists {
    ($($name:literal $code:literal,)*) => {
        static LISTS: [EmbeddedList; 100] = [$(EmbeddedList {
            name: $name,
            code: $code,
            text: include_str!(concat!($name, ".txt")),
            list: OnceLock::new(),
        },)*];
    };
}

embedded_lists! {
    "Afrikaans" "afr",
    "Albanian" "sqi",
    "Arabic" "ara",
    "Aragonese" "arg",
    "Armenian" "hye",
    "Aromanian" "rup",
    "Asturian" "ast",
    "Azerbaijani" "aze",
    "Basque" "eus",
    "Belarusian" "bel",
    "Belarusian_Taraskievica" "",
    "Bengali" "ben",
    "Bishnupriya_Manipuri" "bpy",
    "Bosnian" "bos",
    "Breton" "bre",
    "Bulgarian" "bul",
    "Catalan" "cat",
    "Cebuano" "ceb",
    "Chuvash" "chv",
    "Croatian" "hrv",
    "Czech" "ces",
    "Danish" "dan",
    "Dutch" "nld",
    "English" "eng",
    "Esperanto" "epo",
    "Estonian" "est",
    "Finnish" "fin",
    "French" "fra",
    "Galician" "glg",
    "Georgian" "kat",
    "German" "deu",
    "Greek" "ell",
    "Gujarati" "guj",
    "Haitian" "hat",
    "Hebrew" "heb",
    "Hindi" "hin",
    "Hungarian" "hun",
    "Icelandic" "isl",
    "Ido" "ido",
    "Igbo" "ibo",
    "Indonesian" "ind",
    "Irish" "gle",
    "Italian" "ita",
    "Javanese" "jav",
    "Kannada" "kan",
    "Kazakh" "kaz",
    "Korean" "kor",
    "Kurdish" "kur",
    "Kyrgyz" "kir",
    "Latin" "lat",
    "Latvian" "lav",
    "Lithuanian" "lit",
    "Lombard" "lmo",
    "Low_Saxon" "nds",
    "Luxembourgish" "ltz",
    "Macedonian" "mkd",
    "Malay" "msa",
    "Malayalam" "mal",
    "Maltese" "mlt",
    "Marathi" "mar",
    "Neapolitan" "nap",
    "Nepali" "nep",
    "Newar" "new",
    "Norwegian_Bokmal" "nob",
    "Norwegian_Nynorsk" "nno",
    "Occitan" "oci",
    "Persian" "fas",
    "Piedmontese" "pms",
    "Polish" "pol",
    "Portuguese" "por",
    "Quechua" "que",
    "Romanian" "ron",
    "Russian" "rus",
    "Samogitian" "sgs",
    "Serbian" "srp",
    "Serbo_Croatian" "hbs",
    "Sicilian" "scn",
    "Simple_English" "",
    "Slovak" "slk",
    "Slovenian" "slv",
    "Spanish" "spa",
    "Sundanese" "sun",
    "Swahili" "swa",
    "Swedish" "swe",
    "Tagalog" "tgl",
    "Tamil" "tam",
    "Telugu" "tel",
    "Turkish" "tur",
    "Turkmen" "tuk",
    "Ukrainian" "ukr",
    "Urdu" "urd",
    "Uzbek" "uzb",
    "Vietnamese" "vie",
    "Volapuk" "vol",
    "Walloon" "wln",
    "Waray_Waray" "war",
    "Welsh" "cym",
    "West_Frisian" "fry",
    "Western_Panjabi" "pnb",
    "Yoruba" "yor",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_lower_case() {
        for list in &LISTS {
            list.text.lines().for_each(|word| assert_eq!(word, word.to_lowercase(), "{}", list.name));
        }
    }

    #[test]
    fn sizes_are_those_of_the_package() {
        let sizes = [
            ("English", 453),
            ("German", 623),
            ("French", 381),
            ("Spanish", 271),
            ("Russian", 4754),
            ("Czech", 2935),
            ("Polish", 3209),
            ("Hungarian", 3253),
            ("Turkish", 2842),
            ("Finnish", 6813),
            ("Estonian", 5752),
            ("Korean", 13222),
            ("Vietnamese", 275),
            ("Latin", 1705),
            ("Cebuano", 10),
        ];
        for (name, size) in sizes {
            assert_eq!(Stoplist::by_name(name).map(Stoplist::len), Some(size), "{name}");
        }
        assert_eq!(Stoplist::names().count(), 100);
    }

    #[test]
    fn lists_of_use_have_enough_different_words() {
        for list in &LISTS {
            assert_eq!(list.list().len() >= MIN_WORDS, list.words().count() >= MIN_WORDS, "{}", list.name);
        }
        // Three pairs of 154,484 words have one hash each.
        assert_eq!((Stoplist::all().len(), Stoplist::has_code("eng")), (154_481, true));
    }

    #[test]
    fn codes_lead_to_lists_worth_using() {
        let english = Stoplist::by_code("eng").map(|list| list.contains("the"));
        assert_eq!(english, Some(true));
        let gathered = [("hau", "kuma"), ("ceb", "sa"), ("hsb", "so"), ("yid", "איז"), ("azb", "بیر")];
        let members = [("arb", "في"), ("quz", "huk"), ("ydd", "איז"), ("fil", "ang"), ("kmr", "û")];
        for (code, word) in gathered.into_iter().chain(members) {
            assert!(Stoplist::by_code(code).is_some_and(|list| list.contains(word)), "{code}");
        }
        for none in ["", "zho", "jpn", "tha", "xxx"] {
            assert!(Stoplist::by_code(none).is_none(), "{none}");
        }
    }

    #[test]
    fn the_union_has_the_words_of_every_list() {
        let all = Stoplist::by_name("ALL").map(|all| ["the", "der", "и", "není"].map(|w| all.contains(w)));
        assert_eq!(all, Some([true; 4]));
        assert!(!Stoplist::all().contains("xyzzy"));
    }
}
