//! Detects the framing and record format of a file by its content, never by its name.
//!
//! If the first bytes are not conclusive, the first record in the first mebibyte decides.

use std::io;

use memchr::memmem;

use super::anchor::{any_anchor, is_padding_to_end};
use super::arc::{self, Strictness};
use super::cursor::{ByteCursor, read_at};
use super::decompressor::Decompressor;
use super::gzip_member::MemberState;
use super::magic;
use super::scan::{RecordFormat, after_blanks, is_padding, is_warc_header};
use super::warc::is_magic;
use super::{Bytes, DamageReason, Framing};

/// Bytes of the file looked at first.
const START: usize = 4096 + arc::MAX_LINE;
/// Bytes of the file that are searched for a record before the format is called unknown.
const SEARCHED: usize = 1 << 20;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Detects how a file is packed by its content, never by its name. A byte order mark and blank lines may come first.
///
/// ```
/// use warcorpus::{Framing, detect_framing};
///
/// assert_eq!(detect_framing(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n")?, Framing::Plain);
/// assert_eq!(detect_framing(b"%PDF-1.7")?, Framing::Unsupported("unknown"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When the file cannot be read.
pub fn detect_framing(bytes: &dyn Bytes) -> io::Result<Framing> {
    detect(bytes).map(|(framing, _)| framing)
}

/// The framing of a file and the format of its records.
pub(super) fn detect(bytes: &dyn Bytes) -> io::Result<(Framing, RecordFormat)> {
    let start = read_at(bytes, 0, START)?;
    let data = after_blanks(start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start));
    let offset = (start.len() - data.len()) as u64;
    let known = match data {
        _ if data.starts_with(&magic::ZSTD) || magic::is_skippable(data) => zstd_kind(bytes, offset)?,
        _ if data.starts_with(&magic::GZIP) => {
            member_format(&mut Decompressor::new(bytes, Framing::Gzip)?, offset)?.map(|f| (Framing::Gzip, f))
        }
        // The archives in a WACZ file may be stored as they are: they are not read past the rest of it.
        [b'P', b'K', 3, 4, ..] => Some((Framing::Unsupported("zip"), RecordFormat::Warc)),
        _ if is_magic(data) => Some((Framing::Plain, RecordFormat::Warc)),
        _ => arc_start(bytes, data, offset)?.then_some((Framing::Plain, RecordFormat::Arc)),
    };
    match known {
        Some(kind) => Ok(kind),
        None => damaged_start(bytes),
    }
}

/// Whether the file begins with an ARC record: its `filedesc:` record, or any whose header line is certain.
fn arc_start(bytes: &dyn Bytes, data: &[u8], offset: u64) -> io::Result<bool> {
    if data.starts_with(arc::FILEDESC) {
        return Ok(true);
    }
    match arc::header_line(data, Strictness::Lenient) {
        Some((line, length)) => {
            let end = offset.saturating_add(length as u64).saturating_add(line.length());
            Ok(RecordFormat::Arc.is_header(data) || RecordFormat::Arc.is_sound_end(bytes, end)?)
        }
        None => Ok(false),
    }
}

/// The format of the records in the member at `offset`; `None` if the member is not conclusive. An empty member may
/// precede WARC records.
fn member_format(decompressor: &mut Decompressor<'_>, offset: u64) -> io::Result<Option<RecordFormat>> {
    let Some(head) = decompressor.peek(offset, RecordFormat::Arc.peek_length())? else { return Ok(None) };
    let text = after_blanks(&head);
    let arc = text.starts_with(arc::FILEDESC) || RecordFormat::Arc.starts_record(text);
    let warc = text.is_empty() || RecordFormat::Warc.starts_record(text);
    Ok(if arc { Some(RecordFormat::Arc) } else { warc.then_some(RecordFormat::Warc) })
}

/// The kind of a file that begins with a zstd frame. One with a dictionary frame, or whose frames need one, is an archive even if
/// none of its records can be read.
fn zstd_kind(bytes: &dyn Bytes, mut offset: u64) -> io::Result<Option<(Framing, RecordFormat)>> {
    let mut decompressor = Decompressor::new(bytes, Framing::Zstd)?;
    let dictionary = decompressor.dictionary().is_some();
    while let Some(frame) = decompressor.skippable(offset)? {
        offset = frame.end;
    }
    let format = member_format(&mut decompressor, offset)?;
    decompressor.begin(&mut ByteCursor::new(bytes, offset))?;
    let needs_dictionary = decompressor.state() == MemberState::Damaged(DamageReason::MissingDictionary);
    let archive = format.is_some()
        || needs_dictionary
        || dictionary && !any_anchor(bytes, Framing::Zstd, RecordFormat::Arc, SEARCHED as u64)?;
    Ok(archive.then(|| (Framing::Zstd, format.unwrap_or(RecordFormat::Warc))))
}

/// The kind of a file whose start is damaged: that of the first record within [`SEARCHED`] bytes.
fn damaged_start(bytes: &dyn Bytes) -> io::Result<(Framing, RecordFormat)> {
    let until = bytes.len().min(SEARCHED as u64);
    for framing in [Framing::Gzip, Framing::Zstd] {
        for format in [RecordFormat::Warc, RecordFormat::Arc] {
            if any_anchor(bytes, framing, format, until)? {
                return Ok((framing, format));
            }
        }
    }
    let start = read_at(bytes, 0, SEARCHED)?;
    let at_line = |at: usize| at.checked_sub(1).is_none_or(|before| start.get(before) == Some(&b'\n'));
    let warc = |at: usize| at_line(at) && is_warc_header(start.get(at..).unwrap_or_default());
    let padding = start.iter().all(|&b| is_padding(b));
    Ok(if memmem::find_iter(&start, b"WARC/").any(warc) {
        (Framing::Plain, RecordFormat::Warc)
    } else if any_anchor(bytes, Framing::Plain, RecordFormat::Arc, until)? {
        (Framing::Plain, RecordFormat::Arc)
    } else if padding && is_padding_to_end(bytes, 0)? {
        (Framing::Empty, RecordFormat::Warc)
    } else {
        (Framing::Unsupported("unknown"), RecordFormat::Warc)
    })
}
