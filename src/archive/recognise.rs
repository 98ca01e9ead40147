//! What a file is: packed how, records of which format. Told by the content, never by the name.
//!
//! Contract: a start that says nothing is passed over; the first record in the first mebibyte then tells.

use std::io;

use memchr::memmem;

use super::anchor::{any_anchor, is_padding_to_end};
use super::arc::{self, Trust};
use super::codec::Codec;
use super::scan::{Format, after_blanks, is_padding, is_warc_header};
use super::source::read_at;
use super::warc::is_magic;
use super::{Bytes, Framing};

/// Bytes of the file looked at first.
const START: usize = 4096 + arc::MAX_LINE;
/// A start is looked for in this many bytes of the file before its kind is called unknown.
const SEARCHED: usize = 1 << 20;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Tells how a file is packed by its content, never by its name. A byte order mark and blank lines may come first.
///
/// # Errors
/// When the file cannot be read.
pub fn recognise(bytes: &dyn Bytes) -> io::Result<Framing> {
    kind(bytes).map(|(framing, _)| framing)
}

/// How a file is packed, and the format of its records.
pub(super) fn kind(bytes: &dyn Bytes) -> io::Result<(Framing, Format)> {
    let start = read_at(bytes, 0, START)?;
    let data = after_blanks(start.strip_prefix(MARK).unwrap_or(&start));
    let offset = (start.len() - data.len()) as u64;
    let known = match data {
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => zstd_kind(bytes, offset)?,
        [0x1f, 0x8b, ..] => member_format(&mut Codec::new(bytes, Framing::Gzip)?, offset)?.map(|f| (Framing::Gzip, f)),
        _ if is_magic(data) => Some((Framing::Plain, Format::Warc)),
        _ => arc_start(bytes, data, offset)?.then_some((Framing::Plain, Format::Arc)),
    };
    match known {
        Some(kind) => Ok(kind),
        None => damaged_start(bytes),
    }
}

/// Whether an ARC record stands at the start: the one that tells of the file, or one that proves itself.
fn arc_start(bytes: &dyn Bytes, data: &[u8], offset: u64) -> io::Result<bool> {
    if data.starts_with(arc::FILE) {
        return Ok(true);
    }
    match arc::line(data, Trust::Expected) {
        Some((line, length)) => {
            let end = offset.saturating_add(length as u64).saturating_add(line.length());
            Ok(Format::Arc.is_header(data) || Format::Arc.is_sound_end(bytes, end)?)
        }
        None => Ok(false),
    }
}

/// The format of the records in the member at `offset`; `None` if that member says nothing. An empty one may stand
/// before WARC records.
fn member_format(codec: &mut Codec<'_>, offset: u64) -> io::Result<Option<Format>> {
    let Some(head) = codec.head(offset, Format::Arc.head())? else { return Ok(None) };
    let text = after_blanks(&head);
    let arc = text.starts_with(arc::FILE) || Format::Arc.starts_record(text);
    let warc = text.is_empty() || Format::Warc.starts_record(text);
    Ok(if arc { Some(Format::Arc) } else { warc.then_some(Format::Warc) })
}

/// A file with a dictionary is an archive, whatever can be read of it.
fn zstd_kind(bytes: &dyn Bytes, mut offset: u64) -> io::Result<Option<(Framing, Format)>> {
    let mut codec = Codec::new(bytes, Framing::Zstd)?;
    let dictionary = codec.dictionary().is_some();
    while let Some(frame) = codec.skippable(offset)? {
        offset = frame.end;
    }
    let format = member_format(&mut codec, offset)?;
    let archive = format.is_some() || dictionary && !any_anchor(bytes, Framing::Zstd, Format::Arc, SEARCHED as u64)?;
    Ok(archive.then(|| (Framing::Zstd, format.unwrap_or(Format::Warc))))
}

/// The kind of a file whose start is damaged: that of the first record in its first mebibyte.
fn damaged_start(bytes: &dyn Bytes) -> io::Result<(Framing, Format)> {
    let until = bytes.len().min(SEARCHED as u64);
    for framing in [Framing::Gzip, Framing::Zstd] {
        for format in [Format::Warc, Format::Arc] {
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
        (Framing::Plain, Format::Warc)
    } else if any_anchor(bytes, Framing::Plain, Format::Arc, until)? {
        (Framing::Plain, Format::Arc)
    } else if padding && is_padding_to_end(bytes, 0)? {
        (Framing::Empty, Format::Warc)
    } else {
        (Framing::Unsupported("unknown"), Format::Warc)
    })
}
