//! The days of publication and of the last change: all days the page names, each with the weight
//! of its source; the heaviest wins, of equals the one that stands nearest to the title.

use jiff::civil::Date;

use super::dates;
use super::phrases;
use super::sources::Sources;
use crate::page::head::{Head, Line, Mark};
use crate::page::url;

/// Names that can only mean publication.
const PUBLISHED_KEYS: [&str; 24] = [
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "date_published",
    "article:published",
    "article:published_date",
    "article.published",
    "citation_publication_date",
    "citation_online_date",
    "parsely-pub-date",
    "sailthru.date",
    "rnews:datepublished",
    "publishdate",
    "publish-date",
    "publish_date",
    "pubdate",
    "published_date",
    "published-date",
    "publication_date",
    "dcterms.issued",
    "dc.date.issued",
    "dcterms.created",
    "dc.date.created",
];

/// Names that usually mean it.
const DATE_KEYS: [&str; 17] = [
    "date",
    "dc.date",
    "dc:date",
    "dcterms.date",
    "dc.created",
    "dc:created",
    "datecreated",
    "date_created",
    "created",
    "citation_date",
    "cxenseparse:recs:publishtime",
    "originalpublicationdate",
    "displaydate",
    "article_date_original",
    "og:pubdate",
    "release_date",
    "vr:published_time",
];

/// Names of the day of the last change.
const MODIFIED_KEYS: [&str; 18] = [
    "article:modified_time",
    "og:article:modified_time",
    "og:updated_time",
    "datemodified",
    "date_modified",
    "article:modified",
    "dcterms.modified",
    "dc.date.modified",
    "dc.modified",
    "lastmodified",
    "last-modified",
    "last_modified",
    "lastmod",
    "modified",
    "modified_time",
    "revision_date",
    "updated_time",
    "article:updated_time",
];

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

/// Weight of the date that readers see beside the title, if it is not the declared day of a change:
/// declared days of publication often are those of the database.
const SHOWN: u32 = 102;

/// Longest text in which two digits are enough for the year, in characters.
const MAX_SHORT: usize = 90;

/// Decides. `title`: the place of the heading, if there is one.
pub(super) fn days(sources: &Sources, page: &str, title: Option<u32>, captured: Option<Date>) -> Days {
    let head = sources.head;
    let reader = Reader { captured, month_first: month_first(head, page), title, body: head.body };
    let mut found = Vec::new();
    let mut add = |day: Option<Date>, source, weight, distance, text: &str| {
        if let Some(day) = day.filter(|&day| dates::plausible(day, captured)) {
            found.push(Candidate { day, source, weight, distance, universal: dates::is_universal(text) });
        }
    };
    for text in &sources.linked.published {
        add(reader.stamp(text), "jsonld", 100, 0, text);
    }
    for meta in &head.meta {
        let weight = meta_weight(&meta.key);
        if weight > 0 {
            add(reader.stamp(&meta.content), "meta", weight, 0, &meta.content);
        }
    }
    let path = url::parse(page).map(|url| format!("{}?{}", url.path(), url.query().unwrap_or_default()));
    add(path.as_deref().and_then(dates::in_path), "url", 80, 0, "");
    add(path.as_deref().and_then(dates::compact_in_path), "url", 50, 0, "");
    let dated: Vec<(&Mark, Date)> = head.marks.iter().filter_map(|mark| Some((mark, reader.mark(mark)?))).collect();
    let modified = modified(sources, &reader, &dated);
    let published: Vec<Date> = sources.contents(&PUBLISHED_KEYS).filter_map(|text| reader.stamp(text)).collect();
    let changed = modified.filter(|day| !published.contains(day));
    for (mark, day) in dated {
        let (weight, source) = mark_weight(mark);
        if weight > 0 {
            let weight = if weight > 40 && Some(day) != changed && reader.heads(mark.place, mark.aside || mark.linked) {
                SHOWN
            } else {
                reader.placed(weight, mark.place, mark.aside, mark.linked)
            };
            add(Some(day), source, weight, reader.distance(mark.place), &mark.value);
        }
    }
    for line in &head.lines {
        if let Some((day, weight)) = reader.line(line) {
            let shown = line.text.len() <= 60
                && title.is_some_and(|title| line.place >= title)
                && Some(day) != changed
                && weight >= 60
                && reader.heads(line.place, line.aside || line.linked);
            add(
                Some(day),
                "text",
                if shown { SHOWN } else { reader.placed(weight, line.place, line.aside, line.linked) },
                reader.distance(line.place),
                "",
            );
        }
    }
    add(modified, "meta", 30, 0, "");
    let best = found.iter().min_by_key(|candidate| (u32::MAX - score(candidate, &found, changed), candidate.distance));
    let best = best.map(|best| local(best, &found));
    Days { published: best.map(|best| best.day), source: best.map(|best| best.source), modified }
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

/// How far to trust a `<meta>` of this name.
fn meta_weight(key: &str) -> u32 {
    if PUBLISHED_KEYS.contains(&key) {
        95
    } else if DATE_KEYS.contains(&key) {
        82
    } else if ["publish", "pubdate", "created", "upload"].iter().any(|word| key.contains(word))
        && !key.contains("modif")
    {
        76
    } else {
        0
    }
}

fn modified(sources: &Sources, reader: &Reader, dated: &[(&Mark, Date)]) -> Option<Date> {
    let linked = sources.linked.modified.iter().map(String::as_str);
    let stated = linked.chain(sources.contents(&MODIFIED_KEYS)).find_map(|text| reader.stamp(text));
    let marked = || dated.iter().find(|(mark, _)| is_change(mark) && !mark.aside).map(|(_, day)| *day);
    stated.or_else(marked).filter(|&day| dates::plausible(day, reader.captured))
}

fn is_change(mark: &Mark) -> bool {
    let names = &mark.names;
    names.contains("modif") || (names.contains("update") && !names.contains("publish")) || names.contains("changed")
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
        self.stamp(&mark.value).or_else(|| mark.text.lines().find_map(|line| self.short(line)))
    }

    /// A short dated text; two digits are enough for the year.
    fn short(&self, text: &str) -> Option<Date> {
        let day = dates::parse_short(text, self.month_first)?;
        (text.chars().count() <= MAX_SHORT && dates::plausible(day, self.captured)).then_some(day)
    }

    /// The date of a line and its weight.
    fn line(&self, line: &Line) -> Option<(Date, u32)> {
        // Most lines hold no date: what is said beside it is looked at afterwards.
        let short = dates::parse_short(&line.text, self.month_first)?;
        let day = dates::parse(&line.text, self.month_first);
        if line.opening {
            return Some((day?, 45));
        }
        let length = line.text.chars().count();
        let short = (length <= MAX_SHORT && dates::plausible(short, self.captured)).then_some(short);
        let lower = line.text.to_lowercase();
        let said = phrases::is_publication_phrase(&lower);
        if phrases::is_other_day(&lower) {
            return None;
        }
        if phrases::is_change_phrase(&lower) && !said {
            return Some((short?, 28));
        }
        match (said, length) {
            (true, ..=120) => Some((day?, 66)),
            (false, ..=40) => Some((short?, 60)),
            (false, ..=90) => Some((day?, 54)),
            _ => Some((day?, 40)),
        }
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

/// How far to trust an element that names a date, and what kind of source it is.
fn mark_weight(mark: &Mark) -> (u32, &'static str) {
    let names = mark.names.as_str();
    let has = |words: &[&str]| words.iter().any(|word| names.contains(word));
    let lower = mark.text.to_lowercase();
    if is_change(mark) || (phrases::is_change_phrase(&lower) && !phrases::is_publication_phrase(&lower)) {
        return (32, "time");
    }
    if has(&["datepublished", "datecreated", "dc:date", "dc:created"]) {
        (92, "microdata")
    } else if has(&[
        "pubdate",
        "publish",
        "entry-date",
        "post-date",
        "postdate",
        "dateline",
        "posted",
        "article-date",
        "created",
        "parution",
        "date-display",
    ]) {
        (78, "time")
    } else if has(&["date", "datum", "fecha", "time", "data", "publi", "stamp"]) {
        (72, "time")
    } else if !mark.value.is_empty() {
        (70, "time")
    } else {
        (0, "")
    }
}
