//! A hash table of byte strings that knows how much memory it takes: keys stand one behind the other in
//! one buffer, and nothing is allocated for a key alone.

use super::Tally;
use crate::error::Result;
use crate::hash::hash64;

#[derive(Default)]
pub struct Table {
    keys: Vec<u8>,
    entries: Vec<Entry>,
    /// A power of two of them, at most three quarters taken.
    slots: Vec<Slot>,
}

struct Entry {
    /// The key's first bytes, so that most comparisons need not look at the key.
    head: u64,
    start: usize,
    length: u32,
    /// Document it was last seen in.
    last: u32,
    tally: Tally,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// High half of the key's hash.
    tag: u32,
    /// Place among the entries, from 1; 0 if the slot is free.
    entry: u32,
}

/// Slots to begin with.
const FEWEST: usize = 1 << 10;

impl Table {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes taken, at most: a vector that has just grown is half empty.
    pub fn bytes(&self) -> usize {
        2 * self.keys.len() + 2 * self.entries.len() * size_of::<Entry>() + self.slots.len() * size_of::<Slot>()
    }

    /// Shows the tally of `key` and the document it was last seen in; both 0 if it is new.
    pub fn with(&mut self, key: &[u8], change: impl FnOnce(&mut Tally, &mut u32)) {
        let at = self.place(key);
        if let Some(entry) = self.entries.get_mut(at) {
            change(&mut entry.tally, &mut entry.last);
        }
    }

    fn place(&mut self, key: &[u8]) -> usize {
        if (self.entries.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let tag = (hash64(key) >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = tag as usize & mask;
        // There always is a free slot.
        while let Some(slot) = self.slots.get_mut(at) {
            let place = slot.entry.wrapping_sub(1) as usize;
            if slot.entry == 0 {
                *slot = Slot { tag, entry: self.entries.len() as u32 + 1 };
                break;
            }
            if slot.tag == tag && self.entries.get(place).is_some_and(|entry| entry.key(&self.keys) == key) {
                return place;
            }
            at = (at + 1) & mask;
        }
        let entry = Entry {
            head: head(key),
            start: self.keys.len(),
            length: key.len() as u32,
            last: 0,
            tally: Tally::default(),
        };
        self.keys.extend_from_slice(key);
        self.entries.push(entry);
        self.entries.len() - 1
    }

    fn grow(&mut self) {
        let mask = (self.slots.len() * 2).max(FEWEST) - 1;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); mask + 1]);
        for slot in old.into_iter().filter(|slot| slot.entry != 0) {
            let mut at = slot.tag as usize & mask;
            while self.slots.get(at).is_some_and(|slot| slot.entry != 0) {
                at = (at + 1) & mask;
            }
            self.slots.iter_mut().skip(at).take(1).for_each(|free| *free = slot);
        }
    }

    /// Gives all keys in byte order and forgets them; the memory stays for the next ones.
    pub fn drain(&mut self, mut each: impl FnMut(&[u8], Tally) -> Result<()>) -> Result<()> {
        let keys = &self.keys;
        self.entries.sort_unstable_by(|a, b| a.head.cmp(&b.head).then_with(|| a.key(keys).cmp(b.key(keys))));
        self.entries.iter().try_for_each(|entry| each(entry.key(keys), entry.tally))?;
        self.keys.clear();
        self.entries.clear();
        self.slots.fill(Slot::default());
        Ok(())
    }
}

impl Entry {
    fn key<'a>(&self, keys: &'a [u8]) -> &'a [u8] {
        keys.get(self.start..self.start + self.length as usize).unwrap_or_default()
    }
}

/// The first eight bytes as a number that compares as they do; a shorter key is filled up with zeros.
fn head(key: &[u8]) -> u64 {
    let mut head = [0; 8];
    head.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
    u64::from_be_bytes(head)
}
