//! Progress of a job. On a terminal: one line per stage with bar, rate, remaining time of the whole job, memory. In a
//! log: a line every half minute. It is for display only: no output depends on it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::process::resident_memory;
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

/// Interval between log lines, and between two drawings on a terminal.
const LOG_INTERVAL: Duration = Duration::from_secs(30);
const DRAW_INTERVAL: Duration = Duration::from_millis(250);
/// Cells of the bar.
const CELLS: usize = 30;

/// The progress of a job, shared by all tasks.
pub struct Progress {
    show: ShowProgress,
    bar: ProgressBar,
    /// Pages read in this run.
    pages: AtomicU64,
    /// Documents kept so far: by emit, before it 0.
    kept: AtomicU64,
    /// Tasks that this run finished.
    tasks: AtomicU64,
    /// Finished part of the stage, in compressed bytes or in tasks; and the part of it that earlier runs did.
    done: AtomicU64,
    earlier: AtomicU64,
    /// Whether the stage counts compressed bytes (extract) instead of tasks (all others).
    in_bytes: AtomicBool,
    state: Mutex<State>,
}

/// A stage and its expected share of the job.
struct Share {
    name: &'static str,
    /// CPU time relative to that of extract.
    cost: f64,
}

/// What changes with the stages.
struct State {
    shares: Vec<Share>,
    /// Index of the current stage.
    stage: usize,
    /// Size of the stage in the unit of `done`.
    total: u64,
    begun: Instant,
    shown: Instant,
    remaining: Remaining,
}

/// Estimates the remaining time of a job from the costs of its stages and the time that this run took for them.
#[derive(Debug, Default)]
struct Remaining {
    /// Cost of the stages that this run did, and the seconds it took for them.
    cost: f64,
    seconds: f64,
}

impl Remaining {
    /// Seconds until the end of the job. `cost` and `seconds` are those of the current stage so far in this run, `left`
    /// the cost that is left in it, and `after` that of the stages after it. `None` while too little is known.
    fn of(&self, cost: f64, seconds: f64, left: f64, after: f64) -> Option<f64> {
        let (known, took) = (self.cost + cost, self.seconds + seconds);
        if took < 1.0 || known <= 0.0 {
            return None;
        }
        let pace = took / known;
        // The pace of the current stage is the better measure of its own rest, the more of it is done.
        let share = if cost + left > 0.0 { cost / (cost + left) } else { 1.0 };
        let own = if cost > 0.0 && seconds > 0.0 { seconds / cost } else { pace };
        Some(left * (share * own + (1.0 - share) * pace) + after * pace)
    }
}

impl Progress {
    /// Progress that is shown as `show` says.
    pub fn new(show: ShowProgress) -> Progress {
        let bar = ProgressBar::new(0);
        bar.set_draw_target(match show {
            ShowProgress::Terminal => ProgressDrawTarget::stderr(),
            _ => ProgressDrawTarget::hidden(),
        });
        // One element that is cut where the terminal ends, so that narrow terminals show the beginning of the line.
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        let state =
            State { shares: Vec::new(), stage: 0, total: 0, begun: now, shown: now, remaining: Remaining::default() };
        Progress {
            show,
            bar,
            pages: AtomicU64::new(0),
            kept: AtomicU64::new(0),
            tasks: AtomicU64::new(0),
            done: AtomicU64::new(0),
            earlier: AtomicU64::new(0),
            in_bytes: AtomicBool::new(false),
            state: Mutex::new(state),
        }
    }

    /// Names the stages that this run will run, in their order.
    pub fn expect(&self, stages: &[&'static dyn Stage]) {
        let share = |stage: &&'static dyn Stage| Share { name: stage.name(), cost: stage.relative_cost() };
        self.state().shares = stages.iter().map(share).collect();
    }

    /// Starts a stage with this number of tasks. `bytes` is the size of their shards, for a stage that counts bytes.
    pub fn begin(&self, stage: &dyn Stage, tasks: u32, bytes: u64) {
        let mut state = self.state();
        self.in_bytes.store(stage.counts_bytes(), Ordering::Relaxed);
        state.total = if stage.counts_bytes() { bytes } else { u64::from(tasks) };
        state.stage = state.shares.iter().position(|share| share.name == stage.name()).unwrap_or(0);
        state.begun = Instant::now();
        self.done.store(0, Ordering::Relaxed);
        self.earlier.store(0, Ordering::Relaxed);
        if tasks > 0 && self.show == ShowProgress::Terminal {
            self.bar.reset();
            self.bar.set_message(self.line(&state));
        }
    }

    /// Ends a stage: its line stays on the terminal.
    pub fn end(&self) {
        let mut state = self.state();
        let seconds = state.begun.elapsed().as_secs_f64();
        let share = self.share_done(&state);
        let cost = state.shares.get(state.stage).map_or(0.0, |share| share.cost) * share;
        state.remaining.cost += cost;
        state.remaining.seconds += if cost > 0.0 { seconds } else { 0.0 };
        if self.show == ShowProgress::Terminal && state.total > 0 && share > 0.0 {
            let line = format!("{}  {}", self.stage(&state), self.figures(&state, seconds));
            self.bar.finish_and_clear();
            self.bar.println(line);
        }
    }

    /// Adds compressed bytes and pages that were read since the last call.
    pub fn advance(&self, bytes: u64, pages: u64) {
        self.pages.fetch_add(pages, Ordering::Relaxed);
        // The stage `borders` may read a shard again, and counts tasks.
        if self.counts_bytes() {
            self.done.fetch_add(bytes, Ordering::Relaxed);
        }
        self.show();
    }

    /// Adds a task that an earlier run finished, with the compressed bytes of its shard and the documents that it kept.
    pub fn task_skipped(&self, bytes: u64, kept: u64) {
        self.kept.fetch_add(kept, Ordering::Relaxed);
        let part = if self.counts_bytes() { bytes } else { 1 };
        self.earlier.fetch_add(part, Ordering::Relaxed);
        self.done.fetch_add(part, Ordering::Relaxed);
        self.show();
    }

    /// Whether this run did no task.
    pub fn is_idle(&self) -> bool {
        self.tasks.load(Ordering::Relaxed) == 0
    }

    /// Adds a finished task, with the documents that it kept.
    pub fn task_done(&self, kept: u64) {
        self.tasks.fetch_add(1, Ordering::Relaxed);
        self.kept.fetch_add(kept, Ordering::Relaxed);
        if !self.counts_bytes() {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        self.show();
    }

    /// Whether the stage counts bytes.
    fn counts_bytes(&self) -> bool {
        self.in_bytes.load(Ordering::Relaxed)
    }

    /// Share of the stage that this run did, 0 to 1.
    fn share_done(&self, state: &State) -> f64 {
        let (done, earlier) = (self.done.load(Ordering::Relaxed), self.earlier.load(Ordering::Relaxed));
        done.saturating_sub(earlier) as f64 / state.total.max(1) as f64
    }

    /// Draws or logs if it is time for it.
    fn show(&self) {
        let interval = match self.show {
            ShowProgress::Nowhere => return,
            ShowProgress::Log => LOG_INTERVAL,
            ShowProgress::Terminal => DRAW_INTERVAL,
        };
        // Another thread that is about to draw draws for this one, too.
        let Ok(mut state) = self.state.try_lock() else { return };
        if state.shown.elapsed() < interval {
            return;
        }
        state.shown = Instant::now();
        let line = self.line(&state);
        match self.show {
            ShowProgress::Terminal => self.bar.set_message(line),
            _ => tracing::info!("{line}"),
        }
    }

    /// The line of the current stage.
    fn line(&self, state: &State) -> String {
        let seconds = state.begun.elapsed().as_secs_f64();
        let share = (self.done.load(Ordering::Relaxed) as f64 / state.total.max(1) as f64).min(1.0);
        let eta = self.remaining(state).map_or("--".to_string(), clock);
        let line =
            format!("{}  {:3.0} %  ETA {eta}  {}", self.stage(state), share * 100.0, self.figures(state, seconds));
        if self.show == ShowProgress::Log {
            return line;
        }
        let full = (share * CELLS as f64) as usize;
        format!("{line}  {}{}", "█".repeat(full), "░".repeat(CELLS.saturating_sub(full)))
    }

    /// Number and name of the stage.
    fn stage(&self, state: &State) -> String {
        let name = state.shares.get(state.stage).map_or("", |share| share.name);
        format!("stage {} of {} {name:12}", state.stage + 1, state.shares.len().max(1))
    }

    /// Amount, rate, pages or documents, and memory.
    fn figures(&self, state: &State, seconds: f64) -> String {
        let (done, earlier) = (self.done.load(Ordering::Relaxed), self.earlier.load(Ordering::Relaxed));
        let rate = done.saturating_sub(earlier) as f64 / seconds.max(0.001);
        let mut parts = vec![match self.counts_bytes() {
            true => format!("{} of {}, {}/s", HumanBytes(done), HumanBytes(state.total), HumanBytes(rate as u64)),
            false => format!("{done} of {} tasks", state.total),
        }];
        let (pages, kept) = (self.pages.load(Ordering::Relaxed), self.kept.load(Ordering::Relaxed));
        if kept > 0 {
            parts.push(format!("{} documents kept", HumanCount(kept)));
        } else if self.counts_bytes() {
            parts.push(format!("{} pages", HumanCount(pages)));
        }
        parts.extend(resident_memory().map(|bytes| HumanBytes(bytes).to_string()));
        parts.push(clock(seconds));
        parts.join(", ")
    }

    /// Seconds until the end of the job.
    fn remaining(&self, state: &State) -> Option<f64> {
        let cost = state.shares.get(state.stage).map_or(0.0, |share| share.cost);
        let after = state.shares.iter().skip(state.stage + 1).map(|share| share.cost).sum();
        let share = (self.done.load(Ordering::Relaxed) as f64 / state.total.max(1) as f64).min(1.0);
        let seconds = state.begun.elapsed().as_secs_f64();
        state.remaining.of(cost * self.share_done(state), seconds, cost * (1.0 - share), after)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A time as `42s`, `3m 05s` or `2h 07m`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 1e9).round() as u64;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::extract::Extract;
    use crate::stages::extract::borders::Borders;

    #[test]
    fn times_are_short() {
        for (seconds, shown) in [(0.2, "0s"), (59.4, "59s"), (61.0, "1m 01s"), (7620.0, "2h 07m"), (f64::NAN, "0s")] {
            assert_eq!(clock(seconds), shown);
        }
    }

    #[test]
    fn bytes_are_no_tasks() {
        let progress = Progress::new(ShowProgress::Nowhere);
        progress.begin(&Extract, 2, 1000);
        progress.advance(600, 3);
        assert_eq!(progress.share_done(&progress.state()), 0.6);
        progress.begin(&Borders, 1, 0);
        progress.advance(600, 3);
        assert_eq!(progress.share_done(&progress.state()), 0.0);
        progress.task_done(0);
        assert_eq!(progress.share_done(&progress.state()), 1.0);
    }

    /// Extract at cost 1, then stages of cost .4 that take as long as expected, or twice as long.
    #[test]
    fn what_remains_is_learnt_from_what_was_done() {
        let fresh = Remaining::default();
        assert_eq!(fresh.of(0.0, 5.0, 1.0, 0.4), None);
        // A tenth of extract took 10 s: 90 s for its rest, 40 s for the others.
        assert_eq!(fresh.of(0.1, 10.0, 0.9, 0.4).unwrap().round(), 130.0);
        let later = Remaining { cost: 1.0, seconds: 100.0 };
        assert_eq!(later.of(0.0, 1e-9, 0.2, 0.2).unwrap().round(), 40.0);
        // Half of the second stage took 20 s instead of 10: its rest will, too, or nearly.
        let slow = later.of(0.1, 20.0, 0.1, 0.2).unwrap();
        assert!((35.0..45.0).contains(&slow), "{slow}");
    }
}
