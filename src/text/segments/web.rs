//! Tokens of the web that contain punctuation and stay whole: addresses, names with `@` and `#`, entities, emoticons
//! and emoji.

use std::ops::Range;

use super::chars::{CharClass, char_at, char_before, class, class_at, skip, skip_back};
use super::rules::WordList;
use super::tokens::TokenScan;
use crate::text::char_classes::is_hangul;

/// Appends the web token that begins at `at` and returns the offset behind it; none if no such token begins there.
///
/// `searched` is the offset up to which no address was found; it keeps the scan linear.
pub fn token(scan: &mut TokenScan, at: usize, chunk: Range<usize>, searched: &mut usize) -> Option<usize> {
    let text = scan.text.get(..chunk.end)?;
    let end = match char_at(text, at)? {
        c if matches!(class(c), CharClass::Letter | CharClass::Digit) => address(text, at, searched),
        '@' => handle(text, at, |c| matches!(class(c), CharClass::Letter | CharClass::Digit | CharClass::Stop)),
        '#' => unspaced_tag(scan, text, at)
            .or_else(|| handle(text, at, |c| matches!(class(c), CharClass::Letter | CharClass::Digit))),
        '&' => entities(text, at),
        '.' if at == chunk.start => extension(text, at),
        ':' | ';' | '=' | '<' | '^' => emoticon(text, at),
        c if c >= '\u{2190}' => emoji(text, at),
        _ => None,
    }?;
    scan.push(at..end);
    Some(end)
}

/// A web or mail address.
fn address(text: &str, at: usize, searched: &mut usize) -> Option<usize> {
    if at < *searched {
        return None;
    }
    let run = skip(text, at, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-'));
    *searched = run;
    let rest = text.get(run..)?;
    let host = text.get(at..run)?;
    if rest.starts_with('@') {
        let domain = skip(text, run + 1, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
        let domain = skip_back(text, domain, domain - run, |c| matches!(c, '.' | '-'));
        return (domain > run + 1).then_some(domain);
    }
    let scheme = rest.starts_with("://") && host.len() > 1 && host.bytes().all(|b| b.is_ascii_alphabetic());
    let www = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    if scheme || www || rest.starts_with('/') && is_host(host) {
        return Some(address_end(text, at));
    }
    None
}

fn is_host(host: &str) -> bool {
    host.contains('.')
        && host.bytes().any(|b| b.is_ascii_alphabetic())
        && psl::suffix(host.to_ascii_lowercase().as_bytes())
            .is_some_and(|suffix| suffix.is_known() && suffix.as_bytes().len() < host.len())
}

/// Whether no address has a character: the kinds that texts set it off with, and scripts without spaces.
fn ends_address(c: char) -> bool {
    matches!(c, '<' | '>' | '"' | '«' | '»' | '“' | '”' | '„' | '{' | '}' | '|' | '^')
        || matches!(c, '、' | '。' | '「' | '」' | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '؟' | '؛' | '،' | '۔' | '।' | '॥')
        || class(c) == CharClass::Unspaced
}

/// Whether a Hangul letter at an offset begins what is no part of the address before it: a particle, behind a letter, a digit
/// or a bracket that closes; or a remark in brackets. The bracket of a title is set off: `wiki/수도_(도시)`.
fn is_behind_address(text: &str, at: usize) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ')' | ']');
    match char_before(text, at) {
        Some('(' | '[') => char_before(text, at - 1).is_some_and(|c| is_plain(c) || c == '/'),
        before => before.is_some_and(is_plain),
    }
}

/// The end of an address: before the first character that no address has, without the sentence's own punctuation, and without
/// what Korean writes to it.
fn address_end(text: &str, at: usize) -> usize {
    let attached = |end: usize, c| is_hangul(c) && is_behind_address(text, end);
    let rest = text.get(at..).unwrap_or_default().char_indices();
    let mut inside =
        rest.map(|(offset, c)| (at + offset, c)).skip_while(|(end, c)| !attached(*end, *c) && !ends_address(*c));
    let end = inside.next().map_or(text.len(), |(end, _)| end);
    let url = text.get(at..end).unwrap_or_default();
    let mut open = url.matches(['(', '[']).count();
    let mut closed = url.matches([')', ']']).count();
    let mut kept = url;
    while let Some(last) = kept.chars().next_back() {
        match last {
            '.' | ',' | ':' | ';' | '!' | '?' | '\'' | '’' | '*' => {}
            ')' | ']' if closed > open => closed -= 1,
            '(' | '[' => open -= 1,
            _ => break,
        }
        kept = kept.get(..kept.len() - last.len_utf8()).unwrap_or_default();
    }
    at + kept.len()
}

/// The end of a name behind `@` or `#`; a name begins with a letter.
fn handle(text: &str, at: usize, keep: impl Fn(char) -> bool) -> Option<usize> {
    if class_at(text, at + 1) != CharClass::Letter {
        return None;
    }
    let end = skip(text, at + 1, keep);
    Some(skip_back(text, end, end - at, |c| c == '.'))
}

/// The end of a tag with letters of a script without spaces, which stands at the beginning, behind a blank or behind another
/// tag. Chinese writes a number sign at both ends.
fn unspaced_tag(scan: &TokenScan, text: &str, at: usize) -> Option<usize> {
    if !(char_before(text, at).is_none_or(char::is_whitespace) || scan.follows_tag(at)) {
        return None;
    }
    let is_letter = |c: char| matches!(class(c), CharClass::Letter | CharClass::Digit | CharClass::Unspaced);
    let end = skip(text, at + 1, is_letter);
    let first = matches!(class_at(text, at + 1), CharClass::Letter | CharClass::Unspaced);
    let closed = scan.rules.words == Some(WordList::Zho) && char_at(text, end) == Some('#');
    (first && !closed && text.get(at..end)?.contains(|c| class(c) == CharClass::Unspaced)).then_some(end)
}

/// The end of a run of equal character references, left over from double encoding: `&amp;`, `&#39;&#39;`.
fn entities(text: &str, at: usize) -> Option<usize> {
    let name = skip(text, at + 1, |c| c == '#').min(at + 2);
    let end = name + text.get(name..)?.bytes().take(10).take_while(u8::is_ascii_alphanumeric).count();
    if end == name || char_at(text, end) != Some(';') {
        return None;
    }
    let one = text.get(at..=end)?;
    let mut all = end + 1;
    while text.get(all..).is_some_and(|rest| rest.starts_with(one)) {
        all += one.len();
    }
    Some(all)
}

/// The end of a file extension or the like that is a whole chunk: `.doc`, `.NET`.
fn extension(text: &str, at: usize) -> Option<usize> {
    let end = skip(text, at + 1, |c| c.is_ascii_alphanumeric());
    (class_at(text, at + 1) == CharClass::Letter && end == text.len()).then_some(end)
}

/// The end of an emoticon (`:-)`, `;D`, `=(`, `<3`, `^_^`), which stands between white space or punctuation only.
fn emoticon(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if let Some(fixed) = ["<3", "^_^", "^^"].iter().find(|face| rest.starts_with(**face)) {
        return (class_at(text, at + fixed.len()) == CharClass::Space).then_some(at + fixed.len());
    }
    let mut bytes = rest.bytes().peekable();
    bytes.next().filter(|eyes| matches!(eyes, b':' | b';' | b'='))?;
    let nose = usize::from(bytes.next_if(|b| matches!(b, b'-' | b'o' | b'\'' | b'^')).is_some());
    let mouth = bytes.next().filter(|b| b")(DPpOo]['|/\\*3><".contains(b))?;
    let mouths = 1 + bytes.take_while(|b| *b == mouth).count();
    let end = at + 1 + nose + mouths;
    let apart = !matches!(class_at(text, end), CharClass::Letter | CharClass::Digit);
    let alone = nose == 1
        || !matches!(mouth, b'\'' | b'/' | b'|' | b'>' | b'<' | b'(' | b'[' | b'3')
        || char_before(text, at).is_none_or(char::is_whitespace);
    (apart && alone).then_some(end)
}

fn is_pictograph(c: char) -> bool {
    matches!(c as u32, 0x1F000..=0x1FAFF | 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0x2300..=0x23FF)
}

/// The end of one emoji with its skin tone, presentation selector and joined parts, or of the two letters of a flag.
fn emoji(text: &str, at: usize) -> Option<usize> {
    let first = char_at(text, at)?;
    let is_flag = |c: char| matches!(c as u32, 0x1F1E6..=0x1F1FF);
    let mut end = at + first.len_utf8();
    if is_flag(first) {
        return Some(end + char_at(text, end).filter(|c| is_flag(*c)).map_or(0, char::len_utf8));
    }
    if !is_pictograph(first) {
        return None;
    }
    loop {
        end = skip(text, end, |c| c == '\u{fe0f}' || matches!(c as u32, 0x1F3FB..=0x1F3FF | 0xE0020..=0xE007F));
        let joined = char_at(text, end) == Some('\u{200d}') && char_at(text, end + 3).is_some_and(is_pictograph);
        if !joined {
            return Some(end);
        }
        end += 3 + char_at(text, end + 3).map_or(0, char::len_utf8);
    }
}
