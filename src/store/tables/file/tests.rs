use super::*;
use crate::compare::PageChange;
use crate::document::{Document, Paragraph};
use crate::table::{Code, table_row};

fn options() -> Options {
    Options { zstd_level: 1, row_group_rows: 1500, metadata: vec![("k".into(), "v".into())] }
}

fn describes_every_column<T: Table>() {
    let described = T::described();
    let columns = T::columns();
    for (name, ..) in &columns {
        assert!(described.columns.get(*name).is_some_and(|d| d.len() > 10), "{}.{name} has no description", T::NAME);
    }
    assert_eq!(columns.len(), described.columns.len(), "schemas/{}.toml describes columns that do not exist", T::NAME);
}

#[test]
fn schemas_describe_every_column() {
    describes_every_column::<Document>();
    describes_every_column::<Paragraph>();
    describes_every_column::<PageChange>();
}

#[test]
fn rows_come_back_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let rows: Vec<Document> = (0..4000u64)
        .map(|i| Document {
            doc: i << 32,
            url: format!("http://example.org/{i}"),
            captured: (i % 3 == 0).then_some(i as i64 * 1_000_000),
            published: (i % 2 == 0).then_some(i as i32),
            author: vec!["A".into(); (i % 3) as usize],
            similarity: (i % 5 == 0).then_some(0.75),
            title: (i % 7 == 0).then(|| "é".into()),
            status: Some(200),
            kept: i % 2 == 1,
            ..Default::default()
        })
        .collect();
    let mut writer = Writer::create(&path, &options()).unwrap();
    rows.iter().for_each(|row| writer.push(row.clone()).unwrap());
    writer.finish().unwrap();
    let got: Vec<Document> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(got, rows);
    for first in [0, 1, 1499, 1500, 1501, 3999] {
        let got: Vec<Document> = Reader::open_at(&path, (first as u64) << 32).unwrap().map(Result::unwrap).collect();
        assert_eq!(got, rows[first..]);
    }
    assert!(Reader::<Document>::open_at(&path, u64::MAX).unwrap().next().is_none());
    assert!(Reader::<Paragraph>::open(&path).unwrap().next().unwrap().is_err());
}

#[test]
fn damaged_tables_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let mut writer = Writer::create(&path, &options()).unwrap();
    let row = |i: u64| Document { doc: i, url: format!("http://e/{i}"), host: "e".into(), ..Default::default() };
    (0..300).for_each(|i| writer.push(row(i)).unwrap());
    writer.finish().unwrap();
    let whole = std::fs::read(&path).unwrap();
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Reader::<Document>::open(&path).and_then(Iterator::collect::<Result<Vec<_>>>)
    };
    assert_eq!(read(&whole).unwrap().len(), 300);
    for at in (0..whole.len()).step_by(whole.len() / 400) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        let _ = read(&bytes);
    }
    let found = include_bytes!("../../../../tests/data/contradictory.parquet");
    assert!(read(found).is_err());
}

#[test]
fn a_table_can_have_some_of_its_columns_and_others() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let has = |name: &str| ["doc", "title", "status"].contains(&name);
    let score = [("hq".to_string(), "A score of some kind.".to_string())];
    let mut writer = Writer::<Document>::with_columns(&path, &options(), has, &score).unwrap();
    let row = Document { doc: 7, title: Some("T".into()), host: "e".into(), ..Default::default() };
    writer.push_scored(row, &[Some(0.5)]).unwrap();
    writer.finish().unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    let names: Vec<_> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["doc", "status", "title", "hq"]);
    let keys = reader.metadata().file_metadata().key_value_metadata().unwrap();
    assert_eq!(keys.iter().filter(|entry| entry.key.starts_with("description.")).count(), 4);
}

#[test]
fn an_empty_table_is_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    Writer::<Paragraph>::create(&path, &options()).unwrap().finish().unwrap();
    assert_eq!(Reader::<Paragraph>::open(&path).unwrap().count(), 0);
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Text,
    Heading,
}

impl Code for Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Text => "p",
            Kind::Heading => "h1",
        }
    }

    fn by_name(name: &str) -> Option<Kind> {
        [Kind::Text, Kind::Heading].into_iter().find(|kind| kind.name() == name)
    }
}

table_row! {
    /// Some columns of `paragraphs`, two of them as enums.
    #[derive(Debug, Clone, Default, PartialEq)]
    struct CodedRow in "paragraphs" {
        index: u32,
        kind: Kind,
        language: Option<Kind>,
    }
}

table_row! {
    /// The columns of `CodedRow`, as strings.
    #[derive(Debug, Clone, Default, PartialEq)]
    struct StringRow in "paragraphs" {
        index: u32,
        kind: String,
        language: Option<String>,
    }
}

fn coded_row(index: u32) -> CodedRow {
    let kind = |number: u32| if number.is_multiple_of(3) { Kind::Heading } else { Kind::Text };
    CodedRow { index, kind: kind(index), language: (index % 5 > 1).then(|| kind(index / 7)) }
}

#[test]
fn a_column_of_enums_is_the_same_in_the_file_as_one_of_strings() {
    let dir = tempfile::tempdir().unwrap();
    let [coded, plain] = ["coded", "plain"].map(|name| dir.path().join(name));
    let rows: Vec<CodedRow> = (0..4000).map(coded_row).collect();
    let mut writer = Writer::create(&coded, &options()).unwrap();
    rows.iter().for_each(|row| writer.push(row.clone()).unwrap());
    writer.finish().unwrap();
    let mut writer = Writer::create(&plain, &options()).unwrap();
    for CodedRow { index, kind, language } in &rows {
        let name = |kind: &Kind| kind.name().to_string();
        writer.push(StringRow { index: *index, kind: name(kind), language: language.as_ref().map(name) }).unwrap();
    }
    writer.finish().unwrap();
    assert!(std::fs::read(&coded).unwrap() == std::fs::read(&plain).unwrap());
    let got: Vec<CodedRow> = Reader::open(&plain).unwrap().map(Result::unwrap).collect();
    assert_eq!(got, rows);
}

#[test]
fn an_unknown_name_is_an_error_of_its_column() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    let mut writer = Writer::create(&path, &options()).unwrap();
    writer.push(StringRow { kind: "p".into(), language: Some("ces".into()), ..Default::default() }).unwrap();
    writer.finish().unwrap();
    let error = Reader::<CodedRow>::open(&path).unwrap().next().unwrap().unwrap_err().to_string();
    assert!(error.contains("`language`"), "{error}");
}
