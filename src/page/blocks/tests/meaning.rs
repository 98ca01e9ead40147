//! What markup means to a reader: headings, quotations, numbers of items, parts that are not shown.

use super::*;

fn blocks(html: &str) -> Vec<Block> {
    page(html, &Options::default()).blocks
}

fn one(html: &str) -> Block {
    blocks(html).swap_remove(0)
}

#[test]
fn items_of_ordered_lists_have_numbers() {
    let numbers = |html: &str| -> Vec<u32> { blocks(html).iter().map(|block| block.item_number).collect() };
    assert_eq!(numbers("<ol><li>a<li>b<p>c</p></ol><ul><li>d</ul><p>e"), [1, 2, 2, 0, 0]);
    assert_eq!(numbers("<ol start='5th'><li>a<li value='8.'>b<li>c</ol><ol start=0><li>d<li>e</ol>"), [5, 8, 9, 0, 1]);
    assert_eq!(
        numbers("<ol start=3><li>a<ul><li>b<ol><li>c</ol></ul><li>d<li value=9>e<li>f</ol>"),
        [3, 0, 1, 4, 9, 10]
    );
    assert_eq!(numbers("<ol reversed><li>a<li>b</ol><ol start=-1><li>a</ol><li>b"), [0, 0, 0, 0]);
    assert_eq!(numbers("<ol start=4294967295><li>a<li>b</ol><ol start=99999999999999999999><li>c"), [u32::MAX, 0, 1]);
}

#[test]
fn roles_and_classes_give_elements_their_meaning() {
    let heading = one("<div role=heading aria-level=3>Tides</div>");
    assert_eq!((heading.kind, heading.heading), (BlockKind::H3, true));
    assert_eq!(one("<p role=heading aria-level=9>Tides").kind, BlockKind::H6);
    assert_eq!(one("<div role=heading>Tides").kind, BlockKind::H2);
    assert!(!one("<div role=main>Tides").heading);
    assert!(!one("<div role=heading><p>A comment of some length.</div>").heading);
    let post = one("<blockquote class='postcontent restore'>I do not know.</blockquote>");
    assert_eq!((post.kind, post.quoted), (BlockKind::Other, false));
    let quote = blocks("<table><tr><td class=quote>They know.<tr><td class=post>I do not.</table><blockquote>We do.");
    assert_eq!(quote.iter().map(|block| block.quoted).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn what_is_not_shown_is_no_text() {
    let edit = "<span class='mw-editsection'>[<a href='/e'>edit</a>]</span>";
    assert_eq!(texts(&format!("<div><h2>History</h2>{edit}</div>")), ["History"]);
    assert_eq!(texts("<h2>Ships<span class='mw-editsection noprint'>[edit]</span></h2>"), ["Ships"]);
    assert_eq!(texts("<h2><span class=editsection>[<a href='/e'>edit</a>]</span> History</h2>"), ["History"]);
    assert_eq!(texts("<table><tr><td class='linenos'><pre>1\n2</pre><td><pre>a\nb</pre></table>"), ["a\nb"]);
    assert_eq!(texts("<table><tr><td class='rouge-gutter gl'><pre>1\n2</pre><td><pre>a\nb</pre></table>"), ["a\nb"]);
    for class in ["lnt", "linenos", "lineno"] {
        assert_eq!(
            texts(&format!("<pre><code><span class={class}>1 </span>a\n<span class={class}>2 </span>b</code></pre>")),
            ["a\nb"]
        );
    }
    assert_eq!(texts("<p>Page <span class=lineno>12</span>"), ["Page 12"]);
    let cloak = "<p>Write to <span id=cloak12345>This email address is being protected from spambots.</span> <i id=cloak1>us</i>";
    assert_eq!(texts(cloak), ["Write to us"]);
    assert_eq!(texts("<div class=line><span class=lineno>1</span>&#160;Heron h;</div>"), ["Heron h;"]);
    let hidden = |html: &str| one(html).hidden;
    assert!(hidden("<dialog>Subscribe!</dialog>") && !hidden("<dialog open>Subscribe!</dialog>"));
    let formula = "<p>where <span class='mwe-math-mathml-inline' style='display:none'><math><mi>v</mi><annotation-xml>\
                   <ci>v</ci></annotation-xml></math></span> is the speed";
    assert_eq!(texts(formula), ["where v is the speed"]);
}

#[test]
fn styles_make_lines() {
    for (html, want) in [
        ("<p>Archive photo<cite style='display:block'>The Paper</cite></p>", vec!["Archive photo\nThe Paper"]),
        ("<div>Name<span style='display: block'>Street</span>Town</div>", vec!["Name\nStreet\nTown"]),
        ("<p>Mars<br><span style=display:block>Credit: NASA</span></p>", vec!["Mars\nCredit: NASA"]),
        ("<p>half<b style='display:inline-block'>way</b></p>", vec!["halfway"]),
        (
            "<pre><code><span style='display:flex'><span>a: 1\n</span></span><span style='display:flex'>  b: 2\n</span></code>",
            vec!["a: 1\n  b: 2"],
        ),
        ("<p><b style='display:block;float:left'>O</b>nce upon a time", vec!["Once upon a time"]),
    ] {
        assert_eq!(texts(html), want, "{html}");
    }
    assert_eq!(reference("<p>a<span style=display:block>b</span>"), ["ab"]);
}

#[test]
fn an_input_ends_a_select_and_noembed_is_not_shown() {
    assert_eq!(texts("<select><option>x<input>rest"), ["rest"]);
    assert_eq!(texts("<p>x<noembed>not shown</noembed>y</p>"), ["xy"]);
    assert_eq!(texts("<object><noembed><table><tr><td>x</noembed></object><p>rest"), ["rest"]);
}

#[test]
fn questions_in_buttons_belong_to_their_answers() {
    let faq = "<button aria-expanded=false>How long does it take?</button><div>Two days.</div>";
    assert_eq!(texts(faq), ["How long does it take?", "Two days."]);
    assert_eq!(texts("<p>One <button aria-controls=a>Why?</button> two"), ["One two"]);
    assert_eq!(texts("<p><button aria-expanded>Menu</button> One<p><button>Why?</button> two"), ["One", "two"]);
    assert_eq!(texts("<template><button aria-expanded>Why?</button></template><p>One<p>two"), ["One", "two"]);
    for attributes in
        ["class=accordion__trigger", "class='btn faq-q'", "data-toggle=collapse", "data-bs-toggle=collapse"]
    {
        let faq = format!("<button {attributes}>Why?</button><p>Rain.<p><button {attributes}>More</button>");
        assert_eq!(texts(&faq), ["Why?", "Rain."], "{attributes}");
    }
}

#[test]
fn names_of_icons_are_no_text() {
    let icons = "<p><i class=material-icons>check_circle</i>Safe <span class='material-symbols-outlined'>home</span>";
    assert_eq!(texts(icons), ["Safe"]);
    assert_eq!(texts("<p><span class=has-material-icons>One</span> two"), ["One two"]);
}

#[test]
fn what_is_written_for_listeners_and_for_others_stands_once() {
    for (html, text) in [
        ("10<span class=sr-only> minutes</span> <span aria-hidden=true>mins</span>", "10 minutes"),
        ("<span class=sr-only>Price</span> <span aria-hidden=true>€12.50</span> each", "Price €12.50 each"),
        (
            "<i aria-hidden=true></i><span class=sr-only>Heron</span> and <span class=sr-only>pike</span>",
            "Heron and pike",
        ),
    ] {
        assert_eq!(texts(&format!("<p>{html}</p>")), [text], "{html}");
    }
}

#[test]
fn a_quotation_begins_with_the_line_of_its_speaker() {
    let quotation = "<blockquote><div><cite>Arny wrote:</cite>Do you think so?</div></blockquote>";
    assert_eq!(texts(quotation), ["Arny wrote:\nDo you think so?"]);
    assert_eq!(texts("<blockquote><cite>The Times</cite>, a newspaper</blockquote>"), ["The Times, a newspaper"]);
    let title = "<blockquote>In <cite>Dune: Part 2</cite> Paul says</blockquote><blockquote><cite>Dune: Part 2</cite> Paul says</blockquote>";
    assert_eq!(texts(title), ["In Dune: Part 2 Paul says", "Dune: Part 2 Paul says"]);
    assert_eq!(
        texts("<blockquote>So it is (<cite>Doe</cite>)</blockquote><p><cite>Nature</cite>’s"),
        ["So it is (Doe)", "Nature’s"]
    );
}

#[test]
fn labels_and_sentences_are_parted_from_what_follows() {
    for (html, want) in [
        ("<p><strong>John Smith:</strong>What did you see?", "John Smith: What did you see?"),
        ("<p><span>Date:</span><span>November 2</span>", "Date: November 2"),
        ("<p><b>It rains.</b>Take a coat.", "It rains. Take a coat."),
        ("<p>Why?<i>Because</i> of it", "Why? Because of it"),
        ("<p><b>Start:</b>20:00 <b>Price:</b><span>€12</span>", "Start: 20:00 Price: €12"),
        ("<p><b>doi:</b>10.1000 localhost:<b>8080</b>", "doi:10.1000 localhost:8080"),
        ("<p><b>json.</b>JSONDecoder and <b>Host:</b>%s", "json.JSONDecoder and Host:%s"),
        ("<p><code><b>std.</b>Vec</code> <b>note:</b>the", "std.Vec note:the"),
        ("<h1><span>Category:</span><span>Programming</span></h1>", "Category:Programming"),
        ("<p><b>Vitamin C.</b>It", "Vitamin C.It"),
        ("<p>java.util.<a href=x>List</a> wiki/Talk:<wbr>Main_Page", "java.util.List wiki/Talk:Main_Page"),
    ] {
        assert_eq!(texts(html), [want], "{html}");
    }
}

#[test]
fn elements_side_by_side_are_no_word() {
    assert_eq!(texts("<a href=/a>UX Design</a><a href=/b>UI Design</a>"), ["UX Design UI Design"]);
    assert_eq!(texts("<time>May 1</time><time>May 2</time>"), ["May 1 May 2"]);
    assert_eq!(texts("<p>the <del>mayor</del><ins>council</ins> met"), ["the mayor council met"]);
    assert_eq!(texts("<div><label>SM</label><label>XL</label></div>"), ["SM XL"]);
    let address =
        "<p><span>5 March 2019</span><a>https://doi.org/10.1</a> a/2019<b>http://x.org</b> see<a>www.y.org</a>";
    assert_eq!(texts(address), ["5 March 2019 https://doi.org/10.1 a/2019http://x.org see www.y.org"]);
    assert_eq!(texts("<del>14.97</del><ins>12.97</ins>"), ["14.97 12.97"]);
    assert_eq!(texts("<span>14.97</span><span>Current price</span>"), ["14.97 Current price"]);
    assert_eq!(texts("<span>$14.97.</span><ins>$12.97</ins>"), ["$14.97. $12.97"]);
    assert_eq!(texts("<a href=/a>About NRC</a><a href=/b>Contact</a>"), ["About NRC Contact"]);
    for (html, want) in [
        ("<span class=l>Regular price</span><span>Last one</span>", "Regular price Last one"),
        ("<p><b class=t>Industry Competency</b>Our experts", "Industry Competency Our experts"),
        ("<p><b>Data</b>Feed and <b>the iPod</b>Touch", "DataFeed and the iPodTouch"),
        ("<h2><span class=a>The Data</span><span>Feed</span></h2>", "The DataFeed"),
        ("<p>In <span class=a>Data</span><span class=b>Feed</span>", "In DataFeed"),
        ("<p>So <em class=hit>the Java</em><em class=hit>Script</em>", "So the JavaScript"),
        ("<p>In Open<a id=p5></a><i>Office</i>", "In OpenOffice"),
        ("<code><span class=k>get</span><span class=n>Name</span></code>", "getName"),
        ("<p><i class=a>i</i><b>Phone</b> <span class=a>Mc</span><span>Donald</span>", "iPhone McDonald"),
        ("<a href=/a>tide</a><a href=/a>Table</a>", "tideTable"),
        ("<a href=/a>re</a><a href=/b>turn</a><a href=/c>.</a>", "return."),
        ("<b>Print</b><b>Runner</b>", "PrintRunner"),
        ("<a href=/a>M</a><a href=/b>Cdonald</a>", "MCdonald"),
        ("<b>1</b><b>984</b><span>3</span><span>D</span>", "19843D"),
        ("C<sub>6</sub><span>H</span><sub>12</sub><span>Ox</span>", "C6H12Ox"),
        ("<b>O</b><span>nce</span>", "Once"),
        ("<a href=/a>Tides</a><sup><a href='#n1'>[1]</a></sup>", "Tides[1]"),
        ("<a href=/a>北京</a><a href=/b>大学</a>", "北京大学"),
    ] {
        assert_eq!(texts(html), [want], "{html}");
    }
}

#[test]
fn smileys_are_text() {
    for (html, want) in [
        ("<p>I am glad <img class=smilie alt='😳'>, said he", "I am glad 😳, said he"),
        ("<p>So<img src=/smilies/w.gif alt=';)'> it is", "So ;) it is"),
        ("<p>The boat <img src=boat.jpg alt='A boat at sea'> at sea", "The boat at sea"),
        ("<p>Hello <span style='display:none'>x<img alt='😳'></span> there <img hidden alt='😳'>", "Hello there"),
        ("<p>So <img class=lazy alt='😳'><noscript><img alt='😳'></noscript> it is", "So 😳 it is"),
    ] {
        assert_eq!(texts(html), [want], "{html}");
    }
}

#[test]
fn lines_of_code_are_parted() {
    for (html, want) in [
        (
            "<pre><code><span class=line>import a</span><span class=line>import b</span></code></pre>",
            "import a\nimport b",
        ),
        (
            "<pre><code><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></code></pre>",
            "a\n\nb",
        ),
        ("<pre><code><span class='inline b'>a</span><span class='inline c'>b</span></code></pre>", "ab"),
        ("<pre>foo <span class=line>bar</span> baz</pre>", "foo bar baz"),
    ] {
        assert_eq!(texts(html), [want], "{html}");
    }
}

#[test]
fn mails_are_paragraphs_and_code_is_not() {
    let mail = format!(
        "{}\n\n&gt; Will they begin?\n\nYes.",
        "They will not begin, because\nthe money is missing. ".repeat(6)
    );
    let mail = blocks(&format!("<pre>{mail}</pre>"));
    assert_eq!(mail.iter().map(|block| block.quoted).collect::<Vec<_>>(), [false, true, false]);
    assert!(mail.iter().all(|block| block.kind == BlockKind::P && !block.text.contains('\n')));
    let code = format!("<pre><code>{}</code></pre>", "They will not begin, because\nthe money is missing. ".repeat(6));
    assert_eq!((blocks(&code).len(), one(&code).kind), (1, BlockKind::Pre));
}

#[test]
fn a_text_with_the_line_ends_of_old_systems_has_lines() {
    let texts = |text: &str| -> Vec<String> {
        plain_text(text, &Limits::default()).blocks.into_iter().map(|block| block.text).collect()
    };
    assert_eq!(texts("One.\rTwo."), ["One.", "Two."]);
    assert_eq!(texts("One\rone.\r\rTwo."), ["One one.", "Two."]);
    // A server or archive ends the text in its own way.
    assert_eq!(texts("One.\rTwo.\n"), ["One.", "Two."]);
}

#[test]
fn text_for_listeners_behind_the_words_of_a_link_is_left_out() {
    for class in ["sr-only", "visually-hidden x", "screen-reader-text"] {
        let html =
            format!("<p>See <a href=x>the report<span class='{class}'> (opens in a new window)</span></a> of May.");
        assert_eq!(texts(&html), ["See the report of May."]);
    }
    for (html, want) in [
        ("<p><span class=sr-only>Share</span></p>", "Share"),
        ("<p>Rated <i class=stars></i><span class=sr-only>4.5 of 5</span> by 300", "Rated 4.5 of 5 by 300"),
        ("<p>See <a href=x><i></i><span class=sr-only>the report</span></a> of May.", "See the report of May."),
        ("<p>The <a href=x>one</a> and <a href=y><span class=sr-only>two</span></a>", "The one and two"),
        ("<p><a href=x>One <span class=sr-only-not>a</span></a>", "One a"),
    ] {
        assert_eq!(texts(html), [want], "{html}");
    }
}

#[test]
fn numbers_that_link_to_notes_stand_apart() {
    for (html, text) in [
        ("in 1963<sup><a href='#n2'>2</a></sup> it froze", "in 1963 2 it froze"),
        ("£1,200<a href='#fn7' role=doc-noteref><sup>7</sup></a>, £200", "£1,200 7, £200"),
        ("in 1963.<a class=footnote-anchor href='#footnote-1'>1</a> It", "in 1963. 1 It"),
        ("in 1963<a href='#_ftn1'>1</a> it", "in 1963 1 it"),
        ("see [<a href='#fn1'>1</a>]", "see [1]"),
        ("dollars.<span class=citation>5</span> A tool<span class=citation>3</span> of", "dollars. 5 A tool 3 of"),
        ("of <span class=citation>5</span> and H<span class=citation>2</span>", "of 5 and H2"),
        ("x<sup>2</sup> and 10<a href='/p'>6</a>", "x2 and 106"),
        ("marsh.<sup><a href='#fn2'>2</a>–<a href='#fn5'>5</a></sup> It", "marsh. 2–5 It"),
        (
            "birds.<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>\
             <span class=ltx_note_content><sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>We thank \
             them.</span></span></span> They",
            "birds. 1 We thank them. They",
        ),
        ("A note. <a href='#fnref1'>↩︎</a>", "A note."),
        ("Back <a href='/x'>↩</a>", "Back ↩"),
    ] {
        assert_eq!(texts(&format!("<p>{html}</p>")), [text], "{html}");
    }
}

#[test]
fn numbers_of_printed_pages_are_no_text() {
    let html = "<p>ap<span class=pagenum id=p4>[Pg 4]</span>parently <span role=doc-pagebreak>5</span>so\
                <a class=pageno id=p6>6</a>, <a class=pagenum id=p7>[Page xii]</a>it</p><p><a class=pagenum>All the text";
    assert_eq!(texts(html), ["apparently so6, it", "All the text"]);
    let others = "<p>opi<span class=star-pagination>*117</span>nion re<span class=pagenum><a id=p13>[13]</a></span>mains \
                  <span class=page-number>3</span>";
    assert_eq!(texts(others), ["opinion remains 3"]);
}

#[test]
fn names_in_capitals_are_parted_from_what_they_say() {
    for (html, text) in [
        ("<strong>MARLOW.</strong>Good day", "MARLOW. Good day"),
        ("<b>Q:</b>Who is it? <b>A:</b>Me", "Q: Who is it? A: Me"),
        ("<b>C:</b>Users", "C:Users"),
        ("<b>J.</b>Smith", "J.Smith"),
    ] {
        assert_eq!(texts(&format!("<p>{html}</p>")), [text], "{html}");
    }
    let quote = "<blockquote><div><cite>rover wrote: <a href='#'>↑</a></cite>without a second</div></blockquote>";
    assert_eq!(texts(quote), ["rover wrote: without a second"]);
    let dated = "<blockquote><cite>ann wrote: <a href='./t.php?p=1#p1'>↑</a><span>Sun Mar 03, 2019 9:00 pm</span></cite>Herons are back.\
                 </blockquote>";
    assert_eq!(texts(dated), ["ann wrote: Sun Mar 03, 2019 9:00 pm\nHerons are back."]);
}
