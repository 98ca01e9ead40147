//! The parts of an address that tell the kind of page. Only splits the text: nothing has to be valid.

/// An address in parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Address<'a> {
    /// Labels of the host without the last one.
    pub labels: Vec<&'a str>,
    /// The path without host and query.
    pub path: &'a str,
    /// Folders of the path.
    pub folders: Vec<&'a str>,
    /// The last part of the path; empty for the home page.
    pub last: &'a str,
    pub query: &'a str,
}

/// Longest address that is looked at, in bytes.
const LONGEST: usize = 2000;
/// Labels or folders that are looked at.
const MOST_PARTS: usize = 20;

impl<'a> Address<'a> {
    pub fn of(url: &'a str) -> Address<'a> {
        let url = url.get(..url.floor_char_boundary(LONGEST)).unwrap_or_default();
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host = host.rsplit('@').next().and_then(|host| host.split(':').next()).unwrap_or_default();
        let mut labels: Vec<&str> = host.split('.').take(MOST_PARTS).collect();
        labels.pop();
        let mut folders: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).take(MOST_PARTS).collect();
        let last = folders.pop().unwrap_or_default();
        Address { labels, path, folders, last, query }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_split() {
        let address = Address::of("https://docs.example.co.uk:80/a//b-c/d.html?q=1#x");
        assert_eq!((address.labels.join("."), address.folders.join("|")), ("docs.example.co".into(), "a|b-c".into()));
        assert_eq!((address.path, address.last, address.query), ("/a//b-c/d.html", "d.html", "q=1"));
        assert_eq!(Address::of("http://a.cz").last, "");
        assert_eq!(Address::of("http://user:p@ss@www.example.org:8080/").labels, ["www", "example"]);
        assert_eq!(Address::of(""), Address::default());
        assert_eq!(Address::of(&"é".repeat(9000)).path, "");
    }
}
