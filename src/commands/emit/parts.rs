//! How the documents of a corpus are dealt to files: a file for each shard, or files of some bytes of text.

use std::ops::Range;

/// A file of each format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub number: u32,
    pub stretches: Vec<Stretch>,
}

/// Consecutive documents of a shard: those whose text begins in a range of the bytes of all text of the shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    pub shard: u32,
    pub bytes: Range<u64>,
}

impl Part {
    /// The file of a whole shard.
    pub fn of_shard(shard: u32) -> Part {
        Part { number: shard, stretches: vec![Stretch { shard, bytes: 0..u64::MAX }] }
    }
}

/// Files of `bytes` bytes of text each but for the last one, from the bytes of text of each shard. A document stands in
/// the file in whose bytes it begins.
pub fn of_bytes(shards: &[u64], bytes: u64) -> Vec<Part> {
    let mut parts = vec![Part { number: 0, stretches: Vec::new() }];
    let mut filled = 0;
    for (shard, &size) in (0..).zip(shards) {
        let mut begin = 0;
        while size - begin > bytes - filled {
            let end = begin + (bytes - filled);
            push(&mut parts, Stretch { shard, bytes: begin..end });
            parts.push(Part { number: parts.len() as u32, stretches: Vec::new() });
            (begin, filled) = (end, 0);
        }
        push(&mut parts, Stretch { shard, bytes: begin..u64::MAX });
        filled += size - begin;
    }
    parts
}

fn push(parts: &mut [Part], stretch: Stretch) {
    if let Some(part) = parts.last_mut().filter(|_| !stretch.bytes.is_empty()) {
        part.stretches.push(stretch);
    }
}

/// Runs for each thread. More of them divide the work better, but each begins with the documents of its first shard that
/// belong to the run before.
const RUNS_OF_A_THREAD: usize = 4;

/// Consecutive files that are written in one pass through the shards that they are of. A shard begins a run, unless a file
/// continues into it; the files of a large shard are divided among the threads.
pub fn runs(parts: &[Part], threads: usize) -> Vec<&[Part]> {
    let most = parts.len().div_ceil(threads.saturating_mul(RUNS_OF_A_THREAD).max(1)).max(1);
    let first_shard = |part: &Part| part.stretches.first().map(|stretch| stretch.shard);
    parts.chunk_by(|a, b| first_shard(a) == first_shard(b)).flat_map(|of_shard| of_shard.chunks(most)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shards_are_joined_and_cut() {
        let parts = of_bytes(&[40, 30, 250, 0, 10], 100);
        let stretch = |shard, begin, end| Stretch { shard, bytes: begin..end };
        let stretches: Vec<_> = parts.iter().map(|part| part.stretches.clone()).collect();
        assert_eq!(
            stretches,
            [
                vec![stretch(0, 0, u64::MAX), stretch(1, 0, u64::MAX), stretch(2, 0, 30)],
                vec![stretch(2, 30, 130)],
                vec![stretch(2, 130, 230)],
                vec![stretch(2, 230, u64::MAX), stretch(3, 0, u64::MAX), stretch(4, 0, u64::MAX)],
            ]
        );
        assert!(parts.iter().zip(0..).all(|(part, number)| part.number == number));
        assert_eq!(of_bytes(&[], 100).len(), 1);
    }

    /// The shards that are opened for runs of files, with the bytes from which on each is needed.
    fn opened(runs: &[&[Part]]) -> Vec<(u32, u64)> {
        let mut opened = Vec::new();
        for run in runs {
            let mut shard = None;
            for stretch in run.iter().flat_map(|part| &part.stretches) {
                if shard.replace(stretch.shard) != Some(stretch.shard) {
                    opened.push((stretch.shard, stretch.bytes.start));
                }
            }
        }
        opened
    }

    #[test]
    fn a_shard_is_read_a_few_times_however_many_files_it_has() {
        let parts = of_bytes(&[10_000, 30, 250], 100);
        assert_eq!(opened(&runs(&parts, 1)), [(0, 0), (0, 2600), (0, 5200), (0, 7800), (1, 0), (2, 0), (2, 70)]);
        assert_eq!(opened(&runs(&of_bytes(&[40, 50, 60], 1000), 8)), [(0, 0), (1, 0), (2, 0)]);
        let shards: Vec<Part> = (0..3).map(Part::of_shard).collect();
        assert_eq!(runs(&shards, 1).len(), 3);
        for (sizes, bytes, threads) in [(vec![100_000], 10, 2), (vec![5000, 0, 70_000, 3], 7, 3), (vec![], 5, 1)] {
            let parts = of_bytes(&sizes, bytes);
            let runs = runs(&parts, threads);
            assert!(opened(&runs).len() <= threads * RUNS_OF_A_THREAD + 2 * sizes.len(), "{sizes:?}");
            assert!(runs.concat() == parts, "{sizes:?}");
        }
    }

    proptest! {
        #[test]
        fn every_document_stands_in_one_file(
            shards in prop::collection::vec(prop::collection::vec(0u64..60, 0..9), 0..9),
            bytes in 1u64..200,
        ) {
            let sizes: Vec<u64> = shards.iter().map(|documents| documents.iter().sum()).collect();
            let parts = of_bytes(&sizes, bytes);
            let mut seen = Vec::new();
            for part in &parts {
                for stretch in &part.stretches {
                    let mut begin = 0;
                    for (document, size) in shards[stretch.shard as usize].iter().enumerate() {
                        if stretch.bytes.contains(&begin) {
                            seen.push((stretch.shard, document));
                        }
                        begin += size;
                    }
                }
            }
            let all = (0..).zip(&shards).flat_map(|(shard, documents)| (0..documents.len()).map(move |d| (shard, d)));
            prop_assert!(seen.into_iter().eq(all));
        }
    }
}
