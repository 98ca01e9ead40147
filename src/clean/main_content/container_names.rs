//! The names of a container (`class`, `id`, `role`, `itemprop`) and its element → [`ContainerTraits`].
//!
//! The words are those that templates of three decades have used, in several languages.

use std::ops::Range;
use std::sync::LazyLock;

use crate::hash::{SeededMap, hash64};
use crate::page::blocks::{Container, Tag};

macro_rules! traits {
    ($($name:ident [$($word:literal)*])*) => {
        /// A role of a container that its names tell.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum ContainerTrait { $($name,)* }

        /// All traits.
        pub const ALL: &[ContainerTrait] = &[$(ContainerTrait::$name,)*];

        const WORDS: &[(&str, ContainerTrait)] = &[$($(($word, ContainerTrait::$name),)*)*];
    };
}

// A word of four letters or fewer must stand alone (`nav-box`, `navBox`, not `unnavigable`); a longer one may be part
// of another (`maincontent`).
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
pub struct ContainerTraits(u32);

impl ContainerTraits {
    /// The union of two sets.
    pub fn union(self, other: ContainerTraits) -> ContainerTraits {
        ContainerTraits(self.0 | other.0)
    }

    /// The traits of the set, as indices into [`ALL`].
    pub fn indices(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (index < u32::BITS).then_some(index as usize)
        })
    }

    /// The set with one more trait.
    pub fn with(self, one: ContainerTrait) -> ContainerTraits {
        ContainerTraits(self.0 | 1 << (one as u8))
    }
}

/// The traits of an element.
pub fn traits_of_element(tag: Tag) -> ContainerTraits {
    let none = ContainerTraits::default();
    match tag {
        Tag::Article => none.with(ContainerTrait::Article),
        Tag::Main => none.with(ContainerTrait::Content),
        Tag::Nav => none.with(ContainerTrait::Navigation),
        Tag::Aside => none.with(ContainerTrait::Side),
        Tag::Footer => none.with(ContainerTrait::Footer),
        Tag::Header => none.with(ContainerTrait::Header),
        Tag::Form | Tag::Search => none.with(ContainerTrait::Form),
        Tag::Figure | Tag::Figcaption | Tag::Caption => none.with(ContainerTrait::Caption),
        Tag::Dialog => none.with(ContainerTrait::Consent),
        _ => none,
    }
}

/// Number of tokens of a container that are looked up.
const MOST_TOKENS: usize = 24;
/// Letters of the longest token.
const LONGEST_TOKEN: usize = 24;

/// Reads the names of the containers of one page, and remembers their words: most of them recur.
#[derive(Debug, Default)]
pub struct NameReader {
    /// For each word, by its hash, its traits, and its tokens among all.
    words: SeededMap<u64, (ContainerTraits, Range<usize>)>,
    tokens: Vec<u64>,
}

impl NameReader {
    /// The traits of a container's names. `tokens` is replaced by the hashes of the parts of their words (`post-body`,
    /// `postBody` → `post`, `body`), sorted, each once.
    pub fn traits_and_tokens(&mut self, container: &Container<'_>, tokens: &mut Vec<u64>) -> ContainerTraits {
        tokens.clear();
        let names = [&container.class, &container.id, &container.role];
        let mut traits = ContainerTraits::default();
        for word in names.into_iter().flat_map(|name| name.split_ascii_whitespace()) {
            let (of_word, its_tokens) = self.word(word.as_bytes());
            traits = traits.union(of_word);
            tokens.extend(its_tokens.iter().take(MOST_TOKENS - tokens.len()));
        }
        tokens.sort_unstable();
        tokens.dedup();
        traits
    }

    fn word(&mut self, word: &[u8]) -> (ContainerTraits, &[u64]) {
        let NameReader { words, tokens } = self;
        let (traits, range) = words.entry(hash64(word)).or_insert_with(|| {
            let from = tokens.len();
            push_tokens(word, tokens);
            (traits_of_name(word), from..tokens.len())
        });
        (*traits, tokens.get(range.clone()).unwrap_or_default())
    }
}

/// The traits of one name.
fn traits_of_name(name: &[u8]) -> ContainerTraits {
    let mut traits = ContainerTraits::default();
    let (words, mut letters) = (&*WORD_INDEX, 0);
    for (end, &letter) in name.iter().enumerate() {
        letters = with_letter(letters, letter);
        if words.none_begins(letters) {
            continue;
        }
        let Some(start) = end.checked_sub(2) else { continue };
        let rest = name.get(start..).unwrap_or_default();
        for &(word, one) in words.candidates(letters) {
            let here = rest.get(..word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes()));
            if here && (word.len() > 4 || stands_alone(name, start, start + word.len())) {
                traits = traits.with(one);
            }
        }
    }
    traits
}

/// Index of the trait words by their first three letters: no word has fewer, and few letters of a name begin one.
struct WordIndex {
    /// For each slot whether there are words.
    any: [bool; SLOTS],
    /// For each slot the range of its words.
    ranges: Vec<Range<u16>>,
    words: Vec<(&'static str, ContainerTrait)>,
}

const SLOTS: usize = 1 << 12;

static WORD_INDEX: LazyLock<WordIndex> = LazyLock::new(|| {
    let begin = |word: &str| slot(word.bytes().take(3).fold(0, with_letter));
    let mut words = WORDS.to_vec();
    words.sort_by_key(|(word, _)| begin(word));
    let until = |at: usize| words.partition_point(|(word, _)| begin(word) < at) as u16;
    let ranges: Vec<Range<u16>> = (0..SLOTS).map(|at| until(at)..until(at + 1)).collect();
    let mut any = [false; SLOTS];
    any.iter_mut().zip(&ranges).for_each(|(any, range)| *any = !range.is_empty());
    WordIndex { any, ranges, words }
});

impl WordIndex {
    /// Whether no word begins with these letters.
    #[inline]
    fn none_begins(&self, letters: u32) -> bool {
        self.any.get(slot(letters)) == Some(&false)
    }

    /// The words that may begin with these letters.
    fn candidates(&self, letters: u32) -> &[(&'static str, ContainerTrait)] {
        let range = self.ranges.get(slot(letters)).cloned().unwrap_or_default();
        self.words.get(usize::from(range.start)..usize::from(range.end)).unwrap_or_default()
    }
}

/// The last three letters, ignoring case, after another is read.
#[inline]
fn with_letter(letters: u32, letter: u8) -> u32 {
    (letters << 8 | u32::from(letter | 0x20)) & 0xff_ffff
}

/// Slot of three letters in the index.
#[inline]
fn slot(letters: u32) -> usize {
    (letters.wrapping_mul(0x9e37_79b1) >> 20) as usize
}

/// Whether no letter is next to a word, or a change to upper case separates it from the one that is.
fn stands_alone(name: &[u8], start: usize, end: usize) -> bool {
    let at = |place: usize| name.get(place).copied().unwrap_or(b' ');
    let before = start.checked_sub(1).map_or(b' ', at);
    let open = !before.is_ascii_alphabetic() || (before.is_ascii_lowercase() && at(start).is_ascii_uppercase());
    let after = at(end);
    let shut = !after.is_ascii_alphabetic() || (after.is_ascii_uppercase() && at(end - 1).is_ascii_lowercase());
    open && shut
}

/// Appends the hashes of the parts of a word: runs of letters, in lower case, divided where upper case follows lower
/// case.
fn push_tokens(word: &[u8], tokens: &mut Vec<u64>) {
    let (mut from, mut before) = (0, b' ');
    for (at, &here) in word.iter().chain([&b' ']).enumerate() {
        let goes_on = here.is_ascii_alphabetic() && !(before.is_ascii_lowercase() && here.is_ascii_uppercase());
        before = here;
        if goes_on {
            continue;
        }
        push_token(word.get(from..at).unwrap_or_default(), tokens);
        from = if here.is_ascii_alphabetic() { at } else { at + 1 };
    }
}

/// Appends the hash of a part of a word, unless it is too short or too long.
fn push_token(part: &[u8], tokens: &mut Vec<u64>) {
    let mut buffer = [0; LONGEST_TOKEN];
    if part.len() >= 2
        && let Some(lower) = buffer.get_mut(..part.len())
    {
        lower.copy_from_slice(part);
        lower.make_ascii_lowercase();
        tokens.push(hash64(lower));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(traits: ContainerTraits, one: ContainerTrait) -> bool {
        traits.indices().any(|index| index == one as usize)
    }

    fn container<'a>(class: &'a str, id: &'a str) -> Container<'a> {
        Container { tag: Tag::Div, class: class.into(), id: id.into(), role: "".into(), parent: None, same_names: 0 }
    }

    #[test]
    fn every_word_is_found() {
        for (word, one) in WORDS {
            assert!(word.len() >= 3 && has(traits_of_name(word.to_uppercase().as_bytes()), *one), "{word}");
        }
    }

    #[test]
    fn short_words_stand_alone() {
        let traits = |class, id| NameReader::default().traits_and_tokens(&container(class, id), &mut Vec::new());
        assert!(has(traits("nav-box", ""), ContainerTrait::Navigation));
        assert!(has(traits("a leftNav", ""), ContainerTrait::Navigation));
        assert!(!has(traits("unnavigable", ""), ContainerTrait::Navigation));
        assert!(has(traits("", "maincontent"), ContainerTrait::Content));
    }

    #[test]
    fn names_are_divided_into_tokens() {
        let tokens = |class: &str| {
            let mut tokens = Vec::new();
            NameReader::default().traits_and_tokens(&container(class, ""), &mut tokens);
            tokens
        };
        assert_eq!(tokens("post-body"), tokens("postBody"));
        assert_eq!(tokens("post-7816 x"), tokens("post"));
        assert_eq!(tokens("").len(), 0);
        assert_eq!(tokens("a post body post").len(), 2);
    }
}
