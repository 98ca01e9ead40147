//! Compressed text files: text is collected in a buffer and written as gzip members, or as one zstd frame.

use std::fmt;
use std::io::Write;
use std::path::Path;

use libdeflater::{CompressionLvl, Compressor};
use zstd::stream::write::Encoder;

use super::atomic::AtomicFile;
use crate::error::{Error, Result};

/// Bytes of text from which the buffer is written: a gzip member. A file is a sequence of members, which are cut only
/// where the caller calls [`TextFile::write_full`].
const MEMBER_BYTES: usize = 1 << 20;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// At a level of 0 to 12.
    Gzip(i32),
    /// At a level of 1 to 22. The file is one frame: some readers stop behind the first.
    Zstd(i32),
}

/// A text file that is compressed while it is written. It gets its name with [`TextFile::commit`]; dropped before, it
/// leaves nothing.
pub struct TextFile {
    sink: Sink,
    buffer: String,
}

enum Sink {
    Gzip {
        file: AtomicFile,
        /// In place of flate2 with zlib-rs, which takes twice as long for as few bytes (`benches/README.md`).
        compressor: Compressor,
        members: u64,
    },
    Zstd(Encoder<'static, AtomicFile>),
}

impl fmt::Debug for TextFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextFile").field("path", &self.path()).finish_non_exhaustive()
    }
}

impl TextFile {
    pub fn create(path: &Path, compression: Compression) -> Result<TextFile> {
        let file = AtomicFile::create(path)?;
        let sink = match compression {
            Compression::Gzip(level) => {
                let compressor = Compressor::new(CompressionLvl::new(level).unwrap_or_default());
                Sink::Gzip { file, compressor, members: 0 }
            }
            Compression::Zstd(level) => Sink::Zstd(Encoder::new(file, level).map_err(Error::io("write", path))?),
        };
        Ok(TextFile { sink, buffer: String::new() })
    }

    /// The path that the file gets with [`TextFile::commit`].
    pub fn path(&self) -> &Path {
        match &self.sink {
            Sink::Gzip { file, .. } => file.path(),
            Sink::Zstd(encoder) => encoder.get_ref().path(),
        }
    }

    /// Text that is not written yet. The caller appends to it.
    pub fn buffer(&mut self) -> &mut String {
        &mut self.buffer
    }

    /// Writes the buffer if it is large enough. Called between documents, so that no member ends in a document.
    pub fn write_full(&mut self) -> Result<()> {
        if self.buffer.len() >= MEMBER_BYTES { self.write_buffer() } else { Ok(()) }
    }

    /// Writes the rest of the text and gives the file its name.
    pub fn commit(mut self) -> Result<()> {
        // A file without text is an empty member: a file of no bytes is not valid gzip.
        if !self.buffer.is_empty() || matches!(self.sink, Sink::Gzip { members: 0, .. }) {
            self.write_buffer()?;
        }
        match self.sink {
            Sink::Gzip { file, .. } => file.commit(),
            Sink::Zstd(encoder) => {
                let path = encoder.get_ref().path().to_path_buf();
                encoder.finish().map_err(Error::io("write", &path))?.commit()
            }
        }
    }

    fn write_buffer(&mut self) -> Result<()> {
        let path = self.path().to_path_buf();
        let written = match &mut self.sink {
            Sink::Gzip { file, compressor, members } => {
                let mut member = vec![0; compressor.gzip_compress_bound(self.buffer.len())];
                let length = compressor.gzip_compress(self.buffer.as_bytes(), &mut member);
                member.truncate(length.map_err(|error| Error::damaged(&path, error))?);
                *members += 1;
                file.write_all(&member)
            }
            Sink::Zstd(encoder) => encoder.write_all(self.buffer.as_bytes()),
        };
        written.map_err(Error::io("write", &path))?;
        self.buffer.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use flate2::bufread::{GzDecoder, MultiGzDecoder};

    use super::*;

    #[test]
    fn members_are_cut_between_documents_and_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/part.txt.gz");
        let mut file = TextFile::create(&path, Compression::Gzip(6)).unwrap();
        let mut expected = String::new();
        for number in 0..40 {
            let document = format!("{number} {}\n", "abc ".repeat(20_000));
            file.buffer().push_str(&document);
            file.write_full().unwrap();
            expected.push_str(&document);
        }
        assert!(!path.exists());
        file.commit().unwrap();
        let bytes = fs::read(&path).unwrap();
        let (mut all, mut first) = (String::new(), String::new());
        MultiGzDecoder::new(&*bytes).read_to_string(&mut all).unwrap();
        GzDecoder::new(&*bytes).read_to_string(&mut first).unwrap();
        assert_eq!(all, expected);
        let rest = all.strip_prefix(&first).unwrap();
        assert!((MEMBER_BYTES..2 * MEMBER_BYTES).contains(&first.len()) && rest.starts_with("14 "), "{}", first.len());
    }

    #[test]
    fn a_file_without_text_is_an_empty_member_and_one_not_committed_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.txt.gz");
        drop(TextFile::create(&path, Compression::Gzip(6)).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        TextFile::create(&path, Compression::Gzip(6)).unwrap().commit().unwrap();
        let bytes = fs::read(&path).unwrap();
        let mut text = String::new();
        assert!(!bytes.is_empty());
        GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
        assert_eq!(text, "");
    }

    #[test]
    fn a_zstd_file_is_one_frame() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.jsonl.zst");
        for texts in [0, 30] {
            let mut file = TextFile::create(&path, Compression::Zstd(3)).unwrap();
            let document = "abc ".repeat(20_000);
            for _ in 0..texts {
                file.buffer().push_str(&document);
                file.write_full().unwrap();
            }
            file.commit().unwrap();
            let mut one = zstd::stream::read::Decoder::new(fs::File::open(&path).unwrap()).unwrap().single_frame();
            let mut text = String::new();
            one.read_to_string(&mut text).unwrap();
            assert_eq!(text, document.repeat(texts));
        }
    }
}
