//! Compressed text files: text is collected in a buffer and written as gzip members.

use std::fmt;
use std::io::Write;
use std::path::Path;

use libdeflater::{CompressionLvl, Compressor};

use super::atomic::AtomicFile;
use crate::error::{Error, Result};

/// Bytes of text from which a gzip member is written. A file is a sequence of members, which are cut only where the
/// caller calls [`TextFile::write_full`].
const MEMBER_BYTES: usize = 1 << 20;

/// A text file that is compressed with gzip while it is written. It gets its name with [`TextFile::commit`]; dropped
/// before, it leaves nothing.
pub struct TextFile {
    file: AtomicFile,
    /// In place of flate2 with zlib-rs, which takes twice as long for as few bytes (`benches/README.md`).
    compressor: Compressor,
    buffer: String,
    members: u64,
}

impl fmt::Debug for TextFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextFile").field("path", &self.path()).field("members", &self.members).finish_non_exhaustive()
    }
}

impl TextFile {
    /// A file that will be compressed at this level, 0 to 12.
    pub fn create(path: &Path, gzip_level: i32) -> Result<TextFile> {
        let level = CompressionLvl::new(gzip_level).unwrap_or_default();
        let file = AtomicFile::create(path)?;
        Ok(TextFile { file, compressor: Compressor::new(level), buffer: String::new(), members: 0 })
    }

    /// The path that the file gets with [`TextFile::commit`].
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Text that is not written yet. The caller appends to it.
    pub fn buffer(&mut self) -> &mut String {
        &mut self.buffer
    }

    /// Writes the buffer as a member if it is large enough. Called between documents, so that no document is cut.
    pub fn write_full(&mut self) -> Result<()> {
        if self.buffer.len() >= MEMBER_BYTES { self.write_member() } else { Ok(()) }
    }

    /// Writes the rest of the text and gives the file its name.
    pub fn commit(mut self) -> Result<()> {
        // A file without text is an empty member: a file of no bytes is not valid gzip.
        if !self.buffer.is_empty() || self.members == 0 {
            self.write_member()?;
        }
        self.file.commit()
    }

    fn write_member(&mut self) -> Result<()> {
        let mut member = vec![0; self.compressor.gzip_compress_bound(self.buffer.len())];
        let length = self.compressor.gzip_compress(self.buffer.as_bytes(), &mut member);
        member.truncate(length.map_err(|error| Error::damaged(self.file.path(), error))?);
        let path = self.file.path().to_path_buf();
        self.file.write_all(&member).map_err(Error::io("write", &path))?;
        self.buffer.clear();
        self.members += 1;
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
        let mut file = TextFile::create(&path, 6).unwrap();
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
        drop(TextFile::create(&path, 6).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        TextFile::create(&path, 6).unwrap().commit().unwrap();
        let bytes = fs::read(&path).unwrap();
        let mut text = String::new();
        assert!(!bytes.is_empty());
        GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
        assert_eq!(text, "");
    }
}
