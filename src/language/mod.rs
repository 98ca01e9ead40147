//! Text → language, as an ISO 639-3 code with a score, or `und`.
//!
//! A text costs something in each of 75 languages: the sum of what its letters cost after those before them, by a table
//! of n-grams that is made from lingua's models when the program is built (`table`). The cheapest language is the answer;
//! what it costs, and what the second costs, say how probable the answer is (`decide`). All sums are of whole numbers, so
//! that the same text has the same answer everywhere.
//!
//! Files in the order of the flow: `sample` (what is read of a page), `script` (letters), `tally` (text → costs) with
//! `table` and `hash` (n-gram → row), `decide` (costs → answer). `docs/language.md` has figures, and what went before.

mod decide;
mod hash;
mod sample;
mod script;
mod table;
mod tally;

use crate::config;
use decide::{Expected, decide, letters};
pub use sample::Candidate;
use sample::{head, sample};
use script::{TABLED, UNTABLED};
use table::Table;
use tally::tally;

/// What build/main.rs made.
static TABLE: &[u8] = &Lines(*include_bytes!(concat!(env!("OUT_DIR"), "/languages.table"))).0;

/// Begins with a line of the cache.
#[repr(align(64))]
struct Lines<T>(T);

/// The code of a text whose language is not determined.
pub const UNDETERMINED: &str = "und";

/// Logit by which a paragraph is rather in its document's language than in any other one.
const LIKE_ITS_DOCUMENT: f64 = 3.0;

/// Score from which on the first half of a paragraph decides.
const SURE: f32 = 0.99;

/// A language and the probability that it is the right one, 0 to 1 in thousandths; that of the best language for
/// `und`, 0 where there are too few letters or none of a known script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Identified {
    pub code: &'static str,
    pub score: f32,
}

/// All codes that can be an answer, `und` excepted, sorted.
pub fn known_codes() -> Vec<&'static str> {
    let lists = TABLED.iter().map(|(_, codes)| *codes).chain(UNTABLED.iter().map(|(_, code)| *code));
    let mut codes: Vec<&str> = lists.flat_map(str::split_whitespace).collect();
    codes.sort_unstable();
    codes
}

/// Decides languages. Immutable; one serves all threads.
pub struct Identifier {
    table: Table,
    settings: config::Language,
}

impl Identifier {
    pub fn new(settings: &config::Language) -> Identifier {
        Identifier { table: Table::read(TABLE), settings: settings.clone() }
    }

    /// The language of a page, from the blocks that look most like running text.
    pub fn document<'a>(&self, blocks: impl Iterator<Item = Candidate<'a>>) -> Identified {
        self.identify(&sample(blocks, self.settings.document_sample), None)
    }

    /// The language of a paragraph of a document in `document`, which is the more probable answer. Half of the sample
    /// does where it is surely in that language.
    pub fn paragraph(&self, text: &str, document: &str) -> Identified {
        let expected = Some(Expected { code: document, logit: LIKE_ITS_DOCUMENT });
        let sample = head(text, self.settings.paragraph_sample);
        let half = head(sample, self.settings.paragraph_sample / 2);
        let first = self.identify(half, expected);
        if half.len() == sample.len() || first.code == document && first.score >= SURE {
            return first;
        }
        self.identify(sample, expected)
    }

    fn identify(&self, text: &str, expected: Option<Expected>) -> Identified {
        let tallies = tally(&self.table, text);
        let enough = letters(&tallies) as usize >= self.settings.min_letters;
        let best = decide(&self.table, &tallies, expected).filter(|_| enough);
        let Some((code, probability)) = best else { return Identified { code: UNDETERMINED, score: 0.0 } };
        let thousandths = (probability * 1000.0).round();
        let sure = thousandths >= self.settings.min_confidence * 1000.0;
        Identified { code: if sure { code } else { UNDETERMINED }, score: thousandths as f32 / 1000.0 }
    }
}

#[cfg(test)]
mod tests;
