//! Between Python's values and the engine's: integers of any size, arrays of actions, errors.

use std::time::Duration;

use numpy::ndarray::Dim;
use numpy::{Element, PyArray, PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyInt, PyList, PyString, PyTuple};

use sarai::base::{Error, shorten};

pyo3::create_exception!(
    sarai,
    IllegalActionError,
    PyValueError,
    "An action or outcome that is not legal where it was played; nothing has changed."
);

/// A sentence as a `ValueError`.
pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An error of the engine as Python's exception.
pub(crate) fn raise(error: impl Into<Error>) -> PyErr {
    match error.into() {
        Error::IllegalAction(error) => {
            IllegalActionError::new_err(error.to_string().replace(&TOO_LARGE.to_string(), "far out of range"))
        }
        Error::OutOfMemory(sentence) => PyMemoryError::new_err(sentence),
        Error::Cancelled => PyKeyboardInterrupt::new_err(()),
        error @ (Error::NoThreads(_) | Error::NotBegun | Error::Interrupted) => {
            PyRuntimeError::new_err(error.to_string())
        }
        error => value_error(error),
    }
}

/// What the engine returns, with its error as Python's.
pub(crate) trait OrRaise<T> {
    /// The value.
    ///
    /// # Errors
    /// The exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Into<Error>> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(raise)
    }
}

/// `json.loads(text)`: plain Python values from the engine's JSON.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let loads = LOADS.get_or_try_init(py, || py.import("json")?.getattr("loads").map(Bound::unbind))?;
    loads.bind(py).call1((text,))
}

/// JSON text from plain Python values; whatever has `__index__` (numpy's integers) counts as an integer.
///
/// # Errors
/// A `ValueError` that says what cannot be written, for `what`.
pub(crate) fn to_json(value: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
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
            Err(PyValueError::new_err(format!(
                "{what} contains something that JSON cannot express: {reason}"
            )))
        }
        Err(error) => Err(error),
    }
}

/// An array of zeros; a MemoryError where there is no room for one.
pub(crate) fn zeros<'py, T: Element, const D: usize>(
    py: Python<'py>,
    shape: [usize; D],
) -> PyResult<Bound<'py, PyArray<T, Dim<[usize; D]>>>>
where
    Dim<[usize; D]>: numpy::ndarray::Dimension,
{
    static ZEROS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let zeros = ZEROS.get_or_try_init(py, || py.import("numpy")?.getattr("zeros").map(Bound::unbind))?;
    Ok(zeros.bind(py).call1((shape.to_vec(), T::get_dtype(py)))?.cast_into()?)
}

/// An array of these numbers.
pub(crate) fn filled<'py, T: Element, const D: usize>(
    py: Python<'py>,
    shape: [usize; D],
    numbers: impl Iterator<Item = T>,
) -> PyResult<Bound<'py, PyArray<T, Dim<[usize; D]>>>>
where
    Dim<[usize; D]>: numpy::ndarray::Dimension,
{
    let array = zeros(py, shape)?;
    array.readwrite().as_slice_mut()?.iter_mut().zip(numbers).for_each(|(cell, number)| *cell = number);
    Ok(array)
}

/// A long text; a MemoryError where there is no room for it.
pub(crate) fn long_text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new_with(py, text.len(), |bytes| {
        bytes.copy_from_slice(text.as_bytes());
        Ok(())
    })?;
    bytes.call_method0("decode")
}

/// A whole number of any size, or `None` when it does not fit in 128 bits.
///
/// # Errors
/// A `TypeError` that names the argument when it is no whole number.
pub(crate) fn whole(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<i128>> {
    let py = value.py();
    for (is_other, other) in [(is_bool(value), "bool"), (is_masked(value), "masked")] {
        if is_other {
            return Err(PyTypeError::new_err(format!("{name} must be a whole number, not {other}")));
        }
    }
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

/// Whether a value is Python's bool or numpy's, which older releases of numpy take for an integer too.
fn is_bool(value: &Bound<'_, PyAny>) -> bool {
    let kind = || value.getattr("dtype").and_then(|dtype| dtype.getattr("kind"));
    // Most are plain integers, and are asked nothing more.
    !value.is_exact_instance_of::<PyInt>()
        && (value.is_instance_of::<PyBool>() || kind().is_ok_and(|kind| kind.eq("b").unwrap_or(false)))
}

/// Whether a value is an array of numpy's that has masked entries. numpy itself would take what stands below the mask.
fn is_masked(value: &Bound<'_, PyAny>) -> bool {
    !value.is_exact_instance_of::<PyInt>()
        && value.is_instance_of::<PyUntypedArray>()
        && !value.is_exact_instance_of::<PyUntypedArray>()
        && value.getattr("mask").and_then(|mask| mask.call_method0("any")?.is_truthy()).unwrap_or(false)
}

/// An integer that fits, of any integer type but bool.
pub(crate) fn integer(value: &Bound<'_, PyAny>) -> Option<i64> {
    if is_bool(value) || is_masked(value) { None } else { value.extract().ok() }
}

/// A whole number from `min` to `max`.
///
/// # Errors
/// A `TypeError` or `ValueError` that names the argument, what it got and what it takes.
pub(crate) fn whole_in(value: &Bound<'_, PyAny>, name: &str, min: i128, max: i128) -> PyResult<i128> {
    match whole(value, name)? {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        number => {
            let given = number.map_or_else(|| "a number of more than 128 bits".into(), |n| n.to_string());
            Err(PyValueError::new_err(format!("{name} got {given}; it takes {min} to {max}")))
        }
    }
}

/// Whether somebody gave "turn" for a seat.
///
/// # Errors
/// A `ValueError` for any other text.
pub(crate) fn is_turn(value: &Bound<'_, PyAny>, name: &str, last: i128) -> PyResult<bool> {
    if !value.is_instance_of::<PyString>() {
        return Ok(false);
    }
    let given = text(value, name)?;
    if given == "turn" {
        return Ok(true);
    }
    Err(value_error(format!("{name} got '{}'; it takes 0 to {last}, or \"turn\"", shorten(&given))))
}

/// A text.
///
/// # Errors
/// A `TypeError` that names the argument when it is none; a `ValueError` for one that UTF-8 cannot hold.
pub(crate) fn text(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let Ok(text) = value.cast::<PyString>() else {
        let given = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{name} must be a str, not {given}")));
    };
    let text = text.to_cow().map_err(|_| {
        value_error(format!("{name} contains a lone surrogate, which is not valid text; remove it"))
    })?;
    Ok(text.into_owned())
}

/// What somebody gave, in a few words, whatever it is: Python tells no number of more than 4,300 digits.
pub(crate) fn as_told(value: &Bound<'_, PyAny>) -> String {
    match value.str() {
        Ok(told) => shorten(&told.to_string_lossy()),
        Err(_) => {
            let bits = value.call_method0("bit_length");
            bits.map_or_else(|_| "that".to_owned(), |bits| format!("of {bits} bits"))
        }
    }
}

/// How long something may take, in seconds; `None` for no limit.
pub(crate) fn time(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|_| value_error("seconds must be a number of seconds, 0 or more"))
}

/// A seed: a whole number from 0 to 2**64 - 1.
pub(crate) fn seed(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    whole_in(value, name, 0, u64::MAX as i128).map(|seed| seed as u64)
}

/// A seed, or `None` for one that the system draws.
#[derive(Clone, Copy)]
pub(crate) struct Seed(Option<u64>);

impl Seed {
    /// One that the system draws.
    pub(crate) const DRAWN: Seed = Seed(None);

    /// Whether a number was given.
    pub(crate) fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// The number, drawn from the system where none was given.
    pub(crate) fn or_drawn(self, py: Python<'_>) -> PyResult<u64> {
        match self.0 {
            Some(seed) => Ok(seed),
            None => py.import("secrets")?.call_method1("randbits", (64,))?.extract(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Seed {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_none() { Ok(Seed(None)) } else { seed(&value, "seed").map(|seed| Seed(Some(seed))) }
    }
}

/// Worker threads: `None` for as many as the machine has processors.
pub(crate) fn num_threads(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let threads = match value {
        None => None,
        Some(value) => {
            Some(whole_in(value, "num_threads", 1, sarai::base::threads::MAX_THREADS as i128)? as usize)
        }
    };
    sarai::base::threads::resolve(threads).or_raise()
}

/// What stands for an action that does not fit in 64 bits; no game has it.
const TOO_LARGE: i64 = i64::MIN;

/// An action by itself, or [`TOO_LARGE`].
pub(crate) fn action(given: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    match integer(given) {
        Some(number) => Ok(number),
        None => Ok(whole(given, name)?.and_then(|number| i64::try_from(number).ok()).unwrap_or(TOO_LARGE)),
    }
}

/// Copies one action a row into `into`: an array, list or tuple of integers of shape (rows,).
///
/// The engine plays the copy, so that nobody can change an action after it was found to be legal.
///
/// A number that does not fit in 64 bits is copied as [`TOO_LARGE`].
///
/// # Errors
/// A `TypeError` for values that are no integers, a `ValueError` for another shape or a masked value; both name `what`.
pub(crate) fn actions(
    given: &Bound<'_, PyAny>,
    rows: usize,
    what: &str,
    into: &mut Vec<i64>,
) -> PyResult<()> {
    into.clear();
    if given.is_exact_instance_of::<PyUntypedArray>()
        && let Ok(array) = given.cast::<PyArray1<i64>>()
        && array.len() == rows
        && let Ok(array) = array.try_readonly()
        && let Ok(values) = array.as_slice()
    {
        into.extend_from_slice(values);
        return Ok(());
    }
    let py = given.py();
    let mut masked = is_masked(given);
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        // numpy would make floats of all where one needs more than 64 bits.
        let mut all = true;
        for item in given.try_iter()? {
            let item = item?;
            // numpy would take them for 0 and 1 beside integers.
            if is_bool(&item) {
                return Err(PyTypeError::new_err(format!("{what} must be integers, not bool")));
            }
            masked |= is_masked(&item);
            all &= item.is_instance_of::<PyInt>() && into.len() < rows;
            if all {
                into.push(item.extract().unwrap_or(TOO_LARGE));
            }
        }
        if all && into.len() == rows {
            return Ok(());
        }
        into.clear();
    }
    if masked {
        return Err(PyValueError::new_err(format!(
            "{what} must be integers, and some are masked: give them all"
        )));
    }
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
    if rows == 0 {
        // An empty list has the type of no integers.
        return Ok(());
    }
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    let kind = kind.as_str();
    if !matches!(kind, "i" | "u" | "O") {
        return Err(PyTypeError::new_err(format!("{what} must be integers, not {}", dtype.str()?)));
    }
    let large = kind == "u" && rows > 0 && array.call_method0("max")?.extract::<u64>()? > i64::MAX as u64;
    if kind == "O" || large {
        for value in array.try_iter()? {
            into.push(action(&value?, what)?);
        }
        return Ok(());
    }
    // A copy is contiguous and aligned, whatever the original was.
    let array = numpy.getattr("array")?.call1((array, numpy.getattr("int64")?))?;
    let array = array.cast_into::<PyArray1<i64>>()?;
    into.extend_from_slice(array.try_readonly()?.as_slice()?);
    Ok(())
}
