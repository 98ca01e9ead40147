//! Why a block is content or boilerplate: the column `reason`.

use std::fmt;
use std::sync::{LazyLock, PoisonError, RwLock};

use fxhash::FxHashMap;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! reasons {
    ($($reason:ident $name:literal $what:literal)*) => {
        /// Why a block is content or boilerplate. Four bytes.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Reason {
            #[default]
            $(#[doc = $what] $reason,)*
            /// A rule of the site decided.
            Rule(RuleName),
        }

        /// All reasons but site rules, with their names in the column.
        const NAMED: &[(&str, Reason)] = &[$(($name, Reason::$reason),)*];

        impl Reason {
            /// The name in the column; of a site rule `rule:` and the rule's name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Reason::$reason => $name,)*
                    Reason::Rule(rule) => rule.prefixed(),
                }
            }
        }
    };
}

reasons! {
    Length "length" "Its number of characters or words."
    Links "links" "Its share of text in links."
    StopWords "stopwords" "Its share of stop words."
    Sentences "sentences" "Commas, ends of sentences, how the text begins and ends."
    Form "form" "Capitals, digits, separators; for jusText a sign of copyright."
    Element "element" "Its element, bold text, hidden text; for jusText a list of choices."
    Repetition "repetition" "The same text elsewhere on the page."
    Title "title" "Words of the page's title."
    Position "position" "Its position on the page."
    Page "page" "The kind of page."
    Names "names" "Names of its containers: class, id, role, itemprop."
    Words "words" "Words that are typical of short blocks in templates, or in texts."
    Section "section" "The heading before it, and the other blocks under that."
    Container "container" "Text and links of its containers; elements around it."
    Alike "alike" "Containers like its own."
    Neighbours "neighbours" "The blocks before and after it."
    Own "own" "Its score by itself, in the second stage of the main cleaner."
    Wet "wet" "It comes from a WET record, to which no cleaner is applied."
    Template "template" "It recurs on many pages of the host."
    List "list" "The items of its list before and behind it are content."
    Heading "heading" "It is the heading of content that follows other content."
}

impl Reason {
    /// The reason with a name in the column. Only for reading tables: comparing values needs no names. None for an
    /// unknown name, and for a rule if there are too many names of rules.
    pub fn by_name(name: &str) -> Option<Reason> {
        match name.strip_prefix(RULE) {
            Some(rule) => RuleName::intern(rule).map(Reason::Rule),
            None => NAMED.iter().find(|(known, _)| *known == name).map(|(_, reason)| *reason),
        }
    }

    /// Whether a site rule decided, and no cleaner.
    pub fn is_rule(self) -> bool {
        matches!(self, Reason::Rule(_))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the names of site rules begin with in the column.
const RULE: &str = "rule:";

/// Names of site rules that a process can hold, the empty one included.
const MAX_RULE_NAMES: usize = 1 << 16;

/// The name of a site rule: two bytes that stand for a string in a table of the process. Its default is the empty name.
/// In files it is the string.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct RuleName(u16);

/// The names of site rules that the process has met, with [`RULE`] before each. They are never freed.
static RULE_NAMES: LazyLock<RwLock<RuleNameTable>> = LazyLock::new(|| RwLock::new(RuleNameTable::new(MAX_RULE_NAMES)));

impl RuleName {
    /// The handle of a name. None if the process has met 65,535 other names.
    pub fn intern(name: &str) -> Option<RuleName> {
        let known = RULE_NAMES.read().unwrap_or_else(PoisonError::into_inner).index(name);
        let index = known.or_else(|| RULE_NAMES.write().unwrap_or_else(PoisonError::into_inner).insert(name))?;
        Some(RuleName(index))
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.prefixed().strip_prefix(RULE).unwrap_or_default()
    }

    fn prefixed(self) -> &'static str {
        RULE_NAMES.read().unwrap_or_else(PoisonError::into_inner).prefixed(self.0)
    }
}

/// A table of names: strings to numbers and back.
struct RuleNameTable {
    prefixed: Vec<&'static str>,
    indices: FxHashMap<&'static str, u16>,
    limit: usize,
}

impl RuleNameTable {
    /// A table of at most so many names, with the empty one as the first.
    fn new(limit: usize) -> RuleNameTable {
        RuleNameTable { prefixed: vec![RULE], indices: FxHashMap::from_iter([("", 0)]), limit }
    }

    fn index(&self, name: &str) -> Option<u16> {
        self.indices.get(name).copied()
    }

    /// The index of a name, which is added if it is not there; None if the table is full.
    fn insert(&mut self, name: &str) -> Option<u16> {
        if let Some(index) = self.index(name) {
            return Some(index);
        }
        let index = u16::try_from(self.prefixed.len()).ok().filter(|&index| usize::from(index) < self.limit)?;
        let prefixed: &'static str = String::leak([RULE, name].concat());
        self.prefixed.push(prefixed);
        self.indices.insert(prefixed.strip_prefix(RULE)?, index);
        Some(index)
    }

    fn prefixed(&self, index: u16) -> &'static str {
        self.prefixed.get(usize::from(index)).copied().unwrap_or(RULE)
    }
}

impl fmt::Debug for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.name(), f)
    }
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for RuleName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for RuleName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RuleName, D::Error> {
        struct NameVisitor;

        impl Visitor<'_> for NameVisitor {
            type Value = RuleName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a site rule")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<RuleName, E> {
                RuleName::intern(name).ok_or_else(|| E::custom("more than 65,535 names of site rules"))
            }
        }

        deserializer.deserialize_str(NameVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_reasons_and_back() {
        for (name, reason) in NAMED {
            assert_eq!((Reason::by_name(name), reason.to_string().as_str()), (Some(*reason), *name));
        }
        let rule = Reason::by_name("rule:news").unwrap();
        assert_eq!((rule.name(), rule.is_rule(), Reason::Links.is_rule()), ("rule:news", true, false));
        assert_eq!(Some(rule), RuleName::intern("news").map(Reason::Rule));
        assert_eq!(Reason::Rule(RuleName::default()).name(), "rule:");
        assert_eq!(Reason::by_name("no reason"), None);
    }

    #[test]
    fn reasons_are_small() {
        assert!(size_of::<Reason>() <= 4);
    }

    #[test]
    fn files_have_the_names_of_rules() {
        let reasons = [Reason::Rule(RuleName::intern("a rule").unwrap()), Reason::StopWords];
        assert_eq!(serde_json::to_string(&reasons).unwrap(), r#"[{"rule":"a rule"},"stop_words"]"#);
        let bytes = postcard::to_allocvec(&reasons).unwrap();
        assert!(bytes.windows(6).any(|window| window == b"a rule"));
        assert_eq!(postcard::from_bytes::<[Reason; 2]>(&bytes).unwrap(), reasons);
    }

    #[test]
    fn a_full_table_takes_no_more_names() {
        let mut names = RuleNameTable::new(3);
        assert_eq!(["a", "b", "a", "", "c"].map(|name| names.insert(name)), [Some(1), Some(2), Some(1), Some(0), None]);
        assert_eq!((names.prefixed(2), names.index("b")), ("rule:b", Some(2)));
    }
}
