//! One game of a batch, and how it is stepped.

use super::{Autoreset, Out, TERMINAL};
use crate::action::{Action, ActionSet};
use crate::error::BadRequest;
use crate::game::{FullGame, Turn};
use crate::player::Player;
use crate::playout::settle;
use crate::rng::Stream;

/// How often a new game may be over before anybody chose, before the rules are held to be unplayable.
const MAX_EMPTY_GAMES: u32 = 1000;

#[derive(Clone, Debug)]
pub(super) struct Lane<S> {
    pub(super) state: S,
    pub(super) rng: Stream,
    pub(super) steps: u32,
    /// Who acts, or acted last.
    pub(super) viewer: Player,
}

/// What a lane takes next. It stands apart from the lane, so that looking at all actions before any is played reads
/// little memory.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    /// Means nothing when the game has ended.
    pub(super) legal: ActionSet,
    pub(super) ended: bool,
}

impl<S: Copy> Lane<S> {
    /// Begins a new game, up to its first decision. A game that is over before anybody chose is no episode: the next
    /// one is taken.
    #[inline(always)]
    pub(super) fn begin<G: FullGame<State = S>>(&mut self, game: &G) -> Result<Gate, BadRequest> {
        for _ in 0..MAX_EMPTY_GAMES {
            self.state = game.initial_state();
            if let Turn::Player(player) = settle(game, &mut self.state, &mut self.rng, &mut ()) {
                self.viewer = player;
                self.steps = 0;
                return Ok(Gate { legal: game.legal_actions(&self.state), ended: false });
            }
        }
        Err(BadRequest::new(format!(
            "{MAX_EMPTY_GAMES} games were over before a decision; these rules leave nothing to play"
        )))
    }

    #[inline(always)]
    pub(super) fn write<G: FullGame<State = S>>(
        &self,
        game: &G,
        gate: &Gate,
        autoreset: Autoreset,
        observation: &mut [i8],
        mask: &mut [i8],
        current_player: &mut i8,
    ) {
        game.observe(&self.state, self.viewer, observation);
        if !gate.ended {
            gate.legal.write_mask(mask);
            *current_player = self.viewer.0 as i8;
        } else {
            let over = game.turn(&self.state) == Turn::Over;
            // A game that was cut off is still somebody's turn, and its value is that player's.
            *current_player = if over { TERMINAL } else { self.viewer.0 as i8 };
            match autoreset {
                // What the next step takes: anything, because it begins a new game; nothing, because it may not come.
                Autoreset::NextStep => mask.fill(1),
                Autoreset::Disabled => mask.fill(0),
                // Here the row is put aside: what could have been played.
                Autoreset::SameStep if over => mask.fill(0),
                Autoreset::SameStep => gate.legal.write_mask(mask),
            }
        }
    }
}

/// Lanes with everything that belongs to them, in the same order.
pub(super) struct Slices<'a, S> {
    pub(super) lanes: &'a mut [Lane<S>],
    pub(super) gates: &'a mut [Gate],
    pub(super) actions: &'a [i64],
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
        let out = std::mem::take(&mut self.out).split_at(lanes, of);
        *self = Slices { lanes: taken.1, gates: gates.1, actions: actions.1, out: out.1 };
        Some(Slices { lanes: taken.0, gates: gates.0, actions: actions.0, out: out.0 })
    }
}

/// What stepping a lane needs to know.
pub(super) struct Stepper<'a, G> {
    pub(super) game: &'a G,
    pub(super) autoreset: Autoreset,
    pub(super) max_episode_steps: u32,
    pub(super) players: usize,
}

impl<G: FullGame> Stepper<'_, G> {
    /// Steps these lanes.
    pub(super) fn run(&self, slices: Slices<'_, G::State>) -> Result<(), BadRequest> {
        let Slices { lanes, gates, actions, out } = slices;
        let (cells, ids, players) = (G::OBSERVATION_LEN, G::NUM_ACTIONS, self.players);
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
            (*terminated, *truncated) = (false, false);
            if gate.ended {
                *gate = lane.begin(self.game)?;
            } else {
                (*terminated, *truncated) = self.play(lane, gate, Action(action as u16), rewards);
                if gate.ended && self.autoreset == Autoreset::SameStep {
                    let last = &mut out.final_observations[index * cells..][..cells];
                    let last_mask = &mut out.final_masks[index * ids..][..ids];
                    let last_player = &mut out.final_current_player[index];
                    lane.write(self.game, gate, self.autoreset, last, last_mask, last_player);
                    *gate = lane.begin(self.game)?;
                }
            }
            lane.write(self.game, gate, self.autoreset, observation, mask, player);
        }
        Ok(())
    }

    /// Plays a legal action; says whether the game was terminated or truncated.
    #[inline(always)]
    fn play(
        &self,
        lane: &mut Lane<G::State>,
        gate: &mut Gate,
        action: Action,
        rewards: &mut [f32],
    ) -> (bool, bool) {
        self.game.apply(&mut lane.state, action, &mut ());
        lane.steps += 1;
        match settle(self.game, &mut lane.state, &mut lane.rng, &mut ()) {
            Turn::Player(player) => {
                lane.viewer = player;
                gate.legal = self.game.legal_actions(&lane.state);
                gate.ended = lane.steps >= self.max_episode_steps;
                (false, gate.ended)
            }
            Turn::Over | Turn::Chance => {
                let returns = self.game.returns(&lane.state);
                for (reward, score) in rewards.iter_mut().zip(returns.as_slice()) {
                    *reward = *score as f32;
                }
                gate.ended = true;
                (true, false)
            }
        }
    }
}
