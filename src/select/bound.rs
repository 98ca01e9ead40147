//! Binds an [`Expression`] to the columns of one index: names are resolved, types are checked and negations are moved
//! to the tests, so that testing a row needs no look-up and no allocation.

mod literals;

use std::ops::Range;

use self::literals::{integer, possible_text, real, text, time, wrong};
use super::expression::{Condition, Expression, ExpressionError, Operator, Test};
use super::like::Pattern;
use crate::nearest::near;

/// The type of an index column, as far as expressions are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Text in UTF-8.
    Text,
    /// Text: ISO 639-3 codes of languages, several with commas between them.
    Language,
    /// The same, of the languages that the language table knows.
    KnownLanguage,
    /// Text: one of these values.
    OneOf(&'static [&'static str]),
    /// Whole numbers that fit an `i64`.
    Integer,
    /// Whole numbers: a year and its month in two digits.
    Month,
    /// Numbers.
    Real,
    /// Times, as microseconds since 1970 in UTC.
    Time,
    /// Lists, which expressions cannot test, and what to do instead.
    List(&'static str),
    /// A type that expressions cannot test.
    Other,
}

/// A column that an expression can name. Several names may have the same index.
#[derive(Debug, Clone)]
pub struct IndexColumn<'a> {
    /// The name in expressions.
    pub name: &'a str,
    /// The number by which a row gives the value.
    pub index: usize,
    /// The type of its values.
    pub data_type: ColumnType,
}

/// The value of a column in one row. A missing value is represented by `None` in an `Option` around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ColumnValue<'a> {
    /// A value of a column of text.
    Text(&'a str),
    /// A value of a column of whole numbers or times.
    Integer(i64),
    /// A value of a [`ColumnType::Real`] column; no NaN.
    Real(f64),
}

/// What is known about the values of a column in a part of an index, such as a Parquet row group. Minimum and maximum
/// are bounds that need not occur; `None` means unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct ColumnStatistics<'a> {
    /// Minimum and maximum of a text column, as bytes.
    pub text: (Option<&'a [u8]>, Option<&'a [u8]>),
    /// Minimum and maximum of a column of integers or times.
    pub integer: (Option<i64>, Option<i64>),
    /// Whether it is known that all values are missing.
    pub all_null: bool,
    /// Whether it is known that no value is missing.
    pub no_null: bool,
}

/// An expression that can be tested on rows; made by [`Expression::bind`].
#[derive(Debug, Clone)]
pub struct BoundExpression(Predicate);

#[derive(Debug, Clone)]
enum Predicate {
    Any(Vec<Predicate>),
    All(Vec<Predicate>),
    Leaf { column: usize, check: Check, wanted: bool },
}

#[derive(Debug, Clone)]
enum Check {
    Text(Operator, String),
    Integer(Operator, i64),
    Real(Operator, f64),
    TextIn(Vec<String>),
    IntegerIn(Vec<i64>),
    /// In one of these periods, which are sorted and apart.
    Within(Vec<Range<i64>>),
    RealIn(Vec<f64>),
    Has(String),
    Like(Pattern),
    Null,
}

impl Expression {
    /// Resolves the names of the expression among these columns and checks the types of its values.
    ///
    /// # Errors
    /// [`ExpressionError`] if a column is unknown or is tested against a value of another type.
    pub fn bind(&self, columns: &[IndexColumn]) -> Result<BoundExpression, ExpressionError> {
        bind(self, columns, true).map(BoundExpression)
    }
}

impl BoundExpression {
    /// Whether the expression is true of a row, whose values are given by column index.
    pub fn matches<'a>(&self, row: impl Fn(usize) -> Option<ColumnValue<'a>>) -> bool {
        self.0.matches(&row)
    }

    /// Whether a row may match in a part of an index where columns, by index, have these statistics. If false, no row
    /// matches.
    pub fn may_match<'a>(&self, statistics: impl Fn(usize) -> ColumnStatistics<'a>) -> bool {
        self.0.may_match(&statistics)
    }
}

fn bind(expression: &Expression, columns: &[IndexColumn], wanted: bool) -> Result<Predicate, ExpressionError> {
    let (parts, all) = match expression {
        Expression::Not(inner) => return bind(inner, columns, !wanted),
        Expression::Test(test) => return leaf(test, columns, wanted),
        Expression::And(parts) => (parts, wanted),
        Expression::Or(parts) => (parts, !wanted),
    };
    let predicates: Result<Vec<Predicate>, _> = parts.iter().map(|part| bind(part, columns, wanted)).collect();
    predicates.map(if all { Predicate::All } else { Predicate::Any })
}

fn leaf(test: &Test, columns: &[IndexColumn], wanted: bool) -> Result<Predicate, ExpressionError> {
    let Some(column) = columns.iter().find(|column| column.name == test.column) else {
        return Err(unknown(&test.column, columns));
    };
    let (integers, reals) = match column.data_type {
        ColumnType::Integer | ColumnType::Month | ColumnType::Time => (true, false),
        ColumnType::Real => (false, true),
        ColumnType::Text | ColumnType::Language | ColumnType::KnownLanguage | ColumnType::OneOf(_) => (false, false),
        ColumnType::List(instead) => return Err(wrong(column, instead)),
        ColumnType::Other => return Err(wrong(column, "use another column")),
    };
    let is_time = column.data_type == ColumnType::Time;
    let (check, wanted) = match &test.condition {
        Condition::Null => (Check::Null, wanted),
        Condition::Compare(operator, value) if is_time => in_time(*operator, time(column, value)?, wanted),
        Condition::In(values) if is_time => {
            let periods: Result<Vec<_>, _> = values.iter().map(|value| time(column, value)).collect();
            (Check::Within(apart(periods?)), wanted)
        }
        Condition::Compare(operator, value) => {
            let operator = if wanted { *operator } else { operator.inverse() };
            let check = if integers {
                Check::Integer(operator, integer(column, value)?)
            } else if reals {
                Check::Real(operator, real(column, value)?)
            } else if matches!(operator, Operator::Equal | Operator::NotEqual) {
                Check::Text(operator, possible_text(column, value)?)
            } else {
                Check::Text(operator, text(column, value)?)
            };
            (check, true)
        }
        Condition::In(values) if integers => {
            let values: Result<Vec<i64>, _> = values.iter().map(|value| integer(column, value)).collect();
            (Check::IntegerIn(sorted(values?)), wanted)
        }
        Condition::In(values) if reals => {
            let values: Result<Vec<f64>, _> = values.iter().map(|value| real(column, value)).collect();
            (Check::RealIn(values?), wanted)
        }
        Condition::In(values) => {
            let values: Result<Vec<String>, _> = values.iter().map(|value| possible_text(column, value)).collect();
            (Check::TextIn(sorted(values?)), wanted)
        }
        Condition::Has(_) if integers || reals => return Err(wrong(column, "`has` tests text")),
        Condition::Like(_) if integers || reals => return Err(wrong(column, "`like` tests text")),
        Condition::Has(value) => (Check::Has(possible_text(column, value)?), wanted),
        Condition::Like(value) => (Check::Like(Pattern::new(&text(column, value)?)), wanted),
    };
    Ok(Predicate::Leaf { column: column.index, check, wanted })
}

/// The check of a time against all that the other time means: a year is later than another if it begins behind its end.
fn in_time(operator: Operator, meant: Range<i64>, wanted: bool) -> (Check, bool) {
    let operator = if wanted { operator } else { operator.inverse() };
    match operator {
        Operator::Equal => (Check::Within(vec![meant]), true),
        Operator::NotEqual => (Check::Within(vec![meant]), false),
        Operator::Less | Operator::GreaterOrEqual => (Check::Integer(operator, meant.start), true),
        Operator::LessOrEqual => (Check::Integer(Operator::Less, meant.end), true),
        Operator::Greater => (Check::Integer(Operator::GreaterOrEqual, meant.end), true),
    }
}

/// The same periods in order, those that touch as one.
fn apart(mut periods: Vec<Range<i64>>) -> Vec<Range<i64>> {
    periods.sort_unstable_by_key(|period| (period.start, period.end));
    let mut apart: Vec<Range<i64>> = Vec::with_capacity(periods.len());
    for period in periods {
        match apart.last_mut() {
            Some(last) if period.start <= last.end => last.end = last.end.max(period.end),
            _ => apart.push(period),
        }
    }
    apart
}

/// Whether a time is in one of the periods, which are sorted and apart.
fn is_within(periods: &[Range<i64>], time: i64) -> bool {
    let place = periods.partition_point(|period| period.end <= time);
    periods.get(place).is_some_and(|period| period.contains(&time))
}

fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values
}

/// Bytes of a name that are shown.
const LONGEST_NAME: usize = 200;

/// Columns that are shown of an index.
const MOST_NAMES: usize = 200;

fn unknown(name: &str, columns: &[IndexColumn]) -> ExpressionError {
    let name = name.get(..name.floor_char_boundary(LONGEST_NAME)).unwrap_or(name);
    let near = near(name, columns.iter().map(|column| column.name));
    let near = near.map(|near| format!("the nearest is `{near}`; ")).unwrap_or_default();
    let is_shown = |column: &&IndexColumn| {
        !matches!(column.data_type, ColumnType::List(_) | ColumnType::Other) && column.name.len() <= LONGEST_NAME
    };
    let known = columns.iter().filter(is_shown).take(MOST_NAMES).map(|column| format!("`{}`", column.name));
    let known = format!("{near}columns are {}", known.collect::<Vec<_>>().join(", "));
    ExpressionError::UnknownColumn { column: name.into(), known }
}

impl Predicate {
    fn matches<'a>(&self, row: &impl Fn(usize) -> Option<ColumnValue<'a>>) -> bool {
        match self {
            Predicate::Any(predicates) => predicates.iter().any(|predicate| predicate.matches(row)),
            Predicate::All(predicates) => predicates.iter().all(|predicate| predicate.matches(row)),
            Predicate::Leaf { column, check, wanted } => check.of(row(*column)) == Some(*wanted),
        }
    }

    fn may_match<'a>(&self, statistics: &impl Fn(usize) -> ColumnStatistics<'a>) -> bool {
        match self {
            Predicate::Any(predicates) => predicates.iter().any(|predicate| predicate.may_match(statistics)),
            Predicate::All(predicates) => predicates.iter().all(|predicate| predicate.may_match(statistics)),
            Predicate::Leaf { column, check, wanted } => check.possible(&statistics(*column), *wanted),
        }
    }
}

impl Check {
    /// Whether the value passes this check; `None` if the value is missing.
    fn of(&self, value: Option<ColumnValue>) -> Option<bool> {
        if let Check::Null = self {
            return Some(value.is_none());
        }
        Some(match (self, value?) {
            (Check::Text(operator, want), ColumnValue::Text(text)) => operator.holds(text, want.as_str()),
            (Check::Integer(operator, want), ColumnValue::Integer(number)) => operator.holds(&number, want),
            (Check::Real(operator, want), ColumnValue::Real(number)) => operator.holds(&number, want),
            (Check::RealIn(wanted), ColumnValue::Real(number)) => wanted.contains(&number),
            (Check::TextIn(wanted), ColumnValue::Text(text)) => {
                wanted.binary_search_by(|w| w.as_str().cmp(text)).is_ok()
            }
            (Check::IntegerIn(wanted), ColumnValue::Integer(number)) => wanted.binary_search(&number).is_ok(),
            (Check::Within(periods), ColumnValue::Integer(time)) => is_within(periods, time),
            (Check::Has(want), ColumnValue::Text(text)) => text.split(',').any(|item| item.trim() == want),
            (Check::Like(pattern), ColumnValue::Text(text)) => pattern.matches(text),
            _ => return None,
        })
    }

    /// Whether a value with these statistics may give the wanted result.
    fn possible(&self, statistics: &ColumnStatistics, wanted: bool) -> bool {
        if let Check::Null = self {
            return if wanted { !statistics.no_null } else { !statistics.all_null };
        }
        let (min, max) = statistics.text;
        !statistics.all_null
            && match self {
                Check::Text(operator, want) => within(*operator, want.as_bytes(), min, max),
                Check::Integer(operator, want) => {
                    within(*operator, want, statistics.integer.0.as_ref(), statistics.integer.1.as_ref())
                }
                Check::TextIn(wants) if wanted => {
                    wants.iter().any(|want| within(Operator::Equal, want.as_bytes(), min, max))
                }
                Check::IntegerIn(wants) if wanted => {
                    let (min, max) = (statistics.integer.0.as_ref(), statistics.integer.1.as_ref());
                    wants.iter().any(|want| within(Operator::Equal, want, min, max))
                }
                Check::Within(periods) => match (statistics.integer, wanted) {
                    ((min, max), true) => periods.iter().any(|period| {
                        min.is_none_or(|min| min < period.end) && max.is_none_or(|max| max >= period.start)
                    }),
                    // All values are in a period that has both ends.
                    ((Some(min), Some(max)), false) => {
                        !periods.iter().any(|period| period.contains(&min) && period.contains(&max))
                    }
                    _ => true,
                },
                Check::Like(pattern) if wanted => {
                    let prefix = pattern.prefix();
                    let prefix = prefix.as_bytes();
                    min.is_none_or(|min| min <= prefix || min.starts_with(prefix))
                        && max.is_none_or(|max| max >= prefix)
                }
                _ => true,
            }
    }
}

/// Whether a value between `min` and `max` can stand in the relation `operator` to `want`.
fn within<T: Ord + ?Sized>(operator: Operator, want: &T, min: Option<&T>, max: Option<&T>) -> bool {
    let (low, high) = (
        |o: Operator| min.is_none_or(|min| o.holds(min, want)),
        |o: Operator| max.is_none_or(|max| o.holds(max, want)),
    );
    match operator {
        Operator::Equal => low(Operator::LessOrEqual) && high(Operator::GreaterOrEqual),
        Operator::NotEqual => !(min == Some(want) && max == Some(want)),
        Operator::Less | Operator::LessOrEqual => low(operator),
        Operator::Greater | Operator::GreaterOrEqual => high(operator),
    }
}

#[cfg(test)]
mod tests;
