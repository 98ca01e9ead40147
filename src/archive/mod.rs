//! Reads the records of one archive file: WARC or ARC, uncompressed, gzip or zstd.
//!
//! [`records`] yields every record that can be read, in file order, with its offset and length in the file. An ARC
//! record gets the header fields that a WARC record would have. [`resume`] continues where another reader stopped.
//! Damaged *input* never ends the iteration: bytes that give no record are an [`Event::Damage`], doubts about a record
//! that was read are its [`Flags`]. An `io::Error` means that the *environment* failed.
//!
//! ```
//! use warcorpus::archive::{Event, Limits, decode_body, parse_http, records};
//!
//! # fn main() -> std::io::Result<()> {
//! let file = b"WARC/1.1\r\n\
//!     WARC-Type: response\r\n\
//!     WARC-Target-URI: http://example.org/\r\n\
//!     Content-Length: 49\r\n\
//!     \r\n\
//!     HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hi\r\n\r\n";
//! for event in records(file, 0..u64::MAX, &Limits::default())? {
//!     match event? {
//!         Event::Record(record) => {
//!             assert_eq!(record.header.target_uri().as_deref(), Some("http://example.org/"));
//!             let http = parse_http(&record.block);
//!             assert_eq!(http.media_type().as_deref(), Some("text/html"));
//!             assert_eq!(&*decode_body(&http, &Limits::default()).bytes, b"<p>Hi");
//!         }
//!         Event::Damage(damage) => eprintln!("{} at byte {}", damage.reason.name(), damage.offset),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What is reported how, so that nothing is counted twice:
//! * every stretch of file bytes that gave no whole record is exactly one [`Damage`] (contiguous stretches are merged
//!   and keep the first reason);
//! * a record of which the end is missing is yielded with [`Flags::truncated`] *and* followed by the one `Damage` of
//!   its stretch: count losses by the damages alone, the flag only says how to treat the record;
//! * [`Flags::bad_crc`], [`Flags::length_mismatch`], [`Flags::missing_length`] and `Flags::oversize` are warnings
//!   about a record that was read;
//! * NUL padding and blank lines at the end of the file are no damage.
//!
//! This module opens no file (see [`Bytes`]), decodes no character set and does not select records by type. Files of
//! other formats are recognised as such ([`Framing::Unsupported`]) and not read.

mod anchor;

mod arc;

mod cursor;

mod decompressor;

mod detect;

mod dictionary_frame;

mod dictionary_search;

mod gzip_member;

mod http;

mod http_coding;

mod magic;

mod position;

mod reader;

mod record;

mod scan;

mod sniff;

mod stored;

mod stream;

#[cfg(test)]
mod tests;

mod warc;

mod zstd_dictionary;

mod zstd_frame;

use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};

pub use self::decompressor::decompress;
pub use self::detect::detect_framing;
pub use self::http::{charset_param, media_type, parse_http};
pub use self::http_coding::{BodyFault, decode_body};
pub use self::magic::{GZIP as GZIP_MAGIC, ZSTD as ZSTD_MAGIC};
pub use self::position::Position;
pub use self::reader::{Border, Records, records, records_from, resume};
pub use self::sniff::{has_binary_signature, is_control, sniff_data, sniff_html};
pub use self::warc::Header;
pub use crate::limits::Limits;

/// Random access to the bytes of one archive file: memory, a local file or an object in a remote store.
///
/// Implemented for byte slices and `Vec<u8>`, so that an archive in memory can be read as it is.
pub trait Bytes: Sync {
    /// Size of the file in bytes.
    fn len(&self) -> u64;

    /// A buffered reader that begins at byte `offset`; empty if `offset` is at or past the end.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>>;

    /// Whether the file has no bytes.
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

impl<const N: usize> Bytes for [u8; N] {
    fn len(&self) -> u64 {
        Bytes::len(self.as_slice())
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        self.as_slice().read_from(offset)
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

/// How the records of a file are stored: uncompressed, or in the members of a compressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Uncompressed records, one after another.
    Plain,
    /// gzip members, usually one per record.
    Gzip,
    /// zstd frames, usually one per record; a dictionary frame may come first.
    Zstd,
    /// A format that is not read; the text names it: `"zip"` (WACZ) or `"unknown"`.
    Unsupported(&'static str),
    /// No bytes, or nothing but NUL bytes and blank lines.
    Empty,
}

/// What [`Records`] yields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A record; [`Record::flags`] says whether anything is doubtful about it.
    Record(Record),
    /// A stretch of the file that gave no whole record.
    Damage(Damage),
}

/// A stretch of the file that gave no whole record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// File offset of the first byte of the stretch. If a member broke after whole records: about where the
    /// decompressor stood.
    pub offset: u64,
    /// Length in file bytes. 0 for a stretch inside a member that also holds records: bytes inside a member have no
    /// file offset of their own, so `offset` is then that of the member.
    pub length: u64,
    /// Why the stretch could not be read; the first reason if several stretches were merged.
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
    /// The file or member ends within a record.
    Truncated,
    /// The file, the member or the next record begins before the header ends.
    TruncatedHeader,
    /// The header is longer than [`Limits::header_bytes`].
    HeaderTooLong,
    /// The header has more fields than [`Limits::header_fields`].
    TooManyFields,
    /// Content-Length is not a number.
    BadLength,
    /// Content-Length is above [`Limits::record_length`].
    LengthOverLimit,
    /// The compressed data of a gzip member are invalid.
    BadDeflate,
    /// The compressed data of a zstd frame are invalid.
    BadFrame,
    /// A gzip member or zstd frame gives far more bytes than the data of web pages do, and the file has had its share
    /// of such members.
    Expansion,
    /// A zstd frame asks for a window above 128 MiB.
    WindowOverLimit,
    /// A zstd frame names a dictionary that is not in the file, or a dictionary frame contains no valid dictionary.
    MissingDictionary,
    /// A member that contains no record fails its checksum.
    BadChecksum,
    /// Records after damage, which `archive.resync = "members"` refuses.
    Resynchronised,
    /// No record begins at the place that an index names. Readers of whole files do not give it.
    NoRecord,
    /// The whole file is of a format that is not read; the text is that of [`Framing::Unsupported`].
    Unsupported(&'static str),
}

impl DamageReason {
    /// Stable name in snake case, as written to reports and counters.
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
            Self::Expansion => "expansion",
            Self::WindowOverLimit => "window_over_limit",
            Self::MissingDictionary => "missing_dictionary",
            Self::BadChecksum => "bad_checksum",
            Self::Resynchronised => "resynchronised",
            Self::NoRecord => "no_record",
            Self::Unsupported(_) => "unsupported",
        }
    }
}

/// Which records count that were found by a search, because what stands before them is damaged or claims a wrong length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resync {
    /// All; the first one is marked ([`Flags::resynchronised`]).
    #[default]
    All,
    /// Only those with which a gzip member or zstd frame begins. The rest of a damaged member, or of a damaged
    /// uncompressed file, is one [`Damage`].
    Members,
}

/// How archives are read. Made of [`Limits`] alone where all records count.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// What one record may cost.
    pub limits: Limits,
    /// Which records count after damage.
    pub resync: Resync,
}

impl From<&Limits> for Options {
    fn from(limits: &Limits) -> Self {
        Self { limits: *limits, resync: Resync::All }
    }
}

/// A WARC record, or an ARC record with the header fields of a WARC record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// File offset of the record: of its gzip member or zstd frame, or of its first header byte in an uncompressed
    /// file.
    pub offset: u64,
    /// Length in file bytes. In a compressed file: of the member(s) that contain this record alone, so that
    /// `decompress` of that range gives the record. In an uncompressed file: from the header to the end of the line
    /// ends after the block (two in WARC, one in ARC). Of a truncated record: up to where reading continued. 0 if the
    /// member contains several records (`Flags::not_seekable`).
    pub length: u64,
    /// Version and named fields.
    pub header: Header,
    /// The content block, cut at [`Limits::record_bytes`] bytes. Of a `response` record it is an HTTP response: see
    /// `parse_http`.
    pub block: Vec<u8>,
    /// Warnings about the record.
    pub flags: Flags,
}

impl Record {
    /// Serialises the record as uncompressed WARC or ARC, for records whose own bytes cannot be cut out of the file
    /// (`Flags::not_seekable`). Header fields are written as they were parsed, which may differ from the original
    /// bytes in white space, folding and what is not UTF-8.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
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

/// Warnings about a record that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// The block is shorter than Content-Length says because the file or member ends; a [`Damage`] follows.
    pub truncated: bool,
    /// The checksum of the gzip member or zstd frame is wrong or missing. In a member with several records only the
    /// last one gets this flag: the others have been yielded before the checksum is read.
    pub bad_crc: bool,
    /// Content-Length is wrong; the block was cut there, or at the next record if that came first.
    pub length_mismatch: bool,
    /// The block was longer than [`Limits::record_bytes`] and was cut there.
    pub oversize: bool,
    /// There is no Content-Length; the block extends to the next record or the end of the member.
    pub missing_length: bool,
    /// The header was found by a search after damage or a wrong length, in an uncompressed file or within a member: it may
    /// stand in a page. Records that follow such a one are not marked.
    pub resynchronised: bool,
    /// The member contains other records too: `offset` is that of the member, `length` is 0.
    pub not_seekable: bool,
}
