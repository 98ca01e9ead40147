//! The parser of [`Expression`]: recursive descent with one token of lookahead and bounded nesting.

use super::expression::{Condition, Expression, ExpressionError, Literal, Operator, Test};

/// Most nested levels of `not` and parentheses. This bounds every recursion over an expression.
pub const MAX_NESTING: usize = 64;

const KEYWORDS: [&str; 8] = ["and", "or", "not", "in", "has", "like", "is", "null"];

const SYMBOLS: [(&str, ExpressionToken); 11] = [
    ("<=", ExpressionToken::Operator(Operator::LessOrEqual)),
    (">=", ExpressionToken::Operator(Operator::GreaterOrEqual)),
    ("!=", ExpressionToken::Operator(Operator::NotEqual)),
    ("<>", ExpressionToken::Operator(Operator::NotEqual)),
    ("==", ExpressionToken::Operator(Operator::Equal)),
    ("=", ExpressionToken::Operator(Operator::Equal)),
    ("<", ExpressionToken::Operator(Operator::Less)),
    (">", ExpressionToken::Operator(Operator::Greater)),
    ("(", ExpressionToken::Open),
    (")", ExpressionToken::Close),
    (",", ExpressionToken::Comma),
];

#[derive(Debug, Clone, PartialEq)]
enum ExpressionToken {
    /// A keyword, in lower case.
    Keyword(&'static str),
    Word(String),
    Text(String),
    Operator(Operator),
    Open,
    Close,
    Comma,
    End,
}

/// Parses a whole text as one expression.
pub fn expression(text: &str) -> Result<Expression, ExpressionError> {
    let mut parser = ExpressionParser { rest: text, at: 1, token: ExpressionToken::End, start: 1, depth: 0 };
    parser.advance()?;
    let expression = parser.any()?;
    if parser.token != ExpressionToken::End {
        return Err(parser.expected("`and`, `or` or the end"));
    }
    Ok(expression)
}

/// The keyword, in lower case, that a word is; `None` if it is a column or a value.
pub(super) fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_-./:+@".contains(c)
}

struct ExpressionParser<'a> {
    /// The text after `token`.
    rest: &'a str,
    /// Position of `rest`, in characters from 1.
    at: usize,
    token: ExpressionToken,
    /// Position of `token`.
    start: usize,
    depth: usize,
}

impl<'a> ExpressionParser<'a> {
    fn any(&mut self) -> Result<Expression, ExpressionError> {
        let parts = self.separated("or", Self::all)?;
        Ok(one_or(parts, Expression::Or))
    }

    fn all(&mut self) -> Result<Expression, ExpressionError> {
        let parts = self.separated("and", Self::one)?;
        Ok(one_or(parts, Expression::And))
    }

    fn separated(
        &mut self,
        word: &'static str,
        part: fn(&mut Self) -> Result<Expression, ExpressionError>,
    ) -> Result<Vec<Expression>, ExpressionError> {
        let mut parts = vec![part(self)?];
        while self.took(&ExpressionToken::Keyword(word))? {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    fn one(&mut self) -> Result<Expression, ExpressionError> {
        if !matches!(self.token, ExpressionToken::Keyword("not") | ExpressionToken::Open) {
            return self.test();
        }
        if self.depth == MAX_NESTING {
            return Err(ExpressionError::TooDeep { at: self.start });
        }
        self.depth += 1;
        let expression = if self.took(&ExpressionToken::Open)? {
            let inner = self.any()?;
            self.take(&ExpressionToken::Close, "`and`, `or` or `)`")?;
            inner
        } else {
            self.advance()?;
            Expression::Not(Box::new(self.one()?))
        };
        self.depth -= 1;
        Ok(expression)
    }

    fn test(&mut self) -> Result<Expression, ExpressionError> {
        let column = match &self.token {
            ExpressionToken::Word(word) if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => word.clone(),
            _ => return Err(self.expected("a column, `not` or `(`")),
        };
        self.advance()?;
        if self.took(&ExpressionToken::Keyword("is"))? {
            let negated = self.took(&ExpressionToken::Keyword("not"))?;
            self.take(&ExpressionToken::Keyword("null"), if negated { "`null`" } else { "`null` or `not null`" })?;
            return Ok(test(column, Condition::Null, negated));
        }
        if let ExpressionToken::Operator(operator) = self.token {
            self.advance()?;
            return Ok(test(column, Condition::Compare(operator, self.value()?), false));
        }
        let negated = self.took(&ExpressionToken::Keyword("not"))?;
        let condition = if self.took(&ExpressionToken::Keyword("in"))? {
            Condition::In(self.list()?)
        } else if self.took(&ExpressionToken::Keyword("has"))? {
            Condition::Has(self.value()?)
        } else if self.took(&ExpressionToken::Keyword("like"))? {
            Condition::Like(self.value()?)
        } else if negated {
            return Err(self.expected("`in`, `has` or `like`"));
        } else {
            return Err(self.expected("a comparison (= != < <= > >= in has like is)"));
        };
        Ok(test(column, condition, negated))
    }

    fn list(&mut self) -> Result<Vec<Literal>, ExpressionError> {
        self.take(&ExpressionToken::Open, "`(`")?;
        let mut values = vec![self.value()?];
        while self.took(&ExpressionToken::Comma)? {
            values.push(self.value()?);
        }
        self.take(&ExpressionToken::Close, "`,` or `)`")?;
        Ok(values)
    }

    fn value(&mut self) -> Result<Literal, ExpressionError> {
        let value = match &self.token {
            ExpressionToken::Text(text) => Literal::Text(text.clone()),
            ExpressionToken::Word(word) if is_whole_number(word) => {
                Literal::Integer(word.parse().map_err(|_| self.expected("a number below 2^63"))?)
            }
            ExpressionToken::Word(word) => Literal::Text(word.clone()),
            ExpressionToken::Keyword(_) => return Err(self.expected("a value (a keyword needs quotes)")),
            _ => return Err(self.expected("a value")),
        };
        self.advance()?;
        Ok(value)
    }

    fn took(&mut self, token: &ExpressionToken) -> Result<bool, ExpressionError> {
        let is = self.token == *token;
        if is {
            self.advance()?;
        }
        Ok(is)
    }

    fn take(&mut self, token: &ExpressionToken, expected: &str) -> Result<(), ExpressionError> {
        if self.took(token)? { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn expected(&self, expected: &str) -> ExpressionError {
        let found = match &self.token {
            ExpressionToken::Keyword(word) => format!("`{word}`"),
            ExpressionToken::Word(word) => format!("`{word}`"),
            ExpressionToken::Text(text) => format!("the text {}", Literal::Text(text.clone())),
            ExpressionToken::Operator(operator) => format!("`{operator}`"),
            ExpressionToken::Open => "`(`".into(),
            ExpressionToken::Close => "`)`".into(),
            ExpressionToken::Comma => "`,`".into(),
            ExpressionToken::End => "the end".into(),
        };
        ExpressionError::Syntax { at: self.start, expected: expected.into(), found }
    }

    fn advance(&mut self) -> Result<(), ExpressionError> {
        let blank = self.rest.len() - self.rest.trim_start().len();
        self.consume(blank);
        self.start = self.at;
        let rest = self.rest;
        self.token = match rest.chars().next() {
            None => ExpressionToken::End,
            Some(quote @ ('\'' | '"')) => self.quoted(quote)?,
            Some(c) if is_word(c) => {
                let word = self.consume(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
                keyword(word).map_or_else(|| ExpressionToken::Word(word.into()), ExpressionToken::Keyword)
            }
            Some(c) => {
                let Some((symbol, token)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) else {
                    let expected = "a column, an operator or a value (other text needs quotes)".into();
                    return Err(ExpressionError::Syntax { at: self.at, expected, found: format!("`{c}`") });
                };
                self.consume(symbol.len());
                token.clone()
            }
        };
        Ok(())
    }

    /// Quoted text up to its closing quote; a doubled quote is part of the text.
    fn quoted(&mut self, quote: char) -> Result<ExpressionToken, ExpressionError> {
        let mut text = String::new();
        loop {
            // The opening quote, or the second one of a doubled quote.
            self.consume(1);
            let Some(length) = self.rest.find(quote) else {
                self.consume(self.rest.len());
                let expected = format!("a closing {quote}");
                return Err(ExpressionError::Syntax { at: self.at, expected, found: "the end".into() });
            };
            text.push_str(self.consume(length));
            self.consume(1);
            if !self.rest.starts_with(quote) {
                return Ok(ExpressionToken::Text(text));
            }
            text.push(quote);
        }
    }

    /// Consumes `bytes` bytes, which must end at a character boundary.
    fn consume(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.at += taken.chars().count();
        taken
    }
}

fn one_or(mut parts: Vec<Expression>, many: fn(Vec<Expression>) -> Expression) -> Expression {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            many(parts)
        }
    }
}

fn test(column: String, condition: Condition, negated: bool) -> Expression {
    let test = Expression::Test(Test { column, condition });
    if negated { Expression::Not(Box::new(test)) } else { test }
}

fn is_whole_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        Expression::parse(text).unwrap().to_string()
    }

    #[test]
    fn spellings() {
        assert_eq!(parsed("a==1 AND b<>\"x\" Or c NOT IN(cz,'s k')"), "a = 1 and b != 'x' or c not in ('cz', 's k')");
        assert_eq!(parsed("not a in (1)"), "a not in (1)");
        assert_eq!(parsed("t>=2024-05-01 and m=text/html"), "t >= '2024-05-01' and m = 'text/html'");
        assert_eq!(parsed("a<-5 and a > +7"), "a < -5 and a > 7");
        assert_eq!(parsed("a = 'it''s' and b = \"say \"\"x\"\"\""), "a = 'it''s' and b = 'say \"x\"'");
    }

    #[test]
    fn and_binds_more_than_or_and_less_than_not() {
        let same = |a: &str, b: &str| assert_eq!(Expression::parse(a), Expression::parse(b), "{a}");
        same("a=1 or b=2 and c=3", "a=1 or (b=2 and c=3)");
        same("not a=1 and b=2", "(not a=1) and b=2");
        same("((a=1))", "a=1");
        assert_ne!(parsed("not (a=1 and b=2)"), parsed("not a=1 and b=2"));
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, error) in [
            ("", "character 1: expected a column, `not` or `(`, found the end"),
            ("a", "character 2: expected a comparison (= != < <= > >= in has like is), found the end"),
            ("a = ", "character 5: expected a value, found the end"),
            ("č = é and = 3", "character 11: expected a column, `not` or `(`, found `=`"),
            ("a has not", "character 7: expected a value (a keyword needs quotes), found `not`"),
            ("a in cz", "character 6: expected `(`, found `cz`"),
            ("a in (cz sk)", "character 10: expected `,` or `)`, found `sk`"),
            ("a in ()", "character 7: expected a value, found `)`"),
            ("a not = 3", "character 7: expected `in`, `has` or `like`, found `=`"),
            ("a is 3", "character 6: expected `null` or `not null`, found `3`"),
            ("(a = 1", "character 7: expected `and`, `or` or `)`, found the end"),
            ("a = 1 b = 2", "character 7: expected `and`, `or` or the end, found `b`"),
            ("a = 'x", "character 7: expected a closing ', found the end"),
            ("a = 9999999999999999999", "character 5: expected a number below 2^63, found `9999999999999999999`"),
            ("3 = a", "character 1: expected a column, `not` or `(`, found `3`"),
        ] {
            assert_eq!(Expression::parse(text).unwrap_err().to_string(), error, "{text}");
        }
        let error = Expression::parse("a = 50%").unwrap_err().to_string();
        assert!(error.starts_with("character 7: expected") && error.ends_with("found `%`"), "{error}");
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |levels: usize| format!("{}a=1{}", "(".repeat(levels), ")".repeat(levels));
        assert!(Expression::parse(&nested(MAX_NESTING)).is_ok());
        assert_eq!(Expression::parse(&nested(MAX_NESTING + 1)), Err(ExpressionError::TooDeep { at: MAX_NESTING + 1 }));
        assert!(matches!(Expression::parse(&"not ".repeat(100_000)), Err(ExpressionError::TooDeep { .. })));
        let wide = vec!["a=1"; 50_000].join(" or ");
        assert!(Expression::parse(&wide).is_ok());
    }
}
