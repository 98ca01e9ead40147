//! Han numerals before the signs of year, month and day → ASCII digits: `二〇二四年三月五日`, `平成三十年三月五日`, `令和元年`.

use std::borrow::Cow;

/// Longest numeral that is read, in characters: `一百一十三` has five. Longer runs are no years.
const MAX_CHARS: usize = 6;

/// The text with ASCII digits in place of such numerals; the same where none stands before a sign of month.
pub(super) fn with_ascii_numbers(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_numeral = |c: char| numeral(c).is_some();
    // Few texts hold the sign.
    if !text.contains('月') || !text.contains(|c: char| is_numeral(c) || c == '元') {
        return text;
    }
    // The first year of an era.
    let text = text.replace("元年", "1年");
    let mut ascii = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| is_numeral(c) != is_numeral(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        match value(run).filter(|_| after.starts_with(['年', '月', '日'])) {
            Some(number) => ascii.push_str(&number.to_string()),
            None => ascii.push_str(run),
        }
    }
    ascii.into()
}

/// The value of a numeral, and whether it is a unit that multiplies the one before.
fn numeral(c: char) -> Option<(u32, bool)> {
    Some(match c {
        '〇' | '○' | '零' => (0, false),
        '一' => (1, false),
        '二' => (2, false),
        '三' => (3, false),
        '四' => (4, false),
        '五' => (5, false),
        '六' => (6, false),
        '七' => (7, false),
        '八' => (8, false),
        '九' => (9, false),
        '十' => (10, true),
        '百' => (100, true),
        _ => return None,
    })
}

/// The number that a run of numerals is: digits one by one, or units with their factors (`三十`).
fn value(run: &str) -> Option<u32> {
    let numerals = run.chars().map(numeral).collect::<Option<Vec<_>>>().filter(|all| all.len() <= MAX_CHARS)?;
    if !numerals.iter().any(|(_, is_unit)| *is_unit) {
        return numerals.iter().map(|(digit, _)| *digit).reduce(|number, digit| number * 10 + digit);
    }
    let (mut sum, mut factor) = (0u32, 0u32);
    for (value, is_unit) in numerals {
        if is_unit {
            sum += factor.max(1) * value;
            factor = 0;
        } else {
            factor = value;
        }
    }
    Some(sum + factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_before_signs() {
        for (text, expected) in [
            ("二〇二四年三月五日", "2024年3月5日"),
            ("二零二四年十二月三十一日", "2024年12月31日"),
            ("公元二〇二四年三月五日", "公元2024年3月5日"),
            ("平成三十年三月五日", "平成30年3月5日"),
            ("民國一百一十三年三月廿日", "民國113年3月廿日"),
            ("令和元年6月5日", "令和1年6月5日"),
            ("三月 5, 2024", "3月 5, 2024"),
            ("第二〇一号、一月", "第二〇一号、1月"),
        ] {
            assert_eq!(with_ascii_numbers(text.into()), expected);
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in ["", "2024-03-05", "二〇二四年", "2024年3月5日", "一二三四五六七月"] {
            assert_eq!(with_ascii_numbers(text.into()), text);
        }
    }
}
