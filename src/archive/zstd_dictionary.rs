//! The dictionaries of a `.warc.zst` file, and which of them a frame needs.
//!
//! A dictionary frame is a skippable frame with its own magic number that contains a raw dictionary, or a zstd frame
//! that decompresses to one. The leading dictionary is active from the start, wherever reading begins; one in the
//! middle of the file replaces it from there on. A frame that names a dictionary id gets the leading dictionary if that
//! has the id, else the active one, else the nearest one with the id before the frame, else after it. The file is
//! searched only in the last two cases, so that a normal file is never scanned, and no part of it twice. In the middle
//! of a file, a dictionary frame counts only if another frame follows it.
//!
//! Two cases are not covered. Frames that need a dictionary from the middle of the file without naming it
//! (`zstd --no-dictID`) are decoded correctly only by a reader that has passed that dictionary. Of different
//! dictionaries with the same id, the leading one is used.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::ops::Range;

use memchr::memmem;
use zstd::stream::raw::{DParameter, Decoder};

use super::Bytes;
use super::cursor::{ByteCursor, read_at};

/// Largest dictionary in bytes, and largest window as a power of two: 128 MiB each.
const MAX_DICTIONARY: u64 = 1 << 27;
pub(super) const MAX_WINDOW_LOG: u32 = 27;
/// Bytes of dictionaries that may be loaded: this many, and a multiple of the file size. Only a file in which every
/// frame switches between large dictionaries needs more.
const LOADS: u64 = 256 << 20;
const LOADS_PER_BYTE: u64 = 4;
/// What a search is charged for the first bytes of a dictionary that are compressed, or that end far away: the decoder
/// gives no less than a block, which has up to 128 KiB, and a reader fetches about as much around the end.
const LOOK: u64 = 128 << 10;
/// Size of a frame whose end is far away.
const FAR: u64 = 64 << 10;
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
    /// The part of the file that was searched, which grows to both sides; empty before the first search.
    searched: Range<u64>,
    /// Id and offset of what may be a dictionary in the part that was searched, without what turned out to be none.
    candidates: BTreeSet<(u32, u64)>,
    /// Bytes that may still be loaded, or decoded in a search.
    load_budget: u64,
}

impl<'a> Dictionaries<'a> {
    /// Starts with the leading dictionary as the active one, if there is one.
    pub(super) fn new(bytes: &'a dyn Bytes) -> io::Result<Self> {
        let load_budget = bytes.len().saturating_mul(LOADS_PER_BYTE).saturating_add(LOADS);
        let mut new = Self { searched: 0..0, load_budget, ..Self::none(bytes) };
        new.activate(0)?;
        Ok(new)
    }

    /// No dictionary at all: a frame that names one cannot be decoded.
    pub(super) fn none(bytes: &'a dyn Bytes) -> Self {
        Self {
            bytes,
            active: None,
            leading: None,
            known: BTreeSet::new(),
            first: BTreeMap::new(),
            // Nothing is left to search.
            searched: 0..bytes.len(),
            candidates: BTreeSet::new(),
            load_budget: 0,
        }
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
        let found = self.search(at, id)?;
        found.into_iter().for_each(|dictionary| self.remember(dictionary));
        Ok(found)
    }

    /// Loads the dictionary at `offset` into a new decoder; `None` if it is invalid or the load budget is used up.
    pub(super) fn open(&mut self, offset: u64) -> io::Result<Option<(Dictionary, Decoder<'static>)>> {
        let most = MAX_DICTIONARY.min(self.load_budget);
        if most == 0 {
            return Ok(None);
        }
        let Some(stored) = skippable(self.bytes, offset)?.and_then(|frame| Stored::of(&frame, offset)) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let valid = stored.read(self.bytes, most, &mut bytes)?;
        self.charge(bytes.len() as u64);
        if self.load_budget == 0 {
            // The budget ended within the dictionary.
            return Ok(None);
        }
        let id = if valid { id(&bytes) } else { None };
        let opened = id.and_then(|id| Some((Dictionary { offset, id }, decoder(&bytes)?)));
        if opened.is_none() && stored.is_packed(self.bytes)? {
            // A broken block gives no bytes, but takes as long as a whole one.
            self.charge(LOOK);
        }
        Ok(opened)
    }

    fn charge(&mut self, bytes: u64) {
        self.load_budget = self.load_budget.saturating_sub(bytes);
    }

    /// The nearest valid dictionary with the id before `at`, else after it.
    fn search(&mut self, at: u64, id: u32) -> io::Result<Option<Dictionary>> {
        let (at, end) = (at.min(self.bytes.len()), self.bytes.len());
        if self.searched.is_empty() {
            self.searched = at..at;
        }
        // What lies between this frame and earlier searches may have the nearest dictionary.
        while self.search_towards(at)? {}
        loop {
            let before = self.verify(|all| all.range((id, 0)..(id, at)).next_back().copied())?;
            if before.is_some() {
                return Ok(before);
            }
            if !self.search_towards(0)? {
                break;
            }
        }
        loop {
            let after = self.verify(|all| all.range((id, at)..=(id, u64::MAX)).next().copied())?;
            if after.is_some() || !self.search_towards(end)? {
                return Ok(after);
            }
        }
    }

    /// The first of the candidates chosen one by one that is a valid dictionary. Others are forgotten, so that each is
    /// loaded once.
    fn verify(
        &mut self,
        choose: impl Fn(&BTreeSet<(u32, u64)>) -> Option<(u32, u64)>,
    ) -> io::Result<Option<Dictionary>> {
        while let Some(candidate) = choose(&self.candidates) {
            if let Some((dictionary, _)) = self.open(candidate.1)? {
                return Ok(Some(dictionary));
            }
            if self.load_budget == 0 {
                break;
            }
            self.candidates.remove(&candidate);
        }
        Ok(None)
    }

    /// Lets the searched part of the file grow by a chunk towards `to`; false if that is searched already, or the load
    /// budget is used up.
    fn search_towards(&mut self, to: u64) -> io::Result<bool> {
        let Range { start, end } = self.searched;
        let chunk = if to < start {
            start.saturating_sub(CHUNK).max(to)..start
        } else {
            end..end.saturating_add(CHUNK).min(to)
        };
        if chunk.is_empty() || self.load_budget == 0 {
            return Ok(false);
        }
        let size = (chunk.end - chunk.start) as usize;
        let window = read_at(self.bytes, chunk.start, size + DICTIONARY_FRAME.len() - 1)?;
        for at in memmem::find_iter(&window, DICTIONARY_FRAME) {
            let offset = chunk.start + at as u64;
            if let Some(id) = self.look(offset)? {
                self.candidates.insert((id, offset));
            }
            if self.load_budget == 0 {
                return Ok(false);
            }
        }
        self.searched = start.min(chunk.start)..end.max(chunk.end);
        Ok(true)
    }

    /// The id of what may be a dictionary at `offset`, from its first bytes; the whole is loaded only if the id is wanted.
    fn look(&mut self, offset: u64) -> io::Result<Option<u32>> {
        let Some(frame) = skippable(self.bytes, offset)? else { return Ok(None) };
        if frame.end.saturating_sub(offset) > FAR {
            self.charge(LOOK);
        }
        let Some(stored) = Stored::of(&frame, offset) else { return Ok(None) };
        if stored.is_packed(self.bytes)? {
            self.charge(LOOK);
        }
        let mut head = Vec::new();
        let valid = stored.read(self.bytes, 8, &mut head)?;
        Ok(if valid { id(&head) } else { None })
    }
}

/// The id in a dictionary's first eight bytes.
fn id(dictionary: &[u8]) -> Option<u32> {
    let [a, b, c, d, ..] = *dictionary.strip_prefix(DICTIONARY)? else { return None };
    Some(u32::from_le_bytes([a, b, c, d]))
}

/// The content of a dictionary frame: a dictionary, or a zstd frame of one.
struct Stored {
    start: u64,
    size: u64,
}

impl Stored {
    /// The content of the frame at `offset`; `None` if it contains no dictionary or one above 128 MiB.
    fn of(frame: &Skippable, offset: u64) -> Option<Stored> {
        let start = offset.saturating_add(8);
        let size = frame.end.saturating_sub(start);
        let counts = frame.dictionary && (frame.sound || offset == 0) && size <= MAX_DICTIONARY;
        counts.then_some(Stored { start, size })
    }

    /// Whether it is compressed.
    fn is_packed(&self, bytes: &dyn Bytes) -> io::Result<bool> {
        Ok(read_at(bytes, self.start, 4)? == FRAME)
    }

    /// Appends the first `max` bytes, decompressed if necessary, to `out`. False if what is compressed is invalid or gives
    /// more than 128 MiB; `out` then has what was decoded before.
    fn read(&self, bytes: &dyn Bytes, max: u64, out: &mut Vec<u8>) -> io::Result<bool> {
        if self.is_packed(bytes)? {
            let payload = DictionaryReader { cursor: ByteCursor::new(bytes, self.start), left: self.size };
            return Ok(unpack(payload, max, out));
        }
        out.extend(read_at(bytes, self.start, self.size.min(max) as usize)?);
        Ok(true)
    }
}

/// Decompresses the first `max` bytes of a dictionary; false if the data are invalid or too long.
fn unpack(payload: DictionaryReader<'_>, max: u64, out: &mut Vec<u8>) -> bool {
    let Ok(decoder) = zstd::stream::read::Decoder::new(payload) else { return false };
    let mut decoder = decoder.single_frame();
    let valid =
        decoder.window_log_max(MAX_WINDOW_LOG).is_ok() && decoder.take(max.saturating_add(1)).read_to_end(out).is_ok();
    let whole = out.len() as u64 <= max || max < MAX_DICTIONARY;
    out.truncate(max as usize);
    valid && whole
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
    use std::io::BufRead;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Counts the readers that are opened.
    struct Counted {
        bytes: Vec<u8>,
        readers: AtomicU64,
    }

    impl Counted {
        fn of(bytes: Vec<u8>) -> Counted {
            Counted { bytes, readers: AtomicU64::new(0) }
        }
    }

    impl Bytes for Counted {
        fn len(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
            self.readers.fetch_add(1, Ordering::Relaxed);
            self.bytes.as_slice().read_from(offset)
        }
    }

    /// A dictionary frame.
    fn skippable_frame(payload: &[u8]) -> Vec<u8> {
        [DICTIONARY_FRAME, &(payload.len() as u32).to_le_bytes()[..], payload].concat()
    }

    fn packed(payload: &[u8]) -> Vec<u8> {
        skippable_frame(&zstd::encode_all(payload, 1).unwrap())
    }

    /// A valid dictionary.
    fn dictionary(id: u32) -> Vec<u8> {
        let page = "<p>some page of more than twenty bytes</p>";
        let sample =
            |n: u32| format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <first{}>\r\n\r\n{page}", n * n);
        let mut dictionary = zstd::dict::from_samples(&(0..400).map(sample).collect::<Vec<_>>(), 2048).unwrap();
        dictionary[4..8].copy_from_slice(&id.to_le_bytes());
        dictionary
    }

    #[test]
    fn the_nearest_valid_dictionary_of_a_file_is_found() {
        let filler = |size: u64| {
            let head = [0x50, 0x2a, 0x4d, 0x18].into_iter().chain((size as u32).to_le_bytes());
            head.chain(vec![0; size as usize]).collect::<Vec<u8>>()
        };
        let invalid = [DICTIONARY, &7u32.to_le_bytes(), &[0xff; 99]].concat();
        let parts = [
            // The magic number of the first dictionary stands on the border of two chunks.
            filler(CHUNK - 10),
            skippable_frame(&dictionary(7)),
            packed(&dictionary(7)),
            skippable_frame(&invalid),
            packed(&invalid),
            filler(CHUNK),
            skippable_frame(&dictionary(8)),
        ];
        let (mut bytes, mut starts) = (Vec::new(), Vec::new());
        for part in parts {
            starts.push(bytes.len() as u64);
            bytes.extend(part);
        }
        let (first, second, last) = (starts[1], starts[2], starts[6]);
        let bytes = bytes.as_slice();
        for (at, id, offset) in [
            (0, 7, Some(first)),
            (first, 7, Some(first)),
            (second, 7, Some(first)),
            (last, 7, Some(second)),
            (0, 8, Some(last)),
            (u64::MAX, 8, Some(last)),
            (last, 9, None),
        ] {
            // Earlier searches elsewhere change nothing.
            for before in [at, 0, second, u64::MAX] {
                let mut dictionaries = Dictionaries::new(&bytes).unwrap();
                assert_eq!(dictionaries.named(before, 5).unwrap(), None);
                let found = dictionaries.named(at, id).unwrap();
                assert_eq!(found.map(|dictionary| dictionary.offset), offset, "{before} {at} {id}");
            }
        }
    }

    #[test]
    fn a_file_is_searched_once() {
        let bytes = Counted::of([packed(&[0; 64]).repeat(500), packed(&dictionary(7))].concat());
        let mut dictionaries = Dictionaries::new(&bytes).unwrap();
        assert_eq!(dictionaries.named(99, 5).unwrap(), None);
        let (readers, budget) = (bytes.readers.load(Ordering::Relaxed), dictionaries.load_budget);
        for id in 8..2000 {
            assert_eq!(dictionaries.named(u64::from(id), id).unwrap(), None);
        }
        assert_eq!((bytes.readers.load(Ordering::Relaxed), dictionaries.load_budget), (readers, budget));
        assert!(dictionaries.named(99, 7).unwrap().is_some());
    }

    #[test]
    fn what_a_search_decodes_is_bounded() {
        // Each frame has a few bytes and gives 128 KiB.
        let bytes = Counted::of(packed(&vec![0; LOOK as usize]).repeat(5000));
        let mut dictionaries = Dictionaries::new(&bytes).unwrap();
        dictionaries.load_budget = 10 * LOOK;
        let before = bytes.readers.load(Ordering::Relaxed);
        for id in 1..1000 {
            assert_eq!(dictionaries.named(99, id).unwrap(), None);
        }
        assert_eq!(dictionaries.load_budget, 0);
        assert!(bytes.readers.load(Ordering::Relaxed) - before < 200);
        // The same for dictionaries that are met while reading.
        dictionaries.load_budget = 10 * LOOK;
        let size = bytes.bytes.len() as u64 / 5000;
        assert!((0..5000).all(|n| !dictionaries.activate(n * size).unwrap()));
        assert_eq!(dictionaries.load_budget, 0);
    }

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
