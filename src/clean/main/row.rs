//! The features of a block as trees ask for them.

/// Features of a row are at most so many: a tree's question then need not be checked against the end.
pub const MOST_FEATURES: usize = 256;

/// Features in their order.
#[derive(Debug, Clone)]
pub struct Row {
    values: [f32; MOST_FEATURES],
    count: usize,
}

impl Row {
    /// Forgets the features.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds features; those that there is no room for are not kept.
    #[inline]
    pub fn extend<const N: usize>(&mut self, features: [f32; N]) {
        // Of a length that the compiler knows: no call to copy them.
        if let Some(free) = self.values.get_mut(self.count..).and_then(|free| free.first_chunk_mut()) {
            *free = features;
            self.count += N;
        }
    }

    /// Likewise.
    #[inline]
    pub fn extend_from(&mut self, features: &[f32]) {
        let free = self.values.get_mut(self.count..).unwrap_or_default();
        free.iter_mut().zip(features).for_each(|(place, feature)| *place = *feature);
        self.count = (self.count + features.len()).min(MOST_FEATURES);
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, feature: f32) {
        self.extend([feature]);
    }

    /// The one at a place; 0 where there is none.
    #[inline]
    pub fn at(&self, place: u8) -> f32 {
        self.values.get(usize::from(place)).copied().unwrap_or_default()
    }

    /// Those that there are.
    pub fn features(&self) -> &[f32] {
        self.values.get(..self.count).unwrap_or_default()
    }
}

impl Default for Row {
    fn default() -> Row {
        Row { values: [0.0; MOST_FEATURES], count: 0 }
    }
}

impl FromIterator<f32> for Row {
    fn from_iter<I: IntoIterator<Item = f32>>(features: I) -> Row {
        let mut row = Row::default();
        features.into_iter().for_each(|feature| row.push(feature));
        row
    }
}
