//! What tells one game from another when all is over.

use std::hash::{Hash, Hasher};

/// A hash that is the same in every process and on every machine whose smallest byte comes first.
#[derive(Clone, Copy, Debug)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(number));
        }
    }
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number as u64);
    }
    fn write_u16(&mut self, number: u16) {
        self.write_u64(number as u64);
    }
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number as u64);
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// 32 bits of how a game has ended: the last position, and whatever else was counted on the way there.
///
/// Games that went alike have the same. Of those that did not, one in four billion has by chance, and those have that
/// came by different ways to the same end and counts.
pub(super) fn digest(end: impl Hash) -> u32 {
    long_digest(end) as u32
}

/// The same in 64 bits, of anything.
pub(super) fn long_digest(what: impl Hash) -> u64 {
    // Any number but 0, which zeros would leave as it is.
    let mut hasher = Mix(0x243f_6a88_85a3_08d3);
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn what_differs_has_another_digest() {
        let near: HashSet<u32> =
            (0..100_000u32).map(|number| digest((number / 256, [number as u8; 3]))).collect();
        assert!(near.len() > 99_990, "{}", near.len());
        assert_eq!(digest((1u32, [2u8; 3])), digest((1u32, [2u8; 3])));
    }

    /// These numbers must never change: results on disk hold them.
    #[test]
    fn digests_are_fixed() {
        let seen = [digest(0u8), digest((7u16, [1i8, -1, 3]))];
        assert_eq!(seen, FIXED, "{seen:#x?}");
    }

    // Computed by a second implementation, made for this purpose.
    const FIXED: [u32; 2] = [0x3459_8e8b, 0xbf87_cc9b];
}
