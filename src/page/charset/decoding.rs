//! Decodes a body in a chosen encoding and makes clean text of it, with counts of what went wrong on the way.

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::any_encoding::AnyEncoding;
use super::normalise::{MARK, clean_text, without_marks};
use super::source::CharsetSource;
use super::survey::Survey;
use super::utf8::Utf8Count;
use super::{Decoded, Undecodable};
use crate::text::mojibake::{self, Mojibake};

/// A text is binary if more than one character in this many is NUL, or another control character where there are at least
/// [`LEAST_CONTROLS`]: one byte in twelve is, in data that are compressed, and hardly any in a page (5 %).
const BINARY_CONTROLS: usize = 20;

/// Fewest control characters, NUL apart, that make a text binary: one of few words may have one by mistake.
const LEAST_CONTROLS: usize = 8;

/// A text is suspect if more than one character in this many is U+FFFD (0.5 %).
const SUSPECT_REPLACEMENTS: usize = 200;

/// Detection from fewer non-ASCII bytes is little more than a guess.
pub(super) const CONFIDENT_BYTES: usize = 10;

/// The bytes to decode, and what they are as UTF-8.
pub(super) struct Body<'a> {
    pub(super) bytes: &'a [u8],
    /// The bytes as text and what stands in it, if they are valid UTF-8.
    utf8: Option<(&'a str, Survey)>,
    pub(super) truncated: bool,
}

impl<'a> Body<'a> {
    pub(super) fn new(bytes: &'a [u8], truncated: bool) -> Self {
        let utf8 = std::str::from_utf8(bytes).ok().map(|text| (text, Survey::of(text)));
        Self { bytes, utf8, truncated }
    }

    pub(super) fn utf8_count(&self) -> Utf8Count {
        match self.utf8 {
            Some((_, survey)) => Utf8Count::valid(survey.beyond_ascii),
            None => Utf8Count::of(self.bytes, self.truncated),
        }
    }

    pub(super) fn is_ascii(&self) -> bool {
        self.utf8.is_some_and(|(_, survey)| survey.beyond_ascii == 0)
    }

    /// Whether the bytes are ASCII with an ESC, as in the encodings of seven bits.
    pub(super) fn has_seven_bit_escape(&self) -> bool {
        self.utf8.is_some_and(|(_, survey)| survey.beyond_ascii == 0 && survey.escape)
    }
}

/// An encoding and the reason to use it.
#[derive(Clone, Copy)]
pub(super) struct EncodingChoice {
    pub(super) encoding: AnyEncoding,
    pub(super) source: CharsetSource,
}

impl EncodingChoice {
    /// An encoding that the bytes speak for.
    pub(super) fn detected(encoding: impl Into<AnyEncoding>) -> EncodingChoice {
        EncodingChoice { encoding: encoding.into(), source: CharsetSource::Detected }
    }

    /// Decodes without regard to byte order marks.
    pub(super) fn decode<'a>(self, body: &Body<'a>) -> DecodedBody<'a> {
        // ASCII is the same text in most encodings.
        let is_text = self.encoding == UTF_8 || self.encoding.is_ascii_compatible() && body.is_ascii();
        let (text, survey, malformed) = match body.utf8.filter(|_| is_text) {
            Some((text, survey)) => (Cow::Borrowed(text), survey, 0),
            None => {
                let (text, malformed) = self.encoding.decode(body.bytes, body.truncated);
                let survey = Survey::of(&text);
                (Cow::Owned(text), survey, malformed)
            }
        };
        let guessed = self.source == CharsetSource::Detected;
        let source_non_ascii = if guessed { body.bytes.iter().filter(|b| !b.is_ascii()).count() } else { 0 };
        DecodedBody { choice: self, text, survey, malformed, source_non_ascii }
    }
}

/// A body decoded in one encoding, and how well that went.
pub(super) struct DecodedBody<'a> {
    choice: EncodingChoice,
    text: Cow<'a, str>,
    /// What stands in `text`.
    pub(super) survey: Survey,
    pub(super) malformed: usize,
    /// Non-ASCII bytes of the body, in scripts and markup too; counted where the encoding was guessed.
    source_non_ascii: usize,
}

impl DecodedBody<'_> {
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
        let Survey { nuls, controls, .. } = self.survey;
        let most = nuls.max(if controls >= LEAST_CONTROLS { controls } else { 0 });
        most > 0 && most * BINARY_CONTROLS > self.text.chars().count()
    }
}

/// Cleans the text, unless it shows that the body is binary.
pub(super) fn finish(
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
