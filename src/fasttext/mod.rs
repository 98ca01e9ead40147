//! Reads supervised models of fastText: `.bin` files, and quantised `.ftz` files. A model is the bytes of its file, which may
//! be mapped into memory, and an index over them; text → the most probable label, or the probability of one.
//!
//! `bytes` reads numbers, `dictionary` makes rows of texts, `matrix` has the rows, `output` makes probabilities of them.
//! Everything that a file says about its own size is checked when the model is read, so that a broken or hostile file is an
//! error there and costs no more memory than it has bytes.

mod bytes;
mod dictionary;
mod matrix;
mod output;

use std::fmt;

pub use bytes::Broken;
use bytes::Cursor;
use dictionary::{Dictionary, Units};
use matrix::Matrix;
pub use output::Prediction;
use output::{Loss, Scored};

/// How a file begins, and the newest version of its format.
const MAGIC: i32 = 793_712_314;
const VERSION: i32 = 12;

/// The kind of model that has labels.
const SUPERVISED: i32 = 3;

/// The bytes of a file.
pub type Bytes = Box<dyn AsRef<[u8]> + Send + Sync>;

/// A model. Immutable; one serves all threads.
pub struct Model {
    bytes: Bytes,
    dictionary: Dictionary,
    input: Matrix,
    output: Matrix,
    loss: Loss,
}

/// The settings of a file that are used.
struct Settings {
    dimension: usize,
    loss: i32,
    units: Units,
}

impl Settings {
    fn read(cursor: &mut Cursor<'_>) -> Result<Settings, Broken> {
        let what = "the settings of the model";
        if cursor.i32("its first number")? != MAGIC {
            return Err("is no model of fastText: a .bin or .ftz file is wanted".into());
        }
        let version = cursor.i32("its version")?;
        if !(1..=VERSION).contains(&version) {
            return Err(format!("has version {version} of the format; versions up to {VERSION} are read"));
        }
        let dimension = cursor.count("the number of dimensions")?;
        // Window, epochs, least count, negative samples.
        cursor.range(4 * 4, what)?;
        let words = cursor.i32(what)?;
        let (loss, model, buckets) = (cursor.i32(what)?, cursor.i32(what)?, cursor.i32(what)?);
        let (least, most) = (cursor.i32(what)?, cursor.i32(what)?);
        // Rate of updates, and the threshold of sampling.
        cursor.range(4 + 8, what)?;
        if model != SUPERVISED {
            return Err("is a model of word vectors, which has no labels; a supervised one is wanted".into());
        }
        // Supervised models of version 11 have no n-grams of characters, whatever they say.
        let most = if version <= 11 { 0 } else { most };
        let units = Units { words, least, most, buckets };
        units.check()?;
        Ok(Settings { dimension, loss, units })
    }
}

impl Model {
    /// Reads the index of a model; its matrices stay where they are.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(source: Bytes) -> Result<Model, Broken> {
        let bytes = (*source).as_ref();
        let mut cursor = Cursor::new(bytes);
        let settings = Settings::read(&mut cursor)?;
        let dictionary = Dictionary::read(bytes, &mut cursor, settings.units)?;
        let is_quantised = cursor.flag("whether it is quantised")?;
        let read = |quantised, cursor: &mut Cursor<'_>, what: &str| match quantised {
            true => Matrix::read_quantised(cursor, what),
            false => Matrix::read_dense(cursor, what),
        };
        let input = read(is_quantised, &mut cursor, "the vectors of words")?;
        let quantises_output = cursor.flag("whether its output is quantised")?;
        let output = read(is_quantised && quantises_output, &mut cursor, "the vectors of labels")?;
        let labels = dictionary.labels();
        let sizes = [input.columns(), output.columns(), output.rows()];
        if labels.is_empty() || sizes != [settings.dimension, settings.dimension, labels.len()] {
            return Err(format!(
                "has vectors that do not fit its {} dimensions and {} labels",
                settings.dimension,
                labels.len()
            ));
        }
        if input.rows() < dictionary.rows() {
            return Err(format!("has {} vectors for {} words and n-grams", input.rows(), dictionary.rows()));
        }
        let counts: Vec<i64> = labels.iter().map(|(_, count)| *count).collect();
        let loss = Loss::read(settings.loss, &counts)?;
        Ok(Model { dictionary, input, output, loss, bytes: source })
    }

    /// Names of the labels in the order of their numbers, without `__label__`.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.dictionary.labels().iter().map(|(name, _)| name.as_str())
    }

    /// The number of a label, given with or without `__label__`.
    pub fn label(&self, name: &str) -> Option<usize> {
        let name = name.strip_prefix(dictionary::LABEL).unwrap_or(name);
        self.labels().position(|known| known == name)
    }

    /// The most probable label of a line of text, with its probability: 0 to 1.00001, as fastText gives it. What stands
    /// after a line end is not read. None if the text has nothing that the model knows.
    pub fn best(&self, line: &str) -> Option<Prediction> {
        let vector = self.vector(line)?;
        self.loss.best(self.scored(&vector))
    }

    /// The probability of a label by its number, 0 to 1.00001, as [`Model::best`].
    pub fn probability(&self, line: &str, label: usize) -> Option<f32> {
        let vector = self.vector(line)?;
        Some(self.loss.of_label(self.scored(&vector), label))
    }

    fn scored<'m>(&'m self, vector: &'m [f32]) -> Scored<'m> {
        Scored { bytes: (*self.bytes).as_ref(), matrix: &self.output, vector }
    }

    /// The mean of the rows of a text.
    fn vector(&self, line: &str) -> Option<Vec<f32>> {
        let bytes = (*self.bytes).as_ref();
        let mut sum = vec![0.0; self.input.columns()];
        let mut rows = 0u32;
        self.dictionary.each_row(bytes, line, |row| {
            self.input.add(bytes, row, &mut sum);
            rows += 1;
        });
        let share = (1.0 / f64::from(rows)) as f32;
        sum.iter_mut().for_each(|number| *number *= share);
        (rows > 0).then_some(sum)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("labels", &self.dictionary.labels().len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
