//! What of a page is text and no program, seen from its bytes.

use std::ops::Range;

use memchr::memchr;

/// The parts of `body` outside `<script>` and `<style>` elements.
pub(super) fn visible(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(open) = body.get(from..).and_then(|rest| memchr(b'<', rest)).map(|n| from + n) {
        from = open + 1;
        let rest = body.get(from..).unwrap_or_default();
        let Some(name) = [b"script".as_slice(), b"style"].into_iter().find(|name| starts_with_name(rest, name)) else {
            continue;
        };
        parts.push(start..open);
        from = end_tag(body, from, name).unwrap_or(body.len());
        start = from;
    }
    parts.push(start..body.len());
    parts.into_iter().filter_map(|part| body.get(part))
}

/// Where the next `</name` stands at or after `from`.
fn end_tag(body: &[u8], mut from: usize, name: &[u8]) -> Option<usize> {
    loop {
        let open = from + memchr(b'<', body.get(from..)?)?;
        from = open + 1;
        if body.get(from) == Some(&b'/') && starts_with_name(body.get(from + 1..)?, name) {
            return Some(open);
        }
    }
}

fn starts_with_name(bytes: &[u8], name: &[u8]) -> bool {
    bytes.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
        && !bytes.get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_style_are_not_visible() {
        let parts = |html: &'static str| -> Vec<&str> {
            visible(html.as_bytes()).map(|p| str::from_utf8(p).unwrap()).collect()
        };
        assert_eq!(parts("a<script>b</SCRIPT>c<style x>d</style>e"), ["a", "</SCRIPT>c", "</style>e"]);
        assert_eq!(parts("a<script>b<c"), ["a", ""]);
        assert_eq!(parts("a<scripts>b"), ["a<scripts>b"]);
    }
}
