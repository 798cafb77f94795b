//! Long calls: the work runs without the GIL on the thread that called, which looks up now and then for Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use numpy::PyArrayMethods;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::convert::{actions, as_given, text, value_error, zeros};
use crate::base::control::{Control, watching};
use crate::base::threads::lock;
use crate::erased::{AnyGame, AnyPlaying};
use crate::play::game_in_play::Seat;

/// How often progress is reported while agents outside the engine are asked.
const REPORT: Duration = Duration::from_millis(100);

/// Does `work` without the GIL. A panic in it, which is a bug of ours, becomes an error.
///
/// # Errors
/// The bug.
pub(super) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|_| PyRuntimeError::new_err("the engine failed; this is a bug in sarai, please report it"))
}

/// The same, while this thread looks for Ctrl-C and reports progress about ten times a second.
///
/// # Errors
/// What Ctrl-C or `progress` raised; the control that the work asks was cancelled then, and the work has ended.
pub(super) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    // Held here as well, so that neither is given up where there is no GIL.
    let progress = Arc::new(progress.map(|progress| progress.clone().unbind()));
    let raised = Arc::new(Mutex::new(None));
    let (report, told) = (Arc::clone(&progress), Arc::clone(&raised));
    let look = move |control: &Control| {
        let glance = Python::attach(|py| {
            py.check_signals()?;
            if let Some(report) = report.as_ref() {
                report.call1(py, (control.done.load(Ordering::Relaxed),))?;
            }
            PyResult::Ok(())
        });
        match glance {
            Ok(()) => false,
            Err(error) => {
                *lock(&told) = Some(error);
                true
            }
        }
    };
    let done = detached(py, || watching(look, work));
    let raised = lock(&raised).take();
    match raised {
        Some(error) => Err(error),
        None => done,
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
                "agents has {} entries; this game has {} seats and needs an agent for each",
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
        if agent.is_instance_of::<PyString>() {
            return Ok(Seat::Inside(text(&agent, "an agent's name")?.parse()?));
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
        let mut reported = Instant::now();
        while !watched(py, progress, || playing.advance(&control))?? {
            for (number, agent) in self.outside.iter().enumerate() {
                let rows = playing.questions(number);
                if rows == 0 {
                    continue;
                }
                let observations = zeros::<i8, 2>(py, [rows, game.observation_len()])?;
                let masks = zeros::<i8, 2>(py, [rows, game.num_actions()])?;
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
            // A round between two questions is too short for a look of its own.
            if let Some(progress) = progress
                && reported.elapsed() >= REPORT
            {
                progress.call1((control.done.load(Ordering::Relaxed),))?;
                reported = Instant::now();
            }
        }
        if let Some(progress) = progress {
            progress.call1((control.done.load(Ordering::Relaxed),))?;
        }
        Ok(())
    }
}
