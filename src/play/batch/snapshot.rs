//! A batch as plain data, from which it goes on as if nothing had happened.

use serde::{Deserialize, Serialize};

use super::lane::{Ending, Gate, Lane, Setup};
use super::{Batch, Lanes};
use crate::agents::rng::{Choices, Stream};
use crate::rules::action::ActionSet;
use crate::rules::error::Broken;
use crate::rules::game::{FullGame, Turn};
use crate::rules::player::Player;

/// A [`Batch`] as plain data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    lanes: Vec<LaneSnapshot>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LaneSnapshot {
    state: String,
    dice: Stream,
    /// None where nobody inside the engine draws choices.
    choices: Option<Choices>,
    steps: u32,
    viewer: Player,
    ending: Ending,
}

impl<G: FullGame> Batch<G> {
    /// Everything that the batch's future depends on, as plain data.
    pub fn snapshot(&self) -> Snapshot {
        let Lanes { lanes, gates, choices } = &self.now;
        let lane = |(index, (lane, gate)): (usize, (&Lane<G::State>, &Gate))| LaneSnapshot {
            state: self.setup.game.text(&lane.state),
            dice: lane.dice.clone(),
            choices: choices.get(index).cloned(),
            steps: lane.steps,
            viewer: lane.viewer,
            ending: gate.ending,
        };
        Snapshot { lanes: lanes.iter().zip(gates).enumerate().map(lane).collect() }
    }

    /// Takes up what a batch of the same rules, size and settings once stood at.
    ///
    /// # Errors
    /// When the snapshot is of another number of lanes or other settings, or holds a position that the rules forbid.
    /// Nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Broken> {
        self.now = snapshot.lanes(&self.setup, self.num_lanes())?;
        self.can_go_back = false;
        Ok(())
    }
}

impl Snapshot {
    /// The lanes of a batch of so many.
    pub(super) fn lanes<G: FullGame>(&self, setup: &Setup<G>, num_lanes: usize) -> Result<Lanes<G>, Broken> {
        if self.lanes.len() != num_lanes {
            return Err(Broken::unreadable(format!(
                "the snapshot has {} lanes, but the batch has {num_lanes}",
                self.lanes.len()
            )));
        }
        let num_choices = setup.num_choices(num_lanes);
        let mut found = Lanes::with_room_for(num_lanes, num_choices)
            .map_err(|error| Broken::unreadable(error.to_string()))?;
        for saved in &self.lanes {
            let state = setup.game.parse(&saved.state)?;
            setup.game.check(&state)?;
            let turn = setup.game.turn(&state);
            let ended = saved.ending != Ending::None;
            let drawn_from = [&saved.dice].into_iter().chain(saved.choices.iter().flatten());
            if drawn_from.into_iter().any(Stream::is_stuck) {
                return Err(Broken::unreadable("a lane's stream is all zeros, which no seed gives"));
            }
            let viewer = saved.viewer.index();
            let callers = viewer < setup.game.num_players() && setup.agents[viewer].is_none();
            if !callers || !(ended || turn == Turn::Player(saved.viewer)) {
                return Err(Broken::unreadable(format!("a lane waits for {} at {turn:?}", saved.viewer)));
            }
            if saved.choices.is_some() != (num_choices > 0) {
                return Err(Broken::unreadable("a lane belongs to a batch with other agents"));
            }
            found.gates.push(Gate {
                legal: if ended { ActionSet::EMPTY } else { setup.game.legal_actions(&state) },
                ending: saved.ending,
            });
            found.choices.extend(saved.choices.clone());
            let dice = saved.dice.clone();
            found.lanes.push(Lane { state, dice, steps: saved.steps, viewer: saved.viewer });
        }
        Ok(found)
    }
}
