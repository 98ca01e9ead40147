//! What stands in the address, the head, the names and the short blocks of a page, as tokens with learned weights for each
//! type of page: a linear model, whose sums are features of the trees.

use compact_str::CompactString;
use fxhash::FxHashMap;

use super::address::Address;
use super::page_type::PageType;
use super::word_groups::phrase_hash;
use crate::clean::PageProfile;
use crate::clean::trees::take;
use crate::hash::hash64;
use crate::page::blocks::{Block, Page, Tag};
use crate::text::words;

/// Where a token stands; the same word is another token elsewhere. Part of the model.
#[derive(Debug, Clone, Copy)]
#[repr(u64)]
enum Field {
    Host = 1,
    Folder,
    Last,
    Query,
    Title,
    MetaKey,
    MetaValue,
    Description,
    Type,
    Name,
    BodyName,
    Element,
    ShortWord,
    Phrase,
    HeadingWord,
}

/// Metas whose first words are tokens.
const VALUES: [&str; 4] = ["og:type", "generator", "twitter:card", "og:site_name"];
/// Words of such a meta.
const VALUE_WORDS: usize = 4;
/// Words of a phrase at most.
const SHORT_WORDS: usize = 4;
/// Tokens of one kind that are looked at, so that no page takes long.
const MOST: usize = 3000;
/// Number of types.
pub const TYPES: usize = PageType::ALL.len();

/// Calls `each` with the tokens of a page; some more than once.
pub fn tokens(
    page: &Page<'_>,
    profile: &PageProfile,
    address: &Address<'_>,
    types: &[&str],
    mut each: impl FnMut(u64),
) {
    let mut buffer = Vec::new();
    address.labels.iter().for_each(|label| each(token(Field::Host, hash64(label.as_bytes()))));
    let folders = address.folders.iter().map(|folder| (Field::Folder, *folder));
    for (field, text) in folders.chain([(Field::Last, address.last), (Field::Query, address.query)]) {
        each_word(text, &mut buffer, |word| each(token(field, word)));
    }
    each_word(&page.head.title, &mut buffer, |word| each(token(Field::Title, word)));
    for meta in &page.head.meta {
        let key = hash64(meta.key.as_bytes());
        each(token(Field::MetaKey, key));
        if meta.key == "description" {
            each_word(&meta.content, &mut buffer, |word| each(token(Field::Description, word)));
        } else if VALUES.contains(&meta.key.as_str()) {
            words::model_hashes(
                meta.content.get(..meta.content.floor_char_boundary(100)).unwrap_or_default(),
                &mut buffer,
            );
            buffer.drain(..).take(VALUE_WORDS).for_each(|word| each(token(Field::MetaValue, word ^ key)));
        }
    }
    for name in types {
        let mut lower = CompactString::from(*name);
        lower.make_ascii_lowercase();
        each(token(Field::Type, hash64(lower.as_bytes())));
    }
    of_containers(page, profile, &mut each);
    let blocks = page.blocks.iter().zip(profile.assessment_words()).take(MOST);
    blocks.for_each(|(block, words)| of_block(block, words, &mut each));
}

fn token(field: Field, word: u64) -> u64 {
    word.rotate_left(7).wrapping_mul(2 * field as u64 + 1)
}

fn each_word(text: &str, buffer: &mut Vec<u64>, each: impl FnMut(u64)) {
    buffer.clear();
    words::model_hashes(text.get(..text.floor_char_boundary(1000)).unwrap_or_default(), buffer);
    buffer.drain(..).for_each(each);
}

/// The parts of the names of containers, each name once, and the elements.
fn of_containers(page: &Page<'_>, profile: &PageProfile, each: &mut impl FnMut(u64)) {
    let mut elements = [false; Tag::COUNT];
    for (at, (container, names)) in page.containers.iter().zip(profile.names()).enumerate().take(MOST) {
        elements.get_mut(container.tag as usize).into_iter().for_each(|seen| *seen = true);
        let is_body = container.tag == Tag::Body;
        if is_body || container.same_names as usize == at {
            let field = if is_body { Field::BodyName } else { Field::Name };
            profile.tokens(names).iter().for_each(|&name| each(token(field, name)));
        }
    }
    let seen = (0..).zip(elements).filter(|(_, seen)| *seen);
    seen.for_each(|(element, _)| each(token(Field::Element, element)));
}

fn of_block(block: &Block, words: &[u64], each: &mut impl FnMut(u64)) {
    if (1..=SHORT_WORDS).contains(&words.len()) {
        each(token(Field::Phrase, phrase_hash(words)));
        words.iter().for_each(|&word| each(token(Field::ShortWord, word)));
    }
    if block.heading {
        words.iter().for_each(|&word| each(token(Field::HeadingWord, word)));
    }
}

/// Weights of tokens for each type, in integers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TypeWeights {
    /// Token → its place in `weights`.
    places: FxHashMap<u64, u32>,
    weights: Vec<[i8; TYPES]>,
    /// Sum of the types for a page without a known token, and what a unit of the weights stands for.
    bias: [f32; TYPES],
    unit: f32,
}

impl TypeWeights {
    /// Reads weights: the unit, the bias of each type, the number of tokens, then for each eight bytes of hash and a byte
    /// for each type. None for other bytes.
    pub fn read(bytes: &mut &[u8]) -> Option<TypeWeights> {
        let mut all = TypeWeights { unit: f32::from_le_bytes(take(bytes)?), ..TypeWeights::default() };
        for bias in &mut all.bias {
            *bias = f32::from_le_bytes(take(bytes)?);
        }
        for place in 0..u32::from_le_bytes(take(bytes)?) {
            all.places.insert(u64::from_le_bytes(take(bytes)?), place);
            all.weights.push(take::<TYPES>(bytes)?.map(|byte| byte as i8));
        }
        Some(all)
    }

    /// The sum for each type over the known tokens of a page, each counted once, divided by the root of their number.
    pub fn sums(&self, page: &Page<'_>, profile: &PageProfile, address: &Address<'_>, types: &[&str]) -> [f32; TYPES] {
        let (mut sums, mut known) = ([0i32; TYPES], 0u32);
        let mut seen = vec![false; self.weights.len()];
        tokens(page, profile, address, types, |token| {
            let Some(&place) = self.places.get(&token) else { return };
            let (Some(seen), Some(weights)) = (seen.get_mut(place as usize), self.weights.get(place as usize)) else {
                return;
            };
            if !std::mem::replace(seen, true) {
                known += 1;
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += i32::from(*weight));
            }
        });
        let scale = self.unit / (known.max(1) as f32).sqrt();
        let mut out = self.bias;
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum as f32 * scale);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::{Options, page};

    #[test]
    fn known_tokens_count_once() {
        let page = page("<title>Shop shop</title><div class=product-box><p>Buy now", &Options::default());
        let address = Address::of("http://shop.example/shop");
        let mut found = Vec::new();
        let profile = PageProfile::of(&page);
        tokens(&page, &profile, &address, &[], |token| found.push(token));
        let title = token(Field::Title, hash64(b"shop"));
        assert_eq!(found.iter().filter(|&&token| token == title).count(), 2);
        assert!(found.contains(&token(Field::Last, hash64(b"shop"))));
        assert!(found.contains(&token(Field::Name, hash64(b"product"))));
        let row = |token: u64, weight: i8| [&token.to_le_bytes()[..], &[weight as u8; TYPES]].concat();
        let head = [&0.5f32.to_le_bytes()[..], &[0; 4 * TYPES], &2u32.to_le_bytes()].concat();
        let bytes = [head, row(title, 4), row(1, 100)].concat();
        let weights = TypeWeights::read(&mut &bytes[..]).unwrap();
        assert_eq!(weights.sums(&page, &profile, &address, &[]), [2.0; TYPES]);
        assert_eq!(TypeWeights::read(&mut &bytes[..bytes.len() - 1]), None);
    }
}
