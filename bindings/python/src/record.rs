//! Records in their two forms, which the engine reads and writes for Python and for pages alike.

use pyo3::prelude::*;

use crate::classes::{Game, State};
use crate::convert::{OrRaise, long_text};
use crate::watch::detached;
use sarai::record::{Origin, Record, read};

/// Game, start, steps as player, id and name, the last position, seed, number, and labels of the seats.
type Fields =
    (Py<Game>, Option<State>, Vec<(i64, i64, String)>, State, Option<u64>, Option<u64>, Option<Vec<String>>);

/// The record that a text is, in either form.
#[pyfunction]
pub(crate) fn read_record(py: Python<'_>, text: &str) -> PyResult<Fields> {
    let Record { game, start, position, steps, origin } = detached(py, || read(text))?.or_raise()?;
    let game = Py::new(py, Game::of(game))?;
    let state = |position| State::new(game.clone_ref(py), position);
    let (start, last) = (start.map(state), state(position));
    let steps = steps.into_iter().map(|step| (step.player, step.id, step.name)).collect();
    Ok((game, start, steps, last, origin.seed, origin.number, origin.agents))
}

/// A record as text in one of the forms, "json" or "text", by the ids of its steps.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are all that a record is")]
pub(crate) fn write_record<'py>(
    py: Python<'py>,
    game: &Bound<'_, Game>,
    start: Option<&Bound<'_, State>>,
    steps: Vec<i64>,
    seed: Option<u64>,
    number: Option<u64>,
    agents: Option<Vec<String>>,
    form: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let start = start.map(|start| start.get().position().boxed());
    let book = game.get().game.clone();
    let written = detached(py, || {
        let mut record = Record::new(book, start, Origin { seed, number, agents });
        for step in steps {
            record.take(step)?;
        }
        if form == "json" { Ok(record.to_json()) } else { record.to_text() }
    })?;
    long_text(py, &written.or_raise()?)
}
