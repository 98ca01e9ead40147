use std::collections::BTreeMap;

use arrow_schema::{DataType, TimeUnit};

use super::*;
use crate::table::Table;

#[test]
fn paragraphs_of_no_known_language_have_that_of_their_document() {
    let [german, czech] = ["deu", "ces"].map(|code| Language::by_code(code).unwrap());
    let found = [None, Some(Language::UNDETERMINED), Some(czech)].map(|own| language_or(own, german));
    assert_eq!(found, [german, german, czech]);
}

#[test]
fn a_projection_has_columns_of_the_whole_row() {
    let all = Paragraph::columns();
    assert!(ParagraphProjection::columns().iter().all(|column| all.contains(column)));
}

#[test]
fn drop_reasons_come_back_from_their_names() {
    for &reason in DropReason::ALL {
        assert_eq!(DropReason::by_name(reason.name()), Some(reason));
    }
    assert!(DropReason::default().is_none() && DropReason::None.name().is_empty());
}

#[test]
fn days_are_dates_and_come_back() {
    for days in [-719_163, -1, 0, 18_000, day_of_date(Date::MIN), day_of_date(Date::MAX)] {
        assert_eq!(date_of_day(days).map(day_of_date), Some(days));
    }
    assert_eq!(date_of_day(18_000).unwrap().to_string(), "2019-04-14");
    let beyond = [i32::MIN, i32::MAX, day_of_date(Date::MIN) - 1, day_of_date(Date::MAX) + 1];
    assert_eq!(beyond.map(date_of_day), [None; 4]);
}

#[test]
fn a_paragraph_is_kept_with_its_document_and_without_a_reason() {
    let settled = |document_is_kept, drop_reason| {
        let mut paragraph = Paragraph { drop_reason, ..Paragraph::default() };
        paragraph.settle(document_is_kept);
        (paragraph.kept, paragraph.drop_reason)
    };
    assert_eq!(settled(true, DropReason::None), (true, DropReason::None));
    assert_eq!(settled(false, DropReason::None), (false, DropReason::Document));
    assert_eq!(settled(true, DropReason::Template), (false, DropReason::Template));
    assert_eq!(settled(false, DropReason::Template), (false, DropReason::Template));
}

#[test]
fn a_paragraph_is_small() {
    assert!(size_of::<Paragraph>() <= 152, "{}", size_of::<Paragraph>());
}

/// The type of a column as docs/columns.md names it.
fn type_name(data_type: &DataType, nullable: bool) -> String {
    let name = match data_type {
        DataType::UInt64 => "u64",
        DataType::UInt32 => "u32",
        DataType::UInt16 => "u16",
        DataType::Float32 => "f32",
        DataType::Float64 => "f64",
        DataType::Boolean => "bool",
        DataType::Utf8 => "string",
        DataType::Date32 => "date",
        DataType::Timestamp(TimeUnit::Microsecond, _) => "timestamp (µs, UTC)",
        DataType::List(item) if *item.data_type() == DataType::Float32 => "list of f32",
        DataType::List(_) => "list of strings",
        other => panic!("{other} has no name"),
    };
    format!("{name}{}", if nullable { " or null" } else { "" })
}

/// The columns that docs/columns.md lists under the heading of a table: name → type.
fn documented(table: &str) -> BTreeMap<String, String> {
    let lines = include_str!("../../docs/columns.md").lines();
    let section = lines.skip_while(|line| !line.starts_with(&format!("## `{table}`"))).skip(1);
    let rows = section.take_while(|line| !line.starts_with("## ")).filter(|line| line.contains('`'));
    let cells = rows.filter_map(|line| line.trim_matches('|').split_once('|'));
    cells
        .flat_map(|(kind, names)| names.split_whitespace().map(move |name| (name, kind)))
        .map(|(name, kind)| (name.trim_matches('`').to_string(), kind.trim().to_string()))
        .collect()
}

#[test]
fn the_documentation_lists_every_column_with_its_type() {
    fn check<T: Table>() {
        let columns = T::columns().into_iter();
        let want = columns.map(|(name, data_type, nullable)| (name.into(), type_name(&data_type, nullable)));
        assert_eq!(documented(T::NAME), want.collect());
    }
    check::<Document>();
    check::<Paragraph>();
    check::<crate::compare::PageChange>();
    check::<crate::quality::Signals>();
    check::<PersonalData>();
}
