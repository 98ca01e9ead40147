//! Which source wins, field by field.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::page::blocks;
use crate::page::head::{Link, Meta, MetadataCandidate, TextLine};

const PAGE: &str = "https://www.example.com/2018/12/31/story.html";

fn metas(pairs: &[(&str, &str)]) -> Vec<Meta> {
    pairs.iter().map(|(key, content)| Meta { key: (*key).into(), content: (*content).into(), item: false }).collect()
}

fn article(fields: &str) -> Vec<String> {
    vec![format!(r#"{{"@context":"https://schema.org","@type":"Article",{fields}}}"#)]
}

fn read(head: &Head) -> Metadata {
    metadata(head, PAGE, Some(date(2020, 6, 1)), &[], None)
}

/// Reads a page's markup.
fn seen(html: &str) -> Metadata {
    read(&blocks::page(html, &blocks::Options::default()).head)
}

fn heading(level: u8, text: &str, place: u32) -> MetadataCandidate {
    MetadataCandidate { level, text: text.into(), place, ..MetadataCandidate::default() }
}

#[test]
fn titles_by_source() {
    let mut head = Head { title: "Story name - Site.com".into(), ..Head::default() };
    assert_eq!(read(&head).title.as_deref(), Some("Story name"));
    assert_eq!(read(&head).sitename.as_deref(), Some("Site.com"));
    head.json_ld = article(r#""headline":"Linked &amp; read""#);
    assert_eq!(read(&head).title.as_deref(), Some("Linked & read"));
    head.meta = metas(&[("dc.title", "Core"), ("og:title", "Graph | The Site"), ("og:site_name", "The Site")]);
    assert_eq!(read(&head).title.as_deref(), Some("Graph"));
    head.candidates = vec![heading(1, "The Site", 0), heading(1, "Latest", 1), heading(2, "Graph?", 2)];
    assert_eq!(read(&head).title.as_deref(), Some("Graph?"));
    head.candidates = vec![heading(1, "Another title that readers see", 0)];
    assert_eq!(read(&head).title.as_deref(), Some("Another title that readers see"));
    head.candidates.clear();
    head.meta.clear();
    assert_eq!(
        read(&Head { title: "Story | The Site".into(), ..Head::default() }).sitename.as_deref(),
        Some("example.com")
    );
}

#[test]
fn text_is_unescaped_once() {
    let title = |html: &str| seen(html).title.unwrap_or_default();
    assert_eq!(title("<title>How to write &amp;amp; in HTML</title>"), "How to write &amp; in HTML");
    assert_eq!(title("<h1>The tag &amp;lt;b&amp;gt; in short</h1>"), "The tag &lt;b&gt; in short");
    let head = Head { json_ld: article(r#""headline":"Say &amp;amp; for &amp;""#), ..Head::default() };
    assert_eq!(read(&head).title.as_deref(), Some("Say &amp; for &"));
    let linked = "<link rel=license href='https://example.org/terms?year=1&amp;copy=2'>";
    assert_eq!(seen(linked).license.as_deref(), Some("https://example.org/terms?year=1&copy=2"));
}

/// Of 47,318 `<meta>` elements of labelled pages 24 were escaped twice, and for all of them that was a mistake.
#[test]
fn contents_of_meta_elements_may_be_escaped_twice() {
    let page = "<meta property=og:title content='Science &amp;amp; Health'><meta name=author content='Zo&amp;euml; Doe'>\
        <meta name=keywords content='Marriage &amp;amp; family, editor&amp;#39;s picks'>";
    let got = seen(page);
    assert_eq!(got.title.as_deref(), Some("Science & Health"));
    assert_eq!(got.author, ["Zoë Doe"]);
    assert_eq!(got.keywords, ["Marriage & family", "editor's picks"]);
}

#[test]
fn long_title_elements_are_cut() {
    for length in [1_001, 9_999, 20_000] {
        let title = seen(&format!("<title>{}</title><p>x", "é".repeat(length))).title.unwrap_or_default();
        assert_eq!(title.chars().count(), MAX_CHARS, "{length}");
    }
}

#[test]
fn headings_beat_declared_titles_they_resemble() {
    let page = |head: &str, body: &str| seen(&format!("<title>{head}</title><body>{body}")).title.unwrap_or_default();
    let title = "A fox crossed the frozen lake | News";
    assert_eq!(page(title, "<h1>News</h1><h2>A fox crossed the lake</h2>"), "A fox crossed the lake");
    assert_eq!(
        page(title, "<h1><span class=kicker>Nature</span> Fox on the frozen lake</h1>"),
        "Fox on the frozen lake"
    );
    assert_eq!(page(title, "<div>A fox crossed the frozen lake</div>"), "A fox crossed the frozen lake");
    assert_eq!(
        page(title, "<h1>A fox crossed the frozen lake<br>Nobody saw it coming at all</h1>"),
        "A fox crossed the frozen lake"
    );
    assert_eq!(page("Site", "<h1>Story told to the end ¶</h1>"), "Story told to the end");
    let question = "<h1>Tides: what every sailor needs to know</h1><p>x<h2>What are tides?</h2>";
    assert_eq!(page("What are tides? All a sailor needs to know", question), "Tides: what every sailor needs to know");
    assert_eq!(page("What are tides?", question), "What are tides?", "the first heading is of something else");
    let home = metadata(
        &blocks::page("<title>Fine Shop</title><h1>All we have today</h1>", &blocks::Options::default()).head,
        "https://shop.example.org/",
        None,
        &[],
        None,
    );
    assert_eq!(home.title.as_deref(), Some("Fine Shop"));
}

#[test]
fn authors_by_source() {
    let mut head = Head { meta: metas(&[("author", "Jane Doe")]), ..Head::default() };
    head.json_ld =
        article(r#""author":[{"@type":"Person","name":"John Smith"},{"@type":"Organization","name":"The Desk"}]"#);
    assert_eq!(read(&head).author, ["John Smith"]);
    head.json_ld = article(r#""author":{"@type":"Organization","name":"The Desk"}"#);
    assert_eq!(read(&head).author, ["Jane Doe"]);
    head.meta.clear();
    assert_eq!(read(&head).author, ["The Desk"]);
    head.meta = metas(&[("citation_author", "Doe, Jane"), ("citation_author", "Smith, John")]);
    assert_eq!(read(&head).author, ["Doe, Jane", "Smith, John"]);
    head.meta = metas(&[("author", "admin"), ("twitter:label1", "Written by"), ("twitter:data1", "Jane Doe")]);
    assert_eq!(read(&head).author, ["Jane Doe"]);
    head = Head { meta: metas(&[("author", "jd77")]), ..Head::default() };
    assert_eq!(read(&head).author, ["Jd77"]);
    head.lines = vec![TextLine { text: "By Jane Doe, 5 March 2014".into(), ..TextLine::default() }];
    assert_eq!(read(&head).author, ["Jane Doe"]);
    for account in ["Friends of Reading Inc.", "The Example Desk", "Voices of Example"] {
        head.meta = metas(&[("author", account)]);
        assert_eq!(read(&head).author, ["Jane Doe"], "{account}");
        let alone = Head { meta: head.meta.clone(), ..Head::default() };
        assert_eq!(read(&alone).author, [account]);
    }
    head = Head { meta: metas(&[("author", "Jane Doe, Ann Lee")]), ..Head::default() };
    head.json_ld = article(r#""author":{"name":"Jane Doe"}"#);
    assert_eq!(read(&head).author, ["Jane Doe", "Ann Lee"], "the longer of two lists");
    for again in ["Jane Doe, Jane Doe", "Jane Doe, London, Jane Doe"] {
        head.meta = metas(&[("author", again)]);
        assert_eq!(read(&head).author, ["Jane Doe"], "{again}");
    }
    head.meta = metas(&[("author", "Jane Doe, Ann Lee")]);
    head.json_ld = article(r#""author":{"name":"John Smith"},"creator":["John Smith","Jane Doe"]"#);
    assert_eq!(read(&head).author, ["John Smith", "Jane Doe"]);
    head = Head { meta: metas(&[("author", "Readers Inc., London, England")]), ..Head::default() };
    assert_eq!(read(&head).author, ["Readers Inc."]);
}

#[test]
fn bylines_are_read_from_markup() {
    let author = |body: &str| seen(&format!("<body><h1>A title of some words</h1>{body}")).author.join("; ");
    assert_eq!(author("<p><a rel=author href=/x>Jane Doe</a></p>"), "Jane Doe");
    assert_eq!(author("<p><a href='/autoren/jane-doe'>x</a> <a href='/author/jane'>Jane Doe</a></p>"), "Jane Doe");
    assert_eq!(author("<div class=byline>Von <span>Jane Doe</span> am 5. März 2014</div>"), "Jane Doe");
    assert_eq!(author("<p>Gespeichert von jdoe am 5.3.2014</p>"), "Jdoe");
    assert_eq!(author("<div itemprop=author><span itemprop=name>Jane Doe</span></div>"), "Jane Doe");
    assert_eq!(
        author("<div class=comments><span class=author>Ann Lee</span></div><p class=author>Jane Doe</p>"),
        "Jane Doe"
    );
    assert_eq!(author("<p><a class=username href=/u/1>jdoe</a></p><p><a class=username href=/u/2>ann</a></p>"), "Jdoe");
    assert_eq!(author("<p>By and by the rain stopped.</p>"), "");
    assert_eq!(author("<p class=byline><a href='/category/tools'>Tools</a> <b>Jane Doe</b></p>"), "Jane Doe");
    assert_eq!(author("<p class=byline><span class=byline__category>Well being</span>Jane Doe</p>"), "Jane Doe");
    assert_eq!(author("<p class=author><span class=eyebrow>Jane Doe</span></p>"), "Jane Doe");
    assert_eq!(author("<li class='link authorization-link'><a href='/authorize'>Sign In</a></li>"), "");
}

/// Lines without a number are kept of a page only if they look like bylines.
#[test]
fn bylines_without_a_date_are_read_from_markup() {
    let author = |line: &str| seen(&format!("<body><h1>A title of some words</h1><p>{line}</p>")).author.join("; ");
    for lead in ["writer: ", "par: ", "por: ", "door: ", "a cura di ", "Ein Beitrag von ", "Erstellt von ", "АВТОР: "]
    {
        assert_eq!(author(&format!("{lead}Jane Doe")), "Jane Doe", "{lead}");
    }
    assert_eq!(author("作者：王小明"), "王小明");
    assert_eq!(author("来源：新华网 记者：王小明 编辑：李四"), "王小明");
    assert_eq!(author("[서울=뉴스] 홍길동 기자"), "홍길동");
}

#[test]
fn a_longer_linked_sitename_wins() {
    let mut head = Head { meta: metas(&[("og:site_name", "example site")]), ..Head::default() };
    head.json_ld = article(r#""publisher":{"@type":"Organization","name":"Example Publishing House"}"#);
    assert_eq!(read(&head).sitename.as_deref(), Some("Example Publishing House"));
}

#[test]
fn the_account_of_a_site_is_its_name_if_it_is_spelled_as_the_domain() {
    let sitename = |title: &str, account: &str| {
        let meta = metas(&[("article:publisher", "https://facebook.com/x"), ("twitter:site", account)]);
        read(&Head { title: title.into(), meta, ..Head::default() }).sitename.unwrap()
    };
    let host = sitename("", "");
    let label = host.split('.').next().unwrap().to_owned();
    assert_eq!(sitename("", &format!("@{}", label.to_uppercase())), label.to_uppercase());
    assert_eq!(sitename("", "@another_one"), host);
    assert_eq!(sitename(&format!("Story - The {label}"), "@another_one"), format!("The {label}"));
}

fn published(head: &Head) -> (String, &'static str) {
    let got = read(head);
    (
        got.published.map(|day| day.to_string()).unwrap_or_default(),
        got.published_source.map_or("", PublishedSource::name),
    )
}

#[test]
fn dates_by_source() {
    let mut head = Head::default();
    assert_eq!(published(&head), ("2018-12-31".into(), "url"));
    head.meta = metas(&[("date", "2019-01-04"), ("article:published_time", "2019-01-02T10:00:00+01:00")]);
    assert_eq!(published(&head), ("2019-01-02".into(), "meta"));
    head.json_ld = article(r#""datePublished":"2019-01-03","dateModified":"2020-05-06""#);
    assert_eq!(published(&head), ("2019-01-03".into(), "jsonld"));
    assert_eq!(read(&head).modified, Some(date(2020, 5, 6)));
    head.json_ld = article(r#""datePublished":"2035-01-01""#);
    assert_eq!(published(&head), ("2019-01-02".into(), "meta"));
    head.meta = metas(&[("date", "1994-01-01")]);
    assert_eq!(published(&head).1, "url");
    // A moment just after midnight in universal time: readers saw the day before, as the address says.
    head.meta = metas(&[("article:published_time", "2019-01-01T01:00:00Z")]);
    assert_eq!(published(&head), ("2018-12-31".into(), "url"));
}

#[test]
fn dates_are_read_from_markup() {
    let day = |body: &str| {
        let head =
            blocks::page(&format!("<body><h1>A title of some words</h1>{body}"), &blocks::Options::default()).head;
        let got = metadata(&head, "https://www.example.de/story", None, &[], None);
        got.published.map(|day| day.to_string()).unwrap_or_default()
    };
    let march = "2014-03-05";
    assert_eq!(day("<time datetime=2014-03-05>yesterday</time>"), march);
    assert_eq!(day("<span class=post-date>5.3.14</span>"), march);
    assert_eq!(day("<meta itemprop=datePublished content=2014-03-05>"), march);
    assert_eq!(day("<abbr class=published title='2014-03-05T10:00:00'>x</abbr>"), march);
    assert_eq!(day("<abbr data-utime=1394000000>x</abbr>"), march);
    assert_eq!(day("<p>Veröffentlicht am 5. März 2014 um 10 Uhr</p>"), march);
    assert_eq!(day("<p>© 5.3.2014</p>"), "");
    assert_eq!(day("<p>Published 5.3.2014 © 6.4.2015 A. Person</p>"), "2014-03-05");
    assert_eq!(day("<p>Published © 6.4.2015 A. Person</p>"), "");
    assert_eq!(day("<p>© 2014</p>"), "");
    assert_eq!(day("<p class=date>5.3.2014</p><aside><p class=date>6.3.2014</p></aside>"), march);
    assert_eq!(day("<aside><p class=date>6.3.2014</p></aside><p class=date>5.3.2014</p>"), march);
    assert_eq!(day("<p class=updated>Aktualisiert: 6.3.2014</p><p class=date>5.3.2014</p>"), march);
    assert_eq!(day("<p>Stand: 5.3.2014</p>"), march);
    // The day that readers see is that of their time.
    assert_eq!(day("<time datetime=2014-03-06T00:25:00Z>5.3.2014 19:25</time>"), march);
    assert_eq!(day("<time datetime=2014-03-06T00:25:00Z>5.8.2014</time>"), "2014-03-06");
    // The order of day and month is that of the value inside.
    assert_eq!(day("<small class=post-date><time datetime=2014-03-05T12:00:00Z>03/05/2014</time></small>"), march);
}

/// The day of publication of a page with this head and this body below a heading, captured later than all its days.
fn day(head: &str, body: &str) -> String {
    let html = format!("<title>A story of some length</title>{head}<h1>A story of some length</h1>{body}");
    let page = blocks::page(&html, &blocks::Options::default());
    let day = metadata(&page.head, "https://www.example.org/story", None, &[], None).published;
    day.map(|day| day.to_string()).unwrap_or_default()
}

#[test]
fn numbers_are_read_in_the_order_of_the_country() {
    let day = |markup: &str| {
        let html = format!("{markup}<h1>A story of some length</h1><span class=date>02/10/2020</span>");
        let head = blocks::page(&html, &blocks::Options::default()).head;
        metadata(&head, "https://www.example.com/story", None, &[], None).published.unwrap().to_string()
    };
    for american in
        ["<html>", "<html lang=en>", "<html lang=en-US>", "<html lang=en><meta property=og:locale content=en_US>"]
    {
        assert_eq!(day(american), "2020-02-10", "{american}");
    }
    for other in ["<html lang=de>", "<html xml:lang=en-GB>", "<html lang=en><meta property=og:locale content=en_GB>"] {
        assert_eq!(day(other), "2020-10-02", "{other}");
    }
}

#[test]
fn a_line_tells_the_day_of_the_change() {
    let html = "<h1>A story of some length</h1><p>The text of the story.</p><p>Last updated: 5 March 2014</p>";
    let head = blocks::page(html, &blocks::Options::default()).head;
    let read = metadata(&head, "https://www.example.org/story", None, &[], None);
    assert_eq!(read.modified, Some(date(2014, 3, 5)));
}

#[test]
fn a_change_told_beside_the_publication_is_parted_from_it() {
    assert_eq!(day("", "<p>3 May 2014 (updated 5 May 2014)</p>"), "2014-05-03");
    assert_eq!(day("", "<p>Last updated 5 May 2014, published 3 May 2014</p>"), "2014-05-03");
    assert_eq!(day("", "<p class=post_date>2014-05-03, 09:14 (last modified: 2014-05-05)</p>"), "2014-05-03");
    assert_eq!(day("", "<p class=date>Mise à jour le 5 mai 2014, publié le 3 mai 2014</p>"), "2014-05-03");
}

#[test]
fn a_change_soon_after_is_publication_where_readers_see_no_change() {
    let head = |published: &str| {
        format!(
            "<meta property=article:published_time content={published}>\
             <meta property=article:modified_time content=2014-05-05>"
        )
    };
    assert_eq!(day(&head("2014-05-04"), "<p class=date>5 May 2014</p>"), "2014-05-05");
    assert_eq!(day(&head("2014-05-04"), "<p>5 May 2014</p>"), "2014-05-05");
    assert_eq!(day(&head("2014-05-04"), "<p>Updated <time datetime=2014-05-05>5 May 2014</time></p>"), "2014-05-04");
    assert_eq!(day(&head("2014-05-04"), "<p class=modified>5 May 2014</p>"), "2014-05-04");
    assert_eq!(day(&head("2014-03-04"), "<p class=date>5 May 2014</p>"), "2014-03-04");
}

#[test]
fn a_line_of_text_long_after_the_publication_names_an_event() {
    let stated = "<meta property=article:published_time content=2014-03-04>";
    assert_eq!(day(stated, "<p>5 May 2014</p>"), "2014-03-04");
    assert_eq!(day(stated, "<p>6 March 2014</p>"), "2014-03-06");
    assert_eq!(day(stated, "<p class=date>5 May 2014</p>"), "2014-05-05");
    assert_eq!(day("", "<p>Termin: 7 May 2014</p><p class=date>5 May 2014</p>"), "2014-05-05");
}

#[test]
fn of_items_of_the_same_name_the_first_counts() {
    let items = "<meta itemprop=datePublished content=2014-05-03><meta itemprop=datePublished content=2014-06-07>";
    assert_eq!(day(items, "<div class=comment><p>7 June 2014</p></div>"), "2014-05-03");
    let own = "<meta property=article:published_time content=2014-05-01><meta itemprop=dateModified content=2014-05-09>\
               <meta itemprop=datePublished content=2014-05-09>";
    assert_eq!(day(own, "<p>Updated: 9 May 2014</p>"), "2014-05-01");
}

#[test]
fn addresses_and_days_of_accounts_are_no_dates() {
    assert_eq!(day("", "<p>Permalink: https://www.example.org/2014/may13/x</p>"), "");
    assert_eq!(day("", "<p>Founded: 3 May 2014</p>"), "");
    assert_eq!(day("", "<p>9.7 /10</p>"), "");
}

#[test]
fn unknown_names_that_speak_of_publication_are_read() {
    for name in ["prism.publicationDate", "pub_date", "bepress_citation_date", "x:date-issued"] {
        assert_eq!(day(&format!("<meta name={name} content=2014-05-03>"), ""), "2014-05-03", "{name}");
    }
    assert_eq!(day("<meta name=publication-modified content=2014-05-03><meta name=x content=2014-05-03>", ""), "");
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
    head.links = vec![Link { rel: "license".into(), href: "/imprint.html".into() }];
    assert_eq!(read(&head).license, None);
    head.meta = metas(&[("dcterms.rights", "Free to read/share")]);
    assert_eq!(read(&head).license.as_deref(), Some("Free to read/share"));
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
        let _ = metadata(&head, PAGE, None, &[], None);
    }

    #[test]
    fn any_value_is_survived(value in "\\PC{0,100}", url in "\\PC{0,40}") {
        let keys = ["author", "date", "og:title", "og:site_name", "keywords", "license", "robots", "og:url", "language"];
        let head = Head {
            title: value.clone(),
            html_lang: value.clone(),
            meta: keys.iter().map(|key| Meta { key: (*key).into(), content: value.clone(), item: false }).collect(),
            links: vec![Link { rel: "canonical".into(), href: value.clone() }],
            candidates: vec![
                MetadataCandidate { level: 1, text: value.clone(), place: u32::MAX, ..MetadataCandidate::default() },
                MetadataCandidate { names: "author date".into(), value: value.clone(), text: value.clone(), ..MetadataCandidate::default() },
            ],
            lines: vec![TextLine { text: value.clone(), titled: true, ..TextLine::default() }],
            body: Some(3),
            ..Head::default()
        };
        let _ = metadata(&head, &url, None, &[&value], Some(&value));
    }

    #[test]
    fn any_markup_is_survived(
        parts in proptest::collection::vec(
            "<(h1|p|div|time|span|a|aside|/h1|/p|/div|/a|/span|script|/script|li)( (class|id|rel|itemprop|title|datetime|href)=\"[a-z0-9 ./-]{0,12}(author|date|comment|kicker|byline)?\"){0,2}>|[0-9]{1,4}[./-]?|(By|von) [A-Z][a-zé]{1,8} |\\PC{0,12}",
            0..80,
        )
    ) {
        let head = blocks::page(&parts.concat(), &blocks::Options::default()).head;
        prop_assert!(head.candidates.len() <= 200 && head.lines.len() <= 201);
        let _ = metadata(&head, PAGE, None, &[], None);
    }
}

#[test]
fn the_month_of_the_address_decides_where_the_order_of_day_and_month_is_a_guess() {
    for (shown, want) in [
        ("11.05.12", "2012-11-05"),
        ("11.05.2012", "2012-11-05"),
        ("11 May 2012", "2012-05-11"),
        ("2012-05-11", "2012-05-11"),
        ("12.05.2012", "2012-05-12"),
    ] {
        let html = format!("<h1>The old bridge</h1><p class=date>{shown}</p><p>It was built of stone.");
        let head = blocks::page(&html, &blocks::Options::default()).head;
        let address = "https://d.example/2012/11/the-old-bridge";
        let got = metadata(&head, address, Some(date(2020, 6, 1)), &[], None).published;
        assert_eq!(got.map(|day| day.to_string()).as_deref(), Some(want), "{shown}");
    }
}
