//! A cleaner that calls every block content.

use super::{Cleaner, Decision, Input, Reason};

/// Keeps all blocks.
#[derive(Debug)]
pub struct KeepAll;

impl Cleaner for KeepAll {
    fn decide(&self, input: &Input<'_>) -> Vec<Decision> {
        let decision = Decision { boilerplate: false, score: None, reason: Reason::Length };
        vec![decision; input.page.blocks.len()]
    }
}
