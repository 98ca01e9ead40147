//! Bytes → text: finds the character encoding of a page and decodes it.
//!
//! Evidence is taken in the order of the HTML standard: byte order mark, HTTP
//! header, `<meta>`, XML declaration, detection. Archives are full of false
//! declarations, so a declaration is overruled where the bytes themselves
//! refute it (see `decode_by_evidence`). What was declared and what was done stand in
//! [`Decoded`], so that every decision can be checked later.
//!
//! Input is the body after transfer and content decoding. Text that was encoded
//! twice is repaired here, before the control characters in it are removed.
//! Anything about markup belongs elsewhere.

mod detect;
mod labels;
mod normalise;
mod prescan;
mod refine;
mod source;
mod survey;
mod utf8;

pub use normalise::{clean_text, is_plain, is_plain_byte, nfc};
pub use source::CharsetSource;

use std::borrow::Cow;

use encoding_rs::{
    DecoderResult, Encoding, ISO_8859_2, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252,
};
use memchr::{memchr, memmem};

use normalise::{MARK, without_marks};
use prescan::{Prescan, prescan, xml_declaration};
use refine::{is_not_western, is_windows_1250};
use survey::Survey;
use utf8::{Utf8Count, tolerable};

use crate::text::mojibake::{self, Mojibake};

/// A body is binary if more than one character in this many is NUL (5 %).
const BINARY_NUL: usize = 20;

/// A text is suspect if more than one character in this many is U+FFFD (0.5 %).
const SUSPECT_REPLACEMENTS: usize = 200;

/// Detection from fewer non-ASCII bytes is little more than a guess.
const CONFIDENT_BYTES: usize = 10;

/// A decoded page, and by what evidence it was decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<'a> {
    /// The text, clean by the rules of [`clean_text`].
    pub text: Cow<'a, str>,
    /// Name of the encoding by the WHATWG Encoding Standard.
    pub charset: &'static str,
    /// What decided the encoding.
    pub source: CharsetSource,
    /// The label that was declared, as written; where there are several, the one
    /// that counted. May contradict `charset`.
    pub declared: Option<String>,
    /// Number of U+FFFD that decoding produced.
    pub replacements: u32,
    /// The text is likely wrong: control characters or many replacements came
    /// out, or the guess rests on very few bytes.
    pub suspect: bool,
    /// Whether there was text that had been encoded twice, or control characters
    /// for characters of Windows-1252. It is repaired if [`Mojibake::Fix`] was asked for.
    pub mojibake: bool,
}

/// Why a body has no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Undecodable {
    /// More than 5 % NUL characters: not text, or UTF-32.
    Binary,
    /// ISO-2022-KR, for which there is no decoder.
    Iso2022Kr,
    /// ISO-2022-CN, for which there is no decoder.
    Iso2022Cn,
    /// HZ (hz-gb-2312), for which there is no decoder.
    Hz,
}

impl Undecodable {
    /// A short name for counters and reject lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Iso2022Kr => "iso-2022-kr",
            Self::Iso2022Cn => "iso-2022-cn",
            Self::Hz => "hz-gb-2312",
        }
    }
}

/// The label in a `Content-Type` header: its first `charset` parameter.
#[cfg(any(test, feature = "internals"))]
pub fn http_charset(content_type: &str) -> Option<String> {
    prescan::charset_parameter(content_type.as_bytes())
}

/// Finds the encoding of `body` and decodes it.
///
/// * `http_charset`: the label of the HTTP header, if any.
/// * `tld`: rightmost label of the host, lower case, Punycode; `None` for
///   generic domains. Only a hint.
/// * `language_hint`: a language tag from outside the page (`Content-Language`).
/// * `truncated`: the record was cut, so `body` may end inside a character.
/// * `mojibake`: what to do about text that was encoded twice.
///
/// # Errors
///
/// [`Undecodable`] if the body is binary or in an encoding nobody decodes.
pub fn decode<'a>(
    body: &'a [u8],
    http_charset: Option<&str>,
    tld: Option<&str>,
    language_hint: Option<&str>,
    truncated: bool,
    mojibake: Mojibake,
) -> Result<Decoded<'a>, Undecodable> {
    let evidence = Evidence::gather(body, http_charset);
    if let Some((encoding, length)) = Encoding::for_bom(body) {
        let body = body.get(length..).unwrap_or_default();
        let choice = EncodingChoice { encoding, source: CharsetSource::Bom };
        return finish(choice.decode(&Body::new(body, truncated)), evidence.label, mojibake);
    }
    let body = &Body::new(body, truncated);
    if let Some(reason) = undecodable(body, evidence.label.as_deref()) {
        return Err(reason);
    }
    let hint = language_hint
        .and_then(labels::domain_of_language)
        .or_else(|| evidence.language.as_deref().and_then(labels::domain_of_language))
        .or(tld);
    let text = decode_by_evidence(body, evidence.declared, hint);
    finish(text, evidence.label, mojibake)
}

/// The bytes to decode, and what they are as UTF-8.
struct Body<'a> {
    bytes: &'a [u8],
    /// The bytes as text and what stands in it, if they are valid UTF-8.
    utf8: Option<(&'a str, Survey)>,
    truncated: bool,
}

impl<'a> Body<'a> {
    fn new(bytes: &'a [u8], truncated: bool) -> Self {
        let utf8 = std::str::from_utf8(bytes).ok().map(|text| (text, Survey::of(text)));
        Self { bytes, utf8, truncated }
    }

    fn utf8_count(&self) -> Utf8Count {
        match self.utf8 {
            Some((_, survey)) => Utf8Count::valid(survey.beyond_ascii),
            None => Utf8Count::of(self.bytes, self.truncated),
        }
    }

    fn is_ascii(&self) -> bool {
        self.utf8.is_some_and(|(_, survey)| survey.beyond_ascii == 0)
    }

    /// Whether the bytes are ASCII with an ESC, as in the encodings of seven bits.
    fn has_seven_bit_escape(&self) -> bool {
        self.utf8.is_some_and(|(_, survey)| survey.beyond_ascii == 0 && survey.escape)
    }
}

/// What the page and its HTTP header declare.
struct Evidence {
    /// The first usable declaration.
    declared: Option<EncodingChoice>,
    /// The label of `declared`; if no label was usable, the first one met.
    label: Option<String>,
    /// The language the page declares.
    language: Option<String>,
}

impl Evidence {
    fn gather(body: &[u8], http: Option<&str>) -> Self {
        let Prescan { meta, label, language } = prescan(body);
        let named = |source| move |(encoding, label)| (EncodingChoice { encoding, source }, label);
        let usable = http
            .and_then(|label| Some((labels::lookup(label)?, String::from(label))))
            .map(named(CharsetSource::Http))
            .or_else(|| meta.map(named(CharsetSource::Meta)))
            .or_else(|| xml_declaration(body).map(named(CharsetSource::Xml)))
            .filter(|(choice, _)| !refuted_utf16(choice.encoding, body));
        let (declared, used) = usable.unzip();
        Self { declared, label: used.or(http.map(String::from)).or(label), language }
    }
}

/// Markup in UTF-16 is half NUL bytes; without any, the declaration is false.
fn refuted_utf16(encoding: &'static Encoding, body: &[u8]) -> bool {
    (encoding == UTF_16LE || encoding == UTF_16BE) && memchr(0, body).is_none()
}

/// Encodings that decode to nothing but one U+FFFD by the standard. Their
/// labels are often false, so the marks of the encoding must be there as well.
fn undecodable(body: &Body<'_>, label: Option<&str>) -> Option<Undecodable> {
    let has = |mark: &[u8]| memmem::find(body.bytes, mark).is_some();
    if body.has_seven_bit_escape() {
        if has(b"\x1B$)C") {
            return Some(Undecodable::Iso2022Kr);
        }
        if has(b"\x1B$)A") || has(b"\x1B$)G") {
            return Some(Undecodable::Iso2022Cn);
        }
    }
    let replaced = label.and_then(|label| Encoding::for_label(label.as_bytes())) == Some(REPLACEMENT);
    let hz = replaced && body.is_ascii() && has(b"~{");
    hz.then_some(Undecodable::Hz)
}

/// Weighs the declaration against the bytes and decodes.
///
/// * UTF-8 bytes are UTF-8, whatever was declared: legacy text that is valid
///   UTF-8 by chance does not occur.
/// * ISO-8859-1, which editors and servers declare unasked, is dropped where
///   letters stand at the places of another script.
/// * ISO-8859-2 is dropped for windows-1250 where the letters stand at the
///   places of the latter.
/// * A declared encoding in which many sequences are malformed is dropped for
///   a detected one, if that does better.
fn decode_by_evidence<'a>(body: &Body<'a>, declared: Option<EncodingChoice>, hint: Option<&str>) -> DecodedBody<'a> {
    let utf8 = body.utf8_count();
    let detect = || EncodingChoice {
        encoding: detect::detect(body.bytes, hint, !body.truncated),
        source: CharsetSource::Detected,
    };
    match declared {
        Some(choice) if choice.encoding == UTF_8 => {
            if utf8.is_tolerable() {
                return choice.decode(body);
            }
            detect().decode(body)
        }
        Some(_) if utf8.is_certain() => {
            EncodingChoice { encoding: UTF_8, source: CharsetSource::Utf8Override }.decode(body)
        }
        Some(choice) => {
            let text = choice.decode(body);
            if choice.encoding == WINDOWS_1252 && !body.is_ascii() && is_not_western(body.bytes) {
                let other = detect().decode(body);
                return if other.malformed == 0 && !other.survey.c1 { other } else { text };
            }
            if choice.encoding == ISO_8859_2 && text.survey.c1 && is_windows_1250(body.bytes) {
                return EncodingChoice { encoding: WINDOWS_1250, source: CharsetSource::Detected }.decode(body);
            }
            if tolerable(text.malformed, text.non_ascii()) {
                return text;
            }
            let other = detect().decode(body);
            if other.malformed < text.malformed { other } else { text }
        }
        None if utf8.is_valid() && !body.has_seven_bit_escape() || utf8.is_certain() => {
            EncodingChoice { encoding: UTF_8, source: CharsetSource::Utf8 }.decode(body)
        }
        None => detect().decode(body),
    }
}

/// An encoding and the reason to use it.
#[derive(Clone, Copy)]
struct EncodingChoice {
    encoding: &'static Encoding,
    source: CharsetSource,
}

/// Bytes of text that are decoded at a time.
const DECODED_PIECE: usize = 16 << 10;

impl EncodingChoice {
    /// Decodes without regard to byte order marks.
    fn decode<'a>(self, body: &Body<'a>) -> DecodedBody<'a> {
        // ASCII is the same text in most encodings.
        let is_text = self.encoding == UTF_8 || self.encoding.is_ascii_compatible() && body.is_ascii();
        let (text, survey, malformed) = match body.utf8.filter(|_| is_text) {
            Some((text, survey)) => (Cow::Borrowed(text), survey, 0),
            None => {
                let (text, malformed) = self.decode_counting(body.bytes, body.truncated);
                let survey = Survey::of(&text);
                (Cow::Owned(text), survey, malformed)
            }
        };
        let guessed = self.source == CharsetSource::Detected;
        let source_non_ascii = if guessed { body.bytes.iter().filter(|b| !b.is_ascii()).count() } else { 0 };
        DecodedBody { choice: self, text, survey, malformed, source_non_ascii }
    }

    /// The text and the number of malformed sequences, each a U+FFFD in the text.
    ///
    /// The time is linear in the bytes: `encoding_rs` touches each page of memory of its output at every call, which
    /// ends at a malformed sequence, so that it decodes to a small buffer and not to the whole text.
    fn decode_counting(self, body: &[u8], truncated: bool) -> (String, usize) {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(body.len() + body.len() / 4 + 16);
        let mut piece = String::with_capacity(DECODED_PIECE);
        let (mut from, mut malformed) = (0, 0);
        loop {
            let rest = body.get(from..).unwrap_or_default();
            // Not `last` in a cut body: an unfinished sequence at its end is no error.
            let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut piece, !truncated);
            from += read;
            text.push_str(&piece);
            piece.clear();
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(_, _) => {
                    malformed += 1;
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
        (text, malformed)
    }
}

/// A body decoded in one encoding, and how well that went.
struct DecodedBody<'a> {
    choice: EncodingChoice,
    text: Cow<'a, str>,
    /// What stands in `text`.
    survey: Survey,
    malformed: usize,
    /// Non-ASCII bytes of the body, in scripts and markup too; counted where the encoding was guessed.
    source_non_ascii: usize,
}

impl DecodedBody<'_> {
    /// Number of non-ASCII characters.
    fn non_ascii(&self) -> usize {
        self.survey.beyond_ascii
    }

    /// Repairs text that was encoded twice or read in the wrong encoding, if asked to. Whether there is such text.
    fn repair(&mut self, mojibake: Mojibake) -> bool {
        if self.survey.beyond_ascii == 0 || mojibake == Mojibake::Leave {
            return false;
        }
        if mojibake == Mojibake::Mark {
            return mojibake::has_mojibake(&self.text)
                || self.survey.c1 && mojibake::without_controls(&self.text).is_some();
        }
        let sequences = mojibake::fixed(&self.text).map(|text| self.replace(text));
        // Many of them are parts of the sequences.
        let controls = if self.survey.c1 { mojibake::without_controls(&self.text) } else { None };
        sequences.is_some() | controls.map(|text| self.replace(text)).is_some()
    }

    fn replace(&mut self, text: String) {
        self.survey = Survey::of(&text);
        self.text = Cow::Owned(text);
    }

    fn is_suspect(&self) -> bool {
        let guessed = self.choice.source == CharsetSource::Detected && self.choice.encoding != encoding_rs::ISO_2022_JP;
        self.survey.nuls > 0
            || self.survey.c1
            || (guessed && self.source_non_ascii < CONFIDENT_BYTES)
            || self.malformed > 0 && self.malformed * SUSPECT_REPLACEMENTS > self.text.chars().count()
    }

    fn is_binary(&self) -> bool {
        self.survey.nuls > 0 && self.survey.nuls * BINARY_NUL > self.text.chars().count()
    }
}

/// Cleans the text, unless it shows that the body is binary.
fn finish(
    mut decoded: DecodedBody<'_>,
    declared: Option<String>,
    mojibake: Mojibake,
) -> Result<Decoded<'_>, Undecodable> {
    if decoded.is_binary() {
        return Err(Undecodable::Binary);
    }
    let mojibake = decoded.repair(mojibake);
    let suspect = decoded.is_suspect();
    let DecodedBody { choice, text, survey, malformed, .. } = decoded;
    let text = match text {
        Cow::Borrowed(text) if survey.junk => clean_text(text),
        Cow::Borrowed(text) => Cow::Borrowed(without_marks(text)),
        Cow::Owned(text) if survey.junk || text.starts_with(MARK) => Cow::Owned(clean_text(&text).into_owned()),
        text => text,
    };
    Ok(Decoded {
        text,
        charset: choice.encoding.name(),
        source: choice.source,
        declared,
        replacements: u32::try_from(malformed).unwrap_or(u32::MAX),
        suspect,
        mojibake,
    })
}

#[cfg(test)]
mod tests;
