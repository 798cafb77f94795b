//! `rollout` and `series`: many games played to their end in one call.

use std::collections::BTreeSet;

use crate::convert::OrRaise;
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agents::Agents;
use crate::classes::Game;
use crate::convert::{value_error, whole_in};
use crate::run::Run;
use crate::states::States;
use crate::watch::detached;
use sarai::erased::AnyGame;
use sarai::play::game_in_play::Seat;
use sarai::play::recording::Spent;
use sarai::play::rollout::{Columns, RolloutConfig};
use sarai::play::series::{Goal, MAX_GAMES_A_SERIES, MAX_TARGET, SeriesColumns, SeriesConfig};

/// Plays games to their end; see `sarai.rollout` and `sarai.trajectories`. Where they are timed, there are two columns
/// more with an entry a seat: `seconds`, how long its agent took to choose, and `choices`, how often it chose.
#[pyfunction]
#[pyo3(signature = (run, progress, *, max_decisions = None, keep = BTreeSet::new(), timed = false))]
pub(crate) fn rollout<'py>(
    py: Python<'py>,
    run: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
    max_decisions: Option<&Bound<'py, PyAny>>,
    keep: BTreeSet<usize>,
    timed: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let run = Run::of(run)?;
    let book = &*run.game.get().game;
    let mut config = run.config();
    config.keep = keep;
    if let Some(most) = max_decisions {
        config.record = Some(whole_in(most, "max_decisions", 1, i64::MAX as i128)? as u64);
    }
    let mut rollout = match &run.start {
        None => book.rollout(config).or_raise()?,
        Some((states, games)) => {
            let states = states.get().now(py);
            detached(py, || book.rollout_from(config, &*states, *games))?.or_raise()?
        }
    };
    if timed {
        rollout.time_choices();
    }
    let asked = run.agents.play(py, rollout.as_mut(), progress)?;
    let columns = rollout.into_columns();
    let spent = timed.then(|| spent(&run.agents.seats, &columns.spent, &asked));
    let found = self::columns(py, book, columns)?;
    if let Some((seconds, choices)) = spent {
        found.set_item("seconds", PyArray1::from_vec(py, seconds))?;
        found.set_item("choices", PyArray1::from_vec(py, choices))?;
    }
    Ok(found)
}

/// For each seat the seconds and the number of its choices. Seats of one callable are asked together, and have equal
/// shares.
fn spent(seats: &[Seat], inside: &[Spent], outside: &[Spent]) -> (Vec<f64>, Vec<f64>) {
    let of = |(place, seat): (usize, &Seat)| {
        let (spent, shares) = match seat {
            Seat::Inside(_) => (inside[place], 1),
            Seat::Outside(number) => (outside[*number], seats.iter().filter(|other| *other == seat).count()),
        };
        (spent.time.as_secs_f64() / shares as f64, spent.choices as f64 / shares as f64)
    };
    seats.iter().enumerate().map(of).unzip()
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
#[pyo3(signature = (run, progress, *, target, consecutive, max_games))]
pub(crate) fn series<'py>(
    py: Python<'py>,
    run: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
    target: &Bound<'py, PyAny>,
    consecutive: bool,
    max_games: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let run = Run::of(run)?;
    let book = &*run.game.get().game;
    let config = SeriesConfig {
        num_series: run.num,
        first_series: run.first,
        goal: Goal { target: whole_in(target, "target", 1, MAX_TARGET as i128)? as u32, consecutive },
        max_games: whole_in(max_games, "max_games", 1, MAX_GAMES_A_SERIES as i128)? as u32,
        seed: run.seed,
        seats: run.agents.seats.clone(),
        random_plies: run.random_plies,
        threads: run.threads,
    };
    let mut series = book.series(config).or_raise()?;
    run.agents.play(py, series.as_mut(), progress)?;
    series_columns(py, book, series.into_columns())
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
pub(crate) fn sample_states<'py>(py: Python<'py>, run: &Bound<'py, PyAny>) -> PyResult<States> {
    let run = Run::of(run)?;
    let mut rollout = run.game.get().game.rollout(run.config()).or_raise()?;
    rollout.draw_states().or_raise()?;
    run.agents.play(py, rollout.as_mut(), None)?;
    Ok(States::new(run.game.unbind(), rollout.into_drawn()))
}
