//! Any games under way.

use std::fmt::Debug;

use super::states::AnyStates;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::play::metrics::{Measured, Measuring};
use crate::play::rollout::{Columns, Rollout};
use crate::play::series::{SeriesColumns, SeriesRun};
use crate::play::states::States;
use crate::play::window::Playing;
use crate::rules::game::FullGame;

/// Games under way, some of whose seats may belong to agents outside the engine: any [`Rollout`],
/// [`Measuring`] or [`SeriesRun`].
pub trait AnyPlaying: Debug + Send {
    /// See [`Playing::advance`].
    ///
    /// # Errors
    /// As there.
    fn advance(&mut self, control: &Control) -> Result<bool, Error>;
    /// See [`crate::play::window::Asking::questions`].
    fn questions(&self, agent: usize) -> usize;
    /// The states of [`crate::play::window::Asking::asked`].
    ///
    /// # Errors
    /// As there.
    fn asked(&self, agent: usize) -> Result<Box<dyn AnyStates>, Error>;
    /// See [`crate::play::window::Asking::ask`].
    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]);
    /// See [`crate::play::window::Asking::answer`].
    ///
    /// # Errors
    /// As there.
    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), Error>;
}

impl<P: Playing> AnyPlaying for P {
    fn advance(&mut self, control: &Control) -> Result<bool, Error> {
        Playing::advance(self, control)
    }
    fn questions(&self, agent: usize) -> usize {
        self.asking().questions(agent)
    }
    fn asked(&self, agent: usize) -> Result<Box<dyn AnyStates>, Error> {
        let asking = self.asking();
        Ok(Box::new(States::of(asking.book().clone(), asking.asked(agent)?)))
    }
    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]) {
        self.asking().ask(agent, observations, masks);
    }
    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), Error> {
        self.asking_mut().answer(agent, actions)
    }
}

/// Any [`Measuring`].
pub trait AnyMeasuring: AnyPlaying {
    /// See [`Measuring::into_measured`].
    fn into_measured(self: Box<Self>) -> Measured;
}

impl<G: FullGame> AnyMeasuring for Measuring<G> {
    fn into_measured(self: Box<Self>) -> Measured {
        Measuring::into_measured(*self)
    }
}

/// Any [`Rollout`].
pub trait AnyRollout: AnyPlaying {
    /// See [`Rollout::into_columns`].
    fn into_columns(self: Box<Self>) -> Columns;
    /// See [`Rollout::draw_states`].
    ///
    /// # Errors
    /// As there.
    fn draw_states(&mut self) -> Result<(), Error>;
    /// See [`Rollout::time_choices`].
    fn time_choices(&mut self);
    /// See [`Rollout::into_drawn`].
    fn into_drawn(self: Box<Self>) -> Box<dyn AnyStates>;
}

impl<G: FullGame> AnyRollout for Rollout<G> {
    fn into_columns(self: Box<Self>) -> Columns {
        Rollout::into_columns(*self)
    }
    fn draw_states(&mut self) -> Result<(), Error> {
        Rollout::draw_states(self)
    }
    fn time_choices(&mut self) {
        Rollout::time_choices(self);
    }
    fn into_drawn(self: Box<Self>) -> Box<dyn AnyStates> {
        Box::new(Rollout::into_drawn(*self))
    }
}

/// Any [`SeriesRun`].
pub trait AnySeries: AnyPlaying {
    /// See [`SeriesRun::into_columns`].
    fn into_columns(self: Box<Self>) -> SeriesColumns;
}

impl<G: FullGame> AnySeries for SeriesRun<G> {
    fn into_columns(self: Box<Self>) -> SeriesColumns {
        SeriesRun::into_columns(*self)
    }
}
