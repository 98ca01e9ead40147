//! Lists of the commonest words, from the jusText package.
//!
//! One hundred languages; the files and their licence (BSD, two clauses) are in `stoplists/`. A list
//! is read when first asked for and kept. Words are in lower case (which the package's are not always) and keep the punctuation they are
//! commonly written with, so look words up in lower case and as split at white space.

use std::sync::OnceLock;

use crate::hash::mix;
use crate::text::swar;

/// Lists with fewer words (made from encyclopedias written by programs) are of no use.
const MIN_WORDS: usize = 100;

/// The common words of a language.
#[derive(Debug, Default)]
pub struct Stoplist {
    /// Of each word's [`word_hash`] the lower half, in its [`home`] or, where that is full, in the next; 0 is free. One word
    /// in some 10^9 that are looked up is taken for another.
    buckets: Vec<Bucket>,
    words: usize,
}

/// Looked at as a whole, so that a word that is there costs what one costs that is not, and nothing has to be guessed.
type Bucket = [u32; 8];

/// Words for each bucket in the mean: one in twenty is then full.
const FILL: usize = 4;

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
        ALL.get_or_init(|| SOURCES.iter().flat_map(Source::words).collect())
    }

    /// Names of all lists.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SOURCES.iter().map(|source| source.name)
    }

    /// Whether the list has the word, which must be in lower case.
    pub fn contains(&self, word: &str) -> bool {
        self.has(word_hash(word.as_bytes()))
    }

    /// Whether it has a word of that [`word_hash`].
    #[inline]
    pub fn has(&self, hash: u64) -> bool {
        let (home, mark) = (home(hash, self.words), mark(hash));
        let Some(bucket) = self.buckets.get(home) else { return false };
        let found = has(bucket, mark);
        if !found & is_full(bucket) { self.has_behind(home, mark) } else { found }
    }

    #[cold]
    fn has_behind(&self, home: usize, mark: u32) -> bool {
        for bucket in self.buckets.iter().skip(home + 1) {
            if has(bucket, mark) || !is_full(bucket) {
                return has(bucket, mark);
            }
        }
        false
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
        let mut words: Vec<u64> = words.into_iter().map(|word| word_hash(word.as_bytes())).collect();
        words.sort_unstable();
        words.dedup();
        let mut buckets: Vec<Bucket> = vec![[0; 8]; words.len().div_ceil(FILL)];
        for &word in &words {
            let mut behind = buckets.iter_mut().skip(home(word, words.len()));
            match behind.find_map(|bucket| bucket.iter_mut().find(|slot| **slot == 0)) {
                Some(slot) => *slot = mark(word),
                None => buckets.push([mark(word), 0, 0, 0, 0, 0, 0, 0]),
            }
        }
        Stoplist { buckets, words: words.len() }
    }
}

#[inline]
fn has(bucket: &Bucket, mark: u32) -> bool {
    bucket.iter().fold(false, |found, slot| found | (*slot == mark))
}

#[inline]
fn is_full(bucket: &Bucket) -> bool {
    bucket.last() != Some(&0)
}

fn mark(hash: u64) -> u32 {
    (hash as u32).max(1)
}

/// The bucket of a word among those of so many words.
fn home(hash: u64, words: usize) -> usize {
    ((u128::from(hash) * words.div_ceil(FILL) as u128) >> 64) as usize
}

/// Hash of a word's bytes, eight at a time.
pub fn word_hash(word: &[u8]) -> u64 {
    let (mut hash, mut at) = (0, 0);
    while at < word.len() {
        hash = hash_on(hash, swar::load(word, at));
        at += 8;
    }
    mix(hash)
}

/// The hash so far with eight bytes more, before it is [`mix`]ed.
#[inline]
pub fn hash_on(hash: u64, eight: u64) -> u64 {
    (hash.rotate_left(23) ^ eight).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Source {
    /// A word a line. Quicker than the standard library's lines for lines as short as these.
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
