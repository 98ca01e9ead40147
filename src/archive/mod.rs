//! Bytes of one archive file -> records.
//!
//! Contract: [`records`] reads a WARC or ARC file, plain, gzip or zstd, and yields every record that can be had from
//! it, in file order, with the place where it lies. ARC records are given the header that a WARC record would have.
//! [`resume`] takes the reading up where another reader left it. Broken *input* never ends the reading: what could not
//! be read is an [`Event::Damage`], what was read with a doubt carries [`Flags`]. An `io::Error` means a broken
//! *environment*.
//!
//! Who reports what, so that nothing is counted twice:
//! * every stretch of file bytes that gave no whole record is exactly one `Damage` (contiguous stretches are merged,
//!   the first reason stays);
//! * a record that is only partly there is yielded with `flags.truncated` *and* followed by the one `Damage` of its
//!   stretch: count losses from the damages alone, the flag only says how to treat the record;
//! * `bad_crc`, `length_mismatch`, `missing_length`, `oversize` are remarks on a record that was kept;
//! * NUL padding and blank lines at the end of the file are no damage.
//!
//! Border: no file is opened here (see [`Bytes`]), no character set is decoded, no record is judged by its type.
//! Files of other kinds are recognised as such ([`Framing::Unsupported`]), not read.

mod anchor;

mod arc;

mod codec;

mod coding;

mod dictionary;

mod frame;

mod http;

mod member;

mod position;

mod reader;

mod recognise;

mod record;

mod scan;

mod source;

mod stream;

#[cfg(test)]
mod tests;

mod warc;

use std::io::{self, BufRead};

pub use self::codec::decompress;
pub use self::coding::{Body, Fault, decode_body};
pub use self::http::{Http, charset_param, media_type, parse, sniff_html};
pub use self::position::Position;
pub use self::reader::{Records, records, resume};
pub use self::recognise::recognise;
pub use self::warc::{Header, HeaderError};

/// Random access to the bytes of one archive file.
pub trait Bytes: Sync {
    /// Size of the file in bytes.
    fn len(&self) -> u64;

    /// A buffered reader whose first byte is the one at `offset`; at or past the end it is empty.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>>;

    /// Whether the file holds no byte at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Bytes for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        let rest = usize::try_from(offset).ok().and_then(|from| self.get(from..));
        Ok(Box::new(rest.unwrap_or_default()))
    }
}

impl Bytes for &[u8] {
    fn len(&self) -> u64 {
        Bytes::len(*self)
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        (**self).read_from(offset)
    }
}

impl Bytes for Vec<u8> {
    fn len(&self) -> u64 {
        Bytes::len(self.as_slice())
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        self.as_slice().read_from(offset)
    }
}

/// How the records of a file are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Records one after another, not compressed.
    Plain,
    /// gzip members, usually one per record.
    Gzip,
    /// zstd frames, usually one per record; a dictionary may come first.
    Zstd,
    /// Something this build does not read: `"unknown"`.
    Unsupported(&'static str),
    /// No byte, or nothing but NUL and blank lines.
    Empty,
}

/// Bounds on what one record may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes kept of a block; the rest is skipped and the record flagged `oversize`. Default 64 MiB.
    pub max_block: u64,
    /// Bytes of a WARC header; a longer one is damage. Default 1 MiB.
    pub max_header: usize,
    /// Named fields of a WARC header; more are damage. Default 1000.
    pub max_fields: usize,
    /// Largest Content-Length that is believed; a record that claims more is damage. Default 1 GiB.
    pub max_length: u64,
    /// Bytes one content coding may expand to; the prefix is kept. Default 64 MiB.
    pub max_output: usize,
    /// Bytes out per byte in that a content coding may expand to (64 KiB are always allowed). Default 1000.
    pub max_ratio: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_block: 64 << 20,
            max_header: 1 << 20,
            max_fields: 1000,
            max_length: 1 << 30,
            max_output: 64 << 20,
            max_ratio: 1000,
        }
    }
}

/// What the reader met next in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A record, whole or flagged.
    Record(Record),
    /// A stretch that gave no whole record.
    Damage(Damage),
}

/// A stretch of the file that gave no whole record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// File offset of the first byte of the stretch. After whole records of a member that then breaks: about
    /// where the decompressor stood.
    pub offset: u64,
    /// Length in file bytes; 0 for a stretch inside a member that also holds records (`offset` is then the
    /// member's): the place of a byte inside a member has no file offset.
    pub length: u64,
    /// Why the stretch was given up; of merged stretches the first reason.
    pub reason: DamageReason,
}

/// Why a stretch of the file gave no whole record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DamageReason {
    /// Bytes that are neither a member nor a record.
    Junk,
    /// The rest of a block after a Content-Length that was too small.
    LengthMismatch,
    /// The file or member ends before the record does.
    Truncated,
    /// The header does not end before the stream does, or before the next record.
    TruncatedHeader,
    /// The header is longer than [`Limits::max_header`].
    HeaderTooLong,
    /// The header has more fields than [`Limits::max_fields`].
    TooManyFields,
    /// Content-Length is not a number.
    BadLength,
    /// Content-Length is above [`Limits::max_length`].
    LengthOverLimit,
    /// The compressed data of a gzip member are broken.
    BadDeflate,
    /// The compressed data of a zstd frame are broken.
    BadFrame,
    /// A zstd frame wants more than 128 MiB to be decoded.
    WindowOverLimit,
    /// A zstd frame names a dictionary that the file does not hold, or a dictionary frame holds none.
    MissingDictionary,
    /// A member without any record fails its checksum.
    BadChecksum,
    /// The whole file is of a kind this build does not read.
    Unsupported(&'static str),
}

impl DamageReason {
    /// Stable name for reports, snake_case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Junk => "junk",
            Self::LengthMismatch => "length_mismatch",
            Self::Truncated => "truncated",
            Self::TruncatedHeader => "truncated_header",
            Self::HeaderTooLong => "header_too_long",
            Self::TooManyFields => "too_many_fields",
            Self::BadLength => "bad_length",
            Self::LengthOverLimit => "length_over_limit",
            Self::BadDeflate => "bad_deflate",
            Self::BadFrame => "bad_frame",
            Self::WindowOverLimit => "window_over_limit",
            Self::MissingDictionary => "missing_dictionary",
            Self::BadChecksum => "bad_checksum",
            Self::Unsupported(_) => "unsupported",
        }
    }
}

/// One WARC record, or an ARC record with the header of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// File offset of the record: of its gzip member or zstd frame, or of its version line in a plain file.
    pub offset: u64,
    /// Length in file bytes. Packed: of the member(s) that hold this record alone, so that the
    /// slice unpacks to it ([`decompress`]). Plain: header up to and including the two line ends after the block, of
    /// ARC the one. 0 = unknown: the member holds
    /// several records (`flags.not_seekable`). Of a truncated record: up to where the reading went on.
    pub length: u64,
    /// The named fields.
    pub header: Header,
    /// The block, at most [`Limits::max_block`] bytes of it.
    pub block: Vec<u8>,
    /// What is doubtful about the record.
    pub flags: Flags,
}

impl Record {
    /// The record set together again as WARC or ARC has it, uncompressed, for one whose own bytes cannot be cut out
    /// (`flags.not_seekable`). Of a WARC header the fields as read, not the very bytes.
    #[must_use]
    pub fn rebuilt(&self) -> Vec<u8> {
        if let Some(line) = self.header.arc_line() {
            return [line, b"\n", &self.block, b"\n"].concat();
        }
        let mut out = format!("WARC/{}\r\n", self.header.version()).into_bytes();
        for (name, value) in self.header.fields() {
            out.extend(format!("{name}: {value}\r\n").into_bytes());
        }
        out.extend(b"\r\n");
        out.extend(&self.block);
        out.extend(b"\r\n\r\n");
        out
    }
}

/// Doubts about a record that was kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// The block has fewer bytes than Content-Length says; a [`Damage`] for the stretch follows.
    pub truncated: bool,
    /// The checksum of the gzip member or zstd frame is wrong or could not be read. In a member of many records only
    /// the last one carries it: the others are gone before the checksum is seen.
    pub bad_crc: bool,
    /// Content-Length is wrong; the block was cut at it, or at the next record if that came first.
    pub length_mismatch: bool,
    /// The block is longer than [`Limits::max_block`]; the rest was skipped.
    pub oversize: bool,
    /// No Content-Length; the block goes to the next record or the end of the member.
    pub missing_length: bool,
    /// The member holds other records too, `offset` is the member's and `length` 0.
    pub not_seekable: bool,
}
