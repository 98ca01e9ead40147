//! Counts of keys, in memory that is used again for every text.

/// Tells of most keys that occur once that they do, by a table of counts that keys share.
#[derive(Debug, Default)]
pub struct RepeatFilter {
    /// The place of each key.
    places: Vec<u32>,
    /// Keys at each place; not more than two are counted.
    counts: Vec<u8>,
}

impl RepeatFilter {
    /// Takes other keys, whose bits must be spread evenly.
    pub fn set(&mut self, keys: impl Iterator<Item = u64>) {
        self.places.clear();
        self.places.extend(keys.map(|key| key as u32));
        let size = (self.places.len() * 4).next_power_of_two();
        self.counts.clear();
        self.counts.resize(size, 0);
        for place in &mut self.places {
            *place &= size as u32 - 1;
            if let Some(count) = self.counts.get_mut(*place as usize) {
                *count = (*count + 1).min(2);
            }
        }
    }

    /// Whether the key with this number may be equal to another one; true for all that are.
    pub fn may_repeat(&self, number: usize) -> bool {
        self.places.get(number).and_then(|place| self.counts.get(*place as usize)).is_some_and(|count| *count > 1)
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

    /// Counts a key, whose bits must be spread evenly. Returns its slot.
    pub fn add(&mut self, key: u64, number: u32) -> u32 {
        let at = self.place(key);
        let stamp = self.stamp;
        if let Some(entry) = self.slots.get_mut(at) {
            if entry.stamp != stamp {
                *entry = Entry { key, stamp, count: 0, first: number };
            }
            entry.count += 1;
        }
        at as u32
    }

    /// What is known of the key in a slot that [`Table::add`] returned since the last [`Table::clear`].
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
