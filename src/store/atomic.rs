//! Files that are complete under their names or not there at all.

use std::fs::{self, File, ReadDir};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Ending of the names of unfinished files.
const TEMPORARY: &str = ".tmp";

/// Permissions of new files: what the user's umask leaves of all, or those of the owner alone.
const USUAL: u32 = 0o666;
const PRIVATE: u32 = 0o600;

/// Bytes that are copied at a time.
const COPIED: u64 = 1 << 20;

/// A file that is being written under a temporary name beside its own: with a hash that no other process uses, and
/// `.tmp`. So two runs of one task, as a cluster may start them, cannot damage each other's files; the second to
/// finish replaces the file by the same bytes. A file that is dropped without [`AtomicFile::commit`] is removed.
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
}

impl AtomicFile {
    pub fn create(path: &Path) -> Result<AtomicFile> {
        AtomicFile::create_by_way_of(&temporary(path), path)
    }

    /// Creates a file that is written as `temporary`, which may be on another file system.
    pub fn create_by_way_of(temporary: &Path, path: &Path) -> Result<AtomicFile> {
        AtomicFile::begin(temporary, path, USUAL)
    }

    fn begin(temporary: &Path, path: &Path, mode: u32) -> Result<AtomicFile> {
        let open = || File::options().write(true).create(true).truncate(true).mode(mode).open(temporary);
        // The folder nearly always exists, and on a shared file system it costs time to ask.
        let mut file = open();
        if file.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            create_folder_of(temporary)?;
            file = open();
        }
        let file = file.map_err(Error::io("create", temporary))?;
        if path.parent() != temporary.parent() {
            create_folder_of(path)?;
        }
        let temporary = temporary.to_path_buf();
        Ok(AtomicFile { path: path.to_path_buf(), temporary, file: Some(BufWriter::with_capacity(1 << 16, file)) })
    }

    /// The file's own name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that an error of writing names: the temporary one if it is in another folder, whose disk may be full.
    pub fn written(&self) -> &Path {
        if self.temporary.parent() == self.path.parent() { &self.path } else { &self.temporary }
    }

    /// Writes bytes.
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(Error::io("write", self.written()))
    }

    /// Writes all that `reader` gives; `from` is its name in errors. An error of `io::copy` would not tell which of the two
    /// has failed.
    pub fn put_all(&mut self, mut reader: impl Read, from: &Path) -> Result<()> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            reader.by_ref().take(COPIED).read_to_end(&mut bytes).map_err(Error::io("read", from))?;
            if bytes.is_empty() {
                return Ok(());
            }
            self.put(&bytes)?;
        }
    }

    /// Writes the bytes of another file.
    pub fn put_file(&mut self, from: &Path) -> Result<()> {
        let file = File::open(from).map_err(Error::io("open", from))?;
        self.put_all(file, from)
    }

    /// Writes out the bytes and keeps the file under its temporary name, which is returned.
    pub fn keep_temporary(mut self) -> Result<PathBuf> {
        let saved = self.file.take().map_or(Ok(()), |mut file| file.flush());
        saved.map(|()| self.temporary.clone()).map_err(Error::io("write", self.written()))
    }

    /// Gives the file its name when its bytes are on disk. A crash of the system does not undo it.
    pub fn commit(self) -> Result<()> {
        let path = self.path.clone();
        self.end(&File::sync_all)?;
        sync_folder(&path)
    }

    /// Gives the file its name without waiting for the disk. For files between stages: after a crash of the system the
    /// marker of their task tells which of them are damaged.
    pub fn persist_unsynced(self) -> Result<()> {
        self.end(&|_| Ok(()))
    }

    /// Gives the file its name after `settle` has made its bytes as durable as the caller wants them.
    fn end(mut self, settle: &dyn Fn(&File) -> io::Result<()>) -> Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let saved = file.flush().and_then(|()| settle(file.get_ref()));
        drop(file);
        let moved = match saved.map(|()| fs::rename(&self.temporary, &self.path)) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) if error.kind() == io::ErrorKind::CrossesDevices => {
                copy(&self.temporary, &self.path).and_then(|copy| copy.end(settle))
            }
            Ok(Err(error)) => Err(Error::io("write", &self.path)(error)),
            Err(error) => Err(Error::io("write", self.written())(error)),
        };
        let _ = fs::remove_file(&self.temporary);
        moved
    }
}

/// Removes a folder that may be gone already, with all that is in it.
pub fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io("remove", folder)(e)),
        _ => Ok(()),
    }
}

/// Renames a file between stages without waiting for the disk, as [`AtomicFile::persist_unsynced`] does.
pub fn rename_unsynced(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(Error::io("write", to))
}

/// Moves a complete file, whose bytes are on disk, into a folder that is made if it is missing and may be on another file
/// system. A crash of the system does not undo it.
pub fn move_file(from: &Path, to: &Path) -> Result<()> {
    create_folder_of(to)?;
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => copy(from, to)?.commit(),
        moved => moved.map_err(Error::io("write", to)).and_then(|()| sync_folder(to)),
    }
}

fn create_folder_of(path: &Path) -> Result<()> {
    path.parent().map_or(Ok(()), create_folder)
}

/// Creates a folder that may be there already, with those above it. A crash of the system does not undo it: a file that is
/// on disk would be lost with the name of its folder.
pub fn create_folder(folder: &Path) -> Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(folder).map_err(Error::io("create folder", folder))?;
    missing.into_iter().rev().try_for_each(|new| match sync_folder(new) {
        // One who may write into the folder above may not always read it, and only what can be read is opened.
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    })
}

/// A new file `to` with the bytes of `from`.
pub fn copy(from: &Path, to: &Path) -> Result<AtomicFile> {
    let mut copy = AtomicFile::create(to)?;
    copy.put_file(from)?;
    Ok(copy)
}

/// Writes a file of the bytes of others, one after the other, without waiting until it is on disk.
pub fn concatenate_unsynced(parts: impl IntoIterator<Item = PathBuf>, whole: &Path) -> Result<()> {
    let mut all = AtomicFile::create(whole)?;
    for part in parts {
        all.put_file(&part)?;
    }
    all.persist_unsynced()
}

/// Waits until the name of a file or folder is on disk.
fn sync_folder(path: &Path) -> Result<()> {
    // The parent of a bare file name is empty: the current folder.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("write", path))
}

/// Waits until a file that was written without waiting is on disk.
pub fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(Error::io("write", path))?;
    sync_folder(path)
}

/// Waits until all files of folders, and of those in them, that were written without waiting are on disk. Linux writes out
/// whole file systems for it, each once, which takes a moment where waiting for thousands of small files takes minutes.
pub fn sync_all_in(folders: &[PathBuf]) -> Result<()> {
    #[cfg(target_os = "linux")]
    let mut written_out = Vec::new();
    folders.iter().try_for_each(|folder| {
        #[cfg(target_os = "linux")]
        let synced = sync_file_system_of(folder, &mut written_out)
            // Not every system has it, and it fails for files of others on the file system as well.
            .or_else(|_| sync_each(folder));
        #[cfg(not(target_os = "linux"))]
        let synced = sync_each(folder);
        synced.map_err(Error::io("write", folder))
    })
}

/// Writes out the file system of a folder unless it is one of those that are `written_out`. A folder may be a link to another
/// file system than that of its neighbours.
#[cfg(target_os = "linux")]
fn sync_file_system_of(folder: &Path, written_out: &mut Vec<u64>) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;

    let opened = File::open(folder)?;
    let file_system = opened.metadata()?.dev();
    if !written_out.contains(&file_system) {
        rustix::fs::syncfs(&opened)?;
        written_out.push(file_system);
    }
    Ok(())
}

fn sync_each(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::read_dir(path)?.try_for_each(|entry| sync_each(&entry?.path()))?;
    }
    File::open(path)?.sync_all()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A name beside `path` that [`sweep`] removes.
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}{TEMPORARY}", unique()));
    PathBuf::from(name)
}

/// Part of a name that no other process uses: 16 hexadecimal digits.
pub fn unique() -> String {
    // The standard library's source of randomness.
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// Whether the name is one of an unfinished file of ours.
pub fn is_temporary(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let unique = name.strip_suffix(TEMPORARY).and_then(|name| name.rsplit_once('.'));
    unique.is_some_and(|(_, unique)| unique.len() == 16 && unique.chars().all(|c| c.is_ascii_hexdigit()))
}

/// Removes the unfinished files and half-removed folders that killed processes left in `folder` and below. Only for a process
/// that is alone there. A folder that may not be listed, such as `lost+found`, is somebody else's and has none.
pub fn sweep(folder: &Path) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        entries => listed(folder, entries)?,
    };
    for entry in entries.into_iter().flatten() {
        let entry = entry.map_err(Error::io("list", folder))?;
        let path = entry.path();
        match (entry.file_type().is_ok_and(|kind| kind.is_dir()), is_temporary(&path)) {
            (true, true) => remove_folder(&path)?,
            (true, false) => sweep(&path)?,
            (false, true) => remove(&path)?,
            (false, false) => {}
        }
    }
    Ok(())
}

/// What is complete in a folder, files and folders, in no order; nothing if there is no folder.
///
/// # Errors
/// If the folder is there and cannot be listed: its files are not known, which is not that it has none.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = listed(folder, fs::read_dir(folder))?.into_iter().flatten();
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(Error::io("list", folder)));
    let mut paths = paths.collect::<Result<Vec<_>>>()?;
    paths.retain(|path| !is_temporary(path));
    Ok(paths)
}

/// The complete files in a folder, in no order; none if there is no folder.
///
/// # Errors
/// As [`entries`], and if it cannot be told whether an entry is a file.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if is_file(&path)? {
            files.push(path);
        }
    }
    Ok(files)
}

/// Whether a path is that of a file, or of a link to one; false if nothing is there.
///
/// # Errors
/// If that cannot be told.
pub fn is_file(path: &Path) -> Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("read", path)(error)),
    }
}

/// The entries of a folder; none if it is not there.
fn listed(folder: &Path, entries: io::Result<ReadDir>) -> Result<Option<ReadDir>> {
    match entries {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        entries => entries.map(Some).map_err(Error::io("list", folder)),
    }
}

/// Removes a file that may be gone already.
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io("remove", path)(e)),
        _ => Ok(()),
    }
}

/// Writes a whole small file.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    filled(AtomicFile::create(path)?, bytes.as_ref())?.commit()
}

/// Writes a whole small file that nobody but its owner may read.
pub fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    filled(AtomicFile::begin(&temporary(path), path, PRIVATE)?, bytes.as_ref())?.commit()
}

/// Writes a whole small file where a user says: through a link, and into a device or a pipe, which stays what it is.
pub fn write_named(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    match fs::metadata(path) {
        Ok(known) if known.is_file() => write(&fs::canonicalize(path).map_err(Error::io("open", path))?, bytes),
        Ok(known) if !known.is_dir() => {
            let opened = File::options().write(true).open(path);
            opened.and_then(|mut file| file.write_all(bytes.as_ref())).map_err(Error::io("write", path))
        }
        _ => write(path, bytes),
    }
}

/// Writes a whole small file without waiting for the disk: after a crash of the system it may be empty or gone.
pub fn write_unsynced(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    filled(AtomicFile::create(path)?, bytes.as_ref())?.persist_unsynced()
}

fn filled(mut file: AtomicFile, bytes: &[u8]) -> Result<AtomicFile> {
    file.put(bytes)?;
    Ok(file)
}

/// Reads a whole small file; `None` if it is not there.
pub fn read(path: &Path) -> Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io("read", path)(e)),
    }
}

#[cfg(test)]
mod tests;
