//! The language of `--where`, which selects rows of an index.
//!
//! ```text
//! expression = all { "or" all }
//! all        = one { "and" one }
//! one        = "not" one | "(" expression ")" | test
//! test       = column ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) value
//!            | column [ "not" ] "in" "(" value { "," value } ")"
//!            | column [ "not" ] "has" value         value is an item of the comma-separated list
//!            | column [ "not" ] "like" value        % any characters, _ one character, \ escapes the next
//!            | column "is" [ "not" ] "null"
//! value      = 'text' | "text" | word | whole number
//! ```
//!
//! For example `fetch_status = 200 and content_languages has ces and url_host_tld not in (com, org)`.
//!
//! Keywords may be in upper or lower case; `==` and `<>` are accepted for `=` and `!=`. A quote inside quoted text is
//! doubled. A word is text without quotes: letters, digits and `_ - . / : + @`, but not a keyword. Anything that looks
//! like a whole number is a number. Text columns cannot be compared with numbers, nor number columns with text: `'200'`
//! is text. Text is compared byte by byte. Time columns are compared with `2024-05-01`, `'2024-05-01T12:30:00Z'` or
//! `20240501123000`, in UTC. A time with missing parts means all of its period: `= 2024` is true of every moment of the
//! year, `<= 2024` of what is not behind it, `> 2024` of what is behind it.
//!
//! As in SQL, a test of a missing value is neither true nor false, and neither is its negation: neither
//! `content_languages has ces` nor `content_languages not has ces` selects a row without languages;
//! `content_languages is null` does.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use super::parse;

/// A parsed `--where` expression. Its `Display` form can be parsed again and gives the same expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// At least two expressions, one of which must hold.
    Or(Vec<Expression>),
    /// At least two expressions, all of which must hold.
    And(Vec<Expression>),
    /// The negation of an expression.
    Not(Box<Expression>),
    /// A test of one column.
    Test(Test),
}

/// A condition on the value of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The name of the column.
    pub column: String,
    /// The condition on its value.
    pub condition: Condition,
}

/// A condition on a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The value stands in this relation to the literal.
    Compare(Operator, Literal),
    /// The value is one of these literals, of which there is at least one.
    In(Vec<Literal>),
    /// The value is a comma-separated list that contains the literal.
    Has(Literal),
    /// The value matches a pattern with `%` and `_`.
    Like(Literal),
    /// The value is missing.
    Null,
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A value in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// Quoted text or a word.
    Text(String),
    /// A whole number.
    Integer(i64),
}

/// Why an expression is invalid. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// The text is not an expression.
    #[error("character {at}: expected {expected}, found {found}")]
    Syntax { at: usize, expected: String, found: String },
    /// Parentheses and `not` are nested too deeply.
    #[error("character {at}: more than {} levels of `not` and parentheses", parse::MAX_NESTING)]
    TooDeep { at: usize },
    /// The index has no column of this name. `known` tells which it has.
    #[error("no column `{column}`; {known}")]
    UnknownColumn { column: String, known: String },
    /// The column is tested against a value of another type.
    #[error("column `{column}` contains {holds}: {problem}")]
    WrongType { column: String, holds: String, problem: String },
}

impl Expression {
    /// Parses an expression.
    ///
    /// ```
    /// use warcorpus::select::expression::Expression;
    ///
    /// let expression = Expression::parse("fetch_status == 200 and content_languages has ces")?;
    /// assert_eq!(expression.to_string(), "fetch_status = 200 and content_languages has 'ces'");
    /// assert_eq!(expression.columns(), ["content_languages", "fetch_status"]);
    /// # Ok::<(), warcorpus::select::expression::ExpressionError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExpressionError`] with the position of the first error.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        parse::expression(text)
    }

    /// The names of the columns that the expression tests, each once, sorted.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns = BTreeSet::new();
        self.collect(&mut columns);
        columns.into_iter().collect()
    }

    /// The expression with other literals; `change` is given the name of the column that a literal is compared with.
    pub fn map_literals(&self, change: &mut impl FnMut(&str, &Literal) -> Literal) -> Expression {
        let mut all = |parts: &[Expression]| parts.iter().map(|part| part.map_literals(change)).collect();
        match self {
            Expression::Or(parts) => Expression::Or(all(parts)),
            Expression::And(parts) => Expression::And(all(parts)),
            Expression::Not(inner) => Expression::Not(Box::new(inner.map_literals(change))),
            Expression::Test(Test { column, condition }) => {
                let condition = match condition {
                    Condition::Compare(operator, literal) => Condition::Compare(*operator, change(column, literal)),
                    Condition::In(literals) => {
                        Condition::In(literals.iter().map(|literal| change(column, literal)).collect())
                    }
                    Condition::Has(literal) => Condition::Has(change(column, literal)),
                    Condition::Like(literal) => Condition::Like(change(column, literal)),
                    Condition::Null => Condition::Null,
                };
                Expression::Test(Test { column: column.clone(), condition })
            }
        }
    }

    fn collect<'a>(&'a self, columns: &mut BTreeSet<&'a str>) {
        match self {
            Expression::Or(parts) | Expression::And(parts) => parts.iter().for_each(|part| part.collect(columns)),
            Expression::Not(inner) => inner.collect(columns),
            Expression::Test(test) => {
                columns.insert(&test.column);
            }
        }
    }
}

impl Operator {
    /// The operator that holds where this one does not.
    pub fn inverse(self) -> Operator {
        use Operator::*;
        match self {
            Equal => NotEqual,
            NotEqual => Equal,
            Less => GreaterOrEqual,
            LessOrEqual => Greater,
            Greater => LessOrEqual,
            GreaterOrEqual => Less,
        }
    }

    /// Whether `a` stands in this relation to `b`.
    pub fn holds<T: PartialOrd + ?Sized>(self, a: &T, b: &T) -> bool {
        match self {
            Operator::Equal => a == b,
            Operator::NotEqual => a != b,
            Operator::Less => a < b,
            Operator::LessOrEqual => a <= b,
            Operator::Greater => a > b,
            Operator::GreaterOrEqual => a >= b,
        }
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
        })
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
            Literal::Integer(number) => write!(f, "{number}"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Or(parts) => joined(f, parts, " or ", |part| matches!(part, Expression::Or(_))),
            Expression::And(parts) => {
                joined(f, parts, " and ", |part| matches!(part, Expression::Or(_) | Expression::And(_)))
            }
            Expression::Not(inner) => match inner.as_ref() {
                Expression::Test(test) => test.write(f, true),
                Expression::Not(_) => write!(f, "not {inner}"),
                _ => write!(f, "not ({inner})"),
            },
            Expression::Test(test) => test.write(f, false),
        }
    }
}

fn joined(
    f: &mut Formatter<'_>,
    parts: &[Expression],
    word: &str,
    in_parentheses: impl Fn(&Expression) -> bool,
) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { word })?;
        if in_parentheses(part) { write!(f, "({part})") } else { write!(f, "{part}") }?;
    }
    Ok(())
}

impl Test {
    fn write(&self, f: &mut Formatter<'_>, negated: bool) -> fmt::Result {
        let (column, not) = (&self.column, if negated { "not " } else { "" });
        match &self.condition {
            Condition::Compare(operator, value) => write!(f, "{not}{column} {operator} {value}"),
            Condition::Has(value) => write!(f, "{column} {not}has {value}"),
            Condition::Like(value) => write!(f, "{column} {not}like {value}"),
            Condition::Null => write!(f, "{column} is {not}null"),
            Condition::In(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "{column} {not}in ({})", values.join(", "))
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn literal() -> impl Strategy<Value = Literal> {
        prop_oneof![
            "[a-c,'\"%_\\\\é]{0,4}".prop_map(Literal::Text),
            (-3i64..4).prop_map(Literal::Integer),
            any::<i64>().prop_map(Literal::Integer)
        ]
    }

    fn operator() -> impl Strategy<Value = Operator> {
        use Operator::*;
        prop::sample::select(vec![Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual])
    }

    /// Any condition on a value that `literal` makes.
    pub fn condition<S: Strategy<Value = Literal> + Clone + 'static>(literal: S) -> impl Strategy<Value = Condition> {
        prop_oneof![
            (operator(), literal.clone()).prop_map(|(o, l)| Condition::Compare(o, l)),
            prop::collection::vec(literal, 1..4).prop_map(Condition::In),
            Just(Condition::Null),
        ]
    }

    /// Any tree of `test`s.
    pub fn tree<S: Strategy<Value = Test> + 'static>(test: S) -> impl Strategy<Value = Expression> {
        test.prop_map(Expression::Test).prop_recursive(5, 24, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::And),
                prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::Or),
                inner.prop_map(|e| Expression::Not(Box::new(e))),
            ]
        })
    }

    fn test() -> impl Strategy<Value = Test> {
        let literal = literal().boxed();
        let condition = prop_oneof![
            condition(literal.clone()),
            literal.clone().prop_map(Condition::Has),
            literal.prop_map(Condition::Like)
        ];
        ("[a-z_][a-z0-9_-]{3,8}", condition)
            .prop_map(|(column, condition)| Test { column, condition })
            .prop_filter("a keyword", |test| parse::keyword(&test.column).is_none())
    }

    #[test]
    fn prints_as_it_is_written() {
        for text in [
            "a = 'x' and b != 3 or c < -1",
            "(a = 'x' or b >= 3) and not c <= 4",
            "not (a > 1 and b is null) and (a not in ('x', 'y') or b is not null)",
            "a not has 'it''s' or a not like '%\"_\\%' or not not a = ''",
            "(a = 1 and a = 2) and a = 3 or (a = 4 or a = 5)",
        ] {
            assert_eq!(Expression::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn columns_are_named_once() {
        let expression = Expression::parse("b = 1 and (a = 2 or not b = 3) and mime-detected = text/html").unwrap();
        assert_eq!(expression.columns(), ["a", "b", "mime-detected"]);
    }

    proptest! {
        #[test]
        fn printed_and_parsed_again_is_the_same(expression in tree(test())) {
            prop_assert_eq!(Expression::parse(&expression.to_string()), Ok(expression));
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = Expression::parse(&text);
        }

        #[test]
        fn no_row_of_tokens_panics(words in prop::collection::vec(prop::sample::select(vec![
            "a", "b", "and", "or", "not", "in", "has", "like", "is", "null", "(", ")", ",", "=", "<", "!", "'", "\"", "7", "é",
        ]), 0..20)) {
            let text = words.join(" ");
            if let Ok(expression) = Expression::parse(&text) {
                prop_assert_eq!(Expression::parse(&expression.to_string()), Ok(expression));
            }
        }
    }
}
