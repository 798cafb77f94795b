//! Portable random streams: the same numbers on every platform, thread count and split.
//!
//! Game `i` of seed `s` has a fixed stream for its dice and one for the choices of each seat, so that dice do not depend
//! on who plays, nor a seat's choices on the other seats. The generator is xoshiro256++ (named portable by `rand`), whose
//! state is cut from the ChaCha12 stream number `i` under the key made from `s`: 32 bytes for the dice, then 32 for each
//! seat. An environment plays many games, its episodes, in the place of one: the first is that game, and each later one
//! has streams cut under a key that its number is part of, whatever was played before. Streams of one seed, and streams of
//! neighbouring seeds, are as unrelated as a cipher makes them.

use rand::rngs::{ChaCha12Rng, Xoshiro256PlusPlus};
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::rules::MAX_PLAYERS;

/// One stream of random numbers.
///
/// ```
/// use sarai::agents::rng::Stream;
/// let (mut a, mut b) = (Stream::new(7, 3), Stream::new(7, 3));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert_ne!(Stream::new(7, 3).next_u64(), Stream::new(7, 4).next_u64());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of the dice of this game of this seed.
    pub fn new(seed: u64, game: u64) -> Self {
        let [dice] = cut(seed, game);
        dice
    }

    /// The stream by which a state of this game of this seed is drawn: neither that of its dice nor that of a seat.
    pub fn of_samples(seed: u64, game: u64) -> Self {
        let [_, _, _, _, _, samples] = cut(seed, game);
        samples
    }

    /// The stream of the random decisions with which this game of this seed begins, where it is to begin with some:
    /// neither that of its dice nor that of a seat, so that they are the same for all agents.
    pub fn of_openings(seed: u64, game: u64) -> Self {
        let [_, _, _, _, _, _, openings] = cut(seed, game);
        openings
    }

    /// The stream by which positions of this game of this seed are judged, where that takes random games: neither that
    /// of its dice nor that of a seat, so that a game that is measured is the same game.
    pub fn of_metrics(seed: u64, game: u64) -> Self {
        let [_, _, _, _, _, _, _, metrics] = cut(seed, game);
        metrics
    }

    /// The next 64 random bits.
    #[cfg_attr(fast, inline(always))]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Whether the state is all zeros, which no seed gives and which never leaves zero.
    pub fn is_stuck(&self) -> bool {
        let mut ahead = self.clone();
        (0..4).all(|_| ahead.next_u64() == 0)
    }

    /// A number from 0 to `n - 1`, each equally likely (Lemire's method with rejection: no bias).
    ///
    /// # Panics
    /// In debug builds, when `n` is 0; release builds answer 0.
    #[cfg_attr(fast, inline(always))]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "nothing is below zero");
        let mut product = self.draw(n);
        if (product as u32) < n {
            // The low half marks the draws that would make some numbers likelier; 2^32 mod n of them are rejected.
            let reject = n.wrapping_neg().checked_rem(n).unwrap_or(0);
            while (product as u32) < reject {
                product = self.draw(n);
            }
        }
        (product >> 32) as u32
    }

    #[cfg_attr(fast, inline(always))]
    fn draw(&mut self, n: u32) -> u64 {
        (self.next_u64() >> 32) * n as u64
    }
}

/// The first `N` streams of a game of a seed.
fn cut<const N: usize>(seed: u64, game: u64) -> [Stream; N] {
    cut_under(seed, 0, game)
}

/// The same under a key of two numbers.
fn cut_under<const N: usize>(seed: u64, more: u64, game: u64) -> [Stream; N] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&more.to_le_bytes());
    let mut cipher = ChaCha12Rng::from_seed(key);
    cipher.set_stream(game);
    std::array::from_fn(|_| {
        let mut state = [0; 32];
        cipher.fill_bytes(&mut state);
        Stream(Xoshiro256PlusPlus::from_seed(state))
    })
}

/// All that is drawn in one game.
///
/// ```
/// use sarai::agents::rng::{Stream, Streams};
/// let mut streams = Streams::new(7, 3);
/// assert_eq!(streams.dice, Stream::new(7, 3));
/// // Whatever a seat draws, the dice stay the same.
/// streams.seats[1].next_u64();
/// assert_eq!(streams.dice, Stream::new(7, 3));
/// assert_ne!(streams.seats[0], streams.seats[2]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Streams {
    /// The outcomes of chance.
    pub dice: Stream,
    /// What the agent in each seat draws for its choices.
    pub seats: Choices,
}

/// For each seat, what its agent draws for its choices.
pub type Choices = [Stream; MAX_PLAYERS];

impl Streams {
    /// The streams of this game of this seed.
    pub fn new(seed: u64, game: u64) -> Self {
        let [dice, one, two, three, four] = cut(seed, game);
        Streams { dice, seats: [one, two, three, four] }
    }

    /// The streams of episode number `episode` in the place of this game of this seed; the first is the game itself.
    ///
    /// ```
    /// use sarai::agents::rng::Streams;
    /// assert_eq!(Streams::of_episode(7, 3, 0), Streams::new(7, 3));
    /// assert_ne!(Streams::of_episode(7, 3, 1), Streams::of_episode(7, 3, 2));
    /// ```
    pub fn of_episode(seed: u64, game: u64, episode: u32) -> Self {
        if episode == 0 {
            return Streams::new(seed, game);
        }
        // The first three are the `Draws` of the episode before.
        let [_, _, _, dice, one, two, three, four] = cut_under(seed, u64::from(episode), game);
        Streams { dice, seats: [one, two, three, four] }
    }
}

/// What is drawn before an episode begins: who plays it, and where it begins.
///
/// ```
/// use sarai::agents::rng::Draws;
/// assert_eq!(Draws::new(7, 3, 1), Draws::new(7, 3, 1));
/// assert_ne!(Draws::new(7, 3, 1), Draws::new(7, 3, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draws {
    /// Who plays against the learner.
    pub opponents: Stream,
    /// The learner's seat.
    pub seat: Stream,
    /// The state in which the game begins.
    pub start: Stream,
}

impl Draws {
    /// Those of episode number `episode`, counted from 0.
    pub fn new(seed: u64, game: u64, episode: u32) -> Self {
        let [opponents, seat, start] = cut_under(seed, u64::from(episode) + 1, game);
        Draws { opponents, seat, start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These numbers must never change: saved seeds would give other games.
    #[test]
    fn streams_are_fixed_for_ever() {
        let first = |seed, index| Stream::new(seed, index).next_u64();
        let seen = [first(0, 0), first(0, 1), first(1, 0), first(u64::MAX, u64::MAX)];
        assert_eq!(seen, FIXED, "{seen:#x?}");
        let Streams { dice, seats } = Streams::new(1, 0);
        assert_eq!(dice, Stream::new(1, 0));
        let seen = seats.map(|mut seat| seat.next_u64());
        assert_eq!(seen, FIXED_SEATS, "{seen:#x?}");
        let Draws { mut opponents, mut seat, mut start } = Draws::new(1, 0, 0);
        let seen = [opponents.next_u64(), seat.next_u64(), start.next_u64()];
        assert_eq!(seen, FIXED_DRAWS, "{seen:#x?}");
        // No later episode takes what is drawn before one.
        let Streams { mut dice, .. } = Streams::of_episode(1, 0, 1);
        assert!(!FIXED_DRAWS.contains(&dice.next_u64()));
        let mut rng = Stream::new(42, 42);
        let dice: Vec<u32> = (0..12).map(|_| rng.below(36)).collect();
        assert_eq!(dice, FIXED_DICE);
    }

    // Computed by a second implementation of ChaCha12 and xoshiro256++, made for this purpose.
    const FIXED: [u64; 4] =
        [0xef01_6701_f774_7c1c, 0x577b_b7f3_7718_1396, 0xab5c_9961_2bf1_cbe3, 0xb73c_6d7a_ec6b_a4b5];
    const FIXED_SEATS: [u64; 4] =
        [0x7f55_eee5_59f3_3fe6, 0x4a43_dc68_e0dc_c904, 0x9cbb_30b3_6cce_db6a, 0x5a5a_360d_8906_c52d];
    const FIXED_DRAWS: [u64; 3] = [0xb41f_8047_0c59_99cc, 0xca7b_fbc4_63ce_71db, 0xd776_c952_5b67_0c20];
    const FIXED_DICE: [u32; 12] = [6, 10, 15, 19, 31, 26, 16, 26, 20, 29, 3, 23];

    #[test]
    fn below_is_unbiased_for_a_number_that_does_not_divide() {
        // 3 * 2^30: a generator without rejection would give the lower third twice as often.
        let n = 3 << 30;
        let mut rng = Stream::new(1, 0);
        let low = (0..120_000).filter(|_| rng.below(n) < 1 << 30).count();
        assert!((low as i64 - 40_000).abs() < 6 * 163, "{low}");
    }
}
