//! Bytes → text: finds the character encoding of a page and decodes it.
//!
//! Evidence is taken in the order of the HTML standard: byte order mark, HTTP
//! header, `<meta>`, XML declaration, detection. Archives are full of false
//! declarations, so a declaration is overruled where the bytes themselves
//! refute it (see `decide`). What was declared and what was done stand in
//! [`Decoded`], so that every decision can be checked later.
//!
//! Input is the body after transfer and content decoding. Text that was encoded
//! twice is repaired here, before the control characters in it are removed.
//! Anything about markup belongs elsewhere.

mod alphabets;
mod any_encoding;
mod code_page;
mod decide;
mod decoding;
mod detect;
mod evidence;
mod labels;
mod normalise;
mod prescan;
mod refine;
mod source;
mod survey;
mod utf8;
mod visible;

pub use normalise::{clean_text, is_plain, is_plain_byte, nfc};
pub use source::CharsetSource;

use std::borrow::Cow;

use encoding_rs::Encoding;

use decide::{Hints, decode_by_evidence};
use decoding::{Body, EncodingChoice, finish};
use evidence::{Evidence, undecodable};

use crate::archive::has_binary_signature;
use crate::text::mojibake::Mojibake;

/// A decoded page, and by what evidence it was decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<'a> {
    /// The text, clean by the rules of [`clean_text`].
    pub text: Cow<'a, str>,
    /// Name of the encoding by the WHATWG Encoding Standard, or of a code page that the standard lacks (`IBM852`).
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
    /// A picture, a PDF or another format by its first bytes, or more than 5 % C0 control characters: not text, or UTF-32.
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
    if has_binary_signature(body) {
        return Err(Undecodable::Binary);
    }
    let evidence = Evidence::gather(body, http_charset);
    if let Some((encoding, length)) = Encoding::for_bom(body) {
        let body = body.get(length..).unwrap_or_default();
        let choice = EncodingChoice { encoding: encoding.into(), source: CharsetSource::Bom };
        return finish(choice.decode(&Body::new(body, truncated)), evidence.label, mojibake);
    }
    let body = &Body::new(body, truncated);
    if let Some(reason) = undecodable(body, evidence.label.as_deref()) {
        return Err(reason);
    }
    let language = language_hint
        .and_then(labels::domain_of_language)
        .or_else(|| evidence.language.as_deref().and_then(labels::domain_of_language));
    let text = decode_by_evidence(body, evidence.declared, evidence.overruled, Hints { language, tld });
    finish(text, evidence.label, mojibake)
}

#[cfg(test)]
mod tests;
