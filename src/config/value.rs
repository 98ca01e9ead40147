//! Values of settings: which types are accepted for a key, and what is said about others.

use toml::Value;

use super::ConfigError;
use crate::nearest::nearest;

/// The given value in the type of the default. A whole number is accepted for a number, a string such as `64M` for a
/// number of bytes, and `a,b` for a list of strings.
pub(super) fn with_type_of(default: &Value, given: &Value, key: &str, origin: &str) -> Result<Value, ConfigError> {
    match (default, given) {
        (Value::Float(_), Value::Integer(i)) => Ok(Value::Float(*i as f64)),
        (Value::Integer(_), Value::String(size)) if is_size(key) => {
            let whole = bytes(size).and_then(|n| i64::try_from(n).map_err(|_| "too large".into()));
            whole.map(Value::Integer).map_err(|want| ConfigError::OutOfRange {
                key: key.into(),
                got: given.to_string(),
                want,
            })
        }
        (Value::Array(_), Value::String(items)) => {
            let items = items_of(items).into_iter().map(str::trim).filter(|item| !item.is_empty());
            Ok(Value::Array(items.map(|item| Value::String(item.into())).collect()))
        }
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => Ok(given.clone()),
        _ => Err(ConfigError::WrongType {
            origin: origin.into(),
            key: key.into(),
            got: given.to_string(),
            want: kind(default),
            default: default.to_string(),
        }),
    }
}

/// The items of a list with commas between them. A comma in brackets or quotation marks is a part of its item:
/// `language in (eng, deu), words > 50`.
fn items_of(list: &str) -> Vec<&str> {
    let (mut depth, mut quote) = (0usize, None);
    let outside = list.split(|c: char| {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0 && quote.is_none()
    });
    let items: Vec<&str> = outside.collect();
    if depth == 0 && quote.is_none() { items } else { list.split(',').collect() }
}

/// Whether the value of a key is a number of bytes.
fn is_size(key: &str) -> bool {
    let name = key.rsplit('.').next().unwrap_or(key);
    name.ends_with("bytes") || name.ends_with("memory") || matches!(name, "record_length" | "chunk")
}

/// The type of a value, as error messages name it.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list",
        Value::Table(_) => "a section",
        _ => "a string",
    }
}

/// Parses a number of bytes such as `8G` or `500M` (powers of 1024), or without a unit.
///
/// # Errors
/// What was expected instead.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.trim_end_matches(['B', 'b', 'i']).to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("expected a number with K, M, G or T, such as 8G".into()),
    };
    let number = digits.parse::<u64>().map_err(|_| "expected a number of bytes, such as 8G".to_string())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".into())
}

/// Says in the words of the settings what serde says in those of Rust's types: an unknown variant, a negative number.
/// `key` is the setting that the error is about.
pub(super) fn explained(key: &str, error: &toml::de::Error) -> ConfigError {
    let message = error.message();
    let mut quoted = message.split('`').skip(1).step_by(2);
    let got = quoted.next().unwrap_or_default();
    let want = if let Some((_, all)) = message.split_once("expected one of ").filter(|_| message.contains('`')) {
        format!("one of {}; the nearest is {}", all.replace('`', ""), nearest(got, quoted))
    } else if message.starts_with("unknown variant") && message.contains("expected ") {
        quoted.collect::<Vec<_>>().join(" or ")
    } else if message.starts_with("invalid value: integer") {
        let got = got.parse::<i64>().unwrap_or_default();
        if got < 0 { "a whole number, not below 0".into() } else { format!("{got} is not possible here") }
    } else {
        return ConfigError::Syntax { origin: format!("`{key}`"), message: message.into() };
    };
    ConfigError::OutOfRange { key: key.into(), got: got.into(), want }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_and_quotation_marks_are_parts_of_an_item() {
        assert_eq!(items_of("eng, deu"), ["eng", " deu"]);
        assert_eq!(items_of("language in (eng, deu),words > 50"), ["language in (eng, deu)", "words > 50"]);
        assert_eq!(items_of("host like 'a,b',x"), ["host like 'a,b'", "x"]);
        assert_eq!(items_of("it's,(b"), ["it's", "(b"], "nothing is closed");
    }

    #[test]
    fn units_of_bytes() {
        for (text, n) in [("0", 0), ("5", 5), ("64K", 65_536), ("8G", 8 << 30), ("1MiB", 1 << 20), ("2tb", 2 << 40)] {
            assert_eq!(bytes(text), Ok(n), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "8X", "99999999999T"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
