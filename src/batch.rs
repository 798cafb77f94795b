//! Many games stepped together: one lane a game, row `i` of every array is lane `i`.

mod lane;
mod out;
mod snapshot;

use lane::{Gate, Lane, Setup, Slices};
pub use out::{Out, TERMINAL};
pub use snapshot::Snapshot;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use crate::error::{BadRequest, IllegalAction, list_legal};
use crate::game::FullGame;
use crate::player::{MAX_PLAYERS, Player};
use crate::rng::Stream;
use crate::threads;
use crate::window::Control;

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

/// What happens when the caller chooses an action that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IllegalActions {
    /// The step is refused and nothing has changed.
    #[default]
    Raise,
    /// The lane's game is over: who chose it gets -1, everybody else nothing.
    Terminate,
    /// A legal action is played instead, each equally likely, drawn from the lane's stream.
    Random,
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
    /// Who plays each seat: an agent of the engine, or the caller for `None`. Empty: the caller plays every seat.
    pub agents: Vec<Option<Agent>>,
    /// The seat from which the end of every game is seen, and whose decisions `max_episode_steps` counts; `None`: the
    /// seat that acted last, and everybody's.
    pub learner: Option<Player>,
    /// What happens when the caller chooses an action that is not legal.
    pub illegal: IllegalActions,
    /// Where a watcher asks a slow step to be done soon: its agents then choose any action, and whoever has cancelled
    /// goes back to a clone of the batch.
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
            agents: Vec::new(),
            learner: None,
            illegal: IllegalActions::Raise,
            control: Arc::default(),
        }
    }
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
    setup: Setup<G>,
    lanes: Vec<Lane<G::State>>,
    gates: Vec<Gate>,
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
        let players = game.num_players();
        let mut agents = [None; MAX_PLAYERS];
        if !config.agents.is_empty() {
            if config.agents.len() != players || !config.agents.contains(&None) {
                return Err(BadRequest::new(format!(
                    "agents has {} entries; this game has {players} seats, one entry each, and the caller plays at \
                     least one of them",
                    config.agents.len()
                )));
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
        let lane = |index| Lane {
            state: game.initial_state(),
            rng: Stream::new(config.seed, index as u64),
            steps: 0,
            viewer: Player(0),
        };
        let mut lanes: Vec<_> = (0..config.num_lanes).map(lane).collect();
        let setup = Setup {
            game,
            autoreset: config.autoreset,
            max_episode_steps: config.max_episode_steps.unwrap_or(u32::MAX),
            agents,
            learner: config.learner,
            illegal: config.illegal,
            control: Arc::clone(&config.control),
        };
        let gates = lanes.iter_mut().map(|lane| setup.begin(lane)).collect::<Result<_, _>>()?;
        Ok(Batch { setup, lanes, gates, threads: config.threads })
    }

    /// The rule book.
    pub fn game(&self) -> &G {
        &self.setup.game
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
                *gate = self.setup.begin(lane)?;
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
            self.setup.write(lane, gate, observation, mask, player);
        }
    }

    /// Plays one action in every lane, or in those where `only` is true, and everything that chance and the agents
    /// inside the engine do after it. The rows of the other lanes are written as they stand, with rewards of zero.
    ///
    /// # Errors
    /// When a lane's action is not legal, or a lane under [`Autoreset::Disabled`] waits for a reset: the first such
    /// lane is named, and nothing has changed, neither lanes nor `out`.
    ///
    /// # Panics
    /// When `actions`, `only` or a slice of `out` does not have the size of the batch.
    pub fn step(&mut self, actions: &[i64], only: Option<&[bool]>, out: Out<'_>) -> Result<(), StepError> {
        let lanes = self.lanes.len();
        assert_eq!(actions.len(), lanes, "one action a lane");
        assert_eq!(out.observations.len(), lanes * G::OBSERVATION_LEN, "an observation a lane");
        assert_eq!(out.masks.len(), lanes * G::NUM_ACTIONS, "a mask a lane");
        assert!(only.is_none_or(|only| only.len() == lanes), "a flag a lane");
        let only = only.unwrap_or_default();
        self.verify(actions, only)?;
        let setup = &self.setup;
        let mut all = Slices { lanes: &mut self.lanes, gates: &mut self.gates, actions, only, out };
        if self.threads == 1 || lanes < SHARED_FROM {
            return setup.run(all).map_err(StepError::Refused);
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
                    if let Err(error) = setup.run(task) {
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
    fn verify(&self, actions: &[i64], only: &[bool]) -> Result<(), StepError> {
        let Setup { autoreset, illegal, .. } = self.setup;
        let fine = |gate: &Gate, action: i64| match gate.ended() {
            true => autoreset == Autoreset::NextStep,
            false => illegal != IllegalActions::Raise || gate.takes(action),
        };
        let wrong = if only.is_empty() {
            self.gates.iter().zip(actions).position(|(gate, &action)| !fine(gate, action))
        } else {
            let lanes = self.gates.iter().zip(actions).zip(only);
            lanes.into_iter().position(|((gate, &action), &only)| only && !fine(gate, action))
        };
        let Some(index) = wrong else {
            return Ok(());
        };
        let gate = &self.gates[index];
        if gate.ended() {
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
