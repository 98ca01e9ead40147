//! How documents are distributed over hosts, domains and top-level domains: the largest, and how much the largest have.
//! Read from the final tables in bounded memory, because the number of hosts has no bound.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::document::DocumentHost;
use crate::error::Result;
use crate::stages::Job;
use crate::store::key_counts::{KeyCount, KeyCounter, MergedCounts, TopK};
use crate::store::tables;

/// Names that are listed.
const LISTED: usize = 30;
/// Memory in bytes for counting.
const MEMORY: usize = 32 << 20;

/// How documents are distributed over the names of a level.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Names that have documents, kept or not.
    pub names: u64,
    /// Those with the most kept documents, most first.
    pub largest: Vec<NameFigures>,
    /// Those with the most bytes of pages, most first.
    pub heaviest: Vec<NameFigures>,
    /// Rank r and the number of kept documents that the r largest have together, for ranks 1, 2, 5, 10, 20, 50 and so
    /// on, and for the last rank.
    pub curve: Vec<(u64, u64)>,
}

/// The documents of a host, a domain or a top-level domain.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NameFigures {
    pub name: String,
    /// Documents, kept or not.
    pub documents: u64,
    pub kept: u64,
    /// Words of the kept documents.
    pub words: u64,
    /// Bytes of all documents' pages, without content coding.
    pub payload_bytes: u64,
    /// Characters of the kept text.
    pub text_characters: u64,
}

/// The values of a name. Each is counted under a key of its own, of which this is the last byte.
const DOCUMENTS: u8 = b'd';
const KEPT: u8 = b'k';
const PAYLOAD: u8 = b'p';
const CHARACTERS: u8 = b't';
const WORDS: u8 = b'w';

/// Distributions over hosts, domains and top-level domains, in this order.
pub fn of_job(job: &Job) -> Result<[Distribution; 3]> {
    let folder = job.layout.work();
    let mut counter = KeyCounter::new(&folder, MEMORY);
    let mut key = Vec::new();
    for shard in job.shards() {
        for row in tables::Reader::<DocumentHost>::open(&job.layout.documents(shard))? {
            count(&row?, &mut counter, &mut key)?;
        }
        job.check_stop()?;
    }
    read(MergedCounts::new(counter.finish()?, &folder)?)
}

/// Counts a document under its names; `key` is a buffer.
fn count(row: &DocumentHost, counter: &mut KeyCounter, key: &mut Vec<u8>) -> Result<()> {
    for (level, name) in (0..).zip([&row.host, &row.domain, &row.tld]) {
        for (value, n) in values(row) {
            write_key(level, name, value, key);
            counter.add(key, KeyCount { count: n, documents: 0 });
        }
    }
    counter.spill_if_full()
}

/// What a document adds to its names. A key is left out where it would add nothing.
fn values(row: &DocumentHost) -> impl Iterator<Item = (u8, u64)> {
    let kept = u64::from(row.kept);
    let all = [
        (DOCUMENTS, 1),
        (KEPT, kept),
        (PAYLOAD, row.payload_bytes),
        (CHARACTERS, kept * u64::from(row.characters)),
        (WORDS, kept * u64::from(row.words)),
    ];
    all.into_iter().filter(|(_, n)| *n > 0)
}

/// ```text
/// key = level (one byte), the name, NUL, the value (one byte)
/// ```
/// A name has no NUL, so that the values of a name stand together.
fn write_key(level: u8, name: &str, value: u8, key: &mut Vec<u8>) {
    key.clear();
    key.push(level);
    key.extend(name.bytes().filter(|byte| *byte != 0));
    key.extend([0, value]);
}

fn read(mut merged: MergedCounts) -> Result<[Distribution; 3]> {
    let mut levels = [(); 3].map(|()| Gatherer::new());
    let mut current = (0, NameFigures::default());
    let mut settle = |(level, figures): (u8, NameFigures)| {
        if let Some(gatherer) = levels.get_mut(usize::from(level)).filter(|_| figures.documents > 0) {
            gatherer.add(figures);
        }
    };
    while let Some((key, count)) = merged.advance()? {
        let Some((&level, rest)) = key.split_first() else { continue };
        let [name @ .., 0, value] = rest else { continue };
        if (level, name) != (current.0, current.1.name.as_bytes()) {
            let name = String::from_utf8_lossy(name).into_owned();
            settle(std::mem::replace(&mut current, (level, NameFigures { name, ..NameFigures::default() })));
        }
        let figures = &mut current.1;
        match *value {
            DOCUMENTS => figures.documents = count.count,
            KEPT => figures.kept = count.count,
            PAYLOAD => figures.payload_bytes = count.count,
            CHARACTERS => figures.text_characters = count.count,
            _ => figures.words = count.count,
        }
    }
    settle(current);
    Ok(levels.map(Gatherer::finish))
}

/// A name behind what it is ranked by: two numbers, greatest first, then the name.
type Ranked = (u64, u64, Reverse<String>, NameFigures);

/// Gathers the names of a level, which come one by one.
struct Gatherer {
    names: u64,
    largest: TopK<Ranked>,
    heaviest: TopK<Ranked>,
    /// Number of names by their kept documents. Few sizes are distinct: N documents have less than √2N.
    sizes: BTreeMap<Reverse<u64>, u64>,
}

impl Gatherer {
    fn new() -> Gatherer {
        Gatherer { names: 0, largest: TopK::new(LISTED), heaviest: TopK::new(LISTED), sizes: BTreeMap::new() }
    }

    fn add(&mut self, figures: NameFigures) {
        self.names += 1;
        *self.sizes.entry(Reverse(figures.kept)).or_default() += 1;
        let name = || Reverse(figures.name.clone());
        self.heaviest.push((figures.payload_bytes, figures.documents, name(), figures.clone()));
        self.largest.push((figures.kept, figures.documents, name(), figures.clone()));
    }

    fn finish(self) -> Distribution {
        let listed = |top: TopK<Ranked>| top.into_sorted().into_iter().map(|(.., figures)| figures).collect();
        Distribution {
            names: self.names,
            curve: curve(&self.sizes, self.names),
            largest: listed(self.largest),
            heaviest: listed(self.heaviest),
        }
    }
}

/// The ranks 1, 2, 5, 10, 20, 50 and so on up to the last, each with the sum of the sizes up to it.
fn curve(sizes: &BTreeMap<Reverse<u64>, u64>, names: u64) -> Vec<(u64, u64)> {
    let round = (0..19).flat_map(|exponent| [1, 2, 5].map(|digit| digit * 10_u64.pow(exponent)));
    let mut ranks: Vec<u64> = round.take_while(|rank| *rank < names).collect();
    ranks.extend((names > 0).then_some(names));
    let mut points = Vec::new();
    let (mut before, mut sum) = (0, 0);
    let mut groups = sizes.iter().map(|(Reverse(size), count)| (*size, *count)).peekable();
    for rank in ranks {
        while let Some((size, count)) = groups.next_if(|(_, count)| before + count <= rank) {
            before += count;
            sum += size * count;
        }
        let part = groups.peek().map_or(0, |(size, _)| size * (rank - before));
        points.push((rank, sum + part));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(rows: &[DocumentHost], memory: usize) -> [Distribution; 3] {
        let folder = tempfile::tempdir().unwrap();
        let mut counter = KeyCounter::new(folder.path(), memory);
        let mut key = Vec::new();
        rows.iter().for_each(|row| count(row, &mut counter, &mut key).unwrap());
        read(MergedCounts::new(counter.finish().unwrap(), folder.path()).unwrap()).unwrap()
    }

    fn rows() -> Vec<DocumentHost> {
        (0..600_u32)
            .map(|number| DocumentHost {
                host: format!("h{}.example", (number + 1).ilog2().pow(2) % 40 + number % 7),
                domain: format!("d{}.example", number % 3),
                tld: if number == 5 { String::new() } else { "example".into() },
                kept: !number.is_multiple_of(4),
                words: number,
                characters: 5 * number,
                payload_bytes: u64::from(1000 - number),
            })
            .collect()
    }

    #[test]
    fn names_are_counted_as_in_a_map() {
        let rows = rows();
        let [hosts, domains, tlds] = counted(&rows, 1 << 20);
        let mut want: BTreeMap<&str, NameFigures> = BTreeMap::new();
        for row in &rows {
            let of = want.entry(&row.host).or_default();
            of.name.clone_from(&row.host);
            of.documents += 1;
            of.payload_bytes += row.payload_bytes;
            if row.kept {
                of.kept += 1;
                of.words += u64::from(row.words);
                of.text_characters += u64::from(row.characters);
            }
        }
        assert_eq!(hosts.names as usize, want.len());
        assert!(hosts.largest.iter().all(|figures| *figures == want[figures.name.as_str()]));
        let mut sizes: Vec<u64> = want.values().map(|of| of.kept).collect();
        sizes.sort_unstable_by_key(|size| Reverse(*size));
        assert!(hosts.largest.iter().map(|of| of.kept).eq(sizes.iter().copied().take(LISTED)));
        for (rank, sum) in &hosts.curve {
            assert_eq!(*sum, sizes.iter().take(*rank as usize).sum::<u64>(), "{rank}");
        }
        assert_eq!(hosts.curve.last(), Some(&(hosts.names, 450)));
        assert_eq!((domains.names, domains.curve.len()), (3, 3));
        assert_eq!(
            tlds.largest[1],
            NameFigures {
                documents: 1,
                kept: 1,
                words: 5,
                payload_bytes: 995,
                text_characters: 25,
                ..NameFigures::default()
            }
        );
    }

    #[test]
    fn memory_makes_no_difference() {
        assert_eq!(counted(&rows(), 0), counted(&rows(), 1 << 20));
        assert_eq!(counted(&[], 0), [(); 3].map(|()| Distribution::default()));
    }
}
