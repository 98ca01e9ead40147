//! Finds anchors: offsets at which reading can begin, for shard starts and after damage.
//!
//! An *anchor* is an offset at which a record certainly begins, whatever the bytes before it are:
//! * gzip: a member (1F 8B 08, flags <= 1F) whose decompressed bytes start with `WARC/d.d`, after any blank lines;
//! * zstd: a frame (28 B5 2F FD) whose decompressed bytes do;
//! * plain: a `WARC/d.d` line after a line end, with a `WARC-Type` field and a Content-Length that leads to the next
//!   `WARC/`, to blank lines or to the end of the file;
//! * ARC: a header line with a date of 14 digits instead of `WARC/d.d`; in a plain file its length leads to another
//!   header line or to the end of the file.
//!
//! A shard of `[a, b)` begins at its first anchor and reads on until an anchor at or after `b`. Sequential reading
//! passes through every anchor, so any partition into shards gives the same records. The one exception: an archive
//! stored *inside* a record, uncompressed in a plain file or as incompressible (hence verbatim) bytes in a member,
//! looks like anchors to a shard that begins within it; sequential reading skips it.

use std::io;

use memchr::memmem;

use super::arc::{self, Strictness};
use super::cursor::{ByteCursor, read_at};
use super::decompressor::Decompressor;
use super::scan::{HeaderEnd, LOOKAHEAD, RecordFormat, header_end, is_padding, is_warc_header, may_precede_header};
use super::warc::{BlockLength, Header, version_line};
use super::{Bytes, Framing};

/// Bytes searched at a time, and bytes of overlap between two searches so that no match is cut in two.
const CHUNK: usize = 64 << 10;
const OVERLAP: usize = 8;
/// Bytes within which a version line must end, and bytes of a header that are read first.
const VERSION_LINE: usize = 32;
const FIRST_READ: usize = 1 << 10;
/// The lower-case form is accepted where a record is expected, but is not an anchor.
const MAGIC: &[u8] = b"WARC/";

/// Whether `offset` is an anchor.
pub(super) fn is_anchor(
    bytes: &dyn Bytes,
    decompressor: &mut Decompressor<'_>,
    format: RecordFormat,
    offset: u64,
) -> io::Result<bool> {
    match (&*decompressor, format) {
        (Decompressor::Plain, RecordFormat::Warc) => is_plain_warc(bytes, offset),
        (Decompressor::Plain, RecordFormat::Arc) => is_plain_arc(bytes, offset),
        _ => Ok(decompressor.peek(offset, format.peek_length())?.is_some_and(|head| format.starts_record(&head))),
    }
}

/// The first anchor in `[from, until)`.
pub(super) fn first_anchor(
    bytes: &dyn Bytes,
    decompressor: &mut Decompressor<'_>,
    format: RecordFormat,
    from: u64,
    until: u64,
) -> io::Result<Option<u64>> {
    let needle = match (&*decompressor, format) {
        (Decompressor::Plain, RecordFormat::Arc) => return first_arc_line(bytes, from, until),
        (Decompressor::Plain, RecordFormat::Warc) => MAGIC,
        (decompressor, _) => decompressor.magic(),
    };
    first_match(bytes, needle, from, until, |at| is_anchor(bytes, decompressor, format, at))
}

/// Whether the file has an anchor before `until`, for detecting its format.
pub(super) fn any_anchor(bytes: &dyn Bytes, framing: Framing, format: RecordFormat, until: u64) -> io::Result<bool> {
    let mut decompressor = Decompressor::new(bytes, framing)?;
    Ok(first_anchor(bytes, &mut decompressor, format, 0, until)?.is_some())
}

fn is_plain_warc(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    let Some(before) = offset.checked_sub(1) else { return Ok(true) };
    // Hostile files repeat the magic in the middle of lines: this cheap test comes first.
    let line = read_at(bytes, before, VERSION_LINE + 1)?;
    let at_line = line.split_first().filter(|(before, _)| may_precede_header(**before));
    if at_line.is_none_or(|(_, line)| !line.starts_with(MAGIC) || version_line(line).is_none()) {
        return Ok(false);
    }
    let Some((data, length)) = read_header(bytes, offset)? else { return Ok(false) };
    let header = data.get(..length).filter(|_| is_warc_header(&data));
    match header.map(|header| Header::parse(header, usize::MAX).map(|h| h.block_length())) {
        Some(Ok(BlockLength::Bytes(block))) => {
            RecordFormat::Warc.is_sound_end(bytes, offset.saturating_add(length as u64).saturating_add(block))
        }
        _ => Ok(false),
    }
}

/// The bytes at `offset`, with the length of the header at their front; `None` if no header ends within [`LOOKAHEAD`].
/// Few bytes are read first. More are read only while no other header begins among them, so that a flood of magic
/// numbers costs time linear in its bytes.
fn read_header(bytes: &dyn Bytes, offset: u64) -> io::Result<Option<(Vec<u8>, usize)>> {
    let mut wanted = FIRST_READ;
    loop {
        let data = read_at(bytes, offset, wanted)?;
        match header_end(&data, 0) {
            HeaderEnd::At(length) => return Ok(Some((data, length))),
            HeaderEnd::Beyond if wanted < LOOKAHEAD && data.len() >= wanted => wanted = LOOKAHEAD.min(wanted * 8),
            HeaderEnd::Beyond | HeaderEnd::Broken => return Ok(None),
        }
    }
}

fn is_plain_arc(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    let Some(before) = offset.checked_sub(1) else { return Ok(true) };
    let data = read_at(bytes, before, arc::MAX_LINE + 1)?;
    match data.strip_prefix(b"\n") {
        Some(data) => is_sound_arc(bytes, offset, data),
        None => Ok(false),
    }
}

/// Whether the line in `data`, which begins at file offset `offset`, starts an ARC record of the right length.
fn is_sound_arc(bytes: &dyn Bytes, offset: u64, data: &[u8]) -> io::Result<bool> {
    match arc::header_line(data, Strictness::Strict) {
        Some((line, length)) => {
            let end = offset.saturating_add(length as u64).saturating_add(line.length());
            RecordFormat::Arc.is_sound_end(bytes, end)
        }
        None => Ok(false),
    }
}

/// The first anchor of an uncompressed ARC file in `[from, until)`, with `from` above 0. ARC has no magic number, so
/// every line is tested.
fn first_arc_line(bytes: &dyn Bytes, from: u64, until: u64) -> io::Result<Option<u64>> {
    let mut at = from.saturating_sub(1);
    let mut cursor = ByteCursor::new(bytes, at);
    let mut line = Vec::new();
    // The search begins within a line, which is not tested.
    let mut whole_line = false;
    loop {
        let filled = cursor.fill()?;
        let end = memchr::memchr(b'\n', filled).map_or(filled.len(), |end| end + 1);
        if end == 0 {
            return Ok(None);
        }
        let piece = filled.get(..end).unwrap_or_default();
        let ended = piece.ends_with(b"\n");
        let room = (arc::MAX_LINE + 1).saturating_sub(line.len());
        line.extend_from_slice(piece.get(..room).unwrap_or(piece));
        cursor.consume(end);
        if !ended {
            continue;
        }
        if whole_line && is_sound_arc(bytes, at, &line)? {
            return Ok(Some(at));
        }
        at = cursor.position();
        if at >= until {
            return Ok(None);
        }
        line.clear();
        whole_line = true;
    }
}

/// The first offset in `[from, until)` where `needle` occurs and `verify` holds.
fn first_match(
    bytes: &dyn Bytes,
    needle: &[u8],
    from: u64,
    until: u64,
    mut verify: impl FnMut(u64) -> io::Result<bool>,
) -> io::Result<Option<u64>> {
    let finder = memmem::Finder::new(needle);
    let mut cursor = ByteCursor::new(bytes, from);
    let mut window = Vec::new();
    let mut base = from;
    while base < until {
        let filled = cursor.fill()?;
        let n = filled.len().min(CHUNK);
        window.extend_from_slice(filled.get(..n).unwrap_or_default());
        cursor.consume(n);
        for at in finder.find_iter(&window) {
            let at = base + at as u64;
            if at >= until || verify(at)? {
                return Ok((at < until).then_some(at));
            }
        }
        if n == 0 {
            break;
        }
        // The overlap is shorter than the needle, so that no match is verified twice.
        let done = window.len().saturating_sub(needle.len().min(OVERLAP) - 1);
        window.drain(..done);
        base += done as u64;
    }
    Ok(None)
}

/// Whether the file contains nothing but padding from `offset` on.
pub(super) fn is_padding_to_end(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    let mut cursor = ByteCursor::new(bytes, offset);
    loop {
        let filled = cursor.fill()?;
        if filled.is_empty() || !filled.iter().all(|&b| is_padding(b)) {
            return Ok(filled.is_empty());
        }
        let n = filled.len();
        cursor.consume(n);
    }
}
