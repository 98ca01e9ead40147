//! What the names of classes, ids and properties say about an element.

/// What a name speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits(u8);

impl Traits {
    /// A person who wrote.
    pub const AUTHOR: Traits = Traits(1);
    /// A day or time.
    pub const DATE: Traits = Traits(2);
    /// The title of a story.
    pub const TITLE: Traits = Traits(4);
    /// What is not the story: comments, sidebars, other stories.
    pub const ASIDE: Traits = Traits(8);
    /// The words above a title.
    pub const KICKER: Traits = Traits(16);
    /// Facts about a story.
    pub const META: Traits = Traits(32);
    /// That something else stands beside: the element itself does not.
    pub const AROUND: Traits = Traits(64);

    /// Whether some of `other` is there.
    pub fn has(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }

    /// Both together.
    pub fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

type Word = (&'static [u8], Traits);

/// The words by their first letter.
const fn words(first: u8) -> &'static [Word] {
    use Traits as T;
    match first {
        b'a' => &[
            (b"author", T::AUTHOR),
            (b"autor", T::AUTHOR),
            (b"article-footer", T::AROUND),
            (b"auteur", T::AUTHOR),
            (b"aside", T::ASIDE),
        ],
        b'b' => &[(b"byline", T::AUTHOR), (b"beside", T::AROUND)],
        b'c' => &[(b"comment", T::ASIDE), (b"created", T::DATE), (b"creator", T::AUTHOR), (b"copyright", T::ASIDE)],
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
        b'r' => &[(b"related", T::ASIDE), (b"recommend", T::ASIDE), (b"redakt", T::AUTHOR), (b"recent", T::ASIDE)],
        b's' => &[(b"sidebar", T::ASIDE), (b"stamp", T::DATE), (b"signature", T::AUTHOR)],
        b't' => &[(b"time", T::DATE), (b"teaser", T::ASIDE), (b"topline", T::KICKER), (b"title", T::TITLE)],
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

/// For each first letter (in any case) the second and the third letters of its words, a bit each:
/// most bytes begin no word.
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

/// The same for both cases of a letter.
const fn bit(letter: u8) -> u32 {
    1 << (letter & 31)
}

/// What a class, id or property says, in any case.
pub fn traits(value: &str) -> Traits {
    let bytes = value.as_bytes();
    let mut found = Traits::default();
    for (at, letters) in bytes.windows(3).enumerate() {
        let [first, second, third] = letters else { break };
        let (seconds, thirds) = NEXT.get(usize::from(*first)).copied().unwrap_or_default();
        if seconds & bit(*second) == 0 || thirds & bit(*third) == 0 {
            continue;
        }
        for (word, meaning) in words(first.to_ascii_lowercase()) {
            let here = bytes.get(at..at + word.len());
            if here.is_some_and(|here| here.eq_ignore_ascii_case(word)) {
                found = found.and(*meaning);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_anywhere() {
        assert!(traits("post-Author").has(Traits::AUTHOR));
        assert!(traits("entryDate x").has(Traits::DATE));
        assert!(traits("c-byline__date").has(Traits::AUTHOR) && traits("c-byline__date").has(Traits::DATE));
        assert!(traits("main-sidebar").has(Traits::ASIDE));
        assert_eq!(traits("content wrapper"), Traits::default());
        assert_eq!(traits("dat"), Traits::default());
    }
}
