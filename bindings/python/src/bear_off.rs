//! The bear-off; see `sarai.exact.solve_bear_off`.

use crate::convert::{OrRaise, whole_in};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::classes::{Game, State};
use crate::watch::{detached, watched};
use sarai::base::{Control, copy_of};
use sarai::exact::bear_off::{AnyBearOff, HOME, MOST_AGAINST, Placing};
use sarai::games::bears_off;

/// The bear-off of one rule book; see `sarai.exact.BearOff`.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct BearOff {
    solved: Box<dyn AnyBearOff>,
}

fn placing(pieces: &Bound<'_, PyAny>) -> PyResult<Placing> {
    let counts: Vec<Bound<'_, PyAny>> = pieces.try_iter()?.collect::<PyResult<_>>()?;
    if counts.len() != HOME {
        return Err(super::convert::value_error(format!(
            "pieces has {} counts; it takes {HOME}: of points 1 to {HOME}",
            counts.len()
        )));
    }
    let mut placing = [0; HOME];
    for (to, count) in placing.iter_mut().zip(&counts) {
        *to = whole_in(count, "pieces", 0, i128::from(u8::MAX))? as u8;
    }
    Ok(placing)
}

/// Solves the bear-off of a game, and that of so many pieces of both sides against each other.
#[pyfunction]
#[pyo3(signature = (game, *, pieces))]
pub(crate) fn solve_bear_off(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    pieces: &Bound<'_, PyAny>,
) -> PyResult<BearOff> {
    let against = whole_in(pieces, "pieces", 0, i128::from(MOST_AGAINST))? as u8;
    let game = &*game.get().game;
    let refused =
        |names| sarai::Error::new(format!("there is no bear-off for '{}', only for {names}", game.name()));
    let racing = bears_off(game).map_err(refused).or_raise()?;
    let control = Control::default();
    let solved = watched(py, None, || racing.solve_bear_off(against, &control))?.or_raise()?;
    Ok(BearOff { solved })
}

#[pymethods]
impl BearOff {
    /// All placings, one a row.
    fn placings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let placings = self.solved.placings();
        PyArray1::from_vec(py, placings.concat()).reshape([placings.len(), HOME])
    }

    /// The average number of turns of each.
    fn all_turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, copy_of(self.solved.all_turns()).or_raise()?))
    }

    /// The same of one placing; `None` where there are too many pieces.
    fn turns(&self, pieces: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        Ok(self.solved.turns(&placing(pieces)?))
    }

    /// The share of games that take 0, 1, 2, ... turns; `None` where there are too many pieces.
    fn distribution<'py>(
        &self,
        py: Python<'py>,
        pieces: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let placing = placing(pieces)?;
        let shares = detached(py, || self.solved.distribution(&placing))?;
        Ok(shares.map(|shares| PyArray1::from_vec(py, shares)))
    }

    /// What the player to throw or to play may expect; `None` where it is not known.
    fn value(&self, state: &Bound<'_, State>) -> PyResult<Option<f64>> {
        let position = state.get().position().boxed();
        self.solved.value(&*position).or_raise()
    }
}
