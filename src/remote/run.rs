//! One run: neighbouring spans fetched by one request, or by as many as it takes.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::Arc;

use bytes::Bytes;

use super::client::{Client, Fault, Patience};
use super::object::Object;
use super::pool::{Key, Pool};

/// Bytes that must arrive before earlier failures are forgiven.
const PROGRESS: u64 = 16 << 10;

/// Spans promised to the pool. Dropping it keeps the promise: what has not arrived has failed.
pub(super) struct Run {
    pool: Arc<Pool>,
    left: VecDeque<Key>,
    /// What has arrived of the first span left.
    buffer: Vec<u8>,
    fault: Fault,
}

impl Run {
    pub(super) fn new(pool: Arc<Pool>, keys: Vec<Key>) -> Self {
        Self { pool, left: keys.into(), buffer: Vec::new(), fault: Fault::last(ErrorKind::Other, "abandoned") }
    }

    /// Fetches until everything has arrived, failed for good, or `object` is closed.
    pub(super) async fn fetch(mut self, client: Arc<Client>, object: Arc<Object>) {
        let mut patience = Patience::new(&client);
        let mut forgiven = self.position();
        loop {
            let turn = client.turn().await;
            let fetched = self.attempt(&client, &object).await;
            drop(turn);
            let Err(fault) = fetched else { return };
            if self.position() >= forgiven.saturating_add(PROGRESS) {
                patience.renew();
                forgiven = self.position();
            }
            let at = format!("{}: bytes {}-{}", object.site.shown, self.position(), self.end().saturating_sub(1));
            match patience.pause(fault) {
                Ok(pause) => tokio::time::sleep(pause).await,
                Err(fault) => {
                    self.fault = fault.at(&at);
                    return;
                }
            }
        }
    }

    async fn attempt(&mut self, client: &Client, object: &Object) -> Result<(), Fault> {
        if self.left.is_empty() || object.is_closed() {
            return Ok(());
        }
        let range = self.position()..self.end();
        let mut answer = client.part(&object.site, range, object.size, &object.identity).await?;
        while let Some(bytes) = client.more(&mut answer).await? {
            self.push(bytes);
            if self.left.is_empty() || object.is_closed() {
                return Ok(());
            }
        }
        Err(Fault::passing(ErrorKind::UnexpectedEof, "the answer ended too early"))
    }

    /// File offset of the next byte.
    fn position(&self) -> u64 {
        self.left.front().map_or(u64::MAX, |key| key.start + self.buffer.len() as u64)
    }

    fn end(&self) -> u64 {
        self.left.back().map_or(u64::MAX, |key| key.end)
    }

    fn push(&mut self, mut bytes: Bytes) {
        while let Some(&key) = self.left.front() {
            let length = (key.end - key.start) as usize;
            if self.buffer.capacity() == 0 {
                self.buffer.reserve_exact(length);
            }
            let part = bytes.split_to(bytes.len().min(length - self.buffer.len()));
            self.buffer.extend_from_slice(&part);
            if self.buffer.len() < length {
                return;
            }
            self.left.pop_front();
            self.pool.arrived(key, std::mem::take(&mut self.buffer).into());
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        for key in self.left.drain(..) {
            self.pool.failed(key, &self.fault);
        }
        self.pool.landed();
    }
}
