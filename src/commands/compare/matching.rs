//! Finds the pages of one snapshot in the other. Everything that must meet is sorted on disk, so that memory holds a few
//! bits of each document.

use std::path::PathBuf;

use super::side::Side;
use crate::compare::{LEAST_SIMILARITY, MatchedBy, PageState, banding};
use crate::dedup::representatives::DocumentSet;
use crate::error::Result;
use crate::store::spill::{SortSpace, Writer, merge, spill_row};
use crate::threads::CancelToken;

spill_row! {
    /// A document under a key. Of one key and side the last capture comes first.
    struct KeyRow {
        key: u128,
        /// 0 for the older snapshot, 1 for the newer one.
        side: u32,
        /// The time of capture, so that later ones are smaller.
        age: u64,
        /// `u64::MAX` minus the key of the document.
        from_end: u64,
    }
}

impl KeyRow {
    fn doc(&self) -> u64 {
        u64::MAX - self.from_end
    }
}

spill_row! {
    /// Documents of both snapshots that share a band key.
    struct CandidateRow {
        a: u64,
        b: u64,
    }
}

spill_row! {
    /// Similar documents. The most similar come first, and of those the ones of one domain, and of those the ones whose
    /// addresses have the longest end in common.
    struct SimilarRow {
        /// 10⁶ minus the similarity in millionths.
        distance: u32,
        other_domain: u32,
        /// `u32::MAX` minus the bytes that both addresses end with.
        other_end: u32,
        a: u64,
        b: u64,
    }
}

spill_row! {
    /// A page of both snapshots, in the order of the newer one.
    pub struct PairRow {
        pub b: u64,
        pub a: u64,
        /// A [`MatchedBy`].
        pub matched_by: u32,
    }
}

/// Documents of a side under one band key that are compared with those of the other side.
const MOST_OF_BUCKET: usize = 32;

/// Two snapshots, and which of their documents are taken.
pub struct Matcher<'a> {
    sides: [&'a Side; 2],
    /// Documents of each side that were found in the other, that a later capture of their address replaces, or that do
    /// not count.
    taken: [DocumentSet; 2],
    /// Those of them that are no pages: a later capture replaces them, or they do not count.
    replaced: [DocumentSet; 2],
    /// Documents of each side that are pages: the last captures.
    pages: [u64; 2],
    captures: [u64; 2],
    pairs: Writer<PairRow>,
    folder: PathBuf,
    space: SortSpace,
    cancel: &'a CancelToken,
}

/// Pages that both snapshots have.
pub struct Matches {
    /// [`PairRow`]s in one partition.
    pub pairs: PathBuf,
    /// Documents of each side that are no pages of their own or have a pair.
    pub taken: [DocumentSet; 2],
    /// Number of pages of each side.
    pub pages: [u64; 2],
    /// Number of documents that count of each side.
    pub captures: [u64; 2],
}

impl<'a> Matcher<'a> {
    pub fn new(sides: [&'a Side; 2], folder: PathBuf, cancel: &'a CancelToken) -> Result<Matcher<'a>> {
        let space = SortSpace::default();
        let pairs = Writer::create(&folder.join("pairs"), 1, &space)?;
        let [taken, replaced] =
            [(); 2].map(|()| sides.map(|side| DocumentSet::new(side.pages.documents.iter().copied())));
        Ok(Matcher { sides, taken, replaced, pages: [0; 2], captures: [0; 2], pairs, folder, space, cancel })
    }

    /// Finds all that can be found, the surest way first.
    pub fn run(mut self) -> Result<Matches> {
        self.by_address()?;
        // A key that pages have which are found already (one canonical address for a whole site, one title for all
        // galleries) tells nothing of the others. Of pages with one text those that are left are the same text still.
        let canonical = self.write_keys("keys", &self.replaced, |state| vec![state.declared_address()])?;
        self.by_key(MatchedBy::Canonical, canonical)?;
        let slugs = self.write_keys("keys", &self.replaced, |state| state.slug_and_title().into_iter().collect())?;
        self.by_key(MatchedBy::Slug, slugs)?;
        let texts = self.write_keys("keys", &self.taken, |state| state.text().into_iter().collect())?;
        self.by_key(MatchedBy::Text, texts)?;
        self.by_similarity()?;
        self.pairs.finish()?;
        let pairs = self.folder.join("pairs");
        Ok(Matches { pairs, taken: self.taken, pages: self.pages, captures: self.captures })
    }

    fn pair(&mut self, a: u64, b: u64, matched_by: MatchedBy) -> Result<()> {
        let [taken_a, taken_b] = &mut self.taken;
        taken_a.insert(a);
        taken_b.insert(b);
        self.pairs.push(0, PairRow { b, a, matched_by: matched_by as u32 })
    }

    /// Writes a row for each key of each document that is not `left_out`; the file.
    fn write_keys(
        &self,
        name: &str,
        left_out: &[DocumentSet; 2],
        keys: impl Fn(&PageState) -> Vec<u128>,
    ) -> Result<PathBuf> {
        let path = self.folder.join(name);
        let mut writer = Writer::create(&path, 1, &self.space)?;
        for (side, (snapshot, left_out)) in (0..).zip(self.sides.iter().zip(left_out)) {
            for doc in snapshot.documents().filter(|doc| !left_out.contains(*doc)) {
                self.cancel.check()?;
                let Some(state) = snapshot.state(doc)? else { continue };
                // Times before 1970 are negative.
                let age = u64::MAX - (state.captured.unwrap_or(i64::MIN) as u64 ^ 1 << 63);
                for key in keys(&state) {
                    writer.push(0, KeyRow { key, side, age, from_end: u64::MAX - doc })?;
                }
            }
        }
        writer.finish()?;
        Ok(path)
    }

    /// Pairs the last captures of equal addresses; earlier captures are taken by them.
    fn by_address(&mut self) -> Result<()> {
        let file = self.write_keys("addresses", &self.replaced, |state| vec![state.address()])?;
        self.take_those_that_do_not_count()?;
        let mut key = None;
        let mut last: [Option<u64>; 2] = [None; 2];
        for row in merge::<KeyRow>(&[file], 0, &self.space)? {
            let row = row?;
            self.cancel.check()?;
            if key.replace(row.key) != Some(row.key)
                && let [Some(a), Some(b)] = std::mem::take(&mut last)
            {
                self.pair(a, b, MatchedBy::Address)?;
            }
            let side = row.side as usize;
            let Some(last) = last.get_mut(side) else { continue };
            self.captures.get_mut(side).into_iter().for_each(|captures| *captures += 1);
            if last.is_some() {
                self.leave_out(side, row.doc());
            } else {
                *last = Some(row.doc());
                self.pages.get_mut(side).into_iter().for_each(|pages| *pages += 1);
            }
        }
        if let [Some(a), Some(b)] = last {
            self.pair(a, b, MatchedBy::Address)?;
        }
        Ok(())
    }

    fn take_those_that_do_not_count(&mut self) -> Result<()> {
        for (number, side) in self.sides.into_iter().enumerate().filter(|(_, side)| side.period.is_some()) {
            for doc in side.documents() {
                if side.state(doc)?.is_none() {
                    self.leave_out(number, doc);
                }
            }
        }
        Ok(())
    }

    /// Takes a document that is no page.
    fn leave_out(&mut self, side: usize, doc: u64) {
        for set in [&mut self.taken, &mut self.replaced].into_iter().filter_map(|sets| sets.get_mut(side)) {
            set.insert(doc);
        }
    }

    /// Pairs the documents under a key of the file that exactly one document of each side has, if neither is taken.
    fn by_key(&mut self, matched_by: MatchedBy, file: PathBuf) -> Result<()> {
        let mut group: Option<(u128, [OneOf; 2])> = None;
        for row in merge::<KeyRow>(&[file], 0, &self.space)? {
            let row = row?;
            self.cancel.check()?;
            if group.as_ref().is_none_or(|(key, _)| *key != row.key) {
                self.pair_if_unique(group.replace((row.key, Default::default())), matched_by)?;
            }
            let side = row.side as usize;
            let taken = self.taken.get(side).is_some_and(|taken| taken.contains(row.doc()));
            if let Some(found) = group.as_mut().and_then(|(_, sides)| sides.get_mut(side)) {
                found.add(row.doc(), taken);
            }
        }
        self.pair_if_unique(group, matched_by)
    }

    fn pair_if_unique(&mut self, group: Option<(u128, [OneOf; 2])>, matched_by: MatchedBy) -> Result<()> {
        match group {
            Some((_, [OneOf::One(a), OneOf::One(b)])) => self.pair(a, b, matched_by),
            _ => Ok(()),
        }
    }

    /// Pairs similar texts, the most similar first.
    fn by_similarity(&mut self) -> Result<()> {
        let candidates = self.candidates()?;
        let path = self.folder.join("similar");
        let mut writer = Writer::create(&path, 1, &self.space)?;
        let (mut last, mut state_a): (Option<CandidateRow>, Option<PageState>) = (None, None);
        for row in merge::<CandidateRow>(&[candidates], 0, &self.space)? {
            let row = row?;
            self.cancel.check()?;
            if last == Some(row) {
                continue;
            }
            let [a, b] = self.sides;
            if last.replace(row).is_none_or(|last| last.a != row.a) {
                state_a = a.state(row.a)?;
            }
            let (Some(state_a), Some(state_b)) = (&state_a, b.state(row.b)?) else { continue };
            let (Some(one), Some(other)) = (&state_a.signature, &state_b.signature) else { continue };
            let similarity = one.similarity(other);
            if similarity >= LEAST_SIMILARITY {
                let distance = ((1.0 - similarity) * 1e6) as u32;
                let other_domain = u32::from(state_a.domain() != state_b.domain());
                let same_end =
                    state_a.url.bytes().rev().zip(state_b.url.bytes().rev()).take_while(|(a, b)| a == b).count();
                let other_end = u32::MAX - same_end as u32;
                writer.push(0, SimilarRow { distance, other_domain, other_end, a: row.a, b: row.b })?;
            }
        }
        writer.finish()?;
        for row in merge::<SimilarRow>(&[path], 0, &self.space)? {
            let SimilarRow { a, b, .. } = row?;
            let [taken_a, taken_b] = &self.taken;
            if !taken_a.contains(a) && !taken_b.contains(b) {
                self.pair(a, b, MatchedBy::Similarity)?;
            }
        }
        Ok(())
    }

    /// Pairs of documents that share a band key.
    fn candidates(&self) -> Result<PathBuf> {
        let banding = banding();
        let keys = |state: &PageState| {
            let signature = state.signature.as_ref().into_iter();
            signature.flat_map(|signature| signature.band_keys(&banding).map(u128::from)).collect()
        };
        let file = self.write_keys("bands", &self.taken, keys)?;
        let path = self.folder.join("candidates");
        let mut writer = Writer::create(&path, 1, &self.space)?;
        let (mut key, mut older) = (None, Vec::with_capacity(MOST_OF_BUCKET));
        let mut newer = 0;
        for row in merge::<KeyRow>(&[file], 0, &self.space)? {
            let row = row?;
            self.cancel.check()?;
            if key.replace(row.key) != Some(row.key) {
                older.clear();
                newer = 0;
            }
            match row.side {
                0 if older.len() < MOST_OF_BUCKET => older.push(row.doc()),
                1 if newer < MOST_OF_BUCKET => {
                    newer += 1;
                    older.iter().try_for_each(|&a| writer.push(0, CandidateRow { a, b: row.doc() }))?;
                }
                _ => {}
            }
        }
        writer.finish()?;
        Ok(path)
    }
}

/// The documents of a side under a key, as far as it matters.
#[derive(Debug, Default, PartialEq)]
enum OneOf {
    #[default]
    None,
    One(u64),
    /// Several, or one that is taken.
    Other,
}

impl OneOf {
    fn add(&mut self, doc: u64, taken: bool) {
        *self = match self {
            OneOf::None if !taken => OneOf::One(doc),
            _ => OneOf::Other,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_neither_several_nor_one_that_is_taken() {
        let of = |documents: &[(u64, bool)]| {
            let mut one = OneOf::default();
            documents.iter().for_each(|&(doc, taken)| one.add(doc, taken));
            one
        };
        assert_eq!(of(&[(7, false)]), OneOf::One(7));
        for documents in [&[(7, true)][..], &[(7, false), (8, true)], &[(7, true), (8, false)]] {
            assert_eq!(of(documents), OneOf::Other, "{documents:?}");
        }
    }
}
