//! Makes the table of warcorpus's src/language, which is part of the repository, from lingua's models:
//! `cargo run --release -p language-table`. See src/language/table.rs for its layout.
//!
//! Models → counts of n-grams → rows of costs → bytes, script by script; then what text usually costs. The same models
//! make the same bytes everywhere: sums are of whole numbers, and no function of the system's mathematics library
//! decides anything that is written.

mod counts;
mod marked;
mod models;
mod rows;
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
/// The path by which the library knows the module.
#[path = "../../src/text"]
mod text {
    #[allow(dead_code, reason = "shared with the library")]
    pub mod swar;
}

use std::path::PathBuf;

use models::Model;

/// Mean change of cost, in steps of 1/16, from which on an n-gram is kept: in the script of many languages, and in
/// those whose rows are short.
const WORTH: f64 = 2.0e-3;
const NARROW_WORTH: f64 = 3.0e-4;

/// The file of the repository. The number in its name grows whenever its bytes change.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/language/languages-1.table");

/// Writes the table to the file that is named, or to [`FILE`].
fn main() -> std::io::Result<()> {
    let file = std::env::args_os().nth(1).map_or_else(|| FILE.into(), PathBuf::from);
    std::fs::write(file, table(&models::models()))
}

fn table(models: &[Model]) -> Vec<u8> {
    let (mut letters, mut tables) = (Vec::new(), Vec::new());
    for (script, codes) in script::TABLED {
        let own = |code| models.iter().find(|model| model.code == code);
        let own: Vec<&Model> = codes.split(' ').filter_map(own).collect();
        let counted = counts::count(&own, script);
        let worth = if own.len() > hash::NARROW { WORTH } else { NARROW_WORTH };
        write::rows(&mut tables, &rows::rows(&counted, worth));
        letters.push(counted.letters);
    }
    let mut bytes = write::letters(&letters);
    bytes.extend(tables);
    let usual = usual::usual(models, &bytes);
    bytes.extend(usual);
    bytes
}
