//! Makes the table of src/language from lingua's models: see src/language/table.rs for its layout.
//!
//! Models → counts of n-grams → rows of costs → bytes, script by script; then what text usually costs. The same models
//! make the same bytes everywhere: sums are of whole numbers, and no function of the system's mathematics library
//! decides anything that is written.

#![allow(clippy::print_stdout, reason = "a build script speaks to cargo on standard output")]

mod counts;
mod marked;
mod models;
mod rows;
mod usual;
mod write;

#[path = "../src/language/code.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod code;
#[path = "../src/language/hash.rs"]
mod hash;
#[path = "../src/language/score.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod score;
#[path = "../src/language/script.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod script;
#[path = "../src/text/swar.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod swar;
#[path = "../src/language/table.rs"]
#[allow(dead_code, reason = "shared with the library")]
mod table;
/// The path by which the library knows the module.
mod text {
    pub use super::swar;
}

use std::path::PathBuf;

use models::Model;

/// Mean change of cost, in steps of 1/16, from which on an n-gram is kept: in the script of many languages, and in
/// those whose rows are short.
const WORTH: f64 = 2.0e-3;
const NARROW_WORTH: f64 = 3.0e-4;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/text/swar.rs");
    for shared in ["hash", "script", "table", "score", "code"] {
        println!("cargo::rerun-if-changed=src/language/{shared}.rs");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("languages.table");
    if let Err(error) = std::fs::write(&out, table(&models::models())) {
        println!("cargo::error={}: {error}", out.display());
    }
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
