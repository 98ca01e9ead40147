//! Files of others, which are read as they are; their names tell what they are.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Cursed, Overrides, Threshold, Thresholds, WordList};
use crate::language::{self, Language};

/// Lines at the end of MADLAD-400's list that are regular expressions; those before them are not.
const CURSED_PATTERNS: usize = 4;

/// A configuration of FineWeb-2: `configs/LANGUAGE_Script.yml`. Its `language_score` is one of GlotLID and is not used.
#[derive(Debug, Deserialize)]
struct Fineweb2 {
    dup_line_frac: f64,
    top_n_grams: Vec<(u32, f64)>,
    dup_n_grams: Vec<(u32, f64)>,
    line_punct_thr: f64,
    new_line_ratio: f64,
    min_avg_word_length: f64,
    max_avg_word_length: f64,
    max_non_alpha_words_ratio: f64,
    stopwords: Vec<String>,
}

/// Stop words as stopwords-json has them: of all languages by their codes (ISO 639-1), or of the one in the name of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum StopWords {
    All(BTreeMap<String, Vec<String>>),
    One(Vec<String>),
}

impl Thresholds {
    /// Reads a file by its name: `LANGUAGE_Script.yml` of FineWeb-2, `.json` of stopwords-json, a list of LDNOOBW (`en` or
    /// `en.txt`), MADLAD-400's list (`.txt` of another name), or else TOML of our own. What is about languages that are not
    /// identified is left out.
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse_file(name: &str, text: &str) -> Result<Thresholds, String> {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        match ending {
            "yml" | "yaml" => Thresholds::parse_fineweb2(name, text),
            "json" => Thresholds::parse_stop_words(stem, text),
            "" | "txt" if stem.len() == 2 => Ok(Thresholds::of_words(stem, WordList::Ldnoobw, lines(text))),
            "txt" => Thresholds::parse_cursed(text),
            _ => Thresholds::parse(text),
        }
    }

    fn parse_stop_words(name: &str, text: &str) -> Result<Thresholds, String> {
        let read = serde_json::from_str(text);
        let read = read.map_err(|_| "expected lists of stop words by the codes of languages, or one such list");
        let lists = match read? {
            StopWords::All(lists) => lists,
            StopWords::One(list) => BTreeMap::from([(name.into(), list)]),
        };
        let mut thresholds = Thresholds::default();
        for (code, list) in lists {
            thresholds.extend(Thresholds::of_words(&code, WordList::RpsStopWords, list));
        }
        Ok(thresholds)
    }

    /// A list of a language that a code names.
    fn of_words(code: &str, list: WordList, words: Vec<String>) -> Thresholds {
        let mut thresholds = Thresholds::default();
        if let Ok(language) = Language::by_name(code) {
            let own = Overrides { lists: BTreeMap::from([(list, words)]), ..Overrides::default() };
            thresholds.by_language.insert(language.code().into(), own);
        }
        thresholds
    }

    /// Reads MADLAD-400's list as datamap-rs has it (`madlad400_cursed.txt`): one entry a line, the last four of them regular
    /// expressions.
    ///
    /// # Errors
    /// What is wrong.
    fn parse_cursed(text: &str) -> Result<Thresholds, String> {
        let mut cursed_substrings: Vec<String> = text.lines().map(String::from).collect();
        let patterns = cursed_substrings.len().checked_sub(CURSED_PATTERNS);
        let cursed_patterns = cursed_substrings.split_off(patterns.ok_or("a list of fewer than four lines")?);
        let cursed = Cursed { cursed_substrings, cursed_patterns };
        let thresholds = Thresholds { cursed, ..Thresholds::default() };
        thresholds.cursed()?;
        Ok(thresholds)
    }

    /// Reads a configuration of FineWeb-2; `name` is that of its file. Thresholds of languages that are not identified are
    /// left out.
    ///
    /// # Errors
    /// What is wrong.
    fn parse_fineweb2(name: &str, text: &str) -> Result<Thresholds, String> {
        let config: Fineweb2 = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
        let code = name.split(['_', '.']).next().unwrap_or_default();
        let code = language::macrolanguage(code);
        let mut thresholds = Thresholds::default();
        if Language::by_code(code).is_none() {
            return Ok(thresholds);
        }
        // 0 switches these off in datatrove.
        let unless_zero = |number: f64| if number == 0.0 { Threshold::Off(false) } else { Threshold::Number(number) };
        let mut rules = vec![
            ("dup_line_frac".to_string(), unless_zero(config.dup_line_frac)),
            ("line_punct_ratio".into(), Threshold::Number(config.line_punct_thr)),
            ("list_ratio".into(), Threshold::Number(config.new_line_ratio)),
            ("gopher_below_avg_threshold".into(), unless_zero(config.min_avg_word_length)),
            ("gopher_above_avg_threshold".into(), unless_zero(config.max_avg_word_length)),
            ("gopher_below_alpha_threshold".into(), unless_zero(config.max_non_alpha_words_ratio)),
        ];
        rules.extend(config.top_n_grams.iter().map(|(n, most)| (format!("top_{n}_gram"), Threshold::Number(*most))));
        let repeated = config.dup_n_grams.iter();
        rules.extend(repeated.map(|(n, most)| (format!("duplicated_{n}_n_grams"), Threshold::Number(*most))));
        let lists = BTreeMap::from([(WordList::StopWords, config.stopwords)]);
        let own = Overrides { lists, rules: rules.into_iter().collect() };
        thresholds.by_language.insert(code.into(), own);
        Ok(thresholds)
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_words_are_read_by_the_names_of_their_files() {
        let words = |name: &str, text: &str, list| {
            let thresholds = Thresholds::parse_file(name, text).unwrap();
            assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
            let words = thresholds.words(list).into_iter();
            words.map(|(language, words)| format!("{language} {}", words.len())).collect::<Vec<_>>().join(", ")
        };
        let all = r#"{"cs": ["a", "na"], "en": ["the"], "xx": ["y"]}"#;
        assert_eq!(words("stopwords-all.json", all, WordList::RpsStopWords), "ces 2, eng 1");
        assert_eq!(words("de.json", r#"["der", "die", "das"]"#, WordList::RpsStopWords), "deu 3");
        assert_eq!(words("en", "bad word\nworse\n\n", WordList::Ldnoobw), "eng 2");
        assert_eq!(words("fr.txt", "bad", WordList::Ldnoobw), "fra 1");
        assert_eq!(words("own.toml", "[ces]\nrps_stop_words = ['a']", WordList::RpsStopWords), "ces 1");
        assert!(Thresholds::parse_file("x.json", "[1]").unwrap_err().contains("lists of stop words"));
    }

    #[test]
    fn the_list_of_cursed_substrings_is_read() {
        let list = "orem ipsum\n г\\.\n№\n(?i)xx\n[^ ] [^ ]$\n\\|\\s*$\na|b\n";
        let thresholds = Thresholds::parse_cursed(list).unwrap();
        let cursed = thresholds.cursed().unwrap().unwrap();
        for (sentence, found) in [
            ("Lorem ipsum", true),
            ("x г\\.", true),
            ("x г.", false),
            ("tXXt", true),
            ("t t", true),
            ("t t.", false),
            ("c|", true),
            ("c", false),
        ] {
            assert_eq!(cursed.is_match(sentence), found, "{sentence}");
        }
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
        assert!(!thresholds.is_empty());
        for wrong in ["a\nb\nc", "a\n\nb\nc\nd\ne", "a\nb\nc\n(\nd"] {
            assert!(Thresholds::parse_cursed(wrong).is_err(), "{wrong}");
        }
        assert!(Thresholds::parse("cursed_patterns = [3]").unwrap_err().contains("list of words"));
    }

    #[test]
    fn configurations_of_fineweb_2_are_read_as_they_are() {
        let text = "dup_line_frac: 0.333\ndup_n_grams:\n- - 5\n  - 0.193\n- - 6\n  - 0.175\nlanguage_score: 0.88\n\
                    line_punct_thr: 0.125\nmax_avg_word_length: 11\nmax_non_alpha_words_ratio: 0.781\n\
                    min_avg_word_length: 0\nnew_line_ratio: 0.233\nstopwords:\n- v\n- a\ntop_n_grams:\n- - 2\n  - 0.095\n";
        let thresholds = Thresholds::parse_fineweb2("ces_Latn.yml", text).unwrap();
        let of = |rule| thresholds.of("ces", rule, rule);
        assert_eq!(of("dup_line_frac"), Some(Some(0.333)));
        assert_eq!(of("top_2_gram"), Some(Some(0.095)));
        assert_eq!(of("duplicated_6_n_grams"), Some(Some(0.175)));
        assert_eq!(of("gopher_below_avg_threshold"), Some(None));
        assert!(thresholds.words(WordList::StopWords)["ces"].contains("v"));
        assert!(
            Thresholds::parse_fineweb2("cmn_Hani.yml", text).unwrap().words(WordList::StopWords).contains_key("zho")
        );
        assert!(Thresholds::parse_fineweb2("xho_Latn.yml", text).is_ok());
        assert!(Thresholds::parse_fineweb2("ces_Latn.yml", "dup_line_frac: [").is_err());
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
    }
}
