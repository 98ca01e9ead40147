//! `config`: prints the configuration with every default and what it means.

use super::request::Configuration;
use super::{Exit, print};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    configuration: Configuration,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    print(&arguments.configuration.load(Vec::new())?.to_commented_toml())?;
    Ok(Exit::Done)
}
