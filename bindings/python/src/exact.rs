//! Exact play: solving, checking and using tables; see `sarai.exact`.

use std::path::PathBuf;

use crate::convert::{OrRaise, num_threads, whole_in};
use numpy::PyArray1;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::classes::{Game, State};
use crate::states::States;
use crate::watch::{detached, watched};
use sarai::base::Control;
use sarai::exact::loaded::{AnyLoaded, Opening};
use sarai::exact::solve::AnySolvable;
use sarai::exact::strategy::Stored;
use sarai::exact::{Effort, ExactValue, Header, Pair};
use sarai::games::solvable;
use sarai::play::AnyStates;

/// The most MiB that may be kept in memory.
const MOST_CACHED: i128 = 1 << 20;

type Turns = Option<u16>;
type Arrays<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i16>>);

fn pieces(of: &(Bound<'_, PyAny>, Bound<'_, PyAny>)) -> PyResult<(u8, u8)> {
    let one = |given| Ok::<u8, PyErr>(whole_in(given, "stones", 1, u8::MAX as i128)? as u8);
    Ok((one(&of.0)?, one(&of.1)?))
}

fn tables_of<'a>(game: &'a Bound<'_, Game>) -> PyResult<&'a dyn AnySolvable> {
    let book = &*game.get().game;
    let refused =
        |names| sarai::Error::new(format!("there are no tables for '{}', only for {names}", book.name()));
    solvable(book).map_err(refused).or_raise()
}

/// Does long work that tells of its steps, in JSON, without the GIL, until Ctrl-C or until `tell` raises.
fn telling<T: Send>(
    py: Python<'_>,
    tell: &Bound<'_, PyAny>,
    num_threads: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Effort<'_>, &mut dyn FnMut(String)) -> Result<T, sarai::Error> + Send,
) -> PyResult<T> {
    let threads = self::num_threads(num_threads)?;
    let control = Control::default();
    let tell = tell.clone().unbind();
    let mut raised = None;
    let done = watched(py, None, || {
        work(Effort { threads, control: &control }, &mut |event| {
            if raised.is_none()
                && let Err(error) = Python::attach(|py| tell.call1(py, (event,)))
            {
                control.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
                raised = Some(error);
            }
        })
    })?;
    raised.map_or_else(|| done.or_raise(), Err)
}

/// What tables of this game are of: JSON, the game, the numbering, and the rules on which values depend.
#[pyfunction]
pub(crate) fn exact_fingerprint_json(game: &Bound<'_, Game>) -> PyResult<String> {
    Ok(json!(tables_of(game)?.fingerprint()).to_string())
}

/// What is to be solved for so many stones on each side, or before the moving phase where none are given: JSON, a list of
/// groups with their layer, pairs, places and memory.
#[pyfunction]
pub(crate) fn exact_plan_json(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    stones: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
) -> PyResult<String> {
    let (tables, pieces) = (tables_of(game)?, stones.as_ref().map(pieces).transpose()?);
    detached(py, || json!(tables.plan(pieces)).to_string())
}

/// Solves what is missing in a folder of such a plan; `tell` hears of each step, as JSON.
#[pyfunction]
#[pyo3(signature = (game, folder, stones, *, num_threads, tell))]
pub(crate) fn exact_solve(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    folder: PathBuf,
    stones: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    num_threads: Option<&Bound<'_, PyAny>>,
    tell: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (tables, pieces) = (tables_of(game)?, stones.as_ref().map(pieces).transpose()?);
    telling(py, tell, num_threads, |effort, tell| {
        tables.solve(&folder, pieces, effort, &mut |event| tell(json!(event).to_string()))
    })
}

/// Checks every `every`th position of the tables in a folder, or of those before the moving phase; `tell` hears of each
/// table, as JSON.
#[pyfunction]
#[pyo3(signature = (game, folder, *, placing, every, num_threads, tell))]
pub(crate) fn exact_verify(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    folder: PathBuf,
    placing: bool,
    every: &Bound<'_, PyAny>,
    num_threads: Option<&Bound<'_, PyAny>>,
    tell: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let every = whole_in(every, "sample", 1, i64::MAX as i128)? as u64;
    let tables = tables_of(game)?;
    telling(py, tell, num_threads, |effort, tell| {
        tables.verify(&folder, placing, every, effort, &mut |checked| tell(json!(checked).to_string()))
    })
}

/// Writes a strategy for the winner from the tables of a folder, of which so many MiB are kept in memory; `tell` hears of
/// each level, as JSON. Gives what it has, as JSON.
#[pyfunction]
#[pyo3(signature = (game, folder, path, *, cache_mb, num_threads, tell))]
pub(crate) fn exact_write_strategy(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    folder: PathBuf,
    path: PathBuf,
    cache_mb: &Bound<'_, PyAny>,
    num_threads: Option<&Bound<'_, PyAny>>,
    tell: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let room = (whole_in(cache_mb, "cache_mb", 0, MOST_CACHED)? as u64) << 20;
    let tables = tables_of(game)?;
    telling(py, tell, num_threads, |effort, tell| {
        let mut told = |level, positions, bytes| {
            tell(json!({"level": level, "positions": positions, "bytes": bytes}).to_string());
        };
        let strategy = tables.write_strategy((&folder, room), &path, effort, &mut told)?;
        Ok(json!(strategy).to_string())
    })
}

/// What a file of a strategy is of: JSON, the game, the numbering, and the rules on which the win depends.
#[pyfunction]
pub(crate) fn exact_strategy_fingerprint_json(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let stored = detached(py, || Stored::read(&path))?.or_raise()?;
    Ok(json!(stored.of()).to_string())
}

/// Checks a file of a strategy by the rules of the game; `tell` hears of each level, as JSON. Gives what it has, as JSON.
#[pyfunction]
#[pyo3(signature = (game, path, *, num_threads, tell))]
pub(crate) fn exact_verify_strategy(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    path: PathBuf,
    num_threads: Option<&Bound<'_, PyAny>>,
    tell: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let tables = tables_of(game)?;
    telling(py, tell, num_threads, |effort, tell| {
        let mut told = |level, positions| tell(json!({"level": level, "positions": positions}).to_string());
        let strategy = tables.verify_strategy(&Stored::read(&path)?, effort, &mut told)?;
        Ok(json!(strategy).to_string())
    })
}

/// What the tables of a folder before the moving phase hold: JSON, a list with layer, pair, summary and digest.
#[pyfunction]
pub(crate) fn exact_layers_summary_json(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    folder: PathBuf,
) -> PyResult<String> {
    let tables = tables_of(game)?;
    let headers = detached(py, || tables.layer_headers(&folder))?.or_raise()?;
    let told = |header: &Header| json!({"layer": header.fingerprint.layer, "pair": header.pair, "summary": header.summary, "digest": header.digest});
    Ok(headers.iter().map(told).collect::<Value>().to_string())
}

/// The folder of the package that has tables of this game; None where none come with it.
#[pyfunction]
pub(crate) fn exact_shipped(game: &Bound<'_, Game>) -> Option<PathBuf> {
    sarai::agents::perfect::shipped(&tables_of(game).ok()?.fingerprint())
}

/// Where the tables are that come with the package.
#[pyfunction]
pub(crate) fn exact_ship(folder: PathBuf) {
    sarai::agents::perfect::ship(folder);
}

/// The tables of a folder; see `sarai.exact.Tables`.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct ExactTables {
    game: Py<Game>,
    tables: Box<dyn AnyLoaded>,
}

impl ExactTables {
    fn no_states(&self, py: Python<'_>) -> PyResult<Box<dyn AnyStates>> {
        self.game.bind(py).get().game.states(0).or_raise()
    }
}

fn pair(worth: ExactValue) -> (i8, Turns) {
    (worth.value, worth.turns)
}

#[pymethods]
impl ExactTables {
    #[new]
    #[pyo3(signature = (game, folder, *, check, cache_mb))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, Game>,
        folder: PathBuf,
        check: bool,
        cache_mb: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let room = (whole_in(cache_mb, "cache_mb", 0, MOST_CACHED)? as u64) << 20;
        let tables = tables_of(game)?;
        let own = sarai::agents::perfect::shipped(&tables.fingerprint());
        let opening = Opening {
            check,
            room,
            threads: self::num_threads(None)?,
            // The package has the first turns of one rule book only.
            pass_over: own.is_some_and(|own| own == folder),
        };
        let tables = detached(py, || tables.load(&folder, opening))?.or_raise()?;
        Ok(ExactTables { game: game.clone().unbind(), tables })
    }

    /// What each of the tables holds: JSON, a list with pair, summary, digest and has_turns.
    fn summary_json(&self) -> String {
        let told = |header: &Header| json!({"pair": header.pair, "summary": header.summary, "digest": header.digest, "has_turns": header.has_turns()});
        self.tables.headers().into_iter().map(told).collect::<Value>().to_string()
    }

    /// So many random states of the tables, or of one pair's.
    #[pyo3(signature = (rows, *, pair, seed))]
    fn sample(
        &self,
        py: Python<'_>,
        rows: usize,
        pair: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        seed: &Bound<'_, PyAny>,
    ) -> PyResult<States> {
        let pair = pair.as_ref().map(pieces).transpose()?.map(|(own, other)| Pair { own, other });
        let seed = super::convert::seed(seed, "seed")?;
        let mut states = self.no_states(py)?;
        let control = Control::default();
        watched(py, None, || self.tables.sample(&mut *states, rows, pair, seed, &control))?.or_raise()?;
        Ok(States::new(self.game.clone_ref(py), states))
    }

    /// A state of a pair's table whose win takes the longest, as the only row.
    fn longest_win(&self, py: Python<'_>, pair: (Bound<'_, PyAny>, Bound<'_, PyAny>)) -> PyResult<States> {
        let (own, other) = pieces(&pair)?;
        let mut states = self.no_states(py)?;
        detached(py, || self.tables.longest_win(&mut *states, Pair { own, other }))?.or_raise()?;
        Ok(States::new(self.game.clone_ref(py), states))
    }

    /// Writes the tables into another folder without turns; `tell` hears of each, as JSON.
    #[pyo3(signature = (folder, *, num_threads, tell))]
    fn save_values(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        num_threads: Option<&Bound<'_, PyAny>>,
        tell: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        telling(py, tell, num_threads, |effort, tell| {
            let told =
                |header: &Header| json!({"pair": header.pair, "places": header.summary.places}).to_string();
            self.tables.write_values(&folder, effort, &mut |header| tell(told(header)))
        })
    }

    /// The value for the player to act and the turns to the end; `None` where the tables do not have the state.
    fn value(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<Option<(i8, Turns)>> {
        let position = state.get().position().boxed();
        Ok(detached(py, || self.tables.value(&*position))?.or_raise()?.map(pair))
    }

    /// Both for each row of states.
    #[pyo3(signature = (states, *, num_threads))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, States>,
        num_threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Arrays<'py>> {
        let threads = self::num_threads(num_threads)?;
        let states = states.get().now(py);
        let found = detached(py, || {
            let mut values = sarai::base::memory::zeros(states.len())?;
            let mut turns = sarai::base::memory::zeros(states.len())?;
            self.tables.values(&*states, (&mut values, &mut turns), threads)?;
            Ok::<_, sarai::Error>((values, turns))
        })?;
        let (values, turns) = found.or_raise()?;
        Ok((PyArray1::from_vec(py, values), PyArray1::from_vec(py, turns)))
    }

    /// Each legal action with the value that it leaves to who plays it and the turns to the end, the best first; `None`
    /// where the tables do not have the state.
    fn moves(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<Option<Vec<(u16, i8, Turns)>>> {
        let position = state.get().position().boxed();
        let moves = detached(py, || self.tables.moves(&*position))?.or_raise()?;
        Ok(moves.map(|moves| {
            moves.into_iter().map(|(action, worth)| (action.0, worth.value, worth.turns)).collect()
        }))
    }
}
