//! Tells which bytes of the file a broken member holds as they are.
//!
//! A compressor stores what it cannot make smaller, such as an archive that a server sent: its members then stand in the
//! file byte for byte, and a search for the next member would find them. Blocks that a broken member stores are therefore
//! passed over: 64 KiB in gzip, 128 KiB in zstd. Where a member was cut off within such a block, the members that begin
//! in what would have been the rest of the block are lost with it.

use std::io;

use flate2::{Decompress, FlushDecompress};

use super::cursor::ByteCursor;
use super::gzip_member::read_header;
use super::zstd_frame::{BlockHeader, FrameHeader};
use super::{Bytes, Framing};

/// Least bytes that must give themselves: as many as a member needs before the bytes that may stand between two blocks.
const LEAST: u64 = 3;
/// Decompressed bytes for which there is room at a time.
const ROOM: usize = 64 << 10;

/// Reads a broken member again, as far as it is asked about.
pub(super) struct StoredBlocks<'a> {
    cursor: ByteCursor<'a>,
    blocks: Blocks,
    /// Decompressed bytes that may still be made.
    spare: u64,
}

enum Blocks {
    Gzip(Deflate),
    Zstd,
    /// Nothing more can be read.
    None,
}

impl<'a> StoredBlocks<'a> {
    /// Those of the member at `member`. If its bytes give more than `spare` bytes, nothing is said about the rest.
    pub(super) fn new(bytes: &'a dyn Bytes, framing: Framing, member: u64, spare: u64) -> io::Result<Self> {
        let mut cursor = ByteCursor::new(bytes, member);
        let blocks = match framing {
            Framing::Gzip if read_header(&mut cursor)?.is_some() => {
                Blocks::Gzip(Deflate { inflate: Decompress::new(false), room: vec![0; ROOM] })
            }
            Framing::Zstd if FrameHeader::read(&mut cursor)?.is_some() => Blocks::Zstd,
            _ => Blocks::None,
        };
        Ok(Self { cursor, blocks, spare })
    }

    /// Decompressed bytes that may still be made.
    pub(super) fn spare(&self) -> u64 {
        self.spare
    }

    /// The offset from which on a member may begin, if the bytes at `at` and after it are stored: behind them, but for the
    /// last ones, which may be the first of a member. `None` if they are not stored. Each call asks for a larger offset. All
    /// calls together take time linear in the bytes of the member.
    pub(super) fn end_around(&mut self, at: u64) -> io::Result<Option<u64>> {
        let end = match &mut self.blocks {
            Blocks::Gzip(deflate) => {
                let end = deflate.end_around(&mut self.cursor, at, &mut self.spare)?;
                if end.is_none() {
                    self.blocks = Blocks::None;
                }
                end
            }
            Blocks::Zstd => zstd_end(&mut self.cursor, at)?,
            Blocks::None => None,
        };
        Ok(end.filter(|end| end.saturating_sub(at) >= LEAST).map(|end| end.saturating_sub(LEAST - 1)))
    }
}

/// A deflate stream, read piece by piece.
struct Deflate {
    inflate: Decompress,
    room: Vec<u8>,
}

impl Deflate {
    /// Decompresses up to `at`, and on while each byte gives itself.
    fn end_around(&mut self, cursor: &mut ByteCursor<'_>, at: u64, spare: &mut u64) -> io::Result<Option<u64>> {
        while cursor.position() < at {
            let left = usize::try_from(at - cursor.position()).unwrap_or(usize::MAX);
            if self.give(cursor, left, spare)?.is_none() {
                return Ok(None);
            }
        }
        if cursor.position() > at {
            return Ok(None);
        }
        let mut end = at;
        while let Some(&byte) = cursor.fill()?.first() {
            if self.give(cursor, 1, spare)? != Some(&[byte]) {
                break;
            }
            end = cursor.position();
        }
        Ok(Some(end))
    }

    /// Gives some bytes to the decompressor, at most `most`. Returns the bytes that came out last; `None` if nothing more
    /// can be read.
    fn give(&mut self, cursor: &mut ByteCursor<'_>, most: usize, spare: &mut u64) -> io::Result<Option<&[u8]>> {
        let mut left = most;
        loop {
            let (total_in, total_out) = (self.inflate.total_in(), self.inflate.total_out());
            let input = cursor.fill()?;
            let input = input.get(..left).unwrap_or(input);
            let status = self.inflate.decompress(input, &mut self.room, FlushDecompress::None);
            let read = (self.inflate.total_in() - total_in) as usize;
            let written = (self.inflate.total_out() - total_out) as usize;
            cursor.consume(read);
            left -= read;
            *spare = spare.saturating_sub(written as u64);
            let stuck = read == 0 && written == 0 && left > 0;
            if status.is_err() || stuck || *spare == 0 {
                return Ok(None);
            }
            if written < self.room.len() {
                return Ok(self.room.get(..written));
            }
        }
    }
}

/// Passes block after block up to the one that holds `at`.
fn zstd_end(cursor: &mut ByteCursor<'_>, at: u64) -> io::Result<Option<u64>> {
    while cursor.position() <= at {
        let before = cursor.position();
        let Some(block) = BlockHeader::read(cursor)? else { return Ok(None) };
        let end = cursor.position().saturating_add(block.content as u64);
        if at < end {
            cursor.seek(before);
            return Ok(block.stored.then_some(end));
        }
        if block.last {
            return Ok(None);
        }
        cursor.seek(end);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(plain: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn noise(length: u32) -> Vec<u8> {
        (0..length).map(|n| (n.wrapping_mul(0x9e37_79b9) >> 23) as u8).collect()
    }

    /// The end of the stored bytes around each offset of a member, asked in turn.
    fn ends(bytes: &[u8], framing: Framing) -> Vec<(u64, u64)> {
        let mut blocks = StoredBlocks::new(&bytes, framing, 0, u64::MAX).unwrap();
        let mut ends = Vec::new();
        let mut at = 1;
        while at < bytes.len() as u64 {
            let end = blocks.end_around(at).unwrap();
            ends.extend(end.map(|end| (at, end)));
            at = end.unwrap_or(at + 1);
            if end.is_none() {
                blocks = StoredBlocks::new(&bytes, framing, 0, u64::MAX).unwrap();
            }
        }
        ends
    }

    #[test]
    fn stored_blocks_of_gzip_are_found_whole() {
        let (header, plain) = (10, noise(100_000));
        let bytes = gzip(&plain, 0);
        let found = ends(&bytes, Framing::Gzip);
        let stored: u64 = found.iter().map(|(at, end)| end - at + LEAST - 1).sum();
        assert_eq!((found[0].0, stored), (header + 5, 100_000), "{found:?}");
        for (at, end) in found {
            assert!(plain.windows((end - at) as usize).any(|window| window == &bytes[at as usize..end as usize]));
        }
    }

    #[test]
    fn compressed_bytes_are_not_stored() {
        let text: String = (0..2000).map(|n| format!("sentence {} of a page; ", n * n)).collect();
        assert_eq!(ends(&gzip(text.as_bytes(), 6), Framing::Gzip), []);
        assert_eq!(ends(b"no member at all", Framing::Gzip), []);
        let frame = zstd::encode_all(text.as_bytes(), 3).unwrap();
        assert_eq!(ends(&frame, Framing::Zstd), []);
    }

    #[test]
    fn stored_blocks_of_zstd_are_found() {
        let mut state = 1u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        let plain: Vec<u8> = (0..300_000).map(|_| draw()).collect();
        let found = ends(&zstd::encode_all(plain.as_slice(), 3).unwrap(), Framing::Zstd);
        assert!(found.iter().map(|(at, end)| end - at + LEAST - 1).sum::<u64>() >= 300_000, "{found:?}");
    }

    /// A search that goes on behind stored bytes makes progress, however short the blocks are.
    #[test]
    fn short_blocks_are_passed() {
        let mut frame = zstd::encode_all(&b""[..], 3).unwrap();
        frame.truncate(6);
        for length in 0..9_u8 {
            frame.extend([length << 3, 0, 0]);
            frame.extend(vec![b'x'; length.into()]);
        }
        for (at, end) in ends(&frame, Framing::Zstd) {
            assert!(end > at);
        }
    }

    #[test]
    fn a_bomb_is_given_up() {
        let bytes = gzip(&[vec![0; 10 << 20], noise(1000)].concat(), 6);
        let mut blocks = StoredBlocks::new(&bytes, Framing::Gzip, 0, 1 << 20).unwrap();
        assert_eq!((blocks.end_around(bytes.len() as u64 - 100).unwrap(), blocks.spare()), (None, 0));
    }
}
