//! The patterns of `like`: `%` matches any characters, `_` any one character, and `\` escapes the next one.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternPart {
    AnyRun,
    AnyCharacter,
    Character(char),
}

/// A compiled pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<PatternPart>);

impl Pattern {
    /// Compiles a pattern; every text is a valid one.
    pub fn new(pattern: &str) -> Pattern {
        let mut parts = Vec::new();
        let mut chars = pattern.chars();
        while let Some(c) = chars.next() {
            let part = match c {
                '%' => PatternPart::AnyRun,
                '_' => PatternPart::AnyCharacter,
                '\\' => PatternPart::Character(chars.next().unwrap_or('\\')),
                c => PatternPart::Character(c),
            };
            // Two adjacent runs match the same as one.
            if part != PatternPart::AnyRun || parts.last() != Some(&PatternPart::AnyRun) {
                parts.push(part);
            }
        }
        Pattern(parts)
    }

    /// The text with which every match begins.
    pub fn prefix(&self) -> String {
        let literal = |part: &PatternPart| if let PatternPart::Character(c) = part { Some(*c) } else { None };
        self.0.iter().map_while(literal).collect()
    }

    /// Whether the whole text matches, in at most as many steps as the product of both lengths.
    pub fn matches(&self, text: &str) -> bool {
        let (mut parts, mut chars) = (self.0.as_slice(), text.chars());
        // The pattern after the last `%`, and the text that this `%` has not yet consumed.
        let mut retry: Option<(&[PatternPart], std::str::Chars)> = None;
        loop {
            let before = chars.clone();
            let fits = match (parts.split_first(), chars.next()) {
                (Some((PatternPart::AnyRun, rest)), _) => {
                    parts = rest;
                    chars = before.clone();
                    retry = Some((rest, before));
                    continue;
                }
                (Some((PatternPart::AnyCharacter, rest)), Some(_)) => Some(rest),
                (Some((PatternPart::Character(want), rest)), Some(c)) if *want == c => Some(rest),
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
    fn slow(parts: &[PatternPart], text: &[char]) -> bool {
        match parts.split_first() {
            None => text.is_empty(),
            Some((PatternPart::AnyRun, rest)) => (0..=text.len()).any(|n| slow(rest, &text[n..])),
            Some((part, rest)) => text.split_first().is_some_and(|(c, tail)| {
                (*part == PatternPart::AnyCharacter || *part == PatternPart::Character(*c)) && slow(rest, tail)
            }),
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
