//! One game of a batch, and how it is stepped.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Autoreset, BatchConfig, IllegalActions, MAX_LANES, Out, StepError, TERMINAL};
use crate::agents::playout::settle;
use crate::agents::rng::{Choices, Stream};
use crate::agents::{self, Agent};
use crate::base::control::Control;
use crate::base::cpu::{self, Work};
use crate::base::error::BadRequest;
use crate::base::threads::Items;
use crate::rules::action::{Action, ActionSet};
use crate::rules::game::{FullGame, Turn};
use crate::rules::player::{MAX_PLAYERS, Player};

/// How often a new game may be over before the caller chose, before the rules are held to be unplayable.
const MAX_EMPTY_GAMES: u32 = 1000;

#[derive(Clone, Debug)]
pub(super) struct Lane<S> {
    pub(super) state: S,
    /// Where the outcomes of chance come from.
    pub(super) dice: Stream,
    /// Decisions of the caller: of the learner only where there is one.
    pub(super) steps: u32,
    /// Whose view is written: who acts, or acted last; at the end the learner where there is one.
    pub(super) viewer: Player,
}

/// What a lane takes next. It stands apart from the lane, so that looking at all actions before any is played reads
/// little memory.
#[derive(Clone, Copy, Debug)]
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
    /// A gate that takes nothing.
    pub(super) const CLOSED: Gate = Gate { legal: ActionSet::EMPTY, ending: Ending::Over };

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
    /// The number of the first lane.
    pub(super) first: usize,
    pub(super) lanes: &'a mut [Lane<S>],
    pub(super) gates: &'a mut [Gate],
    /// Empty where nobody inside the engine draws choices.
    pub(super) choices: &'a mut [Choices],
    pub(super) before: Before<'a, S>,
    pub(super) actions: &'a [i64],
    /// Which lanes are stepped: all where it is empty.
    pub(super) only: &'a [bool],
    pub(super) out: Out<'a>,
}

/// Where lanes are kept as they stand before they are stepped.
pub(super) struct Before<'a, S> {
    pub(super) lanes: &'a mut [Lane<S>],
    pub(super) gates: &'a mut [Gate],
    pub(super) choices: &'a mut [Choices],
}

/// Takes the first `items` of a slice away, or as many as there are.
fn take<'a, T>(slice: &mut &'a mut [T], items: usize) -> &'a mut [T] {
    let all = std::mem::take(slice);
    let (taken, rest) = all.split_at_mut(items.min(all.len()));
    *slice = rest;
    taken
}

impl<S: Send> Items for Slices<'_, S> {
    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn take(&mut self, lanes: usize) -> Self {
        let of = self.lanes.len();
        let lanes = lanes.min(of);
        let first = self.first;
        self.first += lanes;
        let actions = self.actions.split_at(lanes.min(self.actions.len()));
        let only = self.only.split_at(lanes.min(self.only.len()));
        let out = std::mem::take(&mut self.out).split_at(lanes, of.max(1));
        (self.actions, self.only, self.out) = (actions.1, only.1, out.1);
        Slices {
            first,
            lanes: take(&mut self.lanes, lanes),
            gates: take(&mut self.gates, lanes),
            choices: take(&mut self.choices, lanes),
            before: Before {
                lanes: take(&mut self.before.lanes, lanes),
                gates: take(&mut self.before.gates, lanes),
                choices: take(&mut self.before.choices, lanes),
            },
            actions: actions.0,
            only: only.0,
            out: out.0,
        }
    }
}

impl<S: Clone> Slices<'_, S> {
    /// Keeps the lanes as they stand.
    pub(super) fn keep(&mut self) {
        self.before.lanes.clone_from_slice(self.lanes);
        self.before.gates.copy_from_slice(self.gates);
        self.before.choices.clone_from_slice(self.choices);
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
    /// What a batch needs to know, of settings that are checked here.
    ///
    /// # Errors
    /// When a size is out of range, or agents and seats do not match.
    pub(super) fn new(game: G, config: &BatchConfig) -> Result<Self, BadRequest> {
        if !(1..=MAX_LANES).contains(&config.num_lanes) {
            return Err(BadRequest::new(format!(
                "num_envs got {}; it takes 1 to {MAX_LANES}",
                config.num_lanes
            )));
        }
        if config.max_episode_steps == Some(0) {
            return Err(BadRequest::new("max_episode_steps got 0; it takes 1 or more, or None"));
        }
        let players = game.num_players();
        let mut agents = [None; MAX_PLAYERS];
        if !config.agents.is_empty() {
            if config.agents.len() != players || !config.agents.contains(&None) {
                return Err(BadRequest::new(format!(
                    "agents has {} entries; this game has {players} seats and needs an entry for each, and the \
                     caller must play at least one of them",
                    config.agents.len()
                )));
            }
            for agent in config.agents.iter().flatten() {
                agent.fits(&game)?;
            }
            agents[..players].copy_from_slice(&config.agents);
        }
        if let Some(learner) = config.learner
            && (learner.index() >= players || agents[learner.index()].is_some())
        {
            return Err(BadRequest::new(format!(
                "{learner} cannot learn: the caller does not play that seat"
            )));
        }
        Ok(Setup {
            game,
            autoreset: config.autoreset,
            max_episode_steps: config.max_episode_steps.unwrap_or(u32::MAX),
            agents,
            learner: config.learner,
            illegal: config.illegal,
            control: Arc::clone(&config.control),
        })
    }

    /// Whether a step may take so long that somebody wants to cancel it.
    pub(super) fn is_slow(&self) -> bool {
        self.agents.iter().flatten().any(|agent| agent.is_slow())
    }

    /// What stepping a lane costs, in units of a random decision.
    pub(super) fn cost(&self) -> u64 {
        1 + self.agents.iter().flatten().map(|agent| agent.cost()).sum::<u64>()
    }

    /// For how many of so many lanes choices are drawn inside the engine: all or none.
    pub(super) fn num_choices(&self, lanes: usize) -> usize {
        let draws = self.agents.iter().flatten().any(|agent| *agent != Agent::Greedy);
        if draws || self.illegal == IllegalActions::Random { lanes } else { 0 }
    }

    /// Draws chance outcomes and lets the agents inside the engine play until the caller has to choose or the game is
    /// over.
    #[inline(always)]
    fn settle(
        &self,
        lane: &mut Lane<G::State>,
        mut choices: Option<&mut Choices>,
    ) -> Result<Turn, StepError> {
        loop {
            let turn = settle(&self.game, &mut lane.state, &mut lane.dice, &mut ());
            let Turn::Player(player) = turn else { return Ok(turn) };
            let Some(agent) = self.agents[player.index()] else { return Ok(turn) };
            let legal = self.game.legal_actions(&lane.state);
            let action = match choices.as_deref_mut() {
                Some(choices) => {
                    let rng = &mut choices[player.index()];
                    let chosen = agent.choose(&self.game, &lane.state, legal, rng, &self.control);
                    chosen.ok_or_else(|| StepError::Refused(agent.why_not(&self.game, &lane.state)))?
                }
                // Nobody draws: see `num_choices`.
                None => agents::greedy(&self.game, &lane.state, legal),
            };
            self.game.apply(&mut lane.state, action, &mut ());
        }
    }

    /// Begins a new game, in this state where there is one, up to the caller's first decision. A game that is over before
    /// the caller chose is no episode: the next one is taken.
    #[inline(always)]
    pub(super) fn begin(
        &self,
        lane: &mut Lane<G::State>,
        mut choices: Option<&mut Choices>,
        start: Option<&G::State>,
    ) -> Result<Gate, StepError> {
        if start.is_some_and(|start| self.game.turn(start) == Turn::Over) {
            return Err(StepError::Refused(BadRequest::new("a game cannot begin where it is already over")));
        }
        for _ in 0..MAX_EMPTY_GAMES {
            lane.state = start.copied().unwrap_or_else(|| self.game.initial_state());
            if let Turn::Player(player) = self.settle(lane, choices.as_deref_mut())? {
                lane.viewer = player;
                lane.steps = 0;
                return Ok(Gate { legal: self.game.legal_actions(&lane.state), ending: Ending::None });
            }
            if self.control.is_cancelled() {
                return Err(StepError::Cancelled);
            }
        }
        Err(StepError::Refused(BadRequest::new(format!(
            "{MAX_EMPTY_GAMES} games were over before the first decision; there is nothing to play from this start"
        ))))
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
        self.write_mask(gate, mask);
    }

    /// Writes what a lane takes next.
    #[inline(always)]
    pub(super) fn write_mask(&self, gate: &Gate, mask: &mut [i8]) {
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
    pub(super) fn run(&self, slices: Slices<'_, G::State>) -> Result<(), StepError> {
        cpu::run(Step { setup: self, slices })
    }

    #[inline(always)]
    fn run_here(&self, slices: Slices<'_, G::State>) -> Result<(), StepError> {
        let Slices { lanes, gates, choices, actions, only, out, .. } = slices;
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
            let mut choices = choices.get_mut(index);
            let mut played = Played::default();
            if only.get(index) == Some(&false) {
                // The lane stays as it is.
            } else if gate.ended() {
                *gate = self.begin(lane, choices, None)?;
            } else {
                played = self.play(lane, gate, choices.as_deref_mut(), action, rewards)?;
                if gate.ended() && self.autoreset == Autoreset::SameStep {
                    let last = &mut out.final_observations[index * cells..][..cells];
                    let last_mask = &mut out.final_masks[index * ids..][..ids];
                    let last_player = &mut out.final_current_player[index];
                    self.write(lane, gate, last, last_mask, last_player);
                    *gate = self.begin(lane, choices, None)?;
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
    fn play(
        &self,
        lane: &mut Lane<G::State>,
        gate: &mut Gate,
        mut choices: Option<&mut Choices>,
        action: i64,
        rewards: &mut [f32],
    ) -> Result<Played, StepError> {
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
                return Ok(Played { terminated: true, ..played });
            }
            let choices =
                choices.as_deref_mut().expect("choices are drawn where illegal actions are replaced");
            action = agents::random(gate.legal, &mut choices[mover.index()]);
        }
        self.game.apply(&mut lane.state, action, &mut ());
        lane.steps += self.learner.is_none_or(|learner| learner == mover) as u32;
        match self.settle(lane, choices)? {
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
        Ok(played)
    }
}

/// See [`Setup::run`].
struct Step<'a, G: FullGame> {
    setup: &'a Setup<G>,
    slices: Slices<'a, G::State>,
}

impl<G: FullGame> Work for Step<'_, G> {
    type Output = Result<(), StepError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.setup.run_here(self.slices)
    }
}
