//! Files of the formats that are asked for: one of each for a shard.

use std::io::Write;

use flate2::{Compression, GzBuilder, write::GzEncoder};

use crate::config::Config;
use crate::emit::text::{Column, Text};
use crate::emit::vertical::{self, Written};
use crate::emit::{Format, conllu, jsonl, plain, tei};
use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;
use crate::store::layout::Layout;

/// Writes the kept documents of a shard.
pub struct Formats<'a> {
    config: &'a Config,
    layout: vertical::Layout,
    conllu: conllu::Columns,
    files: Vec<FormatFile>,
    written: Written,
}

struct FormatFile {
    format: Format,
    gzip: GzEncoder<AtomicFile>,
    /// Of the document at hand.
    text: String,
    documents: u64,
}

impl<'a> Formats<'a> {
    pub fn create(config: &'a Config, formats: &[Format], layout: &Layout, shard: u32) -> Result<Formats<'a>> {
        let create = |&format: &Format| -> Result<FormatFile> {
            let file = AtomicFile::create(&layout.part(format.name(), format.ending(), shard))?;
            // No time and no name in the header: the same text gives the same bytes.
            let gzip = GzBuilder::new().mtime(0).write(file, Compression::new(config.output.gzip_level));
            Ok(FormatFile { format, gzip, text: String::new(), documents: 0 })
        };
        let (names, tagger) = (&config.vertical.columns, &config.emit.tagger_columns);
        let columns = names.iter().map(|name| Column::of(name, tagger)).collect();
        Ok(Formats {
            config,
            layout: vertical::Layout { escape: config.vertical.escape, columns },
            conllu: conllu::Columns::of(tagger),
            files: formats.iter().map(create).collect::<Result<_>>()?,
            written: Written::default(),
        })
    }

    /// Whether any of them shows sentences or tokens.
    pub fn are_cut(&self) -> bool {
        self.files.iter().any(|file| file.format.is_cut())
    }

    pub fn write(&mut self, text: &Text) -> Result<()> {
        let name = &self.config.output.name;
        for file in &mut self.files {
            let out = &mut file.text;
            match file.format {
                Format::Vertical => self.written = self.written.and(vertical::document(out, text, &self.layout)),
                Format::Conllu => conllu::document(out, text, &self.conllu),
                Format::Jsonl => jsonl::document(out, text, name, self.config.jsonl.fields)
                    .map_err(|error| Error::damaged(file.gzip.get_ref().path(), error))?,
                Format::Text => plain::document(out, text, self.config.text.lines),
                Format::Tei if text.paragraphs.is_empty() => {}
                Format::Tei => {
                    if file.documents == 0 {
                        tei::open(out, name);
                    }
                    tei::document(out, text);
                }
            }
            file.documents += u64::from(!file.text.is_empty());
            file.flush()?;
        }
        Ok(())
    }

    /// What the registry of the vertical files has to know.
    pub fn finish(self) -> Result<Written> {
        for mut file in self.files {
            if file.format == Format::Tei {
                // A file without documents would not be valid.
                if file.documents == 0 {
                    continue;
                }
                tei::close(&mut file.text);
                file.flush()?;
            }
            let path = file.gzip.get_ref().path().to_path_buf();
            file.gzip.finish().map_err(Error::io("write", &path))?.commit()?;
        }
        Ok(self.written)
    }
}

impl FormatFile {
    fn flush(&mut self) -> Result<()> {
        let path = self.gzip.get_ref().path().to_path_buf();
        self.gzip.write_all(self.text.as_bytes()).map_err(Error::io("write", &path))?;
        self.text.clear();
        Ok(())
    }
}
