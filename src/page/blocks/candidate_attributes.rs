//! The attributes of an element that say whether it holds a title, an author or a date.

use super::attributes::{Attribute, AttributeList, AttributeSet};
use super::name_traits::{NameTraits, SHORTEST_NAME, TraitCache, name_traits};
use crate::page::byline_words::leads_to_author;
use crate::page::head::MetadataCandidate;
use crate::text::beginning;

/// Longest attribute value kept, in bytes.
const MAX_VALUE: usize = 200;

/// The attributes that are looked at.
const ASKED_FOR: AttributeSet = AttributeSet::of(&[
    Attribute::Class,
    Attribute::Content,
    Attribute::Data,
    Attribute::Datetime,
    Attribute::Href,
    Attribute::Id,
    Attribute::Itemprop,
    Attribute::Pubdate,
    Attribute::Rel,
    Attribute::Title,
]);

/// Attributes of a start tag as written, each at most [`MAX_VALUE`] bytes; empty where it has none.
#[derive(Default)]
pub struct CandidateAttributes<'a> {
    /// Values of `class`, `id`, `itemprop` and `rel`.
    names: [&'a str; 4],
    href: &'a str,
    /// What the element gives for machines: the first of `datetime`, `content` and `data-…` with a date.
    value: &'a str,
    title: &'a str,
}

impl<'a> CandidateAttributes<'a> {
    /// Picks the attributes out of those of a start tag.
    pub fn of(attributes: &AttributeList<'a>) -> CandidateAttributes<'a> {
        let mut found = CandidateAttributes::default();
        if !attributes.has_any(ASKED_FOR) {
            return found;
        }
        for (attribute, name, value) in attributes.iter() {
            let [class, id, property, rel] = &mut found.names;
            let slot = match attribute {
                Attribute::Class => class,
                Attribute::Id => id,
                Attribute::Itemprop => property,
                Attribute::Rel => rel,
                Attribute::Href => &mut found.href,
                Attribute::Title => &mut found.title,
                Attribute::Pubdate if property.is_empty() => {
                    *property = "pubdate";
                    continue;
                }
                Attribute::Datetime | Attribute::Content => &mut found.value,
                Attribute::Data if is_timestamp(name, value) => &mut found.value,
                _ => continue,
            };
            if slot.is_empty() {
                *slot = beginning(value, MAX_VALUE);
            }
        }
        found
    }

    /// What the names and the address of the element say that it holds.
    pub fn traits(&self, cache: &mut TraitCache) -> NameTraits {
        let names = self.names.iter().filter(|name| name.len() >= SHORTEST_NAME);
        let named = names.fold(NameTraits::default(), |all, name| all.union(cache.traits(name)));
        if leads_to_author(self.href) { named.union(NameTraits::AUTHOR) } else { named }
    }

    /// Whether the element is a link to a keyword of the page (`rel=tag`).
    pub fn is_tag(&self) -> bool {
        let [.., rel] = self.names;
        rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("tag"))
    }

    /// Whether the element names a category of the story: by its names, or as a link to one.
    pub fn is_category(&self, traits: NameTraits) -> bool {
        traits.has(NameTraits::CATEGORY)
            || self.is_tag()
            || ["/category/", "/tag/", "/topic/"].iter().any(|part| self.href.contains(part))
    }

    /// Whether the names of the element speak of comments: it holds them, or their number.
    pub fn is_of_comments(&self, traits: NameTraits) -> bool {
        let speaks = |name: &&str| name.to_ascii_lowercase().contains("comment");
        traits.has(NameTraits::ASIDE) && self.names.iter().any(speaks)
    }

    /// Whether the element holds all comments of a page, by its names.
    pub fn holds_comments(&self) -> bool {
        const CONTAINERS: [&str; 9] = [
            "comments",
            "commentlist",
            "comment-list",
            "comments-list",
            "comments-area",
            "comment-section",
            "comments-section",
            "comments-container",
            "commentcontent",
        ];
        let is_container = |name: &str| CONTAINERS.iter().any(|container| name.eq_ignore_ascii_case(container));
        self.names.iter().any(|names| names.split_ascii_whitespace().any(is_container))
    }

    /// Whether the element is a post of a network that the page shows.
    pub fn is_embedded(&self) -> bool {
        const POSTS: [&str; 4] = ["twitter-tweet", "instagram-media", "tiktok-embed", "reddit-embed-bq"];
        let [class, ..] = self.names;
        class.split_ascii_whitespace().any(|name| POSTS.contains(&name))
    }

    /// Whether the element gives a value for machines.
    pub fn has_value(&self) -> bool {
        !self.value.is_empty()
    }

    /// The address of a link, with character references decoded.
    pub fn address(&self) -> String {
        htmlize::unescape_attribute(self.href).into_owned()
    }

    /// The element as a candidate: names, address and value, with character references decoded.
    pub fn candidate(&self) -> MetadataCandidate {
        let decoded = |value: &str| htmlize::unescape_attribute(value).into_owned();
        let value = if self.value.is_empty() && self.title.bytes().any(|b| b.is_ascii_digit()) {
            self.title
        } else {
            self.value
        };
        let mut names = String::new();
        for name in self.names.into_iter().filter(|name| !name.is_empty()) {
            names.push_str(if names.is_empty() { "" } else { " " });
            names.push_str(&htmlize::unescape_attribute(name));
        }
        let (href, value) = (self.address(), decoded(value));
        MetadataCandidate { names: names.to_lowercase(), href, value, ..MetadataCandidate::default() }
    }
}

/// Whether an attribute such as `data-utime` or `data-publish-date` holds a number.
fn is_timestamp(name: &str, value: &str) -> bool {
    value.len() >= 8
        && value.bytes().any(|b| b.is_ascii_digit())
        && name_traits(name.get(5..).unwrap_or_default()).has(NameTraits::DATE)
}
