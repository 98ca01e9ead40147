//! Parts of words that are tokens of their own: articles, pronouns and inflectional endings.

use std::ops::Range;

use compact_str::CompactString;

use super::chars::is_apostrophe;
use super::rules::{Ending, LanguageRules, straight};
use super::tokens::TokenScan;
use super::word_tokens::LONGEST_WORD;

/// Number of clitics or endings that are split off one side of a word at most.
const MAX_SPLITS: usize = 3;

/// Appends a word, split into its clitics and itself if it has an apostrophe or hyphen.
pub fn clitics(scan: &mut TokenScan, mut range: Range<usize>) {
    let rules = scan.rules;
    if rules.clitics_before.is_empty() && rules.clitics_after.is_empty() {
        return endings(scan, range);
    }
    let Some(word) = scan.text.get(range.clone()) else { return };
    let marked = word.bytes().any(|b| matches!(b, b'\'' | b'-' | 0xE2));
    if !marked || word.len() > LONGEST_WORD {
        return endings(scan, range);
    }
    if rules.exceptions.contains(straight(word, rules).as_str()) {
        return scan.push(range);
    }
    for _ in 0..MAX_SPLITS {
        let rest = scan.text.get(range.clone()).unwrap_or_default();
        let Some(cut) = first_clitic(rest, rules) else { break };
        scan.push(range.start..range.start + cut);
        range.start += cut;
    }
    let cut_off = |rest: &str| rules.clitics_after.iter().find_map(|c| clitic_at_end(rest, c));
    split_from_end(scan, range, cut_off);
}

/// Appends a word, split at each offset that `cut_off` finds from the end of the word backwards.
fn split_from_end(scan: &mut TokenScan, range: Range<usize>, cut_off: impl Fn(&str) -> Option<usize>) {
    // Where the parts begin, from the last part to the second.
    let mut starts = [0; MAX_SPLITS];
    let (mut parts, mut end) = (0, range.end);
    while let Some(slot) = starts.get_mut(parts)
        && let Some(rest) = scan.text.get(range.start..end)
        && let Some(cut) = cut_off(rest).filter(|cut| *cut > 0)
    {
        end = range.start + cut;
        *slot = end;
        parts += 1;
    }
    let mut start = range.start;
    for next in starts.into_iter().take(parts).rev() {
        scan.push(start..next);
        start = next;
    }
    scan.push(start..range.end);
}

/// Appends a word, split from the inflectional endings that the language attaches to it.
pub fn endings(scan: &mut TokenScan, range: Range<usize>) {
    let rules = scan.rules;
    if rules.endings.is_empty() {
        return scan.push(range);
    }
    let word = scan.text.get(range.clone()).unwrap_or_default();
    let known = |rest: &str| rest.len() <= LONGEST_WORD && rules.exceptions.contains(rules.lower_case(rest).as_str());
    if !word.ends_with(rules.last_letters.as_slice()) || ending(word, rules).is_none() || known(word) {
        return scan.push(range);
    }
    split_from_end(scan, range, |rest| ending(rest, rules));
}

fn ending(word: &str, rules: &LanguageRules) -> Option<usize> {
    rules.endings.iter().find_map(|Ending { left, right }| {
        let head = word.strip_suffix(right.as_str())?;
        (head.ends_with(left.as_str()) && head.len() > left.len()).then_some(head.len())
    })
}

/// The length in bytes of a clitic at the start of a word, ignoring case and the kind of apostrophe.
fn clitic_at_start(word: &str, clitic: &str) -> Option<usize> {
    let mut chars = word.chars();
    clitic.chars().all(|c| chars.next().is_some_and(|d| same_letter(c, d))).then(|| word.len() - chars.as_str().len())
}

/// The byte offset of a clitic at the end of a word, ignoring case and the kind of apostrophe.
fn clitic_at_end(word: &str, clitic: &str) -> Option<usize> {
    let mut chars = word.chars();
    clitic.chars().rev().all(|c| chars.next_back().is_some_and(|d| same_letter(c, d))).then_some(chars.as_str().len())
}

/// Whether a character is the given one of a clitic, which is in lower case with straight apostrophes.
fn same_letter(lower: char, c: char) -> bool {
    lower == c || c.to_lowercase().eq([lower]) || lower == '\'' && is_apostrophe(c)
}

/// The character of clitics that is the [`same_letter`].
fn letter_of_clitic(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        _ if is_apostrophe(c) => '\'',
        (Some(lower), None) => lower,
        _ => c,
    }
}

/// Whether a word with the apostrophe behind it is an elided form.
pub fn is_elided(text: &str, with: Range<usize>, rules: &LanguageRules) -> bool {
    let has_none = rules.clitics_before.is_empty() && rules.exceptions.is_empty();
    let Some(word) = text.get(with).filter(|word| !has_none && word.len() <= LONGEST_WORD) else { return false };
    let form: CompactString = word.chars().map(letter_of_clitic).collect();
    rules.exceptions.contains(form.as_str()) || rules.clitics_before.iter().any(|clitic| *clitic == form)
}

/// The offset behind the clitic that a word begins with.
pub fn first_clitic(word: &str, rules: &LanguageRules) -> Option<usize> {
    rules.clitics_before.iter().find_map(|clitic| clitic_at_start(word, clitic)).filter(|cut| *cut < word.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::segments::Scheme;
    use crate::text::segments::rules::RuleTable;

    const CODES: [&str; 4] = ["cat", "fra", "ita", "pol"];

    /// The obvious way: all clitics and exceptions are compared with the word.
    fn is_listed(word: &str, rules: &LanguageRules) -> bool {
        let whole = |clitic: &String| clitic_at_start(word, clitic) == Some(word.len());
        rules.clitics_before.iter().chain(&rules.exceptions).any(whole)
    }

    #[test]
    fn listed_words_are_short_and_in_the_form_that_is_looked_up() {
        for rules in CODES.map(|code| RuleTable::of(Scheme::Treebank).get(code)) {
            for word in rules.clitics_before.iter().chain(&rules.exceptions) {
                // No letter has more bytes than three times those of its lower case.
                assert!(3 * word.len() <= LONGEST_WORD, "{word}");
                assert_eq!(word.chars().map(letter_of_clitic).collect::<String>(), *word);
            }
        }
    }

    proptest! {
        #[test]
        fn elided_words_are_those_that_a_walk_finds(
            at in any::<prop::sample::Index>(),
            code in prop::sample::select(&CODES[..]),
            changes in prop::collection::vec(0..4usize, 20),
            other in "([a-zA-ZÀ-ÿİΣK'’‘`ʼ-]{1,3})?",
        ) {
            let rules = RuleTable::of(Scheme::Treebank).get(code);
            let mut words: Vec<&String> = rules.clitics_before.iter().chain(&rules.exceptions).collect();
            words.sort();
            let written = |(c, change): (char, usize)| match (c, change) {
                ('\'', _) => ['\'', '’', '‘', 'ʼ'][change],
                (_, 1) => c.to_uppercase().next().unwrap_or(c),
                _ => c,
            };
            let word: String = at.get(&words).chars().zip(changes).map(written).collect();
            let word = word + &other;
            prop_assert_eq!(is_elided(&word, 0..word.len(), rules), is_listed(&word, rules), "{}", word);
        }
    }
}
