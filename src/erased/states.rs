//! Any batch of states.

use std::any::Any;
use std::fmt::Debug;

use super::forest::AnyForest;
use super::position::AnyPosition;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::play::forest::{Forest, ForestConfig};
use crate::play::states::{Expansion, States, Taken, Viewers};
use crate::rules::game::FullGame;
use crate::rules::position::Position;

/// Any [`States`].
pub trait AnyStates: Any + Debug + Send + Sync {
    /// See [`States::len`].
    fn len(&self) -> usize;
    /// See [`States::is_empty`].
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`States::position`].
    fn position(&self, row: usize) -> Option<Box<dyn AnyPosition>>;
    /// See [`States::take`].
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// When there is no such row.
    fn take(&self, rows: &[usize]) -> Result<Box<dyn AnyStates>, Error>;
    /// See [`States::copy`].
    ///
    /// # Errors
    /// As there.
    fn copy(&self) -> Result<Box<dyn AnyStates>, Error>;
    /// Adds a position; false where it is of another rule book.
    ///
    /// # Errors
    /// When there is not enough memory for it.
    fn push(&mut self, position: &dyn AnyPosition) -> Result<bool, Error>;
    /// Adds the rows of other states; false where they are of another rule book.
    ///
    /// # Errors
    /// As [`States::append`].
    fn append(&mut self, other: &dyn AnyStates) -> Result<bool, Error>;
    /// Whether the other has the same rows under the same rules.
    fn same(&self, other: &dyn AnyStates) -> bool;
    /// The text of each row, a line each.
    ///
    /// # Errors
    /// When there is not enough memory for it.
    fn text(&self) -> Result<String, Error>;
    /// Adds the states that lines of text describe.
    ///
    /// # Errors
    /// When one describes none, or one that breaks an invariant.
    fn read(&mut self, lines: &str) -> Result<(), Error>;
    /// See [`States::current_players`].
    fn current_players(&self, out: &mut [i8]);
    /// See [`States::turns_passed`].
    fn turns_passed(&self, out: &mut [i32]);
    /// See [`States::winners`].
    fn winners(&self, out: &mut [i8]);
    /// See [`States::returns`].
    fn returns(&self, out: &mut [f32]);
    /// See [`States::observe`].
    ///
    /// # Errors
    /// As there.
    fn observe(&self, viewers: Viewers<'_>, out: &mut [i8], threads: usize) -> Result<(), Error>;
    /// See [`States::observe_scaled`].
    ///
    /// # Errors
    /// As there.
    fn observe_scaled(&self, viewers: Viewers<'_>, out: &mut [f32], threads: usize) -> Result<(), Error>;
    /// See [`States::masks`].
    ///
    /// # Errors
    /// As there.
    fn masks(&self, out: &mut [i8], threads: usize) -> Result<(), Error>;
    /// See [`States::apply_actions`].
    ///
    /// # Errors
    /// As there.
    fn apply_actions(&mut self, actions: &[i64], threads: usize, control: &Control) -> Result<(), Error>;
    /// See [`States::apply_outcomes`].
    ///
    /// # Errors
    /// As there.
    fn apply_outcomes(&mut self, outcomes: &[i64], threads: usize, control: &Control) -> Result<(), Error>;
    /// See [`States::sample_chance`].
    ///
    /// # Errors
    /// As there.
    fn sample_chance(&mut self, seed: u64, first_row: u64, threads: usize) -> Result<(), Error>;
    /// What can follow each row, in this way.
    ///
    /// # Errors
    /// As [`States::successors`].
    fn expand(
        &self,
        way: Way,
        max_rows: usize,
        threads: usize,
        control: &Control,
    ) -> Result<AnyExpansion, Error>;
    /// See [`Forest::new`].
    ///
    /// # Errors
    /// As there.
    fn forest(&self, config: ForestConfig) -> Result<Box<dyn AnyForest>, Error>;
    /// For [`AnyStates::same`].
    fn as_any(&self) -> &dyn Any;
}

/// What to expand by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// See [`States::successors`].
    Actions,
    /// See [`States::afterstates`].
    Turns,
    /// See [`States::chance_successors`].
    Outcomes,
}

/// Any [`Expansion`].
#[derive(Debug)]
pub struct AnyExpansion {
    /// The states that follow.
    pub states: Box<dyn AnyStates>,
    /// For each of them, the row that it follows.
    pub parent: Vec<i64>,
    /// Where those that follow each row begin, and where the last end.
    pub offsets: Vec<i64>,
    /// What led to each.
    pub taken: Taken,
}

impl<G: FullGame> AnyStates for States<G> {
    fn len(&self) -> usize {
        States::len(self)
    }
    fn position(&self, row: usize) -> Option<Box<dyn AnyPosition>> {
        Some(Box::new(States::position(self, row)?))
    }
    fn take(&self, rows: &[usize]) -> Result<Box<dyn AnyStates>, Error> {
        Ok(Box::new(States::take(self, rows)?))
    }
    fn copy(&self) -> Result<Box<dyn AnyStates>, Error> {
        Ok(Box::new(States::copy(self)?))
    }
    fn push(&mut self, position: &dyn AnyPosition) -> Result<bool, Error> {
        match position.as_any().downcast_ref::<Position<G>>() {
            Some(position) if position.game().rules() == self.game().rules() => {
                self.extend_trusted([*position.state()].into_iter())?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
    fn append(&mut self, other: &dyn AnyStates) -> Result<bool, Error> {
        match other.as_any().downcast_ref::<States<G>>() {
            Some(other) if other.game().rules() == self.game().rules() => {
                self.extend_trusted(other.rows().iter().copied())?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
    fn same(&self, other: &dyn AnyStates) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self == other)
    }
    fn text(&self) -> Result<String, Error> {
        let mut all = String::new();
        for state in self.rows() {
            let line = self.game().text(state);
            all.try_reserve(line.len() + 1)
                .map_err(|_| Error::no_memory("not enough memory for the text of these states"))?;
            all.push_str(&line);
            all.push('\n');
        }
        Ok(all)
    }
    fn read(&mut self, lines: &str) -> Result<(), Error> {
        for line in lines.lines() {
            super::text::check_length(line)?;
            let state = crate::Show::parse(self.game(), line)?;
            self.push_checked(state)?;
        }
        Ok(())
    }
    fn current_players(&self, out: &mut [i8]) {
        States::current_players(self, out);
    }
    fn turns_passed(&self, out: &mut [i32]) {
        States::turns_passed(self, out);
    }
    fn winners(&self, out: &mut [i8]) {
        States::winners(self, out);
    }
    fn returns(&self, out: &mut [f32]) {
        States::returns(self, out);
    }
    fn observe(&self, viewers: Viewers<'_>, out: &mut [i8], threads: usize) -> Result<(), Error> {
        States::observe(self, viewers, out, threads)
    }
    fn observe_scaled(&self, viewers: Viewers<'_>, out: &mut [f32], threads: usize) -> Result<(), Error> {
        States::observe_scaled(self, viewers, out, threads)
    }
    fn masks(&self, out: &mut [i8], threads: usize) -> Result<(), Error> {
        States::masks(self, out, threads)
    }
    fn apply_actions(&mut self, actions: &[i64], threads: usize, control: &Control) -> Result<(), Error> {
        States::apply_actions(self, actions, threads, control)
    }
    fn apply_outcomes(&mut self, outcomes: &[i64], threads: usize, control: &Control) -> Result<(), Error> {
        States::apply_outcomes(self, outcomes, threads, control)
    }
    fn sample_chance(&mut self, seed: u64, first_row: u64, threads: usize) -> Result<(), Error> {
        States::sample_chance(self, seed, first_row, threads)
    }
    fn expand(
        &self,
        way: Way,
        max_rows: usize,
        threads: usize,
        control: &Control,
    ) -> Result<AnyExpansion, Error> {
        let Expansion { states, parent, offsets, taken } = match way {
            Way::Actions => self.successors(max_rows, threads, control)?,
            Way::Turns => self.afterstates(max_rows, threads, control)?,
            Way::Outcomes => self.chance_successors(max_rows, threads, control)?,
        };
        Ok(AnyExpansion { states: Box::new(states), parent, offsets, taken })
    }
    fn forest(&self, config: ForestConfig) -> Result<Box<dyn AnyForest>, Error> {
        Ok(Box::new(Forest::new(States::copy(self)?, config)?))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
