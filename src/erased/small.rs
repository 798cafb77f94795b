//! Solutions of small rule books of any game.

use std::fmt::Debug;

use serde_json::{Value, json};

use super::position::AnyPosition;
use super::states::AnyStates;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::exact::small::{Limits, Solution, Worth, solve};
use crate::play::states::States;
use crate::rules::action::Action;
use crate::rules::game::{FullGame, Turn};
use crate::rules::position::Position;

/// What stands in a column of turns where there are none.
const NO_TURNS: i32 = -1;

/// Any [`Solution`]. Everything that is asked of it is refused for a state of other rules, limits aside, and for one that
/// was not met.
pub trait AnySolution: Debug + Send + Sync {
    /// What has been found, as JSON.
    fn summary(&self) -> Value;
    /// See [`Solution::value`].
    ///
    /// # Errors
    /// Where the solution does not have the state.
    fn value(&self, position: &dyn AnyPosition) -> Result<Worth, Error>;
    /// See [`Solution::moves`].
    ///
    /// # Errors
    /// Where the solution does not have the state, or it is nobody's turn there.
    fn moves(&self, position: &dyn AnyPosition) -> Result<Vec<(Action, f64, Option<u32>)>, Error>;
    /// What each row of states is worth to each player, and its turns, -1 where there are none.
    ///
    /// # Errors
    /// Names the first row that the solution does not have.
    fn values(&self, states: &dyn AnyStates, returns: &mut [f64], turns: &mut [i32]) -> Result<(), Error>;
}

/// Solves a game from states of it on, or from its start; see [`solve`].
pub(super) fn solve_any<G: FullGame>(
    game: &G,
    starts: Option<&dyn AnyStates>,
    limits: Limits,
    control: &Control,
) -> Result<Option<Box<dyn AnySolution>>, Error> {
    let found = match starts {
        None => solve(game, &[game.initial_state()], limits, control)?,
        Some(states) => {
            let own = states.as_any().downcast_ref::<States<G>>();
            let own = own
                .filter(|states| states.game().rules() == game.rules())
                .ok_or_else(|| Error::new("the states belong to another game or to other rules"))?;
            if own.rows().is_empty() {
                return Err(Error::new("states has no rows; it takes one at least"));
            }
            solve(game, own.rows(), limits, control)?
        }
    };
    Ok(found.map(|solution| Box::new(solution) as Box<dyn AnySolution>))
}

fn same_rules<G: FullGame>(solution: &Solution<G>, game: Option<&G>) -> Result<(), Error> {
    match game {
        Some(game) if game.without_limits().rules() == solution.game().rules() => Ok(()),
        _ => Err(Error::new(format!("the solution is of {} under other rules than the state", G::NAME))),
    }
}

fn known<'a, G: FullGame>(
    solution: &Solution<G>,
    position: &'a dyn AnyPosition,
) -> Result<&'a Position<G>, Error> {
    let position = position.as_any().downcast_ref::<Position<G>>();
    same_rules(solution, position.map(Position::game))?;
    Ok(position.expect("its rules are the solution's"))
}

fn unmet(place: impl std::fmt::Display) -> Error {
    Error::new(format!("{place} was not met: play from where the solution begins does not lead to it"))
}

impl<G: FullGame> AnySolution for Solution<G> {
    fn summary(&self) -> Value {
        let found = Solution::summary(self);
        json!({
            "positions": found.positions,
            "decisions": found.decisions,
            "ahead": found.ahead,
            "behind": found.behind,
            "even": found.even,
            "longest": found.longest,
            "error": found.error,
        })
    }

    fn value(&self, position: &dyn AnyPosition) -> Result<Worth, Error> {
        Solution::value(self, known(self, position)?.state()).ok_or_else(|| unmet("the state"))
    }

    fn moves(&self, position: &dyn AnyPosition) -> Result<Vec<(Action, f64, Option<u32>)>, Error> {
        let position = known(self, position)?;
        if !matches!(position.turn(), Turn::Player(_)) {
            return Err(Error::new("no player acts here, so there are no moves"));
        }
        Solution::moves(self, position.state()).ok_or_else(|| unmet("the state"))
    }

    fn values(&self, states: &dyn AnyStates, returns: &mut [f64], turns: &mut [i32]) -> Result<(), Error> {
        let states = states.as_any().downcast_ref::<States<G>>();
        same_rules(self, states.map(States::game))?;
        let states = states.expect("their rules are the solution's");
        let cells = returns.chunks_exact_mut(self.game().num_players());
        for (row, ((state, cells), turns)) in states.rows().iter().zip(cells).zip(turns).enumerate() {
            let worth = Solution::value(self, state).ok_or_else(|| unmet(format_args!("row {row}")))?;
            cells.copy_from_slice(worth.returns.as_slice());
            *turns = worth.turns.map_or(NO_TURNS, |turns| turns as i32);
        }
        Ok(())
    }
}
