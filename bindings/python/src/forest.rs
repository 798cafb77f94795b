//! The methods of `Forest`: trees of many positions, judged together.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use crate::convert::{OrRaise, from_json, num_threads, seed, time, value_error, whole_in};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::states::States;
use crate::watch::{detached, watched};
use sarai::base::{Control, Error, lock};
use sarai::play::forest::{AnyForest, ForestConfig, MAX_SIMULATIONS, SearchResults};

/// The trees of many positions; see `sarai.search`.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Forest {
    /// Python never runs while the lock is held.
    forest: Mutex<Box<dyn AnyForest>>,
    rows: usize,
    width: usize,
}

#[pymethods]
impl Forest {
    /// Trees for these positions. `evaluator` is the name of one inside the engine;
    /// `streams` holds a number for each row, or is empty.
    #[new]
    #[pyo3(signature = (states, simulations, *, priors, exploration, noise, evaluator, seed, streams, num_threads))]
    #[expect(clippy::too_many_arguments, reason = "keywords, each of which is one setting")]
    fn new(
        py: Python<'_>,
        states: &Bound<'_, States>,
        simulations: &Bound<'_, PyAny>,
        priors: bool,
        exploration: f64,
        noise: Option<(f64, f64)>,
        evaluator: Option<&str>,
        seed: &Bound<'_, PyAny>,
        streams: PyReadonlyArray1<'_, u64>,
        num_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let config = ForestConfig {
            simulations: whole_in(simulations, "simulations", 1, i128::from(MAX_SIMULATIONS))? as u32,
            priors,
            exploration,
            noise,
            evaluator: evaluator.map(str::parse).transpose().or_raise()?,
            seed: self::seed(seed, "seed")?,
            streams: streams.as_slice()?.to_vec(),
            threads: self::num_threads(num_threads)?,
        };
        let rows = states.get().now(py);
        let book = states.get().book(py);
        let width = book.num_actions();
        if !config.streams.is_empty() && config.streams.len() != rows.len() {
            return Err(value_error("there must be one stream a row"));
        }
        let forest = detached(py, || book.forest(&*rows, config))?.or_raise()?;
        Ok(Forest { forest: Mutex::new(forest), rows: rows.len(), width })
    }

    /// Lets the trees grow until each has a position to be evaluated or is done, or so many seconds have passed; returns how
    /// many have one.
    #[pyo3(signature = (seconds=None))]
    fn grow(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<usize> {
        self.go_on(py, seconds, |forest, control| forest.grow(control))
    }

    /// Writes the positions to be evaluated: int8 of shapes (n, L) and (n, A).
    fn ask(
        &self,
        py: Python<'_>,
        mut observations: PyReadwriteArray2<'_, i8>,
        mut masks: PyReadwriteArray2<'_, i8>,
    ) -> PyResult<()> {
        let (observations, masks) = (observations.as_slice_mut()?, masks.as_slice_mut()?);
        detached(py, || lock(&self.forest).ask(observations, masks))?.or_raise()
    }

    /// Takes their evaluations, float32 of shape (n, P) or (n, 1), and (n, A), and lets the trees grow on.
    #[pyo3(signature = (values, logits=None))]
    fn answer(
        &self,
        py: Python<'_>,
        values: PyReadonlyArray2<'_, f32>,
        logits: Option<PyReadonlyArray2<'_, f32>>,
    ) -> PyResult<usize> {
        let values = values.as_slice()?;
        let logits = logits.as_ref().map(|logits| logits.as_slice()).transpose()?;
        self.go_on(py, None, |forest, control| forest.answer(values, logits, control))
    }

    /// What the trees know: visits, policy, values and best.
    fn found<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let SearchResults { visits, policy, values, best } = detached(py, || lock(&self.forest).results())?;
        let shape = [self.rows, self.width];
        let players = values.len().checked_div(self.rows).unwrap_or(0);
        let visits = PyArray1::from_vec(py, visits).reshape(shape)?;
        let policy = PyArray1::from_vec(py, policy).reshape(shape)?;
        let values = PyArray1::from_vec(py, values).reshape([self.rows, players])?;
        (visits, policy, values, PyArray1::from_vec(py, best)).into_pyobject(py)
    }

    /// What is known of a row, 0 to len - 1; None where no player is to act.
    fn analysis<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let told = detached(py, || lock(&self.forest).analysis(row))?;
        told.map(|told| from_json(py, &told.to_string())).transpose()
    }
}

impl Forest {
    /// A round, watched for Ctrl-C.
    fn go_on(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        round: impl FnOnce(&mut dyn AnyForest, &Control) -> Result<usize, Error> + Send,
    ) -> PyResult<usize> {
        let control = Control::until(time(seconds)?);
        let asked = watched(py, None, || round(&mut **lock(&self.forest), &control))?.or_raise()?;
        if control.cancel.load(Ordering::Relaxed) { Err(PyKeyboardInterrupt::new_err(())) } else { Ok(asked) }
    }
}
