//! What is written down of games while they are played, and how much of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::agents::rng::Stream;
use crate::base::error::Error;
use crate::base::memory::{self, zeros};
use crate::play::game_in_play::Recorder;
use crate::rules::action::{Action, ActionSet};
use crate::rules::chance::Outcome;
use crate::rules::game::FullGame;
use crate::rules::player::{MAX_PLAYERS, PerPlayer, Player};

/// The most steps of all kept games together: each takes more memory in what is made of it later.
pub const MAX_KEPT_STEPS: u64 = 10_000_000;

/// Decisions, game after game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// Decisions x cells: the view of who decided.
    pub observations: Vec<i8>,
    /// Decisions x actions: 1 where the action was legal.
    pub masks: Vec<i8>,
    /// What was chosen.
    pub actions: Vec<i32>,
    /// Who decided.
    pub players: Vec<i8>,
    /// Decisions x players: what followed at once, zero but at the end of a game.
    pub rewards: Vec<f32>,
    /// Where each game's decisions begin, and where the last end.
    pub offsets: Vec<i64>,
}

/// What may still be written down, by all games together.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) decisions: AtomicU64,
    pub(super) max_decisions: u64,
    pub(super) kept: AtomicU64,
    pub(super) max_kept: u64,
}

impl Room {
    /// Takes one place; whether there was one.
    pub(super) fn take(taken: &AtomicU64, max: u64) -> bool {
        taken.fetch_add(1, Ordering::Relaxed) < max
    }

    pub(super) fn decisions_are_over(&self) -> bool {
        self.decisions.load(Ordering::Relaxed) > self.max_decisions
    }

    pub(super) fn kept_are_over(&self) -> bool {
        self.kept.load(Ordering::Relaxed) > self.max_kept
    }
}

/// A state drawn from those in which somebody decided, each equally likely.
#[derive(Debug)]
pub(super) struct Drawn<S> {
    rng: Stream,
    decisions: u32,
    pub(super) state: Option<S>,
}

impl<S: Copy> Drawn<S> {
    /// None yet. What it draws is neither of the dice nor of any seat.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        Drawn { rng: Stream::of_samples(seed, game), decisions: 0, state: None }
    }

    fn see(&mut self, state: &S) {
        self.decisions += 1;
        // One in so many takes the place of what was drawn before: then each has had the same chance.
        if self.rng.below(self.decisions) == 0 {
            self.state = Some(*state);
        }
    }
}

/// How long agents inside the engine took to choose.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spent {
    /// By the wall clock.
    pub time: Duration,
    /// How often they chose.
    pub choices: u64,
}

/// What is written down of one game.
#[derive(Debug)]
pub(super) struct Notes<S> {
    pub(super) steps: Option<Steps>,
    pub(super) path: Option<Vec<u16>>,
    pub(super) drawn: Option<Drawn<S>>,
    /// For each seat.
    pub(super) spent: Option<[Spent; MAX_PLAYERS]>,
    pub(super) room: Arc<Room>,
    /// Whether something could not be written down.
    pub(super) full: bool,
    pub(super) no_memory: bool,
}

impl<S> Notes<S> {
    /// Whether nothing is to be written down.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_none() && self.path.is_none() && self.drawn.is_none() && self.spent.is_none()
    }

    pub(super) fn walk(&mut self, id: u16) {
        let Some(path) = &mut self.path else { return };
        if !Room::take(&self.room.kept, self.room.max_kept) {
            self.full = true;
        } else {
            path.push(id);
        }
    }
}

impl<G: FullGame> Recorder<G> for Option<Box<Notes<G::State>>> {
    fn outcome(&mut self, outcome: Outcome) {
        if let Some(notes) = self {
            notes.walk(outcome.0 as u16);
        }
    }

    fn decision(&mut self, game: &G, state: &G::State, player: Player, legal: ActionSet, action: Action) {
        let Some(notes) = self else { return };
        notes.walk(action.0);
        if let Some(drawn) = &mut notes.drawn {
            drawn.see(state);
        }
        let Some(steps) = &mut notes.steps else { return };
        if !Room::take(&notes.room.decisions, notes.room.max_decisions) {
            notes.full = true;
            return;
        }
        let (cells, ids) = (G::OBSERVATION_LEN, G::NUM_ACTIONS);
        let room = steps.observations.try_reserve(cells).and_then(|()| steps.masks.try_reserve(ids));
        let room =
            room.and_then(|()| steps.actions.try_reserve(1)).and_then(|()| steps.players.try_reserve(1));
        if room.is_err() {
            (notes.full, notes.no_memory) = (true, true);
            return;
        }
        let at = steps.actions.len();
        steps.observations.resize((at + 1) * cells, 0);
        game.observe(state, player, &mut steps.observations[at * cells..]);
        steps.masks.resize((at + 1) * ids, 0);
        legal.write_mask(&mut steps.masks[at * ids..]);
        steps.actions.push(action.0 as i32);
        steps.players.push(player.0 as i8);
    }

    #[cfg_attr(fast, inline(always))]
    fn choosing(&self) -> Option<Instant> {
        self.as_ref().and_then(|notes| notes.spent.is_some().then(Instant::now))
    }

    fn chosen(&mut self, player: Player, begun: Instant) {
        if let Some(spent) = self.as_mut().and_then(|notes| notes.spent.as_mut()) {
            let Spent { time, choices } = &mut spent[player.index()];
            *time += begun.elapsed();
            *choices += 1;
        }
    }

    fn is_full(&self) -> bool {
        self.as_ref().is_some_and(|notes| notes.full)
    }
}

impl Steps {
    /// Adds the decisions of one game, which ended with these returns.
    pub(super) fn append(&mut self, game: &Steps, returns: &PerPlayer<f64>) -> Result<(), Error> {
        memory::extend(&mut self.observations, game.observations.iter().copied())?;
        memory::extend(&mut self.masks, game.masks.iter().copied())?;
        memory::extend(&mut self.actions, game.actions.iter().copied())?;
        memory::extend(&mut self.players, game.players.iter().copied())?;
        let players = returns.as_slice().len();
        let mut rewards = zeros(game.actions.len() * players)?;
        if let Some(last) = rewards.len().checked_sub(players) {
            for (cell, score) in rewards[last..].iter_mut().zip(returns.as_slice()) {
                *cell = *score as f32;
            }
        }
        memory::extend(&mut self.rewards, rewards.into_iter())?;
        let end = self.actions.len() as i64;
        memory::extend(&mut self.offsets, [end].into_iter())?;
        Ok(())
    }
}
