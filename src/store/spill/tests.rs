use std::path::PathBuf;

use super::*;
use crate::error::Result;
use proptest::prelude::*;

spill_row! {
    pub struct Pair {
        pub key: u64,
        pub owner: u32,
    }
}

fn pair(key: u64, owner: u32) -> Pair {
    Pair { key, owner }
}

proptest! {
    /// Whatever the number of files and runs, a merge is the sorted list of what was written.
    #[test]
    fn merge_equals_sort(
        rows in prop::collection::vec((0u32..5, 0u64..50, 0u32..4), 0..400),
        files in 1usize..4,
        run in 1usize..2000,
        merge_bytes in 1usize..40_000,
        elsewhere: bool,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let scratch = tempfile::tempdir_in(other_file_system()).unwrap();
        let space = SortSpace { run, merge: merge_bytes, scratch: elsewhere.then(|| scratch.path().into()) };
        let paths: Vec<PathBuf> = (0..files).map(|i| dir.path().join(i.to_string())).collect();
        for (i, path) in paths.iter().enumerate() {
            let mut writer = Writer::create(path, 5, &space).unwrap();
            for &(p, a, b) in rows.iter().skip(i).step_by(files) {
                writer.push(p, pair(a, b)).unwrap();
            }
            writer.finish().unwrap();
        }
        for partition in 0..5 {
            let got: Vec<Pair> = merge(&paths, partition, &space).unwrap().map(Result::unwrap).collect();
            let mut want: Vec<Pair> = rows.iter().filter(|r| r.0 == partition).map(|r| pair(r.1, r.2)).collect();
            want.sort_unstable();
            prop_assert_eq!(got, want);
        }
        prop_assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
    }
}

/// A folder that is on another file system than temporary files, where the system has one.
fn other_file_system() -> PathBuf {
    Some(PathBuf::from("/dev/shm")).filter(|folder| folder.is_dir()).unwrap_or_else(std::env::temp_dir)
}

#[test]
fn a_cut_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("spill");
    let mut writer = Writer::create(&path, 2, &SortSpace::default()).unwrap();
    writer.push(0, pair(1, 2)).unwrap();
    writer.finish().unwrap();
    let whole = std::fs::read(&path).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(merge::<Pair>(std::slice::from_ref(&path), 0, &SortSpace::default()).is_err(), "{length} bytes");
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("spill");
    let mut writer = Writer::create(&path, 2, &SortSpace { run: 100, merge: 100, scratch: None }).unwrap();
    (0..9).for_each(|i| writer.push(1, pair(i, 2)).unwrap());
    writer.finish().unwrap();
    let whole = std::fs::read(&path).unwrap();
    let read = || -> Result<Vec<Pair>> {
        let files = std::slice::from_ref(&path);
        merge(files, 0, &SortSpace::default())?.chain(merge(files, 1, &SortSpace::default())?).collect()
    };
    assert_eq!(read().unwrap().len(), 9);
    // The magic at the beginning is for people.
    for at in MAGIC.len()..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        assert!(read().is_err(), "byte {at}");
    }
}

proptest! {
    /// A joined file holds in each partition what its sources hold there, in one run.
    #[test]
    fn join_equals_its_sources(
        rows in prop::collection::vec((0u32..5, 0u64..50, 0u32..4), 0..400),
        files in 1usize..4,
        run in 1usize..2000,
        buffers in 1usize..40_000,
    ) {
        let space = SortSpace { run, merge: 4096, scratch: None };
        let dir = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..files).map(|i| dir.path().join(i.to_string())).collect();
        for (i, path) in paths.iter().enumerate() {
            let mut writer = Writer::create(path, 5, &space).unwrap();
            rows.iter().skip(i).step_by(files).for_each(|&(p, a, b)| writer.push(p, pair(a, b)).unwrap());
            writer.finish().unwrap();
        }
        let joined = dir.path().join("joined");
        let count = join::<Pair>(&paths, &joined, &SortSpace { run: buffers, merge: 1, scratch: None }, || Ok(())).unwrap();
        prop_assert_eq!(count as usize, rows.len());
        prop_assert_eq!(merge::Footer::read::<Pair>(&joined).unwrap().runs, 1);
        let of = |files: &[PathBuf], partition| -> Vec<Pair> {
            merge(files, partition, &space).unwrap().map(Result::unwrap).collect()
        };
        for partition in 0..5 {
            prop_assert_eq!(of(std::slice::from_ref(&joined), partition), of(&paths, partition));
        }
        prop_assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), files + 1);
    }

    /// A file of one run holds the same rows as one of many.
    #[test]
    fn ordered_writers_agree(rows in prop::collection::vec((0u64..50, 0u32..4), 0..400), run in 1usize..2000) {
        let space = SortSpace { run, merge: 4096, scratch: None };
        let dir = tempfile::tempdir().unwrap();
        let paths = [false, true].map(|single| dir.path().join(single.to_string()));
        for (path, single) in paths.iter().zip([false, true]) {
            let mut writer = OrderedWriter::create(path, 6, |pair: &Pair| pair.key as u32 / 10, single, &space).unwrap();
            rows.iter().for_each(|&(a, b)| writer.push(pair(a, b)).unwrap());
            prop_assert_eq!(writer.finish().unwrap() as usize, rows.len());
        }
        for partition in 0..6 {
            let of = |path| merge::<Pair>(std::slice::from_ref(path), partition, &space).unwrap().map(Result::unwrap);
            prop_assert_eq!(of(&paths[0]).collect::<Vec<_>>(), of(&paths[1]).collect::<Vec<_>>());
        }
        prop_assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}

#[test]
fn a_join_notices_every_changed_byte() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("spill");
    let mut writer = Writer::create(&path, 2, &SortSpace { run: 100, merge: 100, scratch: None }).unwrap();
    (0..9).for_each(|i| writer.push(i as u32 % 2, pair(i, 2)).unwrap());
    writer.finish().unwrap();
    let whole = std::fs::read(&path).unwrap();
    let join = || {
        let files = std::slice::from_ref(&path);
        join::<Pair>(files, &dir.path().join("joined"), &SortSpace::default(), || Ok(()))
    };
    assert_eq!(join().unwrap(), 9);
    // The magic at the beginning is for people.
    for at in MAGIC.len()..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        assert!(join().is_err(), "byte {at}");
    }
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(join().is_err(), "{length} bytes");
    }
}

#[test]
fn a_join_ends_when_it_is_told_to() {
    let dir = tempfile::tempdir().unwrap();
    let (path, joined) = (dir.path().join("spill"), dir.path().join("joined"));
    let mut writer = Writer::create(&path, 2, &SortSpace::default()).unwrap();
    writer.push(0, pair(1, 2)).unwrap();
    writer.finish().unwrap();
    let stop = || Err(crate::error::Error::Interrupted);
    assert!(join::<Pair>(std::slice::from_ref(&path), &joined, &SortSpace::default(), stop).is_err());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}
