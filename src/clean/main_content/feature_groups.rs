//! Groups of features, and how much each contributes to a prediction: the reasons of the main cleaner.

use crate::clean::Reason;

macro_rules! groups {
    ($($group:ident $what:literal)*) => {
        /// A group of features. Each is the [`Reason`] of the same name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum FeatureGroup {
            $(#[doc = $what] $group,)*
        }

        /// All groups.
        pub const GROUPS: &[FeatureGroup] = &[$(FeatureGroup::$group,)*];

        impl From<FeatureGroup> for Reason {
            fn from(group: FeatureGroup) -> Reason {
                match group { $(FeatureGroup::$group => Reason::$group,)* }
            }
        }
    };
}

groups! {
    Length "Number of characters and words."
    Links "Text in links."
    StopWords "Share of stop words."
    Sentences "Commas, ends of sentences, how the text begins and ends."
    Form "Capitals, digits, separators."
    Element "The element, bold text, hidden text."
    Repetition "The same text elsewhere on the page."
    Title "Words of the page's title."
    Position "Where on the page."
    Page "The kind of page."
    Names "Names of the containers: class, id, role, itemprop."
    Words "Words that are typical of short blocks in templates, or in texts."
    Section "The heading before the block, and the other blocks under it."
    Container "Text and links of its containers; elements around it."
    Alike "Containers like its own."
    Neighbours "Blocks before and after."
    Own "The first stage's score of the block itself."
}

/// The contribution of each group to a prediction, in log-odds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Contributions(pub [f32; GROUPS.len()]);

impl Contributions {
    /// Adds the change of the expected value at one split.
    pub fn add(&mut self, group: u8, change: f32) {
        if let Some(part) = self.0.get_mut(usize::from(group)) {
            *part += change;
        }
    }

    /// Adds other contributions.
    pub fn join(&mut self, other: &Contributions) {
        self.0.iter_mut().zip(&other.0).for_each(|(part, other)| *part += other);
    }

    /// The groups that contribute anything, most first.
    pub fn ranked(&self) -> Vec<(Reason, f32)> {
        let parts = GROUPS.iter().zip(self.0).filter(|(_, part)| *part != 0.0);
        let mut ranked: Vec<(Reason, f32)> = parts.map(|(group, part)| ((*group).into(), part)).collect();
        ranked.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
        ranked
    }

    /// The group that contributes most to a decision for content, or against it.
    pub fn strongest(&self, content: bool) -> FeatureGroup {
        let side = |part: f32| if content { part } else { -part };
        let mut best = (FeatureGroup::Length, f32::MIN);
        for (&group, &part) in GROUPS.iter().zip(&self.0) {
            if side(part) > best.1 {
                best = (group, side(part));
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_group_contributes_to_the_decision() {
        let mut parts = Contributions::default();
        parts.add(FeatureGroup::Links as u8, -2.0);
        parts.add(FeatureGroup::Names as u8, 1.5);
        parts.add(200, 9.0);
        assert_eq!((parts.strongest(true), parts.strongest(false)), (FeatureGroup::Names, FeatureGroup::Links));
        assert_eq!(parts.ranked(), [(Reason::Links, -2.0), (Reason::Names, 1.5)]);
    }
}
