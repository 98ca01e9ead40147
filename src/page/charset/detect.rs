//! Guessing the encoding of bytes that declare none (or a false one), with
//! chardetng. The detector is slow (13 MB/s), so it is fed only the places
//! that hold non-ASCII bytes, and of those only visible text: what stands in
//! `<script>` and `<style>` comes from elsewhere and often in another encoding.

use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use memchr::memchr;

use super::alphabets::by_alphabet;
use super::any_encoding::AnyEncoding;
use super::refine::refine;
use super::visible::visible;

/// Most bytes given to the detector.
const DETECT_BYTES: usize = 1 << 20;

/// ASCII bytes fed on either side of a non-ASCII one. The detector scores
/// pairs of neighbouring letters and the case of words: this spans a word.
const CONTEXT: usize = 16;

/// Guesses the encoding of `body`.
///
/// `tld` steers the guess and must be a bare label; anything else is ignored.
/// `whole` says that `body` was not cut at its end. UTF-8 is answered only if
/// all visible text is valid UTF-8.
pub(super) fn detect(body: &[u8], tld: Option<&str>, whole: bool) -> AnyEncoding {
    let tld = tld.filter(|label| is_plain_label(label)).map(str::as_bytes);
    let mut detector = BoundedDetector::new();
    if let Some(escape) = seven_bit_escape(body) {
        detector.feed(body.get(escape..).unwrap_or_default());
    } else {
        visible(body).for_each(|text| detector.feed_segments(text));
    }
    if detector.is_empty() {
        detector.feed_segments(body);
    }
    let guess = refine(detector.guess(tld, whole), body);
    by_alphabet(guess, body).unwrap_or(guess.into())
}

/// What [`EncodingDetector::guess`] accepts without panicking.
fn is_plain_label(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// The first ESC of a body without non-ASCII bytes. Such a body may be
/// ISO-2022-JP, whose two-byte state lasts over plain ASCII bytes: it must be
/// fed in one piece.
fn seven_bit_escape(body: &[u8]) -> Option<usize> {
    body.is_ascii().then(|| memchr(0x1B, body)).flatten()
}

/// A detector that takes a bounded number of bytes.
struct BoundedDetector {
    detector: EncodingDetector,
    /// How many bytes it still takes.
    left: usize,
}

impl BoundedDetector {
    fn new() -> Self {
        // No script runs on the text, so the attack that makes browsers deny
        // ISO-2022-JP does not concern us.
        Self { detector: EncodingDetector::new(Iso2022JpDetection::Allow), left: DETECT_BYTES }
    }

    fn is_empty(&self) -> bool {
        self.left == DETECT_BYTES
    }

    fn feed_segments(&mut self, text: &[u8]) {
        for range in segments(text) {
            self.feed(text.get(range).unwrap_or_default());
        }
    }

    fn feed(&mut self, segment: &[u8]) {
        let segment = segment.get(..self.left).unwrap_or(segment);
        self.detector.feed(segment, false);
        self.left -= segment.len();
    }

    fn guess(mut self, tld: Option<&[u8]>, whole: bool) -> &'static Encoding {
        if whole && self.left > 0 {
            self.detector.feed(b"", true);
        }
        self.detector.guess(tld, Utf8Detection::Allow)
    }
}

/// The parts of `text` around non-ASCII bytes, in order and disjoint.
fn segments(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let first = from + next_non_ascii(text.get(from..)?)?;
        let mut last = first;
        let near = |last: usize| text.get(last + 1..text.len().min(last + 1 + 2 * CONTEXT)).and_then(next_non_ascii);
        while let Some(ahead) = near(last) {
            last += 1 + ahead;
        }
        let start = first.saturating_sub(CONTEXT).max(from);
        from = text.len().min(last + 1 + CONTEXT);
        Some(start..from)
    })
}

fn next_non_ascii(bytes: &[u8]) -> Option<usize> {
    let ascii = Encoding::ascii_valid_up_to(bytes);
    (ascii < bytes.len()).then_some(ascii)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EUC_JP, ISO_2022_JP, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

    const CZECH: &str = "Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco ježek šťastně seděl pod stromem.";

    #[test]
    fn segments_hold_context_and_do_not_overlap() {
        let mut text = vec![b' '; 200];
        for at in [20, 50, 120] {
            text[at] = 0xE9;
        }
        assert_eq!(segments(&text).collect::<Vec<_>>(), [4..67, 104..137]);
        assert_eq!(segments(b"\xE9").collect::<Vec<_>>(), [Range { start: 0, end: 1 }]);
        assert_eq!(segments(b"plain").count(), 0);
        assert_eq!(segments(b"").count(), 0);
    }

    #[test]
    fn a_guess_needs_no_more_than_the_segments() {
        let (bytes, _, _) = WINDOWS_1250.encode(CZECH);
        let mut page = vec![b'x'; 100_000];
        page.extend_from_slice(&bytes);
        page.resize(200_000, b'y');
        assert_eq!(detect(&page, None, true), WINDOWS_1250);
        assert_eq!(detect(&page, Some("cz"), true), WINDOWS_1250);
    }

    #[test]
    fn labels_that_would_panic_are_ignored() {
        let (bytes, _, _) = WINDOWS_1250.encode(CZECH);
        for tld in ["CZ", "co.uk", "рф", "", " "] {
            assert_eq!(detect(&bytes, Some(tld), true), WINDOWS_1250);
        }
    }

    #[test]
    fn scripts_do_not_mislead() {
        let (russian, _, _) = WINDOWS_1251.encode("Съешь же ещё этих мягких французских булок, да выпей чаю.");
        let page = [b"<script>var s = '", CZECH.repeat(20).as_bytes(), b"'</script><p>", &russian].concat();
        assert_eq!(detect(&page, None, true), WINDOWS_1251);
    }

    #[test]
    fn visible_utf8_beside_a_legacy_script_is_utf8() {
        let page = [b"<script>// caf\xE9 \xE9t\xE9</script><p>", CZECH.as_bytes()].concat();
        assert_eq!(detect(&page, None, true), UTF_8);
    }

    #[test]
    fn japanese_in_seven_and_eight_bits() {
        let text = "日本語の文章をここに書きます。".repeat(20);
        let page = |bytes: &[u8]| [b"<html><body><p>".as_slice(), bytes, b"</p>"].concat();
        let (seven, used, _) = ISO_2022_JP.encode(&text);
        assert_eq!(used, ISO_2022_JP);
        assert_eq!(detect(&page(&seven), None, true), ISO_2022_JP);
        let (eight, _, _) = EUC_JP.encode(&text);
        assert_eq!(detect(&page(&eight), None, true), EUC_JP);
    }

    /// A known weakness, recorded: a wrong top-level domain pulls a short text.
    #[test]
    fn the_domain_is_a_strong_prior() {
        let (bytes, _, _) = WINDOWS_1250.encode("kůň");
        assert_eq!(detect(&bytes, None, true), WINDOWS_1252);
        assert_eq!(detect(&bytes, Some("cz"), true), WINDOWS_1250);
    }
}
