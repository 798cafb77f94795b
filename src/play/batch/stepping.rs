//! How the lanes of a batch are stepped.

use std::sync::Arc;

use super::casts::{Row, Table};
use super::lane::{Beside, Ending, Gate, Lane};
use super::slices::Slices;
use super::terms::Terms;
use super::{Autoreset, BatchConfig, IllegalActions, MAX_LANES, Out};
use crate::agents;
use crate::agents::playout::settle;
use crate::base::control::Control;
use crate::base::cpu::{self, Work};
use crate::base::error::Error;
use crate::play::game_in_play::Counts;
use crate::play::states::TERMINAL;
use crate::rules::action::Action;
use crate::rules::game::{FullGame, Turn};
use crate::rules::player::{MAX_PLAYERS, Player};

/// How often a new game may be over before the caller chose, before the rules are held to be unplayable.
const MAX_EMPTY_GAMES: u16 = 1000;

/// What stepping a lane needs to know: the same for every lane of a batch.
#[derive(Clone, Debug)]
pub(super) struct Setup<G> {
    pub(super) game: G,
    pub(super) autoreset: Autoreset,
    pub(super) max_episode_steps: u32,
    pub(super) illegal: IllegalActions,
    /// Whether statistics are counted.
    pub(super) counts: bool,
    pub(super) control: Arc<Control>,
}

/// What a step did in a lane besides moving its game on.
#[derive(Default)]
struct Played {
    terminated: bool,
    truncated: bool,
    illegal: bool,
}

/// In which of these states the game of a lane begins: one for all lanes, or one for each.
pub(super) fn start_of<S>(starts: &[S], lane: usize) -> Option<&S> {
    if starts.len() == 1 { starts.first() } else { starts.get(lane) }
}

impl<G: FullGame> Setup<G> {
    /// What a batch needs to know, of settings that are checked here.
    ///
    /// # Errors
    /// When a size is out of range.
    pub(super) fn new(game: G, config: &BatchConfig) -> Result<Self, Error> {
        if !(1..=MAX_LANES).contains(&config.num_lanes) {
            return Err(Error::new(format!("num_envs got {}; it takes 1 to {MAX_LANES}", config.num_lanes)));
        }
        if config.max_episode_steps == Some(0) {
            return Err(Error::new("max_episode_steps got 0; it takes 1 or more, or None"));
        }
        Ok(Setup {
            game,
            autoreset: config.autoreset,
            max_episode_steps: config.max_episode_steps.unwrap_or(u32::MAX),
            illegal: config.illegal,
            counts: config.counts,
            control: Arc::clone(&config.control),
        })
    }

    /// For how many of so many lanes choices are drawn inside the engine: all or none.
    pub(super) fn num_choices(&self, casts: &Table<G>, lanes: usize) -> usize {
        if casts.draws_choices() || self.illegal == IllegalActions::Random { lanes } else { 0 }
    }

    /// In how many of so many lanes something is counted: all or none.
    pub(super) fn num_tallies(&self, lanes: usize) -> usize {
        if self.counts { lanes } else { 0 }
    }

    /// Draws chance outcomes and lets the agents inside the engine play until the caller has to choose or the game is
    /// over.
    #[cfg_attr(fast, inline(always))]
    fn settle<const COUNTS: bool>(
        &self,
        cast: &Row<G>,
        lane: &mut Lane<G::State>,
        beside: &mut Beside<'_, COUNTS>,
    ) -> Result<Turn, Error> {
        loop {
            let turn = match COUNTS {
                true => settle(&self.game, &mut lane.state, &mut lane.dice, beside),
                false => settle(&self.game, &mut lane.state, &mut lane.dice, &mut ()),
            };
            let Turn::Player(player) = turn else { return Ok(turn) };
            let Some(agent) = &cast.agents[player.index()] else { return Ok(turn) };
            let legal = self.game.legal_actions(&lane.state);
            let action = match beside.choices.as_deref_mut() {
                Some(choices) => {
                    let rng = &mut choices[player.index()];
                    agent.choose(&self.game, &lane.state, legal, rng, &self.control)?
                }
                // Nobody draws: see `num_choices`.
                None => agents::greedy(&self.game, &lane.state, legal),
            };
            self.apply(lane, action, beside);
        }
    }

    /// Plays an action.
    #[cfg_attr(fast, inline(always))]
    fn apply<const COUNTS: bool>(
        &self,
        lane: &mut Lane<G::State>,
        action: Action,
        beside: &mut Beside<'_, COUNTS>,
    ) {
        match COUNTS {
            true => self.game.apply(&mut lane.state, action, beside),
            false => self.game.apply(&mut lane.state, action, &mut ()),
        }
    }

    /// Begins a new game in lane `number`, in this state where there is one, up to the caller's first decision, or the
    /// first of a policy. A game that is over before the caller chose is no episode: the next one is taken, to which
    /// `again` leads where a policy made the last decision in it.
    pub(super) fn begin(
        &self,
        terms: &Terms<G>,
        number: usize,
        lane: &mut Lane<G::State>,
        beside: Beside<'_, true>,
        start: Option<&G::State>,
        again: bool,
    ) -> Result<Gate, Error> {
        cpu::run(Begin { setup: self, terms, number, lane, beside, start, again })
    }

    /// Which lane comes first that cannot take its action, or its answer; all can where there are no actions.
    pub(super) fn first_wrong(&self, gates: &[Gate], actions: &[u8], answers: bool) -> Option<usize> {
        let mut lanes = gates.iter().zip(actions);
        if answers {
            return lanes.position(|(gate, &action)| gate.asked && !gate.takes(action));
        }
        lanes.position(|(gate, &action)| match gate.ended() {
            true => self.autoreset != Autoreset::NextStep,
            false => self.illegal == IllegalActions::Raise && !gate.takes(action),
        })
    }

    /// Writes how lanes look now, as far as there is room for it.
    pub(super) fn show(&self, lanes: &[Lane<G::State>], gates: &[Gate], out: &mut Out<'_>) {
        let rows = out
            .observations
            .chunks_exact_mut(G::OBSERVATION_LEN)
            .zip(out.masks.chunks_exact_mut(G::NUM_ACTIONS))
            .zip(out.current_player.iter_mut());
        for ((lane, gate), ((observation, mask), player)) in lanes.iter().zip(gates).zip(rows) {
            self.write(lane, gate, observation, mask, player);
        }
    }

    /// Writes how a lane looks now.
    #[cfg_attr(fast, inline(always))]
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
    #[cfg_attr(fast, inline(always))]
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
    pub(super) fn run(&self, slices: Slices<'_, G>) -> Result<(), Error> {
        match self.counts {
            true => cpu::run(Step::<G, true> { setup: self, slices }),
            false => cpu::run(Step::<G, false> { setup: self, slices }),
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn run_here<const COUNTS: bool>(&self, slices: Slices<'_, G>) -> Result<(), Error> {
        if let Some(starts) = slices.answers {
            return self.take_answers::<COUNTS>(slices, starts);
        }
        let Slices { first, lanes, gates, choices, tallies, terms, actions, out, .. } = slices;
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
            let mut beside =
                Beside::<COUNTS> { choices: choices.get_mut(index), tallies: tallies.get_mut(index) };
            let mut played = Played::default();
            if gate.ended() {
                *gate = self.begin(terms, first + index, lane, beside.counting(), None, false)?;
            } else {
                played = self.play(terms.casts.row(lane.cast), lane, gate, &mut beside, action, rewards)?;
                if gate.ended() && self.autoreset == Autoreset::SameStep {
                    let cells = &mut out.final_observations[index * cells..][..cells];
                    let ids = &mut out.final_masks[index * ids..][..ids];
                    self.write(lane, gate, cells, ids, &mut out.final_current_player[index]);
                    *gate = self.begin(terms, first + index, lane, beside.counting(), None, false)?;
                }
            }
            (*terminated, *truncated) = (played.terminated, played.truncated);
            if let Some(illegal) = out.illegal.get_mut(index) {
                *illegal = played.illegal;
            }
            if !gate.asked {
                self.write(lane, gate, observation, mask, player);
            }
        }
        Ok(())
    }

    /// Plays what policies have answered, and writes the lanes that are through with the step or reset then.
    #[cfg_attr(fast, inline(always))]
    fn take_answers<const COUNTS: bool>(
        &self,
        slices: Slices<'_, G>,
        starts: &[G::State],
    ) -> Result<(), Error> {
        let Slices { first, lanes, gates, choices, tallies, terms, actions, out, .. } = slices;
        let (cells, ids, players) = (G::OBSERVATION_LEN, G::NUM_ACTIONS, self.game.num_players());
        let lanes = lanes.iter_mut().zip(gates).zip(actions).enumerate();
        for (index, ((lane, gate), &action)) in lanes.filter(|(_, ((_, gate), _))| gate.asked) {
            let number = first + index;
            let mut beside =
                Beside::<COUNTS> { choices: choices.get_mut(index), tallies: tallies.get_mut(index) };
            let beginning = lane.steps == 0;
            let cast = terms.casts.row(lane.cast);
            let mut nobody = [0.0; MAX_PLAYERS];
            let rewards = match beginning {
                true => &mut nobody[..players],
                false => &mut out.rewards[index * players..][..players],
            };
            let mover = lane.viewer;
            self.apply(lane, Action(action.into()), &mut beside);
            let played = self.arrive(cast, lane, gate, &mut beside, mover, rewards)?;
            if beginning && gate.ended() {
                let start = start_of(starts, number);
                *gate = self.begin(terms, number, lane, beside.counting(), start, true)?;
            } else if gate.ended() {
                (out.terminated[index], out.truncated[index]) = (played.terminated, played.truncated);
                if self.autoreset == Autoreset::SameStep {
                    let cells = &mut out.final_observations[index * cells..][..cells];
                    let ids = &mut out.final_masks[index * ids..][..ids];
                    self.write(lane, gate, cells, ids, &mut out.final_current_player[index]);
                    *gate = self.begin(terms, number, lane, beside.counting(), None, false)?;
                }
            }
            if !gate.asked {
                let observation = &mut out.observations[index * cells..][..cells];
                let mask = &mut out.masks[index * ids..][..ids];
                self.write(lane, gate, observation, mask, &mut out.current_player[index]);
            }
        }
        Ok(())
    }

    /// Plays an action, which is legal unless illegal ones are let through to here.
    #[cfg_attr(fast, inline(always))]
    fn play<const COUNTS: bool>(
        &self,
        cast: &Row<G>,
        lane: &mut Lane<G::State>,
        gate: &mut Gate,
        beside: &mut Beside<'_, COUNTS>,
        action: u8,
        rewards: &mut [f32],
    ) -> Result<Played, Error> {
        let mover = lane.viewer;
        let illegal = self.illegal != IllegalActions::Raise && !gate.takes(action);
        let mut action = Action(action.into());
        if illegal {
            if self.illegal == IllegalActions::Terminate {
                rewards[mover.index()] = -1.0;
                lane.viewer = cast.learner.unwrap_or(mover);
                gate.ending = Ending::Over;
                return Ok(Played { terminated: true, illegal, ..Played::default() });
            }
            let choices =
                beside.choices.as_deref_mut().expect("choices are drawn where illegal actions are replaced");
            action = agents::random(gate.legal, &mut choices[mover.index()]);
        }
        self.apply(lane, action, beside);
        lane.steps += !cast.asks_for(mover) as u32;
        Ok(Played { illegal, ..self.arrive(cast, lane, gate, beside, mover, rewards)? })
    }

    /// Moves a game on to where somebody outside the engine has to choose, or to its end.
    #[cfg_attr(fast, inline(always))]
    fn arrive<const COUNTS: bool>(
        &self,
        cast: &Row<G>,
        lane: &mut Lane<G::State>,
        gate: &mut Gate,
        beside: &mut Beside<'_, COUNTS>,
        mover: Player,
        rewards: &mut [f32],
    ) -> Result<Played, Error> {
        let mut played = Played::default();
        gate.asked = false;
        match self.settle(cast, lane, beside)? {
            Turn::Player(player) => {
                lane.viewer = player;
                gate.legal = self.game.legal_actions(&lane.state);
                gate.asked = cast.asks_for(player);
                // With a learner a game is cut off where the learner could have gone on.
                if lane.steps >= self.max_episode_steps && !gate.asked {
                    gate.ending = Ending::CutOff;
                    played.truncated = true;
                }
            }
            Turn::Over | Turn::Chance => {
                let returns = self.game.returns(&lane.state);
                for (reward, score) in rewards.iter_mut().zip(returns.as_slice()) {
                    *reward = *score as f32;
                }
                lane.viewer = cast.learner.unwrap_or(mover);
                gate.ending = Ending::Over;
                played.terminated = true;
            }
        }
        Ok(played)
    }
}

/// See [`Setup::begin`]. It stands by itself, because games begin seldom and what a step is made of should stay small.
struct Begin<'a, G: FullGame> {
    setup: &'a Setup<G>,
    terms: &'a Terms<G>,
    number: usize,
    lane: &'a mut Lane<G::State>,
    beside: Beside<'a, true>,
    start: Option<&'a G::State>,
    again: bool,
}

impl<G: FullGame> Work for Begin<'_, G> {
    type Output = Result<Gate, Error>;

    #[cfg_attr(fast, inline(always))]
    fn run(self) -> Self::Output {
        let Begin { setup, terms, number, lane, mut beside, start, again } = self;
        if again {
            lane.empty += 1;
        } else {
            (lane.last_cast, lane.empty) = (lane.cast, 0);
            if let Some(tallies) = &mut beside.tallies {
                tallies.last = tallies.now;
            }
        }
        while lane.empty < MAX_EMPTY_GAMES {
            let (cast, drawn) = terms.draw(number, lane.episodes);
            // Each game has dice and choices of its own, whatever was drawn in those before.
            let streams = terms.origins[number].streams(lane.episodes);
            lane.dice = streams.dice;
            if let Some(choices) = beside.choices.as_deref_mut() {
                *choices = streams.seats;
            }
            (lane.cast, lane.episodes) = (cast, lane.episodes.wrapping_add(1));
            lane.state = start.copied().or(drawn).unwrap_or_else(|| setup.game.initial_state());
            if let Some(tallies) = &mut beside.tallies {
                tallies.now = Counts::default();
            }
            let row = terms.casts.row(cast);
            if let Turn::Player(player) = setup.settle(row, lane, &mut beside)? {
                lane.viewer = player;
                lane.steps = 0;
                let legal = setup.game.legal_actions(&lane.state);
                return Ok(Gate { legal, ending: Ending::None, asked: row.asks_for(player) });
            }
            lane.empty += 1;
            if setup.control.is_cancelled() {
                return Err(Error::Cancelled);
            }
        }
        Err(Error::new(format!(
            "{MAX_EMPTY_GAMES} games were over before the first decision; there is nothing to play from this start"
        )))
    }
}

/// See [`Setup::run`].
struct Step<'a, G: FullGame, const COUNTS: bool> {
    setup: &'a Setup<G>,
    slices: Slices<'a, G>,
}

impl<G: FullGame, const COUNTS: bool> Work for Step<'_, G, COUNTS> {
    type Output = Result<(), Error>;

    #[cfg_attr(fast, inline(always))]
    fn run(self) -> Self::Output {
        self.setup.run_here::<COUNTS>(self.slices)
    }
}
