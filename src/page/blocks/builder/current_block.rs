//! The block that is being read: its text piece by piece, where it stands, and its end.

use std::borrow::Cow;

use super::{ALL_LISTS, Builder, CODE_LINES, ITEMS, TABLES};
use crate::page::blocks::block_text::trim_start;
use crate::page::blocks::lines::keep_lines;
use crate::page::blocks::link_traits::LinkTraits;
use crate::page::blocks::open_elements::OpenElement;
use crate::page::blocks::pieces::pieces;
use crate::page::blocks::tags::{LISTS, Tag, TagSet};
use crate::page::blocks::written_text::{self, WrittenParagraph};
use crate::page::blocks::{Block, BlockKind, browser, reference};
use crate::text::ending;

impl Builder<'_> {
    /// Takes text as written; `references`: whether it has character references.
    pub fn text(&mut self, raw: &str, references: bool) {
        pieces(raw, self.limits.block_bytes).for_each(|piece| self.piece(piece, references));
    }

    fn piece(&mut self, raw: &str, references: bool) {
        if self.reference {
            reference::text(self, raw);
        } else {
            browser::text(self, raw);
        }
        let words = trim_start(raw);
        let counts = self.inside.dropped == 0
            && !self.tree.stopped
            && !self.is_unseen_inline()
            && (words.is_empty() || !self.is_permalink(words) && !self.is_page_number(words));
        if counts {
            if self.block.hidden && self.inside.hidden == 0 && !words.is_empty() {
                self.show_block();
            }
            if self.text.bytes() > 0 && self.text.bytes() + raw.len() >= self.limits.block_bytes {
                self.page.cuts.block_bytes = true;
                self.start_block();
            }
            self.text.verbatim = !self.reference && self.is_preformatted();
            if self.is_note_number(words) || self.is_address_behind_word(words) {
                self.text.blank();
            }
            self.locate(words);
        }
        let raised = if counts { self.exponent(words, references) } else { None };
        if self.head.wants_text() || self.rule_matcher.wants_text() {
            let text = match raised {
                Some(raised) => Cow::Owned(raised),
                None if references => htmlize::unescape(raw),
                None => Cow::Borrowed(raw),
            };
            self.head.text(&text);
            self.rule_matcher.text(&text, (self.inside.dropped, self.inside.hidden));
            if counts {
                self.push_text(&text);
            }
        } else if counts && words.is_empty() {
            self.text.push_blank(raw);
        } else if let Some(raised) = raised {
            self.push_text(&raised);
        } else if counts && references && !self.has_nul {
            let (first, rest) = self.text.push_to_reference(raw, self.link);
            self.text_pushed(first);
            if !rest.is_empty() {
                self.push_text(&htmlize::unescape(rest));
            }
        } else if counts {
            self.push_text(&if references { htmlize::unescape(raw) } else { Cow::Borrowed(raw) });
        }
    }

    /// Whether text that stands here is inside an inline element that no browser shows, in a block that it shows.
    pub(super) fn is_unseen_inline(&self) -> bool {
        self.inside.unseen > 0 && self.started && !self.starts_unseen && !self.reference
    }

    /// Whether an element is open whose white space browsers show as it is written.
    fn is_preformatted(&self) -> bool {
        [Tag::Pre, Tag::Listing, Tag::Xmp, Tag::Plaintext].iter().any(|tag| self.stack.count(*tag) > 0)
    }

    /// Whether the text is code, in which some elements are lines.
    pub(super) fn is_in_code(&self) -> bool {
        !self.reference && self.is_preformatted() && self.stack.count(Tag::Code) > 0
    }

    /// Whether a piece of text is the sign of a link to the heading or definition in which it stands (Sphinx, MkDocs,
    /// rustdoc).
    fn is_permalink(&mut self, words: &str) -> bool {
        const SIGNS: [&str; 8] = ["¶", "&para;", "&#182;", "§", "&sect;", "#", "🔗", "\u{f0c1}"];
        /// Back from a note to the text, and from a quotation to the post.
        const BACK: [&str; 7] = ["↩", "↩\u{fe0e}", "↩\u{fe0f}", "&#8617;", "&#8617;&#65038;", "&#x21a9;", "↑"];
        let sign = words.trim_end();
        if self.reference || self.stack.count(Tag::A) == 0 || !SIGNS.contains(&sign) && !BACK.contains(&sign) {
            return false;
        }
        let Some(traits) = self.link_traits() else { return false };
        if BACK.contains(&sign) {
            return traits.has_fragment && (sign != "↑" || self.inside.quotes > 0);
        }
        // Other links with the sign of a section are to one of a law, say.
        let leads_here = traits.has_fragment || !words.starts_with(['§', '&']);
        leads_here && (self.inside.headings > 0 || traits.is_permalink)
    }

    /// Whether a piece of text is the number of a printed page in a digital edition, behind which its word may go on:
    /// `ap<span class=pagenum>[Pg 4]</span>parently`.
    fn is_page_number(&mut self, words: &str) -> bool {
        const MARKED: [TagSet; 2] = [TagSet::of(&[Tag::Span]), TagSet::of(&[Tag::A])];
        !self.reference
            && written_text::is_page_number(words)
            && MARKED.iter().any(|tags| self.traits_of(tags).is_some_and(|traits| traits.is_page_number))
    }

    /// What the tag of the innermost open link says.
    fn link_traits(&mut self) -> Option<LinkTraits> {
        const LINK: TagSet = TagSet::of(&[Tag::A]);
        self.traits_of(&LINK)
    }

    /// What the tag of the innermost open element of these names says.
    fn traits_of(&mut self, tags: &TagSet) -> Option<LinkTraits> {
        let element = self.stack.innermost(tags).and_then(|(at, _)| self.stack.get_mut(at));
        element.map(OpenElement::link_traits)
    }

    /// Whether a piece of text is the number of a note: raised (`practices.<sup>8</sup>`), or a link to it (`1963<a href="#fn1">1</a>`).
    fn is_note_number(&mut self, words: &str) -> bool {
        const MARKED: TagSet = TagSet::of(&[Tag::Span]);
        let numbers = words.trim_end();
        // In brackets it stands apart already: `[1]`; and the last one of `2–5` belongs to the first.
        if self.reference || !are_note_numbers(numbers) || self.text.text.ends_with(['[', '(', '-', '–', '‐']) {
            return false;
        }
        // A style sheet raises a `span`.
        let is_raised = self.stack.count(Tag::Sup) > 0 || self.traits_of(&MARKED).is_some_and(|span| span.is_to_note);
        let is_linked = self.stack.count(Tag::A) > 0;
        let leads_to_note = |traits: LinkTraits| traits.is_to_note || is_raised && traits.has_fragment;
        is_raised && has_note(&self.text.text, numbers) || is_linked && self.link_traits().is_some_and(leads_to_note)
    }

    /// Whether a piece of text begins with an address and stands right behind a word that is no part of one:
    /// `2019<a>https://doi.org/…</a>`.
    fn is_address_behind_word(&self, words: &str) -> bool {
        const ADDRESSES: [&str; 3] = ["http://", "https://", "www."];
        const LONGEST_WORD: usize = 32;
        let begins = words.starts_with(['h', 'w']) && ADDRESSES.iter().any(|address| words.starts_with(address));
        if self.reference || !begins || !self.text.adjoins(char::is_alphanumeric) {
            return false;
        }
        let text = &self.text.text;
        let near = ending(text, LONGEST_WORD);
        let word = near.rsplit(char::is_whitespace).next().unwrap_or_default();
        // What is longer may be an address.
        (word.len() < near.len() || near.len() == text.len()) && !word.contains(['/', '.', '=', ':'])
    }

    /// A raised number right behind a digit in raised digits: `10<sup>6</sup>` is no 106. So is one with a sign behind a letter:
    /// `m s<sup>-2</sup>`. Signs before other text are written.
    fn exponent(&mut self, words: &str, references: bool) -> Option<String> {
        let is_raised = self.stack.count(Tag::Sup) > 0;
        if self.reference || words.is_empty() || !is_raised && self.signs.is_empty() {
            return None;
        }
        let words = if references { htmlize::unescape(words) } else { Cow::Borrowed(words) };
        let is_digit = |c: char| c.is_ascii_digit() || RAISED_DIGITS.contains(&c);
        let has_sign = words.starts_with(['-', '−', '–', '+']);
        if is_raised && self.text.adjoins(|c| is_digit(c) || has_sign && c.is_alphabetic()) {
            return raised_number(&words);
        }
        self.write_signs(&words);
        None
    }

    /// The block, which began inside a hidden inline element, goes on behind it: it is not hidden, and has none of the text
    /// that no browser shows.
    fn show_block(&mut self) {
        if self.starts_unseen && !self.reference {
            self.text.clear();
            (self.started, self.starts_unseen, self.last_inline) = (false, false, None);
        }
        self.block.hidden = false;
    }

    /// Notes that text of the block stands there: a piece without the white space before it, which may be empty.
    fn locate(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        let begin = (words.as_ptr() as usize).wrapping_sub(self.base);
        let (first, last) = &mut self.block.source;
        if !self.started {
            *first = begin as u32;
        }
        *last = (begin + words.trim_end().len()) as u32;
    }

    /// Adds text, its character references decoded, to the block.
    pub(super) fn push_text(&mut self, text: &str) {
        let nul = if self.reference { "\u{fffd}" } else { "" };
        let first = match memchr::memchr(0, text.as_bytes()) {
            Some(_) => self.text.push(&text.replace('\0', nul), self.link),
            None => self.text.push(text, self.link),
        };
        self.text_pushed(first);
    }

    /// Text was added to the block; `first`: it is the first of its node that is not blank.
    fn text_pushed(&mut self, first: bool) {
        self.after_br &= !first;
        let is_bold = self.stack.count(Tag::B) + self.stack.count(Tag::Strong) > 0;
        if !self.started && !self.text.text.is_empty() {
            self.place_block();
            self.is_bold = is_bold;
        } else if first {
            self.is_bold &= is_bold;
        }
    }

    /// Ends the current block, which is part of the page if it has text, and starts the next.
    pub(super) fn start_block(&mut self) {
        self.rule_matcher.line_break();
        if self.started {
            self.emit();
        }
        (self.started, self.starts_unseen, self.last_inline) = (false, false, None);
        self.text.clear();
        // Other fields are set when the block gets text.
        (self.block.links, self.block.inline_tags) = (0, 0);
        (self.block.heading, self.block.in_select) = (self.inside.headings > 0, self.inside.selects > 0);
    }

    fn emit(&mut self) {
        if self.is_mere_button() {
            self.block = Block::default();
            return;
        }
        let mut block = std::mem::take(&mut self.block);
        block.text = self.text.text.as_str().into();
        block.bold = self.is_bold;
        block.characters = self.text.characters;
        block.link_characters = self.text.link_characters;
        if block.kind == BlockKind::Pre
            && !self.is_code
            && !self.reference
            && let Some(paragraphs) = written_text::paragraphs(&block.text)
        {
            return self.emit_written(Block { text: String::new(), ..block }, paragraphs);
        }
        if !block.heading {
            let gone = keep_lines(&mut block.text, &self.text.breaks);
            if gone > 0 {
                block.characters = block.characters.saturating_sub(gone);
                block.link_characters = block.link_characters.min(block.characters);
            }
        }
        self.head.block(&block);
        self.page.push(block, self.text.special, &self.limits);
    }

    /// Emits the paragraphs of preformatted prose, each as a block of its own like the `whole`, which has no text any more.
    fn emit_written(&mut self, mut whole: Block, paragraphs: Vec<WrittenParagraph>) {
        for WrittenParagraph { text, quoted } in paragraphs {
            let characters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            let share = f64::from(characters) / f64::from(whole.characters.max(1));
            let block = Block {
                kind: BlockKind::P,
                text,
                characters,
                link_characters: (f64::from(whole.link_characters) * share) as u32,
                quoted: whole.quoted || quoted,
                ..whole.clone()
            };
            // The first one stands for the place of all.
            whole.source.0 = whole.source.1;
            self.head.block(&block);
            self.page.push(block, self.text.special, &self.limits);
        }
    }

    /// The block gets its first text: the elements open here are those around it.
    fn place_block(&mut self) {
        self.started = true;
        self.is_code = self.is_in_code();
        let lines = if self.is_code { CODE_LINES } else { TagSet::of(&[]) };
        let nearest = self.stack.innermost(&self.block_tags.without(lines));
        let nearest = nearest.and_then(|(at, _)| self.stack.iter().nth(at));
        self.block.kind = nearest.map_or(BlockKind::Other, |open| open.kind);
        self.block.heading |= self.block.kind.is_heading();
        self.block.container = self.containers.innermost(&mut self.stack, &mut self.attributes);
        self.block.rule_match = self.rule_match;
        self.block.hidden = self.inside.hidden > 0;
        self.starts_unseen = self.inside.unseen > 0;
        self.block.list_depth = LISTS.map(|tag| self.stack.count(tag)).iter().sum();
        self.block.all_lists = self.block.list_depth.saturating_add(self.stack.count(Tag::Dl));
        self.block.quoted = self.inside.quotes > 0;
        self.block.cell = self.stack.cell();
        (self.block.item, self.block.item_number) = self.stack.numbers(&ITEMS);
        self.block.list = self.stack.numbers(&ALL_LISTS).0;
        let quote = if self.inside.quotes > 0 { self.stack.iter().rev().find(|open| open.quotes) } else { None };
        self.block.quote = quote.map_or(0, |quote| quote.number);
        self.block.table = if self.block.cell.0 > 0 { self.stack.numbers(&TABLES).0 } else { 0 };
    }
}

/// Whether a text is the number of a note, or those of some: `8`, `1,2`, `3–5`.
fn are_note_numbers(text: &str) -> bool {
    const MOST_BYTES: usize = 40;
    text.len() <= MOST_BYTES
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.split([',', '-', '–']).all(|number| {
            let number = number.trim();
            (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

const RAISED_DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A whole number in raised digits, with the white space behind it; None for other texts.
fn raised_number(text: &str) -> Option<String> {
    const MOST_BYTES: usize = 20;
    let number = Some(text.trim_end()).filter(|number| number.len() <= MOST_BYTES)?;
    let (sign, digits) = match number.strip_prefix(['-', '−', '–']) {
        Some(digits) => ("⁻", digits),
        None => number.strip_prefix('+').map_or(("", number), |digits| ("⁺", digits)),
    };
    let raised = digits.chars().map(|c| RAISED_DIGITS.get(c.to_digit(10)? as usize));
    let raised: String = raised.collect::<Option<_>>()?;
    (!raised.is_empty()).then(|| [sign, &raised, text.get(number.len()..).unwrap_or_default()].concat())
}

/// Whether raised numbers behind a text are those of notes, and no exponent or fraction: behind a word, its mark, a share, or a year
/// and its mark. A short word is a unit (`km²`), and a price may look like a year (`1999,⁹⁰`).
fn has_note(text: &str, numbers: &str) -> bool {
    const FUNCTIONS: [&str; 6] = ["sin", "cos", "tan", "log", "exp", "max"];
    const MARKS: &[char] =
        &['.', ',', ';', ':', '!', '?', '…', '”', '’', '"', '“', '»', ']', '™', '®', '。', '۔', '؟', '،'];
    let unmarked = text.trim_end_matches(MARKS);
    let is_marked = unmarked.len() < text.len();
    // A bracket alone may be one of a formula.
    let before = if is_marked { unmarked.trim_end_matches(')') } else { unmarked };
    let [e, d, c, b, a] = {
        let mut from_end = before.chars().rev();
        std::array::from_fn(|_| from_end.next().unwrap_or(' '))
    };
    let is_word = [e, d, c].iter().all(|c| c.is_alphabetic());
    let is_function = !b.is_alphabetic() && FUNCTIONS.iter().any(|name| before.ends_with(name));
    let is_year = a == ' ' && (b == '1' || (b, c) == ('2', '0')) && [e, d, c].iter().all(char::is_ascii_digit);
    let is_fraction = numbers.len() == 2 && numbers.ends_with(['0', '5', '9']);
    let are_several = e.is_ascii_digit() && numbers.contains(',');
    are_several || is_word && !is_function || is_year && is_marked && !is_fraction || before.ends_with('%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_notes_are_no_exponents() {
        for text in [
            "practices",
            "practices.",
            "(see below).",
            "in 1980.",
            "of 63%",
            "Tracker™",
            "he “said”",
            "„Buch“",
            "arcsin",
        ] {
            assert!(has_note(text, "16"), "{text}");
        }
        for text in [
            "km",
            "x",
            "10",
            "$19.",
            "1980",
            "about 1,980.",
            "$1299.",
            "€ 2299.",
            "(x+1)",
            "f(abc)",
            "sin",
            "2 exp",
            "",
        ] {
            assert!(!has_note(text, "2"), "{text}");
        }
        for price in [("R$ 1999,", "90"), ("CHF 1250.", "50"), ("1299,", "00"), ("only 1499.", "99")] {
            assert!(!has_note(price.0, price.1), "{price:?}");
        }
        for numbers in ["1", "123", "1,2", "1, 2, 3", "4–6", "2,10,44,28,205,217"] {
            assert!(are_note_numbers(numbers), "{numbers}");
        }
        for text in ["", "1234", "a", "st", "1,", ",", "-1"] {
            assert!(!are_note_numbers(text), "{text}");
        }
    }
}
