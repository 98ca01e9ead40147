//! `man`: writes manual pages.

use std::io;
use std::path::PathBuf;

use clap_mangen::Man;

use super::Exit;
use crate::error::Error;
use crate::store::atomic;

pub const EXAMPLES: &str = "Examples:
  warcorpus man ~/.local/share/man/man1    # then: man warcorpus-build";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder for warcorpus.1, warcorpus-build.1 and so on; made if it is missing
    directory: PathBuf,
}

/// Writes the pages; `command` is the definition of the whole command line.
pub fn run(arguments: &Arguments, command: clap::Command) -> anyhow::Result<Exit> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    for command in command.get_subcommands().chain([&command]) {
        let page =
            Man::new(command.clone()).source(concat!("warcorpus ", env!("CARGO_PKG_VERSION"))).manual("User Commands");
        let path = arguments.directory.join(page.get_filename());
        atomic::write(&path, text(command, &page).map_err(Error::io("write", &path))?)?;
    }
    Ok(Exit::Done)
}

fn text(command: &clap::Command, page: &Man) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    if let Some(help) = command.get_after_help() {
        text.extend(notes(&help.to_string()).into_bytes());
    }
    Ok(text)
}

/// What stands below the help of a command, as a section. Its indented lines are commands to type, which a page must not
/// fill or hyphenate.
fn notes(help: &str) -> String {
    let mut section = ".SH NOTES\n".to_string();
    let mut in_example = false;
    for line in help.lines() {
        let is_example = line.starts_with(' ') || in_example && line.is_empty();
        if is_example != in_example {
            section.push_str(if is_example { ".EX\n" } else { ".EE\n" });
            in_example = is_example;
        }
        // A point or an apostrophe at the beginning would be a request.
        section.push_str("\\&");
        section.push_str(&line.replace('\\', "\\e").replace('-', "\\-"));
        section.push('\n');
    }
    if in_example {
        section.push_str(".EE\n");
    }
    section
}

#[cfg(test)]
mod tests {
    use super::notes;

    #[test]
    fn commands_are_not_filled() {
        let help = "Examples:\n  warcorpus build a\\b --out c\n\n  .x\n\nMore follows.";
        let lines = [
            ".SH NOTES",
            "\\&Examples:",
            ".EX",
            "\\&  warcorpus build a\\eb \\-\\-out c",
            "\\&",
            "\\&  .x",
            "\\&",
            ".EE",
            "\\&More follows.",
            "",
        ];
        assert_eq!(notes(help), lines.join("\n"));
    }
}
