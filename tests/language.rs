//! Languages of labelled texts (`langid` and `languages` of the shared data): figures that may not fall, printed with `--nocapture`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use warcorpus::language::{Identifier, Language, Options, SampleBlock};

use crate::common::shared;

#[derive(Deserialize)]
struct Gathered {
    lang: String,
    text: String,
}

#[derive(Deserialize)]
struct Text {
    lang: String,
    #[serde(rename = "macro", default)]
    of: String,
    source: String,
    kind: String,
    text: String,
}

/// Least share of right answers, by source and kind of text in a language of the table.
const KNOWN: &[(&str, f64)] = &[
    ("lingua sentence", 0.955),
    ("lingua word-pair", 0.885),
    ("dslcc2 sentence", 0.925),
    ("flores1 sentence", 0.98),
    ("udhr article", 0.92),
];
/// Least share of `und` for those in other languages, among them dialects and members of macrolanguages that the table has.
const UNKNOWN: &[(&str, f64)] = &[("udhr article", 0.81)];
/// Least mean over languages of the shares of right answers to texts gathered for languages that lingua does not have.
const GATHERED: f64 = 0.945;

/// Codes that can be an answer, and the macrolanguage of each.
struct Codes {
    known: HashSet<&'static str>,
    macros: HashMap<String, String>,
}

impl Codes {
    /// A member of a macrolanguage is right for a language that cannot be an answer.
    fn right(&self, text: &Text, code: &str) -> bool {
        let unlisted = !self.known.contains(text.lang.as_str()) && !text.of.is_empty();
        code == text.lang || unlisted && (code == text.of || self.macros.get(code) == Some(&text.of))
    }

    fn knows(&self, text: &Text) -> bool {
        let member = |code: &&str| self.macros.get(*code) == Some(&text.of);
        self.known.contains(text.lang.as_str())
            || self.known.contains(text.of.as_str())
            || !text.of.is_empty() && self.known.iter().any(member)
    }
}

fn texts() -> Option<Vec<Text>> {
    let file = shared("langid/langid.jsonl.gz")?;
    let mut lines = String::new();
    MultiGzDecoder::new(File::open(file).unwrap()).read_to_string(&mut lines).unwrap();
    Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn languages_are_told_as_well_as_before() {
    let Some(texts) = texts() else { return };
    let macros = texts.iter().filter(|t| !t.of.is_empty()).map(|t| (t.lang.clone(), t.of.clone())).collect();
    let codes = Codes { known: Language::all().map(Language::code).collect(), macros };
    let options = |kind: &str| match kind {
        "word" | "word-pair" => Options { min_letters: 1, ..Options::default() },
        _ => Options { document_sample: 10_000, ..Options::default() },
    };
    let (identifier, of_words) = (Identifier::new(&options("")), Identifier::new(&options("word")));
    let (mut known, mut unknown) = (BTreeMap::new(), BTreeMap::new());
    // From texts of an even number of bytes the table was made.
    for text in texts.iter().filter(|text| text.source == "cld2" || text.text.len() % 2 == 1) {
        let block = SampleBlock { text: &text.text, characters: 100, link_characters: 0, preformatted: false };
        let identifier = if text.kind.starts_with("word") { &of_words } else { &identifier };
        let code = identifier.document([block].into_iter()).language.code();
        let knows = codes.knows(text);
        let (n, right) = if knows { &mut known } else { &mut unknown }
            .entry(format!("{} {}", text.source, text.kind))
            .or_insert((0u32, 0u32));
        *n += 1;
        *right += u32::from(if knows { codes.right(text, code) } else { code == Language::UNDETERMINED.code() });
    }
    for (name, figures, floors) in [("known", known, KNOWN), ("unknown", unknown, UNKNOWN)] {
        for (group, _) in floors {
            assert!(figures.contains_key(*group), "{name} {group}: no text was measured");
        }
        for (group, (n, right)) in figures {
            let share = f64::from(right) / f64::from(n);
            println!("{name:>8} {group:20} {:.2} % of {n}", share * 100.0);
            let floor = floors.iter().find(|(floored, _)| *floored == group).map_or(0.0, |(_, floor)| *floor);
            assert!(share >= floor, "{name} {group}: {share:.4}, was at least {floor}");
        }
    }
}

#[test]
fn languages_beyond_linguas_are_told() {
    let Some(file) = shared("languages/dev.jsonl.zst") else { return };
    let mut decoder = zstd::Decoder::new(File::open(file).unwrap()).unwrap();
    decoder.window_log_max(27).unwrap();
    let identifier = Identifier::new(&Options { document_sample: 10_000, ..Options::default() });
    let known: HashSet<&str> = Language::all().map(Language::code).collect();
    let mut figures: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for line in BufReader::new(decoder).lines() {
        let text: Gathered = serde_json::from_str(&line.unwrap()).unwrap();
        if !known.contains(text.lang.as_str()) {
            continue;
        }
        let block = SampleBlock { text: &text.text, characters: 100, link_characters: 0, preformatted: false };
        let right = identifier.document([block].into_iter()).language.code() == text.lang;
        let (n, all_right) = figures.entry(text.lang).or_default();
        *n += 1;
        *all_right += u32::from(right);
    }
    let share = |(n, right): &(u32, u32)| f64::from(*right) / f64::from(*n);
    let mean = figures.values().map(share).sum::<f64>() / figures.len() as f64;
    println!("{} languages, right on the mean {:.2} %", figures.len(), mean * 100.0);
    let weak = figures.iter().filter(|(_, figure)| share(figure) < 0.9);
    weak.for_each(|(code, figure)| println!("  {code} {:.1} % of {}", share(figure) * 100.0, figure.0));
    assert!(mean >= GATHERED, "{mean}");
}

/// Every tenth of lingua's sentences: with `language.identifier = "lingua"` the answer is that of the crate, and the
/// table has the same one in all but a few.
#[cfg(feature = "lingua")]
#[test]
fn the_table_agrees_with_lingua() {
    use warcorpus::language::Method;

    let Some(texts) = texts() else { return };
    let identifier = |identifier| {
        let options = Options { identifier, paragraph_sample: 10_000, min_letters: 1, ..Options::default() };
        Identifier::new(&options)
    };
    let (table, lingua) = (identifier(Method::Table), identifier(Method::Lingua));
    let itself = lingua::LanguageDetectorBuilder::from_all_languages().build();
    let (mut n, mut same) = (0, 0);
    let unseen = |text: &&Text| text.source == "lingua" && text.kind == "sentence" && text.text.len() % 2 == 1;
    for text in texts.iter().filter(unseen).step_by(10) {
        let found = lingua.paragraph(&text.text, Language::UNDETERMINED).language;
        let own = itself.detect_language_of(&text.text).map(|language| language.iso_code_639_3().to_string());
        assert_eq!(found.code(), own.as_deref().unwrap_or("und"), "{}", text.text);
        n += 1;
        same += i32::from(table.paragraph(&text.text, Language::UNDETERMINED).language == found);
    }
    let share = f64::from(same) / f64::from(n);
    println!("the table has lingua's answer to {:.2} % of {n} sentences", share * 100.0);
    assert!(share >= 0.94, "{share}");
}
