//! Values by key that are told apart by the place of their first key.

use std::hash::Hash;

use crate::hash::SeededMap;

/// Values in the order in which their keys came first.
pub struct Groups<K, V> {
    places: SeededMap<K, usize>,
    pub values: Vec<V>,
}

impl<K, V> Default for Groups<K, V> {
    fn default() -> Groups<K, V> {
        Groups { places: SeededMap::default(), values: Vec::new() }
    }
}

impl<K: Eq + Hash, V: Default> Groups<K, V> {
    /// Changes the value of a key, at first the default one, and gives its place among the values.
    pub fn update(&mut self, key: K, change: impl FnOnce(&mut V)) -> usize {
        let place = *self.places.entry(key).or_insert(self.values.len());
        if place == self.values.len() {
            self.values.push(V::default());
        }
        if let Some(value) = self.values.get_mut(place) {
            change(value);
        }
        place
    }
}
