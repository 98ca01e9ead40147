//! Names of encodings and languages as pages write them: label → encoding,
//! language → the top-level domain that stands for it in detection.

use encoding_rs::{Encoding, KOI8_R, REPLACEMENT, SHIFT_JIS, UTF_8, WINDOWS_1252, X_USER_DEFINED};

use super::any_encoding::AnyEncoding;
use super::code_page::CodePage;

/// The encoding of a label by the Encoding Standard, else by the spellings that
/// pages use and the standard does not know, else the code page. `None` for unknown labels, for
/// those of the `replacement` encoding, and for x-user-defined, which is no text.
pub(super) fn lookup(label: &str) -> Option<AnyEncoding> {
    standard_or_alias(label).filter(|&encoding| encoding != X_USER_DEFINED)
}

/// Like [`lookup`] for a `<meta>`, where x-user-defined means windows-1252.
pub(super) fn lookup_meta(label: &str) -> Option<AnyEncoding> {
    standard_or_alias(label).map(|encoding| if encoding == X_USER_DEFINED { WINDOWS_1252.into() } else { encoding })
}

fn standard_or_alias(label: &str) -> Option<AnyEncoding> {
    match Encoding::for_label(label.as_bytes()) {
        Some(encoding) => (encoding != REPLACEMENT).then_some(encoding.into()),
        None => alias(label),
    }
}

/// Spellings outside the standard.
fn alias(label: &str) -> Option<AnyEncoding> {
    let bare = label.trim_matches(|c: char| c.is_whitespace() || "\"'.;,".contains(c));
    let first = bare.split([';', ',']).next().unwrap_or_default();
    let name: String =
        first.chars().filter(|c| !c.is_whitespace() && *c != '_').collect::<String>().to_ascii_lowercase();
    let plain = name.replace('-', "");
    if plain.starts_with("utf8") {
        return Some(UTF_8.into()); // utf8mb4, utf-8utf-8
    }
    match plain.as_str() {
        "koi8r" => return Some(KOI8_R.into()),
        "shiftjis" | "sjiswin" => return Some(SHIFT_JIS.into()),
        _ => {}
    }
    windows_number(&plain)
        .and_then(|name| Encoding::for_label_no_replacement(name.as_bytes()))
        .or_else(|| Encoding::for_label_no_replacement(name.as_bytes()))
        .or_else(|| Encoding::for_label_no_replacement(plain.as_bytes()))
        .or_else(|| Encoding::for_label_no_replacement(euc_hyphen(&plain)?.as_bytes()))
        .map(AnyEncoding::Standard)
        .or_else(|| CodePage::for_label(&plain).map(AnyEncoding::CodePage))
}

/// `win1251`, `windows1251`, `cp1251`, `ms1251` → `windows-1251`; `cp866` stays for the standard.
fn windows_number(plain: &str) -> Option<String> {
    let number = ["windows", "win", "cp", "ms"].iter().find_map(|prefix| plain.strip_prefix(prefix))?;
    let known = number == "874" || (number.len() == 4 && number.starts_with("125"));
    known.then(|| format!("windows-{number}"))
}

/// `eucjp` → `euc-jp`.
fn euc_hyphen(plain: &str) -> Option<String> {
    Some(format!("euc-{}", plain.strip_prefix("euc")?))
}

/// The top-level domain whose legacy encodings a language used, to steer
/// detection; `None` where the language says nothing (English, unknown ones).
///
/// `tag` is a language tag such as `cs`, `zh-TW` or `pt_BR`.
pub(super) fn domain_of_language(tag: &str) -> Option<&'static str> {
    let tag = tag.trim().to_ascii_lowercase().replace('_', "-");
    let mut parts = tag.split(['-', ',', ';', ' ']);
    let language = parts.next()?;
    if language == "zh" {
        let traditional = parts.any(|part| matches!(part, "tw" | "hk" | "mo" | "hant"));
        return Some(if traditional { "tw" } else { "cn" });
    }
    LANGUAGE_DOMAINS.iter().find(|(languages, _)| languages.contains(&language)).map(|&(_, domain)| domain)
}

/// One domain for each group of languages that chardetng tells apart. The
/// western ones matter on domains of other regions (German pages under .cz).
const LANGUAGE_DOMAINS: [(&[&str], &str); 24] = [
    (&["cs", "ces", "cze"], "cz"),
    (&["sk", "slk", "slo"], "sk"),
    (&["pl", "pol"], "pl"),
    (&["hu", "hun"], "hu"),
    (&["sl", "slv", "hr", "hrv", "bs", "bos"], "hr"),
    // Serbian is written in Latin and Cyrillic. The detector takes `rs` for Cyrillic alone and `ba` for both.
    (&["sr", "srp", "sh", "hbs", "cnr"], "ba"),
    (&["ro", "ron", "rum"], "ro"),
    (&["ru", "rus", "be", "bel"], "ru"),
    (&["uk", "ukr"], "ua"),
    (&["bg", "bul", "mk", "mkd"], "bg"),
    (&["el", "ell", "gre"], "gr"),
    (&["tr", "tur"], "tr"),
    (&["he", "heb", "iw"], "il"),
    (&["ar", "ara"], "ae"),
    (&["fa", "fas", "per"], "ir"),
    (&["th", "tha"], "th"),
    (&["vi", "vie"], "vn"),
    (&["ja", "jpn"], "jp"),
    (&["ko", "kor"], "kr"),
    (&["lt", "lit"], "lt"),
    (&["lv", "lav", "et", "est"], "lv"),
    (&["is", "isl", "fo", "fao"], "is"),
    (&["de", "deu", "fr", "fra", "nl", "nld", "it", "ita"], "de"),
    (&["es", "spa", "pt", "por", "sv", "swe", "da", "dan", "no", "nb", "nn", "fi", "fin", "ca"], "es"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn name(label: &str) -> Option<&'static str> {
        lookup(label).map(AnyEncoding::name)
    }

    #[test]
    fn labels_of_the_standard() {
        for (label, expected) in [
            ("latin1", "windows-1252"),
            ("iso-8859-1", "windows-1252"),
            ("ascii", "windows-1252"),
            ("us-ascii", "windows-1252"),
            ("iso-8859-9", "windows-1254"),
            ("tis-620", "windows-874"),
            ("iso-8859-11", "windows-874"),
            ("gb2312", "GBK"),
            ("gb_2312-80", "GBK"),
            ("ks_c_5601-1987", "EUC-KR"),
            ("sjis", "Shift_JIS"),
            ("x-sjis", "Shift_JIS"),
            ("windows-31j", "Shift_JIS"),
            ("big5-hkscs", "Big5"),
            ("x-x-big5", "Big5"),
            ("koi8", "KOI8-R"),
            ("koi8-ru", "KOI8-U"),
            ("cp866", "IBM866"),
            ("utf-16", "UTF-16LE"),
            ("unicode-1-1-utf-8", "UTF-8"),
            ("visual", "ISO-8859-8"),
            ("logical", "ISO-8859-8-I"),
            (" UTF-8\t", "UTF-8"),
        ] {
            assert_eq!(name(label), Some(expected), "{label}");
        }
    }

    #[test]
    fn aliases_outside_the_standard() {
        for (label, expected) in [
            ("win-1251", "windows-1251"),
            ("cp-1251", "windows-1251"),
            ("windows1251", "windows-1251"),
            ("windows 1251", "windows-1251"),
            ("cp-866", "IBM866"),
            ("utf8mb4", "UTF-8"),
            ("utf_8", "UTF-8"),
            ("utf-8utf-8", "UTF-8"),
            ("iso88592", "ISO-8859-2"),
            ("ISO_8859_2", "ISO-8859-2"),
            ("koi-8r", "KOI8-R"),
            ("euc_jp", "EUC-JP"),
            ("Shift JIS", "Shift_JIS"),
            ("\"windows-1250\"", "windows-1250"),
            ("iso-8859-2, utf-8", "ISO-8859-2"),
            ("cp-852", "IBM852"),
            ("IBM_850", "IBM850"),
            ("x-mac-ce", "mac-centraleurope"),
        ] {
            assert_eq!(name(label), Some(expected), "{label}");
        }
    }

    #[test]
    fn labels_that_mean_nothing() {
        for label in
            ["utf-7", "utf-32", "none", "", "hz-gb-2312", "iso-2022-kr", "iso-2022-cn", "x-user-defined", "win-9999"]
        {
            assert_eq!(name(label), None, "{label}");
        }
        assert_eq!(lookup_meta("x-user-defined"), Some(WINDOWS_1252.into()));
    }

    #[test]
    fn languages_have_domains() {
        assert_eq!(domain_of_language("cs-CZ"), Some("cz"));
        assert_eq!(domain_of_language("zh_TW"), Some("tw"));
        assert_eq!(domain_of_language("zh-Hant"), Some("tw"));
        assert_eq!(domain_of_language("ZH"), Some("cn"));
        assert_eq!(domain_of_language("sr-Latn-RS"), Some("ba"));
        assert_eq!(domain_of_language("en"), None);
        assert_eq!(domain_of_language(""), None);
    }
}
