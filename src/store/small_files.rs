//! Small files that a user names: lists, rules, job files. A path may as well name a pipe that nobody writes, a device
//! without end or an archive: only regular files of a bounded size are read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::archive::GZIP_MAGIC;
use crate::error::{Error, Result};

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// [`Error::Usage`] if the path names nothing or anything else; [`Error::Io`] if it cannot be read.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let failed = || Error::io("read", path);
    // Asked before it is opened: a pipe without a writer would block.
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::Usage(failed()(error).to_string()),
        _ => failed()(error),
    });
    if !metadata?.is_file() {
        return Err(Error::not_a_regular_file(path));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(failed())?;
    if bytes.len() as u64 > most { Err(too_long(&path.display(), most)) } else { Ok(bytes) }
}

/// The text of a file called `name`, decompressed if it is gzip, of at most `most` bytes.
///
/// # Errors
/// [`Error::Usage`] if there are more; [`Error::Io`] if the gzip is damaged.
pub fn text(name: &str, bytes: &[u8], most: u64) -> Result<String> {
    if !is_gzip(bytes) {
        return Ok(without_mark(String::from_utf8_lossy(bytes).into_owned()));
    }
    let mut text = Vec::new();
    let unpacked = MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut text);
    unpacked.map_err(|e: io::Error| Error::io("read", Path::new(name))(e))?;
    if text.len() as u64 > most {
        return Err(too_long(&name, most));
    }
    let text = String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Ok(without_mark(text))
}

/// Whether a file is compressed with gzip.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&GZIP_MAGIC)
}

/// The text without the byte order mark that some editors begin a file with.
fn without_mark(mut text: String) -> String {
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    text
}

fn too_long(name: &dyn std::fmt::Display, most: u64) -> Error {
    Error::Usage(format!("{name}: more than {} MiB, the most that is read of such a file", most >> 20))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn only_files_of_a_bounded_size_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("list");
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap(), b"0123456789");
        assert!(read(&path, 9).unwrap_err().to_string().contains("more than"));
        for other in [Path::new("/dev/zero"), dir.path()] {
            assert!(read(other, 10).unwrap_err().to_string().contains("not a regular file"));
        }
        let missing = read(&dir.path().join("none"), 10).unwrap_err();
        assert!(matches!(missing, Error::Usage(_)) && missing.to_string().starts_with("cannot read "), "{missing}");
        let mut bomb = Vec::new();
        flate2::read::GzEncoder::new(&[b'a'; 1000][..], flate2::Compression::best()).read_to_end(&mut bomb).unwrap();
        assert_eq!(text("list", &bomb, 1000).unwrap().len(), 1000);
        assert!(text("list", &bomb, 999).unwrap_err().to_string().contains("more than"));
        assert_eq!(text("list", b"a\xff", 9).unwrap(), "a\u{fffd}");
        assert_eq!(text("list", "\u{feff}a\u{feff}".as_bytes(), 9).unwrap(), "a\u{feff}");
    }
}
