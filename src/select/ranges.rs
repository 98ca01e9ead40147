//! Joins neighbouring records into the ranges of a file that are read in one piece.

use std::ops::Range;

/// A range of a file that is read in one piece, and the records in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRange {
    /// File offsets of the first byte and of the byte after the last.
    pub range: Range<u64>,
    /// Offset and length of each record.
    pub records: Vec<(u64, u64)>,
}

/// Joins records (offset, length) that are at most `gap` bytes apart into ranges of at most `most` bytes.
///
/// A longer record has a range of its own. The input should be sorted by offset, then length; equal neighbours count
/// once, and a record out of order begins a new range.
pub fn coalesce(sorted: impl Iterator<Item = (u64, u64)>, gap: u64, most: u64) -> impl Iterator<Item = ReadRange> {
    let mut last = None;
    let mut sorted = sorted.filter(move |record| last.replace(*record) != Some(*record)).peekable();
    std::iter::from_fn(move || {
        let first = sorted.next()?;
        let mut run = ReadRange { range: range(first), records: vec![first] };
        while let Some(record) = sorted.next_if(|record| fits(&run.range, range(*record), gap, most)) {
            run.range.end = run.range.end.max(range(record).end);
            run.records.push(record);
        }
        Some(run)
    })
}

fn range((offset, length): (u64, u64)) -> Range<u64> {
    offset..offset.saturating_add(length)
}

fn fits(run: &Range<u64>, next: Range<u64>, gap: u64, most: u64) -> bool {
    next.start >= run.start && next.start <= run.end.saturating_add(gap) && run.end.max(next.end) - run.start <= most
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn runs(records: &[(u64, u64)], gap: u64, most: u64) -> Vec<(Range<u64>, usize)> {
        coalesce(records.iter().copied(), gap, most).map(|run| (run.range, run.records.len())).collect()
    }

    #[test]
    fn neighbours_join() {
        let records = [(0, 10), (10, 10), (25, 5), (31, 4), (31, 4)];
        assert_eq!(runs(&records, 5, 100), [(0..35, 4)]);
        assert_eq!(runs(&records, 0, 100), [(0..20, 2), (25..30, 1), (31..35, 1)]);
        assert_eq!(runs(&records, 5, 20), [(0..20, 2), (25..35, 2)]);
        assert_eq!(runs(&records, 5, 3).len(), 4);
    }

    #[test]
    fn overlaps_and_extremes() {
        assert_eq!(runs(&[(0, 100), (10, 5), (20, 90)], 0, 200), [(0..110, 3)]);
        assert_eq!(runs(&[(0, 100), (10, 5), (20, 90)], 0, 100), [(0..100, 2), (20..110, 1)]);
        assert_eq!(runs(&[(5, u64::MAX), (u64::MAX, 9)], u64::MAX, u64::MAX), [(5..u64::MAX, 2)]);
        assert_eq!(runs(&[(50, 5), (10, 5)], 100, 100), [(50..55, 1), (10..15, 1)]);
        assert_eq!(runs(&[], 0, 0), []);
    }

    proptest! {
        #[test]
        fn every_record_is_in_one_run(
            mut records in prop::collection::vec((0u64..300, 0u64..40), 0..40), gap in 0u64..30, most in 0u64..120,
        ) {
            records.sort_unstable();
            let runs: Vec<ReadRange> = coalesce(records.iter().copied(), gap, most).collect();
            let read: Vec<(u64, u64)> = runs.iter().flat_map(|run| run.records.clone()).collect();
            records.dedup();
            prop_assert_eq!(&read, &records);
            for run in &runs {
                prop_assert_eq!(run.range.start, run.records[0].0);
                prop_assert_eq!(run.range.end, run.records.iter().map(|(o, l)| o + l).max().unwrap());
                prop_assert!(run.range.end - run.range.start <= most || run.records.len() == 1);
                let mut end = run.range.start;
                for (offset, length) in &run.records {
                    prop_assert!(*offset <= end + gap);
                    end = end.max(offset + length);
                }
            }
            // Nothing that could be joined is apart.
            for pair in runs.windows(2) {
                let (a, b) = (&pair[0].range, range(pair[1].records[0]));
                prop_assert!(b.start > a.end + gap || a.end.max(b.end) - a.start > most);
            }
        }
    }
}
