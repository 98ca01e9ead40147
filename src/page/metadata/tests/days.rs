//! Dates: which source wins, and what readers see.

use super::*;

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

/// The head of a page that was published on a day and changed on 5 May 2014.
fn changed_in_may(published: &str) -> String {
    format!(
        "<meta property=article:published_time content={published}>\
         <meta property=article:modified_time content=2014-05-05>"
    )
}

#[test]
fn a_change_soon_after_is_publication_where_readers_see_no_change() {
    assert_eq!(day(&changed_in_may("2014-05-04"), "<p class=date>5 May 2014</p>"), "2014-05-05");
    assert_eq!(day(&changed_in_may("2014-05-04"), "<p>5 May 2014</p>"), "2014-05-05");
    assert_eq!(
        day(&changed_in_may("2014-05-04"), "<p>Updated <time datetime=2014-05-05>5 May 2014</time></p>"),
        "2014-05-04"
    );
    assert_eq!(day(&changed_in_may("2014-05-04"), "<p class=modified>5 May 2014</p>"), "2014-05-04");
    assert_eq!(day(&changed_in_may("2014-03-04"), "<p class=date>5 May 2014</p>"), "2014-03-04");
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

#[test]
fn an_element_named_after_publication_shows_no_change() {
    assert_eq!(day(&changed_in_may("2013-03-04"), "<p class=publish-info>5 May 2014</p>"), "2014-05-05");
    assert_eq!(day(&changed_in_may("2013-03-04"), "<p class=info-date>5 May 2014</p>"), "2013-03-04");
    assert_eq!(day(&changed_in_may("2013-03-04"), "<p class=publish-info>Updated: 5 May 2014</p>"), "2013-03-04");
}

#[test]
fn the_only_stated_day_is_nowhere_beside_the_story() {
    let stated = |day: &str| format!("<div class=footer><time itemprop=datePublished datetime={day}>x</time></div>");
    let meta = "<meta name=date content=2014-05-01>";
    assert_eq!(day(meta, &stated("2014-05-05")), "2014-05-05");
    assert_eq!(day(meta, &(stated("2014-05-05") + &stated("2014-05-05"))), "2014-05-05");
    assert_eq!(day(meta, &(stated("2014-05-05") + &stated("2014-05-06"))), "2014-05-01", "those of other stories");
}

#[test]
fn a_permalink_keeps_the_day_of_a_page_that_was_moved() {
    let day = |address: &str, stated: &str| {
        let html = format!("<meta property=article:published_time content={stated}><h1>A story</h1>");
        let head = blocks::page(&html, &blocks::Options::default()).head;
        metadata(&head, address, None, &[], None).published.unwrap().to_string()
    };
    let permalink = "https://www.example.org/blog/2014/5/3/story";
    assert_eq!(day(permalink, "2019-06-17"), "2014-05-03");
    assert_eq!(day(permalink, "2014-05-20"), "2014-05-20", "not published at once");
    assert_eq!(day("https://www.example.org/on-this-day/03-05-2014/story", "2019-06-17"), "2019-06-17");
}

#[test]
fn days_of_access_quoted_mails_and_ends_of_offers_are_none_of_publication() {
    for line in [
        "Retrieved 4 May 2014.",
        "Accessed on 4 May 2014",
        "Abgerufen am 4. Mai 2014.",
        "consulté le 4 mai 2014",
        "Closing date: 4 May 2014",
        "Bewerbungsfrist: 4. Mai 2014",
        "On Sun, May 4, 2014 at 9:41 PM, Carla Ruiz wrote:",
    ] {
        assert_eq!(day("", &format!("<p>{line}</p>")), "", "{line}");
    }
    for line in
        ["4. Mai 2014 | Zugriffe: 532", "Accessed 1234 times, 4 May 2014", "4 May 2014 Retrieved dogs find homes"]
    {
        assert_eq!(day("", &format!("<p>{line}</p>")), "2014-05-04", "{line}");
    }
    assert_eq!(day("", "<i>Sun May 4 16:05:22 CEST 2014</i>"), "2014-05-04");
}

#[test]
fn comments_have_days_and_authors_of_their_own() {
    let text = "x ".repeat(300);
    let comment = "<strong class=author>Ann Lee</strong> <time datetime=2016-07-08>8 July 2016</time> <p>Fine.";
    let seen = |comments: &str| {
        let html = format!("<h1>A story of some length</h1><p>{text}</p><p>{text}</p><div {comments}>{comment}</div>");
        let head = blocks::page(&html, &blocks::Options::default()).head;
        let read = metadata(&head, "https://www.example.org/story", None, &[], None);
        (read.published.is_some(), read.author)
    };
    assert_eq!(seen("id=Comments"), (false, vec![]));
    assert_eq!(seen("class=entry"), (true, vec!["Ann Lee".into()]));
}

#[test]
fn nothing_is_published_after_its_last_change() {
    let changed = "<meta property=article:modified_time content=2014-05-05>";
    assert_eq!(
        day(changed, "<ol class=commentlist><li><time datetime=2016-07-08>8 July 2016</time></ol>"),
        "2014-05-05"
    );
    assert_eq!(day(changed, "<p>6 May 2014</p>"), "2014-05-06", "in another time zone");
    let published = "<time class=published datetime=2016-07-08>8 July 2016</time>";
    assert_eq!(day(changed, published), "2016-07-08", "the change has a wrong year");
    assert_eq!(day(changed, "<p>Published 8 July 2016</p>"), "2016-07-08");
}

#[test]
fn days_of_visits_births_and_changes_are_no_publication() {
    let cite =
        "<cite>A page <span class='reference-accessdate'>. Retrieved <span>12 November</span> 2016</span></cite>";
    let birth =
        "<p>First release: <i style='display:none'>(<b class='bday dtstart published'>1998-02-28</b>)</i> long ago";
    for body in [cite, birth, "<p>Archived from the original on 4 May 2016</p>"] {
        assert_eq!(day("", body), "", "{body}");
    }
    for line in [
        "Ενημερώθηκε: 7 Μαΐου 2013 Δημοσιεύθηκε: 5 Μαΐου 2013",
        "آخر تحديث: 7 مايو 2013 نُشر: 5 مايو 2013",
        "최종수정 2013.05.07 기사입력 2013.05.05",
        "Обновена: 7 май 2013 Публикувана: 5 май 2013",
        "Módosítva: 2013. május 7. Közzétéve: 2013. május 5.",
        "Opdateret: 7. maj 2013 Udgivet: 5. maj 2013",
        "Uppfært: 7. maí 2013 Birt: 5. maí 2013",
    ] {
        assert_eq!(day("", &format!("<p>{line}</p>")), "2013-05-05", "{line}");
    }
}
