//! How the lanes of a batch are stepped.

use std::sync::Arc;

use super::lane::{Beside, Ending, Lane, Status};
use super::lineups::{BoundLineup, BoundLineups};
use super::slices::Slices;
use super::terms::Terms;
use super::{Autoreset, BatchConfig, IllegalActions, MAX_LANES, Out};
use crate::agents;
use crate::agents::settle;
use crate::base::{Control, Error, multiversion};
use crate::play::{Counts, TERMINAL};
use crate::rules::{Action, FullGame, MAX_PLAYERS, Player, Turn};

/// How often a new game may be over before the caller chose, before the rules are held to be unplayable.
const MAX_EMPTY_GAMES: u16 = 1000;

/// What stepping a lane needs to know: the same for every lane of a batch.
#[derive(Debug)]
pub(super) struct Setup<G> {
    pub(super) game: G,
    pub(super) autoreset: Autoreset,
    pub(super) max_episode_steps: u32,
    pub(super) illegal: IllegalActions,
    /// Whether statistics are counted.
    pub(super) counts: bool,
    pub(super) control: Arc<Control>,
}

/// In which of these states the game of a lane begins: one for all lanes, or one for each.
pub(super) fn start_of<S>(starts: &[S], lane: usize) -> Option<&S> {
    if starts.len() == 1 { starts.first() } else { starts.get(lane) }
}

impl<G: FullGame> Setup<G> {
    /// What a batch needs to know, of settings that are checked here.
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
    pub(super) fn num_choices(&self, lineups: &BoundLineups<G>, lanes: usize) -> usize {
        if lineups.draws_choices() || self.illegal == IllegalActions::Random { lanes } else { 0 }
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
        lineup: &BoundLineup<G>,
        lane: &mut Lane<G::State>,
        beside: &mut Beside<'_, COUNTS>,
    ) -> Result<Turn, Error> {
        loop {
            let turn = match COUNTS {
                true => settle(&self.game, &mut lane.state, &mut lane.dice, beside),
                false => settle(&self.game, &mut lane.state, &mut lane.dice, &mut ()),
            };
            let Turn::Player(player) = turn else { return Ok(turn) };
            let Some(agent) = &lineup.agents[player.index()] else { return Ok(turn) };
            let legal = self.game.legal_actions(&lane.state);
            let action = match beside.choices.as_deref_mut() {
                Some(choices) => {
                    let rng = &mut choices[player.index()];
                    agent.choose(&self.game, &lane.state, legal, rng, &self.control, &mut None)?
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

    /// Which lane comes first that cannot take its action, or its answer; all can where there are no actions.
    pub(super) fn first_wrong(&self, statuses: &[Status], actions: &[u8], answers: bool) -> Option<usize> {
        let mut lanes = statuses.iter().zip(actions);
        if answers {
            return lanes.position(|(status, &action)| status.asked && !status.takes(action));
        }
        lanes.position(|(status, &action)| match status.ended() {
            true => self.autoreset != Autoreset::NextStep,
            false => self.illegal == IllegalActions::Raise && !status.takes(action),
        })
    }

    /// Writes how lanes look now, as far as there is room for it.
    pub(super) fn show(&self, lanes: &[Lane<G::State>], statuses: &[Status], out: &mut Out<'_>) {
        let rows = out
            .observations
            .chunks_exact_mut(G::OBSERVATION_LEN)
            .zip(out.masks.chunks_exact_mut(G::NUM_ACTIONS))
            .zip(out.current_player.iter_mut());
        for ((lane, status), ((observation, mask), player)) in lanes.iter().zip(statuses).zip(rows) {
            self.write(lane, status, observation, mask, player);
        }
    }

    /// Writes how a lane looks now.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn write(
        &self,
        lane: &Lane<G::State>,
        status: &Status,
        observation: &mut [i8],
        mask: &mut [i8],
        current_player: &mut i8,
    ) {
        self.game.observe(&lane.state, lane.viewer, observation);
        // A game that was cut off is still somebody's turn, and its value is that player's.
        *current_player = if status.ending == Ending::Over { TERMINAL } else { lane.viewer.0 as i8 };
        self.write_mask(status, mask);
    }

    /// Writes what a lane takes next.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn write_mask(&self, status: &Status, mask: &mut [i8]) {
        match (status.ending, self.autoreset) {
            (Ending::None, _) => status.legal.write_mask(mask),
            // What the next step takes: anything, because it begins a new game; nothing, because it may not come.
            (_, Autoreset::NextStep) => mask.fill(1),
            (_, Autoreset::Disabled) => mask.fill(0),
            // Here the row is put aside: what could have been played.
            (Ending::Over, Autoreset::SameStep) => mask.fill(0),
            (Ending::CutOff, Autoreset::SameStep) => status.legal.write_mask(mask),
        }
    }

    /// Steps these lanes, or plays what policies have answered in those that have asked.
    pub(super) fn run(&self, slices: Slices<'_, G>) -> Result<(), Error> {
        if self.counts { step_counted(self, slices) } else { step(self, slices) }
    }

    #[cfg_attr(fast, inline(always))]
    fn run_here<const COUNTS: bool>(&self, slices: Slices<'_, G>) -> Result<(), Error> {
        let Slices { first, lanes, statuses, choices, tallies, terms, actions, answers, out } = slices;
        let (cells, ids, players) = (G::OBSERVATION_LEN, G::NUM_ACTIONS, self.game.num_players());
        let rows = out
            .observations
            .chunks_exact_mut(cells)
            .zip(out.masks.chunks_exact_mut(ids))
            .zip(out.current_player.iter_mut());
        let lanes = lanes.iter_mut().zip(statuses).zip(actions).enumerate();
        for ((index, ((lane, status), &action)), ((observation, mask), player)) in lanes.zip(rows) {
            if answers.is_some() && !status.asked {
                continue;
            }
            let number = first + index;
            let mut beside =
                Beside::<COUNTS> { choices: choices.get_mut(index), tallies: tallies.get_mut(index) };
            // A policy decides before the caller has: the game does not count yet, and a reset has no rewards.
            let before_caller = answers.is_some() && lane.steps == 0;
            let mut no_rewards = [0.0; MAX_PLAYERS];
            let rewards = match before_caller {
                true => &mut no_rewards[..players],
                false => &mut out.rewards[index * players..][..players],
            };
            if answers.is_some() {
                let mover = lane.viewer;
                self.apply(lane, Action(action.into()), &mut beside);
                self.arrive(terms.lineups.row(lane.lineup), lane, status, &mut beside, mover, rewards)?;
            } else {
                rewards.fill(0.0);
                let mut illegal = false;
                if status.ended() {
                    *status = begin(self, terms, number, lane, beside.counting(), None, false)?;
                } else {
                    let lineup = terms.lineups.row(lane.lineup);
                    illegal = self.play(lineup, lane, status, &mut beside, action, rewards)?;
                }
                if let Some(told) = out.illegal.get_mut(index) {
                    *told = illegal;
                }
            }
            if before_caller {
                if status.ended() {
                    let start = start_of(answers.unwrap_or_default(), number);
                    *status = begin(self, terms, number, lane, beside.counting(), start, true)?;
                }
            } else {
                out.terminated[index] = status.ending == Ending::Over;
                out.truncated[index] = status.ending == Ending::CutOff;
                if status.ended() && self.autoreset == Autoreset::SameStep {
                    let cells = &mut out.final_observations[index * cells..][..cells];
                    let ids = &mut out.final_masks[index * ids..][..ids];
                    self.write(lane, status, cells, ids, &mut out.final_current_player[index]);
                    *status = begin(self, terms, number, lane, beside.counting(), None, false)?;
                }
            }
            if !status.asked {
                self.write(lane, status, observation, mask, player);
            }
        }
        Ok(())
    }

    /// Plays an action, which is legal unless illegal ones are let through to here; returns whether it was illegal.
    #[cfg_attr(fast, inline(always))]
    fn play<const COUNTS: bool>(
        &self,
        lineup: &BoundLineup<G>,
        lane: &mut Lane<G::State>,
        status: &mut Status,
        beside: &mut Beside<'_, COUNTS>,
        action: u8,
        rewards: &mut [f32],
    ) -> Result<bool, Error> {
        let mover = lane.viewer;
        let illegal = self.illegal != IllegalActions::Raise && !status.takes(action);
        let mut action = Action(action.into());
        if illegal {
            if self.illegal == IllegalActions::Terminate {
                rewards[mover.index()] = -1.0;
                lane.viewer = lineup.learner.unwrap_or(mover);
                status.ending = Ending::Over;
                return Ok(true);
            }
            let choices =
                beside.choices.as_deref_mut().expect("choices are drawn where illegal actions are replaced");
            action = agents::random(status.legal, &mut choices[mover.index()]);
        }
        self.apply(lane, action, beside);
        lane.steps += !lineup.asks_for(mover) as u32;
        self.arrive(lineup, lane, status, beside, mover, rewards)?;
        Ok(illegal)
    }

    /// Moves a game on to where somebody outside the engine has to choose, or to its end.
    #[cfg_attr(fast, inline(always))]
    fn arrive<const COUNTS: bool>(
        &self,
        lineup: &BoundLineup<G>,
        lane: &mut Lane<G::State>,
        status: &mut Status,
        beside: &mut Beside<'_, COUNTS>,
        mover: Player,
        rewards: &mut [f32],
    ) -> Result<(), Error> {
        status.asked = false;
        match self.settle(lineup, lane, beside)? {
            Turn::Player(player) => {
                lane.viewer = player;
                status.legal = self.game.legal_actions(&lane.state);
                status.asked = lineup.asks_for(player);
                // With a learner a game is cut off where the learner could have gone on.
                if lane.steps >= self.max_episode_steps && !status.asked {
                    status.ending = Ending::CutOff;
                }
            }
            Turn::Over | Turn::Chance => {
                let returns = self.game.returns(&lane.state);
                for (reward, score) in rewards.iter_mut().zip(returns.as_slice()) {
                    *reward = *score as f32;
                }
                lane.viewer = lineup.learner.unwrap_or(mover);
                status.ending = Ending::Over;
            }
        }
        Ok(())
    }
}

multiversion! {
    fn step[G: FullGame](setup: &Setup<G>, slices: Slices<'_, G>) -> Result<(), Error> {
        setup.run_here::<false>(slices)
    }
}

multiversion! {
    fn step_counted[G: FullGame](setup: &Setup<G>, slices: Slices<'_, G>) -> Result<(), Error> {
        setup.run_here::<true>(slices)
    }
}

multiversion! {
    /// Begins a new game in lane `number`, in this state where there is one, up to the caller's first decision, or the
    /// first of a policy. A game that is over before the caller chose is no episode: the next one is taken, to which
    /// `again` leads where a policy made the last decision in it.
    ///
    /// It stands by itself, because games begin seldom and what a step is made of should stay small.
    #[inline(never)]
    pub(super) fn begin[G: FullGame](
        setup: &Setup<G>,
        terms: &Terms<G>,
        number: usize,
        lane: &mut Lane<G::State>,
        beside: Beside<'_, true>,
        start: Option<&G::State>,
        again: bool,
    ) -> Result<Status, Error> {
        let mut beside = beside;
        if again {
            lane.empty += 1;
        } else {
            (lane.last_lineup, lane.empty) = (lane.lineup, 0);
            if let Some(tallies) = &mut beside.tallies {
                tallies.last = tallies.now;
            }
        }
        while lane.empty < MAX_EMPTY_GAMES {
            let (lineup, drawn) = terms.draw(number, lane.episodes);
            // Each game has dice and choices of its own, whatever was drawn in those before.
            let streams = terms.origins[number].streams(lane.episodes);
            lane.dice = streams.dice;
            if let Some(choices) = beside.choices.as_deref_mut() {
                *choices = streams.seats;
            }
            (lane.lineup, lane.episodes) = (lineup, lane.episodes.wrapping_add(1));
            lane.state = start.copied().or(drawn).unwrap_or_else(|| setup.game.initial_state());
            if let Some(tallies) = &mut beside.tallies {
                tallies.now = Counts::default();
            }
            let row = terms.lineups.row(lineup);
            if let Turn::Player(player) = setup.settle(row, lane, &mut beside)? {
                lane.viewer = player;
                lane.steps = 0;
                let legal = setup.game.legal_actions(&lane.state);
                return Ok(Status { legal, ending: Ending::None, asked: row.asks_for(player) });
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
