//! Progress of a job: a bar with rate and remaining time on a terminal, or a log line every half minute.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::stages::Stage;

/// Where progress is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ShowProgress {
    /// Progress is not shown.
    #[default]
    Nowhere,
    /// A line in the log every half minute.
    Log,
    /// A bar on standard error.
    Terminal,
}

/// The progress of the current stage, shared by all tasks. It is for display only: no output depends on it.
pub struct Progress {
    bar: ProgressBar,
    /// Pages read since the start of the job.
    pages: AtomicU64,
    /// Finished part of the stage, in compressed bytes or in tasks.
    done: AtomicU64,
    /// Size of the stage in the unit of `done`.
    total: AtomicU64,
    /// Whether the stage counts compressed bytes (extract) instead of tasks (all others).
    in_bytes: AtomicBool,
    /// Name of the stage, and when it began.
    stage: Mutex<(String, Instant)>,
    /// When the last log line was written.
    last_line: Mutex<Instant>,
    /// Whether log lines are written.
    log_lines: bool,
}

/// Interval between log lines.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

impl Progress {
    /// Progress that is shown as `show` says.
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
            log_lines: show == ShowProgress::Log,
        }
    }

    /// Starts a stage with this number of tasks. `bytes` is the size of their shards, for a stage that counts bytes.
    pub fn begin(&self, stage: &dyn Stage, tasks: u32, bytes: u64) {
        let in_bytes = stage.counts_bytes();
        let stage = stage.name();
        let total = if in_bytes { bytes } else { u64::from(tasks) };
        self.in_bytes.store(in_bytes, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        *lock(&self.stage) = (stage.to_string(), Instant::now());
        let template = if in_bytes {
            "{msg:12} {bar:30} {bytes}/{total_bytes} {bytes_per_sec} ETA {eta} {prefix}"
        } else {
            "{msg:12} {bar:30} {pos}/{len} tasks ETA {eta}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
        self.bar.set_position(0);
        self.bar.reset_eta();
        self.bar.set_message(stage.to_string());
    }

    /// Removes the bar from the terminal.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Adds compressed bytes and pages that were read since the last call.
    pub fn advance(&self, bytes: u64, pages: u64) {
        let pages = self.pages.fetch_add(pages, Ordering::Relaxed) + pages;
        self.done.fetch_add(bytes, Ordering::Relaxed);
        self.bar.set_prefix(format!("{pages} pages"));
        self.bar.inc(bytes);
        self.write_log_line();
    }

    /// Adds a finished task, in a stage that counts tasks.
    pub fn task_done(&self) {
        if !self.in_bytes.load(Ordering::Relaxed) {
            self.done.fetch_add(1, Ordering::Relaxed);
            self.bar.inc(1);
            self.write_log_line();
        }
    }

    /// Writes a log line if one is due.
    fn write_log_line(&self) {
        let mut last = lock(&self.last_line);
        if !self.log_lines || last.elapsed() < LOG_INTERVAL {
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
