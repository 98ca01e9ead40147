//! Arguments → command → exit code. What a command does is in [`crate::commands`].

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::commands::{self, Exit};
use crate::error::Error;

/// Turns stored web archives (WARC, Common Crawl) into text corpora.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed; 2 wrong usage or configuration; \
3 done, but a part of an archive could not be read (rejects.jsonl lists it); 130 interrupted, \
the same command resumes.";

#[derive(Subcommand)]
enum Command {
    /// Build a corpus: read, decode, clean, identify languages, deduplicate, write
    #[command(after_help = commands::build::EXAMPLES)]
    Build(commands::build::Arguments),
    /// Only plan: write the directory, the configuration and the list of shards
    #[command(after_help = commands::plan::EXAMPLES)]
    Plan(commands::plan::Arguments),
    /// Run some tasks of one stage of a planned job, as a cluster does
    #[command(after_help = commands::task::EXAMPLES)]
    Task(commands::task::Arguments),
    /// Write job scripts for Slurm, and submit them if asked
    #[command(after_help = commands::slurm::EXAMPLES)]
    Slurm(commands::slurm::Arguments),
    /// Show what is done, running and failed, and how to resume
    #[command(after_help = commands::status::EXAMPLES)]
    Status(commands::status::Arguments),
    /// Print the configuration with every default and what it means
    #[command(after_help = commands::config::EXAMPLES)]
    Config(commands::config::Arguments),
    /// Print the original record of a document, from its archive
    #[command(after_help = commands::show::EXAMPLES)]
    Show(commands::show::Arguments),
    /// Show why a document and each of its paragraphs were kept or dropped
    #[command(after_help = commands::explain::EXAMPLES)]
    Explain(commands::explain::Arguments),
    /// Show a page as the program saw it: its markup beside its blocks, as an HTML page
    #[command(after_help = commands::inspect::EXAMPLES)]
    Inspect(commands::inspect::Arguments),
    /// Survey the containers of sites: how much text and content stands in each; draft site rules
    #[command(after_help = commands::tags::EXAMPLES)]
    Tags(commands::tags::Arguments),
    /// List the largest clusters of duplicates
    #[command(after_help = commands::clusters::EXAMPLES)]
    Clusters(commands::clusters::Arguments),
    /// Draw the report of a finished corpus again, with the times of its stages
    #[command(after_help = commands::report::EXAMPLES)]
    Report(commands::report::Arguments),
    /// Write a finished corpus in further formats, from its tables
    #[command(after_help = commands::emit::EXAMPLES)]
    Emit(commands::emit::Arguments),
    /// Join columns from elsewhere to the documents of a finished corpus, by record id or URL
    #[command(after_help = commands::annotate::EXAMPLES)]
    Annotate(commands::annotate::Arguments),
    /// Describe a corpus for those who load it: README.md for Hugging Face, croissant.json
    #[command(after_help = commands::card::EXAMPLES)]
    Card(commands::card::Arguments),
    /// Find words in a corpus, with their context
    #[command(after_help = crate::concord::CONCORD_EXAMPLES)]
    Concord(commands::concord::Arguments),
    /// Count a corpus: documents, sentences, words, types, years, yields; frequency lists, keywords, collocations, dispersion
    #[command(after_help = crate::stats::options::STATS_EXAMPLES)]
    Stats(commands::stats::Arguments),
    /// Make a list of stop words from a corpus or from plain text
    #[command(after_help = crate::stoplist::options::STOPLIST_EXAMPLES)]
    Stoplist(commands::stoplist::Arguments),
    /// Write what later builds need to drop what this corpus holds (`build --against`)
    #[command(after_help = commands::index::EXAMPLES)]
    Index(commands::index::Arguments),
    /// Compare two snapshots: which pages are the same, changed, moved, new or gone
    #[command(after_help = commands::compare::EXAMPLES)]
    Compare(commands::compare::Arguments),
    /// List the languages that are identified, with their codes and names
    #[command(after_help = commands::languages::EXAMPLES)]
    Languages(commands::languages::Arguments),
    /// Print shell completions
    #[command(after_help = commands::completions::EXAMPLES)]
    Completions(commands::completions::Arguments),
    /// Write manual pages, one for the program and one for each command
    #[command(after_help = commands::man::EXAMPLES)]
    Man(commands::man::Arguments),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let exit = match Arguments::try_parse() {
        Ok(arguments) => run(&arguments.command),
        Err(error) => answer(&error),
    };
    let exit = exit.unwrap_or_else(|error| match write_error(&error) {
        Some(failure) if failure.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Some(failure) => {
            commands::notify(format_args!("cannot write to standard output: {failure}"));
            Exit::Failed
        }
        None => {
            // An `Error` names its cause itself.
            match error.downcast_ref::<Error>() {
                Some(error) => commands::notify(error),
                None => commands::notify(format_args!("{error:#}")),
            }
            exit_of(&error)
        }
    });
    ExitCode::from(exit as u8)
}

/// Prints what clap answers in place of a command: help, the version, or what is wrong with the arguments.
fn answer(answer: &clap::Error) -> anyhow::Result<Exit> {
    match answer.print() {
        _ if answer.use_stderr() => Ok(Exit::Usage),
        printed => Ok(printed.map(|()| Exit::Done)?),
    }
}

fn run(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Build(arguments) => commands::build::run(arguments),
        Command::Plan(arguments) => commands::plan::run(arguments),
        Command::Task(arguments) => commands::task::run(arguments),
        Command::Slurm(arguments) => commands::slurm::run(arguments),
        Command::Status(arguments) => commands::status::run(arguments),
        Command::Config(arguments) => commands::config::run(arguments),
        Command::Show(arguments) => commands::show::run(arguments),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Inspect(arguments) => commands::inspect::run(arguments),
        Command::Tags(arguments) => commands::tags::run(arguments),
        Command::Clusters(arguments) => commands::clusters::run(arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Emit(arguments) => commands::emit::run(arguments),
        Command::Annotate(arguments) => commands::annotate::run(arguments),
        Command::Card(arguments) => commands::card::run(arguments),
        Command::Concord(arguments) => commands::concord::run(arguments),
        Command::Stats(arguments) => commands::stats::run(arguments),
        Command::Stoplist(arguments) => commands::stoplist::run(arguments),
        Command::Index(arguments) => commands::index::run(arguments),
        Command::Compare(arguments) => commands::compare::run(arguments),
        Command::Languages(arguments) => commands::languages::run(arguments),
        Command::Completions(arguments) => commands::completions::run(arguments, Arguments::command()),
        Command::Man(arguments) => commands::man::run(arguments, Arguments::command()),
    }
}

fn exit_of(error: &anyhow::Error) -> Exit {
    match error.downcast_ref::<Error>() {
        Some(Error::Usage(_)) => Exit::Usage,
        Some(Error::Interrupted) => Exit::Interrupted,
        _ => Exit::Failed,
    }
}

/// The error of writing to standard output. All others have a name: that of a file, or what was tried.
fn write_error(error: &anyhow::Error) -> Option<&io::Error> {
    error.downcast_ref().filter(|_| error.chain().len() == 1)
}
