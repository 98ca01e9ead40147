//! Elements that are opened and closed: what is counted of them, and whether they end the block or part its words.

use super::{ALL_LISTS, Builder, CODE_LINES, EndedInline, ITEMS, TABLES};
use crate::page::blocks::emoticons;
use crate::page::blocks::open_elements::{OpenElement, Role};
use crate::page::blocks::rule_matcher::RuleMatch;
use crate::page::blocks::tags::{Tag, TagSet};
use crate::page::blocks::tokenizer::StartTag;
use crate::text::ending;

/// Inline elements that hold code.
const CODE: [Tag; 4] = [Tag::Code, Tag::Kbd, Tag::Samp, Tag::Tt];

/// Bytes that are looked at of a word before a colon or a full stop.
const LONGEST_LABEL: usize = 64;

/// Inline elements whose text is a fact of its own.
const FACTS: TagSet = TagSet::of(&[Tag::Time, Tag::Ins, Tag::Del]);

impl<'a> Builder<'a> {
    /// Opens an element: puts it on the stack.
    pub(in crate::page::blocks) fn push(&mut self, mut open: OpenElement<'a>) {
        if self.inside.dropped == 0 && open.role == Role::Visible {
            self.end_node();
        }
        self.inside.enter(&open);
        if ITEMS.union(TABLES).union(ALL_LISTS).has(open.tag) || open.quotes {
            self.numbered = self.numbered.saturating_add(1);
            open.number = self.numbered;
        }
        open.ordinal = self.stack.ordinal(&open.source);
        open.link &= self.inside.dropped == 0;
        open.text_before = self.text.text.len();
        if self.inside.dropped == 0 && !self.reference {
            self.open_sign(&open);
        }
        self.rule_matcher.open(&mut open, (self.inside.dropped, self.inside.hidden));
        self.stack.push(open);
        if self.inside.dropped == 0 && open.role == Role::Visible {
            self.opened(&open);
        }
        if open.rule_match != RuleMatch::None {
            self.update_rule_match();
        }
    }

    fn opened(&mut self, open: &OpenElement<'a>) {
        let second_break = open.tag == Tag::Br && self.after_br && !self.is_in_code();
        if second_break || self.starts_block(open.tag) {
            if second_break {
                self.block.inline_tags = self.block.inline_tags.saturating_sub(1);
            }
            self.start_block();
            return;
        }
        // In jusText any tag between two breaks makes them single ones.
        self.after_br = open.tag == Tag::Br || self.after_br && !self.reference;
        if open.tag == Tag::Br {
            if self.stack.count(Tag::Code) > 0 {
                self.text.end_code_line()
            } else {
                self.text.line_break()
            }
            self.rule_matcher.line_break();
        } else {
            self.part_lines(open);
            self.part_sentence(open.tag);
        }
        self.part_inline(open);
        if open.tag == Tag::Img {
            self.show_emoticon(open);
        }
        self.link |= open.link;
        if open.link {
            self.before_link = self.text.characters;
        }
        self.block.links += u32::from(open.link);
        self.block.inline_tags += 1;
    }

    /// The line ends where an inline element begins or ends that is lines of its own, by its style or in code.
    fn part_lines(&mut self, open: &OpenElement<'a>) {
        if open.is_line {
            self.text.begin_line();
            self.rule_matcher.line_break();
        } else if CODE_LINES.has(open.tag) || open.is_code_line && self.is_behind_code_line() {
            self.text.end_line();
        }
    }

    /// The tag of the inline element with text that has just ended and began right behind a digit.
    pub(in crate::page::blocks) fn unit_before(&self) -> Option<&StartTag<'a>> {
        let text = &self.text.text;
        let before =
            self.last_inline.as_ref().filter(|before| before.text.end == text.len() && !before.text.is_empty())?;
        text.get(..before.text.start)?.ends_with(|c: char| c.is_ascii_digit()).then_some(&before.source)
    }

    /// Whether a line of code has just ended.
    fn is_behind_code_line(&self) -> bool {
        self.last_inline.as_ref().is_some_and(|before| before.is_code_line && before.text.end == self.text.text.len())
    }

    /// A picture within a text that stands for a character. In `noscript` it may stand a second time.
    fn show_emoticon(&mut self, image: &OpenElement<'a>) {
        let is_shown =
            self.started && !self.reference && !image.hidden && !self.is_unseen_inline() && !self.tree.stopped;
        let Some(text) = (if is_shown { emoticons::text_of(&image.source) } else { None }) else { return };
        if self.stack.count(Tag::Noscript) > 0 && self.text.text.ends_with(&text) {
            return;
        }
        if text.is_ascii() {
            self.text.blank();
        }
        self.write_signs(&text);
        self.push_text(&text);
        self.end_node();
    }

    /// Parts an inline element from another one that stands right before it, if it is none of its parts: a link from a link, such
    /// as the next button of a row, a word from a number, and words that a style sheet sets apart. The parts of one thing have the same
    /// tag.
    fn part_inline(&mut self, open: &OpenElement<'a>) {
        let end = self.text.text.len();
        let Some(before) = self.last_inline.as_ref().filter(|before| before.text.end == end && end > 0) else { return };
        let is_other = || before.source.source != open.source.source;
        let before_tag = before.source.tag;
        if self.stack.count(Tag::Sup) + self.stack.count(Tag::Sub) > 0 || before_tag == Tag::Sub {
            return;
        }
        if !self.reference && matches!((before_tag, open.tag), (Tag::Del, Tag::Ins) | (Tag::Label, Tag::Label)) {
            self.text.blank();
        } else if before_tag == Tag::A && open.tag == Tag::A && is_other() || FACTS.has(open.tag) {
            self.text.part();
        } else if self.text.text.ends_with(|c: char| c.is_ascii_digit())
            || is_other() && (before.source.named || open.source.named) && self.is_label(before.text.start, open.tag)
        {
            self.text.part_word();
        }
    }

    /// Whether the text from an offset on is words from which a capitalised one behind them may be parted: several, for a single one
    /// can be a part of a name (`DataFeed`), that end with small letters, and no code.
    fn is_label(&self, from: usize, tag: Tag) -> bool {
        let mut last = self.text.text.chars().rev().take(2);
        let is_small = |c: Option<char>| c.is_some_and(char::is_lowercase);
        is_small(last.next())
            && is_small(last.next())
            && tag != Tag::Wbr
            && self.inside.headings == 0
            && !self.text.verbatim
            && !self.is_in_inline_code()
            && self.text.text.get(from..).is_some_and(|words| words.trim_start().contains(' '))
    }

    fn is_in_inline_code(&self) -> bool {
        CODE.iter().any(|tag| self.stack.count(*tag) > 0)
    }

    /// Parts a label or a sentence from a capitalised word where an inline element begins or ends between them: style sheets set
    /// them apart (`<b>Speaker:</b>What did you see?`). Headings, code and addresses are left alone: names such as
    /// `java.util.List` stay whole.
    fn part_sentence(&mut self, tag: Tag) {
        let before =
            self.text.text.strip_suffix([':', '.', '?', '!']).filter(|before| before.ends_with(char::is_alphabetic));
        let Some(before) = before.filter(|_| self.inside.headings == 0 && tag != Tag::Wbr) else { return };
        let word = ending(before, LONGEST_LABEL).rsplit(char::is_whitespace).next().unwrap_or_default();
        // `MARLOW.` and `Q:`; another capital letter alone is an initial or a drive.
        let is_word = word.ends_with(char::is_lowercase)
            || word.len() > 2
            || ["Q", "A"].contains(&word) && self.text.text.ends_with(':');
        if is_word && !word.contains(['.', '/', '@', '_', ':']) && !self.is_in_inline_code() {
            self.text.part_word();
        }
    }

    /// Parts a bold name and its colon from a number or price behind it: `<b>Date of birth:</b>1950`. A single word in small letters may
    /// begin an address or a key (`doi:10.1000`, `localhost:8080`).
    fn part_name(&mut self, open: &OpenElement<'a>) {
        if !matches!(open.tag, Tag::B | Tag::Strong | Tag::Label) || !self.text.text.ends_with(':') {
            return;
        }
        let text = self.text.text.get(open.text_before..).map(str::trim_start).unwrap_or_default();
        let is_name = text.len() <= LONGEST_LABEL
            && text.strip_suffix(':').is_some_and(|name| name.ends_with(char::is_lowercase))
            && (text.starts_with(char::is_uppercase) || text.contains(' '));
        if is_name && !self.is_in_inline_code() {
            self.text.part();
        }
    }

    /// Parts bold words at the beginning of a block from a capitalised word behind them: `<b>Opening hours</b>Monday`. A single word
    /// may be a part of a name.
    fn part_label(&mut self, tag: Tag) {
        let is_bold = matches!(tag, Tag::B | Tag::Strong) && self.is_bold;
        if is_bold && self.text.text.len() <= LONGEST_LABEL && self.is_label(0, tag) {
            self.text.part_word();
        }
    }

    /// The line ends behind the words with which forums begin a quotation, and behind the date that follows these:
    /// `<cite>Jane wrote: 3 May 2019 9:00</cite>`.
    fn end_speaker(&mut self, open: &OpenElement<'a>) {
        /// Digits of a day and its year, at least. Titles have fewer behind their colon.
        const DATE: usize = 5;
        if open.tag != Tag::Cite || self.inside.quotes == 0 {
            return;
        }
        let words = self.text.text.get(open.text_before..).unwrap_or_default();
        let behind = || words.rsplit_once(": ").map_or("", |(_, behind)| behind);
        let is_date = || behind().bytes().filter(u8::is_ascii_digit).count() >= DATE;
        if words.trim_end().ends_with(':') || open.text_before == 0 && is_date() {
            self.text.begin_line();
        }
    }

    /// Closes the innermost element.
    pub(in crate::page::blocks) fn pop(&mut self) -> Option<Tag> {
        if self.inside.dropped == 0 && self.stack.top().is_some_and(|top| top.role == Role::Visible) {
            self.end_node();
        }
        let open = self.stack.pop()?;
        self.closed(&open);
        Some(open.tag)
    }

    /// Closes an element of the stack's middle, leaving those inside open.
    pub(in crate::page::blocks) fn remove(&mut self, at: usize) {
        if self.inside.dropped == 0 {
            self.end_node();
        }
        if let Some(open) = self.stack.remove(at) {
            self.closed(&open);
        }
    }

    fn closed(&mut self, open: &OpenElement<'a>) {
        self.inside.leave(open);
        self.rule_matcher.closed(open);
        if open.rule_match != RuleMatch::None {
            self.update_rule_match();
        }
        self.end_button(open);
        // Also where an element inside it is dropped that goes on: `<a href=x><button></a>`.
        self.link &= !open.link;
        if self.inside.dropped > 0 || open.role != Role::Visible {
            return;
        }
        if self.starts_block(open.tag) {
            self.start_block();
        } else {
            // Behind a line of code stands its line end, or the next one.
            if !open.is_code_line {
                self.part_lines(open);
            }
            self.close_sign(open);
            self.end_speaker(open);
            self.part_sentence(open.tag);
            self.part_label(open.tag);
            self.part_name(open);
            let text = open.text_before..self.text.text.len();
            self.last_inline = Some(EndedInline { source: open.source, is_code_line: open.is_code_line, text });
        }
        if open.tag == Tag::A {
            self.link = false;
        }
        if FACTS.has(open.tag) {
            self.text.part();
        }
        if open.heading && self.stack.count(Tag::Button) > 0 {
            self.drop_button();
        }
    }

    /// An element that a selector of the rule matches was opened or closed: if the rule now says something else, the
    /// block ends.
    fn update_rule_match(&mut self) {
        let rule_matches = self.stack.iter().rev().map(|open| open.rule_match);
        let rule_match = rule_matches.into_iter().find(|&rule_match| rule_match != RuleMatch::None).unwrap_or_default();
        if std::mem::replace(&mut self.rule_match, rule_match) != rule_match && !self.reference {
            self.end_node();
            self.start_block();
        }
    }

    /// Whether a tag of this name starts a block.
    fn starts_block(&self, tag: Tag) -> bool {
        self.block_tags.has(tag) && !(CODE_LINES.has(tag) && self.is_in_code())
    }
}
