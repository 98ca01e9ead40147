//! `emit`: a finished corpus in further formats, from its tables alone.

use rayon::prelude::*;

use super::format_files::{self, FormatFiles};
use super::kept::Kept;
use super::{Stop, workers};
use crate::config::Config;
use crate::document::Paragraph;
use crate::emit::document_text::DocumentText;
use crate::emit::{CountsByFormat, OutputFormat, add_counts};
use crate::error::{Error, Result};
use crate::store::layout::Layout;

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    pub documents: u64,
    /// Documents whose tokens are cut otherwise than they were tagged: they are written without tags.
    pub untagged: u64,
    /// What the formats counted.
    pub formats: CountsByFormat,
}

/// Writes kept documents of `corpus` below `out`, which may be the same directory, on `threads` threads.
pub fn export(
    corpus: &Layout,
    config: &Config,
    formats: &[OutputFormat],
    out: &Layout,
    threads: usize,
    stop: &Stop,
) -> Result<Exported> {
    let shards = corpus.shards();
    let segmenter = config.segments.segmenter();
    let one = |shard: u32| -> Result<Exported> {
        let mut files = FormatFiles::create(config, formats, out, shard)?;
        let mut exported = Exported::default();
        for page in Kept::<Paragraph>::of_shard(corpus, shard)? {
            let (document, rows) = page?;
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let tags = tags(&rows);
            let cut = files.need_tokens();
            let mut text = if cut {
                DocumentText::tokenized(&document, &rows, &segmenter)
            } else {
                DocumentText::untokenized(&document, &rows)
            };
            if cut && !tags.lines.is_empty() && (!tags.fit(&text) || text.tag(&tags.lines).is_err()) {
                exported.untagged += 1;
            }
            files.write(&text)?;
            exported.documents += 1;
        }
        exported.formats = files.finish()?;
        Ok(exported)
    };
    let pool = workers::pool(threads)?;
    let parts = pool.install(|| (0..shards).into_par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>>>())?;
    let mut total = Exported::default();
    for part in parts {
        total.documents += part.documents;
        total.untagged += part.untagged;
        add_counts(&mut total.formats, &part.formats);
    }
    format_files::write_job_files(config, formats, out, &total.formats)?;
    Ok(total)
}

/// What the tagger once said of a document: its words, and a line of columns for each.
struct Tags<'a> {
    words: Vec<&'a str>,
    lines: String,
}

fn tags(rows: &[Paragraph]) -> Tags<'_> {
    let mut tags = Tags { words: Vec::new(), lines: String::new() };
    for (word, columns) in rows.iter().flat_map(|row| &row.tokens).filter_map(|token| token.split_once('\t')) {
        tags.words.push(word);
        tags.lines.push_str(columns);
        tags.lines.push('\n');
    }
    tags
}

impl Tags<'_> {
    fn fit(&self, text: &DocumentText) -> bool {
        text.tokens().map(|token| &*token.form).eq(self.words.iter().copied())
    }
}
