//! Text → language, as an ISO 639-3 code with a score, or `und`.
//!
//! Some scripts decide the language by themselves. In the others, the score of a text in each of their languages is its
//! negative log probability: the sum of those of its letters, each given the letters before it, by tables of n-grams that
//! the package language-table made from lingua's models and from texts (`table`). The language with the least is the
//! answer; its distance to the second, and to what is usual, says how probable the answer is (`decide`). All sums are of
//! whole numbers, so that the same text has the same answer everywhere. In place of the tables, lingua itself may answer
//! (`method`), or a model of fastText (`model`), whose labels may name any language.
//!
//! Files in the order of the flow: `code` (languages), `tables` (which script and table has which of them), `sample` (the
//! part of a page that is read), `script` (letters), `words` (text → words), `score` (words → negative log probabilities)
//! with `table` and `hash` (n-gram → row), `decide` (scores → answer).
//! `docs/language.md` has figures, and compares with lingua.
//!
//! The blocks of a page come in as [`SampleBlock`]; the thresholds are [`Options`].

mod code;
mod code_serde;
mod decide;
mod hash;
mod method;
mod model;
mod names;
mod sample;
mod score;
mod script;
mod table;
mod tables;
mod words;

use serde::{Deserialize, Serialize};

pub use code::Language;
use decide::{Prior, ScriptLetters, decide};
use method::Lingua;
pub use method::Method;
pub use model::{LabelModel, macrolanguage};
pub use sample::SampleBlock;
use sample::{sample, truncate};
use score::Scorer;
pub use script::CODES as SCRIPT_CODES;
use table::NgramTable;

/// The files that `cargo run --release -p language-table` made. Those of Latin script are crates of their own, because a
/// registry takes ten megabytes a crate.
static FILES: [&[u8]; 3] =
    [warcorpus_latin_1::TABLE, warcorpus_latin_2::TABLE, &CacheAligned(*include_bytes!("others.table")).0];

/// A value that begins with a line of the processor's cache.
#[repr(align(64))]
struct CacheAligned<T>(T);

/// Logit by which a paragraph is more probably in its document's language than in any other.
const DOCUMENT_PRIOR: f64 = 4.0;

/// Letters below which a paragraph is in another language than its document only from this probability on: `JavaScript` is no
/// Māori.
const FEW_LETTERS: u32 = 25;
const SURE_OF_FEW: f64 = 0.95;

/// Score from which on the first half of a paragraph's sample decides.
const SURE: f32 = 0.99;

/// How much of a text is read, and when a language counts as determined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// What identifies languages; the table by default.
    #[serde(default, skip_serializing_if = "Method::is_default")]
    pub identifier: Method,
    /// Characters of a page that its language is decided on; 1,000 by default.
    pub document_sample: usize,
    /// Characters of a paragraph that its language is decided on; 200 by default.
    pub paragraph_sample: usize,
    /// Letters below which a text is `und`; 10 by default. A letter of a script that one language has to itself counts as
    /// three.
    pub min_letters: usize,
    /// Probability of the best language, 0 to 1, below which a text is `und`; 0.5 by default. Not applied to answers of
    /// lingua.
    pub min_confidence: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            identifier: Method::Table,
            document_sample: 1000,
            paragraph_sample: 200,
            min_letters: 10,
            min_confidence: 0.5,
        }
    }
}

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Identified {
    /// The most probable language, or [`Language::UNDETERMINED`].
    pub language: Language,
    /// Probability that the language is right, 0 to 1 in thousandths; of an answer of lingua, lingua's confidence. For
    /// an undetermined text that of the best language, and 0 if there are too few letters or none of a known script.
    pub score: f32,
    /// Code of ISO 15924 of the script of most letters (a letter of a script that one language has to itself counts as
    /// three); none if that is not known, or there are no letters.
    pub script: Option<&'static str>,
}

/// Identifies languages. Immutable; one serves all threads.
///
/// ```
/// use warcorpus::{Language, LanguageIdentifier, LanguageOptions};
///
/// let identifier = LanguageIdentifier::new(&LanguageOptions::default());
/// let text = "Knihovna byla založena v roce 1897 a od té doby slouží obyvatelům celého okolí.";
/// let identified = identifier.paragraph(text, Language::UNDETERMINED);
/// assert_eq!(identified.language.code(), "ces");
/// ```
#[derive(Debug)]
pub struct Identifier {
    table: NgramTable,
    /// Answers in place of the table.
    lingua: Option<Lingua>,
    /// Answers in place of both.
    model: Option<LabelModel>,
    options: Options,
}

impl Identifier {
    /// An identifier with these options.
    pub fn new(options: &Options) -> Identifier {
        let lingua = Lingua::of(options.identifier);
        Identifier { table: NgramTable::read(FILES), lingua, model: None, options: options.clone() }
    }

    /// The identifier with a model of fastText, which answers instead. Its labels are codes of languages.
    pub fn with_model(self, model: Option<LabelModel>) -> Identifier {
        Identifier { model, ..self }
    }

    /// The language of a page, from the blocks that look most like running text.
    pub fn document<'a>(&self, blocks: impl Iterator<Item = SampleBlock<'a>>) -> Identified {
        self.identify(&sample(blocks, self.options.document_sample), None)
    }

    /// The language of a paragraph; the language of its `document` is the more probable answer. Only half of the sample
    /// is read if that is surely in the document's language. lingua and models read all of it, and do not know the document.
    pub fn paragraph(&self, text: &str, document: Language) -> Identified {
        let prior = Some(Prior { language: document, logit: DOCUMENT_PRIOR });
        let sample = truncate(text, self.options.paragraph_sample);
        if self.lingua.is_some() || self.model.is_some() {
            return self.identify(sample, prior);
        }
        let half = truncate(sample, self.options.paragraph_sample / 2);
        let first = self.identify(half, prior);
        if half.len() == sample.len() || first.language == document && first.score >= SURE {
            return first;
        }
        self.identify(sample, prior)
    }

    fn identify(&self, text: &str, prior: Option<Prior>) -> Identified {
        let least = self.options.min_letters;
        let by_itself = self.model.is_none() && self.lingua.is_none();
        let (scripts, by_table) = Scorer::with(|scorer| {
            let scripts = ScriptLetters::of(scorer.read(&self.table, text));
            (scripts, by_itself.then(|| decide(&self.table, scorer, &scripts, prior, least)).flatten())
        });
        let enough = |_: &(Language, f64)| scripts.all as usize >= least;
        let best = match (&self.model, &self.lingua) {
            (Some(model), _) => model.best(text).filter(enough),
            (None, Some(lingua)) => lingua.best(text).filter(enough),
            (None, None) => by_table,
        };
        let script = scripts.script();
        let Some((language, probability)) = best else {
            return Identified { language: Language::UNDETERMINED, score: 0.0, script };
        };
        let thousandths = (probability * 1000.0).round();
        let differs = |prior: &Prior| ![language, Language::UNDETERMINED].contains(&prior.language);
        let few = by_itself && scripts.all < FEW_LETTERS && prior.as_ref().is_some_and(differs);
        let least = if few { self.options.min_confidence.max(SURE_OF_FEW) } else { self.options.min_confidence };
        let sure = self.lingua.is_some() || thousandths >= least * 1000.0;
        Identified {
            language: if sure { language } else { Language::UNDETERMINED },
            score: thousandths as f32 / 1000.0,
            script,
        }
    }
}

#[cfg(test)]
mod tests;
