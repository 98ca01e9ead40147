//! Encodings of one byte per character that chardetng does not know, or never guesses because they are rare: those of
//! DOS and the Mac, and some parts of ISO 8859.
//!
//! What it guesses for such a page spells no language: signs stand within words, capitals behind small letters, and letters
//! of several alphabets side by side. In the encoding of the page nearly all letters are those of one alphabet.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use encoding_rs::{
    Encoding, IBM866, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5, ISO_8859_10, ISO_8859_13, ISO_8859_14,
    ISO_8859_15, ISO_8859_16, KOI8_U, MACINTOSH, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257,
    X_MAC_CYRILLIC,
};

use super::any_encoding::AnyEncoding;
use super::code_page::CODE_PAGES;
use super::visible::visible;

/// Most bytes beyond ASCII that are looked at.
const MOST_BYTES: usize = 1 << 16;

/// A guess is in doubt if letters and signs of so many kinds contradict it, more than one in twenty. A single sign may be what somebody
/// types for an apostrophe (`O´Higgins`), and is a letter in other encodings.
const KINDS: usize = 2;

/// Another encoding must have so many letters of one alphabet.
const LETTERS: u32 = 3;

/// Encodings of the standard that are compared. Where two read a page as well, the first one counts. ISO-8859-15 has a rule of
/// its own in [`super::refine`].
static STANDARD: [&Encoding; 17] = [
    WINDOWS_1252,
    WINDOWS_1250,
    WINDOWS_1254,
    WINDOWS_1257,
    ISO_8859_2,
    ISO_8859_3,
    ISO_8859_4,
    ISO_8859_10,
    ISO_8859_13,
    ISO_8859_14,
    ISO_8859_16,
    MACINTOSH,
    WINDOWS_1251,
    KOI8_U,
    IBM866,
    X_MAC_CYRILLIC,
    ISO_8859_5,
];

/// Letters beyond ASCII that a language, or some with the same ones, needs.
const ALPHABETS: [&str; 34] = [
    "áčďéěíňóřšťúůýž",                      // Czech
    "áäčďéíĺľňóôŕšťúýž",                    // Slovak
    "ąćęłńóśźż",                            // Polish
    "áéíóöőúüű",                            // Hungarian
    "čćđšž",                                // Bosnian, Croatian, Serbian, Slovenian
    "ăâîșțşţ",                              // Romanian
    "ąčęėįšųūž",                            // Lithuanian
    "āčēģīķļņšūžōŗ",                        // Latvian
    "äöüõšž",                               // Estonian
    "çğıİöşüâî",                            // Turkish
    "çəğıİöşü",                             // Azerbaijani
    "ċġħżàèìòù",                            // Maltese
    "ĉĝĥĵŝŭ",                               // Esperanto
    "áčđŋšŧž",                              // Northern Sami
    "âêîôûŵŷ",                              // Welsh
    "äöüß",                                 // German
    "àâæçéèêëîïôœùû",                       // French
    "áéíñóúü",                              // Spanish
    "ãáâàçéêíóôõú",                         // Portuguese
    "àèéìíòóù",                             // Italian
    "àçèéíïòóúü",                           // Catalan
    "àáçèéíòóúïü",                          // Occitan
    "æøåéòôóè",                             // Danish, Norwegian
    "äöåé",                                 // Finnish, Swedish
    "áðéíóúýþæö",                           // Icelandic
    "áðíóúýæø",                             // Faroese
    "éëïöüóèáä",                            // Dutch
    "áéíóú",                                // Irish
    "äéëêèüöôû",                            // Luxembourgish
    "абвгдежзийклмнопрстуфхцчшщъыьэюяё",    // Bulgarian, Russian
    "абвгдежзийклмнопрстуфхцчшщьюяєіїґ",    // Ukrainian
    "абвгдежзйклмнопрстуфхцчшыьэюяёіў",     // Belarusian
    "абвгдђежзијклљмнњопрстћуфхцчџшѓќѕ",    // Macedonian, Serbian
    "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ", // Greek
];

/// All letters of windows-1252, for languages that have no alphabet here.
const WESTERN: &str = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßœšž";

/// Sets of alphabets, a bit for each: those of languages, and [`WESTERN`].
const LANGUAGES: u64 = (1 << ALPHABETS.len()) - 1;
const ALL_WESTERN: u64 = 1 << ALPHABETS.len();

/// The alphabets that have a letter.
static ALPHABETS_OF: LazyLock<HashMap<char, u64>> = LazyLock::new(|| {
    let mut of: HashMap<char, u64> = HashMap::new();
    for (place, alphabet) in ALPHABETS.into_iter().chain([WESTERN]).enumerate() {
        for letter in alphabet.chars().flat_map(|small| std::iter::once(small).chain(small.to_uppercase())) {
            *of.entry(letter).or_default() |= 1 << place;
        }
    }
    of
});

/// Signs that touch words without being a part of them, quotation marks and the like.
const BESIDE_WORDS: &str = "«»‹›„“”‚‘’…–—·•§¶†‡¡¿¢£¤¥€¹²³½¼¾ªº°µ™©®\u{a0}\u{ad}‑";

/// Those of them that stand between letters.
const WITHIN_WORDS: &str = "‘’·–—‑…\u{a0}\u{ad}";

/// The encoding that spells a language, where `guess` does not.
pub(super) fn by_alphabet(guess: &'static Encoding, body: &[u8]) -> Option<AnyEncoding> {
    let is_western = guess == WINDOWS_1252 || guess == ISO_8859_15;
    if !is_western && !STANDARD.contains(&guess) {
        return None;
    }
    let contexts = contexts(body);
    let alphabets = if is_western { ALL_WESTERN } else { LANGUAGES };
    let doubted = Spelling::of(guess.into(), &contexts, alphabets);
    if !doubted.is_in_doubt() {
        return None;
    }
    let others = STANDARD.into_iter().map(AnyEncoding::from).chain(CODE_PAGES.into_iter().map(AnyEncoding::CodePage));
    let mut best: Option<(AnyEncoding, Spelling)> = None;
    for other in others {
        let spelling = Spelling::of(other, &contexts, LANGUAGES);
        let explained = doubted.odd.difference(&spelling.odd).count();
        if spelling.is_convincing()
            && explained >= KINDS
            && best.as_ref().is_none_or(|(_, best)| !best.is_as_good_as(&spelling))
        {
            best = Some((other, spelling));
        }
    }
    best.map(|(encoding, _)| encoding)
}

/// Whether `declared` spells a language as well as `found`; both have one byte per character.
pub(super) fn spells_as_well(declared: AnyEncoding, found: AnyEncoding, body: &[u8]) -> bool {
    let contexts = contexts(body);
    Spelling::of(declared, &contexts, LANGUAGES).is_as_good_as(&Spelling::of(found, &contexts, LANGUAGES))
}

/// A byte beyond ASCII between two others, and how often it stands there.
struct Context {
    before: u8,
    byte: u8,
    after: u8,
    count: u32,
}

/// Where the bytes beyond ASCII stand. Emoji in UTF-8 are left out: they are pasted into pages of all encodings.
fn contexts(body: &[u8]) -> Vec<Context> {
    let mut seen: Vec<[u8; 3]> = Vec::new();
    for text in visible(body) {
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|_| seen.len() < MOST_BYTES) {
            at += Encoding::ascii_valid_up_to(rest);
            let before = at.checked_sub(1).and_then(|at| text.get(at)).copied().unwrap_or(b' ');
            match text.get(at..).unwrap_or_default() {
                [] => break,
                [0xF0..=0xF4, 0x80..=0xBF, 0x80..=0xBF, 0x80..=0xBF, ..] => at += 4,
                [byte, rest @ ..] => {
                    seen.push([before, *byte, rest.first().copied().unwrap_or(b' ')]);
                    at += 1;
                }
            }
        }
    }
    seen.sort_unstable();
    seen.chunk_by(|a, b| a == b)
        .filter_map(|same| {
            let [before, byte, after] = *same.first()?;
            Some(Context { before, byte, after, count: u32::try_from(same.len()).unwrap_or(u32::MAX) })
        })
        .collect()
}

/// How well an encoding reads a page.
#[derive(Default)]
struct Spelling {
    /// Letters beyond ASCII, and signs where no sign can be.
    all: u32,
    /// Letters of the alphabet that has most of them.
    known: u32,
    /// Bytes of other letters, and of signs where no sign can be.
    odd: BTreeSet<u8>,
}

impl Spelling {
    /// `alphabets` are those that a page may be spelt in.
    fn of(encoding: AnyEncoding, contexts: &[Context], alphabets: u64) -> Self {
        let ascii = (0..0x80u8).map(char::from);
        let characters: Vec<char> = ascii.chain(encoding.upper()).collect();
        let traits: Vec<Traits> = characters.iter().map(|c| Traits::of(*c)).collect();
        let traits = |byte: u8| traits.get(usize::from(byte)).copied().unwrap_or_default();
        let (mut letters, mut odd) = ([0; 256], [0; 256]);
        for context in contexts {
            let counts = match place(traits(context.before), traits(context.byte), traits(context.after)) {
                Place::Letter => &mut letters,
                Place::Contradiction => &mut odd,
                Place::Sign => continue,
            };
            if let Some(count) = counts.get_mut(usize::from(context.byte)) {
                *count += context.count;
            }
        }
        let counted = |counts: [u32; 256]| (0..=u8::MAX).zip(counts).filter(|(_, count)| *count > 0);
        let of = |byte: u8| characters.get(usize::from(byte)).and_then(|c| ALPHABETS_OF.get(c)).copied().unwrap_or(0);
        let letters: Vec<(u8, u32, u64)> = counted(letters).map(|(byte, count)| (byte, count, of(byte))).collect();
        let known = |alphabet: u64| -> u32 {
            letters.iter().filter(|(.., of)| of & alphabet != 0).map(|(_, count, _)| count).sum()
        };
        let each = (0..u64::BITS).map(|place| 1 << place).filter(|alphabet| alphabets & alphabet != 0);
        let alphabet = each.max_by_key(|alphabet| known(*alphabet)).unwrap_or_default();
        let others = letters.iter().filter(|(.., of)| of & alphabet == 0).map(|(byte, ..)| *byte);
        Self {
            all: letters.iter().map(|(_, count, _)| count).sum::<u32>() + odd.iter().sum::<u32>(),
            known: known(alphabet),
            odd: others.chain(counted(odd).map(|(byte, _)| byte)).collect(),
        }
    }

    fn is_in_doubt(&self) -> bool {
        self.odd.len() >= KINDS && (self.all - self.known) * 20 > self.all
    }

    fn is_convincing(&self) -> bool {
        self.known * 50 >= self.all * 49 && self.known >= LETTERS
    }

    /// By the share of letters that are known.
    fn is_as_good_as(&self, other: &Self) -> bool {
        u64::from(self.known) * u64::from(other.all) >= u64::from(other.known) * u64::from(self.all)
    }
}

/// What a character can be where it stands.
enum Place {
    Letter,
    /// A sign, which says nothing.
    Sign,
    /// A letter or sign that nobody writes there.
    Contradiction,
}

/// What a character is.
#[derive(Clone, Copy, Default)]
struct Traits {
    alphabetic: bool,
    capital: bool,
    small: bool,
    /// Of the scripts that these encodings have, Latin letters come before Greek and Cyrillic ones.
    latin: bool,
    beside_words: bool,
    within_words: bool,
    /// No character of a text.
    none: bool,
}

impl Traits {
    fn of(c: char) -> Self {
        Self {
            alphabetic: c.is_alphabetic(),
            capital: c.is_uppercase(),
            small: c.is_lowercase(),
            latin: c < '\u{370}',
            beside_words: BESIDE_WORDS.contains(c),
            within_words: WITHIN_WORDS.contains(c),
            none: c.is_control() || c == char::REPLACEMENT_CHARACTER,
        }
    }
}

fn place(before: Traits, c: Traits, after: Traits) -> Place {
    let contradicts = if c.alphabetic && !c.beside_words {
        let capital_inside = c.capital && before.small;
        let small_inside = c.small && before.capital && after.capital;
        let other_script = [before, after].iter().any(|near| near.alphabetic && near.latin != c.latin);
        if !(capital_inside || small_inside || other_script) {
            return Place::Letter;
        }
        true
    } else if before.alphabetic && after.alphabetic {
        !c.within_words
    } else if before.alphabetic || after.alphabetic {
        !c.beside_words
    } else {
        c.none
    };
    if contradicts { Place::Contradiction } else { Place::Sign }
}

#[cfg(test)]
mod tests {
    use encoding_rs::WINDOWS_1253;

    use super::*;

    fn encode(encoding: AnyEncoding, text: &str) -> Vec<u8> {
        let upper = encoding.upper();
        let byte = |c: char| upper.iter().position(|other| *other == c).map(|place| 0x80 + place as u8);
        text.chars().map(|c| if c.is_ascii() { c as u8 } else { byte(c).unwrap_or_else(|| panic!("{c}")) }).collect()
    }

    fn code_page(label: &str) -> AnyEncoding {
        AnyEncoding::CodePage(super::super::code_page::CodePage::for_label(label).expect(label))
    }

    const CZECH: &str = "Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco ježek šťastně seděl.";
    const POLISH: &str = "Zażółć gęślą jaźń: świeża łąka, źdźbło, pięć łódek i książka.";
    const SLOVENIAN: &str = "Šest žab čaka na češnje; žena še išče ključe, Čeh pa žaga.";
    const GERMAN: &str = "Größe, Übermut, süß: für Ähnliches öfter fließen.";
    const FRENCH: &str = "Été déjà là : la forêt brûlée, une naïve façade à côté.";
    const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.";

    #[test]
    fn encodings_that_chardetng_does_not_guess() {
        for (encoding, text) in [
            (code_page("ibm852"), CZECH),
            (code_page("ibm852"), POLISH),
            (code_page("macce"), CZECH),
            (code_page("macce"), SLOVENIAN),
            (code_page("ibm850"), GERMAN),
            (code_page("ibm850"), FRENCH),
            (code_page("ibm855"), RUSSIAN),
            (code_page("ibm857"), "Öğrenciler yarışmada büyük başarı gösterdi; ışık ve güneş."),
            (code_page("ibm775"), "Ąžuolų šešėlyje žąsys ėda žolę; čia jų daug, įdomu."),
            (code_page("ibm737"), "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, όμορφη μέρα σήμερα."),
            (MACINTOSH.into(), GERMAN),
            (MACINTOSH.into(), FRENCH),
            (ISO_8859_16.into(), POLISH),
            (ISO_8859_10.into(), "Sámi giella: máŋga čoahkkima, ášši, dušše, vuođđu, oađđit, áŋgirit."),
        ] {
            let bytes = encode(encoding, text);
            assert_eq!(by_alphabet(WINDOWS_1252, &bytes), Some(encoding), "{text}");
        }
    }

    #[test]
    fn a_guess_that_spells_a_language_stays() {
        for text in [
            GERMAN,
            FRENCH,
            "“Si – – Card” ‘n ‘n saam… 46º 52º Antártida, Pacífico 5 µm",
            "Føroyar eru átjan oyggjar; høvuðsstaðurin er Tórshavn, ið hevur fólkaríkastu býarlutir.",
            "Ar brezhoneg a zo ur yezh keltiek; kêr, tñr, bloavezhioù, deiziadoù.",
            "A £5 note, 3½ inches, 20°C, §4, ©2004, “smart quotes”, naïve café",
            "Región de O´Higgins: la gobernación. I´m at the café in O´Fallon, dall´Oréal, sull´unità, è così.",
            "Mix 1½c flour, ¼c sugar, 2½tsp, ½lb. Sauté the purée.",
            "1½c flour, ¼c sugar, ½lb butter. Sauté the purée. ƒ(x) and ƒ(y), 3×4, a×b",
        ] {
            let bytes = encode(WINDOWS_1252.into(), text);
            assert_eq!(by_alphabet(WINDOWS_1252, &bytes), None, "{text}");
        }
        for text in [CZECH, POLISH, SLOVENIAN] {
            assert_eq!(by_alphabet(WINDOWS_1250, &encode(WINDOWS_1250.into(), text)), None, "{text}");
        }
        assert_eq!(by_alphabet(WINDOWS_1251, &encode(WINDOWS_1251.into(), RUSSIAN)), None);
        // Of an encoding whose alphabet is not known here.
        assert_eq!(by_alphabet(WINDOWS_1253, &encode(code_page("ibm852"), CZECH)), None);
    }

    /// In windows-1252 the second letter is a quotation mark and the third one `á`.
    #[test]
    fn contradictions_of_a_single_kind_are_no_doubt() {
        let written = |text: &str| encode(code_page("ibm850"), text).repeat(5);
        assert_eq!(by_alphabet(WINDOWS_1252, &written("Größe. ")), None);
        assert_eq!(by_alphabet(WINDOWS_1252, &written("Größe für. ")), Some(code_page("ibm850")));
        assert_eq!(by_alphabet(WINDOWS_1252, b""), None);
    }

    /// In IBM866, each of these is four letters of Russian.
    #[test]
    fn emoji_in_utf8_say_nothing() {
        let page = [b"Cost: \xA35 or \x805 only \x97 thanks ".as_slice(), "😀👍🎉 😀👍 🎉".as_bytes()].concat();
        assert_eq!(by_alphabet(WINDOWS_1252, &page), None);
    }

    /// Where no other encoding spells a language, the guess is as good as any.
    #[test]
    fn bytes_that_spell_nothing_stay_with_the_guess() {
        let bytes: Vec<u8> = (0..4000u64).map(|n| (crate::hash::mix(n) >> 7) as u8).collect();
        assert_eq!(by_alphabet(WINDOWS_1252, &bytes), None);
    }
}
