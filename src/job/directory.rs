//! The output directory of a job: its plan and its saved configuration.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{env, fs, io};

use crate::config::{Config, is_complete};
use crate::emit;
use crate::error::{Error, Result};
use crate::job::directory_lock::{Access, DirectoryLock};
use crate::job::run::RunOptions;
use crate::job::settings::{change_formats, warn_of_card, write_config};
use crate::job::stored_text::fingerprint;
use crate::job::tokenizer::Gathered;
use crate::job::{inputs, memory, models, plan_selection, rules, stopwords, thresholds, tokenizer};
use crate::pipeline::Pipeline;
use crate::stages::emit::tagger::Tagger;
use crate::stages::emit::token_counts::TokenCounts;
use crate::stages::journal::Isolation;
use crate::stages::plan::{Plan, ReferenceIndex, STAGE_FORMAT};
use crate::stages::progress::Progress;
use crate::stages::{Job, reference};
use crate::store::archives::{Archives, STDIN, is_remote};
use crate::store::atomic::{self, AtomicFile};
use crate::store::layout::Layout;
use crate::store::tables::labels;

/// A job to plan.
pub struct Request {
    pub layout: Layout,
    pub config: Config,
    /// Archives, globs, folders, lists or URLs. If this and the selection are empty, only a resume is possible.
    pub inputs: Vec<String>,
    /// Folders of reference indexes.
    pub against: Vec<PathBuf>,
    /// Number of threads that the job will run with.
    pub threads: usize,
    /// Memory limit of the process in bytes; a limit that is too low is rejected before work starts.
    pub memory: Option<u64>,
    /// Resume the job of the directory with its saved plan; the inputs are not read again.
    pub resumes: bool,
    /// Discard the files of an earlier job in the directory.
    pub restart: bool,
    /// Refuse other settings for a finished corpus: no task follows that writes again what the change removes.
    pub keeps_finished: bool,
}

/// A planned job. Its directory stays locked until this value is dropped.
#[derive(Debug)]
pub struct Planned {
    pub plan: Plan,
    layout: Layout,
    config: Config,
    lock: DirectoryLock,
}

/// Opens a planned job; the lock of its directory is returned with it.
pub fn job(planned: Planned, options: &RunOptions) -> Result<(Job, DirectoryLock)> {
    let Planned { plan, layout, config, lock } = planned;
    Ok((Job::new(layout, config, plan, options, Access::Alone)?, lock))
}

/// Checks or creates the output directory and its plan. A job never overwrites a different earlier job, and no file is
/// removed before every check has passed. A new directory of a refused job is removed again.
pub fn plan(request: Request) -> Result<Planned> {
    request.config.check_tagged_columns(&request.config.output.formats)?;
    request.config.check_effects()?;
    if let Some(hidden) = request.config.hidden_tags(&request.config.output.formats) {
        tracing::warn!("{hidden}; the table paragraphs has the tags");
    }
    // A job is resumed from any folder, with the files that it was planned with.
    let directory = if request.resumes { Plan::read(&request.layout)?.directory } else { PathBuf::new() };
    let config = models::gather(thresholds::gather(request.config, request.resumes)?, &directory)?;
    let (config, tokens) = tokenizer::gather(config)?;
    let request = Request { config, ..request };
    let against = request.against.iter().map(|folder| ReferenceIndex::new(folder)).collect::<Result<Vec<_>>>()?;
    let layout = request.layout.clone();
    let is_new = !layout.root().exists();
    refuse_foreign(&layout)?;
    let lock = DirectoryLock::acquire(&layout, Access::Alone)?;
    match plan_in(request, against, &tokens, &lock) {
        Ok((plan, config)) => Ok(Planned { plan, layout, config, lock }),
        Err(error) => {
            // The refusal is what the user has to know.
            let _ = lock.sweep(&layout);
            let _ = if is_new { lock.discard(&layout) } else { Ok(()) };
            Err(error)
        }
    }
}

/// [`plan`] in a locked directory.
fn plan_in(
    request: Request,
    against: Vec<ReferenceIndex>,
    tokens: &Gathered,
    lock: &DirectoryLock,
) -> Result<(Plan, Config)> {
    let Request { layout, config, inputs, threads, memory, resumes, restart, keeps_finished, .. } = request;
    lock.sweep(&layout)?;
    let begun = if restart { None } else { job_to_continue(&layout)? };
    if let Some((plan, saved)) = &begun {
        let differences = config.before_emit().differences(&saved.before_emit());
        refuse(&layout, "with another configuration", &differences)?;
        if resumes {
            let is_moved = !against.is_empty();
            let plan = resumed(&layout, plan, against)?;
            memory::sort_space(memory, threads, &config, &plan)?;
            change_formats(&layout, &plan, saved, &config, tokens, keeps_finished)?;
            // Tasks that other processes run look for the indexes where `--against` says that they are now.
            is_moved.then(|| plan.write(&layout)).transpose()?;
            return Ok((plan, config));
        }
    } else if resumes || inputs.is_empty() && config.select.index.is_empty() {
        return Err(without_inputs(&layout, restart));
    }
    let references = reference::open(&against, &config)?;
    if begun.is_none() {
        warn_of_name(&references, &config.output.name);
    }
    let directory = env::current_dir().map_err(Error::io("find", Path::new(".")))?;
    let archives = Archives::new(config.archives(), &layout, &directory);
    let locations =
        if inputs.is_empty() { Vec::new() } else { inputs::expand(&inputs, &archives, &config.remote.prefix)? };
    refuse_own(&layout, &archives, &locations, &against)?;
    let stdin = match locations.iter().any(|location| location == STDIN) {
        true => inputs::save_stdin(&layout, begun.is_none())?,
        false => None,
    };
    let archives = stdin.iter().cloned().fold(archives, Archives::with_stdin);
    let gathered = match config.select.index.is_empty() {
        true => None,
        false => Some(plan_selection::gather(&layout, &config, locations.clone(), &archives)?),
    };
    let mut plan = match &gathered {
        Some(gathered) => Plan::of_selection(gathered, &config, &directory),
        None => Plan::new(&locations, &config, &directory, &archives)?,
    };
    plan.references = against;
    let (rules, stopwords) = (rules::gather(&config.clean.rules)?, stopwords::gather(&config.clean.stoplist)?);
    plan.rules = rules.as_deref().map(fingerprint);
    plan.stopwords = stopwords.as_deref().map(fingerprint);
    memory::sort_space(memory, threads, &config, &plan)?;
    let begun = begun.map(|(before, saved)| (before.with_addresses_of(&plan), saved));
    if let Some((before, saved)) = &begun {
        refuse(&layout, "of other inputs", &before.differences(&plan))?;
        change_formats(&layout, before, saved, &config, tokens, keeps_finished)?;
    } else {
        clear(&layout, &config).and_then(|()| tokens.keep(&layout))?;
        write_config(&layout, &config)?;
    }
    stdin.map_or(Ok(()), |saved| inputs::keep_stdin(&layout, &saved))?;
    // Written even if the job has the same rows already, because the stored ones may be damaged.
    gathered.map_or(Ok(()), |gathered| gathered.keep(&layout))?;
    rules.map_or(Ok(()), |rules| atomic::write(&layout.rules(), rules))?;
    stopwords.map_or(Ok(()), |words| atomic::write(&layout.stoplist(), words))?;
    // The folders on the command line win: indexes may have moved since the job was planned.
    let references = plan.references.clone();
    let plan = begun.map_or(plan, |(before, _)| Plan { references, ..before });
    plan.write(&layout)?;
    Ok((plan, config))
}

/// Refuses to plan a job without inputs.
fn without_inputs(layout: &Layout, restart: bool) -> Error {
    let root = layout.root().display();
    Error::Usage(match restart {
        true => format!("--restart needs the inputs: it discards the job in {root}"),
        false => format!("{root} holds no plan to resume; give the inputs"),
    })
}

/// The saved plan. The folders of reference indexes on the command line win: they may have moved since it was made.
fn resumed(layout: &Layout, plan: &Plan, against: Vec<ReferenceIndex>) -> Result<Plan> {
    let other = !against.is_empty() && against != plan.references;
    refuse(layout, "against other corpora", if other { &["--against"] } else { &[] })?;
    let references = if against.is_empty() { plan.references.clone() } else { against };
    Ok(Plan { references, ..plan.clone() })
}

/// The job in the directory, if this version can continue it.
fn job_to_continue(layout: &Layout) -> Result<Option<(Plan, Config)>> {
    if layout.plan().exists() {
        Plan::read(layout)?.check_format(layout)?;
    }
    saved_job(layout)
}

/// Plan and configuration of the job in the directory; `None` if it holds no plan.
fn saved_job(layout: &Layout) -> Result<Option<(Plan, Config)>> {
    if !layout.plan().exists() {
        return Ok(None);
    }
    let (plan, config) = (Plan::read(layout)?, saved_config(layout, &[])?);
    if plan.format == STAGE_FORMAT && plan.configuration != config.before_emit().fingerprint() {
        let path = layout.job();
        return Err(Error::Usage(format!(
            "{}: changed since the job was planned; restore it, or start again with --restart",
            path.display()
        )));
    }
    Ok(Some((plan, config)))
}

/// Tells of an index whose corpus has the name of this one: no later job can use the indexes of both.
fn warn_of_name(references: &[reference::ReferenceCorpus], name: &str) {
    if let Some(same) = references.iter().find(|reference| reference.header.name == name) {
        tracing::warn!(
            "{} is of a corpus that is named {name}, too: a later job is refused if it needs an index of both; give this \
             corpus another output.name",
            same.index.root().display()
        );
    }
}

/// Access to the archives of the job in a directory, with its saved settings.
pub fn archives(layout: &Layout) -> Result<Archives> {
    Ok(Archives::new(saved_config(layout, &[])?.archives(), layout, &Plan::read(layout)?.directory))
}

/// Opens the job whose plan the directory holds. With [`Access::ReadOnly`], rules, stop words, models and reference indexes
/// may be missing.
pub fn open(layout: Layout, options: &RunOptions, access: Access) -> Result<(Job, DirectoryLock)> {
    let (plan, config) = planned(&layout)?;
    if access != Access::ReadOnly {
        plan.check_format(&layout)?;
    }
    let lock = DirectoryLock::acquire(&layout, access)?;
    Ok((Job::new(layout, config, plan, options, access)?, lock))
}

/// Plan and configuration of the job in a directory.
///
/// # Errors
///
/// If there is none.
pub fn planned(layout: &Layout) -> Result<(Plan, Config)> {
    let root = layout.root().display();
    if !layout.root().is_dir() {
        let what = if layout.root().exists() { "is no directory" } else { "does not exist" };
        return Err(Error::Usage(format!("{root} {what}; give the directory of a corpus")));
    }
    let missing = || match layout.lock().exists() {
        true => Error::Usage(format!("{root} holds no plan; make one: warcorpus plan")),
        false => Error::Usage(format!("{root} is no directory of warcorpus; give the directory of a corpus")),
    };
    saved_job(layout)?.ok_or_else(missing)
}

/// What was opened for a job. Who only reads its tables, which hold all results, does without what is missing by now.
fn needed<T: Default>(opened: Result<T>, access: Access) -> Result<T> {
    if access == Access::ReadOnly { Ok(opened.unwrap_or_default()) } else { opened }
}

/// The configuration of the job in a directory, overridden by `sets` (`key.path=value`), with the columns that `annotate`
/// joined to the corpus.
pub fn saved_config(layout: &Layout, sets: &[String]) -> Result<Config> {
    let path = layout.job();
    let none = || Error::Usage(format!("{} holds no job of warcorpus", layout.root().display()));
    let text = atomic::read(&path)?.ok_or_else(none)?;
    // Before the second version of the files, its last line was a setting.
    if !is_complete(&text) && Plan::read(layout).is_ok_and(|plan| plan.format > 1) {
        return Err(Error::damaged(&path, "its last line is missing, so it was cut off: restore the file"));
    }
    Ok(Config::load_for(Some((&path.display().to_string(), &text)), sets, labels::columns_of(layout)?)?)
}

impl Job {
    fn new(layout: Layout, config: Config, plan: Plan, options: &RunOptions, access: Access) -> Result<Job> {
        let progress = Arc::new(Progress::new(options.progress));
        let archives = Archives::new(config.archives(), &layout, &plan.directory);
        let emit_settings = config.fingerprint() + &labels::digest_of(&layout)?;
        let references = needed(reference::open(&plan.references, &config), access)?;
        let rules = needed(rules::open(&layout, plan.rules.as_deref()), access)?;
        let stopwords = needed(stopwords::open(&layout, plan.stopwords.as_deref()), access)?;
        let language_model = needed(models::language(&config, &plan.directory), access)?;
        let pipeline = Pipeline::new(config.pipeline_options(rules, stopwords, language_model));
        let mut sort_space = memory::sort_space(options.memory, options.threads, &config, &plan)?;
        sort_space.scratch.clone_from(&options.scratch);
        // A folder that cannot be used is known before work starts.
        if let Some(scratch) = &options.scratch {
            refuse_missing_parent(scratch)?;
            drop(AtomicFile::create(&scratch.join("warcorpus"))?);
        }
        Ok(Job {
            tagger: Tagger::of(&config.emit, &plan.directory),
            token_counts: TokenCounts::new(&config.output.tokenizer, &layout),
            quality: config.recipe()?,
            models: needed(models::documents(&config, &plan.directory), access)?,
            archives,
            pipeline,
            layout,
            config,
            emit_settings,
            plan,
            references,
            sort_space,
            // A task that fails cancels the others of this run, not the caller.
            cancel: options.cancel.child(),
            progress,
            isolation: Isolation::default(),
            with_words: OnceLock::new(),
        })
    }
}

/// Refuses a folder for files of sorting below one that is missing: a disk that is not mounted, or a name that is mistyped.
fn refuse_missing_parent(scratch: &Path) -> Result<()> {
    let above = scratch.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if above.is_dir() {
        return Ok(());
    }
    Err(Error::Usage(format!("--scratch {}: there is no folder {}", scratch.display(), above.display())))
}

/// Refuses a job that differs from the one in the directory; `what` completes "holds a job …".
fn refuse(layout: &Layout, what: &str, differences: &[impl AsRef<str>]) -> Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    let differences: Vec<&str> = differences.iter().map(AsRef::as_ref).collect();
    let (root, differences) = (layout.root().display(), differences.join("; "));
    Err(Error::Usage(format!("{root} holds a job {what} ({differences}); choose another --out, or --restart")))
}

/// Refuses a path that cannot be a directory: a file, a link to nothing or what would lie in a file.
pub fn refuse_file(root: &Path) -> Result<()> {
    let is_file = match fs::symlink_metadata(root) {
        Ok(_) => !root.is_dir(),
        Err(error) => error.kind() == io::ErrorKind::NotADirectory,
    };
    if is_file {
        return Err(Error::Usage(format!("{} is no directory; choose another --out", root.display())));
    }
    Ok(())
}

/// Refuses a folder that is not empty and is no output directory of a job: it has neither a lock file, which copies may lack, nor a
/// plan.
fn refuse_foreign(layout: &Layout) -> Result<()> {
    let root = layout.root();
    refuse_file(root)?;
    if !root.exists() {
        return atomic::create_folder(root);
    }
    let mut entries = fs::read_dir(root).map_err(Error::io("list", root))?;
    let is_job = layout.lock().exists() || layout.plan().exists() && layout.job().exists();
    if is_job || entries.next().is_none() {
        return Ok(());
    }
    let root = root.display();
    Err(Error::Usage(format!("{root} is not empty and no corpus of warcorpus; choose another --out")))
}

/// Refuses inputs inside the output directory, because a restart removes its files.
fn refuse_own(layout: &Layout, archives: &Archives, locations: &[String], against: &[ReferenceIndex]) -> Result<()> {
    let root = fs::canonicalize(layout.root()).map_err(Error::io("find", layout.root()))?;
    for location in locations.iter().filter(|location| *location != STDIN && !is_remote(location)) {
        if fs::canonicalize(archives.path(location)).is_ok_and(|path| path.starts_with(&root)) {
            return Err(Error::Usage(format!("{location} lies in the output directory; choose another --out")));
        }
    }
    if let Some(index) = against.iter().find(|index| index.folder.starts_with(&root)) {
        let folder = index.folder.display();
        return Err(Error::Usage(format!("{folder} lies in the output directory; choose another --out")));
    }
    Ok(())
}

/// Removes the files of an earlier job and nothing else. A stored tokenizer stays if the new configuration names it.
fn clear(layout: &Layout, config: &Config) -> Result<()> {
    layout.root_files().iter().try_for_each(|file| atomic::remove(file))?;
    tokenizer::remove_others(layout, config)?;
    warn_of_card(layout);
    layout.folders(&emit::folders()).iter().try_for_each(|f| atomic::remove_folder(f))
}
