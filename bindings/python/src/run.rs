//! Runs of many games as Python declares them, once for all calls that play some: `sarai._playout.Run`.

use std::collections::BTreeSet;

use numpy::ndarray::{Array2, Array3};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::agents::Agents;
use crate::classes::Game;
use crate::convert::{OrRaise, num_threads, seed, text, value_error, whole_in};
use crate::metrics as measured;
use crate::states::States;
use crate::watch::detached;
use sarai::agents::Evaluator;
use sarai::api::AnyGame;
use sarai::play::run::{
    Collect, Columns, Found, Goal, MAX_GAMES, MAX_GAMES_A_SERIES, MAX_SERIES, MAX_TARGET, RunConfig, Spent,
};
use sarai::play::{MAX_RANDOM_PLIES, Seat};

/// A run that is over.
struct Done<'py> {
    game: Bound<'py, Game>,
    found: Found,
    seats: Vec<Seat>,
    /// How long each callable took to answer, and for how many rows.
    asked: Vec<Spent>,
}

/// Plays the run that an object of Python declares. What `extract` raises would speak of an argument called `run`.
fn play<'py>(
    py: Python<'py>,
    run: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
    collect: Collect,
) -> PyResult<Done<'py>> {
    let game = run.getattr("game")?.cast_into::<Game>()?;
    let agents = Agents::new(&game, run.getattr("agents")?.extract()?)?;
    let (num, first, most) = match run.getattr("unit")?.extract::<String>()?.as_str() {
        "series" => ("num_series", "first_series", MAX_SERIES),
        _ => ("num_games", "first_game", MAX_GAMES),
    };
    let threads = run.getattr("num_threads")?;
    let plies = whole_in(&run.getattr("random_plies")?, "random_plies", 0, MAX_RANDOM_PLIES as i128)?;
    let start: Option<(Bound<'_, States>, usize)> = run.getattr("start")?.extract()?;
    let config = RunConfig {
        num: whole_in(&run.getattr("num")?, num, 1, most as i128)? as u64,
        first: whole_in(&run.getattr("first")?, first, 0, u64::MAX as i128)? as u64,
        seed: seed(&run.getattr("seed")?, "seed")?,
        seats: agents.seats.clone(),
        random_plies: plies as u32,
        threads: num_threads((!threads.is_none()).then_some(&threads))?,
        start: start.map(|(states, games)| (states.get().now(py), games)),
        collect,
    };
    let book = &game.get().game;
    let mut run = detached(py, || book.run(config))?.or_raise()?;
    let asked = agents.play(py, run.as_mut(), progress)?;
    let found = detached(py, || run.found())?;
    Ok(Done { seats: agents.seats, game, found, asked })
}

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
    let record =
        max_decisions.map(|most| whole_in(most, "max_decisions", 1, i64::MAX as i128)).transpose()?;
    let record = record.map(|most| most as u64);
    let Done { game, found, seats, asked } =
        play(py, run, progress, Collect::Columns { record, keep, timed })?;
    let columns = found.into_columns();
    let inside = columns.spent;
    let found = told(py, &*game.get().game, columns)?;
    if timed {
        let (seconds, choices) = spent(&seats, &inside, &asked);
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
    let goal = Goal { target: whole_in(target, "target", 1, MAX_TARGET as i128)? as u32, consecutive };
    let max_games = whole_in(max_games, "max_games", 1, MAX_GAMES_A_SERIES as i128)? as u32;
    let done = play(py, run, progress, Collect::Series { goal, max_games })?;
    told(py, &*done.game.get().game, done.found.into_columns())
}

/// Measures games; see `sarai.metrics`. What comes back, `metrics::told` says.
#[pyfunction]
#[pyo3(signature = (run, progress, *, board_games, evaluator, per_game))]
pub(crate) fn metrics<'py>(
    py: Python<'py>,
    run: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
    board_games: &Bound<'py, PyAny>,
    evaluator: Option<&Bound<'py, PyString>>,
    per_game: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let judge = match evaluator {
        None => None,
        Some(name) => Some(text(name, "an evaluator's name")?.parse::<Evaluator>().or_raise()?),
    };
    let evaluator = judge.as_ref().map(Evaluator::to_string);
    let board_games = whole_in(board_games, "board_games", 0, MAX_GAMES as i128)? as u64;
    let done = play(py, run, progress, Collect::Metrics { board_games, judge, per_game })?;
    let Found::Metrics(found) = done.found else { unreachable!("metrics were asked for") };
    measured::told(py, *found, evaluator)
}

/// A state drawn from each of many games; see `sarai.sample_states`.
#[pyfunction]
pub(crate) fn sample_states<'py>(py: Python<'py>, run: &Bound<'py, PyAny>) -> PyResult<States> {
    let done = play(py, run, None, Collect::States)?;
    let Found::States(states) = done.found else { unreachable!("states were asked for") };
    Ok(States::new(done.game.unbind(), states))
}

/// Refuses agents that could not play this game, before anything is played.
#[pyfunction]
pub(crate) fn check_agents(game: &Bound<'_, Game>, agents: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
    for seat in Agents::new(game, agents)?.seats {
        if let Seat::Inside(agent) = seat {
            game.get().game.seats(&agent).or_raise()?;
        }
    }
    Ok(())
}

/// A table with a row a game or decision.
fn table<'py, T: Element>(py: Python<'py>, cells: Vec<T>, width: usize) -> PyResult<Bound<'py, PyArray2<T>>> {
    let rows = cells.len() / width;
    let table = Array2::from_shape_vec((rows, width), cells).map_err(value_error)?;
    Ok(table.into_pyarray(py))
}

fn told<'py>(py: Python<'py>, game: &dyn AnyGame, columns: Columns) -> PyResult<Bound<'py, PyDict>> {
    let players = game.num_players();
    let found = PyDict::new(py);
    found.set_item("returns", table(py, columns.returns, players)?)?;
    found.set_item("winner", PyArray1::from_vec(py, columns.winner))?;
    found.set_item("lengths", PyArray1::from_vec(py, columns.lengths))?;
    found.set_item("turns", PyArray1::from_vec(py, columns.turns))?;
    let stats = PyDict::new(py);
    for (name, column) in game.statistics().iter().zip(columns.statistics) {
        stats.set_item(name, table(py, column, players)?)?;
    }
    found.set_item("stats", stats)?;
    found.set_item("digests", PyArray1::from_vec(py, columns.digests))?;
    if let Some(steps) = columns.steps {
        found.set_item("observations", table(py, steps.observations, game.observation_len())?)?;
        found.set_item("masks", table(py, steps.masks, game.num_actions())?)?;
        found.set_item("actions", PyArray1::from_vec(py, steps.actions))?;
        found.set_item("players", PyArray1::from_vec(py, steps.players))?;
        found.set_item("rewards", table(py, steps.rewards, players)?)?;
        let finals = (steps.offsets.len() - 1, players, game.observation_len());
        let finals = Array3::from_shape_vec(finals, steps.finals).map_err(value_error)?;
        found.set_item("final_observations", finals.into_pyarray(py))?;
        found.set_item("offsets", PyArray1::from_vec(py, steps.offsets))?;
    }
    if let Some(series) = columns.series {
        found.set_item("series_winner", PyArray1::from_vec(py, series.winner))?;
        found.set_item("digests", PyArray1::from_vec(py, series.digests))?;
        found.set_item("offsets", PyArray1::from_vec(py, series.offsets))?;
        found.set_item("starter", PyArray1::from_vec(py, series.starter))?;
    }
    let paths = PyDict::new(py);
    for (row, path) in columns.paths {
        paths.set_item(row, PyArray1::from_vec(py, path))?;
    }
    found.set_item("paths", paths)?;
    Ok(found)
}
