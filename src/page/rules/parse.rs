//! The text of a rules file → [`Rule`]s.

use jiff::civil::Date;
use toml::{Table, Value};

use super::{HostPattern, MetadataField, Purpose, Rule, Selector, UrlPattern};
use crate::nearest::nearest;
use crate::text::beginning;

/// A mistake in a rules file.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("{place}: {kind}")]
pub struct RuleError {
    /// The file, and the name or the number of the rule if the mistake is in one.
    pub place: String,
    /// What is wrong.
    pub kind: RuleErrorKind,
}

/// The kinds of mistakes in a rules file, with what was written and what is expected.
#[derive(Debug, thiserror::Error, PartialEq)]
#[allow(missing_docs)]
pub enum RuleErrorKind {
    #[error("{0}")]
    Syntax(String),
    #[error("unknown key `{key}`; the nearest is `{nearest}`")]
    UnknownKey { key: String, nearest: String },
    #[error("`{key}` = {got} should be {want}")]
    WrongType { key: String, got: String, want: &'static str },
    #[error("selector `{selector}` of `{key}`: {reason}")]
    Selector { key: String, selector: String, reason: String },
    #[error("`url` = `{pattern}`: {reason}")]
    Pattern { pattern: String, reason: String },
    #[error("`host` = `{0}` should be the name of a host, or `*.` and a domain")]
    Host(String),
    #[error("a rule needs a `host`")]
    NoHost,
    #[error("`from` = {0} is later than `until` = {1}")]
    Span(Date, Date),
    #[error("there is another rule `{0}`; reports would not tell them apart")]
    Twice(String),
}

const KEYS: [&str; 8] = ["name", "host", "url", "from", "until", "content", "drop", "metadata"];

/// The rules of a file, in order.
pub(super) fn rules(file: &str, text: &str) -> Result<Vec<Rule>, RuleError> {
    let failed = |kind| RuleError { place: file.into(), kind };
    let table: Table = toml::from_str(text).map_err(|e| failed(RuleErrorKind::Syntax(e.to_string())))?;
    known(&table, "", &["rule"]).map_err(failed)?;
    let list = match table.get("rule") {
        None => &[],
        Some(Value::Array(list)) => list.as_slice(),
        Some(other) => return Err(failed(wrong("rule", other, "a list of rules, each under [[rule]]"))),
    };
    let numbered = list.iter().zip(1..);
    numbered
        .map(|(value, number): (&Value, usize)| {
            let table = value.as_table().ok_or_else(|| failed(wrong("rule", value, "a table under [[rule]]")))?;
            let place = match table.get("name").and_then(Value::as_str) {
                Some(name) => format!("{file}: rule `{name}`"),
                None => format!("{file}: rule {number}"),
            };
            rule(table, format!("{file} {number}")).map_err(|kind| RuleError { place, kind })
        })
        .collect()
}

fn rule(table: &Table, default_name: String) -> Result<Rule, RuleErrorKind> {
    known(table, "", &KEYS)?;
    let hosts = strings(table, "host")?.iter().map(|name| host(name)).collect::<Result<Vec<HostPattern>, _>>()?;
    if hosts.is_empty() {
        return Err(RuleErrorKind::NoHost);
    }
    let (from, until) = (day(table, "from")?, day(table, "until")?);
    if let (Some(from), Some(until)) = (from, until)
        && from > until
    {
        return Err(RuleErrorKind::Span(from, until));
    }
    Ok(Rule {
        name: name(table)?.unwrap_or(default_name),
        hosts,
        urls: strings(table, "url")?.into_iter().map(pattern).collect::<Result<_, _>>()?,
        from,
        until,
        selectors: all_selectors(table)?,
    })
}

fn name(table: &Table) -> Result<Option<String>, RuleErrorKind> {
    let sound = |name: &&str| !name.trim().is_empty() && !name.contains(char::is_control);
    match table.get("name") {
        None => Ok(None),
        Some(value) => match value.as_str().filter(sound) {
            Some(name) => Ok(Some(name.trim().into())),
            None => Err(wrong("name", value, "a text in one line")),
        },
    }
}

fn all_selectors(table: &Table) -> Result<Vec<Selector>, RuleErrorKind> {
    let none = Table::new();
    let metadata = match table.get("metadata") {
        None => &none,
        Some(Value::Table(metadata)) => metadata,
        Some(other) => return Err(wrong("metadata", other, "a section, [rule.metadata]")),
    };
    known(metadata, "metadata.", &MetadataField::ALL.map(MetadataField::key))?;
    let mut selectors = selectors(table, "content", Purpose::Content)?;
    selectors.extend(self::selectors(table, "drop", Purpose::Drop)?);
    for field in MetadataField::ALL {
        selectors.extend(self::selectors(metadata, field.key(), Purpose::Metadata(field))?);
    }
    Ok(selectors)
}

fn selectors(table: &Table, key: &str, purpose: Purpose) -> Result<Vec<Selector>, RuleErrorKind> {
    let path = match purpose {
        Purpose::Metadata(_) => format!("metadata.{key}"),
        _ => key.into(),
    };
    let parse = |selector: String| {
        let shown = || beginning(&selector, LONGEST_KEY).to_owned();
        let refused = |reason| RuleErrorKind::Selector { key: path.clone(), selector: shown(), reason };
        Selector::parse(purpose, &selector).map_err(refused)
    };
    strings(table, key)?.into_iter().map(parse).collect()
}

/// Bytes of a key or selector that a message shows.
const LONGEST_KEY: usize = 200;

/// Refuses keys that mean nothing here.
fn known(table: &Table, prefix: &str, keys: &[&str]) -> Result<(), RuleErrorKind> {
    let Some(key) = table.keys().find(|key| !keys.contains(&key.as_str())) else { return Ok(()) };
    let key = beginning(key, LONGEST_KEY);
    let nearest = nearest(key, keys.iter().copied());
    Err(RuleErrorKind::UnknownKey { key: format!("{prefix}{key}"), nearest: format!("{prefix}{nearest}") })
}

/// A string or a list of strings; no such key: none.
fn strings(table: &Table, key: &str) -> Result<Vec<String>, RuleErrorKind> {
    let Some(value) = table.get(key) else { return Ok(Vec::new()) };
    let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let strings: Option<Vec<String>> = list.iter().map(|item| item.as_str().map(str::to_owned)).collect();
    strings.ok_or_else(|| wrong(key, value, "a string or a list of strings"))
}

/// A day as a string or as TOML's own date.
fn day(table: &Table, key: &str) -> Result<Option<Date>, RuleErrorKind> {
    let Some(value) = table.get(key) else { return Ok(None) };
    let written = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let complete = written.len() == "2012-01-31".len();
    let day = complete.then(|| written.parse().ok()).flatten();
    day.map(Some).ok_or_else(|| wrong(key, value, "a day such as \"2012-01-31\""))
}

fn pattern(pattern: String) -> Result<UrlPattern, RuleErrorKind> {
    UrlPattern::new(pattern).map_err(|(pattern, e)| RuleErrorKind::Pattern { pattern, reason: e.to_string() })
}

/// Names are compared as URLs have them: lower case, Punycode, without a final dot.
fn host(written: &str) -> Result<HostPattern, RuleErrorKind> {
    let refused = || RuleErrorKind::Host(written.into());
    let (name, below) = written.strip_prefix("*.").map_or((written, false), |name| (name, true));
    let parsed = Some(name).filter(|name| !name.contains('*')).and_then(|name| url::Host::parse(name).ok());
    let name = parsed.as_ref().ok_or_else(refused)?.to_string();
    let name = name.strip_suffix('.').unwrap_or(&name).to_owned();
    match parsed {
        Some(url::Host::Domain(_)) if below => Ok(HostPattern::Below(name)),
        Some(_) if !below => Ok(HostPattern::Exact(name)),
        _ => Err(refused()),
    }
}

fn wrong(key: &str, got: &Value, want: &'static str) -> RuleErrorKind {
    RuleErrorKind::WrongType { key: key.into(), got: got.to_string(), want }
}
