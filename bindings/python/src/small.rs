//! Small rule books, solved whole; see `sarai.exact.solve_small`.

use std::any::Any;

use crate::convert::{OrRaise, whole_in};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::classes::{Game, State};
use crate::states::States;
use crate::watch::{detached, watched};
use sarai::base::{Control, zeros};
use sarai::exact::small::{AnySolution, Limits, MAX_POSITIONS};

type Turns = Option<u32>;
type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<i32>>);

/// The positions of a small rule book and their values; see `sarai.exact.Solution`.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct SmallSolution {
    solution: Box<dyn AnySolution>,
    players: usize,
}

/// Solves a game from these states on, or from its start, in no more than `max_bytes`.
#[pyfunction]
#[pyo3(signature = (game, *, states, max_positions, max_bytes))]
pub(crate) fn solve_small(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    states: Option<&Bound<'_, States>>,
    max_positions: &Bound<'_, PyAny>,
    max_bytes: Option<u64>,
) -> PyResult<SmallSolution> {
    let positions = whole_in(max_positions, "max_positions", 1, MAX_POSITIONS as i128)? as usize;
    let limits = Limits { positions, bytes: max_bytes };
    let book = &game.get().game;
    let states = states.map(|states| states.get().now(py));
    let control = Control::default();
    let solve = || {
        let starts = states.as_deref().map(|states| states as &dyn Any);
        book.solve_small(starts, limits, &control)
    };
    let solution = watched(py, None, solve)?.or_raise()?;
    Ok(SmallSolution { solution, players: book.num_players() })
}

#[pymethods]
impl SmallSolution {
    /// What has been found.
    fn summary_json(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || serde_json::to_string(&self.solution.summary()).expect("plain data"))
    }

    /// What a state is worth to each player, and the turns to the end.
    fn value(&self, state: &Bound<'_, State>) -> PyResult<(Vec<f64>, Turns)> {
        let position = state.get().position().boxed();
        let worth = self.solution.value(&*position).or_raise()?;
        Ok((worth.returns.as_slice().to_vec(), worth.turns))
    }

    /// Both for each row of states.
    fn values<'py>(&self, py: Python<'py>, states: &Bound<'py, States>) -> PyResult<Arrays<'py>> {
        let states = states.get().now(py);
        let players = self.players;
        let found = detached(py, || {
            let mut returns = zeros(states.len() * players)?;
            let mut turns = zeros(states.len())?;
            self.solution.values(&*states, &mut returns, &mut turns)?;
            Ok::<_, sarai::Error>((returns, turns))
        })?;
        let (returns, turns) = found.or_raise()?;
        let returns = PyArray1::from_vec(py, returns).reshape([turns.len(), players])?;
        Ok((returns, PyArray1::from_vec(py, turns)))
    }

    /// Each legal action with what it is worth to who plays it and the turns to the end, the best first.
    fn moves(&self, state: &Bound<'_, State>) -> PyResult<Vec<(u16, f64, Turns)>> {
        let position = state.get().position().boxed();
        let moves = self.solution.moves(&*position).or_raise()?;
        Ok(moves.into_iter().map(|(action, value, turns)| (action.0, value, turns)).collect())
    }
}
