//! The metrics of a game that need its positions evaluated.

use super::totals::{
    CLARITY, DECISIVE, DRAMA, KILLER, LEAD_CHANGES, NARROWNESS, OfGame, STABILITY, THRESHOLD, Totals, part_of,
};
use crate::agents::{Evaluator, Stream};
use crate::rules::{Action, ActionSet, FullGame, MAX_PLAYERS, Player, Side, Turn};

/// A judgement of 1: the most that a side can win.
const ONE: f64 = (1 << 20) as f64;

/// What each seat may expect, from 0, the least that can be won, to 2^20, the most.
fn judge<G: FullGame>(
    evaluator: &Evaluator,
    game: &G,
    state: &G::State,
    rng: &mut Stream,
) -> [i32; MAX_PLAYERS] {
    let values = if game.turn(state) == Turn::Over {
        game.returns(state)
    } else {
        evaluator.evaluate(game, state, rng)
    };
    let (least, most) = game.returns_range();
    let mut scaled = [0; MAX_PLAYERS];
    for (cell, value) in scaled.iter_mut().zip(values.as_slice()) {
        *cell = scale(*value, least, most) as i32;
    }
    scaled
}

/// A return as a multiple of 2^-20 of the range of returns, rounded to the nearest.
pub(super) fn scale(worth: f64, least: f64, most: f64) -> u64 {
    (((worth - least) / (most - least)).clamp(0.0, 1.0) * ONE).round() as u64
}

/// What is judged of one game while it is played.
#[derive(Debug)]
pub(super) struct Judged {
    rng: Stream,
    /// The values of each decision, by seat.
    positions: Vec<[i32; MAX_PLAYERS]>,
    /// Decisions with more than one option.
    choices: u64,
    /// Over these, the sums of the variance of what their options are worth, in multiples of 2^-40, and of the share of
    /// options that are nearly as good as the best, in multiples of 2^-20.
    variance: u64,
    narrow: u64,
    /// The most that a player has gained by a decision.
    gain: u64,
}

impl Judged {
    pub(super) fn new(rng: Stream) -> Self {
        Judged { rng, positions: Vec::new(), choices: 0, variance: 0, narrow: 0, gain: 0 }
    }

    /// Judges a position, and what each option makes of it.
    #[inline(never)]
    pub(super) fn look<G: FullGame>(
        &mut self,
        evaluator: &Evaluator,
        game: &G,
        state: &G::State,
        player: Player,
        legal: ActionSet,
        chosen: Action,
    ) {
        // The first seat of a side represents it.
        let mut seats = (0..game.num_players()).map(|seat| Player(seat as u8));
        let own = seats.find(|&seat| game.side(seat) == game.side(player)).unwrap_or(player).index();
        let now = judge(evaluator, game, state, &mut self.rng);
        self.positions.push(now);
        let mut worths = [0i64; crate::rules::MAX_ACTIONS];
        let options = legal.len();
        for (worth, action) in worths.iter_mut().zip(legal) {
            let mut after = *state;
            game.apply(&mut after, action, &mut ());
            *worth = i64::from(judge(evaluator, game, &after, &mut self.rng)[own]);
            if action == chosen {
                self.gain = self.gain.max((*worth - i64::from(now[own])).max(0) as u64);
            }
        }
        if options > 1 {
            let (variance, narrow) = clear(&worths[..options]);
            self.choices += 1;
            self.variance += variance;
            self.narrow += narrow;
        }
    }

    /// Sets the values of a game that is over, and counts whether the winner came from behind; `leads` is a seat of each side.
    pub(super) fn add_to(
        &self,
        totals: &mut Totals,
        values: &mut OfGame,
        leads: &[(Side, Player)],
        winner: Option<Side>,
    ) {
        let positions = self.positions.len() as u64;
        values[CLARITY] = self.variance.checked_div(self.choices);
        values[NARROWNESS] = self.narrow.checked_div(self.choices);
        if positions == 0 {
            return;
        }
        values[KILLER] = Some(self.gain);
        let mut spread = 0;
        for &(_, seat) in leads {
            spread += variance(self.positions.iter().map(|worths| i64::from(worths[seat.index()])));
        }
        values[STABILITY] = Some(spread / leads.len() as u64);
        values[LEAD_CHANGES] = part_of(self.lead_changes(leads), positions - 1);
        let Some(winner) = winner else { return };
        let (mut behind, mut threshold) = (0, 0);
        let of_winner = |worths: &[i32; MAX_PLAYERS]| {
            let seat = leads.iter().find(|(side, _)| *side == winner).map(|(_, seat)| seat.index());
            worths[seat.expect("a winner is a side")]
        };
        let best = |worths: &[i32; MAX_PLAYERS], others: bool| {
            let sides = leads.iter().filter(|(side, _)| !others || *side != winner);
            sides.map(|(_, seat)| worths[seat.index()]).max().expect("there are several sides")
        };
        for worths in &self.positions {
            behind += (best(worths, false) - of_winner(worths)) as u64;
            threshold = threshold.max(best(worths, true));
        }
        values[DRAMA] = Some(behind / positions);
        values[THRESHOLD] = Some(threshold as u64);
        let decided = self.positions.iter().position(|worths| of_winner(worths) > threshold);
        values[DECISIVE] = part_of(decided.map_or(0, |at| positions - at as u64), positions);
        let middle = &self.positions[positions as usize / 2];
        totals.comebacks[0] += u64::from(of_winner(middle) < best(middle, false));
        totals.comebacks[1] += 1;
    }

    /// How often another side than before is alone in the lead.
    fn lead_changes(&self, leads: &[(Side, Player)]) -> u64 {
        let mut leader = None;
        let mut changes = 0;
        for worths in &self.positions {
            let best = leads.iter().map(|(_, seat)| worths[seat.index()]).max();
            let mut first = leads.iter().filter(|(_, seat)| Some(worths[seat.index()]) == best);
            if let (Some((side, _)), None) = (first.next(), first.next()) {
                changes += u64::from(leader.is_some_and(|leader| leader != *side));
                leader = Some(*side);
            }
        }
        changes
    }
}

/// The variance, in the square of the unit of the values.
fn variance(values: impl Iterator<Item = i64>) -> u64 {
    let (mut n, mut sum, mut squares) = (0i128, 0i128, 0i128);
    for value in values {
        let value = i128::from(value);
        n += 1;
        sum += value;
        squares += value * value;
    }
    ((n * squares - sum * sum) / (n * n).max(1)) as u64
}

/// Of what the options of a decision are worth, the variance, and the share of those whose distance from the mean is at
/// least three quarters of the best one's.
fn clear(worths: &[i64]) -> (u64, u64) {
    let options = worths.len() as i64;
    let sum: i64 = worths.iter().sum();
    let best = worths.iter().max().expect("a decision has options");
    let near = |worth: &i64| 4 * (options * worth - sum) >= 3 * (options * best - sum);
    let narrow = worths.iter().filter(|worth| near(worth)).count() as u64;
    (variance(worths.iter().copied()), part_of(narrow, options as u64).expect("a decision has options"))
}

#[cfg(test)]
mod tests {
    use super::super::totals::QUANTITIES;
    use super::*;

    const SIDES: [(Side, Player); 2] = [(Side(0), Player(0)), (Side(1), Player(1))];

    fn judged(of_first: &[f64]) -> Judged {
        let mut judged = Judged::new(Stream::new(0, 0));
        judged.positions = of_first
            .iter()
            .map(|&worth| {
                let worth = (worth * ONE) as i32;
                [worth, ONE as i32 - worth, 0, 0]
            })
            .collect();
        judged
    }

    fn value(values: &OfGame, quantity: usize) -> f64 {
        values[quantity].expect("a value") as f64 / (1u64 << QUANTITIES[quantity].bits) as f64
    }

    #[test]
    fn a_game_by_hand() {
        let (mut totals, mut values) = (Totals::new(), OfGame::default());
        judged(&[0.5, 0.75, 0.25, 0.25, 1.0]).add_to(&mut totals, &mut values, &SIDES, Some(Side(0)));
        // Nobody leads, the first does, the second, the second, the first: two changes at four chances.
        assert_eq!(value(&values, LEAD_CHANGES), 0.5);
        assert!((value(&values, DRAMA) - (0.5 + 0.5) / 5.0).abs() < 1e-6);
        assert_eq!(value(&values, THRESHOLD), 0.75);
        // Only the last position is above the threshold.
        assert!((value(&values, DECISIVE) - 0.2).abs() < 1e-6);
        let variance = 0.09;
        let mean: f64 = 2.75 / 5.0;
        let squares: f64 = (0.25 + 0.5625 + 0.0625 + 0.0625 + 1.0) / 5.0;
        assert!((squares - mean * mean - variance).abs() < 0.01);
        assert!((value(&values, STABILITY) - (squares - mean * mean)).abs() < 1e-6);
        assert_eq!(totals.comebacks, [1, 1]);
    }

    #[test]
    fn a_draw_has_no_winner_to_judge() {
        let (mut totals, mut values) = (Totals::new(), OfGame::default());
        judged(&[0.5, 0.75]).add_to(&mut totals, &mut values, &SIDES, None);
        assert_eq!(value(&values, LEAD_CHANGES), 0.0);
        assert_eq!((values[DRAMA], totals.comebacks), (None, [0, 0]));
    }

    #[test]
    fn options_by_hand() {
        // Mean 0.5: the best is 0.5 above it, and 0.875 is three quarters of that.
        let worths = [1.0, 0.875, 0.125, 0.0].map(|worth| (worth * ONE) as i64);
        let (variance, narrow) = clear(&worths);
        assert_eq!(narrow, 1 << 19);
        let wanted = (0.25 + 0.140_625) / 2.0 * ONE * ONE;
        assert!((variance as f64 - wanted).abs() < 1.0, "{variance} {wanted}");
        assert_eq!(clear(&[5, 5, 5]), (0, 1 << 20));
    }
}
