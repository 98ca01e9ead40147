//! Dates in figures with the year first and a full stop behind each number: `2020. 3. 15.`, the official form of Korean and
//! Hungarian.
//!
//! Three numbers before the stop decide, of a fixed length each.

use super::chars::{char_before, skip_back};

/// Digits of a number examined at most: one more than a year has, so that no end of a longer number is taken for one.
const MOST_DIGITS: usize = 5;
/// White space between two numbers at most, in bytes.
const MOST_BLANKS: usize = 8;

/// Whether a date stands before the full stop at an offset: year, month and day, also without spaces; year and month; month
/// and day.
pub fn ends_at(text: &str, stop: usize) -> bool {
    let Some(last) = Number::before(text, stop) else { return false };
    let Some(first) = last.previous(text) else { return false };
    if first.digits == 4 {
        return last.is_month();
    }
    // Without a space and without a year, `3.15.` is a decimal number.
    let apart = char_before(text, last.start) != Some('.');
    let behind_year = || first.previous(text).is_some_and(|year| matches!(year.digits, 2 | 4));
    first.is_month() && last.is_day() && (apart || behind_year())
}

/// A number of a date.
#[derive(Clone, Copy)]
struct Number {
    value: u32,
    digits: usize,
    /// Its byte offset.
    start: usize,
}

impl Number {
    /// The number whose digits end at an offset.
    fn before(text: &str, end: usize) -> Option<Number> {
        let start = skip_back(text, end, MOST_DIGITS, |c| c.is_ascii_digit());
        let value = text.get(start..end)?.parse::<u32>().ok()?;
        Some(Number { value, digits: end - start, start })
    }

    /// The number before this one, with a full stop and perhaps white space between them.
    fn previous(self, text: &str) -> Option<Number> {
        let end = skip_back(text, self.start, MOST_BLANKS, char::is_whitespace);
        let stop = end.checked_sub(1).filter(|_| char_before(text, end) == Some('.'))?;
        Number::before(text, stop)
    }

    fn is_month(self) -> bool {
        self.digits <= 2 && (1..=12).contains(&self.value)
    }

    fn is_day(self) -> bool {
        self.digits <= 2 && (1..=31).contains(&self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::ends_at;

    #[test]
    fn dates_and_other_numbers() {
        for date in ["2020. 3. 15.", "2020.03.15.", "'20. 3. 15.", "20.3.15.", "2020.  12.", "~ 4. 1."] {
            assert!(ends_at(date, date.len() - 1), "{date}");
        }
        for other in
            ["15.", ".", "3.14.", "2020. 13.", "13. 3.", "3. 32.", "12020. 3.", "2020 3.", "3. 00000004.", "a. 3."]
        {
            assert!(!ends_at(other, other.len() - 1), "{other}");
        }
    }
}
