//! The page pipeline: everything that is computed from one record alone.
//!
//! record → payload → decoded text → blocks → language → verdicts → document, paragraphs and the keys that the census
//! counts. The pipeline is pure: it reads no files and knows neither the job's plan nor another page. Jobs, benchmarks
//! and library users all call [`Pipeline::read`].

mod census;
mod source;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::archive::Record;
use crate::clean::assessment::assess;
use crate::clean::stoplist::Stoplist;
use crate::clean::{self, Classifier, PageProfile, Verdict};
use crate::document::{Document, DropReason, Paragraph, day_of_date};
use crate::language::{self, Identified, Identifier, LabelModel, Language, SampleBlock};
use crate::page::blocks::{self, Block, BlockKind, Page};
use crate::page::charset::Decoded;
use crate::page::metadata::{self, Metadata};
use crate::page::payload::{self, Media, Payload, Rejection};
use crate::page::rules::{Rule, SiteRules};
use crate::page::url;

pub use census::{CensusKeys, WHOLE_PAGE};
pub use source::{DEEPEST, PageSource};

/// Options of the page pipeline. The default is that of a job without settings.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which payloads are accepted, and how many bytes of a payload are decoded.
    pub payload: payload::Options,
    /// How HTML is cut into blocks.
    pub blocks: blocks::Options,
    /// How languages are identified.
    pub language: language::Options,
    /// A model of fastText that identifies them instead.
    pub language_model: Option<LabelModel>,
    /// How boilerplate is found.
    pub clean: clean::Options,
    /// Site rules. The first rule that applies to a page overrides the cleaner.
    pub rules: Arc<SiteRules>,
    /// A stop list for all languages, instead of those that [`Options::clean`] selects.
    pub stopwords: Option<Arc<Stoplist>>,
    /// Languages of the documents to keep. An empty list keeps all languages.
    pub keep_languages: Vec<Language>,
    /// Robots directives (`noarchive`, `noai` …). A page that states one of them is dropped.
    pub respect_robots: Vec<String>,
    /// Which keys the census of the job needs.
    pub census: CensusOptions,
}

/// Selects the [`CensusKeys`] that the pipeline computes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CensusOptions {
    /// Block keys, for the detection of site templates.
    pub blocks: bool,
    /// Word shares, for near-duplicate methods that weigh words by their document frequency.
    pub words: bool,
}

/// The outcome of a record. Every record has exactly one.
#[derive(Debug)]
pub enum Outcome {
    /// The record is not a page: a request, a redirect, an image … The reason is the name of a counter, such as
    /// `status.404`.
    NotAPage(String),
    /// The record should be a page and cannot be read. The reason is the name of a counter, such as
    /// `undecodable.binary`.
    Unreadable(String),
    /// The record is a page and was read.
    Page(Box<PageOutput>),
}

/// A page and everything computed from it before it is compared with others. The document keys of its rows are 0:
/// extract assigns them.
#[derive(Debug)]
pub struct PageOutput {
    /// The row of the page in the table `documents`.
    pub document: Document,
    /// All blocks of the page in order, content and boilerplate.
    pub paragraphs: Vec<Paragraph>,
    /// Keys by which the census compares the page with the others of its host.
    pub census_keys: CensusKeys,
    /// Bytes of the payload after its content coding is removed.
    pub payload_bytes: u64,
    /// Names of warnings that did not keep the page from being read, such as `charset_suspect`.
    pub warnings: Vec<&'static str>,
    /// Name of the site rule that was applied, and for each of its selectors whether it matched.
    pub rule: Option<(String, Vec<bool>)>,
}

const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// Reads pages. It is built once from [`Options`] and immutable, so all threads share one.
///
/// ```
/// use warcorpus::{Limits, Outcome, Pipeline, PipelineOptions, read_archive};
///
/// let html = "<title>Tides</title><p>The tide comes about fifty minutes later every day, because the moon has moved on.</p>";
/// let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
/// let warc = format!(
///     "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
///     http.len(),
/// );
/// let pipeline = Pipeline::new(PipelineOptions::default());
/// for event in read_archive(&warc.as_bytes(), 0..u64::MAX, &Limits::default())? {
///     let warcorpus::Event::Record(record) = event? else { continue };
///     let Outcome::Page(page) = pipeline.read(&record) else { panic!("it is a page") };
///     assert_eq!(page.document.title.as_deref(), Some("Tides"));
///     assert_eq!(page.document.language.code(), "eng");
///     assert_eq!(page.paragraphs.len(), 1);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Pipeline {
    options: Options,
    classifier: Classifier,
    identifier: Identifier,
}

impl Pipeline {
    /// Builds a pipeline with these options.
    pub fn new(options: Options) -> Pipeline {
        Pipeline {
            classifier: Classifier::new(&options.clean),
            identifier: Identifier::new(&options.language).with_model(options.language_model.clone()),
            options,
        }
    }

    /// Reads a record. A page on which a parser panics is unreadable, with the reason `internal_error`.
    pub fn read(&self, record: &Record) -> Outcome {
        let read = || self.read_record(record);
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Outcome::Unreadable("internal_error".into()))
    }

    /// What identifies the languages of pages and paragraphs.
    pub fn identifier(&self) -> &Identifier {
        &self.identifier
    }

    /// The site rules of the pipeline.
    pub fn rules(&self) -> &SiteRules {
        &self.options.rules
    }

    /// The classifier. Later stages revise its verdicts with it once the templates of a site are known.
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    fn read_record(&self, record: &Record) -> Outcome {
        let payload = match payload::payload(record, &self.options.payload) {
            Ok(payload) => payload,
            Err(Rejection::NotAPage(reason)) => return Outcome::NotAPage(reason),
            Err(Rejection::Unreadable(reason)) => return Outcome::Unreadable(reason),
        };
        let url = record.header.target_uri().unwrap_or_default();
        match payload.decode(&url) {
            Ok(decoded) => Outcome::Page(Box::new(self.page(record, &url, &payload, &decoded))),
            Err(undecodable) => Outcome::Unreadable(format!("undecodable.{}", undecodable.name())),
        }
    }

    fn page(&self, record: &Record, url: &str, payload: &Payload, decoded: &Decoded<'_>) -> PageOutput {
        let captured = payload::captured(record);
        let capture_day = captured.map(day);
        let (mut page, rule) = self.blocks(url, payload, decoded, capture_day);
        let language = self.identifier.document(page.blocks.iter().map(sample_block));
        let list = self.options.stopwords.as_deref();
        let list = list.or_else(|| self.classifier.stoplist(language.language.code()));
        let (verdicts, assessment) = match payload.media {
            Media::Html => {
                let profile = PageProfile::of(&page);
                let verdicts = self.classifier.html(&page, &profile, list, rule);
                let assessment = assess(&page, &profile, &verdicts, url);
                (verdicts, Some(assessment))
            }
            Media::Text => (self.classifier.plain_text(&page.blocks, list), None),
            Media::Wet => (self.classifier.wet(&page.blocks), None),
        };
        let warnings = warnings(payload, decoded, &page);
        // The cleaner's models know tables and headings as the markup has them.
        blocks::leave_layout_tables(&mut page.blocks);
        if !self.options.blocks.reference {
            blocks::mark_bold_headings(&mut page.blocks, verdicts.iter().map(|verdict| !verdict.boilerplate));
        }
        let paragraphs = self.paragraphs(std::mem::take(&mut page.blocks), verdicts, language.language);
        let language = self.language_of_content(&paragraphs, language.language).unwrap_or(language);
        let x_robots: Vec<&str> = payload.x_robots.iter().map(String::as_str).collect();
        // The capture time is an upper bound of the publication date. Converters that know at most the day write
        // midnight, so a time of exactly midnight is not used as a bound.
        let latest = captured.filter(|t| t.as_second() % SECONDS_PER_DAY != 0).and(capture_day);
        let metadata = metadata::metadata(&page.head, url, latest, &x_robots, payload.tdm.as_deref());
        let metadata = metadata::apply_rule_values(metadata, &page.rule_findings.values, latest);
        let mut document = describe(record, url, payload, decoded, language);
        document.captured = captured.map(|t| t.as_microsecond());
        document.page_type = assessment.map(|assessment| assessment.page_type);
        document.confidence = assessment.and_then(|assessment| assessment.confidence);
        add_metadata(&mut document, metadata);
        document.drop_reason = self.drop_reason(&document, &paragraphs);
        PageOutput {
            census_keys: self.census_keys(&document, &paragraphs),
            payload_bytes: payload.bytes.len() as u64,
            warnings,
            rule: rule.map(|rule| (rule.name.clone(), page.rule_findings.matched)),
            document,
            paragraphs,
        }
    }

    /// The page with the blocks that become its paragraphs, and the site rule that was applied to it.
    fn blocks<'d>(
        &'d self,
        url: &str,
        payload: &Payload,
        decoded: &'d Decoded<'_>,
        captured: Option<Date>,
    ) -> (Page<'d>, Option<&'d Rule>) {
        let site = url::site(url);
        let host = site.as_ref().map_or("", |site| &site.host);
        let rule = self.options.rules.choose(url, host, captured).filter(|_| payload.media == Media::Html);
        let mut page = match payload.media {
            Media::Html => blocks::page_with_rule(&decoded.text, &self.options.blocks, rule),
            Media::Text => blocks::plain_text(&decoded.text, &self.options.blocks.limits),
            Media::Wet => blocks::wet_text(&decoded.text, &self.options.blocks.limits),
        };
        if !self.options.clean.compat {
            page.normalise();
        }
        let rule = rule.filter(|_| !page.rule_not_applied);
        (page, rule)
    }

    fn paragraphs(&self, blocks: Vec<Block>, verdicts: Vec<Verdict>, document: Language) -> Vec<Paragraph> {
        let all = blocks.into_iter().zip(verdicts).zip(0..);
        all.map(|((block, verdict), index)| self.paragraph(block, verdict, index, document)).collect()
    }

    fn paragraph(&self, block: Block, verdict: Verdict, index: u32, document: Language) -> Paragraph {
        let boilerplate = verdict.boilerplate;
        let identified = (!boilerplate).then(|| self.identifier.paragraph(&block.text, document));
        Paragraph {
            index,
            class: verdict.class,
            context_free: verdict.context_free,
            boilerplate,
            score: verdict.score,
            reason: verdict.reason,
            link_density: verdict.link_density,
            stopword_density: verdict.stopword_density,
            language: identified.map(|i| i.language),
            language_score: identified.map(|i| i.score),
            drop_reason: if boilerplate { DropReason::Boilerplate } else { DropReason::None },
            ..Paragraph::of_block(block)
        }
    }

    /// The language of the content, if it is another than that of the page: most of the paragraphs say so, and so does a sample
    /// of them.
    fn language_of_content(&self, paragraphs: &[Paragraph], page: Language) -> Option<Identified> {
        let content = || paragraphs.iter().filter(|paragraph| !paragraph.boilerplate);
        let mut shares: BTreeMap<Language, u64> = BTreeMap::new();
        for paragraph in content() {
            let language = paragraph.language.unwrap_or_default();
            *shares.entry(language).or_default() += u64::from(paragraph.characters);
        }
        let (most, characters) = shares.iter().max_by_key(|(_, characters)| **characters)?;
        let is_other = *most != page && *most != Language::UNDETERMINED;
        if !is_other || characters * 4 < shares.values().sum::<u64>() * 3 {
            return None;
        }
        let sample = content().filter(|paragraph| paragraph.language == Some(*most)).map(|paragraph| SampleBlock {
            text: &paragraph.text,
            characters: paragraph.characters,
            link_characters: 0,
            preformatted: paragraph.kind == BlockKind::Pre,
        });
        Some(self.identifier.document(sample)).filter(|identified| identified.language == *most)
    }

    /// Why a document is dropped, as far as its own page decides it.
    fn drop_reason(&self, document: &Document, paragraphs: &[Paragraph]) -> DropReason {
        let keep = &self.options.keep_languages;
        if paragraphs.is_empty() {
            DropReason::NoText
        } else if metadata::excluded(document.robots.as_deref(), &self.options.respect_robots) {
            DropReason::Robots
        } else if paragraphs.iter().all(|p| p.boilerplate) {
            DropReason::Boilerplate
        } else if !keep.is_empty() && !keep.contains(&document.language) {
            DropReason::Language
        } else {
            DropReason::None
        }
    }

    fn census_keys(&self, document: &Document, paragraphs: &[Paragraph]) -> CensusKeys {
        let mut keys = CensusKeys::default();
        if self.options.census.blocks {
            keys.add_blocks(document, paragraphs);
        }
        if self.options.census.words && document.drop_reason == DropReason::None {
            keys.add_words(paragraphs);
        }
        keys
    }
}

/// The day of a point in time by UTC.
fn day(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

fn sample_block(block: &Block) -> SampleBlock<'_> {
    SampleBlock {
        text: &block.text,
        characters: block.characters,
        link_characters: block.link_characters,
        preformatted: block.kind == BlockKind::Pre,
    }
}

fn describe(record: &Record, url: &str, payload: &Payload, decoded: &Decoded<'_>, language: Identified) -> Document {
    let (host, domain, tld) = url::site(url).map(|site| (site.host, site.domain, site.tld)).unwrap_or_default();
    Document {
        record_id: payload::record_id(record).to_string(),
        url: url.to_string(),
        host,
        domain,
        tld,
        offset: record.offset,
        length: record.length,
        status: payload.status,
        content_type: payload.content_type.clone(),
        charset: decoded.charset.to_string(),
        charset_source: decoded.source,
        replacements: decoded.replacements,
        truncated: payload.truncated,
        payload_bytes: payload.bytes.len() as u64,
        payload_digest: payload.digest.clone(),
        language: language.language,
        language_score: language.score,
        script: language.script.map(str::to_string),
        cluster_size: 1,
        ..Default::default()
    }
}

fn add_metadata(document: &mut Document, metadata: Metadata) {
    document.title = metadata.title;
    document.author = metadata.author;
    document.published = metadata.published.map(day_of_date);
    document.modified = metadata.modified.map(day_of_date);
    document.published_source = metadata.published_source;
    document.sitename = metadata.sitename;
    document.section = metadata.section;
    document.keywords = metadata.keywords;
    document.license = metadata.license;
    document.robots = metadata.robots;
    document.canonical = metadata.canonical;
    document.declared_language = metadata.declared_language;
}

fn warnings(payload: &Payload, decoded: &Decoded<'_>, page: &Page<'_>) -> Vec<&'static str> {
    let mut warnings = payload.faults.clone();
    let more = [
        (decoded.replacements > 0, "undecodable_bytes_replaced"),
        (decoded.suspect, "charset_suspect"),
        (decoded.mojibake, "mojibake"),
        (payload.truncated, "truncated"),
        (page.rule_not_applied, "rule_not_applied"),
        (page.cuts.blocks, "cut_blocks"),
        (page.cuts.containers, "cut_containers"),
        (page.cuts.block_bytes, "cut_block"),
        (page.cuts.text_bytes, "cut_text"),
    ];
    warnings.extend(more.iter().filter(|(is, _)| *is).map(|(_, name)| *name));
    warnings
}
