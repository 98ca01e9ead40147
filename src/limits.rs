//! Bounds on what one record can cost, whatever the archive claims and the page holds.
//!
//! Every buffer whose size a record can choose has its bound here. A record that meets one is cut, set aside or left
//! out, and counted under the name that stands with the bound (`docs/limits.md`); the job goes on.

use serde::{Deserialize, Serialize};

/// Bounds on the memory and time that one record can cost. The defaults leave the pages of a usual crawl whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a record's content block. The rest is skipped; a page with a longer one is unreadable (`too_large`).
    /// Default 64 MiB.
    pub record_bytes: u64,
    /// Largest Content-Length of a record, in bytes, that is believed; a record that claims more is damage. Archives hold
    /// videos of many gigabytes, whose blocks are skipped. Default
    /// 1 TiB.
    pub record_length: u64,
    /// Bytes of a record's header; a record with a longer one is damage. Default 1 MiB.
    pub header_bytes: usize,
    /// Named fields of a record's header; a record with more is damage. Default 1000.
    pub header_fields: usize,
    /// Bytes that a content coding of an HTTP body may expand to; the rest is cut off (`page.output_limit`). Default
    /// 64 MiB.
    pub payload_bytes: usize,
    /// Most output bytes of a content coding per input byte; 64 KiB are always allowed. The rest is cut off
    /// (`page.output_limit`). Default 1000.
    pub expansion: usize,
    /// Bytes of memory that the parser for the selectors of site rules may hold; a page that needs more is read without
    /// its rule (`page.rule_not_applied`). Default 64 MiB.
    pub rule_memory: usize,
    /// Blocks of a page; it is cut behind them (`page.cut_blocks`). Default 100,000.
    pub blocks: usize,
    /// Containers of a page that are told from those around them (`page.cut_containers`). Default 200,000.
    pub containers: usize,
    /// Bytes of a block's text; a longer one is divided (`page.cut_block`). Default 1 MiB.
    pub block_bytes: usize,
    /// Bytes of the text of all blocks of a page; it is cut before the block that exceeds them (`page.cut_text`). A
    /// token takes 24 bytes of memory where its text may take one. Default 8 MiB.
    pub text_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            record_bytes: 64 << 20,
            record_length: 1 << 40,
            header_bytes: 1 << 20,
            header_fields: 1000,
            payload_bytes: 64 << 20,
            expansion: 1000,
            rule_memory: 64 << 20,
            blocks: 100_000,
            containers: 200_000,
            block_bytes: 1 << 20,
            text_bytes: 8 << 20,
        }
    }
}
