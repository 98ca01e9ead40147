//! Models of fastText: answers compared with those of the C++ program, and jobs that use models. `WARCORPUS_PYTHON` names a
//! Python with the packages of `tests/loaders.txt`; once it is set, they must be there.

use std::env;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;
use warcorpus::store::models;

use crate::common::{root, shared};

/// The label whose probability is asked for, whether it is the best one or not.
const ONE: &str = "__label__eng_Latn";

const KINDS: [&str; 6] = ["softmax.bin", "words.bin", "tree.bin", "ova.bin", "quantised.ftz", "tree.ftz"];

#[derive(Deserialize)]
struct Reference {
    text: String,
    label: Option<String>,
    p: Option<f64>,
    one: Option<f64>,
}

#[test]
fn labels_and_probabilities_are_those_of_fasttext() {
    let Some(python) = env::var_os("WARCORPUS_PYTHON").filter(|python| !python.is_empty()) else {
        println!("skipped: WARCORPUS_PYTHON names no Python with the packages of tests/loaders.txt");
        return;
    };
    let Some(data) = shared("langid") else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = root().join("tests/models/reference.py");
    let status = Command::new(python).arg(script).arg(data.join("langid.jsonl.gz")).arg(folder.path()).status().unwrap();
    assert!(status.success());
    for kind in KINDS {
        compare(kind, folder.path());
    }
}

fn compare(kind: &str, folder: &Path) {
    let model = models::open(&folder.join(kind), None, true).unwrap().model;
    let labels: Vec<&str> = model.labels().collect();
    let one = model.label(ONE);
    let file = File::open(folder.join(kind.replace('.', "-") + ".jsonl")).unwrap();
    let texts: Vec<Reference> =
        BufReader::new(file).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let (mut differences, mut worst, begin) = (0, 0.0f64, Instant::now());
    for Reference { text, label, p, .. } in &texts {
        let best = model.best(text);
        let name = best.and_then(|best| labels.get(best.label).copied());
        differences += usize::from(name != label.as_deref().map(|label| label.trim_start_matches("__label__")));
        if let (Some(best), Some(p)) = (best, p) {
            worst = worst.max((f64::from(best.probability) - p).abs());
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    for Reference { text, one: wanted, .. } in &texts {
        if let (Some(one), Some(wanted)) = (one, wanted) {
            worst = worst.max((f64::from(model.probability(text, one).unwrap_or(0.0)) - wanted).abs());
        }
    }
    println!("{kind}: {} texts, {differences} other labels, {worst:.1e}, {:.0}/s", texts.len(), texts.len() as f64 / seconds);
    assert!(texts.len() == 10_000 && differences == 0 && worst < 1e-5);
}
