use jiff::civil::date;

use super::*;

const EXAMPLE: &str = r#"
[[rule]]
name = "example news"
host = "news.example.com"
url = "^https?://[^/]+/20[0-9]{2}/"
from = "2012-01-01"
until = 2018-12-31
content = ["article .body", "div#text"]
drop = [".share", "aside.related"]
[rule.metadata]
date = "time.published@datetime"
author = [".byline a"]
title = "h1.headline"

[[rule]]
host = ["*.example.com", "Пример.РФ"]
"#;

const URL: &str = "https://news.example.com/2015/x";

fn rules(text: &str) -> SiteRules {
    SiteRules::parse("rules/r.toml", text).unwrap()
}

fn refused(text: &str) -> String {
    SiteRules::parse("rules/r.toml", text).unwrap_err().to_string()
}

fn chosen<'a>(rules: &'a SiteRules, url: &str, captured: Option<Date>) -> Option<&'a str> {
    let host = crate::page::url::site(url).unwrap().host;
    rules.choose(url, &host, captured).map(|rule| rule.name.as_str())
}

#[test]
fn everything_of_the_example_is_read() {
    let rules = rules(EXAMPLE);
    let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["example news", "rules/r.toml 2"]);
    let shown: Vec<String> = rules.iter().next().unwrap().selectors().iter().map(Selector::to_string).collect();
    assert_eq!(
        shown,
        [
            "content = \"article .body\"",
            "content = \"div#text\"",
            "drop = \".share\"",
            "drop = \"aside.related\"",
            "metadata.title = \"h1.headline\"",
            "metadata.author = \".byline a\"",
            "metadata.date = \"time.published@datetime\"",
        ]
    );
    assert!(SiteRules::parse("empty.toml", "").unwrap().iter().next().is_none());
}

#[test]
fn days_are_inclusive_and_an_unknown_one_is_in_no_span() {
    let rules = rules(EXAMPLE);
    for (day, expected) in [
        (Some(date(2012, 1, 1)), "example news"),
        (Some(date(2018, 12, 31)), "example news"),
        (Some(date(2011, 12, 31)), "rules/r.toml 2"),
        (Some(date(2019, 1, 1)), "rules/r.toml 2"),
        (None, "rules/r.toml 2"),
    ] {
        assert_eq!(chosen(&rules, URL, day), Some(expected), "{day:?}");
    }
}

#[test]
fn hosts_are_exact_or_a_domain_with_all_below() {
    let rules = rules(EXAMPLE);
    for (url, expected) in [
        ("https://example.com/2015/x", Some("rules/r.toml 2")),
        ("https://a.b.EXAMPLE.com./2015/x", Some("rules/r.toml 2")),
        ("https://sub.news.example.com/2015/x", Some("rules/r.toml 2")),
        ("https://notexample.com/2015/x", None),
        ("https://com/2015/x", None),
        ("http://пример.рф/", Some("rules/r.toml 2")),
        ("http://www.пример.рф/", None),
    ] {
        assert_eq!(chosen(&rules, url, Some(date(2015, 1, 1))), expected, "{url}");
    }
}

#[test]
fn one_of_the_patterns_must_match_the_url() {
    let rules = rules("[[rule]]\nname = \"a\"\nhost = \"a.example\"\nurl = ['/\\d+$', '(?i)/NEWS/']");
    assert_eq!(chosen(&rules, "http://a.example/x/12", None), Some("a"));
    assert_eq!(chosen(&rules, "http://a.example/news/x", None), Some("a"));
    assert_eq!(chosen(&rules, "http://a.example/x/12/", None), None);
}

#[test]
fn the_first_rule_wins_whatever_its_host_looks_like() {
    let rule = |name: &str, host: &str| format!("[[rule]]\nname = \"{name}\"\nhost = \"{host}\"\n");
    let (wide, narrow) = (rule("wide", "*.example.com"), rule("narrow", "news.example.com"));
    assert_eq!(chosen(&rules(&format!("{wide}{narrow}")), URL, None), Some("wide"));
    assert_eq!(chosen(&rules(&format!("{narrow}{wide}")), URL, None), Some("narrow"));
    let files = [("b.toml", wide.as_str()), ("a.toml", narrow.as_str())];
    assert_eq!(chosen(&SiteRules::read(files).unwrap(), URL, None), Some("narrow"), "files in the order of names");
}

#[test]
fn mistakes_are_named() {
    let start = "[[rule]]\nname = \"n\"\nhost = \"a.example\"\n";
    for (text, expected) in [
        ("contnet = \"p\"", "rules/r.toml: rule `n`: unknown key `contnet`; the nearest is `content`"),
        ("metadata.titel = \"p\"", "unknown key `metadata.titel`; the nearest is `metadata.title`"),
        ("metadata = \"p\"", "should be a section"),
        ("content = [\"p\", 1]", "`content` = [\"p\", 1] should be a string or a list of strings"),
        ("drop = \"p + p\"", "rule `n`: selector `p + p` of `drop`: `+` is not supported"),
        ("metadata.date = \"time@\"", "selector `time@` of `metadata.date`"),
        ("url = \"(\"", "rule `n`: `url` = `(`: regex parse error"),
        ("from = \"2012-13-01\"", "rule `n`: `from` = \"2012-13-01\" should be a day"),
        ("from = \"2012-01\"", "should be a day"),
        ("until = 2012-01-01T10:00:00", "should be a day"),
        ("from = \"2012-01-02\"\nuntil = \"2012-01-01\"", "is later than"),
        ("x = ", "rules/r.toml: TOML parse error"),
    ] {
        let error = refused(&format!("{start}{text}"));
        assert!(error.contains(expected), "{text}: {error}");
    }
    for (text, expected) in [
        ("[[rule]]\ncontent = \"p\"", "rules/r.toml: rule 1: a rule needs a `host`"),
        ("[[rule]]\nhost = []", "needs a `host`"),
        ("[rule]\nhost = \"a\"", "each under [[rule]]"),
        ("rule = [1]", "under [[rule]]"),
        ("[[rules]]\nhost = \"a\"", "unknown key `rules`; the nearest is `rule`"),
        ("[[rule]]\nname = \"\"\nhost = \"a\"", "should be a text in one line"),
        ("[[rule]]\nname = \"a\"\nhost = \"a\"\n[[rule]]\nname = \"a\"\nhost = \"b\"", "another rule `a`"),
    ] {
        let error = refused(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    for host in ["", "*", "*.", "a.*.b", "http://a.b", "a.b/c", "a.b:80", "*.1.2.3.4", "a b"] {
        let error = refused(&format!("[[rule]]\nhost = \"{host}\""));
        assert!(error.contains("should be the name of a host"), "{host}: {error}");
    }
}

#[test]
fn rules_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&SiteRules::default());
}
