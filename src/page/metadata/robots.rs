//! Directives for robots, from `<meta name=robots>` and `X-Robots-Tag`.

use crate::page::head::Head;

/// All directives for any robot, lower case, each once, in order of
/// appearance: `noindex,noarchive`. Those addressed to a named robot are left out.
pub(super) fn directives(head: &Head, x_robots: &[&str]) -> Option<String> {
    let meta = head.meta.iter().filter(|meta| meta.key == "robots").map(|meta| meta.content.as_str());
    let headers = x_robots.iter().copied().filter(|value| !names_a_robot(value));
    let mut found: Vec<String> = Vec::new();
    for directive in meta.chain(headers).flat_map(|value| value.split(',')).filter_map(directive) {
        if !found.contains(&directive) {
            found.push(directive);
        }
    }
    (!found.is_empty()).then(|| found.join(","))
}

/// `googlebot: noindex` speaks to one robot; `max-snippet: 5` does not.
fn names_a_robot(value: &str) -> bool {
    let valued = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];
    let before = value.split(',').next().and_then(|first| first.split_once(':'));
    before.is_some_and(|(name, _)| !valued.contains(&name.trim().to_ascii_lowercase().as_str()))
}

/// One directive without white space; dates and other trimmings are no directives.
fn directive(part: &str) -> Option<String> {
    let bare: String = part.to_ascii_lowercase().split_whitespace().collect();
    let name = bare.split(':').next().unwrap_or_default();
    let sound = name.starts_with(|c: char| c.is_ascii_lowercase())
        && bare.len() <= 40
        && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b":-_".contains(&b));
    sound.then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::head::Meta;

    fn read(meta: &str, headers: &[&str]) -> Option<String> {
        let head = Head { meta: vec![Meta { key: "robots".into(), content: meta.into() }], ..Head::default() };
        directives(&head, headers)
    }

    #[test]
    fn directives_are_joined() {
        assert_eq!(read(" NOINDEX , noarchive", &["noindex, nofollow"]).as_deref(), Some("noindex,noarchive,nofollow"));
        assert_eq!(read("max-image-preview:large, index", &[]).as_deref(), Some("max-image-preview:large,index"));
        assert_eq!(read("", &["max-snippet: 5"]).as_deref(), Some("max-snippet:5"));
        assert_eq!(read("", &["googlebot: noindex, nofollow"]), None);
        assert_eq!(read("", &[]), None);
    }
}
