//! How far a job is: a bar with rate and time left on a terminal, a line every half minute elsewhere.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::stages::Stage;

/// Where progress is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ShowProgress {
    #[default]
    Nowhere,
    /// A line in the log every half minute.
    Log,
    /// A bar on standard error.
    Terminal,
}

/// Shared by all tasks. Its numbers go nowhere but to the screen.
pub struct Progress {
    bar: ProgressBar,
    pages: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
    /// The extract stage counts compressed bytes, the others tasks.
    in_bytes: AtomicBool,
    stage: Mutex<(String, Instant)>,
    last_line: Mutex<Instant>,
    lines: bool,
}

const LINE_EVERY: Duration = Duration::from_secs(30);

impl Progress {
    pub fn new(show: ShowProgress) -> Progress {
        let bar = ProgressBar::new(0);
        bar.set_draw_target(match show {
            ShowProgress::Terminal => ProgressDrawTarget::stderr(),
            _ => ProgressDrawTarget::hidden(),
        });
        Progress {
            bar,
            pages: AtomicU64::new(0),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            in_bytes: AtomicBool::new(false),
            stage: Mutex::new((String::new(), Instant::now())),
            last_line: Mutex::new(Instant::now()),
            lines: show == ShowProgress::Log,
        }
    }

    /// `bytes`: of the shards of these tasks, if the stage has one task for each.
    pub fn begin(&self, stage: &dyn Stage, tasks: u32, bytes: u64) {
        let in_bytes = stage.counts_bytes();
        let stage = stage.name();
        let total = if in_bytes { bytes } else { u64::from(tasks) };
        self.in_bytes.store(in_bytes, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        *lock(&self.stage) = (stage.to_string(), Instant::now());
        let template = if in_bytes {
            "{msg:9} {bar:30} {bytes}/{total_bytes} {bytes_per_sec} ETA {eta} {prefix}"
        } else {
            "{msg:9} {bar:30} {pos}/{len} tasks ETA {eta}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
        self.bar.set_position(0);
        self.bar.reset_eta();
        self.bar.set_message(stage.to_string());
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Compressed bytes read and pages cleaned since the last call.
    pub fn advance(&self, bytes: u64, pages: u64) {
        let pages = self.pages.fetch_add(pages, Ordering::Relaxed) + pages;
        self.done.fetch_add(bytes, Ordering::Relaxed);
        self.bar.set_prefix(format!("{pages} pages"));
        self.bar.inc(bytes);
        self.line();
    }

    pub fn task_done(&self) {
        if !self.in_bytes.load(Ordering::Relaxed) {
            self.done.fetch_add(1, Ordering::Relaxed);
            self.bar.inc(1);
            self.line();
        }
    }

    fn line(&self) {
        let mut last = lock(&self.last_line);
        if !self.lines || last.elapsed() < LINE_EVERY {
            return;
        }
        *last = Instant::now();
        let (stage, begun) = lock(&self.stage).clone();
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let seconds = begun.elapsed().as_secs_f64();
        let left = seconds / done.max(1) as f64 * total.saturating_sub(done) as f64;
        let eta = HumanDuration(Duration::from_secs_f64(left.clamp(0.0, 1e9)));
        let pages = self.pages.load(Ordering::Relaxed);
        if self.in_bytes.load(Ordering::Relaxed) {
            let rate = pages as f64 / seconds.max(0.001);
            tracing::info!(
                "{stage}: {} of {}, {pages} pages, {rate:.0} pages/s, ETA {eta}",
                HumanBytes(done),
                HumanBytes(total)
            );
        } else {
            tracing::info!("{stage}: {done} of {total} tasks, ETA {eta}");
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
