//! Where records may start: kinds of file, resynchronisation, shard starts.
//!
//! An *anchor* is an offset at which reading may begin without knowing what came before:
//! * gzip: a member (1F 8B 08, flags <= 1F) whose inflated bytes start with `WARC/d.d`, blank lines allowed;
//! * plain: a `WARC/d.d` line after a line end, with a `WARC-Type` field and a Content-Length that leads to the next
//!   `WARC/`, to blank lines or to the end of the file.
//!
//! A shard of `[a, b)` begins at the first anchor in it and reads on until an anchor at or after `b`. Reading in
//! sequence passes through every anchor, so any partition gives the same records. The one gap: an archive stored
//! *inside* a record, uncompressed in a plain file or as incompressible (hence verbatim) bytes in a gzip member, looks
//! like anchors to a shard that begins within it; sequential reading steps over it.

use std::io;

use memchr::memmem;

use super::source::{Source, read_at};
use super::warc::{BlockLength, Header, is_magic, version_line};
use super::{Bytes, Framing, member};

/// A `WARC-Type` field must come within this many bytes of the version line.
pub(super) const LOOKAHEAD: usize = 64 << 10;
/// Bytes after a block looked at to see whether the block ends there.
pub(super) const TAIL: usize = 4096;
/// Bytes inflated to see what a gzip member holds.
const HEAD: usize = 512;
/// A start is looked for in this many bytes of the file before its kind is called unknown.
const RECOGNISE: usize = 1 << 20;
/// Bytes searched at a time, and how many of them are searched again so that no match is cut.
const CHUNK: usize = 64 << 10;
const OVERLAP: usize = 8;
/// Small letters are read too, but make no anchor.
const MAGIC: &[u8] = b"WARC/";
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// Blank lines, and the blanks in them.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b' ' | b'\t')
}

/// What may follow the last record without being damage.
pub(super) fn is_padding(byte: u8) -> bool {
    byte == 0 || is_blank(byte)
}

fn after_blanks(data: &[u8]) -> &[u8] {
    let blanks = data.iter().take_while(|&&b| is_blank(b)).count();
    data.get(blanks..).unwrap_or_default()
}

/// Whether `data` starts with a version line and has a `WARC-Type` field before the header ends.
pub(super) fn is_header(data: &[u8]) -> bool {
    let Some(start) = version_line(data) else { return false };
    let data = data.get(..LOOKAHEAD).unwrap_or(data);
    for line in data.get(start..).unwrap_or_default().split(|&b| b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let colon = memchr::memchr(b':', line);
        let name = colon.and_then(|at| line.get(..at)).unwrap_or_default();
        if name.trim_ascii().eq_ignore_ascii_case(b"WARC-Type") {
            return true;
        }
        if line.is_empty() || is_magic(line) {
            return false;
        }
    }
    false
}

/// Whether what follows a block fits its being the whole block.
pub(super) fn is_sound_tail(tail: &[u8]) -> bool {
    let rest = after_blanks(tail);
    let closed = tail.starts_with(b"\r\n\r\n") || tail.starts_with(b"\n\n");
    closed || rest.is_empty() || is_magic(rest) || rest.starts_with(b"\0")
}

/// [`is_sound_tail`] at a file offset; false past the end.
pub(super) fn is_sound_end(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    Ok(offset <= bytes.len() && is_sound_tail(&read_at(bytes, offset, TAIL)?))
}

/// Whether inflated bytes are the start of a record.
pub(super) fn starts_record(inflated: &[u8]) -> bool {
    version_line(after_blanks(inflated)).is_some()
}

/// What the member at `offset` holds, as far as a look tells; `None` if there is no readable member.
pub(super) fn member_head(bytes: &dyn Bytes, offset: u64) -> io::Result<Option<Vec<u8>>> {
    member::head(bytes, offset, HEAD)
}

/// Whether a gzip member that starts a record begins at `offset`.
pub(super) fn is_gzip_anchor(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    Ok(member_head(bytes, offset)?.is_some_and(|head| starts_record(&head)))
}

/// Whether a plain record that proves itself begins at `offset`.
pub(super) fn is_plain_anchor(bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
    let Some(before) = offset.checked_sub(1) else { return Ok(true) };
    // Magic in the middle of a line is common in hostile files: the cheap look first.
    if !read_at(bytes, before, MAGIC.len() + 1)?.starts_with(b"\n") {
        return Ok(false);
    }
    let data = read_at(bytes, before, LOOKAHEAD + 1)?;
    let Some(data) = data.strip_prefix(b"\n").filter(|data| data.starts_with(MAGIC)) else { return Ok(false) };
    let HeaderEnd::At(length) = header_end(data) else { return Ok(false) };
    let header = data.get(..length).filter(|_| is_header(data));
    match header.map(|header| Header::parse(header, usize::MAX).map(|h| h.block_length())) {
        Some(Ok(BlockLength::Bytes(block))) => {
            is_sound_end(bytes, offset.saturating_add(length as u64).saturating_add(block))
        }
        _ => Ok(false),
    }
}

/// Where a header ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderEnd {
    /// After this many bytes, the blank line included.
    At(usize),
    /// It runs into the version line of another one.
    Broken,
    /// Not within the bytes looked at.
    Beyond,
}

/// Looks for the end of the header at the start of `data`.
pub(super) fn header_end(data: &[u8]) -> HeaderEnd {
    for at in memchr::memchr_iter(b'\n', data) {
        match data.get(at + 1..).unwrap_or_default() {
            [b'\n', ..] => return HeaderEnd::At(at + 2),
            [b'\r', b'\n', ..] => return HeaderEnd::At(at + 3),
            line if version_line(line).is_some() => return HeaderEnd::Broken,
            _ => {}
        }
    }
    HeaderEnd::Beyond
}

/// The first anchor in `[from, until)`.
pub(super) fn first_anchor(bytes: &dyn Bytes, framing: Framing, from: u64, until: u64) -> io::Result<Option<u64>> {
    match framing {
        Framing::Plain => first_match(bytes, MAGIC, from, until, is_plain_anchor),
        Framing::Gzip => first_match(bytes, GZIP, from, until, is_gzip_anchor),
        Framing::Unsupported(_) | Framing::Empty => Ok(None),
    }
}

fn first_match(
    bytes: &dyn Bytes,
    needle: &[u8],
    from: u64,
    until: u64,
    verify: fn(&dyn Bytes, u64) -> io::Result<bool>,
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
            if at >= until || verify(bytes, at)? {
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

/// Tells the kind of file by its content, never by its name. A byte order mark and blank lines may come first.
///
/// # Errors
/// When the file cannot be read.
pub fn recognise(bytes: &dyn Bytes) -> io::Result<Framing> {
    let start = read_at(bytes, 0, TAIL)?;
    let data = after_blanks(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start));
    let known = match data {
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x5d, 0x2a, 0x4d, 0x18, ..] => Some(Framing::Unsupported("zstd")),
        [0x1f, 0x8b, ..] => gzip_kind(bytes, (start.len() - data.len()) as u64)?,
        _ if data.starts_with(b"filedesc://") => Some(Framing::Unsupported("arc")),
        _ if is_magic(data) => Some(Framing::Plain),
        _ => None,
    };
    match known {
        Some(framing) => Ok(framing),
        None => damaged_start(bytes),
    }
}

/// The kind of a file that starts with a gzip member; `None` if that member says nothing.
fn gzip_kind(bytes: &dyn Bytes, offset: u64) -> io::Result<Option<Framing>> {
    let Some(head) = member_head(bytes, offset)? else { return Ok(None) };
    let text = after_blanks(&head);
    if text.starts_with(b"filedesc://") {
        return Ok(Some(Framing::Unsupported("arc")));
    }
    Ok((text.is_empty() || starts_record(text)).then_some(Framing::Gzip))
}

/// The kind of a file whose start is damaged: that of the first record in its first mebibyte.
fn damaged_start(bytes: &dyn Bytes) -> io::Result<Framing> {
    let until = bytes.len().min(RECOGNISE as u64);
    if first_anchor(bytes, Framing::Gzip, 0, until)?.is_some() {
        return Ok(Framing::Gzip);
    }
    let start = read_at(bytes, 0, RECOGNISE)?;
    let plain = memmem::find_iter(&start, b"WARC/").any(|at| {
        let line_start = at.checked_sub(1).is_none_or(|before| start.get(before) == Some(&b'\n'));
        line_start && is_header(start.get(at..).unwrap_or_default())
    });
    if plain {
        Ok(Framing::Plain)
    } else if start.iter().all(|&b| is_padding(b)) && is_padding_to_end(bytes, 0)? {
        Ok(Framing::Empty)
    } else {
        Ok(Framing::Unsupported("unknown"))
    }
}
