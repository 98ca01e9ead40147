//! What the selectors of a rule find while the page goes by: marks for the blocks, values for the metadata.
//!
//! The streaming parser says which selectors match the start tag that comes next ([`Watch::note`]); the
//! rest follows our own stack of open elements, so that a ruling ends where the element does, end tag or
//! not. Inside `noscript`, which the streaming parser takes for text, nothing matches.

use std::borrow::Cow;

use super::builder::closes_at_once;
use super::scan::StartTag;
use super::text::Text;
use super::tree::Open;
use crate::page::rules::{Field, Purpose, Rule, Selector};

/// Longest value, in Unicode scalars.
const MAX_VALUE: usize = 2000;
/// Most values of a page.
const MAX_VALUES: usize = 100;
/// Most elements at a time whose text is collected.
const MAX_CAPTURES: usize = 8;

/// What a rule's selectors say about a block: the innermost element around it that any of them matches decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ruling {
    /// Nothing.
    #[default]
    None,
    /// It is content.
    Content,
    /// It is boilerplate; also where both kinds match one element.
    Drop,
}

/// What a rule found on a page besides the marks of the blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ruled {
    /// Values of the metadata in the order of the selectors, then of the page: white space collapsed, not
    /// empty, at most 2000 characters, 100 in all. Of a field that is no list, the first counts.
    pub values: Vec<(Field, String)>,
    /// For every selector, in the order of [`Rule::selectors`], whether it found something on the page: for
    /// `content` an element that may hold text, for `drop` any element, for metadata a value. Empty
    /// without a rule.
    pub matched: Vec<bool>,
}

/// A value found: selector, place in the page, field, text.
type Value = (usize, u32, Field, String);

/// An open element whose text is a value.
struct Capture {
    element: u32,
    selectors: Vec<usize>,
    /// How many dropped and hidden elements are open where its own text stands.
    unseen: (u32, u32),
    text: Text,
}

/// Follows the page with the eyes of a rule.
#[derive(Default)]
pub struct Watch<'a> {
    rule: Option<&'a Rule>,
    /// Selectors that match the element that is on its way to the stack.
    noted: Vec<usize>,
    source: Option<StartTag<'a>>,
    matched: Vec<bool>,
    captures: Vec<Capture>,
    values: Vec<Value>,
    elements: u32,
}

impl<'a> Watch<'a> {
    /// Nothing seen yet.
    pub fn new(rule: Option<&'a Rule>) -> Watch<'a> {
        Watch { rule, matched: vec![false; rule.map_or(0, |rule| rule.selectors().len())], ..Watch::default() }
    }

    /// The rule.
    pub fn rule(&self) -> Option<&'a Rule> {
        self.rule
    }

    /// A selector, by its place in the rule, matches the start tag that comes next.
    pub fn note(&mut self, selector: usize) {
        self.noted.push(selector);
    }

    /// The start tag goes by, whatever becomes of it.
    pub fn start(&mut self, source: &StartTag<'a>) {
        if self.noted.is_empty() {
            return;
        }
        self.elements += 1;
        self.source = Some(*source);
        for at in self.noted.clone() {
            let Some(selector) = self.selector(at) else { continue };
            if selector.purpose == Purpose::Drop {
                self.found(at);
            }
            let Some(name) = selector.attribute.as_deref() else { continue };
            if let Some(value) = source.attribute(name) {
                let mut text = Text::new(false);
                text.push(&attribute_text(name, value), false);
                self.value(at, self.elements, &text.text);
            }
        }
    }

    /// Its element opens, perhaps others before it. `unseen`: how many dropped and hidden elements are open with it.
    pub fn open(&mut self, open: &mut Open<'a>, unseen: (u32, u32)) {
        let hers = self.source == Some(open.source) && !closes_at_once(&open.source, open.tag);
        if self.noted.is_empty() || !hers {
            return;
        }
        let mut selectors = std::mem::take(&mut self.noted);
        if unseen.0 == 0 {
            open.ruling = selectors.iter().map(|&at| self.ruling_of(at)).fold(Ruling::None, strongest);
        }
        selectors.retain(|&at| self.wants_text(at));
        if !selectors.is_empty() && self.captures.len() < MAX_CAPTURES {
            open.capture = Some(self.elements);
            self.captures.push(Capture { element: self.elements, selectors, unseen, text: Text::new(false) });
        }
    }

    /// The start tag went by.
    pub fn passed(&mut self) {
        self.noted.clear();
    }

    /// Text goes by, with so many dropped and hidden elements open. A value that the page hides is one all the same;
    /// what is hidden inside of it is not.
    pub fn text(&mut self, raw: &str, entities: bool, unseen: (u32, u32)) {
        if self.captures.is_empty() {
            return;
        }
        let text = if entities { htmlize::unescape(raw) } else { Cow::Borrowed(raw) };
        let room = |capture: &&mut Capture| capture.unseen == unseen && capture.text.text.len() <= 4 * MAX_VALUE;
        self.captures.iter_mut().filter(room).for_each(|capture| {
            capture.text.push(&text, false);
        });
    }

    /// A line or a block ends.
    pub fn space(&mut self) {
        self.captures.iter_mut().for_each(|capture| capture.text.space());
    }

    /// An element closes.
    pub fn closed(&mut self, open: &Open<'a>) {
        let Some(at) = open.capture.and_then(|id| self.captures.iter().position(|c| c.element == id)) else { return };
        let capture = self.captures.swap_remove(at);
        for selector in capture.selectors {
            self.value(selector, capture.element, &capture.text.text);
        }
    }

    /// Everything went by and every element closed.
    pub fn finish(mut self) -> Ruled {
        self.values.sort_by_key(|&(selector, element, ..)| (selector, element));
        let values = self.values.into_iter().map(|(.., field, text)| (field, text)).collect();
        Ruled { values, matched: self.matched }
    }

    fn selector(&self, at: usize) -> Option<&'a Selector> {
        self.rule?.selectors().get(at)
    }

    fn ruling_of(&mut self, at: usize) -> Ruling {
        match self.selector(at).map(|selector| selector.purpose) {
            Some(Purpose::Content) => {
                self.found(at);
                Ruling::Content
            }
            Some(Purpose::Drop) => Ruling::Drop,
            _ => Ruling::None,
        }
    }

    fn wants_text(&self, at: usize) -> bool {
        // Of a field that is no list the first counts, and that one closes after those inside of it.
        let known = self.matched.get(at).copied().unwrap_or(false)
            || self.captures.iter().any(|capture| capture.selectors.contains(&at));
        self.selector(at).is_some_and(|selector| {
            selector.attribute.is_none() && field(selector).is_some_and(|field| field.is_list() || !known)
        })
    }

    fn value(&mut self, at: usize, element: u32, text: &str) {
        let Some(field) = self.selector(at).and_then(field) else { return };
        let known = self.matched.get(at).copied().unwrap_or(false);
        if text.is_empty() || self.values.len() >= MAX_VALUES || known && !field.is_list() {
            return;
        }
        self.found(at);
        self.values.push((at, element, field, text.chars().take(MAX_VALUE).collect::<String>().trim_end().to_owned()));
    }

    fn found(&mut self, at: usize) {
        if let Some(matched) = self.matched.get_mut(at) {
            *matched = true;
        }
    }
}

/// The text of an attribute. The contents of `<meta>` elements, which no reader sees, may be escaped twice.
fn attribute_text<'v>(name: &str, value: &'v str) -> Cow<'v, str> {
    let text = htmlize::unescape_attribute(value);
    if name == "content" { htmlize::unescape(text) } else { text }
}

fn field(selector: &Selector) -> Option<Field> {
    match selector.purpose {
        Purpose::Metadata(field) => Some(field),
        _ => None,
    }
}

fn strongest(a: Ruling, b: Ruling) -> Ruling {
    match (a, b) {
        (Ruling::Drop, _) | (_, Ruling::Drop) => Ruling::Drop,
        (Ruling::None, other) => other,
        (Ruling::Content, _) => Ruling::Content,
    }
}

#[cfg(test)]
mod tests;
