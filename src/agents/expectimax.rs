//! Expectimax: every end of a turn is weighed, the dice after it averaged exactly, and so on for some turns.
//!
//! With more than two sides each player takes what is best for itself (max^n). Only additions, multiplications and
//! divisions decide, in a fixed order, so that it chooses alike on every machine.

use super::turns::{Stopped, Turns};
use crate::base::control::Control;
use crate::rules::action::Action;
use crate::rules::chance::Outcome;
use crate::rules::game::{Evaluate, Turn};
use crate::rules::player::{PerPlayer, Player};

/// The most turns that may be looked ahead.
pub const MAX_DEPTH: u8 = 4;

/// How many ends of a turn are looked at beyond the first glance, at the first turn and at every later one.
pub const FILTER: (u16, u16) = (8, 4);

/// The most ends that a turn is searched for.
const MOST_ENDS: usize = 1 << 16;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The action that leads to the best end of the turn.
    pub action: Action,
    /// What each player may expect there.
    pub values: PerPlayer<f64>,
}

/// Looks so many turns ahead and chooses the action that leads to the best end of this one; of equals the one with fewer
/// actions, then with smaller ids first. `None` when there is no memory.
///
/// When it is cancelled it may choose any, soon.
///
/// # Panics
/// When it is no player's turn.
pub fn search<G: Evaluate>(
    game: &G,
    state: &G::State,
    depth: u8,
    filter: (u16, u16),
    control: &Control,
) -> Option<Found> {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    let first = game.legal_actions(state).nth(0).expect("a player to act has an action");
    let mut search = Search { game, filter, control, turns: Vec::new() };
    search.turns.resize_with(depth as usize + 1, Turns::default);
    let best = search.best(state, player, depth, filter.0).ok()?;
    let Some((end, values)) = best else {
        return Some(Found { action: first, values: game.evaluate(state) });
    };
    let action = search.turns[depth as usize].actions_back(end).last().unwrap_or(first);
    Some(Found { action, values })
}

struct Search<'a, G: Evaluate> {
    game: &'a G,
    filter: (u16, u16),
    control: &'a Control,
    /// One list for each depth.
    turns: Vec<Turns<G::State>>,
}

impl<G: Evaluate> Search<'_, G> {
    /// The best end of the player's turn and its values; the list of ends stays in `turns[depth]`. `None` where there are
    /// too many ends to list.
    fn best(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u8,
        keep: u16,
    ) -> Result<Option<(usize, PerPlayer<f64>)>, Stopped> {
        let at = depth as usize;
        let mut turns = std::mem::take(&mut self.turns[at]);
        let listed = turns.list(self.game, state, MOST_ENDS);
        let found = match listed {
            Ok(()) => self.best_of(&turns, player, depth, keep),
            Err(Stopped::Full) => Ok(None),
            Err(Stopped::NoMemory) => Err(Stopped::NoMemory),
        };
        self.turns[at] = turns;
        found
    }

    fn best_of(
        &mut self,
        turns: &Turns<G::State>,
        player: Player,
        depth: u8,
        keep: u16,
    ) -> Result<Option<(usize, PerPlayer<f64>)>, Stopped> {
        let mut seen: Vec<(usize, PerPlayer<f64>)> = Vec::new();
        seen.try_reserve(turns.len()).map_err(|_| Stopped::NoMemory)?;
        for end in 0..turns.len() {
            seen.push((end, self.glance(turns.end(end))));
        }
        if depth > 1 {
            // A stable sort: of equals the first stays first.
            seen.sort_by(|(_, one), (_, other)| other[player].total_cmp(&one[player]));
            seen.truncate(keep.max(1) as usize);
            for (end, values) in &mut seen {
                *values = self.value(turns.end(*end), depth - 1)?;
            }
            // Back in their order, for the first of equals.
            seen.sort_by_key(|&(end, _)| end);
        }
        let mut best: Option<(usize, PerPlayer<f64>)> = None;
        for (end, values) in seen {
            if best.is_none_or(|(_, known)| values[player] > known[player]) {
                best = Some((end, values));
            }
        }
        Ok(best)
    }

    /// What each player may expect, at a glance.
    fn glance(&self, state: &G::State) -> PerPlayer<f64> {
        match self.game.turn(state) {
            Turn::Over => self.game.returns(state),
            _ => self.game.evaluate(state),
        }
    }

    /// What each player may expect after so many more turns.
    fn value(&mut self, state: &G::State, depth: u8) -> Result<PerPlayer<f64>, Stopped> {
        match self.game.turn(state) {
            Turn::Over => Ok(self.game.returns(state)),
            _ if depth == 0 || self.control.is_cancelled() => Ok(self.game.evaluate(state)),
            Turn::Player(player) => {
                let best = self.best(state, player, depth, self.filter.1)?;
                Ok(best.map_or_else(|| self.game.evaluate(state), |(_, values)| values))
            }
            Turn::Chance => {
                let chance = self.game.chance(state);
                let mut mean = PerPlayer::new(self.game.num_players(), 0.0);
                for outcome in (0..chance.weights().len() as u8).map(Outcome) {
                    let mut next = *state;
                    self.game.resolve(&mut next, outcome, &mut ());
                    // A throw that leaves nothing to play passes the turn on: that is a turn too.
                    let left = depth - u8::from(self.game.turn(&next) == Turn::Chance);
                    let values = self.value(&next, left)?;
                    let probability = chance.probability(outcome);
                    for (sum, value) in mean.as_mut_slice().iter_mut().zip(values.as_slice()) {
                        *sum += probability * value;
                    }
                }
                Ok(mean)
            }
        }
    }
}
