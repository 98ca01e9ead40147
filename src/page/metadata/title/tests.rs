use super::*;

#[test]
fn title_elements_are_split() {
    let site = SiteNames::new(None, "harbour-wire.example");
    let part = |title| from_title_element(title, &site).unwrap_or_default();
    assert_eq!(part("The Harbour Wire - Story"), "Story");
    assert_eq!(part("Story name - Site.com"), "Story name");
    assert_eq!(part("Site.com - Story name"), "Story name");
    assert_eq!(part("Story name | The Site"), "Story name");
    assert_eq!(part("Dr. Doe finds version 2.0 of it. | The Site"), "Dr. Doe finds version 2.0 of it.");
    assert_eq!(part("What is new at Site.com | Story name"), "Story name");
    assert_eq!(part("Site Inc. | Story name"), "Story name");
    assert_eq!(part("St. Louis - The Harbour Wire"), "St. Louis");
    assert_eq!(part("St. Louis News - Story name"), "Story name");
    assert_eq!(part("Site.com - The Harbour Wire"), "Site.com - The Harbour Wire");
    assert_eq!(part("U.S. Wire - Story name"), "Story name");
    assert_eq!(part("Story - part two — The Site"), "Story - part two");
    assert_eq!(part("Well-known story"), "Well-known story");
    assert_eq!(part("大会在北京开幕--时政--新闻网"), "大会在北京开幕--时政");
    assert_eq!(part("新しい橋が開通｜新聞"), "新しい橋が開通");
    assert_eq!(part("新しい橋が開通：朝日ニュース"), "新しい橋が開通");
    assert_eq!(part("速報：新しい橋が開通"), "速報：新しい橋が開通");
    assert_eq!(part("速報：最新ニュース"), "速報：最新ニュース");
    assert_eq!(part("大会在北京开幕——新华网"), "大会在北京开幕");
    assert_eq!(part("新时代——走向互联网"), "新时代——走向互联网");
    assert_eq!(part("“大会在北京开幕。”|新华网"), "“大会在北京开幕。”");
    assert_eq!(part("“大会在北京开幕”-新华网"), "“大会在北京开幕”");
    assert_eq!(part("大橋今日通車－自由時報"), "大橋今日通車");
    assert_eq!(part("新しい橋が開通 ｜ NHK"), "新しい橋が開通");
    assert_eq!(part("Story name :: The Site"), "Story name");
    assert_eq!(part("Use std::fs and a|b"), "Use std::fs and a|b");
    assert_eq!(part("Story name—Another Wire"), "Story name—Another Wire");
    assert_eq!(part("Story name—The Harbour Wire Example"), "Story name");
    assert_eq!(part("Wait -- what"), "Wait -- what");
    assert_eq!(part("a--b"), "a--b");
    assert_eq!(part(" | "), "|");
    assert_eq!(part(""), "");
}

#[test]
fn dates_behind_titles() {
    for (heading, is) in [
        ("A story of some words 40", false),
        ("A story of some words 20 August, 2011", true),
        ("A story of some words Saturday, 20 August 2011 14:30", true),
        ("A story of some words 20.08.2011", true),
        ("A story of some words", false),
        ("A story of some words40", false),
        ("A story of some words 2011", false),
        ("A story of some words August", false),
        ("A story of some words 40 years on", false),
        ("A story of some words 14:30", false),
        ("A story of some words - Part 2", false),
    ] {
        assert_eq!(is_before_date("A story of some words", heading), is, "{heading}");
    }
    assert!(!is_before_date("Apollo", "Apollo 13"));
}

#[test]
fn sites_are_found_in_titles() {
    for (title, want) in [
        ("Story name - Site.com", "Site.com"),
        ("Story name | The Site", ""),
        ("Wait ... - what", ""),
        ("Story name | Local | The Harbour Wire", "The Harbour Wire"),
        ("Harbour-Wire » Local » Story.com", "Harbour-Wire"),
    ] {
        let found = site_in_title(title, &SiteNames::new(None, "harbourwire.example"));
        assert_eq!(found.unwrap_or_default(), want, "{title}");
    }
}

#[test]
fn the_name_of_the_site_is_cut_off() {
    let cut = |title, site| without_site(title, &SiteNames::new(site, "lastampa.it"));
    assert_eq!(cut("Story | the site", Some("The Site")), "Story");
    assert_eq!(cut("Story - part - La Stampa", None), "Story - part");
    assert_eq!(cut("Story - lastampa.it", None), "Story");
    assert_eq!(cut("La Stampa: Story", None), "La Stampa: Story");
    assert_eq!(cut("La Stampa - Story", None), "Story");
    assert_eq!(cut("Story | other", Some("The Site")), "Story | other");
    assert_eq!(cut("The Site", Some("The Site")), "The Site");
    assert_eq!(cut("Story - !", None), "Story - !");
    assert_eq!(cut("新しい橋：朝日新聞デジタル", Some("朝日新聞デジタル")), "新しい橋");
    assert_eq!(cut("La Stampa :: Story", None), "Story");
}

#[test]
fn home_pages_are_named_by_their_site() {
    for (title, want) in [
        ("Home - The Harbour Wire", Some("The Harbour Wire")),
        ("The Harbour Wire | Startseite", Some("The Harbour Wire")),
        ("The Harbour Wire - News", None),
        ("Home", None),
    ] {
        assert_eq!(beside_home(title).as_deref(), want, "{title}");
    }
}
