//! How far a body is UTF-8: counts of sound and malformed sequences, and what
//! may be concluded from them.

/// So many malformed sequences are forgiven in any case: cut or spliced pages have them.
const FORGIVEN: usize = 3;

/// One malformed sequence is forgiven for every so many sound ones (1 %).
const SOUND_PER_MALFORMED: usize = 100;

/// Least sound sequences for each malformed one in a page that declares UTF-8. Its teasers may be cut by bytes: dozens of malformed
/// ones in a list. Text in an older encoding reaches at most 0.3, where its letters happen to form sequences.
const LEAST_SOUND_IF_DECLARED: usize = 2;

/// How well bytes do as UTF-8.
pub(super) struct Utf8Count {
    multibyte: usize,
    malformed: usize,
    /// Those of the malformed sequences with a Latin letter or another one right beside them: letters of an older encoding within
    /// words. A text that was cut has a mark, a blank or a tag behind its only one.
    inner: usize,
}

impl Utf8Count {
    /// Counts over a body that is no UTF-8; a sequence cut off by the end of a truncated one is no error.
    pub(super) fn of(body: &[u8], truncated: bool) -> Self {
        let mut count = Self::valid(0);
        for chunk in body.utf8_chunks() {
            let goes_on = chunk.valid().chars().next().is_none_or(|c| c.is_ascii_alphabetic());
            count.inner += usize::from(goes_on && count.malformed > 0);
            count.multibyte += leads(chunk.valid().as_bytes());
            count.malformed += usize::from(!chunk.invalid().is_empty());
        }
        if truncated && ends_inside_character(body) {
            count.malformed = count.malformed.saturating_sub(1);
        }
        count
    }

    /// Of a body that is UTF-8 with so many characters beyond ASCII.
    pub(super) fn valid(multibyte: usize) -> Self {
        Self { multibyte, malformed: 0, inner: 0 }
    }

    pub(super) fn is_valid(&self) -> bool {
        self.malformed == 0
    }

    /// UTF-8 without any declaration or against one.
    pub(super) fn is_certain(&self) -> bool {
        self.multibyte >= 2 && self.malformed * SOUND_PER_MALFORMED <= self.multibyte
    }

    /// Good enough for a page that declares UTF-8.
    pub(super) fn is_tolerable(&self) -> bool {
        self.malformed <= FORGIVEN
            || self.multibyte >= self.malformed.saturating_mul(LEAST_SOUND_IF_DECLARED)
                && tolerable(self.inner, self.multibyte)
    }
}

/// Bytes that begin a sequence of several.
pub(super) fn leads(bytes: &[u8]) -> usize {
    // Sums that fit a byte, so that the compiler makes the loop look at many bytes at once.
    bytes.chunks(255).map(|chunk| usize::from(chunk.iter().map(|&b| u8::from(b >= 0xC0)).sum::<u8>())).sum()
}

/// Whether so many malformed sequences are forgiven beside so many sound ones.
pub(super) fn tolerable(malformed: usize, sound: usize) -> bool {
    malformed <= FORGIVEN.max(sound / SOUND_PER_MALFORMED)
}

/// Whether the last bytes begin a UTF-8 sequence that the end cuts off.
fn ends_inside_character(body: &[u8]) -> bool {
    let tail = body.get(body.len().saturating_sub(3)..).unwrap_or_default();
    let Some(lead) = tail.iter().rposition(|&b| b >= 0xC0) else {
        return false;
    };
    let sequence = tail.get(lead..).unwrap_or_default();
    std::str::from_utf8(sequence).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(body: &[u8], truncated: bool) -> (usize, usize) {
        let count = Utf8Count::of(body, truncated);
        (count.multibyte, count.malformed)
    }

    #[test]
    fn sequences_are_counted() {
        assert_eq!(counts("a é €😀".as_bytes(), false), (3, 0));
        assert_eq!(counts(b"\xFFa\xE9b\xC3\xA9", false), (1, 2));
        assert_eq!(counts(b"a\xE2\x82", false), (0, 1));
        assert_eq!(counts(b"a\xE2\x82", true), (0, 0));
        assert_eq!(counts(b"a\xE2\x28", true), (0, 1));
    }

    #[test]
    fn conclusions_on_both_sides_of_each_threshold() {
        let count = |multibyte, malformed| Utf8Count { multibyte, malformed, inner: 0 };
        assert!(!Utf8Count { multibyte: 100, malformed: 10, inner: 4 }.is_tolerable());
        assert!(count(2, 0).is_certain() && !count(1, 0).is_certain());
        assert!(count(100, 1).is_certain() && !count(99, 1).is_certain());
        assert!(count(0, 3).is_tolerable() && !count(0, 4).is_tolerable());
        assert!(count(8, 4).is_tolerable() && !count(7, 4).is_tolerable());
    }
}
