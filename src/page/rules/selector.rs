//! One selector of a rule, and its purpose.

use std::fmt;

use lol_html::errors::SelectorError;

/// A field of the metadata that a rule can give values for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MetadataField {
    Title,
    Author,
    Date,
    Modified,
    Section,
    Keywords,
    Sitename,
    License,
}

impl MetadataField {
    /// All fields, in the order of [`super::Rule::selectors`].
    pub const ALL: [MetadataField; 8] = [
        MetadataField::Title,
        MetadataField::Author,
        MetadataField::Date,
        MetadataField::Modified,
        MetadataField::Section,
        MetadataField::Keywords,
        MetadataField::Sitename,
        MetadataField::License,
    ];

    /// The key of the field in a rules file.
    pub fn key(self) -> &'static str {
        match self {
            MetadataField::Title => "title",
            MetadataField::Author => "author",
            MetadataField::Date => "date",
            MetadataField::Modified => "modified",
            MetadataField::Section => "section",
            MetadataField::Keywords => "keywords",
            MetadataField::Sitename => "sitename",
            MetadataField::License => "license",
        }
    }

    /// Whether every match gives a value, not only the first.
    pub fn is_list(self) -> bool {
        matches!(self, MetadataField::Author | MetadataField::Keywords)
    }
}

/// The purpose of a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The text inside the element is content.
    Content,
    /// The text inside the element is boilerplate.
    Drop,
    /// The text inside the element, or one of its attributes, is a value of the field.
    Metadata(MetadataField),
}

/// A selector as written and in the form that `lol_html` matches. It is displayed as it stands in the rule:
/// `metadata.title = "h1"`.
#[derive(Debug, Clone)]
pub struct Selector {
    /// The purpose of the selector.
    pub purpose: Purpose,
    /// The selector as written, with the attribute.
    pub written: String,
    /// Name of the attribute that holds the value; None if the text of the element is the value.
    pub attribute: Option<String>,
    pub(in crate::page) css: lol_html::Selector,
}

impl Selector {
    /// Parses a selector; only one for metadata may have `@attribute` at its end. The error is a sentence.
    pub(super) fn parse(purpose: Purpose, written: &str) -> Result<Selector, String> {
        sized(written)?;
        let (css, attribute) = match purpose {
            Purpose::Metadata(_) => split_attribute(written),
            _ => (written, None),
        };
        let css = css.parse().map_err(explained)?;
        Ok(Selector { purpose, written: written.into(), attribute: attribute.map(str::to_lowercase), css })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.purpose {
            Purpose::Content => write!(f, "content = {:?}", self.written),
            Purpose::Drop => write!(f, "drop = {:?}", self.written),
            Purpose::Metadata(field) => write!(f, "metadata.{} = {:?}", field.key(), self.written),
        }
    }
}

/// Bytes of a selector at most.
const LONGEST: usize = 4096;
/// Most blanks and `>` in a selector, which bound the number of its steps; and most brackets. `lol_html` parses nested
/// brackets and matches steps by recursion, so that a selector without end would end the program.
const MOST_STEPS: usize = 200;
const MOST_BRACKETS: usize = 32;

/// Refuses a selector that is too long or too deep to be parsed.
fn sized(written: &str) -> Result<(), String> {
    let count = |wanted: &dyn Fn(u8) -> bool| written.bytes().filter(|&byte| wanted(byte)).count();
    if written.len() > LONGEST {
        return Err(format!("it has {} bytes; at most {LONGEST} are allowed", written.len()));
    }
    if count(&|byte| byte.is_ascii_whitespace() || byte == b'>') > MOST_STEPS {
        return Err(format!("it has more than {MOST_STEPS} steps from element to element"));
    }
    if count(&|byte| matches!(byte, b'(' | b'[' | b'{')) > MOST_BRACKETS {
        return Err(format!("it has more than {MOST_BRACKETS} brackets"));
    }
    Ok(())
}

/// `time@datetime` at its `@`, unless that stands inside `[…]`.
fn split_attribute(written: &str) -> (&str, Option<&str>) {
    let name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
    };
    match written.rsplit_once('@') {
        Some((css, attribute)) if name(attribute.trim()) => (css.trim_end(), Some(attribute.trim())),
        _ => (written, None),
    }
}

fn explained(error: SelectorError) -> String {
    match error {
        SelectorError::UnsupportedCombinator(c) => {
            format!(
                "`{c}` is not supported, only descendants (`a b`) and children (`a > b`): pages are read in one pass"
            )
        }
        SelectorError::UnsupportedPseudoClassOrElement | SelectorError::UnsupportedSyntax => "of pseudo-classes only \
             `:first-child`, `:first-of-type`, `:nth-child`, `:nth-of-type` and `:not` with simple selectors are \
             supported: pages are read in one pass"
            .into(),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLE: Purpose = Purpose::Metadata(MetadataField::Title);

    #[test]
    fn attributes_stand_after_the_last_at_sign() {
        for (written, css, attribute) in [
            ("time.x@dateTime", "time.x", Some("dateTime")),
            ("meta[property='og:title'] @ content", "meta[property='og:title']", Some("content")),
            ("a[href^='mailto:a@b']", "a[href^='mailto:a@b']", None),
            ("a[href='a@b']@href", "a[href='a@b']", Some("href")),
            ("h1@", "h1@", None),
            ("img@data-src", "img", Some("data-src")),
        ] {
            assert_eq!(split_attribute(written), (css, attribute), "{written}");
        }
        assert_eq!(Selector::parse(TITLE, "time@dateTime").unwrap().attribute.as_deref(), Some("datetime"));
    }

    #[test]
    fn what_cannot_be_matched_is_refused_with_the_reason() {
        for (css, part) in [
            ("h1 + p", "`+` is not supported"),
            ("h1 ~ p", "`~` is not supported"),
            ("p:last-child", "only `:first-child`"),
            ("div:has(p)", "only `:first-child`"),
            ("p::before", "only `:first-child`"),
            ("a:hover", "only `:first-child`"),
            (":is(a, b)", "only `:first-child`"),
            ("p:not(a b)", "only `:first-child`"),
            ("svg|a", "namespace"),
            ("", "empty"),
            ("div >", "combinator"),
            ("p..x", "class name"),
            ("h1@", "nexpected"),
        ] {
            let error = Selector::parse(TITLE, css).unwrap_err();
            assert!(error.contains(part), "{css}: {error}");
        }
        assert!(Selector::parse(Purpose::Content, "p@class").is_err(), "content has no attributes");
    }

    #[test]
    fn selectors_without_end_are_refused() {
        for (css, part) in [
            (":not(".repeat(600) + "a" + &")".repeat(600), "brackets"),
            ("a ".repeat(2000), "steps"),
            ("a>".repeat(2000) + "a", "steps"),
            ("a,".repeat(100_000) + "a", "bytes"),
        ] {
            let error = Selector::parse(TITLE, &css).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        assert!(Selector::parse(TITLE, &("a ".repeat(100) + "a")).is_ok());
    }

    #[test]
    fn selectors_show_as_written() {
        let shown = |purpose| Selector::parse(purpose, "p.a").unwrap().to_string();
        assert_eq!(shown(TITLE), "metadata.title = \"p.a\"");
        assert_eq!(shown(Purpose::Drop), "drop = \"p.a\"");
        assert_eq!(shown(Purpose::Content), "content = \"p.a\"");
    }
}
