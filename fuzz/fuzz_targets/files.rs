//! Damaged files of a job: rows, spills, markers, plans and job files are refused with an error, never with a panic.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use warcorpus::document::{Document, Paragraph};
use warcorpus::stages::census::OccurrenceRow;
use warcorpus::stages::content::PageSummary;
use warcorpus::stages::counters::Counters;
use warcorpus::stages::plan::Plan;
use warcorpus::store::marker::Marker;
use warcorpus::store::rows;
use warcorpus::store::spill::{self, SortMemory};
use warcorpus::store::tables;

/// The file that is read, in memory where there is such a folder.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = if Path::new("/dev/shm").is_dir() { PathBuf::from("/dev/shm") } else { std::env::temp_dir() };
    folder.join(format!("warcorpus-fuzz-{}", std::process::id()))
});

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    std::fs::write(&*FILE, bytes).expect("the file can be written");
    match kind % 7 {
        0 => drop(rows::Reader::<Document>::open(&FILE).map(|rows| rows.take(1000).count())),
        1 => drop(rows::Reader::<Vec<Paragraph>>::open(&FILE).map(|rows| rows.take(1000).count())),
        2 => {
            let Ok(mut pages) = rows::Reader::<PageSummary>::open(&FILE) else { return };
            let mut numbers = Vec::new();
            while let Ok(Some(_)) = pages.with_numbers(&mut numbers) {}
        }
        3 => drop(spill::merge::<OccurrenceRow>(&[FILE.clone()], 0, &SortMemory::default()).map(|rows| rows.take(1000).count())),
        4 => drop(tables::Reader::<Document>::open(&FILE).map(|rows| rows.take(1000).count())),
        5 => drop(Marker::<Counters>::read(&FILE)),
        _ => drop(serde_json::from_slice::<Plan>(bytes)),
    }
});
