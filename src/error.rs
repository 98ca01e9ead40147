//! What can stop a task or a job. Bad *input* is never here: it is counted and listed, and the job
//! goes on. These are a broken environment, a wrong request, or an interrupt.

use std::io;
use std::path::{Path, PathBuf};

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{}: {message}", path.display())]
    Damaged { path: PathBuf, message: String },
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Unbalanced(String),
    /// What came out is not what the configuration allows.
    #[error("{0}")]
    Refused(String),
    #[error("interrupted; run the same command again to continue")]
    Interrupted,
}

impl Error {
    /// For `map_err`: what was tried on which file.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { action, path: path.to_path_buf(), source }
    }

    /// A file of ours whose checksum does not hold.
    pub fn spoiled(path: &Path) -> Error {
        Error::damaged(
            path,
            "is not as it was written; `warcorpus build` on the directory makes it again (an index: `warcorpus index`)",
        )
    }

    /// A file of ours that does not read back as it was written.
    pub fn damaged(path: &Path, message: impl ToString) -> Error {
        Error::Damaged { path: path.to_path_buf(), message: message.to_string() }
    }
}
