//! What became of a page: the rows of the table `changes`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::difference::Difference;
use super::state::{PageState, ParagraphState};
use crate::language::Language;
use crate::named::named;
use crate::table::{codes, table_row};

named! {
    /// What became of a page.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PageStatus {
        /// At the same address with the same content and the same boilerplate.
        #[default]
        Same "same"
        /// At the same address with the same content; boilerplate or paragraphs of the site's template changed.
        Template "template"
        /// At the same address with another content.
        Changed "changed"
        /// At another address, with the same content or another one.
        Moved "moved"
        /// Only in the newer snapshot.
        New "new"
        /// Only in the older snapshot.
        Gone "gone"
    }
}

named! {
    /// By what a page was found in the other snapshot.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MatchedBy {
        /// The address.
        #[default]
        Address "address"
        /// The address that a page declares as its own.
        Canonical "canonical"
        /// Domain, slug and title.
        Slug "slug"
        /// The text.
        Text "text"
        /// A similar text.
        Similarity "similarity"
    }
}

codes! {
    PageStatus: name, by_name;
    MatchedBy: name, by_name;
}

impl MatchedBy {
    /// The value of a number in a spill file.
    pub fn of_number(number: u32) -> Option<MatchedBy> {
        MatchedBy::ALL.get(number as usize).copied()
    }
}

table_row! {
    /// A page of either snapshot. `_a` is the older one, `_b` the newer one.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct PageChange in "changes" {
        pub status: PageStatus,
        pub matched_by: Option<MatchedBy>,
        pub doc_a: Option<u64>,
        pub doc_b: Option<u64>,
        pub url_a: Option<String>,
        pub url_b: Option<String>,
        pub host: String,
        pub title: Option<String>,
        pub language: Language,
        pub captured_a: Option<i64>,
        pub captured_b: Option<i64>,
        pub similarity: Option<f32>,
        pub characters_a: u64,
        pub characters_b: u64,
        pub paragraphs_same: u32,
        pub paragraphs_added: u32,
        pub paragraphs_removed: u32,
        pub paragraphs_moved: u32,
    }
}

/// The paragraphs of a page in two snapshots, without those that are a template in either.
#[derive(Debug, Default)]
pub struct ComparedParagraphs {
    pub difference: Difference,
    /// For each compared paragraph of either side, its place among all content paragraphs.
    pub places_a: Vec<u32>,
    pub places_b: Vec<u32>,
}

impl ComparedParagraphs {
    fn new(a: &[ParagraphState], b: &[ParagraphState]) -> ComparedParagraphs {
        let templates: HashSet<u128> =
            a.iter().chain(b).filter(|paragraph| paragraph.template).map(|paragraph| paragraph.digest).collect();
        let compared = |side: &[ParagraphState]| -> (Vec<u32>, Vec<u128>) {
            let own = (0..).zip(side).filter(|(_, paragraph)| !templates.contains(&paragraph.digest));
            own.map(|(place, paragraph)| (place, paragraph.digest)).unzip()
        };
        let ((places_a, a), (places_b, b)) = (compared(a), compared(b));
        ComparedParagraphs { difference: Difference::between(&a, &b), places_a, places_b }
    }
}

impl PageChange {
    /// A page that only one snapshot has.
    pub fn alone(status: PageStatus, doc: u64, state: &PageState) -> PageChange {
        let row = PageChange {
            status,
            host: state.host.clone(),
            title: state.title.clone(),
            language: state.language,
            ..PageChange::default()
        };
        let (characters, paragraphs) = (state.characters, state.paragraphs.len() as u32);
        if status == PageStatus::Gone {
            return PageChange {
                doc_a: Some(doc),
                url_a: Some(state.url.clone()),
                captured_a: state.captured,
                characters_a: characters,
                paragraphs_removed: paragraphs,
                ..row
            };
        }
        PageChange {
            doc_b: Some(doc),
            url_b: Some(state.url.clone()),
            captured_b: state.captured,
            characters_b: characters,
            paragraphs_added: paragraphs,
            ..row
        }
    }

    /// A page that both have, and its paragraphs.
    pub fn of_both(
        matched_by: MatchedBy,
        (doc_a, a): (u64, &PageState),
        (doc_b, b): (u64, &PageState),
    ) -> (PageChange, ComparedParagraphs) {
        let compared = ComparedParagraphs::new(&a.paragraphs, &b.paragraphs);
        let Difference { same, moved, .. } = &compared.difference;
        let boilerplate = match (a.boilerplate, b.boilerplate) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        let status = match compared.difference.is_empty() {
            _ if a.address() != b.address() => PageStatus::Moved,
            false => PageStatus::Changed,
            // Whether a paragraph is a template depends on the other pages of the snapshot.
            true if boilerplate && a.content() == b.content() => PageStatus::Same,
            true => PageStatus::Template,
        };
        let row = PageChange {
            status,
            matched_by: Some(matched_by),
            doc_a: Some(doc_a),
            url_a: Some(a.url.clone()),
            captured_a: a.captured,
            characters_a: a.characters,
            similarity: Some(similarity(a, b, &compared.difference)),
            paragraphs_same: *same,
            paragraphs_moved: moved.len() as u32,
            paragraphs_added: compared.difference.added(),
            paragraphs_removed: compared.difference.removed(),
            ..PageChange::alone(status, doc_b, b)
        };
        (row, compared)
    }
}

/// Similarity of two contents, 0 to 1: the estimated Jaccard similarity of their word 5-grams, or of short texts the share
/// of common paragraphs.
fn similarity(a: &PageState, b: &PageState, difference: &Difference) -> f32 {
    if difference.is_empty() {
        return 1.0;
    }
    match (&a.signature, &b.signature) {
        (Some(a), Some(b)) => a.similarity(b) as f32,
        _ => {
            let both = difference.same + difference.moved.len() as u32;
            both as f32 / (both + difference.added() + difference.removed()) as f32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::page;
    use super::*;
    use crate::document::{DocumentCapture, ParagraphText};
    use crate::hash::hash64;

    fn compared(a: &PageState, b: &PageState) -> PageChange {
        PageChange::of_both(MatchedBy::Address, (1, a), (2, b)).0
    }

    #[test]
    fn the_status_says_what_changed() {
        let a = page("http://a.example/x", &["one", "two"]);
        assert_eq!(compared(&a, &a.clone()).status, PageStatus::Same);
        let other_menu = PageState { boilerplate: Some(7), ..a.clone() };
        assert_eq!(compared(&a, &other_menu).status, PageStatus::Template);
        let without_table = PageState { boilerplate: None, ..a.clone() };
        assert_eq!(compared(&a, &without_table).status, PageStatus::Same);
        let longer = page("https://www.a.example/x", &["one", "two", "three"]);
        let row = compared(&a, &longer);
        assert_eq!((row.status, row.paragraphs_added, row.paragraphs_same), (PageStatus::Changed, 1, 2));
        assert_eq!((row.doc_a, row.doc_b, row.characters_b), (Some(1), Some(2), 11));
        assert_eq!(row.similarity, Some(2.0 / 3.0));
        assert_eq!(compared(&a, &page("http://a.example/y", &["one", "two"])).status, PageStatus::Moved);
    }

    /// Each of these texts was written to have the XXH3 of the other.
    #[test]
    fn a_text_that_is_written_to_collide_is_a_change() {
        let (word, forged) = ("the", "nqtzxttcerhcsjzgxetyctjkbtkfvbcezggzuciynkiykmhpnhgielkiopnrebfi");
        assert_eq!(hash64(word.as_bytes()), hash64(forged.as_bytes()));
        let [a, b] = [word, forged].map(|text| page("http://a.example/x", &["one", text]));
        let row = compared(&a, &b);
        assert_eq!((row.status, row.paragraphs_same), (PageStatus::Changed, 1));
        let with_menu = |page: &PageState, menu: &str| {
            let menu = [ParagraphText { text: menu.into(), ..ParagraphText::default() }];
            PageState {
                boilerplate: PageState::new(DocumentCapture::default(), &[], Some(&menu)).boilerplate,
                ..page.clone()
            }
        };
        assert_eq!(compared(&with_menu(&a, word), &with_menu(&a, forged)).status, PageStatus::Template);
    }

    #[test]
    fn a_template_on_either_side_is_no_content() {
        let a = page("http://a.example/x", &["one", "cookies", "two"]);
        let with_templates = |mut page: PageState, places: &[usize]| {
            places.iter().for_each(|place| page.paragraphs[*place].template = true);
            page
        };
        assert_eq!(compared(&a, &with_templates(a.clone(), &[1])).status, PageStatus::Same);
        let b = with_templates(page("http://a.example/x", &["one", "cookies", "two", "imprint"]), &[1, 3]);
        let (row, paragraphs) = PageChange::of_both(MatchedBy::Address, (1, &a), (2, &b));
        assert_eq!((row.status, row.paragraphs_same), (PageStatus::Template, 2));
        assert_eq!(paragraphs.places_a, [0, 2]);
    }

    #[test]
    fn names_come_back() {
        for status in PageStatus::ALL {
            assert_eq!(PageStatus::by_name(status.name()), Some(*status));
        }
        for (number, matched_by) in (0..).zip(MatchedBy::ALL) {
            assert_eq!(MatchedBy::by_name(matched_by.name()), Some(*matched_by));
            assert_eq!((MatchedBy::of_number(number), *matched_by as u32), (Some(*matched_by), number));
        }
    }
}
