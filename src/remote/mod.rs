//! Archives on web servers and in S3 object stores as random-access bytes.
//!
//! Takes `https://`, `http://` and `s3://bucket/key` and gives [`Bytes`](crate::archive::Bytes). The program around is
//! made of plain threads; the runtime of the HTTP client stays in here.
//!
//! **How it reads.** A file is cut into aligned *pieces* ([`PIECE`], or the size of a request if that is less). One
//! ranged request (a *run*) brings one or more neighbouring pieces, each usable as soon as it is there. The first touch
//! of a place fetches one piece, so a look of 512 bytes costs one small request and the next look nearby none. Only who
//! touches one piece after the other gets read-ahead, half of what was read in sequence so far at most, or at once where
//! [`RemoteFile::expect`] announced it; then it ends where the announced range ends. A run that breaks goes on after the
//! last byte that arrived; what was wanted ahead by a file that is closed meanwhile is abandoned.
//!
//! **Memory.** One budget of [`Settings::memory`] bytes for the process holds what is on its way and what is cached; a
//! request takes all it may need before it starts. No thread waits while it holds bytes of the budget: readers copy
//! into a window of their own. So whatever is in the budget either arrives or fails by itself, is about to be copied by
//! a thread that waits for nothing else, or can be thrown away; and the wanted piece of any number of readers gets its
//! turn. Read-ahead takes only room that is free or holds what was read already, and none while a reader waits for room.
//! With many readers the runs get smaller: a reader's share is half the budget divided by the readers open. Outside the
//! budget are the windows ([`WINDOW`] for each open reader), the buffers of the HTTP client, and what was given out by
//! [`RemoteFile::ranges`] and [`Remote::fetch`].
//!
//! **Failures.** 5xx, 429, 408, S3's `SlowDown`, time-outs, lost connections and short answers are tried again with
//! growing random pauses, each run by itself, up to `retries` times or `retry_seconds` without progress. 403, 404 and an
//! object that is no longer the one that was opened end the reading at once.
//!
//! Border: knows nothing of archives, plans or configuration files. The HTTP side does not use the `HttpStore` of
//! object_store, whose paths lose query strings and re-encode odd characters; S3 addresses, signatures, credentials and
//! listing are object_store's. Keys with empty or dot segments, and S3 directory buckets, are not supported.

mod client;

mod file;

mod object;

mod pool;

mod ranges;

mod run;

mod site;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use self::client::Client;
pub use self::file::RemoteFile;
use self::object::{Identity, Object};
use self::pool::Pool;
use self::site::Sites;
use crate::error::{Error, Result};
use crate::threads;

/// Threads of the HTTP client.
const WORKERS: usize = 2;
/// Most bytes of a piece, the unit of caching.
pub const PIECE: u64 = 256 << 10;
/// Most bytes a reader copies at a time.
pub const WINDOW: usize = 64 << 10;

/// How remote files are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Address of the S3 service, with `http://` or `https://`; "" = `AWS_ENDPOINT_URL` or Amazon's own.
    pub endpoint: String,
    /// Region of the S3 buckets; "" = `AWS_REGION`, `AWS_DEFAULT_REGION` or us-east-1.
    pub region: String,
    /// Read S3 without signatures, as public buckets allow.
    pub anonymous: bool,
    /// Bytes held at most by all fetches and caches of the process; at least two chunks. Default 256 MiB.
    pub memory: u64,
    /// Requests at a time in the whole process. Default 8.
    pub parallel: usize,
    /// Most bytes of one request; at least 4096. Default 8 MiB.
    pub chunk: u64,
    /// How often a request is tried again without progress. Default 10.
    pub retries: u32,
    /// Seconds without progress after which it is not tried again. Default 180.
    pub retry_seconds: u64,
    /// Seconds without a byte after which a connection counts as lost. Default 30.
    pub timeout_seconds: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            endpoint: String::new(),
            region: String::new(),
            anonymous: false,
            memory: 256 << 20,
            parallel: 8,
            chunk: 8 << 20,
            retries: 10,
            retry_seconds: 180,
            timeout_seconds: 30,
        }
    }
}

impl Settings {
    fn check(&self) -> Result<()> {
        let refuse = |message: String| Err(Error::Usage(message));
        if self.chunk < 4096 {
            return refuse(format!("remote.chunk = {}: at least 4096 bytes", self.chunk));
        }
        if self.memory / 2 < self.chunk {
            let (memory, chunk) = (self.memory, self.chunk);
            return refuse(format!("remote.memory = {memory}: at least two chunks (remote.chunk = {chunk})"));
        }
        if !(1..=1024).contains(&self.parallel) {
            return refuse(format!("remote.parallel = {}: 1 to 1024", self.parallel));
        }
        if !(1..=86_400).contains(&self.timeout_seconds) {
            return refuse(format!("remote.timeout_seconds = {}: 1 to 86400", self.timeout_seconds));
        }
        if !self.endpoint.is_empty() && !self.endpoint.starts_with("http://") && !self.endpoint.starts_with("https://")
        {
            return refuse(format!("remote.endpoint = {:?}: should begin with http:// or https://", self.endpoint));
        }
        Ok(())
    }
}

/// What was requested of servers so far.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestCounts {
    /// Requests sent, those that failed included.
    pub requests: u64,
    /// Failed requests that were tried again.
    pub retries: u64,
    /// Bytes of objects received.
    pub bytes: u64,
    /// Most bytes of the budget that were held at a time.
    pub most_memory: u64,
}

/// The connection to all servers; made once per process, clones share everything.
#[derive(Clone)]
pub struct Remote {
    shared: Arc<Shared>,
}

/// What all files of a [`Remote`] use.
struct Shared {
    /// `Some` until dropped.
    runtime: Option<tokio::runtime::Runtime>,
    client: Arc<Client>,
    pool: Arc<Pool>,
    sites: Sites,
    /// Bytes of a piece and of the longest run.
    piece: u64,
    chunk: u64,
    next_object: AtomicU64,
}

impl Shared {
    fn runtime(&self) -> &tokio::runtime::Runtime {
        self.runtime.as_ref().expect("only drop takes the runtime")
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Dropping it in the ordinary way would wait, and panic if the last owner were a thread of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Remote {
    /// Sends nothing yet.
    ///
    /// # Errors
    /// [`Error::Usage`] for settings out of range; [`Error::Io`] when the machine has no certificates or no threads.
    pub fn new(settings: &Settings) -> Result<Remote> {
        settings.check()?;
        let start = |source| Error::Io { action: "start", path: "the HTTP client".into(), source };
        let runtime = threads::runtime(WORKERS).map_err(start)?;
        let client = Arc::new(Client::new(settings).map_err(|e| start(io::Error::other(e)))?);
        let piece = settings.chunk.min(PIECE);
        let shared = Shared {
            runtime: Some(runtime),
            sites: Sites::new(settings, client.http()),
            client,
            pool: Arc::new(Pool::new(settings.memory, settings.parallel)),
            piece,
            chunk: settings.chunk - settings.chunk % piece,
            next_object: AtomicU64::new(0),
        };
        Ok(Remote { shared: Arc::new(shared) })
    }

    /// Asks the server for the first byte: learns size and identity, and that ranges are supported.
    ///
    /// # Errors
    /// [`Error::Usage`] for a URL that is none of ours or S3 without credentials, [`Error::Io`] for everything else.
    pub fn open(&self, url: &str) -> Result<RemoteFile> {
        let site = self.site(url)?;
        let asked = self.shared.runtime().block_on(self.shared.client.look(&site));
        let (size, identity) = asked.map_err(|fault| failed("open", url, fault.into()))?;
        Ok(self.file(site, size, identity))
    }

    /// A file whose size and [`RemoteFile::identity`] are known from an earlier [`Remote::open`]; sends nothing.
    ///
    /// # Errors
    /// [`Error::Usage`] for a URL that is none of ours.
    pub fn open_known(&self, url: &str, size: u64, identity: &str) -> Result<RemoteFile> {
        Ok(self.file(self.site(url)?, size, Identity::parse(identity)))
    }

    /// The objects of `s3://bucket/prefix` as sorted URLs, empty ones left out. The prefix need not end at a slash.
    ///
    /// # Errors
    /// [`Error::Usage`] for web servers, which cannot list, and as [`Remote::open`].
    pub fn list(&self, url: &str) -> Result<Vec<String>> {
        self.shared.runtime().block_on(self.shared.sites.list(url))
    }

    /// A whole small object of at most `at_most` bytes, for example a list of paths. Not part of the memory budget.
    ///
    /// # Errors
    /// As [`Remote::open`], and when the object is larger.
    pub fn fetch(&self, url: &str, at_most: u64) -> Result<Vec<u8>> {
        let site = self.site(url)?;
        let fetched = self.shared.runtime().block_on(self.shared.client.whole(&site, at_most));
        fetched.map_err(|fault| failed("fetch", url, fault.into()))
    }

    /// What was requested of servers so far.
    #[cfg(test)]
    #[must_use]
    pub fn counts(&self) -> RequestCounts {
        let client::Counters { requests, retries, bytes } = &self.shared.client.counters;
        RequestCounts {
            requests: requests.load(Ordering::Relaxed),
            retries: retries.load(Ordering::Relaxed),
            bytes: bytes.load(Ordering::Relaxed),
            most_memory: self.shared.pool.most(),
        }
    }

    fn site(&self, url: &str) -> Result<site::Site> {
        self.shared.runtime().block_on(self.shared.sites.site(url))
    }

    fn file(&self, site: site::Site, size: u64, identity: Identity) -> RemoteFile {
        let id = self.shared.next_object.fetch_add(1, Ordering::Relaxed);
        RemoteFile::new(self.shared.clone(), Object::new(id, site, size, identity))
    }
}

/// The error of a request that names no file; `url` without its secrets.
fn failed(action: &'static str, url: &str, source: io::Error) -> Error {
    Error::Io { action, path: Path::new(&site::shown(url)).to_path_buf(), source }
}
