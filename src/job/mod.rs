//! A job: a directory with a plan, the tasks of its stages run in threads or as array jobs of Slurm, and what it takes
//! to resume them. [`task::run_task`] is the one function that does work, whoever calls it ([`run::build`] in its
//! threads, `warcorpus task` on a cluster): read it first.
//!
//! What the stages compute is in [`crate::stages`]; nothing here names one of them.

pub mod directory;
pub mod estimate;
pub mod inputs;
pub mod memory;
pub mod plan;
pub mod rules;
pub mod run;
pub mod selection;
pub mod slurm;
pub mod state;
pub mod status;
pub mod stopwords;
pub mod task;
