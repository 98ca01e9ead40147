//! The text of one block under construction: white space is normalised and characters are counted while it grows.

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
    /// White space without a line end.
    Space,
    /// White space with a line end.
    Line,
}

impl Gap {
    fn of(space: &str) -> Gap {
        if space.bytes().any(|b| matches!(b, b'\n' | b'\r')) { Gap::Line } else { Gap::Space }
    }
}

/// The text of a block under construction. A *node* is the text between two visible tags.
#[derive(Debug, Default)]
pub struct BlockText {
    /// Normalised text so far, never starting or ending with white space.
    pub text: String,
    /// Unicode scalars in `text`.
    pub characters: u32,
    /// Unicode scalars written while a link was open.
    pub link_characters: u32,
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
    /// White space since the last word, where it is kept.
    written: String,
}

impl BlockText {
    /// An empty text.
    pub fn new(reference: bool) -> BlockText {
        BlockText { reference, ..BlockText::default() }
    }

    /// Appends a piece of the current node; true when it is the first of the node that is not blank.
    pub fn push(&mut self, piece: &str, link: bool) -> bool {
        let was_real = self.node_real;
        let mut rest = piece;
        loop {
            let word = trim_start(rest);
            if word.len() < rest.len() {
                let space = rest.get(..rest.len() - word.len()).unwrap_or_default();
                self.node_gap = self.node_gap.max(if self.reference { Gap::of(space) } else { Gap::Space });
                if self.verbatim && !self.text.is_empty() {
                    self.written.push_str(space);
                }
            }
            if word.is_empty() {
                return self.node_real && !was_real;
            }
            let (run, after) = word.split_at(run_length(word));
            self.node_real = true;
            self.push_run(run, link);
            rest = after;
        }
    }

    fn push_run(&mut self, run: &str, link: bool) {
        if self.reference && link && self.node_gap != Gap::None {
            self.link_characters += 1;
        }
        let gap = self.gap.max(std::mem::take(&mut self.node_gap));
        self.gap = Gap::None;
        if self.verbatim && !self.written.is_empty() {
            self.push_written();
        } else if gap != Gap::None && !self.text.is_empty() {
            self.text.push(if gap == Gap::Line && self.reference { '\n' } else { ' ' });
            self.characters += 1;
            self.link_characters += u32::from(link && !self.reference);
        }
        self.text.push_str(run);
        let characters = u32::try_from(run.chars().count()).unwrap_or(u32::MAX);
        self.characters = self.characters.saturating_add(characters);
        if link {
            self.link_characters = self.link_characters.saturating_add(characters);
        }
    }

    fn push_written(&mut self) {
        let lines = self.written.replace("\r\n", "\n").replace('\r', "\n");
        self.characters = self.characters.saturating_add(u32::try_from(lines.chars().count()).unwrap_or(u32::MAX));
        self.text.push_str(&lines);
        self.written.clear();
    }

    /// The node ends: a visible tag follows. `glue` makes blank nodes vanish.
    pub fn end_node(&mut self, link: bool, glue: bool) {
        let gap = std::mem::take(&mut self.node_gap);
        let real = std::mem::take(&mut self.node_real);
        if real && self.reference && link && gap != Gap::None {
            self.link_characters += 1;
        }
        if real || !glue {
            self.gap = self.gap.max(gap);
        }
    }

    /// A line break inside the block.
    pub fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
        if self.verbatim && !self.text.is_empty() {
            self.written.push('\n');
        }
    }

    /// Empties the text and keeps its allocation.
    pub fn clear(&mut self) {
        self.text.clear();
        self.written.clear();
        self.verbatim = false;
        (self.characters, self.link_characters, self.gap) = (0, 0, Gap::None);
    }
}

/// The text without its leading white space; the text between two tags is often nothing else.
fn trim_start(text: &str) -> &str {
    let (bytes, mut spaces) = (text.as_bytes(), 0);
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

/// Length in bytes of the beginning of `text` (which does not start with white space) that needs no normalisation: words,
/// and single spaces between them.
fn run_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += swar::before(swar::others(swar::within(swar::load(bytes, at), b'!', 0x7f)));
        let Some(&byte) = bytes.get(at) else { return at };
        match byte {
            b' ' if bytes.get(at + 1).is_some_and(|b| (b'!'..0x7f).contains(b)) => at += 2,
            0x80.. => {
                let Some(c) = text.get(at..).and_then(|t| t.chars().next()) else { return at };
                if is_space(c) {
                    return at;
                }
                at += c.len_utf8();
            }
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => return at,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(nodes: &[&str], reference: bool, glue: bool) -> String {
        let mut text = BlockText::new(reference);
        for node in nodes {
            text.push(node, false);
            text.end_node(false, glue);
        }
        text.text
    }

    #[test]
    fn a_run_of_white_space_becomes_one_character() {
        assert_eq!(joined(&["a\n\n b \u{a0} c\td"], true, true), "a\nb c d");
        assert_eq!(joined(&["a\n\n b \u{a0} c\td"], false, false), "a b c d");
        assert_eq!(joined(&[" \u{3000}é  ü\u{1c}x "], false, false), "é ü x");
    }

    #[test]
    fn blank_nodes_vanish_only_when_glued() {
        assert_eq!(joined(&["Hello", " ", "world"], true, true), "Helloworld");
        assert_eq!(joined(&["Hello", " ", "world"], false, false), "Hello world");
        assert_eq!(joined(&["Hello ", "\n world"], true, true), "Hello\nworld");
    }

    #[test]
    fn link_characters_count_blanks_as_the_reference_does() {
        let mut text = BlockText::new(true);
        text.push(" a  b ", true);
        text.end_node(true, true);
        assert_eq!((text.characters, text.link_characters), (3, 5));
        let mut text = BlockText::new(false);
        text.push(" a  b ", true);
        text.end_node(true, false);
        assert_eq!((text.characters, text.link_characters), (3, 3));
    }

    #[test]
    fn code_keeps_its_lines() {
        let mut text = BlockText::new(false);
        text.verbatim = true;
        for node in ["\n  if a {\r\n", "\tb();", "\n  }\n\n"] {
            text.push(node, false);
            text.end_node(false, false);
        }
        let mut first = BlockText::new(false);
        first.verbatim = true;
        first.space();
        first.push("x", false);
        assert_eq!(first.text, "x");
        assert_eq!(text.text, "if a {\n\tb();\n  }");
        assert_eq!(text.characters as usize, text.text.chars().count());
    }

    #[test]
    fn a_run_stops_before_anything_to_normalise() {
        assert_eq!(run_length("a b  c"), 3);
        assert_eq!(run_length("é\u{a0}b"), 2);
        assert_eq!(run_length("a \u{e9}"), 1);
        assert_eq!(run_length("a\u{1}b"), 3);
    }
}
