//! Which source wins, field by field.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::page::blocks;
use crate::page::head::{Link, Meta, MetadataCandidate, TextLine};

mod bylines;
mod date_forms;
mod days;

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

#[test]
fn the_word_title_before_a_title_is_no_part_of_it() {
    let page = "<title>[1901.00001] Herons of the pond</title><h1 class=title><span class=descriptor>Title:</span>Herons of the pond</h1>";
    assert_eq!(seen(page).title.as_deref(), Some("Herons of the pond"));
}

#[test]
fn buttons_behind_a_heading_are_no_part_of_the_title() {
    let title = |html: &str| seen(html).title.unwrap_or_default();
    assert_eq!(title("<h1>Module <a>runtime</a> <button>Copy item path</button></h1>"), "Module runtime");
    assert_eq!(title("<h1><button>A question of some words</button></h1>"), "A question of some words");
    assert_eq!(title("<h1>A question <button>x</button>of some words</h1>"), "A question of some words");
}

#[test]
fn the_licence_is_that_of_the_page() {
    let link = |by: &str| format!("<a {by} href='https://creativecommons.org/licenses/{}/4.0/'>CC</a>", "by");
    let (marked, plain) = (link("rel=license"), link(""));
    let of_page = "<a rel=license href='//creativecommons.org/licenses/by-sa/4.0/'>x</a>";
    let stated = "<link rel=license href='https://example.org/terms'>";
    for (html, want) in [
        (format!("<figure><img><figcaption>{marked}</figcaption></figure><p>text</p>{of_page}"), Some("CC BY-SA 4.0")),
        (format!("<article><figure><img>{marked}</figure>"), None),
        (format!("<article><figure><img></article>{marked}"), Some("CC BY 4.0")),
        (format!("<div><figure><div><img></div></div>{marked}"), Some("CC BY 4.0")),
        (format!("<ul><li><figure><img></ul>{marked}"), Some("CC BY 4.0")),
        (format!("<figure><figure><img></figure><figcaption>{marked}</figcaption></figure>"), None),
        (format!("{stated}<footer>Icons: {plain}</footer>"), Some("https://example.org/terms")),
        (format!("<footer>Text: {plain}, photo: {}</footer>", plain.replace("/by/", "/by-nc/")), None),
        (format!("<blockquote>x<footer>{plain}</footer></blockquote>"), None),
        (format!("<footer>{}</footer>", plain.replace("https://", "https://search.example/?q=")), None),
        (format!("<p>{plain}</p>"), None),
        (format!("<p>text</p><footer>Text: {plain}</footer>"), Some("CC BY 4.0")),
        ("<link rel=license href='//example.org/terms'>".into(), Some("//example.org/terms")),
    ] {
        assert_eq!(seen(&html).license.as_deref(), want, "{html}");
    }
}

#[test]
fn keywords_are_parted_by_the_signs_of_other_scripts() {
    let keywords = |content: &str| seen(&format!("<meta name=keywords content='{content}'>")).keywords;
    assert_eq!(keywords("桥梁，交通、北京；时政"), ["桥梁", "交通", "北京", "时政"]);
    assert_eq!(keywords("اقتصاد، سياسة؛ رياضة"), ["اقتصاد", "سياسة", "رياضة"]);
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
    let dated = "<h1><small>Jun 17</small> A fox crossed the frozen lake</h1>";
    assert_eq!(page(title, dated), "A fox crossed the frozen lake");
    for (title, tail, kept) in [
        (title, " <span>40</span>", " 40"),
        (title, " <small>20 August, 2011</small>", ""),
        (title, " <small>and nobody saw it</small>", " and nobody saw it"),
    ] {
        let heading = format!("<h1>A fox crossed the frozen lake{tail}</h1>");
        assert_eq!(page(title, &heading), format!("A fox crossed the frozen lake{kept}"), "{title}{tail}");
    }
    assert_eq!(
        page(title, "<h1>A fox crossed the frozen lake<br>Nobody saw it coming at all</h1>"),
        "A fox crossed the frozen lake"
    );
    assert_eq!(page("Site", "<h1>Story told to the end ¶</h1>"), "Story told to the end");
    let question = "<h1>Tides: what every sailor needs to know</h1><p>x<h2>What are tides?</h2>";
    assert_eq!(page("What are tides? All a sailor needs to know", question), "Tides: what every sailor needs to know");
    assert_eq!(page("What are tides?", question), "What are tides?", "the first heading is of something else");
    let section = "<h1>Tides</h1><p>x<h2>Buy tides of the north</h2>";
    assert_eq!(page("Tides of the north", section), "Tides of the north", "a section has further words");
    let cut = "<h1>News</h1><p>x<h2>How the fox crossed the frozen lake of the north at last</h2>";
    let long = "How the fox crossed the frozen lake of the north at last";
    assert_eq!(page("How the fox crossed the frozen lake of the north…", cut), long, "the title was cut");
    let parts = "<h2>Fox - on the frozen lake</h2><h3>Fox</h3>";
    assert_eq!(page("Fox – on the frozen lake", parts), "Fox - on the frozen lake", "another dash");
    let diary = "<h1>Monday, 5 May 2014</h1><h2>Prayers of the House</h2><p>x";
    assert_eq!(page("Monday, 5 May 2014 - Hansard", diary), "Monday, 5 May 2014", "declared");
    let dated = "<h1>Monday, 5 May 2014</h1>";
    assert_eq!(page("Lakes", dated), "Lakes");
    let post = "<h1>Lakes and tides</h1><h2 class=entry-title>A fox crossed it</h2>";
    assert_eq!(page("Lakes and tides: A fox crossed it", post), "A fox crossed it");
    let counted = "<h1>A fox crossed the frozen lake <span class=comment-bubble>77</span></h1>";
    assert_eq!(page(title, counted), "A fox crossed the frozen lake");
    let home = metadata(
        &blocks::page("<title>Fine Shop</title><h1>All we have today</h1>", &blocks::Options::default()).head,
        "https://shop.example.org/",
        None,
        &[],
        None,
    );
    assert_eq!(home.title.as_deref(), Some("Fine Shop"));
    let blog = blocks::page("<title>Fine Shop</title><h1>All we have today</h1>", &blocks::Options::default());
    let title = |address| metadata(&blog.head, address, None, &[], None).title;
    assert_eq!(title("https://shop.example.org/?p=123").as_deref(), Some("All we have today"));
    assert_eq!(title("https://shop.example.org/?utm_source=x").as_deref(), Some("Fine Shop"));
}

#[test]
fn a_heading_that_leads_to_the_home_page_is_no_title() {
    let title = |link: &str, name: &str, head: &str| {
        let title =
            seen(&format!("<title>{head}</title><h1>{link}{name}</a></h1><h3>Cool Tool of the Week</h3><p>x")).title;
        title.unwrap_or_default()
    };
    let (name, head) = ("Life as a Mason", "Life as a Mason: Cool Tool of the Week");
    assert_eq!(title("<a href=/>", name, head), "Cool Tool of the Week");
    assert_eq!(title("<a href=https://www.example.com/index.html>", name, head), "Cool Tool of the Week");
    // A link elsewhere, to the page itself, or another title.
    assert_eq!(title("<a href=https://other.org/>", name, head), name);
    for own in [PAGE, "#top", "/2018/12/31", "/2018/12/31/story.html?p=1", "/index.php?p=12"] {
        assert_eq!(title(&format!("<a href={own}>"), name, head), name, "{own}");
    }
    assert_eq!(title("<a href=/>", name, name), name);
}

#[test]
fn the_name_of_the_site_in_the_first_heading_is_no_title() {
    let page = |head: &str, body: &str| seen(&format!("<title>{head}</title><body>{body}")).title.unwrap_or_default();
    let story = "A fox crossed the frozen lake";
    let logo = format!("<h1><a href=/>The Daily News</a></h1><h2>{story}</h2>");
    assert_eq!(page(&format!("{story} | The Daily News"), &logo), story);
    let story = "一只狐狸穿过结冰的湖面";
    assert_eq!(page(&format!("{story} - 新华网"), &format!("<h1>新华网</h1><h2>{story}</h2>")), story);
    let reversed = "<h1>How to boil an egg</h1><p>x<h2>Cooking Tips</h2>";
    assert_eq!(page("Cooking Tips - How to boil an egg", reversed), "How to boil an egg", "a section has fewer words");
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
fn a_year_of_two_digits_stands_first_in_the_far_east() {
    let day = |lang: &str| {
        let line = TextLine { text: "작성일 09.11.05".into(), ..TextLine::default() };
        let head = Head { html_lang: lang.into(), lines: vec![line], ..Head::default() };
        metadata(&head, "https://news.example/story", None, &[], None).published.map(|day| day.to_string())
    };
    assert_eq!(day("ko-KR").as_deref(), Some("2009-11-05"));
    assert_eq!(day("de").as_deref(), Some("2005-11-09"));
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
                MetadataCandidate { names: "author date".into(), author: true, value: value.clone(), text: value.clone(), ..MetadataCandidate::default() },
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
