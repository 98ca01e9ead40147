//! Makes plans: opens the inputs and cuts them into shards. A plan depends on the inputs and the configuration, not on
//! the machine.

use std::path::Path;

use rayon::prelude::*;

use crate::archive::Bytes;
use crate::archive_index::SelectionCounts;
use crate::config::Config;
use crate::error::Result;
use crate::job::plan_selection::Gathered;
use crate::stages::plan::{Input, MOST_RANGES, Plan, STAGE_FORMAT, Shard};
use crate::store::archives::Archives;
use crate::threads;

/// Number of key ranges for `bytes` of compressed input: enough that all cores have work, then one per 4 GB (up to
/// 4 TB), in which some 60 MB of band keys and a gigabyte of n-grams meet.
fn key_ranges(bytes: u64) -> u32 {
    let few = bytes.div_ceil(32 << 20).min(64);
    few.max(bytes >> 32).clamp(1, MOST_RANGES.into()) as u32
}

/// Number of shards whose spill files are joined into one: as many as one merge can read in pieces that suit a disk.
const GROUP: u32 = 256;

impl Plan {
    /// Plans all records of the archives.
    pub fn new(locations: &[String], config: &Config, directory: &Path, archives: &Archives) -> Result<Plan> {
        let inputs = inputs(locations, archives)?;
        let size = shard_size(config, inputs.iter().map(|input| input.bytes).sum());
        let shards = inputs.iter().enumerate().flat_map(|(i, input)| split(i as u32, input.bytes, size)).collect();
        Ok(Plan::of(config, directory, inputs, shards, None))
    }

    /// Plans the records of a selection.
    pub fn of_selection(gathered: &Gathered, config: &Config, directory: &Path) -> Plan {
        let selection = Some(gathered.selection.clone());
        Plan::of(config, directory, gathered.inputs.clone(), gathered.shards.clone(), selection)
    }

    fn of(
        config: &Config,
        directory: &Path,
        inputs: Vec<Input>,
        shards: Vec<Shard>,
        selection: Option<SelectionCounts>,
    ) -> Plan {
        let bytes = shards.iter().fold(0, |sum: u64, shard| sum.saturating_add(shard.bytes));
        let ranges = key_ranges(bytes);
        let (version, configuration) = (env!("CARGO_PKG_VERSION").into(), config.before_emit().fingerprint());
        let directory = directory.into();
        Plan {
            version,
            format: STAGE_FORMAT,
            configuration,
            directory,
            inputs,
            shards,
            ranges,
            group: GROUP,
            references: Vec::new(),
            rules: None,
            stopwords: None,
            selection,
        }
    }
}

impl Input {
    fn new(location: &str, archives: &Archives) -> Result<Input> {
        let file = archives.open(location)?;
        Ok(Input { location: location.into(), bytes: file.len(), fingerprint: file.fingerprint()? })
    }
}

/// Opens all archives. Remote ones are opened in parallel to hide the latency of servers.
pub fn inputs(locations: &[String], archives: &Archives) -> Result<Vec<Input>> {
    let open = || locations.par_iter().map(|location| Input::new(location, archives)).collect();
    threads::pool(archives.parallel())?.install(open)
}

/// Bytes of a shard that is not too small: each costs some ten milliseconds and thirty files, whatever is in it.
const SHARD: u64 = 4 << 20;

/// Target size of a shard in bytes: `plan.shard_bytes`, or a 64th of the input `total`, at most 256 MiB. Inputs of up
/// to 128 MiB are cut into fewer shards, of at most 4 MiB; their number is a power of two, of which many numbers of threads
/// get equal shares.
pub fn shard_size(config: &Config, total: u64) -> u64 {
    match config.plan.shard_bytes {
        0 => total.div_ceil(total.div_ceil(SHARD).next_power_of_two().min(64)).clamp(1, 256 << 20),
        size => size,
    }
}

/// Cuts an input of `bytes` bytes into shards of at most `size` bytes; an empty file has one empty shard.
fn split(input: u32, bytes: u64, size: u64) -> Vec<Shard> {
    let count = bytes.div_ceil(size).max(1);
    let at = |i: u64| (u128::from(bytes) * u128::from(i) / u128::from(count)) as u64;
    let shard = |start, end| Shard { input, start, end, bytes: end - start, records: 0 };
    (0..count).map(|i| shard(at(i), at(i + 1))).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::store::layout::Layout;

    #[test]
    fn shards_cover_a_file() {
        for bytes in [0, 1, 99, 100, 101, 1000, 12_345] {
            let shards = split(0, bytes, 100);
            assert_eq!((shards[0].start, shards[shards.len() - 1].end), (0, bytes));
            assert!(shards.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(shards.iter().all(|s| s.end - s.start <= 100));
        }
    }

    #[test]
    fn small_inputs_have_few_shards() {
        let config = Config::default();
        let shards = |mebibytes: u64| split(0, mebibytes << 20, shard_size(&config, mebibytes << 20)).len();
        assert_eq!([0, 1, 4, 5, 8, 9, 43].map(shards), [1, 1, 1, 2, 2, 4, 16]);
        assert_eq!([200, 1000, 64 << 8, 1 << 20].map(shards), [64, 64, 64, 4096]);
    }

    #[test]
    fn a_changed_input_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.warc");
        fs::write(&path, b"WARC/1.0").unwrap();
        let (location, config) = (path.display().to_string(), Config::default());
        let archives = Archives::new(config.archives(), &Layout::new("out"), Path::new(""));
        let plan = || Plan::new(std::slice::from_ref(&location), &config, Path::new(""), &archives).unwrap();
        let before = plan();
        assert!(before.differences(&plan()).is_empty());
        fs::write(&path, b"WARC/1.1").unwrap();
        assert!(before.differences(&plan())[0].ends_with("has changed"));
    }
}
