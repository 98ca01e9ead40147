//! Properties of characters as Python sees them, in which the references are written, and the sets of punctuation of
//! datatrove (`utils/text.py`).

use std::ops::Range;
use std::sync::OnceLock;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use memchr::memmem;

use crate::text::swar;

/// `str.isalpha` of one character: the categories of letters.
pub const LETTER: u16 = 1;
/// `str.isdigit`: decimal digits, and digits in circles, superscripts and the like.
pub const DIGIT: u16 = 1 << 1;
/// `str.isspace`.
pub const SPACE: u16 = 1 << 2;
/// `str.isupper`: property Uppercase.
pub const UPPER: u16 = 1 << 3;
/// `str.islower`: property Lowercase.
pub const LOWER: u16 = 1 << 4;
/// Category Lt.
pub const TITLE: u16 = 1 << 5;
/// `\w` of regular expressions: letters, numbers of all kinds and the low line.
pub const WORD: u16 = 1 << 6;
/// `PUNCTUATION` of datatrove: visible punctuation and control characters.
pub const PUNCTUATION: u16 = 1 << 7;
/// `TERMINAL_PUNCTUATION` of datatrove: what ends sentences in any script, without quotes and brackets.
pub const TERMINAL: u16 = 1 << 8;
/// A line ends with it: `str.splitlines`.
pub const LINE_END: u16 = 1 << 9;
/// `\d`: category Nd.
pub const DECIMAL: u16 = 1 << 10;
/// The categories of marks, such as vowel signs.
pub const MARK: u16 = 1 << 11;

/// Characters of a block of the table.
const BLOCK: usize = 64;

type Block = OnceLock<Box<[u16; BLOCK]>>;

/// The properties of the Basic Multilingual Plane, each block of which is filled when a text first needs it.
static PROPERTIES: [Block; 0x1_0000 / BLOCK] = [const { OnceLock::new() }; 0x1_0000 / BLOCK];

/// The properties of a character, as bits.
#[inline]
pub fn properties(c: char) -> u16 {
    let (block, place) = (c as usize / BLOCK, c as usize % BLOCK);
    let own = PROPERTIES.get(block).map(|properties| properties.get_or_init(|| Box::new(fill(block))));
    own.and_then(|properties| properties.get(place).copied()).unwrap_or_else(|| look_up(c))
}

#[cold]
fn fill(block: usize) -> [u16; BLOCK] {
    std::array::from_fn(|place| char::from_u32((block * BLOCK + place) as u32).map_or(0, look_up))
}

fn look_up(c: char) -> u16 {
    use GeneralCategory as Category;
    let category = CodePointMapData::<Category>::new().get(c);
    let letter = matches!(
        category,
        Category::UppercaseLetter
            | Category::LowercaseLetter
            | Category::TitlecaseLetter
            | Category::ModifierLetter
            | Category::OtherLetter
    );
    let number = matches!(category, Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber);
    let mark = matches!(category, Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark);
    let bit = |is: bool, bit: u16| if is { bit } else { 0 };
    bit(letter, LETTER)
        | bit(category == Category::DecimalNumber || is_other_digit(c), DIGIT)
        | bit(c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}'), SPACE)
        | bit(c.is_uppercase(), UPPER)
        | bit(c.is_lowercase(), LOWER)
        | bit(category == Category::TitlecaseLetter, TITLE)
        | bit(letter || number || c == '_', WORD)
        | bit(is_punctuation(c), PUNCTUATION)
        | bit(is_terminal(c), TERMINAL)
        | bit(is_line_end(c), LINE_END)
        | bit(category == Category::DecimalNumber, DECIMAL)
        | bit(mark, MARK)
}

/// Characters with the numeric type Digit (Unicode Character Database, `DerivedNumericType.txt`).
fn is_other_digit(c: char) -> bool {
    matches!(c, '\u{B2}' | '\u{B3}' | '\u{B9}' | '\u{1369}'..='\u{1371}' | '\u{19DA}' | '\u{2070}'
        | '\u{2074}'..='\u{2079}' | '\u{2080}'..='\u{2089}' | '\u{2460}'..='\u{2468}' | '\u{2474}'..='\u{247C}'
        | '\u{2488}'..='\u{2490}' | '\u{24EA}' | '\u{24F5}'..='\u{24FD}' | '\u{24FF}' | '\u{2776}'..='\u{277E}'
        | '\u{2780}'..='\u{2788}' | '\u{278A}'..='\u{2792}' | '\u{10A40}'..='\u{10A43}' | '\u{10E60}'..='\u{10E68}'
        | '\u{11052}'..='\u{1105A}' | '\u{1F100}'..='\u{1F10A}')
}

fn is_punctuation(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}'..='\u{1F}' | '!'..='/' | ':'..='@' | '['..='`' | '{'..='\u{9F}' | '«' | '´' | '»'
        | '–'..='—' | '’' | '“'..='„' | '…' | '∶' | '━' | '►' | '、'..='。' | '〈'..='」' | '【'..='】' | '！' | '％'
        | '（'..='）' | '，' | '．' | '１' | '：'..='；' | '？' | '～')
}

fn is_terminal(c: char) -> bool {
    matches!(c, '!' | '.' | '?' | '\u{589}' | '\u{61D}'..='\u{61F}' | '\u{6D4}' | '\u{700}'..='\u{702}' | '\u{7F9}' | '\u{837}'
        | '\u{839}' | '\u{83D}'..='\u{83E}' | '\u{964}'..='\u{965}' | '\u{104A}'..='\u{104B}' | '\u{1362}'
        | '\u{1367}'..='\u{1368}' | '\u{166E}' | '\u{1735}'..='\u{1736}' | '\u{17D4}'..='\u{17D6}'
        | '\u{17D9}'..='\u{17DA}' | '\u{1803}' | '\u{1809}' | '\u{1944}'..='\u{1945}' | '\u{1AA8}'..='\u{1AAB}'
        | '\u{1B5A}'..='\u{1B5B}' | '\u{1B5E}'..='\u{1B5F}' | '\u{1B7D}'..='\u{1B7E}' | '\u{1C3B}'..='\u{1C3C}'
        | '\u{1C7E}'..='\u{1C7F}' | '\u{203C}'..='\u{203D}' | '\u{2047}'..='\u{2049}' | '\u{2E2E}' | '\u{2E3C}'
        | '\u{2E53}'..='\u{2E54}' | '\u{3002}' | '\u{A4FF}' | '\u{A60E}'..='\u{A60F}' | '\u{A6F3}' | '\u{A6F7}'
        | '\u{A876}'..='\u{A877}' | '\u{A8CE}'..='\u{A8CF}' | '\u{A92F}' | '\u{A9C8}'..='\u{A9C9}'
        | '\u{AA5D}'..='\u{AA5F}' | '\u{AAF0}'..='\u{AAF1}' | '\u{ABEB}' | '\u{FE52}' | '\u{FE56}'..='\u{FE57}'
        | '\u{FF01}' | '\u{FF0E}' | '\u{FF1F}' | '\u{FF61}' | '\u{10A56}'..='\u{10A57}' | '\u{10F55}'..='\u{10F59}'
        | '\u{10F86}'..='\u{10F89}' | '\u{11047}'..='\u{11048}' | '\u{110BE}'..='\u{110C1}' | '\u{11141}'..='\u{11143}'
        | '\u{111C5}'..='\u{111C6}' | '\u{111CD}' | '\u{111DE}'..='\u{111DF}' | '\u{11238}'..='\u{11239}'
        | '\u{1123B}'..='\u{1123C}' | '\u{112A9}' | '\u{1144B}'..='\u{1144C}' | '\u{115C2}'..='\u{115C3}'
        | '\u{115C9}'..='\u{115D7}' | '\u{11641}'..='\u{11642}' | '\u{1173C}'..='\u{1173E}' | '\u{11944}' | '\u{11946}'
        | '\u{11A42}'..='\u{11A43}' | '\u{11A9B}'..='\u{11A9C}' | '\u{11C41}'..='\u{11C42}' | '\u{11EF7}'..='\u{11EF8}'
        | '\u{11F43}'..='\u{11F44}' | '\u{16A6E}'..='\u{16A6F}' | '\u{16AF5}' | '\u{16B37}'..='\u{16B38}' | '\u{16B44}'
        | '\u{16E98}' | '\u{1BC9F}' | '\u{1DA88}')
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{1C}'..='\u{1E}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The characters with [`LINE_END`], but for LF.
const LINE_ENDS_BESIDE_LF: [&str; 9] =
    ["\u{b}", "\u{c}", "\r", "\u{1c}", "\u{1d}", "\u{1e}", "\u{85}", "\u{2028}", "\u{2029}"];

pub fn is(c: char, bits: u16) -> bool {
    properties(c) & bits != 0
}

/// How often each byte occurs in a text.
#[derive(Debug, Clone, Copy)]
pub struct ByteCounts([u32; 256]);

impl Default for ByteCounts {
    fn default() -> ByteCounts {
        ByteCounts([0; 256])
    }
}

impl ByteCounts {
    pub fn of(text: &str) -> ByteCounts {
        let mut counts = [0u32; 256];
        let mut add = |byte: u8| counts.get_mut(usize::from(byte)).into_iter().for_each(|count| *count += 1);
        let (chunks, rest) = text.as_bytes().as_chunks();
        for chunk in chunks {
            let chunk = u64::from_le_bytes(*chunk);
            for shift in [0, 8, 16, 24, 32, 40, 48, 56] {
                add((chunk >> shift) as u8);
            }
        }
        rest.iter().for_each(|byte| add(*byte));
        ByteCounts(counts)
    }

    pub fn count(&self, byte: u8) -> usize {
        self.0.get(usize::from(byte)).map_or(0, |count| *count as usize)
    }

    /// The characters of ASCII that occur, with how often they do.
    pub fn ascii(&self) -> impl Iterator<Item = (char, usize)> {
        let all = (0..=127).zip(&self.0).filter(|(_, times)| **times > 0);
        all.map(|(byte, times): (u8, &u32)| (byte.into(), *times as usize))
    }

    pub fn are_ascii(&self) -> bool {
        self.0.iter().skip(128).all(|count| *count == 0)
    }

    /// Whether a text can have a part: all bytes of this occur.
    pub fn may_have(&self, part: &str) -> bool {
        part.bytes().all(|byte| self.count(byte) > 0)
    }
}

/// Calls `each` with all characters of a text beyond ASCII.
pub fn beyond_ascii(text: &str, mut each: impl FnMut(char)) {
    let mut rest = text;
    loop {
        let chunks = rest.as_bytes().as_chunks().0.iter().map(|chunk| swar::beyond_ascii(u64::from_le_bytes(*chunk)));
        let skipped = chunks.take_while(|beyond| *beyond == 0).count() * 8;
        let from = rest.bytes().skip(skipped).position(|byte| !byte.is_ascii());
        let Some(at) = from.map(|from| skipped + from) else { return };
        let mut others = rest.get(at..).unwrap_or_default().chars();
        others.by_ref().take_while(|c| !c.is_ascii()).for_each(&mut each);
        rest = others.as_str();
    }
}

/// Number of characters.
pub fn count(text: &str) -> usize {
    text.chars().count()
}

/// `str.count`.
pub fn occurrences(text: &str, part: &str) -> usize {
    memmem::find_iter(text.as_bytes(), part.as_bytes()).count()
}

/// `str.strip`.
pub fn strip(text: &str) -> &str {
    // Most texts have none at either end.
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim_matches(|c| is(c, SPACE)),
    }
}

/// `str.lstrip`.
pub fn strip_start(text: &str) -> &str {
    text.trim_start_matches(|c| is(c, SPACE))
}

/// `str.rstrip`.
pub fn strip_end(text: &str) -> &str {
    text.trim_end_matches(|c| is(c, SPACE))
}

/// `str.split` without an argument.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| is(c, SPACE)).filter(|word| !word.is_empty())
}

/// Where the words of [`split`] are, in bytes.
pub fn split_places(text: &str) -> Vec<(u32, u32)> {
    let place = |word: &str| {
        // A word is a part of the text.
        let begin = word.as_ptr().addr() - text.as_ptr().addr();
        (begin as u32, (begin + word.len()) as u32)
    };
    split(text).map(place).collect()
}

/// The lines that LF parts, in bytes: the last one is empty if the text ends with LF.
pub fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    ends.scan(0, |begin, end| Some(std::mem::replace(begin, end + 1)..end))
}

/// Where the lines of `str.splitlines` are, in bytes: a line end at the end begins no further line, and CR LF is one.
pub fn split_lines(text: &str, bytes: &ByteCounts) -> Vec<Range<usize>> {
    // Most texts have no line end but LF.
    let has = |end: &&str| bytes.may_have(end) && memmem::find(text.as_bytes(), end.as_bytes()).is_some();
    if !LINE_ENDS_BESIDE_LF.iter().any(has) {
        return lines(text).filter(|line| line.start < text.len()).collect();
    }
    let mut lines = Vec::new();
    let (mut begin, mut chars) = (0, text.char_indices().peekable());
    while let Some((at, c)) = chars.next() {
        if is(c, LINE_END) {
            lines.push(begin..at);
            let end = if c == '\r' { chars.next_if(|(_, next)| *next == '\n') } else { None };
            begin = end.map_or(at + c.len_utf8(), |(at, _)| at + 1);
        }
    }
    lines.extend((begin < text.len()).then_some(begin..text.len()));
    lines
}

/// `re.split("\n{n,}")`: the parts between runs of at least `least` LF.
pub fn split_at_runs(text: &str, least: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|tail| tail.find('\n')) {
            let at = from + found;
            let run = text.get(at..).unwrap_or_default().bytes().take_while(|byte| *byte == b'\n').count();
            if run >= least {
                rest = text.get(at + run..);
                return text.get(..at);
            }
            from = at + run;
        }
        rest = None;
        Some(text)
    })
}

/// `str.isupper`: has upper case, and no lower or title case.
pub fn is_upper(word: &str) -> bool {
    let all = word.chars().fold(0, |all, c| all | properties(c));
    all & UPPER != 0 && all & (LOWER | TITLE) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_python() {
        let lines =
            |text| split_lines(text, &ByteCounts::of(text)).into_iter().map(|line| &text[line]).collect::<Vec<&str>>();
        assert_eq!(lines("a\r\nb\u{2028}\u{c}c\n"), ["a", "b", "", "c"]);
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(lines("\n\n"), ["", ""]);
        assert_eq!(lines("x\r\r\n"), ["x", ""]);
        assert_eq!(lines("a\n\nb"), ["a", "", "b"]);
    }

    #[test]
    fn all_line_ends_are_known() {
        let all: Vec<String> = ('\0'..=char::MAX).filter(|c| is(*c, LINE_END)).map(String::from).collect();
        assert_eq!(all, [["\n"].as_slice(), &LINE_ENDS_BESIDE_LF].concat());
        for end in LINE_ENDS_BESIDE_LF {
            let text = format!("é{end}b");
            assert_eq!(split_lines(&text, &ByteCounts::of(&text)).len(), 2, "{end:?}");
        }
    }

    #[test]
    fn bytes_and_characters_beyond_ascii() {
        for text in ["", "abc", "é", "abcdefgh", "abcdefghé", "a…b…c and so on without an end, žluťoučký kůň ünd"]
        {
            let mut found = String::new();
            beyond_ascii(text, |c| found.push(c));
            assert_eq!(found, text.chars().filter(|c| !c.is_ascii()).collect::<String>());
            let bytes = ByteCounts::of(text);
            assert_eq!(bytes.are_ascii(), text.is_ascii());
            assert_eq!(bytes.count(b'b'), text.matches('b').count());
            assert_eq!(
                bytes.ascii().map(|(_, times)| times).sum::<usize>(),
                text.chars().filter(char::is_ascii).count()
            );
            assert!(!bytes.may_have("…") || text.contains('…'));
        }
    }

    #[test]
    fn runs_of_line_ends_part() {
        let parts = |text, least| split_at_runs(text, least).collect::<Vec<_>>();
        assert_eq!(parts("a\nb\n\n\nc\n", 2), ["a\nb", "c\n"]);
        assert_eq!(parts("a\nb\n\n\nc\n", 1), ["a", "b", "c", ""]);
        assert_eq!(parts("\n\n", 1), ["", ""]);
        assert_eq!(parts("", 1), [""]);
    }

    #[test]
    fn sets_of_characters() {
        let all = |bits| ('\0'..=char::MAX).filter(|c| is(*c, bits)).count();
        assert_eq!((all(TERMINAL), all(PUNCTUATION), all(PUNCTUATION | TERMINAL)), (159, 129, 281));
        assert!(is('²', DIGIT) && is('٣', DIGIT) && !is('½', DIGIT) && is('½', WORD));
        assert!(is('\u{93F}', MARK) && !is('a', MARK) && is('٣', DECIMAL) && !is('²', DECIMAL));
        assert!(!is('\u{93F}', LETTER) && is('ि', WORD | LETTER) == is('\u{93F}', WORD | LETTER));
        assert!(is('\u{1F}', SPACE) && is('\u{3000}', SPACE) && !is('\u{200B}', SPACE));
    }
}
