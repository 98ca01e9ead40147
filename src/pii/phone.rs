//! Telephone numbers, checked against the numbering plans of libphonenumber. A number with its country code (E.123) counts
//! wherever it stands. One without counts behind a word such as `tel.`, in a country of the text's language: dates, prices
//! and counts are valid numbers somewhere.

use std::ops::Range;

use phonenumber::country::Id;

use super::scan::{after, before, has_word_before, joins, run_after, run_before, runs};

/// Characters of a number at most, and digits (E.164: 15; shorter than 7 is a short code).
const LONGEST: usize = 25;
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// Characters before a number in which a word must announce it.
const CONTEXT: usize = 24;
/// Groups that may follow a number and are none of it.
const MOST_EXTRA: usize = 3;

/// Words that announce a number.
const WORDS: [&str; 45] = [
    "tel",
    "tél",
    "teléf",
    "telefon",
    "telefonu",
    "telefonní",
    "telefón",
    "telefónne",
    "téléphone",
    "telephone",
    "phone",
    "telefono",
    "teléfono",
    "telefone",
    "telefoon",
    "telefonnummer",
    "telefonszám",
    "puhelin",
    "puh",
    "mobil",
    "mobile",
    "móvil",
    "mobiel",
    "mobilní",
    "portable",
    "cellulare",
    "celular",
    "cell",
    "komórka",
    "handy",
    "matkapuhelin",
    "gsm",
    "fax",
    "telefax",
    "faks",
    "whatsapp",
    "hotline",
    "infolinka",
    "тел",
    "телефон",
    "телефону",
    "факс",
    "моб",
    "☎",
    "📞",
];

/// Such words in scripts that part no words, and with articles in front.
const PARTS: [&str; 10] = ["电话", "電話", "手机", "手機", "传真", "ファクス", "携帯", "هاتف", "جوال", "تليفون"];

/// Adds the byte ranges of numbers, in order.
pub fn find(text: &str, language: &str, found: &mut Vec<Range<usize>>) {
    let mut regions = None;
    let mut end = 0;
    for run in runs(text, |b| b.is_ascii_digit()) {
        if run.start < end {
            continue;
        }
        let Some(range) = candidate(text, run.start) else { continue };
        let is_international = is_international(text.get(range.clone()).unwrap_or_default());
        let regions: &[Option<Id>] = match is_international {
            true => &[None],
            false if is_announced(text, range.start) => regions.get_or_insert_with(|| regions_of(language)),
            false => &[],
        };
        if let Some(mut number) = longest_valid(text, &range, regions) {
            // A bracket around the whole number is none of it.
            if text.get(number.clone()).is_some_and(|shown| shown.starts_with('(') && !shown.contains(')')) {
                number.start += 1;
            }
            end = number.end;
            found.push(number);
        }
    }
}

/// The stretch from a digit on that could be a number: digits with points, blanks, hyphens, a slash or brackets between.
fn candidate(text: &str, digit: usize) -> Option<Range<usize>> {
    let opening = run_before(text, digit, 2, |c| matches!(c, '+' | '('));
    let goes_on = matches!(before(text, opening), Some('.' | ',' | '-' | '/' | '#' | '='));
    if joins(before(text, opening)) || goes_on && !is_international(text.get(opening..)?) {
        return None;
    }
    let reach = run_after(text, opening, LONGEST, |c| {
        c.is_ascii_digit() || matches!(c, '+' | '(' | ')' | ' ' | '\u{A0}' | '\u{202F}' | '.' | '-' | '‑' | '–' | '/')
    });
    let shown = text.get(opening..reach)?;
    let end = opening + shown.rfind(|c: char| c.is_ascii_digit())? + 1;
    Some(opening..end)
}

/// The longest beginning of a candidate that is a valid number, cut between groups of digits.
fn longest_valid(text: &str, candidate: &Range<usize>, regions: &[Option<Id>]) -> Option<Range<usize>> {
    let mut range = candidate.clone();
    for _ in 0..=MOST_EXTRA {
        let shown = text.get(range.clone())?;
        let digits = shown.bytes().filter(u8::is_ascii_digit).count();
        if DIGITS.contains(&digits)
            && !joins(after(text, range.end))
            && regions.iter().any(|region| is_valid(*region, shown))
        {
            return Some(range);
        }
        let last = run_before(text, range.end, LONGEST, |c| c.is_ascii_digit());
        let end = text.get(range.start..last)?.rfind(|c: char| c.is_ascii_digit())? + 1;
        range.end = range.start + end;
    }
    None
}

/// Whether a number begins with its country code; brackets may stand around that.
fn is_international(shown: &str) -> bool {
    shown.trim_start_matches('(').starts_with('+')
}

fn is_valid(region: Option<Id>, shown: &str) -> bool {
    let shown = if is_international(shown) { shown.trim_start_matches('(') } else { shown };
    phonenumber::parse(region, shown).is_ok_and(|number| number.is_valid())
}

fn is_announced(text: &str, at: usize) -> bool {
    let begin = run_before(text, at, CONTEXT, |_| true);
    let context = text.get(begin..at).unwrap_or_default();
    has_word_before(text, at, CONTEXT, &WORDS) || PARTS.iter().any(|part| context.contains(part))
}

/// Countries in which a language is the main one of many people.
fn regions_of(language: &str) -> Vec<Option<Id>> {
    let regions: &[Id] = match language {
        "ara" => &[Id::SA, Id::EG, Id::AE, Id::MA, Id::DZ, Id::IQ, Id::JO],
        "bul" => &[Id::BG],
        "cat" | "eus" | "glg" => &[Id::ES],
        "ces" => &[Id::CZ],
        "dan" => &[Id::DK],
        "deu" => &[Id::DE, Id::AT, Id::CH],
        "ell" => &[Id::GR, Id::CY],
        "eng" => &[Id::US, Id::GB, Id::CA, Id::AU, Id::IE, Id::NZ, Id::IN, Id::ZA],
        "est" => &[Id::EE],
        "fas" => &[Id::IR],
        "fin" => &[Id::FI],
        "fra" => &[Id::FR, Id::BE, Id::CH, Id::CA],
        "heb" => &[Id::IL],
        "hin" => &[Id::IN],
        "hrv" => &[Id::HR],
        "hun" => &[Id::HU],
        "ind" => &[Id::ID],
        "isl" => &[Id::IS],
        "ita" => &[Id::IT, Id::CH],
        "jpn" => &[Id::JP],
        "kor" => &[Id::KR],
        "lav" => &[Id::LV],
        "lit" => &[Id::LT],
        "msa" => &[Id::MY],
        "nld" => &[Id::NL, Id::BE],
        "nno" | "nob" | "nor" => &[Id::NO],
        "pol" => &[Id::PL],
        "por" => &[Id::PT, Id::BR],
        "ron" => &[Id::RO, Id::MD],
        "rus" => &[Id::RU, Id::KZ, Id::BY],
        "slk" => &[Id::SK],
        "slv" => &[Id::SI],
        "spa" => &[Id::ES, Id::MX, Id::AR, Id::CO, Id::CL, Id::PE],
        "sqi" => &[Id::AL],
        "srp" => &[Id::RS, Id::BA],
        "swe" => &[Id::SE, Id::FI],
        "tha" => &[Id::TH],
        "tur" => &[Id::TR],
        "ukr" => &[Id::UA],
        "vie" => &[Id::VN],
        "zho" => &[Id::CN, Id::TW, Id::HK],
        _ => &[],
    };
    regions.iter().copied().map(Some).collect()
}
