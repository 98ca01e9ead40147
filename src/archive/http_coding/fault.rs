//! What can be wrong with a body, and what that means for it.

#[cfg(doc)]
use crate::limits::Limits;

/// A problem met while decoding an HTTP body.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyFault {
    /// `chunked` was declared, but the body does not start with a chunk: it is used as it is.
    NotChunked,
    /// A later chunk size is not a number: the chunks before it are kept.
    BadChunk,
    /// The body ends without the last, empty chunk: what there is is kept.
    MissingLastChunk,
    /// This content coding was declared (`unknown`: one that does not exist), but the body is not coded: it is used as it is.
    NotCoded(&'static str),
    /// The data of this content coding end early: what could be decoded is kept.
    CodingTruncated(&'static str),
    /// The data of this content coding are invalid or fail their checksum: what could be decoded is kept.
    CodingBroken(&'static str),
    /// A coding that is not supported, in lower case: the body stays coded.
    UnsupportedCoding(&'static str),
    /// The data of this content coding end or are invalid before their first byte of output: the body stays coded.
    NothingDecoded(&'static str),
    /// A zstd frame asks for a window above 8 MiB, which RFC 9659 forbids in HTTP: the body stays coded.
    WindowOverLimit,
    /// Bytes of no further member or frame follow the data of this content coding: they are left out.
    TrailingBytes(&'static str),
    /// The output exceeds [`Limits::payload_bytes`] or [`Limits::expansion`]: it is cut there.
    OutputLimit,
    /// An HTML body was still gzip data after decoding: it was decoded once more.
    DecodedTwice,
}

impl BodyFault {
    /// Stable name in snake case, as written to reports and counters.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotChunked => "not_chunked",
            Self::BadChunk => "bad_chunk",
            Self::MissingLastChunk => "missing_last_chunk",
            Self::NotCoded(_) => "not_coded",
            Self::CodingTruncated(_) => "coding_truncated",
            Self::CodingBroken(_) => "coding_broken",
            Self::UnsupportedCoding(_) => "unsupported_coding",
            Self::NothingDecoded(_) => "nothing_decoded",
            Self::WindowOverLimit => "window_over_limit",
            Self::TrailingBytes(_) => "trailing_bytes",
            Self::OutputLimit => "output_limit",
            Self::DecodedTwice => "decoded_twice",
        }
    }

    /// Whether the body could not be decoded at all: its bytes are still coded and must not be read as text.
    #[must_use]
    pub fn is_still_coded(&self) -> bool {
        matches!(self, Self::UnsupportedCoding(_) | Self::NothingDecoded(_) | Self::WindowOverLimit)
    }

    /// Whether bytes of the payload may be missing or still coded.
    #[must_use]
    pub fn loses_bytes(&self) -> bool {
        !matches!(self, Self::NotChunked | Self::NotCoded(_) | Self::TrailingBytes(_) | Self::DecodedTwice)
    }
}
