use proptest::prelude::*;

use super::*;

mod characters;
mod limits;
mod meaning;

fn texts(html: &str) -> Vec<String> {
    page(html, &Options::default()).blocks.into_iter().map(|b| b.text).collect()
}

fn reference(html: &str) -> Vec<String> {
    page(html, &Options::reference()).blocks.into_iter().map(|b| b.text).collect()
}

/// `text@container>container` for every block.
fn places(html: &str) -> Vec<String> {
    let page = page(html, &Options::default());
    page.blocks.iter().map(|block| format!("{}@{}", block.text, place(&page, block.container))).collect()
}

fn place(page: &Page, container: u32) -> String {
    let mut names = Vec::new();
    let mut at = Some(container);
    while let Some(container) = at.and_then(|at| page.containers.get(at as usize)) {
        names.push(container.tag.name());
        at = container.parent;
    }
    names.reverse();
    names.join(">").trim_start_matches("html").trim_start_matches('>').to_owned()
}

#[test]
fn inline_text_is_glued_only_in_the_reference() {
    let html = "<p><b>Hello</b> <i>world</i></p>";
    assert_eq!(reference(html), ["Helloworld"]);
    assert_eq!(texts(html), ["Hello world"]);
}

#[test]
fn html5_blocks_split_only_by_default() {
    let html = "<article><section>one</section><section>two</section><header>hh</header></article>";
    assert_eq!(reference(html), ["onetwohh"]);
    assert_eq!(texts(html), ["one", "two", "hh"]);
}

#[test]
fn two_line_breaks_split() {
    let html = "<p>one<br>two<br> <br>three<br>a<br>b</p>";
    for texts in [texts(html), reference(html)] {
        assert_eq!(texts, ["one two", "three a b"]);
    }
    assert_eq!(reference("<p>a<br><b></b><br>b</p>"), ["a b"]);
    assert_eq!(reference("<div><br></div><p>a<br></p><p><br></p>"), ["a"], "blocks without text do not show");
}

#[test]
fn white_space_of_the_reference_keeps_line_ends() {
    let html = "<p>a\n\n b &nbsp; c\td</p>";
    assert_eq!(reference(html), ["a\nb c d"]);
    assert_eq!(texts(html), ["a b c d"]);
    assert_eq!(page(html, &Options::reference()).blocks[0].characters, 7);
}

#[test]
fn noscript_contributes_and_iframe_does_not() {
    let html = "<noscript>nos</noscript><p>x</p><iframe>if</iframe>";
    assert_eq!(texts(html), ["nos", "x"]);
    assert_eq!(reference(html), ["nos", "x", "if"]);
    let nested = "<p>a</p><iframe></div><p>in<b>ner</p></iframe><noscript><p>b<p>c</noscript>";
    assert_eq!(texts(nested), ["a", "b", "c"]);
}

#[test]
fn tags_between_two_breaks_do_not_join_paragraphs() {
    for html in ["a<br><span><br></span>b", "a<span>a</span><br><b><br></b>b", "a<br><a name=x></a><br>b"] {
        assert_eq!(texts(html).len(), 2, "{html}");
    }
    assert_eq!(texts("a<br><b>b</b><br>c"), ["a b c"]);
    assert_eq!(reference("a<br><span><br></span>b"), ["a b"]);
}

#[test]
fn content_that_is_no_text_is_dropped() {
    for html in [
        "a<script>var x = '<p>b</p>';</script>c",
        "a<style>p{}</style>c",
        "a<!-- <p>b --> c<!-->",
        "a<button>b</button>c",
        "a<input value=b>c",
        "a<select><option>b<option>d</select>c",
        "a<textarea><p>b</textarea>c",
        "a<applet>b</applet>c",
        "<head><title>t</title><noscript>n</noscript></head>a<!doctype x>c",
        "a<script><!-- <script> </script> --></script>c",
        "a<?php b ?>c",
        "a<![CDATA[b]]>c",
    ] {
        let squeezed = texts(html).join(" ").replace(' ', "");
        assert_eq!(squeezed, "ac", "{html}");
        assert_eq!(reference(html).join("").replace(' ', ""), "ac", "{html}");
    }
}

#[test]
fn implied_end_tags_are_those_of_a_browser() {
    for (html, expected) in [
        ("<div><p>a<p>b<div>c</div>d</div>", vec!["a@div>p", "b@div>p", "c@div>div", "d@div"]),
        (
            "<ul><li>a<li>b<ul><li>c</ul>d<li>e</ul>f",
            vec!["a@ul>li", "b@ul>li", "c@ul>li>ul>li", "d@ul>li", "e@ul>li", "f@"],
        ),
        ("<dl><dt>a<dd>b<p>c<dt>d</dl>e", vec!["a@dl>dt", "b@dl>dd", "c@dl>dd>p", "d@dl>dt", "e@"]),
        ("<table><tr><td>a<td>b<tr><th>c</table>d", vec!["a@table>tr>td", "b@table>tr>td", "c@table>tr>th", "d@"]),
        (
            "<table><tbody><tr><td>a<table><tr><td>b</table>c<tbody><tr><td>d</table>",
            vec![
                "a@table>tbody>tr>td",
                "b@table>tbody>tr>td>table>tr>td",
                "c@table>tbody>tr>td",
                "d@table>tbody>tr>td",
            ],
        ),
        ("<h1>a<h2>b</h2>c", vec!["a@h1", "b@h2", "c@"]),
        ("<h1>a</h2>b", vec!["a@h1", "b@"]),
        ("<div>a</p>b</p></p> c</div>", vec!["a@div", "b@div", "c@div"]),
        ("<article><nav><p>a</nav>b</article>c", vec!["a@article>nav>p", "b@article", "c@"]),
        ("<b><div>a</b>b</div>c", vec!["ab@div", "c@"]),
        ("<td>a</table>b", vec!["ab@td"]),
        ("<p><table><tr><td>a</table>b", vec!["a@table>tr>td", "b@"]),
        ("<div><span></div>a", vec!["a@"]),
        ("<section><div>a</section>b", vec!["a@section>div", "b@"]),
        ("<head><title>t</title><p>a</head><p>b", vec!["a@p", "b@p"]),
        ("<html><head></head><body><div>a<html><head><title>t</title>b</head>c", vec!["abc@body>div"]),
        ("<body>a<iframe><html><head><title>t</title></head><body>b</iframe>c", vec!["ac@body"]),
        ("<head><title>t</title><html><head></head><body>a", vec!["a@body"]),
        ("<head>a<body>b</body></html>c", vec!["a@", "bc@body"]),
    ] {
        assert_eq!(places(html), expected, "{html}");
    }
}

#[test]
fn text_after_the_end_of_the_document_counts_only_by_default() {
    let html = "<html><body><p>a</p></body></html><p>b</p>c";
    assert_eq!(texts(html), ["a", "b", "c"]);
    assert_eq!(reference(html), ["a"]);
}

#[test]
fn containers_with_the_same_names_are_known() {
    let html =
        "<div class=a>x</div><p class=a id=b>y</p><p class=a>z</p><ul><li class=a id=b>x<li>y<li class='a b'>z</ul>";
    let page = page(html, &Options::default());
    let same: Vec<u32> = page.containers.iter().map(|container| container.same_names).collect();
    assert_eq!(same, [0, 1, 2, 1, 0, 2, 0, 7]);
}

/// The hashes of these names were equal for half of the seeds.
#[test]
fn containers_with_other_names_are_told_apart_whatever_the_seed() {
    for _ in 0..64 {
        let page = page("<div class=nvL>x</div><div id=nvM>y</div><div id=nvM>z</div>", &Options::default());
        let same: Vec<u32> = page.containers.iter().map(|container| container.same_names).collect();
        assert_eq!(same, [0, 1, 2, 2]);
    }
}

#[test]
fn containers_tell_where_a_block_stands() {
    let page =
        page("<body class='x'><div id=main><p>a<p>b</div><div class='site &amp; footer'>c</div>", &Options::default());
    assert_eq!(page.blocks.iter().map(|b| b.kind.name()).collect::<Vec<_>>(), ["p", "p", "div"]);
    let at = |block: usize| &page.containers[page.blocks[block].container as usize];
    let around = |block: usize| &page.containers[at(block).parent.unwrap_or(0) as usize];
    assert_eq!((at(0).tag, &*around(0).id), (Tag::P, "main"));
    assert_eq!(at(0).parent, at(1).parent);
    assert_eq!((&*at(2).class, &*around(2).class), ("site & footer", "x"));
    assert_eq!(page.containers[0].parent, None);
}

#[test]
fn counts_of_a_block() {
    let page = page("<h2><a href=x>ab <b>c</b></a> d<br>e</h2><p><a name=x>f</a>g", &Options::default());
    let block = &page.blocks[0];
    assert_eq!((block.text.as_str(), block.characters, block.link_characters), ("ab c d e", 8, 4));
    assert_eq!((block.inline_tags, block.heading, page.blocks[1].heading), (3, true, false));
    assert_eq!(page.blocks[1].link_characters, 0, "an anchor to link to is no link");
    for inside in ["<button>b</a></button>", "<select><option>b</a></select>", "<button><a href=y>b</a></button></a>"] {
        let html = format!("<p><a href=x>ab{inside} cd<p>ef");
        let page = super::page(&html, &Options::default());
        let links: Vec<_> = page.blocks.iter().map(|block| (block.text.as_str(), block.link_characters)).collect();
        assert_eq!(links, [("ab cd", 2), ("ef", 0)], "{inside}");
    }
    let page = super::page("<p><a name=x>f</a>g<x-select>h<p>i", &Options::reference());
    assert_eq!((page.blocks[0].link_characters, page.blocks[1].in_select), (1, true));
}

#[test]
fn the_head_is_collected() {
    let html = "<html lang=cs><head><title> A &amp;\n B </title><meta name=Author content='J &eacute;'>\
        <meta property=og:title name=t content=c><meta charset=utf-8><link rel=Canonical href=/x>\
        <script type='application/ld+json; charset=utf-8'>{\"a\":\"<b>\"}</script></head>\
        <h1>H <b>1</b></h1><time datetime=2020-01-02 itemprop=datePublished class=d pubdate>2 Jan <b>2020</b></time>\
        <a rel='nofollow license' href=/l>l</a><svg><title>s</title></svg>";
    let head = page(html, &Options::default()).head;
    assert_eq!((head.title.as_str(), head.html_lang.as_str()), ("A & B", "cs"));
    let lang = |html: &str| page(html, &Options::default()).head.html_lang;
    assert_eq!(lang("<html xml:lang=en-GB lang=''>"), "en-GB");
    assert_eq!(lang("<html xml:lang=en lang=cs>"), "cs");
    let meta: Vec<_> = head.meta.iter().map(|m| (m.key.as_str(), m.content.as_str())).collect();
    assert_eq!(meta, [("author", "J é"), ("t", "c"), ("og:title", "c")]);
    let links: Vec<_> = head.links.iter().map(|l| (l.rel.as_str(), l.href.as_str())).collect();
    assert_eq!(links, [("canonical", "/x"), ("nofollow license", "/l")]);
    assert_eq!(head.json_ld, ["{\"a\":\"<b>\"}"]);
    let candidates: Vec<_> = head.candidates.iter().map(|m| (m.level, m.text.as_str(), m.value.as_str())).collect();
    assert_eq!(candidates, [(1, "H 1", ""), (0, "2 Jan 2020", "2020-01-02")]);
    assert_eq!(head.candidates[1].names, "d datepublished");
}

#[test]
fn what_no_reader_sees_is_no_metadata() {
    for html in [
        "<p class=author>Jane <svg><svg></svg><text>Figure</text></svg>Doe</p>",
        "<p class=author>Jane <svg><svg></svg><foreignObject></p></foreignObject></svg>Doe</p>",
        "<p class=author>Jane <svg><svg /></svg>Doe</p>",
        // The end tag of an element around the SVG ends it.
        "<div><svg><g></div><p class=author>Jane Doe</p>",
        "<p><svg><g><p>x<p class=author>Jane Doe</p>",
        "<form><select><option>x</form><p class=author>Jane Doe</p>",
        "<template><template></template><p class=author>Ann Lee</p></template><p class=author>Jane Doe</p>",
    ] {
        let head = page(html, &Options::default()).head;
        let texts: Vec<&str> = head.candidates.iter().map(|element| element.text.as_str()).collect();
        assert_eq!(texts, ["Jane Doe"], "{html}");
    }
}

#[test]
fn self_closing_elements_do_not_swallow_the_page() {
    for html in ["<script src=x />a", "<title/>a", "<iframe src=x />a", "<textarea/>a", "<style/>a"] {
        assert_eq!(texts(html), ["a"], "{html}");
        assert_eq!(reference(html), ["a"], "{html}");
    }
    let html = "<p>a<script src=x /><p>b<script>if (x<p) y('<p>c');</script><p>d";
    assert_eq!(texts(html), ["a", "b", "d"]);
}

#[test]
fn plain_text_has_paragraphs_or_lines() {
    let limits = Limits::default();
    let texts = |text: &str| plain_text(text, &limits).blocks.into_iter().map(|b| b.text).collect::<Vec<_>>();
    assert_eq!(texts("a\nb\n\n  c  d\n \t\ne"), ["a b", "c d", "e"]);
    assert_eq!(texts("a\nb\r\nc\n"), ["a", "b", "c"]);
    assert_eq!(texts("\n\n a <b> &amp; \n"), ["a <b> &amp;"]);
    assert_eq!(texts(""), Vec::<String>::new());
    assert_eq!(plain_text("é b", &limits).blocks[0].characters, 3);
    assert_eq!(wet_text("a\n\nb\nc", &limits).blocks.len(), 3);
}

#[test]
fn lists_items_tables_and_quotations_have_numbers() {
    let html = "<p>z<ul><li><p>a<p>b<li>c<ul><li>d</ul>e</ul><dl><dt><p>f<dd>g</dl>\
        <table><tr><td>h<table><tr><td>i</table>j</table>k";
    let blocks = page(html, &Options::default()).blocks;
    let numbers: Vec<_> = blocks.iter().map(|b| format!("{} {} {} {}", b.text, b.list, b.item, b.table)).collect();
    let lists = ["z 0 0 0", "a 1 2 0", "b 1 2 0", "c 1 3 0", "d 4 5 0", "e 1 3 0", "f 6 7 0", "g 6 8 0"];
    assert_eq!(numbers, [&lists[..], &["h 0 0 9", "i 0 0 10", "j 0 0 9", "k 0 0 0"]].concat());
    let html = "<blockquote>a<ul><li>b<blockquote>c</blockquote></ul>d</blockquote>e<blockquote class=postcontent>f";
    let numbers: Vec<_> =
        page(html, &Options::default()).blocks.iter().map(|b| format!("{}{}{}", b.text, b.quote, b.list)).collect();
    assert_eq!(numbers, ["a10", "b12", "c42", "d10", "e00", "f00"]);
}

#[test]
fn definition_lists_are_lists_but_not_to_the_cleaner() {
    let html = "<dl><dt>a<dd>b<ul><li>c</ul><dl><dt><p>d</dl>e</dl>f";
    let blocks = page(html, &Options::default()).blocks;
    let depths: Vec<_> = blocks.iter().map(|b| (b.text.as_str(), b.list_depth, b.all_lists)).collect();
    assert_eq!(depths, [("a", 0, 1), ("b", 0, 1), ("c", 1, 2), ("d", 0, 2), ("e", 0, 1), ("f", 0, 0)]);
}

fn texts_of(page: &Page<'_>) -> Vec<String> {
    page.blocks.iter().map(|block| block.text.clone()).collect()
}

/// Markup that is wrong in every way the rules speak of.
pub(super) fn markup() -> impl Strategy<Value = String> {
    let names = prop::sample::select(vec![
        "p",
        "div",
        "a href=x",
        "b",
        "li",
        "ul",
        "td",
        "tr",
        "table",
        "h1",
        "script",
        "style",
        "title",
        "iframe",
        "noscript",
        "select",
        "option",
        "svg",
        "br",
        "x-y",
        "html",
        "head",
        "body",
        "dd",
        "dl",
        "template",
        "textarea",
        "plaintext",
    ]);
    let piece = prop_oneof![
        names.clone().prop_map(|name| format!("<{name}>")),
        names.clone().prop_map(|name| format!("</{}>", name.split(' ').next().unwrap_or_default())),
        names.prop_map(|name| format!("<{name} />")),
        prop::sample::select(vec![
            "<!--",
            "-->",
            "<",
            ">",
            "&amp",
            "&#1",
            "\0",
            "<![CDATA[",
            "é",
            "'",
            "\"",
            "a",
            "b c"
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn blocks_are_sound(html in markup(), reference in any::<bool>()) {
        let options = if reference { Options::reference() } else { Options::default() };
        let page = page(&html, &options);
        for block in &page.blocks {
            prop_assert!(!block.text.is_empty() && block.text.trim_matches(is_space) == block.text);
            prop_assert_eq!(block.characters as usize, block.text.chars().count());
            prop_assert!((block.container as usize) < page.containers.len());
            if !reference {
                prop_assert!(block.link_characters <= block.characters);
                prop_assert!(!block.text.contains("  "));
                prop_assert!(!block.heading || !block.text.contains('\n'));
                prop_assert!(block.text.split('\n').all(|line| !line.is_empty() && line.trim_matches(is_space) == line));
            }
        }
        for (at, container) in page.containers.iter().enumerate() {
            prop_assert!(container.parent.map_or(at == 0, |parent| (parent as usize) < at));
        }
    }
}
