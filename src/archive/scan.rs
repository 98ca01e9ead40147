//! Recognises record headers, and the bytes that may follow a block. `anchor` and `stream` decide where to look.

use std::io;

use super::Bytes;
use super::arc::{self, Strictness};
use super::cursor::read_at;
use super::warc::{is_magic, version_line};

/// A `WARC-Type` field must follow within this many bytes of the version line.
pub(super) const LOOKAHEAD: usize = 64 << 10;
/// Bytes of a member that are decompressed to see whether it starts a WARC record.
const WARC_HEAD: usize = 512;
/// Bytes of the magic number before its slash.
pub(super) const BEFORE_SLASH: usize = 4;
/// Bytes after a WARC block that are examined to see whether the block ends there.
const WARC_TAIL: usize = 4096;

/// The format of the records of a file; one file has one format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordFormat {
    Warc,
    Arc,
}

impl RecordFormat {
    /// Bytes of a member that show whether it starts a record.
    pub(super) fn peek_length(self) -> usize {
        match self {
            Self::Warc => WARC_HEAD,
            Self::Arc => arc::MAX_LINE,
        }
    }

    /// Bytes after a block that show whether it ends there.
    pub(super) fn tail_length(self) -> usize {
        match self {
            Self::Warc => WARC_TAIL,
            Self::Arc => arc::MAX_LINE,
        }
    }

    /// Bytes within which a header must be recognised.
    pub(super) fn lookahead(self) -> usize {
        match self {
            Self::Warc => LOOKAHEAD,
            Self::Arc => arc::MAX_LINE,
        }
    }

    /// Number of line ends after a block.
    pub(super) fn closing_line_ends(self) -> usize {
        match self {
            Self::Warc => 2,
            Self::Arc => 1,
        }
    }

    /// Whether `data` certainly starts with a record header.
    pub(super) fn is_header(self, data: &[u8]) -> bool {
        match self {
            Self::Warc => is_warc_header(data),
            Self::Arc => arc::header_line(data, Strictness::Strict).is_some(),
        }
    }

    /// Whether decompressed bytes certainly start a record, after any blank lines.
    pub(super) fn starts_record(self, unpacked: &[u8]) -> bool {
        match self {
            Self::Warc => version_line(after_blanks(unpacked)).is_some(),
            Self::Arc => arc::header_line(after_blanks(unpacked), Strictness::Strict).is_some(),
        }
    }

    /// Whether decompressed bytes may start a record, after any blank lines.
    pub(super) fn may_start_record(self, unpacked: &[u8]) -> bool {
        match self {
            Self::Warc => self.starts_record(unpacked),
            Self::Arc => arc::header_line(after_blanks(unpacked), Strictness::Lenient).is_some(),
        }
    }

    /// Whether the bytes after a block fit the end of a record.
    pub(super) fn is_sound_tail(self, tail: &[u8]) -> bool {
        let rest = after_blanks(tail);
        if rest.is_empty() || rest.starts_with(b"\0") {
            return true;
        }
        match self {
            Self::Warc => tail.starts_with(b"\r\n\r\n") || tail.starts_with(b"\n\n") || is_magic(rest),
            Self::Arc => {
                // Without a line end in between, this may be the rest of a header line that the block ran into.
                let at_line = tail.iter().take_while(|&&b| is_blank(b)).any(|&b| b == b'\n');
                (at_line || arc::has_known_scheme(rest)) && arc::header_line(rest, Strictness::Lenient).is_some()
            }
        }
    }

    /// [`RecordFormat::is_sound_tail`] for the bytes at a file offset; false past the end of the file.
    pub(super) fn is_sound_end(self, bytes: &dyn Bytes, offset: u64) -> io::Result<bool> {
        Ok(offset <= bytes.len() && self.is_sound_tail(&read_at(bytes, offset, self.tail_length())?))
    }
}

/// Whether a byte belongs to a blank line: a line end, a space or a tab.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b' ' | b'\t')
}

/// Whether a header may begin after this byte: a line end, or the padding of a block that was never written.
pub(super) fn may_precede_header(byte: u8) -> bool {
    matches!(byte, b'\n' | 0)
}

/// Whether a byte may follow the last record without being damage.
pub(super) fn is_padding(byte: u8) -> bool {
    byte == 0 || is_blank(byte)
}

/// `data` without its leading blank lines and spaces.
pub(super) fn after_blanks(data: &[u8]) -> &[u8] {
    let blanks = data.iter().take_while(|&&b| is_blank(b)).count();
    data.get(blanks..).unwrap_or_default()
}

/// Whether `data` starts with a version line and has a `WARC-Type` field before the header ends.
pub(super) fn is_warc_header(data: &[u8]) -> bool {
    let Some(start) = version_line(data) else { return false };
    let data = data.get(..LOOKAHEAD).unwrap_or(data);
    for line in data.get(start..).unwrap_or_default().split(|&b| b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let colon = memchr::memchr(b':', line);
        let name = colon.and_then(|at| line.get(..at)).unwrap_or_default();
        if name.trim_ascii().eq_ignore_ascii_case(b"WARC-Type") {
            return true;
        }
        if line.is_empty() || has_other_header(line) {
            return false;
        }
    }
    false
}

/// Whether another header may begin with a line of a header or within it: wherever a search looks for one
/// ([`may_precede_header`]). No header is read beyond, so that none of a flood of them is read once for each before it.
fn has_other_header(line: &[u8]) -> bool {
    let magic_from = |at: usize| line.get(at..).is_some_and(is_magic);
    magic_from(0) || memchr::memchr_iter(0, line).any(|nul| magic_from(nul + 1))
}

/// Whether `data` starts with a whole WARC header that has type and length and no other version line. A header that begins
/// amid a line, where the record before was cut, must be one. It is not read beyond the next version line, so that a flood
/// of them costs time linear in its bytes.
pub(super) fn is_whole_warc_header(data: &[u8]) -> bool {
    let Some(start) = version_line(data) else { return false };
    let data = data.get(..LOOKAHEAD).unwrap_or(data);
    let (mut has_type, mut has_length) = (false, false);
    for line in data.get(start..).unwrap_or_default().split_inclusive(|&b| b == b'\n') {
        if matches!(line, b"\n" | b"\r\n") {
            return has_type && has_length;
        }
        let Some((name, _)) = memchr::memchr(b':', line).and_then(|at| line.split_at_checked(at)) else { return false };
        has_type |= name.eq_ignore_ascii_case(b"WARC-Type");
        has_length |= name.eq_ignore_ascii_case(b"Content-Length");
        if memchr::memchr_iter(b'/', line).any(|slash| ends_version(line, slash)) {
            return false;
        }
    }
    false
}

/// Whether a slash in a line is that of a version line.
fn ends_version(line: &[u8], slash: usize) -> bool {
    slash.checked_sub(BEFORE_SLASH).and_then(|at| line.get(at..)).is_some_and(|rest| version_line(rest).is_some())
}

/// Fields that a header has at most once.
const ONCE: [&[u8]; 6] =
    [b"WARC-Type", b"WARC-Record-ID", b"WARC-Date", b"WARC-Target-URI", b"Content-Type", b"Content-Length"];

/// Whether a header, up to its blank line, is the stump of one that was cut amid a line and a whole one behind it. The value
/// of a field may end as a version line does: in a stump, that line is no field, or the whole header has a field again. Only
/// the last version line is looked at, so that a flood of them costs time linear in its bytes.
pub(super) fn is_stump(header: &[u8]) -> bool {
    let first = version_line(header).unwrap_or_default();
    let slash = memchr::memrchr_iter(b'/', header).find(|&slash| ends_version(header, slash));
    let last = slash.and_then(|slash| slash.checked_sub(BEFORE_SLASH)).filter(|&last| last >= first);
    let Some((front, whole)) = last.and_then(|last| header.split_at_checked(last)) else { return false };
    let cut = front.rsplit(|&b| b == b'\n').next().unwrap_or_default();
    let is_field = memchr::memchr(b':', cut).is_some();
    is_whole_warc_header(whole)
        && (!is_field || ONCE.iter().any(|name| has_field(front, name) && has_field(whole, name)))
}

/// Whether a line begins with this name and a colon.
fn has_field(lines: &[u8], name: &[u8]) -> bool {
    lines.split(|&b| b == b'\n').any(|line| {
        let found = memchr::memchr(b':', line).and_then(|colon| line.get(..colon));
        found.is_some_and(|found| found.trim_ascii().eq_ignore_ascii_case(name))
    })
}

/// Where a header ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderEnd {
    /// After this many bytes, the blank line included.
    At(usize),
    /// Another version line comes before the blank line, after a line end or a NUL byte.
    Broken,
    /// Not within the bytes given.
    Beyond,
}

/// Bytes by which it is seen that a header ends: a line feed and the line after it, as far as it is looked at.
pub(super) const LONGEST_END: usize = 32;

/// Finds the end of the WARC header at the start of `data`, none of whose lines before `from` is the last one.
pub(super) fn header_end(data: &[u8], from: usize) -> HeaderEnd {
    for at in memchr::memchr2_iter(b'\n', 0, data.get(from..).unwrap_or_default()).map(|at| from + at) {
        let ends_line = data.get(at) == Some(&b'\n');
        match data.get(at + 1..).unwrap_or_default() {
            [b'\n', ..] if ends_line => return HeaderEnd::At(at + 2),
            [b'\r', b'\n', ..] if ends_line => return HeaderEnd::At(at + 3),
            other if version_line(other).is_some() => return HeaderEnd::Broken,
            _ => {}
        }
    }
    HeaderEnd::Beyond
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_ends_where_a_search_finds_another() {
        for before in ["\n", "\r\n", "\0", "x\n", "x\0", "x\0\0"] {
            let flood = format!("WARC/1.0\r\nx{before}WARC/1.0\r\nWARC-Type: metadata\r\n\r\n");
            assert_eq!(header_end(flood.as_bytes(), 0), HeaderEnd::Broken, "{before:?}");
            assert!(!is_warc_header(flood.as_bytes()), "{before:?}");
        }
    }

    #[test]
    fn whole_headers() {
        let fields = "WARC-Type: response\r\nWARC-Target-URI: http://a/b\r\nContent-Length: 3\r\n";
        for (header, whole) in [
            (format!("WARC/1.0\r\n{fields}\r\nabc"), true),
            (format!("WARC/1.0\n{}\nabc", fields.replace("\r\n", "\n")), true),
            (format!("WARC/1.0\r\n{fields}abc"), false),
            (format!("WARC/1.0\r\n{fields}no field\r\n\r\n"), false),
            (format!("WARC/1.0\r\nX: aWARC/1.0\r\n{fields}\r\n"), false),
            (format!("WARC/1.0 {fields}\r\n"), false),
            ("WARC/1.0\r\nWARC-Type: response\r\n\r\n".into(), false),
            ("WARC/1.0\r\nContent-Length: 3\r\n\r\n".into(), false),
        ] {
            assert_eq!(is_whole_warc_header(header.as_bytes()), whole, "{header:?}");
        }
    }

    #[test]
    fn stumps_of_headers() {
        let whole = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: x\r\nContent-Length: 3\r\n\r\n";
        for (front, stump) in [
            ("WARC/1.0\r\nWARC-Ty", true),
            ("WARC/1.0\r\nWARC-Type: resp", true),
            ("WARC/1.0\r\nwarc-date: 2024\r\nX: ", true),
            ("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r", true),
            ("WARC/1.0\r\nX: aWARC/1.0\r\nWARC-Type: a\r\nY: ", true),
            ("WARC/1.0\r\nformat: ", false),
            ("WARC/1.0\r\nX: y\r\nsoftware: x ", false),
            ("", false),
        ] {
            assert_eq!(is_stump(format!("{front}{whole}").as_bytes()), stump, "{front:?}");
        }
        for rest in ["\r\n", "WARC-Type: a\r\n\r\n", "Content-Length: 3\r\n\r\n"] {
            let header = format!("WARC/1.0\r\nWARC-Type: a\r\nContent-Length: 3\r\nX: WARC/1.0\r\n{rest}");
            assert!(!is_stump(header.as_bytes()), "{rest:?}");
        }
    }

    #[test]
    fn a_header_may_have_odd_bytes() {
        for odd in ["\0", "\0\r\nY: \0\nZ: z", "\0 WARC/1.0", "WARC/1.0"] {
            let header = format!("WARC/1.0\r\nX: {odd}\r\nWARC-Type: metadata\r\n\r\n");
            assert_eq!(header_end(header.as_bytes(), 0), HeaderEnd::At(header.len()), "{odd:?}");
            assert!(is_warc_header(header.as_bytes()), "{odd:?}");
        }
    }
}
