//! What is written down of games while they are played, and how much of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::base::{Error, memory};
use crate::play::Recorder;
use crate::rules::{Action, ActionSet, FullGame, MAX_PLAYERS, Outcome, PerPlayer, Player};

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
    /// Games x players x cells: the view of each seat when the game is over.
    pub finals: Vec<i8>,
    /// Where each game's decisions begin, and where the last end.
    pub offsets: Vec<i64>,
}

/// What may still be written down, by all games together.
#[derive(Debug)]
pub(super) struct Room {
    decisions: AtomicU64,
    /// `None` where no decisions are written down.
    max_decisions: Option<u64>,
    kept: AtomicU64,
    no_memory: AtomicBool,
}

impl Room {
    /// For so many decisions, if any are written down.
    pub(super) fn new(max_decisions: Option<u64>) -> Self {
        let (decisions, kept) = (AtomicU64::new(0), AtomicU64::new(0));
        Room { decisions, max_decisions, kept, no_memory: AtomicBool::new(false) }
    }

    /// Whether decisions are written down.
    pub(super) fn takes_decisions(&self) -> bool {
        self.max_decisions.is_some()
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if self.kept.load(Ordering::Relaxed) > MAX_KEPT_STEPS {
            return Err(Error::new(format!(
                "the games to keep have more than {MAX_KEPT_STEPS} steps; keep fewer of them"
            )));
        }
        if let Some(limit) =
            self.max_decisions.filter(|&limit| self.decisions.load(Ordering::Relaxed) > limit)
        {
            return Err(Error::new(format!(
                "these games have more than max_decisions={limit} decisions; ask for fewer games or allow more"
            )));
        }
        if self.no_memory.load(Ordering::Relaxed) {
            return Err(Error::no_memory(
                "not enough memory for more decisions; ask for fewer games at a time",
            ));
        }
        Ok(())
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
pub(super) struct Notes {
    pub(super) steps: Option<Steps>,
    pub(super) path: Option<Vec<u16>>,
    /// For each seat.
    pub(super) spent: Option<[Spent; MAX_PLAYERS]>,
    pub(super) room: Arc<Room>,
    /// Whether something could not be written down.
    pub(super) full: bool,
}

impl Notes {
    fn walk(&mut self, id: u16) {
        let Some(path) = &mut self.path else { return };
        if self.room.kept.fetch_add(1, Ordering::Relaxed) < MAX_KEPT_STEPS {
            path.push(id);
        } else {
            self.full = true;
        }
    }
}

impl<G: FullGame> Recorder<G> for Notes {
    fn outcome(&mut self, outcome: Outcome) {
        self.walk(outcome.0.into());
    }

    fn decision(&mut self, game: &G, state: &G::State, player: Player, legal: ActionSet, action: Action) {
        self.walk(action.0);
        let Some(steps) = &mut self.steps else { return };
        let limit = self.room.max_decisions.unwrap_or_default();
        if self.room.decisions.fetch_add(1, Ordering::Relaxed) >= limit {
            self.full = true;
            return;
        }
        let (cells, ids, at) = (G::OBSERVATION_LEN, G::NUM_ACTIONS, steps.actions.len());
        let room = [
            steps.observations.try_reserve(cells),
            steps.masks.try_reserve(ids),
            steps.actions.try_reserve(1),
            steps.players.try_reserve(1),
        ];
        if room.iter().any(Result::is_err) {
            self.room.no_memory.store(true, Ordering::Relaxed);
            self.full = true;
            return;
        }
        steps.observations.resize((at + 1) * cells, 0);
        game.observe(state, player, &mut steps.observations[at * cells..]);
        steps.masks.resize((at + 1) * ids, 0);
        legal.write_mask(&mut steps.masks[at * ids..]);
        steps.actions.push(action.0 as i32);
        steps.players.push(player.0 as i8);
    }

    fn choosing(&self) -> Option<Instant> {
        self.spent.is_some().then(Instant::now)
    }

    fn chosen(&mut self, player: Player, begun: Instant) {
        if let Some(spent) = &mut self.spent {
            let Spent { time, choices } = &mut spent[player.index()];
            *time += begun.elapsed();
            *choices += 1;
        }
    }

    fn is_full(&self) -> bool {
        self.full
    }
}

impl Steps {
    /// Adds the views of all seats of a game that is over.
    pub(super) fn end<G: FullGame>(&mut self, game: &G, state: &G::State) -> Result<(), Error> {
        let (cells, before) = (G::OBSERVATION_LEN, self.finals.len());
        memory::extend(&mut self.finals, std::iter::repeat_n(0, game.num_players() * cells))?;
        for (seat, view) in self.finals[before..].chunks_exact_mut(cells).enumerate() {
            game.observe(state, Player(seat as u8), view);
        }
        Ok(())
    }

    /// Adds the decisions of one game, which ended with these returns.
    pub(super) fn append(&mut self, game: &Steps, returns: &PerPlayer<f64>) -> Result<(), Error> {
        memory::extend(&mut self.observations, game.observations.iter().copied())?;
        memory::extend(&mut self.masks, game.masks.iter().copied())?;
        memory::extend(&mut self.actions, game.actions.iter().copied())?;
        memory::extend(&mut self.players, game.players.iter().copied())?;
        memory::extend(&mut self.finals, game.finals.iter().copied())?;
        let players = returns.as_slice().len();
        if let Some(before) = game.actions.len().checked_sub(1) {
            memory::extend(&mut self.rewards, std::iter::repeat_n(0.0, before * players))?;
            memory::extend(&mut self.rewards, returns.as_slice().iter().map(|&score| score as f32))?;
        }
        memory::extend(&mut self.offsets, [self.actions.len() as i64].into_iter())
    }
}
