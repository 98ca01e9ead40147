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
use std::io;
use std::ops::Range;

use zstd::stream::raw::{DParameter, Decoder};

use super::Bytes;
use super::dictionary_frame::{MAX_DICTIONARY, MAX_WINDOW_LOG, Stored, id, skippable};
use super::dictionary_search::BLOCK_CHARGE;

/// Bytes of dictionaries that may be loaded: this many, and a multiple of the file size. Only a file in which every
/// frame switches between large dictionaries needs more.
const LOADS: u64 = 256 << 20;
const LOADS_PER_BYTE: u64 = 4;

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
    pub(super) id: u32,
}

/// The dictionaries of one file.
pub(super) struct Dictionaries<'a> {
    pub(super) bytes: &'a dyn Bytes,
    active: Option<Dictionary>,
    /// The dictionary at the start of the file, if it is valid.
    leading: Option<Dictionary>,
    /// Id and offset of valid dictionaries met so far, which may be very many.
    known: BTreeSet<(u32, u64)>,
    /// Offset of the dictionary that was met first, by id.
    first: BTreeMap<u32, u64>,
    /// The part of the file that was searched, which grows to both sides; empty before the first search.
    pub(super) searched: Range<u64>,
    /// Id and offset of what may be a dictionary in the part that was searched, without what turned out to be none.
    pub(super) candidates: BTreeSet<(u32, u64)>,
    /// Bytes that may still be loaded, or decoded in a search.
    pub(super) load_budget: u64,
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
            self.charge(BLOCK_CHARGE);
        }
        Ok(opened)
    }

    pub(super) fn charge(&mut self, bytes: u64) {
        self.load_budget = self.load_budget.saturating_sub(bytes);
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
