//! A model of fastText in place of the language table: its labels → languages.

use std::sync::Arc;

use super::Language;
use crate::fasttext::Model;
use crate::text::in_one_line;

/// Codes of individual languages that the language table knows by the code of their macrolanguage.
const INDIVIDUAL: [(&str, &str); 31] = [
    ("aeb", "ara"),
    ("aln", "sqi"),
    ("als", "sqi"),
    ("apc", "ara"),
    ("arb", "ara"),
    ("arq", "ara"),
    ("ary", "ara"),
    ("arz", "ara"),
    ("ayr", "aym"),
    ("azj", "aze"),
    ("cmn", "zho"),
    ("ekk", "est"),
    ("gaz", "orm"),
    ("gug", "grn"),
    ("khk", "mon"),
    ("lvs", "lav"),
    ("npi", "nep"),
    ("ory", "ori"),
    ("pbt", "pus"),
    ("pbu", "pus"),
    ("pes", "fas"),
    ("plt", "mlg"),
    ("prs", "fas"),
    ("quy", "que"),
    ("quz", "que"),
    ("swh", "swa"),
    ("uzn", "uzb"),
    ("uzs", "uzb"),
    ("ydd", "yid"),
    ("yue", "zho"),
    ("zsm", "msa"),
];

/// Codes of ISO 639-1 that the language table does not have, with those of ISO 639-3.
const TWO_LETTERS: &str = "no nob ae ave ak aka an arg av ava bi bis ce che ch cha co cos cr cre ho hmo hz her ik ipk kj kua \
    kl kal kr kau ku kur kv kom lu lub mh mah na nau ng ndo nv nav oj oji os oss pi pli sh hbs wa wln za zha";

/// Codes that stand for no language.
const NONE: [&str; 4] = ["und", "zxx", "mul", "mis"];

/// The code of the language table for the code of an individual language, or the same code.
pub fn macrolanguage(code: &str) -> &str {
    INDIVIDUAL.iter().find(|(individual, _)| *individual == code).map_or(code, |(_, code)| code)
}

/// A model, and the language of each of its labels.
#[derive(Debug, Clone)]
pub struct LabelModel {
    model: Arc<Model>,
    languages: Vec<Language>,
}

impl LabelModel {
    /// Maps the labels of a model.
    pub fn new(model: Arc<Model>) -> LabelModel {
        // lid.176 calls Alemannic als, which is Albanian in ISO 639-3. Its other labels tell it apart.
        let alemannic = model.label("en").is_some();
        let language = |label: &str| match label {
            "als" if alemannic => Language::of_letters("gsw"),
            _ => language(label),
        };
        let languages = model.labels().map(|label| language(label).unwrap_or_default()).collect();
        LabelModel { model, languages }
    }

    /// Number of labels that name a language.
    pub fn languages(&self) -> usize {
        self.languages.iter().filter(|language| **language != Language::UNDETERMINED).count()
    }

    /// The most probable language of a text, with its probability, 0 to 1; none if the model knows nothing of the text.
    pub fn best(&self, text: &str) -> Option<(Language, f64)> {
        let best = self.model.best(in_one_line(text).trim())?;
        Some((*self.languages.get(best.label)?, f64::from(best.probability).min(1.0)))
    }
}

/// The language that a label names: a code of ISO 639-3 or 639-1, perhaps with a script (`ces_Latn`) or region behind it.
fn language(label: &str) -> Option<Language> {
    let code = label.split(['_', '-']).next()?;
    if NONE.contains(&code) {
        return None;
    }
    let mut words = TWO_LETTERS.split_whitespace();
    let of_two = words.find(|word| *word == code && code.len() == 2).and_then(|_| words.next());
    match (of_two, code.len()) {
        (Some(three), _) => Language::of_letters(three),
        (None, 2) => Language::by_name(code).ok(),
        (None, _) => Language::of_letters(macrolanguage(code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_name_languages() {
        for (label, code) in [
            ("ces_Latn", "ces"),
            ("cs", "ces"),
            ("hsb", "hsb"),
            ("cmn_Hani", "zho"),
            ("zh-Hans", "zho"),
            ("als_Latn", "sqi"),
            ("br", "bre"),
            ("no", "nob"),
            ("arb_Arab", "ara"),
        ] {
            assert_eq!(language(label).map(Language::code), Some(code), "{label}");
        }
        assert!(["zxx_Latn", "und", "", "quality", "hq", "CES"].iter().all(|label| language(label).is_none()));
    }

    #[test]
    fn two_letters_come_in_pairs_with_three_and_none_is_known_to_the_table() {
        let words: Vec<&str> = TWO_LETTERS.split_whitespace().collect();
        for pair in words.chunks(2) {
            assert!(pair[0].len() == 2 && Language::of_letters(pair[1]).is_some(), "{pair:?}");
            assert!(Language::by_name(pair[0]).is_err(), "{pair:?}");
        }
    }
}
