//! Decompresses the members of a file: one interface for uncompressed, gzip and zstd files.
//!
//! In this folder, *member* means a gzip member or a zstd frame.

use std::io;

use super::cursor::{ByteCursor, read_at};
use super::dictionary_frame::Skippable;
use super::gzip_member::{Inflater, MemberState};
use super::magic;
use super::zstd_frame::FrameDecoder;
use super::{Bytes, DamageReason, Framing};

/// Most bytes that [`decompress`] returns.
const MAX_DECOMPRESSED: usize = 1 << 30;

/// The decompressor of a file, chosen once by its framing.
pub(super) enum Decompressor<'a> {
    Plain,
    Gzip(&'a dyn Bytes, Box<Inflater>),
    Zstd(Box<FrameDecoder<'a>>),
}

impl<'a> Decompressor<'a> {
    pub(super) fn new(bytes: &'a dyn Bytes, framing: Framing) -> io::Result<Self> {
        Ok(match framing {
            Framing::Gzip => Self::Gzip(bytes, Box::new(Inflater::new())),
            Framing::Zstd => Self::Zstd(Box::new(FrameDecoder::new(bytes)?)),
            Framing::Plain | Framing::Empty | Framing::Unsupported(_) => Self::Plain,
        })
    }

    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Self::Plain)
    }

    /// The magic number with which every member begins.
    pub(super) fn magic(&self) -> &'static [u8] {
        match self {
            Self::Plain => &[],
            Self::Gzip(..) => &magic::GZIP_DEFLATE,
            Self::Zstd(_) => &magic::ZSTD,
        }
    }

    pub(super) fn state(&self) -> MemberState {
        match self {
            Self::Plain => MemberState::Whole,
            Self::Gzip(_, inflater) => inflater.state(),
            Self::Zstd(frames) => frames.state(),
        }
    }

    /// Ends the member being read: the rest of it is not decompressed.
    pub(super) fn give_up(&mut self, reason: DamageReason) {
        match self {
            Self::Plain => {}
            Self::Gzip(_, inflater) => inflater.give_up(reason),
            Self::Zstd(frames) => frames.give_up(reason),
        }
    }

    /// Reads a member header. If there is none: false, and the cursor has moved some way past its position.
    pub(super) fn begin(&mut self, cursor: &mut ByteCursor<'_>) -> io::Result<bool> {
        match self {
            Self::Plain => Ok(false),
            Self::Gzip(_, inflater) => inflater.begin(cursor),
            Self::Zstd(frames) => frames.begin(cursor),
        }
    }

    /// Appends the next decompressed bytes of the member to `out`.
    pub(super) fn decode_next(&mut self, cursor: &mut ByteCursor<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Plain => Ok(()),
            Self::Gzip(_, inflater) => inflater.decode_next(cursor, out),
            Self::Zstd(frames) => frames.decode_next(cursor, out),
        }
    }

    /// The first decompressed bytes of the member at `offset`, at most `max`; `None` if no readable member is there.
    /// Must not be called while a member is being read.
    pub(super) fn peek(&mut self, offset: u64, max: usize) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Plain => Ok(None),
            Self::Gzip(bytes, inflater) => inflater.peek(*bytes, offset, max),
            Self::Zstd(frames) => frames.peek(offset, max),
        }
    }

    /// The skippable zstd frame at `at`, if there is one.
    pub(super) fn skippable(&self, at: u64) -> io::Result<Option<Skippable>> {
        match self {
            Self::Zstd(frames) => frames.skippable(at),
            Self::Plain | Self::Gzip(..) => Ok(None),
        }
    }

    /// The first offset from `at` on that is not in a skippable frame. Dictionary frames are not skipped.
    pub(super) fn pass_skippable(&self, mut at: u64) -> io::Result<u64> {
        while let Some(frame) = self.skippable(at)?.filter(|frame| frame.sound && !frame.dictionary) {
            at = frame.end;
        }
        Ok(at)
    }

    /// Makes the dictionary in the frame at `at` the active one; false if the frame contains no valid dictionary.
    pub(super) fn activate(&mut self, at: u64) -> io::Result<bool> {
        match self {
            Self::Zstd(frames) => frames.activate(at),
            Self::Plain | Self::Gzip(..) => Ok(false),
        }
    }

    /// File offset of the active dictionary.
    pub(super) fn dictionary(&self) -> Option<u64> {
        match self {
            Self::Zstd(frames) => frames.dictionary(),
            Self::Plain | Self::Gzip(..) => None,
        }
    }
}

/// Reads the bytes of one record (header, block and line ends), decompressed.
///
/// `offset` and `length` are [`super::Record::offset`] and [`super::Record::length`]. A damaged member gives the bytes
/// before the damage. At most 1 GiB is returned.
///
/// # Errors
/// When the file cannot be read.
pub fn decompress(bytes: &dyn Bytes, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let framing = match read_at(bytes, offset, <[u8]>::len(&magic::ZSTD))? {
        start if start.starts_with(&magic::GZIP) => Framing::Gzip,
        start if start.starts_with(&magic::ZSTD) => Framing::Zstd,
        _ => return read_at(bytes, offset, usize::try_from(length).unwrap_or(usize::MAX).min(MAX_DECOMPRESSED)),
    };
    let mut decompressor = Decompressor::new(bytes, framing)?;
    let mut cursor = ByteCursor::new(bytes, offset);
    let end = offset.saturating_add(length);
    let mut out = Vec::new();
    while cursor.position() < end && decompressor.begin(&mut cursor)? {
        while decompressor.state() == MemberState::Reading && out.len() < MAX_DECOMPRESSED {
            decompressor.decode_next(&mut cursor, &mut out)?;
        }
        if !matches!(decompressor.state(), MemberState::Whole | MemberState::BadChecksum) {
            break;
        }
        cursor.seek(decompressor.pass_skippable(cursor.position())?);
    }
    out.truncate(MAX_DECOMPRESSED);
    Ok(out)
}
