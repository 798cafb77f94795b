//! Any batch.

use std::fmt::Debug;

use super::position::AnyPosition;
use super::states::AnyStates;
use crate::base::error::BadRequest;
use crate::play::batch::{Batch, Out, Seeds, Snapshot, StepError};
use crate::play::states::States;
use crate::rules::error::Broken;
use crate::rules::game::FullGame;
use crate::rules::position::Position;

/// Any [`Batch`].
pub trait AnyBatch: Debug + Send + Sync {
    /// See [`Batch::step`].
    ///
    /// # Errors
    /// As there.
    fn step(&mut self, actions: &[i64], only: Option<&[bool]>, out: Out<'_>) -> Result<(), StepError>;
    /// See [`Batch::reset`].
    ///
    /// # Errors
    /// As there.
    fn reset(&mut self, seeds: &Seeds, only: Option<&[bool]>, out: &mut Out<'_>) -> Result<(), StepError>;
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
    ) -> Result<(), StepError>;
    /// See [`Batch::observe`].
    fn observe(&self, out: &mut Out<'_>);
    /// See [`Batch::masks`].
    fn masks(&self, masks: &mut [i8]);
    /// See [`Batch::serial`].
    fn serial(&self) -> u64;
    /// See [`Batch::go_back`].
    ///
    /// # Errors
    /// As there.
    fn go_back(&mut self) -> Result<(), BadRequest>;
    /// The position of a lane.
    fn position(&self, lane: usize) -> Option<Box<dyn AnyPosition>>;
    /// See [`Batch::copy`].
    ///
    /// # Errors
    /// As there.
    fn copy(&self) -> Result<Box<dyn AnyBatch>, BadRequest>;
    /// See [`Batch::snapshot`].
    fn snapshot(&self) -> Snapshot;
    /// See [`Batch::restore`].
    ///
    /// # Errors
    /// As there.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Broken>;
}

impl<G: FullGame> AnyBatch for Batch<G> {
    fn step(&mut self, actions: &[i64], only: Option<&[bool]>, out: Out<'_>) -> Result<(), StepError> {
        Batch::step(self, actions, only, out)
    }
    fn reset(&mut self, seeds: &Seeds, only: Option<&[bool]>, out: &mut Out<'_>) -> Result<(), StepError> {
        Batch::reset(self, seeds, only, out)
    }
    fn reset_from(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        starts: &dyn AnyStates,
        out: &mut Out<'_>,
    ) -> Result<(), StepError> {
        let known = starts.as_any().downcast_ref::<States<G>>();
        let Some(starts) = known.filter(|starts| starts.game().rules() == self.game().rules()) else {
            return Err(StepError::Refused(BadRequest::new(
                "the states belong to another game or to other rules",
            )));
        };
        let (rows, lanes) = (starts.len(), self.num_lanes());
        if rows != 1 && rows != lanes {
            return Err(StepError::Refused(BadRequest::new(format!(
                "there are {rows} states for {lanes} lanes; give one for all of them, or one for each"
            ))));
        }
        Batch::reset_from(self, seeds, only, starts.rows(), out)
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
    fn serial(&self) -> u64 {
        Batch::serial(self)
    }
    fn go_back(&mut self) -> Result<(), BadRequest> {
        Batch::go_back(self)
    }
    fn copy(&self) -> Result<Box<dyn AnyBatch>, BadRequest> {
        Ok(Box::new(Batch::copy(self)?))
    }
    fn snapshot(&self) -> Snapshot {
        Batch::snapshot(self)
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Broken> {
        Batch::restore(self, snapshot)
    }
}
