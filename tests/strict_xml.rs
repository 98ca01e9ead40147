//! A strict reader of the XML that the TEI writer writes: well-formed, and nested as TEI's content models ask.

use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
}

#[derive(Debug)]
pub enum Node {
    Element(Element),
    Text(String),
}

impl Element {
    pub fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|node| if let Node::Element(element) = node { Some(element) } else { None })
    }

    /// All text below it.
    pub fn text(&self) -> String {
        self.children
            .iter()
            .map(|node| match node {
                Node::Element(element) => element.text(),
                Node::Text(text) => text.clone(),
            })
            .collect()
    }

    /// All elements of this name below it.
    pub fn all<'e>(&'e self, name: &str, found: &mut Vec<&'e Element>) {
        for element in self.elements() {
            if element.name == name {
                found.push(element);
            }
            element.all(name, found);
        }
    }
}

/// The root element; panics at what is not well-formed.
pub fn parse(xml: &str) -> Element {
    assert!(xml.chars().all(|c| c == '\n' || c == '\t' || !c.is_control() && !"\u{FFFE}\u{FFFF}".contains(c)));
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").unwrap_or(xml);
    let mut open = vec![Element::default()];
    while let Some(at) = rest.find('<') {
        text(&mut open, &rest[..at]);
        let end = rest.find('>').unwrap();
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().unwrap();
            assert_eq!(element.name, name);
            open.last_mut().unwrap().children.push(Node::Element(element));
        } else {
            open.push(start(tag));
        }
    }
    assert_eq!((open.len(), rest.trim()), (1, ""));
    let root = open.pop().unwrap();
    assert_eq!(root.elements().count(), 1);
    let Some(Node::Element(root)) = root.children.into_iter().find(|node| matches!(node, Node::Element(_))) else {
        panic!("no root")
    };
    root
}

fn text(open: &mut [Element], raw: &str) {
    assert!(!raw.contains('>'), "{raw}");
    if !raw.is_empty() {
        open.last_mut().unwrap().children.push(Node::Text(decoded(raw)));
    }
}

fn start(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut element = Element { name: name.into(), ..Element::default() };
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").unwrap();
        let (value, after) = value.split_once('"').unwrap();
        assert!(element.get(key).is_none(), "{key} twice");
        element.attributes.push((key.into(), decoded(value)));
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
    element
}

fn decoded(raw: &str) -> String {
    let mut parts = raw.split('&');
    let mut text = parts.next().unwrap().to_string();
    for part in parts {
        let (entity, rest) = part.split_once(';').unwrap();
        let c = ["lt<", "gt>", "amp&", "quot\"", "#13\r"].iter().find_map(|e| e.strip_prefix(entity)).unwrap();
        [c, rest].iter().for_each(|part| text.push_str(part));
    }
    text
}

/// Children that `body` and what is below it may have, text where there may be some.
fn allowed(name: &str) -> (&'static [&'static str], bool) {
    const BLOCKS: &[&str] = &["p", "ab", "list", "table", "quote", "gap"];
    match name {
        "body" => (&["div"], false),
        "div" => (&["head", "div", "p", "ab", "list", "table", "quote", "gap"], false),
        "list" => (&["item"], false),
        "table" => (&["head", "row", "gap"], false),
        "gap" => (&[], false),
        "row" => (&["cell"], false),
        "item" | "cell" | "quote" => (BLOCKS, false),
        "p" => (&["seg", "code", "lb"], true),
        "head" | "ab" => (&["seg", "lb"], true),
        "lb" => (&[], false),
        "seg" => (&["lb"], true),
        "code" => (&[], true),
        other => panic!("<{other}>"),
    }
}

/// Panics where an element of the text does not nest as TEI asks; collects the identifiers.
pub fn check(element: &Element, ids: &mut BTreeSet<String>) {
    let (names, text) = allowed(&element.name);
    for node in &element.children {
        match node {
            Node::Element(child) => assert!(names.contains(&child.name.as_str()), "{} in {}", child.name, element.name),
            Node::Text(content) => assert!(text || content.trim().is_empty(), "text in {}", element.name),
        }
    }
    let children: Vec<&str> = element.elements().map(|child| child.name.as_str()).collect();
    let items: Vec<&str> = children.iter().copied().filter(|c| *c != "gap").collect();
    match element.name.as_str() {
        // A heading first, sections last.
        "div" => assert!(items.iter().rposition(|c| *c == "head").is_none_or(|at| at == 0)),
        "lb" => {}
        "gap" => {
            assert!(element.get("quantity").is_some_and(|n| n.parse::<u32>().unwrap() > 0));
            assert!(element.get("reason").is_some_and(|reason| !reason.is_empty()));
        }
        "table" => {
            assert!(children.contains(&"row") && items.iter().rposition(|c| *c == "head").is_none_or(|at| at == 0))
        }
        _ => assert!(text || !children.is_empty(), "{} is empty", element.name),
    }
    if let Some(first) = children.iter().position(|c| *c == "div") {
        assert!(children[first..].iter().all(|c| *c == "div"), "{children:?}");
    }
    if let Some(id) = element.get("xml:id") {
        assert!(id.starts_with(|c: char| c.is_ascii_alphabetic()) && ids.insert(id.into()), "{id}");
    }
    element.elements().for_each(|child| check(child, ids));
}
