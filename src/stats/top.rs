//! The K greatest of many.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Keeps the `most` greatest of what is pushed. Equal ones must be the same, or which of them stays
/// depends on their order.
#[derive(Debug)]
pub struct Top<T> {
    heap: BinaryHeap<Reverse<T>>,
    most: usize,
}

impl<T: Ord> Top<T> {
    pub fn new(most: usize) -> Top<T> {
        Top { heap: BinaryHeap::new(), most }
    }

    /// The least of those kept, once there are enough: what is no greater need not be made.
    pub fn least(&self) -> Option<&T> {
        self.heap.peek().filter(|_| self.heap.len() >= self.most).map(|least| &least.0)
    }

    pub fn push(&mut self, one: T) {
        self.heap.push(Reverse(one));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    /// Greatest first.
    pub fn into_sorted(self) -> Vec<T> {
        self.heap.into_sorted_vec().into_iter().map(|one| one.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keeps_what_sorting_would(numbers in prop::collection::vec(0u32..99, 0..50), most in 0usize..20) {
            let mut top = Top::new(most);
            numbers.iter().for_each(|number| top.push(*number));
            let mut sorted = numbers;
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            sorted.truncate(most);
            prop_assert_eq!(top.least(), if sorted.len() == most { sorted.last() } else { None });
            prop_assert_eq!(top.into_sorted(), sorted);
        }
    }
}
