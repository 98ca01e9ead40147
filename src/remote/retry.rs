//! When a request is given up and when it is sent again.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::ErrorKind;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::client::Client;
use super::fault::Fault;

/// Bytes a second below which a response is given up.
const SLOWEST: u64 = 1 << 10;
/// Pause after the first failure; it doubles with each further failure up to `LONGEST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

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
        if self.failures > self.client.retries || spent.saturating_add(pause) > self.client.retry_for {
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
    use crate::remote::Settings;

    #[test]
    fn a_drip_is_given_up() {
        let pace = |received| Pace { begun: Instant::now(), grace: Duration::from_secs(30), received };
        assert!(pace(1).check(Duration::from_secs(30)).is_ok());
        assert!(pace(1).check(Duration::from_secs(31)).is_err_and(|fault| fault.passing));
        assert!(pace(31 * SLOWEST).check(Duration::from_secs(31)).is_ok());
    }

    #[test]
    fn a_pause_without_end_is_given_up() {
        let client = Client::new(&Settings::default()).unwrap();
        let fault = Fault { pause: Some(Duration::MAX), ..Fault::passing(ErrorKind::Other, "busy") };
        let mut patience =
            Patience { since: Instant::now().checked_sub(Duration::from_secs(1)), ..Patience::new(&client) };
        let given_up = patience.pause(fault).unwrap_err();
        assert!(!given_up.passing && given_up.cause.starts_with("gave up after 1 tries"), "{}", given_up.cause);
    }
}
