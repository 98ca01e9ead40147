use proptest::prelude::*;

use super::super::expression::tests::{condition, tree};
use super::*;
use crate::select::expression::Literal;
use crate::select::time;

const COLUMNS: [(&str, ColumnType); 7] = [
    ("text", ColumnType::Text),
    ("number", ColumnType::Integer),
    ("when", ColumnType::Time),
    ("list", ColumnType::Other),
    ("share", ColumnType::Real),
    ("language", ColumnType::Language),
    ("lines", ColumnType::List("use `number`")),
];

fn columns() -> Vec<IndexColumn<'static>> {
    COLUMNS.iter().enumerate().map(|(index, (name, kind))| IndexColumn { name, index, data_type: *kind }).collect()
}

fn bound(text: &str) -> BoundExpression {
    Expression::parse(text).unwrap().bind(&columns()).unwrap()
}

fn matches(expression: &str, text: Option<&str>, number: Option<i64>) -> bool {
    let row = [text.map(ColumnValue::Text), number.map(ColumnValue::Integer), number.map(ColumnValue::Integer), None];
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
fn a_date_means_all_of_its_period() {
    let moment = |text: &str| time::parse(text).unwrap();
    let (first, inside) = (moment("2019-01-01"), moment("2019-03-05T14:30:00"));
    let (last, behind) = (moment("2020-01-01") - 1, moment("2020-01-01"));
    let before = first - 1;
    for (expression, chosen) in [
        ("when = 2019", vec![first, inside, last]),
        ("when != 2019", vec![before, behind]),
        ("not when = 2019", vec![before, behind]),
        ("when < 2019", vec![before]),
        ("when <= 2019", vec![before, first, inside, last]),
        ("not when <= 2019", vec![behind]),
        ("when > 2019", vec![behind]),
        ("not when > 2019", vec![before, first, inside, last]),
        ("when >= 2019", vec![first, inside, last, behind]),
        ("when = 2019-03", vec![inside]),
        ("when = 2019-03-05", vec![inside]),
        ("when <= 20190305", vec![before, first, inside]),
        ("when = '2019-03-05T14'", vec![inside]),
        ("when = '2019-03-05 14:30'", vec![inside]),
        ("when = 20190305143000", vec![inside]),
        ("when > 20190305143000", vec![last, behind]),
        ("when <= 20190305142959", vec![before, first]),
        ("when in (2018, 2019-03-05, 2020)", vec![before, inside, behind]),
        ("when in (2019-03, 2019, 20190305143000)", vec![first, inside, last]),
        ("when not in (2019-03-05, 2018)", vec![first, last, behind]),
        ("when <= 9999", vec![before, first, inside, last, behind]),
        ("when > 9999", vec![]),
    ] {
        let bound = bound(expression);
        for time in [before, first, inside, last, behind] {
            let statistics =
                ColumnStatistics { integer: (Some(time), Some(time)), no_null: true, ..ColumnStatistics::default() };
            let want = chosen.contains(&time);
            assert_eq!(bound.matches(|_| Some(ColumnValue::Integer(time))), want, "{expression}: {time}");
            assert_eq!(bound.may_match(|_| statistics), want, "statistics: {expression}: {time}");
        }
        assert!(!bound.matches(|_| None), "{expression}: a missing time is neither");
        assert!(bound.may_match(|_| ColumnStatistics::default()), "{expression}");
    }
}

#[test]
fn statistics_exclude_periods_that_do_not_meet_them() {
    let may = |expression: &str| {
        let part = (time::parse("2019-03-01"), time::parse("2019-06-01"));
        bound(expression).may_match(|_| ColumnStatistics { integer: part, ..ColumnStatistics::default() })
    };
    for (expression, want) in [
        ("when = 2019-04", true),
        ("when = 2019", true),
        ("when = 2018", false),
        ("when = 2019-02", false),
        ("when = 2019-06", true),
        ("when != 2019", false),
        ("when != 2019-03", true),
        ("when not in (2019-03, 2019-04, 2019-05)", true),
        ("when not in (2018, 2019)", false),
        ("when <= 2019-02", false),
        ("when > 2019-05", true),
        ("when > 2019-06", false),
    ] {
        assert_eq!(may(expression), want, "{expression}");
    }
}

#[test]
fn numbers_may_have_a_point() {
    for (expression, want) in [
        ("share > .1 and share < 0.3", true),
        ("share >= 1e-3 and not share > 1", true),
        ("share in (.2, 1)", false),
        ("share in (0.25)", true),
        ("share = '.25'", true),
        ("share is null", false),
    ] {
        let bound = bound(expression);
        assert_eq!(bound.matches(|i| (i == 4).then_some(ColumnValue::Real(0.25))), want, "{expression}");
    }
    for wrong in ["share > NaN", "share > many", "share like '%'"] {
        let error = Expression::parse(wrong).unwrap().bind(&columns()).unwrap_err().to_string();
        assert!(error.starts_with("column `share` contains numbers: "), "{error}");
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
        (
            "txet = a",
            "no column `txet`; the nearest is `text`; columns are `text`, `number`, `when`, `share`, `language`",
        ),
        ("colour = red", "no column `colour`; columns are `text`, `number`, `when`, `share`, `language`"),
        ("text = 200", "column `text` contains text: write '200', not 200"),
        ("number = '200'", "column `number` contains whole numbers: write 200, not '200'"),
        ("number has 200", "column `number` contains whole numbers: `has` tests text"),
        ("text in (a, 3)", "column `text` contains text: write '3', not 3"),
        ("list is null", "column `list` contains values of a type that cannot be tested: use another column"),
        ("list = a", "column `list` contains values of a type that cannot be tested: use another column"),
        ("lines > 3", "column `lines` contains lists, and expressions test single values: use `number`"),
    ] {
        let got = Expression::parse(expression).unwrap().bind(&columns()).unwrap_err();
        assert_eq!(got.to_string(), error);
    }
    let error = Expression::parse("when > yesterday").unwrap().bind(&columns()).unwrap_err().to_string();
    assert!(error.starts_with("column `when` contains times: 'yesterday' is not one (2024-05-01,"), "{error}");
}

#[test]
fn a_language_that_cannot_match_is_refused() {
    let bind = |text: &str| Expression::parse(text).unwrap().bind(&columns()).map_err(|error| error.to_string());
    let refused = |problem| format!("column `language` contains ISO 639-3 codes of languages: {problem}");
    for (expression, problem) in [
        ("language = cs", "write 'ces', not 'cs'"),
        ("not language != \"en\"", "write 'eng', not 'en'"),
        ("number = 1 or language not in (slk, EN)", "write 'eng', not 'EN'"),
        ("language = Czech", "write 'ces', not 'Czech'"),
        ("language = cze", "write 'ces', not 'cze'"),
        ("language has cs", "write 'ces', not 'cs'"),
        ("language = no", "`no` is two languages here: nob (Bokmål) and nno (Nynorsk)"),
    ] {
        assert_eq!(bind(expression).unwrap_err(), refused(problem), "{expression}");
    }
    for expression in
        ["language in (ces, und, lad)", "language = 'ces,slk'", "language like 'c%'", "language < de", "text = cs"]
    {
        assert!(bind(expression).is_ok(), "{expression}");
    }
}

#[test]
fn an_endless_name_is_cut() {
    let error = Expression::parse(&format!("{} = 1", "a".repeat(5_000_000))).unwrap().bind(&columns()).unwrap_err();
    assert!(error.to_string().len() < 1000);
    let long = "t".repeat(5_000_000);
    let columns = [IndexColumn { name: &long, index: 0, data_type: ColumnType::Text }];
    let error = Expression::parse("text = a").unwrap().bind(&columns).unwrap_err();
    assert!(error.to_string().len() < 1000);
}

#[test]
fn extents_exclude() {
    let may = |expression: &str| {
        let whole = ColumnStatistics {
            text: (Some(b"cz,"), Some(b"de,x")),
            integer: (Some(200), Some(299)),
            no_null: true,
            ..ColumnStatistics::default()
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
    let nothing = ColumnStatistics { all_null: true, ..ColumnStatistics::default() };
    assert!(!bound("not number = 1").may_match(|_| nothing));
    assert!(bound("number is null").may_match(|_| nothing));
    assert!(
        bound("text = a and number < 3 and text like 'a%' and text in (a)").may_match(|_| ColumnStatistics::default())
    );
}

/// By the truth tables of three values, one row at a time.
fn slow(expression: &Expression, row: &[Option<ColumnValue>]) -> Option<bool> {
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
                ColumnValue::Text(text) => Literal::Text(text.into()),
                ColumnValue::Integer(number) => Literal::Integer(number),
                ColumnValue::Real(_) => unreachable!(),
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
            let row = [text.as_deref().map(ColumnValue::Text), number.map(ColumnValue::Integer)];
            let got = bound.matches(|i| row[i]);
            prop_assert_eq!(got, slow(&expression, &row) == Some(true));
            some |= got;
        }
        let texts = rows.iter().filter_map(|(text, _)| text.as_deref().map(str::as_bytes));
        let numbers = rows.iter().filter_map(|(_, number)| *number);
        let nulls = |null: Vec<bool>| (null.iter().all(|n| *n), !null.contains(&true));
        let statistics = [
            nulls(rows.iter().map(|(text, _)| text.is_none()).collect()),
            nulls(rows.iter().map(|(_, number)| number.is_none()).collect()),
        ].map(|(all_null, no_null)| ColumnStatistics {
            text: (texts.clone().min(), texts.clone().max()),
            integer: (numbers.clone().min(), numbers.clone().max()),
            all_null,
            no_null,
        });
        prop_assert!(!some || bound.may_match(|i| statistics[i]));
    }
}
