//! Pages that are too long, too deep or made to take long.

use super::*;
use crate::page::blocks::attributes::READINGS;

#[test]
fn a_long_title_is_cut_at_a_character() {
    let title = |text: &str| page(&format!("<title>{text}</title><p>x"), &Options::default()).head.title.len();
    assert_eq!(title(&"é".repeat(6_000)), 10_000);
    assert_eq!(title(&format!("x{}", "é".repeat(6_000))), 9_999);
}

#[test]
fn the_head_is_bounded() {
    let many = |piece: &str, n: usize| page(&piece.repeat(n), &Options::default()).head;
    assert_eq!(many("<meta name=a content=b>", 600).meta.len(), 500);
    assert_eq!(many("<link rel=a href=b>", 300).links.len(), 200);
    assert_eq!(many("<h1>a</h1>", 300).candidates.len(), 200);
    assert_eq!(many("<p>2014", 300).lines.len(), 200);
    assert_eq!(many("<p class=date>aaaaaaaaaa", 300).candidates.len(), 200);
    assert!(many(&format!("<p class=date>{}", "a ".repeat(500)), 3).candidates.is_empty());
    let half = format!("<script type=application/ld+json>{}</script>", "x".repeat(600_000));
    assert_eq!(many(&half, 3).json_ld.len(), 1);
}

#[test]
fn the_reference_stops_at_256_open_elements() {
    let nested = |n: usize| format!("<html><body>{}deep{}<p>after", "<div>".repeat(n), "</div>".repeat(n));
    assert_eq!(reference(&nested(254)), ["deep", "after"]);
    assert_eq!(reference(&nested(255)), Vec::<String>::new());
    assert_eq!(texts(&nested(255)), ["deep", "after"]);
}

#[test]
fn hostile_pages_end_soon() {
    let many = 200_000;
    for html in [
        "<div>".repeat(many),
        "<b><i>".repeat(many),
        "<a href=x>".repeat(many),
        "<p></b></i></a></x-y>".repeat(many / 4),
        "<x-a><x-b></x-c>".repeat(many / 4),
        "<li><dd><td>".repeat(many / 4),
        "<table><tr><td>".repeat(many / 4),
        "<select><option>".repeat(many / 4),
        "<noscript><iframe>".repeat(many / 4),
        "<svg><title>".repeat(many / 4),
        "<iframe>&lt;iframe>".repeat(many / 4),
        "<!--".repeat(many),
        "<".repeat(many),
        "<b>A.</b>".repeat(many / 4),
        "</".repeat(many),
        "<script><!--<script>".repeat(many / 4),
        "&".repeat(many),
        format!("<plaintext>{}", "<p>a".repeat(many / 4)),
        format!("<p {}>a", "x='y' ".repeat(many)),
        format!("<p x='{}'>a", "y".repeat(1 << 20)),
        format!("<p x='{}", "y".repeat(1 << 20)),
        format!("<{}>a</{}>", "x".repeat(1 << 20), "x".repeat(1 << 20)),
        " \n".repeat(many),
    ] {
        page(&html, &Options::default());
        page(&html, &Options::reference());
    }
}

#[test]
fn the_tag_of_a_link_is_read_once_for_all_its_text() {
    let readings = |html: &str| {
        READINGS.take();
        page(html, &Options::default());
        READINGS.take()
    };
    let pieces = |number: usize| readings(&format!("<p><a class=x href='#a'>{}</a>", "#<b></b>".repeat(number)));
    assert_eq!([pieces(1), pieces(1000)], [4, 4]);
    // Also where other links stand between the pieces of its text.
    let links = |number: usize| readings(&format!("<p><a class=x><object>{}", "#<a>#</a>".repeat(number)));
    assert_eq!([links(1), links(1000)], [8, 4 + 4 * 1000]);
}

fn limited(html: &str, limits: Limits) -> Page<'_> {
    page(html, &Options { limits, ..Options::default() })
}

#[test]
fn a_page_ends_behind_its_last_permitted_block() {
    let limits = Limits { blocks: 2, ..Limits::default() };
    let two = limited("<p>a<p>b", limits);
    assert_eq!((texts_of(&two), two.cuts), (vec!["a".into(), "b".into()], Cuts::default()));
    for three in [limited("<p>a<p>b<p>c<p>d", limits), plain_text("a\nb\nc\nd", &limits)] {
        assert_eq!((three.blocks.len(), three.cuts), (2, Cuts { blocks: true, ..Cuts::default() }));
    }
}

#[test]
fn a_page_ends_before_the_block_that_exceeds_its_text() {
    let limits = Limits { text_bytes: 6, ..Limits::default() };
    let two = limited("<p>abc<p>def", limits);
    assert_eq!((texts_of(&two), two.cuts), (vec!["abc".into(), "def".into()], Cuts::default()));
    for cut in [limited("<p>abc<p>def<p>g<p>h", limits), plain_text("abc\ndefg\nh\ni", &limits)] {
        assert_eq!(texts_of(&cut).first().map(String::as_str), Some("abc"));
        assert_eq!(cut.cuts, Cuts { text_bytes: true, ..Cuts::default() });
        assert!(cut.blocks.len() <= 2);
    }
}

#[test]
fn containers_beyond_the_limit_count_as_those_around_them() {
    let page = limited("<div><p>a</p></div><div><p>b</p></div>", Limits { containers: 2, ..Limits::default() });
    assert_eq!((page.blocks.len(), page.containers.len()), (2, 2));
    assert_eq!(page.cuts, Cuts { containers: true, ..Cuts::default() });
    assert!(page.blocks.iter().all(|block| (block.container as usize) < 2));
}

#[test]
fn a_long_block_is_divided_between_words_and_loses_nothing() {
    let limits = Limits { block_bytes: 64, ..Limits::default() };
    let text: String = (0..100).map(|i| format!("w{i} ")).collect();
    let plain = text.trim_end().to_string();
    let inline: String = plain.split(' ').map(|word| format!("<b>{word}</b> ")).collect();
    for page in [limited(&plain, limits), limited(&inline, limits), plain_text(&plain, &limits)] {
        assert_eq!(texts_of(&page).join(" "), plain);
        assert!(page.blocks.len() > 5 && page.blocks.iter().all(|block| block.text.len() <= 64));
        assert_eq!(page.cuts, Cuts { block_bytes: true, ..Cuts::default() });
    }
    let lines = plain_text(&format!("{}\n{}\n\nc", "a".repeat(31), "b".repeat(33)), &limits);
    assert_eq!(lines.blocks.iter().map(|block| block.text.len()).collect::<Vec<_>>(), [31, 33, 1]);
    let references = "&amp;".repeat(100);
    assert_eq!(texts_of(&limited(&references, limits)).concat(), "&".repeat(100));
    let blanks = format!("<pre>a{}b</pre>", " ".repeat(1000));
    assert!(limited(&blanks, limits).blocks.iter().all(|block| block.text.len() <= 64));
}
