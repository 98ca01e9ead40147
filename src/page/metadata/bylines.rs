//! Authors as readers see them: elements named after authors, and lines that begin with "by".

use super::authors;
use super::byline_lines::{announced, behind_lead, inner};
use super::dates;
use super::distance;
use super::phrases::DatePhrases;
use super::roles::without_roles;
use super::weekdays::is_weekday;
use crate::page::byline_words::{BUTTON_LABELS, BUTTONS, MAX_BYLINE, leads_to_author};
use crate::page::head::{Head, MetadataCandidate, TextLine};
use crate::text::char_classes::is_georgian;

/// How far apart (in blocks) the names of one byline stand.
const MAX_DISTANCE: u32 = 3;

/// Weight from which an element counts as a byline.
const MIN_WEIGHT: u32 = 40;

/// Weight of an element that names an account of the site; no other element has it.
const ACCOUNT_WEIGHT: u32 = 56;

/// Names that may be those of the authors.
struct Byline {
    names: Vec<String>,
    /// How far to trust that they are; at least [`MIN_WEIGHT`].
    weight: u32,
    /// Number of blocks of text before the byline.
    place: u32,
    /// Distance from the title in blocks; those before the title count twice.
    distance: u32,
    /// How far from it (in blocks) its other names may stand: the next account is that of who answers.
    reach: u32,
}

/// The names in the best byline. `title`: the number of blocks before the heading that is the title, if there is one.
pub(super) fn authors(head: &Head, title: Option<u32>) -> Vec<String> {
    let marked = head.candidates.iter().filter_map(|element| {
        let weight = element_weight(element);
        let account = weight == ACCOUNT_WEIGHT;
        let weight = weight.checked_sub(if distance(title, element.place) > 12 { 12 } else { 0 })?;
        // The first account behind the title of a thread is who began it; those before it are who reads it.
        // Who comments has no page of the site's authors.
        let is_comment = element.commented && !leads_to_author(&element.href);
        if weight < MIN_WEIGHT || is_comment || account && title.is_none_or(|title| element.place < title) {
            return None;
        }
        let MetadataCandidate { place, .. } = *element;
        let reach = if account { 0 } else { MAX_DISTANCE };
        Some(Byline { names: element_names(element), weight, place, distance: distance(title, place), reach })
    });
    let lines = head.lines.iter().filter(|line| !line.aside);
    let lines = lines.flat_map(|line| line.text.lines().enumerate().map(move |(at, text)| (line, at, text)));
    let announced = lines.filter_map(|(&TextLine { place, linked, .. }, at, text)| {
        let weight = if distance(title, place) > 12 { 50 } else { 62 };
        // Within a block, a single word behind "by" is rather one of a list than an account, unless a date stands beside it.
        let is_byline = |names: &Vec<String>| {
            at == 0 || text.contains(char::is_numeric) || names.iter().any(|name| name.contains(' '))
        };
        let names = announced_names(text, linked).filter(is_byline)?;
        Some(Byline { names, weight, place, distance: distance(title, place), reach: MAX_DISTANCE })
    });
    let mut announced: Vec<Byline> = announced.collect();
    // `By category`, `By manufacturer`: a menu.
    let is_word = |line: &Byline| matches!(line.names.as_slice(), [only] if !only.contains(' '));
    let mut words = announced.iter().filter(|line| is_word(line));
    let first = words.next().map(|line| &line.names);
    if words.any(|line| Some(&line.names) != first) {
        announced.retain(|line| !is_word(line));
    }
    let found: Vec<Byline> = marked.chain(announced).filter(|line| !line.names.is_empty()).collect();
    let Some(best) = found.iter().min_by_key(|line| (u32::MAX - line.weight, line.distance)) else { return Vec::new() };
    let mut names = Vec::new();
    for line in found.iter().filter(|line| line.weight == best.weight && line.place.abs_diff(best.place) <= best.reach)
    {
        authors::merge(&mut names, &line.names);
    }
    without_roles(names)
}

/// How far to trust that the element names the author of the page, from 0 to 90.
fn element_weight(element: &MetadataCandidate) -> u32 {
    if !element.author {
        return 0;
    }
    // ScienceDirect: the abstract and the highlights by the author.
    if element.names.split(' ').any(|name| ["abstract", "author-highlights"].contains(&name)) {
        return 0;
    }
    // What is authorised is no author. Few elements have such names.
    let is_other = element.names.contains("authori");
    let without = if is_other { element.names.replace("authori", "") } else { String::new() };
    let names = if is_other { &without } else { &element.names };
    let has = |words: &[&str]| words.iter().any(|word| names.contains(word));
    let word = |wanted: &str| names.split_whitespace().any(|name| name == wanted);
    let weight = if word("author") {
        90
    } else if has(&[
        "byline-name",
        "author-name",
        "author_name",
        "authorname",
        "author__name",
        "autor-name",
        "byline__name",
        "byline__author",
    ]) {
        88
    } else if has(&["byline"]) {
        84
    } else if leads_to_author(&element.href) {
        82
    } else if has(&["author", "autor", "auteur", "verfasser", "creator"]) {
        78
    } else if has(&["writer", "written", "redakt", "journalist", "forfatter"]) {
        66
    } else if has(&["username", "user-name"]) {
        ACCOUNT_WEIGHT
    } else {
        return 0;
    };
    if has(&["comment", "komment", "avatar", "related", "quote"]) {
        return 0;
    }
    let poor = [
        "bio", "image", "img", "photo", "foto", "social", "follow", "desc", "more", "count", "date", "position",
        "title", "location", "role",
    ];
    let poor = if has(&poor) { 25 } else { 0 };
    weight - (poor + if element.aside { 35 } else { 0 }).min(weight)
}

/// The first line of the element that holds a name.
fn element_names(element: &MetadataCandidate) -> Vec<String> {
    let named = |line: &str| {
        let line = line.trim();
        let announced = announced(line).unwrap_or_else(|| behind_lead(line)).trim();
        let short = announced.chars().count() <= MAX_BYLINE && !announced.is_empty();
        let names = if short { authors::names(announced) } else { Vec::new() };
        if names.iter().all(|name| is_name(name)) { names } else { Vec::new() }
    };
    element.text.lines().take(4).map(named).find(|names| !names.is_empty()).unwrap_or_default()
}

/// The names of a line that announces an author. `linked`: most of it is links.
fn announced_names(line: &str, linked: bool) -> Option<Vec<String>> {
    if line.chars().count() > MAX_BYLINE {
        return None;
    }
    let rest = announced(line).or_else(|| inner(line))?.trim();
    let names = authors::names(rest);
    // Names of accounts are often in small letters; so are sentences that begin with "by".
    let account = matches!(names.as_slice(), [only] if !only.contains(' '));
    if (linked || starts_lower(rest)) && !account && rest.split_whitespace().count() > 2 {
        return None;
    }
    let is_written_as_name = |name: &str| is_capitalised(name) || !name.contains(char::is_uppercase);
    let sound = (1..=5).contains(&names.len())
        && names.iter().all(|name| is_name(name) && is_written_as_name(name) && !is_offer(name));
    sound.then_some(names)
}

/// Whether a text can be the name of a person: a few words, no sentence, no date nor the label of one.
fn is_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let words = lower.split_whitespace().count();
    let ends = |word: &&str| lower.strip_suffix(*word).is_some_and(|rest| rest.ends_with(' '));
    let button = || words > 1 && lower.split_whitespace().next().is_some_and(|word| BUTTONS.contains(&word));
    let label =
        BUTTON_LABELS.contains(&lower.as_str()) || button() || ["by", "von", "par", "por", "door"].iter().any(ends);
    // Accounts have ASCII digits.
    let numbered = || name.contains(|c: char| !c.is_ascii() && c.is_numeric());
    let dated = || dates::parse(name).is_some() || DatePhrases::of(&lower) != DatePhrases::default();
    (1..=6).contains(&words) && name.chars().count() <= 60 && !label && !numbered() && !dated()
}

/// Whether words behind "by" are those of an offer: `By appointment only`, `Von Montag bis Freitag`.
fn is_offer(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split_whitespace();
    let begins = words.next().is_some_and(is_weekday);
    let is_of_offer = |word: &str| ["only", "or", "oder", "appointment", "demand"].contains(&word);
    words.next().is_some() && (begins || lower.split_whitespace().skip(1).any(is_of_offer))
}

fn is_capitalised(name: &str) -> bool {
    let particle = [
        "von", "van", "de", "da", "del", "der", "den", "la", "le", "di", "du", "bin", "al", "el", "y", "e", "dos", "zu",
    ];
    name.split_whitespace().all(|word| !starts_lower(word) || particle.contains(&word))
}

/// Whether a text starts with a small letter. Georgian names have no others.
fn starts_lower(text: &str) -> bool {
    text.starts_with(|c: char| c.is_lowercase() && !is_georgian(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(names: &str, text: &str, place: u32) -> MetadataCandidate {
        let author = true;
        MetadataCandidate { names: names.into(), text: text.into(), place, author, ..MetadataCandidate::default() }
    }

    fn line(text: &str) -> TextLine {
        TextLine { text: text.into(), ..TextLine::default() }
    }

    #[test]
    fn lines_announce_authors() {
        let read = |text: &str| authors(&Head { lines: vec![line(text)], ..Head::default() }, None).join("; ");
        for text in
            ["By Jane Doe", "Von Jane Doe", "par Jane Doe", "Por: Jane Doe", "Autor: Jane Doe", "Автор: Jane Doe"]
        {
            assert_eq!(read(text), "Jane Doe", "{text}");
        }
        for (text, name) in [
            ("来源：新华网 作者：王小明 编辑：李四", "王小明"),
            ("執筆者：山田 太郎", "山田 太郎"),
            ("홍길동 기자", "홍길동"),
            ("[서울=뉴스] 홍길동 기자", "홍길동"),
            ("来源：新华网", ""),
            ("박지민 기자 | 입력 2023.02.14 09:30", "박지민"),
            ("18 September 2022 Author: Anna Smith", "Anna Smith"),
            ("03.05.2019 | Autor: Karl Weber", "Karl Weber"),
            ("August 9, 2012 | By Alyssa Roe", "Alyssa Roe"),
            ("August 9, 2012 10:15 AM By Alyssa Roe", "Alyssa Roe"),
            ("5 May 2012 Posted By Jane Doe", "Jane Doe"),
            ("By Or Cohen", "Or Cohen"),
            ("August 9, 2012 Browse By Topic Area", ""),
            ("5 May 2019 Next Door Neighbours Unite", ""),
            ("오늘 기자 회견 2023.02.14 09:30", ""),
            ("Harbour Museum\nBy Appointment Only\nPhone 555 1234", ""),
            ("Tell your friends\nPosted by mickmel at August 9, 2012 8:27 AM", "mickmel"),
            ("The tide is late\nBy Jane Doe\nThe Harbour Wire", "Jane Doe"),
        ] {
            assert_eq!(read(text), name, "{text}");
        }
        assert_eq!(read("Автор: გიორგი ბერიძე"), "გიორგი ბერიძე");
        assert_eq!(read("By Jane Doe and John Roe"), "Jane Doe; John Roe");
        assert_eq!(read("By the way, this is it"), "");
        assert_eq!(read("Jane Doe"), "");
        let menu = ["By Category", "By Manufacturer", "By Jane Doe"].map(line).to_vec();
        assert_eq!(authors(&Head { lines: menu, ..Head::default() }, None), ["Jane Doe"]);
        assert_eq!(read("By Category"), "Category", "one word may be an account");
    }

    #[test]
    fn marks_are_weighed() {
        let read =
            |candidates: Vec<MetadataCandidate>| authors(&Head { candidates, ..Head::default() }, Some(1)).join("; ");
        assert_eq!(
            read(vec![element("comment-author", "Ann Lee", 1), element("post-author", "von Jane Doe", 9)]),
            "Jane Doe"
        );
        assert_eq!(
            read(vec![element("author", "Jane Doe", 1), element("author", "John Roe", 2)]),
            "Jane Doe; John Roe"
        );
        assert_eq!(read(vec![element("author", "Jane Doe", 1), element("author", "Ann Lee", 30)]), "Jane Doe");
        let accounts = ["login", "jane77", "ann_lee"].into_iter().zip([0, 3, 9]);
        let accounts = accounts.map(|(name, place)| element("username", name, place)).collect();
        assert_eq!(read(accounts), "jane77");
        assert_eq!(
            read(vec![element("author", "Zuletzt geändert am", 2), element("author", "Jane Doe", 3)]),
            "Jane Doe"
        );
        for (names, text) in
            [("authorization-link", "Sign In"), ("post-signature", "Good Sound"), ("author-box", "More About Me")]
        {
            assert_eq!(read(vec![element(names, text, 2)]), "", "{names}");
        }
        for (line, names) in [
            ("Bởi Nguyễn Văn An", "Nguyễn Văn An"),
            ("記者林志明／台北報導", "林志明"),
            ("文：山田 太郎", "山田 太郎"),
            ("山田太郎（ライター）", "山田太郎"),
            ("김민수 기자 kim@news.example", "김민수"),
            ("Ayşe Yılmaz tarafından", "Ayşe Yılmaz"),
            ("责任编辑：李华", ""),
            ("ថ្ងៃទី៥ ខែមីនា ឆ្នាំ២០២៤", ""),
        ] {
            assert_eq!(read(vec![element("author", line, 2)]), names, "{line}");
        }
        assert_eq!(read(vec![element("author-box", "About the author\nJane Doe\nShe writes.", 3)]), "Jane Doe");
    }
}
