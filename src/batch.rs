//! Many games stepped together: one lane a game, row `i` of every array is lane `i`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::action::{Action, ActionSet};
use crate::error::{BadRequest, Broken, IllegalAction, list_legal};
use crate::game::{FullGame, Turn};
use crate::player::Player;
use crate::playout::settle;
use crate::rng::Stream;
use crate::threads;

/// The most lanes a batch may have.
pub const MAX_LANES: usize = 1 << 20;

/// Lanes that a thread takes at a time: few, so that nobody waits long for the last.
const TASK: usize = 64;

/// Fewer lanes than this are stepped by one thread: they are done before another would have woken up.
const SHARED_FROM: usize = 512;

/// How often a new game may be over before anybody chose, before the rules are held to be unplayable.
const MAX_EMPTY_GAMES: u32 = 1000;

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

/// Where a step writes: every cell of every slice, lane by lane.
#[derive(Debug, Default)]
pub struct Out<'a> {
    /// Lanes x cells: the view of the player to act; of the last who acted when the game is over.
    pub observations: &'a mut [i8],
    /// Lanes x actions: 1 where the lane takes the action in the next step.
    pub masks: &'a mut [i8],
    /// Lanes: the seat to act, or -4 when the game is over.
    pub current_player: &'a mut [i8],
    /// Lanes x players.
    pub rewards: &'a mut [f32],
    /// Lanes: the game was decided or drawn in this step.
    pub terminated: &'a mut [bool],
    /// Lanes: the game was cut off in this step.
    pub truncated: &'a mut [bool],
    /// Under [`Autoreset::SameStep`], lanes x cells, written only for lanes that ended; else empty.
    pub final_observations: &'a mut [i8],
    /// The same for masks.
    pub final_masks: &'a mut [i8],
    /// The same for the seat to act.
    pub final_current_player: &'a mut [i8],
}

/// What [`Out::current_player`] holds where no player is to act: OpenSpiel's number for the end.
pub const TERMINAL: i8 = -4;

#[derive(Clone, Debug)]
struct Lane<S> {
    state: S,
    rng: Stream,
    steps: u32,
    /// Who acts, or acted last.
    viewer: Player,
}

/// What a lane takes next. It stands apart from the lane, so that looking at all actions before any is played reads
/// little memory.
#[derive(Clone, Debug)]
struct Gate {
    /// Means nothing when the game has ended.
    legal: ActionSet,
    ended: bool,
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

impl<'a> Out<'a> {
    /// The same slices for a shorter time, to be used again after a step.
    pub fn reborrow(&mut self) -> Out<'_> {
        Out {
            observations: self.observations,
            masks: self.masks,
            current_player: self.current_player,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            final_observations: self.final_observations,
            final_masks: self.final_masks,
            final_current_player: self.final_current_player,
        }
    }

    /// The rows of the first `lanes` of all `of` lanes, and the others.
    fn split_at(self, lanes: usize, of: usize) -> (Out<'a>, Out<'a>) {
        // A slice that is not asked for is empty and stays so.
        fn cut<T>(slice: &mut [T], lanes: usize, of: usize) -> (&mut [T], &mut [T]) {
            let at = slice.len() / of * lanes;
            slice.split_at_mut(at)
        }
        let observations = cut(self.observations, lanes, of);
        let masks = cut(self.masks, lanes, of);
        let current_player = cut(self.current_player, lanes, of);
        let rewards = cut(self.rewards, lanes, of);
        let terminated = cut(self.terminated, lanes, of);
        let truncated = cut(self.truncated, lanes, of);
        let final_observations = cut(self.final_observations, lanes, of);
        let final_masks = cut(self.final_masks, lanes, of);
        let final_current_player = cut(self.final_current_player, lanes, of);
        (
            Out {
                observations: observations.0,
                masks: masks.0,
                current_player: current_player.0,
                rewards: rewards.0,
                terminated: terminated.0,
                truncated: truncated.0,
                final_observations: final_observations.0,
                final_masks: final_masks.0,
                final_current_player: final_current_player.0,
            },
            Out {
                observations: observations.1,
                masks: masks.1,
                current_player: current_player.1,
                rewards: rewards.1,
                terminated: terminated.1,
                truncated: truncated.1,
                final_observations: final_observations.1,
                final_masks: final_masks.1,
                final_current_player: final_current_player.1,
            },
        )
    }
}

impl<S: Copy> Lane<S> {
    /// Begins a new game, up to its first decision. A game that is over before anybody chose is no episode: the next
    /// one is taken.
    #[inline(always)]
    fn begin<G: FullGame<State = S>>(&mut self, game: &G) -> Result<Gate, BadRequest> {
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
    fn write<G: FullGame<State = S>>(
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

    /// Everything that the batch's future depends on, as plain data.
    pub fn snapshot(&self) -> Snapshot {
        let lane = |(lane, gate): (&Lane<G::State>, &Gate)| LaneSnapshot {
            state: self.game.text(&lane.state),
            rng: lane.rng.clone(),
            steps: lane.steps,
            viewer: lane.viewer,
            ended: gate.ended,
        };
        Snapshot { lanes: self.lanes.iter().zip(&self.gates).map(lane).collect() }
    }

    /// Takes up what a batch of the same rules, size and settings once stood at.
    ///
    /// # Errors
    /// When the snapshot is of another number of lanes, or holds a position that the rules forbid. Nothing has
    /// changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Broken> {
        if snapshot.lanes.len() != self.lanes.len() {
            return Err(Broken::new(format!(
                "the snapshot has {} lanes, the batch {}",
                snapshot.lanes.len(),
                self.lanes.len()
            )));
        }
        let mut lanes = Vec::with_capacity(self.lanes.len());
        let mut gates = Vec::with_capacity(self.lanes.len());
        for saved in &snapshot.lanes {
            let state = self.game.parse(&saved.state)?;
            self.game.check(&state)?;
            let turn = self.game.turn(&state);
            if saved.rng.is_stuck() {
                return Err(Broken::new("a lane's stream is all zeros, which no seed gives"));
            }
            if saved.viewer.index() >= self.game.num_players()
                || !(saved.ended || turn == Turn::Player(saved.viewer))
            {
                return Err(Broken::new(format!("a lane waits for {} at {turn:?}", saved.viewer)));
            }
            gates.push(Gate {
                legal: if saved.ended { ActionSet::EMPTY } else { self.game.legal_actions(&state) },
                ended: saved.ended,
            });
            lanes.push(Lane { state, rng: saved.rng.clone(), steps: saved.steps, viewer: saved.viewer });
        }
        (self.lanes, self.gates) = (lanes, gates);
        Ok(())
    }
}

/// A [`Batch`] as plain data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    lanes: Vec<LaneSnapshot>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LaneSnapshot {
    state: String,
    rng: Stream,
    steps: u32,
    viewer: Player,
    ended: bool,
}

/// A lock that holds no broken data, whatever happened to its last holder.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lanes with everything that belongs to them, in the same order.
struct Slices<'a, S> {
    lanes: &'a mut [Lane<S>],
    gates: &'a mut [Gate],
    actions: &'a [i64],
    out: Out<'a>,
}

impl<S> Slices<'_, S> {
    /// Takes the first `lanes` away, or as many as there are; `None` when there are none.
    fn take(&mut self, lanes: usize) -> Option<Self> {
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
struct Stepper<'a, G> {
    game: &'a G,
    autoreset: Autoreset,
    max_episode_steps: u32,
    players: usize,
}

impl<G: FullGame> Stepper<'_, G> {
    /// Steps these lanes.
    fn run(&self, slices: Slices<'_, G::State>) -> Result<(), BadRequest> {
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
