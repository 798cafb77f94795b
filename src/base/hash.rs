//! A hash for small values without pointers, such as positions, that is the same on every machine and whatever compiled
//! it: moves that a search finds, digests and counts of positions depend on it. It is for tables whose keys nobody chooses
//! to do harm.
//!
//! `derive(Hash)` promises no order of calls, so states of games write their fields themselves, as numbers or bytes.

use std::hash::{Hash, Hasher};

/// Digits of pi.
const SEEDS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];

/// The hash of a value. It is inlined as a whole, so that for a given type nothing is left of it but the arithmetic.
///
/// ```
/// use sarai::base::hash::stable_hash;
/// assert_eq!(stable_hash(&1u64), stable_hash(&1u64));
/// assert_ne!(stable_hash(&1u64), stable_hash(&2u64));
/// ```
#[cfg_attr(fast, inline(always))]
pub fn stable_hash(value: &impl Hash) -> u64 {
    digest(value, [])
}

/// The hash of a value and numbers beside it.
#[cfg_attr(fast, inline(always))]
pub fn digest(value: &impl Hash, numbers: impl IntoIterator<Item = u32>) -> u64 {
    let mut hasher = Stable(SEEDS[1]);
    value.hash(&mut hasher);
    numbers.into_iter().for_each(|number| hasher.write_u64(number.into()));
    hasher.finish()
}

struct Stable(u64);

impl Stable {
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
}

impl Hasher for Stable {
    #[cfg_attr(fast, inline(always))]
    fn finish(&self) -> u64 {
        let mut last = Stable(self.0);
        last.mix(0, 0);
        last.0
    }

    /// Sixteen bytes at a time, the last filled up with zeros.
    #[cfg_attr(fast, inline(always))]
    fn write(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks();
        for chunk in chunks {
            self.mix_both(*chunk);
        }
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            self.mix_both(last);
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn write_u64(&mut self, number: u64) {
        self.mix(number, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These numbers must never change: files of results hold digests. A second implementation has computed them.
    #[test]
    fn hashes_are_fixed() {
        struct Bytes(&'static [u8]);
        impl Hash for Bytes {
            fn hash<H: Hasher>(&self, hasher: &mut H) {
                hasher.write(self.0);
            }
        }
        let seen = [
            digest(&1u64, []),
            digest(&Bytes(b"twelve men on a board"), []),
            digest(&Bytes(b"16 bytes, a pair"), [7, 0]),
        ];
        assert_eq!(seen, FIXED, "{seen:#x?}");
    }

    const FIXED: [u64; 3] = [0x7d37_b564_88e3_7f5e, 0x31a5_7144_2ca3_f85a, 0x8762_91cf_e3d4_7d71];
}
