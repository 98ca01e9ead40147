//! An [`Expression`] bound to the columns of one file: names resolved, types checked, negations moved
//! to the tests, so that a row takes no look-up and no allocation.

use super::expression::{Condition, Expression, ExpressionError, Literal, Operator, Test};
use super::like::Pattern;
use super::time;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    /// Integers: microseconds since 1970.
    Time,
    /// Nothing that can be tested.
    Other,
}

/// A name and what it stands for. Two names may stand for one index.
#[derive(Debug, Clone)]
pub struct Column<'a> {
    pub name: &'a str,
    pub index: usize,
    pub kind: Kind,
}

/// Of a row; missing is `None` around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    Text(&'a str),
    Integer(i64),
}

/// What is known of a column's values in a part of a file. Bounds need not be attained.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extent<'a> {
    pub text: (Option<&'a [u8]>, Option<&'a [u8]>),
    pub integer: (Option<i64>, Option<i64>),
    /// Whether all are missing; whether none is.
    pub all_null: bool,
    pub no_null: bool,
}

#[derive(Debug, Clone)]
pub struct Bound(Node);

#[derive(Debug, Clone)]
enum Node {
    Any(Vec<Node>),
    All(Vec<Node>),
    Leaf { column: usize, check: Check, wanted: bool },
}

#[derive(Debug, Clone)]
enum Check {
    Text(Operator, String),
    Integer(Operator, i64),
    TextIn(Vec<String>),
    IntegerIn(Vec<i64>),
    Has(String),
    Like(Pattern),
    Null,
}

impl Expression {
    /// For rows with these columns.
    pub fn bind(&self, columns: &[Column]) -> Result<Bound, ExpressionError> {
        bind(self, columns, true).map(Bound)
    }
}

impl Bound {
    /// Whether the expression is true of a row, whose values are given by column index.
    pub fn matches<'a>(&self, row: impl Fn(usize) -> Option<Value<'a>>) -> bool {
        self.0.matches(&row)
    }

    /// Whether some row may match where columns, by index, have these extents. Never wrong when false.
    pub fn may_match<'a>(&self, extent: impl Fn(usize) -> Extent<'a>) -> bool {
        self.0.may_match(&extent)
    }
}

fn bind(expression: &Expression, columns: &[Column], wanted: bool) -> Result<Node, ExpressionError> {
    let (parts, all) = match expression {
        Expression::Not(inner) => return bind(inner, columns, !wanted),
        Expression::Test(test) => return leaf(test, columns, wanted),
        Expression::And(parts) => (parts, wanted),
        Expression::Or(parts) => (parts, !wanted),
    };
    let nodes: Result<Vec<Node>, _> = parts.iter().map(|part| bind(part, columns, wanted)).collect();
    nodes.map(if all { Node::All } else { Node::Any })
}

fn leaf(test: &Test, columns: &[Column], wanted: bool) -> Result<Node, ExpressionError> {
    let Some(column) = columns.iter().find(|column| column.name == test.column) else {
        return Err(unknown(&test.column, columns));
    };
    let integers = matches!(column.kind, Kind::Integer | Kind::Time);
    let (check, wanted) = match &test.condition {
        _ if column.kind == Kind::Other => return Err(wrong(column, "it cannot be tested")),
        Condition::Null => (Check::Null, wanted),
        Condition::Compare(operator, value) => {
            let operator = if wanted { *operator } else { operator.inverse() };
            let check = if integers {
                Check::Integer(operator, integer(column, value)?)
            } else {
                Check::Text(operator, text(column, value)?)
            };
            (check, true)
        }
        Condition::In(values) if integers => {
            let values: Result<Vec<i64>, _> = values.iter().map(|value| integer(column, value)).collect();
            (Check::IntegerIn(sorted(values?)), wanted)
        }
        Condition::In(values) => {
            let values: Result<Vec<String>, _> = values.iter().map(|value| text(column, value)).collect();
            (Check::TextIn(sorted(values?)), wanted)
        }
        Condition::Has(_) if integers => return Err(wrong(column, "`has` tests text")),
        Condition::Like(_) if integers => return Err(wrong(column, "`like` tests text")),
        Condition::Has(value) => (Check::Has(text(column, value)?), wanted),
        Condition::Like(value) => (Check::Like(Pattern::new(&text(column, value)?)), wanted),
    };
    Ok(Node::Leaf { column: column.index, check, wanted })
}

fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values
}

fn unknown(name: &str, columns: &[Column]) -> ExpressionError {
    let nearest = columns.iter().map(|column| column.name).min_by_key(|n| strsim::damerau_levenshtein(name, n));
    ExpressionError::UnknownColumn { column: name.into(), nearest: nearest.unwrap_or_default().into() }
}

fn wrong(column: &Column, problem: impl Into<String>) -> ExpressionError {
    let holds = match column.kind {
        Kind::Text => "text",
        Kind::Integer => "whole numbers",
        Kind::Time => "times",
        Kind::Other => "neither text, whole numbers nor times",
    };
    ExpressionError::WrongType { column: column.name.into(), holds: holds.into(), problem: problem.into() }
}

fn text(column: &Column, value: &Literal) -> Result<String, ExpressionError> {
    match value {
        Literal::Text(text) => Ok(text.clone()),
        Literal::Integer(number) => Err(wrong(column, format!("write '{number}', not {number}"))),
    }
}

fn integer(column: &Column, value: &Literal) -> Result<i64, ExpressionError> {
    let parsed = match (column.kind, value) {
        (Kind::Time, Literal::Text(text)) => time::parse(text),
        (Kind::Time, Literal::Integer(number)) => time::parse(&number.to_string()),
        (_, Literal::Integer(number)) => Some(*number),
        (_, Literal::Text(_)) => None,
    };
    let like = if column.kind == Kind::Time { " (2024-05-01, '2024-05-01T12:30:00Z', 20240501123000)" } else { "" };
    parsed.ok_or_else(|| wrong(column, format!("{value} is none{like}")))
}

impl Node {
    fn matches<'a>(&self, row: &impl Fn(usize) -> Option<Value<'a>>) -> bool {
        match self {
            Node::Any(nodes) => nodes.iter().any(|node| node.matches(row)),
            Node::All(nodes) => nodes.iter().all(|node| node.matches(row)),
            Node::Leaf { column, check, wanted } => check.of(row(*column)) == Some(*wanted),
        }
    }

    fn may_match<'a>(&self, extent: &impl Fn(usize) -> Extent<'a>) -> bool {
        match self {
            Node::Any(nodes) => nodes.iter().any(|node| node.may_match(extent)),
            Node::All(nodes) => nodes.iter().all(|node| node.may_match(extent)),
            Node::Leaf { column, check, wanted } => check.possible(&extent(*column), *wanted),
        }
    }
}

impl Check {
    /// `None`: neither true nor false, because the value is missing.
    fn of(&self, value: Option<Value>) -> Option<bool> {
        if let Check::Null = self {
            return Some(value.is_none());
        }
        Some(match (self, value?) {
            (Check::Text(operator, want), Value::Text(text)) => operator.holds(text, want.as_str()),
            (Check::Integer(operator, want), Value::Integer(number)) => operator.holds(&number, want),
            (Check::TextIn(wanted), Value::Text(text)) => wanted.binary_search_by(|w| w.as_str().cmp(text)).is_ok(),
            (Check::IntegerIn(wanted), Value::Integer(number)) => wanted.binary_search(&number).is_ok(),
            (Check::Has(want), Value::Text(text)) => text.split(',').any(|item| item.trim() == want),
            (Check::Like(pattern), Value::Text(text)) => pattern.matches(text),
            _ => return None,
        })
    }

    fn possible(&self, extent: &Extent, wanted: bool) -> bool {
        if let Check::Null = self {
            return if wanted { !extent.no_null } else { !extent.all_null };
        }
        let (min, max) = extent.text;
        !extent.all_null
            && match self {
                Check::Text(operator, want) => within(*operator, want.as_bytes(), min, max),
                Check::Integer(operator, want) => {
                    within(*operator, want, extent.integer.0.as_ref(), extent.integer.1.as_ref())
                }
                Check::TextIn(wants) if wanted => {
                    wants.iter().any(|want| within(Operator::Equal, want.as_bytes(), min, max))
                }
                Check::IntegerIn(wants) if wanted => {
                    let (min, max) = (extent.integer.0.as_ref(), extent.integer.1.as_ref());
                    wants.iter().any(|want| within(Operator::Equal, want, min, max))
                }
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

/// Whether some value between `min` and `max` may stand in that relation to `want`.
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
mod tests {
    use proptest::prelude::*;

    use super::super::expression::tests::{condition, tree};
    use super::*;

    const COLUMNS: [(&str, Kind); 4] =
        [("text", Kind::Text), ("number", Kind::Integer), ("when", Kind::Time), ("list", Kind::Other)];

    fn columns() -> Vec<Column<'static>> {
        COLUMNS.iter().enumerate().map(|(index, (name, kind))| Column { name, index, kind: *kind }).collect()
    }

    fn bound(text: &str) -> Bound {
        Expression::parse(text).unwrap().bind(&columns()).unwrap()
    }

    fn matches(expression: &str, text: Option<&str>, number: Option<i64>) -> bool {
        let row = [text.map(Value::Text), number.map(Value::Integer), number.map(Value::Integer), None];
        bound(expression).matches(|i| row[i])
    }

    #[test]
    fn tests_of_values() {
        for (expression, want) in [
            ("text has ces", true),
            ("text has c", false),
            ("text has 'slk'", true),
            ("text = 'ces'", false),
            ("text like 'c%'", true),
            ("text in (a, 'ces,slk')", true),
            ("text not in (a, 'ces,slk')", false),
            ("text > b and text < d", true),
            ("number = 200 and number != 404", true),
            ("number in (301, 200, 1)", true),
            ("number >= 201 or not number > 199", false),
            ("when < 1970-01-02 and when >= 1970", true),
            ("when >= 19700102", false),
            ("when is not null and text is not null", true),
        ] {
            assert_eq!(matches(expression, Some("ces,slk"), Some(200)), want, "{expression}");
        }
    }

    #[test]
    fn a_missing_value_is_neither() {
        for expression in ["text has a", "text not has a", "not text = a", "text in (a)", "text not like '%'"] {
            assert!(!matches(expression, None, None), "{expression}");
        }
        assert!(matches("text has a or number = 1", None, Some(1)));
        assert!(!matches("not (text has a or number = 1)", None, Some(2)));
        assert!(matches("not (text has a and number = 1)", None, Some(2)));
        assert!(matches("text is null", None, None));
    }

    #[test]
    fn refusals_name_the_column() {
        for (expression, error) in [
            ("txet = a", "no column `txet`; the nearest is `text`"),
            ("text = 200", "`text` holds text: write '200', not 200"),
            ("number = '200'", "`number` holds whole numbers: '200' is none"),
            ("number has 200", "`number` holds whole numbers: `has` tests text"),
            ("text in (a, 3)", "`text` holds text: write '3', not 3"),
            ("list is null", "`list` holds neither text, whole numbers nor times: it cannot be tested"),
            ("list = a", "`list` holds neither text, whole numbers nor times: it cannot be tested"),
        ] {
            let got = Expression::parse(expression).unwrap().bind(&columns()).unwrap_err();
            assert_eq!(got.to_string(), error);
        }
        let error = Expression::parse("when > yesterday").unwrap().bind(&columns()).unwrap_err().to_string();
        assert!(error.starts_with("`when` holds times: 'yesterday' is none (2024-05-01,"), "{error}");
    }

    #[test]
    fn extents_exclude() {
        let may = |expression: &str| {
            let whole = Extent {
                text: (Some(b"cz,"), Some(b"de,x")),
                integer: (Some(200), Some(299)),
                no_null: true,
                ..Extent::default()
            };
            bound(expression).may_match(|_| whole)
        };
        for (expression, want) in [
            ("number = 404", false),
            ("number = 250", true),
            ("number > 299 or text = 'cz,a'", true),
            ("number > 299 and text = 'cz,a'", false),
            ("number not in (200)", true),
            ("number in (1, 300)", false),
            ("not number >= 200", false),
            ("text like 'cz,%'", true),
            ("text like 'com,%'", false),
            ("text like 'd%'", true),
            ("text like 'e%'", false),
            ("text is null", false),
            ("text is not null", true),
        ] {
            assert_eq!(may(expression), want, "{expression}");
        }
        let nothing = Extent { all_null: true, ..Extent::default() };
        assert!(!bound("not number = 1").may_match(|_| nothing));
        assert!(bound("number is null").may_match(|_| nothing));
        assert!(bound("text = a and number < 3 and text like 'a%' and text in (a)").may_match(|_| Extent::default()));
    }

    /// By the truth tables of three values, one row at a time.
    fn slow(expression: &Expression, row: &[Option<Value>]) -> Option<bool> {
        match expression {
            Expression::And(parts) => {
                let all: Vec<Option<bool>> = parts.iter().map(|p| slow(p, row)).collect();
                let none_is_false = !all.contains(&Some(false));
                if none_is_false && all.contains(&None) { None } else { Some(none_is_false) }
            }
            Expression::Or(parts) => {
                let all: Vec<Option<bool>> = parts.iter().map(|p| slow(p, row)).collect();
                let one_is_true = all.contains(&Some(true));
                if !one_is_true && all.contains(&None) { None } else { Some(one_is_true) }
            }
            Expression::Not(inner) => slow(inner, row).map(|b| !b),
            Expression::Test(test) => {
                let value = row[COLUMNS.iter().position(|(name, _)| *name == test.column).unwrap()];
                if test.condition == Condition::Null {
                    return Some(value.is_none());
                }
                let value = match value? {
                    Value::Text(text) => Literal::Text(text.into()),
                    Value::Integer(number) => Literal::Integer(number),
                };
                let order = |want: &Literal| match (&value, want) {
                    (Literal::Text(a), Literal::Text(b)) => a.cmp(b),
                    (Literal::Integer(a), Literal::Integer(b)) => a.cmp(b),
                    _ => unreachable!(),
                };
                Some(match &test.condition {
                    Condition::Compare(Operator::Equal, want) => order(want).is_eq(),
                    Condition::Compare(Operator::NotEqual, want) => order(want).is_ne(),
                    Condition::Compare(Operator::Less, want) => order(want).is_lt(),
                    Condition::Compare(Operator::LessOrEqual, want) => order(want).is_le(),
                    Condition::Compare(Operator::Greater, want) => order(want).is_gt(),
                    Condition::Compare(Operator::GreaterOrEqual, want) => order(want).is_ge(),
                    Condition::In(wants) => wants.contains(&value),
                    _ => unreachable!(),
                })
            }
        }
    }

    fn test() -> impl Strategy<Value = Test> {
        let of = |column: &'static str, condition| Test { column: column.into(), condition };
        prop_oneof![
            condition("[ab]{0,2}".prop_map(Literal::Text).boxed()).prop_map(move |c| of("text", c)),
            condition((0i64..4).prop_map(Literal::Integer).boxed()).prop_map(move |c| of("number", c)),
        ]
    }

    proptest! {
        #[test]
        fn as_the_truth_tables_say(
            expression in tree(test()),
            rows in prop::collection::vec((prop::option::of("[ab]{0,2}"), prop::option::of(0i64..4)), 1..12),
        ) {
            let bound = expression.bind(&columns()).unwrap();
            let mut some = false;
            for (text, number) in &rows {
                let row = [text.as_deref().map(Value::Text), number.map(Value::Integer)];
                let got = bound.matches(|i| row[i]);
                prop_assert_eq!(got, slow(&expression, &row) == Some(true));
                some |= got;
            }
            let texts = rows.iter().filter_map(|(text, _)| text.as_deref().map(str::as_bytes));
            let numbers = rows.iter().filter_map(|(_, number)| *number);
            let nulls = |null: Vec<bool>| (null.iter().all(|n| *n), !null.contains(&true));
            let extents = [
                nulls(rows.iter().map(|(text, _)| text.is_none()).collect()),
                nulls(rows.iter().map(|(_, number)| number.is_none()).collect()),
            ].map(|(all_null, no_null)| Extent {
                text: (texts.clone().min(), texts.clone().max()),
                integer: (numbers.clone().min(), numbers.clone().max()),
                all_null,
                no_null,
            });
            prop_assert!(!some || bound.may_match(|i| extents[i]));
        }
    }
}
