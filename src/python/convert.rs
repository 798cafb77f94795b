//! Between Python's values and the engine's: integers of any size, arrays of actions, errors.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::batch::StepError;
use crate::error::IllegalAction;
use crate::rollout::RolloutError;

pyo3::create_exception!(
    sarai,
    IllegalActionError,
    PyValueError,
    "An action or outcome that is not legal where it was played; nothing has changed."
);

/// A sentence as a `ValueError`.
pub(super) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An illegal action as an `IllegalActionError`.
pub(super) fn illegal(error: &IllegalAction) -> PyErr {
    IllegalActionError::new_err(error.to_string())
}

impl From<StepError> for PyErr {
    fn from(error: StepError) -> PyErr {
        match error {
            StepError::Illegal(error) => illegal(&error),
            StepError::Refused(error) => value_error(error),
        }
    }
}

impl From<RolloutError> for PyErr {
    fn from(error: RolloutError) -> PyErr {
        match error {
            RolloutError::Illegal(error) => illegal(&error),
            RolloutError::Refused(error) => value_error(error),
            RolloutError::Cancelled => PyKeyboardInterrupt::new_err(()),
        }
    }
}

/// `json.loads(text)`: plain Python values from the engine's JSON.
pub(super) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let loads = LOADS.get_or_try_init(py, || py.import("json")?.getattr("loads").map(Bound::unbind))?;
    loads.bind(py).call1((text,))
}

/// JSON text from plain Python values; whatever has `__index__` (numpy's integers) counts as an integer.
///
/// # Errors
/// A `ValueError` that says what cannot be written, for `what`.
pub(super) fn to_json(value: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    let py = value.py();
    let index = py.import("operator")?.getattr("index")?;
    let options = pyo3::types::PyDict::new(py);
    options.set_item("default", index)?;
    options.set_item("allow_nan", false)?;
    let text = py.import("json")?.getattr("dumps")?.call((value,), Some(&options));
    match text {
        Ok(text) => text.extract(),
        // A RecursionError from a dict nested without end is bad input like any other.
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyException>(py) => {
            let reason = error.value(py).to_string();
            let reason = reason.lines().next().unwrap_or_default();
            Err(PyValueError::new_err(format!("{what} holds what JSON cannot: {reason}")))
        }
        Err(error) => Err(error),
    }
}

/// A whole number of any size, or `None` when it does not fit in 128 bits.
///
/// # Errors
/// A `TypeError` that names the argument when it is no whole number.
pub(super) fn whole(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<i128>> {
    let py = value.py();
    let index = py.import("operator")?.getattr("index")?.call1((value,)).map_err(|error| {
        // What else a number of the user's own raises is the user's to see.
        if !error.is_instance_of::<PyTypeError>(py) {
            return error;
        }
        let given = value.get_type().name().map_or_else(|_| "that".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{name} must be a whole number, not {given}"))
    })?;
    Ok(index.extract::<i128>().ok())
}

/// A whole number from `min` to `max`.
///
/// # Errors
/// A `TypeError` or `ValueError` that names the argument, what it got and what it takes.
pub(super) fn whole_in(value: &Bound<'_, PyAny>, name: &str, min: i128, max: i128) -> PyResult<i128> {
    match whole(value, name)? {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        number => {
            let given = number.map_or_else(|| "a number of more than 128 bits".into(), |n| n.to_string());
            Err(PyValueError::new_err(format!("{name} got {given}; it takes {min} to {max}")))
        }
    }
}

/// A seed: a whole number from 0 to 2**64 - 1.
pub(super) fn seed(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    whole_in(value, name, 0, u64::MAX as i128).map(|seed| seed as u64)
}

/// Worker threads: `None` for as many as the machine has processors.
pub(super) fn num_threads(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let threads = match value {
        None => None,
        Some(value) => Some(whole_in(value, "num_threads", 1, crate::threads::MAX_THREADS as i128)? as usize),
    };
    crate::threads::resolve(threads).map_err(value_error)
}

/// Copies one action a row into `into`: an array, list or tuple of integers of shape (rows,).
///
/// The engine plays the copy, so that nobody can change an action after it was found to be legal.
///
/// # Errors
/// A `TypeError` for values that are no integers, a `ValueError` for another shape; both name `what`.
pub(super) fn actions(
    given: &Bound<'_, PyAny>,
    rows: usize,
    what: &str,
    into: &mut Vec<i64>,
) -> PyResult<()> {
    into.clear();
    if let Ok(array) = given.cast::<PyArray1<i64>>()
        && array.len() == rows
        && let Ok(array) = array.try_readonly()
        && let Ok(values) = array.as_slice()
    {
        into.extend_from_slice(values);
        return Ok(());
    }
    let py = given.py();
    let numpy = py.import("numpy")?;
    let array = numpy.getattr("asarray")?.call1((given,)).map_err(|error| {
        // Ragged lists end here. Whatever else goes wrong (an interrupt, no memory) stays what it is.
        if error.is_instance_of::<PyValueError>(py) {
            PyValueError::new_err(format!("{what} must be integers of shape ({rows},): {}", error.value(py)))
        } else {
            error
        }
    })?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape != [rows] {
        let shape: String = array.getattr("shape")?.str()?.extract()?;
        return Err(PyValueError::new_err(format!("{what} must have the shape ({rows},), not {shape}")));
    }
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if kind == "O" {
        // Python integers too large for 64 bits, or things that are no integers: each one says which.
        for value in array.try_iter()? {
            let number = whole(&value?, what)?;
            into.push(number.and_then(|number| i64::try_from(number).ok()).unwrap_or(i64::MIN));
        }
        return Ok(());
    }
    if kind != "i" && kind != "u" {
        return Err(PyTypeError::new_err(format!("{what} must be integers, not {}", dtype.str()?)));
    }
    if kind == "u" {
        let largest: u64 = if rows == 0 { 0 } else { array.call_method0("max")?.extract()? };
        if largest > i64::MAX as u64 {
            return Err(IllegalActionError::new_err(format!("{what}: action {largest} is not legal here")));
        }
    }
    // A copy is contiguous and aligned, whatever the original was.
    let array = numpy.getattr("array")?.call1((array, numpy.getattr("int64")?))?;
    let array = array.cast_into::<PyArray1<i64>>()?;
    into.extend_from_slice(array.try_readonly()?.as_slice()?);
    Ok(())
}
