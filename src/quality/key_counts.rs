//! Counts of keys, in memory that is used again for every text.

/// Tells of most keys that occur once that they do, by bits that keys share.
#[derive(Debug, Default)]
pub struct RepeatFilter {
    /// The bit of each key.
    bits: Vec<u32>,
    /// Bits of keys that occur, and of those that occur again.
    seen: Vec<u64>,
    repeated: Vec<u64>,
}

/// Bits for each key: one of a few dozen keys that occur once has the bit of another one.
const BITS_OF_A_KEY: usize = 16;

impl RepeatFilter {
    /// Takes other keys, whose bits must be spread evenly.
    pub fn set(&mut self, keys: impl ExactSizeIterator<Item = u64>) {
        let size = (keys.len() * BITS_OF_A_KEY).next_power_of_two().max(64);
        for bits in [&mut self.seen, &mut self.repeated] {
            bits.clear();
            bits.resize(size / 64, 0);
        }
        let mask = u32::try_from(size - 1).unwrap_or(u32::MAX);
        let (all_seen, all_repeated) = (self.seen.as_mut_slice(), self.repeated.as_mut_slice());
        self.bits.clear();
        self.bits.extend(keys.map(|key| {
            let own = key as u32 & mask;
            let (at, bit) = (own as usize / 64, 1 << (own % 64));
            if let (Some(seen), Some(repeated)) = (all_seen.get_mut(at), all_repeated.get_mut(at)) {
                *repeated |= *seen & bit;
                *seen |= bit;
            }
            own
        }));
    }

    /// Whether each key may be equal to another one, in order; true for all that are.
    pub fn may_repeat(&self) -> impl Iterator<Item = bool> {
        self.bits.iter().map(|bit| {
            let bits = self.repeated.get(*bit as usize / 64).copied().unwrap_or_default();
            bits >> (*bit % 64) & 1 == 1
        })
    }
}

/// A count by key, in one block of memory that is used again for every text.
#[derive(Debug, Default)]
pub struct Table {
    slots: Vec<Entry>,
    mask: usize,
    /// Entries of other texts have another stamp.
    stamp: u32,
}

#[derive(Debug, Default, Clone, Copy)]
pub struct Entry {
    key: u64,
    stamp: u32,
    pub count: u32,
    /// The number given with the first of the equal keys.
    pub first: u32,
}

impl Table {
    /// Forgets all keys, and makes room for `keys` of them.
    pub fn clear(&mut self, keys: usize) {
        let wanted = (keys * 2).next_power_of_two().max(16);
        let fresh = self.stamp.checked_add(1).filter(|_| wanted <= self.slots.len());
        self.stamp = fresh.unwrap_or_else(|| {
            self.slots.clear();
            self.slots.resize(wanted, Entry::default());
            1
        });
        // Few keys stay close together in a large table.
        self.mask = wanted - 1;
    }

    /// Counts a key, whose bits must be spread evenly. Returns its slot, and what is known of it.
    pub fn add(&mut self, key: u64, number: u32) -> (u32, Entry) {
        let (mask, stamp) = (self.mask, self.stamp);
        let mut at = key as usize & mask;
        while let Some(entry) = self.slots.get_mut(at) {
            if entry.stamp != stamp {
                *entry = Entry { key, stamp, count: 1, first: number };
                return (at as u32, *entry);
            }
            if entry.key == key {
                entry.count += 1;
                return (at as u32, *entry);
            }
            at = (at + 1) & mask;
        }
        (at as u32, Entry::default())
    }

    /// What is known by now of the key in a slot that [`Table::add`] returned since the last [`Table::clear`].
    pub fn entry(&self, slot: u32) -> Entry {
        self.slots.get(slot as usize).copied().unwrap_or_default()
    }

    /// How often a key came.
    pub fn count(&self, key: u64) -> u32 {
        self.slots.get(self.place(key)).filter(|entry| entry.stamp == self.stamp).map_or(0, |entry| entry.count)
    }

    /// The slot of a key, or the free one where it belongs.
    fn place(&self, key: u64) -> usize {
        let mut at = key as usize & self.mask;
        while self.slots.get(at).is_some_and(|entry| entry.stamp == self.stamp && entry.key != key) {
            at = (at + 1) & self.mask;
        }
        at
    }
}
