//! Dates with the name of a month.

use jiff::civil::Date;

use super::super::date_tokens::DateToken;
use super::super::months::{month, month_between};
use super::super::parted_months::with_whole_names;
use super::super::solar_hijri;
use super::{day, full_year};

/// `12. března 2013`, `March 12th, 2013`, `12 de marzo de 2013`, `2013 March 12`, `5 มีนาคม 2561`, `5 tháng 3 năm 2018`,
/// `2018-yil 5-mart`, `14 اسفند 1396`.
pub(super) fn with_month_name(tokens: &[DateToken], digits: usize) -> Option<Date> {
    let has_thai_year = || digits == 2 && tokens.iter().any(|token| is_thai(token.word));
    if !tokens.iter().any(|token| full_year(token, digits).is_some()) && !has_thai_year() {
        return None;
    }
    let tokens = with_whole_names(tokens);
    let (mut timed, mut is_zone) = (false, false);
    // A time may stand between, and its zone: `Jan 04 09:34:00 CET 2021`.
    let mut untimed = |token: &&DateToken| {
        let part = token.number_of(1..=2).is_some() && (timed || token.separator == Some(':'));
        let zone = is_zone && is_time_zone(token.word);
        (is_zone, timed) = (part, part && token.separator == Some(':'));
        !part && !zone && !is_filler(token.word)
    };
    let tokens: Vec<&DateToken> = tokens.iter().filter(|token| untimed(token)).collect();
    tokens.iter().enumerate().filter(|(_, token)| token.number.is_none()).find_map(|(at, token)| {
        let near = |offset: isize| tokens.get(at.checked_add_signed(offset)?).copied();
        let small = |offset: isize| {
            let number = near(offset)?;
            // Of the month of an issue no day is known.
            number.number_of(1..=2).map(|day| if is_numbered(near(offset - 1), number) { 1 } else { day })
        };
        let year_of = if is_thai(token.word) { thai_year } else { full_year };
        let year = |offset| year_of(near(offset)?, digits);
        let stated_year =
            |offset: isize| near(offset).filter(|word| YEAR_WORDS.contains(&word.word)).and_then(|_| year(offset - 1));
        if token.word.eq_ignore_ascii_case("tháng") {
            return day(year(2)?, small(1)?, small(-1)?);
        }
        if OF_MONTH.contains(&token.word) {
            return day(stated_year(-2)?, small(-1)?, small(1)?);
        }
        if let (Some(of_month), Some(year)) = (small(-1), year(1).or_else(|| stated_year(-2))) {
            // `Dec 22 - Jan 20` and `21 mars - 20 avril` are two days without a year.
            let other_month = match (near(-1).and_then(|day| day.separator), token.separator) {
                (Some('-' | '–'), None) => near(-2),
                (None, Some('-' | '–')) => near(2),
                _ => None,
            };
            // In Croatian, where a full stop stands behind the day, it is October, in Polish and Czech November.
            if token.word.eq_ignore_ascii_case("listopada") && near(-1).and_then(|day| day.separator) == Some('.') {
                return day(year, 10, of_month);
            }
            let is_month = |token: &DateToken| month(&token.word.to_lowercase()).is_some();
            let is_span = || digits == 2 && other_month.is_some_and(is_month);
            return day_of_named(year, token.word, of_month, digits == 4).filter(|_| !is_span());
        }
        let of_month = small(1)?;
        let year = year(2).or_else(|| year(-1)).or_else(|| stated_year(-1))?;
        day_of_named(year, token.word, of_month, false)
    })
}

/// Whether a number is that of a volume or issue, by the word before it and the mark behind it: `Volume 12, March 2019`, but `Date of
/// issue: 12 March 2019`.
fn is_numbered(before: Option<&DateToken>, number: &DateToken) -> bool {
    const NUMBERED: [&str; 22] = [
        "vol", "volume", "issue", "no", "nr", "núm", "heft", "band", "jahrgang", "jg", "ausgabe", "tome", "numéro",
        "numero", "número", "number", "chapter", "episode", "part", "lesson", "kapitel", "том",
    ];
    let is_marked = matches!(number.separator, Some(',' | '-' | '–' | '—' | '(' | '|'));
    let word = before.filter(|_| is_marked).map(|before| before.word.to_lowercase());
    word.is_some_and(|word| NUMBERED.contains(&word.as_str()))
}

/// The day of a month that a word names. Looking up words is dear, so only those beside numbers should be.
/// `between`: the word stands between a day and a year, so that short names are known.
fn day_of_named(year: u32, word: &str, of_month: u32, between: bool) -> Option<Date> {
    let word = word.to_lowercase();
    if solar_hijri::YEARS.contains(&year)
        && let Some(month) = solar_hijri::month(&word)
    {
        return solar_hijri::date_of(year, month, of_month);
    }
    let month = if between { month_between(&word) } else { month(&word) };
    day(year, month?, of_month)
}

/// The years of the Buddhist era are 543 more.
const BUDDHIST: std::ops::Range<u32> = 2500..2700;

/// A year as Thai writes it, of the Buddhist or the Western era; two digits are of the one that makes it a year of the web.
fn thai_year(token: &DateToken, digits: usize) -> Option<u32> {
    match token.number_of(digits..=digits)? {
        year if BUDDHIST.contains(&year) => Some(year - 543),
        year @ 38..95 if digits == 2 => Some(2500 + year - 543),
        _ => full_year(token, digits),
    }
}

fn is_thai(word: &str) -> bool {
    word.starts_with(|c| matches!(c, '\u{E01}'..='\u{E5B}'))
}

/// Words behind the number of a month in Mongolian and Uyghur: `2024 оны 3-р сарын 5`.
const OF_MONTH: [&str; 2] = ["сарын", "ئاينىڭ"];

/// Words behind a year that stands before a day and a month: `2024-yil 5-mart`, `2024. gada 5. marts`.
const YEAR_WORDS: &[&str] = words![
    "yil" "yilning" "ýyl" "ýylyň" "gada" "йил" "йилнинг" "жылғы" "жылы" "жылдың" "жыл" "жылдын" "елның" "йыл" "йылдың" "оны" "يىلى"
];

/// Words between the parts of a date. Those that stand behind other numbers are none: `9 a.m. Jan 12`, `9 °C, Jan 12`.
const FILLERS: &[&str] = words![
    "de" "del" "d" "of" "st" "nd" "rd" "th" "er" "den" "the" "m" "ko" "ga" "ng" "ta" "di" "e" "mh" "dhen" "nji"
    "º" "năm" "Năm" "ê" "oṣù" "Oṣù" "р" "дугаар" "дүгээр" "من" "عام" "ماه" "د" "ی" "พ" "ศ" "ค" "ปี" "ປີ" "ខែ" "ឆ្នាំ" "ခုနှစ်"
];

/// `GMT`, `CEST`, `UTC`.
fn is_time_zone(word: &str) -> bool {
    let is_name = word.ends_with(['T', 'C', 'K']) && word.bytes().all(|byte| byte.is_ascii_uppercase());
    (3..=4).contains(&word.len()) && is_name && month(&word.to_lowercase()).is_none()
}

fn is_filler(word: &str) -> bool {
    FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler))
}
