//! What a tagger writes: the lines of its output, and whether one of them answers a line of the input.

use std::io::{BufRead, BufReader, Read};

use super::{Failure, Tags};

/// Most bytes that are read as one line of the program's output.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Reads the program's output line by line, as long as `take` wants more of them.
pub fn read_lines(output: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(length) if length > 0 => {}
            _ => return,
        }
        let text = String::from_utf8_lossy(&line);
        // A program that dies leaves half a line of some document, which need not be the one that it died at.
        if !line.ends_with(b"\n") && (line.len() as u64) < MAX_LINE_BYTES && !is_end(&text) {
            return;
        }
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if !take(text.strip_suffix('\r').unwrap_or(text).to_string()) {
            return;
        }
    }
}

/// Compares a line of input with the line that the program wrote for it, and adds its tags to `tags`.
pub fn compare(asked: &str, got: &str, columns: usize, tags: &mut Tags) -> Result<(), Failure> {
    let differs = || Failure::Differs { asked: asked.to_string(), got: got.to_string() };
    // `read_lines` put it in place of what is not UTF-8.
    if got.contains(char::REPLACEMENT_CHARACTER) && !asked.contains(char::REPLACEMENT_CHARACTER) {
        return Err(Failure::NotUtf8 { asked: asked.to_string() });
    }
    if is_structure(asked) {
        return if got.trim_end() == asked { Ok(()) } else { Err(differs()) };
    }
    let (word, rest) = got.split_once('\t').unwrap_or((got, ""));
    if word != asked {
        return Err(differs());
    }
    let given = if rest.is_empty() { 0 } else { rest.split('\t').count() };
    if given != columns {
        return Err(Failure::Columns { asked: asked.to_string(), got: given, columns });
    }
    tags.push_str(rest);
    tags.push('\n');
    Ok(())
}

/// Whether a line is a structure tag. A token that could be one has a zero-width space after its `<`.
fn is_structure(line: &str) -> bool {
    line.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/'))
}

/// Whether a line begins a document; no token looks like it, see [`is_structure`].
pub fn is_begin(line: &str) -> bool {
    line.starts_with("<doc ") || line.starts_with("<doc>")
}

/// Whether a line is the end tag of a document.
pub fn is_end(line: &str) -> bool {
    line.trim_end() == "</doc>"
}
