//! Sets of small numbers as the bits of a word.

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
