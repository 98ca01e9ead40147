//! The life of one record, up to everything that can be known from it alone: record → payload →
//! text → blocks → language → classes → document, paragraphs, what the census counts. Pure: values in, values
//! out. Read [`PageReader::read`] first.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fxhash::FxHashMap;

use crate::archive::Record;
use crate::clean::justext::Class;
use crate::clean::stoplist::Stoplist;
use crate::clean::{Classifier, MOST_BLOCKS, Verdict};
use crate::config::{self, Config};
use crate::dedup::method::descriptive::relative_frequency;
use crate::dedup::sites;
use crate::document::{Document, Drop, Paragraph};
use crate::hash::{combine, hash64};
use crate::language::{Identified, Identifier, SampleBlock};
use crate::page::blocks::{self, Block, BlockKind, Page};
use crate::page::charset::Decoded;
use crate::page::metadata::{self, Metadata};
use crate::page::payload::{self, Media, Payload, Rejection};
use crate::page::rules::{Rule, SiteRules};
use crate::page::url;
use crate::stages::Job;
use crate::stages::census::{WHOLE_PAGE, host_block, host_page};
use crate::text::words;

/// What became of a record.
pub enum Outcome {
    /// It is no page; the reason is counted.
    NoPage(String),
    /// It should have been one and cannot be read; the reason is counted and the record listed.
    Unreadable(String),
    Page(Box<PageOutput>),
}

/// A page and everything known about it before it meets others. Keys are not given yet.
pub struct PageOutput {
    pub document: Document,
    pub paragraphs: Vec<Paragraph>,
    pub census_keys: CensusKeys,
    pub payload_bytes: u64,
    pub faults: Vec<&'static str>,
    /// The site rule that the page was read by, and which of its selectors matched.
    pub rule: Option<(String, Vec<bool>)>,
}

/// What the census counts of a page.
#[derive(Default)]
pub struct CensusKeys {
    /// Identities of the page's address and text.
    pub url: u64,
    pub text: u64,
    /// Keys of the page and its blocks, each with the paragraph's index.
    pub blocks: Vec<(u64, u32)>,
    /// Hashes of its words, each with its share of them; empty where nobody asks.
    pub words: Vec<(u64, f32)>,
}

const SECONDS_OF_A_DAY: i64 = 24 * 60 * 60;

/// Reads pages by one configuration.
pub struct PageReader<'a> {
    config: Config,
    rules: &'a SiteRules,
    stopwords: Option<&'a Stoplist>,
    classifier: Classifier,
    identifier: Identifier,
    counts_words: bool,
    payload_options: payload::Options,
    block_options: blocks::Options,
}

impl<'a> PageReader<'a> {
    pub fn new(job: &'a Job) -> PageReader<'a> {
        let config = &job.config;
        PageReader {
            rules: &job.rules,
            stopwords: job.stopwords.as_ref(),
            classifier: Classifier::new(&config.clean.options()),
            identifier: Identifier::new(&config.language.identification),
            counts_words: config.near.needs_statistics(),
            payload_options: payload_options(config),
            block_options: block_options(config),
            config: config.clone(),
        }
    }

    /// A page on which one of the parsers below panics is unreadable like any other.
    pub fn read(&self, record: &Record) -> Outcome {
        let read = || self.read_record(record);
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Outcome::Unreadable("internal_error".into()))
    }

    fn read_record(&self, record: &Record) -> Outcome {
        let payload = match payload::payload(record, &self.payload_options) {
            Ok(payload) => payload,
            Err(Rejection::NotAPage(reason)) => return Outcome::NoPage(reason),
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
        let capture_day = captured.map(|t| t.to_zoned(jiff::tz::TimeZone::UTC).date());
        let site = url::site(url);
        let host = site.as_ref().map_or("", |site| &site.host);
        let rule = self.rules.choose(url, host, capture_day).filter(|_| payload.media == Media::Html);
        let mut page = self.blocks(payload, decoded, rule);
        if !self.config.clean.compat {
            page.normalise();
        }
        let rule = rule.filter(|_| !page.rule_not_applied);
        let language = self.identifier.document(page.blocks.iter().map(candidate));
        let list = self.stopwords.or_else(|| self.classifier.stoplist(language.language.code()));
        let verdicts = match payload.media {
            Media::Html => self.classifier.html(&page, list, rule),
            Media::Text => self.classifier.plain_text(&page.blocks, list),
            Media::Wet => self.classifier.wet(&page.blocks),
        };
        let faults = faults(payload, decoded, &page);
        let paragraphs = self.paragraphs(std::mem::take(&mut page.blocks), verdicts, language);
        let x_robots: Vec<&str> = payload.x_robots.iter().map(String::as_str).collect();
        // Nothing was published after its capture. But midnight sharp is what converters write who know the day at
        // best, and often not that: it bounds nothing.
        let latest = captured.filter(|t| t.as_second() % SECONDS_OF_A_DAY != 0).and(capture_day);
        let metadata = metadata::metadata(&page.head, url, latest, &x_robots, payload.tdm.as_deref());
        let metadata = metadata::apply_rule_values(metadata, &page.rule_findings.values, latest);
        let mut document = describe(record, url, payload, decoded, language);
        document.captured = captured.map(|t| t.as_microsecond());
        add_metadata(&mut document, metadata);
        document.drop_reason = self.first_drop(&document, &paragraphs).map_or("", Drop::name).into();
        PageOutput {
            census_keys: self.census_keys(&document, &paragraphs),
            payload_bytes: payload.bytes.len() as u64,
            faults,
            rule: rule.map(|rule| (rule.name.clone(), page.rule_findings.matched)),
            document,
            paragraphs,
        }
    }

    fn blocks<'d>(&self, payload: &Payload, decoded: &'d Decoded<'_>, rule: Option<&'d Rule>) -> Page<'d> {
        match payload.media {
            Media::Html => blocks::page_with_rule(&decoded.text, &self.block_options, rule),
            Media::Text => blocks::plain_text(&decoded.text),
            Media::Wet => blocks::wet_text(&decoded.text),
        }
    }

    fn paragraphs(&self, blocks: Vec<Block>, verdicts: Vec<Verdict>, document: Identified) -> Vec<Paragraph> {
        let all = blocks.into_iter().zip(verdicts).zip(0..);
        all.map(|((block, verdict), index)| self.paragraph(block, verdict, index, document)).collect()
    }

    fn paragraph(&self, block: Block, verdict: Verdict, index: u32, document: Identified) -> Paragraph {
        let boilerplate = verdict.boilerplate;
        let identified = (!boilerplate).then(|| self.identifier.paragraph(&block.text, document.language));
        Paragraph {
            index,
            text: block.text,
            kind: block.kind.name().into(),
            heading: block.heading,
            list_depth: block.list_depth,
            table_row: block.cell.0,
            table_column: block.cell.1,
            class: verdict.class.name().into(),
            context_free: verdict.context_free.name().into(),
            boilerplate,
            score: verdict.score,
            reason: verdict.reason.name().into(),
            characters: block.characters,
            link_density: verdict.link_density,
            stopword_density: verdict.stopword_density,
            language: identified.map(|i| i.language.code().into()),
            language_score: identified.map(|i| i.score),
            drop_reason: if boilerplate { Drop::Boilerplate.name().into() } else { Default::default() },
            ..Default::default()
        }
    }

    fn first_drop(&self, document: &Document, paragraphs: &[Paragraph]) -> Option<Drop> {
        let keep = &self.config.language.keep;
        if paragraphs.is_empty() {
            Some(Drop::NoText)
        } else if metadata::excluded(document.robots.as_deref(), &self.config.robots.respect) {
            Some(Drop::Robots)
        } else if paragraphs.iter().all(|p| p.boilerplate) {
            Some(Drop::Boilerplate)
        } else if !keep.is_empty() && !keep.contains(&document.language) {
            Some(Drop::Language)
        } else {
            None
        }
    }

    /// What the census counts: the page, the blocks of it that could be content, the words of its text.
    fn census_keys(&self, document: &Document, paragraphs: &[Paragraph]) -> CensusKeys {
        let mut census_keys = CensusKeys::default();
        let host = sites::host_key(&document.host);
        let mut content = Vec::new();
        if self.config.sites.enabled && !document.host.is_empty() && !paragraphs.is_empty() {
            // What is bad by itself is so on every page.
            let counts = |p: &&Paragraph| !p.boilerplate || p.context_free != Class::Bad.name();
            for paragraph in paragraphs.iter().filter(counts) {
                let Some(block) = sites::block_key(&paragraph.text) else { continue };
                census_keys.blocks.push((host_block(host, block), paragraph.index));
                if !paragraph.boilerplate {
                    content.push(block);
                }
            }
            census_keys.blocks.push((host_page(host), WHOLE_PAGE));
            census_keys.url = hash64(url::identity(&document.url).as_bytes());
            // Navigation may differ between copies of one article; a page without content is all navigation.
            if content.is_empty() {
                content.extend(paragraphs.iter().filter_map(|p| sites::block_key(&p.text)));
            }
            census_keys.text = combine(&content);
        }
        if self.counts_words && document.drop_reason.is_empty() {
            census_keys.words = word_shares(paragraphs);
        }
        census_keys
    }
}

/// Hash of each word and its share of the text's words.
fn word_shares(paragraphs: &[Paragraph]) -> Vec<(u64, f32)> {
    let mut hashes = Vec::new();
    paragraphs.iter().filter(|p| !p.boilerplate).for_each(|p| words::hashes(&p.text, &mut hashes));
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    hashes.iter().for_each(|&hash| *counts.entry(hash).or_default() += 1);
    counts.into_iter().map(|(word, n)| (word, relative_frequency(n, hashes.len()))).collect()
}

fn payload_options(config: &Config) -> payload::Options {
    payload::Options {
        plain_text: config.page.plain_text,
        max_payload: config.archive.max_payload as usize,
        max_ratio: config.archive.max_ratio as usize,
    }
}

fn block_options(config: &Config) -> blocks::Options {
    let block_tags = match config.clean.block_tags {
        config::BlockTags::Html5 => blocks::BlockTags::Html5,
        config::BlockTags::Justext => blocks::BlockTags::Justext,
    };
    if config.clean.compat {
        return blocks::Options {
            block_tags: blocks::BlockTags::Justext,
            glue: true,
            max_memory: config.page.max_memory,
        };
    }
    blocks::Options { block_tags, glue: false, max_memory: config.page.max_memory }
}

fn candidate(block: &Block) -> SampleBlock<'_> {
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
        charset_source: decoded.source.name().to_string(),
        replacements: decoded.replacements,
        truncated: payload.truncated,
        payload_bytes: payload.bytes.len() as u64,
        payload_digest: payload.digest.clone(),
        language: language.language.to_string(),
        language_score: language.score,
        cluster_size: 1,
        ..Default::default()
    }
}

fn add_metadata(document: &mut Document, metadata: Metadata) {
    let epoch = jiff::civil::Date::constant(1970, 1, 1);
    document.title = metadata.title;
    document.author = metadata.author;
    document.published = metadata.published.and_then(|date| (date - epoch).get_days().into());
    document.modified = metadata.modified.and_then(|date| (date - epoch).get_days().into());
    document.published_source = metadata.published_source.map(|source| source.name().to_string());
    document.sitename = metadata.sitename;
    document.section = metadata.section;
    document.keywords = metadata.keywords;
    document.license = metadata.license;
    document.robots = metadata.robots;
    document.canonical = metadata.canonical;
    document.declared_language = metadata.declared_language;
}

fn faults(payload: &Payload, decoded: &Decoded<'_>, page: &Page<'_>) -> Vec<&'static str> {
    let mut faults = payload.faults.clone();
    let more = [
        (decoded.replacements > 0, "undecodable_bytes_replaced"),
        (decoded.suspect, "charset_suspect"),
        (payload.truncated, "truncated"),
        (page.rule_not_applied, "rule_not_applied"),
        (page.blocks.len() > MOST_BLOCKS, "many_blocks"),
    ];
    faults.extend(more.iter().filter(|(is, _)| *is).map(|(_, name)| *name));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_the_configuration_are_those_of_the_payload_options() {
        assert_eq!(payload_options(&Config::default()), payload::Options::default());
    }
}
