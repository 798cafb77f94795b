//! Any trees of many positions.

use serde_json::Value;

use super::analysis::to_json;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::play::forest::{Forest, SearchResults};
use crate::rules::game::FullGame;

/// Any [`Forest`].
pub trait AnyForest: Send {
    /// See [`Forest::grow`].
    ///
    /// # Errors
    /// As there.
    fn grow(&mut self, control: &Control) -> Result<usize, Error>;
    /// See [`Forest::ask`].
    ///
    /// # Errors
    /// As there.
    fn ask(&self, observations: &mut [i8], masks: &mut [i8]) -> Result<(), Error>;
    /// See [`Forest::answer`].
    ///
    /// # Errors
    /// As there.
    fn answer(&mut self, values: &[f32], logits: Option<&[f32]>, control: &Control) -> Result<usize, Error>;
    /// See [`Forest::results`].
    fn results(&self) -> SearchResults;
    /// What is known of a row, see [`super::AnyPosition::analyse`]; `None` where it is nobody's turn.
    fn analysis(&self, row: usize) -> Option<Value>;
}

impl<G: FullGame> AnyForest for Forest<G> {
    fn grow(&mut self, control: &Control) -> Result<usize, Error> {
        Forest::grow(self, control)
    }
    fn ask(&self, observations: &mut [i8], masks: &mut [i8]) -> Result<(), Error> {
        Forest::ask(self, observations, masks)
    }
    fn answer(&mut self, values: &[f32], logits: Option<&[f32]>, control: &Control) -> Result<usize, Error> {
        Forest::answer(self, values, logits, control)
    }
    fn results(&self) -> SearchResults {
        Forest::results(self)
    }
    fn analysis(&self, row: usize) -> Option<Value> {
        Some(to_json(&self.roots().position(row)?, &Forest::analysis(self, row)?))
    }
}
