//! The encodings that a page can be decoded from.

use encoding_rs::{DecoderResult, Encoding};

use super::code_page::CodePage;

/// Bytes of text that are decoded at a time.
const DECODED_PIECE: usize = 16 << 10;

/// An encoding that a page can be decoded from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnyEncoding {
    /// One of the Encoding Standard.
    Standard(&'static Encoding),
    /// One of those that browsers do not have.
    CodePage(&'static CodePage),
}

impl AnyEncoding {
    /// The name by the Encoding Standard, or of the code page.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Standard(encoding) => encoding.name(),
            Self::CodePage(page) => page.name,
        }
    }

    pub(super) fn is_code_page(self) -> bool {
        matches!(self, Self::CodePage(_))
    }

    pub(super) fn is_single_byte(self) -> bool {
        match self {
            Self::Standard(encoding) => encoding.is_single_byte(),
            Self::CodePage(_) => true,
        }
    }

    /// The characters of the bytes 80 to FF, for an encoding of one byte per character.
    pub(super) fn upper(self) -> Vec<char> {
        match self {
            Self::Standard(encoding) => {
                let bytes: Vec<u8> = (0x80..=0xFF).collect();
                encoding.decode_without_bom_handling(&bytes).0.chars().collect()
            }
            Self::CodePage(page) => page.upper.chars().collect(),
        }
    }

    /// Whether bytes that are all ASCII are that text.
    pub(super) fn is_ascii_compatible(self) -> bool {
        match self {
            Self::Standard(encoding) => encoding.is_ascii_compatible(),
            Self::CodePage(_) => true,
        }
    }

    /// The text without regard to byte order marks, and the number of malformed sequences, each a U+FFFD in the text.
    /// `truncated` says that `bytes` may end inside a character.
    pub(super) fn decode(self, bytes: &[u8], truncated: bool) -> (String, usize) {
        match self {
            Self::Standard(encoding) => decode_standard(encoding, bytes, truncated),
            Self::CodePage(page) => page.decode(bytes),
        }
    }
}

impl From<&'static Encoding> for AnyEncoding {
    fn from(encoding: &'static Encoding) -> Self {
        Self::Standard(encoding)
    }
}

impl PartialEq<&'static Encoding> for AnyEncoding {
    fn eq(&self, encoding: &&'static Encoding) -> bool {
        *self == Self::Standard(encoding)
    }
}

/// The time is linear in the bytes: `encoding_rs` touches each page of memory of its output at every call, which
/// ends at a malformed sequence, so that it decodes to a small buffer and not to the whole text.
fn decode_standard(encoding: &'static Encoding, body: &[u8], truncated: bool) -> (String, usize) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
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
