//! Licences: Creative Commons addresses → short names.

/// `CC BY-SA 4.0` for an address such as
/// `https://creativecommons.org/licenses/by-sa/4.0/deed.de`; `None` if the text holds none.
pub(super) fn creative_commons(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (_, path) = lower.split_once("creativecommons.org/")?;
    let mut parts = path.split(['/', '?', '#', ' ', '"']);
    let kind = parts.next()?;
    let code = parts.next()?;
    let version = parts.next().filter(|version| is_version(version));
    let name = match (kind, code) {
        ("publicdomain", "zero") => String::from("CC0"),
        ("publicdomain", "mark") => String::from("Public Domain Mark"),
        ("licenses", "publicdomain") => return Some(String::from("CC Public Domain")),
        ("licenses", code) if is_code(code) => format!("CC {}", code.to_ascii_uppercase()),
        _ => return None,
    };
    Some(version.map_or(name.clone(), |version| format!("{name} {version}")))
}

fn is_version(text: &str) -> bool {
    matches!(text.as_bytes(), [a, b'.', b] if a.is_ascii_digit() && b.is_ascii_digit())
}

fn is_code(code: &str) -> bool {
    code.split('-').all(|part| matches!(part, "by" | "sa" | "nc" | "nd" | "sampling" | "sampling+"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_names() {
        let name = |url| creative_commons(url).unwrap_or_default();
        assert_eq!(name("https://creativecommons.org/licenses/by-sa/4.0/deed.de"), "CC BY-SA 4.0");
        assert_eq!(name("http://CreativeCommons.org/licenses/BY/3.0/de/"), "CC BY 3.0");
        assert_eq!(name("//creativecommons.org/publicdomain/zero/1.0/"), "CC0 1.0");
        assert_eq!(name("https://creativecommons.org/licenses/by-nc-nd"), "CC BY-NC-ND");
        assert_eq!(name("https://creativecommons.org/about"), "");
        assert_eq!(name("All rights reserved"), "");
    }
}
