//! Text that was encoded as UTF-8 twice: `partyâ€™s`, `fÃ¼r`, `Ð¿Ñ€Ð¸Ð²ÐµÑ‚` for `party’s`, `für`, `привет`.
//!
//! Somebody read the UTF-8 of a text as Windows-1252 or ISO 8859-1 and encoded the result again. Each character beyond
//! ASCII became a sequence of two to four characters whose code points are the bytes of its UTF-8. The sequences are
//! found and judged one by one (`sequence.rs`), so a page may be right in one part and wrong in another. Right texts have
//! such sequences by chance: `CAFÉ»`, `à «`, `IRMÃ…`. A sequence is therefore replaced only where the classes of its
//! characters and of its neighbours leave no other reading, an idea of ftfy (Speer 2019, doi:10.5281/zenodo.2591652).
//!
//! The time is linear in the length of the text, and nothing is allocated for a text without a sequence to replace.

mod controls;
mod sequence;

use serde::{Deserialize, Serialize};

pub use controls::without_controls;
use sequence::{GROUPS, Sequence, Sequences};

/// What is done about text that was encoded twice, and about control characters for those of Windows-1252.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mojibake {
    /// It is replaced by the text that was meant.
    #[default]
    Fix,
    /// It stays; pages that have some are counted.
    Mark,
    /// It is not looked for.
    Leave,
}

impl Mojibake {
    /// Whether it is the default.
    pub fn is_fix(&self) -> bool {
        *self == Mojibake::Fix
    }
}

/// Sure sequences of a group in a text, from which on the doubtful ones of the group are replaced too.
const CONFIRMED: usize = 3;
/// How many times a text is repaired at most: text that was encoded three times needs two.
const MOST_PASSES: usize = 3;

/// The text with the sequences replaced that were encoded twice; none if there are none.
pub fn fixed(text: &str) -> Option<String> {
    let mut best = replaced(text)?;
    for _ in 1..MOST_PASSES {
        let Some(next) = replaced(&best) else { break };
        best = next;
    }
    Some(best)
}

/// Whether [`fixed`] changes the text.
pub fn has_mojibake(text: &str) -> bool {
    let sure = sure_sequences(text);
    sure.iter().any(|count| *count > 0)
}

/// One pass of [`fixed`].
fn replaced(text: &str) -> Option<String> {
    let sure = sure_sequences(text);
    if sure.iter().all(|count| *count == 0) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for sequence in Sequences::of(text).filter(|sequence| is_accepted(sequence, &sure)) {
        out.push_str(text.get(from..sequence.start).unwrap_or_default());
        out.push(sequence.meant);
        from = sequence.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Some(out)
}

/// The number of sure sequences by group.
fn sure_sequences(text: &str) -> [usize; GROUPS] {
    let mut sure = [0; GROUPS];
    for sequence in Sequences::of(text).filter(|sequence| sequence.sure) {
        if let Some(count) = sure.get_mut(sequence.group as usize) {
            *count += 1;
        }
    }
    sure
}

fn is_accepted(sequence: &Sequence, sure: &[usize; GROUPS]) -> bool {
    sequence.sure || sure.get(sequence.group as usize).is_some_and(|count| *count >= CONFIRMED)
}

#[cfg(test)]
mod tests;
