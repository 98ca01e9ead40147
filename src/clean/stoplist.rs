//! Lists of the commonest words, from the jusText package.
//!
//! One hundred languages; the files and their licence (BSD, two clauses) are in `stoplists/`. A list
//! is read when first asked for and kept. Words are in lower case (which the package's are not always) and keep the punctuation they are
//! commonly written with, so look words up in lower case and as split at white space.

use std::sync::OnceLock;

use crate::hash::hash64;

/// Lists with fewer words (made from encyclopedias written by programs) are of no use.
const MIN_WORDS: usize = 100;

/// The common words of a language.
#[derive(Debug, Default)]
pub struct Stoplist {
    /// Of each word's hash the lower half, at its [`place`] or at the next free one behind it; 0 is free. One word in
    /// some 10^9 that are looked up is taken for another.
    slots: Vec<u32>,
    words: usize,
}

/// Places for each word: a word that is in no list is seen to be in none at its own place, or at the next.
const PLACES: usize = 2;

struct Source {
    name: &'static str,
    /// ISO 639-3; empty for a second list of the same language.
    code: &'static str,
    text: &'static str,
    list: OnceLock<Stoplist>,
}

impl Stoplist {
    /// The list of that name (`Czech`, in any case), however short; `all` is [`Stoplist::all`].
    pub fn by_name(name: &str) -> Option<&'static Stoplist> {
        if name.eq_ignore_ascii_case("all") {
            return Some(Stoplist::all());
        }
        SOURCES.iter().find(|source| source.name.eq_ignore_ascii_case(name)).map(Source::list)
    }

    /// The list for an ISO 639-3 code; None where there is none worth using. The individual languages
    /// that language identifiers tell apart share the list of their macrolanguage.
    pub fn by_code(code: &str) -> Option<&'static Stoplist> {
        let code = match code {
            "arb" | "arz" => "ara",
            "azj" | "azb" => "aze",
            "ekk" => "est",
            "lvs" => "lav",
            "als" => "sqi",
            "nor" => "nob",
            "npi" => "nep",
            "pes" | "prs" => "fas",
            "swh" => "swa",
            "uzn" => "uzb",
            "zsm" | "zlm" => "msa",
            "kmr" => "kur",
            "fil" => "tgl",
            "quy" | "quz" => "que",
            other => other,
        };
        let source = SOURCES.iter().find(|source| !code.is_empty() && source.code == code)?;
        Some(source.list()).filter(|list| list.len() >= MIN_WORDS)
    }

    /// All lists together, for pages of unknown language.
    pub fn all() -> &'static Stoplist {
        static ALL: OnceLock<Stoplist> = OnceLock::new();
        ALL.get_or_init(|| SOURCES.iter().flat_map(|source| source.text.lines()).collect())
    }

    /// Names of all lists.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SOURCES.iter().map(|source| source.name)
    }

    /// Whether the list has the word, which must be in lower case.
    pub fn contains(&self, word: &str) -> bool {
        self.has(hash64(word.as_bytes()))
    }

    /// Whether it has a word of that [`hash64`].
    #[inline]
    pub fn has(&self, hash: u64) -> bool {
        let behind = self.slots.iter().skip(place(hash, self.words * PLACES));
        behind.take_while(|slot| **slot != 0).any(|slot| *slot == mark(hash))
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }
}

impl<'a> FromIterator<&'a str> for Stoplist {
    fn from_iter<I: IntoIterator<Item = &'a str>>(words: I) -> Stoplist {
        let mut words: Vec<u64> = words.into_iter().map(|word| hash64(word.as_bytes())).collect();
        words.sort_unstable();
        words.dedup();
        let mut slots = vec![0; words.len() * PLACES];
        for &word in &words {
            let behind = place(word, words.len() * PLACES);
            match slots.iter_mut().skip(behind).find(|slot| **slot == 0) {
                Some(slot) => *slot = mark(word),
                None => slots.push(mark(word)),
            }
        }
        Stoplist { slots, words: words.len() }
    }
}

fn mark(hash: u64) -> u32 {
    (hash as u32).max(1)
}

fn place(hash: u64, length: usize) -> usize {
    ((u128::from(hash) * length as u128) >> 64) as usize
}

impl Source {
    fn list(&self) -> &Stoplist {
        self.list.get_or_init(|| self.text.lines().collect())
    }
}

macro_rules! sources {
    ($($name:literal $code:literal,)*) => {
        static SOURCES: [Source; 100] = [$(Source {
            name: $name,
            code: $code,
            text: include_str!(concat!("stoplists/", $name, ".txt")),
            list: OnceLock::new(),
        },)*];
    };
}

sources! {
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
        for source in &SOURCES {
            source.text.lines().for_each(|word| assert_eq!(word, word.to_lowercase(), "{}", source.name));
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
    fn codes_lead_to_lists_worth_using() {
        let english = Stoplist::by_code("eng").map(|list| list.contains("the"));
        assert_eq!(english, Some(true));
        for none in ["", "ceb", "zho", "jpn", "tha", "xxx"] {
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
