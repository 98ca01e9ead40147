//! The beginning of a text that is copied as it is, found eight bytes at a time.

use super::is_space;
use crate::page::charset::is_plain_byte;
use crate::text::swar;

/// The beginning of a text that needs no change of its white space: words, and single spaces between them.
#[derive(Debug, PartialEq)]
pub struct Run {
    /// Length in bytes.
    pub length: usize,
    pub characters: usize,
    /// As [`super::BlockText::special`].
    pub special: bool,
}

impl Run {
    /// The run at the beginning of a text that does not start with white space. `TO_REFERENCE`: the run ends before the
    /// first `&`, with which the text does not start.
    #[inline]
    pub fn of<const TO_REFERENCE: bool>(text: &str) -> Run {
        let bytes = text.as_bytes();
        // `spaced`: whether the byte before `at` is a space. `following`: bytes after the first one of a character.
        let (mut at, mut following, mut spaced, mut special) = (0, 0, false, false);
        loop {
            let eight = swar::load(bytes, at);
            let spaces = swar::within(eight, b' ', b' ');
            let second_spaces = spaces & (spaces << 8 | u64::from(spaced) << 7);
            let references = if TO_REFERENCE { swar::within(eight, b'&', b'&') } else { 0 };
            let count = swar::before(swar::others(swar::within(eight, b' ', b'~')) | second_spaces | references);
            if count > 0 {
                at += count;
                spaced = spaces >> (8 * count - 1) & 1 == 1;
            }
            if count == 8 {
                continue;
            }
            match bytes.get(at) {
                Some(0x80..) => {
                    let beyond = BeyondAscii::of(text, at);
                    at += beyond.length;
                    following += beyond.length - beyond.characters;
                    special |= beyond.special;
                    if beyond.space {
                        spaced &= beyond.length == 0;
                        break;
                    }
                }
                None | Some(b' ' | b'&' | b'\t'..=b'\r' | 0x1c..=0x1f) => break,
                Some(_) => {
                    at += 1;
                    special = true;
                }
            }
            spaced = false;
        }
        let length = at - usize::from(spaced);
        Run { length, characters: length - following, special }
    }
}

/// Characters beyond ASCII that follow each other, up to a white-space character.
struct BeyondAscii {
    /// Length in bytes.
    length: usize,
    characters: usize,
    /// As [`super::BlockText::special`].
    special: bool,
    /// Whether a white-space character beyond ASCII follows.
    space: bool,
}

impl BeyondAscii {
    fn of(text: &str, from: usize) -> BeyondAscii {
        let bytes = text.as_bytes();
        let (mut at, mut characters, mut special) = (from, 0, false);
        let mut space = false;
        while let Some(&lead @ 0x80..) = bytes.get(at) {
            // The leads of all white space.
            if matches!(lead, 0xc2 | 0xe1..=0xe3) {
                space = text.get(at..).and_then(|rest| rest.chars().next()).is_none_or(is_space);
                if space {
                    break;
                }
            }
            special |= !is_plain_byte(lead);
            characters += 1;
            at += 2 + usize::from(lead >= 0xe0) + usize::from(lead >= 0xf0);
        }
        BeyondAscii { length: at - from, characters, special, space }
    }
}
