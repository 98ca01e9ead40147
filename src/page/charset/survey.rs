//! One pass over a text in UTF-8: what decoding, cleaning and the tests for binary bodies ask of its bytes.

use multiversion::multiversion;

use super::normalise::{is_junk, may_begin_junk};
use crate::archive::is_control;

/// Bytes looked at in one go.
const CHUNK: usize = 64;

/// What stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Survey {
    /// Characters beyond ASCII.
    pub(super) beyond_ascii: usize,
    /// NUL characters.
    pub(super) nuls: usize,
    /// C0 control characters that no text has ([`is_control`]).
    pub(super) controls: usize,
    /// Whether there are C1 control characters.
    pub(super) c1: bool,
    /// Whether there is an ESC.
    pub(super) escape: bool,
    /// Whether there is a character that [`super::clean_text`] changes.
    pub(super) junk: bool,
}

impl Survey {
    /// Surveys a text.
    pub(super) fn of(text: &str) -> Survey {
        let bytes = text.as_bytes();
        let mut survey = Survey::default();
        let mut at = 0;
        while at < bytes.len() {
            let (leads, clean) = clean_run(bytes.get(at..).unwrap_or_default());
            survey.beyond_ascii += leads;
            at += clean;
            let chunk = bytes.get(at..bytes.len().min(at + CHUNK)).unwrap_or_default();
            survey.beyond_ascii += super::utf8::leads(chunk);
            for (offset, _) in chunk.iter().enumerate().filter(|(_, b)| may_begin_junk(**b)) {
                survey.character(text.get(at + offset..).and_then(|rest| rest.chars().next()));
            }
            at += chunk.len();
        }
        survey
    }

    fn character(&mut self, c: Option<char>) {
        let Some(c) = c.filter(|c| is_junk(*c)) else { return };
        self.junk = true;
        self.nuls += usize::from(c == '\0');
        self.controls += usize::from(u8::try_from(c).is_ok_and(is_control));
        self.escape |= c == '\u{1b}';
        self.c1 |= matches!(c, '\u{80}'..='\u{9f}');
    }
}

/// The whole chunks at the beginning of `bytes` in which no junk character begins: bytes that begin a sequence of
/// several in them, and their length.
#[multiversion(targets("x86_64+avx2"))]
fn clean_run(bytes: &[u8]) -> (usize, usize) {
    let (mut leads, mut length) = (0, 0);
    for chunk in bytes.as_chunks::<CHUNK>().0 {
        // Without a branch in it the compiler makes this loop look at many bytes at once.
        let (mut found, mut count) = (0u8, 0u8);
        for &b in chunk {
            found |= u8::from(may_begin_junk(b));
            count += u8::from(b >= 0xC0);
        }
        if found != 0 {
            break;
        }
        leads += usize::from(count);
        length += CHUNK;
    }
    (leads, length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(text: &str) -> Survey {
        Survey {
            beyond_ascii: text.chars().filter(|c| !c.is_ascii()).count(),
            nuls: text.matches('\0').count(),
            controls: text.matches(|c| c < '\u{1b}' && !"\0\u{8}\t\n\r\u{c}".contains(c)).count(),
            c1: text.contains(|c| matches!(c, '\u{80}'..='\u{9f}')),
            escape: text.contains('\u{1b}'),
            junk: text.contains(is_junk),
        }
    }

    proptest! {
        #[test]
        fn a_survey_counts_what_is_there(
            parts in proptest::collection::vec(
                "[\\PC]{0,90}|[\0\u{3}\u{b}\u{c}\u{1b}\u{1f}\u{7f}\u{85}\u{a0}\u{fffe}\u{ff01}]|x{0,70}",
                0..8,
            ),
        ) {
            let text = parts.concat();
            prop_assert_eq!(Survey::of(&text), slow(&text));
        }
    }
}
