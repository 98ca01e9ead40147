//! The dates that readers see: in elements that say that they hold one, and in lines of text.

use jiff::civil::Date;

use super::PublishedSource;
use super::date_weights::{element_weight, is_change};
use super::dates::{self, NumberOrder};
use super::phrases::DatePhrases;
use crate::page::head::{Head, MetadataCandidate, TextLine};

/// Weight of the day of a change that readers see, at most.
pub(super) const CHANGE_WEIGHT: u32 = 32;

/// Weight from which the name of a date can only mean publication.
pub(super) const STATED_WEIGHT: u32 = 92;

/// Weight of a line whose words speak of publication.
const ANNOUNCED_WEIGHT: u32 = 66;

/// Longest time from the declared publication to the day of a change or of a line that may be shown as that of
/// publication: what is declared is then the day of a draft or an announcement.
pub(super) const SOON_DAYS: i32 = 7;

/// A date that readers see: in an element that says so, or in a line of text.
pub(super) struct ShownDate<'a> {
    pub(super) day: Date,
    pub(super) source: PublishedSource,
    pub(super) weight: u32,
    pub(super) place: u32,
    pub(super) aside: bool,
    pub(super) linked: bool,
    /// The value for machines, if there is one.
    pub(super) value: &'a str,
    /// Whether the date may be taken for that of publication if it stands beside the title.
    pub(super) trusted: bool,
    /// Whether the name of the element or the words of the line speak of publication.
    pub(super) published: bool,
}

/// Longest text in which two digits are enough for the year, in characters.
const MAX_SHORT_YEAR_LINE: usize = 90;

/// Reads the dates of one page.
pub(super) struct DateReader {
    pub(super) captured: Option<Date>,
    pub(super) order: NumberOrder,
    /// Year and month in the address.
    pub(super) month: Option<(i16, i8)>,
    pub(super) title: Option<u32>,
}

impl DateReader {
    pub(super) fn stamp(&self, text: &str) -> Option<Date> {
        dates::parse_by(text, self.order)
            .or_else(|| dates::unix(text))
            .filter(|&day| dates::plausible(day, self.captured))
    }

    /// The date of an element: that of its value for machines, else of its text.
    fn element_date(&self, element: &MetadataCandidate) -> Option<Date> {
        let stated = |line: &str| {
            dates::parse_short(line, self.order)?;
            let lower = line.to_lowercase();
            self.before_change(&lower, DatePhrases::of(&lower)).or_else(|| self.short(line))
        };
        let shown = || element.text.lines().find_map(stated);
        let Some(day) = self.stamp(&element.value) else { return shown() };
        if !dates::is_universal(&element.value) {
            return Some(day);
        }
        // By UTC it may be the day before or after the one that readers see.
        let is_next = |shown: &Date| (*shown - day).get_days().abs() == 1;
        Some(shown().filter(is_next).unwrap_or(day))
    }

    /// [`DateReader::element_date`], by the value of an element inside with the same text or by the month in the address where
    /// the order of day and month is a guess.
    pub(super) fn date_of(&self, element: &MetadataCandidate, all: &[MetadataCandidate]) -> Option<Date> {
        let day = self.element_date(element)?;
        let is_inside = |inner: &&MetadataCandidate| {
            !inner.value.is_empty() && inner.place == element.place && inner.text == element.text
        };
        let inner = all.iter().filter(|_| element.value.is_empty()).find(is_inside);
        let is_swapped = |other: &Date| other.day() == day.month() && other.month() == day.day();
        let by_inner = || inner.and_then(|inner| self.element_date(inner));
        // `11.05.12` below `/2012/11/`.
        let by_address = || {
            self.month.filter(|month| *month == (day.year(), day.day()))?;
            let read = if self.stamp(&element.value).is_some() { &element.value } else { &element.text };
            let is_guess = read.lines().any(dates::is_order_guessed);
            is_guess.then(|| Date::new(day.year(), day.day(), day.month()).ok()).flatten()
        };
        Some(by_inner().or_else(by_address).filter(is_swapped).unwrap_or(day))
    }

    /// A short dated text; two digits are enough for the year.
    fn short(&self, text: &str) -> Option<Date> {
        let day = dates::parse_short(text, self.order)?;
        (text.chars().count() <= MAX_SHORT_YEAR_LINE && dates::plausible(day, self.captured)).then_some(day)
    }

    /// The day of publication in a text in lower case that also names the day of a change.
    fn before_change(&self, lower: &str, phrases: DatePhrases) -> Option<Date> {
        let (published, changed) = phrases.parts(lower)?;
        dates::parse_short(changed, self.order)?;
        self.short(published)
    }

    /// The date of a line, if it shows one. `stated`: the last day that the page states for machines as that of
    /// publication. What a line names long after it is an event or a change.
    pub(super) fn line(&self, line: &TextLine, stated: Option<Date>) -> Option<ShownDate<'static>> {
        let (day, weight) =
            self.line_date(&line.text, line.opening).filter(|(day, _)| dates::plausible(*day, self.captured))?;
        let after = self.title.is_some_and(|title| line.place >= title);
        let late = stated.is_some_and(|stated| (day - stated).get_days() > SOON_DAYS);
        let trusted = weight >= 60 && after && !late && line.text.len() <= 60;
        let TextLine { place, aside, linked, .. } = *line;
        Some(ShownDate {
            day,
            source: PublishedSource::Text,
            weight,
            place,
            aside,
            linked,
            value: "",
            trusted,
            published: weight == ANNOUNCED_WEIGHT,
        })
    }

    /// The date of a line and its weight; `opening`: it is the beginning of a paragraph of the story.
    fn line_date(&self, line: &str, opening: bool) -> Option<(Date, u32)> {
        // Most lines hold no date, so the phrases beside it are looked for afterwards.
        let (day, short) = dates::parse_both(line, self.order);
        let short = short?;
        if opening {
            return Some((day?, 45));
        }
        if line.contains("://") {
            return None;
        }
        let length = line.chars().count();
        let short = (length <= MAX_SHORT_YEAR_LINE && dates::plausible(short, self.captured)).then_some(short);
        let lower = line.to_lowercase();
        let phrases = DatePhrases::of(&lower);
        if let Some(other) = phrases.other {
            // `Published 3 May 2014 © Photos: …`.
            let is_published = phrases.published.is_some_and(|published| published < other);
            return lower.get(..other).filter(|_| is_published).and_then(|before| self.line_date(before, opening));
        }
        if let Some(day) = self.before_change(&lower, phrases) {
            return Some((day, if phrases.published.is_some() { ANNOUNCED_WEIGHT } else { 60 }));
        }
        if phrases.only_changed() {
            return Some((short?, 28));
        }
        match (phrases.published.is_some(), length) {
            (true, ..=120) => Some((day?, ANNOUNCED_WEIGHT)),
            (false, ..=40) => Some((short?, 60)),
            (false, ..=90) => Some((day?, 54)),
            _ => Some((day?, 40)),
        }
    }

    /// The date of an element with its weight; None if neither the names nor a value of the element say that it holds one.
    pub(super) fn shown_date<'a>(&self, element: &'a MetadataCandidate, day: Date) -> Option<ShownDate<'a>> {
        let lower = element.text.to_lowercase();
        let phrases = DatePhrases::of(&lower);
        if NO_PUBLICATION.iter().any(|name| element.names.contains(name)) {
            return None;
        }
        let changed = is_change(element) || (phrases.only_changed() && self.before_change(&lower, phrases).is_none());
        let (weight, source) = if changed { (CHANGE_WEIGHT, PublishedSource::Time) } else { element_weight(element)? };
        let MetadataCandidate { place, aside, linked, value, .. } = element;
        let (place, aside, linked, trusted) = (*place, *aside, *linked, weight > CHANGE_WEIGHT);
        let published = element.names.contains("publish") || weight >= STATED_WEIGHT;
        Some(ShownDate { day, source, weight, place, aside, linked, value, trusted, published })
    }
}

/// Parts of the names of dates of birth and events, and of visits to sources (MediaWiki).
const NO_PUBLICATION: [&str; 3] = ["bday", "dtstart", "accessdate"];

/// The order of numbers by the language of the page and its domain.
pub(super) fn number_order(head: &Head, tld: &str) -> NumberOrder {
    let lang = head.html_lang.to_ascii_lowercase();
    let locale = head.meta.iter().find(|meta| meta.key == "og:locale").map(|meta| meta.content.to_ascii_lowercase());
    let locale = locale.unwrap_or_default();
    let stated = if lang.is_empty() { &locale } else { &lang };
    let eastern = ["zh", "ja", "ko"].iter().any(|language| stated.split(['-', '_']).next() == Some(language));
    if eastern || stated.is_empty() && ["cn", "hk", "jp", "kr", "tw"].contains(&tld) {
        return NumberOrder::Year;
    }
    let generic = ["com", "org", "net", "edu", "gov", "us"].contains(&tld);
    let is_american = |tag: &str| tag.starts_with("en-us") || tag.starts_with("en_us");
    let english = ["", "en"].contains(&lang.as_str()) || is_american(&lang);
    let elsewhere = !["", "en"].contains(&locale.as_str()) && !is_american(&locale);
    if english && generic && !elsewhere { NumberOrder::Month } else { NumberOrder::Day }
}
