//! The dictionaries of a `.warc.zst` file and which of them a frame needs.
//!
//! Contract: a dictionary frame is a skippable frame of its own magic that holds a raw dictionary, or a zstd frame that
//! expands to one. The leading one is in force from the start, wherever reading begins; one in mid-file takes its
//! place from there on. A frame that names its dictionary gets the leading one if that has the id, else the one in
//! force, else the nearest one of that id before it, else after it: looked for only then, so that a normal file is
//! never scanned. In mid-file a dictionary frame counts only if another frame follows it.
//! The one gap: after a dictionary in mid-file, frames that need it and name none (`zstd --no-dictID`) are read rightly
//! only by a reader that has passed it, and of different dictionaries of one id the leading one is taken.

use std::io::{self, Read};

use memchr::memmem;
use zstd::stream::raw::{DParameter, Decoder};

use super::Bytes;
use super::source::{Source, read_at};

/// Largest dictionary, and largest window as a power of two: 128 MiB.
const MAX_DICTIONARY: u64 = 1 << 27;
pub(super) const MAX_WINDOW_LOG: u32 = 27;
/// Searches for a dictionary by its id, each through the whole file at worst. Real files need one per concatenation.
const MAX_SEARCHES: u32 = 16;
/// Bytes of dictionaries that may be loaded, beyond as many times the file: more is only needed for a file that makes
/// every frame switch between large ones.
const LOADS: u64 = 4 << 30;
const LOADS_PER_BYTE: u64 = 4;
/// Bytes searched at a time.
const CHUNK: u64 = 1 << 20;
const FRAME: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const DICTIONARY: &[u8] = &[0x37, 0xa4, 0x30, 0xec];
const DICTIONARY_FRAME: &[u8] = &[0x5d, 0x2a, 0x4d, 0x18];

/// A frame without content for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Skippable {
    /// File offset of what follows it, at most the end of the file.
    pub(super) end: u64,
    pub(super) dictionary: bool,
    /// The end of the file or the magic of another frame follows: the size is believed.
    pub(super) sound: bool,
}

/// The skippable frame at `at`, if one is there and does not go past the end of the file.
pub(super) fn skippable(bytes: &dyn Bytes, at: u64) -> io::Result<Option<Skippable>> {
    let head = read_at(bytes, at, 8)?;
    let [a @ (0x50..=0x5f), 0x2a, 0x4d, 0x18, size @ ..] = head.as_slice() else { return Ok(None) };
    let Ok(size) = <[u8; 4]>::try_from(size) else { return Ok(None) };
    let end = at.saturating_add(8).saturating_add(u64::from(u32::from_le_bytes(size)));
    if end > bytes.len() {
        return Ok(None);
    }
    let next = read_at(bytes, end, 4)?;
    let sound = end == bytes.len() || next == FRAME || matches!(next.as_slice(), [0x50..=0x5f, 0x2a, 0x4d, 0x18]);
    Ok(Some(Skippable { end, dictionary: *a == 0x5d, sound }))
}

/// A decoder within the limits; `None` if the dictionary is none.
fn decoder(dictionary: &[u8]) -> Option<Decoder<'static>> {
    let mut decoder = Decoder::with_dictionary(dictionary).ok()?;
    decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG)).ok()?;
    Some(decoder)
}

/// A decoder without dictionary.
pub(super) fn plain_decoder() -> io::Result<Decoder<'static>> {
    decoder(&[]).ok_or_else(|| io::Error::other("cannot set up a zstd decoder"))
}

/// Where a dictionary lies, and the id it gives itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dictionary {
    pub(super) offset: u64,
    id: u32,
}

/// The dictionaries of one file.
pub(super) struct Dictionaries<'a> {
    bytes: &'a dyn Bytes,
    in_force: Option<Dictionary>,
    /// Those met so far that can be loaded.
    known: Vec<Dictionary>,
    searches: u32,
    loads: u64,
}

impl<'a> Dictionaries<'a> {
    /// With the leading dictionary in force, if there is one.
    pub(super) fn new(bytes: &'a dyn Bytes) -> io::Result<Self> {
        let loads = bytes.len().saturating_mul(LOADS_PER_BYTE).saturating_add(LOADS);
        let mut new = Self { bytes, in_force: None, known: Vec::new(), searches: MAX_SEARCHES, loads };
        new.adopt(0)?;
        Ok(new)
    }

    /// No dictionary at all: a frame that names one cannot be decoded.
    pub(super) fn none(bytes: &'a dyn Bytes) -> Self {
        Self { bytes, in_force: None, known: Vec::new(), searches: 0, loads: 0 }
    }

    /// The dictionary that frames without a dictionary id are decoded with.
    pub(super) fn in_force(&self) -> Option<Dictionary> {
        self.in_force
    }

    /// Puts the dictionary at `offset` in force; false if none is there that can be loaded.
    pub(super) fn adopt(&mut self, offset: u64) -> io::Result<bool> {
        if self.in_force.is_none_or(|now| now.offset != offset) {
            let Some((dictionary, _)) = self.open(offset)? else { return Ok(false) };
            self.in_force = Some(dictionary);
            self.learn(dictionary);
        }
        Ok(true)
    }

    fn learn(&mut self, dictionary: Dictionary) {
        if !self.known.contains(&dictionary) {
            self.known.push(dictionary);
        }
    }

    /// The dictionary for a frame at `at` that names `id`; `None` if the file does not hold it.
    pub(super) fn named(&mut self, at: u64, id: u32) -> io::Result<Option<Dictionary>> {
        let leading = self.known.iter().find(|d| d.offset == 0).copied();
        if let Some(found) = [leading, self.in_force].into_iter().flatten().find(|d| d.id == id) {
            return Ok(Some(found));
        }
        let before = self.known.iter().filter(|d| d.id == id && d.offset <= at).max_by_key(|d| d.offset);
        if let Some(known) = before.or_else(|| self.known.iter().find(|d| d.id == id)) {
            return Ok(Some(*known));
        }
        if self.searches == 0 {
            return Ok(None);
        }
        self.searches -= 1;
        let found = match self.search_back(at, id)? {
            None => self.search_on(at, id)?,
            found => found,
        };
        found.into_iter().for_each(|dictionary| self.learn(dictionary));
        Ok(found)
    }

    /// A decoder with the dictionary at `offset`, and what it is; `None` if it cannot be loaded.
    pub(super) fn open(&mut self, offset: u64) -> io::Result<Option<(Dictionary, Decoder<'static>)>> {
        let Some(bytes) = read_dictionary(self.bytes, offset, MAX_DICTIONARY)? else { return Ok(None) };
        let Some(loads) = self.loads.checked_sub(bytes.len() as u64) else { return Ok(None) };
        self.loads = loads;
        Ok(id(&bytes).and_then(|id| Some((Dictionary { offset, id }, decoder(&bytes)?))))
    }

    /// Whether a dictionary of this id lies at `offset` and can be loaded.
    fn verify(&mut self, offset: u64, wanted: u32) -> io::Result<Option<Dictionary>> {
        // Its first bytes tell the id; the whole is only looked at when that fits.
        let head = read_dictionary(self.bytes, offset, 8)?;
        if head.is_none_or(|head| id(&head) != Some(wanted)) {
            return Ok(None);
        }
        Ok(self.open(offset)?.map(|(dictionary, _)| dictionary))
    }

    fn search_back(&mut self, before: u64, id: u32) -> io::Result<Option<Dictionary>> {
        let mut to = before.min(self.bytes.len());
        while to > 0 {
            let from = to.saturating_sub(CHUNK);
            let window = read_at(self.bytes, from, (to - from) as usize + DICTIONARY_FRAME.len() - 1)?;
            for at in memmem::FinderRev::new(DICTIONARY_FRAME).rfind_iter(&window) {
                if let Some(found) = self.verify(from + at as u64, id)? {
                    return Ok(Some(found));
                }
            }
            to = from;
        }
        Ok(None)
    }

    fn search_on(&mut self, from: u64, id: u32) -> io::Result<Option<Dictionary>> {
        let mut from = from;
        while from < self.bytes.len() {
            let window = read_at(self.bytes, from, CHUNK as usize + DICTIONARY_FRAME.len() - 1)?;
            for at in memmem::find_iter(&window, DICTIONARY_FRAME) {
                if let Some(found) = self.verify(from + at as u64, id)? {
                    return Ok(Some(found));
                }
            }
            from = from.saturating_add(CHUNK);
        }
        Ok(None)
    }
}

/// The id in a dictionary's first eight bytes.
fn id(dictionary: &[u8]) -> Option<u32> {
    let [a, b, c, d, ..] = *dictionary.strip_prefix(DICTIONARY)? else { return None };
    Some(u32::from_le_bytes([a, b, c, d]))
}

/// At most `max` bytes of the dictionary in the frame at `offset`, unpacked if need be; `None` if the frame holds no
/// dictionary, or one above 128 MiB.
fn read_dictionary(bytes: &dyn Bytes, offset: u64, max: u64) -> io::Result<Option<Vec<u8>>> {
    let counts = |frame: &Skippable| frame.dictionary && (frame.sound || offset == 0);
    let Some(frame) = skippable(bytes, offset)?.filter(counts) else { return Ok(None) };
    let start = offset.saturating_add(8);
    let size = frame.end.saturating_sub(start);
    let packed = read_at(bytes, start, 4)? == FRAME;
    if size > MAX_DICTIONARY {
        return Ok(None);
    }
    if !packed {
        return read_at(bytes, start, size.min(max) as usize).map(Some);
    }
    let payload = Payload { source: Source::new(bytes, start), left: size };
    Ok(unpack(payload, max))
}

/// What a packed dictionary expands to, `None` if it does not.
fn unpack(payload: Payload<'_>, max: u64) -> Option<Vec<u8>> {
    let mut decoder = zstd::stream::read::Decoder::new(payload).ok()?.single_frame();
    decoder.window_log_max(MAX_WINDOW_LOG).ok()?;
    let mut out = Vec::new();
    decoder.take(max.saturating_add(1)).read_to_end(&mut out).ok()?;
    let whole = out.len() as u64 <= max || max < MAX_DICTIONARY;
    out.truncate(max as usize);
    whole.then_some(out)
}

/// The payload of a dictionary frame.
struct Payload<'a> {
    source: Source<'a>,
    left: u64,
}

impl Read for Payload<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let filled = self.source.fill()?;
        let n = filled.len().min(out.len()).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if let (Some(to), Some(from)) = (out.get_mut(..n), filled.get(..n)) {
            to.copy_from_slice(from);
        }
        self.source.consume(n);
        self.left -= n as u64;
        Ok(n)
    }
}
