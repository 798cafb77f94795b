//! Many games stepped together: one lane a game, row `i` of every array is lane `i`.

mod lane;
mod out;
mod snapshot;

use lane::{Gate, Lane, Slices, Stepper};
pub use out::{Out, TERMINAL};
pub use snapshot::Snapshot;

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::error::{BadRequest, IllegalAction, list_legal};
use crate::game::FullGame;
use crate::player::Player;
use crate::rng::Stream;
use crate::threads;

/// The most lanes a batch may have.
pub const MAX_LANES: usize = 1 << 20;

/// Lanes that a thread takes at a time: few, so that nobody waits long for the last.
const TASK: usize = 64;

/// Fewer lanes than this are stepped by one thread: they are done before another would have woken up.
const SHARED_FROM: usize = 512;

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

/// How a batch is made.
#[derive(Clone, Debug)]
pub struct BatchConfig {
    /// How many lanes, 1 to [`MAX_LANES`].
    pub num_lanes: usize,
    /// Lane `i` plays on stream `i` of this seed.
    pub seed: u64,
    /// What happens to a lane whose game has ended.
    pub autoreset: Autoreset,
    /// A game is truncated after so many decisions; `None`: never.
    pub max_episode_steps: Option<u32>,
    /// Worker threads, as [`threads::resolve`] gives them.
    pub threads: usize,
}

/// Which streams a reset begins anew.
#[derive(Clone, Debug)]
pub enum Seeds {
    /// None: every lane goes on in its stream.
    Keep,
    /// Lane `i` takes stream `i` of this seed.
    One(u64),
    /// Lane `i` takes stream 0 of its own seed.
    Each(Vec<u64>),
}

/// Many games of one rule book, stepped together.
///
/// A step is all or nothing: an illegal action anywhere changes no lane.
#[derive(Clone, Debug)]
pub struct Batch<G: FullGame> {
    game: G,
    lanes: Vec<Lane<G::State>>,
    gates: Vec<Gate>,
    autoreset: Autoreset,
    max_episode_steps: u32,
    threads: usize,
}

/// A lane that a step refused, or a system that refused the step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// An action that is not legal in its lane.
    Illegal(IllegalAction),
    /// A lane that waits for a reset, or threads that cannot be had.
    Refused(BadRequest),
}

impl<G: FullGame> Batch<G> {
    /// A batch whose lanes stand at the first decision of their first game.
    ///
    /// # Errors
    /// When a size is out of range, or the rules make games without a decision.
    pub fn new(game: G, config: &BatchConfig) -> Result<Self, BadRequest> {
        if !(1..=MAX_LANES).contains(&config.num_lanes) {
            return Err(BadRequest::new(format!(
                "num_envs got {}; it takes 1 to {MAX_LANES}",
                config.num_lanes
            )));
        }
        if config.max_episode_steps == Some(0) {
            return Err(BadRequest::new("max_episode_steps got 0; it takes 1 and more, or None"));
        }
        let lane = |index| Lane {
            state: game.initial_state(),
            rng: Stream::new(config.seed, index as u64),
            steps: 0,
            viewer: Player(0),
        };
        let mut lanes: Vec<_> = (0..config.num_lanes).map(lane).collect();
        let gates = lanes.iter_mut().map(|lane| lane.begin(&game)).collect::<Result<_, _>>()?;
        Ok(Batch {
            lanes,
            gates,
            game,
            autoreset: config.autoreset,
            max_episode_steps: config.max_episode_steps.unwrap_or(u32::MAX),
            threads: config.threads,
        })
    }

    /// The rule book.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How many lanes there are.
    pub fn num_lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Where a lane's game stands.
    pub fn state(&self, lane: usize) -> Option<&G::State> {
        self.lanes.get(lane).map(|lane| &lane.state)
    }

    /// Begins a new game in every lane, or in those where `only` is true, and writes observations, masks and seats
    /// of all lanes; nothing else of `out` is touched.
    ///
    /// # Errors
    /// When seeds or mask do not have one entry a lane, or the mask selects no lane. Nothing has changed then.
    pub fn reset(
        &mut self,
        seeds: &Seeds,
        only: Option<&[bool]>,
        out: &mut Out<'_>,
    ) -> Result<(), BadRequest> {
        let lanes = self.lanes.len();
        if let Seeds::Each(seeds) = seeds
            && seeds.len() != lanes
        {
            return Err(BadRequest::new(format!(
                "seed has {} entries; a list of seeds has one for each of the {lanes} lanes",
                seeds.len()
            )));
        }
        if let Some(only) = only {
            if only.len() != lanes {
                return Err(BadRequest::new(format!(
                    "reset_mask has {} entries; it has one for each of the {lanes} lanes",
                    only.len()
                )));
            }
            if !only.contains(&true) {
                return Err(BadRequest::new("reset_mask selects no lane; at least one entry is True"));
            }
        }
        for (index, (lane, gate)) in self.lanes.iter_mut().zip(&mut self.gates).enumerate() {
            if only.is_none_or(|only| only[index]) {
                match seeds {
                    Seeds::Keep => {}
                    Seeds::One(seed) => lane.rng = Stream::new(*seed, index as u64),
                    Seeds::Each(seeds) => lane.rng = Stream::new(seeds[index], 0),
                }
                *gate = lane.begin(&self.game)?;
            }
        }
        self.observe(out);
        Ok(())
    }

    /// Writes observations, masks and seats of all lanes as they stand; nothing else of `out` is touched.
    pub fn observe(&self, out: &mut Out<'_>) {
        let rows = out
            .observations
            .chunks_exact_mut(G::OBSERVATION_LEN)
            .zip(out.masks.chunks_exact_mut(G::NUM_ACTIONS))
            .zip(out.current_player.iter_mut());
        for ((lane, gate), ((observation, mask), player)) in self.lanes.iter().zip(&self.gates).zip(rows) {
            lane.write(&self.game, gate, self.autoreset, observation, mask, player);
        }
    }

    /// Plays one action in every lane, and everything that chance decides after it.
    ///
    /// # Errors
    /// When a lane's action is not legal, or a lane under [`Autoreset::Disabled`] waits for a reset: the first such
    /// lane is named, and nothing has changed, neither lanes nor `out`.
    ///
    /// # Panics
    /// When `actions` or a slice of `out` does not have the size of the batch.
    pub fn step(&mut self, actions: &[i64], out: Out<'_>) -> Result<(), StepError> {
        let lanes = self.lanes.len();
        assert_eq!(actions.len(), lanes, "one action a lane");
        assert_eq!(out.observations.len(), lanes * G::OBSERVATION_LEN, "an observation a lane");
        assert_eq!(out.masks.len(), lanes * G::NUM_ACTIONS, "a mask a lane");
        self.verify(actions)?;
        let stepper = Stepper {
            game: &self.game,
            autoreset: self.autoreset,
            max_episode_steps: self.max_episode_steps,
            players: self.game.num_players(),
        };
        let mut all = Slices { lanes: &mut self.lanes, gates: &mut self.gates, actions, out };
        if self.threads == 1 || lanes < SHARED_FROM {
            return stepper.run(all).map_err(StepError::Refused);
        }
        // Each thread has lanes of its own, the same in every step, and helps the others when it is done with them.
        // Which thread steps a lane makes no difference to it.
        let threads = self.threads.min(lanes / TASK);
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                let size = lanes * (part + 1) / threads - lanes * part / threads;
                Mutex::new(all.take(size))
            })
            .collect();
        let failed = Mutex::new(Ok(()));
        threads::share(threads, |number| {
            for part in (0..threads).map(|offset| &parts[(number + offset) % threads]) {
                while let Some(task) = lock(part).as_mut().and_then(|part| part.take(TASK)) {
                    if let Err(error) = stepper.run(task) {
                        *lock(&failed) = Err(error);
                    }
                }
            }
        })
        .map_err(StepError::Refused)?;
        let failed = lock(&failed).clone();
        failed.map_err(StepError::Refused)
    }

    /// Refuses the first action that cannot be played, before anything is.
    fn verify(&self, actions: &[i64]) -> Result<(), StepError> {
        let fine = |gate: &Gate, action: i64| {
            if gate.ended {
                self.autoreset == Autoreset::NextStep
            } else {
                u16::try_from(action).is_ok_and(|action| gate.legal.contains(Action(action)))
            }
        };
        let wrong = self.gates.iter().zip(actions).position(|(gate, &action)| !fine(gate, action));
        let Some(index) = wrong else {
            return Ok(());
        };
        let gate = &self.gates[index];
        if gate.ended {
            return Err(StepError::Refused(BadRequest::new(format!(
                "lane {index}: the game is over; begin a new one with reset(options={{\"reset_mask\": ...}})"
            ))));
        }
        let legal = list_legal(gate.legal);
        Err(StepError::Illegal(IllegalAction::new(actions[index], legal).at(format!("lane {index}"))))
    }
}

/// A lock that holds no broken data, whatever happened to its last holder.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
