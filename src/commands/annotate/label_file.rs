//! A file of labels: Parquet, CSV or JSON lines, which its first bytes tell apart. All have columns of strings or numbers, and a
//! key that is a string.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::Path;

use super::text_records::{Cell, Record, TextRecords};
use crate::document::labels::{LabelColumn, LabelKind, LabelValue};
use crate::error::{Error, Result};
use crate::hash::SeededMap;
use crate::store::tables::labels::{Key, LabelReader, LabelRow, no_column};

/// Different names in a text file at most.
const MOST_NAMES: usize = 10_000;

/// Bytes of a name in a text file at most: CSV has it once for all rows, and it is looked up for each of them.
const LONGEST_NAME: usize = 1000;

/// Reads the rows of a file.
pub enum LabelFile {
    Table(Box<LabelReader>),
    Text(TextLabels),
}

/// Rows of a text file.
pub struct TextLabels {
    records: TextRecords,
    key: String,
    columns: Vec<LabelColumn>,
    skipped: Vec<String>,
    /// The place of each column by its name.
    places: SeededMap<String, usize>,
}

impl LabelFile {
    /// Opens a file. `key` is the column of the keys; `wanted` chooses among all others that hold strings or numbers.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no file, or it has no column `key` or no row; [`Error::Damaged`] if a text file has a column of
    /// strings and of numbers.
    pub fn open(path: &Path, key: &str, wanted: impl Fn(&str) -> bool) -> Result<LabelFile> {
        // Asked before it is opened: a pipe without a writer would block.
        let missing = |error| Error::Usage(format!("{}: {error}", path.display()));
        if !fs::metadata(path).map_err(missing)?.is_file() {
            return Err(Error::not_a_regular_file(path));
        }
        let mut file = File::open(path).map_err(Error::io("open", path))?;
        let mut magic = Vec::new();
        file.by_ref().take(4).read_to_end(&mut magic).map_err(Error::io("read", path))?;
        if magic == b"PAR1" {
            return Ok(LabelFile::Table(Box::new(LabelReader::open(path, key, wanted)?)));
        }
        let mut again = || -> Result<TextRecords> {
            file.rewind().map_err(Error::io("read", path))?;
            TextRecords::new(path, file.try_clone().map_err(Error::io("open", path))?)
        };
        let all = Columns::of(again()?)?;
        if !all.places.contains_key(key) {
            return Err(no_column(path, key, all.names.iter().map(|(name, _)| name.as_str())));
        }
        // No column has a type, which would be told as if it were the wrong one.
        if !all.has_rows {
            return Err(Error::Usage(format!("{}: has names of columns and no row", path.display())));
        }
        let (mut columns, mut skipped) = (Vec::new(), Vec::new());
        for (name, kind) in all.names.into_iter().filter(|(name, _)| name != key && wanted(name)) {
            match kind {
                Kind::Text { .. } | Kind::NoNumbers => columns.push(LabelColumn { name, kind: LabelKind::Text }),
                Kind::Number { .. } => columns.push(LabelColumn { name, kind: LabelKind::Number }),
                Kind::Other | Kind::Unknown => skipped.push(name),
            }
        }
        let places = columns.iter().enumerate().map(|(place, column)| (column.name.clone(), place)).collect();
        Ok(LabelFile::Text(TextLabels { records: again()?, key: key.into(), columns, skipped, places }))
    }

    /// The columns of the values, in the order of the file.
    pub fn columns(&self) -> &[LabelColumn] {
        match self {
            LabelFile::Table(table) => table.columns(),
            LabelFile::Text(text) => &text.columns,
        }
    }

    /// The names of the wanted columns that are left out because they hold neither strings nor numbers.
    pub fn skipped(&self) -> &[String] {
        match self {
            LabelFile::Table(table) => table.skipped(),
            LabelFile::Text(text) => &text.skipped,
        }
    }
}

impl Iterator for LabelFile {
    type Item = Result<LabelRow>;

    fn next(&mut self) -> Option<Result<LabelRow>> {
        match self {
            LabelFile::Table(table) => table.next(),
            LabelFile::Text(text) => text.records.next().map(|record| text.row(record?)),
        }
    }
}

impl TextLabels {
    fn row(&self, record: Record) -> Result<LabelRow> {
        let Record { line, cells } = record;
        // Only what the record has: a value for each column would take more than linear time and memory where every record
        // has a name of its own.
        let mut row = LabelRow { key: None, values: Vec::new() };
        for (name, cell) in cells {
            if name == self.key {
                row.key = match cell {
                    Cell::Unknown => None,
                    Cell::Text(key) | Cell::Untyped(key) => Some(Key::Text(key)),
                    Cell::Number(_) | Cell::Other => {
                        return Err(self.records.wrong(line, format!("`{name}` is no string")));
                    }
                };
            } else if let Some(place) = self.places.get(&name).copied() {
                let value = match (self.columns.get(place).map(|column| column.kind), cell) {
                    (Some(LabelKind::Text), Cell::Text(text) | Cell::Untyped(text)) => LabelValue::Text(Some(text)),
                    (Some(LabelKind::Number), Cell::Number(number)) => LabelValue::Number(Some(number)),
                    (Some(LabelKind::Number), Cell::Untyped(text)) => LabelValue::Number(number(&text)),
                    // The first reading found no other kind.
                    _ => continue,
                };
                row.values.extend(value.is_known().then_some((place, value)));
            }
        }
        Ok(row)
    }
}

/// A number as CSV has it. With zeros before it, it is a code (`00501`) that a number would cut.
fn number(text: &str) -> Option<f64> {
    let is_code = || {
        let digits = text.trim().trim_start_matches(['-', '+']);
        digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())
    };
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && !is_code())
}

/// What R, pandas and others write for a number that is not known. In a column of texts it is a text: `NA` is Namibia.
fn is_no_number(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("na") || text.trim().parse().is_ok_and(|number: f64| !number.is_finite())
}

/// The columns of a text file, in the order in which their names come.
#[derive(Default)]
struct Columns {
    names: Vec<(String, Kind)>,
    places: SeededMap<String, usize>,
    has_rows: bool,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Nothing yet.
    Unknown,
    /// Texts that stand for unknown numbers in a column of numbers, and nothing else.
    NoNumbers,
    /// With the line of the first one.
    Text {
        line: u64,
    },
    Number {
        line: u64,
    },
    Other,
}

impl Columns {
    /// Reads a file from first to last.
    fn of(mut records: TextRecords) -> Result<Columns> {
        let mut columns = Columns::default();
        for name in records.names() {
            if columns.places.contains_key(name) {
                return Err(records.wrong(1, format!("`{name}` is there twice")));
            }
            columns.place(name).map_err(|why| records.wrong(1, why))?;
        }
        while let Some(record) = records.next().transpose()? {
            let line = record.line;
            columns.has_rows = true;
            columns.add(record).map_err(|why| records.wrong(line, why))?;
        }
        Ok(columns)
    }

    fn add(&mut self, Record { line, cells }: Record) -> std::result::Result<(), String> {
        for (name, cell) in cells {
            let place = self.place(&name)?;
            let Some((_, kind)) = self.names.get_mut(place) else { continue };
            *kind = match (*kind, &cell) {
                (kind, Cell::Unknown) => kind,
                (Kind::Other, _) | (_, Cell::Other) => Kind::Other,
                (Kind::Unknown, Cell::Untyped(text)) if is_no_number(text) => Kind::NoNumbers,
                (kind @ (Kind::NoNumbers | Kind::Number { .. }), Cell::Untyped(text)) if is_no_number(text) => kind,
                (Kind::Number { .. }, Cell::Untyped(text)) if number(text).is_none() => Kind::Text { line },
                (kind @ (Kind::Number { .. } | Kind::Text { .. }), Cell::Untyped(_)) => kind,
                (Kind::Unknown | Kind::NoNumbers, Cell::Untyped(text)) if number(text).is_none() => Kind::Text { line },
                (Kind::Unknown | Kind::NoNumbers, Cell::Untyped(_) | Cell::Number(_)) => Kind::Number { line },
                (Kind::Unknown | Kind::NoNumbers, Cell::Text(_)) => Kind::Text { line },
                (kind @ Kind::Number { .. }, Cell::Number(_)) | (kind @ Kind::Text { .. }, Cell::Text(_)) => kind,
                (Kind::Number { line }, Cell::Text(_)) => {
                    return Err(format!("`{name}` is a string, and a number in line {line}"));
                }
                (Kind::Text { line }, Cell::Number(_)) => {
                    return Err(format!("`{name}` is a number, and a string in line {line}"));
                }
            };
        }
        Ok(())
    }

    /// The place of a name; a new one comes last.
    fn place(&mut self, name: &str) -> std::result::Result<usize, String> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        if name.len() > LONGEST_NAME {
            return Err(format!("a name of a column of more than {LONGEST_NAME} bytes"));
        }
        if self.names.len() == MOST_NAMES {
            return Err(format!("more than {MOST_NAMES} names of columns up to here"));
        }
        self.names.push((name.into(), Kind::Unknown));
        self.places.insert(name.into(), self.names.len() - 1);
        Ok(self.names.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, key: &str) -> Result<(Vec<LabelColumn>, Vec<LabelRow>)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels");
        fs::write(&path, text).unwrap();
        let file = LabelFile::open(&path, key, |name| name != "other")?;
        Ok((file.columns().to_vec(), file.collect::<Result<_>>()?))
    }

    fn column(name: &str, kind: LabelKind) -> LabelColumn {
        LabelColumn { name: name.into(), kind }
    }

    #[test]
    fn csv_and_json_lines_with_the_same_values_are_the_same() {
        let csv = "url,topic,other,score,code\nx,news,a,0.5,1\n,,,-3,2b\ny,\"a, b\",,,\n";
        let json = "{\"url\":\"x\",\"topic\":\"news\",\"other\":3,\"score\":0.5,\"code\":\"1\"}\n\
                    {\"score\":-3,\"list\":[1],\"url\":null,\"code\":\"2b\"}\n{\"topic\":\"a, b\",\"url\":\"y\"}\n";
        let (columns, all) = rows(csv, "url").unwrap();
        assert_eq!(
            columns,
            [column("topic", LabelKind::Text), column("score", LabelKind::Number), column("code", LabelKind::Text)]
        );
        let text = |text: &str| LabelValue::Text((!text.is_empty()).then(|| text.into()));
        let row = |key: Option<&str>, topic: &str, score, code: &str| {
            let values = [text(topic), LabelValue::Number(score), text(code)].into_iter().enumerate();
            let values = values.filter(|(_, value)| value.is_known()).collect();
            LabelRow { key: key.map(|key| Key::Text(key.into())), values }
        };
        let wanted =
            [row(Some("x"), "news", Some(0.5), "1"), row(None, "", Some(-3.0), "2b"), row(Some("y"), "a, b", None, "")];
        assert_eq!(all, wanted);
        let (columns_of_json, mut all) = rows(json, "url").unwrap();
        // They come in the order of the record.
        all.iter_mut().for_each(|row| row.values.sort_by_key(|(place, _)| *place));
        assert_eq!((columns_of_json, all), (columns, wanted.into()));
    }

    #[test]
    fn numbers_that_are_not_known_do_not_make_a_column_text_and_codes_do() {
        let csv = "url,score,country,zip,name\nx,NaN,NA,501,NA\ny,0.5,NA,00501,Nan\nz,NA,DE,0,\nv,-inf,,0.5,\n";
        let (columns, all) = rows(csv, "url").unwrap();
        assert_eq!(
            columns,
            [
                column("score", LabelKind::Number),
                column("country", LabelKind::Text),
                column("zip", LabelKind::Text),
                column("name", LabelKind::Text)
            ]
        );
        let scores = all.iter().map(|row| row.values.iter().find(|(place, _)| *place == 0).map(|(_, value)| value));
        let known = LabelValue::Number(Some(0.5));
        assert_eq!(scores.collect::<Vec<_>>(), [None, Some(&known), None, None]);
        assert_eq!(all[0].values[0], (1, LabelValue::Text(Some("NA".into()))));
        assert!(number("00.5").is_some() && number("-007").is_none() && number("0").is_some());
    }

    #[test]
    fn rows_with_few_of_many_columns_take_linear_time() {
        // A cell for each column of each row would be several gigabytes.
        let names = (0..MOST_NAMES - 1).map(|n| format!("{{\"url\":\"u{n}\",\"c{n}\":\"x\"}}\n"));
        let text = names.collect::<String>() + &"{\"url\":\"v\",\"c9\":\"y\"}\n".repeat(20_000);
        let (columns, all) = rows(&text, "url").unwrap();
        assert_eq!((columns.len(), all.len()), (MOST_NAMES - 1, MOST_NAMES - 1 + 20_000));
        assert_eq!(all[7].values, [(7, LabelValue::Text(Some("x".into())))]);
        assert!(all.iter().all(|row| row.values.len() == 1));
    }

    #[test]
    fn columns_of_lists_and_objects_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.jsonl");
        fs::write(&path, "{\"url\":\"x\",\"list\":[1],\"topic\":\"a\",\"none\":null,\"other\":{}}\n").unwrap();
        let file = LabelFile::open(&path, "url", |name| name != "other").unwrap();
        assert_eq!(file.columns(), [column("topic", LabelKind::Text)]);
        assert_eq!(file.skipped(), ["list", "none"]);
    }

    #[test]
    fn mistakes_are_named() {
        let long = format!("url,{}\nx,1\n", "a".repeat(LONGEST_NAME + 1));
        for (text, told) in [
            ("a,b\n1,2\n", "has no column `url`; it has a, b"),
            ("", "has no column `url`; it is empty"),
            ("url,topic\n\n", "has names of columns and no row"),
            ("url,a,a\nx,1,2\n", "line 1: `a` is there twice"),
            (
                "{\"url\":\"x\",\"a\":1}\n{\"url\":\"y\",\"a\":\"1\"}\n",
                "line 2: `a` is a string, and a number in line 1",
            ),
            (
                "{\"url\":\"x\",\"a\":\"1\"}\n{\"url\":\"y\",\"a\":true}\n",
                "line 2: `a` is a number, and a string in line 1",
            ),
            ("{\"url\":\"x\"}\n{\"url\":3}\n", "line 2: `url` is a number, and a string in line 1"),
            ("{\"url\":3}\n", "line 1: `url` is no string"),
            (long.as_str(), "line 1: a name of a column of more than 1000"),
        ] {
            let error = rows(text, "url").unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
        let many: Vec<String> = (0..=MOST_NAMES).map(|n| format!("c{n}")).collect();
        assert!(rows(&many.join(","), "url").unwrap_err().to_string().contains("line 1: more than 10000 names"));
    }
}
