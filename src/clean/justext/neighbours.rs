//! The second step of jusText: the class of a block by its neighbours.

use super::{Class, Params};
use crate::clean::Neighbour;

/// The final classes of a page's blocks, only good and bad, from their context-free ones.
pub fn final_classes(blocks: &[Neighbour], params: &Params) -> Vec<Class> {
    let mut classes: Vec<Class> = blocks.iter().map(|block| block.context_free).collect();
    let headings = !params.no_headings;
    if headings && params.heading_prepass {
        let is_short = |_: &Neighbour, class| class == Class::Short;
        raise_headings(blocks, &mut classes, params, is_short, Class::NearGood);
    }
    decide_short(&mut classes);
    decide_near_good(&mut classes);
    if headings {
        let lost = |block: &Neighbour, class| class == Class::Bad && block.context_free != Class::Bad;
        raise_headings(blocks, &mut classes, params, lost, Class::Good);
    }
    classes
}

/// For each block the class of its nearest neighbour in one direction that is good or bad, or near good if that counts.
/// The end of the page counts as bad.
fn nearest<'a>(classes: impl Iterator<Item = &'a Class>, near_good_counts: bool) -> Vec<Class> {
    let mut nearest = Class::Bad;
    classes
        .map(|&class| {
            let before = nearest;
            let counts = match class {
                Class::Good | Class::Bad => true,
                Class::NearGood => near_good_counts,
                Class::Short => false,
            };
            if counts {
                nearest = class;
            }
            before
        })
        .collect()
}

/// The nearest class before and after each block.
fn both_sides(classes: &[Class], near_good_counts: bool) -> Vec<(Class, Class)> {
    let before = nearest(classes.iter(), near_good_counts);
    let after = nearest(classes.iter().rev(), near_good_counts);
    before.into_iter().zip(after.into_iter().rev()).collect()
}

fn decide_short(classes: &mut [Class]) {
    let (firm, near) = (both_sides(classes, false), both_sides(classes, true));
    for ((class, firm), near) in classes.iter_mut().zip(firm).zip(near) {
        if *class != Class::Short {
            continue;
        }
        let good = match firm {
            (Class::Good, Class::Good) => true,
            (Class::Bad, Class::Bad) => false,
            (Class::Bad, _) => near.0 == Class::NearGood,
            _ => near.1 == Class::NearGood,
        };
        *class = if good { Class::Good } else { Class::Bad };
    }
}

/// In place and in order, as the reference: a decision counts for the blocks after it. That changes nothing, because a
/// near-good block turns bad only between two bad ones and good only beside a good one, but equality is the contract.
fn decide_near_good(classes: &mut [Class]) {
    let mut after = nearest(classes.iter().rev(), false);
    after.reverse();
    let mut before = Class::Bad;
    for (class, after) in classes.iter_mut().zip(after) {
        if *class == Class::NearGood {
            let bad = before == Class::Bad && after == Class::Bad;
            *class = if bad { Class::Bad } else { Class::Good };
        }
        if matches!(class, Class::Good | Class::Bad) {
            before = *class;
        }
    }
}

/// Sets the class of the headings that `wanted` selects if a good block follows within the longest heading distance.
///
/// Backwards, so that the distance to the next good block is known at each heading. A heading that is raised is no good
/// block for the headings before it: the reference goes forwards and has not raised it yet.
fn raise_headings(
    blocks: &[Neighbour],
    classes: &mut [Class],
    params: &Params,
    wanted: impl Fn(&Neighbour, Class) -> bool,
    raised: Class,
) {
    // Characters between this block and the next good one.
    let mut distance: Option<u32> = None;
    for (block, class) in blocks.iter().zip(classes).rev() {
        let before = *class;
        let is_near = distance.is_some_and(|distance| distance <= params.max_heading_distance);
        if block.heading && is_near && wanted(block, before) {
            *class = raised;
        }
        distance = match before {
            Class::Good => Some(0),
            _ => distance.map(|distance| distance.saturating_add(block.characters)),
        };
    }
}
