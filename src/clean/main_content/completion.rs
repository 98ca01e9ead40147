//! Blocks that are content because of what stands on both sides of them: the scores of single blocks leave holes in lists,
//! and sections without their headings.

use super::{BlockKind, Decision, Page, Reason};
use crate::page::blocks::{Block, Tag};

/// Characters of text below a heading that stays with it.
const SECTION_CHARACTERS: u32 = 80;
/// Items of a list that are counted below a heading.
const MAX_ITEMS: usize = 40;

/// Revises the decisions about blocks between others that are content. `decisions` are those about the blocks of the page.
pub(super) fn complete(page: &Page<'_>, decisions: &mut [Decision]) {
    complete_lists(page, decisions);
    complete_terms(&page.blocks, decisions);
    complete_sections(&page.blocks, decisions);
}

/// The list whose item a block is, as the index of its container.
fn list_of(page: &Page<'_>, block: &Block) -> Option<u32> {
    let container = page.containers.get(block.container as usize)?;
    container.parent.filter(|_| container.tag == Tag::Li && block.kind == BlockKind::Li && !block.hidden)
}

/// Items between the first and the last one that are content, if there is as much content between these as there is other
/// text. Links lead away from a page more often than they are its text.
fn complete_lists(page: &Page<'_>, decisions: &mut [Decision]) {
    let mut begin = 0;
    for items in page.blocks.chunk_by(|a, b| list_of(page, a).is_some_and(|list| Some(list) == list_of(page, b))) {
        let end = begin + items.len();
        if let Some(decisions) = decisions.get_mut(begin..end).filter(|decisions| decisions.len() > 2) {
            complete_list(items, decisions);
        }
        begin = end;
    }
}

fn complete_list(items: &[Block], decisions: &mut [Decision]) {
    let is_content = |decision: &Decision| !decision.boilerplate;
    let Some((first, last)) = decisions.iter().position(is_content).zip(decisions.iter().rposition(is_content)) else {
        return;
    };
    let (mut content, mut others) = (0, 0);
    for (item, decision) in items.iter().zip(&*decisions).take(last + 1).skip(first) {
        *(if decision.boilerplate { &mut others } else { &mut content }) += item.characters;
    }
    if others <= content {
        let between = items.iter().zip(decisions).take(last).skip(first);
        let texts = between.filter(|(item, _)| item.link_characters * 2 <= item.characters);
        texts.for_each(|(_, decision)| keep(decision, Reason::List));
    }
}

/// Terms of descriptions that are content. Short descriptions are rather the facts of a profile.
fn complete_terms(blocks: &[Block], decisions: &mut [Decision]) {
    for at in (1..blocks.len()).rev() {
        let (Some([term, next]), Some([decision, after])) = (blocks.get(at - 1..=at), decisions.get_mut(at - 1..=at))
        else {
            continue;
        };
        let is_described = match next.kind {
            BlockKind::Dd => next.characters >= SECTION_CHARACTERS,
            BlockKind::Dt => after.reason == Reason::List,
            _ => false,
        };
        let is_term = term.kind == BlockKind::Dt && !term.hidden && term.all_lists == next.all_lists;
        if is_term && is_described && !after.boilerplate {
            keep(decision, Reason::List);
        }
    }
}

/// Headings between content and a text that is content: a long paragraph, or the items of a list.
fn complete_sections(blocks: &[Block], decisions: &mut [Decision]) {
    for at in 1..blocks.len() {
        let (heading, below) = match blocks.get(at..) {
            Some([heading, below @ ..]) if heading.heading && !heading.hidden => (heading, below),
            _ => continue,
        };
        let Some([before, decision, after @ ..]) = decisions.get_mut(at - 1..) else { continue };
        let items = below.iter().take(MAX_ITEMS).take_while(|block| block.list_depth > heading.list_depth).count();
        let texts = below.iter().zip(after).take(items.max(1));
        let texts = texts.take_while(|(text, decision)| !text.heading && !decision.boilerplate);
        let characters: u32 = texts.map(|(text, _)| text.characters).sum();
        if !before.boilerplate && characters >= SECTION_CHARACTERS {
            keep(decision, Reason::Heading);
        }
    }
}

fn keep(decision: &mut Decision, reason: Reason) {
    if decision.boilerplate {
        *decision = Decision { boilerplate: false, reason, ..*decision };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::{Options, page};

    /// The texts that are content if those with a `+` were so before.
    fn kept(html: &str) -> Vec<String> {
        let page = page(html, &Options::default());
        let decision = |block: &Block| Decision {
            boilerplate: !block.text.starts_with('+'),
            score: Some(0.5),
            reason: Reason::Length,
        };
        let mut decisions: Vec<Decision> = page.blocks.iter().map(decision).collect();
        complete(&page, &mut decisions);
        let kept = page.blocks.iter().zip(&decisions).filter(|(_, decision)| !decision.boilerplate);
        kept.map(|(block, decision)| format!("{}:{}", block.text, decision.reason)).collect()
    }

    #[test]
    fn lists_have_no_holes() {
        let list = |items: &[&str]| kept(&items.iter().map(|item| format!("<li>{item}")).collect::<String>());
        assert_eq!(list(&["no", "+a one", "b", "+c", "no"]), ["+a one:length", "b:list", "+c:length"]);
        assert_eq!(list(&["+a", "a long text of another kind", "+b"]), ["+a:length", "+b:length"]);
        assert_eq!(list(&["+a", "<a href=/b>b</a>", "+c"]).len(), 2, "a link");
        let two = "<ul><li>+one<li>+two</ul><ul><li>three<li>+four</ul>";
        assert_eq!(kept(two).len(), 3, "the list ends");
        assert_eq!(kept("<ul><li>+one<li hidden>two<li>+three</ul>").len(), 2);
    }

    #[test]
    fn headings_stay_with_their_text() {
        let text = format!("<p>+{}</p>", "word ".repeat(20));
        let section = |before: &str, after: &str| kept(&format!("<p>{before}</p><h2>Tides</h2>{after}"));
        assert!(section("+a", &text).contains(&"Tides:heading".to_string()));
        assert_eq!(section("a", &text).len(), 1, "what stands before it is no content");
        assert_eq!(section("+a", "<p>+short</p>").len(), 2);
        assert_eq!(section("+a", "<p>not</p>").len(), 1);
        let items = format!("<ul>{}</ul>", "<li>+one of the items".repeat(5));
        assert!(section("+a", &items).contains(&"Tides:heading".to_string()));
        assert_eq!(section("+a", "<ul><li>+one<li>+two</ul>").len(), 3);
        assert_eq!(section("+a", "<p>+short<p>+shorter, and forty letters<p>+and another one of forty").len(), 4);
    }

    #[test]
    fn terms_stay_with_what_is_said_of_them() {
        let text = "word ".repeat(20);
        let list = |items: &str| kept(&format!("<dl>{items}</dl>"));
        assert_eq!(list(&format!("<dt>open()<dd>+{text}")).first().unwrap(), "open():list");
        assert_eq!(list(&format!("<dt>a<dt>b<dd>+{text}")).len(), 3);
        assert_eq!(list(&format!("<dt>a<dd>{text}")).len(), 0);
        assert_eq!(list("<dt>Posts<dd>+33").len(), 1);
        assert_eq!(list(&format!("<dt>a<dd><dl><dt>b<dd>+{text}</dl>")).len(), 2);
    }
}
