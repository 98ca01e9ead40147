//! How the bytes of a file are unpacked: not at all, gzip members, zstd frames.
//!
//! Contract: one face for the three, chosen once per file and asked once per piece of some ten kilobytes. Below,
//! *member* is a gzip member or a zstd frame.

use std::io;

use super::dictionary::Skippable;
use super::frame::Frames;
use super::member::{self, Inflater, State};
use super::source::{Source, read_at};
use super::{Bytes, Framing};

/// Bytes that [`decompress`] gives at most.
const MAX_DECOMPRESSED: usize = 1 << 30;

pub(super) enum Codec<'a> {
    Plain,
    Gzip(&'a dyn Bytes, Inflater),
    Zstd(Box<Frames<'a>>),
}

impl<'a> Codec<'a> {
    pub(super) fn new(bytes: &'a dyn Bytes, framing: Framing) -> io::Result<Self> {
        Ok(match framing {
            Framing::Gzip => Self::Gzip(bytes, Inflater::new()),
            Framing::Zstd => Self::Zstd(Box::new(Frames::new(bytes)?)),
            Framing::Plain | Framing::Empty | Framing::Unsupported(_) => Self::Plain,
        })
    }

    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Self::Plain)
    }

    /// How every member begins.
    pub(super) fn magic(&self) -> &'static [u8] {
        match self {
            Self::Plain => &[],
            Self::Gzip(..) => &[0x1f, 0x8b, 8],
            Self::Zstd(_) => &[0x28, 0xb5, 0x2f, 0xfd],
        }
    }

    pub(super) fn state(&self) -> State {
        match self {
            Self::Plain => State::Whole,
            Self::Gzip(_, inflater) => inflater.state(),
            Self::Zstd(frames) => frames.state(),
        }
    }

    /// Reads a member header; false, with the source somewhere past its position, if there is none.
    pub(super) fn begin(&mut self, source: &mut Source<'_>) -> io::Result<bool> {
        match self {
            Self::Plain => Ok(false),
            Self::Gzip(_, inflater) => inflater.begin(source),
            Self::Zstd(frames) => frames.begin(source),
        }
    }

    /// Appends the next bytes of the member to `out`.
    pub(super) fn feed(&mut self, source: &mut Source<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Plain => Ok(()),
            Self::Gzip(_, inflater) => inflater.feed(source, out),
            Self::Zstd(frames) => frames.feed(source, out),
        }
    }

    /// At most the first `max` bytes of the member at `offset`; `None` if there is no readable member. Only between
    /// members.
    pub(super) fn head(&mut self, offset: u64, max: usize) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Plain => Ok(None),
            Self::Gzip(bytes, _) => member::head(*bytes, offset, max),
            Self::Zstd(frames) => frames.head(offset, max),
        }
    }

    /// The zstd frame at `at` that holds nothing for the reader, if there is one.
    pub(super) fn skippable(&self, at: u64) -> io::Result<Option<Skippable>> {
        match self {
            Self::Zstd(frames) => frames.skippable(at),
            Self::Plain | Self::Gzip(..) => Ok(None),
        }
    }

    /// The first offset from `at` on that is not in a skippable frame; stops at dictionaries.
    pub(super) fn pass_skippable(&self, mut at: u64) -> io::Result<u64> {
        while let Some(frame) = self.skippable(at)?.filter(|frame| frame.sound && !frame.dictionary) {
            at = frame.end;
        }
        Ok(at)
    }

    /// Puts the dictionary frame at `at` in force; false if it holds no dictionary.
    pub(super) fn adopt(&mut self, at: u64) -> io::Result<bool> {
        match self {
            Self::Zstd(frames) => frames.adopt(at),
            Self::Plain | Self::Gzip(..) => Ok(false),
        }
    }

    /// File offset of the dictionary in force.
    pub(super) fn dictionary(&self) -> Option<u64> {
        match self {
            Self::Zstd(frames) => frames.dictionary(),
            Self::Plain | Self::Gzip(..) => None,
        }
    }
}

/// The bytes of a record at the place it names ([`super::Record::offset`], [`super::Record::length`]), unpacked:
/// header, block, line ends. A member that breaks off gives what it holds; of more than 1 GiB the first.
///
/// # Errors
/// When the file cannot be read.
pub fn decompress(bytes: &dyn Bytes, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let framing = match read_at(bytes, offset, 4)?.as_slice() {
        [0x1f, 0x8b, ..] => Framing::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd] => Framing::Zstd,
        _ => return read_at(bytes, offset, usize::try_from(length).unwrap_or(usize::MAX).min(MAX_DECOMPRESSED)),
    };
    let mut codec = Codec::new(bytes, framing)?;
    let mut source = Source::new(bytes, offset);
    let end = offset.saturating_add(length);
    let mut out = Vec::new();
    while source.position() < end && codec.begin(&mut source)? {
        while codec.state() == State::Reading && out.len() < MAX_DECOMPRESSED {
            codec.feed(&mut source, &mut out)?;
        }
        if !matches!(codec.state(), State::Whole | State::BadChecksum) {
            break;
        }
        source.seek(codec.pass_skippable(source.position())?);
    }
    out.truncate(MAX_DECOMPRESSED);
    Ok(out)
}
