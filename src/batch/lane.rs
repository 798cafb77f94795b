//! One game of a batch, and how it is stepped.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Autoreset, IllegalActions, Out, TERMINAL};
use crate::action::{Action, ActionSet};
use crate::agent::{self, Agent};
use crate::error::BadRequest;
use crate::game::{FullGame, Turn};
use crate::player::{MAX_PLAYERS, Player};
use crate::playout::settle;
use crate::rng::Stream;
use crate::window::Control;

/// How often a new game may be over before the caller chose, before the rules are held to be unplayable.
const MAX_EMPTY_GAMES: u32 = 1000;

#[derive(Clone, Debug)]
pub(super) struct Lane<S> {
    pub(super) state: S,
    pub(super) rng: Stream,
    /// Decisions of the caller: of the learner only where there is one.
    pub(super) steps: u32,
    /// Whose view is written: who acts, or acted last; at the end the learner where there is one.
    pub(super) viewer: Player,
}

/// What a lane takes next. It stands apart from the lane, so that looking at all actions before any is played reads
/// little memory.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    /// Means nothing when the game has ended.
    pub(super) legal: ActionSet,
    pub(super) ending: Ending,
}

/// Whether and how a lane's game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Ending {
    /// It goes on.
    None,
    /// It is over: by the rules, or by an illegal action.
    Over,
    /// It was cut off.
    CutOff,
}

impl Gate {
    #[inline(always)]
    pub(super) fn ended(&self) -> bool {
        self.ending != Ending::None
    }

    /// Whether the action, any number, is legal.
    #[inline(always)]
    pub(super) fn takes(&self, action: i64) -> bool {
        u16::try_from(action).is_ok_and(|action| self.legal.contains(Action(action)))
    }
}

/// What stepping a lane needs to know: the same for every lane of a batch.
#[derive(Clone, Debug)]
pub(super) struct Setup<G> {
    pub(super) game: G,
    pub(super) autoreset: Autoreset,
    pub(super) max_episode_steps: u32,
    /// The agents inside the engine; the caller plays every other seat.
    pub(super) agents: [Option<Agent>; MAX_PLAYERS],
    pub(super) learner: Option<Player>,
    pub(super) illegal: IllegalActions,
    pub(super) control: Arc<Control>,
}

/// Lanes with everything that belongs to them, in the same order.
pub(super) struct Slices<'a, S> {
    pub(super) lanes: &'a mut [Lane<S>],
    pub(super) gates: &'a mut [Gate],
    pub(super) actions: &'a [i64],
    /// Which lanes are stepped: all where it is empty.
    pub(super) only: &'a [bool],
    pub(super) out: Out<'a>,
}

impl<S> Slices<'_, S> {
    /// Takes the first `lanes` away, or as many as there are; `None` when there are none.
    pub(super) fn take(&mut self, lanes: usize) -> Option<Self> {
        let of = self.lanes.len();
        let lanes = lanes.min(of);
        if lanes == 0 {
            return None;
        }
        let taken = std::mem::take(&mut self.lanes).split_at_mut(lanes);
        let gates = std::mem::take(&mut self.gates).split_at_mut(lanes);
        let actions = self.actions.split_at(lanes);
        let only = self.only.split_at(lanes.min(self.only.len()));
        let out = std::mem::take(&mut self.out).split_at(lanes, of);
        *self = Slices { lanes: taken.1, gates: gates.1, actions: actions.1, only: only.1, out: out.1 };
        Some(Slices { lanes: taken.0, gates: gates.0, actions: actions.0, only: only.0, out: out.0 })
    }
}

/// What a step did in a lane besides moving its game on.
#[derive(Default)]
struct Played {
    terminated: bool,
    truncated: bool,
    illegal: bool,
}

impl<G: FullGame> Setup<G> {
    /// Draws chance outcomes and lets the agents inside the engine play until the caller has to choose or the game is
    /// over.
    #[inline(always)]
    fn settle(&self, lane: &mut Lane<G::State>) -> Turn {
        loop {
            let turn = settle(&self.game, &mut lane.state, &mut lane.rng, &mut ());
            let Turn::Player(player) = turn else { return turn };
            let Some(agent) = self.agents[player.index()] else { return turn };
            let legal = self.game.legal_actions(&lane.state);
            let action = agent.choose(&self.game, &lane.state, legal, &mut lane.rng, &self.control.cancel);
            self.game.apply(&mut lane.state, action, &mut ());
        }
    }

    /// Begins a new game, up to the caller's first decision. A game that is over before the caller chose is no episode:
    /// the next one is taken.
    #[inline(always)]
    pub(super) fn begin(&self, lane: &mut Lane<G::State>) -> Result<Gate, BadRequest> {
        for _ in 0..MAX_EMPTY_GAMES {
            lane.state = self.game.initial_state();
            if let Turn::Player(player) = self.settle(lane) {
                lane.viewer = player;
                lane.steps = 0;
                return Ok(Gate { legal: self.game.legal_actions(&lane.state), ending: Ending::None });
            }
        }
        Err(BadRequest::new(format!(
            "{MAX_EMPTY_GAMES} games were over before a decision; these rules leave nothing to play"
        )))
    }

    /// Writes how a lane looks now.
    #[inline(always)]
    pub(super) fn write(
        &self,
        lane: &Lane<G::State>,
        gate: &Gate,
        observation: &mut [i8],
        mask: &mut [i8],
        current_player: &mut i8,
    ) {
        self.game.observe(&lane.state, lane.viewer, observation);
        // A game that was cut off is still somebody's turn, and its value is that player's.
        *current_player = if gate.ending == Ending::Over { TERMINAL } else { lane.viewer.0 as i8 };
        match (gate.ending, self.autoreset) {
            (Ending::None, _) => gate.legal.write_mask(mask),
            // What the next step takes: anything, because it begins a new game; nothing, because it may not come.
            (_, Autoreset::NextStep) => mask.fill(1),
            (_, Autoreset::Disabled) => mask.fill(0),
            // Here the row is put aside: what could have been played.
            (Ending::Over, Autoreset::SameStep) => mask.fill(0),
            (Ending::CutOff, Autoreset::SameStep) => gate.legal.write_mask(mask),
        }
    }

    /// Steps these lanes.
    pub(super) fn run(&self, slices: Slices<'_, G::State>) -> Result<(), BadRequest> {
        let Slices { lanes, gates, actions, only, out } = slices;
        let (cells, ids, players) = (G::OBSERVATION_LEN, G::NUM_ACTIONS, self.game.num_players());
        let rows = out
            .observations
            .chunks_exact_mut(cells)
            .zip(out.masks.chunks_exact_mut(ids))
            .zip(out.rewards.chunks_exact_mut(players))
            .zip(out.current_player.iter_mut())
            .zip(out.terminated.iter_mut())
            .zip(out.truncated.iter_mut());
        let lanes = lanes.iter_mut().zip(gates).zip(actions).enumerate();
        for ((index, ((lane, gate), &action)), row) in lanes.zip(rows) {
            let (((((observation, mask), rewards), player), terminated), truncated) = row;
            rewards.fill(0.0);
            let mut played = Played::default();
            if only.get(index) == Some(&false) {
                // The lane stays as it is.
            } else if gate.ended() {
                *gate = self.begin(lane)?;
            } else {
                played = self.play(lane, gate, action, rewards);
                if gate.ended() && self.autoreset == Autoreset::SameStep {
                    let last = &mut out.final_observations[index * cells..][..cells];
                    let last_mask = &mut out.final_masks[index * ids..][..ids];
                    let last_player = &mut out.final_current_player[index];
                    self.write(lane, gate, last, last_mask, last_player);
                    *gate = self.begin(lane)?;
                }
            }
            (*terminated, *truncated) = (played.terminated, played.truncated);
            if let Some(illegal) = out.illegal.get_mut(index) {
                *illegal = played.illegal;
            }
            self.write(lane, gate, observation, mask, player);
        }
        Ok(())
    }

    /// Plays an action, which is legal unless illegal ones are let through to here.
    #[inline(always)]
    fn play(&self, lane: &mut Lane<G::State>, gate: &mut Gate, action: i64, rewards: &mut [f32]) -> Played {
        let mover = lane.viewer;
        let mut played = Played::default();
        let illegal = self.illegal != IllegalActions::Raise && !gate.takes(action);
        let mut action = Action(action as u16);
        if illegal {
            played.illegal = true;
            if self.illegal == IllegalActions::Terminate {
                rewards[mover.index()] = -1.0;
                lane.viewer = self.learner.unwrap_or(mover);
                gate.ending = Ending::Over;
                return Played { terminated: true, ..played };
            }
            action = agent::random(gate.legal, &mut lane.rng);
        }
        self.game.apply(&mut lane.state, action, &mut ());
        lane.steps += self.learner.is_none_or(|learner| learner == mover) as u32;
        match self.settle(lane) {
            Turn::Player(player) => {
                lane.viewer = player;
                gate.legal = self.game.legal_actions(&lane.state);
                let cut = lane.steps >= self.max_episode_steps;
                // With a learner a game is cut off where the learner could have gone on.
                if cut && self.learner.is_none_or(|learner| learner == player) {
                    gate.ending = Ending::CutOff;
                    played.truncated = true;
                }
            }
            Turn::Over | Turn::Chance => {
                let returns = self.game.returns(&lane.state);
                for (reward, score) in rewards.iter_mut().zip(returns.as_slice()) {
                    *reward = *score as f32;
                }
                lane.viewer = self.learner.unwrap_or(mover);
                gate.ending = Ending::Over;
                played.terminated = true;
            }
        }
        played
    }
}
