//! A batch as plain data, from which it goes on as if nothing had happened.

use serde::{Deserialize, Serialize};

use super::Batch;
use super::lane::{Ending, Gate, Lane};
use crate::action::ActionSet;
use crate::error::Broken;
use crate::game::{FullGame, Turn};
use crate::player::Player;
use crate::rng::Stream;

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
    rng: Stream,
    steps: u32,
    viewer: Player,
    ending: Ending,
}

impl<G: FullGame> Batch<G> {
    /// Everything that the batch's future depends on, as plain data.
    pub fn snapshot(&self) -> Snapshot {
        let lane = |(lane, gate): (&Lane<G::State>, &Gate)| LaneSnapshot {
            state: self.setup.game.text(&lane.state),
            rng: lane.rng.clone(),
            steps: lane.steps,
            viewer: lane.viewer,
            ending: gate.ending,
        };
        Snapshot { lanes: self.lanes.iter().zip(&self.gates).map(lane).collect() }
    }

    /// Takes up what a batch of the same rules, size and settings once stood at.
    ///
    /// # Errors
    /// When the snapshot is of another number of lanes, or holds a position that the rules forbid. Nothing has
    /// changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Broken> {
        if snapshot.lanes.len() != self.lanes.len() {
            return Err(Broken::new(format!(
                "the snapshot has {} lanes, the batch {}",
                snapshot.lanes.len(),
                self.lanes.len()
            )));
        }
        let mut lanes = Vec::with_capacity(self.lanes.len());
        let mut gates = Vec::with_capacity(self.lanes.len());
        for saved in &snapshot.lanes {
            let state = self.setup.game.parse(&saved.state)?;
            self.setup.game.check(&state)?;
            let turn = self.setup.game.turn(&state);
            let ended = saved.ending != Ending::None;
            if saved.rng.is_stuck() {
                return Err(Broken::new("a lane's stream is all zeros, which no seed gives"));
            }
            if saved.viewer.index() >= self.setup.game.num_players()
                || !(ended || turn == Turn::Player(saved.viewer))
            {
                return Err(Broken::new(format!("a lane waits for {} at {turn:?}", saved.viewer)));
            }
            gates.push(Gate {
                legal: if ended { ActionSet::EMPTY } else { self.setup.game.legal_actions(&state) },
                ending: saved.ending,
            });
            lanes.push(Lane { state, rng: saved.rng.clone(), steps: saved.steps, viewer: saved.viewer });
        }
        (self.lanes, self.gates) = (lanes, gates);
        Ok(())
    }
}
