//! Lines of CDXJ (`SURT timestamp {json}`) and of classic CDX (fields named by a header), with their
//! fields under the names that Common Crawl's columnar index gives them, so that one expression
//! serves both. A `-` is a missing value.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use url::{Host, Url};

use super::bound::{Column, Kind, Value};
use super::time;

/// A field that a line holds: name in the columnar index, key in CDXJ, letter in a CDX header.
struct Field(&'static str, &'static str, Option<char>, Kind);

const FIELDS: [Field; 14] = [
    Field("url_surtkey", "urlkey", Some('N'), Kind::Text),
    Field("fetch_time", "timestamp", Some('b'), Kind::Time),
    Field("url", "url", Some('a'), Kind::Text),
    Field("fetch_status", "status", Some('s'), Kind::Integer),
    Field("fetch_redirect", "redirect", Some('r'), Kind::Text),
    Field("content_digest", "digest", Some('k'), Kind::Text),
    Field("content_mime_type", "mime", Some('m'), Kind::Text),
    Field("content_mime_detected", "mime-detected", None, Kind::Text),
    Field("content_charset", "charset", None, Kind::Text),
    Field("content_languages", "languages", None, Kind::Text),
    Field("content_truncated", "truncated", None, Kind::Text),
    Field("warc_filename", "filename", Some('g'), Kind::Text),
    Field("warc_record_offset", "offset", Some('V'), Kind::Integer),
    Field("warc_record_length", "length", Some('S'), Kind::Integer),
];

const SURT: usize = 0;
const TIME: usize = 1;
const URL: usize = 2;
const FILENAME: usize = 11;
const OFFSET: usize = 12;
const LENGTH: usize = 13;

/// What is made of the fields; their indices follow.
const DERIVED: [&str; 5] = ["url_host_name", "url_host_tld", "url_protocol", "crawl", "subset"];

/// The order of fields where no header names one.
const USUAL: &str = " CDX N b a m s k r M S V g";

/// What an expression can name: every field by both its names, and what is derived.
pub fn columns() -> Vec<Column<'static>> {
    let fields = || FIELDS.iter().enumerate();
    let named = fields().map(|(index, field)| Column { name: field.0, index, kind: field.3 });
    let keys = fields().filter(|(_, f)| f.0 != f.1).map(|(index, f)| Column { name: f.1, index, kind: f.3 });
    let derived = DERIVED.iter().enumerate();
    let derived = derived.map(|(i, name)| Column { name, index: FIELDS.len() + i, kind: Kind::Text });
    named.chain(keys).chain(derived).collect()
}

/// Why a line gives no fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    #[error("neither CDXJ nor CDX")]
    Unreadable,
    #[error("the CDX header names no {0}: records cannot be found by it")]
    Header(&'static str),
}

/// Reads line after line; remembers the last header.
#[derive(Debug, Default)]
pub struct Parser {
    layout: Option<Layout>,
}

/// Which of [`FIELDS`] stand where in a line of classic CDX.
#[derive(Debug)]
struct Layout {
    separator: char,
    places: Vec<Option<usize>>,
}

/// The fields of one line.
#[derive(Debug, Default)]
pub struct Line<'a> {
    fields: [Option<Cow<'a, str>>; FIELDS.len()],
    /// Name, and top-level domain unless it is an address. Made when asked for.
    host: OnceCell<Option<(String, Option<String>)>>,
}

impl Parser {
    /// `None` for headers, `!` lines and blank lines.
    pub fn parse<'a>(&mut self, line: &'a str) -> Result<Option<Line<'a>>, LineError> {
        let line = line.trim_end_matches(['\r', '\n']);
        if line.trim().is_empty() || line.starts_with('!') {
            return Ok(None);
        }
        if let Some(layout) = Layout::of(line) {
            self.layout = Some(layout?);
            return Ok(None);
        }
        let mut parts = line.splitn(3, ' ');
        if let (Some(surt), Some(time), Some(json)) = (parts.next(), parts.next(), parts.next())
            && json.trim_start().starts_with('{')
        {
            return Line::from_json(surt, time, json).map(Some);
        }
        let layout = match &mut self.layout {
            Some(layout) => layout,
            none if line.split(' ').count() == USUAL.split(' ').count() - 2 => match Layout::of(USUAL) {
                Some(Ok(usual)) => none.insert(usual),
                _ => return Err(LineError::Unreadable),
            },
            None => return Err(LineError::Unreadable),
        };
        layout.line(line).map(Some)
    }
}

impl Layout {
    /// Of a header: its first character separates, if it is not the `C` of `CDX`.
    fn of(line: &str) -> Option<Result<Layout, LineError>> {
        let first = line.chars().next()?;
        let (separator, header) = if first == 'C' { (' ', line) } else { (first, line.strip_prefix(first)?) };
        let letters = header.strip_prefix("CDX")?.strip_prefix(separator)?;
        let place = |letter: &str| FIELDS.iter().position(|f| f.2.is_some_and(|c| letter.chars().eq([c])));
        let places: Vec<Option<usize>> = letters.trim_end().split(separator).map(place).collect();
        let needed = [(FILENAME, "g (file name)"), (OFFSET, "V (offset)"), (LENGTH, "S (compressed size)")];
        if let Some((_, name)) = needed.into_iter().find(|(field, _)| !places.contains(&Some(*field))) {
            return Some(Err(LineError::Header(name)));
        }
        Some(Ok(Layout { separator, places }))
    }

    fn line<'a>(&self, line: &'a str) -> Result<Line<'a>, LineError> {
        let mut parsed = Line::default();
        let mut values = line.split(self.separator);
        for place in &self.places {
            let value = values.next().ok_or(LineError::Unreadable)?;
            if let Some(field) = place {
                parsed.set(*field, Cow::Borrowed(value));
            }
        }
        if values.next().is_some() { Err(LineError::Unreadable) } else { Ok(parsed) }
    }
}

impl<'a> Line<'a> {
    fn from_json(surt: &'a str, time: &'a str, json: &'a str) -> Result<Line<'a>, LineError> {
        let mut line: Line = serde_json::from_str(json).map_err(|_| LineError::Unreadable)?;
        line.set(SURT, Cow::Borrowed(surt));
        line.set(TIME, Cow::Borrowed(time));
        Ok(line)
    }

    fn set(&mut self, field: usize, value: Cow<'a, str>) {
        if let Some(slot) = self.fields.get_mut(field) {
            *slot = (value != "-").then_some(value);
        }
    }

    /// By an index of [`columns`].
    pub fn value(&self, column: usize) -> Option<Value<'_>> {
        let Some(field) = FIELDS.get(column) else {
            return self.derived(DERIVED.get(column - FIELDS.len())?).map(Value::Text);
        };
        let text = self.text(column)?;
        match field.3 {
            Kind::Integer => text.parse().ok().map(Value::Integer),
            Kind::Time => time::parse(text).map(Value::Integer),
            _ => Some(Value::Text(text)),
        }
    }

    /// File name, offset and length of the record, as far as the line has them.
    pub fn location(&self) -> (Option<&str>, Option<i64>, Option<i64>) {
        let number = |field| self.text(field).and_then(|text| text.parse().ok());
        (self.text(FILENAME), number(OFFSET), number(LENGTH))
    }

    fn text(&self, field: usize) -> Option<&str> {
        self.fields.get(field)?.as_deref()
    }

    fn derived(&self, name: &str) -> Option<&str> {
        let host = || self.host.get_or_init(|| self.host()).as_ref();
        // crawl-data/CC-MAIN-2024-22/segments/1715971057216.39/warc/CC-MAIN-…-00000.warc.gz
        let path = || self.text(FILENAME)?.strip_prefix("crawl-data/");
        match name {
            "url_host_name" => host().map(|(name, _)| name.as_str()),
            "url_host_tld" => host()?.1.as_deref(),
            "url_protocol" => self.text(URL)?.split_once(':').map(|(protocol, _)| protocol),
            "crawl" => path()?.split('/').next(),
            "subset" => path()?.split('/').nth(3),
            _ => None,
        }
    }

    /// From the URL; without one from the key, which lacks a leading `www`.
    fn host(&self) -> Option<(String, Option<String>)> {
        let Some(url) = self.text(URL) else { return host_of_surt(self.text(SURT)?) };
        match Url::parse(url).ok()?.host()?.to_owned() {
            Host::Domain(name) => {
                let name = name.strip_suffix('.').unwrap_or(&name).to_ascii_lowercase();
                let tld = name.rsplit('.').next().map(String::from);
                Some((name, tld))
            }
            address => Some((address.to_string(), None)),
        }
    }
}

/// `cz,example,mail:8080)/path` → `mail.example.cz`.
fn host_of_surt(surt: &str) -> Option<(String, Option<String>)> {
    let key = surt.split_once(')')?.0;
    let labels: Vec<&str> = key.split(':').next()?.split(',').collect();
    let tld = *labels.first()?;
    if labels.contains(&"") || tld.contains(['.', '[', '/']) {
        return None;
    }
    let name = labels.iter().rev().copied().collect::<Vec<_>>().join(".");
    Some((name, Some(tld.to_string())))
}

impl<'de: 'a, 'a> Deserialize<'de> for Line<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Line<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Line<'de>, A::Error> {
                let mut line = Line::default();
                while let Some(Scalar(key)) = map.next_key()? {
                    let field = FIELDS.iter().position(|field| key.as_deref() == Some(field.1));
                    if let (Some(field), Scalar(Some(value))) = (field, map.next_value()?) {
                        line.set(field, value);
                    }
                }
                Ok(line)
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// A string, or the text of a number; nothing else.
struct Scalar<'a>(Option<Cow<'a, str>>);

impl<'de> Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Scalar<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Borrowed(text))))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Owned(text.into()))))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Owned(number.to_string()))))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Owned(number.to_string()))))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Scalar(None))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Scalar(None))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Scalar(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar(None))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::expression::Expression;
    use super::*;

    const JSON: &str = r#"com,example)/a?b=1 20240522001122 {"url": "https://www.Example.com:8443/a?b=1", "mime": "text/html", "mime-detected": "application/xhtml+xml", "status": "200", "digest": "CH7IV3XAD3M7A42JARKRLJ3T5PGGCGXD", "length": "24662", "offset": "397346194", "filename": "crawl-data/CC-MAIN-2024-22/segments/1715971057216.39/warc/CC-MAIN-20240517233122-20240518023122-00256.warc.gz", "charset": "UTF-8", "languages": "ces,eng"}"#;

    fn selects(line: &str, expression: &str) -> bool {
        let bound = Expression::parse(expression).unwrap().bind(&columns()).unwrap();
        let line = Parser::default().parse(line).unwrap().unwrap();
        bound.matches(|column| line.value(column))
    }

    #[test]
    fn fields_by_both_names() {
        for expression in [
            "fetch_status = 200 and status = 200",
            "content_languages has ces and languages has eng and not languages has fra",
            "content_mime_type = text/html and mime = text/html",
            "content_mime_detected = application/xhtml+xml and mime-detected = content_mime_detected or mime = text/html",
            "url_surtkey like 'com,example)%' and urlkey = 'com,example)/a?b=1'",
            "fetch_time >= 2024-05-22 and timestamp < 20240522001123 and fetch_time = '2024-05-22T00:11:22Z'",
            "url_host_name = www.example.com and url_host_tld = com and url_protocol = https",
            "crawl = CC-MAIN-2024-22 and subset = warc",
            "warc_record_offset = 397346194 and length = 24662",
            "truncated is null and content_truncated is null and redirect is null",
            "charset in (UTF-8, utf-8) and digest like 'CH7%'",
        ] {
            assert!(selects(JSON, expression), "{expression}");
        }
        let error = Expression::parse("mime_detected = x").unwrap().bind(&columns()).unwrap_err().to_string();
        assert!(error.contains("`mime-detected`"), "{error}");
    }

    #[test]
    fn values_of_any_type() {
        let line = r#"cz,a)/ 20240101 {"status": 404, "offset": 12, "length": -5, "languages": null, "x": [{"y": 1}], "mime": ["a"], "url": "http:\/\/\u0061.cz\/", "truncated": true}"#;
        assert!(selects(line, "status = 404 and offset = 12 and length = -5 and languages is null and mime is null"));
        assert!(selects(line, "url = 'http://a.cz/' and fetch_time = 2024-01-01 and url_host_tld = cz"));
        let line = r#"cz,a)/ - {"status": "-", "offset": "1e3", "mime": "-"}"#;
        assert!(selects(line, "status is null and offset is null and mime is null and fetch_time is null"));
    }

    #[test]
    fn hosts() {
        for (line, host, tld) in [
            (r#"x 1 {"url": "http://192.168.0.1/"}"#, Some("192.168.0.1"), None),
            (r#"x 1 {"url": "http://[::1]:80/"}"#, Some("[::1]"), None),
            (r#"x 1 {"url": "http://př.cz./"}"#, Some("xn--p-pma.cz"), Some("cz")),
            (r#"x 1 {"url": "dns:example.com"}"#, None, None),
            (r#"cz,a,b:8080)/ 1 {}"#, Some("b.a.cz"), Some("cz")),
            (r#"10.0.0.1)/ 1 {}"#, None, None),
            (r#"x 1 {}"#, None, None),
        ] {
            let line = Parser::default().parse(line).unwrap().unwrap();
            assert_eq!((line.derived("url_host_name"), line.derived("url_host_tld")), (host, tld));
        }
    }

    #[test]
    fn classic_lines_and_headers() {
        let line = "cz,a)/ 20200101000000 http://a.cz/ text/html 200 ABC - - 1234 5678 a.warc.gz";
        let mut parser = Parser::default();
        assert!(parser.parse(" CDX N b a m s k r M S V g\r\n").unwrap().is_none());
        let parsed = parser.parse(line).unwrap().unwrap();
        assert_eq!(parsed.location(), (Some("a.warc.gz"), Some(5678), Some(1234)));
        assert!(selects(line, "status = 200 and redirect is null and url_host_name = a.cz and digest = ABC"));

        let mut parser = Parser::default();
        assert!(parser.parse("|CDX|a|b|S|V|g|?").unwrap().is_none());
        let parsed = parser.parse("http://a b/|20200101000000|1|2|x.warc.gz|-").unwrap().unwrap();
        assert_eq!(parsed.location(), (Some("x.warc.gz"), Some(2), Some(1)));
        assert_eq!(parser.parse("a|b|c").unwrap_err(), LineError::Unreadable);
        assert_eq!(parser.parse("a|b|c|d|e|f|g").unwrap_err(), LineError::Unreadable);
        let error = parser.parse("CDX N b a m s k r V g").unwrap_err().to_string();
        assert!(error.contains("S (compressed size)"), "{error}");
    }

    #[test]
    fn other_lines() {
        let mut parser = Parser::default();
        for line in ["", "  \n", "!OpenWayback-CDXJ 1.0", "!meta {\"a\": 1}"] {
            assert!(parser.parse(line).unwrap().is_none(), "{line}");
        }
        for line in ["a b", "a b {", "a b {\"x\": }", "one two three", "a b {} c"] {
            assert_eq!(parser.parse(line).unwrap_err(), LineError::Unreadable, "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(lines in prop::collection::vec("( CDX)?[ |!{}\":,)a-gVS0-9é-]{0,40}", 1..5)) {
            let mut parser = Parser::default();
            for line in &lines {
                if let Ok(Some(line)) = parser.parse(line) {
                    (0..FIELDS.len() + DERIVED.len() + 2).for_each(|column| { line.value(column); });
                }
            }
        }
    }
}
