//! Line breaks inside a block (`<br>`, line ends of plain text): which of them end a line of the text, as in a poem, an
//! address or behind a title in bold, and which only fit it to the width of a screen.
//!
//! `docs/cleaning.md` has the figures.

use crate::text::char_classes::is_alphabetic;
use crate::text::segments::is_own_mark;

/// One of so many lines may go on in small letters, or all are those of a narrow page.
const LINES_FOR_ONE_SMALL: usize = 4;
/// So many lines that begin with capitals, none of them longer than so many characters, are verse: those that end with a comma
/// end too.
const LINES_OF_VERSE: usize = 4;
const LONGEST_VERSE: usize = 60;
/// Characters before the first word of a line.
const OPENING: [char; 12] = ['"', '\'', '“', '„', '‘', '‚', '«', '»', '(', '[', '¿', '¡'];
/// Signs before the items of a list.
const BULLETS: [char; 16] = ['•', '·', '●', '▪', '■', '◦', '‣', '➤', '✓', '✔', '►', '★', '*', '–', '—', '-'];
/// What a line ends with that goes on.
const UNFINISHED: [char; 9] = [',', ';', '-', '–', '—', '，', '、', '；', '،'];
/// What a line ends with in a script without capital letters, if another begins behind it; or with the script's own mark.
const FINISHED: [char; 12] = ['.', '!', '?', ':', '…', '。', '！', '？', '：', '．', '։', '།'];
/// Quotes and brackets behind the last mark of a line.
const CLOSING: [char; 12] = ['"', '\'', '”', '’', '»', '«', ')', ']', '」', '』', '）', '】'];

/// Puts a line feed in the place of each blank at `breaks`, in ascending order, at which a line of the text ends.
pub fn keep_lines(text: &mut String, breaks: &[u32]) {
    let breaks: Vec<usize> =
        breaks.iter().map(|&at| at as usize).filter(|&at| text.get(at..=at) == Some(" ")).collect();
    if breaks.is_empty() {
        return;
    }
    let next = |at: usize| text.get(at + 1..).unwrap_or_default();
    let small = breaks.iter().filter(|&&at| begins_small(next(at))).count();
    let is_wrapped = small * LINES_FOR_ONE_SMALL > breaks.len();
    let is_verse = small == 0 && breaks.len() + 1 >= LINES_OF_VERSE && are_short(text, &breaks);
    let mut lines = String::with_capacity(text.len());
    let mut from = 0;
    for at in breaks {
        let line = text.get(from..at).unwrap_or_default();
        lines.push_str(line);
        let ends = is_item(next(at)) || !is_wrapped && ends_line(line, next(at), is_verse);
        lines.push(if ends { '\n' } else { ' ' });
        from = at + 1;
    }
    lines.push_str(text.get(from..).unwrap_or_default());
    *text = lines;
}

/// Whether all lines of a text are as short as verse.
fn are_short(text: &str, breaks: &[usize]) -> bool {
    let ends = breaks.iter().copied().chain([text.len()]);
    let mut lines = ends.scan(0, |from, end| text.get(std::mem::replace(from, end + 1)..end));
    lines.all(|line| line.chars().nth(LONGEST_VERSE).is_none())
}

/// Whether a line ends before a text that is no item of a list.
fn ends_line(line: &str, next: &str, is_verse: bool) -> bool {
    let last = line.trim_end_matches(CLOSING).chars().next_back();
    match next.trim_start_matches(OPENING).chars().next() {
        Some(c) if is_small(c) => false,
        Some(c) if is_alphabetic(c) && !c.is_uppercase() => {
            last.is_some_and(|last| FINISHED.contains(&last) || is_own_mark(last))
        }
        _ => is_verse || last.is_some_and(|last| !UNFINISHED.contains(&last)),
    }
}

fn begins_small(text: &str) -> bool {
    text.trim_start_matches(OPENING).starts_with(is_small)
}

/// Whether a letter is small, in a script that has capital ones: Georgian has them for headings alone.
fn is_small(c: char) -> bool {
    c.is_lowercase() && !('\u{10d0}'..='\u{10ff}').contains(&c)
}

/// Whether a text begins with the sign or number of a list item, and a blank.
fn is_item(text: &str) -> bool {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = match text.len() - number.len() {
        0 => text.strip_prefix(BULLETS),
        1 | 2 => number.strip_prefix(['.', ')']),
        _ => None,
    };
    behind.is_some_and(|behind| behind.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with ` / ` in place of the breaks that are kept.
    fn kept(lines: &[&str]) -> String {
        let mut text = lines.join(" ");
        let ends = lines.iter().scan(0, |end, line| {
            *end += line.len() + 1;
            Some(*end as u32 - 1)
        });
        let breaks: Vec<u32> = ends.take(lines.len() - 1).collect();
        keep_lines(&mut text, &breaks);
        text.replace('\n', " / ")
    }

    #[test]
    fn lines_are_kept_where_the_next_one_begins_anew() {
        for (lines, want) in [
            (
                &["Opening hours", "Monday to Friday", "9 am to 5 pm"][..],
                "Opening hours / Monday to Friday / 9 am to 5 pm",
            ),
            (&["The tide", "“Ebb and flow” is what it is."], "The tide / “Ebb and flow” is what it is."),
            (&["It ends here.", "Then it begins."], "It ends here. / Then it begins."),
            (
                &["Tyger Tyger, burning bright,", "In the forests of the night;", "What immortal hand"],
                "Tyger Tyger, burning bright, In the forests of the night; What immortal hand",
            ),
            (
                &[
                    "Tyger Tyger, burning bright,",
                    "In the forests of the night;",
                    "What immortal hand or eye,",
                    "Could frame",
                ],
                "Tyger Tyger, burning bright, / In the forests of the night; / What immortal hand or eye, / Could frame",
            ),
            (&["We need:", "• bread and", "• butter"], "We need: / • bread and / • butter"),
            (&["Steps", "1. open it", "2) close it", "2024 it was"], "Steps / 1. open it / 2) close it / 2024 it was"),
        ] {
            assert_eq!(kept(lines), want);
        }
    }

    #[test]
    fn lines_of_verse_are_short() {
        let poem = |first: usize, last: usize| {
            let lines = [first, 9, 9, last].map(|length| format!("T{},", "y".repeat(length - 2)));
            kept(&lines.each_ref().map(String::as_str)).contains(" / ")
        };
        assert!(poem(LONGEST_VERSE, LONGEST_VERSE));
        assert!(!poem(LONGEST_VERSE + 1, 9) && !poem(9, LONGEST_VERSE + 1));
    }

    #[test]
    fn wrapped_text_has_no_lines() {
        let letter = [
            "The committee met on Tuesday in",
            "Vienna and decided that all of",
            "the members be asked. It will",
            "Meet again in May.",
        ];
        assert_eq!(kept(&letter), letter.join(" "));
        // Items are lines nevertheless.
        assert_eq!(
            kept(&["- one that goes", "on here", "- two that", "goes on"]),
            "- one that goes on here / - two that goes on"
        );
    }

    #[test]
    fn scripts_without_capitals_need_a_mark() {
        assert_eq!(kept(&["今日は", "とても寒い。", "明日も"]), "今日は とても寒い。 / 明日も");
        assert_eq!(kept(&["שלום", "עולם."]), "שלום עולם.");
        assert_eq!(kept(&["თბილისი", "ქალაქი.", "ტელეფონი 555."]), "თბილისი ქალაქი. / ტელეფონი 555.");
    }

    #[test]
    fn places_that_are_no_blanks_are_left() {
        let mut text = "é b".to_string();
        keep_lines(&mut text, &[0, 1, 2, 3, 99]);
        assert_eq!(text, "é b");
        keep_lines(&mut text, &[]);
        assert_eq!(text, "é b");
    }
}
