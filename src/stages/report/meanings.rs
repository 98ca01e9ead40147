//! What the names of reasons and warnings mean. The tables of `docs/columns.md` say it.

/// The meaning of a name, such as `status.404` or `near_duplicate`; empty for an unknown one.
pub fn meaning(name: &str) -> String {
    meaning_after("## Reasons", name)
}

/// The meaning of the reason for which a paragraph is dropped; some have the name of another reason of documents.
pub fn of_paragraph(name: &str) -> String {
    meaning_after("**Paragraphs**", name)
}

/// The meaning of a name by the first table row behind a heading.
fn meaning_after(heading: &str, name: &str) -> String {
    let text = include_str!("../../../docs/columns.md").split_once(heading).map_or("", |(_, text)| text);
    let rows = text.lines().filter_map(|line| {
        let (names, meaning) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
        names.contains('`').then_some((names, meaning))
    });
    let matches = |names: &str| {
        names.split('`').skip(1).step_by(2).any(|known| match known.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == known,
        })
    };
    let found = rows.into_iter().find(|(names, _)| matches(names));
    found.map_or(String::new(), |(_, meaning)| without_links(&meaning.replace('`', "")))
}

/// Markdown's links as their texts.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((label, target)) = link.split_once("](") else { break };
        out.push_str(before);
        out.push_str(label);
        rest = target.split_once(')').map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_meanings() {
        for name in
            ["status.404", "type.metadata", "content_type.image/png", "empty", "too_large", "poison", "no_record"]
        {
            assert!(meaning(name).len() > 10, "{name}");
        }
        for name in ["near_duplicate", "boilerplate", "no_text", "language", "stub", "document", "page.cut_text"] {
            assert!(!meaning(name).is_empty(), "{name}");
        }
        assert!(meaning("boilerplate").contains("all blocks") && of_paragraph("boilerplate").contains("cleaner"));
        assert_eq!(meaning("nonsense"), "");
        assert_eq!(without_links("a [b](c.md#d) e"), "a b e");
    }
}
