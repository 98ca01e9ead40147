//! The front matter: what Hugging Face reads of a README.

use std::fmt::Write;

use super::Card;
use super::columns::{Column, Kind};
use super::quote::yaml;
use crate::language::Language;

/// The front matter between its two lines of hyphens.
pub fn front_matter(card: &Card) -> String {
    let mut out = String::from("---\n");
    license(&mut out, card.license.as_deref());
    let languages: Vec<&str> = card.files.languages.keys().filter_map(|language| code(*language)).collect();
    if !languages.is_empty() {
        out.push_str("language:\n");
        languages.iter().for_each(|code| line(&mut out, 0, &format!("- {}", yaml(code))));
    }
    line(&mut out, 0, &format!("pretty_name: {}", yaml(&card.name)));
    line(&mut out, 0, &format!("size_categories:\n- {}", yaml(size_category(card.files.documents))));
    line(&mut out, 0, "task_categories:\n- \"text-generation\"");
    line(&mut out, 0, "configs:\n- config_name: \"default\"\n  data_files:\n  - split: \"train\"");
    line(&mut out, 4, &format!("path: {}", yaml(&card.files.kind.glob())));
    out.push_str("dataset_info:\n  features:\n");
    features(&mut out, 2, &card.files.columns);
    let bytes: u64 = card.files.files.iter().map(|file| file.bytes).sum();
    line(&mut out, 2, "splits:\n  - name: \"train\"");
    let plain = card.files.plain_bytes;
    line(&mut out, 4, &format!("num_bytes: {plain}\n    num_examples: {}", card.files.documents));
    line(&mut out, 2, &format!("download_size: {bytes}\n  dataset_size: {plain}"));
    out + "---\n"
}

fn line(out: &mut String, indent: usize, text: &str) {
    let _ = writeln!(out, "{:indent$}{text}", "");
}

/// A licence of one's own is `other` with a link.
fn license(out: &mut String, license: Option<&str>) {
    match license {
        Some(address) if super::is_address(address) => {
            line(out, 0, "license: \"other\"\nlicense_name: \"other\"");
            line(out, 0, &format!("license_link: {}", yaml(address)));
        }
        known => line(out, 0, &format!("license: {}", yaml(known.unwrap_or("unknown")))),
    }
}

/// The tag of a language; none for texts whose language is not known.
fn code(language: Language) -> Option<&'static str> {
    (language != Language::UNDETERMINED).then(|| language.tag())
}

/// Hugging Face's name of a number of documents.
fn size_category(documents: u64) -> &'static str {
    const BOUNDS: [(u64, &str); 10] = [
        (1_000, "n<1K"),
        (10_000, "1K<n<10K"),
        (100_000, "10K<n<100K"),
        (1_000_000, "100K<n<1M"),
        (10_000_000, "1M<n<10M"),
        (100_000_000, "10M<n<100M"),
        (1_000_000_000, "100M<n<1B"),
        (10_000_000_000, "1B<n<10B"),
        (100_000_000_000, "10B<n<100B"),
        (1_000_000_000_000, "100B<n<1T"),
    ];
    BOUNDS.iter().find(|(bound, _)| documents < *bound).map_or("n>1T", |(_, name)| name)
}

/// The types of columns as `datasets` reads them.
fn features(out: &mut String, indent: usize, columns: &[Column]) {
    for column in columns {
        line(out, indent, &format!("- name: {}", yaml(&column.name)));
        let (key, name) = match &column.kind {
            Kind::Text => ("dtype", "string"),
            Kind::Bool => ("dtype", "bool"),
            Kind::Integer(name) | Kind::Float(name) => ("dtype", *name),
            Kind::Unknown => ("dtype", "float64"),
            Kind::Date => ("dtype", "date32"),
            Kind::Time => ("dtype", "timestamp[us, tz=UTC]"),
            Kind::Texts => ("sequence", "string"),
            Kind::Numbers(name) => ("sequence", *name),
            Kind::Fields(fields) => {
                line(out, indent + 2, "struct:");
                features(out, indent + 2, fields);
                continue;
            }
        };
        line(out, indent + 2, &format!("{key}: {}", yaml(name)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{FileKind, Files, Size};

    #[test]
    fn hostile_values_add_no_key() {
        let column = |name: &str, kind| Column { name: name.into(), kind, description: String::new() };
        let languages = ["ces", "und"].map(|code| (Language::by_code(code).unwrap(), Size::default()));
        let files = Files {
            kind: FileKind::GzipLines,
            documents: 1000,
            columns: vec![column(
                "a\"\nb: c",
                Kind::Fields(vec![column("x", Kind::Texts), column("y", Kind::Unknown)]),
            )],
            languages: languages.into(),
            ..Files::default()
        };
        let card = Card { name: "N\"\nlicense: mit\n---\n".into(), files, ..Card::default() };
        let text = front_matter(&card);
        let inner = text.strip_prefix("---\n").unwrap().strip_suffix("---\n").unwrap();
        assert!(!inner.contains("---\n"), "{inner}");
        let read: serde_json::Value = serde_saphyr::from_str(inner).unwrap();
        assert_eq!(read["pretty_name"], card.name);
        assert_eq!(read["license"], "unknown");
        assert_eq!(read["language"], serde_json::json!(["cs"]));
        assert_eq!(read["size_categories"], serde_json::json!(["1K<n<10K"]));
        assert_eq!(read["dataset_info"]["features"][0]["struct"][0]["sequence"], "string");
        assert_eq!(read["dataset_info"]["features"][0]["struct"][1]["dtype"], "float64");
        assert_eq!(read["configs"][0]["data_files"][0]["path"], "jsonl/*.jsonl.gz");
    }
}
