//! `rollout` and `series`: many games played to their end in one call.

use std::collections::BTreeSet;

use crate::convert::OrRaise;
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agents::Agents;
use crate::classes::Game;
use crate::convert::{num_threads, seed as seed_of, value_error, whole_in};
use crate::states::States;
use crate::watch::detached;
use sarai::erased::AnyGame;
use sarai::play::game_in_play::MAX_RANDOM_PLIES;
use sarai::play::rollout::{Columns, MAX_GAMES, RolloutConfig};
use sarai::play::series::{Goal, MAX_GAMES_A_SERIES, MAX_SERIES, MAX_TARGET, SeriesColumns, SeriesConfig};

/// Plays games to their end, from the start or, with `start=(states, games)`, that many from each of the states; see
/// `sarai.rollout` and `sarai.trajectories`.
#[pyfunction]
#[pyo3(signature = (
    game, num_games, agents, *, seed, first_game, num_threads, progress, record, max_decisions, keep, start,
    random_plies,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn rollout<'py>(
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
    keep: BTreeSet<usize>,
    start: Option<(Bound<'py, States>, usize)>,
    random_plies: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let book = &*game.get().game;
    let agents = Agents::new(game, agents)?;
    let config = RolloutConfig {
        num_games: whole_in(num_games, "num_games", 1, MAX_GAMES as i128)? as u64,
        first_game: whole_in(first_game, "first_game", 0, u64::MAX as i128)? as u64,
        seed: seed_of(seed, "seed")?,
        seats: agents.seats.clone(),
        random_plies: plies(random_plies)?,
        threads: self::num_threads(num_threads)?,
        record: match record {
            false => None,
            true => Some(whole_in(max_decisions, "max_decisions", 1, i64::MAX as i128)? as u64),
        },
        keep,
    };
    let mut rollout = match start {
        None => book.rollout(config).or_raise()?,
        Some((states, games)) => {
            let states = states.get().now();
            detached(py, || book.rollout_from(config, &*states, games))?.or_raise()?
        }
    };
    agents.play(py, rollout.as_mut(), progress)?;
    columns(py, book, rollout.into_columns())
}

/// Refuses agents that could not play this game, before anything is played.
#[pyfunction]
pub(crate) fn check_agents(game: &Bound<'_, Game>, agents: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
    let book = &*game.get().game;
    let seats = Agents::new(game, agents)?.seats;
    book.rollout(RolloutConfig {
        num_games: 1,
        first_game: 0,
        seed: 0,
        seats,
        random_plies: 0,
        threads: 1,
        record: None,
        keep: BTreeSet::new(),
    })
    .or_raise()?;
    Ok(())
}

/// Plays series of games; see `sarai.series`.
#[pyfunction]
#[pyo3(signature = (
    game, num_series, agents, *, target, consecutive, max_games, seed, first_series, num_threads, progress,
    random_plies,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn series<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    num_series: &Bound<'py, PyAny>,
    agents: Vec<Bound<'py, PyAny>>,
    target: &Bound<'py, PyAny>,
    consecutive: bool,
    max_games: &Bound<'py, PyAny>,
    seed: &Bound<'py, PyAny>,
    first_series: &Bound<'py, PyAny>,
    num_threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    random_plies: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let book = &*game.get().game;
    let agents = Agents::new(game, agents)?;
    let config = SeriesConfig {
        num_series: whole_in(num_series, "num_series", 1, MAX_SERIES as i128)? as u64,
        first_series: whole_in(first_series, "first_series", 0, u64::MAX as i128)? as u64,
        goal: Goal { target: whole_in(target, "target", 1, MAX_TARGET as i128)? as u32, consecutive },
        max_games: whole_in(max_games, "max_games", 1, MAX_GAMES_A_SERIES as i128)? as u32,
        seed: seed_of(seed, "seed")?,
        seats: agents.seats.clone(),
        random_plies: plies(random_plies)?,
        threads: self::num_threads(num_threads)?,
    };
    let mut series = book.series(config).or_raise()?;
    agents.play(py, series.as_mut(), progress)?;
    series_columns(py, book, series.into_columns())
}

fn plies(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(whole_in(given, "random_plies", 0, MAX_RANDOM_PLIES as i128)? as u32)
}

/// A table with a row a game or decision.
fn table<'py, T: Element>(py: Python<'py>, cells: Vec<T>, width: usize) -> PyResult<Bound<'py, PyArray2<T>>> {
    let rows = cells.len() / width;
    let table = Array2::from_shape_vec((rows, width), cells).map_err(value_error)?;
    Ok(table.into_pyarray(py))
}

/// The statistics by name, each with a row a game.
fn statistics<'py>(
    py: Python<'py>,
    game: &dyn AnyGame,
    columns: Vec<Vec<i32>>,
) -> PyResult<Bound<'py, PyDict>> {
    let stats = PyDict::new(py);
    for (name, column) in game.statistics().iter().zip(columns) {
        stats.set_item(name, table(py, column, game.num_players())?)?;
    }
    Ok(stats)
}

fn columns<'py>(py: Python<'py>, game: &dyn AnyGame, columns: Columns) -> PyResult<Bound<'py, PyDict>> {
    let players = game.num_players();
    let found = PyDict::new(py);
    found.set_item("returns", table(py, columns.returns, players)?)?;
    found.set_item("winner", PyArray1::from_vec(py, columns.winner))?;
    found.set_item("lengths", PyArray1::from_vec(py, columns.lengths))?;
    found.set_item("turns", PyArray1::from_vec(py, columns.turns))?;
    found.set_item("stats", statistics(py, game, columns.statistics)?)?;
    found.set_item("digests", PyArray1::from_vec(py, columns.digests))?;
    if let Some(steps) = columns.steps {
        found.set_item("observations", table(py, steps.observations, game.observation_len())?)?;
        found.set_item("masks", table(py, steps.masks, game.num_actions())?)?;
        found.set_item("actions", PyArray1::from_vec(py, steps.actions))?;
        found.set_item("players", PyArray1::from_vec(py, steps.players))?;
        found.set_item("rewards", table(py, steps.rewards, players)?)?;
        found.set_item("offsets", PyArray1::from_vec(py, steps.offsets))?;
    }
    let paths = PyDict::new(py);
    for (row, path) in columns.paths {
        paths.set_item(row, PyArray1::from_vec(py, path))?;
    }
    found.set_item("paths", paths)?;
    Ok(found)
}

fn series_columns<'py>(
    py: Python<'py>,
    game: &dyn AnyGame,
    columns: SeriesColumns,
) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    found.set_item("series_winner", PyArray1::from_vec(py, columns.series_winner))?;
    found.set_item("digests", PyArray1::from_vec(py, columns.digests))?;
    found.set_item("offsets", PyArray1::from_vec(py, columns.offsets))?;
    found.set_item("starter", PyArray1::from_vec(py, columns.starter))?;
    found.set_item("returns", table(py, columns.returns, game.num_players())?)?;
    found.set_item("winner", PyArray1::from_vec(py, columns.winner))?;
    found.set_item("lengths", PyArray1::from_vec(py, columns.lengths))?;
    found.set_item("turns", PyArray1::from_vec(py, columns.turns))?;
    found.set_item("stats", statistics(py, game, columns.statistics)?)?;
    Ok(found)
}

/// A state drawn from each of many games; see `sarai.sample_states`.
#[pyfunction]
#[pyo3(signature = (game, num_games, agents, *, seed, first_game, num_threads))]
pub(crate) fn sample_states<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    num_games: &Bound<'py, PyAny>,
    agents: Vec<Bound<'py, PyAny>>,
    seed: &Bound<'py, PyAny>,
    first_game: &Bound<'py, PyAny>,
    num_threads: Option<&Bound<'py, PyAny>>,
) -> PyResult<States> {
    let book = &*game.get().game;
    let agents = Agents::new(game, agents)?;
    let mut rollout = book
        .rollout(RolloutConfig {
            num_games: whole_in(num_games, "n", 1, MAX_GAMES as i128)? as u64,
            first_game: whole_in(first_game, "first_game", 0, u64::MAX as i128)? as u64,
            seed: seed_of(seed, "seed")?,
            seats: agents.seats.clone(),
            random_plies: 0,
            threads: self::num_threads(num_threads)?,
            record: None,
            keep: BTreeSet::new(),
        })
        .or_raise()?;
    rollout.draw_states().or_raise()?;
    agents.play(py, rollout.as_mut(), None)?;
    Ok(States::new(game.clone().unbind(), rollout.into_drawn()))
}
