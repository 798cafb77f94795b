//! Sets of small numbers as the bits of a word.

use crate::base::cpu::Pdep;

/// The bits of `word` at the set bits of `mask`, moved together; `None` where the processor has no quick instruction for it.
///
/// ```
/// use sarai::rules::bits::gather;
/// assert!(gather(0b1010, 0b1110).is_none_or(|gathered| gathered == 0b101));
/// ```
#[inline(always)]
pub fn gather(word: u32, mask: u32) -> Option<u32> {
    Pdep::new().map(|pdep| pdep.gather(word, mask))
}

/// The numbers of the set bits, ascending.
///
/// ```
/// use sarai::rules::bits::bits;
/// assert_eq!(bits(0b1_0010).collect::<Vec<_>>(), [1, 4]);
/// ```
#[inline(always)]
pub fn bits(word: u64) -> Bits {
    Bits(word)
}

/// See [`bits`].
#[derive(Clone, Debug)]
pub struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(at as usize)
    }
}
