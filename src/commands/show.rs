//! `show`: prints the original record of a document from its archive.

use std::io::{self, Write};
use std::path::PathBuf;

use super::Exit;
use super::lookup::{find_named, open_archive, record};
use crate::archive::{self, Limits};
use crate::document::Document;
use crate::error::Result;
use crate::job::directory::saved_config;
use crate::store::archives::ArchiveFile;
use crate::store::layout::Layout;

pub const EXAMPLES: &str = "Example:\n  warcorpus show corpus http://example.org/page > record.warc";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Key (column `doc`), address or record id (`urn:uuid:…`) of a document
    document: String,
    /// Only the payload as stored, without WARC and HTTP headers
    #[arg(long)]
    payload: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let layout = Layout::new(&arguments.corpus);
    let document = find_named(&layout, &arguments.document)?;
    let file = open_archive(&layout, &document)?;
    let reading = whole_blocks(saved_config(&layout, &[])?.reading());
    let show = if arguments.payload { payload_bytes } else { original };
    io::stdout().write_all(&show(&file, &document, reading)?)?;
    Ok(Exit::Done)
}

/// How a record is read to show it as it is stored: a job that cuts blocks short does not change what is in the archive.
fn whole_blocks(of_job: archive::Options) -> archive::Options {
    let record_bytes = of_job.limits.record_bytes.max(Limits::default().record_bytes);
    archive::Options { limits: Limits { record_bytes, ..of_job.limits }, ..of_job }
}

/// The record as stored in its archive, decompressed: header and block.
fn original(file: &ArchiveFile, document: &Document, reading: archive::Options) -> Result<Vec<u8>> {
    let record = record(file, document, reading)?;
    if document.length == 0 {
        return Ok(record.to_bytes());
    }
    archive::decompress(file, document.offset, document.length).map_err(file.read_error())
}

/// The payload as stored, without WARC and HTTP headers.
fn payload_bytes(file: &ArchiveFile, document: &Document, reading: archive::Options) -> Result<Vec<u8>> {
    record(file, document, reading).map(|record| archive::parse_http(&record.block).body.to_vec())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::archive::Bytes as _;
    use crate::config::Config;
    use crate::store::archives::Archives;

    #[test]
    fn a_record_is_read_with_the_limits_of_the_job() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        let block = "HTTP/1.1 200 OK\r\n\r\n<p>a page</p>".repeat(100);
        let fields = [
            "WARC-Type: response".to_string(),
            format!("X: {}", "x".repeat(2 << 20)),
            format!("Content-Length: {}", block.len()),
        ];
        std::fs::write(&path, format!("WARC/1.0\r\n{}\r\n\r\n{block}\r\n\r\n", fields.join("\r\n"))).unwrap();
        let location = path.display().to_string();
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let file = archives.open(&location).unwrap();
        let document = Document { archive: location, length: file.len(), ..Document::default() };
        let limits = |sets: [&str; 2]| Config::load(None, &sets.map(|set| format!("limits.{set}"))).unwrap().reading();
        let job = limits(["header_bytes=4194304", "record_bytes=1024"]);
        let cut = record(&file, &document, job).unwrap();
        assert_eq!(cut.block, block.as_bytes()[..1024]);
        assert_eq!(record(&file, &document, whole_blocks(job)).unwrap().block, block.as_bytes());
        assert!(record(&file, &document, Config::default().reading()).is_err());
    }
}
