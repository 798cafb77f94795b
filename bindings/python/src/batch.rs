//! `Batch`: many games stepped together, into numpy arrays. The vector environments use it.

use sarai::base::{Control, Error, memory, try_lock};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::convert::{OrRaise, filled, long_text, raise, value_error, whole_in, zeros};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::batch_settings::{GivenLineups, autoreset, illegal, seeds};
use crate::classes::{Game, State};
use crate::spares::Spares;
use crate::states::States;
use crate::watch::{Call, detached, watched};
use sarai::play::{AnyBatch, Autoreset, BatchConfig, IllegalActions, Lineups, MAX_LANES, Out, Snapshot};
use sarai::rules::Player;

type Arrays<'py> = (Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<i8>>, Bound<'py, PyArray1<i8>>);
type Stepped<'py> = (
    Bound<'py, PyArray2<i8>>,
    Bound<'py, PyArray2<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Option<Bound<'py, PyArray1<bool>>>,
    Option<Arrays<'py>>,
);

/// What a step of one lane tells: observation, mask, current player, rewards, terminated, illegal.
type OneStepped<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i8>>, i8, Vec<f32>, bool, Option<bool>);

/// What is done in the engine; whether policies are asked then.
type Done = Result<bool, Error>;

struct Inner {
    batch: Box<dyn AnyBatch>,
    /// Where a slow batch is cancelled.
    control: Arc<Control>,
    /// Whether a call may take long.
    slow: bool,
    /// How many statistics are counted in a lane.
    statistics: usize,
    actions: Vec<i64>,
    observations: Spares<i8, 2>,
    masks: Spares<i8, 2>,
    players: Spares<i8, 1>,
    rewards: Spares<f32, 2>,
    flags: [Spares<bool, 1>; 3],
    /// Whether a step says which actions were illegal: where it does not refuse them.
    tells_illegal: bool,
    /// Where games that end under SAME_STEP leave their last view; empty in the other modes.
    last_observations: Vec<i8>,
    last_masks: Vec<i8>,
    last_players: Vec<i8>,
    /// Where there is but one lane, what it writes.
    one: Option<OneLane>,
}

/// Many games with the same rules, stepped together: row i of every array belongs to lane i.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Batch {
    game: Py<Game>,
    num_envs: usize,
    /// Whether a step or reset has begun for which `finish` was not called: whoever made it may have been interrupted.
    unfinished: AtomicBool,
    inner: Mutex<Inner>,
}

/// Where a step or a reset writes.
enum Rows<'py> {
    /// Into arrays, of which a reset writes the first three.
    Arrays(Arrays<'py>, Bound<'py, PyArray2<f32>>, [Bound<'py, PyArray1<bool>>; 3]),
    /// Into the cells of the only lane.
    One(OneLane),
}

/// What a batch of one lane writes, without an array for each number.
#[derive(Default)]
struct OneLane {
    observation: Vec<i8>,
    mask: Vec<i8>,
    player: [i8; 1],
    rewards: Vec<f32>,
    flags: [[bool; 1]; 3],
}

impl<'py> Rows<'py> {
    /// Arrays that only this call can see.
    fn fresh(py: Python<'py>, inner: &mut Inner) -> PyResult<Self> {
        let shown = (inner.observations.take(py)?, inner.masks.take(py)?, inner.players.take(py)?);
        let [one, two, three] = &mut inner.flags;
        Ok(Rows::Arrays(shown, inner.rewards.take(py)?, [one.take(py)?, two.take(py)?, three.take(py)?]))
    }

    /// Observations, masks and players.
    fn shown(self) -> Arrays<'py> {
        let Rows::Arrays(shown, ..) = self else { unreachable!("a reset writes into arrays") };
        shown
    }

    /// Does `work` in the engine, which writes into these rows.
    fn fill(
        &mut self,
        py: Python<'_>,
        inner: &mut Inner,
        work: impl FnOnce(&mut dyn AnyBatch, Out<'_>) -> Done + Send,
    ) -> PyResult<Done> {
        let Inner { batch, control, slow, last_observations, last_masks, last_players, .. } = inner;
        let control = slow.then_some(&**control);
        let last = Out {
            final_observations: last_observations,
            final_masks: last_masks,
            final_current_player: last_players,
            ..Out::default()
        };
        match self {
            Rows::One(one) => {
                let [d, t, i] = &mut one.flags;
                let out = Out {
                    observations: &mut one.observation,
                    masks: &mut one.mask,
                    current_player: &mut one.player,
                    rewards: &mut one.rewards,
                    terminated: d,
                    truncated: t,
                    illegal: i,
                    ..last
                };
                run(py, control, || work(&mut **batch, out))
            }
            Rows::Arrays((observations, masks, players), rewards, flags) => {
                let mut o = observations.try_readwrite().map_err(value_error)?;
                let mut m = masks.try_readwrite().map_err(value_error)?;
                let mut p = players.try_readwrite().map_err(value_error)?;
                let mut r = rewards.try_readwrite().map_err(value_error)?;
                let [d, t, i] = flags.each_ref().map(|flags| flags.try_readwrite().map_err(value_error));
                let (mut d, mut t, mut i) = (d?, t?, i?);
                let out = Out {
                    observations: o.as_slice_mut()?,
                    masks: m.as_slice_mut()?,
                    current_player: p.as_slice_mut()?,
                    rewards: r.as_slice_mut()?,
                    terminated: d.as_slice_mut()?,
                    truncated: t.as_slice_mut()?,
                    illegal: i.as_slice_mut()?,
                    ..last
                };
                run(py, control, || work(&mut **batch, out))
            }
        }
    }
}

impl Batch {
    /// The batch, unless somebody is at it.
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        try_lock(&self.inner).ok_or_else(|| {
            PyRuntimeError::new_err(
                "this environment is in the middle of a step, of another thread or of its own; give each thread, and each \
                 policy that looks ahead, an environment of its own",
            )
        })
    }

    /// The batch, if its last step or reset is through.
    fn ready(&self) -> PyResult<MutexGuard<'_, Inner>> {
        let inner = self.lock()?;
        if self.unfinished.load(Ordering::Relaxed) {
            return Err(raise(Error::Interrupted));
        }
        inner.batch.ready().or_raise()?;
        Ok(inner)
    }

    /// Makes a step or reset, which asks policies where they have to choose.
    ///
    /// Nobody else gets at the batch meanwhile. What ends it midway, in the engine or in a policy, leaves it unfinished.
    fn carry_out(
        &self,
        py: Python<'_>,
        inner: &mut Inner,
        rows: &mut Rows<'_>,
        ask: Option<&Bound<'_, PyAny>>,
        first: impl FnOnce(&mut dyn AnyBatch, Out<'_>) -> Done + Send,
    ) -> PyResult<()> {
        let _call = Call::begin()?;
        let before = self.unfinished.swap(true, Ordering::Relaxed);
        let mut asks = match rows.fill(py, inner, first)? {
            Ok(asks) => asks,
            Err(error) => {
                // Whether anything has changed, the engine knows.
                self.unfinished.store(before, Ordering::Relaxed);
                return Err(raise(error));
            }
        };
        while asks {
            let answers = self.ask(py, inner, ask)?;
            asks = rows.fill(py, inner, |batch, out| batch.answer(&answers, out))?.or_raise()?;
        }
        Ok(())
    }

    /// Has the policies choose for the lanes that wait for them.
    fn ask(&self, py: Python<'_>, inner: &Inner, ask: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<i64>> {
        let ask = ask.ok_or_else(|| value_error("policies play here, and nobody was named who asks them"))?;
        let asked = inner.batch.asked();
        let [_, len] = inner.observations.shape;
        let [_, ids] = inner.masks.shape;
        let n = asked.len();
        let lanes = filled(py, [n], asked.iter().map(|asked| asked.lane as i64))?;
        let players = filled(py, [n], asked.iter().map(|asked| asked.player.0 as i8))?;
        let lineups = filled(py, [n], asked.iter().map(|asked| asked.lineup as i32))?;
        let episodes = filled(py, [n], asked.iter().map(|asked| i64::from(asked.episode)))?;
        let (observations, masks) = (zeros(py, [n, len])?, zeros(py, [n, ids])?);
        inner.batch.ask(observations.readwrite().as_slice_mut()?, masks.readwrite().as_slice_mut()?);
        let states = States::new(self.game.clone_ref(py), inner.batch.asked_states());
        let given = ask.call1((lanes, players, lineups, episodes, observations, masks, states))?;
        let mut answers = Vec::new();
        super::convert::actions(&given, n, "answers", &mut answers)?;
        Ok(answers)
    }
}

/// Does `work` without the GIL; where it may take long, Ctrl-C ends it.
fn run<T: Send>(py: Python<'_>, control: Option<&Control>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let Some(control) = control else {
        return detached(py, work);
    };
    let done = watched(py, None, work);
    control.cancel.store(false, Ordering::Relaxed);
    done
}

/// What `snapshot` gave.
fn read_snapshot(text: &str) -> PyResult<Snapshot> {
    serde_json::from_str(text)
        .map_err(|error| value_error(format!("this is not a snapshot of a batch: {error}")))
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (
        game, num_envs, seed, autoreset_mode, max_episode_steps=None, num_threads=None, copy=true,
        lineups=None, illegal_action="raise", counts=false, snapshot=None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        game: Bound<'_, Game>,
        num_envs: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        autoreset_mode: &str,
        max_episode_steps: Option<&Bound<'_, PyAny>>,
        num_threads: Option<&Bound<'_, PyAny>>,
        copy: bool,
        lineups: Option<GivenLineups>,
        illegal_action: &str,
        counts: bool,
        snapshot: Option<&str>,
    ) -> PyResult<Self> {
        let lanes = whole_in(num_envs, "num_envs", 1, MAX_LANES as i128)? as usize;
        let limit = match max_episode_steps {
            None => None,
            Some(steps) => Some(whole_in(steps, "max_episode_steps", 1, u32::MAX as i128)? as u32),
        };
        let autoreset = autoreset(autoreset_mode)?;
        let illegal = illegal(illegal_action)?;
        let snapshot = snapshot.map(read_snapshot).transpose()?;
        let control = Arc::<Control>::default();
        let config = BatchConfig {
            num_lanes: lanes,
            seed: super::convert::seed(seed, "seed")?,
            autoreset,
            max_episode_steps: limit,
            threads: super::convert::num_threads(num_threads)?,
            lineups: lineups.map_or_else(|| Ok(Lineups::default()), |lineups| lineups.read(&game))?,
            illegal,
            counts,
            control: Arc::clone(&control),
        };
        let slow =
            config.lineups.rows.iter().flat_map(|lineup| lineup.agents.iter().flatten()).any(|a| a.is_slow());
        let book = game.get();
        let (len, ids, seats) =
            (book.game.observation_len(), book.game.num_actions(), book.game.num_players());
        let kept = if autoreset == Autoreset::SameStep { lanes } else { 0 };
        let inner = Inner {
            batch: detached(py, || book.game.batch(&config, snapshot.as_ref()))?.or_raise()?,
            control,
            slow,
            statistics: if counts { book.game.statistics().len() } else { 0 },
            actions: memory::room_for(lanes).or_raise()?,
            observations: Spares::new([lanes, len], !copy),
            masks: Spares::new([lanes, ids], !copy),
            players: Spares::new([lanes], !copy),
            rewards: Spares::new([lanes, seats], !copy),
            flags: [(); 3].map(|()| Spares::new([lanes], !copy)),
            tells_illegal: illegal != IllegalActions::Raise,
            last_observations: memory::zeros(kept * len).or_raise()?,
            last_masks: memory::zeros(kept * ids).or_raise()?,
            last_players: memory::zeros(kept).or_raise()?,
            one: (lanes == 1).then(|| OneLane {
                observation: vec![0; len],
                mask: vec![0; ids],
                rewards: vec![0.0; seats],
                ..OneLane::default()
            }),
        };
        Ok(Batch {
            num_envs: lanes,
            game: game.unbind(),
            unfinished: AtomicBool::new(false),
            inner: Mutex::new(inner),
        })
    }

    /// The game, with its rules.
    #[getter]
    fn game<'py>(&self, py: Python<'py>) -> Bound<'py, Game> {
        self.game.bind(py).clone()
    }

    /// How many lanes there are.
    #[getter]
    fn num_envs(&self) -> usize {
        self.num_envs
    }

    /// Plays one action in every lane. `ask` decides where a policy has to: it is called with lanes, players, lineups and
    /// episodes, each (n,), observations (n, L), masks (n, A) and `States`, and returns actions, (n,). Returns observations
    /// (N, L) int8, masks (N, A) int8, current players (N,) int8, rewards (N, players) float32, terminated (N,) bool and
    /// truncated (N,) bool. Then follow which actions were illegal, (N,) bool, or None if illegal actions raise an error; and
    /// the last observations, masks and players under SAME_STEP if a lane has ended (rows of other lanes mean nothing), or
    /// None. `finish` has to follow, or the next step is refused.
    #[pyo3(signature = (actions, ask=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        ask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Stepped<'py>> {
        let inner = &mut *self.ready()?;
        let mut chosen = std::mem::take(&mut inner.actions);
        super::convert::actions(actions, self.num_envs, "actions", &mut chosen)?;
        let mut rows = Rows::fresh(py, inner)?;
        self.carry_out(py, inner, &mut rows, ask, |batch, out| batch.step(&chosen, out))?;
        inner.actions = chosen;
        let Rows::Arrays((observations, masks, players), rewards, [terminated, truncated, illegal]) = rows
        else {
            unreachable!("a step writes into arrays")
        };
        let mut finals = None;
        if !inner.last_players.is_empty() {
            let ended = |flags: &Bound<'py, PyArray1<bool>>| -> PyResult<bool> {
                Ok(flags.readonly().as_slice()?.contains(&true))
            };
            if ended(&terminated)? || ended(&truncated)? {
                finals = Some((
                    filled(py, inner.observations.shape, inner.last_observations.iter().copied())?,
                    filled(py, inner.masks.shape, inner.last_masks.iter().copied())?,
                    filled(py, inner.players.shape, inner.last_players.iter().copied())?,
                ));
            }
        }
        let illegal = inner.tells_illegal.then_some(illegal);
        Ok((observations, masks, players, rewards, terminated, truncated, illegal, finals))
    }

    /// The same for a batch of one lane, with an action by itself, whose errors speak of no lane: observation (L,), mask (A,),
    /// current player, rewards as a list, terminated, and whether the action was illegal, or None.
    #[pyo3(signature = (action, ask=None))]
    fn step_one<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
        ask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<OneStepped<'py>> {
        let inner = &mut *self.ready()?;
        let action = super::convert::action(action, "an action")?;
        let one = inner.one.take().ok_or_else(|| value_error("there is more than one lane"))?;
        let mut rows = Rows::One(one);
        let done = self.carry_out(py, inner, &mut rows, ask, |batch, out| {
            batch.step(&[action], out).map_err(Error::without_place)
        });
        let Rows::One(one) = rows else { unreachable!("they are those of one lane") };
        let one = inner.one.insert(one);
        done?;
        let [terminated, _, illegal] = one.flags.map(|[flag]| flag);
        Ok((
            PyArray1::from_slice(py, &one.observation),
            PyArray1::from_slice(py, &one.mask),
            one.player[0],
            one.rewards.clone(),
            terminated,
            inner.tells_illegal.then_some(illegal),
        ))
    }

    /// Begins a new game in every lane, or only in those where `reset_mask` is True. `seed` is None (the next game of
    /// each lane), an int (lane i plays game i of this seed), or one int or None for each lane (game 0 of its seed). `starts`
    /// gives the states in which the games begin: one for all lanes, or one for each. `ask` is as for `step`. Returns
    /// observations, masks and current players of all lanes. `finish` has to follow.
    #[pyo3(signature = (seed=None, reset_mask=None, starts=None, ask=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
        reset_mask: Option<Vec<bool>>,
        starts: Option<&Bound<'py, States>>,
        ask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Arrays<'py>> {
        let seeds = seeds(seed, self.num_envs)?;
        // A reset of all lanes mends whatever there was.
        let inner = &mut *if reset_mask.is_some() { self.ready()? } else { self.lock()? };
        let starts = starts.map(|starts| starts.get().now(py));
        let mut rows = Rows::fresh(py, inner)?;
        let only = reset_mask.as_deref();
        let starts = starts.as_deref();
        self.carry_out(py, inner, &mut rows, ask, |batch, mut out| {
            batch.reset(&seeds, only, starts, &mut out)
        })?;
        Ok(rows.shown())
    }

    /// The step or reset is through, and the caller has all that it told. Where this is missing, something has come between:
    /// then the batch counts as interrupted.
    fn finish(&self) {
        self.unfinished.store(false, Ordering::Relaxed);
    }

    /// Something begins that must not end midway, up to `finish`.
    fn begin(&self) -> PyResult<()> {
        let _inner = self.ready()?;
        self.unfinished.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Raises a RuntimeError unless games are under way in all lanes: they have begun, and nothing was interrupted.
    fn check(&self) -> PyResult<()> {
        self.ready().map(drop)
    }

    /// Whether `check` raises nothing.
    #[getter]
    fn is_ready(&self) -> bool {
        self.ready().is_ok()
    }

    /// From now on these play the games that begin. `moved` says, for each of the lineups before, which row of the new ones it is, or
    /// -1: games under way go on.
    fn set_lineups(&self, py: Python<'_>, lineups: GivenLineups, moved: Vec<i64>) -> PyResult<()> {
        let lineups = lineups.read(self.game.bind(py))?;
        let moved: Vec<Option<u32>> = moved.into_iter().map(|row| u32::try_from(row).ok()).collect();
        let inner = &mut *self.lock()?;
        inner.batch.set_lineups(&lineups, &moved).or_raise()?;
        inner.slow = inner.batch.is_slow();
        Ok(())
    }

    /// From now on games begin in one of these states, drawn for each; None for the usual start.
    fn set_starts(&self, py: Python<'_>, starts: Option<&Bound<'_, States>>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let starts = starts.map(|starts| starts.get().now(py));
        inner.batch.set_starts(starts.as_deref()).or_raise()
    }

    /// How many threads step the lanes.
    #[getter]
    fn num_threads(&self) -> PyResult<usize> {
        Ok(self.lock()?.batch.num_threads())
    }

    /// Which of the lineups plays each lane's game, int32 (N,); with `last` those of the games before.
    #[pyo3(signature = (last=false))]
    fn lineups<'py>(&self, py: Python<'py>, last: bool) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let inner = self.lock()?;
        filled(py, [self.num_envs], inner.batch.lineups(last).into_iter().map(|lineup| lineup as i32))
    }

    /// What was counted in each lane's game, int32 (N, statistics, players); with `last` in the games before.
    #[pyo3(signature = (last=false))]
    fn counts<'py>(&self, py: Python<'py>, last: bool) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let inner = self.lock()?;
        let (statistics, players) = (inner.statistics, self.game.get().game.num_players());
        let cells = (0..statistics).flat_map(|statistic| (0..players).map(move |player| (statistic, player)));
        let all = inner.batch.counts(last).flat_map(|counts| {
            let get = |(statistic, player)| counts.get(statistic, Player(player as u8));
            cells.clone().map(move |cell| i32::try_from(get(cell)).unwrap_or(i32::MAX))
        });
        filled(py, [self.num_envs, statistics, players], all)
    }

    /// The current observations, masks and players of all lanes.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        let inner = &mut *self.ready()?;
        let mut rows = Rows::fresh(py, inner)?;
        let observe = |batch: &mut dyn AnyBatch, mut out: Out<'_>| {
            batch.observe(&mut out);
            Ok(false)
        };
        rows.fill(py, inner, observe)?.or_raise()?;
        Ok(rows.shown())
    }

    /// A copy of the state of a lane's game.
    fn state(&self, py: Python<'_>, lane: &Bound<'_, PyAny>) -> PyResult<State> {
        let lane = whole_in(lane, "lane", 0, self.num_envs as i128 - 1)? as usize;
        let position = self.ready()?.batch.position(lane);
        let position = position.ok_or_else(|| value_error("the lane has no position"))?;
        Ok(State::new(self.game.clone_ref(py), position))
    }

    /// Which actions each lane accepts in the next step: int8 (N, A).
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let inner = self.ready()?;
        let masks = zeros(py, inner.masks.shape)?;
        inner.batch.masks(masks.readwrite().as_slice_mut()?);
        Ok(masks)
    }

    /// Everything on which the batch's future depends, as text that a new batch takes up.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.lock()?;
        if self.unfinished.load(Ordering::Relaxed) || matches!(inner.batch.ready(), Err(Error::Interrupted)) {
            return Err(raise(Error::Interrupted));
        }
        let snapshot = detached(py, || serde_json::to_string(&inner.batch.snapshot()))?;
        drop(inner);
        long_text(py, &snapshot.map_err(value_error)?)
    }
}
