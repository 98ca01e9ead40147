//! The first bytes of gzip members and zstd frames.

/// Begins a gzip member (RFC 1952).
pub const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Begins a gzip member whose method of compression is known: there is only deflate.
pub(super) const GZIP_DEFLATE: [u8; 3] = [GZIP[0], GZIP[1], 8];
/// Begins a zstd frame (RFC 8878).
pub const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether bytes begin a skippable zstd frame, for which there are 16 magic numbers.
pub(super) fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}
