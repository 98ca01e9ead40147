//! The bytes of a page with those beside them.

/// Each byte with those before and after it (space at the ends).
pub(super) fn neighbours(body: &[u8]) -> impl Iterator<Item = (u8, u8, u8)> {
    let before = std::iter::once(b' ').chain(body.iter().copied());
    let after = body.iter().copied().skip(1).chain(std::iter::once(b' '));
    before.zip(body.iter().copied()).zip(after).map(|((before, byte), after)| (before, byte, after))
}
