//! The signals of lines of RedPajama-V2. Reference: `RedPajama-Data`, `app/src/core/quality_signals/lines.py`. There is one value
//! for each line, empty ones included; an empty line at the end is none. Where the reference normalises, lines are normalised
//! one by one.

use super::Signals;
use super::characters::{self, UPPER, WORD, is, split, strip_end, strip_start};
use super::redpajama::normalise;

const TERMINAL_MARKS: [char; 4] = ['.', '!', '?', '”'];
const BULLETS: [char; 10] = [
    '\u{2022}', '\u{2023}', '\u{25B6}', '\u{25C0}', '\u{25E6}', '\u{25A0}', '\u{25A1}', '\u{25AA}', '\u{25AB}',
    '\u{2013}',
];

/// `normalised` is memory that is used again.
pub fn measure(text: &str, normalised: &mut String, signals: &mut Signals) {
    let of_raw = |value: fn(&str) -> f32| Some(lines(text).map(value).collect());
    signals.rps_lines_ending_with_terminal_punctution_mark =
        of_raw(|line| strip_end(line).ends_with(TERMINAL_MARKS).into());
    signals.rps_lines_start_with_bulletpoint = of_raw(|line| begins_with_bullet(line).into());
    signals.rps_lines_uppercase_letter_fraction = of_raw(|line| fraction(line, |c| is(c, UPPER)));
    let (mut javascript, mut words, mut numerical) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines(text) {
        normalise(line, normalised);
        javascript.push(split(normalised).filter(|word| *word == "javascript").count() as f32);
        words.push(split(normalised).count() as f32);
        numerical.push(fraction(normalised, is_numeric));
    }
    signals.rps_lines_javascript_counts = Some(javascript);
    signals.rps_lines_num_words = Some(words);
    signals.rps_lines_numerical_chars_fraction = Some(numerical);
}

/// Share of the lines that begin with a bullet, which no column of the reference has.
pub(super) fn bullet_lines(text: &str) -> Option<f64> {
    super::share(lines(text).filter(|line| begins_with_bullet(line)).count(), lines(text).count())
}

/// Lines with their line ends, which count as characters.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
}

fn begins_with_bullet(line: &str) -> bool {
    strip_start(line).starts_with(BULLETS)
}

fn fraction(text: &str, has: impl Fn(char) -> bool) -> f32 {
    let part = text.chars().filter(|c| has(*c)).count();
    super::share(part, characters::count(text)).unwrap_or(0.0) as f32
}

/// `str.isnumeric`: numbers of all kinds.
fn is_numeric(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && is(c, WORD) && (c.is_numeric() || is_numeric_ideograph(c))
}

/// Ideographs with the numeric type Numeric (Unicode Character Database, `DerivedNumericType.txt`).
fn is_numeric_ideograph(c: char) -> bool {
    matches!(c, '\u{3405}' | '\u{3483}' | '\u{382A}' | '\u{3B4D}' | '\u{4E00}' | '\u{4E03}' | '\u{4E07}' | '\u{4E09}'
        | '\u{4E5D}' | '\u{4E8C}' | '\u{4E94}' | '\u{4E96}' | '\u{4EBF}'..='\u{4EC0}' | '\u{4EDF}' | '\u{4EE8}'
        | '\u{4F0D}' | '\u{4F70}' | '\u{5104}' | '\u{5146}' | '\u{5169}' | '\u{516B}' | '\u{516D}' | '\u{5341}'
        | '\u{5343}'..='\u{5345}' | '\u{534C}' | '\u{53C1}'..='\u{53C4}' | '\u{56DB}' | '\u{58F1}' | '\u{58F9}'
        | '\u{5E7A}' | '\u{5EFE}'..='\u{5EFF}' | '\u{5F0C}'..='\u{5F0E}' | '\u{5F10}' | '\u{62FE}' | '\u{634C}'
        | '\u{67D2}' | '\u{6F06}' | '\u{7396}' | '\u{767E}' | '\u{8086}' | '\u{842C}' | '\u{8CAE}' | '\u{8CB3}'
        | '\u{8D30}' | '\u{9621}' | '\u{9646}' | '\u{964C}' | '\u{9678}' | '\u{96F6}' | '\u{F96B}' | '\u{F973}'
        | '\u{F978}' | '\u{F9B2}' | '\u{F9D1}' | '\u{F9D3}' | '\u{F9FD}' | '\u{20001}' | '\u{20064}' | '\u{200E2}'
        | '\u{20121}' | '\u{2092A}' | '\u{20983}' | '\u{2098C}' | '\u{2099C}' | '\u{20AEA}' | '\u{20AFD}' | '\u{20B19}'
        | '\u{22390}' | '\u{22998}' | '\u{23B1B}' | '\u{2626D}' | '\u{2F890}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::{Group, Lists, Meter, Text};

    fn measured(text: &str) -> Signals {
        let mut signals = Signals::default();
        Meter::default().measure(&[Group::Rpv2Lines], &Text::given(text, &[], &[]), Lists::default(), &mut signals);
        signals
    }

    #[test]
    fn one_value_a_line() {
        let signals = measured(" – The END. \n\nJavaScript, javascript!\u{2028}3 三½\n…");
        assert_eq!(signals.rps_lines_ending_with_terminal_punctution_mark, Some(vec![1.0, 0.0, 0.0, 0.0]));
        assert_eq!(signals.rps_lines_start_with_bulletpoint, Some(vec![1.0, 0.0, 0.0, 0.0]));
        // White space and the line end count, and so does every mark.
        assert_eq!(signals.rps_lines_uppercase_letter_fraction, Some(vec![4.0 / 13.0, 0.0, 2.0 / 29.0, 0.0]));
        assert_eq!(signals.rps_lines_javascript_counts, Some(vec![0.0, 0.0, 2.0, 0.0]));
        assert_eq!(signals.rps_lines_num_words, Some(vec![3.0, 0.0, 4.0, 1.0]));
        assert_eq!(signals.rps_lines_numerical_chars_fraction, Some(vec![0.0, 0.0, 3.0 / 26.0, 0.0]));
        assert_eq!(bullet_lines("• a\nb"), Some(0.5));
    }

    #[test]
    fn hard_texts() {
        assert_eq!(measured("").rps_lines_num_words, Some(vec![]));
        assert_eq!(measured("\n\n").rps_lines_num_words, Some(vec![0.0, 0.0]));
        assert_eq!(measured("!?").rps_lines_num_words, Some(vec![0.0]));
        assert_eq!(measured("ประเทศไทย").rps_lines_num_words, Some(vec![1.0]));
        assert_eq!(measured(&"x1 ".repeat(700_000)).rps_lines_num_words, Some(vec![700_000.0]));
        assert_eq!(bullet_lines(""), None);
    }
}
