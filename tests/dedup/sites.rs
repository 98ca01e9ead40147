//! Templates of sites: what recurs on many distinct pages of a host.

use warcorpus::document::Paragraph;

use crate::common::Corpus;
use crate::crawl::Random;

use super::{Form, NO_OVERLAP, Page, build, paragraphs, word};

/// Every second word is a stop word.
fn prose(seed: u64, words: u64) -> String {
    const STOP_WORDS: [&str; 16] =
        ["the", "of", "and", "to", "in", "that", "it", "was", "for", "on", "with", "as", "is", "by", "at", "from"];
    let mut random = Random(seed);
    let mut next = |i: u64| match i % 2 {
        0 => word(random.below(200_000)),
        _ => STOP_WORDS[random.below(16) as usize].to_string(),
    };
    let text = (0..words).map(&mut next).collect::<Vec<_>>().join(" ");
    text[..1].to_uppercase() + &text[1..] + "."
}

/// Good by its length and its stop words beside good text.
fn notice() -> String {
    "You are reading one of the pages that the editors of this paper have put on the web for all who want to know of it."
        .into()
}

/// 340 characters that several pages quote.
fn press() -> String {
    prose(99, 65)
}

/// A page of two paragraphs of its own, and others.
fn article(seed: u64, more: &[String]) -> String {
    let own = [prose(2 * seed, 60), prose(2 * seed + 1, 60)];
    own.iter().chain(more).map(|text| format!("<p>{text}</p>")).collect()
}

/// Pages with distinct articles and a notice each, the first three with the press paragraph.
fn host(name: &str, pages: u64) -> Vec<Page> {
    let page = |number: u64| {
        let press = if number < 3 { vec![press()] } else { vec![] };
        let text = article(1000 + number, &[press, vec![notice()]].concat());
        Page::new(format!("https://{name}.example/{number}"), text)
    };
    (0..pages).map(page).collect()
}

fn corpus(pages: &[Page]) -> Corpus {
    build(Form::Html, pages, &[NO_OVERLAP, "clean.stoplist=English"])
}

/// Paragraphs with this text, of all documents.
fn blocks(corpus: &Corpus, text: &str) -> Vec<Paragraph> {
    let found: Vec<Paragraph> = corpus.blocks().into_iter().filter(|p| p.text == text).collect();
    assert!(!found.is_empty());
    found
}

/// Pages that each document's host has; they must all say the same.
fn site_pages(corpus: &Corpus) -> Option<u32> {
    let mut counts: Vec<Option<u32>> = corpus.documents().iter().map(|document| document.site_pages).collect();
    counts.dedup();
    assert_eq!(counts.len(), 1, "{counts:?}");
    counts[0]
}

#[test]
fn a_notice_on_every_page_goes_and_a_quoted_paragraph_stays() {
    let corpus = corpus(&host("paper", 12));
    assert_eq!(site_pages(&corpus), Some(12));
    assert!(corpus.documents().iter().all(|document| document.kept && !document.repeated_page));
    let notices = blocks(&corpus, &notice());
    assert_eq!(notices.len(), 12);
    for notice in notices {
        assert_eq!((notice.context_free.name(), notice.drop_reason.name()), ("neargood", "template"));
        assert!(notice.boilerplate && !notice.kept && notice.site_pages == Some(12));
    }
    let quotes = blocks(&corpus, &press());
    assert_eq!(quotes.len(), 3);
    assert!(quotes.iter().all(|quote| quote.kept && quote.site_pages == Some(3)));
    // The articles themselves are on one page only, which is not worth telling.
    let own = corpus.paragraphs().into_iter().filter(|p| p.site_pages.is_none());
    assert_eq!(own.filter(|p| p.kept).count(), 24);
}

#[test]
fn few_pages_decide_nothing() {
    let corpus = corpus(&host("small", 4));
    assert_eq!(site_pages(&corpus), Some(4));
    assert!(blocks(&corpus, &notice()).iter().all(|notice| notice.kept && notice.site_pages == Some(4)));
}

/// Ten more captures of a page, under other session numbers. Where the number is known to be one, the
/// text may differ as well; else one text is one page.
fn sessions(page: &Page, parameter: &str, text: impl Fn(u64) -> String) -> Vec<Page> {
    (0..10).map(|i| Page::new(format!("{}?{parameter}={i}", page.url), text(i))).collect()
}

#[test]
fn sessions_of_a_page_are_one_page() {
    let small = host("small", 4);
    let other = |i: u64| article(7000 + i, &[notice()]);
    let same = |_| small[3].text.clone();
    for more in [sessions(&small[3], "PHPSESSID", other), sessions(&small[3], "s", same)] {
        let corpus = corpus(&[small.clone(), more].concat());
        assert_eq!((corpus.documents().len(), site_pages(&corpus)), (14, Some(4)));
        assert!(blocks(&corpus, &notice()).iter().all(|p| !p.boilerplate && p.site_pages == Some(4)));
    }
    let large = host("large", 12);
    let corpus = corpus(&[large.clone(), sessions(&large[3], "phpsessid", other)].concat());
    assert_eq!((corpus.documents().len(), site_pages(&corpus)), (22, Some(12)));
    assert!(blocks(&corpus, &notice()).iter().all(|p| p.drop_reason.name() == "template" && p.site_pages == Some(12)));
}

/// The terms of use are template where they stand below an article; on the page that has nothing else
/// they are what it says.
#[test]
fn a_page_of_nothing_but_templates_keeps_its_text() {
    let terms = prose(123, 65);
    let mut pages: Vec<Page> = (0..12)
        .map(|i| Page::new(format!("https://law.example/{i}"), article(3000 + i, std::slice::from_ref(&terms))))
        .collect();
    pages.push(Page::new("https://law.example/terms", format!("<p>{terms}</p>")));
    let corpus = corpus(&pages);
    assert_eq!(site_pages(&corpus), Some(13));
    let documents = corpus.documents();
    assert!(documents.iter().all(|document| document.kept));
    let repeated: Vec<&str> = documents.iter().filter(|d| d.repeated_page).map(|d| d.url.as_str()).collect();
    assert_eq!(repeated, ["https://law.example/terms"]);
    let by_document = paragraphs(&corpus);
    for document in &documents {
        let last = by_document[&document.doc].last().unwrap();
        assert_eq!((last.kept, last.site_pages), (document.repeated_page, Some(13)), "{}", document.url);
        assert_eq!(last.drop_reason.name(), if document.repeated_page { "" } else { "template" });
    }
}

/// A sentence that differs in a number, a table of which every second cell is the same on all pages, and its heading.
#[test]
fn figures_and_tables_of_a_page_stay() {
    let label = |row: u64| prose(900 + row, 30);
    let page = |page: u64| {
        let facts =
            format!("In this town there are {} people, and each of them has a house of the old kind.", 281 + page);
        let row =
            |row| format!("<tr><td>{}</td><td><p>{}</p></td></tr>", label(row), prose(50_000 + 10 * page + row, 30));
        let table: String = (0..5).map(row).collect();
        let text = article(5000 + page, &[facts]) + "<h2>Population</h2><table>" + &table + "</table>";
        Page::new(format!("https://towns.example/{page}"), text)
    };
    let corpus = corpus(&(0..12).map(page).collect::<Vec<_>>());
    assert_eq!(site_pages(&corpus), Some(12));
    let paragraphs = corpus.paragraphs();
    assert!(paragraphs.iter().all(|p| p.kept), "{:?}", paragraphs.iter().find(|p| !p.kept));
    assert_eq!(paragraphs.iter().filter(|p| p.text.starts_with("In this town ")).count(), 12);
    let same = paragraphs.iter().filter(|p| p.kind.name() == "td" && p.site_pages == Some(12));
    assert_eq!(same.count(), 5 * 12);
}
