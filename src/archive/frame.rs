//! One zstd frame (RFC 8878): header, blocks, checksum.
//!
//! Contract: as `member` for gzip. The frame is taken apart here and given to the decoder block by block, so that what
//! comes out of a broken frame, and where the decoder then stands, does not depend on how the file was buffered.
//! Border: which dictionary a frame needs is for `dictionary`, what the bytes mean for `stream` and `scan`.

use std::io;

use zstd::stream::raw::{Decoder, Operation};

use super::dictionary::{Dictionaries, MAX_WINDOW_LOG, Skippable, plain_decoder, skippable};
use super::member::State;
use super::source::Source;
use super::{Bytes, DamageReason};

/// Largest content of a block, packed or not.
const MAX_BLOCK: usize = 128 << 10;
/// Room given to the decoder at a time: a block and what it may have kept back.
const ROOM: usize = MAX_BLOCK + 64;
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Decodes one frame after another, with the dictionary each one needs.
pub(super) struct Frames<'a> {
    bytes: &'a dyn Bytes,
    dictionaries: Dictionaries<'a>,
    decoder: Decoder<'static>,
    /// Bytes of the largest window that a frame may ask for.
    max_window: u64,
    /// File offset of the dictionary in the decoder.
    loaded: Option<u64>,
    state: State,
    /// The frame ends with a checksum.
    checksum: bool,
    /// The block being read, with its header.
    block: Vec<u8>,
    /// Where the decoder writes: cleared once, so that many small blocks cost no more than their bytes.
    room: Vec<u8>,
}

impl<'a> Frames<'a> {
    /// For the frames of a file, with the dictionaries that it holds.
    pub(super) fn new(bytes: &'a dyn Bytes) -> io::Result<Self> {
        Self::with(bytes, Dictionaries::new(bytes)?, 1 << MAX_WINDOW_LOG)
    }

    /// For frames that can have no dictionary and whose window is at most `max_window` bytes.
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
            state: State::Whole,
            checksum: false,
            block: Vec::new(),
            room: vec![0; ROOM],
        })
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    /// File offset of the dictionary in force.
    pub(super) fn dictionary(&self) -> Option<u64> {
        self.dictionaries.in_force().map(|dictionary| dictionary.offset)
    }

    /// Puts the dictionary frame at `at` in force; false if it holds no dictionary.
    pub(super) fn adopt(&mut self, at: u64) -> io::Result<bool> {
        self.dictionaries.adopt(at)
    }

    pub(super) fn skippable(&self, at: u64) -> io::Result<Option<Skippable>> {
        skippable(self.bytes, at)
    }

    /// Reads a frame header; false, with the source somewhere past its position, if there is none.
    pub(super) fn begin(&mut self, source: &mut Source<'_>) -> io::Result<bool> {
        let at = source.position();
        let Some(header) = FrameHeader::read(source)? else { return Ok(false) };
        self.state = State::Reading;
        self.checksum = header.checksum;
        if header.window > self.max_window {
            self.state = State::Damaged(DamageReason::WindowOverLimit);
        } else if !self.load(at, header.dictionary)? {
            self.state = State::Damaged(DamageReason::MissingDictionary);
        } else {
            self.decoder.reinit()?;
            self.decode(&header.bytes, &mut Vec::new(), 0);
        }
        Ok(true)
    }

    /// Has the decoder hold the dictionary for a frame at `at`; false if the file does not hold it.
    fn load(&mut self, at: u64, id: u32) -> io::Result<bool> {
        let wanted = match id {
            0 => self.dictionaries.in_force(),
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

    /// Appends what the next block holds to `out`; look at [`Frames::state`] afterwards.
    pub(super) fn feed(&mut self, source: &mut Source<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut block = std::mem::take(&mut self.block);
        block.clear();
        let read = read_block(source, &mut block)?;
        match read {
            Ok(last) => {
                self.decode(&block, out, ROOM);
                if last && self.state == State::Reading {
                    self.state = self.end(source)?;
                }
            }
            Err(reason) => self.state = State::Damaged(reason),
        }
        self.block = block;
        Ok(())
    }

    /// After the last block.
    fn end(&mut self, source: &mut Source<'_>) -> io::Result<State> {
        if !self.checksum {
            return Ok(State::Whole);
        }
        let mut checksum = Vec::new();
        if !read_exact(source, 4, &mut checksum)? {
            return Ok(State::Damaged(DamageReason::Truncated));
        }
        self.decode(&checksum, &mut Vec::new(), 0);
        Ok(if self.state == State::Reading { State::Whole } else { State::BadChecksum })
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
                self.state = State::Damaged(DamageReason::BadFrame);
                return;
            }
            if read >= input.len() && (gave < room || room == 0) {
                return;
            }
        }
    }

    /// At most the first `max` decoded bytes of the frame at `offset`; `None` if no frame starts there or nothing but
    /// an error comes out of it. Only between frames: the decoder is the same.
    pub(super) fn head(&mut self, offset: u64, max: usize) -> io::Result<Option<Vec<u8>>> {
        let before = self.state;
        let mut source = Source::new(self.bytes, offset);
        let mut out = Vec::new();
        let mut found = self.begin(&mut source)?;
        while found && self.state == State::Reading && out.len() < max {
            self.feed(&mut source, &mut out)?;
        }
        found &= !out.is_empty() || self.state == State::Whole;
        self.state = before;
        out.truncate(max);
        Ok(found.then_some(out))
    }
}

/// What a frame header says.
struct FrameHeader {
    /// Its bytes, magic included.
    bytes: Vec<u8>,
    /// Bytes the decoder has to keep.
    window: u64,
    /// 0 = none named.
    dictionary: u32,
    checksum: bool,
}

impl FrameHeader {
    fn read(source: &mut Source<'_>) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        if !read_exact(source, 5, &mut bytes)? {
            return Ok(None);
        }
        let [magic @ .., descriptor] = bytes.as_slice() else { return Ok(None) };
        let descriptor = *descriptor;
        let single = descriptor & 0x20 != 0;
        if *magic != MAGIC || descriptor & 8 != 0 {
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
        if !read_exact(source, window_bytes + id_bytes + size_bytes, &mut bytes)? {
            return Ok(None);
        }
        let rest = bytes.get(5 + window_bytes..).unwrap_or_default();
        let (id, size) = rest.split_at_checked(id_bytes).unwrap_or_default();
        let window = match (single, bytes.get(5)) {
            (false, Some(&descriptor)) => window_size(descriptor),
            // Two bytes count from 256 on; that makes no odds here.
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

/// Reads a block with its header; whether it is the last one, or why there is none.
fn read_block(source: &mut Source<'_>, block: &mut Vec<u8>) -> io::Result<Result<bool, DamageReason>> {
    if !read_exact(source, 3, block)? {
        return Ok(Err(DamageReason::Truncated));
    }
    let header = little_endian(block);
    let size = (header >> 3) as usize;
    let content = match header >> 1 & 3 {
        1 => 1,
        3 => return Ok(Err(DamageReason::BadFrame)),
        _ => size,
    };
    if size > MAX_BLOCK {
        return Ok(Err(DamageReason::BadFrame));
    }
    let whole = read_exact(source, content, block)?;
    Ok(if whole { Ok(header & 1 == 1) } else { Err(DamageReason::Truncated) })
}

/// Appends the next `n` bytes; false if the file ends before.
fn read_exact(source: &mut Source<'_>, n: usize, out: &mut Vec<u8>) -> io::Result<bool> {
    let wanted = out.len() + n;
    while out.len() < wanted {
        let filled = source.fill()?;
        let step = filled.len().min(wanted - out.len());
        if step == 0 {
            return Ok(false);
        }
        out.extend_from_slice(filled.get(..step).unwrap_or_default());
        source.consume(step);
    }
    Ok(true)
}
