//! Signs that browsers draw and nobody writes: quotation marks of `q`, and in formulas the lines of fractions, roots and raised
//! exponents, without which `½` is read as 12.

use super::Builder;
use super::current_block::raised_number;
use crate::page::blocks::open_elements::OpenElement;
use crate::page::blocks::tags::Tag;

const LINE: &str = "/";
const ROOT: &str = "√";
const RAISED: &str = "^";
const QUOTE: &str = "“";
const QUOTE_END: &str = "”";

impl<'a> Builder<'a> {
    /// An inline element was opened.
    pub(super) fn open_sign(&mut self, open: &mut OpenElement<'a>) {
        if open.tag == Tag::Q && !self.ends_with_quote() {
            (open.is_marked, self.sign) = (true, Some(QUOTE));
        } else if self.stack.count(Tag::Math) > 0 && open.source.name == "msqrt" {
            self.sign = Some(ROOT);
        }
    }

    /// An inline element was closed, and is no longer on the stack.
    pub(super) fn close_sign(&mut self, open: &OpenElement<'a>) {
        if open.tag == Tag::Q {
            let is_empty = self.sign.take().is_some();
            if open.is_marked && !is_empty && !self.ends_with_quote() {
                self.push_text(QUOTE_END);
                self.end_node();
            }
        } else if self.stack.count(Tag::Math) > 0 {
            self.sign = match self.stack.top().map(|parent| parent.source.name) {
                Some("mfrac") => Some(LINE),
                Some("msup") => Some(RAISED),
                _ => None,
            };
        } else if open.tag == Tag::Math {
            self.sign = None;
        }
    }

    /// Writes the sign before a piece of text that is not blank. Gives the text that stands for the piece, if that is another one.
    pub(super) fn write_sign(&mut self, words: &str) -> Option<String> {
        let sign = self.sign.take()?;
        if sign == QUOTE && words.starts_with(is_quote) {
            return None;
        }
        let raised = if sign == RAISED { raised_number(words) } else { None };
        if raised.is_none() {
            // A blank before the piece stands before its sign.
            self.push_text(sign);
        }
        raised
    }

    fn ends_with_quote(&self) -> bool {
        self.text.text.ends_with(is_quote)
    }
}

fn is_quote(c: char) -> bool {
    "\"'“”„‘’‚«»‹›「」『』".contains(c)
}
