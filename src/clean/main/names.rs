//! What the names of a container say about it: `class`, `id`, `role`, `itemprop` and the element → [`Traits`].
//!
//! Words are those that templates of three decades have used; several languages of the web's makers share them.

use std::cell::RefCell;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use fxhash::FxHashMap;

use crate::hash::hash64;
use crate::page::blocks::{Container, Tag};

macro_rules! traits {
    ($($name:ident [$($word:literal)*])*) => {
        /// One thing that names can say.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Trait { $($name,)* }

        /// All of them.
        pub const ALL: &[Trait] = &[$(Trait::$name,)*];

        const WORDS: &[(&str, Trait)] = &[$($(($word, Trait::$name),)*)*];
    };
}

// A word of four letters or fewer must stand alone (`nav-box`, `navBox`, not `unnavigable`); a longer one may be part of
// another (`maincontent`).
traits! {
    Article ["article" "story" "entry" "post" "blog" "artikel" "beitrag" "noticia" "news"]
    Content ["content" "inhalt" "contenu" "contenido" "main" "primary" "page"]
    Body ["body" "text" "copy" "articlebody" "prose" "markdown" "richtext" "wysiwyg" "rte" "paragraph" "absatz"]
    Heading ["title" "headline" "heading" "titel" "subtitle" "teaser-head"]
    Lead ["lead" "intro" "summary" "excerpt" "dek" "standfirst" "abstract" "chapo" "vorspann" "perex" "subhead"]
    Caption ["caption" "figure" "image" "photo" "picture" "gallery" "credit" "bild" "legend" "slide" "img" "carousel"]
    Comment ["comment" "kommentar" "disqus" "respond" "reader-opinion" "opinions" "feedback" "comentario" "talkback"]
    Forum ["forum" "thread" "message" "topic" "reply" "replies" "answer" "question" "discussion" "msg" "viewtopic" "postbody"]
    Navigation ["nav" "navi" "navigation" "navbar" "menu" "breadcrumb" "crumb" "pagination" "pager" "pages" "toc" "tabs" "tab" "skip" "sitemap" "jump" "topbar" "dropdown" "toolbar" "paging"]
    Footer ["footer" "foot" "bottom" "copyright" "legal" "colophon" "imprint" "impressum" "disclaimer" "fuss" "pied"]
    Header ["header" "masthead" "banner" "logo" "branding" "kopf" "head" "top"]
    Side ["sidebar" "side" "aside" "rail" "secondary" "complementary" "widget" "right" "left" "column" "col" "marginal" "rightcol" "leftcol" "module" "panel"]
    Related ["related" "recommend" "similar" "popular" "latest" "recent" "trending" "mostread" "most-read" "outbrain" "taboola" "promo" "teaser" "read-more" "readmore" "more" "next" "prev" "also" "upnext" "see-also" "archive" "feed" "listing" "card" "grid"]
    Meta ["meta" "info" "details" "metadata" "posted" "date" "time" "datum" "timestamp" "published" "dateline" "byline" "stats" "category" "categories" "tags" "tag" "label" "labels" "taxonomy"]
    Author ["author" "autor" "bio" "about" "profile" "avatar" "signature" "contributor" "writer" "user" "member" "poster"]
    Consent ["cookie" "consent" "gdpr" "privacy" "modal" "popup" "overlay" "lightbox" "newsletter" "subscribe" "subscription" "signup" "sign-up" "login" "paywall" "register" "alert" "notice" "notification" "cta" "toast" "dialog"]
    Form ["form" "search" "input" "field" "contact" "suche" "filter" "sort"]
    Product ["product" "price" "cart" "shop" "sku" "buy" "specs" "specification" "features" "description" "variant"]
    Review ["review" "rating" "testimonial" "stars" "rezension"]
    Hidden ["hidden" "hide" "sr-only" "visually-hidden" "screen-reader" "screenreader" "noscript" "noprint" "offscreen" "invisible" "mobile-only" "collapse"]
    Code ["code" "highlight" "syntax" "source" "snippet" "example"]
}

/// A set of traits, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits(u32);

impl Traits {
    /// Whether the trait is among them.
    pub fn has(self, one: Trait) -> bool {
        self.0 >> (one as u8) & 1 == 1
    }

    /// Both sets together.
    pub fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// The set with one more.
    pub fn with(self, one: Trait) -> Traits {
        Traits(self.0 | 1 << (one as u8))
    }
}

/// What an element says.
pub fn of_element(tag: Tag) -> Traits {
    let none = Traits::default();
    match tag {
        Tag::Article => none.with(Trait::Article),
        Tag::Main => none.with(Trait::Content),
        Tag::Nav => none.with(Trait::Navigation),
        Tag::Aside => none.with(Trait::Side),
        Tag::Footer => none.with(Trait::Footer),
        Tag::Header => none.with(Trait::Header),
        Tag::Form | Tag::Search => none.with(Trait::Form),
        Tag::Figure | Tag::Figcaption | Tag::Caption => none.with(Trait::Caption),
        Tag::Dialog => none.with(Trait::Consent),
        _ => none,
    }
}

/// What a word says, and hashes of the parts that it falls into (`post-body`, `postBody` → `post`, `body`).
struct Word {
    traits: Traits,
    parts: Vec<u64>,
}

/// Words that a thread remembers: templates draw on some thousand.
const MOST_REMEMBERED: usize = 1 << 14;
/// Tokens of a container that are looked up.
const MOST_TOKENS: usize = 24;

/// What the names of a container say; hashes of the parts of their words take the place of `tokens`, each once.
pub fn named(container: &Container, tokens: &mut Vec<u64>) -> Traits {
    thread_local! {
        static KNOWN: RefCell<FxHashMap<Box<str>, Word>> = RefCell::default();
    }
    tokens.clear();
    let names = [&container.class, &container.id, &container.role];
    let mut traits = Traits::default();
    KNOWN.with_borrow_mut(|known| {
        for word in names.into_iter().flat_map(|name| name.split_ascii_whitespace()) {
            if !known.contains_key(word) {
                if known.len() >= MOST_REMEMBERED {
                    known.clear();
                }
                known.insert(word.into(), Word { traits: of_name(word), parts: parts(word) });
            }
            if let Some(word) = known.get(word) {
                traits = traits.and(word.traits);
                tokens.extend(word.parts.iter().take(MOST_TOKENS - tokens.len()));
            }
        }
    });
    tokens.sort_unstable();
    tokens.dedup();
    traits
}

fn of_name(name: &str) -> Traits {
    static WORDS_IN: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let mut traits = Traits::default();
    if name.is_empty() {
        return traits;
    }
    let words = WORDS_IN.get_or_init(|| {
        let build = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(WORDS.iter().map(|w| w.0));
        build.ok()
    });
    let Some(words) = words else { return traits };
    for found in words.find_overlapping_iter(name) {
        let Some(&(word, one)) = WORDS.get(found.pattern().as_usize()) else { continue };
        if word.len() > 4 || stands_alone(name.as_bytes(), found.start(), found.end()) {
            traits = traits.with(one);
        }
    }
    traits
}

/// No letter touches it, or a capital letter parts it from the one that does.
fn stands_alone(name: &[u8], start: usize, end: usize) -> bool {
    let at = |place: usize| name.get(place).copied().unwrap_or(b' ');
    let before = start.checked_sub(1).map_or(b' ', at);
    let open = !before.is_ascii_alphabetic() || (before.is_ascii_lowercase() && at(start).is_ascii_uppercase());
    let after = at(end);
    let shut = !after.is_ascii_alphabetic() || (after.is_ascii_uppercase() && at(end - 1).is_ascii_lowercase());
    open && shut
}

fn parts(word: &str) -> Vec<u64> {
    let (mut parts, mut part, mut small) = (Vec::new(), String::new(), false);
    for c in word.chars().chain([' ']) {
        if !c.is_ascii_alphabetic() || (small && c.is_ascii_uppercase()) {
            if (2..=24).contains(&part.len()) && parts.len() < MOST_TOKENS {
                parts.push(hash64(part.as_bytes()));
            }
            part.clear();
        }
        small = c.is_ascii_lowercase();
        if c.is_ascii_alphabetic() {
            part.push(c.to_ascii_lowercase());
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(class: &str, id: &str) -> Container {
        Container { tag: Tag::Div, class: class.into(), id: id.into(), role: String::new(), parent: None }
    }

    #[test]
    fn short_words_stand_alone() {
        let traits = |class, id| named(&container(class, id), &mut Vec::new());
        assert!(traits("nav-box", "").has(Trait::Navigation));
        assert!(traits("a leftNav", "").has(Trait::Navigation));
        assert!(!traits("unnavigable", "").has(Trait::Navigation));
        assert!(traits("", "maincontent").has(Trait::Content));
    }

    #[test]
    fn names_fall_into_parts() {
        let parts = |class: &str| {
            let mut tokens = Vec::new();
            named(&container(class, ""), &mut tokens);
            tokens
        };
        assert_eq!(parts("post-body"), parts("postBody"));
        assert_eq!(parts("post-7816 x"), parts("post"));
        assert_eq!(parts("").len(), 0);
        assert_eq!(parts("a post body post").len(), 2);
    }
}
