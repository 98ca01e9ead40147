//! Authors: of what the page declares, and of bylines in its text.

use super::*;

#[test]
fn persons_may_have_given_and_family_names_alone() {
    let author = r#""author":{"@type":"Person","givenName":"Jane","familyName":"Doe"}"#;
    let head = Head { json_ld: article(author), ..Head::default() };
    assert_eq!(read(&head).author, ["Jane Doe"]);
    let author = r#""author":{"givenName":"太郎","familyName":"山田"}"#;
    assert_eq!(read(&Head { json_ld: article(author), ..Head::default() }).author, ["山田太郎"]);
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
    assert_eq!(read(&head).author, ["jd77"]);
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
    assert_eq!(author("<p>Gespeichert von jdoe am 5.3.2014</p>"), "jdoe");
    assert_eq!(author("<div itemprop=author><span itemprop=name>Jane Doe</span></div>"), "Jane Doe");
    assert_eq!(
        author("<div class=comments><span class=author>Ann Lee</span></div><p class=author>Jane Doe</p>"),
        "Jane Doe"
    );
    assert_eq!(author("<p><a class=username href=/u/1>jdoe</a></p><p><a class=username href=/u/2>ann</a></p>"), "jdoe");
    assert_eq!(author("<p>By and by the rain stopped.</p>"), "");
    assert_eq!(author("<div class='abstract author'><h2>Abstract</h2>It rains.</div>"), "");
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
fn labels_with_a_colon_announce_an_author_in_any_line() {
    let author = |line: &str| seen(&format!("<body><h1>A title of some words</h1><p>{line}</p>")).author.join("; ");
    for (label, name) in [
        ("بقلم: ", "أحمد علي"),
        ("מאת: ", "דוד לוי"),
        ("Tác giả: ", "Nguyễn Văn An"),
        ("Συντάκτης: ", "Γιώργος Παπαδόπουλος"),
        ("Հեղինակ՝ ", "Արմեն Պետրոսյան"),
        ("Kirjoittaja: ", "Matti Virtanen"),
        ("Írta: ", "Nagy Anna"),
        ("ผู้เขียน: ", "สมชาย ใจดี"),
    ] {
        assert_eq!(author(&format!("{label}{name}")), name, "{label}");
        assert_eq!(author(&format!("{label}{name} | 05.05.2023")), name, "{label}");
        assert_eq!(author(&format!("05.05.2023 | {label}{name}")), name, "{label}");
    }
    assert_eq!(author("Kirjoittaja on tutkija"), "");
    assert_eq!(author("Szerző: Nagy Anna Fordító: Kis Pál"), "Nagy Anna");
    assert_eq!(author("Texto: Mateus 5:1-12"), "");
}
