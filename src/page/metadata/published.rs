//! The days of publication and of the last change: every date that the page names is a candidate with the weight of its
//! source; the heaviest wins, of equals the one nearest to the title.

use jiff::civil::Date;
use url::Url;

use super::PublishedSource;
use super::date_weights::{MODIFIED_KEYS, PUBLISHED_KEYS, element_weight, is_change, meta_weight};
use super::dates::{self, NumberOrder};
use super::phrases::DatePhrases;
use super::sources::Sources;
use super::url_dates;
use crate::hash::SeededSet;
use crate::page::head::{Head, Meta, MetadataCandidate, TextLine};

/// The dates of a page, decided.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PageDates {
    pub(super) published: Option<Date>,
    pub(super) source: Option<PublishedSource>,
    pub(super) modified: Option<Date>,
}

/// A day that may be that of publication: how far to trust it, and how many blocks stand between it and the title.
struct DateCandidate {
    day: Date,
    source: PublishedSource,
    weight: u32,
    distance: u32,
    /// Whether the day is that of a time in UTC: readers may have seen the day before or after.
    universal: bool,
}

impl DateCandidate {
    fn new(day: Date, source: PublishedSource, weight: u32, text: &str) -> DateCandidate {
        DateCandidate { day, source, weight, distance: 0, universal: dates::is_universal(text) }
    }
}

/// A date that readers see: in an element that says so, or in a line of text.
struct ShownDate<'a> {
    day: Date,
    source: PublishedSource,
    weight: u32,
    place: u32,
    aside: bool,
    linked: bool,
    /// The value for machines, if there is one.
    value: &'a str,
    /// Whether the date may be taken for that of publication if it stands beside the title.
    trusted: bool,
}

/// The declared day of the last change.
struct ModificationDate {
    /// `None` if the page declares it as that of publication too.
    day: Option<Date>,
    /// Whether it came soon after the declared publication.
    soon: bool,
    /// Where a date of a change is shown: numbers of blocks before it.
    places: Vec<u32>,
}

impl ModificationDate {
    fn of(
        modified: Option<Date>,
        declared: &[DateCandidate],
        reader: &DateReader,
        head: &Head,
        shown: [&[ShownDate]; 2],
    ) -> ModificationDate {
        let own = |meta: &&Meta| !meta.item && PUBLISHED_KEYS.contains(&meta.key.as_str());
        let mut published = head.meta.iter().filter(own).filter_map(|meta| reader.stamp(&meta.content));
        let day = modified.filter(|day| !published.any(|other| other == *day));
        let stated = declared.iter().filter(|one| one.weight >= STATED_WEIGHT).map(|one| one.day);
        let marked = shown.into_iter().flatten().filter(|dated| dated.weight >= STATED_WEIGHT).map(|dated| dated.day);
        let first = stated.chain(marked).min();
        let soon = day.zip(first).is_some_and(|(day, first)| (day - first).get_days() <= SOON_DAYS);
        let changes = shown.into_iter().flatten().filter(|date| date.weight <= CHANGE_WEIGHT);
        ModificationDate { day, soon, places: changes.map(|date| date.place).collect() }
    }

    /// Whether a date shown at a place is that of the change and not that of publication.
    fn is(&self, day: Date, place: u32) -> bool {
        Some(day) == self.day && !(self.soon && self.places.iter().all(|change| change.abs_diff(place) > 1))
    }
}

/// Weight of the date that readers see beside the title, if it is not the declared day of a change:
/// declared days of publication often are those of the database.
const SHOWN_WEIGHT: u32 = 102;

/// Weight from which the name of a date can only mean publication.
const STATED_WEIGHT: u32 = 92;

/// Weight of the day of a change that readers see, at most.
const CHANGE_WEIGHT: u32 = 32;

/// Least weight of a date that counts for another of the same day, and gains by others.
const LEAST_NAMED: u32 = 60;

/// Longest text in which two digits are enough for the year, in characters.
const MAX_SHORT_YEAR_LINE: usize = 90;

/// Longest time from the declared publication to the day of a change or of a line that may be shown as that of
/// publication: what is declared is then the day of a draft or an announcement.
const SOON_DAYS: i32 = 7;

/// Decides the dates of a page. `tld`: the last label of its host. `title`: the number of blocks before the heading that is
/// its title, if there is one.
pub(super) fn page_dates(
    sources: &Sources,
    address: Option<&Url>,
    tld: &str,
    title: Option<u32>,
    captured: Option<Date>,
) -> PageDates {
    let head = sources.head;
    let month = address.and_then(|address| url_dates::month_in_path(address.path()));
    let reader = DateReader { captured, order: number_order(head, tld), month, title, body: head.body };
    let elements: Vec<(&MetadataCandidate, Date)> = head
        .candidates
        .iter()
        .filter_map(|element| Some((element, reader.date_of(element, &head.candidates)?)))
        .collect();
    let modified = modified(sources, &reader, &elements);
    let mut found = declared(sources, &reader, address);
    let stated = found.iter().filter(|one| one.weight >= STATED_WEIGHT).map(|one| one.day).max();
    let lines: Vec<ShownDate> = head.lines.iter().filter_map(|line| reader.line(line, stated)).collect();
    let elements: Vec<ShownDate> =
        elements.into_iter().filter_map(|(element, day)| reader.shown_date(element, day)).collect();
    let change = ModificationDate::of(modified, &found, &reader, head, [&elements, &lines]);
    found.extend(elements.iter().chain(&lines).map(|dated| reader.candidate(dated, &change)));
    found.extend(modified.map(|day| DateCandidate::new(day, PublishedSource::Meta, 30, "")));
    let named = found.iter().filter(|one| one.weight >= LEAST_NAMED).map(|one| (one.source, one.day)).collect();
    let best = found.iter().min_by_key(|one| (u32::MAX - score(one, &named, change.day), one.distance));
    let best = best.map(|best| local(best, &found));
    let told = || lines.iter().find(|line| line.weight <= CHANGE_WEIGHT && !line.aside).map(|line| line.day);
    let modified = modified.or_else(told);
    PageDates { published: best.map(|best| best.day), source: best.map(|best| best.source), modified }
}

/// The dates that are given for machines only: JSON-LD, `<meta>` and the address.
fn declared(sources: &Sources, reader: &DateReader, address: Option<&Url>) -> Vec<DateCandidate> {
    let mut found = Vec::new();
    let mut add = |day: Option<Date>, source, weight, text: &str| {
        let day = day.filter(|&day| dates::plausible(day, reader.captured));
        found.extend(day.map(|day| DateCandidate::new(day, source, weight, text)));
    };
    for text in &sources.json_ld.published {
        add(reader.stamp(text), PublishedSource::Jsonld, 100, text);
    }
    let metas = &sources.head.meta;
    for (at, meta) in metas.iter().enumerate() {
        let weight = meta_weight(&meta.key);
        // Later items of the same name belong to comments and other stories.
        let again = || meta.item && metas.iter().take(at).any(|other| other.item && other.key == meta.key);
        if weight > 0 && !again() {
            add(reader.stamp(&meta.content), PublishedSource::Meta, weight, &meta.content);
        }
    }
    let path = address.map(|url| format!("{}?{}", url.path(), url.query().unwrap_or_default()));
    add(path.as_deref().and_then(url_dates::in_path), PublishedSource::Url, 80, "");
    add(path.as_deref().and_then(url_dates::compact_in_path), PublishedSource::Url, 50, "");
    found
}

/// The weight of a candidate, and a bonus for each other source that names the same day, unless it is that of a change.
/// `named`: the days of each source that count for others.
fn score(candidate: &DateCandidate, named: &SeededSet<(PublishedSource, Date)>, changed: Option<Date>) -> u32 {
    if changed == Some(candidate.day) || candidate.weight < LEAST_NAMED {
        return candidate.weight;
    }
    let others = PublishedSource::ALL.iter().copied().filter(|source| *source != candidate.source);
    let agreeing = others.filter(|source| named.contains(&(*source, candidate.day))).count();
    candidate.weight + 4 * u32::try_from(agreeing).unwrap_or(0)
}

/// In place of a day by UTC the day that readers saw, if they saw the day before or after.
fn local<'a>(best: &'a DateCandidate, found: &'a [DateCandidate]) -> &'a DateCandidate {
    let shown = |other: &&DateCandidate| {
        let near = other.source == PublishedSource::Url || (other.distance <= 5 && other.weight >= 50);
        let next = other.day.tomorrow().ok() == Some(best.day) || best.day.tomorrow().ok() == Some(other.day);
        near && next && !other.universal && !matches!(other.source, PublishedSource::Jsonld | PublishedSource::Meta)
    };
    if best.universal { found.iter().find(shown).unwrap_or(best) } else { best }
}

fn modified(sources: &Sources, reader: &DateReader, dated: &[(&MetadataCandidate, Date)]) -> Option<Date> {
    let linked = sources.json_ld.modified.iter().map(String::as_str);
    let stated = linked.chain(sources.contents(&MODIFIED_KEYS)).find_map(|text| reader.stamp(text));
    let marked = || dated.iter().find(|(element, _)| is_change(element) && !element.aside).map(|(_, day)| *day);
    stated.or_else(marked).filter(|&day| dates::plausible(day, reader.captured))
}

/// Reads the dates of one page.
struct DateReader {
    captured: Option<Date>,
    order: NumberOrder,
    /// Year and month in the address.
    month: Option<(i16, i8)>,
    title: Option<u32>,
    body: Option<u32>,
}

impl DateReader {
    fn stamp(&self, text: &str) -> Option<Date> {
        dates::parse(text, self.order == NumberOrder::Month)
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
    fn date_of(&self, element: &MetadataCandidate, all: &[MetadataCandidate]) -> Option<Date> {
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
    fn line(&self, line: &TextLine, stated: Option<Date>) -> Option<ShownDate<'static>> {
        let (day, weight) =
            self.line_date(&line.text, line.opening).filter(|(day, _)| dates::plausible(*day, self.captured))?;
        let after = self.title.is_some_and(|title| line.place >= title);
        let late = stated.is_some_and(|stated| (day - stated).get_days() > SOON_DAYS);
        let trusted = weight >= 60 && after && !late && line.text.len() <= 60;
        let TextLine { place, aside, linked, .. } = *line;
        Some(ShownDate { day, source: PublishedSource::Text, weight, place, aside, linked, value: "", trusted })
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
            return Some((day, if phrases.published.is_some() { 66 } else { 60 }));
        }
        if phrases.only_changed() {
            return Some((short?, 28));
        }
        match (phrases.published.is_some(), length) {
            (true, ..=120) => Some((day?, 66)),
            (false, ..=40) => Some((short?, 60)),
            (false, ..=90) => Some((day?, 54)),
            _ => Some((day?, 40)),
        }
    }

    /// The date of an element with its weight; None if neither the names nor a value of the element say that it holds one.
    fn shown_date<'a>(&self, element: &'a MetadataCandidate, day: Date) -> Option<ShownDate<'a>> {
        let lower = element.text.to_lowercase();
        let phrases = DatePhrases::of(&lower);
        let changed = is_change(element) || (phrases.only_changed() && self.before_change(&lower, phrases).is_none());
        let (weight, source) = if changed { (CHANGE_WEIGHT, PublishedSource::Time) } else { element_weight(element)? };
        let MetadataCandidate { place, aside, linked, value, .. } = element;
        let (place, aside, linked, trusted) = (*place, *aside, *linked, weight > CHANGE_WEIGHT);
        Some(ShownDate { day, source, weight, place, aside, linked, value, trusted })
    }

    /// A shown date as a candidate; its weight depends on where it stands.
    fn candidate(&self, dated: &ShownDate, change: &ModificationDate) -> DateCandidate {
        let ShownDate { day, source, weight, place, aside, linked, value, trusted } = *dated;
        let is_shown = trusted && !change.is(day, place) && self.is_beside_title(place, aside || linked);
        let weight = if is_shown { SHOWN_WEIGHT } else { self.weight_at(weight, place, aside, linked) };
        DateCandidate { distance: self.distance(place), ..DateCandidate::new(day, source, weight, value) }
    }

    /// The weight of a date, less away from the head of the story.
    fn weight_at(&self, weight: u32, place: u32, aside: bool, linked: bool) -> u32 {
        let title = self.title.unwrap_or(0);
        let early = place + 4 < title;
        let late = self.body.is_some_and(|body| place > body.max(title) + 1);
        let beside = if aside { 40 } else { 0 };
        weight
            .saturating_sub(
                beside + if linked { 10 } else { 0 } + if early { 15 } else { 0 } + if late { 14 } else { 0 },
            )
            .max(1)
    }

    /// Whether an element stands beside the title.
    fn is_beside_title(&self, place: u32, beside: bool) -> bool {
        self.title.is_some() && !beside && self.distance(place) <= 4
    }

    /// Distance from the title in blocks; blocks before the title count twice.
    fn distance(&self, place: u32) -> u32 {
        let title = self.title.unwrap_or(0);
        if place >= title { place - title } else { (title - place) * 2 }
    }
}

/// The order of numbers by the language of the page and its domain.
fn number_order(head: &Head, tld: &str) -> NumberOrder {
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
