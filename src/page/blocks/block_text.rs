//! The text of one block under construction: white space is normalised and characters are counted while it grows.

mod run;

use self::run::Run;
use crate::page::charset::is_plain;
use crate::text::char_classes::is_chinese_or_japanese;
use crate::text::swar;

/// Whether the character is white space: Unicode's `White_Space` and the four ASCII separators (U+001C to U+001F), as in
/// the reference program.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// White space that is not written yet, because it is not known whether a word follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Gap {
    /// No white space.
    #[default]
    None,
    /// No white space, but the end of an element and the beginning of another one: a capitalised word behind it is a new
    /// word.
    Word,
    /// The same, and a capital letter, a digit or the sign of a currency begins a new word.
    Parted,
    /// White space without a line end.
    Space,
    /// White space with a line end.
    Line,
    /// White space that no source has for its layout (U+3000, a no-break space), beside a line end or not.
    Written,
    /// A line break of the page.
    Break,
    /// A line break in code.
    CodeLine,
}

impl Gap {
    fn of(space: &str) -> Gap {
        if space.bytes().any(|b| matches!(b, b'\n' | b'\r')) { Gap::Line } else { Gap::Space }
    }
}

/// The text of a block under construction. A *node* is the text between two visible tags.
#[derive(Debug, Default)]
pub struct BlockText {
    /// Normalised text so far, never ending with white space, and starting with it only where the first line of verbatim
    /// text is indented.
    pub text: String,
    /// Unicode scalars in `text`.
    pub characters: u32,
    /// Unicode scalars written while a link was open.
    pub link_characters: u32,
    /// Whether there may be something in the text that [`super::Page::normalise`] changes: it is not plain by
    /// [`is_plain`].
    pub special: bool,
    /// Where blanks of the text stand for line breaks: byte offsets in ascending order. None in verbatim text, which has
    /// line feeds, nor in the reference.
    pub breaks: Vec<u32>,
    /// White space before the current node.
    gap: Gap,
    /// White space since the last word of the current node.
    node_gap: Gap,
    /// Whether the current node has a word.
    node_real: bool,
    /// Count and keep white space as the reference does: a line feed for a run with a line end, the
    /// blanks around a link's text counted as link text, blank nodes vanish.
    reference: bool,
    /// Keep white space between words as written, line ends as line feeds, as in `pre`.
    pub verbatim: bool,
    /// White space since the last word, or since the beginning of the first line, where it is kept.
    written: String,
    /// Whether `written` has a line feed.
    line_ended: bool,
}

impl BlockText {
    /// An empty text.
    pub fn new(reference: bool) -> BlockText {
        BlockText { reference, ..BlockText::default() }
    }

    /// Whether what comes next stands right behind such a character.
    pub fn adjoins(&self, is_such: impl Fn(char) -> bool) -> bool {
        self.gap.max(self.node_gap) < Gap::Space && self.text.chars().next_back().is_some_and(is_such)
    }

    /// Bytes that are held.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.written.len()
    }

    /// Appends a piece of the current node; true when it is the first of the node that is not blank.
    pub fn push(&mut self, piece: &str, link: bool) -> bool {
        self.push_runs::<false>(piece, link).0
    }

    /// Appends a piece of the current node up to the first `&`. Gives whether it is the first of the node that is not
    /// blank, and the rest of the piece.
    pub fn push_to_reference<'p>(&mut self, piece: &'p str, link: bool) -> (bool, &'p str) {
        self.push_runs::<true>(piece, link)
    }

    fn push_runs<'p, const TO_REFERENCE: bool>(&mut self, piece: &'p str, link: bool) -> (bool, &'p str) {
        let was_real = self.node_real;
        let mut rest = piece;
        loop {
            let word = trim_start(rest);
            if word.len() < rest.len() {
                self.push_blank(rest.get(..rest.len() - word.len()).unwrap_or_default());
            }
            if word.is_empty() || TO_REFERENCE && word.starts_with('&') {
                return (self.node_real && !was_real, word);
            }
            let run = Run::of::<TO_REFERENCE>(word);
            let (text, after) = word.split_at_checked(run.length).unwrap_or((word, ""));
            self.node_real = true;
            self.special |= run.special;
            self.push_run(text, run.characters, link);
            rest = after;
        }
    }

    /// Appends a piece of the current node that is white space and not empty.
    pub fn push_blank(&mut self, space: &str) {
        let is_layout = self.reference || space.is_ascii();
        self.node_gap = self.node_gap.max(if is_layout { Gap::of(space) } else { Gap::Written });
        if !self.verbatim {
            return;
        }
        // Only the new piece is looked at: what is written already may be long, and the pieces many.
        let kept = match space.rsplit_once(['\n', '\r']) {
            Some((_, line)) if self.text.is_empty() => {
                self.written.clear();
                line
            }
            _ => space,
        };
        self.written.push_str(kept);
        self.line_ended |= kept.contains('\n');
    }

    fn push_run(&mut self, run: &str, characters: usize, link: bool) {
        if self.reference && link && self.node_gap != Gap::None {
            self.link_characters += 1;
        }
        let outer = std::mem::take(&mut self.gap);
        let mut gap = outer.max(std::mem::take(&mut self.node_gap));
        let is_line_end = gap == Gap::Line && outer == Gap::None && !self.reference;
        if is_line_end && joins_without_blank(&self.text, run) {
            gap = Gap::None;
        }
        if matches!(gap, Gap::Word | Gap::Parted) && !begins_anew(&self.text, run, gap == Gap::Word) {
            gap = Gap::None;
        }
        if self.verbatim && !self.written.is_empty() {
            self.push_written();
        } else if gap != Gap::None && !self.text.is_empty() {
            if gap == Gap::Break {
                self.breaks.push(self.text.len() as u32);
            }
            let is_line = gap == Gap::CodeLine || gap == Gap::Line && self.reference;
            self.text.push(if is_line { '\n' } else { ' ' });
            self.characters += 1;
            self.link_characters += u32::from(link && !self.reference);
        }
        self.text.push_str(run);
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        self.characters = self.characters.saturating_add(characters);
        if link {
            let linked = characters - if self.verbatim { unlinked_spaces(run) } else { 0 };
            self.link_characters = self.link_characters.saturating_add(linked);
        }
    }

    fn push_written(&mut self) {
        let lines = self.written.replace("\r\n", "\n").replace('\r', "\n");
        self.characters = self.characters.saturating_add(u32::try_from(lines.chars().count()).unwrap_or(u32::MAX));
        self.text.push_str(&lines);
        self.special |= !is_plain(&lines);
        self.written.clear();
        self.line_ended = false;
    }

    /// The node ends: a visible tag follows.
    pub fn end_node(&mut self, link: bool) {
        let gap = std::mem::take(&mut self.node_gap);
        let real = std::mem::take(&mut self.node_real);
        if real && self.reference && link && gap != Gap::None {
            self.link_characters += 1;
        }
        if real || !self.reference {
            self.gap = self.gap.max(gap);
        }
    }

    /// A blank before the next word if that [`begins_anew`]: an element has ended, and another one follows.
    pub fn part(&mut self) {
        if !self.verbatim && !self.reference {
            self.gap = self.gap.max(Gap::Parted);
        }
    }

    /// A blank before the next word if that is capitalised: an element has ended, and another one follows.
    pub fn part_word(&mut self) {
        if !self.verbatim && !self.reference {
            self.gap = self.gap.max(Gap::Word);
        }
    }

    /// A blank before the next word.
    pub fn blank(&mut self) {
        if !self.verbatim {
            self.gap = self.gap.max(Gap::Space);
        }
    }

    /// A line break inside the block.
    pub fn line_break(&mut self) {
        self.gap = self.gap.max(if self.reference { Gap::Space } else { Gap::Break });
        if self.verbatim && self.text.is_empty() {
            self.written.clear();
        } else if self.verbatim {
            self.written.push('\n');
            self.line_ended = true;
        }
    }

    /// A line of code ends, of which no later decision makes a blank.
    pub fn end_code_line(&mut self) {
        self.line_break();
        self.gap = if self.reference { self.gap } else { Gap::CodeLine };
    }

    /// What follows stands on a line of its own.
    pub fn begin_line(&mut self) {
        if self.verbatim { self.end_line() } else { self.line_break() }
    }

    /// A line of verbatim text ends here, unless it has ended already.
    pub fn end_line(&mut self) {
        if self.verbatim && !self.line_ended {
            self.line_break();
        }
    }

    /// Empties the text and keeps its allocation.
    pub fn clear(&mut self) {
        self.text.clear();
        self.written.clear();
        self.breaks.clear();
        (self.verbatim, self.special, self.line_ended) = (false, false, false);
        (self.characters, self.link_characters, self.gap) = (0, 0, Gap::None);
    }
}

/// Whether a text does not go on with a word that stands right behind it: that begins with a capital letter, a digit or the sign
/// of a currency behind a small letter, a digit or the end of a sentence, or is capitalised behind an abbreviation of capital
/// letters. `capitalised`: a small letter has to follow the capital one, which a colon may precede.
fn begins_anew(text: &str, word: &str, capitalised: bool) -> bool {
    let mut letters = word.chars();
    let (first, second) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    let is_capitalised = first.is_uppercase() && second.is_lowercase();
    let begins =
        if capitalised { is_capitalised } else { first.is_uppercase() || first.is_numeric() || is_currency(first) };
    let mut from_end = text.chars().rev();
    let (last, before) = (from_end.next().unwrap_or(' '), from_end.next().unwrap_or(' '));
    let ends = last.is_lowercase() || last.is_numeric() || ".!?):".contains(last);
    let is_abbreviation = last.is_uppercase() && (before.is_uppercase() || before == '-');
    begins && ends || !capitalised && is_capitalised && is_abbreviation
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '฿' | '₠'..='⃀')
}

/// Whether a line end between two texts is no blank: Chinese and Japanese have none between words (CSS Text, "Segment Break
/// Transformation Rules").
fn joins_without_blank(text: &str, next: &str) -> bool {
    text.chars().next_back().is_some_and(is_chinese_or_japanese)
        && next.chars().next().is_some_and(is_chinese_or_japanese)
}

/// Number of spaces of a run that are white space as written, which is no link text in a verbatim block: those that no
/// visible ASCII character follows.
fn unlinked_spaces(run: &str) -> u32 {
    let unlinked = |pair: &&[u8]| matches!(pair, [b' ', after] if !(b'!'..0x7f).contains(after));
    u32::try_from(run.as_bytes().windows(2).filter(unlinked).count()).unwrap_or(u32::MAX)
}

/// The text with single blanks for white space, and none at its ends.
pub fn collapsed(text: &str) -> String {
    let mut collapsed = BlockText::new(false);
    collapsed.push(text, false);
    collapsed.text
}

/// The text without its leading white space.
pub fn trim_start(text: &str) -> &str {
    let (bytes, mut spaces) = (text.as_bytes(), 0);
    // Most texts begin with a word.
    if bytes.first().is_some_and(u8::is_ascii_graphic) {
        return text;
    }
    loop {
        let eight = swar::load(bytes, spaces);
        let blank = swar::within(eight, b'\t', b'\r') | swar::within(eight, 0x1c, b' ');
        let count = swar::before(swar::others(blank));
        spaces += count;
        if count < 8 {
            break;
        }
    }
    let rest = text.get(spaces..).unwrap_or_default();
    if rest.starts_with(|c: char| c.is_ascii()) { rest } else { rest.trim_start_matches(is_space) }
}

#[cfg(test)]
mod tests;
