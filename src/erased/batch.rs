//! Any batch.

use std::fmt::Debug;

use super::position::AnyPosition;
use super::states::AnyStates;
use crate::base::error::Error;
use crate::play::batch::{Asked, Batch, Casts, Out, Seeds, Snapshot};
use crate::play::game_in_play::Counts;
use crate::play::states::States;
use crate::rules::game::FullGame;
use crate::rules::position::Position;

/// Any [`Batch`].
pub trait AnyBatch: Debug + Send + Sync {
    /// See [`Batch::step`].
    ///
    /// # Errors
    /// As there.
    fn step(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error>;
    /// See [`Batch::asked`].
    fn asked(&self) -> Vec<Asked>;
    /// See [`Batch::ask`].
    fn ask(&self, observations: &mut [i8], masks: &mut [i8]);
    /// See [`Batch::asked_states`].
    ///
    /// # Errors
    /// As there.
    fn asked_states(&self) -> Result<Box<dyn AnyStates>, Error>;
    /// See [`Batch::answer`].
    ///
    /// # Errors
    /// As there.
    fn answer(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error>;
    /// See [`Batch::ready`].
    ///
    /// # Errors
    /// As there.
    fn ready(&self) -> Result<(), Error>;
    /// See [`Batch::reset`].
    ///
    /// # Errors
    /// As there.
    fn reset(&mut self, seeds: &Seeds, only: Option<&[bool]>, out: &mut Out<'_>) -> Result<bool, Error>;
    /// See [`Batch::reset_from`].
    ///
    /// # Errors
    /// As there; also where the states are of another rule book, or as many as neither one nor the lanes.
    fn reset_from(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        starts: &dyn AnyStates,
        out: &mut Out<'_>,
    ) -> Result<bool, Error>;
    /// See [`Batch::set_casts`].
    ///
    /// # Errors
    /// As there.
    fn set_casts(&mut self, casts: &Casts, moved: &[Option<u32>]) -> Result<(), Error>;
    /// See [`Batch::set_starts`]; `None` for the usual start.
    ///
    /// # Errors
    /// As there; also where the states are of another rule book, or there are none.
    fn set_starts(&mut self, starts: Option<&dyn AnyStates>) -> Result<(), Error>;
    /// See [`Batch::casts`].
    fn casts(&self, last: bool) -> Box<dyn Iterator<Item = u32> + '_>;
    /// See [`Batch::episodes`].
    fn episodes(&self) -> Box<dyn Iterator<Item = u32> + '_>;
    /// See [`Batch::counts`].
    fn counts(&self, last: bool) -> Box<dyn Iterator<Item = &Counts> + '_>;
    /// See [`Batch::is_slow`].
    fn is_slow(&self) -> bool;
    /// See [`Batch::observe`].
    fn observe(&self, out: &mut Out<'_>);
    /// See [`Batch::masks`].
    fn masks(&self, masks: &mut [i8]);
    /// The position of a lane.
    fn position(&self, lane: usize) -> Option<Box<dyn AnyPosition>>;
    /// See [`Batch::snapshot`].
    fn snapshot(&self) -> Snapshot;
}

/// The states, which are of this rule book.
fn of_game<'a, G: FullGame>(states: &'a dyn AnyStates, game: &G) -> Result<&'a States<G>, Error> {
    let known = states.as_any().downcast_ref::<States<G>>();
    let known = known.filter(|states| states.game().rules() == game.rules());
    known.ok_or_else(|| Error::new("the states belong to another game or to other rules"))
}

impl<G: FullGame> AnyBatch for Batch<G> {
    fn step(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error> {
        Batch::step(self, actions, out)
    }
    fn asked(&self) -> Vec<Asked> {
        Batch::asked(self).collect()
    }
    fn ask(&self, observations: &mut [i8], masks: &mut [i8]) {
        Batch::ask(self, observations, masks);
    }
    fn asked_states(&self) -> Result<Box<dyn AnyStates>, Error> {
        Ok(Box::new(States::of(self.game().clone(), Batch::asked_states(self)?)))
    }
    fn answer(&mut self, actions: &[i64], out: Out<'_>) -> Result<bool, Error> {
        Batch::answer(self, actions, out)
    }
    fn ready(&self) -> Result<(), Error> {
        Batch::ready(self)
    }
    fn reset(&mut self, seeds: &Seeds, only: Option<&[bool]>, out: &mut Out<'_>) -> Result<bool, Error> {
        Batch::reset(self, seeds, only, out)
    }
    fn reset_from(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        starts: &dyn AnyStates,
        out: &mut Out<'_>,
    ) -> Result<bool, Error> {
        let starts = of_game(starts, self.game())?;
        let (rows, lanes) = (starts.len(), self.num_lanes());
        if rows != 1 && rows != lanes {
            return Err(Error::new(format!(
                "there are {rows} states for {lanes} lanes; give one for all of them, or one for each"
            )));
        }
        Batch::reset_from(self, seeds, only, starts.rows(), out)
    }
    fn set_casts(&mut self, casts: &Casts, moved: &[Option<u32>]) -> Result<(), Error> {
        Batch::set_casts(self, casts, moved)
    }
    fn set_starts(&mut self, starts: Option<&dyn AnyStates>) -> Result<(), Error> {
        let Some(starts) = starts else { return Batch::set_starts(self, &[]) };
        let starts = of_game(starts, self.game())?;
        if starts.is_empty() {
            return Err(Error::new("there are no states for games to begin in"));
        }
        Batch::set_starts(self, starts.rows())
    }
    fn casts(&self, last: bool) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(Batch::casts(self, last))
    }
    fn episodes(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(Batch::episodes(self))
    }
    fn counts(&self, last: bool) -> Box<dyn Iterator<Item = &Counts> + '_> {
        Box::new(Batch::counts(self, last))
    }
    fn is_slow(&self) -> bool {
        Batch::is_slow(self)
    }
    fn observe(&self, out: &mut Out<'_>) {
        Batch::observe(self, out);
    }
    fn position(&self, lane: usize) -> Option<Box<dyn AnyPosition>> {
        let state = self.state(lane)?;
        let position = Position::from_state(self.game().clone(), *state).ok()?;
        Some(Box::new(position))
    }
    fn masks(&self, masks: &mut [i8]) {
        Batch::masks(self, masks);
    }
    fn snapshot(&self) -> Snapshot {
        Batch::snapshot(self)
    }
}
