use std::sync::Arc;

use proptest::prelude::*;

use super::*;

/// A model of two dimensions with the words "a", "b" and `</s>`, and three labels.
struct Built {
    words: i32,
    most: i32,
    loss: i32,
    quantised: bool,
}

fn numbers(out: &mut Vec<u8>, numbers: &[i32]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn floats(out: &mut Vec<u8>, floats: impl IntoIterator<Item = f32>) {
    floats.into_iter().for_each(|float| out.extend(float.to_le_bytes()));
}

impl Built {
    const BUCKETS: i32 = 5;

    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let buckets = if self.words > 1 || self.most > 0 { Built::BUCKETS } else { 0 };
        numbers(
            &mut out,
            &[MAGIC, VERSION, 2, 5, 5, 1, 5, self.words, self.loss, SUPERVISED, buckets, 1, self.most, 100],
        );
        out.extend(0.0001f64.to_le_bytes());
        numbers(&mut out, &[6, 3, 3]);
        out.extend(100i64.to_le_bytes());
        out.extend((-1i64).to_le_bytes());
        for (word, count, is_label) in
            [("</s>", 9, 0), ("a", 8, 0), ("b", 7, 0), ("__label__x", 5, 1), ("__label__y", 3, 1), ("__label__z", 1, 1)]
        {
            out.extend(word.as_bytes());
            out.push(0);
            out.extend(i64::from(count).to_le_bytes());
            out.push(is_label);
        }
        let rows = 3 + buckets;
        out.push(u8::from(self.quantised));
        if self.quantised {
            out.push(0);
            [i64::from(rows), 2].iter().for_each(|size| out.extend(size.to_le_bytes()));
            numbers(&mut out, &[rows]);
            out.extend((0..rows).map(|row| row as u8));
            numbers(&mut out, &[2, 1, 2, 2]);
            floats(&mut out, (0..512).map(|number| (number / 2) as f32 * if number % 2 == 0 { 1.0 } else { -1.0 }));
        } else {
            [i64::from(rows), 2].iter().for_each(|size| out.extend(size.to_le_bytes()));
            floats(&mut out, (0..rows).flat_map(|row| [row as f32, -row as f32]));
        }
        out.push(0);
        [3i64, 2].iter().for_each(|size| out.extend(size.to_le_bytes()));
        floats(&mut out, [1.0, 0.0, 0.0, 1.0, 0.5, 0.5]);
        out
    }

    fn model(&self) -> Model {
        Model::read(Box::new(self.bytes())).unwrap()
    }
}

const PLAIN: Built = Built { words: 1, most: 0, loss: 3, quantised: false };

fn near(seen: f32, wanted: f64) -> bool {
    (f64::from(seen) - wanted).abs() < 1e-6
}

#[test]
fn a_text_is_the_mean_of_its_words_and_of_the_end_of_its_line() {
    for quantised in [false, true] {
        let model = Built { quantised, ..PLAIN }.model();
        assert!(model.labels().eq(["x", "y", "z"]));
        assert_eq!((model.label("__label__y"), model.label("z"), model.label("a")), (Some(1), Some(2), None));
        // Rows 1, 2 and 0: the mean is (1, -1).
        assert_eq!(model.vector("a unknown\tb __label__y\nb b"), Some(vec![1.0, -1.0]));
        let best = model.best("a b").unwrap();
        let sum = 1.0 + (-2.0f64).exp() + (-1.0f64).exp();
        assert!(best.label == 0 && near(best.probability, 1.0 / sum + 1e-5), "{best:?}");
        let of_y = model.probability("a b", 1).unwrap();
        assert!(near(of_y, (-2.0f64).exp() / sum + 1e-5), "{of_y}");
    }
}

#[test]
fn the_word_for_the_end_of_a_line_ends_it() {
    let model = PLAIN.model();
    assert_eq!(model.vector("a </s> b b b"), Some(vec![0.5, -0.5]));
    assert_eq!(model.vector(""), Some(vec![0.0, 0.0]));
}

#[test]
fn ngrams_have_rows_behind_those_of_words() {
    let model = Built { most: 2, words: 2, ..PLAIN }.model();
    let mut rows = Vec::new();
    let bytes = (*model.bytes).as_ref();
    model.dictionary.each_row(bytes, "a éé", |row| rows.push(row));
    // "a": itself, "<a", "a>" (one character is no n-gram at a bound); "éé": "<é", "é", "éé", "é", "é>"; the end; two
    // n-grams of words.
    assert_eq!((rows.len(), rows[0], rows.iter().filter(|row| **row >= 3).count()), (12, 1, 10));
    assert!(rows.iter().all(|row| *row < 3 + Built::BUCKETS as usize));
}

#[test]
fn probabilities_of_a_tree_add_up() {
    let model = Built { loss: 1, ..PLAIN }.model();
    let all: Vec<f32> = (0..3).map(|label| model.probability("a b", label).unwrap()).collect();
    assert!((all.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{all:?}");
    let best = model.best("a b").unwrap();
    assert_eq!(best.probability, all[best.label]);
    assert!(all.iter().all(|probability| *probability <= best.probability));
}

#[test]
fn what_is_no_model_is_refused_with_a_reason() {
    let refused = |change: &dyn Fn(&mut Vec<u8>), part: &str| {
        let mut bytes = PLAIN.bytes();
        change(&mut bytes);
        let error = Model::read(Box::new(bytes)).unwrap_err();
        assert!(error.contains(part), "{error}");
    };
    refused(&|bytes| bytes.truncate(3), "ends within");
    refused(&|bytes| bytes[0] = 0, "no model of fastText");
    refused(&|bytes| bytes[4] = 13, "version 13");
    refused(&|bytes| bytes[36] = 1, "word vectors");
    refused(&|bytes| bytes[32] = 9, "unknown loss");
    refused(&|bytes| bytes[31] = 9, "impossible settings");
    refused(&|bytes| bytes[67] = 9, "announces a dictionary");
    refused(&|bytes| *bytes.last_mut().unwrap() = bytes.pop().unwrap_or_default(), "ends within the vectors of labels");
}

#[test]
fn a_tree_needs_counts_that_make_one() {
    let huge = [i64::MAX, i64::MAX];
    assert!(Loss::read(1, &huge).unwrap_err().contains("no tree"));
    assert!(Loss::read(1, &[3, 2, 1]).is_ok() && Loss::read(1, &[0]).is_ok() && Loss::read(1, &[-5, -6, 7]).is_ok());
}

proptest! {
    #[test]
    fn damaged_models_are_errors_or_answer(
        words in 1..3i32,
        most in 0..3i32,
        loss in 1..5i32,
        quantised: bool,
        cut in 0..2000usize,
        changes in prop::collection::vec((0..400usize, any::<u8>()), 0..4),
        text in ".{0,40}",
    ) {
        let mut bytes = Built { words, most, loss, quantised }.bytes();
        for (at, value) in changes {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        if cut < bytes.len() && cut % 3 == 0 {
            bytes.truncate(cut);
        }
        let bytes: Arc<[u8]> = bytes.into();
        if let Ok(model) = Model::read(Box::new(bytes)) {
            let _ = model.best(&text);
            let _ = model.probability(&text, 0);
        }
    }
}
