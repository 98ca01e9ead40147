//! Second thoughts about a guess of chardetng: encodings it does not know, and
//! bytes that are no letters. Each rule rests on what a byte can mean in the
//! encodings compared, not on statistics of a language.

use encoding_rs::{Encoding, ISO_8859_15, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, X_MAC_CYRILLIC};

/// Such a pattern must be seen this often where one could be chance.
const ENOUGH: usize = 3;

/// Fewer bytes do not refute what a page declares.
const LEAST_IN_RUNS: usize = 40;

/// In all encodings of ISO 8859 and most of Windows.
const NO_BREAK_SPACE: u8 = 0xA0;

/// The guess, or the encoding that explains the bytes better.
pub(super) fn refine(guess: &'static Encoding, body: &[u8]) -> &'static Encoding {
    if guess.is_single_byte() && only_symbols(body) {
        WINDOWS_1252
    } else if (guess == WINDOWS_1251 || guess == WINDOWS_1252) && is_mac_cyrillic(body) {
        X_MAC_CYRILLIC
    } else if guess == WINDOWS_1252 && is_hungarian(body) {
        WINDOWS_1250
    } else if guess == WINDOWS_1252 && is_latin9(body) {
        ISO_8859_15
    } else {
        guess
    }
}

/// Letters stand in words. If no non-ASCII byte touches a letter or another
/// such byte, they are signs (`£5`, `©`), for which windows-1252 is the default of the web.
fn only_symbols(body: &[u8]) -> bool {
    let wordlike = |b: u8| b.is_ascii_alphabetic() || !b.is_ascii();
    neighbours(body).all(|(before, byte, after)| byte.is_ascii() || !(wordlike(before) || wordlike(after)))
}

/// Mac Cyrillic has its small letters where windows-1251 has them, but `я` is
/// DF, there `Я`. A capital behind a small letter is hardly ever written, and
/// FF, `я` in windows-1251, is a currency sign on the Mac.
fn is_mac_cyrillic(body: &[u8]) -> bool {
    let small = |b: u8| (0xE0..=0xFE).contains(&b);
    let (mut ya, mut windows_ya, mut inside, mut all) = (0, 0, 0, 0);
    for (before, byte, after) in neighbours(body).filter(|&(_, byte, _)| !byte.is_ascii()) {
        all += 1;
        inside += usize::from(small(byte) && (small(before) || small(after)));
        ya += usize::from(byte == 0xDF && small(before));
        windows_ya += usize::from(byte == 0xFF);
    }
    // Cyrillic words are runs of non-ASCII bytes; in Western text (`größer`) such runs are short and rare.
    inside * 2 > all && ya >= ENOUGH && ya > windows_ya
}

/// Hungarian is the only language with both `ő` and `ű`, in windows-1252 `õ` and `û`. Portuguese and Estonian have `õ`,
/// French has `û`, but with letters that Hungarian does not have.
pub(super) fn is_hungarian(body: &[u8]) -> bool {
    let (mut o, mut u, mut others, mut all) = (0, 0, 0, 0);
    for byte in body.iter().copied().filter(|byte| *byte >= 0xC0) {
        all += 1;
        match byte | 0x20 {
            0xF5 => o += 1,
            0xFB => u += 1,
            // á é í ó ö ú ü
            0xE1 | 0xE9 | 0xED | 0xF3 | 0xF6 | 0xFA | 0xFC => {}
            _ => others += 1,
        }
    }
    o >= ENOUGH && u > 0 && others * 50 <= all
}

/// ISO-8859-15 is ISO-8859-1 with `œ` for `½` and the euro for `¤`. A fraction
/// inside a word, or the currency sign at all, betrays it, unless bytes 80–9F
/// show windows-1252.
fn is_latin9(body: &[u8]) -> bool {
    let (mut certain, mut likely) = (0, 0);
    for (before, byte, after) in neighbours(body) {
        match byte {
            0x80..=0x9F => return false,
            0xA4 => certain += 1,
            0xBC | 0xBD if after.is_ascii_alphabetic() => {
                certain += usize::from(before.is_ascii_alphabetic());
                likely += usize::from(!before.is_ascii_digit());
            }
            _ => {}
        }
    }
    certain > 0 || likely >= ENOUGH
}

/// ISO-8859-2 and windows-1250 have most letters at the same places. Others stand in one of them where the other has
/// control characters or signs, which touch letters less often. The bytes that are letters in both decide nothing.
pub(super) fn is_windows_1250(body: &[u8]) -> bool {
    let (mut windows, mut iso) = (0, 0);
    for (before, byte, after) in neighbours(body) {
        windows += usize::from(is_letter_of_windows(byte) && (is_letter(before) || is_letter(after)));
        // Ś Š Ť Ź Ž ą ľ ś ť; in windows-1250 ¦ © « ¬ ® ± µ ¶ »
        let sign = matches!(byte, 0xA6 | 0xA9 | 0xAB | 0xAC | 0xAE | 0xB1 | 0xB5 | 0xB6 | 0xBB);
        iso += usize::from(sign && is_letter(before) && is_letter(after));
    }
    windows > iso
}

/// The other way round, for a text that declares windows-1250, by the signs that are not written between words either:
/// `Home»News`, `Firma®`.
pub(super) fn is_iso_8859_2(body: &[u8]) -> bool {
    let mut iso = 0;
    for (before, byte, after) in neighbours(body) {
        if is_letter_of_windows(byte) && (is_letter(before) || is_letter(after)) {
            return false;
        }
        // Ś ś, also at the beginning of a word, and Ź ľ; in windows-1250 ¦ ¶ and ¬ µ
        let letter = matches!(byte, 0xA6 | 0xB6) || matches!(byte, 0xAC | 0xB5) && is_letter(before);
        iso += usize::from(letter && is_letter(after));
    }
    iso >= ENOUGH
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0xC0
}

/// Š Ś Ť Ž Ź š ś ť ž ź, which are control characters in ISO-8859-2.
fn is_letter_of_windows(byte: u8) -> bool {
    matches!(byte, 0x8A | 0x8C..=0x8F | 0x9A | 0x9C..=0x9F)
}

/// Whether the bytes beyond ASCII stand in runs, as the letters of other scripts do. In Western text they are letters with
/// accents, which hardly ever touch, signs that are repeated, and no-break spaces.
pub(super) fn is_not_western(body: &[u8]) -> bool {
    let (mut all, mut inside) = (0, 0);
    for (before, byte, after) in neighbours(body).filter(|&(_, byte, _)| !byte.is_ascii() && byte != NO_BREAK_SPACE) {
        let joins = |other: u8| !other.is_ascii() && other != byte && other != NO_BREAK_SPACE;
        all += 1;
        inside += usize::from(joins(before) || joins(after));
    }
    all >= LEAST_IN_RUNS && inside * 4 > all * 3
}

/// Each byte with those before and after it (space at the ends).
fn neighbours(body: &[u8]) -> impl Iterator<Item = (u8, u8, u8)> {
    let before = std::iter::once(b' ').chain(body.iter().copied());
    let after = body.iter().copied().skip(1).chain(std::iter::once(b' '));
    before.zip(body.iter().copied()).zip(after).map(|((before, byte), after)| (before, byte, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::WINDOWS_1250;

    #[test]
    fn signs_alone_are_windows_1252() {
        assert_eq!(refine(WINDOWS_1250, b"to lift \xA3825. not for a \xA32 bet"), WINDOWS_1252);
        assert_eq!(refine(WINDOWS_1250, b"P\xF8\xEDli\x9A"), WINDOWS_1250);
        assert_eq!(refine(WINDOWS_1250, b"\xA3\xF3d\xBC"), WINDOWS_1250);
    }

    #[test]
    fn mac_cyrillic_is_known_by_its_ya() {
        let text = "Новая Россия, моя семья и её большая история. Вся страна знает себя.";
        let (mac, _, lost) = X_MAC_CYRILLIC.encode(text);
        assert!(!lost);
        assert_eq!(refine(WINDOWS_1251, &mac), X_MAC_CYRILLIC);
        let (windows, _, _) = WINDOWS_1251.encode(text);
        assert_eq!(refine(WINDOWS_1251, &windows), WINDOWS_1251);
        let (german, _, _) = WINDOWS_1252.encode("Größe, Straße, süß, fließen, äußern, heißen, größer, Füße");
        assert_eq!(refine(WINDOWS_1252, &german), WINDOWS_1252);
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
    fn latin9_is_known_by_oe_and_euro() {
        assert_eq!(refine(WINDOWS_1252, b"le c\xBDur \xE9tait"), ISO_8859_15);
        assert_eq!(refine(WINDOWS_1252, b"caf\xE9: 5 \xA4"), ISO_8859_15);
        assert_eq!(refine(WINDOWS_1252, b"caf\xE9: 2\xBDkg"), WINDOWS_1252);
        assert_eq!(refine(WINDOWS_1252, b"caf\xE9: 5 \x80, c\xBDur"), WINDOWS_1252);
    }
}
