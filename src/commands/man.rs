//! `man`: writes manual pages.

use std::fs;
use std::path::PathBuf;

use super::Exit;
use crate::error::Error;

pub const EXAMPLES: &str = "Examples:
  warcorpus man ~/.local/share/man/man1    # then: man warcorpus-build";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder for warcorpus.1, warcorpus-build.1 and so on; made if it is missing
    directory: PathBuf,
}

/// Writes the pages; `command` is the definition of the whole command line.
pub fn run(arguments: &Arguments, command: clap::Command) -> anyhow::Result<Exit> {
    let directory = &arguments.directory;
    fs::create_dir_all(directory).map_err(Error::io("make", directory))?;
    clap_mangen::generate_to(command, directory).map_err(Error::io("write manual pages to", directory))?;
    Ok(Exit::Done)
}
