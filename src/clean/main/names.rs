//! What the names of a container say about it: `class`, `id`, `role`, `itemprop` and the element → [`Traits`].
//!
//! Words are those that templates of three decades have used; several languages of the web's makers share them.

use std::ops::Range;
use std::sync::LazyLock;

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

/// Tokens of a container that are looked up.
const MOST_TOKENS: usize = 24;
/// Letters of the longest part that is one.
const LONGEST_PART: usize = 24;

/// What the names of a container say; hashes of the parts that their words fall into (`post-body`, `postBody` → `post`,
/// `body`) take the place of `tokens`, each once.
pub fn named(container: &Container<'_>, tokens: &mut Vec<u64>) -> Traits {
    tokens.clear();
    let names = [&container.class, &container.id, &container.role];
    let mut traits = Traits::default();
    for word in names.into_iter().flat_map(|name| name.split_ascii_whitespace()) {
        traits = traits.and(of_name(word.as_bytes()));
        parts(word.as_bytes(), tokens);
    }
    tokens.sort_unstable();
    tokens.dedup();
    traits
}

fn of_name(name: &[u8]) -> Traits {
    let mut traits = Traits::default();
    let (words, mut letters) = (&*BY_LETTERS, 0);
    for (end, &letter) in name.iter().enumerate() {
        letters = with_letter(letters, letter);
        let Some(start) = end.checked_sub(2) else { continue };
        let rest = name.get(start..).unwrap_or_default();
        for &(word, one) in words.of(letters) {
            let here = rest.get(..word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes()));
            if here && (word.len() > 4 || stands_alone(name, start, start + word.len())) {
                traits = traits.with(one);
            }
        }
    }
    traits
}

/// The words by their first three letters: no word has fewer, and few letters of a name begin one.
struct ByLetters {
    /// Whether a place has words, and where in the list.
    any: [bool; PLACES],
    ranges: Vec<Range<u16>>,
    words: Vec<(&'static str, Trait)>,
}

const PLACES: usize = 1 << 12;

static BY_LETTERS: LazyLock<ByLetters> = LazyLock::new(|| {
    let begin = |word: &str| place(word.bytes().take(3).fold(0, with_letter));
    let mut words = WORDS.to_vec();
    words.sort_by_key(|(word, _)| begin(word));
    let until = |at: usize| words.partition_point(|(word, _)| begin(word) < at) as u16;
    let ranges: Vec<Range<u16>> = (0..PLACES).map(|at| until(at)..until(at + 1)).collect();
    let mut any = [false; PLACES];
    any.iter_mut().zip(&ranges).for_each(|(any, range)| *any = !range.is_empty());
    ByLetters { any, ranges, words }
});

impl ByLetters {
    /// The words that may begin with these letters.
    #[inline]
    fn of(&self, letters: u32) -> &[(&'static str, Trait)] {
        let place = place(letters);
        if !self.any.get(place).copied().unwrap_or_default() {
            return &[];
        }
        let range = self.ranges.get(place).cloned().unwrap_or_default();
        self.words.get(usize::from(range.start)..usize::from(range.end)).unwrap_or_default()
    }
}

/// The last three letters, in any case, once another is read.
#[inline]
fn with_letter(letters: u32, letter: u8) -> u32 {
    (letters << 8 | u32::from(letter | 0x20)) & 0xff_ffff
}

#[inline]
fn place(letters: u32) -> usize {
    (letters.wrapping_mul(0x9e37_79b1) >> 20) as usize
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

/// Adds the hashes of the parts of a word: runs of letters, in lower case, parted where a capital follows a small letter.
fn parts(word: &[u8], tokens: &mut Vec<u64>) {
    let mut at = 0;
    while tokens.len() < MOST_TOKENS
        && let Some(from) = word.iter().skip(at).position(u8::is_ascii_alphabetic).map(|gap| at + gap)
    {
        let goes_on = |pair: &[u8]| matches!(pair, [before, here] if here.is_ascii_alphabetic() && !(before.is_ascii_lowercase() && here.is_ascii_uppercase()));
        let length = 1 + word.get(from..).unwrap_or_default().windows(2).take_while(|pair| goes_on(pair)).count();
        at = from + length;
        let mut part = [0; LONGEST_PART];
        if length >= 2
            && let Some(room) = part.get_mut(..length)
        {
            room.copy_from_slice(word.get(from..at).unwrap_or_default());
            room.make_ascii_lowercase();
            tokens.push(hash64(room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container<'a>(class: &'a str, id: &'a str) -> Container<'a> {
        Container { tag: Tag::Div, class: class.into(), id: id.into(), role: "".into(), parent: None }
    }

    #[test]
    fn every_word_is_found() {
        for (word, one) in WORDS {
            assert!(word.len() >= 3 && of_name(word.to_uppercase().as_bytes()).has(*one), "{word}");
        }
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
