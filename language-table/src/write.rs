//! Rows → bytes of the table, as src/language/table.rs reads them.

use crate::counts::FIRST;
use crate::hash::{BUCKET, BUCKET_BYTES, LINE, MAPPED, RARE, SKIPPED, place};
use crate::rows::Rows;
use crate::script::{Letter, Script, letter};

/// Mean number of n-grams of a bucket.
const BUCKET_MEAN: u32 = 5;

/// The script and letter byte of each character below [`MAPPED`]; the letters of each script are listed.
pub fn letters(lists: &[(Script, Vec<char>)]) -> Vec<u8> {
    let code = |c: char| {
        let of = match letter(c) {
            Letter::No => return 0,
            Letter::Skipped => return u16::from(SKIPPED),
            Letter::Of(script) => script,
        };
        let list = lists.iter().find(|(script, _)| *script == of).map_or(&[][..], |(_, list)| list);
        let id = list.iter().position(|&letter| letter == small(c)).map_or(RARE, |place| place as u8 + FIRST);
        u16::from(of as u8) << 8 | u16::from(id)
    };
    (0..MAPPED).flat_map(|c| char::from_u32(c).map_or(0, code).to_le_bytes()).collect()
}

/// One table with rows of `width` bytes: number of buckets and of rows, single rows, buckets, rows. A bucket that would overflow loses its
/// longest n-grams.
pub fn rows(bytes: &mut Vec<u8>, rows: &Rows, width: usize) {
    let buckets = (rows.kept.len() as u32).div_ceil(BUCKET_MEAN).max(1);
    let mut filled: Vec<Vec<(u16, &[u8])>> = vec![Vec::new(); buckets as usize];
    // Shorter n-grams have smaller keys.
    for (key, row) in &rows.kept {
        let (bucket, tag) = place(*key, buckets);
        let bucket = filled.get_mut(bucket as usize).filter(|bucket| bucket.len() < BUCKET);
        if let Some(bucket) = bucket
            && bucket.iter().all(|(other, _)| *other != tag)
        {
            bucket.push((tag, row));
        }
    }
    bytes.extend(buckets.to_le_bytes());
    bytes.extend(filled.iter().map(|bucket| bucket.len() as u32).sum::<u32>().to_le_bytes());
    next_line(bytes);
    rows.single.chunks(rows.width).for_each(|row| padded(bytes, row, width));
    next_line(bytes);
    let mut begin = 0u32;
    for bucket in &filled {
        (0..BUCKET).for_each(|place| bytes.extend(bucket.get(place).map_or(0, |(tag, _)| *tag).to_le_bytes()));
        bytes.extend(begin.to_le_bytes());
        bytes.extend([0; BUCKET_BYTES - 2 * BUCKET - 4]);
        begin += bucket.len() as u32;
    }
    next_line(bytes);
    filled.iter().flatten().for_each(|(_, row)| padded(bytes, row, width));
}

fn next_line(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(LINE), 0);
}

/// A row filled up to its width in the table with the highest cost.
fn padded(bytes: &mut Vec<u8>, row: &[u8], width: usize) {
    let row = row.iter().copied().chain(std::iter::repeat(u8::MAX));
    bytes.extend(row.take(width));
}

/// The small form of a letter, of polytonic Greek the monotonic one. One character for one: the only letter with two
/// small ones, the Turkish dotted I, becomes i.
pub fn small(c: char) -> char {
    let of = |letters: &str, place: u32| letters.chars().nth(place as usize);
    let monotonic = match u32::from(c) {
        code @ 0x1f00..=0x1f6f => of("αεηιουω", code >> 4 & 7),
        code @ 0x1f70..=0x1f7d => of("άέήίόύώ", (code & 15) >> 1),
        code @ 0x1f80..=0x1fff => of("αηωαηιυω", code >> 4 & 7),
        _ => None,
    };
    monotonic.or_else(|| c.to_lowercase().next()).unwrap_or(c)
}
