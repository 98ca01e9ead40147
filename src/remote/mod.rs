//! Archives on web servers and in S3 object stores as random-access bytes.
//!
//! Opens `https://`, `http://` and `s3://bucket/key` as [`Bytes`](crate::archive::Bytes). The rest of the program uses
//! plain threads; the async runtime of the HTTP client is private to this module.
//!
//! **Reading.** A file is divided into aligned *pieces* ([`PIECE`], or the size of a request if that is less). One
//! range request (a *run*) fetches one or more adjacent pieces; each piece is usable as soon as it has arrived. The
//! first read at a place fetches one piece, so a read of 512 bytes costs one small request, and the next read nearby
//! none. Read-ahead starts when pieces are read in sequence, and is at most half of the length read so far. After
//! [`RemoteFile::expect`] it starts at once and ends with the announced range. An interrupted run resumes after the last
//! byte that arrived. Closing a file abandons its read-ahead.
//!
//! **Memory.** One budget of [`Settings::memory`] bytes for the process covers requests under way and cached pieces; a
//! request reserves all its bytes before it starts. No thread waits while it holds bytes of the budget, because readers
//! copy into their own buffers. Readers therefore cannot deadlock: all bytes in the budget either arrive or fail, are
//! about to be copied, or can be evicted. Read-ahead uses only memory that is free or holds pieces that were read to the
//! end, and none while a reader waits for memory. With many readers the runs get smaller: the share of a reader is half
//! the budget divided by the number of open readers. Not part of the budget are the buffers of readers ([`WINDOW`]
//! each), the buffers of the HTTP client, and the bytes returned by [`RemoteFile::ranges`] and [`Remote::fetch`].
//!
//! **Failures.** 5xx, 429, 408, S3's `SlowDown`, time-outs, lost connections and truncated responses are retried per run
//! with exponential back-off and jitter, up to `retries` times or `retry_seconds` without progress. 403, 404 and a
//! changed object are permanent errors.
//!
//! This module does not depend on archives, plans or configuration files. HTTP requests do not use the `HttpStore` of
//! object_store, because its paths lose query strings and re-encode unusual characters. S3 addresses, signatures,
//! credentials and listing are object_store's. Keys with empty or dot segments, and S3 directory buckets, are not
//! supported.

mod address;

mod client;

mod fault;

mod file;

mod location;

mod object;

mod pool;

mod ranges;

mod retry;

mod run;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

pub use self::address::{public_name, split_scheme};
use self::client::Client;
pub use self::file::RemoteFile;
use self::location::{ObjectLocation, ObjectLocator};
use self::object::{Identity, Object};
use self::pool::Pool;
use crate::error::{Error, Result};
use crate::threads;

/// Number of threads of the HTTP client.
const WORKERS: usize = 2;
/// Most bytes of a piece, the unit of caching.
pub const PIECE: u64 = 256 << 10;
/// Size of a reader's buffer in bytes.
pub const WINDOW: usize = 64 << 10;

/// How remote files are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// URL of the S3 service, with `http://` or `https://`; "" = `AWS_ENDPOINT_URL` or Amazon's own.
    pub endpoint: String,
    /// Region of the S3 buckets; "" = `AWS_REGION`, `AWS_DEFAULT_REGION` or us-east-1.
    pub region: String,
    /// Read S3 without signatures; only public buckets allow it.
    pub anonymous: bool,
    /// Most bytes held by all requests and caches of the process; at least two chunks. Default 256 MiB.
    pub memory: u64,
    /// Most concurrent requests of the process, 1 to 1024. Default 8.
    pub parallel: usize,
    /// Most bytes of one request; at least 4096. Default 8 MiB.
    pub chunk: u64,
    /// Most retries of a request without progress. Default 10.
    pub retries: u32,
    /// Seconds without progress after which a request is no longer retried. Default 180.
    pub retry_seconds: u64,
    /// Time-out of a connection: seconds without a byte, 1 to 86400. Default 30.
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
            // Its value is not shown, because it may have a password.
            return refuse("remote.endpoint should begin with http:// or https://".into());
        }
        Ok(())
    }
}

/// Counters of the requests to all servers.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestCounts {
    /// Requests sent, including failed ones.
    pub requests: u64,
    /// Failed requests that were retried.
    pub retries: u64,
    /// Bytes of objects received.
    pub bytes: u64,
    /// Peak use of the memory budget in bytes.
    pub most_memory: u64,
}

/// Access to all servers; created once per process. Clones share client, cache and budget.
#[derive(Clone)]
pub struct Remote {
    shared: Arc<Shared>,
}

/// The state that all files of a [`Remote`] share.
struct Shared {
    /// `Some` until dropped.
    runtime: Option<tokio::runtime::Runtime>,
    client: Arc<Client>,
    pool: Arc<Pool>,
    locator: ObjectLocator,
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
        // An ordinary drop would wait for requests, and would panic on a thread of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Remote {
    /// Starts the HTTP client; no request is sent.
    ///
    /// # Errors
    /// [`Error::Usage`] for settings out of range; [`Error::Io`] if the machine has no certificates or cannot start
    /// threads.
    pub fn new(settings: &Settings) -> Result<Remote> {
        settings.check()?;
        let start = |source| Error::Io { action: "start", path: "the HTTP client".into(), source };
        let runtime = threads::runtime(WORKERS).map_err(start)?;
        let client = Arc::new(Client::new(settings).map_err(|e| start(io::Error::other(e)))?);
        let piece = settings.chunk.min(PIECE);
        let shared = Shared {
            runtime: Some(runtime),
            locator: ObjectLocator::new(settings, client.http()),
            client,
            pool: Arc::new(Pool::new(settings.memory, settings.parallel)),
            piece,
            chunk: settings.chunk - settings.chunk % piece,
            next_object: AtomicU64::new(0),
        };
        Ok(Remote { shared: Arc::new(shared) })
    }

    /// Opens a file: requests its first byte, which tells size and identity, and whether the server supports ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] for an unsupported URL or S3 without credentials, [`Error::Io`] for everything else.
    pub fn open(&self, url: &str) -> Result<RemoteFile> {
        let location = self.location(url)?;
        let asked = self.shared.runtime().block_on(self.shared.client.probe(&location));
        let (size, identity) = asked.map_err(|fault| failed("open", url, fault.into()))?;
        Ok(self.file(location, size, identity))
    }

    /// Opens a file whose size and [`RemoteFile::identity`] are known from an earlier [`Remote::open`]; sends no request.
    ///
    /// # Errors
    /// [`Error::Usage`] for an unsupported URL or S3 without credentials.
    pub fn open_known(&self, url: &str, size: u64, identity: &str) -> Result<RemoteFile> {
        Ok(self.file(self.location(url)?, size, Identity::parse(identity)))
    }

    /// The non-empty objects of `s3://bucket/prefix` as sorted URLs. The prefix need not end with a slash.
    ///
    /// # Errors
    /// [`Error::Usage`] for web servers, which cannot be listed; otherwise as [`Remote::open`].
    pub fn list(&self, url: &str) -> Result<Vec<String>> {
        self.shared.runtime().block_on(self.shared.locator.list(url))
    }

    /// Fetches a whole small object, for example a list of paths. Its bytes are not part of the memory budget.
    ///
    /// # Errors
    /// When the object cannot be fetched (see [`Remote::open`]), or has more than `at_most` bytes.
    pub fn fetch(&self, url: &str, at_most: u64) -> Result<Vec<u8>> {
        let location = self.location(url)?;
        let fetched = self.shared.runtime().block_on(self.shared.client.whole(&location, at_most));
        fetched.map_err(|fault| failed("fetch", url, fault.into()))
    }

    /// The counters of requests so far.
    #[cfg(test)]
    #[must_use]
    pub fn counts(&self) -> RequestCounts {
        let client::TransferCounters { requests, retries, bytes } = &self.shared.client.counters;
        RequestCounts {
            requests: requests.load(Ordering::Relaxed),
            retries: retries.load(Ordering::Relaxed),
            bytes: bytes.load(Ordering::Relaxed),
            most_memory: self.shared.pool.most(),
        }
    }

    fn location(&self, url: &str) -> Result<ObjectLocation> {
        self.shared.runtime().block_on(self.shared.locator.location(url))
    }

    fn file(&self, location: ObjectLocation, size: u64, identity: Identity) -> RemoteFile {
        let id = self.shared.next_object.fetch_add(1, Ordering::Relaxed);
        RemoteFile::new(self.shared.clone(), Object::new(id, location, size, identity))
    }
}

/// An I/O error for `url`, which is shown without its secrets.
fn failed(action: &'static str, url: &str, source: io::Error) -> Error {
    Error::Io { action, path: public_name(url).into(), source }
}
