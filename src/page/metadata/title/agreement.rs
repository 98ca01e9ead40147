//! Which heading says what the declared titles or the address say: they are compared by their words.

use super::SiteNames;
use super::headings::Heading;
use super::joined_letters;
use super::separators::{is_east_asian, split_at_last};
use crate::text::char_classes::{is_alphanumeric, push_lowercase};

/// How much a heading must agree with a declared title to be the same title in other words: the
/// harmonic mean of the shares of their words that both have.
pub(super) const MIN_AGREEMENT: f64 = 0.6;

/// How much the only `<h1>` must agree with them to stand before a lower heading that agrees more.
const MIN_H1_AGREEMENT: f64 = 0.5;

/// How much it must agree with a later part of a title to be the logo of the site above the story.
const MIN_LOGO_AGREEMENT: f64 = 0.8;

/// Weight of a later part of a title.
const LATER_PART_WEIGHT: f64 = 0.85;

/// What agreement with the words of the address adds to the score of a heading: they never name the site.
const SLUG_BONUS: f64 = 0.2;

/// The heading that agrees best with what the page declares: `declared` titles, the `full` text of `<title>`, and the path of the
/// address.
pub(super) fn agreeing_heading<'a>(
    headings: &'a [Heading],
    declared: &[String],
    full: Option<&str>,
    site: &SiteNames,
    path: &str,
) -> Option<&'a Heading> {
    let slug = slug(path);
    let wanted = wanted(declared, full, site, slug.as_deref());
    let best = best_heading(headings, &wanted, declared, full, slug.as_deref())?;
    Some(first_heading(best, headings, &wanted))
}

/// What a heading may repeat.
struct Wanted {
    /// What agreement with it counts.
    weight: f64,
    /// Its words, as [`words()`] has them.
    words: Vec<u64>,
    /// Whether it is a part of a title behind another part.
    later: bool,
    /// Whether it is the words of the address.
    of_address: bool,
}

/// What a heading may repeat: declared titles, their parts (the first is the story's, later ones are sections as often) and
/// the words of the address.
fn wanted(declared: &[String], full: Option<&str>, site: &SiteNames, slug: Option<&[u64]>) -> Vec<Wanted> {
    let whole = |title: &String| Wanted { weight: 1.0, words: words(title), later: false, of_address: false };
    let mut wanted: Vec<Wanted> = declared.iter().map(whole).collect();
    for title in declared.iter().map(String::as_str).chain(full).take(8) {
        let mut rest = title;
        for _ in 0..4 {
            let Some((first, last)) = split_at_last(rest) else { break };
            if !site.is(last) {
                wanted.push(part(last, true));
            }
            wanted.push(part(first, false));
            rest = first;
        }
    }
    let of_address =
        |words: &[u64]| Wanted { weight: LATER_PART_WEIGHT, words: words.to_vec(), later: false, of_address: true };
    wanted.extend(slug.map(of_address));
    wanted
}

/// The words of the part of an address that has most, without numbers, if there are several.
fn slug(path: &str) -> Option<Vec<u64>> {
    let slug =
        path.split('/').map(|part| words_of(part, |word| !word.starts_with(char::is_numeric))).max_by_key(Vec::len)?;
    (slug.len() >= 3).then_some(slug)
}

/// Few words name a section more often than a story.
fn part(text: &str, later: bool) -> Wanted {
    let words = words(text);
    let weight = if later { LATER_PART_WEIGHT } else { 1.0 };
    Wanted { weight: if words.len() < 3 { weight * 0.75 } else { weight }, words, later, of_address: false }
}

/// The heading that agrees best; of equals the higher, then the earlier. One of several parts may have the name of the site,
/// unless it repeats all of the `<title>`. Behind the first heading, a lower one that adds words is that of a section.
fn best_heading<'a>(
    headings: &'a [Heading],
    wanted: &[Wanted],
    declared: &[String],
    full: Option<&str>,
    slug: Option<&[u64]>,
) -> Option<&'a Heading> {
    let whole = full.map_or_else(Vec::new, words);
    let mut best: Option<(f64, &Heading)> = None;
    for (at, heading) in headings.iter().enumerate() {
        let own = words(&heading.text);
        let is_whole = !own.is_empty() && own == whole;
        let least = if is_whole { 1.0 } else { 0.0 };
        let most = wanted.iter().map(|title| title.weight * agreement(&own, &title.words)).fold(least, f64::max);
        let joined = if split_at_last(&heading.text).is_some() && !is_whole { 0.06 } else { 0.0 };
        let score = most - f64::from(heading.rank()) * 0.02 - joined
            + SLUG_BONUS * slug.map_or(0.0, |slug| agreement(&own, slug));
        let is_section = || {
            let titles = declared.iter().map(String::as_str).chain(full);
            at > 0 && heading.rank() > 1 && adds_words(&heading.text, &own, titles, wanted)
        };
        if most >= MIN_AGREEMENT && best.is_none_or(|(other, _)| score > other) && !is_section() {
            best = Some((score, heading));
        }
    }
    best.map(|(_, heading)| heading)
}

/// Whether a heading, whose words are `own`, has further ones than the declared title with which it agrees, as those of sections and
/// buttons have (`Buy Story Two`). A title that was cut ends anywhere in the heading.
fn adds_words<'t>(heading: &str, own: &[u64], mut titles: impl Iterator<Item = &'t str>, wanted: &[Wanted]) -> bool {
    let mut declared = wanted.iter().filter(|title| !title.of_address);
    let has_all = |title: &Wanted| own.iter().all(|word| title.words.contains(word));
    let agrees = |title: &Wanted| title.weight * agreement(own, &title.words) >= MIN_AGREEMENT;
    if declared.clone().any(has_all) || !declared.any(agrees) {
        return false;
    }
    let letters = joined_letters(heading);
    let is_in = |title: &str| {
        let of_title = joined_letters(title);
        let is_cut = title.ends_with("...") || title.ends_with('…');
        of_title.contains(&letters) || is_cut && letters.starts_with(&of_title)
    };
    !titles.any(is_in)
}

/// The only `<h1>` in place of a lower heading behind it that agrees better, such as the question that a story answers, if it
/// has several words, agrees by half and is no logo.
fn first_heading<'a>(best: &'a Heading, headings: &'a [Heading], wanted: &[Wanted]) -> &'a Heading {
    let mut firsts = headings.iter().filter(|heading| heading.rank() == 1);
    let only = firsts.next().filter(|first| firsts.all(|other| other.place == first.place));
    let agrees = |first: &&Heading| {
        let own = words(&first.text);
        let is_same = |title: &Wanted| title.weight * agreement(&own, &title.words) >= MIN_H1_AGREEMENT;
        own.len() >= 3 && wanted.iter().any(is_same) && !is_logo(&own, &words(&best.text), wanted)
    };
    only.filter(|first| best.rank() > 1 && best.place > first.place).filter(agrees).unwrap_or(best)
}

/// Whether the words of an `<h1>` name the site above its story: they are a later part of a title of which another heading, with
/// more words, is an earlier part.
fn is_logo(h1: &[u64], other: &[u64], wanted: &[Wanted]) -> bool {
    let most = |own: &[u64], later: bool| {
        let titles = wanted.iter().filter(|title| title.later == later);
        titles.map(|title| agreement(own, &title.words)).fold(0.0, f64::max)
    };
    let later = most(h1, true);
    other.len() > h1.len()
        && later >= MIN_LOGO_AGREEMENT
        && later > most(h1, false)
        && most(other, false) >= MIN_AGREEMENT
}

/// Twice the common words by all words, each counted once.
#[allow(clippy::cast_precision_loss)]
pub(super) fn agreement(a: &[u64], b: &[u64]) -> f64 {
    let common = a.iter().filter(|word| b.contains(word)).count();
    2.0 * common as f64 / (a.len() + b.len()).max(1) as f64
}

/// The different words in lower case, as hashes; in scripts without spaces every character is a word.
pub(super) fn words(text: &str) -> Vec<u64> {
    words_of(text, |_| true)
}

fn words_of(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    let mut add = |word: &mut String| {
        if word.is_empty() {
            return;
        }
        let hash = fxhash::hash64(word);
        if wanted(word) && !words.contains(&hash) && words.len() < MAX_WORDS {
            words.push(hash);
        }
        word.clear();
    };
    let mut word = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
            continue;
        }
        let spaceless = is_east_asian(c);
        let is_part = is_alphanumeric(c);
        if spaceless || !is_part {
            add(&mut word);
        }
        if is_part {
            push_lowercase(c, &mut word);
        }
        if spaceless {
            add(&mut word);
        }
    }
    add(&mut word);
    words
}

/// Most words of a title that are compared.
const MAX_WORDS: usize = 60;
