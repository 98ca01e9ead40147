//! `emit`: a finished corpus in further formats, from its tables alone.

use rayon::prelude::*;

use super::formats::Formats;
use super::kept::Kept;
use super::{Stop, workers};
use crate::config::Config;
use crate::document::Paragraph;
use crate::emit::text::Text;
use crate::emit::vertical::Written;
use crate::emit::{Format, registry};
use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::layout::Layout;

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exported {
    pub documents: u64,
    /// Documents whose tokens are cut otherwise than they were tagged: they are written without tags.
    pub untagged: u64,
    pub vertical: Written,
}

/// Writes kept documents of `corpus` below `out`, which may be the same directory, on `threads` threads.
pub fn export(
    corpus: &Layout,
    config: &Config,
    formats: &[Format],
    out: &Layout,
    threads: usize,
    stop: &Stop,
) -> Result<Exported> {
    let shards = corpus.shards();
    let segmenter = config.segments.segmenter();
    let one = |shard: u32| -> Result<Exported> {
        let mut files = Formats::create(config, formats, out, shard)?;
        let mut exported = Exported::default();
        for page in Kept::<Paragraph>::of_shard(corpus, shard)? {
            let (document, rows) = page?;
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let tags = tags(&rows);
            let cut = files.are_cut();
            let mut text = if cut { Text::cut(&document, &rows, &segmenter) } else { Text::whole(&document, &rows) };
            if cut && !tags.lines.is_empty() && (!tags.fit(&text) || text.tag(&tags.lines).is_err()) {
                exported.untagged += 1;
            }
            files.write(&text)?;
            exported.documents += 1;
        }
        exported.vertical = files.finish()?;
        Ok(exported)
    };
    let pool = workers::pool(threads)?;
    let parts = pool.install(|| (0..shards).into_par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>>>())?;
    let total = parts.into_iter().fold(Exported::default(), |all, part| Exported {
        documents: all.documents + part.documents,
        untagged: all.untagged + part.untagged,
        vertical: all.vertical.and(part.vertical),
    });
    if formats.contains(&Format::Vertical) {
        let text = registry::registry(&config.output.name, &config.vertical.columns, &total.vertical);
        atomic::write(&out.registry(&config.output.name), text)?;
    }
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
    fn fit(&self, text: &Text) -> bool {
        text.words().map(|word| &*word.form).eq(self.words.iter().copied())
    }
}
