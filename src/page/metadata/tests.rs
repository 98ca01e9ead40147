//! Which source wins, field by field.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::page::head::{Link, Meta, Time};

const PAGE: &str = "https://www.example.com/2018/12/31/story.html";

fn metas(pairs: &[(&str, &str)]) -> Vec<Meta> {
    pairs.iter().map(|(key, content)| Meta { key: (*key).into(), content: (*content).into() }).collect()
}

fn article(fields: &str) -> Vec<String> {
    vec![format!(r#"{{"@context":"https://schema.org","@type":"Article",{fields}}}"#)]
}

fn read(head: &Head) -> Metadata {
    metadata(head, PAGE, Some(date(2020, 6, 1)), &[])
}

#[test]
fn titles_by_source() {
    let mut head =
        Head { title: "Story name - Site.com".into(), h1: vec!["One".into(), "Two".into()], ..Head::default() };
    assert_eq!(read(&head).title.as_deref(), Some("Story name"));
    assert_eq!(read(&head).sitename.as_deref(), Some("Site.com"));
    head.h1.pop();
    assert_eq!(read(&head).title.as_deref(), Some("One"));
    head.json_ld = article(r#""headline":"Linked &amp; read""#);
    assert_eq!(read(&head).title.as_deref(), Some("Linked & read"));
    head.meta = metas(&[("dc.title", "Core"), ("og:title", "Graph | The Site"), ("og:site_name", "The Site")]);
    assert_eq!(read(&head).title.as_deref(), Some("Graph"));
    assert_eq!(
        read(&Head { title: "Story | The Site".into(), ..Head::default() }).sitename.as_deref(),
        Some("example.com")
    );
}

#[test]
fn authors_are_added_up() {
    let mut head = Head { meta: metas(&[("author", "Jane Doe")]), ..Head::default() };
    head.json_ld =
        article(r#""author":[{"@type":"Person","name":"John Smith"},{"@type":"Organization","name":"Desk"}]"#);
    assert_eq!(read(&head).author, ["Jane Doe", "John Smith"]);
    head.meta = metas(&[("author", "admin")]);
    assert_eq!(read(&head).author, ["John Smith"]);
    head.meta = metas(&[("citation_author", "Doe, Jane"), ("citation_author", "Smith, John")]);
    head.json_ld.clear();
    assert_eq!(read(&head).author, ["Doe, Jane", "Smith, John"]);
    head.meta = metas(&[("author", "admin"), ("twitter:label1", "Written by"), ("twitter:data1", "Jane Doe")]);
    assert_eq!(read(&head).author, ["Jane Doe"]);
}

#[test]
fn a_longer_linked_sitename_wins() {
    let mut head = Head { meta: metas(&[("og:site_name", "example site")]), ..Head::default() };
    head.json_ld = article(r#""publisher":{"@type":"Organization","name":"Example Publishing House"}"#);
    assert_eq!(read(&head).sitename.as_deref(), Some("Example Publishing House"));
    head.meta = metas(&[("article:publisher", "https://facebook.com/x"), ("twitter:site", "@example")]);
    head.json_ld.clear();
    assert_eq!(read(&head).sitename.as_deref(), Some("example"));
}

#[test]
fn dates_by_source() {
    let mut head = Head::default();
    let published = |head: &Head| {
        let got = read(head);
        (got.published.map(|day| day.to_string()).unwrap_or_default(), got.published_source.unwrap_or_default())
    };
    assert_eq!(published(&head), ("2018-12-31".into(), "url"));
    head.times = vec![Time { datetime: "2019-01-05".into(), ..Time::default() }];
    assert_eq!(published(&head), ("2019-01-05".into(), "time"));
    head.times.push(Time { datetime: "2019-01-06".into(), ..Time::default() });
    assert_eq!(published(&head).1, "url");
    head.times.push(Time { text: "7 January 2019".into(), pubdate: true, ..Time::default() });
    assert_eq!(published(&head), ("2019-01-07".into(), "time"));
    head.meta = metas(&[("date", "2019-01-04"), ("article:published_time", "2019-01-02T10:00:00Z")]);
    assert_eq!(published(&head), ("2019-01-02".into(), "meta"));
    head.json_ld = article(r#""datePublished":"2019-01-01","dateModified":"2020-05-06""#);
    assert_eq!(published(&head), ("2019-01-01".into(), "jsonld"));
    head.json_ld = article(r#""datePublished":"2035-01-01""#);
    assert_eq!(published(&head), ("2019-01-02".into(), "meta"));
    head.meta = metas(&[("date", "1994-01-01")]);
    assert_eq!(published(&head).1, "time");
}

#[test]
fn sections_keywords_and_licences() {
    let mut head = Head { meta: metas(&[("keywords", "a, b;A"), ("article:tag", "c")]), ..Head::default() };
    head.json_ld = article(r#""articleSection":["World","X"],"keywords":["b","d"]"#);
    head.links =
        vec![Link { rel: "license noopener".into(), href: "https://creativecommons.org/licenses/by-sa/4.0/".into() }];
    let got = read(&head);
    assert_eq!(got.keywords, ["a", "b", "c", "d"]);
    assert_eq!(got.section.as_deref(), Some("World"));
    assert_eq!(got.license.as_deref(), Some("CC BY-SA 4.0"));
}

#[test]
fn canonical_stays_in_the_domain() {
    let mut head =
        Head { links: vec![Link { rel: "canonical".into(), href: "https://other.com/x".into() }], ..Head::default() };
    assert_eq!(read(&head).canonical, None);
    head.meta = metas(&[("og:url", "https://m.example.com/x#y")]);
    assert_eq!(read(&head).canonical.as_deref(), Some("https://m.example.com/x"));
}

#[test]
fn languages_are_tags() {
    let language = |value: &str| read(&Head { html_lang: value.into(), ..Head::default() }).declared_language;
    assert_eq!(language("pt_BR").as_deref(), Some("pt-BR"));
    assert_eq!(language("EN, fr").as_deref(), Some("en"));
    assert_eq!(language("english"), None);
    let head = Head { html_lang: "{{lang}}".into(), meta: metas(&[("og:locale", "cs_CZ.utf8")]), ..Head::default() };
    assert_eq!(read(&head).declared_language.as_deref(), Some("cs-CZ"));
}

proptest! {
    #[test]
    fn any_json_ld_is_survived(script in "\\PC{0,200}", tokens in proptest::collection::vec("[\\[\\]{}\",:/*\\\\a-z@]{1,3}|\"@(type|graph|context|id)\"|\"Article\"", 0..60)) {
        let head = Head { json_ld: vec![script, tokens.concat()], ..Head::default() };
        let _ = metadata(&head, PAGE, None, &[]);
    }

    #[test]
    fn any_value_is_survived(value in "\\PC{0,100}", url in "\\PC{0,40}") {
        let keys = ["author", "date", "og:title", "og:site_name", "keywords", "license", "robots", "og:url", "language"];
        let head = Head {
            title: value.clone(),
            html_lang: value.clone(),
            meta: keys.iter().map(|key| Meta { key: (*key).into(), content: value.clone() }).collect(),
            links: vec![Link { rel: "canonical".into(), href: value.clone() }],
            times: vec![Time { datetime: value.clone(), text: value.clone(), ..Time::default() }],
            h1: vec![value.clone()],
            ..Head::default()
        };
        let _ = metadata(&head, &url, None, &[&value]);
    }
}
