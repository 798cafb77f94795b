//! Training of networks; see `sarai.train`.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use crate::convert::{OrRaise, seed, text, time, value_error, whole_in};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

use crate::classes::Game;
use crate::nets::Net;
use crate::watch::watched;
use sarai::base::{Control, try_lock};
use sarai::nets::MAX_UNITS;
use sarai::play::{AnyTrainer, MAX_AHEAD, MAX_GAMES, Training};

/// A network that learns.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Trainer {
    /// Held while it plays, also while `progress` is called: other calls do not wait for it.
    trainer: Mutex<Box<dyn AnyTrainer>>,
}

#[pymethods]
impl Trainer {
    /// A network that knows nothing, with so many hidden units, or the weights of this one.
    #[new]
    #[pyo3(signature = (game, *, begin, seed, lambda_, rate, epsilon, ahead, tables))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        game: &Bound<'_, Game>,
        begin: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        lambda_: Option<f64>,
        rate: Option<f64>,
        epsilon: Option<f64>,
        ahead: &Bound<'_, PyAny>,
        tables: bool,
    ) -> PyResult<Self> {
        let seed = self::seed(seed, "seed")?;
        let ahead = whole_in(ahead, "ahead", 1, i128::from(MAX_AHEAD))? as u8;
        let usual = game.get().game.usual_training(seed);
        let training = Training {
            lambda: lambda_.unwrap_or(usual.lambda),
            rate: rate.unwrap_or(usual.rate),
            epsilon: epsilon.unwrap_or(usual.epsilon),
            ahead,
            tables,
            ..usual
        };
        let book = &game.get().game;
        let trainer = match begin.cast::<Net>() {
            Ok(net) => book.trainer_from(net.get().net(), Some(training)),
            Err(_) => book.trainer(whole_in(begin, "hidden", 1, MAX_UNITS as i128)? as usize, training),
        }
        .or_raise()?;
        Ok(Trainer { trainer: Mutex::new(trainer) })
    }

    /// A network that was trained before, as if its training had not stopped.
    #[staticmethod]
    fn resumed(game: &Bound<'_, Game>, net: &Bound<'_, Net>) -> PyResult<Self> {
        Ok(Trainer { trainer: Mutex::new(game.get().game.trainer_from(net.get().net(), None).or_raise()?) })
    }

    /// Plays so many games, or as many as so many seconds allow, and learns from them. Whatever `progress` or Ctrl-C raise,
    /// what was learnt by then stays.
    #[pyo3(signature = (games, *, seconds=None, progress=None))]
    fn play(
        &self,
        py: Python<'_>,
        games: &Bound<'_, PyAny>,
        seconds: Option<f64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let games = whole_in(games, "games", 0, i128::from(MAX_GAMES))? as u64;
        let control = Control::until(time(seconds)?);
        watched(py, progress, || try_lock(&self.trainer).map(|mut trainer| trainer.play(games, &control)))?
            .ok_or_else(playing)?
            .or_raise()?;
        if control.cancel.load(Ordering::Relaxed) { Err(PyKeyboardInterrupt::new_err(())) } else { Ok(()) }
    }

    /// The network as it is now.
    fn net(&self, card: &Bound<'_, PyAny>) -> PyResult<Net> {
        try_lock(&self.trainer).ok_or_else(playing)?.net(&text(card, "card")?).map(Net::of).or_raise()
    }

    /// Whether chance comes after the first decision of a game.
    fn has_dice(&self) -> PyResult<bool> {
        Ok(try_lock(&self.trainer).ok_or_else(playing)?.has_dice())
    }

    /// How it is trained, and for how long it was, as JSON.
    fn training_json(&self) -> PyResult<String> {
        let trainer = try_lock(&self.trainer).ok_or_else(playing)?;
        serde_json::to_string(trainer.training()).map_err(value_error)
    }
}

/// Whether the last layer of a network is the one that adds up what the others learn, and does not learn itself.
#[pyfunction]
pub(crate) fn adds_up(game: &Bound<'_, Game>, net: &Bound<'_, Net>) -> bool {
    let (book, net) = (&game.get().game, net.get().net());
    net.mlp().units().count() == 3 && book.trainer_from(net, Some(book.usual_training(0))).is_ok()
}

fn playing() -> PyErr {
    PyRuntimeError::new_err("the trainer is playing; ask it when it is done")
}
