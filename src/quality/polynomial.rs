//! A hash of texts that can be computed of their parts: a polynomial over the bytes modulo 2⁶¹ − 1 (Karp and Rabin 1987). Its
//! base is drawn from a cryptographic hash of the text, so nobody can write a text whose keys collide, and the same text has
//! the same keys everywhere.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::hash::digest;

const MODULUS: u64 = (1 << 61) - 1;

/// Hashes texts so that the hash of two, one after the other, can be computed from their hashes.
#[derive(Debug, Clone, Copy)]
pub struct Polynomial {
    /// The base to the powers 0 to 8.
    powers: [u64; 9],
}

/// A text as a number: its polynomial and the power of the base by which a text before it is multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub hash: u64,
    power: u64,
}

impl Piece {
    /// The hash of a text with this hash and the piece behind it.
    pub(super) fn behind(self, hash: u64) -> u64 {
        reduce(u128::from(hash) * u128::from(self.power) + u128::from(self.hash))
    }
}

pub(super) fn multiply(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) * u128::from(b))
}

/// The remainder of a number below 2¹²².
fn reduce(number: u128) -> u64 {
    let sum = (number as u64 & MODULUS) + (number >> 61) as u64;
    if sum >= MODULUS { sum - MODULUS } else { sum }
}

/// The difference of two remainders.
pub(super) fn subtract(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + MODULUS - b }
}

/// A number to a power.
pub(super) fn power(mut base: u64, mut exponent: usize) -> u64 {
    let mut power = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = multiply(power, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    power
}

impl Polynomial {
    /// The hash function for the pieces of a text.
    pub fn of(text: &str) -> Polynomial {
        let base = (digest(text.as_bytes()) as u64 & MODULUS).max(1 << 32) % MODULUS;
        let mut powers = [1; 9];
        let mut power = 1;
        for slot in powers.iter_mut().skip(1) {
            power = multiply(power, base);
            *slot = power;
        }
        Polynomial { powers }
    }

    pub(super) fn base(&self) -> u64 {
        self.powers.get(1).copied().unwrap_or(1)
    }

    pub fn piece(&self, text: &str) -> Piece {
        if text.len() <= 8 {
            return self.short(text.as_bytes());
        }
        let (eights, rest) = text.as_bytes().as_chunks::<8>();
        let mut piece = Piece { hash: 0, power: 1 };
        for part in eights.iter().map(|eight| eight.as_slice()).chain([rest]) {
            piece = self.join(piece, self.short(part));
        }
        piece
    }

    /// The piece of at most eight bytes.
    fn short(&self, bytes: &[u8]) -> Piece {
        // No byte counts for nothing, so that a text and one with zeros before it differ.
        let digits = bytes.iter().rev().zip(&self.powers);
        let sum = digits.map(|(byte, power)| u128::from(*power) * (u128::from(*byte) + 1)).sum::<u128>();
        Piece { hash: reduce(sum), power: self.powers.get(bytes.len()).copied().unwrap_or(1) }
    }

    /// Two texts, one after the other.
    pub fn join(&self, first: Piece, second: Piece) -> Piece {
        Piece { hash: second.behind(first.hash), power: multiply(first.power, second.power) }
    }

    /// A hash of a whole line, which no other line is joined to.
    pub fn line(&self, line: &str) -> u64 {
        xxh3_64_with_seed(line.as_bytes(), self.base())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_that_of_its_parts() {
        let polynomial = Polynomial::of("seed");
        let text = "a longer text than eight bytes, žluťoučký kůň";
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (first, second) = text.split_at(at);
            assert_eq!(polynomial.join(polynomial.piece(first), polynomial.piece(second)), polynomial.piece(text));
        }
        assert_ne!(polynomial.piece("\0"), polynomial.piece(""));
        assert_ne!(polynomial.piece("ab").hash, Polynomial::of("other").piece("ab").hash);
    }
}
