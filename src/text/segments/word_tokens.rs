//! Tokens that begin with a letter or digit: where they end, whether a full stop belongs to them, and their clitics.

use std::ops::Range;

use compact_str::CompactString;

use super::chars::{CharClass, char_at, char_before, class, class_at, is_apostrophe, skip, skip_word};
use super::full_stop::is_roman;
use super::own_marks::ETHIOPIC_COLON;
use super::rules::{Abbreviation, Ending, LanguageRules, straight};
use super::tokens::TokenScan;
use super::{apostrophes, ethiopic, hebrew, own_marks};
use crate::text::beginning;
use crate::text::char_classes::is_tsheg;

/// Length in bytes above which a word is neither an abbreviation nor split into clitics.
const LONGEST_WORD: usize = 64;
/// Letters of a currency before its sign at most.
const LONGEST_CURRENCY: usize = 3;
/// Number of clitics or endings that are split off one side of a word at most.
const MAX_SPLITS: usize = 3;

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

/// The offset behind a currency that is written to its number, with the stop of an abbreviation: `Rp50.000`, `Rp.50.000`. The
/// number is a token, as behind a sign (`$50`). Letters with a short number are names of other things, too (`Rs6`, `RM101`).
fn currency_end(text: &str, at: usize, rules: &LanguageRules) -> Option<usize> {
    let rest = text.get(at..)?;
    rules.currencies.iter().find_map(|currency| {
        let behind = rest.strip_prefix(currency.as_str())?;
        let number = behind.strip_prefix('.').unwrap_or(behind);
        let digits = skip(number, 0, |c| class(c) == CharClass::Digit);
        let is_amount = || {
            let (whole, after) = number.split_at_checked(digits).unwrap_or((number, ""));
            let after = after.strip_prefix(['.', ',']);
            whole.chars().nth(3).is_some()
                || after.is_some_and(|after| after.starts_with(|c: char| class(c) == CharClass::Digit))
        };
        (digits > 0 && (number.len() < behind.len() || is_amount())).then_some(text.len() - number.len())
    })
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

/// Appends the number whose digits begin at `at`, with what heads it from `start` on and the letters attached to it, and
/// returns the offset behind it.
pub fn number(scan: &mut TokenScan, start: usize, at: usize, chunk_end: usize) -> usize {
    let text = scan.text;
    let digits = number_end(text, at, scan.rules);
    if let Some(end) = ordinal_ending(text, digits) {
        scan.push(start..end);
        return end;
    }
    if scan.rules.ordinal_dot && !scan.rules.cut_stop && is_ordinal(text, digits, chunk_end) {
        scan.push(start..digits + 1);
        return digits + 1;
    }
    let tails = &scan.rules.number_tails;
    let digits = if tails.is_empty() { digits } else { skip(text, digits, |c| tails.contains(c)) };
    let joint = char_at(text, digits).filter(|c| is_joint(*c) || is_colon_ending(text, digits, scan.rules));
    let next = digits + joint.map_or(0, char::len_utf8);
    let hyphen = next > digits && class_at(text, digits) == CharClass::Hyphen;
    if digits >= chunk_end || class_at(text, next) != CharClass::Letter || hyphen && scan.rules.cut_hyphens {
        let digits = skip(text, digits, is_tsheg);
        scan.push(start..digits);
        return digits;
    }
    let end = word_end(scan, start, next, chunk_end);
    finish(scan, start..end, chunk_end)
}

/// The offset behind the stop and the ending of an ordinal number, which stand at an offset: `13.º`, `3.er`.
fn ordinal_ending(text: &str, digits: usize) -> Option<usize> {
    let rest = text.get(digits..)?;
    let ending = [".º", ".ª", ".er"].into_iter().find(|ending| rest.starts_with(*ending))?;
    let end = digits + ending.len();
    (ending != ".er" || class_at(text, end) != CharClass::Letter).then_some(end)
}

fn is_joint(c: char) -> bool {
    matches!(class(c), CharClass::Hyphen | CharClass::Apostrophe) && c != '`'
}

/// The end of a run of digits with single separators between them: `5,000.50`, `12:05`, `08/16/2000`, `20-30`.
fn number_end(text: &str, at: usize, rules: &LanguageRules) -> usize {
    let mut end = at;
    loop {
        end = skip(text, end, |c| class(c) == CharClass::Digit);
        let Some(mark) = char_at(text, end) else { return end };
        let joins = match mark {
            '.' | ',' | ':' | '/' | '٫' | '٬' | '．' | '\'' | '’' | '⁻' => true,
            // Hours of Amharic, and days of Korean: `10፡30`, `5·18`.
            ETHIOPIC_COLON => true,
            '·' => {
                let behind = skip(text, end + 2, |c| class(c) == CharClass::Digit);
                end - at <= 2 && behind <= end + 4 && char_at(text, behind) != Some('·')
            }
            '，' => parts_thousands(text, end),
            '-' | '\u{2010}' | '\u{2011}' => !rules.cut_ranges,
            _ => false,
        };
        let next = end + mark.len_utf8();
        if !joins || class_at(text, next) != CharClass::Digit {
            return end;
        }
        end = next;
    }
}

/// Whether a comma in the width of an ideograph stands between digits of that width, three of them behind it: `１，２３４`, but
/// `１，２，３`.
fn parts_thousands(text: &str, comma: usize) -> bool {
    let wide = |c: char| ('０'..='９').contains(&c);
    let behind = text.get(comma + '，'.len_utf8()..).unwrap_or_default();
    char_before(text, comma).is_some_and(wide) && behind.chars().take(4).take_while(|c| wide(*c)).count() == 3
}

/// Whether the digits before `end` have the stop of an ordinal number: one stop, and the sentence goes on.
fn is_ordinal(text: &str, end: usize, chunk_end: usize) -> bool {
    end < chunk_end
        && end + 1 < text.len()
        && char_at(text, end) == Some('.')
        && !matches!(class_at(text, end + 1), CharClass::Stop | CharClass::Letter | CharClass::Digit)
}

/// The end of a run of letters and digits with single hyphens, apostrophes and stops between them.
fn word_end(scan: &TokenScan, at: usize, from: usize, chunk_end: usize) -> usize {
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
    let is_listed = |word: &str| rules.abbreviation(&rules.lower_case(word)).is_some();
    let is_abbreviation = || last.chars().count() > 1 && (is_listed(before) || is_listed(last));
    (is_initial || is_abbreviation() || before.contains(".-")).then_some(next)
}

/// Whether the comma at an offset parts the thousands of a number within a word: `N1,500`, `לכ-1,500`.
fn is_thousands_mark(text: &str, word: usize, comma: usize) -> bool {
    const THOUSANDS: usize = 3;
    const MOST_LETTERS: usize = 4;
    if !matches!(char_at(text, comma), Some(',' | '٬')) {
        return false;
    }
    let is_digit = |c: &char| class(*c) == CharClass::Digit;
    let count = |digits: &mut dyn Iterator<Item = char>| digits.take(THOUSANDS + 1).take_while(is_digit).count();
    let before = text.get(word..comma).unwrap_or_default();
    let behind = text.get(comma..).unwrap_or_default();
    let digits = count(&mut before.chars().rev());
    // Of names such as `COVID19` and `MP3,128kbps` it is none.
    let letters = before.chars().rev().skip(digits).take_while(|c| class(*c) == CharClass::Letter);
    let goes_on = behind.chars().nth(1 + THOUSANDS).is_some_and(|c| class(c) == CharClass::Letter);
    (1..=THOUSANDS).contains(&digits)
        && letters.take(MOST_LETTERS + 1).count() <= MOST_LETTERS
        && !goes_on
        && count(&mut behind.chars().skip(1)) == THOUSANDS
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
fn is_colon_ending(text: &str, at: usize, rules: &LanguageRules) -> bool {
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

/// Whether a word is an initial that ends with an apostrophe, and its stop stands behind it.
fn is_quoted_initial(scan: &TokenScan, word: Range<usize>) -> bool {
    let (text, rules) = (scan.text, scan.rules);
    let stop = || char_at(text, word.end) == Some('.') && word.end + 1 < text.len();
    let letters = || text.get(word.clone()).unwrap_or_default();
    char_before(text, word.end).is_some_and(is_apostrophe) && stop() && rules.is_initial(letters())
}

/// The offset behind the elided article of an abbreviation with a stop behind it: `l'art.`
fn article_before_stop(scan: &TokenScan, word: Range<usize>) -> Option<usize> {
    let letters = scan.text.get(word.clone()).filter(|letters| letters.len() <= LONGEST_WORD)?;
    let cut = scan.rules.clitics_before.iter().find_map(|clitic| clitic_at_start(letters, clitic))?;
    let rest = letters.get(cut..).filter(|rest| !rest.is_empty())?;
    has_stop(scan, rest, word.end).then_some(word.start + cut)
}

/// Whether a word with the apostrophe behind it is an elided form.
fn is_elided(text: &str, with: Range<usize>, rules: &LanguageRules) -> bool {
    let has_none = rules.clitics_before.is_empty() && rules.exceptions.is_empty();
    let Some(word) = text.get(with).filter(|word| !has_none && word.len() <= LONGEST_WORD) else { return false };
    let form: CompactString = word.chars().map(letter_of_clitic).collect();
    rules.exceptions.contains(form.as_str()) || rules.clitics_before.iter().any(|clitic| *clitic == form)
}

/// Whether the stop behind a word belongs to it.
fn has_stop(scan: &TokenScan, word: &str, end: usize) -> bool {
    let text = scan.text;
    if char_at(text, end) != Some('.') || char_at(text, end + 1) == Some('.') || word.len() > LONGEST_WORD {
        return false;
    }
    let last = end + 1 == text.len();
    if is_acronym(word, scan.rules) {
        return !last || !scan.rules.cut_stop;
    }
    if scan.rules.cut_stop || last && !scan.rules.keep_last_stop {
        return false;
    }
    let rules = scan.rules;
    let part = word.rsplit(".-").next().unwrap_or(word);
    let roman = rules.ordinal_dot && is_roman(part);
    let initial = || {
        rules.is_initial(part)
            || is_caseless_initial(text, part, end, rules)
            || begins_abbreviation(text, part, end, rules)
    };
    let listed = |word: &str| rules.abbreviation(&straight(word, rules)).is_some();
    !last && (roman || initial()) || listed(word) || part.len() < word.len() && listed(part)
}

/// Whether a word has inner stops, and its parts are of two letters at most or names of letters: `D.C`, `ఎన్.టి.ఆర్`.
fn is_acronym(word: &str, rules: &LanguageRules) -> bool {
    let is_letter = |part: &str| {
        part.chars().count() <= 2 || !part.is_ascii() && rules.abbreviation(part) == Some(Abbreviation::NeverEnds)
    };
    word.contains('.') && !word.contains(|c: char| c.is_ascii_digit()) && word.split('.').all(is_letter)
}

/// Whether a word before the stop at an offset is an initial in a script without case, where another one stands beside it. Alone it
/// may be the last word of a sentence.
fn is_caseless_initial(text: &str, word: &str, stop: usize, rules: &LanguageRules) -> bool {
    let behind = text.get(stop + 1..).unwrap_or_default().trim_start();
    let next = skip(behind, 0, |c| class(c) == CharClass::Letter);
    let is_next = || behind.get(next..).is_some_and(|rest| rest.starts_with('.'));
    let before = || text.get(..stop - word.len())?.trim_end_matches(' ').strip_suffix('.');
    let is_previous = || before().is_some_and(|before| own_marks::is_initial(last_word(before)));
    own_marks::is_initial(word)
        && !rules.last_words.contains(word)
        && (behind.get(..next).is_some_and(own_marks::is_initial) && is_next() || is_previous())
}

/// The letters that a text ends with, of its last bytes.
fn last_word(text: &str) -> &str {
    let near = text.get(text.ceil_char_boundary(text.len().saturating_sub(LONGEST_WORD))..).unwrap_or_default();
    near.rsplit(|c| class(c) != CharClass::Letter).next().unwrap_or_default()
}

/// Whether a small letter before the stop at an offset begins an abbreviation that is written with a blank: Spanish `a. C.`
fn begins_abbreviation(text: &str, word: &str, stop: usize, rules: &LanguageRules) -> bool {
    let mut behind = text.get(stop..).unwrap_or_default().chars();
    let spaced = word.chars().count() == 1 && behind.next() == Some('.') && behind.next() == Some(' ');
    let next = behind.next().filter(|_| spaced && behind.next() == Some('.'));
    next.is_some_and(|next| rules.abbreviation(&rules.lower_case(&format!("{word}.{next}"))).is_some())
}

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
    let lower = rules.lower_case(word);
    let straight = lower.contains('’').then(|| lower.replace('’', "'"));
    if rules.exceptions.contains(straight.as_deref().unwrap_or(lower.as_str())) {
        return scan.push(range);
    }
    for _ in 0..MAX_SPLITS {
        let rest = scan.text.get(range.clone()).unwrap_or_default();
        let Some(cut) =
            rules.clitics_before.iter().find_map(|c| clitic_at_start(rest, c)).filter(|cut| *cut < rest.len())
        else {
            break;
        };
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
