//! Any rule book that is small enough, solved: every position that can be reached, without its clock, and what it is worth
//! when both sides play as well as can be.
//!
//! The positions are the nodes of a graph, from the start or from given states on. Its strongly connected components are
//! solved one by one, those that play can only come to later first:
//!
//! - A position that never comes back is worth the best of what follows, or the mean of it where chance decides.
//! - Where positions can come back and no chance comes between, retrograde passes find who can force what, and in how many
//!   turns. What neither side can force goes on for ever, and is worth nothing to either.
//! - Where chance comes between, two sequences of values close in on those that are sought, one from below and one from
//!   above, until they are no further apart than [`TOLERANCE`] of the largest return. Both take in that play may go on for ever for nothing, and
//!   every sum is widened by what rounding may have taken off it: the true value lies between the two, always.
//!
//! Everything is done on one thread and in one order, so that the same rule book has the same values, to the last bit, on
//! every machine.

mod components;
mod forced;
mod graph;
mod solving;
mod values;

use std::any::Any;
use std::fmt::{Debug, Display};

use serde::Serialize;

use crate::base::control::Control;
use crate::base::error::Error;
use crate::rules::{Action, Game, PerPlayer, Player, Position, Side, States, Turn};

use graph::Graph;
pub use solving::TOLERANCE;
use values::Values;

/// The most positions that can be asked for.
pub const MAX_POSITIONS: usize = 1_000_000_000;

/// What solving may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most positions.
    pub positions: usize,
    /// The most bytes of memory; `None` for as many as the system gives.
    pub bytes: Option<u64>,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug)]
pub struct StateValue {
    /// What each player may expect, in the units of [`Game::returns`].
    pub returns: PerPlayer<f64>,
    /// In how many turns the game ends, this one counted, where no chance is left in it and one side wins: the winner
    /// hurries and the loser delays.
    pub turns: Option<u32>,
}

/// What has been found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// All positions, chance nodes and ends among them.
    pub positions: usize,
    /// Those in which a player acts.
    pub decisions: usize,
    /// Of these, those in which the player to act may expect more than nothing: where no chance is left, a win.
    pub ahead: usize,
    /// Those in which the player to act may expect less than nothing: where no chance is left, a loss.
    pub behind: usize,
    /// The others.
    pub even: usize,
    /// The most turns that a game takes that one side wins without chance; `None` where there is none.
    pub longest: Option<u32>,
    /// How far any value may be from the true one.
    pub error: f64,
}

/// A rule book's positions and their values.
#[derive(Debug)]
pub struct Solution<G: Game> {
    /// Without limits.
    game: G,
    graph: Graph<G::State>,
    values: Values,
}

/// Solves a rule book from some states on, all of them its own. [`Control::done`] counts the
/// positions found.
///
/// # Errors
/// When the game does not have two sides, there are more positions than allowed, they take more memory than allowed, or it was
/// stopped.
///
/// ```
/// use sarai::base::control::Control;
/// use sarai::exact::small::{Limits, solve};
/// use sarai::games::sho::{Rules, Sho};
/// use sarai::{FirstPlayer, Game, Player};
/// let tiny = Rules { players: 2, num_shells: 4, coins: 1, first_player: FirstPlayer::Seat(Player(0)), ..Rules::default() };
/// let game = Sho::new(tiny)?;
/// let limits = Limits { positions: 10_000, bytes: None };
/// let solution = solve(&game, &[game.initial_state()], limits, &Control::default())?;
/// let start = solution.at(&game.initial_state()).unwrap();
/// assert!(start.returns.as_slice()[0] > 0.5, "who begins is ahead");
///
/// let game = Sho::new(Rules { players: 3, ..Rules::default() })?;
/// let refused = solve(&game, &[game.initial_state()], limits, &Control::default()).unwrap_err();
/// assert!(refused.to_string().contains("two sides"));
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn solve<G: Game>(
    game: &G,
    starts: &[G::State],
    limits: Limits,
    control: &Control,
) -> Result<Solution<G>, Error> {
    let mut sides: Vec<Side> = (0..game.num_players()).map(|seat| game.side(Player(seat as u8))).collect();
    sides.sort_unstable_by_key(|side| side.0);
    sides.dedup();
    if sides.len() != 2 {
        return Err(Error::new(format!(
            "this rule book of {} has {} sides; what can be solved has two sides: with more there is no one value",
            G::NAME,
            sides.len()
        )));
    }
    let game = game.without_limits();
    let graph = Graph::walk(&game, starts, limits, control)?;
    let values = Values::of(&game, &graph, control)?;
    Ok(Solution { game, graph, values })
}

/// The same from the start of the game, or from [`States`] of it.
///
/// # Errors
/// As there; and where the states are of another rule book, or none.
pub fn solve_from<G: Game>(
    game: &G,
    states: Option<&dyn Any>,
    limits: Limits,
    control: &Control,
) -> Result<Solution<G>, Error> {
    let Some(states) = states else { return solve(game, &[game.initial_state()], limits, control) };
    let own = states.downcast_ref::<States<G>>().filter(|states| states.game.rules() == game.rules());
    let rows = &own.ok_or_else(|| Error::new("the states belong to another game or to other rules"))?.rows;
    if rows.is_empty() {
        return Err(Error::new("states has no rows; it takes one at least"));
    }
    solve(game, rows, limits, control)
}

/// Any [`Solution`]. It takes a [`Position`] or [`States`] of its game, and refuses those of other rules, limits aside, and
/// what was not met.
pub trait AnySolution: Debug + Send + Sync {
    /// What has been found.
    fn summary(&self) -> Summary;

    /// What a state is worth.
    fn value(&self, position: &dyn Any) -> Result<StateValue, Error>;

    /// What each legal action makes a state worth to who plays it, the best first, of equals the smallest id, with the turns
    /// to the end; it fails where it is nobody's turn, too.
    fn moves(&self, position: &dyn Any) -> Result<Vec<(Action, f64, Option<u32>)>, Error>;

    /// What each row of states is worth to each player, and its turns, -1 where there are none; an error names the first row
    /// that was not met.
    fn values(&self, states: &dyn Any, returns: &mut [f64], turns: &mut [i32]) -> Result<(), Error>;
}

fn unmet(place: impl Display) -> Error {
    Error::new(format!("{place} was not met: play from where the solution begins does not lead to it"))
}

impl<G: Game> Solution<G> {
    /// The rule book, without limits.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How many positions there are.
    #[expect(clippy::len_without_is_empty, reason = "there is one position at least")]
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// What a state is worth; `None` where it was not met.
    pub fn at(&self, state: &G::State) -> Option<StateValue> {
        if self.game.turn(state) == Turn::Over {
            // It may have ended by its clock.
            return Some(StateValue { returns: self.game.returns(state), turns: None });
        }
        let node = self.graph.find(&self.game.key(state))?;
        Some(StateValue { returns: self.returns(self.values.middle(node)), turns: self.values.turns(node) })
    }

    /// What is worth so much to the side of seat 0, for each player.
    fn returns(&self, value: f64) -> PerPlayer<f64> {
        let mut returns = PerPlayer::new(self.game.num_players(), 0.0);
        for (seat, score) in returns.as_mut_slice().iter_mut().enumerate() {
            // Not minus zero.
            *score = values::sign(&self.game, Player(seat as u8)) * value + 0.0;
        }
        returns
    }

    fn check_rules(&self, game: Option<&G>) -> Result<(), Error> {
        match game {
            Some(game) if game.without_limits().rules() == self.game.rules() => Ok(()),
            _ => Err(Error::new(format!("the solution is of {} under other rules than the state", G::NAME))),
        }
    }

    fn known<'a>(&self, position: &'a dyn Any) -> Result<&'a G::State, Error> {
        let position = position.downcast_ref::<Position<G>>();
        self.check_rules(position.map(Position::game))?;
        Ok(position.expect("its rules are the solution's").state())
    }
}

impl<G: Game> AnySolution for Solution<G> {
    fn summary(&self) -> Summary {
        let mut found = Summary {
            positions: self.len(),
            decisions: 0,
            ahead: 0,
            behind: 0,
            even: 0,
            longest: None,
            error: self.values.error(),
        };
        for node in 0..self.len() {
            found.longest = found.longest.max(self.values.turns(node));
            if let Turn::Player(player) = self.game.turn(self.graph.key(node)) {
                let (least, most) = self.values.bounds(node, values::sign(&self.game, player));
                found.decisions += 1;
                match (least > 0.0, most < 0.0) {
                    (true, _) => found.ahead += 1,
                    (_, true) => found.behind += 1,
                    _ => found.even += 1,
                }
            }
        }
        found
    }

    fn value(&self, position: &dyn Any) -> Result<StateValue, Error> {
        self.at(self.known(position)?).ok_or_else(|| unmet("the state"))
    }

    fn moves(&self, position: &dyn Any) -> Result<Vec<(Action, f64, Option<u32>)>, Error> {
        let state = self.known(position)?;
        let Turn::Player(player) = self.game.turn(state) else {
            return Err(Error::new("no player acts here, so there are no moves"));
        };
        let node = self.graph.find(&self.game.key(state)).ok_or_else(|| unmet("the state"))?;
        let key = self.graph.key(node);
        let sign = values::sign(&self.game, player);
        let legal = self.game.legal_actions(key).into_iter();
        let mut moves: Vec<_> = legal
            .zip(self.graph.after(node))
            .map(|(action, &next)| {
                let passed = values::passed(&self.game, key, self.graph.key(next as usize), action);
                let turns = self.values.turns(next as usize).map(|turns| turns + passed);
                (action, sign * self.values.middle(next as usize) + 0.0, turns)
            })
            .collect();
        // What rounding alone tells apart is equal; quick wins come before slow ones, and slow losses before quick ones.
        let (_, most) = self.game.returns_range();
        let goodness = |&(action, value, turns): &(Action, f64, Option<u32>)| {
            let rounded = (value / most * 1e9).round() as i64;
            let turns = i64::from(turns.unwrap_or(0)) * rounded.signum();
            (std::cmp::Reverse(rounded), turns, action.0)
        };
        moves.sort_by_key(goodness);
        Ok(moves)
    }

    fn values(&self, states: &dyn Any, returns: &mut [f64], turns: &mut [i32]) -> Result<(), Error> {
        let states = states.downcast_ref::<States<G>>();
        self.check_rules(states.map(|states| &states.game))?;
        let rows = &states.expect("their rules are the solution's").rows;
        let cells = returns.chunks_exact_mut(self.game.num_players());
        for (row, ((state, cells), turns)) in rows.iter().zip(cells).zip(turns).enumerate() {
            let worth = self.at(state).ok_or_else(|| unmet(format_args!("row {row}")))?;
            cells.copy_from_slice(worth.returns.as_slice());
            *turns = worth.turns.map_or(-1, |turns| turns as i32);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
