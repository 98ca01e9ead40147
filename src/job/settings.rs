//! The settings of a job, written into its output directory, and changed while its plan stays.

use crate::config::{Config, PiiMode};
use crate::emit::{FORMATS, OutputFormat};
use crate::error::{Error, Result};
use crate::job::tokenizer::{self, Gathered};
use crate::stages::emit::format_files;
use crate::stages::plan::Plan;
use crate::store::archives::write_with_addresses;
use crate::store::layout::Layout;
use crate::store::{atomic, incomplete};

/// Writes the configuration of a job, with all defaults.
pub(super) fn write_config(layout: &Layout, config: &Config) -> Result<()> {
    let addresses = [&config.remote.prefix, &config.remote.settings.endpoint];
    write_with_addresses(&layout.job(), &config.to_commented_toml(), addresses.into_iter())
}

/// Changes settings of a job that only `emit` and `report` read; their tasks run again, since their markers name other
/// settings. Until then the directory holds no finished corpus.
///
/// # Errors
/// [`Error::Usage`] if the intermediate files were removed: the tasks of all stages would have to run again.
pub(super) fn change_formats(
    layout: &Layout,
    plan: &Plan,
    saved: &Config,
    config: &Config,
    tokens: &Gathered,
) -> Result<()> {
    let differences = config.differences(saved);
    if !differences.is_empty() && layout.is_finished_without_work() {
        let (root, differences) = (layout.root().display(), differences.join("; "));
        return Err(Error::Usage(format!(
            "{root} is finished and its work/ was removed, so its settings cannot change ({differences}); write further \
             formats with `warcorpus emit`, choose another --out, or --restart"
        )));
    }
    // Again even if it is the same, because the stored file may be damaged.
    tokens.keep(layout)?;
    if differences.is_empty() {
        return Ok(());
    }
    tracing::info!("the output is written again: {}", differences.join("; "));
    warn_of_loss(saved, config);
    atomic::remove(&layout.stats())?;
    ["signals", "pii"].into_iter().try_for_each(|table| atomic::remove_folder(&layout.root().join(table)))?;
    let (before, after) = (&saved.output, &config.output);
    let stays = |format: &OutputFormat| before.name == after.name && after.formats.contains(format);
    let (stay, go): (Vec<OutputFormat>, Vec<OutputFormat>) = before.formats.iter().partition(|format| stays(format));
    format_files::remove_others(config, &stay, layout, plan.shards.len() as u32)?;
    // What `emit` wrote later shows what was decided then.
    let decides = saved.quality != config.quality || saved.pii != config.pii || saved.near != config.near;
    let foreign = FORMATS.iter().filter(|format| decides && !before.formats.contains(format));
    if decides {
        incomplete::end_formats(layout)?;
    }
    for format in go.iter().chain(foreign) {
        for folder in std::iter::once(format.folder).chain(format.job_file.map(|file| file.folder)) {
            atomic::remove_folder(&layout.root().join(folder))?;
        }
    }
    warn_of_card(layout);
    write_config(layout, config)?;
    tokenizer::remove_others(layout, config)
}

/// Tells what a change of settings takes away: formats that are no longer listed, and the masks of personal data.
fn warn_of_loss(before: &Config, after: &Config) {
    let masked = |config: &Config| match config.pii.mode {
        PiiMode::Mask => config.pii.kinds.clone(),
        PiiMode::Annotate => Vec::new(),
    };
    let masks = masked(after);
    let removed = before.output.formats.iter().filter(|format| !after.output.formats.contains(format));
    let removed: Vec<&str> = removed.map(|format| format.name).collect();
    let unmasked: Vec<&str> =
        masked(before).into_iter().filter(|kind| !masks.contains(kind)).map(|kind| kind.name()).collect();
    if !removed.is_empty() {
        let removed = removed.join(", ");
        tracing::warn!("files of formats are removed that output.formats no longer lists: {removed}");
    }
    if !unmasked.is_empty() {
        tracing::warn!("personal data is no longer masked: {}", unmasked.join(", "));
    }
}

/// Tells that the card of a corpus, which its owner may have edited, is that of what was there before.
pub fn warn_of_card(layout: &Layout) {
    if layout.card().iter().any(|path| path.exists()) {
        let root = layout.root().display();
        tracing::warn!(
            "README.md and croissant.json in {root} describe the earlier output; `warcorpus card --force` makes them again"
        );
    }
}
