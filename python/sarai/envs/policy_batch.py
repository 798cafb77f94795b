"""A batch some of whose seats are played by Python callables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        self._attempt(lambda: self._begin(self._batch.observe(), np.ones(self.num_envs, np.bool_)))

    @property
    def num_envs(self) -> int:
        """How many lanes there are."""
        return self._batch.num_envs

    def step(self, actions: ArrayLike, /) -> Stepped:
        """As `_core.Batch.step`; what a callable raises comes through, and nothing has changed then."""
        return self._attempt(lambda: self._step(actions))

    def reset(self, seed: int | list[int] | None = None, reset_mask: list[bool] | None = None, /) -> Arrays:
        """As `_core.Batch.reset`; what a callable raises comes through, and nothing has changed then."""

        def begin() -> Arrays:
            arrays = self._batch.reset(seed, reset_mask)
            begun = np.ones(self.num_envs, np.bool_) if reset_mask is None else np.array(reset_mask)
            return self._shown(self._begin(arrays, begun))

        return self._attempt(begin)

    def observe(self) -> Arrays:
        """As `_core.Batch.observe`."""
        return self._shown(self._batch.observe())

    def state(self, lane: int, /) -> State:
        """As `_core.Batch.state`."""
        return self._batch.state(lane)

    def snapshot(self) -> str:
        """As `_core.Batch.snapshot`; the callables are not part of it."""
        return self._batch.snapshot()

    def restore(self, snapshot: str, /) -> None:
        """As `_core.Batch.restore`."""
        self._batch.restore(snapshot)

    def _attempt(self, work: Callable[[], _T]) -> _T:
        self._batch.keep()
        try:
            return work()
        except BaseException:
            self._batch.go_back()
            raise

    def _step(self, actions: ArrayLike) -> Stepped:
        ended = self._ended(self._batch.observe()[1])
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
            waiting = (players >= 0) & (players != self._learner)
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
    answer = np.asarray(policy(observations, masks.copy()))
    if answer.dtype.kind not in "iu":
        raise TypeError(f"the actions that a policy returned must be integers, not {answer.dtype}")
    if answer.shape != (len(lanes),):
        raise ValueError(
            f"the actions that a policy returned must have the shape ({len(lanes)},), not {answer.shape}"
        )
    known = (answer >= 0) & (answer < masks.shape[1])
    legal = known & (masks[np.arange(len(lanes)), np.where(known, answer, 0)] == 1)
    if not legal.all():
        row = int(np.argmin(legal))
        allowed = ", ".join(map(str, np.flatnonzero(masks[row])))
        raise IllegalActionError(
            f"lane {lanes[row]}: a policy chose action {answer[row]}, which is not legal here; legal are {allowed}"
        )
    return answer.astype(np.int64)
