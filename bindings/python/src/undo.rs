//! How an environment comes back to where it stood before a step that ended in an error, or in Ctrl-C.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::batch::Batch;

/// Goes a way back and gives the turn back, if it is `mine` that stands in `turn`; does nothing otherwise.
///
/// The way is a flat tuple of pairs: beside a dict stands a copy of it, beside a batch what its `serial` was, and beside any
/// other compiled function its arguments. CPython looks for a signal only where it carries out code of Python, so that no
/// Ctrl-C comes between them.
#[pyfunction]
pub(crate) fn undo(
    turn: &Bound<'_, PyDict>,
    mine: &Bound<'_, PyAny>,
    way: &Bound<'_, PyTuple>,
) -> PyResult<()> {
    if !turn.iter().any(|(_, taken)| taken.is(mine)) {
        return Ok(());
    }
    let mut done = Ok(());
    for at in (0..way.len()).step_by(2) {
        let (which, before) = (way.get_item(at)?, way.get_item(at + 1)?);
        let went = if let Ok(attributes) = which.cast::<PyDict>() {
            before
                .cast::<PyDict>()
                .map_err(PyErr::from)
                .and_then(|before| attributes.update(before.as_mapping()))
        } else if let Ok(batch) = which.cast::<Batch>() {
            before.extract().and_then(|serial| batch.get().go_back_to(way.py(), serial))
        } else {
            before.cast::<PyTuple>().map_err(PyErr::from).and_then(|before| which.call1(before)).map(drop)
        };
        done = done.and(went);
    }
    turn.clear();
    done
}
