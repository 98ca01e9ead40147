//! The difference of two texts by words.

use std::borrow::Cow;

use maud::{Markup, html};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::quoted;

/// Most words of a text that are compared. The time of the comparison grows with the product of length and difference
/// (Myers, *An O(ND) Difference Algorithm and Its Variations*, 1986).
const MOST_WORDS: usize = 3_000;
/// Most differences that are shown.
const MOST_SHOWN: usize = 40;
/// Words around a difference that are shown.
const AROUND: usize = 8;
/// Most words of a difference that are shown.
const MOST_CHANGED: usize = 60;
/// Characters that are shown of the beginning and of the end of words that stand together: where no spaces are written, a
/// whole paragraph is one word.
const OF_EACH_END: usize = 500;

/// What the second text lacks as `del`, what it adds as `ins`, with some words around them.
pub fn word_diff(old: &str, new: &str) -> Markup {
    let (old_words, new_words) = (words(old), words(new));
    let ops = capture_diff_slices(Algorithm::Myers, &old_words, &new_words);
    let changes = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).count();
    let shown = ops.iter().scan(0, |seen, op| {
        *seen += usize::from(!matches!(op, DiffOp::Equal { .. }));
        (*seen <= MOST_SHOWN).then_some(op)
    });
    let last = ops.len().saturating_sub(1);
    html! {
        p.diff {
            @if changes == 0 { "The words are the same. " }
            @for (place, op) in shown.enumerate() {
                @match *op {
                    DiffOp::Equal { old_index, len, .. } => { (unchanged(slice(&old_words, old_index, len), place == 0, place == last)) }
                    DiffOp::Delete { old_index, old_len, .. } => { del { (changed(slice(&old_words, old_index, old_len))) } " " }
                    DiffOp::Insert { new_index, new_len, .. } => { ins { (changed(slice(&new_words, new_index, new_len))) } " " }
                    DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                        del { (changed(slice(&old_words, old_index, old_len))) } " "
                        ins { (changed(slice(&new_words, new_index, new_len))) } " "
                    }
                }
            }
            @if changes > MOST_SHOWN { "… and " (changes - MOST_SHOWN) " more differences. " }
            @if [old, new].iter().any(|text| text.split_whitespace().nth(MOST_WORDS).is_some()) { "Only the first " (MOST_WORDS) " words are compared." }
        }
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().take(MOST_WORDS).collect()
}

fn slice<'a>(words: &'a [&'a str], from: usize, count: usize) -> &'a [&'a str] {
    words.get(from..from + count).unwrap_or_default()
}

fn changed(words: &[&str]) -> Markup {
    let shown = words.get(..MOST_CHANGED).unwrap_or(words).join(" ");
    let more = words.len().saturating_sub(MOST_CHANGED);
    html! { (shortened(&shown)) @if more > 0 { " … (" (more) " more words)" } }
}

/// Words that both texts have: those next to the differences.
fn unchanged(words: &[&str], is_first: bool, is_last: bool) -> Markup {
    let before = if is_first { 0 } else { AROUND };
    let after = if is_last { 0 } else { AROUND };
    if words.len() <= before + after + 4 {
        return html! { (shortened(&words.join(" "))) " " };
    }
    let (begin, end) = (words.get(..before).unwrap_or_default(), words.get(words.len() - after..).unwrap_or_default());
    html! {
        (shortened(&begin.join(" "))) " … (" (words.len() - before - after) " words) … " (shortened(&end.join(" "))) " "
    }
}

/// A text of strangers; of a long one the beginning and the end.
fn shortened(text: &str) -> Markup {
    quoted(&without_middle(text))
}

fn without_middle(text: &str) -> Cow<'_, str> {
    let begin = text.char_indices().nth(OF_EACH_END).and_then(|(at, _)| text.get(..at));
    let end = text.char_indices().nth_back(OF_EACH_END - 1).and_then(|(at, _)| text.get(at..));
    match begin.zip(end) {
        Some((begin, end)) if begin.len() + end.len() < text.len() => format!("{begin} … {end}").into(),
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_marked() {
        let old = format!("{} The tide comes in at six. {}", "a b c d e f g h i j k l m n ".repeat(3), "x ".repeat(30));
        let new = old.replace("six", "<seven>").replacen("a b", "a", 1);
        let html = word_diff(&old, &new).into_string();
        assert!(html.contains("<del><bdi>six.</bdi></del> <ins><bdi>&lt;seven&gt;.</bdi></ins>"), "{html}");
        assert!(html.contains("<del><bdi>b</bdi></del>"), "{html}");
        assert!(html.contains(" words) … "), "{html}");
        assert!(word_diff("a b", "a  b").into_string().contains("The words are the same"));
        assert!(word_diff("", "").into_string().contains("same"));
    }

    #[test]
    fn long_texts_have_bounded_pictures() {
        let text = |odd: &str| {
            (0..90_000).map(|i| if i % 7 == 0 { format!("{odd}{i} ") } else { "same ".into() }).collect::<String>()
        };
        assert!(word_diff(&text("a"), &text("b")).into_string().len() < 20_000);
    }

    #[test]
    fn paragraphs_without_spaces_have_bounded_pictures() {
        let paragraph = |begin: char, end: char| format!("{begin}{}{end}", "漢".repeat(50_000));
        let (old, same, new) = (paragraph('一', '二'), paragraph('三', '四'), paragraph('五', '六'));
        let html = word_diff(&format!("{old} {same} {old}"), &format!("{new} {same} {new}")).into_string();
        assert!(html.len() < 5 * 2 * 3 * OF_EACH_END + 500, "{}", html.len());
        for end in
            ["<del><bdi>一漢", "漢二</bdi></del>", "<bdi>三漢", "漢四</bdi>", "<ins><bdi>五漢", "漢六</bdi></ins>"]
        {
            assert!(html.contains(end), "{end}");
        }
        let whole = "字".repeat(2 * OF_EACH_END);
        assert_eq!(without_middle(&whole), whole);
        let (begin, end) = ("a".repeat(OF_EACH_END), "é".repeat(OF_EACH_END));
        assert_eq!(without_middle(&format!("{begin}?{end}")), format!("{begin} … {end}"));
    }
}
