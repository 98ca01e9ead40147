//! HTTP requests: checks that a response holds the requested bytes of an unchanged object.

use std::io::ErrorKind;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_RANGE, HeaderMap, HeaderName, HeaderValue, RANGE};
use reqwest::{Response, StatusCode};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::Settings;
use super::fault::{Fault, error_of, transport_fault};
use super::location::ObjectLocation;
use super::object::Identity;
use super::retry::{Pace, Patience};

const USER_AGENT: &str = concat!("warcorpus/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");
/// Size in bytes above which a server is not believed: 64 TiB. Stores hold objects of at most 50 TB, and the shards of a
/// file are held in memory.
const LARGEST_OBJECT: u64 = 64 << 40;

/// Counters of the requests so far: requests sent, retries, and bytes received of objects.
#[derive(Default)]
pub(super) struct TransferCounters {
    pub(super) requests: AtomicU64,
    pub(super) retries: AtomicU64,
    pub(super) bytes: AtomicU64,
}

/// The HTTP client of the process, with its retry policy.
pub(super) struct Client {
    http: reqwest::Client,
    /// Time-out of a connection without a byte.
    timeout: Duration,
    /// Most retries without progress.
    pub(super) retries: u32,
    /// Longest time without progress after which a request is retried.
    pub(super) retry_for: Duration,
    /// Limits the number of concurrent requests.
    request_slots: Semaphore,
    pub(super) counters: TransferCounters,
}

impl Client {
    pub(super) fn new(settings: &Settings) -> reqwest::Result<Self> {
        // Fails if a provider is installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let timeout = Duration::from_secs(settings.timeout_seconds);
        let mut headers = HeaderMap::new();
        // With a content coding, ranges would refer to the encoded bytes.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .default_headers(headers)
            .connect_timeout(timeout)
            .read_timeout(timeout)
            // Several HTTP/1 connections have more throughput than one HTTP/2 connection that all requests share.
            .http1_only()
            // An address may be signed. Where a server redirects to learns nothing of it.
            .referer(false)
            .build()?;
        Ok(Self {
            http,
            timeout,
            retries: settings.retries,
            retry_for: Duration::from_secs(settings.retry_seconds),
            request_slots: Semaphore::new(settings.parallel),
            counters: TransferCounters::default(),
        })
    }

    /// A new measure of the speed of a response.
    pub(super) fn pace(&self) -> Pace {
        Pace::new(self.timeout)
    }

    pub(super) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// Waits for a slot among the concurrent requests; dropping the permit frees it.
    pub(super) async fn turn(&self) -> SemaphorePermit<'_> {
        self.request_slots.acquire().await.expect("the semaphore is never closed")
    }

    /// Requests the first byte of an object, with retries, to learn its size and identity; fails if the server does not
    /// support ranges.
    pub(super) async fn probe(&self, location: &ObjectLocation) -> Result<(u64, Identity), Fault> {
        let mut patience = Patience::new(self);
        loop {
            let turn = self.turn().await;
            let probed = self.probe_once(location).await;
            drop(turn);
            match probed {
                Ok(found) => return Ok(found),
                Err(fault) => tokio::time::sleep(patience.pause(fault)?).await,
            }
        }
    }

    async fn probe_once(&self, location: &ObjectLocation) -> Result<(u64, Identity), Fault> {
        let mut response = self.send(location, Some(0..1), None).await?;
        let identity = Identity::of(response.headers());
        match response.status() {
            StatusCode::PARTIAL_CONTENT => match content_range(response.headers()) {
                Some((0, Some(size))) if size > LARGEST_OBJECT => {
                    let cause = format!("the server claims {size} bytes, which no object has");
                    Err(Fault::last(ErrorKind::InvalidData, cause))
                }
                Some((0, Some(size))) => {
                    // A connection is reused only if its response was read.
                    self.more(&mut response).await?;
                    Ok((size, identity))
                }
                _ => Err(Fault::last(ErrorKind::InvalidData, "the server does not say the size of the object")),
            },
            StatusCode::OK if response.content_length() == Some(0) => Ok((0, identity)),
            StatusCode::OK => Err(Fault::ignored_range()),
            // There is no first byte: the object should be empty.
            StatusCode::RANGE_NOT_SATISFIABLE => {
                let whole = self.send(location, None, None).await?;
                match whole.status() {
                    StatusCode::OK if whole.content_length() == Some(0) => Ok((0, Identity::of(whole.headers()))),
                    StatusCode::OK => Err(Fault::ignored_range()),
                    _ => Err(error_of(whole, self.timeout).await),
                }
            }
            _ => Err(error_of(response, self.timeout).await),
        }
    }

    /// Fetches a whole object of at most `at_most` bytes, with retries.
    pub(super) async fn whole(&self, location: &ObjectLocation, at_most: u64) -> Result<Vec<u8>, Fault> {
        let mut patience = Patience::new(self);
        loop {
            let turn = self.turn().await;
            let fetched = self.whole_once(location, at_most).await;
            drop(turn);
            match fetched {
                Ok(bytes) => return Ok(bytes),
                Err(fault) => tokio::time::sleep(patience.pause(fault)?).await,
            }
        }
    }

    async fn whole_once(&self, location: &ObjectLocation, at_most: u64) -> Result<Vec<u8>, Fault> {
        let mut response = self.send(location, None, None).await?;
        if response.status() != StatusCode::OK {
            return Err(error_of(response, self.timeout).await);
        }
        let too_large = || Fault::last(ErrorKind::FileTooLarge, format!("more than {at_most} bytes"));
        if response.content_length().is_some_and(|length| length > at_most) {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let mut pace = self.pace();
        while let Some(more) = self.more(&mut response).await? {
            pace.received(more.len())?;
            bytes.extend_from_slice(&more);
            if bytes.len() as u64 > at_most {
                return Err(too_large());
            }
        }
        Ok(bytes)
    }

    /// Requests `range` once. The response starts at the start of the range and belongs to the object with the given
    /// size and identity.
    pub(super) async fn part(
        &self,
        location: &ObjectLocation,
        range: Range<u64>,
        size: u64,
        identity: &Identity,
    ) -> Result<Response, Fault> {
        let response = self.send(location, Some(range.clone()), Some(identity)).await?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT => {}
            StatusCode::OK if range == (0..size) => {}
            StatusCode::OK => return Err(Fault::ignored_range()),
            StatusCode::PRECONDITION_FAILED => return Err(Fault::changed("it has another ETag or date")),
            StatusCode::RANGE_NOT_SATISFIABLE => return Err(Fault::changed("it is shorter")),
            _ => return Err(error_of(response, self.timeout).await),
        }
        let now = Identity::of(response.headers());
        if identity.differs(&now) {
            return Err(Fault::changed(format!("{} is now {}", identity.text(), now.text())));
        }
        if response.status() == StatusCode::PARTIAL_CONTENT {
            match content_range(response.headers()) {
                Some((_, Some(length))) if length != size => {
                    return Err(Fault::changed(format!("{size} bytes are now {length}")));
                }
                Some((start, _)) if start == range.start => {}
                _ => return Err(Fault::passing(ErrorKind::InvalidData, "the server sent another range than asked")),
            }
        }
        Ok(response)
    }

    /// The next bytes of a response body; `None` at its end.
    pub(super) async fn more(&self, response: &mut Response) -> Result<Option<Bytes>, Fault> {
        let more = tokio::time::timeout(self.timeout, response.chunk()).await;
        let more = more.map_err(|_| self.timed_out())?.map_err(transport_fault)?;
        self.counters.bytes.fetch_add(more.as_ref().map_or(0, |bytes| bytes.len() as u64), Ordering::Relaxed);
        Ok(more)
    }

    async fn send(
        &self,
        location: &ObjectLocation,
        range: Option<Range<u64>>,
        identity: Option<&Identity>,
    ) -> Result<Response, Fault> {
        let mut request = self.http.get(location.address().await?);
        if let Some(range) = range {
            request = request.header(RANGE, format!("bytes={}-{}", range.start, range.end.saturating_sub(1)));
        }
        if let Some((name, value)) = identity.and_then(Identity::condition) {
            request = request.header::<HeaderName, _>(name, value);
        }
        self.counters.requests.fetch_add(1, Ordering::Relaxed);
        tokio::time::timeout(self.timeout, request.send()).await.map_err(|_| self.timed_out())?.map_err(transport_fault)
    }

    /// The failure for a server that sent nothing within the time-out.
    fn timed_out(&self) -> Fault {
        Fault::passing(ErrorKind::TimedOut, format!("no answer within {} s", self.timeout.as_secs()))
    }
}

/// First byte and object size of `Content-Range: bytes 0-9/100`; no size for `*`.
fn content_range(headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let value = headers.get(CONTENT_RANGE)?.to_str().ok()?.trim().strip_prefix("bytes ")?;
    let (range, size) = value.split_once('/')?;
    let (start, _) = range.split_once('-')?;
    Some((start.trim().parse().ok()?, size.trim().parse().ok()))
}
