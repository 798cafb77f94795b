//! What is added up of games that are measured, in whole numbers: in whatever order games are added, the sums are the
//! same.

use super::heat::Heat;
use crate::rules::{MAX_ACTIONS, MAX_PLAYERS};

/// How many parts of a game are told apart.
pub const PHASES: usize = 10;

/// The most bins that a spread has; what lies beyond counts in the last.
const MAX_BINS: usize = 1 << 22;

/// A quantity that has one value a game, and how it is held: values are whole multiples of `2^-bits`, and bins are
/// `2^shift` of them wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quantity {
    /// Its name.
    pub name: &'static str,
    /// Values are multiples of 2 to the power of minus this.
    pub bits: u32,
    /// A bin holds 2 to the power of this many different values.
    pub shift: u32,
}

const fn whole(name: &'static str) -> Quantity {
    Quantity { name, bits: 0, shift: 0 }
}

/// From 0 to 1.
const fn share(name: &'static str) -> Quantity {
    Quantity { name, bits: 20, shift: 10 }
}

/// From 0 to 1/4, and mostly small.
const fn variance(name: &'static str) -> Quantity {
    Quantity { name, bits: 40, shift: 22 }
}

/// The fraction bits of a logarithm.
pub(super) const LOG_BITS: u32 = 24;

/// Every quantity that has a value a game, by its index below.
pub const QUANTITIES: [Quantity; 12] = [
    whole("duration_turns"),
    whole("duration_decisions"),
    Quantity { name: "game_tree_complexity", bits: LOG_BITS, shift: 18 },
    share("decision_moves"),
    share("lead_changes"),
    share("drama"),
    share("decisiveness_threshold"),
    share("decisive_moves"),
    variance("stability"),
    variance("clarity"),
    share("narrowness"),
    share("killer_moves"),
];

pub(super) const TURNS: usize = 0;
pub(super) const DECISIONS: usize = 1;
pub(super) const COMPLEXITY: usize = 2;
pub(super) const CHOICES: usize = 3;
pub(super) const LEAD_CHANGES: usize = 4;
pub(super) const DRAMA: usize = 5;
pub(super) const THRESHOLD: usize = 6;
pub(super) const DECISIVE: usize = 7;
pub(super) const STABILITY: usize = 8;
pub(super) const CLARITY: usize = 9;
pub(super) const NARROWNESS: usize = 10;
pub(super) const KILLER: usize = 11;

/// The values of one game, by [`QUANTITIES`]; `None` where it has none.
pub(super) type OfGame = [Option<u64>; QUANTITIES.len()];

/// The values of a quantity, one a game where it has one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    /// How many games have a value.
    pub n: u64,
    /// The sum of the values.
    pub sum: u128,
    /// The sum of their squares.
    pub squares: u128,
    /// The smallest; 0 where there is none.
    pub min: u64,
    /// The largest.
    pub max: u64,
    /// How many values lie in each bin.
    pub bins: Vec<u64>,
}

impl Spread {
    /// Adds the value of one game.
    fn add(&mut self, quantity: usize, value: u64) {
        let bin = ((value >> QUANTITIES[quantity].shift) as usize).min(MAX_BINS - 1);
        if bin >= self.bins.len() {
            // Not more than is needed: equal measurements have bins of equal length, however the games were shared out.
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
        self.min = if self.n == 0 { value } else { self.min.min(value) };
        self.max = self.max.max(value);
        self.n += 1;
        self.sum += u128::from(value);
        self.squares += u128::from(value) * u128::from(value);
    }

    fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        self.bins.resize(self.bins.len().max(other.bins.len()), 0);
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, more)| *bin += more);
        self.min = if self.n == 0 { other.min } else { self.min.min(other.min) };
        self.max = self.max.max(other.max);
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// The sums behind a ratio of two totals, and how far it may lie off: `x` of `y`, both counted once a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ratio {
    /// The sum of x.
    pub x: u64,
    /// The sum of y.
    pub y: u64,
    /// The sum of x squared.
    pub xx: u128,
    /// The sum of x times y.
    pub xy: u128,
    /// The sum of y squared.
    pub yy: u128,
}

impl Ratio {
    #[cfg_attr(fast, inline(always))]
    pub(super) fn add(&mut self, x: u64, y: u64) {
        self.x += x;
        self.y += y;
        self.xx += u128::from(x) * u128::from(x);
        self.xy += u128::from(x) * u128::from(y);
        self.yy += u128::from(y) * u128::from(y);
    }

    fn merge(&mut self, other: &Self) {
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }
}

/// The sums of the return of a seat, scaled to 0 to 1, in units of 2^-20.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    /// Their sum.
    pub sum: u128,
    /// The sum of their squares.
    pub squares: u128,
    /// The sum of their third powers.
    pub cubes: u128,
    /// The sum of their fourth powers.
    pub fourths: u128,
}

impl Moments {
    pub(super) fn add(&mut self, value: u64) {
        let value = u128::from(value);
        self.sum += value;
        self.squares += value * value;
        self.cubes += value * value * value;
        self.fourths += value * value * value * value;
    }

    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.cubes += other.cubes;
        self.fourths += other.fourths;
    }
}

/// All sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// By how many options a decision had, how many decisions.
    pub options: Vec<u64>,
    /// Options of decisions.
    pub branching: Ratio,
    /// The same of decisions with more than one option.
    pub branching_of_choices: Ratio,
    /// The same of each tenth of the game.
    pub branching_by_phase: [Ratio; PHASES],
    /// By [`QUANTITIES`].
    pub spreads: [Spread; QUANTITIES.len()],
    /// Games won, by side.
    pub wins: [u64; MAX_PLAYERS],
    /// Games without a winner that no limit has ended.
    pub draws: u64,
    /// Games that a limit has ended.
    pub timeouts: u64,
    /// By seat.
    pub returns: [Moments; MAX_PLAYERS],
    /// Games won by a side that was not in the lead at their middle, and all that were judged there and had a winner.
    pub comebacks: [u64; 2],
    /// Where pieces stood, in the games whose positions are looked at.
    pub heat: Heat,
    /// Zeros, to count the options of one game.
    counts: Box<[[u32; 256]; 2]>,
}

impl Totals {
    /// Of no games.
    pub(super) fn new() -> Self {
        Totals {
            games: 0,
            options: vec![0; MAX_ACTIONS + 1],
            branching: Ratio::default(),
            branching_of_choices: Ratio::default(),
            branching_by_phase: [Ratio::default(); PHASES],
            spreads: Default::default(),
            wins: [0; MAX_PLAYERS],
            draws: 0,
            timeouts: 0,
            returns: [Moments::default(); MAX_PLAYERS],
            comebacks: [0; 2],
            heat: Heat::default(),
            counts: Box::new([[0; 256]; 2]),
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.options.iter_mut().zip(&other.options).for_each(|(known, more)| *known += more);
        self.branching.merge(&other.branching);
        self.branching_of_choices.merge(&other.branching_of_choices);
        for (known, more) in self.branching_by_phase.iter_mut().zip(&other.branching_by_phase) {
            known.merge(more);
        }
        for (known, more) in self.spreads.iter_mut().zip(&other.spreads) {
            known.merge(more);
        }
        self.wins.iter_mut().zip(other.wins).for_each(|(known, more)| *known += more);
        self.draws += other.draws;
        self.timeouts += other.timeouts;
        for (known, more) in self.returns.iter_mut().zip(other.returns) {
            known.merge(more);
        }
        self.heat.merge(&other.heat);
        self.comebacks.iter_mut().zip(other.comebacks).for_each(|(known, more)| *known += more);
    }

    /// Adds the values of one game.
    pub(super) fn add(&mut self, values: &OfGame) {
        for (quantity, value) in values.iter().enumerate() {
            if let Some(value) = value {
                self.spreads[quantity].add(quantity, *value);
            }
        }
    }

    /// Adds the numbers of options of one game, decision by decision, and sets the values that follow from them.
    pub(super) fn add_options(&mut self, options: &[u8], values: &mut OfGame) {
        let decisions = options.len();
        // Two at a time, so that a number that comes twice in a row need not wait for its first count.
        let [ones, others] = &mut *self.counts;
        // No number is larger than all their bits together.
        let mut bits = 0;
        for pair in options.chunks(2) {
            ones[usize::from(pair[0])] += 1;
            bits |= pair[0];
            if let [_, other] = pair {
                others[usize::from(*other)] += 1;
                bits |= *other;
            }
        }
        let forced = u64::from(ones[1] + others[1]);
        let most = usize::from(bits).min(MAX_ACTIONS);
        let mut logs = 0;
        for options in 0..=most {
            let count = u64::from(std::mem::take(&mut ones[options]) + std::mem::take(&mut others[options]));
            self.options[options] += count;
            logs += count * u64::from(LOGS[options]);
        }
        let mut all = 0;
        let mut from = 0;
        for (phase, ratio) in self.branching_by_phase.iter_mut().enumerate() {
            // Decision number t of d belongs to phase t * 10 / d, rounded down.
            let to = ((phase + 1) * decisions).div_ceil(PHASES);
            let part = &options[from..to];
            let mut sum = 0;
            for &options in part {
                sum += u64::from(options);
            }
            ratio.add(sum, part.len() as u64);
            all += sum;
            from = to;
        }
        let decisions = decisions as u64;
        self.branching.add(all, decisions);
        self.branching_of_choices.add(all - forced, decisions - forced);
        values[COMPLEXITY] = Some(logs);
        values[CHOICES] = part_of(decisions - forced, decisions);
    }
}

/// A share as a multiple of 2^-20, rounded to the nearest; `None` of nothing.
pub(super) fn part_of(part: u64, whole: u64) -> Option<u64> {
    ((part << 20) + whole / 2).checked_div(whole)
}

/// The logarithm of each number to the base of 2, in multiples of `2^-LOG_BITS`, rounded to the nearest: from integers
/// alone, because the mathematics libraries of platforms differ in their last bits.
static LOGS: [u32; MAX_ACTIONS + 1] = {
    let mut logs = [0; MAX_ACTIONS + 1];
    let mut number = 2;
    while number <= MAX_ACTIONS {
        logs[number] = log2(number as u64);
        number += 1;
    }
    logs
};

/// By squaring: what is from 1 to 2 and has a square of 2 or more has a logarithm of a half or more, and so on.
const fn log2(number: u64) -> u32 {
    let whole = number.ilog2();
    let mut rest = (number as u128) << (62 - whole);
    let mut log = whole;
    let mut bit = 0;
    while bit <= LOG_BITS {
        rest = (rest * rest) >> 62;
        log <<= 1;
        if rest >> 63 == 1 {
            log |= 1;
            rest >>= 1;
        }
        bit += 1;
    }
    (log + 1) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_the_nearest() {
        for (number, &log) in LOGS.iter().enumerate().skip(1) {
            let wanted = (number as f64).log2() * f64::from(1 << LOG_BITS);
            assert!((f64::from(log) - wanted).abs() <= 0.500_001, "{number}: {log} {wanted}");
        }
    }

    #[test]
    fn options_of_a_game_by_hand() {
        let mut totals = Totals::new();
        let mut values = OfGame::default();
        totals.add_options(&[3, 1, 2, 4, 1], &mut values);
        assert_eq!((totals.branching.x, totals.branching.y), (11, 5));
        assert_eq!((totals.branching_of_choices.x, totals.branching_of_choices.y), (9, 3));
        // Five decisions lie in the phases 0, 2, 4, 6 and 8.
        let phases = totals.branching_by_phase.map(|phase| phase.x);
        assert_eq!(phases, [3, 0, 1, 0, 2, 0, 4, 0, 1, 0]);
        assert_eq!(totals.options[..5], [0, 2, 1, 1, 1]);
        // 3 x 2 x 4 = 24.
        let logs = values[COMPLEXITY].expect("a game has one") as f64 / f64::from(1 << LOG_BITS);
        assert!((logs - 24f64.log2()).abs() < 1e-6);
        assert_eq!(values[CHOICES], Some(629_146));
    }

    #[test]
    fn sums_do_not_hang_on_the_order() {
        let games: [&[u8]; 4] = [&[1, 2, 3], &[], &[192; 40], &[7]];
        let mut all = Totals::new();
        let add = |totals: &mut Totals, options: &[u8]| {
            let mut values = OfGame::default();
            totals.add_options(options, &mut values);
            totals.add(&values);
        };
        games.iter().for_each(|options| add(&mut all, options));
        let mut merged = Totals::new();
        for options in games.iter().rev() {
            let mut one = Totals::new();
            add(&mut one, options);
            merged.merge(&one);
        }
        for (one, other) in all.spreads.iter().zip(&merged.spreads) {
            assert_eq!(one, other);
        }
        assert_eq!(all.branching_by_phase, merged.branching_by_phase);
    }
}
