//! Features of what recurs on a page: containers with the same parent, element and class, and short texts.

use super::assessment_row::{AssessmentRow, share};
use super::kept::Judged;
use crate::clean::add_to_parents;
use crate::clean::groups::Groups;
use crate::clean::page_profile::Recurrence;
use crate::page::blocks::{Page, Tag};

/// Sums over the blocks in a container, or over the containers of a group.
#[derive(Debug, Clone, Copy, Default)]
struct Inside {
    containers: f32,
    characters: f32,
    linked: f32,
    prose: f32,
    kept: f32,
}

impl Inside {
    fn add(&mut self, other: &Inside) {
        self.containers += other.containers;
        self.characters += other.characters;
        self.linked += other.linked;
        self.prose += other.prose;
        self.kept += other.kept;
    }
}

/// Characters of a block that is prose.
const PROSE: u32 = 100;
/// Characters below which texts that recur are counted.
const SHORT: u32 = 40;
/// Fewest containers of a group.
const LEAST: f32 = 3.0;

/// Appends the features of the group with most text, and of the one with most containers.
pub fn push(row: &mut AssessmentRow, page: &Page<'_>, blocks: &[Judged<'_>], recurrences: &[Recurrence]) {
    let mut insides = vec![Inside::default(); page.containers.len()];
    let mut total = 0.0;
    for Judged { block, kept, .. } in blocks {
        let characters = block.characters as f32;
        total += characters;
        if let Some(inside) = insides.get_mut(block.container as usize) {
            inside.characters += characters;
            inside.linked += block.link_characters as f32;
            inside.prose += if block.characters > PROSE { characters } else { 0.0 };
            inside.kept += if *kept { characters } else { 0.0 };
        }
    }
    add_to_parents(&mut insides, &page.containers, Inside::add);
    let (most_text, most) = groups(page, &insides);
    let of = |group: &Inside| {
        [
            group.containers,
            share(group.characters, total),
            share(group.characters, group.containers),
            share(group.linked, group.characters),
            share(group.prose, group.characters),
            share(group.kept, group.characters),
        ]
    };
    let names = ["containers", "share", "mean", "link_share", "prose_share", "kept_share"];
    row.all("largest", names, &of(&most_text));
    row.all("longest", names, &of(&most));
    let short = || blocks.iter().zip(recurrences).filter(|(judged, _)| judged.block.characters < SHORT);
    let counts = || short().map(|(_, recurrence)| recurrence.all);
    row.push("recurring_text", counts().max().unwrap_or(0) as f32);
    let recurring = counts().filter(|count| *count >= 3).count();
    row.push("recurring_share", share(recurring as f32, blocks.len() as f32));
}

/// The group with most text and the one with most containers; the first of equals.
fn groups(page: &Page<'_>, insides: &[Inside]) -> (Inside, Inside) {
    let mut groups: Groups<(u32, Tag, u32), Inside> = Groups::default();
    for (container, inside) in page.containers.iter().zip(insides).filter(|(container, _)| container.tag != Tag::P) {
        let key = (container.parent.unwrap_or(u32::MAX), container.tag, container.same_names);
        groups.update(key, |group| group.add(&Inside { containers: 1.0, ..*inside }));
    }
    let (mut most_text, mut most) = (Inside::default(), Inside::default());
    for group in groups.values.into_iter().filter(|group| group.containers >= LEAST) {
        if group.characters > most_text.characters {
            most_text = group;
        }
        if group.containers > most.containers {
            most = group;
        }
    }
    (most_text, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::PageProfile;
    use crate::page::blocks::{Options, page};

    #[test]
    fn groups_of_like_containers_are_found() {
        let items: String = (0..5).map(|n| format!("<div class=card><p>Card number {n}</div>")).collect();
        let html = format!("<main><div class=top>One</div>{items}</main>");
        let page = page(&html, &Options::default());
        let judged = |block| Judged { block, kept: true, margin: None, stopwords: 0.0 };
        let blocks: Vec<Judged<'_>> = page.blocks.iter().map(judged).collect();
        let mut row = AssessmentRow { names: Some(Vec::new()), ..AssessmentRow::default() };
        push(&mut row, &page, &blocks, PageProfile::of(&page).recurrences());
        assert_eq!((row.values[0], row.values[2], row.values[5]), (5.0, 13.0, 1.0), "{row:?}");
        assert_eq!(row.names.unwrap().len(), row.values.len());
    }
}
