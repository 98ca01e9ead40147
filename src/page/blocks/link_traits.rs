//! Links and spans whose text is a sign or a number: permalinks, numbers of notes and of printed pages.

use super::tokenizer::StartTag;

/// What the tag of a link or span says of a sign or number in it: whether it leads to the place where the link stands (`¶`), or to a
/// note, or is that of a printed page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkTraits {
    /// Whether the address has a fragment.
    pub has_fragment: bool,
    /// Whether a class is one of links to the place where they stand.
    pub is_permalink: bool,
    /// Whether its role, a class or the fragment is that of a link to a note.
    pub is_to_note: bool,
    /// Whether its role or a class is that of the number of a printed page.
    pub is_page_number: bool,
}

impl LinkTraits {
    /// The traits by a start tag.
    pub fn of(source: &StartTag<'_>) -> LinkTraits {
        const CLASSES: [&str; 3] = ["headerlink", "anchor", "permalink"];
        // Digital editions; reports of courts.
        const OF_PAGES: [&str; 5] = ["pagenum", "pagebreak", "star-pagination", "gsl_pagenum", "gsl_pagenum2"];
        const OF_NOTES: [&str; 6] = ["footnote", "endnote", "noteref", "sdfootnoteanc", "citation", "ltx_note_mark"];
        // Pandoc, Word, LibreOffice, MediaWiki.
        const FRAGMENTS: [&str; 9] =
            ["fn", "_fn", "_ftn", "_edn", "ftn", "footnote", "endnote", "sdfootnote", "cite_note"];
        let attribute = |name: &str| source.attribute(name).unwrap_or_default();
        let (class, role) = (attribute("class"), attribute("role"));
        let fragment = attribute("href").split_once('#').map(|(_, fragment)| fragment);
        let leads_to_note = |fragment: &str| {
            let mut behind = FRAGMENTS.iter().filter_map(|name| fragment.strip_prefix(name));
            behind.any(|rest| !rest.starts_with(char::is_alphabetic))
        };
        LinkTraits {
            has_fragment: fragment.is_some(),
            is_permalink: CLASSES.iter().any(|name| class.contains(name)),
            is_to_note: fragment.is_some_and(leads_to_note)
                || OF_NOTES.iter().any(|name| class.contains(name))
                || role.contains("noteref")
                || attribute("epub:type").contains("noteref"),
            is_page_number: class.split_ascii_whitespace().any(|name| OF_PAGES.contains(&name))
                || role == "doc-pagebreak",
        }
    }
}
