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
            let tries = match self.failures {
                1 => "1 try".to_string(),
                tries => format!("{tries} tries"),
            };
            // Otherwise the retries are used up.
            let too_long = |asked: &Duration| {
                self.failures <= self.client.retries && spent.saturating_add(*asked) > self.client.retry_for
            };
            let asked = fault.pause.filter(too_long).map(|asked| asked.as_secs());
            let asked = asked.map(|asked| format!("; the server asks to wait {asked} s")).unwrap_or_default();
            let cause = format!("gave up after {tries} in {} s: {}{asked}", spent.as_secs(), fault.cause);
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
    fn a_pause_that_is_too_long_is_given_up_and_told() {
        let client = Client::new(&Settings { retries: 1, ..Settings::default() }).unwrap();
        let given_up = |failures, pause| {
            let fault = Fault { pause: Some(pause), ..Fault::passing(ErrorKind::Other, "busy") };
            let since = Instant::now().checked_sub(Duration::from_secs(1));
            let fault = Patience { client: &client, failures, since }.pause(fault).unwrap_err();
            assert!(!fault.passing);
            fault.cause
        };
        let told = given_up(0, Duration::from_secs(3600));
        assert_eq!(told, "gave up after 1 try in 1 s: busy; the server asks to wait 3600 s");
        assert!(given_up(0, Duration::MAX).starts_with("gave up after 1 try in 1 s: busy; the server asks"));
        assert_eq!(given_up(1, Duration::from_secs(2)), "gave up after 2 tries in 1 s: busy");
    }
}
