//! Directives for robots: `<meta name=robots>`, `X-Robots-Tag`, and the reservation of text and
//! data mining (TDM Reservation Protocol), read here as the directive `tdm-reservation`.

use crate::page::head::Head;

/// The directive that stands for a reservation of text and data mining.
const TDM: &str = "tdm-reservation";

/// Most directives of a page. There are about twenty; each is compared with those before it.
const MOST: usize = 64;

/// All directives for any robot, lower case, each once, in order of
/// appearance: `noindex,noarchive`. Those addressed to a named robot are left out.
/// `tdm` is the value of the header `TDM-Reservation`; only `1` reserves.
pub(super) fn directives(head: &Head, x_robots: &[&str], tdm: Option<&str>) -> Option<String> {
    let named =
        |key: &'static str| head.meta.iter().filter(move |meta| meta.key == key).map(|meta| meta.content.as_str());
    let reserved = named(TDM).chain(tdm).any(|value| value.trim() == "1");
    let mut found: Vec<String> = Vec::new();
    let mut add = |part: &str| {
        let new = directive(part).filter(|directive| found.len() < MOST && !found.contains(directive));
        found.extend(new);
    };
    let headers = x_robots.iter().copied().filter(|value| !names_a_robot(value));
    for value in named("robots").chain(headers) {
        for_each_part(value, &mut add);
    }
    if reserved && !found.iter().any(|directive| directive == TDM) {
        found.push(String::from(TDM));
    }
    (!found.is_empty()).then(|| found.join(","))
}

/// Whether a page with these directives (as in [`super::Metadata::robots`]) is excluded by those that are
/// to be respected; `none` stands for `noindex` and `nofollow`.
pub fn excluded(directives: Option<&str>, respect: &[String]) -> bool {
    let respected = |directive: &str| respect.iter().any(|other| other.trim().eq_ignore_ascii_case(directive));
    directives.unwrap_or_default().split(',').map(str::trim).filter(|directive| !directive.is_empty()).any(
        |directive| respected(directive) || (directive == "none" && (respected("noindex") || respected("nofollow"))),
    )
}

/// Directives that have a value.
const VALUED: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// `googlebot: noindex` speaks to one robot; `max-snippet: 5` does not.
fn names_a_robot(value: &str) -> bool {
    let before = value.split(',').next().and_then(|first| first.split_once(':'));
    before.is_some_and(|(name, _)| !VALUED.contains(&name.trim().to_ascii_lowercase().as_str()))
}

/// Whether a part begins with the name of a robot.
fn is_robot(part: &str) -> bool {
    let name = part.split_once(':').map_or("", |(name, _)| name.trim());
    ["bot", "spider", "crawler", "slurp"].iter().any(|word| name.contains(word))
}

/// The directives of a value that speak to all robots: parted by commas, as they should be, or by semicolons or white space.
/// What follows the name of a robot speaks to that one; other names with a colon are those of directives that do not exist.
fn for_each_part(value: &str, mut each: impl FnMut(&str)) {
    let lower = value.to_ascii_lowercase();
    let valued = |part: &str| part.split(':').next().is_some_and(|name| VALUED.contains(&name.trim()));
    for part in lower.split([',', ';']).take_while(|part| !is_robot(part)).filter(|part| !names_a_robot(part)) {
        match valued(part) {
            true => each(part),
            false => part.split_whitespace().for_each(&mut each),
        }
    }
}

/// One directive, given in lower case, without white space; dates and other trimmings are no directives.
fn directive(part: &str) -> Option<String> {
    let bare: String = part.split_whitespace().collect();
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
        let head =
            Head { meta: vec![Meta { key: "robots".into(), content: meta.into(), item: false }], ..Head::default() };
        directives(&head, headers, None)
    }

    #[test]
    fn directives_are_joined() {
        assert_eq!(read(" NOINDEX , noarchive", &["noindex, nofollow"]).as_deref(), Some("noindex,noarchive,nofollow"));
        assert_eq!(read("max-image-preview:large, index", &[]).as_deref(), Some("max-image-preview:large,index"));
        assert_eq!(read("", &["max-snippet: 5"]).as_deref(), Some("max-snippet:5"));
        assert_eq!(read("", &["googlebot: noindex, nofollow"]), None);
        assert_eq!(read("", &[]), None);
        assert_eq!(read("noindex nofollow;noarchive", &[]).as_deref(), Some("noindex,nofollow,noarchive"));
        assert_eq!(read("noarchive, googlebot: noindex, nofollow", &[]).as_deref(), Some("noarchive"));
        assert_eq!(
            read("index,revisit-after:7 days,noai", &["rating: general, noindex"]).as_deref(),
            Some("index,noai")
        );
        assert_eq!(read("max-snippet: 5, noindex", &[]).as_deref(), Some("max-snippet:5,noindex"));
    }

    #[test]
    fn a_page_has_a_bounded_number_of_directives() {
        let many: String = (0..1000).map(|n| format!("a{n} ")).collect();
        assert_eq!(read(&many, &[]).unwrap().split(',').count(), MOST);
    }

    #[test]
    fn reservations_are_directives() {
        let mut head = Head::default();
        assert_eq!(
            directives(&head, &["noai, noimageai"], Some(" 1")).as_deref(),
            Some("noai,noimageai,tdm-reservation")
        );
        assert_eq!(directives(&head, &[], Some("0")), None);
        head.meta = vec![Meta { key: "tdm-reservation".into(), content: "1".into(), item: false }];
        assert_eq!(directives(&head, &[], Some("0")).as_deref(), Some("tdm-reservation"));
    }

    #[test]
    fn directives_exclude_what_is_respected() {
        let respect = |names: &[&str]| names.iter().map(|name| String::from(*name)).collect::<Vec<_>>();
        assert!(excluded(Some("index,noarchive"), &respect(&["NoArchive"])));
        assert!(excluded(Some("none"), &respect(&["noindex"])));
        assert!(excluded(Some("none"), &respect(&["none"])));
        assert!(!excluded(Some("none"), &respect(&["noarchive"])));
        assert!(!excluded(Some("noindex"), &respect(&["none"])));
        assert!(!excluded(Some("noindex"), &[]));
        assert!(!excluded(None, &respect(&["noindex", ""])));
    }
}
