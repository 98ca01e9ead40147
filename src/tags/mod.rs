//! The tag dictionary of sites: for every container path and every element, class and id, how much text stands in it
//! and how much of that is content.
//!
//! After Indig et al., *The ELTE.DH Pilot Corpus – Creating a Handcrafted Gigaword Web Corpus with Metadata* (WAC-XII,
//! 2020), where the pages of a portal are surveyed in this way before a rule for it is written. Runs of three or more digits
//! in names stand as `*`, so that `post-1041` and `post-1042` are one name.

mod rule;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::DateTime;
use serde::Serialize;

pub use rule::suggest;

use crate::document::{Document, DropReason, Paragraph, date_of_day};
use crate::emit::dates;

/// Most hosts and names of all hosts together, and most bytes of them; those that come later are not listed.
const MOST_NAMES: usize = 400_000;
const MOST_BYTES: usize = 256 << 20;
/// Most classes of a container that count.
const MOST_CLASSES: usize = 12;
/// Digits from which on a number in a name is replaced.
const LONG_NUMBER: usize = 3;
/// Example texts of a name, and their characters.
const EXAMPLES: usize = 3;
const EXAMPLE_CHARACTERS: usize = 80;
/// Most characters of a line that may be the author or the date of a page.
const SHORT_LINE: u32 = 100;

/// The dictionaries of all sites.
#[derive(Debug, Serialize)]
pub struct TagDictionary {
    #[serde(skip)]
    depth: usize,
    /// By host.
    pub hosts: BTreeMap<String, HostTags>,
    #[serde(flatten)]
    listed: Listed,
    /// Occurrences of names, and pages of hosts, that are not listed because there are too many.
    pub left_out: u64,
}

/// Hosts and names that are listed, and the bytes of memory that they take.
#[derive(Debug, Default, Serialize)]
struct Listed {
    names: usize,
    #[serde(skip)]
    bytes: usize,
}

/// The dictionary of a host.
#[derive(Debug, Default, Serialize)]
pub struct HostTags {
    /// Pages with blocks, and those with content.
    pub pages: u64,
    pub content_pages: u64,
    /// Characters of all blocks, and of content.
    pub characters: u64,
    pub content_characters: u64,
    /// Container paths, outermost container first, each joined by ` > ` in the output.
    #[serde(serialize_with = "joined")]
    pub paths: BTreeMap<Vec<String>, TagFigures>,
    /// Elements (`div`), elements with a class (`div.text`) and with an id (`div#main`), wherever they stand.
    pub elements: BTreeMap<String, TagFigures>,
}

/// What stands in the containers of one path or name.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TagFigures {
    pub pages: u64,
    /// Pages on which it has content.
    pub content_pages: u64,
    pub blocks: u64,
    pub content_blocks: u64,
    pub characters: u64,
    pub content_characters: u64,
    /// Blocks with a score of the cleaner, and the sum of their scores in thousandths.
    pub scored: u64,
    pub score_thousandths: i64,
    /// Pages on which a block of it is the title; a line with an author, or with the day of publication.
    pub title_pages: u64,
    pub author_pages: u64,
    pub date_pages: u64,
    /// By year of capture: characters, and those of content.
    pub years: BTreeMap<i16, (u64, u64)>,
    /// The first texts.
    pub examples: Vec<String>,
    /// The last page that counted, and the last one whose content, title, author and date did; pages count from 1.
    #[serde(skip)]
    last: [u64; 5],
}

impl TagFigures {
    /// Share of the characters that is content, 0 to 1.
    pub fn content_share(&self) -> f64 {
        self.content_characters as f64 / self.characters.max(1) as f64
    }

    /// Mean score of the cleaner; none without scores.
    pub fn mean_score(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.score_thousandths as f64 / 1e3 / self.scored as f64)
    }

    fn add(&mut self, page: u64, year: Option<i16>, block: &Paragraph, signs: Signs) {
        let content = is_content(block);
        let characters = u64::from(block.characters);
        let of_content = if content { characters } else { 0 };
        self.blocks += 1;
        self.content_blocks += u64::from(content);
        self.characters += characters;
        self.content_characters += of_content;
        if let Some(score) = block.score {
            self.scored += 1;
            self.score_thousandths += i64::from((score * 1e3) as i32);
        }
        if let Some(year) = year {
            let sums = self.years.entry(year).or_default();
            sums.0 += characters;
            sums.1 += of_content;
        }
        let counts = [
            (true, &mut self.pages),
            (content, &mut self.content_pages),
            (signs.title, &mut self.title_pages),
            (signs.author, &mut self.author_pages),
            (signs.date, &mut self.date_pages),
        ];
        for ((holds, count), last) in counts.into_iter().zip(&mut self.last) {
            if holds && *last != page {
                *count += 1;
                *last = page;
            }
        }
        if self.examples.len() < EXAMPLES && !self.examples.iter().any(|text| block.text.starts_with(text.as_str())) {
            self.examples.push(block.text.chars().take(EXAMPLE_CHARACTERS).collect());
        }
    }
}

/// Whether a block is content, whatever became of its document.
fn is_content(block: &Paragraph) -> bool {
    !block.boilerplate && block.drop_reason != DropReason::Template
}

/// What the text of a block may be.
#[derive(Clone, Copy)]
struct Signs {
    title: bool,
    author: bool,
    date: bool,
}

impl Signs {
    fn of(document: &Document, block: &Paragraph) -> Signs {
        let short = block.characters <= SHORT_LINE;
        let date = document.published.and_then(date_of_day);
        let numbers = |text: &str| -> BTreeSet<i64> {
            text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
        };
        Signs {
            title: document.title.as_deref().is_some_and(|title| title == block.text),
            author: short && document.author.iter().any(|author| block.text.contains(author.as_str())),
            date: short
                && date.is_some_and(|date| {
                    let numbers = numbers(&block.text);
                    numbers.contains(&date.year().into()) && numbers.contains(&date.day().into())
                }),
        }
    }
}

impl TagDictionary {
    /// A dictionary of paths of at most `depth` containers.
    pub fn new(depth: usize) -> TagDictionary {
        TagDictionary { depth, hosts: BTreeMap::new(), listed: Listed::default(), left_out: 0 }
    }

    /// Adds a page: its blocks, each with the containers around it, outermost first.
    pub fn page<'b>(&mut self, document: &Document, blocks: impl Iterator<Item = (&'b Paragraph, Vec<&'b str>)>) {
        let name = document.host.as_str();
        let Some(host) = known(&mut self.hosts, name, memory(&[name]), &mut self.listed) else {
            self.left_out += 1;
            return;
        };
        host.pages += 1;
        let page = host.pages;
        let year = document.captured.and_then(dates::time).map(DateTime::year);
        let mut has_content = false;
        let mut blocks = blocks.peekable();
        while let Some((first, containers)) = blocks.next() {
            // The names of blocks with the same path, which mostly follow each other, are formed and looked up once.
            let mut alike = vec![(first, Signs::of(document, first))];
            while let Some((block, _)) = blocks.next_if(|(_, path)| *path == containers) {
                alike.push((block, Signs::of(document, block)));
            }
            for (block, _) in &alike {
                let characters = u64::from(block.characters);
                host.characters += characters;
                if is_content(block) {
                    has_content = true;
                    host.content_characters += characters;
                }
            }
            let mut add = |figures: Option<&mut TagFigures>| match figures {
                Some(figures) => alike.iter().for_each(|(block, signs)| figures.add(page, year, block, *signs)),
                None => self.left_out += alike.len() as u64,
            };
            let path: Vec<String> = containers.iter().take(self.depth).map(|name| without_numbers(name)).collect();
            for length in 1..=path.len() {
                let Some(path) = path.get(..length) else { continue };
                add(known(&mut host.paths, path, memory(path), &mut self.listed));
            }
            let elements: BTreeSet<String> = containers.iter().flat_map(|name| parts(name)).collect();
            for element in &elements {
                add(known(&mut host.elements, element.as_str(), memory(&[element]), &mut self.listed));
            }
        }
        host.content_pages += u64::from(has_content);
    }
}

/// Bytes of memory that a name of these parts takes.
fn memory(parts: &[impl AsRef<str>]) -> usize {
    parts.iter().map(|part| size_of::<String>() + part.as_ref().len()).sum()
}

/// What is known of a name, which is added unless there are too many or they take too many bytes.
fn known<'f, K, Q, V>(all: &'f mut BTreeMap<K, V>, name: &Q, bytes: usize, listed: &mut Listed) -> Option<&'f mut V>
where
    K: Ord + std::borrow::Borrow<Q>,
    Q: Ord + ToOwned<Owned = K> + ?Sized,
    V: Default,
{
    if !all.contains_key(name) {
        if listed.names >= MOST_NAMES || listed.bytes + bytes > MOST_BYTES {
            return None;
        }
        listed.names += 1;
        listed.bytes += bytes;
        all.insert(name.to_owned(), V::default());
    }
    all.get_mut(name)
}

/// The element, the element with its id, and with each of its classes: `div`, `div#main`, `div.text`.
fn parts(name: &str) -> Vec<String> {
    let name = without_numbers(name);
    let end = name.find(['#', '.']).unwrap_or(name.len());
    let (element, rest) = name.split_at(end);
    let mut parts = vec![element.to_string()];
    let mut begin = 0;
    for (at, _) in rest.match_indices(['#', '.']).skip(1).chain([(rest.len(), "")]) {
        if let Some(part) = rest.get(begin..at).filter(|part| part.len() > 1) {
            parts.push(format!("{element}{part}"));
        }
        begin = at;
        if parts.len() > MOST_CLASSES {
            break;
        }
    }
    parts
}

/// The name with `*` for each long number.
fn without_numbers(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(begin);
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        out.push_str(before);
        out.push_str(if end >= LONG_NUMBER { "*" } else { number });
        rest = after;
    }
    out + rest
}

fn joined<S: serde::Serializer>(paths: &BTreeMap<Vec<String>, TagFigures>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(paths.iter().map(|(path, figures)| (path.join(" > "), figures)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(index: u32, text: &str, boilerplate: bool) -> Paragraph {
        Paragraph {
            index,
            text: text.into(),
            characters: text.chars().count() as u32,
            boilerplate,
            score: Some(if boilerplate { -1.5 } else { 2.0 }),
            ..Paragraph::default()
        }
    }

    fn names(path: &str) -> Vec<String> {
        path.split(" > ").map(str::to_string).collect()
    }

    /// A site of so many pages, each with a menu, a title, a line about author and day, a text and a list of others.
    pub fn site(pages: u32) -> TagDictionary {
        let mut dictionary = TagDictionary::new(9);
        for page in 0..pages {
            let title = format!("Title of page {page}");
            let document = Document {
                host: "news.example".into(),
                title: Some(title.clone()),
                author: vec!["Owen Tarrant".into()],
                published: Some(20_000),
                captured: Some(1_750_000_000_000_000),
                ..Document::default()
            };
            let text = format!("The tide of day {page} came in and went out. ").repeat(9);
            let rows = [
                (block(0, "Home", true), "html > body > ul.menu > li"),
                (block(1, &title, false), "html > body > div.page > h1.headline"),
                (block(2, "Owen Tarrant, 2024-10-04", true), "html > body > div.page > p.byline"),
                (block(3, &text, false), "html > body > div.page > div.story.post-4711 > p"),
                (block(4, &text, false), "html > body > div.page > div.story.post-4711 > p"),
                (block(5, "Read more about the sea", true), "html > body > div.page > div.story.post-4711 > p.more"),
                (block(6, "Other stories of today", true), "html > body > div#side > p"),
            ];
            let rows: Vec<_> = rows.into_iter().map(|(row, path)| (row, names(path))).collect();
            dictionary.page(&document, rows.iter().map(|(row, path)| (row, path.iter().map(String::as_str).collect())));
        }
        dictionary
    }

    #[test]
    fn blocks_count_for_all_containers_around_them() {
        let dictionary = site(5);
        let host = &dictionary.hosts["news.example"];
        assert_eq!((host.pages, host.content_pages), (5, 5));
        let body = &host.paths[&names("html > body")];
        assert_eq!((body.pages, body.blocks, body.content_blocks, body.characters), (5, 35, 15, host.characters));
        let story = &host.elements["div.story"];
        assert_eq!((story.pages, story.blocks, story.content_pages), (5, 15, 5));
        assert_eq!(story, &host.paths[&names("html > body > div.page > div.story.post-*")]);
        assert_eq!((host.elements["h1.headline"].title_pages, host.elements["p.byline"].author_pages), (5, 5));
        assert_eq!(host.elements["p.byline"].date_pages, 5);
        assert_eq!(host.elements["div#side"].mean_score(), Some(-1.5));
        assert_eq!(host.elements["ul.menu"].examples, ["Home"]);
        assert_eq!(story.years.keys().collect::<Vec<_>>(), [&2025]);
    }

    /// A page can be written to have long names in many paths.
    #[test]
    fn the_bytes_of_names_are_bounded() {
        let mut dictionary = site(1);
        let listed = dictionary.listed.names;
        assert!(dictionary.listed.bytes > listed * size_of::<String>());
        dictionary.listed.bytes = MOST_BYTES - 1;
        let document = Document { host: "news.example".into(), ..Document::default() };
        let row = block(0, "Low water", false);
        dictionary.page(&document, [(&row, vec!["html", "body", "div.late"])].into_iter());
        // The path and the class are new, what is around them is not.
        assert_eq!((dictionary.listed.names, dictionary.left_out), (listed, 2));
        assert_eq!(dictionary.hosts["news.example"].paths[&names("html > body")].blocks, 8);
    }

    #[test]
    fn names_are_cut_into_their_parts() {
        assert_eq!(parts("div#main.text.col-12"), ["div", "div#main", "div.text", "div.col-12"]);
        assert_eq!(parts("p"), ["p"]);
        assert_eq!(without_numbers("post-20241004-x2.id-7"), "post-*-x2.id-7");
        assert_eq!(parts(&format!("a{}", ".b".repeat(99))).len(), MOST_CLASSES + 1);
    }
}
