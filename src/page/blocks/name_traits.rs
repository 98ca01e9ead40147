//! What the names of classes, ids and properties say about an element.

/// What a class, id or property says about its element: a set of the constants below, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NameTraits(u8);

impl NameTraits {
    /// The name of an author.
    pub const AUTHOR: NameTraits = NameTraits(1);
    /// A date or time.
    pub const DATE: NameTraits = NameTraits(2);
    /// The title of a story.
    pub const TITLE: NameTraits = NameTraits(4);
    /// Something beside the story: comments, a sidebar, other stories.
    pub const ASIDE: NameTraits = NameTraits(8);
    /// The words above a title (kicker, eyebrow).
    pub const KICKER: NameTraits = NameTraits(16);
    /// Facts about the story: a line of metadata.
    pub const META: NameTraits = NameTraits(32);
    /// That the element encloses or lacks something beside the story (`has-sidebar`), and is not beside it itself.
    pub const AROUND: NameTraits = NameTraits(64);
    /// The name of a category.
    pub const CATEGORY: NameTraits = NameTraits(128);

    /// Whether the sets have a member in common.
    #[inline]
    pub fn has(self, other: NameTraits) -> bool {
        self.0 & other.0 != 0
    }

    /// The union of both sets.
    #[inline]
    pub fn union(self, other: NameTraits) -> NameTraits {
        NameTraits(self.0 | other.0)
    }
}

/// A part of a name in lower case, and what it says.
type TraitWord = (&'static [u8], NameTraits);

/// The words that begin with a letter.
const fn words(first: u8) -> &'static [TraitWord] {
    use NameTraits as T;
    match first {
        b'a' => &[
            (b"author", T::AUTHOR),
            (b"autor", T::AUTHOR),
            (b"article-footer", T::AROUND),
            (b"auteur", T::AUTHOR),
            (b"aside", T::ASIDE),
        ],
        b'b' => &[(b"byline", T::AUTHOR), (b"beside", T::AROUND)],
        b'c' => &[
            (b"comment", T::ASIDE),
            (b"created", T::DATE),
            (b"creator", T::AUTHOR),
            (b"copyright", T::ASIDE),
            (b"categor", T::CATEGORY),
        ],
        b'd' => &[(b"date", T::DATE), (b"datum", T::DATE), (b"dachzeile", T::KICKER), (b"data", T::DATE)],
        b'e' => &[(b"eyebrow", T::KICKER), (b"entry-title", T::TITLE), (b"entry-footer", T::AROUND)],
        b'f' => &[(b"fecha", T::DATE), (b"footer", T::ASIDE), (b"forfatter", T::AUTHOR)],
        b'h' => &[(b"headline", T::TITLE), (b"has-", T::AROUND), (b"has_", T::AROUND)],
        b'm' => &[(b"meta", T::META), (b"modif", T::DATE)],
        b'n' => &[(b"no-sidebar", T::AROUND)],
        b'j' => &[(b"journalist", T::AUTHOR)],
        b'k' => &[(b"kicker", T::KICKER), (b"komment", T::ASIDE)],
        b'o' => &[(b"overline", T::KICKER)],
        b'p' => &[
            (b"publi", T::DATE),
            (b"posted", T::DATE),
            (b"parution", T::DATE),
            (b"popular", T::ASIDE),
            (b"post-footer", T::AROUND),
        ],
        b'r' => &[
            (b"related", T::ASIDE),
            (b"recommend", T::ASIDE),
            (b"redakt", T::AUTHOR),
            (b"recent", T::ASIDE),
            (b"roofline", T::KICKER),
        ],
        b's' => &[(b"sidebar", T::ASIDE), (b"stamp", T::DATE), (b"supertitle", T::KICKER)],
        b't' => &[
            (b"time", T::DATE),
            (b"teaser", T::ASIDE),
            (b"topline", T::KICKER),
            (b"title", T::TITLE),
            (b"theiasticky", T::AROUND),
        ],
        b'u' => &[(b"user-name", T::AUTHOR), (b"username", T::AUTHOR)],
        b'v' => &[(b"verfasser", T::AUTHOR)],
        b'w' => &[
            (b"writer", T::AUTHOR),
            (b"written", T::AUTHOR),
            (b"with-", T::AROUND),
            (b"widget-area", T::ASIDE),
            (b"widget_recent", T::ASIDE),
        ],
        _ => &[],
    }
}

/// For each first letter, in either case, the sets of second and of third letters of its words, one bit a letter: most
/// bytes begin no word.
#[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
const NEXT: [(u32, u32); 256] = {
    let mut next = [(0, 0); 256];
    let mut first = 0;
    while first < 256 {
        let mut words = words((first as u8).to_ascii_lowercase());
        while let [(word, _), rest @ ..] = words {
            if let [_, second, third, ..] = word {
                next[first].0 |= bit(*second);
                next[first].1 |= bit(*third);
            }
            words = rest;
        }
        first += 1;
    }
    next
};

/// The bit of a letter, the same for both cases.
const fn bit(letter: u8) -> u32 {
    1 << (letter & 31)
}

/// What a class, id or property, in any case, says about its element.
pub fn name_traits(value: &str) -> NameTraits {
    let bytes = value.as_bytes();
    let mut found = NameTraits::default();
    for (at, letters) in bytes.windows(3).enumerate() {
        let [first, second, third] = letters else { break };
        let (seconds, thirds) = NEXT.get(usize::from(*first)).copied().unwrap_or_default();
        if seconds & bit(*second) == 0 || thirds & bit(*third) == 0 {
            continue;
        }
        for (word, meaning) in words(first.to_ascii_lowercase()) {
            let here = bytes.get(at..at + word.len());
            if here.is_some_and(|here| here.eq_ignore_ascii_case(word)) {
                found = found.union(*meaning);
            }
        }
    }
    found
}

/// Bytes of the shortest name that has traits.
pub const SHORTEST_NAME: usize = 4;

/// Number of names that a cache holds.
const CACHED_NAMES: usize = 1024;

/// The traits of the names met last, by the hash of the name: pages repeat the names of their classes.
#[derive(Default)]
pub struct TraitCache(Vec<(u64, NameTraits)>);

impl TraitCache {
    /// [`name_traits`] of a name.
    pub fn traits(&mut self, name: &str) -> NameTraits {
        if name.len() < SHORTEST_NAME {
            return NameTraits::default();
        }
        if self.0.is_empty() {
            self.0.resize(CACHED_NAMES, (0, NameTraits::default()));
        }
        let hash = fxhash::hash64(name);
        // The upper bits of this hash are the well mixed ones.
        let Some(slot) = self.0.get_mut((hash >> 32) as usize % CACHED_NAMES) else { return name_traits(name) };
        if slot.0 != hash {
            *slot = (hash, name_traits(name));
        }
        slot.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_anywhere() {
        assert!(name_traits("post-Author").has(NameTraits::AUTHOR));
        assert!(name_traits("entryDate x").has(NameTraits::DATE));
        assert!(
            name_traits("c-byline__date").has(NameTraits::AUTHOR)
                && name_traits("c-byline__date").has(NameTraits::DATE)
        );
        assert!(name_traits("main-sidebar").has(NameTraits::ASIDE));
        assert_eq!(name_traits("content wrapper"), NameTraits::default());
        assert_eq!(name_traits("dat"), NameTraits::default());
    }
}
