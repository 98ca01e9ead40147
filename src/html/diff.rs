//! The difference of two texts by words.

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
            @if old_words.len().max(new_words.len()) == MOST_WORDS { "Only the first " (MOST_WORDS) " words are compared." }
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
    html! { (quoted(&shown)) @if more > 0 { " … (" (more) " more words)" } }
}

/// Words that both texts have: those next to the differences.
fn unchanged(words: &[&str], is_first: bool, is_last: bool) -> Markup {
    let before = if is_first { 0 } else { AROUND };
    let after = if is_last { 0 } else { AROUND };
    if words.len() <= before + after + 4 {
        return html! { (quoted(&words.join(" "))) " " };
    }
    let (begin, end) = (words.get(..before).unwrap_or_default(), words.get(words.len() - after..).unwrap_or_default());
    html! {
        (quoted(&begin.join(" "))) " … (" (words.len() - before - after) " words) … " (quoted(&end.join(" "))) " "
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
}
