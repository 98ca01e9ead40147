//! Applies the selectors of a site rule while the page is read: content or boilerplate for the blocks, values for the
//! metadata.
//!
//! `lol_html` says which selectors match the start tag that comes next ([`RuleMatcher::selector_matches`]). Where the
//! element ends is decided by our own stack of open elements, so that what a selector says ends with its element
//! whether or not there is an end tag. Nothing matches inside `noscript`, which `lol_html` takes for text.

use std::borrow::Cow;

use super::block_text::BlockText;
use super::builder::closes_at_once;
use super::open_elements::OpenElement;
use super::tokenizer::StartTag;
use crate::page::rules::{MetadataField, Purpose, Rule, Selector};

/// Longest value, in Unicode scalars.
const MAX_VALUE: usize = 2000;
/// Most values of a page.
const MAX_VALUES: usize = 100;
/// Most elements at a time whose text is collected.
const MAX_CAPTURES: usize = 8;

/// What the selectors of a site rule say about a block; `clean` decides by it. The innermost element around the block
/// that a `content` or `drop` selector matches decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RuleMatch {
    /// No selector matches an element around the block.
    #[default]
    None,
    /// The block is content.
    Content,
    /// The block is boilerplate; also where selectors of both kinds match one element.
    Drop,
}

/// What a rule found on a page, beside the [`RuleMatch`] of each block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleFindings {
    /// Values for the metadata in the order of the selectors, then of the page: white space collapsed, not
    /// empty, at most 2000 characters, 100 in all. Of a field that is no list, the first value counts.
    pub values: Vec<(MetadataField, String)>,
    /// For every selector, in the order of [`Rule::selectors`], whether it found something on the page: a `content`
    /// selector an element that may hold text, a `drop` selector any element, one for metadata a value. Empty
    /// without a rule.
    pub matched: Vec<bool>,
}

/// A value found on the page.
struct FoundValue {
    /// Index of the selector in the rule.
    selector: usize,
    /// Number of the element among those that selectors matched.
    element: u32,
    field: MetadataField,
    text: String,
}

/// An open element whose text is a value.
struct TextCapture {
    /// Number of the element among those that selectors matched.
    element: u32,
    selectors: Vec<usize>,
    /// How many dropped and hidden elements are open where the element's own text stands.
    unseen: (u32, u32),
    text: BlockText,
}

/// Matches a rule against a page.
#[derive(Default)]
pub struct RuleMatcher<'a> {
    rule: Option<&'a Rule>,
    /// Indices of the selectors that match the current start tag, until its element is open.
    matching: Vec<usize>,
    /// The last start tag that a selector matched.
    source: Option<StartTag<'a>>,
    matched: Vec<bool>,
    captures: Vec<TextCapture>,
    values: Vec<FoundValue>,
    elements: u32,
}

impl<'a> RuleMatcher<'a> {
    /// A matcher at the start of a page.
    pub fn new(rule: Option<&'a Rule>) -> RuleMatcher<'a> {
        let matched = vec![false; rule.map_or(0, |rule| rule.selectors().len())];
        RuleMatcher { rule, matched, ..RuleMatcher::default() }
    }

    /// The rule of the page.
    pub fn rule(&self) -> Option<&'a Rule> {
        self.rule
    }

    /// Notes that a selector, given by its index in the rule, matches the start tag that comes next.
    pub fn selector_matches(&mut self, selector: usize) {
        self.matching.push(selector);
    }

    /// Takes a start tag, whether or not it opens an element: `drop` selectors and values of attributes count.
    pub fn start(&mut self, source: &StartTag<'a>) {
        if self.matching.is_empty() {
            return;
        }
        self.elements += 1;
        self.source = Some(*source);
        for at in self.matching.clone() {
            let Some(selector) = self.selector(at) else { continue };
            if selector.purpose == Purpose::Drop {
                self.set_matched(at);
            }
            let Some(name) = selector.attribute.as_deref() else { continue };
            if let Some(value) = source.attribute(name) {
                let mut text = BlockText::new(false);
                text.push(&attribute_text(name, value), false);
                self.add_value(at, self.elements, &text.text);
            }
        }
    }

    /// Takes an element that opens: the element of the current start tag, or one that this tag implies. `unseen`: how
    /// many dropped and hidden elements are open, the element included.
    pub fn open(&mut self, open: &mut OpenElement<'a>, unseen: (u32, u32)) {
        if self.matching.is_empty() || self.source != Some(open.source) || closes_at_once(&open.source, open.tag) {
            return;
        }
        let mut selectors = std::mem::take(&mut self.matching);
        if unseen.0 == 0 {
            open.rule_match = selectors.iter().map(|&at| self.rule_match_of(at)).fold(RuleMatch::None, strongest);
        }
        selectors.retain(|&at| self.takes_text_of(at));
        if !selectors.is_empty() && self.captures.len() < MAX_CAPTURES {
            open.capture = Some(self.elements);
            self.captures.push(TextCapture { element: self.elements, selectors, unseen, text: BlockText::new(false) });
        }
    }

    /// The current start tag is done, whether or not it opened an element.
    pub fn start_tag_done(&mut self) {
        self.matching.clear();
    }

    /// Whether the text of an open element is collected.
    pub fn wants_text(&self) -> bool {
        !self.captures.is_empty()
    }

    /// Takes text, its character references decoded; `unseen` is how many dropped and hidden elements are open around it.
    /// An element that the page hides gives its text as a value; hidden elements inside it add nothing.
    pub fn text(&mut self, text: &str, unseen: (u32, u32)) {
        let takes_text =
            |capture: &&mut TextCapture| capture.unseen == unseen && capture.text.text.len() <= 4 * MAX_VALUE;
        self.captures.iter_mut().filter(takes_text).for_each(|capture| {
            capture.text.push(text, false);
        });
    }

    /// A line or a block ends: the words on either side stay apart.
    pub fn line_break(&mut self) {
        self.captures.iter_mut().for_each(|capture| capture.text.line_break());
    }

    /// Takes an element that closes.
    pub fn closed(&mut self, open: &OpenElement<'a>) {
        let Some(at) = open.capture.and_then(|id| self.captures.iter().position(|c| c.element == id)) else { return };
        let capture = self.captures.swap_remove(at);
        for selector in capture.selectors {
            self.add_value(selector, capture.element, &capture.text.text);
        }
    }

    /// The findings at the end of the page, when every element is closed.
    pub fn finish(mut self) -> RuleFindings {
        self.values.sort_by_key(|value| (value.selector, value.element));
        let values = self.values.into_iter().map(|value| (value.field, value.text)).collect();
        RuleFindings { values, matched: self.matched }
    }

    fn selector(&self, at: usize) -> Option<&'a Selector> {
        self.rule?.selectors().get(at)
    }

    fn rule_match_of(&mut self, at: usize) -> RuleMatch {
        match self.selector(at).map(|selector| selector.purpose) {
            Some(Purpose::Content) => {
                self.set_matched(at);
                RuleMatch::Content
            }
            Some(Purpose::Drop) => RuleMatch::Drop,
            _ => RuleMatch::None,
        }
    }

    /// Whether a selector takes the text of an element that it matches.
    fn takes_text_of(&self, at: usize) -> bool {
        // Of a field that is no list the first value counts. Its element closes after the elements inside it.
        let has_value = self.has_matched(at) || self.captures.iter().any(|capture| capture.selectors.contains(&at));
        self.selector(at).is_some_and(|selector| {
            selector.attribute.is_none() && field(selector).is_some_and(|field| field.is_list() || !has_value)
        })
    }

    fn add_value(&mut self, at: usize, element: u32, text: &str) {
        let Some(field) = self.selector(at).and_then(field) else { return };
        if text.is_empty() || self.values.len() >= MAX_VALUES || self.has_matched(at) && !field.is_list() {
            return;
        }
        self.set_matched(at);
        let text = text.chars().take(MAX_VALUE).collect::<String>().trim_end().to_owned();
        self.values.push(FoundValue { selector: at, element, field, text });
    }

    fn has_matched(&self, at: usize) -> bool {
        self.matched.get(at).copied().unwrap_or(false)
    }

    fn set_matched(&mut self, at: usize) {
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

/// The metadata field that a selector gives values for.
fn field(selector: &Selector) -> Option<MetadataField> {
    match selector.purpose {
        Purpose::Metadata(field) => Some(field),
        _ => None,
    }
}

fn strongest(a: RuleMatch, b: RuleMatch) -> RuleMatch {
    match (a, b) {
        (RuleMatch::Drop, _) | (_, RuleMatch::Drop) => RuleMatch::Drop,
        (RuleMatch::None, other) => other,
        (RuleMatch::Content, _) => RuleMatch::Content,
    }
}

#[cfg(test)]
mod tests;
