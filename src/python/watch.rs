//! Long calls: the work runs without the GIL on a thread of its own, while the calling thread looks for Ctrl-C.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use super::convert::{actions, as_given, value_error};
use crate::erased::{AnyGame, AnyPlaying};
use crate::playout::Seat;
use crate::window::Control;

/// How often a long call looks for Ctrl-C and reports progress.
const GLANCE: Duration = Duration::from_millis(100);

/// Does `work` on a thread of its own, without the GIL, while this one looks for Ctrl-C and reports progress.
///
/// # Errors
/// What Ctrl-C or `progress` raised; the control's `cancel` was set then, and the work waited for.
pub(super) fn watched<T: Send>(
    py: Python<'_>,
    control: &Control,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let progress = progress.map(|progress| progress.clone().unbind());
    let mut interrupted = None;
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = scope.spawn(move || {
                let done = work();
                drop(sender);
                done
            });
            // The worker's end drops the sender, in a panic too.
            while receiver.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                let glance = Python::attach(|py| {
                    py.check_signals()?;
                    if let Some(progress) = &progress {
                        progress.call1(py, (control.done.load(Ordering::Relaxed),))?;
                    }
                    PyResult::Ok(())
                });
                if let Err(error) = glance {
                    interrupted.get_or_insert(error);
                    control.cancel.store(true, Ordering::Relaxed);
                }
            }
            worker.join()
        })
    });
    match (interrupted, done) {
        (Some(error), _) => Err(error),
        (None, Ok(done)) => Ok(done),
        (None, Err(_)) => {
            Err(PyRuntimeError::new_err("the engine failed while playing; this is a bug in sarai"))
        }
    }
}

/// Who sits in each seat, and the callables among them, each once for all its seats.
pub(super) struct Agents<'py> {
    pub(super) seats: Vec<Seat>,
    outside: Vec<Bound<'py, PyAny>>,
}

impl<'py> Agents<'py> {
    /// Agents by name, or callables, one a seat.
    ///
    /// # Errors
    /// When they are not as many as seats, or one is neither.
    pub(super) fn new(game: &dyn AnyGame, agents: Vec<Bound<'py, PyAny>>) -> PyResult<Self> {
        if agents.len() != game.num_players() {
            return Err(value_error(format!(
                "agents has {} entries; this game has {} seats, one agent each",
                agents.len(),
                game.num_players()
            )));
        }
        let mut found = Agents { seats: Vec::with_capacity(agents.len()), outside: Vec::new() };
        for agent in agents {
            let seat = found.seat(agent)?;
            found.seats.push(seat);
        }
        Ok(found)
    }

    fn seat(&mut self, agent: Bound<'py, PyAny>) -> PyResult<Seat> {
        if let Ok(name) = agent.extract::<String>() {
            return Ok(Seat::Inside(name.parse().map_err(value_error)?));
        }
        if !agent.is_callable() {
            return Err(PyTypeError::new_err(format!(
                "an agent must be a name or a callable, not {}",
                agent.get_type().name()?
            )));
        }
        if let Some(number) = self.outside.iter().position(|known| known.is(&agent)) {
            return Ok(Seat::Outside(number));
        }
        self.outside.push(agent);
        Ok(Seat::Outside(self.outside.len() - 1))
    }

    /// Plays everything to its end, asking the callables.
    ///
    /// # Errors
    /// What Ctrl-C, a callable or `progress` raised, and what the engine refuses.
    pub(super) fn play(
        &self,
        py: Python<'py>,
        game: &dyn AnyGame,
        playing: &mut dyn AnyPlaying,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let control = Control::default();
        let mut chosen = Vec::new();
        while !watched(py, &control, progress, || playing.advance(&control))?? {
            for (number, agent) in self.outside.iter().enumerate() {
                let rows = playing.questions(number);
                if rows == 0 {
                    continue;
                }
                let observations = PyArray2::<i8>::zeros(py, [rows, game.observation_len()], false);
                let masks = PyArray2::<i8>::zeros(py, [rows, game.num_actions()], false);
                playing.ask(
                    number,
                    observations.readwrite().as_slice_mut()?,
                    masks.readwrite().as_slice_mut()?,
                );
                let answer = agent.call1((observations, masks))?;
                let given = actions(&answer, rows, "the actions that an agent returned", &mut chosen)?;
                playing.answer(number, &chosen).map_err(|error| as_given(error, given, py))?;
            }
            py.check_signals()?;
        }
        if let Some(progress) = progress {
            progress.call1((control.done.load(Ordering::Relaxed),))?;
        }
        Ok(())
    }
}
