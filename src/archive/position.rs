//! Where a reader stands, so that another one can go on from there.

use serde::{Deserialize, Serialize};

/// Where a reader stands after the last event it returned; made by [`super::Records::position`], for
/// [`super::resume`] with the same file, range and limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// File offset of the last border between members or records at which nothing was waiting to be returned; `None`
    /// if there was none yet.
    pub offset: Option<u64>,
    /// Events returned since that border.
    pub events: u64,
    /// Bytes that might still be unpacked again after broken members, at that border.
    pub reread: u64,
    /// File offset of the zstd dictionary in force at that border.
    pub dictionary: Option<u64>,
    /// What [`super::Records::seekable`] said at that border.
    pub seekable: bool,
}
