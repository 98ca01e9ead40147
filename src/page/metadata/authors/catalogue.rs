//! Names as catalogues have them: the family name first, behind it a comma.

use super::super::organisations::is_organisation;
use super::{DEGREES, is_joint};

/// Where a value stands, which tells how many persons it names.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::page::metadata) enum ValueOf {
    /// Anywhere.
    Any,
    /// In the only element of a kind that catalogues repeat for each author (`citation_author`, `DC.creator`): one author or
    /// all of them.
    Catalogue,
    /// In one of several such elements.
    One,
}

/// The names of a value if all of it is such names, parted by semicolons; `behind_lead` is the value without words that announce a
/// name, one of which may be a part of it: `von Neumann, John`.
pub(super) fn names(value: &str, behind_lead: &str, of: ValueOf) -> Option<Vec<String>> {
    let all = |value: &str| -> Option<Vec<String>> {
        let parts = value.split(';').map(str::trim).filter(|part| !part.is_empty());
        parts.map(|part| is_family_given(part, of).then(|| String::from(part))).collect()
    };
    let is_particle = value.split(' ').next().is_some_and(|word| PARTICLES.contains(&word));
    let whole = if is_particle { all(value) } else { None };
    whole.or_else(|| all(behind_lead))
}

/// `Doe, Jane`: one comma, a family name, up to three given names, and nothing else that separates. The family name is one
/// word beside particles (`van der Berg, Pieter`), or up to three if the value is known to be that of one person
/// (`García Márquez, Gabriel`): else both sides may be persons. Offices, organisations and degrees are no names.
fn is_family_given(value: &str, of: ValueOf) -> bool {
    let Some((family, given)) = value.split_once(", ") else {
        return false;
    };
    let count = |part: &str| part.split_whitespace().filter(|word| !PARTICLES.contains(word)).count();
    let is_name = |word: &str| {
        let inner = || word.split_once(['\'', '’', '-']).is_some_and(|(_, rest)| rest.starts_with(char::is_uppercase));
        (word.starts_with(char::is_uppercase) || inner())
            && !word.contains(['/', ';', ',', '|', '&', ':'])
            && !word.contains(char::is_numeric)
    };
    let is_sound = |word: &str| PARTICLES.contains(&word) || is_name(word);
    let most = if of == ValueOf::One || of == ValueOf::Catalogue && count(given) == 1 { 3 } else { 1 };
    // `Jane Doe, CPA`, but `DOE, JANE` and `Smith, JRR`.
    let is_degree = count(family) > 1 && family.contains(char::is_lowercase) && given.chars().all(char::is_uppercase);
    let is_office = |part: &str| {
        is_organisation(part)
            || part.split_whitespace().any(|word| AGENCIES_AND_OFFICES.contains(&word.to_lowercase().as_str()))
    };
    (1..=most).contains(&count(family))
        && (1..=3).contains(&count(given))
        && given.starts_with(char::is_uppercase)
        && !(is_degree || is_office(family) || is_office(given))
        && family.split_whitespace().chain(given.split_whitespace()).all(is_sound)
        && !DEGREES.contains(&given.to_ascii_lowercase().as_str())
        && !is_joint(given)
}

/// Words of agencies and offices, in lower case, which are no names of persons before or behind a comma.
const AGENCIES_AND_OFFICES: [&str; 24] = [
    "afp",
    "ansa",
    "apa",
    "bank",
    "bloomberg",
    "correspondent",
    "dpa",
    "editor",
    "efe",
    "journalist",
    "photographer",
    "redacción",
    "redactie",
    "redakcja",
    "redakteur",
    "redakteurin",
    "redazione",
    "reporter",
    "reuters",
    "rédaction",
    "tass",
    "upi",
    "writer",
    "xinhua",
];

/// Small words of names, before a family name or, in catalogues, behind the given names (`Silva, João da`).
const PARTICLES: [&str; 29] = [
    "af", "al", "av", "bin", "da", "dal", "das", "de", "degli", "dei", "del", "della", "den", "der", "di", "do", "dos",
    "du", "e", "el", "ibn", "la", "le", "ten", "ter", "van", "von", "y", "zu",
];
