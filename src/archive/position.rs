//! The position of a reader, from which another reader can continue.

use serde::{Deserialize, Serialize};

/// The position of a reader after the last event it returned: made by [`super::Records::position`], used by
/// [`super::resume`] with the same file, range and limits.
///
/// It consists of the last boundary between members or records at which no event was pending, and the number of
/// events returned since. Resuming reads again from that boundary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// File offset of that boundary; `None` if reading has not reached one yet.
    pub offset: Option<u64>,
    /// Events returned since that boundary.
    pub events: u64,
    /// Bytes that may still be decompressed again after broken members, at that boundary.
    pub reread: u64,
    /// Decompressed bytes beyond the usual expansion that members may still give, at that boundary.
    pub spare: u64,
    /// File offset of the zstd dictionary that was active at that boundary.
    pub dictionary: Option<u64>,
    /// The value of [`super::Records::seekable`] at that boundary.
    pub seekable: bool,
}
