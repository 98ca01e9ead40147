//! `task`: some tasks of one stage, as an element of a cluster's job array runs them.

use std::ops::Range;

use super::build::{self, Access, Manner};
use super::{Job, Stage, state, workers};
use crate::error::{Error, Result};
use crate::store::layout::Layout;

/// Tasks named in an error.
const NAMED: usize = 5;

/// Runs those of `tasks` that exist, after checking that the stages before are done.
pub fn run(layout: Layout, stage: Stage, tasks: Range<u32>, manner: &Manner) -> Result<()> {
    let (job, _lock) = build::open(layout, manner, Access::Shared)?;
    let there = stage.tasks(&job);
    if tasks.start >= there {
        let name = stage.name();
        let error = if there == 0 { "is turned off".into() } else { format!("has tasks 0 to {}", there - 1) };
        return Err(Error::Usage(format!("no task {}: {name} {error}", tasks.start)));
    }
    check_earlier(&job, stage)?;
    workers::run_stage(&job, stage, tasks.start..tasks.end.min(there), manner.threads).map(|_| ())
}

fn check_earlier(job: &Job, stage: Stage) -> Result<()> {
    for earlier in Stage::ALL.into_iter().take_while(|&earlier| earlier != stage) {
        let mut open = Vec::new();
        for index in 0..earlier.tasks(job) {
            if state::of(job, earlier, index, None)? != state::State::Done {
                open.push(index.to_string());
            }
        }
        if open.is_empty() {
            continue;
        }
        let named = open.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = if open.len() > NAMED { " …" } else { "" };
        return Err(Error::Usage(format!(
            "{} needs all of {}; not done: {named}{more} ({} tasks)",
            stage.name(),
            earlier.name(),
            open.len()
        )));
    }
    Ok(())
}
