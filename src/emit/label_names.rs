//! Names of labels: what others say of a document stands beside what the corpus has, in tables, attributes and fields.

use super::vertical::DOC_ATTRIBUTES;
use super::{bins, jsonl, parquet};
use crate::document::Document;
use crate::quality::Signals;
use crate::table::Table;

/// What a name must be, for messages.
pub const WANTED: &str =
    "must be lower-case ASCII letters, digits and _, and no column, field or attribute of the corpus";

/// Whether a column of scores or of joined values can have a name: one that is a name of a column, an attribute and a field,
/// and that no column, attribute or field of the corpus has.
pub fn is_free(name: &str) -> bool {
    is_column(name)
        && Document::columns().iter().all(|(known, ..)| *known != name)
        && Signals::columns().iter().all(|(known, ..)| *known != name)
        && DOC_ATTRIBUTES.iter().all(|known| known.name != name)
        && bins::columns().all(|known| known.name != name)
        && !parquet::OWN_COLUMNS.contains(&name)
        && !jsonl::is_field(name)
}

fn is_column(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() < 80
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_corpus_are_taken() {
        for name in [
            "url",
            "n_words",
            "id",
            "dump",
            "file_path",
            "record_id",
            "text",
            "markdown",
            "token_count",
            "lix_bin",
            "Edu",
            "",
        ] {
            assert!(!is_free(name), "{name}");
        }
        assert!(is_free("edu_score"));
    }
}
