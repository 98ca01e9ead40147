//! Sentence boundaries: a scan over the punctuation marks that can end a sentence; the words around each mark decide.
//!
//! The time is linear in the length of the paragraph. Each mark is decided by at most a fixed number of characters to
//! either side. White space has no such bound, but is walked over once: [`WhiteSpace`] remembers where it ends.

use std::ops::Range;

use super::apostrophes;
use super::chars::{CharClass, char_at, char_before, class_at, skip, skip_back, trimmed};
use super::full_stop::FullStop;
use super::glued::Glued;
use super::own_marks;
use super::rules::LanguageRules;
use super::unmarked::{self, LONGEST_QUOTE};
use super::urdu;
use crate::text::char_classes::{is_alphanumeric, is_georgian, is_hangul, is_sentence_terminal};
use crate::text::swar;

/// Number of quotes, brackets, dashes and spaces skipped before the first word of a sentence at most.
const LONGEST_OPENING: usize = 24;
/// Characters up to which a text in brackets is not split at the marks inside (segtok's constant).
const SHORT_BRACKET: usize = 55;
/// Marks of notes behind a full stop at most.
const MOST_NOTES: usize = 16;
/// Longest mark of a note, in characters without the brackets.
const LONGEST_NOTE: usize = 24;
/// Most bytes of a character in UTF-8.
const MOST_UTF8: usize = 4;
/// Characters above which a sentence is split at a semicolon, comma or space.
const LONGEST_SENTENCE: usize = 5_000;

/// Byte ranges of a paragraph's sentences: in order, trimmed, none empty; together they cover all but white space.
pub fn sentences(text: &str, rules: &LanguageRules) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut space = WhiteSpace::default();
    let mut word = space.end(text, start);
    while let Some(mark) = next_mark(text, at, rules) {
        let run = MarkRun::at(text, mark, rules);
        at = run.end;
        if let Some(end) = run.boundary(text, word.min(mark), rules, &mut space) {
            unmarked::parts(text, start..end, rules, |part| push(text, part, &mut found));
            (start, word) = (end, space.end(text, end));
            at = end.max(at);
        }
    }
    unmarked::parts(text, start..text.len(), rules, |part| push(text, part, &mut found));
    found
}

/// The last run of white space that was walked over. Each of a million line feeds is a mark, and asks where the white
/// space behind it ends.
#[derive(Default)]
struct WhiteSpace {
    run: Range<usize>,
}

impl WhiteSpace {
    /// The offset behind the white space from `at` on.
    fn end(&mut self, text: &str, at: usize) -> usize {
        if !self.run.contains(&at) {
            self.run = at..skip(text, at, char::is_whitespace);
        }
        self.run.end
    }
}

/// Appends a sentence, or extends the last one if the new one has neither letter nor digit and both are short enough.
fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Some(range) = trimmed(text, range) else { return };
    let part = text.get(range.clone()).unwrap_or_default();
    let wordless = !part.chars().any(is_alphanumeric);
    let joins = |last: &Range<usize>| wordless && range.end - last.start <= LONGEST_SENTENCE;
    match found.last_mut().filter(|last| joins(last)) {
        Some(last) => last.end = range.end,
        None => push_capped(text, range, found),
    }
}

/// Appends a sentence, split where it is longer than [`LONGEST_SENTENCE`].
fn push_capped(text: &str, mut range: Range<usize>, found: &mut Vec<Range<usize>>) {
    while let Some(part) = text.get(range.clone())
        && part.len() > LONGEST_SENTENCE
        && let Some((limit, _)) = part.char_indices().nth(LONGEST_SENTENCE)
    {
        let head = part.get(..limit).unwrap_or_default();
        let cut = [';', ',', ' '].iter().find_map(|c| head.rfind(*c)).map_or(limit, |at| at + 1);
        found.extend(trimmed(text, range.start..range.start + cut));
        range.start += cut;
    }
    found.extend(trimmed(text, range));
}

/// Whether a byte can be the first of a mark, so that the character must be examined.
fn may_begin_mark(byte: u8) -> bool {
    matches!(byte, b'\n' | b'!' | b'.' | b'?' | 0xCD | 0xD6 | 0xD8 | 0xDB | 0xDC | 0xDF..=0xE3 | 0xEA | 0xEF | 0xF0)
}

/// Offset of the next mark or line feed.
fn next_mark(text: &str, from: usize, rules: &LanguageRules) -> Option<usize> {
    let (bytes, own) = (text.as_bytes(), rules.marks.as_bytes().first());
    let mut at = from;
    loop {
        // Most bytes are letters and blanks, which are no marks, unless the language says so.
        let eight = swar::load(bytes, at);
        let plain = swar::within(eight, b'@', 0x7e) | swar::within(eight, b' ', b' ');
        let count = if own.is_some_and(u8::is_ascii) { 0 } else { swar::before(swar::others(plain)) };
        at += count;
        if count == 8 {
            continue;
        }
        let byte = bytes.get(at)?;
        if (may_begin_mark(*byte) || Some(byte) == own)
            && char_at(text, at).is_some_and(|c| is_mark(c, rules) || c == '\n')
        {
            return Some(at);
        }
        at += 1;
        // Text beyond ASCII has few blanks to jump to.
        let rest = bytes.get(at..).unwrap_or_default().iter();
        at += rest.take_while(|byte| !byte.is_ascii() && !may_begin_mark(**byte) && Some(*byte) != own).count();
    }
}

fn is_mark(c: char, rules: &LanguageRules) -> bool {
    if c.is_ascii() && rules.marks.is_empty() {
        return matches!(c, '.' | '!' | '?');
    }
    matches!(c, '.' | '!' | '?' | '…' | '‥' | '\u{1361}')
        || is_strong(c)
        || is_ideographic(c)
        || !rules.marks.is_empty() && rules.marks.contains(c)
}

/// Marks that have no use but to end a sentence.
fn is_strong(c: char) -> bool {
    match c {
        '!' | '?' => true,
        // Unicode counts the Burmese and the Javanese comma.
        '.' | '\u{104A}' | '\u{A9C8}' => false,
        // The Greek question mark and Tibetan marks are none by Unicode.
        '\u{37E}' | '\u{F0D}'..='\u{F0F}' | '\u{F11}' | '\u{F14}' => true,
        _ => is_sentence_terminal(c) && !is_ideographic(c),
    }
}

/// Marks after which no space is written: those of Chinese and Japanese.
fn is_ideographic(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡')
}

fn is_closer(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"' | '\'' | '”' | '’' | '»' | '“' | '‘' | '›' | '«' | '*')
        || matches!(c, '」' | '』' | '）' | '】' | '》' | '〉' | '］' | '〕' | '〗')
}

fn is_opener(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '"' | '\'' | '`' | '„' | '“' | '”' | '‘' | '’' | '«' | '»' | '‚' | '¿' | '¡')
        || matches!(c, '-' | '–' | '—' | '*' | '•' | '…' | '.' | '「' | '『' | '（' | '《' | '<')
}

/// A run of marks that may end a sentence, or a line feed.
struct MarkRun {
    /// Byte offsets of the run.
    start: usize,
    end: usize,
    /// Whether it has a mark that only ends sentences.
    strong: bool,
    ideographic: bool,
    newline: bool,
    /// Whether it has a mark of a script without case, which is strong and stands for nothing else.
    own: bool,
}

impl MarkRun {
    fn at(text: &str, start: usize, rules: &LanguageRules) -> MarkRun {
        let (mut end, mut strong, mut ideographic, mut own) = (start, false, false, false);
        while let Some(c) = char_at(text, end).filter(|c| is_mark(*c, rules)) {
            strong |= is_strong(c) || rules.marks.contains(c);
            ideographic |= is_ideographic(c);
            own |= own_marks::is_own(c);
            end += c.len_utf8();
        }
        let newline = end == start;
        MarkRun { start, end: end + usize::from(newline), strong: strong || own, ideographic, newline, own }
    }

    /// The offset at which the sentence ends; none if it continues. `sentence` is where it begins, without the white
    /// space before it.
    fn boundary(&self, text: &str, sentence: usize, rules: &LanguageRules, space: &mut WhiteSpace) -> Option<usize> {
        // What closes on the next line stands there.
        if self.newline {
            return Some(self.end);
        }
        let closed = self.behind_notes(text, self.closed(text));
        let end = self.closed_apart(text, sentence, closed, space.end(text, closed));
        let next = space.end(text, end);
        if next == text.len() {
            return Some(end);
        }
        if !own_marks::may_end(text, self.start..self.end)
            || continues_after_quote(text, self.end, end)
            || self.own && urdu::is_initial(text, self.start..self.end, rules)
        {
            return None;
        }
        let ends = self.ideographic
            || if next == end {
                let word = skip_opening(text, end);
                let glued = Glued::at(text, self.start..self.end, word);
                glued.ends(self.strong, end > self.end, rules) || self.own && own_marks::begins_caseless(text, word)
            } else {
                self.ends_spaced(text, sentence, next, rules)
            };
        (ends && !in_short_bracket(text, sentence, self.start, end)).then_some(end)
    }

    /// The offset behind the quotes and brackets that close after the marks.
    fn closed(&self, text: &str) -> usize {
        let mut end = skip(text, self.end, is_closer);
        while let Some(rest) = text.get(end..).filter(|rest| rest.starts_with('&'))
            && let Some(quote) = ["&#39;", "&#34;", "&quot;", "&raquo;"].iter().find(|quote| rest.starts_with(**quote))
        {
            end += quote.len();
        }
        let ambiguous = |c: char| matches!(c, '"' | '\'' | '“' | '‘' | '«' | '»' | '*');
        if self.ideographic {
            return skip(text, self.end, |c| is_closer(c) && !matches!(c, '“' | '‘' | '«'));
        }
        // In scripts without case a quote between the mark and a letter closes, too: Korean attaches particles to quotations.
        if char_at(text, end).is_some_and(own_marks::is_caseless) && !self.opens_quotation(text) {
            return skip(text, self.end, |c| is_closer(c) && !matches!(c, '“' | '‘' | '«' | '*'));
        }
        if matches!(class_at(text, end), CharClass::Space | CharClass::Other) {
            return end;
        }
        skip(text, self.end, |c| is_closer(c) && !ambiguous(c))
    }

    /// The offset behind the marks of notes that follow at once, which belong to the sentence before: `.[1]`, `.[note 2][3]`,
    /// `.(4)`, `.¹²`. Where no space is written behind a mark, only notes with a number, since items of lists and names of
    /// speakers stand in brackets there.
    fn behind_notes(&self, text: &str, closed: usize) -> usize {
        let mut end = closed;
        for _ in 0..MOST_NOTES {
            let Some(length) = text.get(end..).and_then(|rest| note_length(rest, self.ideographic)) else { break };
            end += length;
        }
        if self.ideographic || matches!(class_at(text, end), CharClass::Space) { end } else { closed }
    }

    /// Whether a straight quote behind the marks opens a quotation: none is open near the beginning of the text.
    fn opens_quotation(&self, text: &str) -> bool {
        let quote = char_at(text, self.end).filter(|c| matches!(c, '"' | '\''));
        let before = text.get(..self.start).filter(|before| before.len() <= LONGEST_QUOTE);
        quote.zip(before).is_some_and(|(quote, before)| before.matches(quote).count() % 2 == 0)
    }

    /// The offset behind a closing quote that stands alone between spaces (`. »`, or the second `. "` of its sentence);
    /// `end` if there is none. `quote` is the offset behind the white space from `end` on.
    fn closed_apart(&self, text: &str, sentence: usize, end: usize, quote: usize) -> usize {
        let Some(c) = char_at(text, quote).filter(|_| quote > end) else { return end };
        let open = match c {
            '»' => '«',
            '"' => '"',
            _ => return end,
        };
        let after = quote + c.len_utf8();
        // A quotation may have several sentences; the sign that opens and closes alike is told by those of its own.
        let first = if c == open { sentence } else { 0 };
        let from = text.floor_char_boundary(first.max(self.start.saturating_sub(LONGEST_QUOTE)));
        let before = text.get(from..self.start).unwrap_or_default();
        let closes = if c == open { before.matches(c).count() % 2 == 1 } else { before.rfind(open) > before.rfind(c) };
        if closes && matches!(class_at(text, after), CharClass::Space) { after } else { end }
    }

    /// Whether a mark with a space behind it ends the sentence.
    fn ends_spaced(&self, text: &str, sentence: usize, next: usize, rules: &LanguageRules) -> bool {
        let word = apostrophes::behind_clitic(text, skip_opening(text, next), rules);
        let Some(first) = char_at(text, word) else { return true };
        if matches!(first, ',' | ';' | ':' | '/' | '%' | '=' | '+' | '&' | ')') {
            return false;
        }
        let lower = first.is_lowercase();
        let sloppy = || rules.split_before_lower || is_georgian(first) || begins_small(text, sentence);
        if lower
            && (self.is_ellipsis(text)
                || self.is_spaced_ellipsis(text, word)
                || self.is_quoted(text, next)
                || !sloppy())
        {
            return false;
        }
        if self.strong || self.end - self.start > 1 {
            return true;
        }
        if own_marks::is_armenian_colon(text, self.start) {
            return false;
        }
        let stop = FullStop { text, at: self.start, rules };
        if lower {
            return !stop.is_abbreviation();
        }
        stop.ends_sentence(sentence, word, first)
    }

    fn is_ellipsis(&self, text: &str) -> bool {
        text.get(self.start..self.end).is_some_and(|run| run.contains("...") || run.contains('…'))
    }

    /// Whether the mark is one of an ellipsis with spaces (`. . .`) before the word at an offset.
    fn is_spaced_ellipsis(&self, text: &str, word: usize) -> bool {
        const MOST_BLANKS: usize = 8;
        let before = skip_back(text, self.start, MOST_BLANKS, char::is_whitespace);
        let goes_on = text.get(self.end..word).is_some_and(|between| between.contains('.'));
        goes_on || before < self.start && char_before(text, before) == Some('.')
    }

    /// Whether a quote or bracket closes between the marks and the next word.
    fn is_quoted(&self, text: &str, next: usize) -> bool {
        text.get(self.end..next).is_some_and(|between| between.contains(is_closer))
    }
}

/// Length of the mark of a note at the beginning of a text, in bytes: a superscript digit, a number in brackets, or a few words
/// in square brackets. `numbered`: in square brackets, with a number.
fn note_length(text: &str, numbered: bool) -> Option<usize> {
    let open = text.chars().next()?;
    if matches!(open, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹') {
        return Some(open.len_utf8());
    }
    let inside = text.strip_prefix(['[', '('])?;
    let is_end = |c: &char| matches!(c, '(' | ')' | '[' | ']' | '\n');
    let length = inside.chars().take(LONGEST_NOTE + 1).take_while(|c| !is_end(c)).map(char::len_utf8).sum();
    let (note, rest) = inside.split_at_checked(length)?;
    let is_note = match (open, rest.chars().next()?) {
        ('[', ']') if numbered => note.contains(|c: char| c.is_ascii_digit()),
        ('[', ']') => note.contains(is_alphanumeric),
        ('(', ')') => !numbered && !note.is_empty() && note.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    is_note.then_some(length + 2)
}

/// Whether a sentence begins in lower case: then its writer does not capitalise.
fn begins_small(text: &str, sentence: usize) -> bool {
    char_at(text, skip_opening(text, sentence)).is_some_and(char::is_lowercase)
}

/// The offset of the first word behind quotes, brackets and dashes; examines [`LONGEST_OPENING`] characters.
fn skip_opening(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default().chars().take(LONGEST_OPENING);
    at + rest.take_while(|c| is_opener(*c) || c.is_whitespace()).map(char::len_utf8).sum::<usize>()
}

/// Whether a mark stands inside a short text in brackets.
fn in_short_bracket(text: &str, sentence: usize, mark: usize, end: usize) -> bool {
    let from = sentence.max(mark.saturating_sub(SHORT_BRACKET * MOST_UTF8));
    let before = text.as_bytes().get(from..mark).unwrap_or_default();
    let Some(open) = memchr::memrchr2(b'(', b'[', before) else { return false };
    if memchr::memrchr2(b')', b']', before.get(open..).unwrap_or_default()).is_some() {
        return false;
    }
    let back = text.get(from + open + 1..mark).unwrap_or_default().chars().count();
    if back >= SHORT_BRACKET {
        return false;
    }
    let closed_already = text.get(mark..end).is_some_and(|run| run.contains([')', ']']));
    let after = text.get(end..).unwrap_or_default().chars().take(SHORT_BRACKET - back);
    let mut after = after.skip_while(|c| !matches!(c, '(' | '[' | ')' | ']'));
    !closed_already && matches!(after.next(), Some(')' | ']'))
}

/// Words of Korean that follow a quotation behind a blank: "said", "called", "that".
const QUOTING: [&str; 9] = [" 하고", " 하며", " 했다", " 라고", " 라며", " 라는", " 이라고", " 이라며", " 이라는"];

/// Whether a sentence continues behind its mark and what closes there: with a particle or comma of Japanese or Chinese, or with
/// anything that Korean attaches to a quotation.
fn continues_after_quote(text: &str, marks: usize, end: usize) -> bool {
    let Some(closer) = char_before(text, end).filter(|c| marks < end && is_closer(*c)) else { return false };
    let behind = text.get(end..).unwrap_or_default();
    match behind.chars().next() {
        Some('と' | 'っ' | 'の' | 'な' | 'が' | 'を' | 'に' | 'は' | 'も' | 'で' | '、' | '，') => true,
        Some(c) if is_hangul(c) => is_korean_quote(closer),
        Some(' ') => is_korean_quote(closer) && QUOTING.iter().any(|word| behind.starts_with(word)),
        _ => false,
    }
}

fn is_korean_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '」' | '』')
}
