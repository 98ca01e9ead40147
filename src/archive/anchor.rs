//! Where reading may begin: resynchronisation, shard starts.
//!
//! An *anchor* is an offset at which reading may begin without knowing what came before:
//! * gzip: a member (1F 8B 08, flags <= 1F) whose inflated bytes start with `WARC/d.d`, blank lines allowed;
//! * zstd: a frame (28 B5 2F FD) likewise;
//! * plain: a `WARC/d.d` line after a line end, with a `WARC-Type` field and a Content-Length that leads to the next
//!   `WARC/`, to blank lines or to the end of the file;
//! * ARC: a header line with a date of 14 digits instead of `WARC/d.d`; in a plain file its length leads to another
//!   header line or to the end of the file.
//!
//! A shard of `[a, b)` begins at the first anchor in it and reads on until an anchor at or after `b`. Reading in
//! sequence passes through every anchor, so any partition gives the same records. The one gap: an archive stored
//! *inside* a record, uncompressed in a plain file or as incompressible (hence verbatim) bytes in a member, looks
//! like anchors to a shard that begins within it; sequential reading steps over it.

use std::io;

use memchr::memmem;

use super::arc::{self, Trust};
use super::codec::Codec;
use super::scan::{Format, HeaderEnd, LOOKAHEAD, header_end, is_padding, is_warc_header};
use super::source::{Source, read_at};
use super::warc::{BlockLength, Header};
use super::{Bytes, Framing};

/// Bytes searched at a time, and how many of them are searched again so that no match is cut.
const CHUNK: usize = 64 << 10;
const OVERLAP: usize = 8;
/// Small letters are read too, but make no anchor.
const MAGIC: &[u8] = b"WARC/";

/// Whether a record that proves itself begins at `offset`.
pub(super) fn is_anchor(bytes: &dyn Bytes, codec: &mut Codec<'_>, format: Format, offset: u64) -> io::Result<bool> {
    match (&*codec, format) {
        (Codec::Plain, Format::Warc) => is_plain_warc(bytes, offset),
        (Codec::Plain, Format::Arc) => is_plain_arc(bytes, offset),
        _ => Ok(codec.head(offset, format.head())?.is_some_and(|head| format.starts_record(&head))),
    }
}

/// The first anchor in `[from, until)`.
pub(super) fn first_anchor(
    bytes: &dyn Bytes,
    codec: &mut Codec<'_>,
    format: Format,
    from: u64,
    until: u64,
) -> io::Result<Option<u64>> {
    let needle = match (&*codec, format) {
        (Codec::Plain, Format::Arc) => return first_arc_line(bytes, from, until),
        (Codec::Plain, Format::Warc) => MAGIC,
        (codec, _) => codec.magic(),
    };
    first_match(bytes, needle, from, until, |at| is_anchor(bytes, codec, format, at))
}

/// [`first_anchor`] in the whole of a file, for a look at what it is.
pub(super) fn any_anchor(bytes: &dyn Bytes, framing: Framing, format: Format, until: u64) -> io::Result<bool> {
    let mut codec = Codec::new(bytes, framing)?;
    Ok(first_anchor(bytes, &mut codec, format, 0, until)?.is_some())
}

fn is_plain_warc(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    let Some(before) = offset.checked_sub(1) else { return Ok(true) };
    // Magic in the middle of a line is common in hostile files: the cheap look first.
    if !read_at(bytes, before, MAGIC.len() + 1)?.starts_with(b"\n") {
        return Ok(false);
    }
    let data = read_at(bytes, before, LOOKAHEAD + 1)?;
    let Some(data) = data.strip_prefix(b"\n").filter(|data| data.starts_with(MAGIC)) else { return Ok(false) };
    let HeaderEnd::At(length) = header_end(data) else { return Ok(false) };
    let header = data.get(..length).filter(|_| is_warc_header(data));
    match header.map(|header| Header::parse(header, usize::MAX).map(|h| h.block_length())) {
        Some(Ok(BlockLength::Bytes(block))) => {
            Format::Warc.is_sound_end(bytes, offset.saturating_add(length as u64).saturating_add(block))
        }
        _ => Ok(false),
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

/// Whether the line in `data`, which stands at `offset`, starts an ARC record that ends where it says.
fn is_sound_arc(bytes: &dyn Bytes, offset: u64, data: &[u8]) -> io::Result<bool> {
    match arc::line(data, Trust::Searched) {
        Some((line, length)) => {
            let end = offset.saturating_add(length as u64).saturating_add(line.length());
            Format::Arc.is_sound_end(bytes, end)
        }
        None => Ok(false),
    }
}

/// The first plain ARC anchor in `[from, until)`, `from` not being 0. There is no magic to look for: line by line.
fn first_arc_line(bytes: &dyn Bytes, from: u64, until: u64) -> io::Result<Option<u64>> {
    let mut at = from.saturating_sub(1);
    let mut source = Source::new(bytes, at);
    let mut line = Vec::new();
    // The line in which the search begins is not looked at, only where it ends.
    let mut whole_line = false;
    loop {
        let filled = source.fill()?;
        let end = memchr::memchr(b'\n', filled).map_or(filled.len(), |end| end + 1);
        if end == 0 {
            return Ok(None);
        }
        let piece = filled.get(..end).unwrap_or_default();
        let ended = piece.ends_with(b"\n");
        let room = (arc::MAX_LINE + 1).saturating_sub(line.len());
        line.extend_from_slice(piece.get(..room).unwrap_or(piece));
        source.consume(end);
        if !ended {
            continue;
        }
        if whole_line && is_sound_arc(bytes, at, &line)? {
            return Ok(Some(at));
        }
        at = source.position();
        if at >= until {
            return Ok(None);
        }
        line.clear();
        whole_line = true;
    }
}

fn first_match(
    bytes: &dyn Bytes,
    needle: &[u8],
    from: u64,
    until: u64,
    mut verify: impl FnMut(u64) -> io::Result<bool>,
) -> io::Result<Option<u64>> {
    let finder = memmem::Finder::new(needle);
    let mut source = Source::new(bytes, from);
    let mut window = Vec::new();
    let mut base = from;
    while base < until {
        let filled = source.fill()?;
        let n = filled.len().min(CHUNK);
        window.extend_from_slice(filled.get(..n).unwrap_or_default());
        source.consume(n);
        for at in finder.find_iter(&window) {
            let at = base + at as u64;
            if at >= until || verify(at)? {
                return Ok((at < until).then_some(at));
            }
        }
        if n == 0 {
            break;
        }
        // Shorter than the needle, so that nothing is verified twice.
        let done = window.len().saturating_sub(needle.len().min(OVERLAP) - 1);
        window.drain(..done);
        base += done as u64;
    }
    Ok(None)
}

/// Whether the file from `offset` on holds nothing but padding.
pub(super) fn is_padding_to_end(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    let mut source = Source::new(bytes, offset);
    loop {
        let filled = source.fill()?;
        if filled.is_empty() || !filled.iter().all(|&b| is_padding(b)) {
            return Ok(filled.is_empty());
        }
        let n = filled.len();
        source.consume(n);
    }
}
