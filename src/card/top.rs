//! The most frequent values of a column, in memory that has a bound.

use std::collections::BTreeMap;

use super::quote::plain;

/// Distinct values that are counted; those that come after them are counted together.
const DISTINCT: usize = 1 << 16;

/// Values with their counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Top {
    counts: BTreeMap<String, u64>,
    /// Values after [`DISTINCT`] others.
    others: u64,
    none: u64,
}

impl Top {
    /// Counts a value as people read it; those that differ after 120 characters alone are one.
    pub fn add(&mut self, value: Option<&str>) {
        let Some(value) = value.map(plain).filter(|value| !value.is_empty()) else {
            self.none += 1;
            return;
        };
        let full = self.counts.len() >= DISTINCT;
        match self.counts.get_mut(&value) {
            Some(count) => *count += 1,
            None if full => self.others += 1,
            None => drop(self.counts.insert(value, 1)),
        }
    }

    /// Number of texts without a value.
    pub fn none(&self) -> u64 {
        self.none
    }

    /// The most frequent values with their counts, of equals the first by name; and the number of all other values.
    pub fn first(&self, most: usize) -> (Vec<(&str, u64)>, u64) {
        let mut values: Vec<(&str, u64)> = self.counts.iter().map(|(value, count)| (value.as_str(), *count)).collect();
        values.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let rest = values.iter().skip(most).map(|(_, count)| count).sum::<u64>();
        values.truncate(most);
        (values, rest + self.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_come_first() {
        let mut top = Top::default();
        for value in [Some("b"), Some("a"), None, Some(" c\n"), Some("c"), Some("")] {
            top.add(value);
        }
        assert_eq!((top.first(2), top.none()), ((vec![("c", 2), ("a", 1)], 1), 2));
    }

    #[test]
    fn memory_has_a_bound() {
        let mut top = Top::default();
        (0..DISTINCT + 10).for_each(|n| top.add(Some(&n.to_string())));
        top.add(Some("1"));
        assert_eq!((top.counts.len(), top.others, top.first(1).0), (DISTINCT, 10, vec![("1", 2)]));
    }
}
