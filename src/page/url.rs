//! Addresses of pages: host, registered domain and top-level domain of a URL, the URL that a page names as its own, and
//! the form that all addresses of one page have in common.
//!
//! Only web addresses (http, https, ftp) have a site; `dns:`, `urn:`, what cannot be parsed and what is longer than
//! 64 KiB give `None`.

use std::borrow::Cow;

use url::{Host, Url};

/// Longest address that is parsed, in bytes; browsers and crawlers give up far earlier. A page behind a longer one keeps
/// it as it stands, but has no site and no date from its address: parsing takes some hundred times as long as reading.
const LONGEST: usize = 64 << 10;

/// Generic domains: they say nothing about the language of a page.
const GENERIC: [&str; 9] = ["com", "org", "net", "eu", "info", "biz", "edu", "int", "arpa"];

/// The parts of a URL's host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    /// Lower case, Punycode, without a final dot; IPv6 addresses in brackets.
    pub host: String,
    /// The registered domain by the Public Suffix List, private section
    /// included (`x.github.io` is one); the host itself if it has none.
    pub domain: String,
    /// The last label in Unicode (`рф`); empty for IP addresses.
    pub tld: String,
}

/// The site of a URL, or `None` if it is no web address.
pub fn site(url: &str) -> Option<Site> {
    site_of(&parse(url)?)
}

/// The last label of the host as charset detection wants it: lower-case ASCII
/// (Punycode). `None` for IP addresses and for generic domains.
pub fn detection_tld(url: &str) -> Option<String> {
    let parsed = parse(url)?;
    let Host::Domain(domain) = parsed.host()? else {
        return None;
    };
    let label = last_label(domain.trim_end_matches('.'));
    let plain = !label.is_empty() && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    (plain && !GENERIC.contains(&label)).then(|| String::from(label))
}

/// The URL a page names as its own, resolved against `base` (the page's URL)
/// and without fragment. `None` unless it is a web address of the registered domain `domain`, that of the page:
/// pages are often copied with their head.
pub fn canonical(href: &str, base: &Url, domain: &str) -> Option<String> {
    let href = href.trim();
    if href.is_empty() || href.len() > LONGEST {
        return None;
    }
    let mut url = base.join(href).ok().filter(is_web)?;
    if site_of(&url)?.domain != domain {
        return None;
    }
    url.set_fragment(None);
    Some(url.into())
}

/// Beginnings of the names of tracking parameters.
const TRACKING_PREFIXES: [&str; 4] = ["utm_", "mtm_", "vero_", "oly_"];
/// Names of tracking parameters.
const TRACKING: [&str; 22] = [
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "msclkid",
    "yclid",
    "ysclid",
    "twclid",
    "igshid",
    "igsh",
    "gbraid",
    "wbraid",
    "srsltid",
    "mc_cid",
    "mc_eid",
    "pk_campaign",
    "pk_kwd",
    "pk_keyword",
    "pk_source",
    "pk_medium",
    "pk_content",
    "pk_cid",
];
/// Names of parameters that identify a session.
const SESSIONS: [&str; 4] = ["phpsessid", "jsessionid", "cfid", "cftoken"];
/// Names of parameters that identify a session if their value looks like one: `sid` is a number on some sites, and a
/// conference has sessions.
const MAYBE_SESSIONS: [&str; 4] = ["sid", "sessionid", "session_id", "sessid"];
/// Characters of the shortest value that looks like that of a session.
const SESSION_LENGTH: usize = 16;

/// The form that all addresses of one page have in common: without scheme, `www.`, default port, fragment, session and
/// tracking parameters, the other parameters sorted, percent-encodings in one form (RFC 3986, 6.2.2). A URL that is no web
/// address stays as it is.
pub fn identity(url: &str) -> String {
    let Some(parsed) = parse(url) else { return url.trim().to_string() };
    let host = parsed.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host).trim_end_matches('.');
    let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
    let parts = parsed.path().split('/').filter(|part| !is_session_part(part));
    let path: Vec<&str> = parts.map(without_session).collect();
    // Decoded before they are compared: `%7A` is `z`.
    let parameters = parsed.query().unwrap_or_default().split('&').map(decoded);
    let mut parameters: Vec<Cow<'_, str>> = parameters.filter(|parameter| is_content(parameter)).collect();
    parameters.sort_unstable();
    let mark = if parameters.is_empty() { "" } else { "?" };
    format!("{host}{port}{}{mark}{}", decoded(&path.join("/")), parameters.join("&"))
}

/// Whether the query of an address has the number of a page, beside parameters of sessions, tracking and view: `/?p=123`.
pub fn has_page_number(address: &Url) -> bool {
    const OF_VIEW: [&str; 6] = ["m", "mobile", "page", "paged", "v", "ver"];
    let is_number = |parameter: &str| {
        let (name, value) = parameter.split_once('=').unwrap_or_default();
        is_content(parameter) && !OF_VIEW.contains(&name) && value.contains(|c: char| c.is_ascii_digit())
    };
    address.query().is_some_and(|query| query.split('&').any(is_number))
}

/// Whether a part of a path identifies a session, as ASP.NET writes it: `(S(lit3py55t21z5v55vlm25s55))`.
fn is_session_part(part: &str) -> bool {
    part.starts_with('(') && part.contains("S(") && part.ends_with("))")
}

/// A part of a path without the session behind it, as servlets write it: `a;jsessionid=9F`.
fn without_session(part: &str) -> &str {
    part.to_ascii_lowercase().find(";jsessionid=").and_then(|at| part.get(..at)).unwrap_or(part)
}

fn is_content(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let name = name.to_ascii_lowercase();
    let is_in = |names: &[&str]| names.contains(&name.as_str());
    let begins = |prefix: &&str| name.starts_with(prefix);
    let is_session = is_in(&SESSIONS) || name.starts_with("aspsessionid") || is_in(&MAYBE_SESSIONS) && is_token(value);
    !(name.is_empty() || is_session || is_in(&TRACKING) || TRACKING_PREFIXES.iter().any(begins))
}

/// Whether a value is long and made of letters and digits by chance.
fn is_token(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    value.len() >= SESSION_LENGTH
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
}

/// A part of a URL with percent-encodings in capitals, and none of characters that need none.
fn decoded(part: &str) -> Cow<'_, str> {
    if !part.contains('%') {
        return part.into();
    }
    let mut pieces = part.split('%');
    let mut decoded = String::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        let digits = piece.get(..2).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let rest = if byte.is_some() { piece.get(2..).unwrap_or_default() } else { piece };
        match byte {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => decoded.push(char::from(byte)),
            Some(byte) => decoded.push_str(&format!("%{byte:02X}")),
            None => decoded.push('%'),
        }
        decoded.push_str(rest);
    }
    decoded.into()
}

/// Parses a web address; wget writes target URIs in angle brackets.
pub(super) fn parse(url: &str) -> Option<Url> {
    let bare = url.trim();
    let bare = bare.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(bare);
    if bare.len() > LONGEST {
        return None;
    }
    Url::parse(bare).ok().filter(is_web)
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https" | "ftp") && url.has_host()
}

/// The site of a parsed URL, as [`site`] has it.
pub fn site_of(url: &Url) -> Option<Site> {
    let Host::Domain(name) = url.host()? else {
        let host = String::from(url.host_str()?);
        return Some(Site { domain: host.clone(), host, tld: String::new() });
    };
    let host = name.trim_end_matches('.');
    if host.is_empty() {
        return None;
    }
    Some(Site {
        host: String::from(host),
        domain: String::from(psl::domain_str(host).unwrap_or(host)),
        tld: unicode_label(last_label(host)),
    })
}

fn last_label(host: &str) -> &str {
    host.rsplit('.').next().unwrap_or_default()
}

fn unicode_label(label: &str) -> String {
    if !label.starts_with("xn--") {
        return String::from(label);
    }
    let unicode = url::quirks::domain_to_unicode(label);
    if unicode.is_empty() { String::from(label) } else { unicode }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(url: &str) -> Option<(String, String, String)> {
        site(url).map(|s| (s.host, s.domain, s.tld))
    }

    fn triple(host: &str, domain: &str, tld: &str) -> Option<(String, String, String)> {
        Some((host.into(), domain.into(), tld.into()))
    }

    #[test]
    fn registered_domains() {
        assert_eq!(parts("http://www.Example.com:80/a/../b/?x#f"), triple("www.example.com", "example.com", "com"));
        assert_eq!(parts("https://www2.cs.example.co.uk/"), triple("www2.cs.example.co.uk", "example.co.uk", "uk"));
        assert_eq!(parts("https://a.b.github.io/"), triple("a.b.github.io", "b.github.io", "io"));
        assert_eq!(parts("https://co.uk/"), triple("co.uk", "co.uk", "uk"));
        assert_eq!(parts("http://localhost/"), triple("localhost", "localhost", "localhost"));
        assert_eq!(parts("http://example.com./"), triple("example.com", "example.com", "com"));
        assert_eq!(parts("<http://example.com/>"), triple("example.com", "example.com", "com"));
        assert_eq!(parts("ftp://user:pw@ftp.example.org/x"), triple("ftp.example.org", "example.org", "org"));
    }

    #[test]
    fn international_names() {
        assert_eq!(
            parts("http://bücher.example/ä"),
            triple("xn--bcher-kva.example", "xn--bcher-kva.example", "example")
        );
        assert_eq!(parts("http://www.пример.рф/"), triple("www.xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai", "рф"));
        // A two-label public suffix must be known in its Punycode form too.
        assert_eq!(parts("http://a.b.個人.hk/").map(|p| p.1), Some("b.xn--gmqw5a.hk".into()));
    }

    #[test]
    fn addresses_of_one_page_have_one_identity() {
        let page = "example.com/a?a=1&b=2";
        for url in [
            "http://www.Example.com:80/a?b=2&a=1#f",
            "https://example.com/a?utm_source=x&a=1&b=2&PHPSESSID=77",
            "http://example.com/x/../a;jsessionid=9F?a=1&b=2",
            "http://example.com/(S(lit3py55t21z5v55vlm25s55))/a?a=1&b=2",
            "http://example.com/%61?%61=1&b=2&sid=0cc175b9c0f1b6a831c399e269772661&mc_cid=1",
            "http://example.com/a?%62=2&a=1&%75tm_source=x",
        ] {
            assert_eq!(identity(url), page, "{url}");
            assert_eq!(identity(&format!("http://{}", identity(url))), page);
        }
        assert_eq!(identity("http://example.com/%c3%a4/~u?q=%2f%zz%"), "example.com/%C3%A4/~u?q=%2F%zz%");
        assert_eq!(identity("http://example.com/%7Eu%20"), identity("http://example.com/~u%20"));
        for name in ["id", "sid", "sessionid", "pk_film", "pk_id", "mc_page", "cfidx"] {
            let at = |value: u32| identity(&format!("http://example.com/a?{name}={value}"));
            assert_ne!(at(1), at(2), "{name}");
        }
        assert_eq!(identity("http://example.com/a;JSessionID=9F/b;v=1"), "example.com/a/b;v=1");
        assert_eq!(identity(" urn:x "), "urn:x");
    }

    #[test]
    fn addresses_are_their_own_domain() {
        assert_eq!(parts("http://10.1.2.3:8080/x"), triple("10.1.2.3", "10.1.2.3", ""));
        assert_eq!(parts("http://[::1]/x"), triple("[::1]", "[::1]", ""));
    }

    #[test]
    fn what_is_no_web_address_has_no_site() {
        for url in [
            "dns:example.com",
            "urn:uuid:1-2",
            "metadata://gnu.org/software",
            "",
            "http://",
            "nonsense",
            "http://a b/",
            "http://x:99999/",
            "http://./",
        ] {
            assert_eq!(site(url), None, "{url}");
        }
    }

    #[test]
    fn addresses_beyond_64_kib_are_not_parsed() {
        let prefix = "http://example.com/";
        let whole = format!("{prefix}{}", "a".repeat(LONGEST - prefix.len()));
        assert!(site(&whole).is_some());
        let longer = format!("{whole}a");
        assert_eq!((site(&longer), identity(&longer)), (None, longer.clone()));
        let base = parse(prefix).unwrap();
        assert_eq!(canonical(&longer, &base, "example.com"), None);
    }

    #[test]
    fn detection_domains() {
        assert_eq!(detection_tld("http://WWW.SEZNAM.CZ/").as_deref(), Some("cz"));
        assert_eq!(detection_tld("http://example.co.uk./").as_deref(), Some("uk"));
        assert_eq!(detection_tld("http://пример.рф/").as_deref(), Some("xn--p1ai"));
        for url in ["http://a.com/", "http://a.eu/", "http://a.info/", "http://1.2.3.4/", "http://[::1]/", "dns:a.cz"] {
            assert_eq!(detection_tld(url), None, "{url}");
        }
    }

    #[test]
    fn canonical_must_stay_in_the_domain() {
        let base = parse("http://m.example.co.uk/a/b?x=1").unwrap();
        let canonical = |href| canonical(href, &base, "example.co.uk");
        assert_eq!(canonical("/c#top").as_deref(), Some("http://m.example.co.uk/c"));
        assert_eq!(canonical(" https://www.example.co.uk/c ").as_deref(), Some("https://www.example.co.uk/c"));
        assert_eq!(canonical("//example.co.uk/c").as_deref(), Some("http://example.co.uk/c"));
        for href in ["https://other.co.uk/c", "javascript:void(0)", ""] {
            assert_eq!(canonical(href), None, "{href}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(url in "\\PC{0,60}", rest in "(http|https|ftp)://[\\PC]{0,20}\\.?(xn--)?[a-zа-я.]{0,12}[:/?#]?\\PC{0,10}") {
            for url in [&url, &rest] {
                let _ = detection_tld(url);
                if let Some(site) = site(url) {
                    let _ = canonical(&rest, &parse(url).unwrap(), &site.domain);
                    prop_assert!(site.host.ends_with(&site.domain));
                }
            }
        }
    }
}
