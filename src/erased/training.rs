//! Training of networks for any game.

use std::fmt::Debug;

use serde_json::Value;

use crate::base::control::Control;
use crate::base::error::Error;
use crate::nets::Net;
use crate::play::training::Trainer;
use crate::rules::game::FullGame;

/// Any [`Trainer`].
pub trait AnyTrainer: Debug + Send {
    /// See [`Trainer::play`].
    ///
    /// # Errors
    /// As there.
    fn play(&mut self, games: u64, control: &Control) -> Result<(), Error>;
    /// See [`Trainer::net`].
    ///
    /// # Errors
    /// As there.
    fn net(&self, card: &str) -> Result<Net, Error>;
    /// See [`crate::Game::DICE`].
    fn has_dice(&self) -> bool;
    /// See [`Trainer::training`]; as JSON.
    fn training(&self) -> Value;
}

impl<G: FullGame> AnyTrainer for Trainer<G> {
    fn play(&mut self, games: u64, control: &Control) -> Result<(), Error> {
        Trainer::play(self, games, control)
    }
    fn net(&self, card: &str) -> Result<Net, Error> {
        Trainer::net(self, card)
    }
    fn has_dice(&self) -> bool {
        G::DICE
    }
    fn training(&self) -> Value {
        serde_json::to_value(Trainer::training(self)).expect("plain data")
    }
}
