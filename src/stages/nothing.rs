//! The stage `nothing`: one task that counts the shards.

use std::path::PathBuf;

use crate::error::Result;
use crate::stages::counters::Counters;
use crate::stages::{Job, Stage};

/// The stage `nothing`.
#[derive(Debug)]
pub struct Nothing;

impl Stage for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    fn tasks(&self, _job: &Job) -> u32 {
        1
    }

    fn outputs(&self, _job: &Job, _task: u32) -> Vec<PathBuf> {
        Vec::new()
    }

    fn run(&self, job: &Job, _task: u32) -> Result<Counters> {
        Ok(Counters { dedup: [("shards".to_string(), job.shard_count().into())].into(), ..Counters::default() })
    }

    fn relative_cost(&self) -> f64 {
        0.0
    }
}
