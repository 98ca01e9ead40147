//! Types that are equal where their order says so.

/// Implements the other comparisons of a type by its [`Ord::cmp`], which leaves some of its fields out.
macro_rules! compare_by_order {
    ($type:ty) => {
        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &$type) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl PartialEq for $type {
            fn eq(&self, other: &$type) -> bool {
                self.cmp(other).is_eq()
            }
        }

        impl Eq for $type {}
    };
}
pub(crate) use compare_by_order;
