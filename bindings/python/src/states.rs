//! The methods of `States`: many positions of one game.

use sarai::base::{Control, Error, lock};
use std::sync::{Arc, Mutex};

use crate::convert::{OrRaise, actions, is_turn, long_text, num_threads, seed, value_error, whole_in};
use numpy::{Element, PyArray1, PyReadonlyArray1, PyReadwriteArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agents::inside;
use crate::classes::{Game, State};
use crate::watch::{detached, watched};
use sarai::api::AnyGame;
use sarai::play::{AnyStates, Expansion, MAX_STATES, Taken, Viewers, Way};
use sarai::rules::Player;

/// Many positions of one game; see `sarai.States`.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct States {
    game: Py<Game>,
    rows: usize,
    /// Whoever reads takes a reference of its own and lets the lock go; whoever writes holds the lock, and writes to a
    /// copy where somebody reads. Python never runs while the lock is held.
    states: Mutex<Arc<dyn AnyStates>>,
}

impl States {
    pub(crate) fn new(game: Py<Game>, states: Box<dyn AnyStates>) -> Self {
        States { game, rows: states.len(), states: Mutex::new(Arc::from(states)) }
    }

    /// The rows as they stand now, or as another thread leaves them that is writing.
    pub(crate) fn now(&self, py: Python<'_>) -> Arc<dyn AnyStates> {
        match self.states.try_lock() {
            Ok(states) => Arc::clone(&states),
            Err(_) => py.detach(|| Arc::clone(&lock(&self.states))),
        }
    }

    /// The rule book.
    pub(crate) fn book(&self, py: Python<'_>) -> Arc<dyn AnyGame> {
        Arc::clone(&self.game.bind(py).get().game)
    }

    /// Reads the rows without the GIL.
    fn read<R: Send>(&self, py: Python<'_>, read: impl FnOnce(&dyn AnyStates) -> R + Send) -> PyResult<R> {
        let states = self.now(py);
        detached(py, move || read(&*states))
    }

    /// A number of each row.
    fn column<'py, T: Element + Default + Clone>(
        &self,
        py: Python<'py>,
        read: impl FnOnce(&dyn AnyStates, &mut [T]) + Send,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let mut cells = sarai::base::memory::zeros(self.rows).or_raise()?;
        self.read(py, |states| read(states, &mut cells))?;
        Ok(PyArray1::from_vec(py, cells))
    }

    /// Changes the rows without the GIL, all of them or none; Ctrl-C stops it before the first is changed.
    fn write<R: Send>(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut dyn AnyStates, &Control) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let control = Control::default();
        watched(py, None, || {
            let mut states = lock(&self.states);
            if Arc::get_mut(&mut states).is_none() {
                *states = Arc::from(states.copy()?);
            }
            let own = Arc::get_mut(&mut states).expect("a copy is nobody else's");
            write(own, &control)
        })?
        .or_raise()
    }

    /// The same game's states.
    fn with(&self, py: Python<'_>, states: Box<dyn AnyStates>) -> States {
        States::new(self.game.clone_ref(py), states)
    }
}

/// `None` for the player to act, "turn" for the one whose turn it is, a seat, or one for each row.
fn viewers(viewer: Option<&Bound<'_, PyAny>>, rows: usize, players: usize) -> PyResult<Viewers> {
    let Some(viewer) = viewer else { return Ok(Viewers::ToAct) };
    let last = players as i128 - 1;
    if is_turn(viewer, "viewer", last)? {
        return Ok(Viewers::OnTurn);
    }
    if viewer.len().is_err() {
        return Ok(Viewers::Seat(Player(whole_in(viewer, "viewer", 0, last)? as u8)));
    }
    let mut seats = Vec::new();
    actions(viewer, rows, "viewer", &mut seats)?;
    let seats = seats.iter().enumerate().map(|(row, &seat)| match u8::try_from(seat) {
        Ok(known) if i128::from(known) <= last => Ok(known),
        _ => Err(value_error(format!("viewer got {seat} in row {row}; it takes 0 to {last}"))),
    });
    seats.collect::<PyResult<_>>().map(Viewers::Each)
}

#[pymethods]
impl States {
    #[new]
    fn initial(py: Python<'_>, game: &Bound<'_, Game>, n: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = whole_in(n, "n", 0, MAX_STATES as i128)? as usize;
        let book = Arc::clone(&game.get().game);
        let states = detached(py, || book.states(rows))?.or_raise()?;
        Ok(States::new(game.clone().unbind(), states))
    }

    /// A row for each of the states, which must belong to this game.
    #[staticmethod]
    fn of(game: &Bound<'_, Game>, states: Vec<Bound<'_, State>>) -> PyResult<Self> {
        let mut all = game.get().game.states(0).or_raise()?;
        for (row, state) in states.iter().enumerate() {
            if !all.push(&**state.get().position()).or_raise()? {
                let other = state.get().game.bind(state.py()).repr()?;
                let own = game.repr()?;
                return Err(value_error(format!(
                    "state {row} belongs to {other}, but the first belongs to {own}"
                )));
            }
        }
        Ok(States::new(game.clone().unbind(), all))
    }

    /// The rows of all of these, which must belong to this game.
    #[staticmethod]
    fn joined(py: Python<'_>, game: &Bound<'_, Game>, parts: Vec<Bound<'_, States>>) -> PyResult<Self> {
        let mut all = game.get().game.states(0).or_raise()?;
        for (number, part) in parts.iter().enumerate() {
            let rows = part.get().now(py);
            if !detached(py, || all.append(&*rows))?.or_raise()? {
                let (other, own) = (part.get().game.bind(py).repr()?, game.repr()?);
                return Err(value_error(format!(
                    "part {number} belongs to {other}, but the first belongs to {own}"
                )));
            }
        }
        Ok(States::new(game.clone().unbind(), all))
    }

    /// A row for each line of text.
    #[staticmethod]
    fn parse(py: Python<'_>, game: &Bound<'_, Game>, text: &str) -> PyResult<Self> {
        let mut all = game.get().game.states(0).or_raise()?;
        detached(py, || all.read(text))?.map_err(value_error)?;
        Ok(States::new(game.clone().unbind(), all))
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The text of each row, one line for each.
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        long_text(py, &self.read(py, |states| states.text())?.or_raise()?)
    }

    /// One row, 0 to len - 1.
    fn state(&self, py: Python<'_>, row: usize) -> PyResult<State> {
        let position = self.now(py).position(row).ok_or_else(|| value_error("there is no such row"))?;
        Ok(State::new(self.game.clone_ref(py), position))
    }

    /// These rows, 0 to len - 1.
    fn take(&self, py: Python<'_>, rows: PyReadonlyArray1<'_, i64>) -> PyResult<States> {
        let known = |&row: &i64| usize::try_from(row).ok().filter(|&row| row < self.rows);
        let rows: Option<Vec<usize>> = rows.as_array().iter().map(known).collect();
        let rows = rows.ok_or_else(|| value_error("there is no such row"))?;
        let taken = self.read(py, |states| states.take(&rows))?.or_raise()?;
        Ok(self.with(py, taken))
    }

    fn copy(&self, py: Python<'_>) -> PyResult<States> {
        let copy = self.read(py, |states| states.copy())?.or_raise()?;
        Ok(self.with(py, copy))
    }

    fn same(&self, py: Python<'_>, other: &Bound<'_, States>) -> PyResult<bool> {
        let other = other.get().now(py);
        self.read(py, |states| states.same(&*other))
    }

    fn current_player<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.column(py, |states, cells| states.current_players(cells))
    }

    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.column(py, |states, cells| states.players_on_turn(cells))
    }

    fn turns_passed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        self.column(py, |states, cells| states.turns_passed(cells))
    }

    fn winner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.column(py, |states, cells| states.winners(cells))
    }

    fn returns(&self, py: Python<'_>, mut out: PyReadwriteArray2<'_, f32>) -> PyResult<()> {
        let cells = out.as_slice_mut()?;
        self.read(py, |states| states.returns(cells))
    }

    fn observations(
        &self,
        py: Python<'_>,
        viewer: Option<&Bound<'_, PyAny>>,
        out: &Bound<'_, PyAny>,
        num_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let threads = self::num_threads(num_threads)?;
        let viewers = &viewers(viewer, self.rows, self.game.bind(py).get().game.num_players())?;
        if let Ok(mut out) = out.extract::<PyReadwriteArray2<'_, f32>>() {
            let cells = out.as_slice_mut()?;
            return self.read(py, |states| states.observe_scaled(viewers, cells, threads))?.or_raise();
        }
        let mut out = out.extract::<PyReadwriteArray2<'_, i8>>()?;
        let cells = out.as_slice_mut()?;
        self.read(py, |states| states.observe(viewers, cells, threads))?.or_raise()
    }

    fn legal_actions_mask(
        &self,
        py: Python<'_>,
        mut out: PyReadwriteArray2<'_, i8>,
        num_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let threads = self::num_threads(num_threads)?;
        let cells = out.as_slice_mut()?;
        self.read(py, |states| states.masks(cells, threads))?.or_raise()
    }

    fn expected_returns(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        mut out: PyReadwriteArray2<'_, f64>,
        num_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (agent, threads) = (inside(agent, "agent")?, self::num_threads(num_threads)?);
        let (rows, control) = (self.now(py), Control::default());
        let cells = out.as_slice_mut()?;
        watched(py, None, || rows.expected_returns(&agent, cells, threads, &control))?.or_raise()
    }

    fn apply_actions(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        num_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let threads = self::num_threads(num_threads)?;
        let mut ids = Vec::new();
        self::actions(actions, self.rows, "actions", &mut ids)?;
        self.write(py, |states, control| states.apply_actions(&ids, threads, control))
    }

    fn apply_outcomes(
        &self,
        py: Python<'_>,
        outcomes: &Bound<'_, PyAny>,
        num_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let threads = self::num_threads(num_threads)?;
        let mut ids = Vec::new();
        self::actions(outcomes, self.rows, "outcomes", &mut ids)?;
        self.write(py, |states, control| states.apply_outcomes(&ids, threads, control))
    }

    /// From the streams of this number and those after it, or of one number for each row.
    fn sample_chance(
        &self,
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        first_row: &Bound<'_, PyAny>,
        num_threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let threads = self::num_threads(num_threads)?;
        let seed = self::seed(seed, "seed")?;
        if let Ok(streams) = first_row.extract::<PyReadonlyArray1<'_, u64>>() {
            let streams = streams.as_slice()?;
            if streams.len() != self.rows {
                return Err(value_error(format!(
                    "{} streams were given for {} rows",
                    streams.len(),
                    self.rows
                )));
            }
            return self.write(py, |states, _| states.sample_chance(seed, &|row| streams[row], threads));
        }
        let last = u64::MAX - self.rows as u64;
        let first_row = whole_in(first_row, "first_row", 0, i128::from(last))? as u64;
        self.write(py, |states, _| states.sample_chance(seed, &|row| first_row + row as u64, threads))
    }

    /// What can follow each row: "actions", "turns" or "outcomes".
    fn expand<'py>(
        &self,
        py: Python<'py>,
        way: &str,
        max_rows: &Bound<'py, PyAny>,
        num_threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let way = match way {
            "actions" => Way::Actions,
            "turns" => Way::Turns,
            _ => Way::Outcomes,
        };
        let threads = self::num_threads(num_threads)?;
        let max_rows = whole_in(max_rows, "max_rows", 0, MAX_STATES as i128)? as usize;
        let (rows, control) = (self.now(py), Control::default());
        let expansion = watched(py, None, || rows.expand(way, max_rows, threads, &control))?.or_raise()?;
        let Expansion { states, parent, offsets, taken } = expansion;
        let found = PyDict::new(py);
        found.set_item("states", self.with(py, states))?;
        found.set_item("parent", PyArray1::from_vec(py, parent))?;
        found.set_item("offsets", PyArray1::from_vec(py, offsets))?;
        match taken {
            Taken::Action(action) => found.set_item("action", PyArray1::from_vec(py, action))?,
            Taken::Actions { actions, offsets } => {
                found.set_item("actions", PyArray1::from_vec(py, actions))?;
                found.set_item("action_offsets", PyArray1::from_vec(py, offsets))?;
            }
            Taken::Outcome { outcome, probability } => {
                found.set_item("outcome", PyArray1::from_vec(py, outcome))?;
                found.set_item("probability", PyArray1::from_vec(py, probability))?;
            }
        }
        Ok(found)
    }
}
