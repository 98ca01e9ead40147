//! JSON-LD: the texts of scripts → what they say about the page's article in the terms of schema.org.
//!
//! Tolerant, since much of it is written by hand or by broken templates:
//! comments, CDATA, trailing commas and control characters are repaired once;
//! what still does not parse is ignored. Strings are text, but templates write them escaped like markup: character
//! references are decoded here, white space is left to the caller.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::json_repair::{field, parse};
use crate::text::char_classes::{is_chinese_or_japanese, is_hangul};

type JsonObject = Map<String, Value>;

/// Most objects looked at in one page.
const MAX_OBJECTS: usize = 2000;
/// Commas and opening brackets in all scripts that are parsed: a parsed object takes a hundred times its bytes. Of other scripts single
/// fields are read, as of broken ones.
const MAX_MARKS: usize = 100_000;

/// schema.org types that stand for the page's main text.
const ARTICLE_TYPES: [&str; 18] = [
    "Article",
    "NewsArticle",
    "BackgroundNewsArticle",
    "OpinionNewsArticle",
    "ReportageNewsArticle",
    "AnalysisNewsArticle",
    "AskPublicNewsArticle",
    "ReviewNewsArticle",
    "SatiricalArticle",
    "TechArticle",
    "Report",
    "AdvertiserContentArticle",
    "BlogPosting",
    "LiveBlogPosting",
    "SocialMediaPosting",
    "DiscussionForumPosting",
    "ScholarlyArticle",
    "MedicalScholarlyArticle",
];

/// What the JSON-LD of a page says about its article. Fields are empty where it says nothing.
#[derive(Debug, Default, PartialEq)]
pub(super) struct JsonLd {
    pub(super) headline: Option<String>,
    /// Names of persons; organisations are left out.
    pub(super) authors: Vec<String>,
    /// Names of all authors, organisations included: for a page that names no person.
    pub(super) all_authors: Vec<String>,
    /// `datePublished`, else `dateCreated` or `uploadDate`, of all candidates in order.
    pub(super) published: Vec<String>,
    /// `dateModified` of all candidates in order.
    pub(super) modified: Vec<String>,
    /// Name of the publisher, else of the web site or organisation.
    pub(super) sitename: Option<String>,
    pub(super) section: Option<String>,
    /// As written: one string may hold several, separated by commas.
    pub(super) keywords: Vec<String>,
    /// Name or URL.
    pub(super) license: Option<String>,
    pub(super) language: Option<String>,
}

/// Reads all scripts of a page.
pub(super) fn read_json_ld(scripts: &[String]) -> JsonLd {
    let mut marks = 0;
    let parsed = scripts.iter().map(|script| {
        marks += memchr::memchr3_iter(b',', b'{', b'[', script.as_bytes()).count();
        (script, if marks <= MAX_MARKS { parse(script) } else { None })
    });
    let parsed: Vec<(&String, Option<Value>)> = parsed.collect();
    let broken: Vec<&str> = parsed.iter().filter(|(_, value)| value.is_none()).map(|(text, _)| text.as_str()).collect();
    let values: Vec<Value> = parsed.into_iter().filter_map(|(_, value)| value).collect();
    let graph = SchemaGraph::of(&values);
    let mut linked = JsonLd::default();
    // The article first, then the page: later objects only fill what is empty.
    for object in graph.of_kind(is_article).chain(graph.of_kind(is_page)) {
        linked.fill_from(object, &graph);
    }
    for script in broken {
        linked.fill_by_field(script);
    }
    if linked.authors.is_empty() {
        linked.authors = graph.of_kind(|kind| kind == "Person").filter_map(name).collect();
    }
    if linked.sitename.is_none() {
        let mut sites = graph.of_kind(|kind| kind == "WebSite").chain(graph.of_kind(is_organisation_type));
        linked.sitename = sites.find_map(name);
    }
    linked
}

impl JsonLd {
    fn fill_from(&mut self, object: &JsonObject, graph: &SchemaGraph) {
        let one = |key: &str| object.get(key).and_then(|value| graph.names(value).into_iter().next());
        self.headline = self.headline.take().or_else(|| text(object, "headline")).or_else(|| name(object));
        self.section = self.section.take().or_else(|| one("articleSection"));
        self.sitename = self.sitename.take().or_else(|| one("publisher"));
        self.license = self.license.take().or_else(|| object.get("license").and_then(license));
        self.language = self.language.take().or_else(|| object.get("inLanguage").and_then(language));
        self.published.extend(["datePublished", "dateCreated", "uploadDate"].iter().find_map(|key| text(object, key)));
        self.modified.extend(text(object, "dateModified"));
        if self.keywords.is_empty() {
            self.keywords = object.get("keywords").map(|value| graph.names(value)).unwrap_or_default();
        }
        if self.authors.is_empty() {
            let persons = |key: &str| object.get(key).map(|value| graph.persons(value)).unwrap_or_default();
            let (authors, creators) = (persons("author"), persons("creator"));
            self.authors = if authors.iter().all(|author| creators.contains(author)) { creators } else { authors };
        }
        if self.all_authors.is_empty() {
            self.all_authors = object.get("author").map(|value| graph.names(value)).unwrap_or_default();
        }
    }

    /// Reads what can be read of a script that is no JSON even after repair: single fields.
    fn fill_by_field(&mut self, script: &str) {
        let field = |script: &str, key: &str| field(script, key).map(unescaped);
        let named = |key: &str| {
            let at = script.find(&format!("\"{key}\""))?;
            let object = script.get(at..)?.split('}').next()?;
            field(object, "name").or_else(|| field(object, key))
        };
        self.headline = self.headline.take().or_else(|| field(script, "headline"));
        self.section = self.section.take().or_else(|| field(script, "articleSection"));
        self.sitename = self.sitename.take().or_else(|| named("publisher"));
        self.published.extend(field(script, "datePublished"));
        self.modified.extend(field(script, "dateModified"));
        if self.authors.is_empty() {
            self.authors.extend(named("author"));
        }
    }
}

fn is_article(kind: &str) -> bool {
    ARTICLE_TYPES.contains(&kind)
}

fn is_page(kind: &str) -> bool {
    matches!(kind, "WebPage" | "ItemPage" | "AboutPage" | "FAQPage" | "QAPage" | "Recipe" | "HowTo" | "VideoObject")
}

fn is_organisation_type(kind: &str) -> bool {
    matches!(kind, "Organization" | "NewsMediaOrganization" | "Corporation" | "EducationalOrganization")
}

/// What a page says of an object that has a name.
struct NamedObject {
    /// None if the name is blank.
    name: Option<String>,
    is_person: bool,
}

impl NamedObject {
    fn of(object: &JsonObject) -> Self {
        #[cfg(test)]
        READINGS.set(READINGS.get() + 1);
        let is_person = kinds(object).any(|kind| kind == "Person") || !kinds(object).any(is_organisation_type);
        Self { name: name(object), is_person }
    }
}

/// The objects of a page that speak schema.org, in document order.
struct SchemaGraph<'a> {
    objects: Vec<&'a JsonObject>,
    /// Objects with a name, by their `@id`; the first of each. They are read once: any number of references may lead to one
    /// whose names and types are as long as the page.
    named: HashMap<&'a str, NamedObject>,
}

impl<'a> SchemaGraph<'a> {
    fn of(values: &'a [Value]) -> Self {
        let mut graph = Self { objects: Vec::new(), named: HashMap::new() };
        // A stack instead of recursion, popped from its end: hence reversed.
        let mut open: Vec<(&Value, bool)> = values.iter().rev().map(|value| (value, false)).collect();
        while let Some((value, inherited)) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items.iter().rev().map(|item| (item, inherited))),
                Value::Object(object) if graph.objects.len() < MAX_OBJECTS => {
                    let schema = match object.get("@context") {
                        Some(context) => context.to_string().contains("schema.org"),
                        None => inherited || kinds(object).any(is_article),
                    };
                    if schema {
                        graph.objects.push(object);
                        if let Some(id) = object.get("@id").and_then(Value::as_str).filter(|_| has_name(object)) {
                            graph.named.entry(id).or_insert_with(|| NamedObject::of(object));
                        }
                    }
                    let inner = ["mainEntityOfPage", "mainEntity", "@graph"];
                    open.extend(inner.iter().filter_map(|key| object.get(*key)).map(|value| (value, schema)));
                }
                _ => {}
            }
        }
        graph
    }

    fn of_kind<'g>(&'g self, wanted: impl Fn(&str) -> bool + 'g) -> impl Iterator<Item = &'a JsonObject> + 'g {
        self.objects.iter().copied().filter(move |object| kinds(object).any(&wanted))
    }

    /// Names in a value: strings, `name`s of objects, and lists of both.
    fn names(&self, value: &Value) -> Vec<String> {
        self.names_of(value, |_| true)
    }

    /// Like [`Self::names`] without organisations.
    fn persons(&self, value: &Value) -> Vec<String> {
        self.names_of(value, |object| object.is_person)
    }

    /// The names of an object count once, however often a list refers to it: copies would take many times the page's size.
    fn names_of(&self, value: &Value, wanted: impl Fn(&NamedObject) -> bool) -> Vec<String> {
        let mut seen: Vec<*const NamedObject> = Vec::new();
        let mut named = |item: &Value| {
            let object = item.as_object()?;
            if has_name(object) {
                let own = NamedObject::of(object);
                return if wanted(&own) { own.name } else { None };
            }
            let known = self.named.get(object.get("@id")?.as_str()?)?;
            let place = std::ptr::from_ref(known);
            if !wanted(known) || seen.contains(&place) {
                return None;
            }
            seen.push(place);
            known.name.clone()
        };
        items(value).filter_map(|item| string(item).or_else(|| named(item))).collect()
    }
}

/// The `@type`s of an object, without the prefix of schema.org.
fn kinds(object: &JsonObject) -> impl Iterator<Item = &str> {
    let types = object.get("@type").map(items).into_iter().flatten();
    types.filter_map(Value::as_str).map(|kind| kind.rsplit(['/', ':', '#']).next().unwrap_or(kind))
}

/// Members of a list that are looked at.
const MAX_ITEMS: usize = 100;

/// The first members of a list, or the value itself.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    let list = value.as_array().map(Vec::as_slice);
    list.unwrap_or(std::slice::from_ref(value)).iter().take(MAX_ITEMS)
}

/// The text of a string, its character references decoded.
fn string(value: &Value) -> Option<String> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(unescaped)
}

fn unescaped(text: impl AsRef<str>) -> String {
    htmlize::unescape(text.as_ref()).into_owned()
}

fn text(object: &JsonObject, key: &str) -> Option<String> {
    items(object.get(key)?).find_map(string)
}

/// The members that name an object: a person may have the last two alone.
const NAME_KEYS: [&str; 3] = ["name", "givenName", "familyName"];

fn has_name(object: &JsonObject) -> bool {
    NAME_KEYS.iter().any(|key| object.contains_key(*key))
}

fn is_family_first(c: char) -> bool {
    is_chinese_or_japanese(c) || is_hangul(c)
}

fn name(object: &JsonObject) -> Option<String> {
    let [name, given, family] = NAME_KEYS;
    let parts = || match (text(object, given), text(object, family)) {
        // Chinese, Japanese and Korean names begin with the family.
        (Some(given), Some(family)) if [&given, &family].iter().all(|part| part.starts_with(is_family_first)) => {
            Some(family + &given)
        }
        (Some(given), Some(family)) => Some(format!("{given} {family}")),
        (given, family) => given.or(family),
    };
    text(object, name).or_else(parts)
}

fn license(value: &Value) -> Option<String> {
    let field = |item: &Value| ["url", "@id", "name"].iter().find_map(|key| text(item.as_object()?, key));
    items(value).find_map(|item| string(item).or_else(|| field(item)))
}

fn language(value: &Value) -> Option<String> {
    let field = |item: &Value| ["alternateName", "name"].iter().find_map(|key| text(item.as_object()?, key));
    items(value).find_map(|item| string(item).or_else(|| field(item)))
}

#[cfg(test)]
thread_local! {
    /// How many named objects were read, from which a test sees that it does not grow with the references to them.
    static READINGS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> JsonLd {
        read_json_ld(&[String::from(script)])
    }

    #[test]
    fn scripts_of_very_many_values_are_read_by_fields() {
        let article = r#"{"@type":"NewsArticle","headline":"Boats","author":{"name":"Jane Doe"},"keywords":"tide""#;
        let many = format!("{article},\"a\":[{}1]}}", r#"{"":0},"#.repeat(MAX_MARKS));
        let few = format!("{article},\"a\":[{}1]}}", r#"{"":0},"#.repeat(100));
        let read = |script: &str| read_json_ld(&[script.to_string()]);
        for (script, keywords) in [(few, 1), (many, 0)] {
            let linked = read(&script);
            assert_eq!((linked.headline.as_deref(), linked.keywords.len()), (Some("Boats"), keywords));
        }
    }

    #[test]
    fn an_article_is_read() {
        let got = read(
            r#"{"@context":"https://schema.org","@type":["NewsArticle","X"],"headline":"H",
            "author":[{"@type":"Person","name":"Jane Doe"},{"@type":"Organization","name":"Desk"},"John Smith"],
            "datePublished":"2019-01-02T03:04:05Z","publisher":{"name":"Example Publishing House"},
            "articleSection":["Politics","World"],"keywords":"a, b","inLanguage":{"name":"English","alternateName":"en"},
            "license":{"url":"https://creativecommons.org/licenses/by/4.0/"}}"#,
        );
        assert_eq!(got.headline.as_deref(), Some("H"));
        assert_eq!(got.authors, ["Jane Doe", "John Smith"]);
        assert_eq!(got.published, ["2019-01-02T03:04:05Z"]);
        assert_eq!(got.sitename.as_deref(), Some("Example Publishing House"));
        assert_eq!(got.section.as_deref(), Some("Politics"));
        assert_eq!(got.keywords, ["a, b"]);
        assert_eq!(got.language.as_deref(), Some("en"));
        assert_eq!(got.license.as_deref(), Some("https://creativecommons.org/licenses/by/4.0/"));
    }

    #[test]
    fn a_graph_is_flattened_and_ids_are_followed() {
        let got = read(
            r##"{"@context":{"@vocab":"http://schema.org/"},"@graph":[
            {"@type":"WebSite","name":"The Site"},
            {"@type":"WebPage","name":"Page - Site","datePublished":"2001-01-01"},
            {"@type":"Person","@id":"#p","name":"Jane Doe"},
            {"@type":"Article","headline":"Story","author":{"@id":"#p"},"datePublished":"2002-02-02"}]}"##,
        );
        assert_eq!(got.headline.as_deref(), Some("Story"));
        assert_eq!(got.authors, ["Jane Doe"]);
        assert_eq!(got.published, ["2002-02-02", "2001-01-01"]);
        assert_eq!(got.sitename.as_deref(), Some("The Site"));
    }

    #[test]
    fn a_list_that_refers_to_one_object_many_times_has_its_name_once() {
        let list = [r##"{"@id":"#p"}"##; MAX_ITEMS].join(",");
        let got = read(&format!(
            r##"{{"@context":"https://schema.org","@graph":[{{"@type":"Person","@id":"#p","name":"Jane Doe"}},
            {{"@type":"Article","author":[{list}],"creator":[{list},"x"],"keywords":[{list},{{"name":"Jane Doe"}}]}}]}}"##
        ));
        // Members behind the hundredth are not looked at.
        assert_eq!((got.authors, got.all_authors), (vec!["Jane Doe".to_string()], vec!["Jane Doe".to_string()]));
        assert_eq!(got.keywords, ["Jane Doe"]);
    }

    #[test]
    fn references_do_not_read_their_object_again() {
        // A blank name fills no field, so that every article asks for it.
        let types = [r#""x""#; MAX_ITEMS].join(",");
        let fields = ["author", "creator", "publisher", "articleSection", "keywords"];
        let references = fields.map(|field| format!(r##""{field}":{{"@id":"#a"}}"##)).join(",");
        for articles in [1, 1000] {
            let article = format!(r#",{{"@type":"Article",{references}}}"#).repeat(articles);
            let person = format!(r##"{{"@id":"#a","@type":[{types}],"name":"{}"}}"##, " ".repeat(1000));
            READINGS.take();
            let got = read(&format!(r#"{{"@context":"http://schema.org","@graph":[{person}{article}]}}"#));
            assert_eq!((got, READINGS.take()), (JsonLd::default(), 1), "{articles}");
        }
    }

    #[test]
    fn the_context_must_be_schema_org_or_absent_from_an_article() {
        assert_eq!(read(r#"{"@type":"Article","headline":"H"}"#).headline.as_deref(), Some("H"));
        assert_eq!(
            read(r#"{"@context":["x","http://schema.org"],"@type":"schema:Article","headline":"H"}"#)
                .headline
                .as_deref(),
            Some("H")
        );
        assert_eq!(read(r#"{"@context":"http://other.org","@type":"Article","headline":"H"}"#), JsonLd::default());
        assert_eq!(read(r#"{"@type":"Organization","name":"O"}"#), JsonLd::default());
        assert_eq!(read(r#"[[{"@type":"BlogPosting","name":"N"}]]"#).headline.as_deref(), Some("N"));
    }

    #[test]
    fn broken_scripts_are_repaired() {
        for script in [
            "{\"@type\":\"Article\",\"headline\":\"A \n// b\",}",
            "{\"@type\":\"Article\", // comment, with \"quotes\"\n\"headline\":\"A // b\"}",
            "<!--\n{\"@type\":\"Article\",\"headline\":\"A // b\"}\n-->",
            "//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"A // b\",\"keywords\":[\"x\",],}\n//]]>",
            "/* c */ {\"@type\":\"Article\",/* d */\"headline\":\"A // b\"};",
            "\u{FEFF}{\"@type\":\"Article\",\"headline\":\"A \\// b\"}",
        ] {
            let headline = read(script).headline.unwrap_or_default();
            assert_eq!(headline.split_whitespace().collect::<Vec<_>>(), ["A", "//", "b"], "{script}");
        }
        assert_eq!(read(r#"{"@type":"Article","headline":"It\'s"}"#).headline.as_deref(), Some("It's"));
    }

    #[test]
    fn nonsense_is_ignored() {
        for script in ["", "{", "[", "null", "\"Article\"", "{\"@type\":7}", "]]>", "<![CDATA[", "//", "{\"a\": \"\\"] {
            assert_eq!(read(script), JsonLd::default(), "{script}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(read(&deep), JsonLd::default());
    }
}
