//! Parses the lines of CDXJ (`SURT timestamp {json}`), of classic CDX (fields named by a header line), and of what index
//! servers answer to `output=json` (CDXJ with all fields in the object).
//!
//! Fields have the names of Common Crawl's columnar index, so that one expression serves CDX and Parquet indices. The
//! value `-` is a missing value.

mod addresses;
mod json;

use std::borrow::Cow;
use std::cell::OnceCell;

use super::bound::{ColumnType, ColumnValue, IndexColumn};
use super::time;

/// A field of a line: its name in the columnar index, key in CDXJ, letter in a CDX header, and type.
struct CdxField(&'static str, &'static str, Option<char>, ColumnType);

const FIELDS: [CdxField; 14] = [
    CdxField("url_surtkey", "urlkey", Some('N'), ColumnType::Text),
    CdxField("fetch_time", "timestamp", Some('b'), ColumnType::Time),
    CdxField("url", "url", Some('a'), ColumnType::Text),
    CdxField("fetch_status", "status", Some('s'), ColumnType::Integer),
    CdxField("fetch_redirect", "redirect", Some('r'), ColumnType::Text),
    CdxField("content_digest", "digest", Some('k'), ColumnType::Text),
    CdxField("content_mime_type", "mime", Some('m'), ColumnType::Text),
    CdxField("content_mime_detected", "mime-detected", None, ColumnType::Text),
    CdxField("content_charset", "charset", None, ColumnType::Text),
    CdxField("content_languages", "languages", None, ColumnType::Text),
    CdxField("content_truncated", "truncated", None, ColumnType::Text),
    CdxField("warc_filename", "filename", Some('g'), ColumnType::Text),
    CdxField("warc_record_offset", "offset", Some('V'), ColumnType::Integer),
    CdxField("warc_record_length", "length", Some('S'), ColumnType::Integer),
];

const SURT: usize = 0;
const TIME: usize = 1;
const URL: usize = 2;
const FILENAME: usize = 11;
const OFFSET: usize = 12;
const LENGTH: usize = 13;

/// Columns derived from the fields; their indices follow those of [`FIELDS`].
const DERIVED: [&str; 8] = [
    "url_host_name",
    "url_host_tld",
    "url_host_registered_domain",
    "url_host_private_domain",
    "url_path",
    "url_protocol",
    "crawl",
    "subset",
];

/// The orders of fields in files without header, which are told by the number of fields.
const USUAL: [&str; 3] = [" CDX N b a m s k r M S V g", " CDX N b a m s k r M V g", " CDX N b a m s k r V g"];

/// Digits of a time at least: those of a year.
const SHORTEST_TIME: usize = 4;

/// The columns that an expression can name: every field by its name in the columnar index and by its CDXJ key, and the
/// derived columns.
pub fn columns() -> Vec<IndexColumn<'static>> {
    let fields = || FIELDS.iter().enumerate();
    let named = fields().map(|(index, field)| IndexColumn { name: field.0, index, data_type: field.3 });
    let keys = fields().filter(|(_, f)| f.0 != f.1).map(|(index, f)| IndexColumn { name: f.1, index, data_type: f.3 });
    let derived = DERIVED.iter().enumerate();
    let derived = derived.map(|(i, name)| IndexColumn { name, index: FIELDS.len() + i, data_type: ColumnType::Text });
    named.chain(keys).chain(derived).collect()
}

/// Why a line could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CdxLineError {
    /// The line is in neither format.
    #[error("line is neither CDXJ nor CDX")]
    Unreadable,
    /// The header lacks a field that is needed to find records.
    #[error("the CDX header has no field {0}, without which records cannot be located")]
    Header(&'static str),
}

/// Parses the lines of one file in order; remembers the last header.
#[derive(Debug)]
pub struct CdxParser {
    order: Option<FieldOrder>,
    /// The orders of files without header.
    usual: Vec<FieldOrder>,
}

impl Default for CdxParser {
    fn default() -> CdxParser {
        let usual = USUAL.iter().filter_map(|header| FieldOrder::of(header)?.ok()).collect();
        CdxParser { order: None, usual }
    }
}

/// The order of [`FIELDS`] in the lines of a classic CDX file.
#[derive(Debug)]
struct FieldOrder {
    separator: char,
    places: Vec<Option<usize>>,
}

/// The fields of one line.
#[derive(Debug, Default)]
pub struct CdxLine<'a> {
    fields: [Option<Cow<'a, str>>; FIELDS.len()],
    /// Host name, and top-level domain unless the host is an IP address. Computed when first needed.
    host: OnceCell<Option<(String, Option<String>)>>,
}

impl CdxParser {
    /// Parses a line. Returns `None` for headers, lines that begin with `!` and blank lines.
    ///
    /// # Errors
    /// [`CdxLineError`] if the line is in neither format or is a header without a necessary field.
    pub fn parse<'a>(&mut self, line: &'a str) -> Result<Option<CdxLine<'a>>, CdxLineError> {
        let line = line.trim_end_matches(['\r', '\n']);
        if line.trim().is_empty() || line.starts_with('!') {
            return Ok(None);
        }
        if let Some(order) = FieldOrder::of(line) {
            self.order = Some(order?);
            return Ok(None);
        }
        if line.trim_start().starts_with('{') {
            return serde_json::from_str(line).map(Some).map_err(|_| CdxLineError::Unreadable);
        }
        let mut parts = line.splitn(3, ' ');
        if let (Some(surt), Some(time), Some(json)) = (parts.next(), parts.next(), parts.next())
            && json.trim_start().starts_with('{')
        {
            return CdxLine::from_json(surt, time, json).map(Some);
        }
        if let Some(order) = &self.order {
            return order.line(line).map(Some);
        }
        let fields = line.split(' ').count();
        let usual = self.usual.iter().find(|order| order.places.len() == fields).ok_or(CdxLineError::Unreadable)?;
        // A line that was cut may have as many fields as another order.
        let is_time = |time: &str| time.len() >= SHORTEST_TIME && time.bytes().all(|b| b.is_ascii_digit());
        usual.line(line).map(Some).and_then(|parsed| match parsed {
            Some(line) if line.text(TIME).is_none_or(is_time) => Ok(Some(line)),
            _ => Err(CdxLineError::Unreadable),
        })
    }
}

impl FieldOrder {
    /// Parses a header; `None` if the line is none. Its first character is the separator, unless it is the `C` of
    /// `CDX`.
    fn of(line: &str) -> Option<Result<FieldOrder, CdxLineError>> {
        let first = line.chars().next()?;
        let (separator, header) = if first == 'C' { (' ', line) } else { (first, line.strip_prefix(first)?) };
        let letters = header.strip_prefix("CDX")?.strip_prefix(separator)?;
        let place = |letter: &str| FIELDS.iter().position(|f| f.2.is_some_and(|c| letter.chars().eq([c])));
        let places: Vec<Option<usize>> = letters.trim_end().split(separator).map(place).collect();
        let needed = [(FILENAME, "g (file name)"), (OFFSET, "V (offset)")];
        if let Some((_, name)) = needed.into_iter().find(|(field, _)| !places.contains(&Some(*field))) {
            return Some(Err(CdxLineError::Header(name)));
        }
        Some(Ok(FieldOrder { separator, places }))
    }

    /// Parses a line with fields in this order.
    fn line<'a>(&self, line: &'a str) -> Result<CdxLine<'a>, CdxLineError> {
        let mut parsed = CdxLine::default();
        let mut values = line.split(self.separator);
        for place in &self.places {
            let value = values.next().ok_or(CdxLineError::Unreadable)?;
            if let Some(field) = place {
                parsed.set(*field, Cow::Borrowed(value));
            }
        }
        if values.next().is_some() { Err(CdxLineError::Unreadable) } else { Ok(parsed) }
    }
}

impl<'a> CdxLine<'a> {
    fn from_json(surt: &'a str, time: &'a str, json: &'a str) -> Result<CdxLine<'a>, CdxLineError> {
        let mut line: CdxLine = serde_json::from_str(json).map_err(|_| CdxLineError::Unreadable)?;
        line.set(SURT, Cow::Borrowed(surt));
        line.set(TIME, Cow::Borrowed(time));
        Ok(line)
    }

    fn set(&mut self, field: usize, value: Cow<'a, str>) {
        if let Some(slot) = self.fields.get_mut(field) {
            *slot = (value != "-").then_some(value);
        }
    }

    /// The value of a column by its index in [`columns`]; `None` if it is missing.
    pub fn value(&self, column: usize) -> Option<ColumnValue<'_>> {
        let Some(field) = FIELDS.get(column) else {
            return self.derived(DERIVED.get(column - FIELDS.len())?).map(ColumnValue::Text);
        };
        let text = self.text(column)?;
        match field.3 {
            ColumnType::Integer => text.parse().ok().map(ColumnValue::Integer),
            ColumnType::Time => time::parse(text).map(ColumnValue::Integer),
            _ => Some(ColumnValue::Text(text)),
        }
    }

    /// Archive file name, offset and length of the record, each as far as the line has it.
    pub fn location(&self) -> (Option<&str>, Option<i64>, Option<i64>) {
        // What is there and no number is no missing length.
        let number = |field| self.text(field).filter(|text| !text.is_empty()).map(|text| text.parse().unwrap_or(-1));
        (self.text(FILENAME), number(OFFSET), number(LENGTH))
    }

    fn text(&self, field: usize) -> Option<&str> {
        self.fields.get(field)?.as_deref()
    }

    fn derived(&self, name: &str) -> Option<&str> {
        let host = || self.host.get_or_init(|| self.host()).as_ref();
        let name_with_tld = || host().filter(|(_, tld)| tld.is_some()).map(|(name, _)| name.as_str());
        // crawl-data/CC-MAIN-2024-22/segments/1715971057216.39/warc/CC-MAIN-…-00000.warc.gz
        let path = || self.text(FILENAME)?.strip_prefix("crawl-data/");
        match name {
            "url_host_name" => host().map(|(name, _)| name.as_str()),
            "url_host_tld" => host()?.1.as_deref(),
            // IP addresses have none, in Common Crawl's index either.
            "url_host_registered_domain" => name_with_tld().and_then(addresses::registered_domain),
            "url_host_private_domain" => name_with_tld().and_then(psl::domain_str),
            "url_path" => self.text(URL).and_then(addresses::path_of_url),
            "url_protocol" => self.text(URL)?.split_once(':').map(|(protocol, _)| protocol),
            "crawl" => path()?.split('/').next(),
            "subset" => path()?.split('/').nth(3),
            _ => None,
        }
    }

    /// Host name and top-level domain of the URL; if there is no URL, of the SURT key, which lacks a leading `www`.
    fn host(&self) -> Option<(String, Option<String>)> {
        match self.text(URL) {
            Some(url) => addresses::host_of_url(url),
            None => addresses::host_of_surt(self.text(SURT)?),
        }
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
        let line = CdxParser::default().parse(line).unwrap().unwrap();
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
            "fetch_time = 2024-05-22 and fetch_time <= 2024 and fetch_time in (2019, 2024-05) and not timestamp > 2024-05",
            "url_host_name = www.example.com and url_host_tld = com and url_protocol = https",
            "crawl = CC-MAIN-2024-22 and subset = warc",
            "url_host_registered_domain = example.com and url_path = '/a'",
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
            let line = CdxParser::default().parse(line).unwrap().unwrap();
            assert_eq!((line.derived("url_host_name"), line.derived("url_host_tld")), (host, tld));
            let domain = host.filter(|_| tld.is_some()).map(|host| if host == "b.a.cz" { "a.cz" } else { host });
            assert_eq!(line.derived("url_host_registered_domain"), domain);
        }
        let line = CdxParser::default().parse(r#"x 1 {"url": "http://a.user.github.io/"}"#).unwrap().unwrap();
        assert_eq!(line.derived("url_host_registered_domain"), Some("github.io"));
        assert_eq!(line.derived("url_host_private_domain"), Some("user.github.io"));
        for (url, path) in [("http://a.cz", Some("")), ("http://a.cz/b/c?d=/e#f", Some("/b/c")), ("dns:a.cz", None)] {
            let line = format!("x 1 {{\"url\": \"{url}\"}}");
            let line = CdxParser::default().parse(&line).unwrap().unwrap();
            assert_eq!(line.derived("url_path"), path);
        }
    }

    #[test]
    fn classic_lines_and_headers() {
        let line = "cz,a)/ 20200101000000 http://a.cz/ text/html 200 ABC - - 1234 5678 a.warc.gz";
        let mut parser = CdxParser::default();
        assert!(parser.parse(" CDX N b a m s k r M S V g\r\n").unwrap().is_none());
        let parsed = parser.parse(line).unwrap().unwrap();
        assert_eq!(parsed.location(), (Some("a.warc.gz"), Some(5678), Some(1234)));
        assert!(selects(line, "status = 200 and redirect is null and url_host_name = a.cz and digest = ABC"));

        let mut parser = CdxParser::default();
        assert!(parser.parse("|CDX|a|b|S|V|g|?").unwrap().is_none());
        let parsed = parser.parse("http://a b/|20200101000000|1|2|x.warc.gz|-").unwrap().unwrap();
        assert_eq!(parsed.location(), (Some("x.warc.gz"), Some(2), Some(1)));
        assert_eq!(parser.parse("a|b|c").unwrap_err(), CdxLineError::Unreadable);
        assert_eq!(parser.parse("a|b|c|d|e|f|g").unwrap_err(), CdxLineError::Unreadable);
        let error = parser.parse("CDX N b a m s k r S g").unwrap_err().to_string();
        assert!(error.contains("V (offset)"), "{error}");

        // Without lengths.
        let line = "cz,a)/ 20200101000000 http://a.cz/ text/html 200 ABC - 5678 a.warc.gz";
        for parser in [&mut CdxParser::default(), &mut parser] {
            let _header = parser.parse(" CDX N b a m s k r V g");
            assert_eq!(parser.parse(line).unwrap().unwrap().location(), (Some("a.warc.gz"), Some(5678), None));
        }
        let mut parser = CdxParser::default();
        // The first line was cut.
        let cut = "http://b.cz/ text/html 200 ABC - - 1234 5678 a.warc.gz";
        assert_eq!(parser.parse(cut).unwrap_err(), CdxLineError::Unreadable);
        let whole = "cz,a)/ 20200101000000 http://a.cz/ text/html 200 ABC - - 1234 5678 a.warc.gz";
        for (line, length) in [(line, None), (whole, Some(1234))] {
            assert_eq!(parser.parse(line).unwrap().unwrap().location(), (Some("a.warc.gz"), Some(5678), length));
        }
    }

    #[test]
    fn answers_of_index_servers() {
        let line = JSON.replacen(
            "com,example)/a?b=1 20240522001122 {",
            "{\"urlkey\": \"com,example)/a?b=1\", \"timestamp\": \"20240522001122\", ",
            1,
        );
        assert!(selects(
            &line,
            "urlkey = 'com,example)/a?b=1' and fetch_time = '2024-05-22T00:11:22Z' and languages has ces"
        ));
        let parsed = |line: &str| CdxParser::default().parse(line).map(|line| line.unwrap().location().1);
        assert_eq!(parsed(&line), Ok(Some(397_346_194)));
        let offset = |value| parsed(&format!("{{\"offset\": \"{value}\"}}"));
        assert_eq!((offset(""), offset("-"), offset("x2")), (Ok(None), Ok(None), Ok(Some(-1))));
        assert_eq!(parsed("{\"message\": 1"), Err(CdxLineError::Unreadable));
    }

    #[test]
    fn other_lines() {
        let mut parser = CdxParser::default();
        for line in ["", "  \n", "!OpenWayback-CDXJ 1.0", "!meta {\"a\": 1}"] {
            assert!(parser.parse(line).unwrap().is_none(), "{line}");
        }
        for line in ["a b", "a b {", "a b {\"x\": }", "one two three", "a b {} c"] {
            assert_eq!(parser.parse(line).unwrap_err(), CdxLineError::Unreadable, "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(lines in prop::collection::vec("( CDX)?[ |!{}\":,)a-gVS0-9é-]{0,40}", 1..5)) {
            let mut parser = CdxParser::default();
            for line in &lines {
                if let Ok(Some(line)) = parser.parse(line) {
                    (0..FIELDS.len() + DERIVED.len() + 2).for_each(|column| { line.value(column); });
                }
            }
        }
    }
}
