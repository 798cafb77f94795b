//! Many positions of one game as values: looked at, played on and expanded together, on any number of threads with the
//! same results.

mod expansion;
mod rows;

use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::agents::playout::settle;
use crate::agents::rng::Stream;
use crate::base::control::Control;
use crate::base::error::{Error, IllegalAction};
use crate::base::memory::{copy_of, extend, room_for};
use crate::base::threads::share_out;
use crate::play::batch::TERMINAL;
use crate::rules::action::Action;
use crate::rules::chance::Outcome;
use crate::rules::game::{Encode, FullGame, Game, Turn};
use crate::rules::player::Player;
use crate::rules::position::Position;

pub use crate::rules::position::States;
pub use expansion::{Expansion, Taken};
use rows::{Look, Part, Rows, fill, plan};

/// The most positions that are held together.
pub const MAX_STATES: usize = 100_000_000;

/// What [`States::current_players`] writes at a chance node: OpenSpiel's number.
pub const CHANCE: i8 = -1;

/// Whose view an observation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewers<'a> {
    /// The player to act; seat 0 where nobody is.
    ToAct,
    /// This seat, in every position.
    Seat(Player),
    /// A seat for each position, below the number of players.
    Each(&'a [u8]),
}

impl<G: Game> PartialEq for States<G> {
    fn eq(&self, other: &Self) -> bool {
        self.game.rules() == other.game.rules() && self.rows == other.rows
    }
}

impl<G: FullGame> States<G> {
    /// So many games at their start.
    ///
    /// # Errors
    /// When they are more than [`MAX_STATES`], or do not fit in memory.
    pub fn new(game: G, rows: usize) -> Result<Self, Error> {
        if rows > MAX_STATES {
            return Err(Error::new(format!("n got {rows}; it takes 0 to {MAX_STATES}")));
        }
        let mut all = room_for(rows)?;
        all.resize(rows, game.initial_state());
        Ok(States { game, rows: all })
    }

    /// These states, which the caller has from this rule book.
    pub(crate) fn of(game: G, rows: Vec<G::State>) -> Self {
        States { game, rows }
    }

    /// The rule book.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The states, row by row.
    pub fn rows(&self) -> &[G::State] {
        &self.rows
    }

    /// The states by themselves.
    pub fn into_rows(self) -> Vec<G::State> {
        self.rows
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The position in a row; `None` past the last.
    pub fn position(&self, row: usize) -> Option<Position<G>> {
        let state = self.rows.get(row)?;
        Some(Position::trusted(self.game.clone(), *state))
    }

    /// The same rows once more.
    ///
    /// # Errors
    /// When there is not enough memory for them.
    pub fn copy(&self) -> Result<Self, Error> {
        Ok(States { game: self.game.clone(), rows: copy_of(&self.rows)? })
    }

    /// These rows in this order; each may be taken several times.
    ///
    /// # Errors
    /// When there is not enough memory for them.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn take(&self, rows: &[usize]) -> Result<Self, Error> {
        let mut taken = room_for(rows.len())?;
        taken.extend(rows.iter().map(|&row| self.rows[row]));
        Ok(States { game: self.game.clone(), rows: taken })
    }

    /// Adds states that are from this same rule book.
    ///
    /// # Errors
    /// When there is not enough memory for them, or they are too many together.
    pub(crate) fn extend_trusted(
        &mut self,
        more: impl ExactSizeIterator<Item = G::State>,
    ) -> Result<(), Error> {
        if self.len() + more.len() > MAX_STATES {
            return Err(Error::new(format!("states have {MAX_STATES} rows at most")));
        }
        extend(&mut self.rows, more)
    }

    /// Adds a state.
    ///
    /// # Errors
    /// When it breaks an invariant of the game, or there is not enough memory for it.
    pub fn push_checked(&mut self, state: G::State) -> Result<(), Error> {
        self.game.check(&state)?;
        self.extend_trusted([state].into_iter()).map_err(|error| Error::position(error.to_string()))
    }

    /// Writes the seat to act of each row, [`CHANCE`] at a chance node and [`TERMINAL`] at the end.
    pub fn current_players(&self, out: &mut [i8]) {
        for (cell, state) in out.iter_mut().zip(&self.rows) {
            *cell = match self.game.turn(state) {
                Turn::Player(player) => player.0 as i8,
                Turn::Chance => CHANCE,
                Turn::Over => TERMINAL,
            };
        }
    }

    /// Writes how many turns have passed in each row.
    pub fn turns_passed(&self, out: &mut [i32]) {
        for (cell, state) in out.iter_mut().zip(&self.rows) {
            *cell = self.game.turns_passed(state) as i32;
        }
    }

    /// Writes the side that has won in each row, -1 where none has.
    pub fn winners(&self, out: &mut [i8]) {
        for (cell, state) in out.iter_mut().zip(&self.rows) {
            *cell = self.game.winner(state).map_or(-1, |side| side.0 as i8);
        }
    }

    /// Writes the score of each player, row by row; zeros where the game is not over.
    pub fn returns(&self, out: &mut [f32]) {
        for (cells, state) in out.chunks_exact_mut(self.game.num_players()).zip(&self.rows) {
            for (cell, score) in cells.iter_mut().zip(self.game.returns(state).as_slice()) {
                *cell = *score as f32;
            }
        }
    }

    /// Writes the observation of each row.
    ///
    /// # Errors
    /// When threads cannot be had.
    ///
    /// # Panics
    /// When `out` does not have a cell for each of the observations'.
    pub fn observe(&self, viewers: Viewers<'_>, out: &mut [i8], threads: usize) -> Result<(), Error> {
        fill(&Observations { game: &self.game, viewers }, &self.rows, out, G::OBSERVATION_LEN, threads)
    }

    /// The same with each cell divided by the largest size that it may have, so that it is -1 to 1.
    ///
    /// # Errors
    /// When threads cannot be had.
    ///
    /// # Panics
    /// When `out` does not have a cell for each of the observations'.
    pub fn observe_scaled(&self, viewers: Viewers<'_>, out: &mut [f32], threads: usize) -> Result<(), Error> {
        let mut largest = vec![1.0; G::OBSERVATION_LEN];
        for part in G::OBSERVATION {
            let size = part.low.unsigned_abs().max(part.high.unsigned_abs()).max(1);
            largest[part.start..part.start + part.len].fill(f32::from(size));
        }
        let plain = Observations { game: &self.game, viewers };
        fill(&Scaled { plain, largest }, &self.rows, out, G::OBSERVATION_LEN, threads)
    }

    /// Writes 1 for each action that is legal in a row and 0 for every other; zeros where it is nobody's turn.
    ///
    /// # Errors
    /// When threads cannot be had.
    ///
    /// # Panics
    /// When `out` does not have a cell for each action of each row.
    pub fn masks(&self, out: &mut [i8], threads: usize) -> Result<(), Error> {
        fill(&Masks { game: &self.game }, &self.rows, out, G::NUM_ACTIONS, threads)
    }

    /// Plays an action in each row where it is a player's turn; what stands in the other rows is not looked at.
    ///
    /// # Errors
    /// When an action is not legal: the first such row; or when it is stopped before any row is played. Nothing is played
    /// then.
    ///
    /// # Panics
    /// When there is not one action a row.
    pub fn apply_actions(&mut self, actions: &[i64], threads: usize, control: &Control) -> Result<(), Error> {
        let game = self.game.clone();
        self.play(actions, threads, control, &Actions { game: &game })
    }

    /// Plays an outcome in each row that is at a chance node; what stands in the other rows is not looked at.
    ///
    /// # Errors
    /// When a row has no such outcome: the first such row; or when it is stopped before any row is played. Nothing is
    /// played then.
    ///
    /// # Panics
    /// When there is not one outcome a row.
    pub fn apply_outcomes(
        &mut self,
        outcomes: &[i64],
        threads: usize,
        control: &Control,
    ) -> Result<(), Error> {
        let game = self.game.clone();
        self.play(outcomes, threads, control, &Outcomes { game: &game })
    }

    fn play(
        &mut self,
        given: &[i64],
        threads: usize,
        control: &Control,
        step: &impl Step<G::State>,
    ) -> Result<(), Error> {
        assert_eq!(given.len(), self.rows.len(), "one for each row");
        let bad = AtomicUsize::new(usize::MAX);
        let all = Rows { first: 0, states: &mut self.rows[..] };
        share_out(plan(all.states.len(), 1, threads), all, Some(control), |rows| {
            if control.is_cancelled() {
                return;
            }
            let mut looked = rows.states.iter().zip(&given[rows.first..]);
            if let Some(at) = looked.position(|(state, &id)| !step.takes(state, id)) {
                bad.fetch_min(rows.first + at, Ordering::Relaxed);
            }
        })?;
        if control.is_called_off() {
            return Err(Error::Cancelled);
        }
        let row = bad.into_inner();
        if let Some(&id) = given.get(row) {
            let explained = Position::trusted(self.game.clone(), self.rows[row]).explain();
            return Err(Error::IllegalAction(IllegalAction::new(id, explained).at(format!("row {row}"))));
        }
        let all = Rows { first: 0, states: &mut self.rows[..] };
        share_out(plan(all.states.len(), 1, threads), all, None, |rows| {
            for (state, &id) in rows.states.iter_mut().zip(&given[rows.first..]) {
                step.play(state, id);
            }
        })?;
        Ok(())
    }

    /// Draws outcomes in each row that is at a chance node, until it is a player's turn or the game is over. Row `i` draws
    /// from stream `first_row + i` of the seed.
    ///
    /// # Errors
    /// When threads cannot be had.
    pub fn sample_chance(&mut self, seed: u64, first_row: u64, threads: usize) -> Result<(), Error> {
        let game = self.game.clone();
        let all = Rows { first: 0, states: &mut self.rows[..] };
        share_out(plan(all.states.len(), 4, threads), all, None, |rows| {
            for (at, state) in rows.states.iter_mut().enumerate() {
                if game.turn(state) == Turn::Chance {
                    let mut dice = Stream::new(seed, first_row + (rows.first + at) as u64);
                    settle(&game, state, &mut dice, &mut ());
                }
            }
        })
    }
}

/// A way to play rows on.
trait Step<S>: Sync {
    /// Whether this may be given for this row.
    fn takes(&self, state: &S, id: i64) -> bool;
    /// Plays it where it is due.
    fn play(&self, state: &mut S, id: i64);
}

struct Actions<'a, G> {
    game: &'a G,
}

impl<G: Game> Step<G::State> for Actions<'_, G> {
    fn takes(&self, state: &G::State, id: i64) -> bool {
        let legal = |id| self.game.legal_actions(state).contains(Action(id));
        !matches!(self.game.turn(state), Turn::Player(_)) || u16::try_from(id).is_ok_and(legal)
    }
    fn play(&self, state: &mut G::State, id: i64) {
        if let Turn::Player(_) = self.game.turn(state) {
            self.game.apply(state, Action(id as u16), &mut ());
        }
    }
}

struct Outcomes<'a, G> {
    game: &'a G,
}

impl<G: Game> Step<G::State> for Outcomes<'_, G> {
    fn takes(&self, state: &G::State, id: i64) -> bool {
        let known = |id| id < self.game.chance(state).weights().len();
        self.game.turn(state) != Turn::Chance || usize::try_from(id).is_ok_and(known)
    }
    fn play(&self, state: &mut G::State, id: i64) {
        if self.game.turn(state) == Turn::Chance {
            self.game.resolve(state, Outcome(id as u8), &mut ());
        }
    }
}

/// See [`States::observe`].
struct Observations<'a, G> {
    game: &'a G,
    viewers: Viewers<'a>,
}

impl<G: Encode> Observations<'_, G> {
    #[cfg_attr(fast, inline(always))]
    fn viewer(&self, row: usize, state: &G::State) -> Player {
        match (self.viewers, self.game.turn(state)) {
            (Viewers::ToAct, Turn::Player(player)) => player,
            (Viewers::ToAct, Turn::Chance | Turn::Over) => Player(0),
            (Viewers::Seat(player), _) => player,
            (Viewers::Each(seats), _) => Player(seats[row]),
        }
    }
}

impl<G: Encode> Look<G::State> for Observations<'_, G> {
    type Cell = i8;

    #[cfg_attr(fast, inline(always))]
    fn look(&self, part: Part<'_, G::State, i8>) {
        let rows = part.states.iter().zip(part.out.chunks_exact_mut(G::OBSERVATION_LEN));
        for (at, (state, cells)) in rows.enumerate() {
            self.game.observe(state, self.viewer(part.first + at, state), cells);
        }
    }
}

/// See [`States::observe_scaled`].
struct Scaled<'a, G> {
    plain: Observations<'a, G>,
    largest: Vec<f32>,
}

impl<G: Encode> Look<G::State> for Scaled<'_, G> {
    type Cell = f32;

    #[cfg_attr(fast, inline(always))]
    fn look(&self, part: Part<'_, G::State, f32>) {
        let mut plain = vec![0; G::OBSERVATION_LEN];
        let rows = part.states.iter().zip(part.out.chunks_exact_mut(G::OBSERVATION_LEN));
        for (at, (state, cells)) in rows.enumerate() {
            let viewer = self.plain.viewer(part.first + at, state);
            self.plain.game.observe(state, viewer, &mut plain);
            for ((cell, &value), &largest) in cells.iter_mut().zip(&plain).zip(&self.largest) {
                *cell = f32::from(value) / largest;
            }
        }
    }
}

/// See [`States::masks`].
struct Masks<'a, G> {
    game: &'a G,
}

impl<G: Game> Look<G::State> for Masks<'_, G> {
    type Cell = i8;

    #[cfg_attr(fast, inline(always))]
    fn look(&self, part: Part<'_, G::State, i8>) {
        for (state, cells) in part.states.iter().zip(part.out.chunks_exact_mut(G::NUM_ACTIONS)) {
            match self.game.turn(state) {
                Turn::Player(_) => self.game.legal_actions(state).write_mask(cells),
                Turn::Chance | Turn::Over => cells.fill(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::shah::Shah;

    #[test]
    fn what_is_stopped_changes_nothing() {
        let mut states = States::new(Shah::new(Default::default()).unwrap(), 1000).unwrap();
        let (before, control) = (states.clone(), Control::default());
        control.cancel.store(true, Ordering::Relaxed);
        assert!(matches!(states.apply_actions(&[7; 1000], 2, &control), Err(Error::Cancelled)));
        assert_eq!(states, before);
    }
}
