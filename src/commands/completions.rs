//! `completions`: prints the completion script of a shell.

use super::{Exit, print};

pub const EXAMPLES: &str = "Examples:
  warcorpus completions bash > ~/.local/share/bash-completion/completions/warcorpus
  warcorpus completions fish > ~/.config/fish/completions/warcorpus.fish";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    shell: clap_complete::Shell,
}

/// Prints the script; `command` is the definition of the whole command line.
pub fn run(arguments: &Arguments, mut command: clap::Command) -> anyhow::Result<Exit> {
    // `generate` panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "warcorpus", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
