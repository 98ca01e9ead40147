//! The days of publication and of the last change: every date that the page names is a candidate with the weight of its
//! source; the heaviest wins, of equals the one nearest to the title.

use jiff::civil::Date;
use url::Url;

use super::PublishedSource;
use super::date_weights::{MODIFIED_KEYS, PUBLISHED_KEYS, is_change, meta_weight};
use super::dates;
use super::distance;
use super::shown_dates::{CHANGE_WEIGHT, DateReader, SOON_DAYS, STATED_WEIGHT, ShownDate, number_order};
use super::sources::Sources;
use super::url_dates;
use crate::hash::SeededSet;
use crate::page::head::{Head, Meta, MetadataCandidate};

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

    /// Whether a shown date is that of the change and not that of publication.
    fn is(&self, shown: &ShownDate) -> bool {
        let apart = || self.places.iter().all(|change| change.abs_diff(shown.place) > 1);
        Some(shown.day) == self.day && !((self.soon || shown.published) && apart())
    }
}

/// Weight of the date that readers see beside the title, if it is not the declared day of a change:
/// declared days of publication often are those of the database.
const SHOWN_WEIGHT: u32 = 102;

/// Least weight of a date that counts for another of the same day, and gains by others.
const LEAST_NAMED: u32 = 60;

/// From how many days after the day in a permalink on what is declared is the day on which the page was moved: permalinks stay.
const MOVED_DAYS: i32 = 31;

/// Weight of the day in the permalink of a page that was moved, above [`SHOWN_WEIGHT`]: its template shows the later day.
const PERMALINK_WEIGHT: u32 = 112;

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
    let reader = DateReader { captured, order: number_order(head, tld), month, title };
    let story = StoryPlace { title, body: head.body };
    let elements: Vec<(&MetadataCandidate, Date)> = head
        .candidates
        .iter()
        .filter(|element| !element.commented)
        .filter_map(|element| Some((element, reader.date_of(element, &head.candidates)?)))
        .collect();
    let stated_change = stated_change(sources, &reader);
    let modified = stated_change.or_else(|| shown_change(&reader, &elements));
    let mut found = declared(sources, &reader, address);
    let stated = found.iter().filter(|one| one.weight >= STATED_WEIGHT).map(|one| one.day).max();
    let lines: Vec<ShownDate> = head.lines.iter().filter_map(|line| reader.line(line, stated)).collect();
    let mut elements: Vec<ShownDate> =
        elements.into_iter().filter_map(|(element, day)| reader.shown_date(element, day)).collect();
    take_only_statement(&mut elements);
    let change = ModificationDate::of(modified, &found, &reader, head, [&elements, &lines]);
    // Comments and other stories may be younger than the last change. Days are those of time zones.
    let is_younger = |shown: &&ShownDate| {
        !shown.published && stated_change.is_some_and(|change| (shown.day - change).get_days() > 1)
    };
    let shown = elements.iter().chain(&lines).filter(|shown| !is_younger(shown));
    found.extend(shown.map(|dated| story.candidate(dated, &change)));
    found.extend(modified.map(|day| DateCandidate::new(day, PublishedSource::Meta, 30, "")));
    let named = found.iter().filter(|one| one.weight >= LEAST_NAMED).map(|one| (one.source, one.day)).collect();
    let best = found.iter().min_by_key(|one| (u32::MAX - score(one, &named, change.day), one.distance));
    let best = best.map(|best| local(best, &found));
    let told = || lines.iter().find(|line| line.weight <= CHANGE_WEIGHT && !line.aside).map(|line| line.day);
    let modified = modified.or_else(told);
    PageDates { published: best.map(|best| best.day), source: best.map(|best| best.source), modified }
}

/// What microdata state as the day of publication is not beside the story if they state only one: templates have it in
/// parts that are called `footer`, also above the text.
fn take_only_statement(elements: &mut [ShownDate]) {
    let stated = |one: &&mut ShownDate| one.source == PublishedSource::Microdata && one.weight >= STATED_WEIGHT;
    let mut days = elements.iter_mut().filter(stated).map(|one| one.day);
    let Some(first) = days.next() else { return };
    if days.all(|day| day == first) {
        elements.iter_mut().filter(stated).for_each(|one| one.aside = false);
    }
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
    let first = found.iter().filter(|one| one.weight >= STATED_WEIGHT).map(|one| one.day).min();
    let permalink = address.and_then(|url| url_dates::permalink_day(url.path()));
    let is_moved = |day: &Date| first.is_some_and(|first| (first - *day).get_days() > MOVED_DAYS);
    let kept = permalink.filter(is_moved).filter(|&day| dates::plausible(day, reader.captured));
    found.extend(kept.map(|day| DateCandidate::new(day, PublishedSource::Url, PERMALINK_WEIGHT, "")));
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

/// The day of the last change by JSON-LD and `<meta>`.
fn stated_change(sources: &Sources, reader: &DateReader) -> Option<Date> {
    let linked = sources.json_ld.modified.iter().map(String::as_str);
    linked.chain(sources.contents(&MODIFIED_KEYS)).find_map(|text| reader.stamp(text))
}

/// The day of the last change by the names of an element.
fn shown_change(reader: &DateReader, dated: &[(&MetadataCandidate, Date)]) -> Option<Date> {
    let marked = dated.iter().find(|(element, _)| is_change(element) && !element.aside).map(|(_, day)| *day);
    marked.filter(|&day| dates::plausible(day, reader.captured))
}

/// Where the story of a page stands, in blocks.
struct StoryPlace {
    title: Option<u32>,
    body: Option<u32>,
}

impl StoryPlace {
    /// A shown date as a candidate; its weight depends on where it stands.
    fn candidate(&self, dated: &ShownDate, change: &ModificationDate) -> DateCandidate {
        let ShownDate { day, source, weight, place, aside, linked, value, trusted, .. } = *dated;
        let is_shown = trusted && !change.is(dated) && self.is_beside_title(place, aside || linked);
        let weight = if is_shown { SHOWN_WEIGHT } else { self.weight_at(weight, place, aside, linked) };
        DateCandidate { distance: distance(self.title, place), ..DateCandidate::new(day, source, weight, value) }
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
    fn is_beside_title(&self, place: u32, elsewhere: bool) -> bool {
        self.title.is_some() && !elsewhere && distance(self.title, place) <= 4
    }
}
