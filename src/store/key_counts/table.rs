//! A hash table of byte strings that knows how much memory it takes: all keys are in one buffer one behind the
//! other, and no key has an allocation of its own.

use super::KeyCount;
use crate::error::Result;
use crate::hash::hash64;

#[derive(Default)]
pub struct CountTable {
    keys: Vec<u8>,
    entries: Vec<CountEntry>,
    /// A power of two of them, at most three quarters taken.
    slots: Vec<HashSlot>,
}

struct CountEntry {
    /// The key's first bytes, so that most comparisons need not look at the key.
    head: u64,
    start: usize,
    length: u32,
    /// Number of the document in which the key was last counted.
    last: u32,
    count: KeyCount,
}

#[derive(Clone, Copy, Default)]
struct HashSlot {
    /// High half of the key's hash.
    tag: u32,
    /// Position among the entries, from 1; 0 if the slot is free.
    entry: u32,
}

/// Number of slots of a new table.
const FEWEST: usize = 1 << 10;

impl CountTable {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Upper bound of the memory taken, in bytes: a vector that has just grown is half empty.
    pub fn bytes(&self) -> usize {
        2 * self.keys.len()
            + 2 * self.entries.len() * size_of::<CountEntry>()
            + self.slots.len() * size_of::<HashSlot>()
    }

    /// Lets `change` change the count of `key` and the document in which it was last counted; both are 0 for a new key.
    pub fn update(&mut self, key: &[u8], change: impl FnOnce(&mut KeyCount, &mut u32)) {
        let at = self.place(key);
        if let Some(entry) = self.entries.get_mut(at) {
            change(&mut entry.count, &mut entry.last);
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
                *slot = HashSlot { tag, entry: self.entries.len() as u32 + 1 };
                break;
            }
            if slot.tag == tag && self.entries.get(place).is_some_and(|entry| entry.key(&self.keys) == key) {
                return place;
            }
            at = (at + 1) & mask;
        }
        let entry = CountEntry {
            head: head(key),
            start: self.keys.len(),
            length: key.len() as u32,
            last: 0,
            count: KeyCount::default(),
        };
        self.keys.extend_from_slice(key);
        self.entries.push(entry);
        self.entries.len() - 1
    }

    fn grow(&mut self) {
        let mask = (self.slots.len() * 2).max(FEWEST) - 1;
        let old = std::mem::replace(&mut self.slots, vec![HashSlot::default(); mask + 1]);
        for slot in old.into_iter().filter(|slot| slot.entry != 0) {
            let mut at = slot.tag as usize & mask;
            while self.slots.get(at).is_some_and(|slot| slot.entry != 0) {
                at = (at + 1) & mask;
            }
            self.slots.iter_mut().skip(at).take(1).for_each(|free| *free = slot);
        }
    }

    /// Gives all keys in byte order and empties the table. Its memory stays allocated.
    pub fn drain(&mut self, mut each: impl FnMut(&[u8], KeyCount) -> Result<()>) -> Result<()> {
        let keys = &self.keys;
        self.entries.sort_unstable_by(|a, b| a.head.cmp(&b.head).then_with(|| a.key(keys).cmp(b.key(keys))));
        self.entries.iter().try_for_each(|entry| each(entry.key(keys), entry.count))?;
        self.keys.clear();
        self.entries.clear();
        self.slots.fill(HashSlot::default());
        Ok(())
    }
}

impl CountEntry {
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
