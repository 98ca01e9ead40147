//! The rule files, by the ISO 639-3 codes that they serve.

/// LanguageRules that all languages share.
pub const GENERAL: &str = include_str!("languages/general.toml");

/// Codes and text of each file.
pub const FILES: &[(&[&str], &str)] = &[
    (&["afr"], include_str!("languages/afr.toml")),
    (&["ara"], include_str!("languages/ara.toml")),
    (&["bul"], include_str!("languages/bul.toml")),
    (&["cat"], include_str!("languages/cat.toml")),
    (&["ces"], include_str!("languages/ces.toml")),
    (&["dan"], include_str!("languages/dan.toml")),
    (&["deu"], include_str!("languages/deu.toml")),
    (&["ell"], include_str!("languages/ell.toml")),
    (&["eng"], include_str!("languages/eng.toml")),
    (&["fin"], include_str!("languages/fin.toml")),
    (&["fra"], include_str!("languages/fra.toml")),
    (&["gla"], include_str!("languages/gla.toml")),
    (&["hau"], include_str!("languages/hau.toml")),
    (&["hrv", "srp", "bos", "hbs"], include_str!("languages/hrv.toml")),
    (&["hun"], include_str!("languages/hun.toml")),
    (&["hye", "hyw"], include_str!("languages/hye.toml")),
    (
        &[
            "asm", "awa", "ben", "bho", "bpy", "brx", "doi", "gom", "guj", "hin", "hne", "kas", "kok", "mag", "mai",
            "mar", "mni", "nep", "new", "npi", "ori", "ory", "pan", "san", "sat", "snd",
        ],
        include_str!("languages/indic.toml"),
    ),
    (&["ita"], include_str!("languages/ita.toml")),
    (&["jpn"], include_str!("languages/jpn.toml")),
    (&["lim"], include_str!("languages/lim.toml")),
    (&["mlg", "plt"], include_str!("languages/mlg.toml")),
    (&["mlt"], include_str!("languages/mlt.toml")),
    (&["nld"], include_str!("languages/nld.toml")),
    (&["nob", "nno", "nor"], include_str!("languages/nob.toml")),
    (&["pol"], include_str!("languages/pol.toml")),
    (&["por"], include_str!("languages/por.toml")),
    (&["ron"], include_str!("languages/ron.toml")),
    (&["rus"], include_str!("languages/rus.toml")),
    (&["shn"], include_str!("languages/shn.toml")),
    (&["slk"], include_str!("languages/slk.toml")),
    (&["slv"], include_str!("languages/slv.toml")),
    (&["smo", "ton"], include_str!("languages/smo.toml")),
    (&["spa"], include_str!("languages/spa.toml")),
    (&["swe"], include_str!("languages/swe.toml")),
    (&["tha"], include_str!("languages/tha.toml")),
    (&["tur"], include_str!("languages/tur.toml")),
    (&["ukr"], include_str!("languages/ukr.toml")),
    (&["zho", "cmn"], include_str!("languages/zho.toml")),
];
