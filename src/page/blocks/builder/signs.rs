//! Signs that browsers draw and nobody writes: quotation marks of `q`, and in formulas the lines of fractions, square roots and raised
//! exponents, without which `½` is read as 12.

use super::Builder;
use crate::page::blocks::open_elements::OpenElement;
use crate::page::blocks::tags::Tag;

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

/// Signs that are not written yet, each with the depth of its element.
pub type PendingSigns = Vec<(Sign, usize)>;

impl<'a> Builder<'a> {
    /// An element is opened, and not on the stack yet.
    pub(super) fn open_sign(&mut self, open: &OpenElement<'a>) {
        let depth = self.stack.depth();
        if open.tag == Tag::Q && !self.text.adjoins(|c| c != '”' && begins_quotation(c)) {
            self.signs.push((Sign::Quote, depth));
        } else if self.stack.count(Tag::Math) > 0 && open.source.name == "msqrt" {
            self.signs.push((Sign::Root, depth));
        }
    }

    /// An inline element was closed, and is no longer on the stack.
    pub(super) fn close_sign(&mut self, open: &OpenElement<'a>) {
        let depth = self.stack.depth();
        self.signs.retain(|(_, of)| *of < depth);
        if open.is_marked && self.started {
            self.push_text(if open.tag == Tag::Q { "”" } else { ")" });
            self.end_node();
        }
        if self.stack.count(Tag::Math) > 0
            && let Some(sign) = self.stack.top().and_then(behind_child_of)
            && self.signs.last() != Some(&(sign, depth - 1))
        {
            self.signs.push((sign, depth - 1));
        }
    }

    /// Writes the signs before a text that is not blank.
    pub(super) fn write_signs(&mut self, words: &str) {
        for (sign, depth) in std::mem::take(&mut self.signs) {
            let written = match sign {
                // The page writes them itself.
                Sign::Quote if words.starts_with(begins_quotation) => continue,
                Sign::Quote => "“",
                // Several signs before the line would be read as one number with it: `a + b / 2`.
                Sign::Line if self.text.text.ends_with(char::is_alphanumeric) => "/",
                Sign::Line => " / ",
                Sign::Root => "√(",
                Sign::Raised if words.starts_with(stands_raised) => continue,
                Sign::Raised => "^",
            };
            self.push_text(written);
            if let (Sign::Quote | Sign::Root, Some(element)) = (sign, self.stack.get_mut(depth)) {
                element.is_marked = true;
            }
        }
    }
}

/// The sign between two children of an element of a formula.
fn behind_child_of(parent: &OpenElement<'_>) -> Option<Sign> {
    // Binomial coefficients are fractions without a line.
    let has_line = || {
        let width = parent.source.attribute("linethickness").map(|width| width.trim_end_matches(char::is_alphabetic));
        width.and_then(|width| width.trim().parse::<f32>().ok()) != Some(0.0)
    };
    match parent.source.name {
        "mfrac" => has_line().then_some(Sign::Line),
        "msup" => Some(Sign::Raised),
        _ => None,
    }
}

/// Primes, degrees and stars stand for themselves.
fn stands_raised(c: char) -> bool {
    "′″‴'°∘*∗†⋆".contains(c)
}

/// Whether a quotation begins with a character. Single straight marks and high commas are apostrophes more often.
fn begins_quotation(c: char) -> bool {
    "\"“”„«»‘‚‹「『".contains(c)
}
