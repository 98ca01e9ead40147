//! What of the text of an element is text of its block, and how it is written.

use super::*;

#[test]
fn a_heading_has_the_text_of_its_button_and_no_signs_of_links() {
    assert_eq!(texts("<h2><button>When?</button></h2><p>Now.</p>"), ["When?", "Now."]);
    assert_eq!(texts("<h1>Struct Vec<button>Copy</button></h1>"), ["Struct Vec"]);
    assert_eq!(texts("<p><button>Share</button>Text"), ["Text"]);
    let inside = "<button><i>+</i><h3>How <b>long</b>?</h3> open</button><p>Two days.</p><button>Next</button>";
    assert_eq!(texts(inside), ["How long?", "Two days."]);
    assert_eq!(texts("<button><h3>When?<p>Now</button>It is."), ["When?", "Now", "It is."]);
    let definition =
        "<dt>batched(n)<a class='headerlink' href='#b'>¶</a></dt><dd>See<a class=anchor href='#c'>\u{f0c1}</a></dd>";
    assert_eq!(texts(definition), ["batched(n)", "See"]);
    for sign in ["¶", "&#182;", "#", "§"] {
        assert_eq!(texts(&format!("<h2>Use<a href='#use'>{sign}</a></h2><p><a href='#x'>{sign}</a>4</p>"))[0], "Use");
    }
    assert_eq!(texts("<h2><a href='/c'>Learn C#</a></h2><p>§ 4"), ["Learn C#", "§ 4"]);
    let edit = "<span class='mw-editsection'>[<a href='/e'>edit</a>]</span>";
    assert_eq!(texts(&format!("<h2>History{edit}</h2>")), ["History"]);
}

#[test]
fn lines_of_highlighted_code_are_lines() {
    let html = "<pre class=shiki><code><div class=line>fn f() {</div><div class=line>  g();</div><div><br></div>\
                <div class=line>}</div></code></pre><p>Text</p>";
    let blocks = page(html, &Options::default()).blocks;
    assert_eq!(blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>(), ["fn f() {\n  g();\n\n}", "Text"]);
    assert_eq!(blocks[0].kind, BlockKind::Pre);
    assert_eq!(texts("<pre><div>a</div><div>b</div></pre>"), ["a", "b"], "not known to be code");
    assert_eq!(texts("<pre><code>a<h2>b</h2><p>c</code></pre>"), ["a", "b", "c"]);
}

#[test]
fn line_ends_of_the_source_are_no_blanks_in_chinese_and_japanese() {
    assert_eq!(texts("<p>雪は、\n朝になって\n  やみ、木々は\r\n白く"), ["雪は、朝になってやみ、木々は白く"]);
    assert_eq!(texts("<p>雪は、<br>朝<br>やみ"), ["雪は、朝 やみ"], "a line that ends with a comma goes on");
    assert_eq!(texts("<p>雪 は 朝"), ["雪 は 朝"], "a blank was written");
    assert_eq!(texts("<p>东京\u{3000}\n大阪&nbsp;\n名古屋\n&#x3000;雪"), ["东京 大阪 名古屋 雪"]);
    assert_eq!(texts("<p>Ｔｏｗｅｒ\n１２\n３４"), ["Ｔｏｗｅｒ １２ ３４"]);
    assert_eq!(texts("<p>東京\nTokyo\n東京"), ["東京 Tokyo 東京"]);
    assert_eq!(texts("<p><a href=a>首页</a>\n<a href=b>新闻</a>"), ["首页 新闻"]);
    assert_eq!(texts("<p>눈은\n아침에"), ["눈은 아침에"]);
}

#[test]
fn signs_that_browsers_draw_are_text() {
    for (html, want) in [
        ("The report says <q>the boats are late</q>, said", "The report says “the boats are late”, said"),
        (
            "He said “<q>late</q>” and <q>\"early\"</q> and <q>&ldquo;so&rdquo;</q> and <q></q>.",
            "He said “late” and \"early\" and “so” and .",
        ),
        (
            "<q>He said <q>late</q></q> <q>yes</q><q>no</q> the boys' <q>club</q>",
            "“He said “late”” “yes”“no” the boys' “club”",
        ),
        ("<q>'Tis the boys'</q>", "“'Tis the boys'”"),
        ("<q><q>late</q> he said</q> <q><q>“so”</q></q> <q><q></q>a</q>", "““late” he said” “so” “a”"),
        ("<q><p>b</p></q>c", "“b|c"),
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi></math> m", "1/2x m"),
        ("<math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msup><mi>e</mi><mi>y</mi></msup></math>", "x^2+e^y"),
        (
            "<math><msup><mi>f</mi><mo>′</mo></msup><mo>+</mo><msup><mi>x</mi><mfrac><mn>1</mn><mn>2</mn></mfrac></msup></math>",
            "f′+x^1/2",
        ),
        ("<math><mfrac><msqrt><mn>2</mn></msqrt><mrow><mn>3</mn><mi>x</mi></mrow></mfrac></math> and", "√(2) / 3x and"),
        ("a <span hidden><math><msqrt><mn>2</mn></msqrt></math></span> b", "a b"),
        (
            "<math><msqrt><mspace></mspace><msqrt><mn>2</mn></msqrt></msqrt><mfrac><mn>1</mn><msqrt><mn>3</mn></msqrt></mfrac></math>",
            "√(√(2))1/√(3)",
        ),
        (
            "<math><msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup><mfrac linethickness=0.5pt><mn>1</mn><mn>2</mn></mfrac></math>",
            "10^−31/2",
        ),
        ("<math><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac></math>", "nk"),
        ("<math><msub><mi>x</mi><mn>2</mn></msub></math>", "x2"),
    ] {
        assert_eq!(texts(html).join("|"), want, "{html}");
    }
}

#[test]
fn a_formula_is_written_once() {
    let twice = "<span class=katex><span class=katex-mathml><math><mi>E</mi><annotation>E_0</annotation></math></span>\
                 <span class=katex-html aria-hidden=true>E</span></span>";
    assert_eq!(texts(&format!("<p>So {twice} is.")), ["So E is."]);
    let formula = "<span class=MJX_Assistive_MathML><math><mi>E</mi></math></span>";
    let html = format!("<span class=MathJax><nobr aria-hidden=true><span class=mi>E</span></nobr>{formula}</span>");
    let chtml = format!("<span class=mjx-chtml><span class=mjx-math aria-hidden=true>E</span>{formula}</span>");
    for twice in [html, chtml] {
        assert_eq!(texts(&format!("<p>So {twice} is.")), ["So E is."]);
    }
    assert_eq!(
        texts("<p>A <nobr aria-hidden=true>page number</nobr> in <span class=mjx-math>E</span>."),
        ["A page number in E."]
    );
}

#[test]
fn tags_of_html_end_a_drawing_without_an_end_tag() {
    for html in [
        "<svg><path/><div><p>Seen</div>",
        "<svg><symbol id=a><path d=M></symbol><main><h1>Seen</h1></main>",
        "<p>See<svg viewBox='0 0 1 1'><g><b>n</b>",
        "<svg><path/><p>Seen</p><svg><text>Drawn</text></svg>",
    ] {
        assert_eq!(texts(html), ["Seen"], "{html}");
    }
    for html in [
        "<p>Seen<svg><text>Drawn <tspan>a</tspan></text></svg>",
        "<svg><foreignObject><p>Drawn</p></foreignObject></svg><p>Seen",
        "<p>Se<svg class=icon><span>Icon</span><b>i</b></svg>en",
    ] {
        assert_eq!(texts(html), ["Seen"], "{html}");
    }
}

#[test]
fn the_slash_of_a_script_means_nothing_if_it_ends() {
    for html in [
        "<p>Seen</p><script src=a />var hidden = 1;</script>",
        "<style />.hidden {}</style><p>Seen",
        "<SCRIPT/>a < hidden</script ><p>Seen</p><script>hidden</script>",
        "<script/><p>Seen</p><!--</script>-->",
        // Pages written as XHTML.
        "<script src=a /><p>Seen</p><script>hidden</script>",
        "<script src=a /><style>hidden</style><p>Seen</p>",
    ] {
        assert_eq!(texts(html), ["Seen"], "{html}");
    }
    for many in ["<script/><style/>", "<svg><b></b></svg>", "<svg><svg><b></b></svg>", "<script/></p>"] {
        assert_eq!(texts(&format!("{}<p>Seen", many.repeat(20_000))), ["Seen"], "{many}");
    }
}

#[test]
fn entities_are_those_of_html() {
    assert_eq!(texts("<p>&lt;a &ampb &copy &#150; &#x41; &notit; &#0; &bogus;"), ["<a &b © – A ¬it; \u{fffd} &bogus;"]);
    assert_eq!(texts("a\0b"), ["ab"]);
    assert_eq!(reference("a\0b"), ["a\u{fffd}b"]);
}

#[test]
fn text_that_no_browser_shows_is_left_out_of_blocks_that_it_shows() {
    let blocks = |html: &str| -> Vec<(String, bool)> {
        page(html, &Options::default()).blocks.into_iter().map(|block| (block.text, block.hidden)).collect()
    };
    let is = |html: &str, wanted: &[(&str, bool)]| {
        let wanted: Vec<_> = wanted.iter().map(|(text, hidden)| (text.to_string(), *hidden)).collect();
        assert_eq!(blocks(html), wanted, "{html}");
    };
    is("<p>One <span style='display: none'>two <b>three</b></span> four.", &[("One four.", false)]);
    is("<p><span hidden>One</span> two <i hidden>three</i>.", &[("two .", false)]);
    // Read by no screen reader, but seen.
    is("<p><span aria-hidden='true'>T</span>he end", &[("The end", false)]);
    is("<p>4 <span aria-hidden='true'>★</span>", &[("4 ★", false)]);
    // Whole blocks stay, and are marked.
    is("<div hidden><p>One <b>two</b></p></div><p>Three", &[("One two", true), ("Three", false)]);
    is("<span style='visibility:hidden'><p>One</p></span>Two", &[("One", true), ("Two", false)]);
    is("<p><span hidden>One</span></p>", &[("One", true)]);
    assert_eq!(reference("<p>One <span hidden>two</span>"), ["One two"]);
}

#[test]
fn the_readings_of_characters_are_no_text() {
    let html = "<p><ruby>東京<rt>とうきょう</rt></ruby>は<ruby>漢<rp>(<rt>かん<rp>)</ruby>字";
    assert_eq!(texts(html), ["東京は漢字"]);
}

#[test]
fn characters_that_only_format_are_no_text() {
    let html = "<p>&#xFEFF;<p>Nean&shy;der&#8203;taler &#8206; jan&#8288;@example.org<p>&shy; &#x200B;<pre>a&shy;b  c</pre><p>می&zwnj;خواهم<p>\u{FEFF}Prices";
    let mut page = page(html, &Options::default());
    page.normalise();
    assert_eq!(texts_of(&page), ["Neandertaler jan@example.org", "ab  c", "می\u{200C}خواهم", "Prices"]);
    assert_eq!((page.blocks[0].characters, page.blocks[3].characters), (28, 6));
}

#[test]
fn numbers_of_notes_are_no_part_of_the_word_before_them() {
    for (html, want) in [
        (
            "in Europe<i><sup><a href=#n2>2</a></sup></i>, and practices.<sup>8</sup> Then",
            "in Europe 2, and practices. 8 Then",
        ),
        (
            "10<sup>6</sup> km<sup>2</sup> the 4<sup>th</sup> H<sub>2</sub>O word<sub>1</sub>",
            "10⁶ km2 the 4th H2O word1",
        ),
        (
            "10<sup>-6</sup> 10<i><sup>&minus;12</sup></i> in 1963<sup>1</sup>, $19<sup>99</sup> 1<sup>st</sup> 5 <sup>2</sup>",
            "10⁻⁶ 10⁻¹² in 1963¹, $19⁹⁹ 1st 5 2",
        ),
        (
            "10<sup>6 </sup>km 10<sup>1<b>2</b></sup> 10<sup>&#8722;6</sup> 10<sup>+6</sup> in 1963<sup>1,2</sup> <h1>10<sup>6</sup>",
            "10⁶ km 10¹² 10⁻⁶ 10⁺⁶ in 1963 1,2|10⁶",
        ),
        ("J m<sup>−2</sup> s<sup>-1</sup> Ca<sup>2+</sup> x<sup>−</sup>", "J m⁻² s⁻¹ Ca2+ x−"),
        ("<p class=author>of 10<sup>6</sup> <q>boats</q></p>", "of 10⁶ “boats”"),
        ("<pre>note<sup>1</sup></pre>", "note1"),
        (
            "in 1980.<sup>16</sup> The Carolinas.<sup>1,2</sup> $19.<sup>99</sup>",
            "in 1980. 16 The Carolinas. 1,2 $19.99",
        ),
    ] {
        assert_eq!(texts(html).join("|"), want);
    }
}

#[test]
fn line_breaks_end_lines_where_the_text_does() {
    for (html, want) in [
        ("<p><b>Opening hours</b><br>Monday to Friday<br>\n 9 to 5", "Opening hours\nMonday to Friday\n9 to 5"),
        ("<p>今日は、とても<br>寒い。<br>明日も", "今日は、とても 寒い。\n明日も"),
        ("<p>wrapped at the<br>end of each line<br>by hand", "wrapped at the end of each line by hand"),
        ("<p>We need<br>&#8226; bread<br>&#8226; butter", "We need\n• bread\n• butter"),
        ("<h2>The Tide<br>Of the North</h2>", "The Tide Of the North"),
        ("<pre>a<br>b</pre>", "a\nb"),
        ("<code>a(1)<br>&nbsp;b<br/>c</code>", "a(1)\nb\nc"),
        ("<code>a</code><br>b", "a b"),
    ] {
        let page = page(html, &Options::default());
        assert_eq!(texts_of(&page), [want], "{html}");
        assert_eq!(page.blocks[0].characters as usize, want.chars().count());
        // Dates and bylines are sought in the whole text.
        assert!(page.head.lines.iter().all(|line| !line.text.contains('\n')));
    }
    assert_eq!(reference("<p>A<br>B"), ["A B"]);
    let mut page = page("<p>Soft&shy;ware<br>&#8203;<br><i></i>Hard&shy;ware<br>Books", &Options::default());
    page.normalise();
    assert_eq!(texts_of(&page), ["Software\nHardware\nBooks"], "a line of invisible characters is none");
}

#[test]
fn composing_characters_does_not_change_the_share_of_links() {
    let mut page = page("<p><a href=x>Tie\u{302}\u{301}ng Vie\u{323}\u{302}t</a>", &Options::default());
    page.normalise();
    assert_eq!((page.blocks[0].characters, page.blocks[0].link_characters), (10, 10));
}
