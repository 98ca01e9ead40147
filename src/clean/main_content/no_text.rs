//! Blocks that nobody reads as text, whatever their scores: signs alone, what browsers without scripts are told, and errors of the
//! program that made the page.

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
        } else if !block.heading && is_notice(&block.text) || is_php_error(block) {
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

/// Whether a block is an error that PHP writes into a page: `<b>Warning</b>: … in <b>/www/a.php</b> on line <b>7</b>`. Who asks for help
/// with one has other tags or none.
fn is_php_error(block: &Block) -> bool {
    const LEVELS: [&str; 7] = [
        "Warning: ",
        "Notice: ",
        "Deprecated: ",
        "Strict Standards: ",
        "Fatal error: ",
        "Parse error: ",
        "Catchable fatal error: ",
    ];
    let starts = LEVELS.iter().any(|level| block.text.starts_with(level));
    let place =
        || block.text.rsplit_once(" on line ").filter(|(_, line)| line.bytes().all(|byte| byte.is_ascii_digit()));
    starts
        && block.inline_tags >= 3
        && place().is_some_and(|(before, _)| before.contains(" in ") && before.contains(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::{Options, page};

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

    #[test]
    fn errors_of_php_are_dropped() {
        let dropped = |html: &str| {
            let blocks = page(html, &Options::default()).blocks;
            let mut decisions = [Decision { boilerplate: false, score: Some(1.0), reason: Reason::Length }];
            drop_no_text(&blocks, &mut decisions);
            decisions[0].boilerplate
        };
        let error = "Only variables should be passed by reference in <b>/www/a/wp-db.php</b> on line <b>785</b><br />";
        assert!(dropped(&format!("<br />\n<b>Strict Standards</b>:  {error}")));
        for text in [
            "<p>Warning: include() failed in /www/a.php on line 7",
            "<p><b>Warning</b>: the <b>tide</b> is in, <b>today</b>",
            "<p>See what stands in <b>a/b</b> on line <b>7</b> <i>of</i> it",
        ] {
            assert!(!dropped(text), "{text}");
        }
    }
}
