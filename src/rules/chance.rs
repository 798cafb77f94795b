//! Chance nodes: outcomes with integer weights, known before anything is drawn.

use super::const_for;

/// One chance result: an index into the weights of the chance node it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outcome(pub u8);

impl Outcome {
    /// The outcome as an index.
    #[cfg_attr(fast, inline(always))]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The outcomes of a chance node with their weights, made at compile time.
///
/// Weights are integers, so expectations are exact and dice can be scripted.
///
/// ```
/// use sarai::rules::chance::{Chance, TWO_D6};
/// assert_eq!(TWO_D6.weights().len(), 21);
/// assert_eq!(TWO_D6.total(), 36);
/// static COIN: Chance = Chance::new(&[1, 1]);
/// assert_eq!(COIN.total(), 2);
/// ```
/// A node without outcomes does not compile as a constant, and panics otherwise:
/// ```should_panic
/// let _ = sarai::rules::chance::Chance::new(&[]);
/// ```
#[derive(Debug)]
pub struct Chance {
    weights: &'static [u32],
    /// What two dice show in each outcome; empty where chance decides who begins.
    faces: &'static [[u8; 2]],
    total: u32,
    // The outcome of each unit of weight: one draw below `total` and one look-up sample the node.
    slots: [u8; Chance::MAX_TOTAL],
}

impl Chance {
    /// The largest sum of weights that a node may have.
    pub const MAX_TOTAL: usize = 64;

    /// A node whose outcome `i` has the weight `weights[i]`.
    ///
    /// # Panics
    /// When there is no outcome, a weight is zero, or the weights sum to more than [`Chance::MAX_TOTAL`].
    pub const fn new(weights: &'static [u32]) -> Self {
        assert!(!weights.is_empty(), "a chance node has at least one outcome");
        let mut slots = [0; Chance::MAX_TOTAL];
        let mut total = 0;
        const_for!(0, weights.len(), |outcome| {
            assert!(weights[outcome] > 0, "an outcome that cannot happen is not listed");
            const_for!(0, weights[outcome], |_unit| {
                assert!(total < Chance::MAX_TOTAL, "the weights of a chance node sum to at most 64");
                slots[total] = outcome as u8;
                total += 1;
            });
        });
        Chance { weights, faces: &[], total: total as u32, slots }
    }

    /// The same for a throw of two dice, which show these faces.
    pub const fn dice(faces: &'static [[u8; 2]], weights: &'static [u32]) -> Self {
        Chance { faces, ..Chance::new(weights) }
    }

    /// An outcome in words: "3-4", or "player 1 begins".
    pub fn name(&self, outcome: Outcome) -> String {
        match self.faces.get(outcome.index()) {
            Some([one, other]) => format!("{one}-{other}"),
            None => format!("player {} begins", outcome.0),
        }
    }

    /// The weight of each outcome.
    #[inline]
    pub const fn weights(&self) -> &'static [u32] {
        self.weights
    }

    /// The sum of the weights.
    #[inline]
    pub const fn total(&self) -> u32 {
        self.total
    }

    /// The probability of an outcome; 0 for one that the node does not have.
    #[inline]
    pub fn probability(&self, outcome: Outcome) -> f64 {
        self.weights.get(outcome.index()).map_or(0.0, |&w| w as f64 / self.total as f64)
    }

    /// The outcome of this unit of weight, of [`Chance::total`]: with a number that is drawn evenly, a draw.
    #[cfg_attr(fast, inline(always))]
    pub fn at(&self, unit: u32) -> Outcome {
        Outcome(self.slots[unit as usize % Chance::MAX_TOTAL])
    }

    /// A draw among 2, 3 or 4 seats with equal weights: who begins.
    ///
    /// # Panics
    /// When `num_players` is not 2, 3 or 4.
    #[inline]
    pub fn first_player(num_players: usize) -> &'static Chance {
        static SEATS: [Chance; 3] = [Chance::new(&[1; 2]), Chance::new(&[1; 3]), Chance::new(&[1; 4])];
        &SEATS[num_players - 2]
    }
}

/// Two six-sided dice, the order ignored: 11, 12, ..., 16, 22, 23, ..., 66, see [`D6_FACES`].
pub static TWO_D6: Chance =
    Chance::dice(&D6_FACES, &[1, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2, 1]);

/// The two faces of each outcome of [`TWO_D6`], the smaller first.
pub const D6_FACES: [[u8; 2]; 21] = {
    let mut faces = [[0; 2]; 21];
    let mut at = 0;
    const_for!(1, 7, |low| {
        const_for!(low, 7, |high| {
            faces[at] = [low, high];
            at += 1;
        });
    });
    faces
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::playout::sample;
    use crate::agents::rng::Stream;

    #[test]
    fn doubles_weigh_one_and_other_throws_two() {
        for (weight, [low, high]) in TWO_D6.weights().iter().zip(D6_FACES) {
            assert_eq!(*weight, if low == high { 1 } else { 2 });
        }
        assert_eq!(D6_FACES[0], [1, 1]);
        assert_eq!(D6_FACES[6], [2, 2]);
        assert_eq!(D6_FACES[20], [6, 6]);
    }

    #[test]
    fn samples_follow_the_weights() {
        let mut rng = Stream::new(5, 0);
        let mut seen = [0u32; 21];
        for _ in 0..360_000 {
            seen[sample(&TWO_D6, &mut rng).index()] += 1;
        }
        for (count, weight) in seen.iter().zip(TWO_D6.weights()) {
            // Six standard deviations of a binomial count: once in hundreds of millions by luck.
            let mean = 10_000.0 * *weight as f64;
            assert!((*count as f64 - mean).abs() < 6.0 * mean.sqrt(), "{seen:?}");
        }
    }
}
