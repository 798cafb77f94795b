//! How the last step or reset is taken back.
//!
//! To keep all lanes before every step would take up to a fifth of its time. So they are kept now and then, with the
//! actions that have been played since: whoever takes a step back plays those before it again, which always gives the
//! same lanes. Steps of agents that think or read tables, and steps of some lanes only, are not played again: there the
//! lanes are kept.

use std::sync::Arc;

use super::slices::{Before, Slices};
use super::stepping::Setup;
use super::{Batch, Lanes, Out, StepError};
use crate::base::cpu::{self, Work};
use crate::base::error::BadRequest;
use crate::base::memory;
use crate::rules::action::MAX_ACTIONS;
use crate::rules::game::FullGame;

/// How many steps are remembered by their actions, before the lanes are kept again.
const MOST_STEPS: usize = 16;

/// Stands for every number that is no action.
const NONE: u8 = u8::MAX;

const _: () = assert!(MAX_ACTIONS <= NONE as usize, "an action is a byte");

/// What has been played since the lanes were kept.
#[derive(Debug)]
pub(super) struct Played {
    /// The actions of one step after the other.
    actions: Vec<u8>,
    /// Actions of a step that may come to nothing.
    chosen: Vec<u8>,
    lanes: usize,
    /// How many more steps may follow without being kept.
    room: usize,
    nowhere: Nowhere,
}

impl Played {
    pub(super) fn new<G: FullGame>(game: &G, lanes: usize) -> Result<Self, BadRequest> {
        let steps = lanes.saturating_mul(MOST_STEPS);
        let nowhere = Nowhere {
            cells: memory::zeros(G::OBSERVATION_LEN + G::NUM_ACTIONS + 1)?,
            last_cells: memory::zeros(G::OBSERVATION_LEN + G::NUM_ACTIONS + 1)?,
            rewards: memory::zeros(game.num_players())?,
            ended: [false; 2],
        };
        Ok(Played {
            actions: memory::room_for(steps)?,
            chosen: memory::zeros(lanes)?,
            lanes,
            room: 0,
            nowhere,
        })
    }

    pub(super) fn copy<G: FullGame>(&self, game: &G) -> Result<Self, BadRequest> {
        let mut copy = Played::new(game, self.lanes)?;
        copy.actions.extend_from_slice(&self.actions);
        copy.room = self.room;
        Ok(copy)
    }

    /// Actions as bytes, whatever numbers they are. They are lent out, and come back by `give_back`.
    pub(super) fn choose(&mut self, actions: &[i64]) -> Vec<u8> {
        let mut chosen = std::mem::take(&mut self.chosen);
        // It did not come back from a step that panicked.
        chosen.resize(self.lanes, NONE);
        cpu::run(Narrow { actions, chosen: &mut chosen });
        chosen
    }

    pub(super) fn give_back(&mut self, chosen: Vec<u8>) {
        self.chosen = chosen;
    }

    /// Whether one more step can be remembered by its actions alone.
    pub(super) fn has_room(&self) -> bool {
        self.room > 0
    }

    /// The lanes have been kept; whether steps may follow without.
    pub(super) fn begin(&mut self, goes_on: bool) {
        self.actions.clear();
        self.room = if goes_on { MOST_STEPS } else { 0 };
    }

    /// A step has been made, or a reset, which has no actions.
    pub(super) fn add(&mut self, actions: &[u8]) {
        self.actions.extend_from_slice(actions);
        self.room = self.room.saturating_sub(1);
    }
}

struct Narrow<'a> {
    actions: &'a [i64],
    chosen: &'a mut [u8],
}

impl Work for Narrow<'_> {
    type Output = ();

    #[cfg_attr(fast, inline(always))]
    fn run(self) {
        for (chosen, &action) in self.chosen.iter_mut().zip(self.actions) {
            let none = if action & !0xff == 0 { 0 } else { NONE };
            *chosen = action as u8 | none;
        }
    }
}

/// Where a lane that is played again writes what nobody reads.
#[derive(Debug)]
struct Nowhere {
    cells: Vec<i8>,
    last_cells: Vec<i8>,
    rewards: Vec<f32>,
    ended: [bool; 2],
}

impl Nowhere {
    fn out<G: FullGame>(&mut self) -> Out<'_> {
        let (observations, cells) = self.cells.split_at_mut(G::OBSERVATION_LEN);
        let (masks, current_player) = cells.split_at_mut(G::NUM_ACTIONS);
        let (final_observations, cells) = self.last_cells.split_at_mut(G::OBSERVATION_LEN);
        let (final_masks, final_current_player) = cells.split_at_mut(G::NUM_ACTIONS);
        let (terminated, truncated) = self.ended.split_at_mut(1);
        Out {
            observations,
            masks,
            current_player,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            illegal: &mut [],
            final_observations,
            final_masks,
            final_current_player,
        }
    }
}

impl<G: FullGame> Batch<G> {
    /// Takes the last step or reset back: every lane stands where it stood, its streams too.
    ///
    /// # Errors
    /// When there is none, or it was taken back already.
    pub fn go_back(&mut self) -> Result<(), BadRequest> {
        if !self.can_go_back {
            return Err(BadRequest::new(
                "there is no step to take back; only the last one can be taken back",
            ));
        }
        std::mem::swap(&mut self.now, &mut self.before);
        (self.can_go_back, self.serial) = (false, self.serial - 1);
        self.play_again().map_err(|error| BadRequest::new(error.to_string()))
    }

    /// Plays the steps after the lanes were kept, but for the last.
    fn play_again(&mut self) -> Result<(), StepError> {
        let Played { actions, lanes: num_lanes, nowhere, .. } = &mut self.played;
        let steps = (actions.len() / *num_lanes).saturating_sub(1);
        let Lanes { lanes, gates, choices, tallies, terms } = &mut self.now;
        // Whoever takes a step back may just have cancelled it; what was played before it was not.
        let setup = Setup { control: Arc::default(), ..self.setup.clone() };
        for (lane, step) in (0..*num_lanes).flat_map(|lane| (0..steps).map(move |step| (lane, step))) {
            let beside = lane..lane + 1;
            setup.run(Slices {
                first: lane,
                lanes: &mut lanes[beside.clone()],
                gates: &mut gates[beside.clone()],
                choices: choices.get_mut(beside.clone()).unwrap_or_default(),
                tallies: tallies.get_mut(beside).unwrap_or_default(),
                before: Before { lanes: &mut [], gates: &mut [], choices: &mut [], tallies: &mut [] },
                terms,
                actions: &actions[step * *num_lanes + lane..][..1],
                only: &[],
                out: nowhere.out::<G>(),
            })?;
        }
        Ok(())
    }
}
