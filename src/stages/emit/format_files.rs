//! The files of output formats: one file per format and shard, and files that are written once at the end of a job.

use std::path::{Path, PathBuf};

use fxhash::FxHashSet;

use crate::config::{Config, OutputSection};
use crate::emit::document_text::DocumentText;
use crate::emit::{self, CountsByFormat, Create, Format, FormatCounts, OutputFormat, ShardWriter};
use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::tables::texts;
use crate::store::text_files::{Compression, TextFile};

/// Writes the kept documents of a shard in all configured formats.
pub struct FormatFiles {
    files: Vec<FormatFile>,
    token_counts: bool,
}

#[expect(clippy::large_enum_variant, reason = "a task has a handful of them")]
enum FormatFile {
    Text { writer: ShardWriter, file: TextFile },
    Documents(DocumentFiles),
    Table(texts::Writer),
}

/// Writes a file for each document of a shard.
struct DocumentFiles {
    format: OutputFormat,
    new: NewFormat,
    options: emit::Options,
    ending: &'static str,
    folder: PathBuf,
    written: u32,
    counts: FormatCounts,
}

/// Files of a folder at most: file systems and file managers become slow with more.
const FILES_OF_A_FOLDER: u32 = 1000;

impl DocumentFiles {
    /// Begins an empty folder.
    fn create(format: OutputFormat, new: NewFormat, options: &emit::Options, path: &Path) -> Result<DocumentFiles> {
        atomic::remove_folder(path)?;
        let ending = (format.document_ending)(options).unwrap_or_default();
        let (options, folder, counts) = (options.clone(), path.to_path_buf(), FormatCounts::default());
        Ok(DocumentFiles { format, new, options, ending, folder, written: 0, counts })
    }

    /// Writes the file of a document, which its key names; none if there is nothing to show of it.
    fn write(&mut self, text: &DocumentText<'_>) -> Result<()> {
        let name = format!("{:04}/d{}.{}", self.written / FILES_OF_A_FOLDER, text.document.doc, self.ending);
        let path = self.folder.join(name);
        let (mut writer, mut out) = (ShardWriter::new(self.format, (self.new)(&self.options)), String::new());
        writer.document(&mut out, text).map_err(|error| Error::damaged(&path, error))?;
        if out.is_empty() || !writer.finish(&mut out) {
            return Ok(());
        }
        self.counts += writer.counts();
        self.written += 1;
        // Waiting for the disk at every file would take longer than all else. The marker of the task has checksums, and an
        // export waits for all of its files at its end.
        atomic::write_unsynced(&path, out)
    }
}

type NewFormat = fn(&emit::Options) -> Box<dyn Format>;

/// The files of the documents of a shard, in order; none if there is no folder.
fn document_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in atomic::entries(folder)? {
        // A file between the folders is not ours, such as those that file managers leave.
        if !atomic::is_file(&entry)? {
            files.extend(atomic::files(&entry)?);
        }
    }
    files.sort();
    Ok(files)
}

impl FormatFiles {
    /// Creates a temporary file for each format. [`FormatFiles::finish`] gives the files their final names.
    pub fn create(config: &Config, formats: &[OutputFormat], layout: &Layout, shard: u32) -> Result<FormatFiles> {
        let options = config.format_options();
        let create = |format: &OutputFormat| -> Result<FormatFile> {
            let path = path(format, &options, layout, shard);
            Ok(match format.create {
                Create::Text(new) if (format.document_ending)(&options).is_some() => {
                    FormatFile::Documents(DocumentFiles::create(*format, new, &options, &path)?)
                }
                Create::Text(new) => {
                    let writer = ShardWriter::new(*format, new(&options));
                    FormatFile::Text { writer, file: TextFile::create(&path, compression(&path, &config.output))? }
                }
                Create::Table => {
                    let settings = config.table_settings(&config.before_emit().fingerprint());
                    FormatFile::Table(texts::Writer::create(
                        &path,
                        &options.parquet.columns,
                        &options.labels,
                        &settings,
                    )?)
                }
            })
        };
        Ok(FormatFiles {
            files: formats.iter().map(create).collect::<Result<_>>()?,
            token_counts: options.token_counts,
        })
    }

    /// Whether any format needs sentences and tokens.
    pub fn need_tokens(&self) -> bool {
        self.files.iter().any(|file| match file {
            FormatFile::Text { writer, .. } => writer.output().needs_tokens,
            FormatFile::Documents(files) => files.format.needs_tokens,
            FormatFile::Table(_) => false,
        })
    }

    /// Whether any format shows signals.
    pub fn need_signals(&self) -> bool {
        let shows = |file: &FormatFile| matches!(file, FormatFile::Table(table) if table.needs_signals());
        self.token_counts || self.files.iter().any(shows)
    }

    /// Writes one document in all formats.
    pub fn write(&mut self, text: &DocumentText<'_>) -> Result<()> {
        self.files.iter_mut().try_for_each(|file| match file {
            FormatFile::Text { writer, file } => {
                writer.document(file.buffer(), text).map_err(|error| Error::damaged(file.path(), error))?;
                file.write_full()
            }
            FormatFile::Documents(files) => files.write(text),
            FormatFile::Table(table) => table.push(text),
        })
    }

    /// Completes the files and gives them their final names. Returns the counts of each format.
    pub fn finish(self) -> Result<CountsByFormat> {
        let mut counts = CountsByFormat::new();
        for file in self.files {
            match file {
                FormatFile::Text { mut writer, mut file } => {
                    insert(&mut counts, writer.output(), writer.counts());
                    if writer.finish(file.buffer()) {
                        file.commit()?;
                    } else {
                        // An earlier run, with other settings or another selection, may have had documents here.
                        atomic::remove(file.path())?;
                    }
                }
                FormatFile::Documents(files) => insert(&mut counts, files.format, files.counts),
                FormatFile::Table(table) => table.finish()?,
            }
        }
        Ok(counts)
    }
}

fn insert(counts: &mut CountsByFormat, format: OutputFormat, counted: FormatCounts) {
    if counted != FormatCounts::default() {
        counts.insert(format.name.into(), counted);
    }
}

/// Paths of the files that formats write for a shard. If a format does not write empty files, its path is absent for a
/// shard without documents.
pub fn shard_files(config: &Config, formats: &[OutputFormat], layout: &Layout, shard: u32) -> Vec<PathBuf> {
    let options = config.format_options();
    let written = |format: &OutputFormat| {
        let path = path(format, &options, layout, shard);
        if (format.document_ending)(&options).is_some() {
            // The path of a folder that cannot be listed stands for its files: reading it is the error that tells why.
            return document_files(&path).unwrap_or_else(|_| vec![path]);
        }
        (format.empty_files || path.exists()).then_some(path).into_iter().collect()
    };
    formats.iter().flat_map(written).collect()
}

/// Removes the files that an earlier run with more files, or with other endings, wrote for these formats.
pub fn remove_others(config: &Config, formats: &[OutputFormat], layout: &Layout, files: u32) -> Result<()> {
    let options = config.format_options();
    for format in formats {
        let written: FxHashSet<PathBuf> = (0..files).map(|file| path(format, &options, layout, file)).collect();
        let folder = layout.root().join(format.folder);
        for found in atomic::entries(&folder)? {
            let is_part = found.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
            if !is_part || written.contains(&found) {
                continue;
            }
            if found.is_dir() { atomic::remove_folder(&found)? } else { atomic::remove(&found)? }
        }
    }
    Ok(())
}

/// The file of a shard, or the folder of its documents' files.
fn path(format: &OutputFormat, options: &emit::Options, layout: &Layout, shard: u32) -> PathBuf {
    if (format.document_ending)(options).is_some() {
        layout.part_folder(format.folder, shard)
    } else {
        layout.part(format.folder, (format.ending)(options), shard)
    }
}

/// The compression that the ending of a path tells.
fn compression(path: &Path, output: &OutputSection) -> Compression {
    if path.extension().is_some_and(|ending| ending == "zst") {
        Compression::Zstd(output.zstd_level)
    } else {
        Compression::Gzip(output.gzip_level)
    }
}

/// Paths of the files that formats write at the end of a job.
pub fn job_files(config: &Config, formats: &[OutputFormat], layout: &Layout) -> Vec<PathBuf> {
    let options = config.format_options();
    let files = formats.iter().filter_map(|format| format.job_file);
    files.map(|file| layout.file(file.folder, &(file.name)(&options))).collect()
}

/// Writes the files that formats need once per job. `counts` are the sums over all shards.
pub fn write_job_files(
    config: &Config,
    formats: &[OutputFormat],
    layout: &Layout,
    counts: &CountsByFormat,
) -> Result<()> {
    let options = config.format_options();
    for (format, file) in formats.iter().filter_map(|format| Some((format, format.job_file?))) {
        let counts = counts.get(format.name).copied().unwrap_or_default();
        let path = layout.file(file.folder, &(file.name)(&options));
        atomic::write(&path, (file.text)(&options, &counts))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use flate2::read::MultiGzDecoder;

    use super::*;
    use crate::document::{Document, Paragraph};
    use crate::emit::tests::ADDRESSES;
    use crate::emit::{FORMATS, jsonl, tei};

    /// Writes documents with these URLs as shard 0, and the files of the job.
    fn write(formats: &[OutputFormat], layout: &Layout, urls: &[&str]) -> CountsByFormat {
        let config = Config::default();
        let mut files = FormatFiles::create(&config, formats, layout, 0).unwrap();
        for url in urls {
            let document = Document { url: (*url).into(), ..Document::default() };
            let rows = [Paragraph { text: (*url).into(), ..Paragraph::default() }];
            files.write(&DocumentText::untokenized(&document, &rows)).unwrap();
        }
        let counts = files.finish().unwrap();
        write_job_files(&config, formats, layout, &counts).unwrap();
        counts
    }

    #[test]
    fn a_further_format_gets_its_files_without_further_code() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let counts = write(&[ADDRESSES], &layout, &["a", "", "b"]);
        assert_eq!(counts["addresses"].tokens, 2);
        let path = layout.root().join("addresses/part-00000.txt.gz");
        assert_eq!(shard_files(&Config::default(), &[ADDRESSES], &layout, 0), std::slice::from_ref(&path));
        let mut text = String::new();
        MultiGzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        assert_eq!(text, "[a warcorpus b]");
        let totals = layout.root().join("totals/warcorpus.txt");
        assert_eq!(job_files(&Config::default(), &[ADDRESSES], &layout), std::slice::from_ref(&totals));
        assert_eq!(fs::read_to_string(totals).unwrap(), "2 documents\n");
    }

    #[test]
    fn a_restart_removes_the_folders_of_all_formats() {
        let layout = Layout::new("out");
        let removed = layout.folders(&emit::folders());
        let written = FORMATS.iter().map(|format| path(format, &emit::Options::default(), &layout, 0));
        for path in written.chain(job_files(&Config::default(), &FORMATS, &layout)) {
            assert!(removed.iter().any(|folder| path.starts_with(folder)), "{}", path.display());
        }
    }

    #[test]
    fn a_shard_without_documents_has_the_files_that_can_be_read_without_any() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        assert_eq!(write(&FORMATS, &layout, &[""]), CountsByFormat::new());
        let files = shard_files(&Config::default(), &FORMATS, &layout, 0);
        assert_eq!(files.len(), FORMATS.iter().filter(|format| format.empty_files).count());
        assert!(files.iter().all(|path| path.exists()));
        for without in [tei::FORMAT, jsonl::FORMAT] {
            assert!(!path(&without, &emit::Options::default(), &layout, 0).exists());
            assert_eq!(fs::read_dir(layout.root().join(without.folder)).unwrap().count(), 0);
        }
        assert!(layout.root().join("registry/warcorpus").exists());
        // Nor does it keep the file of an earlier run that had some.
        write(&FORMATS, &layout, &["a"]);
        assert!(path(&tei::FORMAT, &emit::Options::default(), &layout, 0).exists());
        write(&FORMATS, &layout, &[""]);
        assert!(!path(&tei::FORMAT, &emit::Options::default(), &layout, 0).exists());
    }

    #[test]
    fn a_folder_that_cannot_be_listed_stands_for_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let config = Config::load(None, &["tei.files=document".into()]).unwrap();
        let documents = path(&tei::FORMAT, &config.format_options(), &layout, 0);
        let listed = || shard_files(&config, &[tei::FORMAT], &layout, 0);
        let own = documents.join("0000/d7.xml");
        atomic::write(&own, "").unwrap();
        atomic::write(&documents.join("notes.txt"), "").unwrap();
        assert_eq!(listed(), [own]);
        fs::remove_dir_all(&documents).unwrap();
        assert!(listed().is_empty());
        fs::write(&documents, "").unwrap();
        assert_eq!(listed(), [documents]);
    }
}
