//! The words that bylines begin with.

/// First words of bylines; words with letters outside ASCII in each case that occurs.
const PREFIXES: [&str; 26] = [
    "by ",
    "von ",
    "par ",
    "por ",
    "di ",
    "door ",
    "autor",
    "author",
    "auteur",
    "автор",
    "Автор",
    "АВТОР",
    "written",
    "posted",
    "text",
    "von:",
    "by:",
    "od ",
    "av ",
    "af ",
    "foto",
    "geschrieben",
    "verfasst",
    "redak",
    "publi",
    "yazar",
];

/// Longest byline, in bytes.
const MAX_BYLINE: usize = 200;

/// Whether a text begins as bylines do.
pub fn is_byline(text: &str) -> bool {
    let bytes = text.as_bytes();
    let first = bytes.first().map_or(0, u8::to_ascii_lowercase);
    let starts = |lead: &&str| bytes.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead.as_bytes()));
    let mut leads = PREFIXES.iter().filter(|lead| lead.as_bytes().first() == Some(&first));
    // Most texts begin with another letter.
    is_first_letter(first) && bytes.len() < MAX_BYLINE && leads.any(starts)
}

/// Whether some byline begins with the byte, which is in lower case.
fn is_first_letter(byte: u8) -> bool {
    matches!(byte, b'a' | b'b' | b'd' | b'f' | b'g' | b'o' | b'p' | b'r' | b't' | b'v' | b'w' | b'y' | 0xd0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_is_found() {
        for prefix in PREFIXES {
            assert!(is_byline(&format!("{prefix}Jane Doe")), "{prefix}");
        }
        assert!(is_byline("BY Jane Doe") && !is_byline("bystander") && !is_byline(""));
        assert!(!is_byline(&format!("By {}", "x".repeat(MAX_BYLINE))));
    }
}
