//! `Batch`: many games stepped together, into numpy arrays. The vector environments stand on it.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use crate::convert::OrRaise;
use numpy::ndarray::Dimension;
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch_settings::{GivenCasts, autoreset, illegal, seeds};
use crate::classes::{Game, State};
use crate::convert::{as_given, copied, filled, flags, long_text, small, value_error, whole_in, zeros};
use crate::spares::Spares;
use crate::states::States;
use crate::watch::{detached, watched};
use sarai::base::control::Control;
use sarai::base::memory;
use sarai::erased::AnyBatch;
use sarai::play::batch::{
    Autoreset, BatchConfig, Casts, IllegalActions, MAX_LANES, Out, Snapshot, StepError,
};
use sarai::rules::player::Player;

/// What a lane of a snapshot takes while it is written, more than less.
const SNAPSHOT_BYTES: usize = 4096;

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

/// A dict, a copy of it, the batch, and the number of its last step.
type Way<'py> = (Bound<'py, PyDict>, Bound<'py, PyDict>, Bound<'py, Batch>, u64);

struct Inner {
    batch: Box<dyn AnyBatch>,
    /// What `go_back` returns to.
    kept: Option<Box<dyn AnyBatch>>,
    /// How often something was kept, but for what was gone back to.
    keeps: u64,
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
}

/// Many games with the same rules, stepped together: row i of every array belongs to lane i.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Batch {
    game: Py<Game>,
    num_envs: usize,
    inner: Mutex<Inner>,
}

/// The cells of an array that only this step can see.
fn cells<'a, T: Element, D: Dimension>(array: &'a mut PyReadwriteArray<'_, T, D>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(value_error)
}

impl Batch {
    /// The batch, unless another thread is at it.
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        match self.inner.try_lock() {
            Ok(inner) => Ok(inner),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "another thread is stepping this environment; give each thread an environment of its own",
            )),
        }
    }
}

/// Does `work` without the GIL; where it may take long, Ctrl-C ends it.
///
/// # Errors
/// What Ctrl-C raised; the batch has done nothing then.
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
    // What is read takes a few times the room of its text.
    drop(memory::room_for::<u8>(text.len().saturating_mul(4)).or_raise()?);
    serde_json::from_str(text)
        .map_err(|error| value_error(format!("this is not a snapshot of a batch: {error}")))
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (
        game, num_envs, seed, autoreset_mode, max_episode_steps=None, num_threads=None, copy=true,
        casts=None, illegal_action="raise", counts=false, snapshot=None,
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
        casts: Option<GivenCasts>,
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
        let control = Arc::<Control>::default();
        let config = BatchConfig {
            num_lanes: lanes,
            seed: super::convert::seed(seed, "seed")?,
            autoreset,
            max_episode_steps: limit,
            threads: super::convert::num_threads(num_threads)?,
            casts: casts.map_or_else(|| Ok(Casts::default()), |casts| casts.read(&game))?,
            illegal,
            counts,
            control: Arc::clone(&control),
        };
        let slow =
            config.casts.rows.iter().flat_map(|cast| cast.agents.iter().flatten()).any(|a| a.is_slow());
        let book = game.get();
        let (len, ids, seats) =
            (book.game.observation_len(), book.game.num_actions(), book.game.num_players());
        let kept = if autoreset == Autoreset::SameStep { lanes } else { 0 };
        let inner = Inner {
            batch: match snapshot.map(read_snapshot).transpose()? {
                None => run(py, slow.then_some(&*control), || book.game.batch(&config))?.or_raise()?,
                Some(snapshot) => detached(py, || book.game.batch_from(&config, &snapshot))?.or_raise()?,
            },
            kept: None,
            keeps: 0,
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
        };
        Ok(Batch { num_envs: lanes, game: game.unbind(), inner: Mutex::new(inner) })
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

    /// Plays one action in every lane, or only in those where `only`, bool (N,), is True. Returns observations (N, L) int8,
    /// masks (N, A) int8, current players (N,) int8, rewards (N, players) float32, terminated (N,) bool and truncated (N,)
    /// bool. Then follow which actions were illegal, (N,) bool, or None if illegal actions raise an error; and the last
    /// observations, masks and players under SAME_STEP if a lane has ended (rows of other lanes mean nothing), or None.
    #[pyo3(signature = (actions, only=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        only: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Stepped<'py>> {
        let only = only.map(|only| flags(only, self.num_envs, "only")).transpose()?;
        // Converting may run Python code, so the actions are read before the batch is taken.
        let mut inner = self.lock()?;
        let mut chosen = std::mem::take(&mut inner.actions);
        drop(inner);
        let read = super::convert::actions(actions, self.num_envs, "actions", &mut chosen);
        let mut inner = self.lock()?;
        inner.actions = chosen;
        let given = read?;
        let observations = inner.observations.take(py)?;
        let masks = inner.masks.take(py)?;
        let players = inner.players.take(py)?;
        let rewards = inner.rewards.take(py)?;
        let [one, two, three] = &mut inner.flags;
        let (terminated, truncated, illegal) = (one.take(py)?, two.take(py)?, three.take(py)?);
        {
            let mut o = observations.try_readwrite().map_err(value_error)?;
            let mut m = masks.try_readwrite().map_err(value_error)?;
            let mut p = players.try_readwrite().map_err(value_error)?;
            let mut r = rewards.try_readwrite().map_err(value_error)?;
            let mut d = terminated.try_readwrite().map_err(value_error)?;
            let mut t = truncated.try_readwrite().map_err(value_error)?;
            let mut i = illegal.try_readwrite().map_err(value_error)?;
            let Inner { batch, control, slow, actions, last_observations, last_masks, last_players, .. } =
                &mut *inner;
            let out = Out {
                observations: cells(&mut o)?,
                masks: cells(&mut m)?,
                current_player: cells(&mut p)?,
                rewards: cells(&mut r)?,
                terminated: cells(&mut d)?,
                truncated: cells(&mut t)?,
                illegal: cells(&mut i)?,
                final_observations: last_observations,
                final_masks: last_masks,
                final_current_player: last_players,
            };
            run(py, slow.then_some(&**control), || batch.step(actions, only.as_deref(), out))?
                .or_raise()
                .map_err(|error| as_given(error, given, py))?;
        }
        let mut finals = None;
        if !inner.last_players.is_empty() {
            let ended = |flags: &Bound<'py, PyArray1<bool>>| -> PyResult<bool> {
                Ok(flags.readonly().as_slice()?.contains(&true))
            };
            if ended(&terminated)? || ended(&truncated)? {
                let (len, ids) =
                    (inner.last_observations.len() / self.num_envs, inner.last_masks.len() / self.num_envs);
                finals = Some((
                    copied(py, [self.num_envs, len], &inner.last_observations)?,
                    copied(py, [self.num_envs, ids], &inner.last_masks)?,
                    copied(py, [self.num_envs], &inner.last_players)?,
                ));
            }
        }
        let illegal = inner.tells_illegal.then_some(illegal);
        memory::room().or_raise()?;
        Ok((observations, masks, players, rewards, terminated, truncated, illegal, finals))
    }

    /// Begins a new game in every lane, or only in those where `reset_mask` is True. `seed` is None (the streams continue),
    /// an int (lane i takes stream i of this seed), or one int for each lane (each lane takes stream 0 of its seed). `starts`
    /// gives the states in which the games begin: one for all lanes, or one for each. Returns observations, masks and current
    /// players of all lanes.
    #[pyo3(signature = (seed=None, reset_mask=None, starts=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
        reset_mask: Option<Vec<bool>>,
        starts: Option<&Bound<'py, States>>,
    ) -> PyResult<Arrays<'py>> {
        let seeds = seeds(seed, self.num_envs)?;
        let mut inner = self.lock()?;
        let starts = starts.map(|starts| starts.get().now());
        let slow = inner.slow;
        self.write(py, &mut inner, slow, |batch, out| match &starts {
            None => batch.reset(&seeds, reset_mask.as_deref(), out),
            Some(starts) => batch.reset_from(&seeds, reset_mask.as_deref(), &**starts, out),
        })
    }

    /// From now on games are cast like this. `moved` says, for each of the casts before, which row of the new ones it is, or
    /// -1: games under way go on as they were cast. It counts as a step that `undo` takes back.
    fn set_casts(&self, py: Python<'_>, casts: GivenCasts, moved: Vec<i64>) -> PyResult<()> {
        let casts = casts.read(self.game.bind(py))?;
        let moved: Vec<Option<u32>> = moved.into_iter().map(|row| u32::try_from(row).ok()).collect();
        let inner = &mut *self.lock()?;
        inner.batch.set_casts(&casts, &moved).or_raise()?;
        inner.slow = inner.batch.is_slow();
        Ok(())
    }

    /// From now on games begin in one of these states, drawn for each; None for the usual start. It counts as a step that
    /// `undo` takes back.
    fn set_starts(&self, starts: Option<&Bound<'_, States>>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let starts = starts.map(|starts| starts.get().now());
        inner.batch.set_starts(starts.as_deref()).or_raise()
    }

    /// Which of the casts plays each lane's game, int32 (N,); with `last` those of the games before.
    #[pyo3(signature = (last=false))]
    fn casts<'py>(&self, py: Python<'py>, last: bool) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let inner = self.lock()?;
        filled(py, [self.num_envs], inner.batch.casts(last).map(|cast| cast as i32))
    }

    /// The number of each lane's game since the lane was seeded, int64 (N,).
    fn episodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let inner = self.lock()?;
        filled(py, [self.num_envs], inner.batch.episodes().map(i64::from))
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
        self.observed(py, &mut *self.lock()?)
    }

    /// A copy of the state of a lane's game.
    fn state(&self, py: Python<'_>, lane: &Bound<'_, PyAny>) -> PyResult<State> {
        let lane = whole_in(lane, "lane", 0, self.num_envs as i128 - 1)? as usize;
        let position = self.lock()?.batch.position(lane);
        let position = position.ok_or_else(|| value_error("the lane has no position"))?;
        Ok(State::new(self.game.clone_ref(py), position))
    }

    /// The states of the games of some lanes, 0 to num_envs - 1 each.
    fn states(&self, py: Python<'_>, lanes: PyReadonlyArray1<'_, i64>) -> PyResult<States> {
        let inner = self.lock()?;
        let mut all = self.game.bind(py).get().game.states(0).or_raise()?;
        for &lane in lanes.as_array() {
            let position = usize::try_from(lane).ok().and_then(|lane| inner.batch.position(lane));
            all.push(&*position.ok_or_else(|| value_error("there is no such lane"))?).or_raise()?;
        }
        Ok(States::new(self.game.clone_ref(py), all))
    }

    /// Which actions each lane accepts in the next step: int8 (N, A).
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let inner = self.lock()?;
        let masks = zeros(py, inner.masks.shape)?;
        let mut cells = masks.readwrite();
        inner.batch.masks(cells.as_slice_mut()?);
        drop(cells);
        Ok(masks)
    }

    /// What `undo` takes to come back to where the lanes stand now, and these attributes, at most one step or reset from here.
    fn way_back<'py>(slf: &Bound<'py, Self>, attributes: &Bound<'py, PyDict>) -> PyResult<Way<'py>> {
        let serial = slf.get().lock()?.batch.serial();
        memory::room().or_raise()?;
        Ok((attributes.clone(), attributes.copy()?, slf.clone(), serial))
    }

    /// Remembers the position of every lane.
    fn keep(&self) -> PyResult<()> {
        let inner = &mut *self.lock()?;
        inner.kept = Some(inner.batch.copy().or_raise()?);
        inner.keeps += 1;
        Ok(())
    }

    /// How often `keep` was called, not counting what was gone back to.
    #[getter]
    fn keeps(&self) -> PyResult<u64> {
        let keeps = self.lock()?.keeps;
        small(|| keeps)
    }

    /// Puts every lane, and its stream, back to where it was at the last `keep`, if there was one since `keeps` was read that
    /// has not been gone back to. Where there were more, those before it stay: games that were brought to their first decision,
    /// which is no step.
    fn go_back(&self, keeps: u64) -> PyResult<()> {
        let inner = &mut *self.lock()?;
        if inner.keeps != keeps
            && let Some(kept) = inner.kept.take()
        {
            inner.batch = kept;
            inner.slow = inner.batch.is_slow();
        }
        inner.keeps = keeps;
        Ok(())
    }

    /// Everything on which the batch's future depends, as text for `restore`.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.lock()?;
        drop(memory::room_for::<[u8; SNAPSHOT_BYTES]>(self.num_envs).or_raise()?);
        let snapshot = detached(py, || serde_json::to_string(&inner.batch.snapshot()))?;
        drop(inner);
        long_text(py, &snapshot.map_err(value_error)?)
    }

    /// Continues from what `snapshot` returned. Raises ValueError if it is not a snapshot, or has other rules or another size.
    fn restore(&self, snapshot: &str) -> PyResult<()> {
        let snapshot = read_snapshot(snapshot)?;
        self.lock()?.batch.restore(&snapshot).map_err(value_error)
    }
}

impl Batch {
    /// Takes back the last step or reset, if `serial` was read just before it, and nothing if nothing has been done since.
    /// Shared arrays show again where the lanes stand.
    ///
    /// # Errors
    /// A RuntimeError if more has been done, or if it was taken back before.
    pub(crate) fn go_back_to(&self, py: Python<'_>, serial: u64) -> PyResult<()> {
        let inner = &mut *self.lock()?;
        let batch = &mut inner.batch;
        if batch.serial() != serial {
            if serial.checked_add(1) != Some(batch.serial()) {
                return Err(PyRuntimeError::new_err("only the last step or reset can be taken back"));
            }
            detached(py, || batch.go_back())?.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            inner.slow = inner.batch.is_slow();
        }
        if inner.masks.shared {
            // The arrays that everybody has hold of show where the lanes stand again.
            self.observed(py, inner)?;
        }
        Ok(())
    }

    /// The current observations, masks and players of all lanes.
    fn observed<'py>(&self, py: Python<'py>, inner: &mut Inner) -> PyResult<Arrays<'py>> {
        // No agent thinks.
        self.write(py, inner, false, |batch, out| {
            batch.observe(out);
            Ok(())
        })
    }

    /// Fills fresh observations, masks and current players.
    fn write<'py>(
        &self,
        py: Python<'py>,
        inner: &mut Inner,
        slow: bool,
        fill: impl FnOnce(&mut dyn AnyBatch, &mut Out<'_>) -> Result<(), StepError> + Send,
    ) -> PyResult<Arrays<'py>> {
        let (observations, masks, players) =
            (inner.observations.take(py)?, inner.masks.take(py)?, inner.players.take(py)?);
        {
            let mut o = observations.try_readwrite().map_err(value_error)?;
            let mut m = masks.try_readwrite().map_err(value_error)?;
            let mut p = players.try_readwrite().map_err(value_error)?;
            let mut out = Out {
                observations: cells(&mut o)?,
                masks: cells(&mut m)?,
                current_player: cells(&mut p)?,
                rewards: &mut [],
                terminated: &mut [],
                truncated: &mut [],
                illegal: &mut [],
                final_observations: &mut [],
                final_masks: &mut [],
                final_current_player: &mut [],
            };
            let Inner { batch, control, .. } = inner;
            run(py, slow.then_some(&**control), || fill(&mut **batch, &mut out))?.or_raise()?;
        }
        memory::room().or_raise()?;
        Ok((observations, masks, players))
    }
}
