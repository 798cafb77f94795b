//! Sets of small numbers as the bits of a word.

use crate::base::cpu::Pdep;

/// `for $each in $first..$end` with the body of a closure, in a constant.
macro_rules! const_for {
    ($first:expr, $end:expr, |$each:ident| $body:block) => {
        let mut next = $first;
        while next < $end {
            let $each = next;
            next += 1;
            $body
        }
    };
}
pub(crate) use const_for;

/// The bits of `word` at the set bits of `mask`, moved together; `None` where the processor has no quick instruction for it.
///
/// ```
/// use sarai::rules::bits::gather;
/// assert!(gather(0b1010, 0b1110).is_none_or(|gathered| gathered == 0b101));
/// ```
#[cfg_attr(fast, inline(always))]
pub fn gather(word: u32, mask: u32) -> Option<u32> {
    Pdep::new().map(|pdep| pdep.gather(word, mask))
}

/// The numbers of the set bits, ascending.
///
/// ```
/// use sarai::rules::bits::bits;
/// assert_eq!(bits(0b1_0010).collect::<Vec<_>>(), [1, 4]);
/// ```
#[cfg_attr(fast, inline(always))]
pub fn bits(word: u64) -> Bits {
    Bits(word)
}

/// See [`bits`].
#[derive(Clone, Debug)]
pub struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[cfg_attr(fast, inline(always))]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(at as usize)
    }
}

/// The bytes whose bit is set in `word`, and zeros in place of the others. It has no branch: where a few bits are set, and
/// nothing tells a processor which, a loop over [`bits`] takes longer.
///
/// ```
/// use sarai::rules::bits::keep;
/// let kept = keep(&[7; 64], 0b1_0010);
/// assert_eq!(kept[..6], [0, 7, 0, 0, 7, 0]);
/// ```
#[cfg_attr(fast, inline(always))]
pub fn keep(bytes: &[u8; 64], word: u64) -> [u8; 64] {
    /// A one in every byte.
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut kept = [0; 64];
    let eights = kept.chunks_exact_mut(8).zip(bytes.chunks_exact(8));
    for ((kept, bytes), byte) in eights.zip(word.to_le_bytes()) {
        // Bit k of the word's byte stays in byte k alone, and 127 more carries it to the top of that one.
        let alone = (byte as u64 * ONES) & 0x8040_2010_0804_0201;
        let set = ((alone + 0x7f * ONES) >> 7) & ONES;
        let bytes = u64::from_le_bytes(bytes.try_into().expect("a chunk of eight"));
        kept.copy_from_slice(&(bytes & (set * 0xff)).to_le_bytes());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_are_the_bytes_at_the_set_bits() {
        let bytes = std::array::from_fn(|at| at as u8 ^ 0xa5);
        let spread = (0..1000u64).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for word in (0..64).map(|bit| 1 << bit).chain([0, u64::MAX]).chain(spread) {
            let mut kept = [0; 64];
            bits(word).for_each(|at| kept[at] = bytes[at]);
            assert_eq!(keep(&bytes, word), kept, "{word:#x}");
        }
    }
}
