"""Many positions of one game as values: indexed, copied, observed, played on and expanded in single calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._base.progress import ProgressOption
from sarai._core import Game, State
from sarai._game import as_game
from sarai.agents import Agents
from sarai.expansions import Afterstates, ChanceSuccessors, Successors

if TYPE_CHECKING:
    from sarai._results.states_rollout import StatesRollout

Rows: TypeAlias = "slice | Sequence[int] | Sequence[bool] | NDArray[np.integer[Any]] | NDArray[np.bool_]"
"""What selects rows: a slice, a list or array of row numbers, or one bool per row."""

_SELECTED = "rows are selected by numbers, a slice, or an array with one bool per row, not by"

MAX_ROWS = 10_000_000
"""The default limit on the rows of an expansion."""


class States:
    """A batch of N positions of one game, held in Rust as plain values.

    Each method works on all rows in one call, on all processors and without the GIL. Row i of every returned array
    belongs to `s[i]`. Two batches are equal if they have the same game and the same rows; a batch can be copied and
    pickled, but not hashed, because `apply_actions`, `apply_outcomes` and `sample_chance` change it.

    Args:
        game: A game, or its name as `sarai.make` takes it.
        n: The number of rows, 0 to 100,000,000; each is the initial state.

    Raises:
        ValueError: The number of rows is out of range, or the game does not have these rules.
        TypeError: An argument has the wrong type.
        MemoryError: There is no memory for the rows.

    Examples:
        >>> import numpy as np, sarai
        >>> s = sarai.States("shah", 3)
        >>> s.apply_actions([4, 19, 4])
        >>> s
        <States of sarai.make('shah'): 3 rows>
        >>> s.current_player(), s.legal_actions_mask().shape, s.observation_tensor().dtype
        (array([1, 1, 1], dtype=int8), (3, 136), dtype('int8'))
        >>> s[0] == s[2], s[[0, 2]] == s[::2], len(s[np.array([True, False, False])])
        (True, True, 1)

        >>> s.apply_actions([0, 19, 0])
        Traceback (most recent call last):
        ...
        sarai.IllegalActionError: row 1: action 19 is not legal here; the legal ones are ...
    """

    __slots__ = ("__weakref__", "_rows")
    __hash__ = None  # type: ignore[assignment]  # rows can change

    _rows: _core.States

    def __init__(
        self,
        game: str | Game,
        n: int,
    ) -> None:
        game = as_game(game)
        self._rows = _core.States(game, arguments.whole("n", n))

    @staticmethod
    def of_rows(rows: _core.States) -> States:
        """Wrap what the compiled module made."""
        states = object.__new__(States)
        states._rows = rows
        return states

    @staticmethod
    def from_states(states: Iterable[State]) -> States:
        """Make a batch of copies of these states, which must all be of the same game with the same rules.

        Raises:
            ValueError: There are no states, or one is of another game or has other rules; the message names the first.
            TypeError: One is not a `sarai.State`.

        >>> import sarai
        >>> sarai.States.from_states([sarai.make("sho").new_initial_state()] * 2)
        <States of sarai.make('sho'): 2 rows>
        >>> sarai.States.from_states([sarai.make(game).new_initial_state() for game in ("sho", "shah")])
        Traceback (most recent call last):
        ...
        ValueError: state 1 belongs to sarai.make('shah'), but the first belongs to sarai.make('sho')
        """
        if isinstance(states, State) or not isinstance(states, Iterable):
            raise TypeError(f"states must be a list of states, not {type(states).__name__}")
        # One more than there may be is enough to be refused, and an endless iterator ends.
        given = list(islice(states, _core.MAX_GAMES + 1))
        if len(given) > _core.MAX_GAMES:
            raise ValueError(f"there are more than {_core.MAX_GAMES:,} states")
        for place, state in enumerate(given):
            if not isinstance(state, State):
                raise TypeError(f"state {place} must be a sarai.State, not {type(state).__name__}")
        if not given:
            raise ValueError("there are no states; for an empty batch, use sarai.States(game, 0)")
        return States.of_rows(_core.States.of(given[0].get_game(), given))

    @staticmethod
    def concatenate(parts: Iterable[States]) -> States:
        """Make a batch of the rows of all parts, in order.

        Raises:
            ValueError: There are no parts, or one is of another game or has other rules.
            TypeError: A part is not a `sarai.States`.

        >>> import sarai
        >>> len(sarai.States.concatenate([sarai.States("sho", 2), sarai.States("sho", 3)]))
        5
        >>> sarai.States.concatenate([])
        Traceback (most recent call last):
        ...
        ValueError: there is nothing to join: give at least one batch of states
        """
        if isinstance(parts, States) or not isinstance(parts, Iterable):
            raise TypeError(f"parts must be a list of States, not {type(parts).__name__}")
        given = list(parts)
        for place, part in enumerate(given):
            if not isinstance(part, States):
                raise TypeError(f"part {place} must be a sarai.States, not {type(part).__name__}")
        if not given:
            raise ValueError("there is nothing to join: give at least one batch of states")
        return States.of_rows(_core.States.joined(given[0].game, [part._rows for part in given]))

    @property
    def game(self) -> Game:
        """The game with its rules."""
        return self._rows.game

    def current_player(self) -> NDArray[np.int8]:
        """(N,) int8: the seat to act, `sarai.CHANCE` (-1) where chance is due, `sarai.TERMINAL` (-4) at the end."""
        return self._rows.current_player()

    def is_terminal(self) -> NDArray[np.bool_]:
        """(N,) bool: whether the game is over."""
        return np.equal(self.current_player(), _core.TERMINAL)

    def is_chance_node(self) -> NDArray[np.bool_]:
        """(N,) bool: whether an outcome of chance is due."""
        return np.equal(self.current_player(), _core.CHANCE)

    @property
    def turn(self) -> NDArray[np.int8]:
        """(N,) int8: the seat whose turn it is, about to throw or to act.

        It is -1 where it is nobody's: the game is over, or chance has yet to decide who begins. `current_player` is
        `sarai.CHANCE` before a throw, whoever throws.

        >>> import sarai
        >>> s = sarai.States("shuanglu", 1)
        >>> s.sample_chance(seed=3)
        >>> ends = s.afterstates().states  # the other player throws next
        >>> set(ends.current_player().tolist()), set(ends.turn.tolist()) == {1 - s.turn[0]}
        ({-1}, True)
        """
        return self._rows.turn

    def turns_passed(self) -> NDArray[np.int32]:
        """(N,) int32: how many turns have passed since the start of the game."""
        return self._rows.turns_passed()

    @property
    def winner(self) -> NDArray[np.int8]:
        """(N,) int8: the side that has won, -1 if the game is drawn or not over."""
        return self._rows.winner()

    def returns(self) -> NDArray[np.float32]:
        """(N, P) float32: the final score of each seat; zeros where the game is not over."""
        cells = np.empty((len(self), self.game.num_players), np.float32)
        self._rows.returns(cells)
        return cells

    def key(self) -> list[bytes]:
        """The `State.key` of each row."""
        head = f"{self.game}\n".encode()
        return [head + line.encode() for line in self._rows.text().splitlines()]

    def __len__(self) -> int:
        """N, the number of rows."""
        return len(self._rows)

    # Arrays have __index__ too, so that what selects several comes first.
    @overload
    def __getitem__(self, rows: Rows) -> States: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, rows: SupportsIndex) -> State: ...
    def __getitem__(self, rows: SupportsIndex | Rows) -> State | States:
        """A copy of one row as a `State`, or of several as `States`."""
        count = len(self)
        if isinstance(rows, slice):
            return self._take(np.arange(*rows.indices(count), dtype=np.int64))
        if isinstance(rows, (bool, np.bool_)):
            raise TypeError(f"{_SELECTED} bool")
        if isinstance(rows, SupportsIndex) and not (isinstance(rows, np.ndarray) and rows.ndim):
            return self._rows.state(arguments.place("row", rows, count))
        chosen = arguments.unmasked("rows", rows)
        if chosen.size == 0 and chosen.dtype.kind == "f":
            chosen = chosen.astype(np.int64)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iub":
            kind = "a nested list" if chosen.ndim > 1 else str(chosen.dtype)
            raise TypeError(f"{_SELECTED} {kind}")
        # numpy would take them for 0 and 1 beside integers.
        listed = isinstance(rows, (list, tuple))
        if listed and chosen.dtype.kind != "b" and {bool, np.bool_} & {*map(type, rows)}:
            raise TypeError(f"{_SELECTED} numbers and bools at once")
        if chosen.dtype.kind == "b":
            if len(chosen) != count:
                raise IndexError(
                    f"one bool per row selects rows; {len(chosen)} were given for {count:,} rows"
                )
            return self._take(np.flatnonzero(chosen))
        outside = (chosen < -count) | (chosen >= count)
        if outside.any():
            raise IndexError(f"there is no row {chosen[outside][0]}; this batch has {count:,} rows")
        return self._take(np.where(chosen < 0, chosen.astype(np.int64) + count, chosen))

    def _take(self, rows: NDArray[Any]) -> States:
        return States.of_rows(self._rows.take(rows.astype(np.int64)))

    def __iter__(self) -> Iterator[State]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return self._rows.same(other._rows) if isinstance(other, States) else NotImplemented

    def __repr__(self) -> str:
        return f"<States of {self.game!r}: {counted(len(self), 'row')}>"

    def copy(self) -> States:
        """An independent copy."""
        return States.of_rows(self._rows.copy())

    def __copy__(self) -> States:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> States:
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[Game, str]]:
        return _read, (self.game, self._rows.text())

    def observation_tensor(
        self,
        viewer: int | Literal["turn"] | ArrayLike | None = None,
        out: NDArray[Any] | None = None,
        *,
        dtype: Literal["int8", "float32"] = "int8",
        num_threads: int | None = None,
    ) -> NDArray[Any]:
        """The observation of a player in each row, as `State.observation_tensor` returns it.

        Args:
            viewer: None for the player to act, seat 0 where nobody acts, as before a throw; "turn" for the player whose
                turn it is (`turn`), also before a throw, seat 0 where it is nobody's; one seat for all rows; or an
                array with a seat per row.
            out: An array to write to and return, of this dtype and shape, contiguous; None makes a new one.
            dtype: "int8", or "float32", with each cell divided by its largest possible magnitude
                (`Game.observation_spec`; -1 to 1).
            num_threads: The number of threads; None uses all processors.

        Returns:
            (N, L) of the dtype.

        Raises:
            ValueError: A seat is out of range, or `out` has another shape or dtype, or cannot be written.
            TypeError: An argument has the wrong type.

        >>> import sarai
        >>> s = sarai.States("sho", 2)
        >>> s.observation_tensor(viewer=[0, 2]).shape, bool(s.observation_tensor(dtype="float32").max() <= 1)
        ((2, 287), True)

        Afterstates are before the throw of the next player, and `viewer="turn"` is that player's view:

        >>> s.sample_chance(seed=1)
        >>> ends = s.afterstates().states
        >>> own = next(part["slice"] for part in s.game.observation_spec if part["name"] == "to_act").start
        >>> bool((ends.observation_tensor(viewer="turn")[ends.turn >= 0, own] == 1).all())
        True
        >>> s.observation_tensor(viewer=3)
        Traceback (most recent call last):
        ...
        ValueError: viewer got 3; it takes 0 to 2
        """
        if dtype not in ("int8", "float32"):
            raise ValueError(f"dtype must be 'int8' or 'float32', not {arguments.short(dtype)}")
        cells = _cells(out, (len(self), *self.game.observation_shape), dtype)
        self._rows.observations(viewer, cells, num_threads)
        return cells

    def legal_actions_mask(
        self, out: NDArray[np.int8] | None = None, *, num_threads: int | None = None
    ) -> NDArray[np.int8]:
        """(N, A) int8: 1 for each legal action; zeros where no player acts.

        Args:
            out: An array to write to and return, int8 (N, A), contiguous; None makes a new one.
            num_threads: The number of threads; None uses all processors.

        Raises:
            ValueError: `out` has another shape or dtype, or cannot be written.
            TypeError: `out` is not an array.
        """
        cells = _cells(out, (len(self), self.game.num_actions), "int8")
        self._rows.legal_actions_mask(cells, num_threads)
        return cells

    def expected_returns(
        self, agent: str = "expectimax:1", *, num_threads: int | None = None
    ) -> NDArray[np.float64]:
        """(N, players) float64: what each player may expect in each row, by an agent's evaluation.

        At a chance node it is the mean over the outcomes, weighted by their probabilities, so it also values positions
        before a throw; where the game is over it is the returns.

        Args:
            agent: "expectimax:N" with or without `evaluator=net:FILE`, or a network's "net:FILE" (docs/agents.md).
            num_threads: The number of threads; None uses all processors.

        Raises:
            ValueError: The agent is unknown, cannot play this game, or does not evaluate positions before a throw.
            TypeError: The agent is not one that plays inside the engine.
            KeyboardInterrupt: Ctrl-C.

        The value of each opening throw of backgammon, for the player who has thrown it:

        >>> import sarai
        >>> start = sarai.States("shuanglu(preset=backgammon)", 1)
        >>> throws = start.chance_successors()
        >>> values = throws.states.expected_returns("expectimax:1")
        >>> mean = throws.probability @ values
        >>> bool(abs(mean - start.expected_returns()[0]).max() < 1e-12)
        True
        """
        cells = np.empty((len(self), self.game.num_players))
        self._rows.expected_returns(agent, cells, num_threads)
        return cells

    def apply_actions(self, actions: ArrayLike, *, num_threads: int | None = None) -> None:
        """Play one action in each row where it is a player's turn, in place.

        Args:
            actions: (N,) integers. The entries of rows where no player acts are ignored.
            num_threads: The number of threads; None uses all processors.

        Raises:
            IllegalActionError: An action is not legal; the message names the first such row. Nothing has changed.
            ValueError: There is not one action per row.
            TypeError: The actions are not integers.
        """
        self._rows.apply_actions(actions, num_threads)

    def apply_outcomes(self, outcomes: ArrayLike, *, num_threads: int | None = None) -> None:
        """Play one outcome in each row where chance is due, in place.

        Args:
            outcomes: (N,) integers. The entries of the other rows are ignored.
            num_threads: The number of threads; None uses all processors.

        Raises:
            IllegalActionError: A row has no such outcome; the message names the first such row. Nothing has changed.
            ValueError: There is not one outcome per row.
            TypeError: The outcomes are not integers.
        """
        self._rows.apply_outcomes(outcomes, num_threads)

    def sample_chance(
        self, seed: int | None = None, first_row: int = 0, *, num_threads: int | None = None
    ) -> None:
        """Draw outcomes, in place, until in every row it is a player's turn or the game is over.

        Row i uses the dice of game `first_row + i` of the seed, so the result does not depend on how a batch is split.

        Args:
            seed: 0 to 2**64 - 1; None draws one.
            first_row: The number of row 0, 0 to 2**64 - 1 - N.
            num_threads: The number of threads; None uses all processors.

        Raises:
            ValueError: A number is out of range.
            TypeError: An argument has the wrong type.

        >>> import sarai
        >>> s = sarai.States("shuanglu", 4)
        >>> s.sample_chance(seed=7)
        >>> s.is_chance_node()
        array([False, False, False, False])
        """
        self._rows.sample_chance(arguments.seed(seed), arguments.whole("first_row", first_row), num_threads)

    def successors(self, max_rows: int = MAX_ROWS, *, num_threads: int | None = None) -> Successors[States]:
        """The state after each legal action of each row, in the order of rows and action ids.

        Args:
            max_rows: The most rows that the expansion may have, 0 to 100,000,000.
            num_threads: The number of threads; None uses all processors.

        Raises:
            ValueError: There would be more rows; the message says how many rows of this batch fit.

        >>> import sarai
        >>> e = sarai.States("shah", 2).successors()
        >>> len(e.states), int(e.parent[-1]), int(e.action[-1]), e.offsets
        (48, 1, 23, array([ 0, 24, 48]))
        >>> sarai.States("shah", 2).successors(max_rows=30)
        Traceback (most recent call last):
        ...
        ValueError: these 2 states have more than max_rows=30 successors; those of the first 1 rows fit: ...
        """
        return Successors(**self._expand("actions", max_rows, num_threads))

    def afterstates(self, max_rows: int = MAX_ROWS, *, num_threads: int | None = None) -> Afterstates[States]:
        """The distinct positions in which the turn of the player to act can end, for each row.

        A turn ends where chance is due, it is another seat's turn, or the game is over. Positions are distinct if they
        differ in more than their clocks (turns passed, and moves counted towards a draw). The afterstates of a row are
        in the order of the actions that lead to them, fewer actions first, then smaller ids. Rows where no player acts
        have none.

        Args:
            max_rows: The most rows that the expansion may have, 0 to 100,000,000.
            num_threads: The number of threads; None uses all processors.

        Raises:
            ValueError: There would be more rows; the message says how many rows of this batch fit.

        >>> import sarai
        >>> s = sarai.States("shuanglu", 1)
        >>> s.sample_chance(seed=3)
        >>> e = s.afterstates()
        >>> state = s[0]
        >>> for action in e.actions_to(0):
        ...     state.apply_action(action)
        >>> state == e.states[0]
        True
        """
        return Afterstates(**self._expand("turns", max_rows, num_threads))

    def chance_successors(
        self, max_rows: int = MAX_ROWS, *, num_threads: int | None = None
    ) -> ChanceSuccessors[States]:
        """The state after each outcome of each row where chance is due, in the order of rows and outcomes.

        Args:
            max_rows: The most rows that the expansion may have, 0 to 100,000,000.
            num_threads: The number of threads; None uses all processors.

        Raises:
            ValueError: There would be more rows; the message says how many rows of this batch fit.

        >>> import sarai
        >>> e = sarai.States("sho", 1).chance_successors()
        >>> len(e.states), float(e.probability.sum().round(9))
        (21, 1.0)
        """
        return ChanceSuccessors(**self._expand("outcomes", max_rows, num_threads))

    def _expand(self, way: str, max_rows: int, num_threads: int | None) -> dict[str, Any]:
        found = self._rows.expand(way, arguments.whole("max_rows", max_rows), num_threads)
        return {**found, "states": States.of_rows(found["states"])}

    if TYPE_CHECKING:
        # `sarai.results`, which stands on this module, defines it.
        def rollout(
            self,
            agents: Agents = "random",
            num_games: int = 1,
            *,
            seed: int | None = None,
            num_threads: int | None = None,
            progress: ProgressOption = False,
            first_row: int = 0,
        ) -> StatesRollout: ...


def checked_states(states: object) -> States:
    """A batch of states, or a TypeError."""
    if not isinstance(states, States):
        raise TypeError(f"states must be sarai.States, not {type(states).__name__}")
    return states


def _read(game: Game, text: str) -> States:
    """What `States.__reduce__` wrote."""
    return States.of_rows(_core.States.parse(game, text))


def _cells(out: NDArray[Any] | None, shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    """The array to write to: the one that was given, if it fits."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
    if out.dtype != np.dtype(dtype) or out.shape != shape:
        raise ValueError(f"out must be {dtype} of shape {shape}, not {out.dtype} of shape {out.shape}")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise ValueError("out must be contiguous (C order) and writeable")
    return out


def _afterstates(self: State, max_rows: int = MAX_ROWS) -> Afterstates[States]:
    """The distinct positions in which the turn of the player to act can end; see `sarai.States.afterstates`."""
    return States.from_states([self]).afterstates(max_rows, num_threads=1)


State.afterstates = _afterstates  # type: ignore[method-assign]
# Rows that the engine hands to an agent become what users know.
_core.States.face = property(States.of_rows)  # type: ignore[method-assign,assignment]
