//! Tokens of words: where they end, and the marks within them.

use std::ops::Range;

use super::chars::{CharClass, char_at, char_before, class, class_at, skip_word};
use super::clitics::{clitics, is_elided};
use super::numbers::{currency_end, is_thousands_mark};
use super::own_marks::ETHIOPIC_COLON;
use super::rules::LanguageRules;
use super::tokens::TokenScan;
use super::word_stop::{article_before_stop, has_stop, is_quoted_initial};
use super::{apostrophes, ethiopic, hebrew};
use crate::text::beginning;
use crate::text::char_classes::is_tsheg;

/// Length in bytes above which a word is neither an abbreviation nor split into clitics.
pub const LONGEST_WORD: usize = 64;
/// Letters of a currency before its sign at most.
const LONGEST_CURRENCY: usize = 3;

/// Appends the tokens of the word that begins at `at`, with its stop and its clitics, and returns the offset behind it.
pub fn word(scan: &mut TokenScan, at: usize, chunk_end: usize) -> usize {
    if let Some(end) = currency_end(scan.text, at, scan.rules) {
        scan.push(at..end);
        return end;
    }
    let end = word_end(scan, at, at, chunk_end);
    if let Some(sign) = sign_behind(scan.text, at..end, chunk_end) {
        scan.push(at..sign);
        return sign;
    }
    finish(scan, at..end, chunk_end)
}

/// Appends the word behind the apostrophe at `at` together with it, where it belongs to the word, and returns the offset
/// behind it.
pub fn after_apostrophe(scan: &mut TokenScan, at: usize, chunk_end: usize) -> Option<usize> {
    let (text, rules) = (scan.text, scan.rules);
    if rules.apostrophes_before.is_empty() {
        return None;
    }
    let alone = !char_before(text, at).is_some_and(|c| matches!(class(c), CharClass::Letter | CharClass::Digit));
    let from = at + char_at(text, at)?.len_utf8();
    if !alone || class_at(text, from) != CharClass::Letter {
        return None;
    }
    let end = word_end(scan, at, from, chunk_end);
    apostrophes::begins_word(text, at..end, rules).then(|| finish(scan, at..end, chunk_end))
}

/// The offset behind the sign that makes one token with the letters before it: `US$`, `R$`, `n°`.
fn sign_behind(text: &str, word: Range<usize>, chunk_end: usize) -> Option<usize> {
    let sign = char_at(text, word.end).filter(|c| word.end < chunk_end && matches!(c, '$' | '°'))?;
    let letters = text.get(word.clone())?;
    let belongs = match sign {
        '$' => letters.len() <= LONGEST_CURRENCY && letters.bytes().all(|b| b.is_ascii_uppercase()),
        _ => letters.eq_ignore_ascii_case("n"),
    };
    belongs.then_some(word.end + sign.len_utf8())
}

/// The end of a run of letters and digits with single hyphens, apostrophes and stops between them.
pub fn word_end(scan: &TokenScan, at: usize, from: usize, chunk_end: usize) -> usize {
    let text = scan.text;
    let mut end = from;
    loop {
        end = skip_word::<true>(text, end);
        let Some(mark) = char_at(text, end).filter(|_| end < chunk_end) else { return end };
        let next = end + mark.len_utf8();
        if class(mark) == CharClass::Stop
            && let Some(behind) = behind_stop(text, at..end, scan.rules)
        {
            end = behind;
            continue;
        }
        let joins = match class(mark) {
            CharClass::Hyphen => !scan.rules.cut_hyphens || keeps_hyphen(text, at..end, scan.rules),
            // A number behind an article is a token of its own, with its comma: `dell'1,5`.
            CharClass::Apostrophe => {
                mark != '`' && !(class_at(text, next) == CharClass::Digit && is_elided(text, at..next, scan.rules))
            }
            CharClass::Stop => true,
            _ => {
                is_inner_mark(mark)
                    || is_thousands_mark(text, at, end)
                    || mark == ETHIOPIC_COLON && char_before(text, end).is_some_and(char::is_numeric)
                    || is_listed_comma(text, at..end, scan.rules)
                    || is_colon_ending(text, end, scan.rules)
                    || is_gender_mark(text, end, scan.rules)
                    || hebrew::is_acronym_mark(text, end)
                    || ethiopic::is_shortening(text, end)
            }
        };
        if !joins || !matches!(class_at(text, next), CharClass::Letter | CharClass::Digit) {
            return end;
        }
        end = next;
    }
}

/// The offset of the letter that a hyphen attaches to the stop behind `word` (`J.-C.`, `Kft.-nek`), or an apostrophe (`T.C.'nin`).
fn behind_stop(text: &str, word: Range<usize>, rules: &LanguageRules) -> Option<usize> {
    let stop = word.end + 1;
    let mark = char_at(text, stop)?;
    let next = stop + mark.len_utf8();
    let attaches = match class(mark) {
        CharClass::Hyphen => !rules.cut_hyphens && !rules.cut_stop && class_at(text, next) == CharClass::Letter,
        CharClass::Apostrophe => rules.endings_after_stop && char_at(text, next).is_some_and(char::is_lowercase),
        _ => false,
    };
    if !attaches || char_at(text, word.end) != Some('.') || word.len() > LONGEST_WORD {
        return None;
    }
    let before = text.get(word)?;
    let last = before.rsplit(['.', '-']).next()?;
    // Beside one letter stands another one: `J.-C.`, and not `Plan B.-Sagte`.
    let is_initial = last.chars().count() == 1 && {
        let letter = char_at(text, next).map_or(next, |letter| next + letter.len_utf8());
        matches!(char_at(text, letter), Some('.' | '-')) || class(mark) == CharClass::Apostrophe
    };
    let is_listed = |word: &str| rules.abbreviation_of(word).is_some();
    let is_abbreviation = || last.chars().count() > 1 && (is_listed(before) || is_listed(last));
    (is_initial || is_abbreviation() || before.contains(".-")).then_some(next)
}

/// Whether a word with the comma behind it begins a listed one: Greek `ό,τι`.
fn is_listed_comma(text: &str, word: Range<usize>, rules: &LanguageRules) -> bool {
    const LONGEST_START: usize = 8;
    if rules.exceptions.is_empty() || word.len() > LONGEST_START || char_at(text, word.end) != Some(',') {
        return false;
    }
    let near = beginning(text, word.end + LONGEST_WORD);
    let end = skip_word::<false>(near, word.end + 1);
    near.get(word.start..end).is_some_and(|word| rules.exceptions.contains(rules.lower_case(word).as_str()))
}

/// Whether a colon at an offset attaches an ending to what stands before it.
pub fn is_colon_ending(text: &str, at: usize, rules: &LanguageRules) -> bool {
    rules.colon_endings && char_at(text, at) == Some(':') && char_at(text, at + 1).is_some_and(char::is_lowercase)
}

/// Whether a star or colon at an offset stands before the ending of a German word for persons of any gender: `Athlet*innen`,
/// `jede*r`, `Leser:in`. Behind a colon without a blank other words stand, too.
fn is_gender_mark(text: &str, at: usize, rules: &LanguageRules) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_lowercase);
    if !rules.gender_marks || !is_letter(char_before(text, at)) || !is_letter(char_at(text, at + 1)) {
        return false;
    }
    let ending = || text.get(at + 1..skip_word::<false>(text, at + 1));
    match char_at(text, at) {
        Some('*') => true,
        Some(':') => matches!(ending(), Some("in" | "innen")),
        _ => false,
    }
}

/// Marks that stand within words: the middle dot of Catalan, the marks on the vowel that Armenian stresses, calls out or
/// asks for, and the Hebrew mark of acronyms.
fn is_inner_mark(c: char) -> bool {
    matches!(c, '·' | '\u{55B}' | '\u{55C}' | '\u{55E}' | '\u{5F4}')
}

fn keeps_hyphen(text: &str, first: Range<usize>, rules: &LanguageRules) -> bool {
    let first = text.get(first).unwrap_or_default();
    first.len() < LONGEST_WORD && rules.kept_prefixes.contains(rules.lower_case(first).as_str())
}

/// Appends a word with the stop, apostrophe or hyphen that belongs to it, and returns the offset behind it.
pub fn finish(scan: &mut TokenScan, range: Range<usize>, chunk_end: usize) -> usize {
    let (text, rules) = (scan.text, scan.rules);
    let word = text.get(range.clone()).unwrap_or_default();
    let next = char_at(text, range.end).filter(|_| range.end < chunk_end);
    let with = range.end + next.map_or(0, char::len_utf8);
    let belongs = match next.map(class) {
        Some(CharClass::Hyphen) => rules.keep_last_hyphen && class_at(text, with) == CharClass::Space,
        Some(CharClass::Apostrophe) => {
            is_elided(text, range.start..with, rules) || apostrophes::ends_word(text, range.start..with, rules)
        }
        Some(CharClass::Stop) => has_stop(scan, word, range.end),
        Some(CharClass::Tibetan) => next.is_some_and(is_tsheg),
        _ => false,
    };
    if belongs && (with - range.start <= LONGEST_WORD || next == Some('.')) {
        // The stop of an initial: `G‘.`
        let with = if is_quoted_initial(scan, range.start..with) { with + 1 } else { with };
        scan.push(range.start..with);
        return with;
    }
    if next == Some('.')
        && let Some(article) = article_before_stop(scan, range.clone())
    {
        scan.push(range.start..article);
        scan.push(article..with);
        return with;
    }
    let end = range.end;
    clitics(scan, range);
    end
}
