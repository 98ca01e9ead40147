//! Names of organisations, which pages often declare as the author of a text that a person wrote.

/// Whether a name is that of an organisation and not of a person.
pub(super) fn is_organisation(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.split_whitespace().any(|word| ORGANISATIONS.contains(&word.trim_matches('.')))
}

/// Words of the names of organisations, in lower case.
const ORGANISATIONS: [&str; 40] = [
    "agencies",
    "agency",
    "agentur",
    "ag",
    "association",
    "bureau",
    "centre",
    "club",
    "committee",
    "company",
    "council",
    "department",
    "desk",
    "e.v",
    "editorial",
    "editors",
    "foundation",
    "gmbh",
    "group",
    "inc",
    "institut",
    "institute",
    "llc",
    "ltd",
    "magazin",
    "magazine",
    "media",
    "ministry",
    "network",
    "news",
    "newsroom",
    "presse",
    "pressestelle",
    "redaktion",
    "society",
    "staff",
    "team",
    "university",
    "verband",
    "verein",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn organisations_are_known_by_their_words() {
        for name in ["Verein der Freunde e.V.", "Team Example", "Example Inc.", "Example News"] {
            assert!(is_organisation(name), "{name}");
        }
        assert!(!is_organisation("Jane Newsom") && !is_organisation("Agnes Teamer"));
    }
}
