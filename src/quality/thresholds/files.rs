//! Files of others, which are read as they are; their names tell what they are.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Cursed, Overrides, Threshold, Thresholds, WordList, listed, rule_names};
use crate::language::{self, Language};

/// Members of macrolanguages that stand for them; other macrolanguages have one member in the language table.
const STANDARD: [&str; 7] = ["als", "arb", "cmn", "pbt", "pes", "quy", "uzn"];

/// Writing systems by the names that languages have, with their codes of ISO 15924.
#[rustfmt::skip]
const SCRIPTS: [(&str, &str); 38] = [
    ("Adlam", "Adlm"), ("Arabic", "Arab"), ("Armenian", "Armn"), ("Bengali", "Beng"), ("Canadian Syllabics", "Cans"),
    ("Chakma", "Cakm"), ("Cherokee", "Cher"), ("Coptic", "Copt"), ("Cyrillic", "Cyrl"), ("Devanagari", "Deva"),
    ("Ethiopic", "Ethi"), ("Georgian", "Geor"), ("Greek", "Grek"), ("Gujarati", "Gujr"), ("Gurmukhi", "Guru"),
    ("Han", "Hani"), ("Hangul", "Hang"), ("Hebrew", "Hebr"), ("Kana", "Jpan"), ("Kannada", "Knda"), ("Khmer", "Khmr"),
    ("Lao", "Laoo"), ("Latin", "Latn"), ("Malayalam", "Mlym"), ("Myanmar", "Mymr"), ("N'Ko", "Nkoo"), ("Odia", "Orya"),
    ("Ol Chiki", "Olck"), ("Sinhala", "Sinh"), ("Syriac", "Syrc"), ("Tamil", "Taml"), ("Telugu", "Telu"),
    ("Thaana", "Thaa"), ("Thai", "Thai"), ("Tibetan", "Tibt"), ("Tifinagh", "Tfng"), ("Vai", "Vaii"),
    ("Yi", "Yiii"),
];

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

/// The files that one entry of the setting names, in their order. Of those about one language the best one counts,
/// wherever it stands: the order is that of their names, and nobody's choice.
#[derive(Debug, Default)]
pub struct Files(Vec<ReadFile>);

#[derive(Debug)]
struct ReadFile {
    name: String,
    subject: Subject,
    thresholds: Thresholds,
}

/// What the name of a file tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// Nothing: the file names its languages itself.
    Own,
    /// No language that is identified.
    Unknown,
    Of(Kind, Language, Rank),
}

/// Kinds of files each of which is about one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Fineweb2,
    Ldnoobw,
}

/// How well a file stands for its language; the least is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    other_script: bool,
    /// 0 for the language itself, 1 for the standard member of a macrolanguage, 2 for other members and varieties.
    variety: u8,
}

/// What counts of some files.
#[derive(Debug, Default)]
struct Chosen {
    thresholds: Thresholds,
    /// Files in whose place another one counts, with the names of both.
    others: Vec<String>,
    /// Files of languages that are not identified.
    unknown: Vec<String>,
}

impl Files {
    /// Reads the next file, as [`Thresholds::parse_file`] does.
    ///
    /// # Errors
    /// What is wrong.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), String> {
        let thresholds = Thresholds::parse_file(name, text)?;
        self.0.push(ReadFile { name: name.into(), subject: Subject::of(name, text), thresholds });
        Ok(())
    }

    /// The thresholds of the files. The log names those that are left out.
    pub fn thresholds(self) -> Thresholds {
        let Chosen { thresholds, others, unknown } = self.chosen();
        if !others.is_empty() {
            let others = listed(&others);
            tracing::info!("quality.thresholds: left out, because another file of the same language counts: {others}");
        }
        if !unknown.is_empty() {
            let unknown = listed(&unknown);
            tracing::info!("quality.thresholds: left out, because no language is identified that they name: {unknown}");
        }
        thresholds
    }

    fn chosen(self) -> Chosen {
        // Of equals the last one wins, as it does elsewhere.
        let mut best: BTreeMap<(Kind, Language), (Rank, usize, String)> = BTreeMap::new();
        for (place, file) in self.0.iter().enumerate() {
            let Subject::Of(kind, language, rank) = file.subject else { continue };
            if best.get(&(kind, language)).is_none_or(|(least, ..)| rank <= *least) {
                best.insert((kind, language), (rank, place, file.name.clone()));
            }
        }
        let mut chosen = Chosen::default();
        for (place, ReadFile { name, subject, thresholds }) in self.0.into_iter().enumerate() {
            let better = match subject {
                Subject::Own => None,
                Subject::Unknown => {
                    chosen.unknown.push(name);
                    continue;
                }
                Subject::Of(kind, language, _) => best.get(&(kind, language)).filter(|(_, best, _)| *best != place),
            };
            match better {
                Some((.., better)) => chosen.others.push(format!("{name} ({better} counts)")),
                None => chosen.thresholds.extend(thresholds),
            }
        }
        chosen
    }
}

impl Subject {
    fn of(name: &str, text: &str) -> Subject {
        let (stem, ending) = stem_and_ending(name);
        match ending {
            "yml" | "yaml" => Subject::of_fineweb2(stem),
            "" | "txt" if is_word_list(stem, ending, text) => match language_of_list(stem) {
                Some(language) => {
                    let variety = if primary(stem) == stem { 0 } else { 2 };
                    Subject::Of(Kind::Ldnoobw, language, Rank { other_script: false, variety })
                }
                None => Subject::Unknown,
            },
            "md" => Subject::Unknown,
            _ => Subject::Own,
        }
    }

    fn of_fineweb2(stem: &str) -> Subject {
        let (code, script) = stem.split_once('_').unwrap_or((stem, ""));
        let Some(language) = language_of_fineweb2(code) else { return Subject::Unknown };
        let other_script = usual_script(language) != Some(script);
        let variety = if code == language.code() { 0 } else { 2 - u8::from(STANDARD.contains(&code)) };
        Subject::Of(Kind::Fineweb2, language, Rank { other_script, variety })
    }
}

/// The name of a file without its ending, and the ending.
fn stem_and_ending(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}

/// Whether a file is a list of LDNOOBW. Those of the repository have no ending, and no entry with `=`, as TOML has. Longer names
/// with `.txt` are MADLAD-400's.
fn is_word_list(stem: &str, ending: &str, text: &str) -> bool {
    if ending.is_empty() { !text.contains('=') } else { stem.len() == 2 }
}

/// The language of a list by its code or tag.
fn language_of_list(stem: &str) -> Option<Language> {
    Some(primary(stem)).filter(|code| code.len() <= 3).and_then(|code| Language::by_name(code).ok())
}

/// The language of a tag such as `fr-CA`.
fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or_default()
}

/// The language of a code in the name of a configuration; none for one that is not identified.
fn language_of_fineweb2(code: &str) -> Option<Language> {
    Language::by_code(language::macrolanguage(code))
}

/// The code of the script in which a language is usually written. For Serbian that is Cyrillic, although texts in both
/// scripts are identified: a language has one list of thresholds.
fn usual_script(language: Language) -> Option<&'static str> {
    let usual = language.scripts().split(", ").next()?;
    SCRIPTS.iter().find(|(name, _)| *name == usual).map(|(_, code)| *code)
}

impl Thresholds {
    /// Reads a file by its name: `LANGUAGE_Script.yml` of FineWeb-2, `.json` of stopwords-json, a list of LDNOOBW (`en`,
    /// `fr-CA` or `en.txt`), MADLAD-400's list (`.txt` of another name), or else TOML of our own. What is about languages that
    /// are not identified is left out, and so is a file about the others (`README.md`).
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse_file(name: &str, text: &str) -> Result<Thresholds, String> {
        let (stem, ending) = stem_and_ending(name);
        match ending {
            "yml" | "yaml" => Thresholds::parse_fineweb2(name, text),
            "json" => Thresholds::parse_stop_words(stem, text),
            "" | "txt" if is_word_list(stem, ending, text) => {
                let code = language_of_list(stem).map_or("", |language| language.code());
                Ok(Thresholds::of_words(code, WordList::Ldnoobw, lines(text)))
            }
            "txt" => Thresholds::parse_cursed(text),
            "md" => Ok(Thresholds::default()),
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
        let mut thresholds = Thresholds::default();
        let Some(language) = language_of_fineweb2(code) else { return Ok(thresholds) };
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
        if let Some((name, _)) = rules.iter().find(|(_, rule)| matches!(rule, Threshold::Number(n) if !n.is_finite())) {
            return Err(format!("{name} is no finite number"));
        }
        // Written into the job, a rule that nobody knows would be refused when the job is continued.
        if let Some((name, _)) = rules.iter().find(|(name, _)| !rule_names().any(|known| known == name)) {
            return Err(format!("no rule `{name}`"));
        }
        let lists = BTreeMap::from([(WordList::StopWords, config.stopwords)]);
        let own = Overrides { lists, rules: rules.into_iter().collect() };
        thresholds.by_language.insert(language.code().into(), own);
        Ok(thresholds)
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests;
