//! What the fuzz targets do with their bytes. `tests/fuzz_corpus.rs` does the same with the inputs of `corpus/`.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use warcorpus::archive::{Event, Limits, ZSTD_MAGIC, decode_body, decompress, parse_http, records, resume};
use warcorpus::clean::PageProfile;
use warcorpus::clean::justext::{Params, classify};
use warcorpus::clean::main_content::score_blocks;
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::commands::annotate::text_records::TextRecords;
use warcorpus::document::{Document, Paragraph};
use warcorpus::fasttext::Model;
use warcorpus::job::inputs::resolve;
use warcorpus::job::slurm::parse_queue;
use warcorpus::language::{self, Identifier, Language};
use warcorpus::page::blocks::{self, Page, is_space, page_with_rule};
use warcorpus::page::rules::SiteRules;
use warcorpus::page::{charset as charsets, metadata};
use warcorpus::pii::{self, Kind};
use warcorpus::quality::thresholds::Thresholds;
use warcorpus::select::cdx;
use warcorpus::select::expression::Expression;
use warcorpus::stages::census::OccurrenceRow;
use warcorpus::stages::content::PageSummary;
use warcorpus::stages::counters::Counters;
use warcorpus::stages::emit::tagger::Tags;
use warcorpus::stages::emit::tagger::answer::{compare, read_lines};
use warcorpus::stages::plan::Plan;
use warcorpus::stoplist::file as list_file;
use warcorpus::store::archives::is_remote;
use warcorpus::store::marker::Marker;
use warcorpus::store::rows;
use warcorpus::store::small_files::{self, is_gzip};
use warcorpus::store::spill::{self, SortSpace};
use warcorpus::text::invisible::is_invisible;
use warcorpus::text::mojibake::Mojibake;
use warcorpus::text::segments::Segmenter;
use warcorpus::{Outcome, Pipeline, PipelineOptions};

/// Any bytes as an archive: no panic, no hang, events that lie inside the file, and the same ones when the reading is
/// left somewhere and taken up again.
pub fn archive(data: &[u8]) {
    let length = data.len() as u64;
    let read = || records(&data, 0..length, &Limits::default()).expect("memory can be read");
    let events: Vec<Event> = read().map(|event| event.expect("memory can be read")).collect();
    for event in &events {
        let (offset, bytes) = match event {
            Event::Record(record) => (record.offset, record.length),
            Event::Damage(damage) => (damage.offset, damage.length),
        };
        assert!(offset + bytes <= length);
    }
    let left = usize::from(data.last().copied().unwrap_or(0)) % (events.len() + 1);
    let mut first = read();
    first.by_ref().take(left).for_each(drop);
    let rest = resume(&data, 0..length, &Limits::default(), &first.position()).expect("memory can be read");
    assert!(rest.map(|event| event.expect("memory can be read")).eq(events[left..].iter().cloned()));
    let _ = decompress(&data, length / 3, length / 2);
}

/// Any bytes as a stored HTTP response.
pub fn http(data: &[u8]) {
    let limits = Limits { payload_bytes: 1 << 20, ..Limits::default() };
    let http = parse_http(data);
    assert!(decode_body(&http, &limits).bytes.len() <= (1 << 20).max(data.len()));
}

/// Any bytes as a payload: decoded, cut into blocks, classified, scored, its metadata read.
pub fn page(data: &[u8]) {
    let Ok(decoded) = charsets::decode(data, None, Some("cz"), None, false, Mojibake::Fix) else { return };
    let page = blocks::page(&decoded.text, &blocks::Options::default());
    let verdicts = classify(&page.blocks, Some(Stoplist::all()), &Params::default());
    assert_eq!(verdicts.len(), page.blocks.len());
    let stopwords: Vec<f32> = verdicts.iter().map(|verdict| verdict.stopword_density).collect();
    let scores = score_blocks(&page, &PageProfile::of(&page), &stopwords);
    assert_eq!(scores.len(), page.blocks.len());
    assert!(scores.iter().all(|block| block.score.is_finite()));
    metadata::metadata(&page.head, "http://example.org/2024/05/06/a", None, &[], None);
}

/// An address on the first line and any bytes as the stored HTTP response of it: the pipeline of a job reads the record
/// without a panic, which it would catch.
pub fn pipeline(data: &[u8]) {
    static PIPELINE: LazyLock<Pipeline> = LazyLock::new(|| Pipeline::new(PipelineOptions::default()));
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (address, http) = data.split_at(end);
    let http = http.get(1..).unwrap_or_default();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2025-01-01T12:00:00Z\r\nWARC-Target-URI: {}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        String::from_utf8_lossy(address).replace('\r', ""),
        http.len()
    );
    let warc = [head.as_bytes(), http, b"\r\n\r\n"].concat();
    for event in records(&warc, 0..warc.len() as u64, &Limits::default()).expect("memory can be read") {
        let Event::Record(record) = event.expect("memory can be read") else { continue };
        let outcome = PIPELINE.read(&record);
        assert!(!matches!(&outcome, Outcome::Unreadable(reason) if reason == "internal_error"));
    }
}

/// A selector on the first line and a page: the selector is refused with a message or applied, and both tokenisers read
/// the same text.
pub fn rules(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (selector, html) = text.split_once('\n').unwrap_or((&text, ""));
    let quoted: String = selector.chars().map(|c| format!("\\U{:08x}", c as u32)).collect();
    let rules = format!("[[rule]]\nhost = \"a.example\"\ncontent = [\"{quoted}\"]\nremove = [\"{quoted}\"]\n");
    let Ok(rules) = SiteRules::parse("fuzz", &rules) else { return };
    let Some(rule) = rules.iter().next() else { return };
    let letters = |page: &Page<'_>| -> String {
        page.blocks.iter().flat_map(|block| block.text.chars()).filter(|c| !c.is_whitespace()).collect()
    };
    let ruled = page_with_rule(html, &blocks::Options::default(), Some(rule));
    assert_eq!(letters(&blocks::page(html, &blocks::Options::default())), letters(&ruled));
}

/// Any bytes with any declared charset, which stands on the first line.
pub fn charset(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (declared, bytes) = data.split_at(end);
    let declared = str::from_utf8(declared).ok().filter(|declared| !declared.is_empty());
    if let Ok(decoded) = charsets::decode(bytes, declared, None, None, false, Mojibake::Fix) {
        assert!(decoded.text.len() <= 4 * bytes.len() + 16);
    }
}

/// Any text in any language: identified, cut into sentences and tokens, which together are the text that is seen.
pub fn text(data: &[u8]) {
    let Some((number, text)) = data.split_last() else { return };
    let text = String::from_utf8_lossy(text);
    let languages: Vec<Language> = Language::all().collect();
    let language = languages.get(usize::from(*number) % languages.len()).copied().unwrap_or_default();
    Identifier::new(&language::Options::default()).paragraph(&text, language);
    let segmenter = Segmenter::default();
    let tokenizer = segmenter.language(language.code());
    let mut tokens = Vec::new();
    for sentence in tokenizer.sentences(&text) {
        tokenizer.tokens(&text, sentence, &mut tokens);
    }
    // What nobody sees is no token, and may be part of one.
    let seen = |c: &char| *c != '\u{FE0F}' && !is_invisible(*c);
    let cut = tokens.into_iter().filter_map(|token| text.get(token.range));
    let cut: String = cut.flat_map(str::chars).filter(seen).collect();
    assert_eq!(cut, text.split_whitespace().flat_map(str::chars).filter(seen).collect::<String>());
}

/// Personal data in any text of any language: the finds are in order and do not overlap, and each is masked.
pub fn personal(data: &[u8]) {
    let Some((number, text)) = data.split_last() else { return };
    let text = String::from_utf8_lossy(text);
    let languages: Vec<Language> = Language::all().collect();
    let language = languages.get(usize::from(*number) % languages.len()).copied().unwrap_or_default();
    let mut spans = pii::find(&text, &Kind::ALL, language.code());
    assert!(spans.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
    assert!(spans.iter().all(|span| text.get(span.range.clone()).is_some_and(|find| !find.is_empty())));
    assert_eq!(pii::character_ranges(&text, &spans).len(), spans.len());
    let masked = pii::mask(&text, &mut spans);
    assert!(spans.iter().all(|span| masked.get(span.range.clone()) == Some(span.kind.replacement())));
}

/// A file that a user names, whose kind the first byte tells: it is refused with an error or read.
pub fn named(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first() else { return };
    match kind % 4 {
        0 => {
            let words = list_file::parse(bytes).unwrap_or_default();
            assert!(words.iter().all(|word| !word.contains(is_space)));
        }
        1 => thresholds(&String::from_utf8_lossy(bytes)),
        2 => inputs(bytes),
        _ => labels(bytes),
    }
}

/// The name of a file of thresholds on the first line, and its text: what a job writes of it reads back.
fn thresholds(text: &str) {
    let (name, text) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(thresholds) = Thresholds::parse_file(name, text) else { return };
    let written = thresholds.to_toml();
    assert_eq!(Thresholds::parse(&written).map(|again| again.to_toml()), Ok(written));
}

/// A list of archives on a server: what its lines name are addresses.
fn inputs(bytes: &[u8]) {
    const LIST: &str = "https://host.example/lists/warc.paths.gz";
    let Ok(text) = small_files::text(LIST, bytes, 1 << 16) else { return };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        assert!(resolve(line, LIST, "").is_none_or(|found| is_remote(&found)), "{line}");
    }
}

/// Labels of documents, CSV or JSON lines. Compressed ones are left out: a user may have as many bytes as there are.
fn labels(bytes: &[u8]) {
    if is_gzip(bytes) || bytes.starts_with(&ZSTD_MAGIC) {
        return;
    }
    let Ok(records) = TextRecords::new(Path::new("labels"), Cursor::new(bytes.to_vec())) else { return };
    let mut last = 0;
    for record in records.filter_map(Result::ok) {
        assert!(record.line > last);
        last = record.line;
    }
}

/// What another program prints, which the first byte tells: a tagger, behind the line that it was given, or Slurm.
pub fn programs(data: &[u8]) {
    const COLUMNS: usize = 2;
    let Some((kind, bytes)) = data.split_first() else { return };
    if kind % 2 == 0 {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
        let (asked, output) = bytes.split_at(end);
        let asked = String::from_utf8_lossy(asked);
        read_lines(output, |line| {
            let mut tags = Tags::new();
            let answered = compare(&asked, &line, COLUMNS, &mut tags).is_ok();
            assert!(!answered || line.starts_with(&*asked));
            assert!(tags.is_empty() || answered && tags.matches('\t').count() + 1 == COLUMNS);
            true
        });
    } else {
        let queue = parse_queue(&String::from_utf8_lossy(bytes), &[("12", "extract"), ("13", "bucket")]);
        assert!(queue.is_running("12_0").is_some() && queue.is_running("99_0").is_none());
    }
}

/// Any text as an expression and as lines of an index: no panic, and what is printed reads back.
pub fn select(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (first, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let filter = Expression::parse(first).ok();
    if let Some(filter) = &filter {
        assert_eq!(Expression::parse(&filter.to_string()).as_ref(), Ok(filter));
    }
    let bound = filter.and_then(|filter| filter.bind(&cdx::columns()).ok());
    let mut parser = cdx::CdxParser::default();
    let columns = cdx::columns();
    for line in lines.lines() {
        let Ok(Some(line)) = parser.parse(line) else { continue };
        for column in &columns {
            let _ = line.value(column.index);
        }
        line.location();
        if let Some(bound) = &bound {
            bound.matches(|column| line.value(column));
        }
    }
}

/// A damaged file of a job, whose kind the first byte tells: it is refused with an error, never with a panic.
pub fn files(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first() else { return };
    let folder = if Path::new("/dev/shm").is_dir() { PathBuf::from("/dev/shm") } else { std::env::temp_dir() };
    let file = folder.join(format!("warcorpus-fuzz-{}", std::process::id()));
    std::fs::write(&file, bytes).expect("the file can be written");
    // Tables are left out: the reader of Parquet panics on damage, which is caught, but not by a fuzzer.
    match kind % 6 {
        0 => drop(rows::Reader::<Document>::open(&file).map(|rows| rows.take(1000).count())),
        1 => drop(rows::Reader::<Vec<Paragraph>>::open(&file).map(|rows| rows.take(1000).count())),
        2 => {
            if let Ok(mut pages) = rows::Reader::<PageSummary>::open(&file) {
                let mut numbers = Vec::new();
                while let Ok(Some(_)) = pages.with_numbers(&mut numbers) {}
            }
        }
        3 => {
            let rows = spill::merge::<OccurrenceRow>(std::slice::from_ref(&file), 0, &SortSpace::default());
            drop(rows.map(|rows| rows.take(1000).count()));
        }
        4 => drop(Marker::<Counters>::read(&file)),
        _ => drop(serde_json::from_slice::<Plan>(bytes)),
    }
    let _ = std::fs::remove_file(file);
}

/// Any bytes as a model of fastText: it is refused, or it answers with one of its labels.
pub fn models(data: &[u8]) {
    let Ok(model) = Model::read(Box::new(data.to_vec())) else { return };
    for text in ["a b\u{e9} a", "", "__label__x </s> a", "\u{65e5}\u{672c} z"] {
        let best = model.best(text);
        assert!(best.is_none_or(|best| best.label < model.labels().len()));
        let _ = model.probability(text, 0);
    }
}
