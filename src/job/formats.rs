//! Files of the formats that are asked for: one of each for a shard.

use std::io::Write;

use libdeflater::{CompressionLvl, Compressor};

use crate::config::Config;
use crate::emit::text::{Column, Text};
use crate::emit::vertical::{self, Written};
use crate::emit::{Format, conllu, jsonl, plain, tei};
use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;
use crate::store::layout::Layout;

/// Bytes of text from which a gzip member is written. A file is members laid end to end, cut between documents.
const MEMBER: usize = 1 << 20;

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
    packed: AtomicFile,
    /// In place of flate2 with zlib-rs, which takes twice as long for as few bytes (`benches/README.md`).
    gzip: Compressor,
    /// Of the member at hand.
    text: String,
    documents: u64,
}

impl<'a> Formats<'a> {
    pub fn create(config: &'a Config, formats: &[Format], layout: &Layout, shard: u32) -> Result<Formats<'a>> {
        let create = |&format: &Format| -> Result<FormatFile> {
            let packed = AtomicFile::create(&layout.part(format.name(), format.ending(), shard))?;
            let level = CompressionLvl::new(config.output.gzip_level).unwrap_or_default();
            Ok(FormatFile { format, packed, gzip: Compressor::new(level), text: String::new(), documents: 0 })
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
            let before = out.len();
            match file.format {
                Format::Vertical => self.written = self.written.and(vertical::document(out, text, &self.layout)),
                Format::Conllu => conllu::document(out, text, &self.conllu),
                Format::Jsonl => jsonl::document(out, text, name, self.config.jsonl.fields)
                    .map_err(|error| Error::damaged(file.packed.path(), error))?,
                Format::Text => plain::document(out, text, self.config.text.lines),
                Format::Tei if text.paragraphs.is_empty() => {}
                Format::Tei => {
                    if file.documents == 0 {
                        tei::open(out, name);
                    }
                    tei::document(out, text);
                }
            }
            file.documents += u64::from(file.text.len() > before);
            if file.text.len() >= MEMBER {
                file.compress()?;
            }
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
            }
            // Without documents an empty member: an empty file is no gzip file.
            if !file.text.is_empty() || file.documents == 0 {
                file.compress()?;
            }
            file.packed.commit()?;
        }
        Ok(self.written)
    }
}

impl FormatFile {
    /// Writes what there is of text as a member.
    fn compress(&mut self) -> Result<()> {
        let mut member = vec![0; self.gzip.gzip_compress_bound(self.text.len())];
        let length = self.gzip.gzip_compress(self.text.as_bytes(), &mut member);
        member.truncate(length.map_err(|error| Error::damaged(self.packed.path(), error))?);
        let path = self.packed.path().to_path_buf();
        self.packed.write_all(&member).map_err(Error::io("write", &path))?;
        self.text.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use flate2::bufread::{GzDecoder, MultiGzDecoder};

    use super::*;
    use crate::document::{Document, Paragraph};

    #[test]
    fn members_are_cut_between_documents_and_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (config, layout) = (Config::default(), Layout::new(folder.path()));
        let mut formats = Formats::create(&config, &[Format::Text], &layout, 0).unwrap();
        let document = Document { kept: true, ..Document::default() };
        let mut expected = String::new();
        for number in 0..40 {
            let rows = [Paragraph { text: format!("{number} {}", "abc ".repeat(20_000)), ..Paragraph::default() }];
            let text = Text::whole(&document, &rows);
            plain::document(&mut expected, &text, config.text.lines);
            formats.write(&text).unwrap();
        }
        formats.finish().unwrap();
        let file = || BufReader::new(std::fs::File::open(layout.part("text", Format::Text.ending(), 0)).unwrap());
        let (mut all, mut first) = (String::new(), String::new());
        MultiGzDecoder::new(file()).read_to_string(&mut all).unwrap();
        GzDecoder::new(file()).read_to_string(&mut first).unwrap();
        assert_eq!(all, expected);
        let rest = all.strip_prefix(&first).unwrap();
        assert!((MEMBER..2 * MEMBER).contains(&first.len()) && rest.starts_with("14 "), "{}", first.len());
    }
}
