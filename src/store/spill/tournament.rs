//! The order of the first rows of several sorted runs.

/// The first rows of runs, as a tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1): the first of all rows
/// is known, and the one that replaces it is compared with one row on each level of the tree. The nodes hold the rows
/// themselves, so that each comparison reads one place.
pub struct Tournament<R> {
    /// At each inner node the first row of the run that lost there. The root is node 1, and run `i` is a leaf below node
    /// `(losers + i) / 2`.
    losers: Vec<FirstRow<R>>,
    winner: Option<FirstRow<R>>,
}

/// The first row of a run, `None` at its end, and the number of the run.
#[derive(Clone, Copy)]
struct FirstRow<R> {
    row: Option<R>,
    run: usize,
}

impl<R: Copy + Ord> Tournament<R> {
    /// Begins with the first rows of the runs.
    pub fn new(rows: Vec<Option<R>>) -> Tournament<R> {
        let runs = rows.len();
        let mut losers = vec![FirstRow { row: None, run: 0 }; runs];
        let mut winners = losers.clone();
        winners.extend(rows.into_iter().enumerate().map(|(run, row)| FirstRow { row, run }));
        for node in (1..runs).rev() {
            let Some((&one, &other)) = winners.get(2 * node).zip(winners.get(2 * node + 1)) else { continue };
            let (winner, loser) = if other.is_before(&one) { (other, one) } else { (one, other) };
            winners.get_mut(node).into_iter().for_each(|place| *place = winner);
            losers.get_mut(node).into_iter().for_each(|place| *place = loser);
        }
        Tournament { losers, winner: winners.get(1).copied() }
    }

    /// The first of all rows, and the number of its run.
    pub fn first(&self) -> Option<(R, usize)> {
        let FirstRow { row, run } = self.winner?;
        Some((row?, run))
    }

    /// Replaces the first row by the one that follows it in its run.
    pub fn replace(&mut self, next: Option<R>) {
        let Some(winner) = &mut self.winner else { return };
        winner.row = next;
        let mut node = (self.losers.len() + winner.run) / 2;
        while let Some(loser) = self.losers.get_mut(node).filter(|_| node > 0) {
            if loser.is_before(winner) {
                std::mem::swap(loser, winner);
            }
            node /= 2;
        }
    }
}

impl<R: Ord> FirstRow<R> {
    fn is_before(&self, other: &FirstRow<R>) -> bool {
        match (&self.row, &other.row) {
            (Some(one), Some(other)) => one < other,
            (one, _) => one.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_are_merged(mut runs in prop::collection::vec(prop::collection::vec(0u32..30, 0..12), 0..9)) {
            runs.iter_mut().for_each(|run| run.sort_unstable_by(|a, b| b.cmp(a)));
            let mut want: Vec<u32> = runs.iter().flatten().copied().collect();
            want.sort_unstable();
            let mut tournament = Tournament::new(runs.iter_mut().map(Vec::pop).collect());
            let mut got = Vec::new();
            while let Some((row, run)) = tournament.first() {
                got.push(row);
                tournament.replace(runs[run].pop());
            }
            prop_assert_eq!(got, want);
        }
    }
}
