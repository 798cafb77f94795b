//! Positions from what a person sees: what Python gave for each keyword.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::convert::{as_told, text, value_error, whole};
use sarai::base::shorten;
use sarai::rules::keywords::{MAX_NUMBERS, Misfit, Value};

/// What was given for each keyword; None is nothing.
pub(crate) fn values(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Value)>> {
    let mut values = Vec::new();
    for (name, value) in given.into_iter().flat_map(|given| given.iter()) {
        if !value.is_none() {
            let name = text(&name, "a keyword")?;
            let value = value_of(&value, &name)?;
            values.push((name, value));
        }
    }
    Ok(values)
}

fn value_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
    if value.is_instance_of::<PyString>() {
        return text(value, name).map(Value::Text);
    }
    if let Ok(flag) = value.extract() {
        return Ok(Value::Flag(flag));
    }
    if value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>() {
        // One more than any keyword takes, so that the engine sees that there are too many.
        let entries: Vec<_> = value.try_iter()?.take(MAX_NUMBERS + 1).collect::<PyResult<_>>()?;
        if entries.iter().any(|entry| entry.is_instance_of::<PyString>()) {
            return Ok(Value::Other(format!("{} of str", value.get_type().name()?)));
        }
        let entry = format!("each number of {name}");
        return entries
            .iter()
            .map(|number| whole_of(number, &entry))
            .collect::<PyResult<_>>()
            .map(Value::Numbers);
    }
    match whole_of(value, name) {
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            Ok(Value::Other(shorten(&value.get_type().name()?.to_string_lossy())))
        }
        number => number.map(Value::Number),
    }
}

/// A whole number; one that is too large for the engine is too large for every keyword.
fn whole_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    let number = whole(value, name)?.and_then(|number| i64::try_from(number).ok());
    number.ok_or_else(|| value_error(format!("{name} got {}, which is out of its range", as_told(value))))
}

/// What is wrong as Python's exception.
pub(crate) fn raise(misfit: Misfit) -> PyErr {
    match misfit {
        Misfit::Type(sentence) => PyTypeError::new_err(sentence),
        Misfit::Value(sentence) => value_error(sentence),
    }
}
