//! Which encoding of the Latin script makes letters of one language out of bytes.
//!
//! A detector that knows the usual encodings alone reads Polish in ISO-8859-16 as windows-1252: `wi¢cej`. No alphabet has
//! a letter there, while the right encoding gives Polish letters at all places. Of the bytes, those inside words count.

use encoding_rs::{
    Encoding, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16,
    WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257,
};

use super::neighbours::neighbours;

/// The more usual first: of two that explain the bytes as well, it is the first.
const LATIN: [&Encoding; 12] = [
    WINDOWS_1252,
    WINDOWS_1250,
    ISO_8859_2,
    WINDOWS_1254,
    WINDOWS_1257,
    ISO_8859_15,
    ISO_8859_16,
    ISO_8859_13,
    ISO_8859_4,
    ISO_8859_10,
    ISO_8859_3,
    ISO_8859_14,
];

/// Letters beyond ASCII of one language each (exemplar characters of the Unicode CLDR, with those of loan words that are
/// often written): Czech, Slovak, Polish, Hungarian, Croatian, Slovenian, Romanian (with commas or cedillas), Lithuanian, Latvian, Estonian,
/// Finnish, Swedish, Danish and Norwegian, Icelandic, Faroese, German, Dutch, French, Spanish and Galician, Portuguese,
/// Italian, Catalan, Turkish, Maltese, Esperanto, Welsh, Irish in its old spelling, Northern Sami.
const ALPHABETS: [&str; 29] = [
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "ąćęłńóśźż",
    "áéíóöőúüű",
    "čćđšž",
    "čšž",
    "ăâîșț",
    "ăâîşţ",
    "ąčęėįšųūž",
    "āčēģīķļņšūž",
    "äõöüšž",
    "äöåšž",
    "åäöéà",
    "æøåéáó",
    "áéíóúýþæöð",
    "áíóúýæøð",
    "äöüßéàè",
    "éëèïöüáóíêä",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúüï",
    "áâãàçéêíóôõúüò",
    "àèéìòùóíîú",
    "àçéèíïòóúü",
    "çğıİöşüâîû",
    "ċġħżàèìòù",
    "ĉĝĥĵŝŭ",
    "âêîôûŵŷïëáäéóöàì",
    "áéíóúḃċḋḟġṁṗṡṫ",
    "áčđŋšŧž",
];

/// Signs that stand between letters in texts of any language, with spaces left out or not.
const SIGNS: &str = "’‘–—…•·“”„‚«»‹›°®©™\u{AD}\u{A0}";

/// So many bytes of words must be no letters to refute a guess: one may be a mistake.
const LEAST_REFUTING: usize = 2;

/// So many different letters must speak for another encoding.
const LEAST_LETTERS: usize = 3;

/// How often each byte from 80 stands inside words.
struct InWords([usize; 128]);

impl InWords {
    fn count(body: &[u8]) -> Self {
        let wordlike = |b: u8| b.is_ascii_alphabetic() || !b.is_ascii();
        let mut counts = [0; 128];
        for (before, byte, after) in neighbours(body) {
            if let Some(count) = usize::from(byte).checked_sub(128).and_then(|at| counts.get_mut(at))
                && wordlike(before)
                && wordlike(after)
            {
                *count += 1;
            }
        }
        Self(counts)
    }

    /// How many of the bytes, and how many different ones, `encoding` makes characters of that satisfy `wanted`.
    fn reads(&self, encoding: &'static Encoding, wanted: impl Fn(char) -> bool) -> (usize, usize) {
        let upper_half: Vec<u8> = (128..=255).collect();
        let characters = encoding.decode_without_bom_handling(&upper_half).0;
        let read = self.0.iter().zip(characters.chars()).filter(|&(count, c)| *count > 0 && wanted(c));
        read.fold((0, 0), |(bytes, kinds), (count, _)| (bytes + count, kinds + 1))
    }

    /// By the alphabet that fits best: how many bytes are no letters of it, and how many different ones are letters.
    fn misfits(&self, encoding: &'static Encoding) -> (usize, usize) {
        let all: usize = self.0.iter().sum();
        let (signs, _) = self.reads(encoding, |c| SIGNS.contains(c));
        let misfits = ALPHABETS.iter().filter(|alphabet| has_letters(encoding, alphabet)).map(|alphabet| {
            let (letters, kinds) = self.reads(encoding, |c| c.to_lowercase().any(|small| alphabet.contains(small)));
            (all - signs - letters, kinds)
        });
        misfits.min_by_key(|&(misfits, kinds)| (misfits, usize::MAX - kinds)).unwrap_or((all, 0))
    }
}

/// Whether a text in this alphabet can be written in `encoding`.
fn has_letters(encoding: &'static Encoding, alphabet: &str) -> bool {
    !encoding.encode(alphabet).2
}

/// The encoding of the Latin script in which the words consist of letters, if `guess` is one in which they do not.
pub(super) fn better_latin(guess: &'static Encoding, body: &[u8]) -> Option<&'static Encoding> {
    if !LATIN.contains(&guess) {
        return None;
    }
    let words = InWords::count(body);
    let all: usize = words.0.iter().sum();
    let (refuting, _) = words.misfits(guess);
    if refuting < LEAST_REFUTING || refuting * 50 < all {
        return None;
    }
    let found = LATIN.into_iter().map(|encoding| (encoding, words.misfits(encoding)));
    let (best, (misfits, kinds)) = found.min_by_key(|(_, (misfits, _))| *misfits)?;
    (misfits * 100 <= all && kinds >= LEAST_LETTERS).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::super::refine::refine;
    use super::*;

    fn refined(guess: &'static Encoding, encoding: &'static Encoding, text: &str) -> &'static Encoding {
        let (bytes, _, lost) = encoding.encode(text);
        assert!(!lost, "{text}");
        refine(guess, &bytes)
    }

    #[test]
    fn rare_encodings_are_known_by_the_letters_of_a_language() {
        let polish = "Więcej światła w południe będzie możliwe, gdy się przesunie żółtą zasłonę, którą mąż powiesił.";
        let latvian = "Šī lapa ir pieejama arī latviešu valodā; bērniem patīk zaļas lapiņas, kuras šķiet mīkstas.";
        let turkish = "Bu sayfada büyük ve küçük ülkelerin başkentleri görülür; değişik bilgiler bulacaksınız.";
        for (encoding, text) in [
            (ISO_8859_16, polish),
            (ISO_8859_13, polish),
            (ISO_8859_10, latvian),
            (ISO_8859_4, latvian),
            (ISO_8859_3, turkish),
        ] {
            let found = refined(WINDOWS_1252, encoding, text);
            let (bytes, _, _) = encoding.encode(text);
            assert_eq!(found.decode_without_bom_handling(&bytes).0, text, "{} as {}", encoding.name(), found.name());
        }
    }

    #[test]
    fn a_guess_that_gives_letters_stays() {
        for (encoding, text) in [
            (WINDOWS_1252, "L’été, où les élèves français étaient déjà à l’école, naïve et rêveuse, çà et là."),
            (WINDOWS_1252, "don’t, won’t, can’t; it’s a long—very long—story, and they’re not there: we’ll see"),
            (WINDOWS_1250, "Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco ježek šťastně seděl pod stromem."),
            (ISO_8859_2, "Więcej światła w południe będzie możliwe, gdy się przesunie żółtą zasłonę."),
            (WINDOWS_1254, "Bu sayfada çeşitli ülkelerin başkentleri ve şehirlerine ait bilgiler bulacaksınız."),
        ] {
            assert_eq!(refined(encoding, encoding, text), encoding, "{text}");
        }
    }

    #[test]
    fn hungarian_is_known_by_its_long_vowels() {
        let text =
            "A felhasználók lehetőségei közül a legegyszerűbb, hogy letöltő és feltöltő bővítményt kérnek. Öt óra.";
        let (bytes, _, lost) = WINDOWS_1250.encode(text);
        assert!(!lost);
        assert_eq!(refine(WINDOWS_1252, &bytes), WINDOWS_1250);
        for western in [
            "As opções são três: eleições, reuniões, canções. L'août, sûr.",
            "Õhtul sõitsime põhja poole, õues oli külm. Crème brûlée, mûre.",
            "Il est sûr que l'été dernier, au mois d'août, la forêt brûlait. Põltsamaa, Põlva, Võru.",
        ] {
            assert_eq!(refine(WINDOWS_1252, &WINDOWS_1252.encode(western).0), WINDOWS_1252, "{western}");
        }
    }

    #[test]
    fn signs_between_letters_are_no_other_alphabet() {
        assert_eq!(refine(WINDOWS_1252, &b"a\xA6b c\xA6d e\xA6f g\xA6h i\xA6j ".repeat(9)), WINDOWS_1252);
    }
}
