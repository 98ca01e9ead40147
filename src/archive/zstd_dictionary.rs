//! The dictionaries of a `.warc.zst` file, and which of them a frame needs.
//!
//! A dictionary frame is a skippable frame with its own magic number that contains a raw dictionary, or a zstd frame
//! that decompresses to one. The leading dictionary is active from the start, wherever reading begins; one in the
//! middle of the file replaces it from there on. A frame that names a dictionary id gets the leading dictionary if that
//! has the id, else the active one, else the nearest one with the id before the frame, else after it. The file is
//! searched only in the last two cases, so that a normal file is never scanned. In the middle of a file, a dictionary
//! frame counts only if another frame follows it.
//!
//! Two cases are not covered. Frames that need a dictionary from the middle of the file without naming it
//! (`zstd --no-dictID`) are decoded correctly only by a reader that has passed that dictionary. Of different
//! dictionaries with the same id, the leading one is used.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use memchr::memmem;
use zstd::stream::raw::{DParameter, Decoder};

use super::Bytes;
use super::cursor::{ByteCursor, read_at};

/// Largest dictionary in bytes, and largest window as a power of two: 128 MiB each.
const MAX_DICTIONARY: u64 = 1 << 27;
pub(super) const MAX_WINDOW_LOG: u32 = 27;
/// Most searches for a dictionary by its id, each through the whole file at worst. Real files need one for each file
/// they were concatenated from.
const MAX_SEARCHES: u32 = 16;
/// Bytes of dictionaries that may be loaded: this many, and a multiple of the file size. Only a file in which every
/// frame switches between large dictionaries needs more.
const LOADS: u64 = 256 << 20;
const LOADS_PER_BYTE: u64 = 4;
/// Bytes searched for a dictionary frame at a time.
const CHUNK: u64 = 1 << 20;
const FRAME: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const DICTIONARY: &[u8] = &[0x37, 0xa4, 0x30, 0xec];
const DICTIONARY_FRAME: &[u8] = &[0x5d, 0x2a, 0x4d, 0x18];

/// A skippable frame: it contains no record data, but may contain a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Skippable {
    /// File offset of the byte after the frame, at most the size of the file.
    pub(super) end: u64,
    /// Whether this is a dictionary frame.
    pub(super) dictionary: bool,
    /// Whether the end of the file or another frame follows, so that the size can be trusted.
    pub(super) sound: bool,
}

/// The skippable frame at `at`, if one is there and ends within the file.
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

/// A decoder with this dictionary and the largest window; `None` if the dictionary is invalid.
fn decoder(dictionary: &[u8]) -> Option<Decoder<'static>> {
    let mut decoder = Decoder::with_dictionary(dictionary).ok()?;
    decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG)).ok()?;
    Some(decoder)
}

/// A decoder without dictionary.
pub(super) fn plain_decoder() -> io::Result<Decoder<'static>> {
    decoder(&[]).ok_or_else(|| io::Error::other("cannot set up a zstd decoder"))
}

/// The file offset of a dictionary and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dictionary {
    pub(super) offset: u64,
    id: u32,
}

/// The dictionaries of one file.
pub(super) struct Dictionaries<'a> {
    bytes: &'a dyn Bytes,
    active: Option<Dictionary>,
    /// The dictionary at the start of the file, if it is valid.
    leading: Option<Dictionary>,
    /// Id and offset of valid dictionaries met so far, which may be very many.
    known: BTreeSet<(u32, u64)>,
    /// Offset of the dictionary that was met first, by id.
    first: BTreeMap<u32, u64>,
    searches_left: u32,
    load_budget: u64,
}

impl<'a> Dictionaries<'a> {
    /// Starts with the leading dictionary as the active one, if there is one.
    pub(super) fn new(bytes: &'a dyn Bytes) -> io::Result<Self> {
        let load_budget = bytes.len().saturating_mul(LOADS_PER_BYTE).saturating_add(LOADS);
        let mut new = Self { searches_left: MAX_SEARCHES, load_budget, ..Self::none(bytes) };
        new.activate(0)?;
        Ok(new)
    }

    /// No dictionary at all: a frame that names one cannot be decoded.
    pub(super) fn none(bytes: &'a dyn Bytes) -> Self {
        let (known, first) = (BTreeSet::new(), BTreeMap::new());
        Self { bytes, active: None, leading: None, known, first, searches_left: 0, load_budget: 0 }
    }

    /// The dictionary that frames without a dictionary id are decoded with.
    pub(super) fn active(&self) -> Option<Dictionary> {
        self.active
    }

    /// Makes the dictionary at `offset` the active one; false if no valid dictionary is there.
    pub(super) fn activate(&mut self, offset: u64) -> io::Result<bool> {
        if self.active.is_none_or(|now| now.offset != offset) {
            let Some((dictionary, _)) = self.open(offset)? else { return Ok(false) };
            self.active = Some(dictionary);
            self.remember(dictionary);
        }
        Ok(true)
    }

    fn remember(&mut self, dictionary: Dictionary) {
        let Dictionary { offset, id } = dictionary;
        if offset == 0 {
            self.leading = Some(dictionary);
        }
        self.known.insert((id, offset));
        self.first.entry(id).or_insert(offset);
    }

    /// The dictionary for a frame at `at` that names `id`; `None` if it is not in the file.
    pub(super) fn named(&mut self, at: u64, id: u32) -> io::Result<Option<Dictionary>> {
        if let Some(found) = [self.leading, self.active].into_iter().flatten().find(|d| d.id == id) {
            return Ok(Some(found));
        }
        let before = self.known.range((id, 0)..=(id, at)).next_back().map(|(_, offset)| *offset);
        if let Some(offset) = before.or_else(|| self.first.get(&id).copied()) {
            return Ok(Some(Dictionary { offset, id }));
        }
        if self.searches_left == 0 {
            return Ok(None);
        }
        self.searches_left -= 1;
        let found = match self.search_backward(at, id)? {
            None => self.search_forward(at, id)?,
            found => found,
        };
        found.into_iter().for_each(|dictionary| self.remember(dictionary));
        Ok(found)
    }

    /// Loads the dictionary at `offset` into a new decoder; `None` if it is invalid or the load budget is used up.
    pub(super) fn open(&mut self, offset: u64) -> io::Result<Option<(Dictionary, Decoder<'static>)>> {
        let most = MAX_DICTIONARY.min(self.load_budget);
        if most == 0 {
            return Ok(None);
        }
        let Some(bytes) = read_dictionary(self.bytes, offset, most)? else { return Ok(None) };
        self.load_budget = self.load_budget.saturating_sub(bytes.len() as u64);
        if self.load_budget == 0 {
            // The budget ended within the dictionary.
            return Ok(None);
        }
        Ok(id(&bytes).and_then(|id| Some((Dictionary { offset, id }, decoder(&bytes)?))))
    }

    /// The dictionary at `offset`, if it is valid and has the wanted id.
    fn verify(&mut self, offset: u64, wanted: u32) -> io::Result<Option<Dictionary>> {
        // The first bytes contain the id; the whole dictionary is loaded only if that is the wanted one.
        let head = read_dictionary(self.bytes, offset, 8)?;
        if head.is_none_or(|head| id(&head) != Some(wanted)) {
            return Ok(None);
        }
        Ok(self.open(offset)?.map(|(dictionary, _)| dictionary))
    }

    fn search_backward(&mut self, before: u64, id: u32) -> io::Result<Option<Dictionary>> {
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

    fn search_forward(&mut self, from: u64, id: u32) -> io::Result<Option<Dictionary>> {
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

/// The first `max` bytes of the dictionary in the frame at `offset`, decompressed if necessary; `None` if the frame
/// contains no dictionary or one above 128 MiB.
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
    let payload = DictionaryReader { cursor: ByteCursor::new(bytes, start), left: size };
    Ok(unpack(payload, max))
}

/// Decompresses a dictionary; `None` if the data are invalid.
fn unpack(payload: DictionaryReader<'_>, max: u64) -> Option<Vec<u8>> {
    let mut decoder = zstd::stream::read::Decoder::new(payload).ok()?.single_frame();
    decoder.window_log_max(MAX_WINDOW_LOG).ok()?;
    let mut out = Vec::new();
    decoder.take(max.saturating_add(1)).read_to_end(&mut out).ok()?;
    let whole = out.len() as u64 <= max || max < MAX_DICTIONARY;
    out.truncate(max as usize);
    whole.then_some(out)
}

/// Reads the content of a dictionary frame from the file.
struct DictionaryReader<'a> {
    cursor: ByteCursor<'a>,
    left: u64,
}

impl Read for DictionaryReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let filled = self.cursor.fill()?;
        let n = filled.len().min(out.len()).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if let (Some(to), Some(from)) = (out.get_mut(..n), filled.get(..n)) {
            to.copy_from_slice(from);
        }
        self.cursor.consume(n);
        self.left -= n as u64;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_dictionaries_take_linear_time() {
        let mut dictionaries = Dictionaries::none(b"");
        for n in 0..300_000 {
            let dictionary = Dictionary { offset: 1 + u64::from(n), id: n };
            dictionaries.remember(dictionary);
            dictionaries.remember(dictionary);
            assert_eq!(dictionaries.named(0, n).unwrap(), Some(dictionary));
        }
    }

    #[test]
    fn of_known_dictionaries_the_nearest_before_a_frame_is_used() {
        let mut dictionaries = Dictionaries::none(b"");
        for offset in [50, 20, 80] {
            dictionaries.remember(Dictionary { offset, id: 7 });
        }
        let mut offset = |at, id| dictionaries.named(at, id).unwrap().map(|dictionary| dictionary.offset);
        // Before all of them: the one that was met first.
        assert_eq!([10, 20, 79, 80].map(|at| offset(at, 7)), [50, 20, 50, 80].map(Some));
        assert_eq!(offset(90, 6), None);
        dictionaries.active = Some(Dictionary { offset: 20, id: 7 });
        assert_eq!(dictionaries.named(90, 7).unwrap(), dictionaries.active);
        dictionaries.remember(Dictionary { offset: 0, id: 7 });
        assert_eq!(dictionaries.named(90, 7).unwrap(), dictionaries.leading);
    }
}
