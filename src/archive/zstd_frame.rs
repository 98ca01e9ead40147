//! Decompresses one zstd frame (RFC 8878): header, blocks, checksum.
//!
//! The counterpart of `gzip_member` for gzip. The frame is given to the decoder block by block, so that the output of a
//! damaged frame, and the position after it, do not depend on how the file was buffered.
//! `zstd_dictionary` finds the dictionary of a frame; the decompressed bytes are interpreted in `stream` and `scan`.

use std::io;

use zstd::stream::raw::{Decoder, Operation};

use super::cursor::ByteCursor;
use super::dictionary_frame::{MAX_WINDOW_LOG, Skippable, skippable};
use super::gzip_member::MemberState;
use super::magic;
use super::zstd_dictionary::{Dictionaries, plain_decoder};
use super::{Bytes, DamageReason};

/// Largest content of a block in bytes, compressed or not.
const MAX_BLOCK: usize = 128 << 10;
/// Output space of the decoder in bytes: one block, and bytes that it may have held back.
const ROOM: usize = MAX_BLOCK + 64;
/// Blocks that a frame may have before it gives its first byte when it is only looked at, and how many more for each byte
/// that it gives. Compressors write no empty block but the last one.
const PEEKED_BLOCKS: usize = 16;

/// Decompresses one zstd frame after another, with the dictionary that each one needs.
pub(super) struct FrameDecoder<'a> {
    bytes: &'a dyn Bytes,
    dictionaries: Dictionaries<'a>,
    decoder: Decoder<'static>,
    /// Bytes of the largest window that a frame may ask for.
    max_window: u64,
    /// File offset of the dictionary that the decoder has loaded.
    loaded: Option<u64>,
    state: MemberState,
    /// Whether the frame ends with a checksum.
    checksum: bool,
    /// The block being read, with its header.
    block: Vec<u8>,
    /// Output space of the decoder. It is cleared only once, so that very many small blocks cost little.
    room: Vec<u8>,
}

impl<'a> FrameDecoder<'a> {
    /// Decodes the frames of an archive file with the dictionaries in that file.
    pub(super) fn new(bytes: &'a dyn Bytes) -> io::Result<Self> {
        Self::with(bytes, Dictionaries::new(bytes)?, 1 << MAX_WINDOW_LOG)
    }

    /// Decodes frames that may use no dictionary and no window above `max_window` bytes.
    pub(super) fn without_dictionaries(bytes: &'a dyn Bytes, max_window: u64) -> io::Result<Self> {
        Self::with(bytes, Dictionaries::none(bytes), max_window)
    }

    fn with(bytes: &'a dyn Bytes, dictionaries: Dictionaries<'a>, max_window: u64) -> io::Result<Self> {
        Ok(Self {
            bytes,
            dictionaries,
            decoder: plain_decoder()?,
            max_window,
            loaded: None,
            state: MemberState::Whole,
            checksum: false,
            block: Vec::new(),
            room: vec![0; ROOM],
        })
    }

    pub(super) fn state(&self) -> MemberState {
        self.state
    }

    /// Ends the member for a reason that is not in its data.
    pub(super) fn give_up(&mut self, reason: DamageReason) {
        self.state = MemberState::Damaged(reason);
    }

    /// File offset of the active dictionary.
    pub(super) fn dictionary(&self) -> Option<u64> {
        self.dictionaries.active().map(|dictionary| dictionary.offset)
    }

    /// Makes the dictionary in the frame at `at` the active one; false if the frame contains no valid dictionary.
    pub(super) fn activate(&mut self, at: u64) -> io::Result<bool> {
        self.dictionaries.activate(at)
    }

    pub(super) fn skippable(&self, at: u64) -> io::Result<Option<Skippable>> {
        skippable(self.bytes, at)
    }

    /// Reads a frame header. If there is none: false, and the cursor has moved some way past its position.
    pub(super) fn begin(&mut self, cursor: &mut ByteCursor<'_>) -> io::Result<bool> {
        let at = cursor.position();
        let Some(header) = FrameHeader::read(cursor)? else { return Ok(false) };
        self.state = MemberState::Reading;
        self.checksum = header.checksum;
        if header.window > self.max_window {
            self.state = MemberState::Damaged(DamageReason::WindowOverLimit);
        } else if !self.load(at, header.dictionary)? {
            self.state = MemberState::Damaged(DamageReason::MissingDictionary);
        } else {
            self.decoder.reinit()?;
            self.decode(&header.bytes, &mut Vec::new(), 0);
        }
        Ok(true)
    }

    /// Loads the dictionary for a frame at `at` into the decoder; false if it is not in the file.
    fn load(&mut self, at: u64, id: u32) -> io::Result<bool> {
        let wanted = match id {
            0 => self.dictionaries.active(),
            id => match self.dictionaries.named(at, id)? {
                None => return Ok(false),
                found => found,
            },
        };
        let offset = wanted.map(|dictionary| dictionary.offset);
        if offset == self.loaded {
            return Ok(true);
        }
        match offset {
            None => self.decoder = plain_decoder()?,
            Some(offset) => match self.dictionaries.open(offset)? {
                Some((_, decoder)) => self.decoder = decoder,
                None => return Ok(false),
            },
        }
        self.loaded = offset;
        Ok(true)
    }

    /// Appends the content of the next block to `out` and updates [`FrameDecoder::state`].
    pub(super) fn decode_next(&mut self, cursor: &mut ByteCursor<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut block = std::mem::take(&mut self.block);
        block.clear();
        let read = read_block(cursor, &mut block)?;
        match read {
            Ok(last) => {
                self.decode(&block, out, ROOM);
                if last && self.state == MemberState::Reading {
                    self.state = self.end(cursor)?;
                }
            }
            Err(reason) => self.state = MemberState::Damaged(reason),
        }
        self.block = block;
        Ok(())
    }

    /// Reads the checksum after the last block, if there is one.
    fn end(&mut self, cursor: &mut ByteCursor<'_>) -> io::Result<MemberState> {
        if !self.checksum {
            return Ok(MemberState::Whole);
        }
        let mut checksum = Vec::new();
        if !read_exact(cursor, 4, &mut checksum)? {
            return Ok(MemberState::Damaged(DamageReason::Truncated));
        }
        self.decode(&checksum, &mut Vec::new(), 0);
        Ok(if self.state == MemberState::Reading { MemberState::Whole } else { MemberState::BadChecksum })
    }

    /// Gives all of `input` to the decoder and appends what comes out to `out`, up to `room` bytes at a time; nothing
    /// if `room` is 0. Input that cannot be decoded ends the frame.
    fn decode(&mut self, input: &[u8], out: &mut Vec<u8>, room: usize) {
        let mut read = 0;
        loop {
            let free = self.room.get_mut(..room).unwrap_or_default();
            let status = self.decoder.run_on_buffers(input.get(read..).unwrap_or_default(), free);
            let (took, gave) = status.map_or((None, 0), |status| (Some(status.bytes_read), status.bytes_written));
            out.extend_from_slice(free.get(..gave).unwrap_or_default());
            read += took.unwrap_or_default();
            let stuck = took == Some(0) && gave == 0;
            if took.is_none() || stuck && read < input.len() {
                self.state = MemberState::Damaged(DamageReason::BadFrame);
                return;
            }
            if read >= input.len() && (gave < room || room == 0) {
                return;
            }
        }
    }

    /// The first decompressed bytes of the frame at `offset`, at most `max`; `None` if no frame starts there or it
    /// gives no bytes but an error. Must not be called within a frame, because the decoder is used for it.
    ///
    /// A bounded number of blocks is read, so that a search takes time linear in the bytes searched: hostile files have
    /// places where a frame seems to begin before very many empty blocks.
    pub(super) fn peek(&mut self, offset: u64, max: usize) -> io::Result<Option<Vec<u8>>> {
        let before = self.state;
        let mut cursor = ByteCursor::new(self.bytes, offset);
        let (mut out, mut blocks) = (Vec::new(), 0);
        let mut found = self.begin(&mut cursor)?;
        while found && self.state == MemberState::Reading && out.len() < max && blocks < PEEKED_BLOCKS + out.len() {
            self.decode_next(&mut cursor, &mut out)?;
            blocks += 1;
        }
        found &= !out.is_empty() || self.state == MemberState::Whole;
        self.state = before;
        out.truncate(max);
        Ok(found.then_some(out))
    }
}

/// A frame header.
pub(super) struct FrameHeader {
    /// The bytes of the header, magic number included.
    bytes: Vec<u8>,
    /// Window size: bytes that the decoder has to keep.
    window: u64,
    /// Dictionary id; 0 if none is named.
    dictionary: u32,
    checksum: bool,
}

impl FrameHeader {
    pub(super) fn read(cursor: &mut ByteCursor<'_>) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        if !read_exact(cursor, 5, &mut bytes)? {
            return Ok(None);
        }
        let [magic @ .., descriptor] = bytes.as_slice() else { return Ok(None) };
        let descriptor = *descriptor;
        let single = descriptor & 0x20 != 0;
        if *magic != magic::ZSTD || descriptor & 8 != 0 {
            return Ok(None);
        }
        let window_bytes = usize::from(!single);
        let id_bytes = match descriptor & 3 {
            3 => 4,
            n => usize::from(n),
        };
        let size_bytes = match descriptor >> 6 {
            0 => usize::from(single),
            n => 1 << n,
        };
        if !read_exact(cursor, window_bytes + id_bytes + size_bytes, &mut bytes)? {
            return Ok(None);
        }
        let rest = bytes.get(5 + window_bytes..).unwrap_or_default();
        let (id, size) = rest.split_at_checked(id_bytes).unwrap_or_default();
        let window = match (single, bytes.get(5)) {
            (false, Some(&descriptor)) => window_size(descriptor),
            // A size of two bytes is stored minus 256; the difference does not matter here.
            _ => little_endian(size),
        };
        let dictionary = little_endian(id) as u32;
        Ok(Some(Self { window, dictionary, checksum: descriptor & 4 != 0, bytes }))
    }
}

fn window_size(descriptor: u8) -> u64 {
    let base = 1u64 << (10 + u32::from(descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Length of a block header.
const BLOCK_HEADER: usize = 3;

/// The header of a block.
pub(super) struct BlockHeader {
    /// Whether it is the last block of the frame.
    pub(super) last: bool,
    /// Whether the content stands in the file as it is.
    pub(super) stored: bool,
    /// Bytes of the file that the block takes after its header.
    pub(super) content: usize,
}

impl BlockHeader {
    /// `None` if the file ends before, or the header is not valid.
    pub(super) fn read(cursor: &mut ByteCursor<'_>) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        Ok(read_exact(cursor, BLOCK_HEADER, &mut bytes)?.then(|| Self::of(&bytes)).flatten())
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        let header = little_endian(bytes);
        let (size, kind) = ((header >> 3) as usize, header >> 1 & 3);
        let content = if kind == 1 { 1 } else { size };
        (kind != 3 && size <= MAX_BLOCK).then_some(Self { last: header & 1 == 1, stored: kind == 0, content })
    }
}

/// Reads a block with its header. Returns whether it is the last block of the frame, or why it could not be read.
fn read_block(cursor: &mut ByteCursor<'_>, block: &mut Vec<u8>) -> io::Result<Result<bool, DamageReason>> {
    if !read_exact(cursor, BLOCK_HEADER, block)? {
        return Ok(Err(DamageReason::Truncated));
    }
    let Some(header) = BlockHeader::of(block) else { return Ok(Err(DamageReason::BadFrame)) };
    let whole = read_exact(cursor, header.content, block)?;
    Ok(if whole { Ok(header.last) } else { Err(DamageReason::Truncated) })
}

/// Appends the next `n` bytes; false if the file ends before.
fn read_exact(cursor: &mut ByteCursor<'_>, n: usize, out: &mut Vec<u8>) -> io::Result<bool> {
    let wanted = out.len() + n;
    while out.len() < wanted {
        let filled = cursor.fill()?;
        let step = filled.len().min(wanted - out.len());
        if step == 0 {
            return Ok(false);
        }
        out.extend_from_slice(filled.get(..step).unwrap_or_default());
        cursor.consume(step);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of a block of one byte after `empty` blocks without any.
    fn frame(empty: usize) -> Vec<u8> {
        [&magic::ZSTD[..], &[0, 0], &[0; BLOCK_HEADER].repeat(empty), &[0b1001, 0, 0], b"x"].concat()
    }

    #[test]
    fn a_look_reads_few_blocks() {
        let peek = |empty| {
            let bytes = frame(empty);
            let mut frames = FrameDecoder::new(&bytes).unwrap();
            frames.peek(0, 100).unwrap()
        };
        assert_eq!(peek(0).as_deref(), Some(&b"x"[..]));
        assert_eq!(peek(PEEKED_BLOCKS - 1).as_deref(), Some(&b"x"[..]));
        assert_eq!(peek(PEEKED_BLOCKS), None);
    }
}
