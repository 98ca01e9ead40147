//! The features of a block in the order in which trees know them.

/// Capacity of a row: every `u8` index of a feature is inside.
pub const MOST_FEATURES: usize = 256;

/// The features of one block, in order.
#[derive(Debug, Clone)]
pub struct FeatureRow {
    values: [f32; MOST_FEATURES],
    count: usize,
}

impl FeatureRow {
    /// Removes all features.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Appends features; those beyond the capacity are dropped.
    #[inline]
    pub fn extend<const N: usize>(&mut self, features: [f32; N]) {
        // The compiler knows the length, so that no copying function is called.
        if let Some(free) = self.values.get_mut(self.count..).and_then(|free| free.first_chunk_mut()) {
            *free = features;
            self.count += N;
        }
    }

    /// Appends a slice of features; those beyond the capacity are dropped.
    #[inline]
    pub fn extend_from(&mut self, features: &[f32]) {
        let free = self.values.get_mut(self.count..).unwrap_or_default();
        free.iter_mut().zip(features).for_each(|(place, feature)| *place = *feature);
        self.count = (self.count + features.len()).min(MOST_FEATURES);
    }

    /// Appends one feature.
    #[inline]
    pub fn push(&mut self, feature: f32) {
        self.extend([feature]);
    }

    /// The feature at an index; 0 if there is none.
    #[inline]
    pub fn at(&self, index: u8) -> f32 {
        self.values.get(usize::from(index)).copied().unwrap_or_default()
    }

    /// All features of the row.
    #[cfg(feature = "internals")]
    pub fn features(&self) -> &[f32] {
        self.values.get(..self.count).unwrap_or_default()
    }
}

impl Default for FeatureRow {
    fn default() -> FeatureRow {
        FeatureRow { values: [0.0; MOST_FEATURES], count: 0 }
    }
}

impl FromIterator<f32> for FeatureRow {
    fn from_iter<I: IntoIterator<Item = f32>>(features: I) -> FeatureRow {
        let mut row = FeatureRow::default();
        features.into_iter().for_each(|feature| row.push(feature));
        row
    }
}
