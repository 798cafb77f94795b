"""A batch some of whose seats are played by Python callables."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._core import Game, IllegalActionError, State
from sarai.agents import Context, ContextPolicy, WholePositions
from sarai.arguments import in_words, masked
from sarai.envs.arguments import whole_number
from sarai.envs.opponents import Seats, one_of
from sarai.envs.transaction import Way, whole

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

# How often a new game may be over before the learner chose, before the rules are held to be unplayable.
MAX_EMPTY_GAMES = 1000


class Lanes(Protocol):
    """What an environment stands on: `_core.Batch`, or a `PolicyBatch` around one."""

    @property
    def num_envs(self) -> int:
        """How many lanes there are."""

    def step(self, actions: ArrayLike, /) -> Stepped:
        """Play one action in every lane, or in none if anything is raised."""

    def reset(
        self,
        seed: int | list[int] | None = None,
        reset_mask: list[bool] | None = None,
        starts: _core.States | None = None,
        /,
    ) -> Arrays:
        """Begin new games, where `starts` says if it is given."""

    def way_back(self, attributes: dict[str, Any], /) -> Way:
        """What leads back to where the lanes stand, and to these attributes, at most one step or reset from now."""

    def set_starts(self, starts: _core.States | None, /) -> None:
        """Let later games begin there; None is the usual start."""

    def casts(self, last: bool = False, /) -> NDArray[np.int32]:
        """Show who plays each lane's game, or the one before."""

    def counts(self, last: bool = False, /) -> NDArray[np.int32]:
        """Show what was counted in each lane's game, or in the one before."""

    def observe(self) -> Arrays:
        """Show the lanes as they stand."""

    def masks(self) -> NDArray[np.int8]:
        """Show what each lane takes next."""

    def state(self, lane: int, /) -> State:
        """Copy a lane's state."""

    def snapshot(self) -> str:
        """Write everything down that the future depends on."""


class PolicyBatch:
    """A `_core.Batch` for one learner, where callables play some of the other seats.

    The engine plays up to the next decision that is not its own; here the callables are asked, each once for all the
    lanes that wait for it, until every lane waits for the learner or is over. What a lane does after its end is done
    here as well, for the engine must not begin a game that a callable has not finished. Lanes, streams and results
    are otherwise those of the engine: a callable that chooses like an agent inside the engine changes nothing.

    A step that anything ends before it returns has not happened, and `way_back` leads past the last one after that.

    No callable is asked before there is something to show: a batch that takes up a snapshot, or is reset at once, never
    plays the games that it was made with.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int,
        autoreset_mode: str,
        max_episode_steps: int | None,
        num_threads: int | None,
        seats: Seats,
        illegal_action: str,
        counts: bool = False,
        snapshot: str | None = None,
    ) -> None:
        self._batch = _core.Batch(
            game,
            num_envs,
            seed,
            "Disabled",
            max_episode_steps,
            num_threads,
            True,
            seats.engine,
            illegal_action,
            counts,
            snapshot=snapshot,
        )
        self._mode = autoreset_mode
        self._seats = seats
        self._whom = _whom(seats)
        # Under SAME_STEP those of the games before.
        self._last_casts, self._last_counts = self._batch.casts(), self._batch.counts()
        self._turn: dict[str, object] = {}
        # Known to wait for nobody but the learner: looking at one lane must not cost a look at all of them.
        self._settled = False

    @property
    def num_envs(self) -> int:
        """How many lanes there are."""
        return self._batch.num_envs

    @whole
    def step(self, actions: ArrayLike, /) -> Stepped:
        """As `_core.Batch.step`; what a callable raises comes through, and nothing has changed then."""
        self._batch.keep()
        self._settle()
        self._settled = False
        ended = self._ended(self._batch.masks())
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
            # The engine may begin more than one game on the way to the next.
            self._last_casts, self._last_counts = self._batch.casts(), self._batch.counts()
            begun = over
        if begun.any():
            arrays = self._batch.reset(None, begun.tolist())
            observations, masks, players = self._begin(arrays, begun)
        shown = self._shown((observations, masks, players))
        self._settled = True
        return (*shown, rewards, terminated, truncated, illegal, last)

    @whole
    def reset(
        self,
        seed: int | list[int] | None = None,
        reset_mask: list[bool] | None = None,
        starts: _core.States | None = None,
        /,
    ) -> Arrays:
        """As `_core.Batch.reset`; what a callable raises comes through, and nothing has changed then."""
        self._batch.keep()
        if reset_mask is not None:
            self._settle()
        self._settled = False
        arrays = self._batch.reset(seed, reset_mask, starts)
        begun = np.ones(self.num_envs, np.bool_) if reset_mask is None else np.array(reset_mask)
        shown = self._shown(self._begin(arrays, begun, starts))
        self._settled = True
        return shown

    @whole
    def set_seats(self, seats: Seats, moved: list[int]) -> None:
        """As `_core.Batch.set_casts`; `seats` are those of all games, of those under way too."""
        self._batch.keep()
        self._batch.set_casts(seats.engine, moved)
        self._seats, self._whom = seats, _whom(seats)

    @whole
    def set_starts(self, starts: _core.States | None, /) -> None:
        """As `_core.Batch.set_starts`."""
        self._batch.keep()
        self._batch.set_starts(starts)

    @whole
    def casts(self, last: bool = False, /) -> NDArray[np.int32]:
        """As `_core.Batch.casts`."""
        return self._last_casts if last else self._batch.casts()

    @whole
    def counts(self, last: bool = False, /) -> NDArray[np.int32]:
        """As `_core.Batch.counts`."""
        return self._last_counts if last else self._batch.counts()

    def way_back(self, attributes: dict[str, Any], /) -> Way:
        """As `_core.Batch.way_back`."""
        return attributes, attributes.copy(), *self._way_back()

    def _way_back(self) -> Way:
        # Attributes are set anew, and never changed in place.
        return self.__dict__, self.__dict__.copy(), self._batch.go_back, (self._batch.keeps,)

    @whole
    def observe(self) -> Arrays:
        """As `_core.Batch.observe`."""
        self._look()
        return self._shown(self._batch.observe())

    @whole
    def masks(self) -> NDArray[np.int8]:
        """As `_core.Batch.masks`."""
        self._look()
        return self._taken(self._batch.masks())

    @whole
    def state(self, lane: int, /) -> State:
        """As `_core.Batch.state`."""
        self._look()
        return self._batch.state(lane)

    @whole
    def snapshot(self) -> str:
        """As `_core.Batch.snapshot`; the callables are not part of it."""
        return self._batch.snapshot()

    def _look(self) -> None:
        if not self._settled:
            self._batch.keep()
            self._settle()

    def _settle(self) -> None:
        """Bring the first games to where they can be shown."""
        if not self._settled:
            self._begin(self._batch.observe(), np.ones(self.num_envs, np.bool_))
            self._settled = True

    def _begin(self, arrays: Arrays, begun: NDArray[np.bool_], starts: _core.States | None = None) -> Arrays:
        """Bring new games to the learner's first decision; one that is over before that is no episode."""
        for _ in range(MAX_EMPTY_GAMES):
            nothing = np.zeros(self.num_envs, np.bool_)
            rewards = np.zeros((self.num_envs, self._batch.game.num_players), np.float32)
            stepped = self._answer((*arrays, rewards, nothing, nothing.copy(), None, None))
            empty = stepped[4] & begun
            if not empty.any():
                return stepped[:3]
            arrays = self._batch.reset(None, empty.tolist(), starts)
        raise ValueError(
            f"{MAX_EMPTY_GAMES} games were over before the first decision; there is nothing to play from this start"
        )

    def _answer(self, stepped: Stepped) -> Stepped:
        """Let the callables play until no lane waits for one."""
        observations, masks, players, rewards, terminated, truncated, illegal, _ = stepped
        # Games that begin meanwhile are none of those.
        casts = self._batch.casts()
        while True:
            # Which callable has to choose; -1 where it is the learner's turn, or nobody's.
            whom = np.where(players >= 0, self._whom[casts, np.maximum(players, 0)], -1)
            waiting = whom >= 0
            if not waiting.any():
                return observations, masks, players, rewards, terminated, truncated, illegal, None
            chosen = np.zeros(self.num_envs, np.int64)
            for number, policy in enumerate(self._seats.policies):
                lanes = np.flatnonzero(whom == number)
                if len(lanes):
                    seen: _core.States | Context | None = None
                    if isinstance(policy, WholePositions):
                        seen = self._batch.states(lanes)
                    elif isinstance(policy, ContextPolicy):
                        seen = Context(lanes, players[lanes], self._batch.episodes()[lanes])
                    chosen[lanes] = _ask(policy, observations[lanes], masks[lanes], lanes, seen)
            observations, masks, players, more, over, cut, _, _ = self._batch.step(chosen, waiting)
            rewards += more
            terminated |= over
            truncated |= cut

    def _shown(self, arrays: Arrays) -> Arrays:
        observations, masks, players = arrays
        return observations, self._taken(masks), players

    def _taken(self, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """What the lanes take next, where `masks` shows what the engine takes of it; written into `masks`."""
        if self._mode == "NextStep":
            masks[self._ended(masks)] = 1
        return masks

    @staticmethod
    def _ended(masks: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Where a game is over: the engine shows no action there, and at least one everywhere else."""
        ended: NDArray[np.bool_] = masks.max(axis=1) == 0
        return ended


def _whom(seats: Seats) -> NDArray[np.int64]:
    """Which of `seats.policies` chooses, by cast and player; -1 where the learner does, or the engine."""
    whom = np.full((len(seats.casts), len(seats.casts[0].agents)), -1, np.int64)
    numbers = {one_of(policy): number for number, policy in enumerate(seats.policies)}
    for row, cast in enumerate(seats.casts):
        for player, policy in cast.policies.items():
            whom[row, player] = numbers[one_of(policy)]
    return whom


def _ask(
    policy: Any,
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    lanes: NDArray[np.intp],
    seen: _core.States | Context | None,
) -> NDArray[np.int64]:
    """What a policy chooses for these lanes, by arrays or by the positions themselves: one legal action each."""
    if isinstance(seen, _core.States):
        given = policy(seen)
    else:
        given = policy(observations, masks.copy(), *([] if seen is None else [seen]))
    return judged(given, masks, lanes)


def judged(
    given: object, masks: NDArray[np.int8], lanes: NDArray[np.intp] | None = None, who: str = "a policy"
) -> NDArray[np.int64]:
    """What a policy returned, as one action for each row of the masks.

    Raises:
        IllegalActionError: One is not legal.
        TypeError: They are no integers.
        ValueError: They are masked, or not as many as there are rows.
    """
    if masked(given):
        raise ValueError(
            f"the actions that {who} returned must be integers, and some are masked: give them all"
        )
    try:
        answer = np.asarray(given)
    except ValueError as error:
        raise ValueError(
            f"the actions that {who} returned must have the shape ({len(masks)},): {error}"
        ) from None
    # Integers that no dtype holds are integers all the same, if illegal ones; a bool among integers has become one.
    # numpy does not go through an array of more than 32 dimensions; its shape is refused below.
    through = answer.dtype.kind == "O" and answer.ndim <= 32
    each = answer.flat if through else given if isinstance(given, list | tuple) else ()
    wrong = [value for value in each if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__")]
    if wrong and not np.ndim(wrong[0]):
        raise TypeError(f"the actions that {who} returned must be integers, not {type(wrong[0]).__name__}")
    if answer.dtype.kind not in "iuO":
        raise TypeError(f"the actions that {who} returned must be integers, not {answer.dtype}")
    if answer.shape != (len(masks),):
        raise ValueError(
            f"the actions that {who} returned must have the shape ({len(masks)},), not {answer.shape}"
        )
    known = ((answer >= 0) & (answer < masks.shape[1])).astype(np.bool_)
    legal = known & (masks[np.arange(len(masks)), np.where(known, answer, 0).astype(np.int64)] == 1)
    if not legal.all():
        row = int(np.argmin(legal))
        where = "" if lanes is None else f"lane {lanes[row]}: "
        allowed = ", ".join(map(str, np.flatnonzero(masks[row])))
        raise IllegalActionError(
            f"{where}{who} chose action {in_words(int(answer[row]))}, which is not legal here; "
            f"the legal ones are {allowed}"
        )
    return answer.astype(np.int64)


def step_one(batch: Lanes, action: object) -> Stepped:
    """A step of a batch of one lane, whose errors speak of no lane.

    Raises:
        IllegalActionError: The action is not legal.
        TypeError: It is not an integer.
    """
    number = whole_number(action, "an action")
    try:
        return batch.step([number])
    except IllegalActionError as error:
        raise IllegalActionError(str(error).removeprefix("lane 0: ")) from None
