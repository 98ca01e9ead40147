//! Sequences of characters that are the bytes of one character in UTF-8, and how sure it is that they are no text.
//!
//! | group | a sequence is sure |
//! | --- | --- |
//! | Latin letters and signs | if its second character cannot follow a letter, or a lower-case letter stands beside it |
//! | Greek, Cyrillic, Hebrew, Arabic, the scripts of India and East Asia | next to another one of its group |
//! | Vietnamese letters | before a lower-case letter |
//! | punctuation, symbols, emoji | always: `â€`, `âœ` and `ðŸ` occur in no language |

use memchr::memchr_iter;

use crate::text::char_classes::is_uppercase;

/// Scripts whose sequences confirm one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Indic,
    Vietnamese,
    EastAsian,
    Symbols,
}

/// Number of groups.
pub const GROUPS: usize = Group::Symbols as usize + 1;

/// A sequence of characters that can be the bytes of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence {
    /// Where it stands, in bytes of the text.
    pub start: usize,
    pub end: usize,
    /// The character that was meant.
    pub meant: char,
    pub group: Group,
    /// Whether it can only be the bytes of a character.
    pub sure: bool,
}

/// The sequences of a text in order; they do not overlap.
pub struct Sequences<'a> {
    text: &'a str,
    leads: memchr::Memchr<'a>,
    /// The last candidate, sure or not.
    last: Option<Candidate>,
}

impl<'a> Sequences<'a> {
    pub fn of(text: &'a str) -> Sequences<'a> {
        Sequences { text, leads: memchr_iter(LEAD, text.as_bytes()), last: None }
    }
}

impl Iterator for Sequences<'_> {
    type Item = Sequence;

    fn next(&mut self) -> Option<Sequence> {
        loop {
            let start = self.leads.next()?;
            if self.last.is_some_and(|last| start < last.end) {
                continue;
            }
            let Some(candidate) = Candidate::at(self.text, start) else { continue };
            let before = self.last.filter(|last| last.end == start);
            let sure = candidate.is_sure(self.text, before);
            self.last = Some(candidate);
            let Candidate { start, end, meant, group, .. } = candidate;
            return Some(Sequence { start, end, meant, group, sure });
        }
    }
}

/// First byte in UTF-8 of all characters whose code point is the first byte of a sequence in UTF-8: U+00C2 to U+00F4.
const LEAD: u8 = 0xC3;

/// What reads as a character if its characters are taken for bytes.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    start: usize,
    end: usize,
    /// The bytes, of which `length` count.
    bytes: [u8; 4],
    meant: char,
    group: Group,
}

impl Candidate {
    /// The candidate that begins at an offset.
    fn at(text: &str, start: usize) -> Option<Candidate> {
        let mut chars = text.get(start..)?.char_indices();
        let lead = byte_of(chars.next()?.1)?;
        let length = match lead {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return None,
        };
        let mut bytes = [lead, 0, 0, 0];
        let mut end = start;
        for slot in bytes.get_mut(1..length)? {
            let (at, c) = chars.next()?;
            *slot = byte_of(c).filter(|byte| matches!(byte, 0x80..=0xBF))?;
            end = start + at + c.len_utf8();
        }
        let meant = std::str::from_utf8(bytes.get(..length)?).ok()?.chars().next()?;
        let group = group(bytes)?;
        Some(Candidate { start, end, bytes, meant, group })
    }

    /// Whether the characters can only be bytes. `before` is the candidate that ends where this one begins.
    fn is_sure(&self, text: &str, before: Option<Candidate>) -> bool {
        let after = Candidate::at(text, self.end);
        let beside = |other: Option<Candidate>| other.is_some_and(|other| other.group == self.group);
        match self.group {
            Group::Symbols => true,
            Group::Latin | Group::Vietnamese => {
                let beside = before.is_none().then(|| text.get(..self.start)?.chars().next_back()).flatten();
                let left = before.map(|c| c.meant).or(beside);
                let right = after.map(|c| c.meant).or_else(|| text.get(self.end..)?.chars().next());
                self.is_sure_letter(left, right) && !beside.is_some_and(|c| self.closes(c))
            }
            _ => beside(before) || beside(after),
        }
    }

    /// Whether the sequence reads as one letter and the quotation mark that closes what a mark before it opened: `„Ä“`, `«Â»`.
    fn closes(&self, before: char) -> bool {
        const CLOSING: [u8; 7] = [0x91, 0x92, 0x93, 0x94, 0x9B, 0xAB, 0xBB];
        let [lead, second, ..] = self.bytes;
        // Nobody speaks of Ã.
        lead != 0xC3
            && CLOSING.contains(&second)
            && matches!(before, '"' | '\'' | '“' | '”' | '„' | '‚' | '‘' | '’' | '«' | '»' | '‹' | '›')
    }

    /// Whether a Latin letter or sign was meant, with these characters beside it.
    fn is_sure_letter(&self, left: Option<char>, right: Option<char>) -> bool {
        let lower = |c: Option<char>| c.is_some_and(char::is_lowercase);
        let capital = left.is_some_and(is_uppercase);
        let [lead, second, ..] = self.bytes;
        match lead {
            // Â before a sign; no word ends with Â but one in capitals.
            0xC2 => !capital,
            0xC3..=0xC5 => match follower(second) {
                Follower::Never => true,
                // Words in capitals that end with Ã: IRMÃ®. Å is a word, Ä a letter that is spoken of.
                Follower::Sign => lower(left) || lower(right) || lead == 0xC3 && !capital,
                // A dash behind a word in capitals (MAÇÃ—), or behind Å, which is a word.
                Follower::Quote if DASHES.contains(&second) => lower(left) || lower(right) && !capital && lead == 0xC3,
                Follower::Quote => lower(left) && second != APOSTROPHE || lower(right),
            },
            // È before ™ or ›.
            0xC8 => lower(left) || lower(right),
            _ => lower(right),
        }
    }
}

/// The second bytes of sequences that read as – and —.
const DASHES: [u8; 2] = [0x96, 0x97];

/// The second byte of a sequence that reads as ’.
const APOSTROPHE: u8 = 0x92;

/// Whether a character stands behind letters in right texts.
enum Follower {
    Never,
    /// Signs and superscript digits: ®, ², °, no-break space.
    Sign,
    /// Quotation marks, dashes, ellipsis.
    Quote,
}

/// The class of the character that a byte reads as.
fn follower(byte: u8) -> Follower {
    match byte {
        0x85 | 0x8B | 0x91..=0x97 | 0x9B | 0xAB | 0xBB => Follower::Quote,
        0x82 | 0x84 | 0x86 | 0x87 | 0x99 | 0xA0 | 0xAA | 0xAE | 0xB0 | 0xB2..=0xB4 | 0xB7 | 0xB9 | 0xBA => {
            Follower::Sign
        }
        _ => Follower::Never,
    }
}

/// The group of a character by its bytes; none for characters that are rarer than the sequence is in right texts.
fn group(bytes: [u8; 4]) -> Option<Group> {
    Some(match bytes {
        // Control characters are not what was meant.
        [0xC2, 0x80..=0x9F, ..] => return None,
        [0xC2..=0xC5, ..] | [0xC8, 0x98..=0x9B, ..] => Group::Latin,
        [0xCE..=0xCF, ..] => Group::Greek,
        [0xD0..=0xD3, ..] => Group::Cyrillic,
        [0xD7, ..] => Group::Hebrew,
        [0xD8..=0xDB, ..] => Group::Arabic,
        [0xE0, 0xA4..=0xBF, ..] => Group::Indic,
        [0xC6, 0xA0 | 0xA1 | 0xAF | 0xB0, ..] | [0xE1, 0xBA | 0xBB, ..] => Group::Vietnamese,
        // Read as €, ‚, „, †, ˆ, ‰, •, ˜ or œ behind â.
        [0xE2, 0x80 | 0x82 | 0x84 | 0x86 | 0x88 | 0x89 | 0x95 | 0x98 | 0x9C | 0x9D, ..] => Group::Symbols,
        // Ligatures, a selector of emoji, the byte order mark, the replacement character.
        [0xEF, 0xAC, 0x80..=0x86, _] | [0xEF, 0xB8, 0x8F, _] | [0xEF, 0xBB, 0xBF, _] | [0xEF, 0xBF, 0xBD, _] => {
            Group::Symbols
        }
        [0xF0, 0x9F, ..] => Group::Symbols,
        [0xE3..=0xED, ..] | [0xEF, 0xBC | 0xBD, ..] => Group::EastAsian,
        _ => return None,
    })
}

/// The byte that a character is read from in Windows-1252, or in ISO 8859-1 if it is a control character.
fn byte_of(c: char) -> Option<u8> {
    Some(match c {
        '\u{80}'..='\u{FF}' => c as u8,
        '€' => 0x80,
        '‚' => 0x82,
        'ƒ' => 0x83,
        '„' => 0x84,
        '…' => 0x85,
        '†' => 0x86,
        '‡' => 0x87,
        'ˆ' => 0x88,
        '‰' => 0x89,
        'Š' => 0x8A,
        '‹' => 0x8B,
        'Œ' => 0x8C,
        'Ž' => 0x8E,
        '‘' => 0x91,
        '’' => 0x92,
        '“' => 0x93,
        '”' => 0x94,
        '•' => 0x95,
        '–' => 0x96,
        '—' => 0x97,
        '˜' => 0x98,
        '™' => 0x99,
        'š' => 0x9A,
        '›' => 0x9B,
        'œ' => 0x9C,
        'ž' => 0x9E,
        'Ÿ' => 0x9F,
        _ => return None,
    })
}
