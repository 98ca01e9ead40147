//! The features of some blocks side by side, in the order in which trees know them.

/// Capacity of a row: every `u8` index of a feature is inside.
pub const MOST_FEATURES: usize = 256;
/// Number of blocks whose features stand side by side: trees are evaluated for all of them at once.
pub const LANES: usize = 32;

/// For each feature the values of [`LANES`] blocks.
#[derive(Debug, Clone)]
pub struct FeatureColumns {
    columns: Box<[[f32; LANES]; MOST_FEATURES]>,
}

/// The features of one block, in order.
#[derive(Debug)]
pub struct FeatureRow<'c> {
    columns: &'c mut [[f32; LANES]; MOST_FEATURES],
    lane: usize,
    /// Number of features so far.
    count: usize,
}

impl FeatureColumns {
    /// The row of a lane, with its first `count` features; those that are appended to it replace others.
    pub fn row(&mut self, lane: usize, count: usize) -> FeatureRow<'_> {
        FeatureRow { columns: &mut self.columns, lane, count }
    }

    /// The values of all features.
    pub fn all(&self) -> &[[f32; LANES]; MOST_FEATURES] {
        &self.columns
    }

    /// Sets features from an index on in all lanes.
    pub fn fill(&mut self, from: usize, features: &[f32]) {
        let columns = self.columns.get_mut(from..).unwrap_or_default();
        columns.iter_mut().zip(features).for_each(|(column, feature)| *column = [*feature; LANES]);
    }

    /// Replaces the first `count` features of a lane by those of a lane of other columns.
    pub fn copy_row(&mut self, lane: usize, from: &FeatureColumns, other: usize, count: usize) {
        let (Some(to), Some(from)) = (self.columns.get_mut(..count), from.columns.get(..count)) else { return };
        for (column, other_column) in to.iter_mut().zip(from) {
            if let (Some(place), Some(value)) = (column.get_mut(lane % LANES), other_column.get(other % LANES)) {
                *place = *value;
            }
        }
    }
}

impl Default for FeatureColumns {
    fn default() -> FeatureColumns {
        FeatureColumns { columns: Box::new([[0.0; LANES]; MOST_FEATURES]) }
    }
}

impl FeatureRow<'_> {
    /// Appends features; those beyond the capacity are dropped.
    #[inline]
    pub fn extend<const N: usize>(&mut self, features: [f32; N]) {
        if let Some(free) = self.columns.get_mut(self.count..).and_then(|free| free.first_chunk_mut::<N>()) {
            for (column, feature) in free.iter_mut().zip(features) {
                if let Some(place) = column.get_mut(self.lane % LANES) {
                    *place = feature;
                }
            }
        }
        self.count += N;
    }

    /// Leaves features as they are.
    #[inline]
    pub fn skip(&mut self, count: usize) {
        self.count += count;
    }

    /// Appends one feature.
    #[inline]
    pub fn push(&mut self, feature: f32) {
        self.extend([feature]);
    }

    /// All features so far.
    #[cfg(any(test, feature = "internals"))]
    pub fn features(&self) -> Vec<f32> {
        self.columns.iter().take(self.count).filter_map(|column| column.get(self.lane).copied()).collect()
    }
}
