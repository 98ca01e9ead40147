//! Counts of keys, in memory that is used again for every text.

/// Tells which of some keys occur more than once.
#[derive(Debug, Default)]
pub struct RepeatFilter {
    /// A hash table: the number of the first of equal keys and 1, above `forgotten`. What is not above it is of earlier keys.
    firsts: Vec<u32>,
    forgotten: u32,
    keys: Vec<u64>,
    repeats: Vec<bool>,
}

impl RepeatFilter {
    /// Takes other keys, whose bits must be spread evenly.
    pub fn set(&mut self, keys: impl ExactSizeIterator<Item = u64>) {
        let count = keys.len();
        let size = (count * 2).next_power_of_two();
        let earlier = self.forgotten.checked_add(self.keys.len() as u32);
        match earlier.filter(|earlier| earlier.checked_add(count as u32).is_some()) {
            Some(earlier) if size <= self.firsts.len() => self.forgotten = earlier,
            _ => {
                self.firsts.clear();
                self.firsts.resize(size, 0);
                self.forgotten = 0;
            }
        }
        self.repeats.clear();
        self.repeats.resize(count, false);
        self.keys.clear();
        self.keys.extend(keys);
        for number in 0..count {
            self.find_earlier(number, size - 1);
        }
    }

    #[inline]
    fn find_earlier(&mut self, number: usize, mask: usize) {
        let Some(&key) = self.keys.get(number) else { return };
        let mut at = key as usize & mask;
        while let Some(slot) = self.firsts.get_mut(at) {
            let first = slot.checked_sub(self.forgotten + 1).map(|first| first as usize);
            match first.map(|first| (first, self.keys.get(first))) {
                None => return *slot = self.forgotten + number as u32 + 1,
                Some((first, Some(known))) if *known == key => {
                    let both = [first, number].into_iter();
                    return both
                        .for_each(|at| self.repeats.get_mut(at).into_iter().for_each(|repeats| *repeats = true));
                }
                Some(_) => at = (at + 1) & mask,
            }
        }
    }

    /// Whether each key is equal to another one, in order.
    pub fn repeats(&self) -> impl Iterator<Item = bool> {
        self.repeats.iter().copied()
    }
}

/// A count by key, in memory that is used again for every text.
#[derive(Debug, Default)]
pub struct Table {
    /// The index of an entry and 1, or 0 where there is none. Few bytes, so that they stay in the first cache.
    slots: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Debug, Default, Clone, Copy)]
pub struct Entry {
    key: u64,
    pub count: u32,
    /// The number given with the first of the equal keys.
    pub first: u32,
}

impl Table {
    /// Forgets all keys, and makes room for `keys` of them.
    pub fn clear(&mut self, keys: usize) {
        self.slots.clear();
        // Hardly ever do all keys differ.
        self.slots.resize((keys + keys / 4 + 1).next_power_of_two(), 0);
        self.entries.clear();
    }

    /// Counts a key, whose bits must be spread evenly. Returns its place, and what is known of it.
    pub fn add(&mut self, key: u64, number: u32) -> (u32, Entry) {
        let (slot, place) = self.find(key);
        if let Some(entry) = self.entries.get_mut(place) {
            entry.count += 1;
            return (place as u32, *entry);
        }
        let (place, entry) = (self.entries.len() as u32, Entry { key, count: 1, first: number });
        self.slots.get_mut(slot).into_iter().for_each(|slot| *slot = place + 1);
        self.entries.push(entry);
        (place, entry)
    }

    /// What is known by now of the key at a place that [`Table::add`] returned since the last [`Table::clear`].
    pub fn entry(&self, place: u32) -> Entry {
        self.entries.get(place as usize).copied().unwrap_or_default()
    }

    /// How often a key came.
    pub fn count(&self, key: u64) -> u32 {
        self.entries.get(self.find(key).1).map_or(0, |entry| entry.count)
    }

    /// The slot of a key, or the free one where it belongs, and the place of its entry, if it has one.
    #[inline]
    fn find(&self, key: u64) -> (usize, usize) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = key as usize & mask;
        loop {
            let place = (self.slots.get(slot).copied().unwrap_or_default() as usize).wrapping_sub(1);
            match self.entries.get(place) {
                Some(entry) if entry.key != key => slot = (slot + 1) & mask,
                _ => return (slot, place),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(filter: &mut RepeatFilter, keys: &[u64]) {
        filter.set(keys.iter().copied());
        let wanted = keys.iter().map(|key| keys.iter().filter(|other| *other == key).count() > 1);
        assert_eq!(filter.repeats().collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    }

    #[test]
    fn equal_keys_repeat_and_those_before_are_forgotten() {
        let mut filter = RepeatFilter::default();
        for keys in [&[5, 9, 5, 1 << 40, 9][..], &[7], &[], &[5, 9], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &[9, 9]] {
            repeats(&mut filter, keys);
        }
        // Where the numbers would be too large, all slots are free again.
        filter.forgotten = u32::MAX - 3;
        repeats(&mut filter, &[5, 9]);
        assert_eq!(filter.forgotten, 0);
    }
}
