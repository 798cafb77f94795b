"""A batch some of whose seats are played by Python callables."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._core import Game, IllegalActionError, State
from sarai.play import Policy

Arrays: TypeAlias = tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]
"""Observations, masks and current players of all lanes."""

Stepped: TypeAlias = tuple[
    NDArray[np.int8],
    NDArray[np.int8],
    NDArray[np.int8],
    NDArray[np.float32],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.bool_] | None,
    Arrays | None,
]
"""What `_core.Batch.step` returns: with rewards, terminated, truncated, illegal, and the views of the ends."""

_T = TypeVar("_T")

# How often a new game may be over before the learner chose, before the rules are held to be unplayable.
MAX_EMPTY_GAMES = 1000


class Lanes(Protocol):
    """What an environment stands on: `_core.Batch`, or a `PolicyBatch` around one."""

    @property
    def num_envs(self) -> int:
        """How many lanes there are."""

    def step(self, actions: ArrayLike, /) -> Stepped:
        """Play one action in every lane; all or nothing."""

    def reset(self, seed: int | list[int] | None = None, reset_mask: list[bool] | None = None, /) -> Arrays:
        """Begin new games."""

    def observe(self) -> Arrays:
        """Show the lanes as they stand."""

    def state(self, lane: int, /) -> State:
        """Copy a lane's state."""

    def snapshot(self) -> str:
        """Write everything down that the future depends on."""

    def restore(self, snapshot: str, /) -> None:
        """Take up what `snapshot` gave."""


class PolicyBatch:
    """A `_core.Batch` for one learner, where callables play some of the other seats.

    The engine plays up to the next decision that is not its own; here the callables are asked, each once for all the
    lanes that wait for it, until every lane waits for the learner or is over. What a lane does after its end is done
    here as well, for the engine must not begin a game that a callable has not finished. Lanes, streams and results
    are otherwise those of the engine: a callable that chooses like an agent inside the engine changes nothing.

    A step that a callable's error or Ctrl-C ends has not happened: every lane stands where it stood.

    No callable is asked before there is something to show: a batch that is restored from a snapshot, or reset at once,
    never plays the games that it was made with.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int,
        autoreset_mode: str,
        max_episode_steps: int | None,
        num_threads: int | None,
        agents: tuple[str | None, ...],
        policies: Mapping[int, Policy],
        learner: int,
        illegal_action: str,
    ) -> None:
        self._batch = _core.Batch(
            game,
            num_envs,
            seed,
            "Disabled",
            max_episode_steps,
            num_threads,
            True,
            agents,
            learner,
            illegal_action,
        )
        self._mode = autoreset_mode
        self._learner = learner
        # One policy in several seats is asked once.
        asked: dict[int, tuple[Policy, list[int]]] = {}
        for player, policy in policies.items():
            asked.setdefault(id(policy), (policy, []))[1].append(player)
        self._policies = list(asked.values())
        self._busy = threading.Lock()
        # Known to wait for nobody but the learner: looking at one lane must not cost a look at all of them.
        self._settled = False

    @property
    def num_envs(self) -> int:
        """How many lanes there are."""
        return self._batch.num_envs

    def step(self, actions: ArrayLike, /) -> Stepped:
        """As `_core.Batch.step`; what a callable raises comes through, and nothing has changed then."""
        with self._alone():
            return self._attempt(lambda: self._step(actions))

    def reset(self, seed: int | list[int] | None = None, reset_mask: list[bool] | None = None, /) -> Arrays:
        """As `_core.Batch.reset`; what a callable raises comes through, and nothing has changed then."""

        def begin() -> Arrays:
            if reset_mask is not None:
                self._observed()
            arrays = self._batch.reset(seed, reset_mask)
            begun = np.ones(self.num_envs, np.bool_) if reset_mask is None else np.array(reset_mask)
            return self._shown(self._begin(arrays, begun))

        with self._alone():
            return self._attempt(begin)

    def observe(self) -> Arrays:
        """As `_core.Batch.observe`."""
        with self._alone():
            self._settle()
            return self._shown(self._batch.observe())

    def state(self, lane: int, /) -> State:
        """As `_core.Batch.state`."""
        with self._alone():
            self._settle()
            return self._batch.state(lane)

    def snapshot(self) -> str:
        """As `_core.Batch.snapshot`; the callables are not part of it."""
        with self._alone():
            return self._batch.snapshot()

    def restore(self, snapshot: str, /) -> None:
        """As `_core.Batch.restore`."""
        with self._alone():
            self._batch.restore(snapshot)
            self._settled = False

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuses a second call while one is at work, of another thread or of a callable that is being asked."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError(
                "this environment is in the middle of a step; give each thread, and each policy that looks ahead, "
                "an environment of its own"
            )
        try:
            yield
        finally:
            self._busy.release()

    def _attempt(self, work: Callable[[], _T]) -> _T:
        self._batch.keep()
        try:
            return work()
        except BaseException:
            self._batch.go_back()
            raise

    def _settle(self) -> None:
        if not self._settled:
            self._attempt(self._observed)
            self._settled = True

    def _observed(self) -> Arrays:
        """The lanes as they stand; the first games are brought to where they can be shown."""
        arrays = self._batch.observe()
        if not self._waiting(arrays[2]).any():
            return arrays
        return self._begin(arrays, np.ones(self.num_envs, np.bool_))

    def _step(self, actions: ArrayLike) -> Stepped:
        ended = self._ended(self._observed()[1])
        ignored = ended if self._mode == "NextStep" else np.zeros_like(ended)
        stepped = self._answer(self._batch.step(actions, ~ignored))
        observations, masks, players, rewards, terminated, truncated, illegal, _ = stepped
        last: Arrays | None = None
        begun = ignored
        over = terminated | truncated
        if self._mode == "SameStep" and over.any():
            for lane in np.flatnonzero(truncated):
                # A game that was cut off shows what could have been played.
                masks[lane] = self._batch.state(int(lane)).legal_actions_mask()
            last = observations, masks, players
            begun = over
        if begun.any():
            arrays = self._batch.reset(None, begun.tolist())
            observations, masks, players = self._begin(arrays, begun)
        shown = self._shown((observations, masks, players))
        return (*shown, rewards, terminated, truncated, illegal, last)

    def _begin(self, arrays: Arrays, begun: NDArray[np.bool_]) -> Arrays:
        """Bring new games to the learner's first decision; one that is over before that is no episode."""
        for _ in range(MAX_EMPTY_GAMES):
            nothing = np.zeros(self.num_envs, np.bool_)
            rewards = np.zeros((self.num_envs, self._batch.game.num_players), np.float32)
            stepped = self._answer((*arrays, rewards, nothing, nothing.copy(), None, None))
            empty = stepped[4] & begun
            if not empty.any():
                return stepped[:3]
            arrays = self._batch.reset(None, empty.tolist())
        raise ValueError(
            f"{MAX_EMPTY_GAMES} games were over before a decision; these rules leave nothing to play"
        )

    def _answer(self, stepped: Stepped) -> Stepped:
        """Let the callables play until no lane waits for one."""
        observations, masks, players, rewards, terminated, truncated, illegal, _ = stepped
        while True:
            waiting = self._waiting(players)
            if not waiting.any():
                return observations, masks, players, rewards, terminated, truncated, illegal, None
            chosen = np.zeros(self.num_envs, np.int64)
            for policy, seats in self._policies:
                lanes = np.flatnonzero(waiting & np.isin(players, seats))
                if len(lanes):
                    chosen[lanes] = _ask(policy, observations[lanes], masks[lanes], lanes)
            observations, masks, players, more, over, cut, _, _ = self._batch.step(chosen, waiting)
            rewards += more
            terminated |= over
            truncated |= cut

    def _waiting(self, players: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Where a callable has to choose."""
        waiting: NDArray[np.bool_] = (players >= 0) & (players != self._learner)
        return waiting

    def _shown(self, arrays: Arrays) -> Arrays:
        observations, masks, players = arrays
        if self._mode == "NextStep":
            masks[self._ended(masks)] = 1
        return observations, masks, players

    @staticmethod
    def _ended(masks: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Where a game is over: the engine shows no action there, and at least one everywhere else."""
        ended: NDArray[np.bool_] = masks.max(axis=1) == 0
        return ended


def _ask(
    policy: Policy, observations: NDArray[np.int8], masks: NDArray[np.int8], lanes: NDArray[np.intp]
) -> NDArray[np.int64]:
    """What a policy chooses for these lanes: one legal action each."""
    given = policy(observations, masks.copy())
    try:
        answer = np.asarray(given)
    except ValueError as error:
        raise ValueError(
            f"the actions that a policy returned must have the shape ({len(lanes)},): {error}"
        ) from None
    if answer.dtype.kind == "O":
        # Integers that no dtype holds are integers all the same, if illegal ones.
        for value in answer.flat:
            if not hasattr(value, "__index__"):
                raise TypeError(
                    f"the actions that a policy returned must be integers, not {type(value).__name__}"
                )
    elif answer.dtype.kind not in "iu":
        raise TypeError(f"the actions that a policy returned must be integers, not {answer.dtype}")
    if answer.shape != (len(lanes),):
        raise ValueError(
            f"the actions that a policy returned must have the shape ({len(lanes)},), not {answer.shape}"
        )
    known = ((answer >= 0) & (answer < masks.shape[1])).astype(np.bool_)
    legal = known & (masks[np.arange(len(lanes)), np.where(known, answer, 0).astype(np.int64)] == 1)
    if not legal.all():
        row = int(np.argmin(legal))
        allowed = ", ".join(map(str, np.flatnonzero(masks[row])))
        raise IllegalActionError(
            f"lane {lanes[row]}: a policy chose action {answer[row]}, which is not legal here; legal are {allowed}"
        )
    return answer.astype(np.int64)
