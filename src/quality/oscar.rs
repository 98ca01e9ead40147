//! The annotations of OSCAR 23.01. Reference: ungoliant, `src/transformers/{tiny,sentence_filter,header,noisy}.rs`, in the order
//! in which its pipeline adds them. What is measured is a share, and the rules have its thresholds. Lines are those of
//! `str::lines`: parted by LF or CR LF, and one that is empty at the end is none.
//!
//! The reference counts what is short in two ways, and so do the signals: characters (at most 100) for the whole text, bytes
//! (fewer than 100) for its header and footer. White space is no letter.

use super::characters::{self, LETTER, MARK, is};
use super::recipe::{Step, least, most};
use super::{Signals, number, share};

/// Most characters of a short line.
const SHORT: usize = 100;
/// A line with fewer bytes is short in a header or footer.
const SHORT_BYTES: usize = 100;
/// A fifth of the lines is the header, and a fifth the footer.
const PARTS: usize = 5;

/// The rules, by the names of the annotations.
pub(super) fn steps() -> Vec<Step> {
    vec![
        least("tiny", "oscar_lines", 5.0),
        most("short_sentences", "oscar_short_lines_ratio", 0.5),
        most("header", "oscar_header_short_ratio", 0.5),
        most("footer", "oscar_footer_short_ratio", 0.5),
        most("noisy", "oscar_non_letter_ratio", 0.5),
    ]
}

pub fn measure(text: &str, signals: &mut Signals) {
    let lines = text.lines().count();
    let short = text.lines().filter(|line| is_short(line)).count();
    let part = lines / PARTS;
    let short_in_part = |lines: &mut dyn Iterator<Item = &str>| lines.filter(|line| line.len() < SHORT_BYTES).count();
    let header = short_in_part(&mut text.lines().take(part));
    let footer = short_in_part(&mut text.lines().rev().take(part));
    let (others, all) = non_letters(text);
    signals.oscar_lines = number(lines);
    signals.oscar_short_lines_ratio = share(short, lines);
    signals.oscar_header_short_ratio = share(header, part);
    signals.oscar_footer_short_ratio = share(footer, part);
    signals.oscar_non_letter_ratio = share(others, all);
}

fn is_short(line: &str) -> bool {
    // No character has more than four bytes.
    line.len() <= SHORT || line.len() <= SHORT * 4 && characters::count(line) <= SHORT
}

/// Characters that are neither letters nor marks, and all characters.
fn non_letters(text: &str) -> (usize, usize) {
    let (mut others, mut all) = (0, 0);
    for c in text.chars() {
        all += 1;
        others += usize::from(!is(c, LETTER | MARK));
    }
    (others, all)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::quality::thresholds::Thresholds;
    use crate::quality::{Meter, Recipe, Text};

    fn measured(text: &str) -> Signals {
        let mut signals = Signals::default();
        measure(text, &mut signals);
        signals
    }

    fn failed(text: &str) -> Option<String> {
        let recipe = Recipe::new("oscar", Thresholds::default(), &[], &[], &[]).unwrap();
        let text = Text::given(text, &[], &[]);
        recipe.measure(1, "eng", &text, &[], &mut Meter::default()).1.failed.map(Into::into)
    }

    /// The annotations as the reference counts them, each with its own floor and its own way to stop.
    fn annotations(text: &str) -> Vec<&'static str> {
        let mut found = Vec::new();
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() < 5 {
            found.push("tiny");
        }
        let long = lines.iter().filter(|line| line.chars().count() > 100).count();
        if lines.len() - long > (0.5_f32 * lines.len() as f32) as usize {
            found.push("short_sentences");
        }
        let part = (lines.len() as f64 * 0.2).floor();
        let most = (part * 0.5).floor() as usize;
        if lines[..part as usize].iter().filter(|line| line.len() < 100).count() > most {
            found.push("header");
        }
        if lines[lines.len() - part as usize..].iter().filter(|line| line.len() < 100).count() > most {
            found.push("footer");
        }
        let most = (text.chars().count() as f64 * 0.5).floor() as usize;
        // No test text has letters beyond these.
        let is_letter = |c: char| c.is_alphabetic() && !"\u{24b6}Ⅷ".contains(c) || "\u{301}\u{e4d}".contains(c);
        if text.chars().filter(|c| !is_letter(*c)).count() > most {
            found.push("noisy");
        }
        found
    }

    proptest! {
        #[test]
        fn the_first_annotation_is_the_rule(
            lines in prop::collection::vec(
                prop_oneof![
                    3 => "[a-zé .]{90,110}",
                    1 => "[é]{49,51}",
                    2 => "[a-z0-9 ก\u{e4d}\u{301}Ⅷ\u{24b6}#]{0,12}",
                    1 => "[!-/]{0,150}",
                ],
                0..30,
            ),
            end in "(\r\n|\n)?",
        ) {
            let text = lines.join("\n") + &end;
            prop_assume!(!text.trim().is_empty());
            prop_assert_eq!(failed(&text), annotations(&text).first().map(ToString::to_string));
        }
    }

    #[test]
    fn each_annotation_on_both_sides_of_its_threshold() {
        let long = "a".repeat(101);
        let short = "a".repeat(99);
        let text = |lines: &[&str]| lines.join("\n");
        assert_eq!(failed(&text(&[&*long; 4])).as_deref(), Some("tiny"));
        assert_eq!(failed(&text(&[&*long; 5])), None);
        let mut half = vec![&*long, &short, &short, &short, &long, &long];
        assert_eq!(failed(&text(&half)).as_deref(), None);
        half.insert(1, &short);
        assert_eq!(failed(&text(&half)).as_deref(), Some("short_sentences"));
        // 100 letters of one byte are short in the text, and not in its header.
        let hundred = "a".repeat(100);
        let mut lines = vec![&*long; 10];
        lines[0] = &*hundred;
        lines[1] = &*hundred;
        assert_eq!(failed(&text(&lines)), None);
        lines[0] = &*short;
        assert_eq!(failed(&text(&lines)), None);
        lines[1] = &*short;
        assert_eq!(failed(&text(&lines)).as_deref(), Some("header"));
        lines.reverse();
        assert_eq!(failed(&text(&lines)).as_deref(), Some("footer"));
        let noisy = format!("{}{}", "a".repeat(60), "-".repeat(60));
        let even = text(&[&*noisy; 5]);
        assert_eq!(measured(&even).oscar_non_letter_ratio, Some(304.0 / 604.0));
        assert_eq!(failed(&even).as_deref(), Some("noisy"));
    }

    #[test]
    fn hard_texts() {
        let empty = measured("");
        assert_eq!(
            (empty.oscar_lines, empty.oscar_short_lines_ratio, empty.oscar_non_letter_ratio),
            (Some(0), None, None)
        );
        assert_eq!((failed("").as_deref(), failed("\n\n").as_deref()), (Some("empty"), Some("empty")));
        let ends = measured("\n\n\n\n\n");
        assert_eq!((ends.oscar_lines, ends.oscar_header_short_ratio), (Some(5), Some(1.0)));
        assert_eq!(measured("one line").oscar_header_short_ratio, None);
        // U+2028 ends no line.
        assert_eq!(measured("a\u{2028}b\r\nc").oscar_lines, Some(2));
        assert_eq!(measured("!?…").oscar_non_letter_ratio, Some(1.0));
        // Thai vowel signs are marks.
        assert_eq!(measured("ที่นี่").oscar_non_letter_ratio, Some(0.0));
        let huge = "é".repeat(1 << 20);
        assert_eq!(measured(&huge).oscar_short_lines_ratio, Some(0.0));
    }
}
