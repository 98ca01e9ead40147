//! placeholder until the module arrives
use super::head::Head;
#[derive(Debug, Clone, Default)]
pub struct Metadata { pub title: Option<String>, pub author: Vec<String>, pub published: Option<jiff::civil::Date>, pub published_source: Option<&'static str>, pub sitename: Option<String>, pub section: Option<String>, pub keywords: Vec<String>, pub license: Option<String>, pub robots: Option<String>, pub canonical: Option<String>, pub declared_language: Option<String> }
pub fn metadata(head: &Head, _url: &str, _captured: Option<jiff::civil::Date>, _x: &[&str]) -> Metadata { Metadata { title: Some(head.title.clone()), ..Default::default() } }
