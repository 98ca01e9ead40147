//! Buttons, whose text is none of the page, unless they open a part of it on a click: then they hold its heading, or the
//! question that it answers (ARIA's accordion).

use super::Builder;
use crate::page::blocks::open_elements::{OpenElement, Role};
use crate::page::blocks::tags::{Tag, TagSet};

const BUTTON: TagSet = TagSet::of(&[Tag::Button]);

impl Builder<'_> {
    /// Whether a heading is open that has no text yet.
    pub(in crate::page::blocks) fn begins_heading(&self) -> bool {
        self.inside.headings > 0 && !self.started
    }

    /// Shows the heading that begins now, if nothing but a button hides it: the part of a page that opens on a click.
    pub(in crate::page::blocks) fn show_heading(&mut self) {
        let Some((at, _)) = self.stack.innermost(&BUTTON).filter(|_| self.inside.dropped == 1) else { return };
        if let Some(button) = self.stack.get_mut(at).filter(|button| button.role == Role::Dropped) {
            button.role = Role::Transparent;
            self.inside.dropped = 0;
        }
    }

    /// Drops the rest of a button behind a heading in it.
    pub(super) fn drop_button(&mut self) {
        let button = self.stack.innermost(&BUTTON).and_then(|(at, _)| self.stack.get_mut(at));
        if let Some(button) = button.filter(|button| button.role == Role::Transparent) {
            button.role = Role::Dropped;
            self.inside.dropped += 1;
        }
    }

    /// Whether a link is open that has text in this block.
    pub(in crate::page::blocks) fn is_in_link_text(&self) -> bool {
        self.link && self.started && self.text.characters > self.before_link
    }

    /// Whether the next text begins a block of its own that belongs to the text of the page, and to no heading.
    pub(in crate::page::blocks) fn begins_block(&self) -> bool {
        !self.started && self.inside.dropped == 0 && self.inside.headings == 0
    }

    /// Starts a block for the text of a button that expands a part of the page.
    pub(in crate::page::blocks) fn begin_button(&mut self) {
        self.boundary();
        self.is_button = true;
    }

    /// An element has ended; with the button, its text does.
    pub(super) fn end_button(&mut self, ended: &OpenElement<'_>) {
        if self.is_button && ended.tag == Tag::Button {
            self.boundary();
            self.is_button = false;
        }
    }

    /// Whether the text of the current block is that of a button and no question, with which an answer begins. Other buttons
    /// have a word or two (`Menu`).
    pub(super) fn is_mere_button(&self) -> bool {
        self.is_button && !self.block.heading && !self.text.text.ends_with(['?', '？', '؟', '\u{37e}'])
    }
}
