//! The name that a user may have meant, for error messages about unknown names.

/// Bytes of a name that are compared with other names, which takes time and memory for each pair of letters.
const LONGEST_NAME: usize = 200;

/// The name most like an unknown one: one that it begins, otherwise one that it abbreviates, otherwise any; of these the one
/// with the smallest edit distance. Empty if there are no names.
pub fn nearest<'a>(unknown: &str, names: impl IntoIterator<Item = &'a str>) -> &'a str {
    let unknown = unknown.get(..unknown.floor_char_boundary(LONGEST_NAME)).unwrap_or(unknown);
    let names = names.into_iter().filter(|name| name.len() <= LONGEST_NAME);
    let likeness = |name: &&str| {
        (!name.starts_with(unknown), !abbreviates(unknown, name), strsim::damerau_levenshtein(unknown, name))
    };
    names.min_by_key(likeness).unwrap_or_default()
}

/// The nearest name if it is like the unknown one: one that it begins or abbreviates, or of which fewer than half of the
/// letters differ.
pub fn near<'a>(unknown: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = Some(nearest(unknown, names)).filter(|name| !name.is_empty() && unknown.len() <= LONGEST_NAME)?;
    let differ = strsim::damerau_levenshtein(unknown, name);
    let is_near = name.starts_with(unknown) || abbreviates(unknown, name) || differ * 2 < name.chars().count();
    is_near.then_some(name)
}

/// Whether a word is the first letter of a name and some of its others, in their order.
fn abbreviates(word: &str, name: &str) -> bool {
    let mut rest = name.chars();
    word.chars().next() == name.chars().next() && word.chars().all(|letter| rest.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_and_abbreviations_come_before_edit_distance() {
        let names = ["url", "host", "language", "languages", "words", "page_type", "published"];
        for (unknown, name) in [
            ("lang", "language"),
            ("lng", "language"),
            ("pub", "published"),
            ("pt", "page_type"),
            ("langauge", "language"),
            ("hots", "host"),
            ("word", "words"),
            ("Url", "url"),
        ] {
            assert_eq!(nearest(unknown, names), name, "{unknown}");
        }
        for (unknown, name) in [("lang", Some("language")), ("hots", Some("host")), ("xyz", None), ("colour", None)] {
            assert_eq!(near(unknown, names), name, "{unknown}");
        }
        assert_eq!((nearest("a", []), near("", [])), ("", None));
        let long = "t".repeat(5_000_000);
        assert_eq!(nearest(&long, [long.as_str(), "text"]), "text");
    }
}
