//! Counts of keys, in memory that is used again for every text.

/// A hash table of numbers that are given in ascending order from 0 on.
#[derive(Debug, Default)]
pub struct Numbers {
    /// Each number and 1, above `forgotten`; what is not above it belongs to another text.
    slots: Vec<u32>,
    forgotten: u32,
    /// Numbers at most since they were forgotten.
    most: u32,
    mask: usize,
}

impl Numbers {
    /// Forgets all numbers, and makes at least `slots` slots for numbers below `most`.
    pub fn clear(&mut self, slots: usize, most: usize) {
        let (slots, most) = (slots.next_power_of_two(), u32::try_from(most).unwrap_or(u32::MAX));
        let forgotten = self.forgotten.checked_add(self.most);
        let fits = |forgotten: &u32| forgotten.checked_add(most).is_some() && slots <= self.slots.len();
        self.forgotten = forgotten.filter(fits).unwrap_or_else(|| {
            self.slots.clear();
            self.slots.resize(slots, 0);
            0
        });
        self.most = most;
        // Few numbers stay close together in a large table.
        self.mask = slots - 1;
    }

    /// The number in a slot; places beyond the last one begin again.
    #[inline]
    pub fn get(&self, at: usize) -> Option<u32> {
        self.slots.get(at & self.mask)?.checked_sub(self.forgotten)?.checked_sub(1)
    }

    #[inline]
    pub fn put(&mut self, at: usize, number: u32) {
        self.slots.get_mut(at & self.mask).into_iter().for_each(|slot| *slot = self.forgotten + number + 1);
    }
}

/// Tells of most keys that occur once that they do, by slots that keys share.
#[derive(Debug, Default)]
pub struct RepeatFilter {
    /// The last key of each slot.
    last: Numbers,
    may_repeat: Vec<bool>,
}

/// Slots for each key at least: one of a dozen keys that occur once has the slot of another one.
const SLOTS_OF_A_KEY: usize = 8;

impl RepeatFilter {
    /// Takes other keys, whose bits must be spread evenly.
    pub fn set(&mut self, keys: impl ExactSizeIterator<Item = u64>) {
        let RepeatFilter { last, may_repeat } = self;
        last.clear(keys.len() * SLOTS_OF_A_KEY, keys.len());
        may_repeat.clear();
        may_repeat.resize(keys.len(), false);
        for (number, key) in (0..).zip(keys) {
            if let Some(earlier) = last.get(key as usize) {
                let both = [earlier as usize, number as usize];
                both.into_iter().for_each(|at| may_repeat.get_mut(at).into_iter().for_each(|repeats| *repeats = true));
            }
            last.put(key as usize, number);
        }
    }

    /// Whether each key may be equal to another one, in order; true for all that are.
    pub fn may_repeat(&self) -> impl Iterator<Item = bool> {
        self.may_repeat.iter().copied()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_texts_are_forgotten() {
        let mut numbers = Numbers::default();
        assert_eq!(numbers.get(3), None);
        for (slots, most) in [(4, 2), (2, 1), (8, 7), (1, 1), (4, 3)] {
            numbers.clear(slots, most);
            assert!((0..16).all(|at| numbers.get(at).is_none()), "{slots}");
            for number in 0..most {
                numbers.put(number, number as u32);
            }
            assert!((0..most).all(|at| numbers.get(at + slots) == Some(at as u32)), "{slots}");
        }
        // Where the numbers would be too large, the table is empty again.
        numbers.forgotten = u32::MAX - 4;
        numbers.clear(4, 4);
        assert_eq!((numbers.forgotten, numbers.get(0)), (0, None));
    }

    #[test]
    fn equal_keys_may_repeat() {
        let mut filter = RepeatFilter::default();
        for keys in [vec![5, 9, 5, 1 << 40, 9], vec![7], vec![], vec![5, 9]] {
            filter.set(keys.iter().copied());
            let wanted = keys.iter().map(|key| keys.iter().filter(|other| *other == key).count() > 1);
            assert_eq!(filter.may_repeat().collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
        }
    }
}
