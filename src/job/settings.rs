//! The settings of a job, written into its output directory, and changed while its plan stays.

use std::path::PathBuf;

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
/// settings. Until then the directory holds no finished corpus, so `keeps_finished` refuses it for one.
///
/// # Errors
/// [`Error::Usage`] if the intermediate files were removed: the tasks of all stages would have to run again.
pub(super) fn change_formats(
    layout: &Layout,
    plan: &Plan,
    saved: &Config,
    config: &Config,
    tokens: &Gathered,
    keeps_finished: bool,
) -> Result<()> {
    let differences = config.differences(saved).join("; ");
    let root = layout.root().display();
    if !differences.is_empty() && layout.is_finished_without_work() {
        return Err(Error::Usage(format!(
            "{root} is finished and its work/ was removed, so its settings cannot change ({differences}); write further \
             formats with `warcorpus emit`, choose another --out, or --restart"
        )));
    }
    let (stay, removed) = outdated(layout, saved, config);
    if !differences.is_empty() && keeps_finished && layout.stats().exists() {
        let removed: Vec<_> =
            removed.iter().filter_map(|folder| folder.file_name()).map(|n| n.to_string_lossy()).collect();
        return Err(Error::Usage(format!(
            "{root} is finished, and these settings would take it out of use until tasks have written its output again \
             ({differences}): `warcorpus build` with the same arguments writes it, `plan --reopen` leaves it to array jobs; \
             both first remove {}",
            [&["stats.json".into()], &removed[..]].concat().join(", ")
        )));
    }
    // Again even if it is the same, because the stored file may be damaged.
    tokens.keep(layout)?;
    if differences.is_empty() {
        return Ok(());
    }
    tracing::info!("the output is written again: {differences}");
    warn_of_loss(layout, saved, config);
    atomic::remove(&layout.stats())?;
    format_files::remove_others(config, &stay, layout, plan.shards.len() as u32)?;
    if decides(saved, config) {
        incomplete::end_formats(layout)?;
    }
    removed.iter().try_for_each(|folder| atomic::remove_folder(folder))?;
    warn_of_card(layout);
    write_config(layout, config)?;
    tokenizer::remove_others(layout, config)
}

/// Whether settings differ that decide which documents a corpus has, or what is masked in them.
fn decides(saved: &Config, config: &Config) -> bool {
    saved.quality != config.quality || saved.pii != config.pii || saved.near != config.near
}

/// The formats of the job whose files are written over, and the folders of the directory that a change of settings removes.
fn outdated(layout: &Layout, saved: &Config, config: &Config) -> (Vec<OutputFormat>, Vec<PathBuf>) {
    let (before, after) = (&saved.output, &config.output);
    let stays = |format: &OutputFormat| before.name == after.name && after.formats.contains(format);
    let (stay, go): (Vec<OutputFormat>, Vec<OutputFormat>) = before.formats.iter().partition(|format| stays(format));
    // What `emit` wrote later shows what was decided then.
    let foreign = FORMATS.iter().filter(|format| decides(saved, config) && !before.formats.contains(format));
    let of_format = |format: &OutputFormat| [Some(format.folder), format.job_file.map(|file| file.folder)];
    let of_formats = go.iter().chain(foreign).flat_map(of_format).flatten();
    let folders = ["signals", "pii"].into_iter().chain(of_formats).map(|folder| layout.root().join(folder));
    (stay, folders.filter(|folder| folder.exists()).collect())
}

/// Tells what a change of settings takes away: formats that are no longer listed, and the masks of personal data.
fn warn_of_loss(layout: &Layout, before: &Config, after: &Config) {
    let masked = |config: &Config| match config.pii.mode {
        PiiMode::Mask => config.pii.kinds.clone(),
        PiiMode::Annotate => Vec::new(),
    };
    let masks = masked(after);
    let removed = before.output.formats.iter().filter(|format| !after.output.formats.contains(format));
    // A job that was only planned has no files.
    let removed = removed.filter(|format| layout.root().join(format.folder).exists());
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
