//! What can stop a task or a job. Bad *input* is never here: it is counted and listed, and the job
//! goes on. These are a broken environment, a wrong request, or an interrupt.

use std::io;
use std::path::{Path, PathBuf};

/// The result of what can fail as a whole.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a task or a job stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: a verb such as `read`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file of the job does not have the content that was written to it.
    #[error("{}: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// Arguments or configuration are wrong; nothing was begun.
    #[error("{0}")]
    Usage(String),
    /// The counters of a job do not add up, which is a bug.
    #[error("{0}")]
    Unbalanced(String),
    /// The result is not what the configuration allows.
    #[error("{0}")]
    Refused(String),
    /// The job was cancelled; run again, it resumes.
    #[error("interrupted; run the same command again to continue")]
    Interrupted,
}

impl Error {
    /// For `map_err`: what was tried on which file.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { action, path: path.to_path_buf(), source }
    }

    /// A path that is none of a regular file: reading a pipe may block, and a device may have no end.
    pub(crate) fn not_a_regular_file(path: &Path) -> Error {
        Error::Usage(format!("{}: not a regular file but a folder, pipe or device", path.display()))
    }

    /// A file written by this program whose checksum is wrong.
    pub fn checksum_mismatch(path: &Path) -> Error {
        Error::damaged(
            path,
            "is damaged: its checksum is not that of its content; run `warcorpus build` on the directory to write it again \
             (for an index: `warcorpus index`)",
        )
    }

    /// A file whose content is not what it must be; `message` says how, after the file's path.
    pub fn damaged(path: &Path, message: impl ToString) -> Error {
        Error::Damaged { path: path.to_path_buf(), message: message.to_string() }
    }
}
