"""Agents that weigh every way to end a turn with an evaluator of the user's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._agents.analysis import Analysis, checked_seconds, checked_state, of
from sarai._agents.policies import Named
from sarai._agents.trees import read_values
from sarai._base import arguments
from sarai._core import State
from sarai._nets.net import Net

_TOGETHER = 256
"""How many positions are looked into at once: some hundred thousand ends of turns at depth 2."""


class TurnSearch(Named):
    """Evaluates every position in which the turn can end, and plays towards the one that a function values most.

    Made by `agents.Expectimax(depth, evaluator=function)`: "expectimax" with a function as its evaluator. Use it
    wherever an agent is taken; it evaluates the ends of the turns of all games in one call.

    Args:
        evaluator: `f(observations)` with an int8 array (n, L): positions at the ends of turns, each in the view of the
            player who has just moved. It returns expected returns: (n,), of this player (the other sides lose what its
            side wins, in equal parts), or (n, P), one number for each seat. It is not called for positions in which the
            game is over.
        depth: 1 evaluates the ends of its own turn. 2 also searches the `filter` best of these: over every throw with
            its probability, and over the best end of the next player's turn by the same function.
        filter: How many ends to search further with depth 2.

    >>> import numpy as np, sarai
    >>> from sarai import agents
    >>> def pips(observations):
    ...     return observations[:, :24].astype(float).sum(axis=1) / 1000
    >>> agent = agents.Expectimax(evaluator=pips)
    >>> sarai.rollout("shuanglu", [agent, "random"], 4, seed=1).agents
    ('turns:1,pips', 'random')
    >>> agents.TurnSearch(pips, depth=3)
    Traceback (most recent call last):
    ...
    ValueError: depth got 3; with an evaluator of your own it takes 1 or 2
    """

    def __init__(
        self,
        evaluator: Callable[[NDArray[np.int8]], ArrayLike],
        depth: int = 1,
        filter: int = 8,  # noqa: A002
    ) -> None:
        """Set the search up."""
        if isinstance(evaluator, Net):
            # It counts seats from the viewer, a function counts them from 0.
            raise TypeError(
                "for a Net use agents.Expectimax(depth, evaluator=net), which asks it in the engine"
            )
        if not callable(evaluator):
            raise TypeError(f"evaluator must be a function of observations, not {type(evaluator).__name__}")
        if arguments.whole("depth", depth) not in (1, 2):
            given = arguments.short(depth)
            raise ValueError(f"depth got {given}; with an evaluator of your own it takes 1 or 2")
        if arguments.whole("filter", filter) < 1:
            raise ValueError(f"filter got {arguments.short(filter)}; it takes a number above 0")
        self.evaluator = evaluator
        self.depth = depth
        self.filter = filter

    def choose_many(self, states: Any, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose an action in each row, all of them at once.

        Args:
            states: A `sarai.States` in each row of which it is a player's turn.
            seats: The seats to act, int8 (N,).

        Raises:
            ValueError, TypeError: The evaluator returned values of the wrong shape, NaN or infinity.
        """
        chosen = np.empty(len(states), np.int64)
        for first in range(0, len(states), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            chosen[part] = self._choose(states[part], np.asarray(seats[part]))
        return chosen

    def choose(self, state: State, seed: int | None = None) -> int:
        """Choose an action in one state.

        Args:
            state: A state in which it is a player's turn.
            seed: Ignored: nothing is drawn.

        Raises:
            ValueError: It is no player's turn.
        """
        states = _alone(state)
        return int(self.choose_many(states, states.current_player())[0])

    def analyse(self, state: State, seed: int | None = None, seconds: float | None = None) -> Analysis:
        """Evaluate the moves of one state; see `sarai.analyse`.

        Args:
            state: A state in which it is a player's turn.
            seed: Ignored: nothing is drawn.
            seconds: With depth 2, stop after this many seconds with the result of depth 1; the result then depends on
                the machine.

        Raises:
            ValueError: It is no player's turn, or seconds is not above 0.
            TypeError: seconds is no number.
        """
        limit = checked_seconds(seconds)
        state = checked_state(state).clone()
        begun = time.perf_counter()
        states = _alone(state)
        end = None if limit is None else time.monotonic() + limit
        found = self._told(states, end)
        return of(str(self), state, found, time.perf_counter() - begun)

    def _choose(self, states: Any, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose in some rows."""
        ends = states.afterstates()
        worth, looked = self._worth(ends, seats)
        own = worth[np.arange(len(worth)), seats[ends.parent]]
        best = _first_best(np.where(looked == looked.max(initial=1), own, -np.inf), ends.offsets)
        chosen: NDArray[np.int64] = ends.actions[ends.action_offsets[best]].astype(np.int64)
        return chosen

    def _worth(
        self, ends: Any, seats: NDArray[np.int8], end: float | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """What each seat may expect at each end, and how many turns that was looked into."""
        movers = seats[ends.parent]
        worth = self._glance(ends.states, movers)
        looked = np.ones(len(worth), np.int8)
        if self.depth == 1:
            return worth, looked
        kept = _leading(worth[np.arange(len(worth)), movers], ends.offsets, self.filter)
        for part in np.array_split(kept, max(1, len(kept) // _TOGETHER)):
            if end is not None and time.monotonic() >= end:
                return self._glance(ends.states, movers), np.ones(len(worth), np.int8)
            worth[part] = self._after(ends.states[part], worth[part], movers[part])
        looked[kept] = 2
        return worth, looked

    def _after(self, ends: Any, glance: NDArray[np.float64], movers: NDArray[np.int8]) -> NDArray[np.float64]:
        """What each seat may expect once the next turn has ended, too; `glance` stays where the game is over."""
        thrown = ends.chance_successors()
        waits = np.flatnonzero(ends.current_player() >= 0)
        follows = type(ends).concatenate([thrown.states, ends[waits]])
        parent = np.concatenate([thrown.parent, waits])
        share = np.concatenate([thrown.probability, np.ones(len(waits))])
        next_seats = follows.current_player()
        acting = np.flatnonzero(next_seats >= 0)
        rest = np.flatnonzero(next_seats < 0)
        values = np.empty((len(follows), glance.shape[1]))
        # A throw that leaves nothing to play is a turn as well.
        values[rest] = self._glance(follows[rest], movers[parent[rest]])
        turns = follows[acting].afterstates()
        after = self._glance(turns.states, next_seats[acting][turns.parent])
        own = after[np.arange(len(after)), next_seats[acting][turns.parent]]
        values[acting] = after[_first_best(own, turns.offsets)]
        mean: NDArray[np.float64] = glance.copy()
        mean[parent] = 0.0
        np.add.at(mean, parent, share[:, None] * values)
        return mean

    def _glance(self, states: Any, viewers: NDArray[np.int8]) -> NDArray[np.float64]:
        """What each seat may expect: the returns where the game is over, what the evaluator says elsewhere."""
        worth: NDArray[np.float64] = states.returns().astype(np.float64)
        asked = np.flatnonzero(~states.is_terminal())
        if not len(asked):
            return worth
        seen = viewers[asked]
        answer = self.evaluator(states[asked].observation_tensor(seen))
        values = read_values(answer, len(asked), worth.shape[1]).astype(np.float64)
        wrong = np.flatnonzero(~np.isfinite(values).all(axis=1))
        if len(wrong):
            row = int(wrong[0])
            raise ValueError(
                f"the evaluator's value in row {row} is {values[row].tolist()}; values are numbers in the units of "
                "the returns"
            )
        if values.shape[1] == 1:
            sides = np.asarray(states.game.sides)
            same = sides[None, :] == sides[seen][:, None]
            others = np.maximum((~same).sum(axis=1), 1)[:, None]
            values = values * np.where(same, 1.0, -same.sum(axis=1)[:, None] / others)
        worth[asked] = values
        return worth

    def _told(self, states: Any, end: float | None) -> dict[str, Any]:
        """What is told of one position, as the engine tells it."""
        state, seats = states[0], states.current_player()
        player = int(seats[0])
        ends = states.afterstates()
        worth, looked = self._worth(ends, seats, end)
        known = {str(each): row for row, each in enumerate(ends.states)}
        successors = states.successors()
        lines = []
        for row, action in enumerate(successors.action.tolist()):
            after = successors.states[row : row + 1]
            goes_on = int(after.current_player()[0]) == player
            later = after.afterstates() if goes_on else None
            found = [
                (int(looked[at]), float(worth[at, player]), -number)
                for number, each in enumerate(after if later is None else later.states)
                if (at := known.get(str(each))) is not None
            ]
            rest: list[int] = []
            value = None
            if found:
                _, value, number = max(found)
                rest = [] if later is None else later.actions_to(-number).tolist()
            names, walked = [], state.clone()
            for each in (action, *rest):
                names.append(walked.action_to_string(each))
                walked.apply_action(each)
            told = {
                "value": value,
                "visits": 0,
                "probability": 0.0,
                "kind": "judged",
                "turns": None,
                "names": names,
            }
            lines.append({"action": action, "name": names[0], **told})
        own = np.where(looked == looked.max(), worth[:, player], -np.inf)
        at = int(own.argmax())
        best = int(ends.actions_to(at)[0])
        for line in lines:
            line["probability"] = float(line["action"] == best)
        work = len(worth)
        depth = int(looked.max())
        values = worth[at].tolist()
        return {
            "player": player,
            "best": best,
            "values": values,
            "depth": depth,
            "work": work,
            "lines": lines,
        }

    def __str__(self) -> str:
        name = getattr(self.evaluator, "__qualname__", type(self.evaluator).__qualname__)
        return f"turns:{self.depth},{name}"

    def __repr__(self) -> str:
        return f"TurnSearch({self.evaluator!r}, depth={self.depth}, filter={self.filter})"


def _alone(state: State) -> Any:
    """A `sarai.States` of one state, in which it is a player's turn."""
    if checked_state(state).current_player() < 0:
        raise ValueError("no player acts here, so there is nothing to search")
    return _core.States.of(state.get_game(), [state]).face


def _first_best(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the first of the largest values of each group stands; no group is empty.

    >>> _first_best(np.array([1.0, 3.0, 3.0, 2.0]), np.array([0, 3, 4]))
    array([1, 3])
    """
    most = np.repeat(np.maximum.reduceat(values, offsets[:-1]), np.diff(offsets))
    hits = np.flatnonzero(values == most)
    return hits[np.searchsorted(hits, offsets[:-1])]


def _leading(values: NDArray[np.float64], offsets: NDArray[np.int64], keep: int) -> NDArray[np.int64]:
    """Where the `keep` largest values of each group stand, of equals the first.

    >>> _leading(np.array([1.0, 3.0, 3.0, 2.0]), np.array([0, 3, 4]), 1)
    array([1, 3])
    """
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((np.arange(len(values)), -values, group))
    place = np.arange(len(values)) - offsets[:-1][group]
    return np.sort(order[place < keep])
