//! The settings of a batch, as they are given in Python.

use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::agents::inside;
use crate::classes::Game;
use crate::convert::{seed, value_error, whole_in};
use sarai::base::shorten;
use sarai::play::{Autoreset, IllegalActions, Lineup, Lineups, Seeds};
use sarai::rules::Player;

/// What happens to a lane whose game has ended.
pub(crate) fn autoreset(autoreset_mode: &str) -> PyResult<Autoreset> {
    Ok(match autoreset_mode {
        "NextStep" => Autoreset::NextStep,
        "SameStep" => Autoreset::SameStep,
        "Disabled" => Autoreset::Disabled,
        other => {
            return Err(value_error(format!(
                "autoreset_mode got '{other}'; it takes \"NextStep\", \"SameStep\" or \"Disabled\""
            )));
        }
    })
}

/// What happens when an action is not legal.
pub(crate) fn illegal(illegal_action: &str) -> PyResult<IllegalActions> {
    Ok(match illegal_action {
        "raise" => IllegalActions::Raise,
        "terminate" => IllegalActions::Terminate,
        "random" => IllegalActions::Random,
        other => {
            return Err(value_error(format!(
                "illegal_action got '{}'; it takes \"raise\", \"terminate\" or \"random\"",
                shorten(other)
            )));
        }
    })
}

/// Lineups: rows of an agent or its name or None for each seat, and the learner's seat or None; the weights of groups of rows; and
/// how many rows a group has.
#[derive(FromPyObject)]
pub(crate) struct GivenLineups<'py>(Vec<GivenLineup<'py>>, Vec<f64>, usize);

type GivenLineup<'py> = (Vec<Option<Bound<'py, PyAny>>>, Option<Bound<'py, PyAny>>);

impl GivenLineups<'_> {
    /// What the engine takes.
    pub(crate) fn read(&self, game: &Bound<'_, Game>) -> PyResult<Lineups> {
        let GivenLineups(rows, weights, seats) = self;
        let last = game.get().game.num_players() as i128 - 1;
        let row = |(agents, learner): &GivenLineup<'_>| {
            let agent = |agent: &Bound<'_, PyAny>| inside(agent, "an agent's name");
            let agents = agents.iter().map(|given| given.as_ref().map(agent).transpose());
            let agents = agents.collect::<PyResult<Vec<_>>>()?;
            let learner = learner.as_ref().map(|seat| whole_in(seat, "seat", 0, last)).transpose()?;
            Ok(Lineup { agents, learner: learner.map(|seat| Player(seat as u8)) })
        };
        let rows = rows.iter().map(row).collect::<PyResult<_>>()?;
        Ok(Lineups { rows, weights: weights.clone(), seats: *seats })
    }
}

/// What a reset is seeded with: nothing, one seed, or a list with one for each lane.
pub(crate) fn seeds(given: Option<&Bound<'_, PyAny>>, lanes: usize) -> PyResult<Seeds> {
    let given = match given {
        None => return Ok(Seeds::Keep),
        // A list of seeds is a list: whatever else there is to iterate may have no end.
        Some(given) if !given.is_instance_of::<PyList>() => return Ok(Seeds::One(seed(given, "seed")?)),
        Some(given) => given,
    };
    let mut seeds = Vec::with_capacity(lanes);
    let wrong = || value_error(format!("seed takes an int, or one int for each of {lanes} lanes"));
    for item in given.try_iter().map_err(|_| wrong())? {
        if seeds.len() == lanes {
            return Err(wrong());
        }
        let item = item?;
        seeds.push(if item.is_none() { None } else { Some(seed(&item, "seed")?) });
    }
    Ok(Seeds::Each(seeds))
}
