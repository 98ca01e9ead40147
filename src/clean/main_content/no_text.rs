//! Blocks that nobody reads as text, whatever their scores: signs alone, and what browsers without scripts are told.

use super::{BlockKind, Decision, Reason};
use crate::page::blocks::Block;

/// Longest notice about scripts, in bytes.
const MAX_NOTICE: usize = 150;

/// What notices about scripts say, in small letters.
const NOTICES: [&str; 12] = [
    "enable javascript to",
    "need to enable javascript",
    "please enable javascript",
    "javascript is disabled",
    "javascript is required",
    "javascript must be enabled",
    "javascript to be enabled",
    "requires javascript",
    "aktivieren sie javascript",
    "activer javascript",
    "habilitar javascript",
    "включите javascript",
];

/// Drops the blocks without text among those that are content.
pub(super) fn drop_no_text(blocks: &[Block], decisions: &mut [Decision]) {
    for (block, decision) in blocks.iter().zip(decisions).filter(|(_, decision)| !decision.boilerplate) {
        let reason = if has_signs_alone(block) {
            Reason::Form
        } else if !block.heading && is_notice(&block.text) {
            Reason::Words
        } else {
            continue;
        };
        *decision = Decision { boilerplate: true, reason, ..*decision };
    }
}

/// Whether a block is a dash, a bullet, a quotation mark or the like. In tables these are values. Brackets are code, or smile.
fn has_signs_alone(block: &Block) -> bool {
    const SIGNS: &str = "-–—―_=*•·●○▪■□◦‣…․.,:;|/\\«»‹›“”„\"'‘’‚`´~+#<>→←↑↓▲▼►◄ \n";
    block.table == 0 && block.kind != BlockKind::Pre && block.text.chars().all(|c| SIGNS.contains(c))
}

fn is_notice(text: &str) -> bool {
    text.len() <= MAX_NOTICE && text.contains("cript") && {
        let lower = text.to_lowercase();
        NOTICES.iter().any(|notice| lower.contains(notice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_notices_are_dropped() {
        let dropped = |text: &str, table: u32| {
            let blocks = [Block { text: text.into(), table, ..Block::default() }];
            let mut decisions = [Decision { boilerplate: false, score: Some(1.0), reason: Reason::Length }];
            drop_no_text(&blocks, &mut decisions);
            decisions[0].boilerplate
        };
        for text in ["“", "—", "• • •", "You need to enable JavaScript to run this app.", "JavaScript is disabled."]
        {
            assert!(dropped(text, 0), "{text}");
        }
        for text in [
            "😀",
            "★★★",
            "∑",
            "3",
            "あ",
            "Scripts are written in JavaScript.",
            "{",
            ";-)",
            "%",
            "How browsers enable scripts",
        ] {
            assert!(!dropped(text, 0), "{text}");
        }
        assert!(!dropped("–", 1));
    }
}
