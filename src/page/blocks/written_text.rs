//! Preformatted text that is no code: mails and announcements whose lines a program cut to the width of a screen, and verse.

use super::block_text::is_space;
use super::lines::keep_lines;
use crate::text::ending;

/// Shortest text that is looked at, in characters of its words.
const MIN_LETTERS: usize = 200;
/// Share of the characters other than white space that are letters, at least.
const MIN_LETTER_SHARE: f64 = 0.85;
/// Share of them that are signs of code, drawings and tables, at most.
const MAX_SIGN_SHARE: f64 = 0.02;
/// Shortest line that a program may have cut, in characters, and the share of such lines, at least.
const MIN_LINE: usize = 30;
const MIN_LINE_SHARE: f64 = 0.35;
/// Letters for each sentence that ends, at most; and bytes of its last word, without which a full stop is of an abbreviation.
const LETTERS_A_SENTENCE: usize = 400;
const MIN_LAST_WORD: usize = 3;
/// Bytes that are looked at of the last word of a line.
const LONGEST_WORD: usize = 64;
/// Spaces within a line from which on it is one of columns, and the share of such lines, at most.
const COLUMN_GAP: &str = "   ";
const MAX_COLUMN_SHARE: f64 = 0.1;

/// A paragraph of a preformatted text.
#[derive(Debug, PartialEq)]
pub struct WrittenParagraph {
    /// Its text, with line feeds where lines end that are no mere width of the screen.
    pub text: String,
    /// Whether it is quoted: its lines begin with `>`.
    pub quoted: bool,
}

/// The paragraphs of a preformatted text, parted by blank lines and at the ends of quotations; None if it is no prose: code,
/// tables and drawings keep their lines.
pub fn paragraphs(text: &str) -> Option<Vec<WrittenParagraph>> {
    if !is_prose(text) {
        return None;
    }
    let mut paragraphs: Vec<WrittenParagraph> = Vec::new();
    let (mut open, mut breaks) = (false, Vec::new());
    for line in text.lines() {
        let (line, quoted) = unquoted(line);
        let words = line.split(is_space).filter(|word| !word.is_empty());
        let line = words.collect::<Vec<_>>().join(" ");
        // A line of two hyphens begins a signature.
        open &= !line.is_empty() && line != "--" && paragraphs.last().is_some_and(|last| last.quoted == quoted);
        if line.is_empty() {
            continue;
        }
        match paragraphs.last_mut() {
            Some(last) if open && goes_on(&last.text, &line) => last.text.push_str(&line),
            Some(last) if open => {
                breaks.push(last.text.len() as u32);
                last.text.push(' ');
                last.text.push_str(&line);
            }
            last => {
                end_lines(last, &mut breaks);
                paragraphs.push(WrittenParagraph { text: line, quoted });
                open = true;
            }
        }
    }
    end_lines(paragraphs.last_mut(), &mut breaks);
    Some(paragraphs)
}

/// Whether a line goes on with the word that the line before it ends with: one with several hyphens, the last one at its end
/// (`state-of-the-` `art`). Behind a single hyphen another part of a list may follow (`pre-` `and post-war`).
fn goes_on(before: &str, line: &str) -> bool {
    let word = ending(before, LONGEST_WORD).rsplit(' ').next().unwrap_or_default();
    let is_open = word.strip_suffix('-').is_some_and(|word| word.contains('-') && word.ends_with(char::is_alphabetic));
    is_open && line.starts_with(char::is_lowercase)
}

/// Decides about the line breaks of a paragraph that is complete.
fn end_lines(paragraph: Option<&mut WrittenParagraph>, breaks: &mut Vec<u32>) {
    if let Some(paragraph) = paragraph {
        keep_lines(&mut paragraph.text, breaks);
    }
    breaks.clear();
}

/// A line without the marks of a quotation before it, and whether it has some. Mails have them at the beginning of the line or
/// behind one blank; further in they are bullets.
fn unquoted(line: &str) -> (&str, bool) {
    match line.strip_prefix(' ').unwrap_or(line).starts_with('>') {
        true => (line.trim_start_matches(['>', ' ']), true),
        false => (line, false),
    }
}

/// Whether a text is made of sentences in lines of some length, by the shares of its characters.
#[allow(clippy::cast_precision_loss)]
fn is_prose(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(|line| unquoted(line).0.trim()).filter(|line| !line.is_empty()).collect();
    let lines_that = |holds: fn(&str) -> bool| lines.iter().filter(|line| holds(line)).count() as f64;
    let long = lines_that(|line| line.chars().nth(MIN_LINE - 1).is_some());
    let columns = lines_that(|line| line.contains(COLUMN_GAP) || line.contains('\t'));
    let ends = |word: &&str| {
        word.len() > MIN_LAST_WORD && word.ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '։', '۔'])
    };
    let sentences = lines.iter().flat_map(|line| line.split_whitespace()).filter(ends).count();
    let (mut letters, mut signs, mut all) = (0, 0, 0.0);
    for c in lines.iter().flat_map(|line| line.chars()).filter(|c| !is_space(*c)) {
        all += 1.0;
        letters += usize::from(c.is_alphabetic());
        signs += usize::from("{}[]<>=_\\|#$&*+~^`@%".contains(c));
    }
    letters >= MIN_LETTERS
        && letters <= LETTERS_A_SENTENCE * sentences
        && letters as f64 >= MIN_LETTER_SHARE * all
        && signs as f64 <= MAX_SIGN_SHARE * all
        && long >= MIN_LINE_SHARE * lines.len() as f64
        && columns <= MAX_COLUMN_SHARE * lines.len() as f64
}

/// Whether a text is the number of a page and no more: `5`, `[Pg 4]`, `{12}`, `[p. xii]`, `*117`.
pub fn is_page_number(text: &str) -> bool {
    const MOST_BYTES: usize = 16;
    const WORDS: [&str; 8] = ["Page ", "Pg ", "Pg. ", "pg ", "page ", "p. ", "S. ", "Seite "];
    let begins = |c: char| c.is_ascii_digit() || "[{(*ivxlcPpS".contains(c);
    if text.len() > MOST_BYTES || !text.starts_with(begins) {
        return false;
    }
    let inner = text.trim_end().trim_matches(['[', ']', '{', '}', '(', ')']).trim_start_matches('*');
    let number = WORDS.iter().find_map(|word| inner.strip_prefix(word));
    let number = number.unwrap_or(inner).trim();
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || "ivxlc".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIL: &str = "From: Jane Doe\n\nDear all,\n\nI do not think that they will begin, because\nthe money has not been found. \
                        Most of the fish\nhave gone already.\n> Will they begin in May,\n> as the paper says?\nNobody knows. The \
                        farmers along the banks\nhave complained for years about the water.\n\n-- \nJane Doe";

    #[test]
    fn wrapped_lines_are_joined() {
        let texts: Vec<(String, bool)> = paragraphs(MAIL).unwrap().into_iter().map(|p| (p.text, p.quoted)).collect();
        let want = [
            ("From: Jane Doe", false),
            ("Dear all,", false),
            (
                "I do not think that they will begin, because the money has not been found. Most of the fish have gone already.",
                false,
            ),
            ("Will they begin in May, as the paper says?", true),
            ("Nobody knows. The farmers along the banks have complained for years about the water.", false),
            ("-- Jane Doe", false),
        ];
        assert_eq!(texts, want.map(|(text, quoted)| (text.to_string(), quoted)));
    }

    #[test]
    fn words_go_on_behind_a_hyphen_and_signatures_begin_a_paragraph() {
        let text = "It was a state-of-the-\nart harbour, and both pre-\nand post-war boats lay there in the evening.\n-- \nJane Doe";
        let mail = format!("{}\n{text}", MAIL.rsplit_once("\n\n").unwrap().0);
        let last: Vec<String> = paragraphs(&mail).unwrap().into_iter().rev().take(2).map(|p| p.text).collect();
        assert_eq!(last[0], "-- Jane Doe");
        assert!(
            last[1].ends_with("a state-of-the-art harbour, and both pre- and post-war boats lay there in the evening."),
            "{last:?}"
        );
    }

    #[test]
    fn quotations_begin_at_the_beginning_of_the_line() {
        let all = |text: &str| text.lines().map(|line| unquoted(line).1).collect::<Vec<_>>();
        assert_eq!(
            all(">a\n >b\n> > c\n    >> Maps: that talk\n  > d\ne > f"),
            [true, true, true, false, false, false]
        );
    }

    #[test]
    fn verse_keeps_its_lines() {
        let stanza = "Shall I compare thee to a summer’s day?\nThou art more lovely and more temperate:\nRough winds do shake the \
                      darling buds of May,\nAnd summer’s lease hath all too short a date.\n\n";
        let poem = paragraphs(&stanza.repeat(3)).unwrap();
        assert_eq!(poem.len(), 3);
        assert_eq!(poem[0].text, stanza.trim_end());
    }

    #[test]
    fn code_and_tables_stay_as_they_are() {
        let code = "fn main() {\n    let total = prices.iter().sum::<u32>();\n    println!(\"{total}\");\n}\n";
        let commands = "import logging\napt-get install python-pip python-dev python-lxml imagemagick\nupdating to branch default\n";
        let table = "Harbour      Height of the tide     Remarks.\nPort Sallow  high in the morning    none at all.\n";
        for text in [code, commands, table, ""] {
            assert_eq!(paragraphs(&text.repeat(20)), None, "{text}");
        }
        assert_eq!(paragraphs("Short."), None);
    }
}
