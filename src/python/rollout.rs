//! `rollout`: many games played to their end in one call, watched from the thread that asked for them.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::convert::{actions, as_given, value_error, whole_in};
use super::game::Game;
use crate::erased::AnyRollout;
use crate::playout::Seat;
use crate::rollout::{Control, MAX_GAMES, RolloutConfig, RolloutError};

/// How often a long call looks for Ctrl-C and reports progress.
const GLANCE: Duration = Duration::from_millis(100);

/// Plays games to their end; see `sarai.rollout` and `sarai.trajectories`.
#[pyfunction]
#[pyo3(signature = (game, num_games, agents, *, seed, first_game, num_threads, progress, record, max_decisions))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(super) fn rollout<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    num_games: &Bound<'py, PyAny>,
    agents: Vec<Bound<'py, PyAny>>,
    seed: &Bound<'py, PyAny>,
    first_game: &Bound<'py, PyAny>,
    num_threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    record: bool,
    max_decisions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let book = &game.get().game;
    let mut outside: Vec<Bound<'py, PyAny>> = Vec::new();
    let mut seats = Vec::with_capacity(crate::player::MAX_PLAYERS);
    if agents.len() != book.num_players() {
        return Err(value_error(format!(
            "agents has {} entries; this game has {} seats, one agent each",
            agents.len(),
            book.num_players()
        )));
    }
    for agent in agents {
        seats.push(seat(agent, &mut outside)?);
    }
    let games = whole_in(num_games, "num_games", 1, MAX_GAMES as i128)? as u64;
    let config = RolloutConfig {
        num_games: games,
        first_game: whole_in(first_game, "first_game", 0, u64::MAX as i128)? as u64,
        seed: super::convert::seed(seed, "seed")?,
        seats,
        threads: super::convert::num_threads(num_threads)?,
        record: match record {
            false => None,
            true => Some(whole_in(max_decisions, "max_decisions", 1, i64::MAX as i128)? as u64),
        },
    };
    let mut rollout = book.rollout(config).map_err(value_error)?;
    let control = Control::default();
    let mut chosen = Vec::new();
    while !watched(py, rollout.as_mut(), &control, progress)? {
        for (number, agent) in outside.iter().enumerate() {
            let rows = rollout.questions(number);
            if rows == 0 {
                continue;
            }
            let observations = PyArray2::<i8>::zeros(py, [rows, book.observation_len()], false);
            let masks = PyArray2::<i8>::zeros(py, [rows, book.num_actions()], false);
            rollout.ask(number, observations.readwrite().as_slice_mut()?, masks.readwrite().as_slice_mut()?);
            let answer = agent.call1((observations, masks))?;
            let given = actions(&answer, rows, "the actions that an agent returned", &mut chosen)?;
            rollout.answer(number, &chosen).map_err(|error| as_given(error, given, py))?;
        }
        py.check_signals()?;
    }
    if let Some(progress) = progress {
        progress.call1((control.done.load(Ordering::Relaxed),))?;
    }
    columns(py, rollout, book.num_players(), book.observation_len(), book.num_actions(), &book.statistics())
}

/// Who sits in a seat: an agent's name, or a callable, the same one once for all its seats.
fn seat<'py>(agent: Bound<'py, PyAny>, outside: &mut Vec<Bound<'py, PyAny>>) -> PyResult<Seat> {
    if let Ok(name) = agent.extract::<String>() {
        return Ok(Seat::Inside(name.parse().map_err(value_error)?));
    }
    if !agent.is_callable() {
        return Err(PyTypeError::new_err(format!(
            "an agent must be a name or a callable, not {}",
            agent.get_type().name()?
        )));
    }
    if let Some(number) = outside.iter().position(|known| known.is(&agent)) {
        return Ok(Seat::Outside(number));
    }
    outside.push(agent);
    Ok(Seat::Outside(outside.len() - 1))
}

/// Advances a rollout on a thread of its own, without the GIL, while this one looks for Ctrl-C and reports progress.
fn watched(
    py: Python<'_>,
    rollout: &mut dyn AnyRollout,
    control: &Control,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    let progress = progress.map(|progress| progress.clone().unbind());
    let mut interrupted = None;
    let advanced = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = scope.spawn(move || {
                let advanced = rollout.advance(control);
                drop(sender);
                advanced
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
    match (interrupted, advanced) {
        (Some(error), _) => Err(error),
        (None, Ok(Ok(finished))) => Ok(finished),
        (None, Ok(Err(error))) => Err(RolloutError::into(error)),
        (None, Err(_)) => {
            Err(PyRuntimeError::new_err("the engine failed while playing; this is a bug in sarai"))
        }
    }
}

/// A table with a row a game or decision.
fn table<'py, T: Element>(py: Python<'py>, cells: Vec<T>, width: usize) -> PyResult<Bound<'py, PyArray2<T>>> {
    let rows = cells.len() / width;
    let table = Array2::from_shape_vec((rows, width), cells).map_err(value_error)?;
    Ok(table.into_pyarray(py))
}

fn columns<'py>(
    py: Python<'py>,
    rollout: Box<dyn AnyRollout>,
    players: usize,
    cells: usize,
    ids: usize,
    statistics: &[&str],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = rollout.into_columns();
    let found = PyDict::new(py);
    found.set_item("returns", table(py, columns.returns, players)?)?;
    found.set_item("winner", PyArray1::from_vec(py, columns.winner))?;
    found.set_item("lengths", PyArray1::from_vec(py, columns.lengths))?;
    found.set_item("turns", PyArray1::from_vec(py, columns.turns))?;
    let stats = PyDict::new(py);
    for (name, column) in statistics.iter().zip(columns.statistics) {
        stats.set_item(name, table(py, column, players)?)?;
    }
    found.set_item("stats", stats)?;
    if let Some(steps) = columns.steps {
        found.set_item("observations", table(py, steps.observations, cells)?)?;
        found.set_item("masks", table(py, steps.masks, ids)?)?;
        found.set_item("actions", PyArray1::from_vec(py, steps.actions))?;
        found.set_item("players", PyArray1::from_vec(py, steps.players))?;
        found.set_item("rewards", table(py, steps.rewards, players)?)?;
        found.set_item("offsets", PyArray1::from_vec(py, steps.offsets))?;
    }
    Ok(found)
}
