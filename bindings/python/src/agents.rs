//! Agents of a call: those inside the engine by name, and callables that are asked.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::convert::{OrRaise, actions, text, value_error, zeros};
use numpy::PyArrayMethods;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::classes::Game;
use crate::states::States;
use crate::watch::{Call, watched};
use sarai::base::{Control, counted};
use sarai::play::{Run, Seat, Spent};

/// How often progress is reported while agents outside the engine are asked.
const REPORT: Duration = Duration::from_millis(100);

/// An agent that plays inside the engine, with all that it plays by: what an object of `sarai.agents` holds, so that
/// networks and tables are read once for it and stay as long as it does.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Agent {
    agent: sarai::agents::Agent,
}

#[pymethods]
impl Agent {
    /// The agent with this name.
    #[new]
    fn new(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Agent { agent: inside(name, "an agent's name")? })
    }

    /// The canonical name, the kind and the parameters, as JSON.
    fn describe_json(&self) -> String {
        self.agent.describe().to_string()
    }
}

/// The agent that an object of `sarai.agents` holds, or the one with this name; `what` is what an error calls it.
pub(crate) fn inside(agent: &Bound<'_, PyAny>, what: &str) -> PyResult<sarai::agents::Agent> {
    if let Some(held) = agent.getattr_opt("_engine")?
        && let Ok(held) = held.cast::<Agent>()
    {
        return Ok(held.get().agent.clone());
    }
    text(agent, what)?.parse().or_raise()
}

/// Who sits in each seat, and the callables among them, each once for all its seats.
pub(crate) struct Agents<'py> {
    game: Bound<'py, Game>,
    pub(crate) seats: Vec<Seat>,
    /// Each with whether it takes whole positions in place of observations and masks.
    outside: Vec<(Bound<'py, PyAny>, bool)>,
}

impl<'py> Agents<'py> {
    /// Agents by name, or callables, one a seat.
    pub(crate) fn new(game: &Bound<'py, Game>, agents: Vec<Bound<'py, PyAny>>) -> PyResult<Self> {
        let players = game.get().game.num_players();
        if agents.len() != players {
            return Err(value_error(format!(
                "agents has {}; this game has {} seats and needs an agent for each",
                counted(agents.len(), "entry", "entries"),
                players
            )));
        }
        let mut found =
            Agents { game: game.clone(), seats: Vec::with_capacity(agents.len()), outside: Vec::new() };
        for agent in agents {
            let seat = found.seat(agent)?;
            found.seats.push(seat);
        }
        Ok(found)
    }

    fn seat(&mut self, agent: Bound<'py, PyAny>) -> PyResult<Seat> {
        if agent.is_instance_of::<PyString>() {
            return Ok(Seat::Inside(inside(&agent, "an agent's name")?));
        }
        if !agent.is_callable() {
            return Err(PyTypeError::new_err(format!(
                "an agent must be a name, a callable policy(observations, masks), or an object with the method \
                 choose_many, not {}",
                agent.get_type().name()?
            )));
        }
        if let Some(number) = self.outside.iter().position(|(known, _)| known.is(&agent)) {
            return Ok(Seat::Outside(number));
        }
        let whole =
            agent.getattr_opt("takes_positions")?.is_some_and(|takes| takes.is_truthy().unwrap_or(false));
        self.outside.push((agent, whole));
        Ok(Seat::Outside(self.outside.len() - 1))
    }

    /// Plays everything to its end, asking the callables; how long each of them took to answer, and for how many rows.
    pub(crate) fn play(
        &self,
        py: Python<'py>,
        playing: &mut dyn Run,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Spent>> {
        let _call = Call::begin()?;
        let control = Control::default();
        let mut spent = vec![Spent::default(); self.outside.len()];
        let mut chosen = Vec::new();
        let mut reported = Instant::now();
        while !watched(py, progress, || playing.advance(&control))?.or_raise()? {
            let book = &*self.game.get().game;
            for (number, (agent, whole)) in self.outside.iter().enumerate() {
                let rows = playing.questions(number);
                if rows == 0 {
                    continue;
                }
                let begun;
                let answer = if *whole {
                    let states = States::new(self.game.clone().unbind(), playing.asked(number));
                    begun = Instant::now();
                    agent.call1((states,))?
                } else {
                    let observations = zeros::<i8, 2>(py, [rows, book.observation_len()])?;
                    let masks = zeros::<i8, 2>(py, [rows, book.num_actions()])?;
                    playing.ask(
                        number,
                        observations.readwrite().as_slice_mut()?,
                        masks.readwrite().as_slice_mut()?,
                    );
                    begun = Instant::now();
                    agent.call1((observations, masks))?
                };
                spent[number].time += begun.elapsed();
                spent[number].choices += rows as u64;
                actions(&answer, rows, "the actions that an agent returned", &mut chosen)?;
                playing.answer(number, &chosen).or_raise()?;
            }
            py.check_signals()?;
            // A round between two questions is too short for a look of its own.
            if let Some(progress) = progress
                && reported.elapsed() >= REPORT
            {
                progress.call1((control.done.load(Ordering::Relaxed),))?;
                reported = Instant::now();
            }
        }
        if let Some(progress) = progress {
            progress.call1((control.done.load(Ordering::Relaxed),))?;
        }
        Ok(spent)
    }
}
