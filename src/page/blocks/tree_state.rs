//! What is known of the document while its elements are opened and closed.

/// State of the tree construction beside the stack of open elements. The rules of HTML (`browser`) use `seen_head` and
/// `seen_math`; those of libxml2 use all fields but `seen_math`.
pub struct TreeState {
    /// Whether the document is over: nothing that follows counts.
    pub stopped: bool,
    /// Whether the page begins as a document and not as a fragment.
    pub(super) full: bool,
    pub(super) seen_head: bool,
    pub(super) seen_math: bool,
    pub(super) seen_body: bool,
    /// Number of misplaced `html`, `head` and `body` start tags whose end tags are still to come.
    pub(super) misplaced: u32,
}

impl TreeState {
    /// The state before the page `html`, whose beginning tells a document from a fragment.
    pub fn new(html: &str) -> TreeState {
        let start = html.trim_start().as_bytes();
        let full = ["<html", "<!doctype"]
            .iter()
            .any(|p| start.get(..p.len()).is_some_and(|s| s.eq_ignore_ascii_case(p.as_bytes())));
        TreeState { stopped: false, full, seen_head: false, seen_math: false, seen_body: false, misplaced: 0 }
    }
}
