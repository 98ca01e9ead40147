//! `config`: prints the configuration with every default and what it means.

use super::request::Configuration;
use super::{Exit, print};

pub const EXAMPLES: &str = "Examples:
  warcorpus config
  warcorpus config --job jobs/my.toml --set language.keep=ces,slk > jobs/whole.toml";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    configuration: Configuration,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    print(&arguments.configuration.load(Vec::new())?.to_commented_toml())?;
    Ok(Exit::Done)
}
