//! What training needs to know about whole pages; `training/assess.py` calls it. Reads archives in the order given.
//!
//! ```text
//! assessment OUT ARCHIVE…      MARGINS → OUT.f32, OUT.names, OUT.tokens
//! ```
//! MARGINS, named in the environment, is a file of little-endian 32-bit floats: for each block of all pages the log-odds
//! that it is content, less the threshold of its page. OUT.tokens has for each page the number of its tokens and the tokens,
//! 64 bits each.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result, bail};
use warcorpus::archive::{Event, Limits, Record, records};
use warcorpus::clean::assessment::described;
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::clean::stopwords::stopword_shares;
use warcorpus::page::blocks;
use warcorpus::page::payload::{self, Media};

/// Where descriptions go, and the margins of the pages to come.
struct Description {
    features: BufWriter<File>,
    tokens: BufWriter<File>,
    names: Vec<String>,
    margins: std::vec::IntoIter<f32>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, archives @ ..] = arguments.as_slice() else { bail!("assessment OUT ARCHIVE…") };
    let margins = std::fs::read(std::env::var("MARGINS").context("MARGINS is not set")?)?;
    let (margins, _) = margins.as_chunks::<4>();
    let margins: Vec<f32> = margins.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let create = |ending: &str| Ok::<_, std::io::Error>(BufWriter::new(File::create(format!("{out}.{ending}"))?));
    let mut description = Description {
        features: create("f32")?,
        tokens: create("tokens")?,
        names: Vec::new(),
        margins: margins.into_iter(),
    };
    for archive in archives {
        let bytes = std::fs::read(archive).with_context(|| archive.clone())?;
        for event in records(&&bytes[..], 0..bytes.len() as u64, &Limits::default())? {
            if let Event::Record(record) = event? {
                description.record(&record)?;
            }
        }
    }
    std::fs::write(format!("{out}.names"), description.names.join("\n"))?;
    Ok(())
}

impl Description {
    fn record(&mut self, record: &Record) -> Result<()> {
        let payload = payload::payload(record, &payload::Options::default()).ok();
        let Some(payload) = payload.filter(|payload| payload.media == Media::Html) else { return Ok(()) };
        let url = record.header.target_uri().unwrap_or_default();
        let Ok(decoded) = payload.decode(&url) else { return Ok(()) };
        let mut page = blocks::page(&decoded.text, &blocks::Options::default());
        page.normalise();
        let margins: Vec<f32> = self.margins.by_ref().take(page.blocks.len()).collect();
        if margins.len() < page.blocks.len() {
            bail!("MARGINS is too short");
        }
        let stopwords = stopword_shares(&page.blocks, Stoplist::all());
        let (names, values, tokens) = described(&page, &margins, &stopwords, &url);
        self.names = names;
        values.iter().try_for_each(|value| self.features.write_all(&value.to_le_bytes()))?;
        let all = std::iter::once(tokens.len() as u64).chain(tokens);
        Ok(all.into_iter().try_for_each(|number| self.tokens.write_all(&number.to_le_bytes()))?)
    }
}
