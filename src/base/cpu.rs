//! The same code compiled twice, for every processor of a platform and for those that people have, chosen where it runs.
//!
//! A wheel runs on the oldest processor of its platform, so the compiler may use nothing newer. `multiversion` compiles a
//! hot function a second time for x86-64 processors with AVX2, BMI and popcnt (Intel's since 2013, AMD's since 2017).
//! Both versions play the same games. On other platforms there is only one.
//!
//! This is the only module of the engine with `unsafe` code: calling the second version is sound only after the processor
//! was asked. `cargo bench -- rollout` measures what it gains, and `benches/python/search.py` what `soon` does.

use std::sync::atomic::{AtomicU8, Ordering};

/// What the processor is known to have, each level with everything below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Level {
    /// What every processor of the platform has.
    Baseline = 1,
    /// AVX2, BMI, lzcnt and popcnt.
    Modern = 2,
    /// A quick `pdep` too. AMD's processors before Zen 3 have one that takes longer than doing without.
    Pdep = 3,
}

/// The [`Level`] in use as a number, 0 before it was asked for. Never above what the processor has: `unsafe` code below
/// relies on it.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// The level in use: the processor's, or a lower one after [`use_at_most`].
///
/// ```
/// use sarai::base::cpu::{Level, level};
/// assert!(level() >= Level::Baseline);
/// ```
pub fn level() -> Level {
    match LEVEL.load(Ordering::Relaxed) {
        0 => use_at_most(Level::Pdep),
        1 => Level::Baseline,
        2 => Level::Modern,
        _ => Level::Pdep,
    }
}

/// From now on uses nothing above `limit`, and as much below it as the processor has: for measurements and tests. Returns
/// the level then in use.
///
/// ```
/// use sarai::base::cpu::{Level, level, use_at_most};
/// assert_eq!(use_at_most(Level::Baseline), Level::Baseline);
/// assert_eq!(level(), Level::Baseline);
/// assert_eq!(use_at_most(Level::Pdep), level());
/// ```
#[cold]
pub fn use_at_most(limit: Level) -> Level {
    let level = limit.min(forms::detect());
    LEVEL.store(level as u8, Ordering::Relaxed);
    level
}

/// Declares a function that is compiled for every processor and for modern ones, with its generics in square brackets. What
/// it calls is compiled with it where it is inlined: everything hot below it is `#[cfg_attr(fast, inline(always))]`.
macro_rules! multiversion {
    ($(#[$about:meta])* $vis:vis fn $name:ident[$($generics:tt)*]($($arg:ident: $type:ty),* $(,)?) -> $out:ty $body:block) => {
        $(#[$about])*
        $vis fn $name<$($generics)*>($($arg: $type),*) -> $out {
            #[cfg_attr(fast, inline(always))]
            fn baseline<$($generics)*>($($arg: $type),*) -> $out $body
            #[cfg(target_arch = "x86_64")]
            if $crate::base::cpu::level() > $crate::base::cpu::Level::Baseline {
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn modern<$($generics)*>($($arg: $type),*) -> $out {
                    baseline($($arg),*)
                }
                #[allow(unsafe_code, reason = "the processor was asked")]
                // SAFETY: no level above the baseline is in use unless `detect` has found every feature that `modern` enables.
                return unsafe { modern($($arg),*) };
            }
            baseline($($arg),*)
        }
    };
}

pub(crate) use forms::{Pdep, soon};
pub(crate) use multiversion;

#[cfg(target_arch = "x86_64")]
mod forms {
    use super::{LEVEL, Level, Ordering};

    pub(super) fn detect() -> Level {
        macro_rules! has {
            ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
        }
        if !has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt") {
            return Level::Baseline;
        }
        // AMD's alone have SSE4A, and from Zen 3 on VAES too.
        if has!("sse4a") && !has!("vaes") { Level::Modern } else { Level::Pdep }
    }

    /// Tells the processor that this item will be needed soon, so that it fetches it while it works on something else.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn soon<T>(items: &[T], at: usize) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let item: *const i8 = items.as_ptr().wrapping_add(at).cast();
        let last = size_of::<T>().saturating_sub(1);
        // A plain loop is unrolled, where an iterator over the same bytes is not.
        let mut byte = 0;
        loop {
            // SAFETY: every processor of the platform has the instruction, which changes nothing that a program sees and
            // may be given any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(item.wrapping_add(byte)) }
            if byte == last {
                break;
            }
            byte = (byte + 64).min(last);
        }
    }

    /// The knowledge that this processor has a quick `pdep`, which deals the bits of a number out to the set bits of a
    /// mask.
    #[derive(Clone, Copy)]
    pub(crate) struct Pdep(());

    impl Pdep {
        /// `None` where it is slow, missing, or not in use.
        #[cfg_attr(fast, inline(always))]
        pub(crate) fn new() -> Option<Self> {
            (LEVEL.load(Ordering::Relaxed) == Level::Pdep as u8).then_some(Pdep(()))
        }

        /// The lowest bit of `bits` at the lowest set bit of `mask`, and so on.
        #[cfg_attr(fast, inline(always))]
        pub(crate) fn deal(self, bits: u64, mask: u64) -> u64 {
            #[inline]
            #[target_feature(enable = "bmi2")]
            fn pdep(bits: u64, mask: u64) -> u64 {
                std::arch::x86_64::_pdep_u64(bits, mask)
            }
            // SAFETY: a `Pdep` is made only after `detect` has found BMI2.
            unsafe { pdep(bits, mask) }
        }

        /// The other way: the bits of `bits` at the set bits of `mask`, moved together.
        #[cfg_attr(fast, inline(always))]
        pub(crate) fn gather(self, bits: u32, mask: u32) -> u32 {
            #[inline]
            #[target_feature(enable = "bmi2")]
            fn pext(bits: u32, mask: u32) -> u32 {
                std::arch::x86_64::_pext_u32(bits, mask)
            }
            // SAFETY: a `Pdep` is made only after `detect` has found BMI2.
            unsafe { pext(bits, mask) }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod forms {
    use super::Level;
    use std::convert::Infallible;

    pub(super) fn detect() -> Level {
        Level::Baseline
    }

    #[cfg_attr(fast, inline(always))]
    pub(crate) fn soon<T>(_: &[T], _: usize) {}

    #[derive(Clone, Copy)]
    pub(crate) struct Pdep(Infallible);

    impl Pdep {
        #[cfg_attr(fast, inline(always))]
        pub(crate) fn new() -> Option<Self> {
            None
        }

        #[cfg_attr(fast, inline(always))]
        pub(crate) fn deal(self, _: u64, _: u64) -> u64 {
            match self.0 {}
        }

        #[cfg_attr(fast, inline(always))]
        pub(crate) fn gather(self, _: u32, _: u32) -> u32 {
            match self.0 {}
        }
    }
}
