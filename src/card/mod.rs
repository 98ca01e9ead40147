//! The card of a corpus: `README.md` with the fields that Hugging Face reads, and `croissant.json`. Pure: what is known of
//! the corpus and its files goes in, texts come out; the same values give the same bytes.
//!
//! ```text
//! Card ─┬─ front_matter ─┬─► README.md
//!       ├─ body ─────────┘
//!       └─ croissant ──────► croissant.json
//! ```
//! Values of pages (licences, directives, languages of files) are hostile: `quote` has the only ways in which they reach a
//! text.

mod body;
pub mod columns;
mod croissant;
mod front_matter;
mod quote;
pub mod top;

use std::collections::BTreeMap;

use columns::Column;
use top::Top;

use crate::language::Language;

/// What the card tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Card {
    /// Name of the corpus, as people read it.
    pub name: String,
    /// An identifier of Hugging Face, such as `cc-by-4.0`, or an address.
    pub license: Option<String>,
    pub url: Option<String>,
    /// Version of the corpus.
    pub release: String,
    /// Day of publication, as `2025-11-01`.
    pub date: Option<String>,
    /// Version of the program.
    pub program: String,
    pub files: Files,
    pub made: Making,
    /// Values of the columns `license` and `robots` of the kept documents.
    pub licenses: Top,
    pub robots: Top,
}

/// The files that the card describes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Files {
    pub kind: FileKind,
    /// In their order.
    pub files: Vec<DataFile>,
    pub documents: u64,
    /// Bytes of the documents without compression.
    pub plain_bytes: u64,
    /// Documents and their words by language, where the files tell.
    pub languages: BTreeMap<Language, Size>,
    pub columns: Vec<Column>,
}

/// What the files are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FileKind {
    #[default]
    Parquet,
    GzipLines,
    ZstdLines,
}

impl FileKind {
    pub const ALL: [FileKind; 3] = [FileKind::Parquet, FileKind::GzipLines, FileKind::ZstdLines];

    /// Folder of the files, and the ending of their names.
    pub fn place(self) -> (&'static str, &'static str) {
        match self {
            FileKind::Parquet => ("texts", "parquet"),
            FileKind::GzipLines => ("jsonl", "jsonl.gz"),
            FileKind::ZstdLines => ("jsonl", "jsonl.zst"),
        }
    }

    fn glob(self) -> String {
        let (folder, ending) = self.place();
        format!("{folder}/*.{ending}")
    }

    /// Media types: the registered one, and the one that `mlcroissant` knows.
    fn media_types(self) -> &'static [&'static str] {
        match self {
            FileKind::Parquet => &["application/vnd.apache.parquet", "application/x-parquet"],
            FileKind::GzipLines | FileKind::ZstdLines => &["application/jsonlines"],
        }
    }
}

/// One file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataFile {
    /// Relative to the card, with `/`.
    pub path: String,
    pub bytes: u64,
    /// In hexadecimal.
    pub sha256: String,
}

/// Documents, and their words if the files tell them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub documents: u64,
    pub words: Option<u64>,
}

/// How the corpus was made: numbers of `stats.json`, and settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Making {
    /// Names of the first archives, and number of all.
    pub archives: Vec<String>,
    pub archive_files: u64,
    /// Bytes that were read of them: of a selection those of the selected records.
    pub read_bytes: u64,
    pub records: u64,
    pub no_page: Vec<Reason>,
    pub pages: u64,
    pub documents: Vec<Reason>,
    pub paragraphs: Vec<Reason>,
    /// Kept documents and their words by language.
    pub languages: BTreeMap<Language, Size>,
    /// Finds of personal data by kind, also in what was dropped later.
    pub pii: Vec<Reason>,
    /// Whether tokens stand in place of these finds.
    pub masks: bool,
    /// Settings that matter to users of a corpus, with their values.
    pub settings: Vec<(String, String)>,
    /// Settings that differ from the defaults, as `key: value instead of default`.
    pub differences: Vec<String>,
}

/// A number of records, documents or paragraphs, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reason {
    pub name: String,
    pub count: u64,
    /// Empty for an unknown name.
    pub meaning: String,
}

impl Card {
    /// `README.md`.
    pub fn readme(&self) -> String {
        front_matter::front_matter(self) + &body::body(self)
    }

    /// `croissant.json`.
    pub fn croissant(&self) -> String {
        croissant::croissant(self)
    }

    /// One sentence about the corpus.
    fn summary(&self) -> String {
        let (documents, archives) = (self.files.documents, self.made.archive_files);
        let languages = match self.files.languages.len() {
            0 => String::new(),
            1 => " in one language".into(),
            languages => format!(" in {languages} languages"),
        };
        // The files may be those of a part of the documents, from fewer archives.
        let archives = match archives {
            1 => "one web archive was read".into(),
            archives => format!("{archives} web archives were read"),
        };
        format!("Text of {documents} web pages{languages}; {archives}.")
    }

    fn kept(&self) -> u64 {
        self.made.kept()
    }

    /// What became of personal data, and what their numbers are about.
    fn personal_data(&self) -> String {
        if self.made.pii.is_empty() {
            return "No personal data were sought, or none were found.".into();
        }
        let done = match self.made.masks {
            true => "were masked: a token stands in place of each of them",
            false => "were left in the text",
        };
        let whole = if self.files.documents == self.kept() { "" } else { "are those of the whole corpus, and " };
        format!(
            "Personal data of these kinds were found and {done}. The numbers {whole}count what is in dropped paragraphs and \
             documents, too."
        )
    }
}

impl Making {
    /// Number of kept documents of the corpus.
    pub fn kept(&self) -> u64 {
        self.documents.iter().filter(|reason| reason.name == KEPT).map(|reason| reason.count).sum()
    }
}

/// The outcome of what is kept.
const KEPT: &str = crate::figures::KEPT;

/// Whether a licence can be written: an identifier of Hugging Face, or an address.
///
/// # Errors
/// What can be written.
pub fn check_license(license: &str) -> Result<String, String> {
    let identifier = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-');
    let is_identifier = !license.is_empty() && license.chars().all(identifier);
    if is_identifier || is_address(license) {
        return Ok(license.into());
    }
    Err("expected an identifier of Hugging Face in small letters, such as cc-by-4.0, or an address (https://…)".into())
}

/// The identifiers of <https://huggingface.co/docs/hub/repositories-licenses>.
const LICENSES: &str = "afl-3.0 agpl-3.0 apache-2.0 apple-amlr apple-ascl artistic-2.0 bigcode-openrail-m \
    bigscience-bloom-rail-1.0 bigscience-openrail-m bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear bsl-1.0 c-uda cc \
    cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 \
    cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 cdla-permissive-1.0 \
    cdla-permissive-2.0 cdla-sharing-1.0 creativeml-openrail-m deepfloyd-if-license ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 \
    eupl-1.1 eupl-1.2 fair-noncommercial-research-license gemma gfdl gpl gpl-2.0 gpl-3.0 grok2-community h-research \
    intel-research isc lgpl lgpl-2.1 lgpl-3.0 lgpl-lr llama2 llama3 llama3.1 llama3.2 llama3.3 llama4 lppl-1.3c mit \
    mpl-2.0 ms-pl ncsa odbl odc-by ofl-1.1 openmdw-1.0 openrail osl-3.0 other pddl postgresql unknown unlicense wtfpl \
    zlib";

/// Whether a licence is an address or an identifier that Hugging Face had when this version was made.
pub fn is_known_license(license: &str) -> bool {
    is_address(license) || LICENSES.split(' ').any(|known| known == license)
}

/// Whether a text is an address that can stand in a card.
pub fn is_address(text: &str) -> bool {
    let begins = text.starts_with("https://") || text.starts_with("http://");
    begins && url::Url::parse(text).is_ok() && text.chars().all(|c| c.is_ascii_graphic() && !"<>\"`\\|".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_tells_what_became_of_personal_data() {
        let reason = |name: &str, count| Reason { name: name.into(), count, meaning: String::new() };
        let card = |masks, documents| {
            let made =
                Making { documents: vec![reason(KEPT, 7)], pii: vec![reason("email", 40)], masks, ..Making::default() };
            Card { files: Files { documents, ..Files::default() }, made, ..Card::default() }
        };
        for (masks, documents, told) in [
            (true, 7, "masked: a token stands in place of each of them. The numbers count what is in dropped"),
            (false, 7, "left in the text. The numbers count what is in dropped"),
            (true, 3, "of them. The numbers are those of the whole corpus, and count what is in dropped"),
        ] {
            let card = card(masks, documents);
            for text in [card.readme(), card.croissant()] {
                assert!(text.contains(told) && text.contains("email") && text.contains("40"), "{told}\n{text}");
            }
        }
        assert!(Card::default().readme().contains("No personal data were sought, or none were found."));
    }

    #[test]
    fn licences_are_identifiers_or_addresses() {
        for right in ["cc-by-4.0", "odc-by", "https://example.org/terms?x=1#a"] {
            assert_eq!(check_license(right).as_deref(), Ok(right));
        }
        assert!(["cc-by-4.0", "afl-3.0", "zlib", "https://example.org/terms"].into_iter().all(is_known_license));
        assert!(!["nonsense", "", "cc-by-5.0"].into_iter().any(is_known_license));
        for wrong in ["", "CC BY", "mit\nx: y", "https://e.org/ a", "javascript:x", "https://", "https://e/|"] {
            assert!(check_license(wrong).is_err(), "{wrong}");
        }
    }
}
