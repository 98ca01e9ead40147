use super::*;
use crate::document::{Document, Paragraph};

/// A format that the program does not have: addresses between brackets.
struct Addresses {
    separator: String,
    written: u64,
}

pub(crate) const ADDRESSES: OutputFormat = OutputFormat {
    name: "addresses",
    folder: "addresses",
    ending: |_| "txt.gz",
    summary: "Addresses of documents",
    needs_tokens: false,
    empty_files: false,
    bytes_per_word: None,
    memory_per_byte: 3,
    document_ending: |_| None,
    job_file: Some(JobFile {
        folder: "totals",
        name: |options| format!("{}.txt", options.corpus),
        text: |_, counts| format!("{} documents\n", counts.tokens),
    }),
    create: Create::Text(|options| Box::new(Addresses { separator: format!(" {} ", options.corpus), written: 0 })),
};

impl Format for Addresses {
    fn open(&mut self, out: &mut String) {
        out.push('[');
    }

    fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError> {
        if text.document.url.is_empty() {
            return Ok(());
        }
        if self.written > 0 {
            out.push_str(&self.separator);
        }
        out.push_str(&text.document.url);
        self.written += 1;
        Ok(())
    }

    fn close(&mut self, out: &mut String) {
        out.push(']');
    }

    fn counts(&self) -> FormatCounts {
        FormatCounts { tokens: self.written, ..FormatCounts::default() }
    }
}

/// The text of a file with one document for each address, none if there is no file, and its counts.
fn written(output: OutputFormat, urls: &[&str]) -> (Option<String>, FormatCounts) {
    let options = Options { corpus: "and".into(), ..Options::default() };
    let Create::Text(create) = output.create else { return (output.empty_files.then(String::new), Default::default()) };
    let mut writer = ShardWriter::new(output, create(&options));
    let mut out = String::new();
    for url in urls {
        let document = Document { url: (*url).into(), ..Document::default() };
        let rows = [Paragraph { text: (*url).into(), ..Paragraph::default() }];
        writer.document(&mut out, &DocumentText::untokenized(&document, &rows)).unwrap();
    }
    let has_file = writer.finish(&mut out);
    (has_file.then_some(out), writer.counts())
}

#[test]
fn a_further_format_goes_the_way_of_the_others() {
    let (text, counts) = written(ADDRESSES, &["", "a", "", "b"]);
    assert_eq!((text.as_deref(), counts.tokens), (Some("[a and b]"), 2));
    let file = ADDRESSES.job_file.unwrap();
    let options = Options { corpus: "c".into(), ..Options::default() };
    assert_eq!(((file.name)(&options), (file.text)(&options, &counts)), ("c.txt".into(), "2 documents\n".into()));
}

#[test]
fn only_formats_with_valid_empty_files_write_them() {
    assert_eq!(written(ADDRESSES, &["", ""]), (None, FormatCounts::default()));
    for format in FORMATS {
        let expected = format.empty_files.then(String::new);
        assert_eq!(written(format, &["", " "]).0, expected, "{format}");
        assert_eq!(written(format, &[]).0, expected, "{format}");
    }
    const { assert!(!tei::FORMAT.empty_files && !jsonl::FORMAT.empty_files) };
}

#[test]
fn names_endings_and_folders_differ() {
    let mut names: Vec<&str> = folders();
    names.sort_unstable();
    assert_eq!(names, ["conllu", "jsonl", "registry", "tei", "text", "texts", "vertical"]);
    let options = Options::default();
    let endings = ["vert.gz", "xml.gz", "conllu.gz", "jsonl.gz", "txt.gz", "parquet"];
    assert_eq!(FORMATS.map(|format| (format.ending)(&options)), endings);
    assert_eq!(FORMATS.map(|format| format.needs_tokens), [true, true, true, false, false, false]);
}

#[test]
fn formats_are_known_by_name() {
    for format in FORMATS {
        assert_eq!(OutputFormat::by_name(format.name), Some(format));
        let json = serde_json::to_string(&format).unwrap();
        assert_eq!(json, format!("\"{format}\""));
        assert_eq!(serde_json::from_str::<OutputFormat>(&json).unwrap(), format);
        assert_eq!(OutputFormat::from_str(format.name, false).unwrap(), format);
    }
    let error = serde_json::from_str::<OutputFormat>("\"xml\"").unwrap_err().to_string();
    let known = "unknown output format `xml`, expected one of `vertical`, `tei`, `conllu`, `jsonl`, `text`, `parquet`";
    assert!(error.starts_with(known), "{error}");
}

#[test]
fn counts_are_stored_without_what_is_zero() {
    let mut counts = FormatCounts { tokens: 3, doc: 0b01, p: 0, ..FormatCounts::default() };
    assert_eq!(serde_json::to_string(&counts).unwrap(), r#"{"tokens":3,"doc":1}"#);
    counts += FormatCounts { tokens: 2, doc: 0b10, p: 0, ..FormatCounts::default() };
    assert_eq!(counts, FormatCounts { tokens: 5, doc: 0b11, p: 0, ..FormatCounts::default() });
}
