//! A row of features with their names.

use crate::clean::indicator;

/// Values of features in their order, and, where they are wanted, their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssessmentRow {
    pub values: Vec<f32>,
    /// None in the program, which knows features by their places.
    pub names: Option<Vec<String>>,
}

impl AssessmentRow {
    pub fn push(&mut self, name: &str, value: f32) {
        if let Some(names) = &mut self.names {
            names.push(name.into());
        }
        self.values.push(value);
    }

    pub fn flag(&mut self, name: &str, is: bool) {
        self.push(name, indicator(is));
    }

    /// Several features, `name_KEY` each.
    pub fn all<'a>(&mut self, name: &str, keys: impl IntoIterator<Item = &'a str>, values: &[f32]) {
        if let Some(names) = &mut self.names {
            names.extend(keys.into_iter().take(values.len()).map(|key| format!("{name}_{key}")));
        }
        self.values.extend_from_slice(values);
    }
}

/// `a / b`; 0 where there is nothing to divide by.
pub fn share(a: f32, b: f32) -> f32 {
    if b > 0.0 { a / b } else { 0.0 }
}
