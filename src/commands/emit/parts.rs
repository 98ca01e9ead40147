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
