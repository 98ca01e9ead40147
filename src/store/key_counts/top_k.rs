//! The greatest of many values, in memory for those alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Keeps the `most` greatest values of those pushed. Values that compare equal must be equal, or the order of pushing
/// decides which of them stays.
#[derive(Debug)]
pub struct TopK<T> {
    heap: BinaryHeap<Reverse<T>>,
    most: usize,
}

impl<T: Ord> TopK<T> {
    /// Keeps up to `most` values.
    pub fn new(most: usize) -> TopK<T> {
        TopK { heap: BinaryHeap::new(), most }
    }

    /// The least of the values kept, once there are `most`: a value that is not greater need not be pushed.
    pub fn least(&self) -> Option<&T> {
        self.heap.peek().filter(|_| self.heap.len() >= self.most).map(|least| &least.0)
    }

    /// Adds a value, and removes the least if there are too many.
    pub fn push(&mut self, value: T) {
        self.heap.push(Reverse(value));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    /// The values kept, greatest first.
    pub fn into_sorted(self) -> Vec<T> {
        self.heap.into_sorted_vec().into_iter().map(|value| value.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keeps_what_sorting_would(numbers in prop::collection::vec(0u32..99, 0..50), most in 0usize..20) {
            let mut top = TopK::new(most);
            numbers.iter().for_each(|number| top.push(*number));
            let mut sorted = numbers;
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            sorted.truncate(most);
            prop_assert_eq!(top.least(), if sorted.len() == most { sorted.last() } else { None });
            prop_assert_eq!(top.into_sorted(), sorted);
        }
    }
}
