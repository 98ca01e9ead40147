//! Models of fastText from files, mapped into memory once and shared by all threads.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::fasttext::Model;
use crate::hash::hash64;
use crate::store::file_systems;

/// A model with the identity of its file.
#[derive(Debug, Clone)]
pub struct ModelFile {
    pub model: Arc<Model>,
    /// Size and hash of the file.
    pub digest: String,
}

/// Opens a model. Its file is mapped with `mmap`, except on a network file system, and read otherwise. `known` is the digest
/// that the file must have.
///
/// # Errors
/// [`Error::Usage`] if there is no such file or it is no model of fastText that has labels, [`Error::Damaged`] if it is another
/// than the known one.
pub fn open(path: &Path, known: Option<&str>, mmap: bool) -> Result<ModelFile> {
    let metadata = fs::metadata(path)
        .map_err(|error| Error::Usage(format!("cannot open the model {}: {error}", path.display())))?;
    if !metadata.is_file() {
        return Err(Error::Usage(format!("{} is no file; give the .bin or .ftz file of a model", path.display())));
    }
    if mmap && metadata.len() > 0 && !file_systems::is_network(path) {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let bytes = file_systems::map(&file, 0, metadata.len() as usize).map_err(Error::io("map", path))?;
        return of_bytes(path, bytes, known);
    }
    of_bytes(path, fs::read(path).map_err(Error::io("read", path))?, known)
}

fn of_bytes(path: &Path, bytes: impl AsRef<[u8]> + Send + Sync + 'static, known: Option<&str>) -> Result<ModelFile> {
    let content = bytes.as_ref();
    let digest = format!("{}-{:016x}", content.len(), hash64(content));
    if known.is_some_and(|known| known != digest) {
        return Err(Error::damaged(
            path,
            format!(
                "is not the model that the job was planned with (digest {digest}, not {}); restore it, or start again with \
                 --restart",
                known.unwrap_or_default()
            ),
        ));
    }
    let model = Model::read(Box::new(bytes)).map_err(|what| Error::Usage(format!("{} {what}", path.display())))?;
    Ok(ModelFile { model: Arc::new(model), digest })
}
