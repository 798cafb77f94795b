//! A batch as plain data, from which it goes on as if nothing had happened.

use serde::{Deserialize, Serialize};

use super::lane::{Ending, Lane, Status, Tallies};
use super::lineups::BoundLineups;
use super::stepping::Setup;
use super::terms::Origin;
use super::{Lanes, Phase};
use crate::agents::{Choices, Stream};
use crate::base::Error;
use crate::play::Counts;
use crate::rules::{ActionSet, FullGame, Player, Turn};

/// A [`super::Batch`] as plain data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Whether games have begun.
    begun: bool,
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
    origin: Origin,
    episodes: u32,
    lineup: u32,
    /// None where nothing is counted.
    counts: Option<Counts>,
}

impl Snapshot {
    /// These lanes as they stand.
    pub(super) fn of<G: FullGame>(setup: &Setup<G>, all: &Lanes<G>, begun: bool) -> Self {
        let Lanes { lanes, statuses, choices, tallies, terms } = all;
        let lane = |(index, (lane, status)): (usize, (&Lane<G::State>, &Status))| LaneSnapshot {
            state: setup.game.text(&lane.state),
            dice: lane.dice.clone(),
            choices: choices.get(index).cloned(),
            steps: lane.steps,
            viewer: lane.viewer,
            ending: status.ending,
            origin: terms.origins[index],
            episodes: lane.episodes,
            lineup: lane.lineup,
            counts: tallies.get(index).map(|tallies| tallies.now),
        };
        Snapshot { begun, lanes: lanes.iter().zip(statuses).enumerate().map(lane).collect() }
    }

    /// What the batch can do next.
    pub(super) fn phase(&self) -> Phase {
        if self.begun { Phase::Whole } else { Phase::New }
    }

    /// The lanes of a batch of so many with these lineups.
    pub(super) fn lanes<G: FullGame>(
        &self,
        setup: &Setup<G>,
        lineups: BoundLineups<G>,
        num_lanes: usize,
    ) -> Result<Lanes<G>, Error> {
        if self.lanes.len() != num_lanes {
            return Err(Error::position(format!(
                "the snapshot has {} lanes, but the batch has {num_lanes}",
                self.lanes.len()
            )));
        }
        // Where they are kept although nobody draws, somebody once did.
        let kept = self.lanes.iter().all(|lane| lane.choices.is_some());
        let origins = self.lanes.iter().map(|lane| lane.origin);
        let draws = kept || setup.num_choices(&lineups, num_lanes) > 0;
        let mut found = Lanes::with_room_for(setup, lineups, origins)?;
        for saved in &self.lanes {
            let state = setup.game.parse(&saved.state)?;
            setup.game.check(&state)?;
            let turn = setup.game.turn(&state);
            let ended = saved.ending != Ending::None;
            let drawn_from = [&saved.dice].into_iter().chain(saved.choices.iter().flatten());
            if drawn_from.into_iter().any(Stream::is_stuck) {
                return Err(Error::position("a lane's stream is all zeros, which no seed gives"));
            }
            let lineups = &found.terms.lineups;
            if saved.lineup as usize >= lineups.len() {
                return Err(Error::position("a lane belongs to a batch with other agents"));
            }
            let viewer = saved.viewer.index();
            let callers =
                viewer < setup.game.num_players() && lineups.row(saved.lineup).agents[viewer].is_none();
            if self.begun && !(callers && (ended || turn == Turn::Player(saved.viewer))) {
                return Err(Error::position(format!("a lane waits for {} at {turn:?}", saved.viewer)));
            }
            if saved.choices.is_some() != draws {
                return Err(Error::position("a lane belongs to a batch with other agents"));
            }
            if saved.counts.is_some() != setup.counts {
                return Err(Error::position("a lane belongs to a batch that counts something else"));
            }
            found.statuses.push(Status {
                legal: if ended { ActionSet::EMPTY } else { setup.game.legal_actions(&state) },
                ending: saved.ending,
                asked: false,
            });
            found.choices.extend(saved.choices.clone());
            let dice = saved.dice.clone();
            found.tallies.extend(saved.counts.map(|now| Tallies { now, ..Tallies::default() }));
            found.lanes.push(Lane {
                steps: saved.steps,
                viewer: saved.viewer,
                episodes: saved.episodes,
                lineup: saved.lineup,
                ..Lane::new(state, dice)
            });
        }
        Ok(found)
    }
}
