//! The configuration of a job. `jobs/default.toml` documents every setting with its default. A job file and `--set`
//! override values; an unknown key is rejected, and the error names the nearest existing key.

mod error;
mod load;
mod options;
mod text_section;
mod validate;
pub mod value;

use serde::{Deserialize, Serialize};

use crate::archive::Resync;
use crate::clean::CleanerName;
use crate::clean::justext::Params;
use crate::dedup::bands::Banding;
use crate::dedup::minhash::Family;
use crate::dedup::overlap::Smoothing;
use crate::dedup::verify::Verify;
use crate::dedup::{method, sites};
use crate::document::labels::LabelColumn;
use crate::emit::{OutputFormat, jsonl, parquet, tei, vertical};
use crate::language;
use crate::limits::Limits;
use crate::page::blocks::BlockTags;
use crate::pii;
use crate::quality::Group;
use crate::remote::Settings;
use crate::store::archives;
use crate::text::segments::{self, Scheme, Segmenter};
use crate::text::units::Unit;

pub use error::ConfigError;
pub use load::is_complete;
pub use text_section::TextSection;

/// The commented defaults, as `warcorpus config` prints them.
pub const DEFAULTS: &str = include_str!("../../jobs/default.toml");

/// A complete configuration, by sections of the job file. It is created by [`Config::load`] or `default()`; `warcorpus
/// config` prints all keys with their defaults and meanings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Shards and checkpoints.
    pub plan: PlanSection,
    /// How archives are read.
    pub archive: ArchiveSection,
    /// How archives on servers are read.
    pub remote: RemoteSection,
    /// Which records are read.
    pub select: SelectSection,
    /// How payloads are read.
    pub page: PageSection,
    /// How boilerplate is found.
    pub clean: CleanSection,
    /// Bounds on what one record can cost.
    pub limits: Limits,
    /// Which robots directives drop a page.
    pub robots: RobotsSection,
    /// How languages are identified, and which languages are kept.
    pub language: LanguageSection,
    /// How site templates are found.
    pub sites: SitesSection,
    /// How near duplicates are found.
    pub near: NearSection,
    /// How contained documents are found.
    pub containment: ContainmentSection,
    /// How repeated paragraphs are found.
    pub overlap: OverlapSection,
    /// Quality signals, and the recipe by which documents are judged. Left out where it is the default, so that jobs of
    /// earlier versions stay what they are.
    #[serde(default, skip_serializing_if = "QualitySection::is_default")]
    pub quality: QualitySection,
    /// Personal data. As with `quality`, left out where it is the default.
    #[serde(default, skip_serializing_if = "PiiSection::is_default")]
    pub pii: PiiSection,
    /// How text is split into sentences and tokens.
    pub segments: SegmentsSection,
    /// The tables and output formats.
    pub output: OutputSection,
    /// Options of the format `vertical`.
    pub vertical: vertical::Options,
    /// Options of the format `tei`. As with `quality`, left out where it is the default.
    #[serde(default, skip_serializing_if = "tei::Options::is_default")]
    pub tei: tei::Options,
    /// Options of the format `jsonl`.
    pub jsonl: jsonl::Options,
    /// Repair of text, and options of the format `text`.
    pub text: TextSection,
    /// Options of the format `parquet`. As with `quality`, left out where it is the default.
    #[serde(default, skip_serializing_if = "parquet::Options::is_default")]
    pub parquet: parquet::Options,
    /// The external tagger.
    pub emit: EmitSection,
    /// The columns that `annotate` joined to the corpus whose formats are written; not a setting.
    #[serde(skip)]
    pub labels: Vec<LabelColumn>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanSection {
    pub shard_bytes: u64,
    pub checkpoint_seconds: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArchiveSection {
    pub mmap: bool,
    pub resync: Resync,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RemoteSection {
    pub prefix: String,
    #[serde(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelectSection {
    pub index: Vec<String>,
    #[serde(rename = "where")]
    pub filter: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageSection {
    pub plain_text: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CleanSection {
    pub cleaner: CleanerName,
    /// Files of site rules, or globs.
    pub rules: Vec<String>,
    pub block_tags: BlockTags,
    pub compat: bool,
    pub stoplist: String,
    /// Thresholds of jusText; they are keys of the section `clean`.
    #[serde(flatten)]
    pub justext: Params,
}

/// Robots directives of pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RobotsSection {
    pub respect: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LanguageSection {
    /// A model of fastText that identifies languages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Digest of the file of the model; the job writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model_digest: String,
    pub keep: Vec<String>,
    /// Options of language identification; they are keys of the section `language`.
    #[serde(flatten)]
    pub identification: language::Options,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SitesSection {
    pub enabled: bool,
    /// Thresholds of template detection; they are keys of the section `sites`.
    #[serde(flatten)]
    pub rules: sites::Options,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearSection {
    pub enabled: bool,
    pub method: method::Method,
    pub unit: Unit,
    pub shingle: usize,
    pub threshold: f64,
    pub verify: Verify,
    pub family: Family,
    pub permutations: usize,
    pub recall: f64,
    pub bands: usize,
    pub rows: usize,
    pub keeper: Keeper,
    pub action: Action,
    pub max_star: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContainmentSection {
    pub enabled: bool,
    pub threshold: f64,
    pub scale: u64,
    pub drop: bool,
}

/// Policy by which the representative of a cluster is chosen: setting `near.keeper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keeper {
    Longest,
    Earliest,
    Latest,
    Cleanest,
    First,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverlapSection {
    pub enabled: bool,
    pub unit: OverlapUnit,
    pub ngram: usize,
    pub level: Level,
    pub threshold: f64,
    pub smoothing: Smoothing,
    pub max_stub: u32,
    pub action: Action,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OverlapUnit {
    Ngram,
    Sentence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Paragraph,
    Document,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Drop,
    Mark,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QualitySection {
    pub signals: Vec<Group>,
    pub recipe: String,
    pub rules: Vec<String>,
    pub thresholds: Vec<String>,
    pub action: Action,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub model: Vec<ModelSection>,
}

/// A model of fastText that scores documents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSection {
    /// Name of the column of its scores.
    pub name: String,
    pub path: String,
    /// The label whose probability is the score.
    pub label: String,
    /// Least score of a document that does not fail the rule of this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// What stands in place of a line end.
    #[serde(default = "one_blank")]
    pub newline: String,
    /// Digest of the file; the job writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

fn one_blank() -> String {
    " ".into()
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PiiSection {
    pub kinds: Vec<pii::Kind>,
    pub mode: PiiMode,
}

/// What happens to personal data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PiiMode {
    /// The table `pii` says where it stands.
    #[default]
    Annotate,
    /// Fixed tokens stand in its place, too.
    Mask,
}

impl PiiSection {
    pub fn is_default(&self) -> bool {
        *self == PiiSection::default()
    }
}

/// How text is split into sentences and tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SegmentsSection {
    pub users_way: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputSection {
    pub name: String,
    pub zstd_level: i32,
    pub row_group_rows: usize,
    pub formats: Vec<OutputFormat>,
    /// Whether the boilerplate table is written.
    pub boilerplate: bool,
    pub gzip_level: i32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shard_bytes: u64,
    /// File of a tokenizer; empty for none. A planned job has the name of the file that its directory stores.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tokenizer: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EmitSection {
    pub tagger: String,
    pub tagger_columns: Vec<String>,
    pub tagger_languages: Vec<String>,
    pub tagger_seconds: u64,
}

impl EmitSection {
    /// Position of the lemma among the columns of the tagger, or what is missing.
    pub fn lemma_column(&self) -> Result<usize, &'static str> {
        let column = self.tagger_columns.iter().position(|name| name == "lemma");
        column.ok_or("emit.tagger_columns has no column `lemma`")
    }
}

impl Default for QualitySection {
    fn default() -> Self {
        let (signals, recipe, rules, thresholds, model) = Default::default();
        QualitySection { signals, recipe, rules, thresholds, action: Action::Mark, model }
    }
}

impl QualitySection {
    pub fn is_default(&self) -> bool {
        *self == QualitySection::default()
    }
}

impl SegmentsSection {
    pub fn segmenter(&self) -> Segmenter {
        let scheme = if self.users_way { Scheme::UsersWay } else { Scheme::Treebank };
        Segmenter::new(segments::Options { scheme })
    }
}

impl NearSection {
    /// Whether the method needs document frequencies of the whole collection.
    pub fn needs_statistics(&self) -> bool {
        self.enabled && self.method.generator(self.banding()).needs_statistics()
    }

    /// The banding: `bands` × `rows` if set, otherwise chosen by `threshold` and `recall`.
    pub fn banding(&self) -> Banding {
        match (self.bands, self.rows) {
            (0, 0) => Banding::choose(self.permutations, self.threshold, self.recall),
            (bands, rows) => Banding { bands, rows },
        }
    }
}

impl OverlapSection {
    /// Most words of a stub, which is dropped beside repeated text though all of its own is new; `None` if stubs are kept.
    pub fn longest_stub(&self) -> Option<u32> {
        (self.has_stubs() && self.action == Action::Drop).then_some(self.max_stub)
    }

    /// Whether what stands between repeated paragraphs counts as repeated.
    pub fn has_stubs(&self) -> bool {
        matches!(self.smoothing, Smoothing::Stub | Smoothing::Both)
    }
}

impl Config {
    /// The options for opening archives: `archive.mmap` and the section `remote`.
    pub fn archives(&self) -> archives::Options {
        archives::Options { mmap: self.archive.mmap, remote: self.remote.settings.clone() }
    }
}
