use std::io::Write;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Int16Array, Int32Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, TimestampMillisecondArray, UInt64Array,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::basic::{self, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

use super::*;

/// The Arrow types in which an index may store text.
#[derive(Debug, Clone, Copy)]
pub enum Strings {
    Plain,
    Large,
    View,
    Dictionary,
    Bytes,
}

const ALL: [Strings; 5] = [Strings::Plain, Strings::Large, Strings::View, Strings::Dictionary, Strings::Bytes];

#[derive(Debug, Clone)]
pub struct IndexRow {
    key: String,
    languages: Option<String>,
    status: i16,
    offset: Option<i64>,
}

pub fn row(key: &str, languages: Option<&str>, status: i16, offset: Option<i64>) -> IndexRow {
    IndexRow { key: key.into(), languages: languages.map(String::from), status, offset }
}

fn strings(values: impl IntoIterator<Item = Option<String>>, strings: Strings) -> ArrayRef {
    let values: Vec<Option<String>> = values.into_iter().collect();
    let values = values.iter().map(Option::as_deref);
    match strings {
        Strings::Plain => Arc::new(StringArray::from_iter(values)),
        Strings::Large => Arc::new(LargeStringArray::from_iter(values)),
        Strings::View => Arc::new(StringViewArray::from_iter(values)),
        Strings::Dictionary => Arc::new(DictionaryArray::<Int32Type>::from_iter(values)),
        Strings::Bytes => Arc::new(BinaryArray::from_iter(values)),
    }
}

fn batch(rows: &[IndexRow], kind: Strings) -> RecordBatch {
    let text = |value: fn(&IndexRow) -> Option<String>| strings(rows.iter().map(value), kind);
    let wide = matches!(kind, Strings::Plain | Strings::View);
    let offsets = rows.iter().map(|row| row.offset);
    let offsets: ArrayRef = match wide {
        true => Arc::new(Int64Array::from_iter(offsets)),
        false => Arc::new(Int32Array::from_iter(offsets.map(|offset| offset.map(|offset| offset as i32)))),
    };
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("url_surtkey", text(|row| Some(row.key.clone()))),
        ("content_languages", text(|row| row.languages.clone())),
        ("fetch_redirect", text(|_| None)),
        ("fetch_status", Arc::new(Int16Array::from_iter_values(rows.iter().map(|row| row.status)))),
        ("fetch_time", Arc::new(TimestampMillisecondArray::from_iter_values((0..rows.len() as i64).map(|i| i * 1000)))),
        ("warc_filename", text(|row| Some(format!("crawl-data/C/segments/1/warc/{}.warc.gz", row.status % 2)))),
        ("warc_record_length", Arc::new(Int32Array::from_iter_values(rows.iter().map(|_| 100)))),
        ("warc_record_offset", offsets),
        ("warc_segment", text(|_| Some("1".into()))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn write_batch(path: &Path, batch: &RecordBatch, compression: basic::Compression, group: usize) {
    let properties =
        WriterProperties::builder().set_compression(compression).set_max_row_group_row_count(Some(group)).build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

pub fn write(path: &Path, rows: &[IndexRow], kind: Strings, group: usize) {
    write_batch(path, &batch(rows, kind), basic::Compression::SNAPPY, group);
}

/// The given rows as CDXJ.
fn cdxj(rows: &[IndexRow]) -> String {
    let line = |(i, row): (usize, &IndexRow)| {
        let mut json = serde_json::json!({
            "status": row.status.to_string(), "length": "100",
            "filename": format!("crawl-data/C/segments/1/warc/{}.warc.gz", row.status % 2),
        });
        let mut set = |key: &str, value: Option<String>| {
            value.into_iter().for_each(|value| json[key] = value.into());
        };
        set("languages", row.languages.clone());
        set("offset", row.offset.map(|offset| offset.to_string()));
        format!("{} 19700101{:02}{:02}{:02} {json}\n", row.key, i / 3600, i / 60 % 60, i % 60)
    };
    rows.iter().enumerate().map(line).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn select(path: &Path, filter: Option<&str>) -> (Vec<u64>, RowCounts) {
    let filter = filter.map(|text| Expression::parse(text).unwrap());
    let mut selection = read(path, filter.as_ref()).unwrap();
    let offsets = selection.by_ref().map(|selected| selected.unwrap().offset).collect();
    let counts = selection.counts();
    assert_eq!(counts.rows, counts.unwanted + counts.selected + counts.unlocated + counts.unreadable);
    assert!(selection.next().is_none());
    (offsets, counts)
}

fn example() -> Vec<IndexRow> {
    vec![
        row("com,a)/", Some("eng"), 200, Some(10)),
        row("cz,b)/", Some("ces,eng"), 200, Some(20)),
        row("cz,c)/", None, 404, Some(30)),
        row("cz,d)/", Some("ces"), 200, None),
        row("cz,e)/", Some("slk,ces"), 200, Some(-5)),
        row("cz,f)/", Some("ces"), 301, Some(60)),
    ]
}

#[test]
fn every_type_of_column_and_every_codec() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    for kind in ALL {
        for compression in [
            basic::Compression::UNCOMPRESSED,
            basic::Compression::SNAPPY,
            basic::Compression::GZIP(GzipLevel::default()),
            basic::Compression::ZSTD(ZstdLevel::default()),
        ] {
            write_batch(&path, &batch(&example(), kind), compression, 4);
            let (offsets, counts) = select(&path, Some("content_languages has ces and fetch_status in (200, 301)"));
            assert_eq!(offsets, [20, 60], "{kind:?} {compression:?}");
            assert_eq!((counts.unwanted, counts.unlocated), (2, 2));
            assert_eq!(select(&path, Some("content_languages not has ces")).0, [10]);
            assert_eq!(select(&path, None).0, [10, 20, 30, 60]);
        }
    }
    let first = read(&path, None).unwrap().next().unwrap().unwrap();
    let filename = "crawl-data/C/segments/1/warc/0.warc.gz".into();
    assert_eq!(first, SelectedRecord { filename, offset: 10, length: 100 });
}

#[test]
fn three_columns_are_enough() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("subset.parquet");
    let columns: [(&str, ArrayRef); 3] = [
        ("warc_record_offset", Arc::new(UInt64Array::from(vec![1, u64::MAX, 3, 4]))),
        ("warc_record_length", Arc::new(Int32Array::from(vec![5, 5, 0, 6]))),
        ("warc_filename", Arc::new(StringArray::from(vec![Some("a"), Some("b"), Some("c"), None]))),
    ];
    write_batch(&path, &RecordBatch::try_from_iter(columns).unwrap(), basic::Compression::SNAPPY, 10);
    let (offsets, counts) = select(&path, None);
    assert_eq!((offsets, counts.unlocated), (vec![1], 3));
    let filter = Expression::parse("warc_record_offset < 2 and warc_record_lenght = 5").unwrap();
    let error = read(&path, Some(&filter)).err().unwrap().to_string();
    let told = "no column `warc_record_lenght`; the nearest is `warc_record_length`; columns are `warc_";
    assert!(error.contains(told), "{error}");
}

#[test]
fn what_is_no_index_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        read(&path, None).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused(b"PAR1 and nothing else").contains("Parquet"));
    assert!(refused(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n").contains("neither Parquet, CDXJ nor CDX"));
    assert!(refused(&gzip("WARC/1.0\r\n")).contains("neither Parquet, CDXJ nor CDX"));
    assert!(refused(b" CDX N b a\n").contains("no field g (file name)"));
    assert!(refused(&gzip(&"a".repeat(3 << 20))).contains("neither"));
    assert_eq!(refused(b""), "");
    let columns: [(&str, ArrayRef); 2] =
        [("warc_filename", Arc::new(Int32Array::from(vec![1]))), ("url", Arc::new(Int32Array::from(vec![1])))];
    for (columns, part) in [(&columns[1..], "no column `warc_filename`"), (&columns[..1], "`warc_filename` is Int32")] {
        let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
        write_batch(&path, &batch, basic::Compression::SNAPPY, 10);
        let error = read(&path, None).err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn lines_plain_and_in_many_members() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.cdxj");
    let text = cdxj(&example());
    fs::write(&path, &text).unwrap();
    let filter = Some("content_languages has ces and fetch_status in (200, 301) and subset = warc");
    let (offsets, counts) = select(&path, filter);
    assert_eq!((offsets.as_slice(), counts.unwanted, counts.unlocated), ([20, 60].as_slice(), 2, 2));
    let members: Vec<u8> = text.split_inclusive('\n').flat_map(gzip).collect();
    fs::write(&path, &members).unwrap();
    assert_eq!(select(&path, filter), (offsets, counts));
    fs::write(&path, &members[..members.len() - 20]).unwrap();
    let results: Vec<Result<SelectedRecord>> = read(&path, None).unwrap().collect();
    assert!(results.last().unwrap().is_err());
    assert_eq!(results.iter().filter(|result| result.is_err()).count(), 1);
}

#[test]
fn a_first_line_that_was_cut_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.cdx");
    let line = "cz,a)/ 2020 http://a.cz/ text/html 200 X - - 10 20 a.warc.gz\n";
    fs::write(&path, line["cz,a)/ 2020 ".len()..].to_owned() + line).unwrap();
    let (offsets, counts) = select(&path, None);
    assert_eq!((offsets, counts.rows, counts.unreadable), (vec![20], 2, 1));
    fs::write(&path, "a b\nc d\n").unwrap();
    assert!(read(&path, None).is_err());
    fs::write(&path, "a b\n").unwrap();
    assert!(read(&path, None).is_err());
}

#[test]
fn damaged_and_long_lines_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.cdx");
    let mut text = b" CDX N b a m s k r M S V g\n".to_vec();
    text.extend(b"cz,a)/ 2020 http://a.cz/ text/html 200 X - - 10 20 a.warc.gz\n");
    text.extend(b"cz,a)/ broken\n");
    for length in [(1 << 20) + 1, 3 << 20, 1 << 21] {
        text.extend(vec![b'a'; length]);
        text.extend(b"\n");
    }
    text.extend(b"cz,a)/ 2020 http://a.cz/\xFF text/html 200 X - - 10 30 a.warc.gz\r\n");
    text.extend(b"cz,a)/ 2020 http://a.cz/ text/html 200 X - - - 40 a.warc.gz\n");
    text.extend(b"cz,a)/ 2020 http://a.cz/ text/html 200 X - - 0 50 a.warc.gz\n");
    text.extend(b"cz,a)/ 2020 http://a.cz/ text/html 200 X - - 10 - a.warc.gz");
    fs::write(&path, text).unwrap();
    let (offsets, counts) = select(&path, Some("status = 200"));
    assert_eq!((offsets, counts.unreadable, counts.unlocated), (vec![20, 30, 40], 4, 2));
}

#[test]
fn shortened_statistics_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t");
    let key = |last: &str| format!("{}{last}", "č".repeat(200));
    let rows: Vec<IndexRow> = (0..3).map(|i| row(&key(&i.to_string()), None, 200, Some(i))).collect();
    write(&path, &rows, Strings::Plain, 1);
    for (test, want) in [("=", vec![1]), ("<", vec![0]), (">=", vec![1, 2]), ("!=", vec![0, 2]), ("like", vec![1])] {
        assert_eq!(select(&path, Some(&format!("url_surtkey {test} '{}'", key("1")))).0, want, "{test}");
    }
}

#[test]
fn folders_give_columns() {
    let dir = tempfile::tempdir().unwrap();
    for subset in ["warc", "robotstxt", "__HIVE_DEFAULT_PARTITION__"] {
        let folder = dir.path().join("crawl=CC-MAIN-2024-22").join(format!("subset={subset}"));
        fs::create_dir_all(&folder).unwrap();
        write(&folder.join("part-0.gz.parquet"), &example(), Strings::Plain, 10);
        fs::write(folder.join("_SUCCESS"), "").unwrap();
        fs::write(folder.join(".part-0.gz.parquet.crc"), "").unwrap();
        fs::write(folder.join("notes.txt"), "").unwrap();
    }
    fs::write(dir.path().join("cdx-00000.gz"), gzip(&cdxj(&example()))).unwrap();
    let files = files(&dir.path().display().to_string()).unwrap();
    let selected: Vec<usize> = files
        .iter()
        .map(|file| select(file, Some("subset = warc and (crawl = CC-MAIN-2024-22 or crawl = C)")).0.len())
        .collect();
    assert_eq!(selected, [4, 0, 0, 4], "{files:?}");
    let pattern = dir.path().join("*").join("subset=warc").join("*.parquet").display().to_string();
    assert_eq!(super::files(&pattern).unwrap().len(), 1);
    let nowhere = dir.path().join("x.parquet").display().to_string();
    assert!(matches!(super::files(&nowhere), Err(Error::Usage(_))));
}

#[test]
fn an_argument_names_a_bounded_number_of_files() {
    let dir = tempfile::tempdir().unwrap();
    for inner in ["a", "b"] {
        fs::create_dir(dir.path().join(inner)).unwrap();
        (0..2).for_each(|number| fs::write(dir.path().join(format!("{inner}/{number}.cdxj")), "").unwrap());
    }
    // The number of paths behind a link to the top has no end.
    std::os::unix::fs::symlink(dir.path(), dir.path().join("b/top")).unwrap();
    for argument in [dir.path().to_path_buf(), dir.path().join("*/*.cdxj"), dir.path().join("**/*.cdxj")] {
        let argument = argument.display().to_string();
        assert_eq!(files_up_to(&argument, 4).unwrap().len(), 4, "{argument}");
        let refused = files_up_to(&argument, 3).unwrap_err().to_string();
        assert_eq!(refused, format!("{argument}: more than 3 files; name fewer"));
    }
}

fn rows() -> impl Strategy<Value = Vec<IndexRow>> {
    let languages = prop::option::of(prop::sample::select(vec!["ces", "ces,eng", "eng", "slk,ces,deu"]));
    let parts = (
        "[a-c]{1,2}",
        languages,
        prop::sample::select(vec![200i16, 301, 404]),
        prop::option::weighted(0.9, -1i64..1000),
    );
    prop::collection::vec(
        parts.prop_map(|(key, languages, status, offset)| row(&key, languages, status, offset)),
        1..40,
    )
}

fn filter() -> impl Strategy<Value = String> {
    let test = prop::sample::select(vec![
        "content_languages has ces",
        "content_languages = eng",
        "content_languages is null",
        "content_languages > d",
        "url_surtkey like 'b%'",
        "url_surtkey in (a, b, ca)",
        "url_surtkey >= b",
        "fetch_status = 200",
        "fetch_status < 400",
        "fetch_status not in (404)",
        "warc_record_offset > 500",
        "fetch_time >= '1970-01-01T00:00:10Z'",
        "fetch_redirect is null",
        "warc_filename like '%/1.warc.gz'",
    ])
    .prop_map(String::from);
    test.prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The format of the index, its column types and pruning by statistics do not change the selection.
    #[test]
    fn parquet_selects_as_cdxj(rows in rows(), filter in filter(), kind in prop::sample::select(ALL.to_vec()), group in 1usize..10) {
        let dir = tempfile::tempdir().unwrap();
        let (table, lines) = (dir.path().join("t"), dir.path().join("l"));
        write(&table, &rows, kind, group);
        fs::write(&lines, cdxj(&rows)).unwrap();
        prop_assert_eq!(select(&table, Some(&filter)), select(&lines, Some(&filter)), "{}", filter);
    }
}
