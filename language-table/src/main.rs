//! Makes the table of warcorpus's src/language, which is part of the repository, from lingua's models:
//! `cargo run --release -p language-table`. See src/language/table.rs for its layout.
//!
//! Models → counts of n-grams → rows of costs → bytes, script by script; then what text usually costs. The same models
//! make the same bytes everywhere: sums are of whole numbers, and no function of the system's mathematics library
//! decides anything that is written.

mod counts;
mod models;
mod rows;
mod texts;
mod usual;
mod write;

#[path = "../../src/language/code.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod code;
#[path = "../../src/language/hash.rs"]
mod hash;
#[path = "../../src/language/score.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod score;
#[path = "../../src/language/script.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod script;
#[path = "../../src/language/table.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod table;
#[path = "../../src/language/tables.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod tables;
#[path = "../../src/language/words.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod words;
/// The path by which the library knows the module.
#[path = "../../src/text"]
mod text {
    #[allow(dead_code, reason = "shared with the library")]
    pub mod swar;
}

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use counts::Source;
use hash::{NARROW, WIDE};
use models::Model;
use script::Script;
use tables::{LATIN_TABLES, WIDE_TABLES, languages};
use texts::Text;
use usual::Known;

/// Mean change of cost, in steps of 1/16, from which on an n-gram is kept: in tables of Latin script, in other wide ones,
/// and in those whose rows are short.
const LATIN_WORTH: f64 = 4.2e-3;
const WIDE_WORTH: f64 = 3.6e-3;
const NARROW_WORTH: f64 = 1.1e-3;

/// The files of the repository, from its top folder.
const FILES: [&str; 3] =
    ["language-table/latin-1/latin-1.table", "language-table/latin-2/latin-2.table", "src/language/others.table"];

/// Languages of lingua whose script writes vowels by marks, which lingua's models leave out: texts alone count.
const MARKED: [&str; 3] = ["hin", "mar", "ben"];

/// Languages that are hard to tell apart.
const RELATIVES: [&str; 10] = [
    "bos hrv srp",
    "ind msa",
    "dan nob nno",
    "ces slk",
    "spa cat glg ast por",
    "zul xho nbl nde ssw",
    "fin fit fkv est",
    "ita lat",
    "nld afr vls",
    "hin awa bho hne mag mai",
];

/// Reads texts from the folder that is named first, and writes the table's [`FILES`] below the repository, or below the
/// folder that is named behind it.
fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or_else(|| std::io::Error::other("name the folder of texts"))?;
    let top = arguments.next().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    for (file, bytes) in FILES.iter().zip(table(&models::models(), &texts::texts(Path::new(&folder))?)) {
        let file = top.join(file);
        std::fs::create_dir_all(file.parent().unwrap_or(&top))?;
        std::fs::write(file, bytes)?;
    }
    Ok(())
}

/// The bytes of each of [`FILES`].
fn table(models: &[Model], texts: &[Text]) -> [Vec<u8>; 3] {
    let mut of_script = std::collections::HashMap::new();
    for text in texts {
        of_script.entry(text.script as usize).or_insert_with(Vec::new).push(text);
    }
    let (mut letters, mut usual_of): (Vec<(Script, _)>, _) = (Vec::new(), Vec::new());
    let (mut first, mut further, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let all: Vec<(Script, &str)> = tables::tables().collect();
    for (place, &(script, codes)) in all.iter().enumerate() {
        let texts = of_script.get(&(script as usize)).map_or(&[][..], Vec::as_slice);
        let same = all.iter().filter(|(other, _)| *other == script);
        let codes_of_script: HashSet<&str> =
            same.flat_map(|(_, codes)| languages(codes)).map(|(code, _)| code).collect();
        if letters.last().is_none_or(|(last, _)| *last != script) {
            let sources: Vec<Source> =
                codes_of_script.iter().map(|code| source(code, &codes_of_script, models, texts)).collect();
            letters.push((script, counts::letters(&sources, script)));
        }
        let Some((_, letters)) = letters.last() else { continue };
        let sources: Vec<Source> =
            languages(codes).map(|(code, _)| source(code, &codes_of_script, models, texts)).collect();
        let counted = counts::count(&sources, letters);
        let (worth, width) = match () {
            () if script == Script::Latin => (LATIN_WORTH, WIDE),
            () if place < WIDE_TABLES.len() => (WIDE_WORTH, WIDE),
            () => (NARROW_WORTH, NARROW),
        };
        let relatives: Vec<Vec<usize>> = RELATIVES.iter().map(|group| places(codes, group)).collect();
        let rows = rows::rows(&counted, &relatives, worth);
        eprintln!("{script:?}: {} languages, {} n-grams", sources.len(), rows.kept.len());
        let file = match place {
            0 => &mut first,
            1..LATIN_TABLES => &mut further,
            _ => &mut others,
        };
        write::rows(file, &rows, width);
        let known = languages(codes).map(|(code, answer)| Known {
            frequent: code == answer && models.iter().any(|model| model.code == code),
            texts: held_out(code, &codes_of_script, models, texts),
        });
        usual_of.push(known.collect());
    }
    let mut files = [[write::letters(&letters), first].concat(), further, others];
    let usual = usual::usual(&usual_of, &files);
    let [.., others] = &mut files;
    others.extend(usual);
    files
}

/// The places of a group's languages in a table.
fn places(codes: &str, group: &str) -> Vec<usize> {
    let is_one = |code: &str| group.split(' ').any(|other| other == code);
    languages(codes).enumerate().filter(|(_, (code, _))| is_one(code)).map(|(place, _)| place).collect()
}

/// Whether a text is one of a language: of the language itself, or of a member of the macrolanguage that is none of the
/// script's other languages.
fn is_of(text: &Text, code: &str, codes: &HashSet<&str>) -> bool {
    text.language == code || text.of == code && !codes.contains(text.language.as_str())
}

/// What the n-grams of a language are counted from.
fn source<'a>(code: &str, codes: &HashSet<&str>, models: &'a [Model], texts: &[&'a Text]) -> Source<'a> {
    let model = models.iter().find(|model| model.code == code && !MARKED.contains(&code));
    let own = texts.iter().filter(|text| !text.held_out && is_of(text, code, codes));
    let mut own: Vec<&str> = own.map(|text| text.text.as_str()).collect();
    if MARKED.contains(&code) {
        own.extend(sentences(code, models).iter().step_by(2));
    }
    let of_texts = texts.first().map(|text| text.script);
    let own_script = |model: &&Model| model.sentences.iter().take(9).any(|line| texts::script_of(line) == of_texts);
    let spelling = (code == "srp" && of_texts == Some(Script::Latin)).then_some(serbian as fn(char) -> &'static str);
    let model = model.filter(|model| spelling.is_some() || own_script(model));
    Source { model: model.map(|model| model.ngrams), spelling, texts: own }
}

/// A letter of Serbian as it is written in Latin script.
fn serbian(letter: char) -> &'static str {
    let pairs = "аaбbвvгgдdђđеeжžзzиiјjкkлlмmнnоoпpрrсsтtћćуuфfхhцcчčшš";
    match letter {
        'љ' => "lj",
        'њ' => "nj",
        'џ' => "dž",
        _ => pairs.split_once(letter).and_then(|(_, rest)| rest.get(..rest.chars().next()?.len_utf8())).unwrap_or(""),
    }
}

/// Texts that a language's n-grams are not counted in.
fn held_out<'a>(code: &str, codes: &HashSet<&str>, models: &'a [Model], texts: &[&'a Text]) -> Vec<&'a str> {
    let script = texts.first().map(|text| text.script);
    let sentences = sentences(code, models).iter().copied();
    let skip = usize::from(MARKED.contains(&code));
    let sentences = sentences.skip(skip).step_by(skip + 1).filter(|line| texts::script_of(line) == script);
    let own = texts.iter().filter(|text| text.held_out && is_of(text, code, codes));
    sentences.chain(own.map(|text| text.text.as_str())).collect()
}

fn sentences<'a>(code: &str, models: &'a [Model]) -> &'a [&'static str] {
    models.iter().find(|model| model.code == code).map_or(&[], |model| &model.sentences)
}
