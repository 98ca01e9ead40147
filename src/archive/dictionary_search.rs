//! Searches a file for the dictionary with an id: outwards from a frame, no part of the file twice.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

use memchr::memmem;

use super::cursor::read_at;
use super::dictionary_frame::{DICTIONARY_FRAME, Stored, id, skippable};
use super::zstd_dictionary::{Dictionaries, Dictionary};

/// What a search is charged for the first bytes of a dictionary that are compressed, or that end far away: the decoder
/// gives no less than a block, which has up to 128 KiB, and a reader fetches about as much around the end.
pub(super) const BLOCK_CHARGE: u64 = 128 << 10;
/// Size of a frame whose end is far away.
const FAR: u64 = 64 << 10;
/// Bytes searched for a dictionary frame at a time.
const CHUNK: u64 = 1 << 20;

impl Dictionaries<'_> {
    /// The nearest valid dictionary with the id before `at`, else after it.
    pub(super) fn search(&mut self, at: u64, id: u32) -> io::Result<Option<Dictionary>> {
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
            if let Some(id) = self.find_at(offset)? {
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
    fn find_at(&mut self, offset: u64) -> io::Result<Option<u32>> {
        let Some(frame) = skippable(self.bytes, offset)? else { return Ok(None) };
        if frame.end.saturating_sub(offset) > FAR {
            self.charge(BLOCK_CHARGE);
        }
        let Some(stored) = Stored::of(&frame, offset) else { return Ok(None) };
        if stored.is_packed(self.bytes)? {
            self.charge(BLOCK_CHARGE);
        }
        let mut head = Vec::new();
        let valid = stored.read(self.bytes, 8, &mut head)?;
        Ok(if valid { id(&head) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufRead;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::archive::Bytes;
    use crate::archive::dictionary_frame::DICTIONARY;

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
        let bytes = Counted::of(packed(&vec![0; BLOCK_CHARGE as usize]).repeat(5000));
        let mut dictionaries = Dictionaries::new(&bytes).unwrap();
        dictionaries.load_budget = 10 * BLOCK_CHARGE;
        let before = bytes.readers.load(Ordering::Relaxed);
        for id in 1..1000 {
            assert_eq!(dictionaries.named(99, id).unwrap(), None);
        }
        assert_eq!(dictionaries.load_budget, 0);
        assert!(bytes.readers.load(Ordering::Relaxed) - before < 200);
        // The same for dictionaries that are met while reading.
        dictionaries.load_budget = 10 * BLOCK_CHARGE;
        let size = bytes.bytes.len() as u64 / 5000;
        assert!((0..5000).all(|n| !dictionaries.activate(n * size).unwrap()));
        assert_eq!(dictionaries.load_budget, 0);
    }
}
