//! Every thread of the project is created here, so that one page tells what runs at the same time.
//!
//! - [`pool`]: the workers that run the tasks of a stage, or that open many archives.
//! - [`together`]: one function on several threads while the caller does something else (concordances; the watch over a
//!   record at which a process died).
//! - [`distribute`]: shards handed out to threads (statistics, stop lists, comparisons).
//! - [`spawn`]: a background thread (pipes of a tagger, signals).
//! - [`runtime`]: the threads of the HTTP client.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rayon::ThreadPool;

use crate::error::{Error, Result};

/// Asks running tasks to end between two records. Clones share one flag, which is never cleared.
#[derive(Debug, Clone, Default)]
pub struct CancelToken {
    flag: Arc<AtomicBool>,
    parent: Option<Arc<CancelToken>>,
}

impl CancelToken {
    /// A token that is cancelled with this one, and can be cancelled alone.
    pub fn child(&self) -> CancelToken {
        CancelToken { flag: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }

    /// Sets the flag; returns whether it was set before.
    pub fn cancel(&self) -> bool {
        self.flag.swap(true, Ordering::Relaxed)
    }

    /// Whether the flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.parent.as_deref().is_some_and(CancelToken::is_cancelled)
    }

    /// # Errors
    /// [`Error::Interrupted`] once the flag is set.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Locks a mutex, also after a thread panicked that held the lock. So its value must be sound at any time, as all are that the
/// program locks.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cores that this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// A pool of `threads` workers. 0 counts as 1; rayon would take it for one per core.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .thread_name(|i| format!("worker-{i}"))
        .build()
        .map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}")))
}

/// Runs `body` on `threads` threads, and `meanwhile` on this one; returns what both gave when all have ended.
pub fn together<T: Send, R>(threads: usize, body: impl Fn() -> T + Sync, meanwhile: impl FnOnce() -> R) -> (Vec<T>, R) {
    let body = &body;
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(body)).collect();
        let result = meanwhile();
        let join = |handle: thread::ScopedJoinHandle<T>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        (running.into_iter().map(join).collect(), result)
    })
}

/// Hands out the numbers below `count` to `threads` threads, each of which takes the next one whenever it is ready.
pub fn distribute<T: Send, E: Send>(
    count: u32,
    threads: usize,
    of_thread: impl Fn(&mut dyn Iterator<Item = u32>) -> std::result::Result<T, E> + Sync,
) -> std::result::Result<Vec<T>, E> {
    let next = AtomicU32::new(0);
    let body = || {
        let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count);
        of_thread(&mut std::iter::from_fn(take))
    };
    together(threads, body, || ()).0.into_iter().collect()
}

/// Runs `body` on a thread of its own, which nobody waits for.
pub fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(body).map(drop)
}

/// The runtime of the HTTP client, with `threads` workers.
pub fn runtime(threads: usize) -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(threads).thread_name("remote").enable_all().build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_threads_are_one_thread() {
        assert_eq!(pool(0).unwrap().current_num_threads(), 1);
    }

    #[test]
    fn both_sides_run_and_are_waited_for() {
        let token = CancelToken::default();
        let (threads, caller) = together(3, || 7, || !token.clone().cancel());
        assert_eq!((threads, caller), (vec![7; 3], true));
        assert!(token.cancel() && matches!(token.check(), Err(Error::Interrupted)));
        assert!(token.child().child().is_cancelled());
        let alone = CancelToken::default();
        alone.child().cancel();
        assert!(!alone.is_cancelled());
    }
}
