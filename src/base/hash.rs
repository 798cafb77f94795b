//! A hash for small values without pointers, such as positions: quick, and the same on every machine whose smallest byte
//! comes first. It is for tables whose keys nobody chooses to do harm.

use std::hash::{Hash, Hasher};

/// Digits of pi.
const SEEDS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];

/// The hash of a value. It is inlined as a whole, so that for a given type nothing is left of it but the arithmetic.
///
/// ```
/// use sarai::base::hash::quick_hash;
/// assert_eq!(quick_hash(&([1u8, 2], 3)), quick_hash(&([1u8, 2], 3)));
/// assert_ne!(quick_hash(&([1u8, 2], 3)), quick_hash(&([2u8, 1], 3)));
/// ```
#[cfg_attr(fast, inline(always))]
pub fn quick_hash(value: &impl Hash) -> u64 {
    let mut quick = Quick(SEEDS[1]);
    value.hash(&mut quick);
    quick.finish()
}

struct Quick(u64);

impl Quick {
    /// Both halves of the product: every bit of it hangs on many of both.
    #[cfg_attr(fast, inline(always))]
    fn mix(&mut self, one: u64, other: u64) {
        let product = u128::from(one ^ SEEDS[0]) * u128::from(other ^ self.0);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    #[cfg_attr(fast, inline(always))]
    fn mix_both(&mut self, bytes: [u8; 16]) {
        let number = u128::from_le_bytes(bytes);
        self.mix(number as u64, (number >> 64) as u64);
    }

    /// Makes room for a few bits beside those that are there.
    #[cfg_attr(fast, inline(always))]
    fn add(&mut self, bits: u32, number: u64) {
        self.0 = self.0.rotate_left(bits) ^ number;
    }
}

impl Hasher for Quick {
    #[cfg_attr(fast, inline(always))]
    fn finish(&self) -> u64 {
        let mut last = Quick(self.0);
        last.mix(0, 0);
        last.0
    }

    /// Sixteen bytes at a time; the last may be among those before them too.
    #[cfg_attr(fast, inline(always))]
    fn write(&mut self, bytes: &[u8]) {
        if let Some(last) = bytes.last_chunk() {
            let (chunks, rest) = bytes.as_chunks();
            for chunk in chunks {
                self.mix_both(*chunk);
            }
            if !rest.is_empty() {
                self.mix_both(*last);
            }
        } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            self.mix(u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        } else {
            bytes.iter().for_each(|&byte| self.write_u8(byte));
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn write_u8(&mut self, number: u8) {
        self.add(8, number.into());
    }

    #[cfg_attr(fast, inline(always))]
    fn write_u16(&mut self, number: u16) {
        self.add(16, number.into());
    }

    #[cfg_attr(fast, inline(always))]
    fn write_u32(&mut self, number: u32) {
        self.mix(number.into(), 0);
    }

    #[cfg_attr(fast, inline(always))]
    fn write_u64(&mut self, number: u64) {
        self.mix(number, 0);
    }

    /// The number of a variant of an enum.
    #[cfg_attr(fast, inline(always))]
    fn write_isize(&mut self, number: isize) {
        self.add(8, number as u64);
    }

    /// The length of an array, which all values of a type share.
    #[cfg_attr(fast, inline(always))]
    fn write_usize(&mut self, _: usize) {}
}
