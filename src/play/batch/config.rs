//! How a batch is made, and what keeps it from being stepped.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::lineups::Lineups;
use super::terms::Origin;
use crate::base::Control;

/// The most lanes a batch may have.
pub const MAX_LANES: usize = 1 << 20;

/// What happens to a lane whose game has ended, in Gymnasium's terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Autoreset {
    /// The next step ignores the lane's action and begins a new game.
    NextStep,
    /// The same step begins a new game; the last observation of the old one is kept aside.
    SameStep,
    /// The lane waits for a reset.
    Disabled,
}

/// What happens when the caller chooses an action that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IllegalActions {
    /// The step is refused and nothing has changed.
    #[default]
    Raise,
    /// The lane's game is over: who chose it gets -1, everybody else nothing.
    Terminate,
    /// A legal action is played instead, each equally likely, drawn from the seat's stream.
    Random,
}

/// How a batch is made.
#[derive(Clone, Debug)]
pub struct BatchConfig {
    /// How many lanes, 1 to [`MAX_LANES`].
    pub num_lanes: usize,
    /// Lane `i` plays on the streams of game `i` of this seed.
    pub seed: u64,
    /// What happens to a lane whose game has ended.
    pub autoreset: Autoreset,
    /// A game is truncated after so many decisions; `None`: never.
    pub max_episode_steps: Option<u32>,
    /// Worker threads, as [`crate::base::threads::resolve`] gives them.
    pub threads: usize,
    /// Who plays.
    pub lineups: Lineups,
    /// What happens when the caller chooses an action that is not legal.
    pub illegal: IllegalActions,
    /// Whether the game's statistics are counted, for [`super::AnyBatch::counts`].
    pub counts: bool,
    /// Where a watcher asks a slow step to stop: the batch needs a reset then.
    pub control: Arc<Control>,
}

impl BatchConfig {
    /// Lanes on this seed that the caller plays alone: under [`Autoreset::NextStep`], never truncated, on one thread,
    /// illegal actions refused.
    pub fn new(num_lanes: usize, seed: u64) -> Self {
        BatchConfig {
            num_lanes,
            seed,
            autoreset: Autoreset::NextStep,
            max_episode_steps: None,
            threads: 1,
            lineups: Lineups::default(),
            illegal: IllegalActions::Raise,
            counts: false,
            control: Arc::default(),
        }
    }
}

/// Which streams a reset begins anew.
#[derive(Clone, Debug)]
pub enum Seeds {
    /// None: every lane plays the next episode of its seed.
    Keep,
    /// Lane `i` plays the episodes of game `i` of this seed.
    One(u64),
    /// Lane `i` plays the episodes of game 0 of its own seed, or the next one where it is given none.
    Each(Vec<Option<u64>>),
}

impl Seeds {
    /// The streams that a lane takes, if it takes others.
    pub(super) fn of(&self, lane: usize) -> Option<Origin> {
        match self {
            Seeds::Keep => None,
            Seeds::One(seed) => Some(Origin { seed: *seed, game: lane as u64 }),
            Seeds::Each(seeds) => seeds[lane].map(|seed| Origin { seed, game: 0 }),
        }
    }
}
