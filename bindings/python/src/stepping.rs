//! A game that goes on step by step: what chance or an agent does next.

use crate::convert::OrRaise;
use pyo3::prelude::*;

use crate::classes::State;
use crate::convert::{Seed, text, value_error, whole_in};
use crate::watch::watched;
use sarai::agents::Agent;
use sarai::agents::playout::sample;
use sarai::agents::rng::Streams;
use sarai::base::control::Control;
use sarai::rules::action::Action;
use sarai::rules::chance::Outcome;
use sarai::rules::game::Turn;

/// Step `number` of the game of a seed, where it is not a person's: the outcome of chance, or the action of `agent` for the
/// player whose turn it is. Each step has streams of its own, so that one that is taken back and comes again is the same.
/// `watch` is called with a number about ten times a second; what it raises ends the thinking.
#[pyfunction]
#[pyo3(signature = (state, agent, *, seed, number, watch=None))]
pub(crate) fn next_step(
    py: Python<'_>,
    state: &Bound<'_, State>,
    agent: Option<&Bound<'_, PyAny>>,
    seed: Seed,
    number: &Bound<'_, PyAny>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<u16> {
    let agent: Option<Agent> = agent.map(|agent| text(agent, "agent")?.parse().or_raise()).transpose()?;
    let number = whole_in(number, "number", 0, u64::MAX.into())? as u64;
    let position = state.get().position().boxed();
    let mut streams = Streams::new(seed.or_drawn(py)?, number);
    match (position.turn(), agent) {
        (Turn::Chance, _) => {
            let chance = position.chance().ok_or_else(|| value_error("there is nothing to draw here"))?;
            let Outcome(id) = sample(chance, &mut streams.dice);
            Ok(id.into())
        }
        (Turn::Player(player), Some(agent)) => {
            let rng = &mut streams.seats[player.index()];
            let control = Control::default();
            let Action(id) = watched(py, watch, || position.choose(agent, rng, &control))?.or_raise()?;
            Ok(id)
        }
        (Turn::Player(_), None) => Err(value_error("a player is to act here, and no agent was named")),
        (Turn::Over, _) => Err(value_error("the game is over, so no step can follow")),
    }
}
