//! Why a paragraph was kept or left out, in a word.

macro_rules! groups {
    ($($group:ident $name:literal $what:literal)*) => {
        /// A group of features, as reasons name it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Group {
            $(#[doc = $what] $group,)*
        }

        /// All groups.
        pub const GROUPS: &[Group] = &[$(Group::$group,)*];

        impl Group {
            /// The name in the column `reason`.
            pub fn name(self) -> &'static str {
                match self { $(Group::$group => $name,)* }
            }
        }
    };
}

groups! {
    Length "length" "Characters and words."
    Links "links" "Text in links."
    StopWords "stopwords" "Share of common words."
    Sentences "sentences" "Commas, ends of sentences, how it begins and ends."
    Form "form" "Capitals, digits, signs between words."
    Element "element" "The element, bold text, hidden text."
    Repetition "repetition" "The same text elsewhere on the page."
    Title "title" "Words of the page's title."
    Position "position" "Where on the page."
    Page "page" "What kind of page."
    Names "names" "Names of the containers: class, id, role, itemprop."
    Words "words" "Words that short blocks of templates, or of texts, are made of."
    Section "section" "The heading before it, and what else stands under it."
    Container "container" "Text and links of its containers; elements around it."
    Alike "alike" "Containers like its own."
    Neighbours "neighbours" "Blocks before and after."
    Own "own" "What the first round said of the block itself."
}

/// What speaks for a verdict, group by group.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts(pub [f32; GROUPS.len()]);

impl Parts {
    /// Adds what one step of a tree changed.
    pub fn add(&mut self, group: u8, change: f32) {
        if let Some(part) = self.0.get_mut(usize::from(group)) {
            *part += change;
        }
    }

    /// Adds what others changed.
    pub fn join(&mut self, other: &Parts) {
        self.0.iter_mut().zip(&other.0).for_each(|(part, other)| *part += other);
    }

    /// The group that speaks loudest for content, or against it.
    pub fn loudest(&self, content: bool) -> Group {
        let side = |part: f32| if content { part } else { -part };
        let mut best = (Group::Length, f32::MIN);
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
    fn the_loudest_speaks_for_the_verdict() {
        let mut parts = Parts::default();
        parts.add(Group::Links as u8, -2.0);
        parts.add(Group::Names as u8, 1.5);
        parts.add(200, 9.0);
        assert_eq!((parts.loudest(true), parts.loudest(false)), (Group::Names, Group::Links));
    }
}
