//! Patterns with `%` for any run of characters, `_` for any one, and `\` before one that is meant as
//! it is.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Run,
    Any,
    One(char),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<Part>);

impl Pattern {
    pub fn new(pattern: &str) -> Pattern {
        let mut parts = Vec::new();
        let mut chars = pattern.chars();
        while let Some(c) = chars.next() {
            let part = match c {
                '%' => Part::Run,
                '_' => Part::Any,
                '\\' => Part::One(chars.next().unwrap_or('\\')),
                c => Part::One(c),
            };
            // Two runs are one.
            if part != Part::Run || parts.last() != Some(&Part::Run) {
                parts.push(part);
            }
        }
        Pattern(parts)
    }

    /// What every match begins with.
    pub fn prefix(&self) -> String {
        let literal = |part: &Part| if let Part::One(c) = part { Some(*c) } else { None };
        self.0.iter().map_while(literal).collect()
    }

    /// At most the product of both lengths in steps.
    pub fn matches(&self, text: &str) -> bool {
        let (mut parts, mut chars) = (self.0.as_slice(), text.chars());
        // Where the last run began, and what it has not yet taken.
        let mut retry: Option<(&[Part], std::str::Chars)> = None;
        loop {
            let before = chars.clone();
            let fits = match (parts.split_first(), chars.next()) {
                (Some((Part::Run, rest)), _) => {
                    parts = rest;
                    chars = before.clone();
                    retry = Some((rest, before));
                    continue;
                }
                (Some((Part::Any, rest)), Some(_)) => Some(rest),
                (Some((Part::One(want), rest)), Some(c)) if *want == c => Some(rest),
                (None, None) => return true,
                _ => None,
            };
            match (fits, &mut retry) {
                (Some(rest), _) => parts = rest,
                (None, Some((after, taken))) => {
                    if taken.next().is_none() {
                        return false;
                    }
                    parts = after;
                    chars = taken.clone();
                }
                (None, None) => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn runs_ones_and_escapes() {
        for (pattern, text, want) in [
            ("", "", true),
            ("", "a", false),
            ("%", "", true),
            ("cz,%", "cz,example)/", true),
            ("cz,%", "com,cz,", false),
            ("%.cz", "www.a.cz.cz", true),
            ("%a%b", "xaxb.b", true),
            ("%a%b", "xbxa", false),
            ("_é_", "aéč", true),
            ("_", "", false),
            ("50\\%", "50%", true),
            ("50\\%", "50x", false),
            ("a\\", "a\\", true),
        ] {
            assert_eq!(Pattern::new(pattern).matches(text), want, "{pattern} {text}");
        }
        assert_eq!(Pattern::new("cz\\_,a_b").prefix(), "cz_,a");
    }

    #[test]
    fn many_runs_end() {
        assert!(!Pattern::new(&"%a".repeat(200)).matches(&"a".repeat(199)));
        assert!(Pattern::new(&"%a".repeat(200)).matches(&"a".repeat(2000)));
        assert!(!Pattern::new(&format!("{}b", "%a".repeat(200))).matches(&"a".repeat(2000)));
    }

    /// By definition, exponential.
    fn slow(parts: &[Part], text: &[char]) -> bool {
        match parts.split_first() {
            None => text.is_empty(),
            Some((Part::Run, rest)) => (0..=text.len()).any(|n| slow(rest, &text[n..])),
            Some((part, rest)) => text
                .split_first()
                .is_some_and(|(c, tail)| (*part == Part::Any || *part == Part::One(*c)) && slow(rest, tail)),
        }
    }

    proptest! {
        #[test]
        fn as_defined(pattern in "[ab%_\\\\]{0,8}", text in "[abé]{0,10}") {
            let pattern = Pattern::new(&pattern);
            let chars: Vec<char> = text.chars().collect();
            prop_assert_eq!(pattern.matches(&text), slow(&pattern.0, &chars));
            prop_assert!(!pattern.matches(&text) || text.starts_with(&pattern.prefix()));
        }
    }
}
