//! The memory of tasks. A memory limit is kept by giving sorting less memory; a limit that is too low even so is
//! rejected before work starts.

use indicatif::HumanBytes;

use crate::config::Config;
use crate::emit::OutputFormat;
use crate::error::{Error, Result};
use crate::stages::plan::Plan;
use crate::store::archives::is_remote;
use crate::store::spill::SortSpace;
use crate::text::counted;

/// Bytes of the program independent of tasks: among others the language table (11 MB), and the word lists for Japanese,
/// Chinese and Thai, loaded with the first such page (20 MB).
pub const PROGRAM: u64 = 88 << 20;
/// Bytes of one task apart from page copies and sorting: unfinished tables, and the parsed form of a page.
const TASK: u64 = 64 << 20;
/// Bytes that a task takes with pages and a shard of typical size.
pub const USUAL_TASK: u64 = 64 << 20;
/// Copies of a page in memory at the same time: its record, its payload and its text.
const COPIES_OF_A_PAGE: u64 = 3;
/// Bytes in memory for each byte of a page's text while it is judged and its formats are written, if every byte is a token: its
/// rows, ranges of tokens, signals, and the lines of the formats. Measured on pages of short paragraphs.
fn memory_of_a_text_byte(config: &Config) -> u64 {
    const ROWS: u64 = 24;
    const SIGNALS: u64 = 10;
    const PERSONAL_DATA: u64 = 4;
    const MARKDOWN: u64 = 6;
    let of_format = |format: &OutputFormat| format.memory_per_byte;
    let markdown = config.jsonl.markdown || config.parquet.columns.iter().any(|column| column == "markdown");
    let further = [
        (SIGNALS, !config.quality.signals.is_empty() || !config.quality.rules.is_empty()),
        (PERSONAL_DATA, !config.pii.kinds.is_empty()),
        (MARKDOWN, markdown),
    ];
    let further = further.into_iter().filter(|(_, wanted)| *wanted).map(|(bytes, _)| bytes);
    ROWS + config.output.formats.iter().map(of_format).chain(further).sum::<u64>()
}

/// Spill files that a task writes, and merges that it reads, at the same time.
const WRITERS: u64 = 4;
const MERGES: u64 = 2;
/// Lower bound of the average compressed size of a document, in bytes.
const LEAST_DOCUMENT: u64 = 2000;

/// The least sort memory of a task; with less, sorting would make too many runs.
const LEAST: SortSpace = SortSpace { run: 1 << 20, merge: 1 << 20, scratch: None };

/// The sort memory of each task if `threads` tasks together are to stay below `ceiling` bytes; the default without a
/// ceiling.
///
/// # Errors
/// [`Error::Usage`] if even the least sort memory exceeds the ceiling.
pub fn sort_space(ceiling: Option<u64>, threads: usize, config: &Config, plan: &Plan) -> Result<SortSpace> {
    let Some(ceiling) = ceiling else { return Ok(SortSpace::default()) };
    let needs = Needs::of(threads, config, plan);
    let least = needs.least();
    if ceiling < least {
        return Err(Error::Usage(format!(
            "--memory {} is too low: {} {} {} ({} for the program{}, and {} a thread for the largest pages that \
             [limits] allows); allow more, set fewer threads, or lower limits.record_bytes, limits.payload_bytes and \
             limits.text_bytes",
            HumanBytes(ceiling),
            counted(needs.threads as usize, "thread"),
            if needs.threads == 1 { "needs" } else { "need" },
            HumanBytes(least),
            HumanBytes(PROGRAM),
            if needs.remote > 0 { format!(", {} for remote.memory", HumanBytes(needs.remote)) } else { String::new() },
            HumanBytes(needs.of_a_thread()),
        )));
    }
    let free =
        (ceiling.saturating_sub(needs.common) / needs.threads).saturating_sub(TASK.saturating_add(needs.largest));
    let merges = needs.merges;
    let default = SortSpace::default();
    // Runs get most of the free memory, because a task has more of them than merges.
    let run = (free / (WRITERS + 1)).clamp(LEAST.run as u64, default.run as u64) as usize;
    let merge = (free / (WRITERS + 1) / merges).clamp(LEAST.merge as u64, default.merge as u64) as usize;
    Ok(SortSpace { run, merge, scratch: None })
}

/// The least `--memory` that a job accepts, in bytes: what it can take with the largest pages that its limits allow.
pub fn least(threads: usize, config: &Config, plan: &Plan) -> u64 {
    Needs::of(threads, config, plan).least()
}

/// What a job needs at the same time; sizes in bytes. Users choose limits, threads and `remote.memory`: a sum that is too
/// large for its type is the largest number of the type.
struct Needs {
    threads: u64,
    /// Downloads and caches.
    remote: u64,
    /// All that does not depend on the number of threads.
    common: u64,
    /// Merges that a task reads.
    merges: u64,
    /// The largest page.
    largest: u64,
}

impl Needs {
    fn of(threads: usize, config: &Config, plan: &Plan) -> Needs {
        let remote = plan.inputs.iter().any(|input| is_remote(&input.location));
        let remote = if remote { config.remote.settings.memory } else { 0 };
        let limits = &config.limits;
        // A page is read in one stage and its text written in another.
        let read = limits.record_bytes.max(limits.payload_bytes as u64).saturating_mul(COPIES_OF_A_PAGE);
        let written = (limits.text_bytes as u64).saturating_mul(memory_of_a_text_byte(config));
        Needs {
            threads: threads.max(1) as u64,
            remote,
            common: (PROGRAM + clustering(plan.bytes() / LEAST_DOCUMENT)).saturating_add(remote),
            merges: MERGES + plan.references.len() as u64,
            largest: read.max(written),
        }
    }

    /// Bytes of a thread with the least sort memory.
    fn of_a_thread(&self) -> u64 {
        (TASK + WRITERS * LEAST.run as u64 + self.merges * LEAST.merge as u64).saturating_add(self.largest)
    }

    /// Bytes of all, in whole MiB, as the figure is told.
    fn least(&self) -> u64 {
        let all = self.common.saturating_add(self.threads.saturating_mul(self.of_a_thread()));
        all.checked_next_multiple_of(1 << 20).unwrap_or(u64::MAX)
    }
}

/// Bytes that clustering holds in memory: two bits per document.
pub fn clustering(documents: u64) -> u64 {
    documents.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::stages::plan::{Input, Shard};
    use crate::store::archives::Archives;
    use crate::store::layout::Layout;

    /// A plan of 2 GB: a million documents by the lower bound of their size.
    fn plan() -> Plan {
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let mut plan = Plan::new(&[], &Config::default(), Path::new(""), &archives).unwrap();
        plan.shards.push(Shard { input: 0, start: 0, end: 2_000_000_000, bytes: 2_000_000_000, records: 0 });
        plan
    }

    fn of(ceiling: u64, threads: usize) -> Result<SortSpace> {
        sort_space(Some(ceiling), threads, &Config::default(), &plan())
    }

    #[test]
    fn a_ceiling_is_kept_or_refused() {
        assert_eq!(sort_space(None, 2, &Config::default(), &plan()).unwrap(), SortSpace::default());
        assert_eq!(of(8 << 30, 2).unwrap(), SortSpace::default());
        let error = of(500 << 20, 2).unwrap_err().to_string();
        assert!(error.contains("too low: 2 threads need ") && error.contains("fewer threads"), "{error}");
        let error = of(100 << 20, 1).unwrap_err().to_string();
        assert!(error.contains("too low: 1 thread needs "), "{error}");
        assert!(of(600 << 20, 2).is_err());
        for ceiling in [900u64 << 20, 1 << 30, 2 << 30] {
            let memory = of(ceiling, 2).unwrap();
            let sorting = WRITERS * memory.run as u64 + MERGES * memory.merge as u64;
            let all = PROGRAM + clustering(1_000_000) + 2 * (TASK + (288 << 20) + sorting);
            assert!(all <= ceiling, "{all} of {ceiling}");
        }
        assert!(of(900 << 20, 2).is_ok_and(|memory| memory.run < SortSpace::default().run));
    }

    /// The figures of README.md, docs/faq.md, docs/usage.md and docs/scaling.md.
    #[test]
    fn the_least_ceiling_is_the_documented_one() {
        let (config, mut plan) = (Config::default(), plan());
        assert_eq!([1, 2, 4].map(|threads| least(threads, &config, &plan) >> 20), [447, 447 + 358, 447 + 3 * 358]);
        plan.inputs.push(Input {
            location: "https://a.example/1.warc.gz".into(),
            bytes: 1,
            fingerprint: String::new(),
        });
        assert_eq!(least(1, &config, &plan) >> 20, 447 + 256);
    }

    /// At these settings a page of short paragraphs took 507, 489, 579 and 787 MiB.
    #[test]
    fn formats_and_signals_need_memory() {
        let least = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
            least(1, &Config::load(None, &sets).unwrap(), &plan()) >> 20
        };
        assert!(least(&["output.formats=vertical,conllu"]) >= 507);
        assert!(least(&["quality.signals=basic,gopher,readability,c4,fineweb,dolma"]) >= 489);
        let formats = "output.formats=vertical,jsonl,tei,conllu,text,parquet";
        assert!(least(&[formats]) >= 579);
        let all = [formats, "quality.signals=basic", "pii.kinds=email", "pii.mode=mask", "jsonl.markdown=true"];
        assert!(least(&all) >= 787);
    }

    #[test]
    fn no_limit_is_so_large_that_it_counts_for_little() {
        let mut config = Config::default();
        config.limits.text_bytes = usize::MAX;
        for ceiling in [8 << 30, u64::MAX - 1] {
            assert!(sort_space(Some(ceiling), 2, &config, &plan()).is_err());
        }
        config.limits.record_bytes = u64::MAX;
        assert_eq!(least(usize::MAX, &config, &plan()), u64::MAX);
        assert!(sort_space(Some(u64::MAX), usize::MAX, &config, &plan()).is_ok());
    }
}
