//! What became of all pages: counts by status, by language and by month.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::Serialize;

use super::change::{MatchedBy, PageChange, PageStatus};
use crate::emit::dates;

/// Pages of one status, and the characters of their content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PageCounts {
    pub pages: u64,
    pub characters_a: u64,
    pub characters_b: u64,
}

impl AddAssign for PageCounts {
    fn add_assign(&mut self, other: PageCounts) {
        self.pages += other.pages;
        self.characters_a += other.characters_a;
        self.characters_b += other.characters_b;
    }
}

/// The pages of a host, a language or a month.
pub type CountsByStatus = BTreeMap<PageStatus, PageCounts>;

/// The comparison of two snapshots in numbers.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    pub statuses: CountsByStatus,
    /// Pages of both snapshots by what they were matched by.
    pub matched_by: BTreeMap<MatchedBy, u64>,
    /// Paragraphs of pages that both snapshots have.
    pub paragraphs_same: u64,
    pub paragraphs_added: u64,
    pub paragraphs_removed: u64,
    pub paragraphs_moved: u64,
    /// By language of the page in the newer snapshot; of pages that are gone, in the older one.
    pub languages: BTreeMap<String, CountsByStatus>,
    /// By month of the capture (`2024-05`) in the newer snapshot; of pages that are gone, in the older one.
    pub months: BTreeMap<String, CountsByStatus>,
}

impl Summary {
    pub fn add(&mut self, row: &PageChange) {
        let counts = PageCounts { pages: 1, characters_a: row.characters_a, characters_b: row.characters_b };
        let levels = [
            &mut self.statuses,
            self.languages.entry(row.language.to_string()).or_default(),
            self.months.entry(month(row.captured_b.or(row.captured_a))).or_default(),
        ];
        for level in levels {
            *level.entry(row.status).or_default() += counts;
        }
        if let Some(matched_by) = row.matched_by {
            *self.matched_by.entry(matched_by).or_default() += 1;
            self.paragraphs_same += u64::from(row.paragraphs_same);
            self.paragraphs_added += u64::from(row.paragraphs_added);
            self.paragraphs_removed += u64::from(row.paragraphs_removed);
            self.paragraphs_moved += u64::from(row.paragraphs_moved);
        }
    }

    /// Pages of a status.
    pub fn pages(&self, status: PageStatus) -> u64 {
        self.statuses.get(&status).map_or(0, |counts| counts.pages)
    }

    /// Pages of all statuses but `without`: with [`PageStatus::Gone`] those of the newer snapshot, with
    /// [`PageStatus::New`] those of the older one.
    pub fn pages_without(&self, without: PageStatus) -> u64 {
        PageStatus::ALL.iter().filter(|status| **status != without).map(|status| self.pages(*status)).sum()
    }
}

/// Year and month of a time in microseconds; empty if there is none.
fn month(captured: Option<i64>) -> String {
    captured.and_then(|time| dates::format_time(time, "%Y-%m")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_once_on_each_level() {
        let mut summary = Summary::default();
        let row =
            |status, captured| PageChange { status, captured_b: captured, characters_b: 5, ..PageChange::default() };
        summary.add(&row(PageStatus::New, Some(1_714_566_605_000_000)));
        summary.add(&row(PageStatus::Same, None));
        summary.add(&PageChange { status: PageStatus::Gone, captured_a: Some(0), ..PageChange::default() });
        assert_eq!((summary.pages_without(PageStatus::Gone), summary.pages_without(PageStatus::New)), (2, 2));
        assert_eq!(summary.months.keys().collect::<Vec<_>>(), ["", "1970-01", "2024-05"]);
        assert_eq!(summary.statuses[&PageStatus::New], PageCounts { pages: 1, characters_a: 0, characters_b: 5 });
    }
}
