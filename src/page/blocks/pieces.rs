//! Long text in pieces that end between words.

/// Bytes before the end of a piece of text in which a blank is looked for, so that it ends between words.
const WORD_END: usize = 1024;
/// Bytes of a character reference at most: a piece of text does not end inside of one.
const LONGEST_REFERENCE: usize = 64;

/// Text in pieces of at most so many bytes.
pub fn pieces(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = if rest.len() <= most { rest.len() } else { piece_end(rest, most) };
        let (piece, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some(piece).filter(|piece| !piece.is_empty())
    })
}

/// Where a piece of at most so many bytes of a longer text ends: behind a blank or before a character reference, if
/// there is one near the end.
fn piece_end(text: &str, most: usize) -> usize {
    let most = text.floor_char_boundary(most.max(4));
    let from = text.floor_char_boundary(most.saturating_sub(WORD_END));
    let blank = text.get(from..most).and_then(|tail| tail.rfind([' ', '\n'])).map(|at| from + at + 1);
    let from = text.floor_char_boundary(most.saturating_sub(LONGEST_REFERENCE));
    let reference = || text.get(from..most).and_then(|tail| tail.rfind('&')).map(|at| from + at);
    blank.or_else(reference).filter(|&end| end > 0).unwrap_or(most)
}
