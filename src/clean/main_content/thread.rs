//! Pages that are nothing but comments, as of a link that readers discuss: there they are the content, and what their names say
//! of them is that of comments below a story.

use super::ScoredPage;
use super::container_names::{ContainerTrait, ContainerTraits};
use crate::clean::page_profile::PageProfile;
use crate::page::blocks::{Block, Page};

/// Characters of a block that is prose.
const PROSE: u32 = 80;
/// Fewest characters of the prose in comments, and their least share of the prose of the page.
const LEAST_COMMENTS: u32 = 500;
const LEAST_SHARE: f64 = 0.8;
/// Largest share of that prose that is content by the names: forums have posts that are named like comments, and stay as they are.
const MOST_KEPT: f64 = 0.25;

/// Whether nearly all prose of a page stands among comments, hardly any of it is content, nor any other prose, and nothing is named
/// as a story is, which may be a picture.
pub fn is_thread(page: &Page<'_>, profile: &PageProfile, scored: &ScoredPage) -> bool {
    let commented = commented(page, profile);
    let is_story = |traits: ContainerTraits| traits.has(ContainerTrait::Article) || traits.has(ContainerTrait::Body);
    let mut others = profile.names().iter().zip(&commented).filter(|(_, commented)| !**commented);
    if !commented.contains(&true) || others.any(|(names, _)| is_story(names.traits)) {
        return false;
    }
    let (mut all, mut in_comments, mut kept) = (0u32, 0u32, 0u32);
    for (block, scores) in page.blocks.iter().zip(&scored.scores).filter(|(block, _)| is_prose(block)) {
        all = all.saturating_add(block.characters);
        let is_kept = scores.score() > scored.threshold;
        if commented.get(block.container as usize) == Some(&true) {
            in_comments = in_comments.saturating_add(block.characters);
            kept = kept.saturating_add(if is_kept { block.characters } else { 0 });
        } else if is_kept {
            return false;
        }
    }
    let are_few = f64::from(kept) <= MOST_KEPT * f64::from(in_comments);
    are_few && in_comments >= LEAST_COMMENTS && f64::from(in_comments) >= LEAST_SHARE * f64::from(all)
}

fn is_prose(block: &Block) -> bool {
    block.characters >= PROSE && block.link_characters * 2 < block.characters && !block.hidden
}

/// For each container whether it or one around it is named after comments.
fn commented(page: &Page<'_>, profile: &PageProfile) -> Vec<bool> {
    let mut commented: Vec<bool> = Vec::with_capacity(page.containers.len());
    for (container, names) in page.containers.iter().zip(profile.names()) {
        let around = container.parent.and_then(|parent| commented.get(parent as usize)).copied().unwrap_or_default();
        commented.push(around || names.traits.has(ContainerTrait::Comment));
    }
    commented
}
