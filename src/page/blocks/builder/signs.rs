//! Signs that browsers draw and nobody writes: quotation marks of `q`, and in formulas the lines of fractions, square roots and raised
//! exponents, without which `½` is read as 12.

use super::Builder;
use super::current_block::raised_number;
use crate::page::blocks::open_elements::OpenElement;
use crate::page::blocks::tags::{Tag, TagSet};

/// A sign that is written before the next text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sign {
    /// The quotation mark at the beginning of a `q`.
    Quote,
    /// The line of a fraction.
    Line,
    Root,
    /// What follows is an exponent.
    Raised,
}

impl<'a> Builder<'a> {
    /// An element is opened, and not on the stack yet.
    pub(super) fn open_sign(&mut self, open: &mut OpenElement<'a>) {
        if open.tag == Tag::Q && !self.text.adjoins(begins_quotation) {
            (open.is_marked, self.sign) = (true, Some(Sign::Quote));
        } else if self.stack.count(Tag::Math) > 0 && open.source.name == "msqrt" {
            self.sign = Some(Sign::Root);
        }
    }

    /// An inline element was closed, and is no longer on the stack.
    pub(super) fn close_sign(&mut self, open: &OpenElement<'a>) {
        if open.tag == Tag::Q {
            let is_empty = self.sign.take().is_some();
            if open.is_marked && !is_empty {
                self.push_text("”");
                self.end_node();
            }
        } else if self.stack.count(Tag::Math) > 0 {
            if open.source.name == "msqrt" && self.sign.is_none() {
                self.push_text(")");
                self.end_node();
            }
            self.sign = self.stack.top().and_then(|parent| match parent.source.name {
                "mfrac" if parent.source.attribute("linethickness").is_none_or(|line| !line.starts_with('0')) => {
                    Some(Sign::Line)
                }
                "msup" => Some(Sign::Raised),
                _ => None,
            });
        } else if open.tag == Tag::Math {
            self.sign = None;
        }
    }

    /// Writes the sign before a text that is not blank. Gives the text that stands for it, if that is another one.
    pub(super) fn write_sign(&mut self, words: &str) -> Option<String> {
        let is_word = words.starts_with(char::is_alphanumeric);
        match self.sign.take()? {
            // The page writes them itself.
            Sign::Quote if words.starts_with(begins_quotation) => self.unmark(),
            Sign::Quote => self.push_text("“"),
            // Several signs before the line would be read as one number with it: `a + b / 2`.
            Sign::Line if self.text.text.ends_with(char::is_alphanumeric) => self.push_text("/"),
            Sign::Line => self.push_text(" / "),
            Sign::Root => self.push_text("√("),
            Sign::Raised => {
                let is_alone = self.stack.iter().rev().nth(1).is_some_and(|parent| parent.source.name == "msup");
                let raised = if is_alone { raised_number(words) } else { None };
                // A prime or a star stands for itself.
                if raised.is_none() && is_word {
                    self.push_text("^");
                }
                return raised;
            }
        }
        None
    }

    fn unmark(&mut self) {
        const QUOTE: TagSet = TagSet::of(&[Tag::Q]);
        let place = self.stack.innermost(&QUOTE).map(|(at, _)| at);
        if let Some(quote) = place.and_then(|at| self.stack.get_mut(at)) {
            quote.is_marked = false;
        }
    }
}

/// Whether a quotation begins with a character. Single straight marks and high commas are apostrophes more often.
fn begins_quotation(c: char) -> bool {
    "\"“„«‘‚‹「『".contains(c)
}
