//! Words of addresses, titles, class names and labels that tell the kind of page, in groups. A group is a feature.

use std::sync::LazyLock;

use fxhash::FxHashMap;

use crate::hash::hash64;
use crate::text::words;

/// The number of groups of each list.
pub const GROUPS: usize = 7;

/// Words or phrases, one string for each group; a word may be in several.
type List = [&'static str; GROUPS];

/// Names of the groups of each list, by the kind of page that they speak for.
pub const NAMES: [&str; GROUPS] = ["forum", "documentation", "product", "collection", "service", "listing", "article"];

/// Words of hosts and paths, with blanks between them.
const ADDRESS: List = [
    "forum forums thread threads topic topics discussion discussions community viewtopic showthread questions question \
     answers comments board boards bbs discuss talk item",
    "docs doc documentation reference api guide guides tutorial tutorials manual manuals handbook wiki man concepts \
     userguide quickstart book glossary learn help support kb faq developer developers dev readthedocs howto spec specs \
     library sdk",
    "product products shop store dp ip item items buy sku p prd goods",
    "collections collection categories category browse cat subcategory catalog catalogue c shop department departments \
     range all",
    "services service solutions solution about pricing features feature platform company industries industry contact \
     careers consulting agency use cases why enterprise plans software treatments practice areas",
    "tag tags archive archives list listing listings directory search results jobs news events resources reviews awards \
     testimonials courses team press topics author category stories podcast blog cases",
    "blog blogs news article articles story post posts opinion insights magazine politics health sport sports business \
     world life tips press entertainment",
];

/// Words of the title.
const TITLE: List = [
    "forum forums community question thread discussion solved help",
    "documentation docs reference manual api wiki tutorial guide install configuration",
    "shop buy sale online store price free shipping deals women men",
    "shop sale collection collections all",
    "services service solutions company agency software platform consulting lawyer lawyers management experts \
     professional pricing",
    "news articles resources archive archives events blog jobs list courses testimonials reviews topics latest",
    "how why what best tips guide ways things review vs top",
];

/// Parts of the names of `body`.
const BODY: List = [
    "forum topic thread viewtopic questions question discussion discourse",
    "docs doc wiki documentation ns mediawiki sphinx md",
    "product pdp",
    "collection category plp catalog tax",
    "page pageid service services landing template homepage home front",
    "archive category tag blog search listing home index taxonomy",
    "single postid article story blogpost post",
];

/// Whole short blocks, with bars between them.
const LABELS: List = [
    "reply|replies|quote|posts|joined|member|like|log in to reply|share|registered|post|topics|posted|likes|views|asked|\
     answers|score|report|moderator|thread starter|junior member",
    "on this page|table of contents|edit this page|note|parameters|example|examples|syntax|returns|description|see also|\
     contents|was this page helpful|copy|overview|installation|usage|options|in this article|previous|next",
    "add to cart|add to bag|add to basket|buy now|in stock|out of stock|sold out|quantity|free shipping|wishlist|sku|\
     size guide|in den warenkorb|ajouter au panier",
    "sort by|filter|filters|filter by|showing|results|price|load more|view all|show more|next page|refine|clear all|brand|\
     quick view|quick shop|next|previous",
    "get started|contact us|learn more|request a demo|book a demo|get a quote|free trial|request a quote|talk to sales|\
     start free trial|schedule a demo|our services|why choose us|call us|contact sales|book now|free consultation",
    "read more|load more|older posts|next page|view all|see all|all posts|more|learn more|view more|read article|latest",
    "share|tweet|comments|related articles|related posts|written by|share this|leave a reply|read more|advertisement|\
     published|updated|by|tags|related|you may also like|leave a comment|author",
];

/// Hash → the groups that have the word, a bit each.
#[derive(Debug)]
pub struct WordGroups(FxHashMap<u64, u8>);

impl WordGroups {
    fn of(list: &List, separator: char, hash: fn(&str) -> u64) -> WordGroups {
        let mut groups = FxHashMap::default();
        for (group, text) in list.iter().enumerate() {
            for word in text.split(separator) {
                *groups.entry(hash(word)).or_default() |= 1 << group;
            }
        }
        WordGroups(groups)
    }

    /// The groups that have the word of a hash, a bit each.
    pub fn of_word(&self, hash: u64) -> u8 {
        self.0.get(&hash).copied().unwrap_or(0)
    }
}

/// Hash of a phrase by its words.
pub fn phrase_hash(hashes: &[u64]) -> u64 {
    crate::hash::combine(hashes)
}

fn word_hash(word: &str) -> u64 {
    hash64(word.as_bytes())
}

fn label_hash(label: &str) -> u64 {
    let mut hashes = Vec::new();
    words::model_hashes(label, &mut hashes);
    phrase_hash(&hashes)
}

/// Groups of words of hosts and paths.
pub static ADDRESS_WORDS: LazyLock<WordGroups> = LazyLock::new(|| WordGroups::of(&ADDRESS, ' ', word_hash));
/// Groups of words of titles.
pub static TITLE_WORDS: LazyLock<WordGroups> = LazyLock::new(|| WordGroups::of(&TITLE, ' ', word_hash));
/// Groups of parts of the names of `body`.
pub static BODY_WORDS: LazyLock<WordGroups> = LazyLock::new(|| WordGroups::of(&BODY, ' ', word_hash));
/// Groups of short blocks, by [`phrase_hash`].
pub static LABEL_PHRASES: LazyLock<WordGroups> = LazyLock::new(|| WordGroups::of(&LABELS, '|', label_hash));

/// Counts of the groups.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GroupCounts(pub [f32; GROUPS]);

impl GroupCounts {
    /// Adds 1 to each group whose bit is set.
    pub fn add(&mut self, groups: u8) {
        self.0.iter_mut().enumerate().for_each(|(group, count)| *count += f32::from(groups >> group & 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_phrases_are_in_their_groups() {
        let mut counts = GroupCounts::default();
        counts.add(ADDRESS_WORDS.of_word(word_hash("item")));
        assert_eq!(counts.0, [1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(LABEL_PHRASES.of_word(label_hash("Add to cart!")), 1 << 2);
        assert_eq!(LABEL_PHRASES.of_word(label_hash("cart")) | TITLE_WORDS.of_word(7), 0);
        assert_eq!(BODY_WORDS.of_word(word_hash("pdp")), 1 << 2);
    }
}
