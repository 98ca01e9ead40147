//! The decision about an encoding: a declaration against the bytes.

use encoding_rs::{
    Encoding, ISO_2022_JP, ISO_8859_2, UTF_8, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257, WINDOWS_1258,
};

use super::alphabets::{by_alphabet, spells_as_well};
use super::any_encoding::AnyEncoding;
use super::decoding::{Body, CONFIDENT_BYTES, DecodedBody, EncodingChoice};
use super::detect;
use super::refine::{is_hungarian, is_iso_8859_2, is_not_western, is_windows_1250};
use super::source::CharsetSource;
use super::utf8::tolerable;

/// What is known of a page beside its bytes and what it declares of them, as top-level domains.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints<'a> {
    /// One where the language is spoken that the page or its header declares.
    pub(super) language: Option<&'a str>,
    /// That of its address.
    pub(super) tld: Option<&'a str>,
}

impl<'a> Hints<'a> {
    /// The one that says more.
    fn domain(self) -> Option<&'a str> {
        self.language.or(self.tld)
    }
}

/// Weighs the declaration against the bytes and decodes.
///
/// * UTF-8 bytes are UTF-8, whatever was declared: legacy text that is valid
///   UTF-8 by chance does not occur.
/// * ISO-2022-JP is known by its escapes.
/// * ISO-8859-1, which editors and servers declare unasked, is dropped where
///   letters stand at the places of another script, where signs stand within words that another encoding spells, and for a
///   detected encoding that the page itself declares, or that its language or domain needs. Those are
///   no hint to the detector: French stands under `.cz` and `lang=pl`, too.
/// * Of ISO-8859-2 and windows-1250 it is the one at whose places the letters stand.
/// * Declared UTF-8 is dropped for a detected encoding where malformed sequences are more than half as many as sound ones, or
///   more than 1 % of these stand within words.
/// * Another declared encoding in which many sequences are malformed is dropped for
///   a detected one, if that does better.
///
/// `overruled` is what the page declares where the HTTP header says something else.
pub(super) fn decode_by_evidence<'a>(
    body: &Body<'a>,
    declared: Option<EncodingChoice>,
    overruled: Option<AnyEncoding>,
    hints: Hints<'_>,
) -> DecodedBody<'a> {
    let utf8 = body.utf8_count();
    let detect = || detected(body, hints.domain());
    match declared {
        Some(choice) if choice.encoding != ISO_2022_JP && is_japanese_in_seven_bits(body, detect) => {
            EncodingChoice::detected(ISO_2022_JP).decode(body)
        }
        Some(choice) if choice.encoding == UTF_8 => {
            if utf8.is_tolerable() {
                return choice.decode(body);
            }
            detect().decode(body)
        }
        Some(_) if utf8.is_certain() => {
            EncodingChoice { encoding: UTF_8.into(), source: CharsetSource::Utf8Override }.decode(body)
        }
        // Browsers ignore it, so that nobody saw whether it is true.
        Some(choice) if choice.encoding.is_code_page() => {
            let found = detect();
            let as_well =
                !found.encoding.is_single_byte() || spells_as_well(choice.encoding, found.encoding, body.bytes);
            if as_well { choice.decode(body) } else { found.decode(body) }
        }
        Some(choice) => {
            let text = choice.decode(body);
            if choice.encoding == WINDOWS_1252 && !body.is_ascii() {
                let other = other_than_western(body, overruled, hints).map(|choice| choice.decode(body));
                return other.filter(|other| other.malformed == 0 && !other.survey.c1).unwrap_or(text);
            }
            if choice.encoding == ISO_8859_2 && text.survey.c1 && is_windows_1250(body.bytes) {
                return EncodingChoice::detected(WINDOWS_1250).decode(body);
            }
            if choice.encoding == WINDOWS_1250 && is_iso_8859_2(body.bytes) {
                return EncodingChoice::detected(ISO_8859_2).decode(body);
            }
            if tolerable(text.malformed, text.survey.beyond_ascii) {
                return text;
            }
            let other = detect().decode(body);
            if other.malformed < text.malformed { other } else { text }
        }
        None if utf8.is_valid() && !body.has_seven_bit_escape() || utf8.is_certain() => {
            EncodingChoice { encoding: UTF_8.into(), source: CharsetSource::Utf8 }.decode(body)
        }
        None => detect().decode(body),
    }
}

/// Whether seven bits with escapes are Japanese.
fn is_japanese_in_seven_bits(body: &Body<'_>, detect: impl Fn() -> EncodingChoice) -> bool {
    body.has_seven_bit_escape() && detect().encoding == ISO_2022_JP
}

/// The encoding of a page that declares ISO-8859-1, where something beside the bytes speaks for it.
fn other_than_western(body: &Body<'_>, overruled: Option<AnyEncoding>, hints: Hints<'_>) -> Option<EncodingChoice> {
    if is_not_western(body.bytes) {
        return Some(detected(body, hints.domain()));
    }
    if is_hungarian(body.bytes) {
        return Some(EncodingChoice::detected(WINDOWS_1250));
    }
    if let Some(spelt) = by_alphabet(WINDOWS_1252, body.bytes) {
        return Some(EncodingChoice::detected(spelt));
    }
    if overruled.is_some() {
        let found = detected(body, hints.domain());
        if overruled == Some(found.encoding) {
            return Some(found);
        }
    }
    let needed = encodings_beyond_western(hints.domain()?)?;
    if body.bytes.iter().filter(|byte| !byte.is_ascii()).count() < CONFIDENT_BYTES {
        return None;
    }
    let found = detected(body, None);
    needed.into_iter().any(|encoding| found.encoding == encoding).then_some(found)
}

fn detected(body: &Body<'_>, domain: Option<&str>) -> EncodingChoice {
    EncodingChoice::detected(detect::detect(body.bytes, domain, !body.truncated))
}

/// The encodings of Latin script for the language of a domain that ISO-8859-1 has not all letters of.
fn encodings_beyond_western(domain: &str) -> Option<[&'static Encoding; 2]> {
    match domain {
        "ba" | "cz" | "hr" | "hu" | "me" | "pl" | "ro" | "rs" | "si" | "sk" => Some([WINDOWS_1250, ISO_8859_2]),
        "tr" => Some([WINDOWS_1254; 2]),
        "lt" | "lv" => Some([WINDOWS_1257; 2]),
        "vn" => Some([WINDOWS_1258; 2]),
        _ => None,
    }
}
