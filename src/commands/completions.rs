//! `completions`: prints the completion script of a shell.

use std::io;

use super::Exit;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    shell: clap_complete::Shell,
}

/// Prints the script; `command` is the definition of the whole command line.
pub fn run(arguments: &Arguments, mut command: clap::Command) -> anyhow::Result<Exit> {
    clap_complete::generate(arguments.shell, &mut command, "warcorpus", &mut io::stdout());
    Ok(Exit::Done)
}
