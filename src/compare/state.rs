//! What a page of a snapshot is compared by.

use serde::{Deserialize, Serialize};

use crate::dedup::bands::Banding;
use crate::dedup::signature::Signature;
use crate::document::{DocumentCapture, DropReason, ParagraphText};
use crate::hash::digest;
use crate::language::Language;
use crate::page::url::{identity, site};
use crate::text::{in_one_line, words};

/// Words of a shingle, and minima of a signature.
const SHINGLE: usize = 5;
const MINIMA: usize = 128;
/// Texts of fewer words are not matched by what they say: they are "Page not found" and the like.
const LEAST_WORDS: usize = 20;
/// Least Jaccard similarity of the word 5-grams of two texts at different addresses that count as one page.
pub const LEAST_SIMILARITY: f64 = 0.5;

/// Last parts of a path that name no page.
const NO_SLUGS: [&str; 5] = ["index", "default", "home", "main", "start"];

/// The bands by which similar texts find each other: 32 of 4 minima, so that of pairs with a similarity of .5, .6 and .7
/// 87, 99 and 99.98 % meet.
pub fn banding() -> Banding {
    Banding { bands: MINIMA / 4, rows: 4 }
}

/// A capture of a page: what it is compared by, and what names it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageState {
    pub url: String,
    pub canonical: Option<String>,
    pub title: Option<String>,
    pub host: String,
    pub language: Language,
    /// Microseconds since 1970 in UTC.
    pub captured: Option<i64>,
    /// Characters of the content.
    pub characters: u64,
    /// The content paragraphs in their order, whatever later stages decided about them.
    pub paragraphs: Vec<ParagraphState>,
    /// Digest of the boilerplate; `None` if the corpus was built without its table.
    pub boilerplate: Option<u128>,
    /// Of the content; `None` if it has too few words.
    pub signature: Option<Signature>,
}

/// A content paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParagraphState {
    /// Digest of its text.
    pub digest: u128,
    /// Whether many pages of the host have it.
    pub template: bool,
}

impl PageState {
    /// The state of a document with all its content paragraphs and, if there is a table of them, boilerplate blocks.
    pub fn new(
        document: DocumentCapture,
        content: &[ParagraphText],
        boilerplate: Option<&[ParagraphText]>,
    ) -> PageState {
        // A line break and a blank are the same.
        let digest_of = |row: &ParagraphText| digest(in_one_line(&row.text).as_bytes());
        let mut word_hashes = Vec::new();
        content.iter().for_each(|row| words::hashes(&row.text, &mut word_hashes));
        let paragraph = |row: &ParagraphText| ParagraphState {
            digest: digest_of(row),
            template: row.drop_reason == DropReason::Template,
        };
        PageState {
            url: document.url,
            canonical: document.canonical,
            title: document.title,
            host: document.host,
            language: document.language,
            captured: document.captured,
            characters: content.iter().map(|row| row.text.chars().count() as u64).sum(),
            paragraphs: content.iter().map(paragraph).collect(),
            boilerplate: boilerplate.map(|rows| digest_of_all(rows.iter().map(digest_of))),
            signature: (word_hashes.len() >= LEAST_WORDS).then(|| Signature::of_words(&word_hashes, SHINGLE, MINIMA)),
        }
    }

    /// Key of the address, without what does not change the page (scheme, `www.`, session and tracking parameters).
    pub fn address(&self) -> u128 {
        digest(identity(&self.url).as_bytes())
    }

    /// Key of the address that the page declares as its own, or of the one that it has.
    pub fn declared_address(&self) -> u128 {
        digest(identity(self.canonical.as_ref().unwrap_or(&self.url)).as_bytes())
    }

    /// Key of registered domain, slug and title; `None` for pages without a slug or title. The slug is the last part of
    /// the path, without an ending such as `.html`.
    pub fn slug_and_title(&self) -> Option<u128> {
        let identity = identity(&self.url);
        // What the parameters tell is not in the path: `article.php?id=1`.
        let path = Some(identity.as_str()).filter(|identity| !identity.contains('?'))?;
        let (_, last) = path.trim_end_matches('/').rsplit_once('/')?;
        let slug = last.rsplit_once('.').map_or(last, |(stem, _)| stem).to_lowercase();
        let title = self.title.as_ref()?;
        if slug.is_empty() || NO_SLUGS.contains(&slug.as_str()) {
            return None;
        }
        Some(digest(format!("{}\0{slug}\0{title}", self.domain()).as_bytes()))
    }

    /// Key of the content; `None` if it has too few words.
    pub fn text(&self) -> Option<u128> {
        self.signature.as_ref().map(|_| self.content())
    }

    /// Digest of the content.
    pub fn content(&self) -> u128 {
        digest_of_all(self.paragraphs.iter().map(|paragraph| paragraph.digest))
    }

    /// Registered domain of the address.
    pub fn domain(&self) -> String {
        site(&self.url).map_or_else(|| self.host.clone(), |site| site.domain)
    }
}

/// Digest of a sequence of digests.
fn digest_of_all(digests: impl Iterator<Item = u128>) -> u128 {
    let bytes: Vec<[u8; 16]> = digests.map(u128::to_le_bytes).collect();
    digest(bytes.as_flattened())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A page at an address with these paragraphs.
    pub fn page(url: &str, paragraphs: &[&str]) -> PageState {
        let row = |text: &&str| ParagraphText { text: (*text).into(), ..ParagraphText::default() };
        let document =
            DocumentCapture { url: url.into(), title: Some("The Tide".into()), ..DocumentCapture::default() };
        PageState::new(document, &paragraphs.iter().map(row).collect::<Vec<_>>(), Some(&[]))
    }

    #[test]
    fn pages_are_found_by_address_link_slug_and_text() {
        let a = page("http://www.sea.example/2019/tide.html?utm_source=x", &["Water."]);
        let b = page("https://sea.example/2019/tide.html", &["Water!"]);
        assert_eq!(a.address(), b.address());
        let moved = page("https://sea.example/archive/Tide/", &["Water!"]);
        assert_ne!(a.address(), moved.address());
        assert_eq!(a.slug_and_title(), moved.slug_and_title());
        assert!(a.slug_and_title().is_some());
        assert_ne!(a.slug_and_title(), page("https://lake.example/tide", &[]).slug_and_title());
        for no_slug in ["https://sea.example/", "https://sea.example/index.php?id=7", "https://sea.example"] {
            assert_eq!(page(no_slug, &[]).slug_and_title(), None, "{no_slug}");
        }
        let linked = PageState { canonical: Some("https://sea.example/2019/tide.html".into()), ..moved };
        assert_eq!(linked.declared_address(), b.address());
        assert_eq!(a.text(), None, "a word is no text");
    }

    #[test]
    fn long_texts_have_keys_and_a_signature() {
        let words: Vec<String> = (0..60).map(|n| format!("word{n}")).collect();
        let text = words.join(" ");
        let a = page("http://a.example/", &[&text]);
        let b = page("http://b.example/", &[&text, "and a sentence more"]);
        assert_eq!(a.text(), page("http://c.example/", &[&text]).text());
        assert_ne!(a.text(), b.text());
        let similarity = a.signature.unwrap().similarity(&b.signature.unwrap());
        assert!(similarity > 0.8, "{similarity}");
    }
}
