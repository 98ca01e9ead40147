//! The days of publication and of the last change: all days the page names, each with the weight
//! of its source; the heaviest wins, of equals the one that stands nearest to the title.

use jiff::civil::Date;

use super::dates;
use super::phrases::Said;
use super::sources::Sources;
use super::weights::{MODIFIED_KEYS, PUBLISHED_KEYS, is_change, mark_weight, meta_weight};
use crate::page::head::{Head, Line, Mark, Meta};
use crate::page::url;

/// What a page says about its days.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Days {
    pub(super) published: Option<Date>,
    pub(super) source: Option<&'static str>,
    pub(super) modified: Option<Date>,
}

/// A day, how far to trust it, and how many blocks stand between it and the title.
struct Candidate {
    day: Date,
    source: &'static str,
    weight: u32,
    distance: u32,
    /// Whether the day is that of a moment in universal time: readers may have seen the day before or after.
    universal: bool,
}

impl Candidate {
    fn new(day: Date, source: &'static str, weight: u32, text: &str) -> Candidate {
        Candidate { day, source, weight, distance: 0, universal: dates::is_universal(text) }
    }
}

/// A day that readers see: in an element that says so, or in a line of text.
struct Dated<'a> {
    day: Date,
    source: &'static str,
    weight: u32,
    place: u32,
    aside: bool,
    linked: bool,
    /// The value for machines, if there is one.
    value: &'a str,
    /// Whether it may be taken for the day of publication, if it stands beside the title.
    trusted: bool,
}

/// The declared day of the last change.
struct Change {
    /// `None` if the page declares it as that of publication too.
    day: Option<Date>,
    /// Whether it came soon after the declared publication.
    soon: bool,
    /// Where readers are told of a change.
    places: Vec<u32>,
}

impl Change {
    fn of(
        modified: Option<Date>,
        declared: &[Candidate],
        reader: &Reader,
        head: &Head,
        shown: [&[Dated]; 2],
    ) -> Change {
        let own = |meta: &&Meta| !meta.item && PUBLISHED_KEYS.contains(&meta.key.as_str());
        let mut published = head.meta.iter().filter(own).filter_map(|meta| reader.stamp(&meta.content));
        let day = modified.filter(|day| !published.any(|other| other == *day));
        let stated = declared.iter().filter(|one| one.weight >= 92).map(|one| one.day);
        let marked = shown.into_iter().flatten().filter(|dated| dated.weight >= 92).map(|dated| dated.day);
        let first = stated.chain(marked).min();
        let soon = day.zip(first).is_some_and(|(day, first)| (day - first).get_days() <= SOON);
        let told = shown.into_iter().flatten().filter(|dated| dated.weight <= CHANGED);
        Change { day, soon, places: told.map(|dated| dated.place).collect() }
    }

    /// Whether what stands at a place is the day of the change and not that of publication.
    fn is(&self, day: Date, place: u32) -> bool {
        Some(day) == self.day && !(self.soon && self.places.iter().all(|told| told.abs_diff(place) > 1))
    }
}

/// Weight of the date that readers see beside the title, if it is not the declared day of a change:
/// declared days of publication often are those of the database.
const SHOWN: u32 = 102;

/// Weight of the day of a change that readers see.
const CHANGED: u32 = 32;

/// Longest text in which two digits are enough for the year, in characters.
const MAX_SHORT: usize = 90;

/// Longest time from the declared publication to a change whose day may be shown as that of publication: what is
/// declared is then the day of a draft or an announcement.
const SOON: i32 = 7;

/// Decides. `title`: the place of the heading, if there is one.
pub(super) fn days(sources: &Sources, page: &str, title: Option<u32>, captured: Option<Date>) -> Days {
    let head = sources.head;
    let reader = Reader { captured, month_first: month_first(head, page), title, body: head.body };
    let marks: Vec<(&Mark, Date)> = head.marks.iter().filter_map(|mark| Some((mark, reader.mark(mark)?))).collect();
    let lines: Vec<Dated> = head.lines.iter().filter_map(|line| reader.line(line)).collect();
    let modified = modified(sources, &reader, &marks);
    let mut found = declared(sources, &reader, page);
    let marks: Vec<Dated> = marks.into_iter().filter_map(|(mark, day)| reader.weighed(mark, day)).collect();
    let change = Change::of(modified, &found, &reader, head, [&marks, &lines]);
    found.extend(marks.iter().chain(&lines).map(|dated| reader.candidate(dated, &change)));
    found.extend(modified.map(|day| Candidate::new(day, "meta", 30, "")));
    let best = found.iter().min_by_key(|one| (u32::MAX - score(one, &found, change.day), one.distance));
    let best = best.map(|best| local(best, &found));
    Days { published: best.map(|best| best.day), source: best.map(|best| best.source), modified }
}

/// What is said for machines only: JSON-LD, `<meta>` and the address.
fn declared(sources: &Sources, reader: &Reader, page: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut add = |day: Option<Date>, source, weight, text: &str| {
        let day = day.filter(|&day| dates::plausible(day, reader.captured));
        found.extend(day.map(|day| Candidate::new(day, source, weight, text)));
    };
    for text in &sources.linked.published {
        add(reader.stamp(text), "jsonld", 100, text);
    }
    let metas = &sources.head.meta;
    for (at, meta) in metas.iter().enumerate() {
        let weight = meta_weight(&meta.key);
        // Later items of the same name belong to comments and other stories.
        let again = || meta.item && metas.iter().take(at).any(|other| other.item && other.key == meta.key);
        if weight > 0 && !again() {
            add(reader.stamp(&meta.content), "meta", weight, &meta.content);
        }
    }
    let path = url::parse(page).map(|url| format!("{}?{}", url.path(), url.query().unwrap_or_default()));
    add(path.as_deref().and_then(dates::in_path), "url", 80, "");
    add(path.as_deref().and_then(dates::compact_in_path), "url", 50, "");
    found
}

/// The weight, and more for each other kind of source that names the same day, unless it is that of a change.
fn score(candidate: &Candidate, found: &[Candidate], changed: Option<Date>) -> u32 {
    let agree = |source: &&&str| {
        found.iter().any(|other| other.source == **source && other.day == candidate.day && other.weight >= 60)
    };
    let kinds = ["jsonld", "meta", "microdata", "time", "url", "text"];
    let others = kinds.iter().filter(|kind| **kind != candidate.source).filter(agree).count();
    let bonus = if changed == Some(candidate.day) || candidate.weight < 60 {
        0
    } else {
        4 * u32::try_from(others).unwrap_or(0)
    };
    candidate.weight + bonus
}

/// In place of a moment in universal time the day that readers saw, if they saw the day before or after.
fn local<'a>(best: &'a Candidate, found: &'a [Candidate]) -> &'a Candidate {
    let shown = |other: &&Candidate| {
        let near = other.source == "url" || (other.distance <= 5 && other.weight >= 50);
        let next = other.day.tomorrow().ok() == Some(best.day) || best.day.tomorrow().ok() == Some(other.day);
        near && next && !other.universal && matches!(other.source, "url" | "time" | "text" | "microdata")
    };
    if best.universal { found.iter().find(shown).unwrap_or(best) } else { best }
}

fn modified(sources: &Sources, reader: &Reader, dated: &[(&Mark, Date)]) -> Option<Date> {
    let linked = sources.linked.modified.iter().map(String::as_str);
    let stated = linked.chain(sources.contents(&MODIFIED_KEYS)).find_map(|text| reader.stamp(text));
    let marked = || dated.iter().find(|(mark, _)| is_change(mark) && !mark.aside).map(|(_, day)| *day);
    stated.or_else(marked).filter(|&day| dates::plausible(day, reader.captured))
}

/// Reads dates as this page writes them.
struct Reader {
    captured: Option<Date>,
    month_first: bool,
    title: Option<u32>,
    body: Option<u32>,
}

impl Reader {
    fn stamp(&self, text: &str) -> Option<Date> {
        dates::parse(text, self.month_first)
            .or_else(|| dates::unix(text))
            .filter(|&day| dates::plausible(day, self.captured))
    }

    /// The date of an element: its attribute, else its text.
    fn mark(&self, mark: &Mark) -> Option<Date> {
        let stated = |line: &str| {
            dates::parse_short(line, self.month_first)?;
            let lower = line.to_lowercase();
            self.before_change(&lower, Said::of(&lower)).or_else(|| self.short(line))
        };
        self.stamp(&mark.value).or_else(|| mark.text.lines().find_map(stated))
    }

    /// A short dated text; two digits are enough for the year.
    fn short(&self, text: &str) -> Option<Date> {
        let day = dates::parse_short(text, self.month_first)?;
        (text.chars().count() <= MAX_SHORT && dates::plausible(day, self.captured)).then_some(day)
    }

    /// The day of publication in a text in small letters that also names the day of a change.
    fn before_change(&self, lower: &str, said: Said) -> Option<Date> {
        let (published, changed) = said.parts(lower)?;
        dates::parse_short(changed, self.month_first)?;
        self.short(published)
    }

    /// A line with a date.
    fn line(&self, line: &Line) -> Option<Dated<'static>> {
        let (day, weight) = self.said(line).filter(|(day, _)| dates::plausible(*day, self.captured))?;
        let after = self.title.is_some_and(|title| line.place >= title);
        let trusted = weight >= 60 && after && line.text.len() <= 60;
        let Line { place, aside, linked, .. } = *line;
        Some(Dated { day, source: "text", weight, place, aside, linked, value: "", trusted })
    }

    /// The date of a line and its weight.
    fn said(&self, line: &Line) -> Option<(Date, u32)> {
        // Most lines hold no date: what is said beside it is looked at afterwards.
        let short = dates::parse_short(&line.text, self.month_first)?;
        let day = dates::parse(&line.text, self.month_first);
        if line.opening {
            return Some((day?, 45));
        }
        if line.text.contains("://") {
            return None;
        }
        let length = line.text.chars().count();
        let short = (length <= MAX_SHORT && dates::plausible(short, self.captured)).then_some(short);
        let lower = line.text.to_lowercase();
        let said = Said::of(&lower);
        if said.other.is_some() {
            return None;
        }
        if let Some(day) = self.before_change(&lower, said) {
            return Some((day, if said.published.is_some() { 66 } else { 60 }));
        }
        if said.only_changed() {
            return Some((short?, 28));
        }
        match (said.published.is_some(), length) {
            (true, ..=120) => Some((day?, 66)),
            (false, ..=40) => Some((short?, 60)),
            (false, ..=90) => Some((day?, 54)),
            _ => Some((day?, 40)),
        }
    }

    /// An element with a date; nothing if neither its names nor its attributes say that it is one.
    fn weighed<'a>(&self, mark: &'a Mark, day: Date) -> Option<Dated<'a>> {
        let lower = mark.text.to_lowercase();
        let said = Said::of(&lower);
        let changed = is_change(mark) || (said.only_changed() && self.before_change(&lower, said).is_none());
        let (weight, source) = if changed { (CHANGED, "time") } else { mark_weight(mark) };
        let Mark { place, aside, linked, value, .. } = mark;
        let (place, aside, linked, trusted) = (*place, *aside, *linked, weight > CHANGED);
        (weight > 0).then_some(Dated { day, source, weight, place, aside, linked, value, trusted })
    }

    /// The weight of what readers see, by the place where it stands.
    fn candidate(&self, dated: &Dated, change: &Change) -> Candidate {
        let Dated { day, source, weight, place, aside, linked, value, trusted } = *dated;
        let shown = trusted && !change.is(day, place) && self.heads(place, aside || linked);
        let weight = if shown { SHOWN } else { self.placed(weight, place, aside, linked) };
        Candidate { distance: self.distance(place), ..Candidate::new(day, source, weight, value) }
    }

    /// Less weight away from the head of the story.
    fn placed(&self, weight: u32, place: u32, aside: bool, linked: bool) -> u32 {
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
    fn heads(&self, place: u32, beside: bool) -> bool {
        self.title.is_some() && !beside && self.distance(place) <= 4
    }

    /// What stands after the title is nearer than what stands before.
    fn distance(&self, place: u32) -> u32 {
        let title = self.title.unwrap_or(0);
        if place >= title { place - title } else { (title - place) * 2 }
    }
}

/// Whether numbers are written month, day, year: American English.
fn month_first(head: &Head, page: &str) -> bool {
    let lang = head.html_lang.to_ascii_lowercase();
    let locale = head.meta.iter().find(|meta| meta.key == "og:locale").map(|meta| meta.content.to_ascii_lowercase());
    let locale = locale.unwrap_or_default();
    let tld = url::site(page).map(|site| site.tld).unwrap_or_default();
    let generic = ["com", "org", "net", "edu", "gov", "us"].contains(&tld.as_str());
    let english = lang.is_empty() || lang == "en" || lang.starts_with("en-us") || lang.starts_with("en_us");
    let elsewhere = !locale.is_empty() && !locale.starts_with("en");
    english && generic && !elsewhere
}
