//! Many positions of one game as values: looked at, played on and expanded together, on any number of threads with the
//! same results.

mod expansion;
mod rows;

use std::any::Any;
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::agents::{Agent, Stream, expectimax, settle};
use crate::base::{Control, Error, IllegalAction, Plan, copy_of, extend, multiversion, room_for, share_out};
use crate::play::{AnyPosition, check_length};
use crate::rules::{Action, Encode, FullGame, Game, Outcome, Player, Position, Turn};

pub use crate::rules::position::States;
pub use expansion::{Expansion, Taken, Way};
use rows::{Part, Rows, fill};

/// The most positions that are held together.
pub const MAX_STATES: usize = 100_000_000;

/// What [`AnyStates::current_players`] writes at a chance node: OpenSpiel's number.
pub const CHANCE: i8 = -1;

/// What stands for the seat to act where a game is over: OpenSpiel's number.
pub const TERMINAL: i8 = -4;

/// Whose view an observation is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Viewers {
    /// The player to act; seat 0 where nobody is.
    ToAct,
    /// The player whose turn it is, also before a throw; seat 0 where it is nobody's.
    OnTurn,
    /// This seat, in every position.
    Seat(Player),
    /// A seat for each position, below the number of players.
    Each(Vec<u8>),
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

    /// The states that somebody gave for this rule book.
    pub(crate) fn own<'a>(game: &G, states: &'a dyn AnyStates) -> Result<&'a Self, Error> {
        let known = (states as &dyn Any).downcast_ref::<Self>();
        known
            .filter(|states| states.game.rules() == game.rules())
            .ok_or_else(|| Error::new("the states belong to another game or to other rules"))
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

    /// Adds states that are from this same rule book.
    fn extend(&mut self, more: impl ExactSizeIterator<Item = G::State>) -> Result<(), Error> {
        if self.rows.len() + more.len() > MAX_STATES {
            return Err(Error::new(format!("states have {MAX_STATES} rows at most")));
        }
        extend(&mut self.rows, more)
    }

    /// Plays one of the ids in each row, if each row `takes` its own.
    fn play(
        &mut self,
        given: &[i64],
        threads: usize,
        control: &Control,
        takes: impl Fn(&G, &G::State, i64) -> bool + Sync,
        play: impl Fn(&G, &mut G::State, i64) + Sync,
    ) -> Result<(), Error> {
        assert_eq!(given.len(), self.rows.len(), "one for each row");
        let (game, plan) = (&self.game, Plan::new(self.rows.len(), 1, threads, 1));
        let bad = AtomicUsize::new(usize::MAX);
        let all = Rows { first: 0, states: &mut self.rows[..] };
        share_out(plan, all, Some(control), |rows| {
            if control.is_cancelled() {
                return;
            }
            let mut looked = rows.states.iter().zip(&given[rows.first..]);
            if let Some(at) = looked.position(|(state, &id)| !takes(game, state, id)) {
                bad.fetch_min(rows.first + at, Ordering::Relaxed);
            }
        })?;
        if control.is_called_off() {
            return Err(Error::Cancelled);
        }
        let row = bad.into_inner();
        if let Some(&id) = given.get(row) {
            let explained = Position::trusted(game.clone(), self.rows[row]).explain();
            return Err(Error::IllegalAction(IllegalAction::new(id, explained).at(format!("row {row}"))));
        }
        let all = Rows { first: 0, states: &mut self.rows[..] };
        share_out(plan, all, None, |rows| {
            for (state, &id) in rows.states.iter_mut().zip(&given[rows.first..]) {
                play(game, state, id);
            }
        })
    }
}

/// Any [`States`].
///
/// What makes rows or text fails where there is not enough memory or there would be more than [`MAX_STATES`] rows, and what
/// takes `threads` where the system starts none. A slice that does not have a cell for each number is a panic.
pub trait AnyStates: Any + Debug + Send + Sync {
    /// How many there are.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The position in a row; `None` past the last.
    fn position(&self, row: usize) -> Option<Box<dyn AnyPosition>>;
    /// These rows in this order; each may be taken several times. A row that does not exist is a panic.
    fn take(&self, rows: &[usize]) -> Result<Box<dyn AnyStates>, Error>;
    /// The same rows once more.
    fn copy(&self) -> Result<Box<dyn AnyStates>, Error>;
    /// Adds a position; false where it is of another rule book.
    fn push(&mut self, position: &dyn AnyPosition) -> Result<bool, Error>;
    /// Adds the rows of other states; false where they are of another rule book.
    fn append(&mut self, other: &dyn AnyStates) -> Result<bool, Error>;
    /// Whether the other has the same rows under the same rules.
    fn same(&self, other: &dyn AnyStates) -> bool;
    /// The text of each row, a line each.
    fn text(&self) -> Result<String, Error>;
    /// Adds the states that lines of text describe; an error where one describes none, or one that breaks an invariant.
    fn read(&mut self, lines: &str) -> Result<(), Error>;
    /// Writes the seat to act of each row, [`CHANCE`] at a chance node and [`TERMINAL`] at the end.
    fn current_players(&self, out: &mut [i8]);
    /// Writes the seat whose turn it is, also before its throw, in each row; -1 where it is nobody's.
    fn players_on_turn(&self, out: &mut [i8]);
    /// Writes how many turns have passed in each row.
    fn turns_passed(&self, out: &mut [i32]);
    /// Writes the side that has won in each row, -1 where none has.
    fn winners(&self, out: &mut [i8]);
    /// Writes the score of each player, row by row; zeros where the game is not over.
    fn returns(&self, out: &mut [f32]);
    /// Writes the observation of each row.
    fn observe(&self, viewers: &Viewers, out: &mut [i8], threads: usize) -> Result<(), Error>;
    /// The same with each cell divided by the largest size that it may have, so that it is -1 to 1.
    fn observe_scaled(&self, viewers: &Viewers, out: &mut [f32], threads: usize) -> Result<(), Error>;
    /// Writes 1 for each action that is legal in a row and 0 for every other; zeros where it is nobody's turn.
    fn masks(&self, out: &mut [i8], threads: usize) -> Result<(), Error>;
    /// What each player may expect in each row by this agent, one cell a seat: at a chance node the mean over its outcomes,
    /// where the game is over its returns. An error where the agent does not evaluate positions before a throw, does not play
    /// this game, or was cancelled.
    fn expected_returns(
        &self,
        agent: &Agent,
        out: &mut [f64],
        threads: usize,
        control: &Control,
    ) -> Result<(), Error>;
    /// Plays an action in each row where a player is to act, and ignores those of the other rows. The first row whose action
    /// is not legal is an error, and so is being stopped before any row is played: nothing is played then.
    fn apply_actions(&mut self, actions: &[i64], threads: usize, control: &Control) -> Result<(), Error>;
    /// The same with outcomes, in each row that is at a chance node.
    fn apply_outcomes(&mut self, outcomes: &[i64], threads: usize, control: &Control) -> Result<(), Error>;
    /// Draws outcomes in each row that is at a chance node, until a player is to act or the game is over: each from its
    /// stream of the seed.
    fn sample_chance(
        &mut self,
        seed: u64,
        stream: &(dyn Fn(usize) -> u64 + Sync),
        threads: usize,
    ) -> Result<(), Error>;
    /// What can follow each row, in this way, in the order of rows and ids; an error where that is more than `max_rows`, or
    /// it was cancelled.
    fn expand(
        &self,
        way: Way,
        max_rows: usize,
        threads: usize,
        control: &Control,
    ) -> Result<Expansion, Error>;
}

impl<G: FullGame> AnyStates for States<G> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn position(&self, row: usize) -> Option<Box<dyn AnyPosition>> {
        let state = self.rows.get(row)?;
        Some(Box::new(Position::trusted(self.game.clone(), *state)))
    }

    fn take(&self, rows: &[usize]) -> Result<Box<dyn AnyStates>, Error> {
        let mut taken = room_for(rows.len())?;
        taken.extend(rows.iter().map(|&row| self.rows[row]));
        Ok(Box::new(States { game: self.game.clone(), rows: taken }))
    }

    fn copy(&self) -> Result<Box<dyn AnyStates>, Error> {
        Ok(Box::new(States { game: self.game.clone(), rows: copy_of(&self.rows)? }))
    }

    fn push(&mut self, position: &dyn AnyPosition) -> Result<bool, Error> {
        match (position as &dyn Any).downcast_ref::<Position<G>>() {
            Some(position) if position.game().rules() == self.game.rules() => {
                self.extend([*position.state()].into_iter()).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    fn append(&mut self, other: &dyn AnyStates) -> Result<bool, Error> {
        match States::own(&self.game, other) {
            Ok(other) => self.extend(other.rows.iter().copied()).map(|()| true),
            Err(_) => Ok(false),
        }
    }

    fn same(&self, other: &dyn AnyStates) -> bool {
        (other as &dyn Any).downcast_ref::<Self>().is_some_and(|other| self == other)
    }

    fn text(&self) -> Result<String, Error> {
        let mut all = String::new();
        for state in &self.rows {
            let line = self.game.text(state);
            all.try_reserve(line.len() + 1)
                .map_err(|_| Error::no_memory("not enough memory for the text of these states"))?;
            all.push_str(&line);
            all.push('\n');
        }
        Ok(all)
    }

    fn read(&mut self, lines: &str) -> Result<(), Error> {
        for line in lines.lines() {
            check_length(line)?;
            let state = self.game.parse(line)?;
            self.game.check(&state)?;
            self.extend([state].into_iter()).map_err(|error| Error::position(error.to_string()))?;
        }
        Ok(())
    }

    fn current_players(&self, out: &mut [i8]) {
        for (cell, state) in out.iter_mut().zip(&self.rows) {
            *cell = match self.game.turn(state) {
                Turn::Player(player) => player.0 as i8,
                Turn::Chance => CHANCE,
                Turn::Over => TERMINAL,
            };
        }
    }

    fn players_on_turn(&self, out: &mut [i8]) {
        for (cell, state) in out.iter_mut().zip(&self.rows) {
            *cell = self.game.player_on_turn(state).map_or(-1, |player| player.0 as i8);
        }
    }

    fn turns_passed(&self, out: &mut [i32]) {
        for (cell, state) in out.iter_mut().zip(&self.rows) {
            *cell = self.game.turns_passed(state) as i32;
        }
    }

    fn winners(&self, out: &mut [i8]) {
        for (cell, state) in out.iter_mut().zip(&self.rows) {
            *cell = self.game.winner(state).map_or(-1, |side| side.0 as i8);
        }
    }

    fn returns(&self, out: &mut [f32]) {
        for (cells, state) in out.chunks_exact_mut(self.game.num_players()).zip(&self.rows) {
            for (cell, score) in cells.iter_mut().zip(self.game.returns(state).as_slice()) {
                *cell = *score as f32;
            }
        }
    }

    fn observe(&self, viewers: &Viewers, out: &mut [i8], threads: usize) -> Result<(), Error> {
        let write = |part: Part<'_, _, _>| observe(&self.game, viewers, part);
        fill(&self.rows, out, G::OBSERVATION_LEN, threads, write)
    }

    fn observe_scaled(&self, viewers: &Viewers, out: &mut [f32], threads: usize) -> Result<(), Error> {
        let mut largest = vec![1.0; G::OBSERVATION_LEN];
        for part in G::OBSERVATION {
            let size = part.low.unsigned_abs().max(part.high.unsigned_abs()).max(1);
            largest[part.start..part.start + part.len].fill(f32::from(size));
        }
        let write = |part: Part<'_, _, _>| observe_scaled(&self.game, viewers, &largest, part);
        fill(&self.rows, out, G::OBSERVATION_LEN, threads, write)
    }

    fn masks(&self, out: &mut [i8], threads: usize) -> Result<(), Error> {
        fill(&self.rows, out, G::NUM_ACTIONS, threads, |part| masks(&self.game, part))
    }

    fn expected_returns(
        &self,
        agent: &Agent,
        out: &mut [f64],
        threads: usize,
        control: &Control,
    ) -> Result<(), Error> {
        let bound = agent.bind(&self.game)?;
        let (Agent::Expectimax(settings) | Agent::Network(settings)) = &bound else {
            return Err(Error::new(format!(
                "agent '{agent}' does not evaluate positions before a throw; use \"expectimax:N\" or a network"
            )));
        };
        let (players, cost) = (self.game.num_players(), bound.cost());
        let all = Part::all(&self.rows, out, players);
        share_out(Plan::new(self.rows.len(), cost, threads, 1), all, Some(control), |part| {
            for (state, cells) in part.states.iter().zip(part.out.chunks_exact_mut(players)) {
                let values = expectimax::expected_returns(&self.game, state, settings, control);
                cells.copy_from_slice(values.as_slice());
            }
        })?;
        if control.is_called_off() { Err(Error::Cancelled) } else { Ok(()) }
    }

    fn apply_actions(&mut self, actions: &[i64], threads: usize, control: &Control) -> Result<(), Error> {
        let decides = |game: &G, state: &G::State| matches!(game.turn(state), Turn::Player(_));
        let takes = |game: &G, state: &G::State, id: i64| {
            let legal = |id| game.legal_actions(state).contains(Action(id));
            !decides(game, state) || u16::try_from(id).is_ok_and(legal)
        };
        self.play(actions, threads, control, takes, |game, state, id| {
            if decides(game, state) {
                game.apply(state, Action(id as u16), &mut ());
            }
        })
    }

    fn apply_outcomes(&mut self, outcomes: &[i64], threads: usize, control: &Control) -> Result<(), Error> {
        let takes = |game: &G, state: &G::State, id: i64| {
            let known = |id| id < game.chance(state).weights().len();
            game.turn(state) != Turn::Chance || usize::try_from(id).is_ok_and(known)
        };
        self.play(outcomes, threads, control, takes, |game, state, id| {
            if game.turn(state) == Turn::Chance {
                game.resolve(state, Outcome(id as u8), &mut ());
            }
        })
    }

    fn sample_chance(
        &mut self,
        seed: u64,
        stream: &(dyn Fn(usize) -> u64 + Sync),
        threads: usize,
    ) -> Result<(), Error> {
        let game = &self.game;
        let all = Rows { first: 0, states: &mut self.rows[..] };
        share_out(Plan::new(all.states.len(), 4, threads, 1), all, None, |rows| {
            for (at, state) in rows.states.iter_mut().enumerate() {
                if game.turn(state) == Turn::Chance {
                    let mut dice = Stream::new(seed, stream(rows.first + at));
                    settle(game, state, &mut dice, &mut ());
                }
            }
        })
    }

    fn expand(
        &self,
        way: Way,
        max_rows: usize,
        threads: usize,
        control: &Control,
    ) -> Result<Expansion, Error> {
        expansion::expand(self, way, max_rows, threads, control)
    }
}

/// Whose view is written of a row.
#[cfg_attr(fast, inline(always))]
fn viewer<G: Game>(game: &G, viewers: &Viewers, row: usize, state: &G::State) -> Player {
    match (viewers, game.turn(state)) {
        (Viewers::ToAct, Turn::Player(player)) => player,
        (Viewers::ToAct, Turn::Chance | Turn::Over) => Player(0),
        (Viewers::OnTurn, _) => game.player_on_turn(state).unwrap_or(Player(0)),
        (Viewers::Seat(player), _) => *player,
        (Viewers::Each(seats), _) => Player(seats[row]),
    }
}

multiversion! {
    fn observe[G: Encode](game: &G, viewers: &Viewers, part: Part<'_, G::State, i8>) -> () {
        let rows = part.states.iter().zip(part.out.chunks_exact_mut(G::OBSERVATION_LEN));
        for (at, (state, cells)) in rows.enumerate() {
            game.observe(state, viewer(game, viewers, part.first + at, state), cells);
        }
    }
}

multiversion! {
    fn observe_scaled[G: Encode](
        game: &G,
        viewers: &Viewers,
        largest: &[f32],
        part: Part<'_, G::State, f32>,
    ) -> () {
        let mut plain = vec![0; G::OBSERVATION_LEN];
        let rows = part.states.iter().zip(part.out.chunks_exact_mut(G::OBSERVATION_LEN));
        for (at, (state, cells)) in rows.enumerate() {
            game.observe(state, viewer(game, viewers, part.first + at, state), &mut plain);
            for ((cell, &value), &largest) in cells.iter_mut().zip(&plain).zip(largest) {
                *cell = f32::from(value) / largest;
            }
        }
    }
}

multiversion! {
    fn masks[G: Game](game: &G, part: Part<'_, G::State, i8>) -> () {
        for (state, cells) in part.states.iter().zip(part.out.chunks_exact_mut(G::NUM_ACTIONS)) {
            match game.turn(state) {
                Turn::Player(_) => game.legal_actions(state).write_mask(cells),
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
