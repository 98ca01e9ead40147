//! Addresses as text: their schemes, and how tables and messages show them without what grants access.

/// Parts of the names of parameters that grant access. Names are compared in lower case and without `-` and `_`.
const SECRET_PARTS: [&str; 10] =
    ["token", "secret", "passw", "passphrase", "signature", "credential", "accesskey", "apikey", "sessionid", "sessid"];
/// Names of such parameters, and of those that change with a signature and say nothing about the object.
const SECRET_NAMES: [&str; 19] = [
    "sig",
    "sign",
    "auth",
    "authorization",
    "pw",
    "pwd",
    "pass",
    "md5",
    "jwt",
    "sas",
    "hmac",
    "bearer",
    "policy",
    "ticket",
    "keypairid",
    "hdnts",
    "hdnea",
    "hdntl",
    "expires",
];
/// Beginnings of the names of the parameters of signed addresses.
const SIGNING: [&str; 3] = ["xamz", "xgoog", "xoss"];
/// Names that are as well those of an object's own parameters, as are those that end with `key`: they grant access unless
/// their value is the name of an archive.
const DOUBTFUL: [&str; 3] = ["code", "session", "sid"];

/// The scheme of an address as it is written, and what follows its `://`; `None` for a path. A path may have `://` in it,
/// but behind more than a scheme.
pub fn split_scheme(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once("://")?;
    let sound = |c: char| c.is_ascii_alphanumeric() || ['+', '-', '.'].contains(&c);
    (scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(sound)).then_some((scheme, rest))
}

/// Whether a scheme is that of object stores: what follows their bucket is a key, whatever signs are in it.
pub(super) fn is_s3(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("s3")
}

/// The location of an archive as tables, formats and messages name it: an address without user, password and the
/// parameters that grant access, a path as it is. Other parameters tell one file of a server from another and stay.
pub fn public_name(address: &str) -> String {
    let Some((scheme, rest)) = split_scheme(address) else { return address.to_owned() };
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if authority == host && rest.contains('@') && !is_host(host) {
        // A password with one of these signs in it that is not written `%2F`: no server is asked with it.
        return format!("{scheme}://…");
    }
    if is_s3(scheme) {
        return format!("{scheme}://{host}{rest}");
    }
    // The fragment is not sent to a server, so it says nothing about the object.
    let (rest, _) = rest.split_once('#').unwrap_or((rest, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let query = public_query(query);
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{scheme}://{host}{path}{mark}{query}")
}

/// Whether an authority without a user has no port or a number as one.
fn is_host(authority: &str) -> bool {
    let port = authority.rsplit_once(':').filter(|_| !authority.ends_with(']'));
    port.is_none_or(|(_, port)| port.chars().all(|c| c.is_ascii_digit()))
}

/// The words of a message with the addresses among them as [`public_name`] shows them.
pub(super) fn public_message(message: &str) -> String {
    message.split(' ').map(public_word).collect::<Vec<_>>().join(" ")
}

fn public_word(word: &str) -> String {
    let Some(end) = word.find("://") else { return word.to_owned() };
    let before = word.as_bytes().get(..end).unwrap_or_default();
    let length = before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (before, address) = word.split_at(end - length);
    format!("{before}{}", public_name(address))
}

/// A query without the parameters that grant access. The others stay as they are written, with what separates them.
fn public_query(query: &str) -> String {
    let (mut public, mut ends_with_secret) = (String::new(), false);
    for part in query.split_inclusive(['&', ';']) {
        ends_with_secret = is_secret(part.trim_end_matches(['&', ';']));
        if !ends_with_secret {
            public.push_str(part);
        }
    }
    if ends_with_secret {
        // The separator before it.
        public.pop();
    }
    public
}

/// Whether `name=value` in a query grants access. A secret in a published table would be worse than a name that several
/// archives share, so what is doubtful is one.
fn is_secret(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let decoded = url::form_urlencoded::parse(name.as_bytes()).next().map(|(name, _)| name.into_owned());
    let name: String = decoded.unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    let doubtful = name.ends_with("key") || DOUBTFUL.contains(&name.as_str());
    SECRET_NAMES.contains(&name.as_str())
        || SECRET_PARTS.iter().any(|part| name.contains(part))
        || SIGNING.iter().any(|start| name.starts_with(start))
        || doubtful && !is_file_name(value)
}

/// Whether a value ends as the name of an archive, an index or a list does.
fn is_file_name(value: &str) -> bool {
    let ending = value.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["arc", "cdx", "cdxj", "gz", "parquet", "paths", "warc", "wat", "wet", "zst"].contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_names_have_no_secrets() {
        let public = "https://h.example/a.warc.gz?page=2&x=%26";
        let full =
            "https://me:secret@h.example/a.warc.gz?page=2&X-Amz-Signature=secret&x=%26&TOKEN=secret&si%67=secret";
        assert_eq!((public_name(full).as_str(), public_name(public).as_str()), (public, public));
        for (address, want) in [
            ("https://h.example/a?sig=secret", "https://h.example/a"),
            ("https://user:pass@host/a@b?X-Amz-Signature=0", "https://host/a@b"),
            ("HTTP://u:p@host?token=0#x", "HTTP://host"),
            ("https://host/a#access_token=0", "https://host/a"),
            ("ftp://u:pw9@h/a.warc.gz?sig=0", "ftp://h/a.warc.gz"),
            ("https://host", "https://host"),
            ("https://u:pw?9@host/a", "https://…"),
            ("https://u:pw/9@host/a", "https://…"),
            ("https://host:81/a@b", "https://host:81/a@b"),
            ("https://[::1]/a@b", "https://[::1]/a@b"),
            ("nothing", "nothing"),
            ("web/2020/http://u@h/?sig=0", "web/2020/http://u@h/?sig=0"),
        ] {
            assert_eq!(public_name(address), want);
        }
    }

    #[test]
    fn the_names_of_secrets_are_known_in_all_forms() {
        for secret in [
            "private_token=0",
            "access_key=0",
            "AWSAccessKeyId=0",
            "X-Goog-Credential=0",
            "Key-Pair-Id=0",
            "code=wZ0-_9.kq3Tz8aB",
            "key=AIzaSyD",
            "subscription-key=0",
            "jwt=a.b.c",
            "hdnts=exp=1~hmac=0",
            "hdnea=0",
            "session=0",
            "PHPSESSID=0",
            "pwd=0",
            "md5=0",
            "key=SEKKEY.a1b",
            "Expires=1700000000",
            "token",
        ] {
            assert_eq!(public_name(&format!("https://h/a?n=1&{secret}")), "https://h/a?n=1", "{secret}");
        }
        for own in
            ["key=a/b.warc.gz", "session=7.warc", "author=x", "monkey=y.gz", "codec=gzip", "keyword=a", "design=1"]
        {
            let address = format!("https://h/a?{own}");
            assert_eq!(public_name(&address), address);
        }
    }

    #[test]
    fn what_is_no_secret_stays_as_it_is_written() {
        for (query, want) in [
            ("a=1;b=2&c=3", "?a=1;b=2&c=3"),
            ("a=1;sig=0&c=3", "?a=1;c=3"),
            ("sig=0&a=1;", "?a=1;"),
            ("a=1;sig=0", "?a=1"),
            ("a=1&sig=0&", "?a=1"),
            ("sig=0", ""),
        ] {
            assert_eq!(public_name(&format!("https://h/a?{query}")), format!("https://h/a{want}"));
        }
        for key in ["s3://bkt/a/q?key=1.warc.gz", "s3://bkt/a;b&sig=1#x@y", "S3://bkt/a?sig=0"] {
            assert_eq!(public_name(key), key);
        }
    }

    #[test]
    fn addresses_in_messages_are_public() {
        let message =
            "Error performing GET http://u:pw@h:1/b?list-type=2&X-Amz-Signature=0 in 3s (https://v:x@h/ü) ü://a";
        let public = "Error performing GET http://h:1/b?list-type=2 in 3s (https://h/ü) ü://a";
        assert_eq!(public_message(message), public);
    }

    #[test]
    fn only_a_scheme_makes_an_address() {
        assert_eq!(split_scheme("HTTP://h/a"), Some(("HTTP", "h/a")));
        assert_eq!(split_scheme("file:///a"), Some(("file", "/a")));
        for path in ["web/2020/http://h/", "a b://c", "://c", "C:/a", "1a://b"] {
            assert_eq!(split_scheme(path), None, "{path}");
        }
    }
}
