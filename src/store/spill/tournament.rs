//! The order of the first rows of several sorted runs.

/// The first rows of runs, as a tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1): the first of all rows
/// is known, and the one that replaces it is compared with one row on each level of the tree.
pub struct Tournament<R> {
    /// The first row of each run; `None` at its end.
    rows: Vec<Option<R>>,
    /// At each inner node the run that lost there. The root is node 1, and run `i` is a leaf below node `(rows + i) / 2`.
    losers: Vec<usize>,
    winner: usize,
}

impl<R: Copy + Ord> Tournament<R> {
    /// Begins with the first rows of the runs.
    pub fn new(rows: Vec<Option<R>>) -> Tournament<R> {
        let runs = rows.len();
        let mut tournament = Tournament { rows, losers: vec![0; runs], winner: 0 };
        let mut winners: Vec<usize> = vec![0; runs];
        winners.extend(0..runs);
        for node in (1..runs).rev() {
            let at = |child: usize| winners.get(child).copied().unwrap_or_default();
            let (mut winner, mut loser) = (at(2 * node), at(2 * node + 1));
            if tournament.is_before(loser, winner) {
                std::mem::swap(&mut winner, &mut loser);
            }
            winners.get_mut(node).into_iter().for_each(|place| *place = winner);
            tournament.losers.get_mut(node).into_iter().for_each(|place| *place = loser);
        }
        tournament.winner = winners.get(1).copied().unwrap_or_default();
        tournament
    }

    /// The first of all rows, and the number of its run.
    pub fn first(&self) -> Option<(R, usize)> {
        let row = self.rows.get(self.winner).copied().flatten()?;
        Some((row, self.winner))
    }

    /// Replaces the first row by the one that follows it in its run.
    pub fn replace(&mut self, next: Option<R>) {
        let mut winner = self.winner;
        let Some(row) = self.rows.get_mut(winner) else { return };
        *row = next;
        let mut node = (self.rows.len() + winner) / 2;
        while node > 0 {
            let Some(&loser) = self.losers.get(node) else { return };
            if self.is_before(loser, winner) {
                self.losers.get_mut(node).into_iter().for_each(|place| *place = winner);
                winner = loser;
            }
            node /= 2;
        }
        self.winner = winner;
    }

    fn is_before(&self, one: usize, other: usize) -> bool {
        match (self.rows.get(one).copied().flatten(), self.rows.get(other).copied().flatten()) {
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
