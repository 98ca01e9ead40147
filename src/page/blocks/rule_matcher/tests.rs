use proptest::prelude::*;

use super::super::tests::markup;
use super::super::{Options, Page, page, page_with_rule};
use super::*;
use crate::limits::Limits;
use crate::page::rules::SiteRules;

/// A rule for the time of a test run, so that pages can borrow from it.
fn rule(keys: &str) -> &'static Rule {
    let rules = SiteRules::parse("r", &format!("[[rule]]\nhost = \"a.example\"\n{keys}")).unwrap();
    Box::leak(Box::new(rules)).iter().next().unwrap()
}

fn by<'a>(keys: &str, html: &'a str) -> Page<'a> {
    page_with_rule(html, &Options::default(), Some(rule(keys)))
}

fn shown(page: &Page<'_>) -> String {
    let sign = |mark| match mark {
        RuleMatch::None => '.',
        RuleMatch::Content => '+',
        RuleMatch::Drop => '-',
    };
    page.blocks.iter().map(|block| format!("{}{}", sign(block.rule_match), block.text)).collect::<Vec<_>>().join(" ")
}

const BOTH: &str = "content = [\".c\"]\ndrop = [\".d\"]";

fn marks(html: &str) -> String {
    shown(&by(BOTH, html))
}

fn values(keys: &str, html: &str) -> Vec<String> {
    by(&format!("[rule.metadata]\n{keys}"), html).rule_findings.values.into_iter().map(|(_, value)| value).collect()
}

#[test]
fn the_innermost_mark_decides() {
    assert_eq!(marks("a<div class=c>b<div class=d>c<p class=c>d</p>e</div>f</div>g"), ".a +b -c +d -e +f .g");
    assert_eq!(marks("<div class='c d'>a</div>"), "-a", "drop wins on one element");
    assert_eq!(marks("<article class=c><section><ul><li>a</ul></section></article>"), "+a");
}

#[test]
fn marks_end_where_elements_end() {
    assert_eq!(marks("<p class=c>a<p>b"), "+a .b");
    assert_eq!(marks("<ul><li class=c>a<li>b<li class=d>c</ul>d"), "+a .b -c .d");
    assert_eq!(marks("<table><tr><td class=d>a<td>b<tr><td>c</table>"), "-a .b .c");
    assert_eq!(marks("<div class=c>a<p>b</div>c"), "+a +b .c");
    assert_eq!(marks("<div class=c>a"), "+a");
    assert_eq!(marks("<div class=c>a</span>b</div>"), "+ab", "an end tag without an element ends nothing");
    assert_eq!(marks("<b class=c>a<div>b<svg></b></svg>c</div>"), "+a +b .c");
}

#[test]
fn marked_inline_elements_are_blocks_of_their_own() {
    assert_eq!(marks("<p>a <span class=d>b</span> c"), ".a -b .c");
    assert_eq!(marks("<p>a <x-y class=d>b</x-y> c <i>d</i>"), ".a -b .c d");
    assert_eq!(marks("<p class=c>a <span class=c>b</span> c"), "+a b c", "nothing changes, nothing ends");
    assert_eq!(marks("<p>a<object class=d>b</object>c"), ".a -b .c");
    let page = by(BOTH, "<p>ab <a class=d href=x>cd ef</a> gh");
    let links: Vec<u32> = page.blocks.iter().map(|block| block.link_characters).collect();
    assert_eq!(links, [0, 5, 0]);
}

#[test]
fn the_reference_reading_keeps_its_blocks() {
    let html = "<p>a <span class=d>b</span> c<p class=c>d";
    let page = page_with_rule(html, &Options::reference(), Some(rule(BOTH)));
    assert_eq!(shown(&page), ".a b c +d");
}

#[test]
fn a_match_counts_only_where_text_can_stand() {
    let matched = |html: &str| by(BOTH, html).rule_findings.matched;
    assert_eq!(matched("<p class=c>a"), [true, false]);
    assert_eq!(matched("<p class=d>a"), [false, true]);
    assert_eq!(matched("<div class=c />a<svg class=c></svg><head class=c>"), [false, false]);
    assert_eq!(matched("<template><p class=c>a</template><video><p class=c>b</video>c"), [false, false]);
    assert_eq!(matched("<button class=c>a</button><button class=d>"), [false, true]);
    assert_eq!(page("<p class=c>a", &Options::default()).rule_findings, RuleFindings::default());
    let body = by("content = \"body\"", "<html><body class=x><p>a</body><body>b");
    assert_eq!(shown(&body), "+ab");
}

#[test]
fn selectors_of_every_kind_match() {
    let html = "<DIV ID=n CLASS='x Body'><p>1<em data-k='v w'>2</em></p><p title='q@r'>3</p></DIV>";
    for (css, expected) in [
        ("#n > p", "+12 +3"),
        ("div.Body p:nth-child(2)", ".12 +3"),
        ("P:first-of-type", "+12 .3"),
        ("em[data-k~=w], p[title='q@r']", ".1 +2 +3"),
        ("p:not([title])", "+12 .3"),
        ("*|em", ".1 +2 .3"),
    ] {
        assert_eq!(shown(&by(&format!("content = \"{css}\""), html)), expected, "{css}");
    }
}

/// More selectors than fit the words in which the parser keeps what matched.
#[test]
fn any_number_of_selectors_matches() {
    let list: Vec<String> = (0..150).map(|n| format!("\".k{n}\"")).collect();
    let keys = format!("content = [{}]", list.join(", "));
    for n in [0, 31, 32, 63, 64, 65, 96, 127, 128, 149] {
        let html = format!("<p class=k{n}>a<p>b");
        let page = by(&keys, &html);
        assert_eq!(shown(&page), "+a .b", "{n}");
        assert!(page.rule_findings.matched.iter().enumerate().all(|(at, &matched)| matched == (at == n)), "{n}");
    }
}

#[test]
fn values_are_text_or_attributes() {
    let html = "<head><title> A &amp;\n B</title><meta name=d content=' 1  2&quot;'></head>
        <h1>x<br>y <b>z</b><script>s</script><select><option>o</select></h1><p class=e> <p class=e>one<p class=e>two";
    assert_eq!(values("title = \"title\"", html), ["A & B"]);
    assert_eq!(values("date = \"meta[name=d]@content\"", html), ["1 2\""]);
    assert_eq!(values("date = \"meta[name=d]\"", html), Vec::<String>::new());
    let escaped = "<p class='e' title='a &amp;amp; b'>c &amp;amp; d</p><meta content='e &amp;amp; f'>";
    let selectors = "author = [\"p\", \"p@title\", \"meta@content\"]";
    assert_eq!(values(selectors, escaped), ["c &amp; d", "a &amp; b", "e & f"]);
    assert_eq!(values("title = [\".none\", \"h1\"]", html), ["x y z"]);
    assert_eq!(values("title = \".e\"", html), ["one"], "the first that is not empty");
    assert_eq!(values("author = \".e\"", html), ["one", "two"]);
    assert_eq!(values("title = [\".e\", \"title\"]", html), ["one", "A & B"], "in the order of the selectors");
    let page = by("[rule.metadata]\ntitle = [\".none\", \".e\", \"meta@none\"]", html);
    assert_eq!(page.rule_findings.matched, [false, true, false]);
}

#[test]
fn values_are_whole_elements() {
    assert_eq!(values("author = \"div\"", "<div>a<div>b</div><p>c<ul><li>d</ul></div>e"), ["a b c d", "b"]);
    assert_eq!(values("author = \"li\"", "<ul><li>a<li>b</ul>c"), ["a", "b"]);
    assert_eq!(values("title = \"p\"", "<p>a<noscript>b</noscript>c"), ["abc"]);
    assert_eq!(values("title = \"p\"", "<p>open"), ["open"]);
    let long = values("title = \"p\"", &format!("<p>{}", "é ".repeat(5000)));
    assert_eq!(long[0].chars().count(), MAX_VALUE - 1, "without the last blank");
    assert_eq!(values("author = \"b\"", &"<b>x</b>".repeat(1000)).len(), MAX_VALUES);
}

#[test]
fn a_rule_that_cannot_be_applied_is_lost() {
    let html = "<div class=c>a <span class=d>b</span></div>";
    let options = Options { limits: Limits { rule_memory: 0, ..Limits::default() }, ..Options::default() };
    let read = page_with_rule(html, &options, Some(rule(BOTH)));
    assert_eq!(read, Page { rule_not_applied: true, ..page(html, &options) });
    let empty = page_with_rule(html, &options, Some(rule("")));
    assert_eq!(empty, page(html, &options), "nothing to lose");
}

/// Elements in elements whose words say what they should be: `+` content, `-` boilerplate, `.` neither.
fn tree() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree::Text);
    leaf.prop_recursive(4, 40, 5, |inner| {
        let name = prop::sample::select(vec!["div", "span", "b", "article", "x-y", "em", "section"]);
        let class = prop::sample::select(vec!["", "c", "d", "c d"]);
        (name, class, prop::collection::vec(inner, 0..5))
            .prop_map(|(name, class, inside)| Tree::Of(name, class, inside))
    })
}

#[derive(Debug, Clone)]
enum Tree {
    Text,
    Of(&'static str, &'static str, Vec<Tree>),
}

fn written(tree: &Tree, around: &'static str) -> String {
    match tree {
        Tree::Text => format!("w{around} "),
        Tree::Of(name, class, inside) => {
            let mark = match *class {
                "" => around,
                "c" => "+",
                _ => "-",
            };
            let inside: String = inside.iter().map(|tree| written(tree, mark)).collect();
            format!("<{name} class='{class}'>{inside}</{name}>")
        }
    }
}

/// Markup without the two things that the tokenisers read differently: `/>`, which closes every element with ours,
/// and HTML that stands in SVG or MathML and would end them.
fn alike(html: &str) -> String {
    html.replace("/>", ">").replace("svg", "s-g").replace("math", "m-th")
}

proptest! {
    #[test]
    fn both_tokenisers_read_the_same_page(html in markup(), reference in any::<bool>()) {
        let options = if reference { Options::reference() } else { Options::default() };
        let html = alike(&html);
        let keys = "content = [\"article .never\"]\ndrop = \"#never\"\nmetadata.title = \"never@never\"";
        let mut read = page_with_rule(&html, &options, Some(rule(keys)));
        prop_assert!(read.rule_findings.values.is_empty() && !read.rule_findings.matched.contains(&true));
        read.rule_findings = Default::default();
        prop_assert_eq!(read, page(&html, &options));
    }

    #[test]
    fn any_markup_keeps_its_text(html in markup(), css in prop::sample::select(vec!["*", "p", "div a", "b, li"])) {
        let html = alike(&html);
        let squeezed = |page: &Page| page.blocks.iter().map(|b| b.text.replace([' ', '\n'], "")).collect::<String>();
        let keys = format!("content = \"{css}\"\ndrop = \"h1, td\"\nmetadata.author = \"{css}\"");
        let read = by(&keys, &html);
        prop_assert_eq!(squeezed(&read), squeezed(&page(&html, &Options::default())));
        for (_, value) in &read.rule_findings.values {
            prop_assert!(!value.is_empty() && value.chars().count() <= MAX_VALUE);
        }
    }

    #[test]
    fn no_block_holds_text_of_two_marks(trees in prop::collection::vec(tree(), 0..6)) {
        let html: String = trees.iter().map(|tree| written(tree, ".")).collect();
        let read = by(BOTH, &html);
        for block in &read.blocks {
            let expected = match block.rule_match {
                RuleMatch::None => "w.",
                RuleMatch::Content => "w+",
                RuleMatch::Drop => "w-",
            };
            prop_assert!(block.text.split(' ').all(|word| word == expected), "{}: {}", html, shown(&read));
        }
        let words: usize = read.blocks.iter().map(|block| block.text.split(' ').count()).sum();
        prop_assert_eq!(words, html.matches('w').count());
    }
}

#[test]
fn a_page_with_a_rule_ends_where_one_without_does() {
    let limits = Limits { text_bytes: 10, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let html = "<p>long enough to be cut<p>more</p><title>Late</title><meta name=author content=Late>";
    let with = page_with_rule(html, &options, Some(rule(BOTH)));
    let without = page(html, &options);
    assert!(without.cuts.ends_page());
    assert_eq!(without.head, with.head);
}
