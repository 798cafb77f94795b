//! Pictures of positions, and what a board that is played on needs.

use crate::convert::{OrRaise, from_json, text};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::classes::State;
use sarai::draw::svg::Node;
use sarai::draw::{Element, MoveValue, Options, Picture, theme};

/// What is asked of a picture, which Python has checked: theme, size, orientation, coordinates, last, legal, values. Names may
/// still be wrong.
type Asked<'py> = (
    String,
    f64,
    usize,
    bool,
    Option<(usize, Bound<'py, PyAny>)>,
    Vec<Bound<'py, PyAny>>,
    Option<Vec<(Bound<'py, PyAny>, MoveValue)>>,
);

fn options(state: &Bound<'_, State>, asked: Asked<'_>) -> PyResult<Options> {
    let (theme, size, orientation, coordinates, last, legal, values) = asked;
    if values.is_some() && !state.get().game.bind(state.py()).get().game.shows_values() {
        return Err(PyTypeError::new_err("draw() got an unexpected keyword argument 'values'"));
    }
    let name = |name: &Bound<'_, PyAny>| text(name, "the name of an action");
    let valued = |(given, worth): (Bound<'_, PyAny>, MoveValue)| Ok::<_, PyErr>((name(&given)?, worth));
    Ok(Options {
        theme: theme::named(&theme).or_raise()?,
        size,
        orientation,
        coordinates,
        last: last.map(|(seat, given)| Ok::<_, PyErr>((seat, name(&given)?))).transpose()?,
        legal: legal.iter().map(name).collect::<PyResult<_>>()?,
        values: values.map(|values| values.into_iter().map(valued).collect()).transpose()?,
    })
}

/// The picture of a state as SVG; see `sarai.render.draw`.
#[pyfunction]
pub(crate) fn draw_svg(state: &Bound<'_, State>, asked: Asked<'_>) -> PyResult<String> {
    let options = options(state, asked)?;
    Ok(state.get().position().draw(&options).or_raise()?.written())
}

/// The same as elements: what is painted, the width, the height, the title and the description. An element is its name, its
/// attributes as pairs, and what is in it.
#[pyfunction]
pub(crate) fn draw_tree<'py>(
    py: Python<'py>,
    state: &Bound<'py, State>,
    asked: Asked<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let options = options(state, asked)?;
    let picture = state.get().position().draw(&options).or_raise()?;
    let Picture { children, width, height, title, description, .. } = picture;
    let children = children.iter().map(|child| tree(py, child)).collect::<PyResult<Vec<_>>>()?;
    (children, width, height, title, description).into_pyobject(py)
}

fn tree<'py>(py: Python<'py>, element: &Element) -> PyResult<Bound<'py, PyTuple>> {
    let attributes: Vec<(&str, &str)> =
        element.attributes.iter().map(|(name, value)| (*name, value.as_ref())).collect();
    let children = PyList::empty(py);
    for child in &element.children {
        match child {
            Node::Element(child) => children.append(tree(py, child)?)?,
            Node::Text(text) => children.append(text.as_ref())?,
        }
    }
    (element.name, attributes, children).into_pyobject(py)
}

/// What a board that is played on needs of a state; see `sarai.render.scene`.
#[pyfunction]
pub(crate) fn scene<'py>(
    py: Python<'py>,
    state: &Bound<'py, State>,
    asked: Asked<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = options(state, asked)?;
    let scene = state.get().position().scene(&options).or_raise()?;
    from_json(py, &scene.to_string())
}

/// The colours of each theme, as a JSON list.
#[pyfunction]
pub(crate) fn themes_json() -> String {
    serde_json::to_string(&theme::ALL).expect("colours are plain data")
}

/// A state in a few words, and what is to be said after them.
#[pyfunction]
pub(crate) fn words(state: &Bound<'_, State>) -> PyResult<(String, String)> {
    let position = state.get().position();
    Ok((position.headline(), position.remark()))
}
