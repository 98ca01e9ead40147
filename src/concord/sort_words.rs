//! The words by which hits are sorted.

use std::ops::Range;

use super::contexts::window;
use super::options::Sort;
use crate::text::words::words;

/// Most characters (Unicode scalar values) on a side of a hit whose words count. Without a bound, hits in a long
/// paragraph would take time and memory in proportion to its length.
const REACH: usize = 100;

/// The words before a hit, after it or of the hit itself, from the hit outwards: lower-cased, with a space after each;
/// ideographs and pieces in scripts without spaces. `text` is the whole paragraph and `hit` a byte range of it, so that
/// the words are the same however much context is shown. Of the words before or after the hit, those within [`REACH`]
/// characters count, without the outermost if the text goes on there: it may be a part of a word.
pub fn sort_words(text: &str, hit: &Range<usize>, sort: Sort) -> String {
    let reach = window(text, hit, REACH);
    let (near, goes_on) = match sort {
        Sort::Left => (reach.start..hit.start, reach.start > 0),
        Sort::Right => (hit.end..reach.end, reach.end < text.len()),
        Sort::Word => (hit.clone(), false),
    };
    let (mut line, mut places) = (String::new(), Vec::new());
    words(text.get(near).unwrap_or_default(), |word| {
        let start = line.len();
        line.extend([word, " "]);
        places.push(start..line.len());
    });
    if sort == Sort::Left {
        places.reverse();
    }
    if goes_on {
        places.pop();
    }
    let mut outwards = String::with_capacity(line.len());
    outwards.extend(places.into_iter().filter_map(|place| line.get(place)));
    outwards
}

#[cfg(test)]
mod tests {
    use super::*;

    const SORTS: [Sort; 3] = [Sort::Left, Sort::Right, Sort::Word];

    fn of(before: &str, hit: &str, after: &str) -> [String; 3] {
        let text = [before, hit, after].concat();
        SORTS.map(|sort| sort_words(&text, &(before.len()..before.len() + hit.len()), sort))
    }

    #[test]
    fn words_stand_from_the_hit_outwards() {
        assert_eq!(of("One. Two (", "PLAY-off", ") three, Über"), ["two one ", "three über ", "play off "]);
        assert_eq!(of("", "play", ""), ["", "", "play "]);
        assert_eq!(of("Is dis", "play", "ed?"), ["dis is ", "ed ", "play "]);
    }

    #[test]
    fn words_far_away_and_parts_of_words_do_not_count() {
        // Of a hundred characters on each side, four are a part of a word.
        let near = "letters ".repeat(12);
        assert_eq!(of(&"letters ".repeat(20), "play", &" letters".repeat(20)), [near.as_str(), near.as_str(), "play "]);
        // Nothing is left out where the paragraph ends.
        let all = "äöüß ".repeat(20);
        assert_eq!(of(&all, "play", &" äöüß".repeat(20)), [all.as_str(), all.as_str(), "play "]);
    }
}
