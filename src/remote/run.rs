//! A run: adjacent spans fetched by one request, and by further ones if it breaks off.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::Arc;

use bytes::Bytes;

use super::client::Client;
use super::fault::Fault;
use super::object::Object;
use super::pool::{Pool, SpanKey};
use super::retry::Patience;

/// Bytes that must arrive before the count of failures is reset.
const PROGRESS: u64 = 16 << 10;

/// A run of spans that the pool has reserved and one request fetches. Dropping it reports the spans that have not
/// arrived as failed, so that no reader waits for ever.
pub(super) struct SpanRun {
    pool: Arc<Pool>,
    remaining: VecDeque<SpanKey>,
    /// Bytes that have arrived of the first remaining span.
    buffer: Vec<u8>,
    fault: Fault,
}

impl SpanRun {
    pub(super) fn new(pool: Arc<Pool>, keys: Vec<SpanKey>) -> Self {
        Self { pool, remaining: keys.into(), buffer: Vec::new(), fault: Fault::last(ErrorKind::Other, "abandoned") }
    }

    /// Fetches with retries until all spans have arrived, a failure is permanent, or `object` is closed.
    pub(super) async fn fetch(mut self, client: Arc<Client>, object: Arc<Object>) {
        let mut patience = Patience::new(&client);
        let mut progress_start = self.position();
        loop {
            let turn = client.turn().await;
            let fetched = self.attempt(&client, &object).await;
            drop(turn);
            let Err(fault) = fetched else { return };
            if self.position() >= progress_start.saturating_add(PROGRESS) {
                patience.renew();
                progress_start = self.position();
            }
            let at = format!("{}: bytes {}-{}", object.location.shown, self.position(), self.end().saturating_sub(1));
            match patience.pause(fault) {
                Ok(pause) => tokio::time::sleep(pause).await,
                Err(fault) => {
                    self.fault = fault.at(&at);
                    return;
                }
            }
        }
    }

    /// Sends one request for the remaining bytes and reads its response.
    async fn attempt(&mut self, client: &Client, object: &Object) -> Result<(), Fault> {
        if self.remaining.is_empty() || object.is_closed() {
            return Ok(());
        }
        let range = self.position()..self.end();
        let mut answer = client.part(&object.location, range, object.size, &object.identity).await?;
        let mut pace = client.pace();
        while let Some(bytes) = client.more(&mut answer).await? {
            pace.received(bytes.len())?;
            self.push(bytes);
            if self.remaining.is_empty() || object.is_closed() {
                return Ok(());
            }
        }
        Err(Fault::passing(ErrorKind::UnexpectedEof, "the response ended too early"))
    }

    /// File offset of the next byte to arrive.
    fn position(&self) -> u64 {
        self.remaining.front().map_or(u64::MAX, |key| key.start + self.buffer.len() as u64)
    }

    fn end(&self) -> u64 {
        self.remaining.back().map_or(u64::MAX, |key| key.end)
    }

    /// Distributes received bytes over the spans; complete spans go to the pool.
    fn push(&mut self, mut bytes: Bytes) {
        while let Some(&key) = self.remaining.front() {
            let length = (key.end - key.start) as usize;
            if self.buffer.capacity() == 0 {
                self.buffer.reserve_exact(length);
            }
            let part = bytes.split_to(bytes.len().min(length - self.buffer.len()));
            self.buffer.extend_from_slice(&part);
            if self.buffer.len() < length {
                return;
            }
            self.remaining.pop_front();
            self.pool.arrived(key, std::mem::take(&mut self.buffer).into());
        }
    }
}

impl Drop for SpanRun {
    fn drop(&mut self) {
        for key in self.remaining.drain(..) {
            self.pool.failed(key, &self.fault);
        }
        self.pool.landed();
    }
}
