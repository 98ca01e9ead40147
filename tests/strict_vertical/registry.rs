//! What a registry file declares.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub struct Registry {
    /// Number of columns: positional attributes that are not computed.
    pub columns: usize,
    /// Structures and their attributes.
    pub structures: BTreeMap<String, BTreeSet<String>>,
    /// `doc.id` for attributes whose values are declared unique.
    pub unique: Vec<String>,
}

impl Registry {
    /// A key and its value per line, `{` at the end of a line opens a block, `}` on its own closes one.
    pub fn parse(text: &str) -> Registry {
        let mut registry = Registry::default();
        // Names of the open blocks.
        let mut open: Vec<&str> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if line == "}" {
                open.pop().expect("a block is open");
                continue;
            }
            let (key, rest) = line.split_once(' ').expect("a key and a value");
            let (value, block) = rest.strip_suffix('{').map_or((rest, false), |value| (value.trim(), true));
            match (key, open.as_slice()) {
                ("ATTRIBUTE", []) => registry.columns += 1,
                ("DYNAMIC", [_]) => registry.columns -= 1,
                ("STRUCTURE", []) => drop(registry.structures.entry(value.into()).or_default()),
                ("ATTRIBUTE", [structure]) => {
                    assert!(registry.structures.get_mut(*structure).unwrap().insert(value.into()), "{line} twice");
                }
                ("TYPE", [structure, attribute]) if value == "UNIQUE" => {
                    registry.unique.push(format!("{structure}.{attribute}"));
                }
                _ => {}
            }
            if block {
                open.push(value);
            }
        }
        assert!(open.is_empty(), "{open:?} is not closed");
        registry
    }
}
