//! Offices and professions, which pages write behind the names of persons.

use crate::page::byline_words::{ROLE_WORDS, ROLES};

/// The names without the offices and professions among them; all of them if there is nothing else.
pub(super) fn without_roles(names: Vec<String>) -> Vec<String> {
    let (persons, roles): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| !is_role(name));
    if persons.is_empty() { roles } else { persons }
}

/// Whether a part of a byline is an office or profession and not a name.
fn is_role(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    ROLES.iter().any(|role| lower.contains(role)) || words.any(|word| ROLE_WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_go_where_a_person_is_named() {
        for (names, want) in [
            (&["Jane Doe", "Software Engineer"][..], &["Jane Doe"][..]),
            (&["Jane Doe", "Times Film Critic", "Ann Lee"], &["Jane Doe", "Ann Lee"]),
            (&["Jane Doe", "Harbour Wire Staff"], &["Jane Doe"]),
            (&["Jane Doe", "Abteilungsleiterin"], &["Jane Doe"]),
            (&["Redaktion"], &["Redaktion"]),
            (&["Staff Writer", "Guest Author"], &["Staff Writer", "Guest Author"]),
            (&["Jane Stafford", "Maceo Doe", "Ann Schleiter"], &["Jane Stafford", "Maceo Doe", "Ann Schleiter"]),
        ] {
            let names = names.iter().map(|name| String::from(*name)).collect();
            assert_eq!(without_roles(names), want);
        }
    }
}
