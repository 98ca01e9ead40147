//! A job: a directory with a plan, the tasks of its stages, and the files from which they are resumed. Tasks run in
//! threads or as Slurm job arrays. Both [`run::build`] and `warcorpus task` call [`task::run_task`], which is the place
//! to start reading.
//!
//! The stages themselves are in [`crate::stages`].

pub mod archive_names;
pub mod directory;
pub mod directory_lock;
pub mod estimate;
pub mod inputs;
pub mod memory;
mod models;
pub mod plan;
pub mod plan_selection;
pub mod rules;
pub mod run;
pub mod settings;
pub mod shell;
pub mod slurm;
pub mod state;
pub mod status;
pub mod stopwords;
mod stored_text;
pub mod summary;
pub mod task;
mod thresholds;
mod tokenizer;
