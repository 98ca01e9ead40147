//! Lists of the commonest words, from the jusText package.
//!
//! One hundred languages; the files and their licence (BSD, two clauses) are in `stoplists/`. `gathered.txt` beside them has
//! lists for further languages, made by `warcorpus stoplist` from the texts that docs/language.md names. A list is read
//! when it is first used and kept. Words are in lower case (those of the package are not always) and keep the punctuation that
//! they are commonly written with: split a text at white space and look its words up in lower case.

use std::sync::OnceLock;

use crate::hash::mix;
use crate::language;
use crate::text::swar;

/// Lists with fewer words (made from encyclopedias written by programs) are of no use.
const MIN_WORDS: usize = 100;

/// The common words of a language.
#[derive(Debug, Default)]
pub struct Stoplist {
    /// The [`fingerprint`] of each word, in its [`home`] bucket or, if that is full, in a following one; 0 is free. One
    /// in some 10^9 words that are looked up is taken for another.
    buckets: Vec<FingerprintBucket>,
    /// Number of buckets that are the home of some hashes; the others take what the last of them cannot hold.
    homes: usize,
    words: usize,
}

/// Eight fingerprints, compared all at once without a branch.
type FingerprintBucket = [u32; 8];

/// Mean number of words in a bucket: one in twenty is then full.
const FILL: usize = 4;

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

    /// Whether the list has the word, which must be in lower case.
    pub fn contains(&self, word: &str) -> bool {
        self.contains_hash(word_hash(word.as_bytes()))
    }

    /// Whether the list has a word of this [`word_hash`].
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        let (home, fingerprint) = (home(hash, self.homes), fingerprint(hash));
        let Some(bucket) = self.buckets.get(home) else { return false };
        let found = has(bucket, fingerprint);
        if !found & is_full(bucket) { self.has_behind(home, fingerprint) } else { found }
    }

    #[cold]
    fn has_behind(&self, home: usize, fingerprint: u32) -> bool {
        for bucket in self.buckets.iter().skip(home + 1) {
            if has(bucket, fingerprint) || !is_full(bucket) {
                return has(bucket, fingerprint);
            }
        }
        false
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words
    }

    /// Whether the list has no words.
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }
}

impl<'a> FromIterator<&'a str> for Stoplist {
    fn from_iter<I: IntoIterator<Item = &'a str>>(words: I) -> Stoplist {
        let mut hashes = Vec::new();
        // Not `collect`: a chain of lists is faster when it drives the loop itself.
        words.into_iter().for_each(|word| hashes.push(word_hash(word.as_bytes())));
        let homes = hashes.len().div_ceil(FILL);
        let mut list = Stoplist { buckets: vec![[0; 8]; homes], homes, words: 0 };
        hashes.into_iter().for_each(|hash| list.insert(hash));
        list
    }
}

impl Stoplist {
    /// Puts the fingerprint of a word into the first bucket from its home on that has room, unless it is there.
    fn insert(&mut self, hash: u64) {
        let (mut at, fingerprint) = (home(hash, self.homes), fingerprint(hash));
        while let Some(bucket) = self.buckets.get_mut(at) {
            if has(bucket, fingerprint) {
                return;
            }
            if let Some(slot) = bucket.iter_mut().find(|slot| **slot == 0) {
                *slot = fingerprint;
                self.words += 1;
                return;
            }
            at += 1;
        }
        self.buckets.push([fingerprint, 0, 0, 0, 0, 0, 0, 0]);
        self.words += 1;
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
    GATHERED.get_or_init(|| include_str!("stoplists/gathered.txt").split('[').filter_map(list).collect())
}

#[inline]
fn has(bucket: &FingerprintBucket, fingerprint: u32) -> bool {
    bucket.iter().fold(false, |found, slot| found | (*slot == fingerprint))
}

#[inline]
fn is_full(bucket: &FingerprintBucket) -> bool {
    bucket.last() != Some(&0)
}

/// The lower half of a hash, but never 0.
fn fingerprint(hash: u64) -> u32 {
    (hash as u32).max(1)
}

/// Index of the first bucket for a hash among this many homes.
fn home(hash: u64, homes: usize) -> usize {
    ((u128::from(hash) * homes as u128) >> 64) as usize
}

/// Hash of a word's bytes, eight at a time.
pub fn word_hash(word: &[u8]) -> u64 {
    let (mut hash, mut at) = (0, 0);
    while at < word.len() {
        hash = hash_step(hash, swar::load(word, at));
        at += 8;
    }
    mix(hash)
}

/// Adds eight bytes to a hash that is not yet [`mix`]ed.
#[inline]
pub fn hash_step(hash: u64, eight: u64) -> u64 {
    (hash.rotate_left(23) ^ eight).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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

macro_rules! embedded_lists {
    ($($name:literal $code:literal,)*) => {
        static LISTS: [EmbeddedList; 100] = [$(EmbeddedList {
            name: $name,
            code: $code,
            text: include_str!(concat!("stoplists/", $name, ".txt")),
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
