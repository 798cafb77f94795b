//! A game under way that people play: `_core.Session`. Threads, pace and looks are Python's.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;

use crate::classes::{Game, State};
use crate::convert::{OrRaise, Seed, long_text};
use crate::watch::{detached, watched};
use sarai::api::AnyGame;
use sarai::base::{Control, lock};
use sarai::play::AnyPosition;
use sarai::session::{self, Setup, Task};

/// A game under way: see `sarai._web.session.Session`. Commands and answers are JSON.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Session {
    session: Mutex<session::Session>,
}

impl Session {
    /// Does something with the session, without the GIL.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut session::Session) -> T + Send,
    ) -> PyResult<T> {
        detached(py, || work(&mut lock(&self.session)))
    }
}

fn state(py: Python<'_>, game: Arc<dyn AnyGame>, position: Box<dyn AnyPosition>) -> PyResult<State> {
    Ok(State::new(Py::new(py, Game::of(game))?, position))
}

#[pymethods]
impl Session {
    /// A game that begins at a state, or as every game does, with steps that were played before. `guests` are agents that
    /// Python asks; with `guarded`, commands may seat only harmless agents and those that sit there now.
    #[new]
    #[pyo3(signature = (
        game, start=None, steps=Vec::new(), seats=None, *, seed=Seed::DRAWN, theme="light", guests=Vec::new(),
        guarded=false, adviser=None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, Game>,
        start: Option<&Bound<'_, State>>,
        steps: Vec<i64>,
        seats: Option<Vec<String>>,
        seed: Seed,
        theme: &str,
        guests: Vec<String>,
        guarded: bool,
        adviser: Option<String>,
    ) -> PyResult<Self> {
        let entropy = Seed::DRAWN.or_drawn(py)?;
        let seed = if seed.is_given() { seed.or_drawn(py)? } else { entropy >> 32 };
        let setup = Setup { guests, is_guarded: guarded, adviser, theme: theme.to_owned(), entropy };
        let start = start.map(|start| start.get().position().boxed());
        let game = Arc::clone(&game.get().game);
        let session =
            detached(py, || session::Session::new(game, start, steps, seats, seed, setup))?.or_raise()?;
        Ok(Session { session: Mutex::new(session) })
    }

    /// Carries out a command; what `docs/play.md` says of answers.
    fn carry_out<'py>(&self, py: Python<'py>, command: &str) -> PyResult<Bound<'py, PyAny>> {
        let answer = self.with(py, |session| session.carry_out(command.as_bytes()).to_string())?;
        long_text(py, &answer)
    }

    /// All that a board shows.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shown = self.with(py, |session| session.snapshot().to_string())?;
        long_text(py, &shown)
    }

    /// A number that grows with each change.
    #[getter]
    fn version(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |session| session.version())
    }

    /// The position that is shown, as a copy.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        let (game, position) =
            self.with(py, |session| (Arc::clone(&session.record().game), session.shown_position()))?;
        state(py, game, position)
    }

    /// What somebody has to think about; `None` while it is a person's turn.
    fn job(&self, py: Python<'_>) -> PyResult<Option<Job>> {
        let job = self.with(py, |session| session.job())?;
        Ok(job.map(|(number, task, control)| Job { number, task, control }))
    }

    /// Tells what came of a job; False where it was called off.
    fn found(&self, py: Python<'_>, job: &Job, answer: &str) -> PyResult<bool> {
        let found = serde_json::from_str(answer).map_err(|error| error.to_string());
        self.with(py, |session| session.found(job.number, found))
    }

    /// Tells why nothing came of a job; False where it was called off.
    fn failed(&self, py: Python<'_>, job: &Job, reason: String) -> PyResult<bool> {
        self.with(py, |session| session.found(job.number, Err(reason)))
    }

    /// Calls off whoever thinks.
    fn hold(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, session::Session::hold)
    }
}

/// What somebody has to think about.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Job {
    number: u64,
    task: Arc<Task>,
    control: Arc<Control>,
}

#[pymethods]
impl Job {
    /// The guest who is to choose, whom Python asks.
    #[getter]
    fn guest(&self) -> Option<String> {
        self.task.guest().map(str::to_owned)
    }

    /// The position.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        state(py, Arc::clone(self.task.game()), self.task.position().boxed())
    }

    /// Whether nobody waits for it any more.
    #[getter]
    fn called_off(&self) -> bool {
        self.control.is_called_off()
    }

    /// Does it. `watch` is called with a number about ten times a second; what it raises ends the thinking.
    #[pyo3(signature = (watch=None))]
    fn work(&self, py: Python<'_>, watch: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let found = watched(py, watch, || self.task.work(&self.control))?.or_raise()?;
        Ok(found.to_string())
    }
}
