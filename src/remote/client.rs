//! HTTP requests: checks that a response holds the requested bytes of an unchanged object, and decides which failures
//! are retried.

use std::error::Error as _;
use std::fmt::Display;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_RANGE, HeaderMap, HeaderName, HeaderValue, RANGE, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::Settings;
use super::location::ObjectLocation;
use super::object::Identity;

const USER_AGENT: &str = concat!("warcorpus/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");
/// Size in bytes above which a server is not believed: 64 TiB. Stores hold objects of at most 50 TB, and the shards of a
/// file are held in memory.
const LARGEST_OBJECT: u64 = 64 << 40;
/// Bytes a second below which a response is given up.
const SLOWEST: u64 = 1 << 10;
/// Pause after the first failure; it doubles with each further failure up to `LONGEST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// Most bytes that are read of the body of an error response.
const ERROR_TEXT: usize = 4096;
/// Error codes of S3 that are transient whatever the HTTP status.
const TRANSIENT_CODES: [&str; 4] = ["SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable"];

/// Why a request failed.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) kind: ErrorKind,
    pub(super) cause: String,
    /// Whether the failure is transient, so that a retry may succeed.
    passing: bool,
    /// The server's `Retry-After`.
    pause: Option<Duration>,
}

impl Fault {
    /// A permanent failure, which is not retried.
    pub(super) fn last(kind: ErrorKind, cause: impl Display) -> Self {
        Self { kind, cause: cause.to_string(), passing: false, pause: None }
    }

    /// A transient failure, which is retried.
    pub(super) fn passing(kind: ErrorKind, cause: impl Display) -> Self {
        Self { passing: true, ..Self::last(kind, cause) }
    }

    /// The failure for an object that is not the one that was opened; `what` names the difference.
    pub(super) fn changed(what: impl Display) -> Self {
        Self::last(ErrorKind::InvalidData, format!("the object changed while it was read ({what}); start over"))
    }

    /// Prefixes the cause with the place where the failure happened.
    pub(super) fn at(self, place: &str) -> Self {
        Self { cause: format!("{place}: {}", self.cause), ..self }
    }

    fn ignored_range() -> Self {
        let cause = "the server ignores Range and sends whole objects only; download the file and read it locally";
        Self::last(ErrorKind::Unsupported, cause)
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        io::Error::new(fault.kind, fault.cause)
    }
}

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
    retries: u32,
    /// Longest time without progress after which a request is retried.
    retry_for: Duration,
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
    pub(super) async fn look(&self, location: &ObjectLocation) -> Result<(u64, Identity), Fault> {
        let mut patience = Patience::new(self);
        loop {
            let turn = self.turn().await;
            let looked = self.look_once(location).await;
            drop(turn);
            match looked {
                Ok(found) => return Ok(found),
                Err(fault) => tokio::time::sleep(patience.pause(fault)?).await,
            }
        }
    }

    async fn look_once(&self, location: &ObjectLocation) -> Result<(u64, Identity), Fault> {
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
                    _ => Err(self.error_of(whole).await),
                }
            }
            _ => Err(self.error_of(response).await),
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
            return Err(self.error_of(response).await);
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
            _ => return Err(self.error_of(response).await),
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

    /// The failure that an error response means.
    async fn error_of(&self, mut response: Response) -> Fault {
        let status = response.status();
        let pause = response.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()?.trim().parse().ok());
        let mut text = Vec::new();
        while let Ok(Ok(Some(more))) = tokio::time::timeout(self.timeout, response.chunk()).await {
            text.extend_from_slice(&more);
            if text.len() > ERROR_TEXT {
                break;
            }
        }
        let text = String::from_utf8_lossy(&text);
        // Only the error codes of S3 are shown: other servers send an HTML page.
        let code = s3_code(&text);
        let cause = code.map_or(status.to_string(), |code| format!("{status} {code}"));
        let passing = status.is_server_error()
            || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status)
            || code.is_some_and(|code| TRANSIENT_CODES.contains(&code));
        let (kind, hint) = match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => (ErrorKind::NotFound, ""),
            StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED => (ErrorKind::PermissionDenied, ""),
            _ if status.is_redirection() => (ErrorKind::Other, " (the bucket may be in another region: remote.region)"),
            _ => (ErrorKind::Other, ""),
        };
        Fault { kind, cause: format!("{cause}{hint}"), passing, pause: pause.map(Duration::from_secs) }
    }
}

/// The `<Code>` of an S3 error document.
pub(super) fn s3_code(text: &str) -> Option<&str> {
    Some(text.split_once("<Code>")?.1.split_once("</Code>")?.0)
}

/// The failure of a request without a complete response. Certificate, redirect and request errors are permanent.
fn transport_fault(error: reqwest::Error) -> Fault {
    let kind = if error.is_timeout() { ErrorKind::TimedOut } else { ErrorKind::ConnectionAborted };
    let error = error.without_url();
    let mut cause = error.to_string();
    let mut lasting = error.is_builder() || error.is_redirect();
    let mut source = error.source();
    while let Some(inner) = source {
        cause = format!("{cause}: {inner}");
        lasting |= is_certificate(inner);
        source = inner.source();
    }
    Fault { kind, cause, passing: !lasting, pause: None }
}

/// Whether an invalid certificate is the cause. TLS errors are wrapped in I/O errors, which do not list them as sources.
fn is_certificate(mut error: &(dyn std::error::Error + 'static)) -> bool {
    while let Some(inner) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        error = inner;
    }
    matches!(error.downcast_ref(), Some(rustls::Error::InvalidCertificate(_)))
}

/// The speed of one response. A server that sends a byte now and then would hold a reader for ever: the time-out is that
/// of a connection without any byte.
pub(super) struct Pace {
    begun: Instant,
    grace: Duration,
    received: u64,
}

impl Pace {
    /// The pace of a response that begins now, and is not measured within `grace`.
    pub(super) fn new(grace: Duration) -> Self {
        Self { begun: Instant::now(), grace, received: 0 }
    }

    /// Counts bytes; an error, after which the request may be repeated, if they arrive too slowly.
    pub(super) fn received(&mut self, bytes: usize) -> Result<(), Fault> {
        self.received = self.received.saturating_add(bytes as u64);
        self.check(self.begun.elapsed())
    }

    fn check(&self, elapsed: Duration) -> Result<(), Fault> {
        if elapsed <= self.grace || self.received >= elapsed.as_secs().saturating_mul(SLOWEST) {
            return Ok(());
        }
        let cause = format!("less than {SLOWEST} bytes a second for {} s", elapsed.as_secs());
        Err(Fault::passing(ErrorKind::TimedOut, cause))
    }
}

/// First byte and object size of `Content-Range: bytes 0-9/100`; no size for `*`.
fn content_range(headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let value = headers.get(CONTENT_RANGE)?.to_str().ok()?.trim().strip_prefix("bytes ")?;
    let (range, size) = value.split_once('/')?;
    let (start, _) = range.split_once('-')?;
    Some((start.trim().parse().ok()?, size.trim().parse().ok()))
}

/// The retry state of one fetch: failures since the last progress, and the time of the first of them.
pub(super) struct Patience<'a> {
    client: &'a Client,
    failures: u32,
    since: Option<Instant>,
}

impl<'a> Patience<'a> {
    pub(super) fn new(client: &'a Client) -> Self {
        Self { client, failures: 0, since: None }
    }

    /// Resets the failure count after progress.
    pub(super) fn renew(&mut self) {
        (self.failures, self.since) = (0, None);
    }

    /// The pause before the next retry, or the error if the failure is permanent or the retries are used up.
    pub(super) fn pause(&mut self, fault: Fault) -> Result<Duration, Fault> {
        let spent = self.since.get_or_insert_with(Instant::now).elapsed();
        self.failures += 1;
        if !fault.passing {
            return Err(fault);
        }
        let doubled = FIRST_PAUSE.saturating_mul(1 << self.failures.saturating_sub(1).min(16)).min(LONGEST_PAUSE);
        // Random jitter between half and all of it, so that many clients do not retry at the same time.
        let random = RandomState::new().build_hasher().finish() % 512;
        let pause = (doubled.saturating_mul(512 + random as u32) / 1024).max(fault.pause.unwrap_or_default());
        if self.failures > self.client.retries || spent + pause > self.client.retry_for {
            let cause = format!("gave up after {} tries in {} s: {}", self.failures, spent.as_secs(), fault.cause);
            return Err(Fault { cause, passing: false, ..fault });
        }
        self.client.counters.retries.fetch_add(1, Ordering::Relaxed);
        tracing::debug!(cause = fault.cause, pause = pause.as_millis() as u64, "retrying");
        Ok(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drip_is_given_up() {
        let pace = |received| Pace { begun: Instant::now(), grace: Duration::from_secs(30), received };
        assert!(pace(1).check(Duration::from_secs(30)).is_ok());
        assert!(pace(1).check(Duration::from_secs(31)).is_err_and(|fault| fault.passing));
        assert!(pace(31 * SLOWEST).check(Duration::from_secs(31)).is_ok());
    }
}
