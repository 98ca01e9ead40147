//! Duplicates, as the tables tell of them: who goes, for which reason, in whose favour. Every test makes
//! its own archive, so that what must come out can be worked out from the texts alone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use warcorpus::document::{Document, Paragraph};

use crate::common::{Corpus, in_memory};
use crate::crawl::{self, Random};

mod earlier;
mod families;
mod methods;
mod overlap;
mod sites;
mod tools;

/// Where repeated paragraphs are not the subject.
const NO_OVERLAP: &str = "overlap.enabled=false";

/// A capture of a made-up page.
#[derive(Debug, Clone)]
struct Page {
    url: String,
    date: String,
    /// Lines of text, or what stands in the body.
    text: String,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// Conversion records: each line is a paragraph, and nothing is cleaned away.
    Wet,
    /// Responses that are HTML.
    Html,
}

impl Page {
    fn new(url: impl Into<String>, text: impl Into<String>) -> Page {
        Page { url: url.into(), date: "2025-01-01".into(), text: text.into() }
    }

    fn of(self, date: &str) -> Page {
        Page { date: date.into(), ..self }
    }

    fn record(&self, number: usize, form: Form) -> String {
        let Page { url, date, text } = self;
        let (kind, content_type, block) = match form {
            Form::Wet => ("conversion", "text/plain", text.clone()),
            Form::Html => (
                "response",
                "application/http; msgtype=response",
                format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
                     <!DOCTYPE html><html><head><title>A page</title></head><body>{text}</body></html>"
                ),
            ),
        };
        let length = block.len();
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n\
             WARC-Date: {date}T00:00:00Z\r\nWARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\n\
             Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
    }
}

/// Writes an uncompressed archive.
fn write(path: &Path, form: Form, pages: &[Page]) {
    let records = pages.iter().enumerate().map(|(number, page)| page.record(number, form));
    fs::write(path, records.collect::<String>()).unwrap();
}

/// Options that set keys, one that keeps language identification out of the way, and a cleaner whose verdict on made-up
/// words can be worked out.
fn options<'a>(sets: &[&'a str]) -> Vec<&'a str> {
    ["language.min_letters=1000000", "clean.cleaner=justext"]
        .iter()
        .chain(sets)
        .flat_map(|set| ["--set", *set])
        .collect()
}

/// The corpus of an archive of these pages.
fn build(form: Form, pages: &[Page], sets: &[&str]) -> Corpus {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("a.warc");
    write(&archive, form, pages);
    Corpus::build(0, &[&archive.display().to_string()], &options(sets))
}

/// A made-up word of six letters; other numbers below 2^18 give other words.
fn word(number: u64) -> String {
    const CONSONANTS: &[u8; 16] = b"bcdfghjklmnprstv";
    const VOWELS: &[u8; 4] = b"aeio";
    let syllable = |bits: u64| [CONSONANTS[(bits >> 2) as usize % 16], VOWELS[bits as usize % 4]];
    [number, number >> 6, number >> 12].into_iter().flat_map(syllable).map(char::from).collect()
}

fn words(numbers: Range<u64>) -> String {
    numbers.map(word).collect::<Vec<_>>().join(" ")
}

/// Jaccard similarity of the sets of five words in a row, from the texts themselves.
fn jaccard(a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(five_grams);
    let both = a.intersection(&b).count();
    both as f64 / (a.len() + b.len() - both) as f64
}

fn five_grams(text: &str) -> HashSet<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(5).map(|gram| gram.join(" ")).collect()
}

fn by_url(corpus: &Corpus) -> BTreeMap<String, Document> {
    corpus.documents().into_iter().map(|document| (document.url.clone(), document)).collect()
}

/// The paragraphs of every document, by its key.
fn paragraphs(corpus: &Corpus) -> HashMap<u64, Vec<Paragraph>> {
    let mut by_document: HashMap<u64, Vec<Paragraph>> = HashMap::new();
    for paragraph in corpus.blocks() {
        by_document.entry(paragraph.doc).or_default().push(paragraph);
    }
    by_document
}

/// Addresses of the dropped documents, each with that of its keeper. Every keeper must be kept, and
/// must resemble what is dropped for it by what the two texts themselves say.
fn verified_drops(corpus: &Corpus, pages: &[Page]) -> Vec<(String, String)> {
    let texts: HashMap<&str, &str> = pages.iter().map(|page| (page.url.as_str(), page.text.as_str())).collect();
    let documents = corpus.documents();
    let by_key: HashMap<u64, &Document> = documents.iter().map(|document| (document.doc, document)).collect();
    let mut drops = Vec::new();
    for document in documents.iter().filter(|document| !document.kept) {
        let keeper = by_key[&document.keeper.unwrap_or_else(|| panic!("nobody stays for {}", document.url))];
        assert!(keeper.kept, "{} is dropped for {}, which is dropped", document.url, keeper.url);
        let (similarity, claimed) =
            (jaccard(texts[document.url.as_str()], texts[keeper.url.as_str()]), document.similarity.unwrap());
        assert!(similarity >= 0.75, "{} and {}: {similarity}", document.url, keeper.url);
        assert!((similarity - f64::from(claimed)).abs() < 1e-6, "{}: {similarity}, not {claimed}", document.url);
        drops.push((document.url.clone(), keeper.url.clone()));
    }
    drops
}

fn dedup_count(corpus: &Corpus, name: &str) -> u64 {
    corpus.stats()["dedup"][name].as_u64().unwrap_or_else(|| panic!("no {name} in stats.json"))
}

/// Pages that share most of a long notice fill buckets; near copies among them are found all the same.
#[test]
fn near_copies_are_found_in_a_crowd() {
    let notice = words(0..140);
    let page = |name: String, own: Range<u64>, last: u64| {
        Page::new(format!("http://a.example/{name}"), format!("{notice} {} {}", words(own), word(last)))
    };
    let of = |number: u64| 1000 + 50 * number..1044 + 50 * number;
    let mut pages: Vec<Page> = (0..400).map(|i| page(format!("crowd/{i}"), of(i), 1)).collect();
    for i in 400..460 {
        pages.push(page(format!("first/{i}"), of(i), 2));
        pages.push(page(format!("second/{i}"), of(i), 3));
    }
    let corpus = build(Form::Wet, &pages, &[NO_OVERLAP, "containment.enabled=false"]);
    assert!(dedup_count(&corpus, "crowded_buckets") > 0);
    let documents = by_url(&corpus);
    for i in 400..460 {
        let [first, second] = ["first", "second"].map(|name| &documents[&format!("http://a.example/{name}/{i}")]);
        assert!(!(first.kept && second.kept), "{i}");
        assert_eq!(first.cluster_size, 2, "{i}");
    }
    assert_eq!(documents.values().filter(|document| document.kept).count(), 460);
}

/// Which copy of a container stays does not matter.
#[test]
fn a_text_inside_a_page_that_was_captured_often_is_found() {
    let long = words(0..400);
    let capture =
        |i: u64| Page::new(format!("http://a.example/{i}"), long.clone()).of(&format!("2025-01-{:02}", i + 1));
    let mut pages: Vec<Page> = (0..12).map(capture).collect();
    pages.push(Page::new("http://a.example/short", words(100..200)));
    for keeper in ["near.keeper=latest", "near.keeper=first"] {
        let corpus = build(Form::Wet, &pages, &[NO_OVERLAP, keeper]);
        let short = &by_url(&corpus)["http://a.example/short"];
        let container = corpus.documents().into_iter().find(|document| Some(document.doc) == short.contained_in);
        assert!(container.is_some_and(|container| container.kept), "{keeper}");
    }
}

/// A window over a sequence of words moves on so that each document resembles the next, and none the one after it. All are
/// of one length, so the first in the corpus stays.
#[test]
fn a_chain_drops_only_what_resembles_a_kept_document() {
    let mut random = Random(1);
    let mut begin = 0;
    let window = |number| {
        let text = words(begin..begin + 67);
        begin += 6 + random.below(3);
        Page::new(format!("https://chain.example/{number}"), text)
    };
    let pages: Vec<Page> = (0..10_000).map(window).collect();
    for three in pages.windows(3).step_by(101) {
        assert!(jaccard(&three[0].text, &three[1].text) >= 0.75 && jaccard(&three[0].text, &three[2].text) < 0.75);
    }
    let corpus = build(Form::Wet, &pages, &[NO_OVERLAP]);
    let drops = verified_drops(&corpus, &pages);
    // Every second one, but for the neighbours that share no band: one pair in twelve.
    assert!((4_500..=5_000).contains(&drops.len()), "{}", drops.len());
    let number = |url: &str| url.rsplit('/').next().unwrap().parse::<usize>().unwrap();
    assert!(drops.iter().all(|(dropped, keeper)| number(dropped) == number(keeper) + 1));
}

#[test]
fn copies_of_an_error_page_cost_no_comparisons() {
    const COPIES: usize = 100_000;
    let copy = |number| Page::new(format!("https://shop.example/{number}"), "The page was not found on this server");
    let mut pages: Vec<Page> = (0..COPIES).map(copy).collect();
    for own in 0..10 {
        let text = words(own * 100..own * 100 + 80);
        pages.insert(own as usize * 9_973, Page::new(format!("https://shop.example/own/{own}"), text));
    }
    let corpus = build(Form::Wet, &pages, &[NO_OVERLAP]);
    let documents = corpus.documents();
    let (own, copies): (Vec<_>, Vec<_>) = documents.iter().partition(|document| document.url.contains("/own/"));
    assert_eq!((own.len(), copies.len()), (10, COPIES));
    assert!(own.iter().all(|document| document.kept && document.cluster_size == 1));
    let first = copies[0];
    assert!(first.kept && first.url == "https://shop.example/0");
    for copy in &copies[1..] {
        assert_eq!((copy.drop_reason.name(), copy.keeper), ("exact_duplicate", Some(first.doc)), "{}", copy.url);
        assert_eq!((copy.keeper_corpus.as_ref(), copy.similarity), (None, Some(1.0)));
    }
    assert!(copies.iter().all(|copy| copy.cluster_size == COPIES as u32));
    // To the census they are one page of the host, which so has eleven.
    assert!(documents.iter().all(|document| document.site_pages == Some(11) && !document.repeated_page));
    assert_eq!(dedup_count(&corpus, "copies"), COPIES as u64 - 1);
    assert!(dedup_count(&corpus, "pairs_read") < 100, "{}", dedup_count(&corpus, "pairs_read"));
    assert!(dedup_count(&corpus, "shared_samples") < 100, "{}", dedup_count(&corpus, "shared_samples"));
}

/// Of each document: is it kept or why not, which one holds it, and how much of it.
fn held(pages: &[Page], sets: &[&str]) -> Vec<(String, Option<String>, Option<f32>)> {
    let corpus = build(Form::Wet, pages, sets);
    let documents = corpus.documents();
    let url = |key: u64| documents.iter().find(|document| document.doc == key).unwrap().url.clone();
    let held = |d: &Document| (d.drop_reason.to_string(), d.contained_in.map(url), d.contained_share);
    documents.iter().map(held).collect()
}

const DROP_CONTAINED: [&str; 2] = [NO_OVERLAP, "containment.drop=true"];

#[test]
fn short_texts_inside_longer_ones_are_told_and_dropped_if_asked() {
    let (short, middle) = (words(0..100), words(0..300));
    let long = format!("{middle} {}", words(1000..1600));
    let other = words(5000..5400);
    let texts = [("s", short), ("m", middle), ("l", long), ("o", other)];
    let pages = texts.map(|(url, text)| Page::new(format!("https://{url}.example/"), text));
    let long = Some("https://l.example/".to_string());
    let told = held(&pages, &[NO_OVERLAP]);
    assert!(told.iter().all(|(reason, ..)| reason.is_empty()), "{told:?}");
    // Both hold all of the shortest one.
    let either = [long.as_deref(), Some("https://m.example/")];
    assert!(either.contains(&told[0].1.as_deref()) && told[0].2 == Some(1.0), "{told:?}");
    assert_eq!(
        told[1..],
        [(String::new(), long.clone(), Some(1.0)), (String::new(), None, None), (String::new(), None, None)]
    );
    let dropped = ("contained".to_string(), long, Some(1.0));
    let kept = (String::new(), None, None);
    assert_eq!(held(&pages, &DROP_CONTAINED), [dropped.clone(), dropped, kept.clone(), kept]);
    for sets in [&[NO_OVERLAP][..], &DROP_CONTAINED] {
        assert_eq!(dedup_count(&build(Form::Wet, &pages, sets), "containments"), 2, "of three pairs: {sets:?}");
    }
}

/// The short text stands in a part of the middle one that the long one lacks: nothing that stays would
/// hold it if it went.
#[test]
fn nothing_is_dropped_for_a_container_that_is_dropped_itself() {
    let texts = [words(420..500), words(0..500), format!("{} {}", words(0..420), words(2000..2500))];
    let pages: Vec<Page> = (0..).zip(texts).map(|(i, text)| Page::new(format!("https://{i}.example/"), text)).collect();
    let url = |i: usize| Some(pages[i].url.clone());
    let share = Some(416.0 / 496.0);
    let kept = (String::new(), None, None);
    assert_eq!(
        held(&pages, &[NO_OVERLAP]),
        [(String::new(), url(1), Some(1.0)), (String::new(), url(2), share), kept.clone()]
    );
    assert_eq!(held(&pages, &DROP_CONTAINED), [kept.clone(), ("contained".into(), url(2), share), kept]);
}

const KEEPERS: [&str; 5] = ["first", "longest", "earliest", "cleanest", "latest"];

/// The one document that stays of pages that all resemble each other.
fn keeper(pages: &[Page], policy: &str) -> String {
    let corpus = build(Form::Html, pages, &[NO_OVERLAP, &format!("near.keeper={policy}")]);
    let documents = corpus.documents();
    let kept: Vec<&Document> = documents.iter().filter(|document| document.kept).collect();
    assert_eq!(kept.len(), 1, "{policy}");
    assert!(documents.iter().all(|d| d.kept || d.keeper == Some(kept[0].doc)), "{policy}");
    kept[0].url.clone()
}

/// A page of five paragraphs, the last of which ends with `more`, under a menu of so many links.
fn with_menu(links: u64, more: &str) -> String {
    let link = |i: u64| format!("<li><a href=\"/{i}\">{}</a></li>", words(9000 + i * 9..9009 + i * 9));
    let menu: String = (0..links).map(link).collect();
    let paragraphs: Vec<String> = (0..5).map(|i| words(i * 60..i * 60 + 60)).collect();
    format!("<ul>{menu}</ul><p>{} {more}</p>", paragraphs.join("</p><p>"))
}

#[test]
fn keepers_are_what_their_names_say() {
    let page = |name: &str, date: &str, links, more: &str| {
        Page::new(format!("https://{name}.example/"), with_menu(links, more)).of(date)
    };
    let (little, much) = (words(5000..5001), words(5000..5009));
    let pages = [
        page("first", "2022-01-01", 5, ""),
        page("longest", "2023-01-01", 5, &much),
        page("earliest", "2020-01-01", 5, ""),
        page("cleanest", "2022-06-01", 1, &little),
        page("latest", "2024-01-01", 5, ""),
    ];
    for policy in KEEPERS {
        assert_eq!(keeper(&pages, policy), format!("https://{policy}.example/"));
    }
    // Of equal rank in every respect, one another's near copies: the first in the corpus stays.
    let equal: Vec<Page> = (0..3).map(|i| page(&format!("t{i}"), "2022-01-01", 3, &word(5000 + i))).collect();
    for policy in KEEPERS {
        assert_eq!(keeper(&equal, policy), "https://t0.example/", "{policy}");
    }
}

/// A document without keys, and the record ids of its keeper and of the document that holds it.
type Keyless = (Document, [Option<String>; 2]);

/// All documents, and all paragraphs under the record ids of theirs.
fn without_keys(corpus: &Corpus) -> (Vec<Keyless>, Vec<(String, Paragraph)>) {
    let documents = corpus.documents();
    let names: HashMap<u64, String> = documents.iter().map(|d| (d.doc, d.record_id.clone())).collect();
    let named = |p: Paragraph| (names[&p.doc].clone(), Paragraph { doc: 0, ..p });
    let keyless = |document: Document| {
        let others = [document.keeper, document.contained_in].map(|key| key.map(|key| names[&key].clone()));
        (Document { doc: 0, keeper: None, contained_in: None, ..document }, others)
    };
    (documents.into_iter().map(keyless).collect(), corpus.paragraphs().into_iter().map(named).collect())
}

/// The vertical text but for the attributes that are keys.
fn vertical_without_keys(corpus: &Corpus) -> String {
    let is_key = |part: &&str| part.starts_with("id=\"") || part.starts_with("dup_cluster=\"");
    let line = |line: &str| match line.starts_with("<doc ") {
        true => line.split(' ').filter(|part| !is_key(part)).collect::<Vec<_>>().join(" "),
        false => line.to_string(),
    };
    corpus.vertical().lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn random_threads_and_shards_change_nothing_but_keys() {
    let dir = tempfile::tempdir().unwrap();
    crawl::write(&dir.path().join("0.warc.gz"), 1, 14);
    write(&dir.path().join("1.warc"), Form::Wet, &families::archives(2, 500).concat());
    let input = dir.path().display().to_string();
    let bytes = |n: &str| fs::metadata(dir.path().join(n)).unwrap().len();
    assert!((1_300_000..2_700_000).contains(&(bytes("0.warc.gz") + bytes("1.warc"))));
    let mut random = Random(9);
    let mut first = None;
    for _ in 0..10 {
        let size = format!("plan.shard_bytes={}", 100_000 + random.below(1_000_000));
        let [one, other] = [(); 2].map(|()| {
            let threads = (1 + random.below(6)).to_string();
            let more = [options(&[&size]), vec!["--threads", &threads]].concat();
            Corpus::build_in(in_memory(), 0, &[&input], &more)
        });
        assert!(one.files() == other.files(), "{size}");
        let now = (without_keys(&one), vertical_without_keys(&one));
        let ((documents, paragraphs), vertical) = &*first.get_or_insert_with(|| now.clone());
        assert!(*documents == now.0.0 && *paragraphs == now.0.1 && *vertical == now.1, "{size}");
    }
    let ((documents, _), _) = first.unwrap();
    let dropped = |reason: &str| documents.iter().filter(|(document, _)| document.drop_reason.name() == reason).count();
    assert!(["near_duplicate", "exact_duplicate", "overlap"].iter().all(|reason| dropped(reason) >= 10));
}
