//! What a head states about the kind of its page: the Open Graph type, and the types of JSON-LD objects, here by the kind
//! that they indicate.

use crate::page::head::Head;

/// Names in lower case.
pub const ARTICLE: &[&str] = &[
    "article",
    "newsarticle",
    "blogposting",
    "reportagenewsarticle",
    "opinionnewsarticle",
    "techarticle",
    "scholarlyarticle",
];
pub const FORUM: &[&str] = &["discussionforumposting", "qapage", "question", "answer", "socialmediaposting"];
pub const ORGANIZATION: &[&str] = &["organization", "localbusiness", "service", "corporation", "professionalservice"];
pub const PAGE: &[&str] = &["webpage", "website"];

/// The Open Graph type of a page as a feature: 0 if none is stated, 1 for articles, 2 products, 3 websites, 4 others.
pub fn og_type(head: &Head) -> f32 {
    let stated = head.meta.iter().find(|meta| meta.key == "og:type").map(|meta| meta.content.to_ascii_lowercase());
    match stated.as_deref() {
        None => 0.0,
        Some(kind) if kind.contains("article") || kind.contains("blog") => 1.0,
        Some(kind) if kind.contains("product") => 2.0,
        Some("website") => 3.0,
        Some(_) => 4.0,
    }
}

/// The names of the types in a script, as written; of an object with several types the first.
pub fn types(json: &str) -> impl Iterator<Item = &str> {
    memchr::memmem::find_iter(json.as_bytes(), b"\"@type\"").map(|at| {
        let rest = json.get(at + 7..).unwrap_or_default();
        let value = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || ":[\"".contains(c));
        let end = value.bytes().take(40).take_while(u8::is_ascii_alphanumeric).count();
        value.get(..end).unwrap_or_default()
    })
}

/// Whether a type is one of these, whatever its case.
pub fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|one| one.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    #[test]
    fn types_are_read() {
        let json = r#"{"@type": "NewsArticle", "author": {"@type":["Person","Thing"]}, "x": {"@type": 5}}"#;
        assert_eq!(super::types(json).collect::<Vec<_>>(), ["NewsArticle", "Person", "5"]);
        assert!(super::is_one_of("newsARTICLE", super::ARTICLE) && !super::is_one_of("Person", super::ARTICLE));
    }
}
