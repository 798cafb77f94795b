"""Symmetries of games, as arrays that index observations, actions and seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import counted
from sarai._core import Game, State


@dataclass(frozen=True, eq=False)
class Symmetries:
    """The K symmetries of a game that its observations show; the first changes nothing.

    A symmetry takes each position to another one in which play is the same. For arrays of positions, where a row of
    `observations` is the view of any one seat, symmetry k gives those of the other positions, in the view of the same
    seat:

    - `observations[:, symmetries.observation[k]]`
    - `masks[:, symmetries.action[k]]`, and so policies, logits and visits
    - `returns[:, symmetries.seat[k]]`

    Action `symmetries.action[k, a]` in the old position does what `a` does in the new one. `symmetries.inverse[k]` is
    the number of the symmetry that leads back, so the new action of an old one is `symmetries.action[inverse[k], a]`.

    Where `seat[k]` is not 0, 1, and so on, another seat is to act in the new position, so if a row was the view of the
    player to act, it no longer is.

    Attributes:
        observation: int64 (K, L): for each cell of the new observation, the cell of the old one.
        action: int64 (K, A): for each action in the new position, the action in the old one.
        seat: int64 (K, P): for each seat in the new position, the seat in the old one.
        inverse: int64 (K,): the number of the symmetry that undoes each.

    >>> import numpy as np, sarai
    >>> game = sarai.make("shah")
    >>> s = game.symmetries
    >>> s
    <Symmetries: 16 of 113 cells and 136 actions>
    >>> a, b = game.new_initial_state(), game.new_initial_state()
    >>> a.apply_action(3)
    >>> b.apply_action(int(s.action[s.inverse[5], 3]))
    >>> bool((b.observation_tensor(0) == a.observation_tensor(0)[s.observation[5]]).all())
    True
    """

    observation: NDArray[np.int64]
    action: NDArray[np.int64]
    seat: NDArray[np.int64]
    inverse: NDArray[np.int64]

    def __len__(self) -> int:
        """K, the number of symmetries."""
        return len(self.observation)

    def __repr__(self) -> str:
        cells, actions = self.observation.shape[1], self.action.shape[1]
        return f"<Symmetries: {len(self)} of {counted(cells, 'cell')} and {counted(actions, 'action')}>"


@lru_cache(maxsize=64)
def _symmetries(game: Game) -> Symmetries:
    """The symmetries of a game, as arrays that cannot be written to, since calls share them."""
    observation, action, seat = game.symmetry_arrays()
    # There is one that leads back: symmetries are a group.
    back = [(observation[:, cells] == np.arange(len(cells))).all(axis=1).argmax() for cells in observation]
    arrays = (observation, action, seat, np.array(back, np.int64))
    for array in arrays:
        array.flags.writeable = False
    return Symmetries(*arrays)


def _of(game: Game) -> Symmetries:
    """The symmetries of the game that observations show (`sarai.results.Symmetries`).

    Shah and nine men's morris have the 16 of the board: the 8 of a square, each with or without the exchange of the
    inner and the outer ring. T'shu-p'u has 4 rotations of the seats: where seat 0 begins, another seat does after a
    rotation. Sho and Shuanglu have only the identity.

    >>> import sarai
    >>> [len(sarai.make(name).symmetries) for name in sarai.games()]
    [1, 16, 4, 1]
    """
    return _symmetries(game)


def orbits(state: State) -> dict[int, tuple[int, ...]]:
    """The legal actions up to the symmetries of the position: those that are the same, by the smallest of them.

    >>> import sarai
    >>> state = sarai.make("shah").new_initial_state()
    >>> {state.action_to_string(action): len(same) for action, same in orbits(state).items()}
    {'a7': 8, 'd7': 8, 'b6': 4, 'd6': 4}
    """
    symmetries = state.get_game().symmetries
    seen = state.observation_tensor(0)
    stays = (seen[symmetries.observation] == seen).all(axis=1)
    stays &= (symmetries.seat == np.arange(symmetries.seat.shape[1])).all(axis=1)
    found: dict[int, tuple[int, ...]] = {}
    grouped: set[int] = set()
    for action in state.legal_actions():
        if action not in grouped:
            same = np.unique(symmetries.action[stays, action]).tolist()
            found[action] = tuple(same)
            grouped.update(same)
    return found


Game.symmetries = property(_of)  # type: ignore[method-assign,assignment]
