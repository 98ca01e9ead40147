//! Finds personal data in the paragraphs of documents, and masks it if the job says so.

use crate::config::{PiiMode, PiiSection};
use crate::document::{Document, Paragraph, PersonalData};
use crate::pii::{self, Span};

/// Finds personal data in the content paragraphs of a document, kept or not. With `pii.mode = "mask"` it is masked there
/// and in what the page tells of itself: title, authors, keywords, section, name of the site.
pub fn find(settings: &PiiSection, document: &mut Document, rows: &mut [Paragraph]) -> Vec<PersonalData> {
    if settings.kinds.is_empty() {
        return Vec::new();
    }
    let masks = settings.mode == PiiMode::Mask;
    let mut all = Vec::new();
    for row in rows {
        // The text is searched with its line feeds, because a number does not go on behind one.
        let mut found = pii::find(&row.text, &settings.kinds, row.language_or(document.language).code());
        if found.is_empty() {
            continue;
        }
        if masks {
            row.text = pii::mask(&row.text, &mut found);
            row.characters = row.text.chars().count() as u32;
        }
        let ranges = pii::character_ranges(&row.text, &found);
        let find = |(Span { kind, .. }, range): (&Span, std::ops::Range<u32>)| PersonalData {
            doc: document.doc,
            index: row.index,
            kind: *kind,
            start: range.start,
            end: range.end,
        };
        all.extend(found.iter().zip(ranges).map(find));
    }
    if masks {
        let Document { title, author, keywords, section, sitename, .. } = document;
        for text in title.iter_mut().chain(author).chain(keywords).chain(section).chain(sitename) {
            let mut found = pii::find(text, &settings.kinds, document.language.code());
            *text = pii::mask(text, &mut found);
        }
    }
    all
}
