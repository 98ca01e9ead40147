//! What an index tells of an address: host, domains and path.

use url::{Host, Url};

/// Host name, and top-level domain unless the host is an IP address.
pub fn host_of_url(url: &str) -> Option<(String, Option<String>)> {
    match Url::parse(url).ok()?.host()?.to_owned() {
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(&name).to_ascii_lowercase();
            let tld = name.rsplit('.').next().map(String::from);
            Some((name, tld))
        }
        address => Some((address.to_string(), None)),
    }
}

/// The registered domain of a host by the public suffixes of ICANN alone, as Common Crawl has it: `github.io` of `user.github.io`.
/// By the private ones, it is another one.
pub fn registered_domain(host: &str) -> Option<&str> {
    let mut domain = host;
    while let Some((_, rest)) = domain.split_once('.') {
        let suffix = psl::suffix(rest.as_bytes()).filter(|suffix| suffix.as_bytes() == rest.as_bytes());
        if suffix.is_some_and(|suffix| suffix.typ() == Some(psl::Type::Icann)) {
            return Some(domain);
        }
        domain = rest;
    }
    psl::domain_str(host)
}

/// The path of an address, with its first slash and without the query; empty if there is none.
pub fn path_of_url(url: &str) -> Option<&str> {
    let (_, behind_scheme) = url.split_once("://")?;
    let address = behind_scheme.split(['?', '#']).next()?;
    Some(address.find('/').and_then(|at| address.get(at..)).unwrap_or_default())
}

/// Host name and top-level domain of a SURT key: `cz,example,mail:8080)/path` gives `mail.example.cz` and `cz`.
pub fn host_of_surt(surt: &str) -> Option<(String, Option<String>)> {
    let key = surt.split_once(')')?.0;
    let labels: Vec<&str> = key.split(':').next()?.split(',').collect();
    let tld = *labels.first()?;
    if labels.contains(&"") || tld.contains(['.', '[', '/']) {
        return None;
    }
    let name = labels.iter().rev().copied().collect::<Vec<_>>().join(".");
    Some((name, Some(tld.to_string())))
}
