"""A whole game, or the beginning of one, that replays exactly."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sarai import arguments
from sarai._core import CHANCE, Game, IllegalActionError, State
from sarai.play import Agents, as_game, one_agent_a_seat, play
from sarai.render.svg import Svg
from sarai.results import npz

MAX_STEPS = 1_000_000
"""The most steps of a record."""

MAX_BYTES = 64 * 2**20
"""The largest text or file that is read."""

_MAX_LABEL = 1000
_PIECE = 2**20
"""Bytes that are read of a file at a time."""


class Step(NamedTuple):
    """One step of a game.

    Attributes:
        player: Who acted; `sarai.CHANCE` for a chance outcome.
        id: The action or the outcome, as `State.apply_action` takes it.
        name: What `State.action_to_string` or `State.outcome_to_string` calls it.
    """

    player: int
    id: int
    name: str


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Record:
    """A game with every chance outcome and action in order. It is made by `from_steps`, `play`, or from a file.

    Whatever it is made from is replayed by the rules, so a record holds only what can happen. Step i, counted from
    0, leads from `states()[i]` to `states()[i + 1]`. A record never changes; two are equal when they say the same.

    Attributes:
        game: The game's name.
        steps: Every step in order.
        seed: The seed of the rollout that the game comes from, where it comes from one.
        number: The number of the game in that rollout.
        agents: One label a seat, where they are known.
        returns: The final score of each seat; None while the game is unfinished.
        winner: The side that won, -1 for a draw; None while the game is unfinished.

    Examples:
        >>> import sarai
        >>> record = sarai.Record.from_steps(sarai.make("shah"), [4, 19, 2])
        >>> record
        Record('shah', 3 steps, unfinished)
        >>> record.names
        ['d6', 'd2', 'g7']
        >>> sarai.Record.from_json(record.to_json()) == record
        True

        >>> sarai.Record.from_steps(sarai.make("shah"), [4, 19, 4])
        Traceback (most recent call last):
        ...
        sarai.IllegalActionError: step 2: action 4 is not legal here; legal are ...
    """

    game: str
    steps: tuple[Step, ...]
    seed: int | None
    number: int | None
    agents: tuple[str, ...] | None
    returns: tuple[float, ...] | None
    winner: int | None
    _game: Game
    _final: State

    def __init__(self) -> None:
        raise TypeError(
            "a Record is made by Record.from_steps, Record.play, Record.load, or rollout(keep=...)"
        )

    @classmethod
    def from_steps(
        cls,
        game: str | Game,
        steps: Iterable[int],
        *,
        seed: int | None = None,
        number: int | None = None,
        agents: Sequence[str] | None = None,
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        **options: Any,
    ) -> Record:
        """Replay steps from the beginning of a game.

        Args:
            game: A game made by `sarai.make`, or a name.
            steps: Chance outcomes and actions in order, as `State.apply_action` takes them; at most 1,000,000.
            seed: Where the game comes from, 0 to 2**64 - 1; it is kept, not used.
            number: Likewise.
            agents: One label a seat.
            rules: Options of the game by name, on top of the preset; only with a game's name.
            preset: A named set of options; only with a game's name.
            **options: Options of the game as keywords, on top of `rules`; only with a game's name.

        Raises:
            IllegalActionError: A step is not legal; the sentence begins with its number, counted from 0.
            ValueError: Too many steps, a seed or number out of range, not one label a seat, or rules that the game does
                not have.
            TypeError: A value is of a wrong type.
        """
        game = as_game(game, rules, preset, options, Record.from_steps)
        return cls._replayed(game, steps, seed, number, agents)

    @classmethod
    def _replayed(
        cls,
        game: Game,
        steps: Iterable[int],
        seed: int | None,
        number: int | None,
        agents: Sequence[str] | None,
        check: Callable[[int, Step], None] | None = None,
    ) -> Record:
        """What `from_steps` does; `check` sees every step with its number before the next one is taken."""
        labels = _labels(agents, game.num_players)
        seed = None if seed is None else arguments.from_zero("seed", seed)
        number = None if number is None else arguments.from_zero("number", number)
        if isinstance(steps, (str, bytes)) or not isinstance(steps, Iterable):
            raise TypeError(f"steps must be a list of whole numbers, not {type(steps).__name__}")
        state = game.new_initial_state()
        taken: list[Step] = []
        # One more than is allowed is enough to be refused, and an endless iterator ends.
        for index, step in enumerate(itertools.islice(steps, MAX_STEPS + 1)):
            if index == MAX_STEPS:
                raise ValueError(f"a record holds at most {MAX_STEPS:,} steps, and here are more")
            taken.append(_take(state, index, step))
            if check is not None:
                check(index, taken[-1])
        over = state.is_terminal()
        record = object.__new__(cls)
        values = {
            "game": game.name,
            "steps": tuple(taken),
            "seed": seed,
            "number": number,
            "agents": labels,
            "returns": tuple(state.returns()) if over else None,
            "winner": state.winner if over else None,
            "_game": game,
            "_final": state,
        }
        for name, value in values.items():
            object.__setattr__(record, name, value)
        return record

    @staticmethod
    def play(
        game: str | Game,
        agents: Agents = "random",
        *,
        seed: int | None = 0,
        number: int = 0,
        rules: Mapping[str, Any] | None = None,
        preset: str | None = None,
        **options: Any,
    ) -> Record:
        """Play one game to its end: game `number` of the rollout with the same arguments.

        Args:
            game: A game's name, or a game made by `sarai.make`.
            agents: As `sarai.rollout` takes them.
            seed: 0 to 2**64 - 1; None draws one from the system, which the record tells.
            number: The number of the game among all games of the seed.
            rules: Options of the game by name, on top of the preset; only with a game's name.
            preset: A named set of options; only with a game's name.
            **options: Options of the game as keywords, on top of `rules`; only with a game's name.

        Raises:
            ValueError: As `sarai.rollout`.
            TypeError: As `sarai.rollout`.
            IllegalActionError: A policy chose an action that is not legal.

        Examples:
            >>> import sarai
            >>> record = sarai.Record.play("sho", "greedy", seed=3)
            >>> record.returns == tuple(sarai.rollout("sho", 1, "greedy", seed=3).returns[0])
            True
            >>> sarai.Record.play("sho", number=-1)
            Traceback (most recent call last):
            ...
            ValueError: number got -1; it takes 0 to 18446744073709551614
        """
        game = as_game(game, rules, preset, options, Record.play)
        # No game can be kept that has the very last number: the engine counts to the one after it.
        place = arguments.from_zero("number", number, arguments.MAX_NUMBER - 1)
        seats = one_agent_a_seat(agents, game.num_players)
        played = play(
            game,
            1,
            seats,
            seed=seed,
            first_game=place,
            max_decisions=MAX_STEPS,  # bounds what is recorded, and nothing is
            num_threads=1,
            keep=[0],
        )
        steps = played.columns["paths"][0].tolist()
        return Record.from_steps(game, steps, seed=played.seed, number=place, agents=played.agents)

    @property
    def rules(self) -> dict[str, Any]:
        """Every option of the game."""
        return self._game.rules

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.returns is not None

    @property
    def names(self) -> list[str]:
        """The texts of the steps."""
        return [step.name for step in self.steps]

    @property
    def final_state(self) -> State:
        """The position after the last step; a copy of its own each time."""
        return self._final.clone()

    def get_game(self) -> Game:
        """The game with its rules."""
        return self._game

    def states(self) -> list[State]:
        """Every position from the start on: one more than there are steps.

        >>> import sarai
        >>> record = sarai.Record.from_steps("shah", [4, 19])
        >>> len(record.states()), record.states()[-1] == record.final_state
        (3, True)
        """
        state = self._game.new_initial_state()
        states = [state.clone()]
        for step in self.steps:
            state.apply_action(step.id)
            states.append(state.clone())
        return states

    def animate(self, *, by_turn: bool = False, **options: Any) -> Svg:
        """The whole game as one animated SVG, which a browser or a notebook plays; the last move is marked.

        Args:
            by_turn: One picture for each turn, before its first step, rather than one for each step.
            **options: What `sarai.render.animation.animate` takes, such as `seconds_per_frame`, `theme`, `repeat` and
                `size`.

        Raises:
            ValueError: There are more than 5,000 pictures, or an option is out of range.
            TypeError: There is no such option.

        >>> import sarai
        >>> record = sarai.Record.from_steps("shah", [4, 19, 2])
        >>> record.animate(seconds_per_frame=0.5).count("<svg")
        1
        >>> record.animate(seconds_per_frame=0)
        Traceback (most recent call last):
        ...
        ValueError: seconds_per_frame must be a number from 0.02 to 60, got 0
        """
        from sarai import record_svg

        return record_svg.animate(self, by_turn, **options)

    def to_json(self) -> str:
        """The record as JSON text in one line, as docs/records.md describes it."""
        from sarai import record_json

        return record_json.write(self)

    @staticmethod
    def from_json(text: str) -> Record:
        """Read what `to_json` wrote.

        Raises:
            ValueError: The text is no record, or one that the rules contradict: the step is named.

        >>> Record.from_json('{"format": "sarai.record", "version": 2}')
        Traceback (most recent call last):
        ...
        ValueError: the record has format version 2, this Sarai reads 1: read it with the Sarai that wrote it
        """
        from sarai import record_json

        return record_json.read(text)

    def to_text(self) -> str:
        """The record as text for people, which `from_text` reads back.

        >>> import sarai
        >>> print(sarai.Record.from_steps("sho", [4, 0, 8]).to_text())
        sarai record 1
        game: sho
        result: unfinished
        <BLANKLINE>
        1. [1-5] 0: hand/6
        2. [2-4]
        <BLANKLINE>
        """
        from sarai import record_text

        return record_text.write(self)

    @staticmethod
    def from_text(text: str) -> Record:
        r"""Read what `to_text` wrote, or somebody by hand.

        Raises:
            ValueError: The text is no record; the line, and the step where it is one, are named.

        >>> Record.from_text("sarai record 1\ngame: shah\nresult: unfinished\n\n1. 0: d6\n2. 1: d6\n")
        Traceback (most recent call last):
        ...
        ValueError: line 6, step 1: 'd6' names no legal action; legal are ...
        """
        from sarai import record_text

        return record_text.read(text)

    def save(self, path: npz.StrPath) -> None:
        """Write to exactly this path, whole or not at all: as text if it ends in ".txt", else as JSON.

        Raises:
            OSError: The file cannot be written; what stood there before still does.
            TypeError: The path is neither a str nor a path object.
        """
        path = arguments.path(path)
        text = self.to_text() if Path(path).suffix.lower() == ".txt" else self.to_json() + "\n"
        npz.replace(path, lambda file: file.write(text.encode()))

    @staticmethod
    def load(path: npz.StrPath) -> Record:
        """Read a file that `save` wrote, in either form, whatever its name.

        Raises:
            OSError: The file cannot be read; a FileNotFoundError, if there is none.
            TypeError: The path is neither a str nor a path object.
            ValueError: It is larger than 64 MiB, or holds no proper record.

        >>> Record.load("no_such_record.json")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such file or directory: 'no_such_record.json'
        """
        path = arguments.path(path)
        with open(path, "rb") as file:
            try:
                return Record._read(file)
            except ValueError as error:
                # An IllegalActionError stays one.
                raise type(error)(f"{path!r} is no proper record: {error}") from error

    @staticmethod
    def _read(file: BinaryIO) -> Record:
        """What `save` wrote."""
        # Piece by piece: at once, room would be made for the largest file.
        pieces = itertools.islice(iter(lambda: file.read(_PIECE), b""), MAX_BYTES // _PIECE + 1)
        data = b"".join(pieces)
        if len(data) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
        if data.startswith(b"PK"):
            raise ValueError("it is an archive of arrays, which sarai.load reads")
        try:
            # Some editors begin a file with a mark of its byte order.
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"it is not UTF-8 text ({error.reason} at byte {error.start})") from None
        return Record.from_json(text) if text.lstrip().startswith("{") else Record.from_text(text)

    def __len__(self) -> int:
        """The number of steps."""
        return len(self.steps)

    def __bool__(self) -> bool:
        """True, also before the first step."""
        return True

    def __repr__(self) -> str:
        state = "unfinished"
        if self.returns is not None:
            state = f"returns={self.returns}"
        origin = "".join(
            f", {name}={value!r}"
            for name, value in (("agents", self.agents), ("seed", self.seed), ("number", self.number))
            if value is not None
        )
        return f"Record({self.game!r}, {len(self)} steps, {state}{origin})"

    def _repr_svg_(self) -> str:
        """What notebooks show: a short game played from the start, of a long one the end; and what game it is."""
        from sarai import record_svg

        return record_svg.shown(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __copy__(self) -> Record:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Record:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        ids = [step.id for step in self.steps]
        return _rebuilt, (self._game, ids, self.seed, self.number, self.agents)

    def _identity(self) -> tuple[Any, ...]:
        """All that the rest follows from."""
        return self._game, self.steps, self.seed, self.number, self.agents


def _rebuilt(
    game: Game, ids: list[int], seed: int | None, number: int | None, agents: tuple[str, ...] | None
) -> Record:
    return Record.from_steps(game, ids, seed=seed, number=number, agents=agents)


def _take(state: State, index: int, step: int) -> Step:
    """Take a step in the state."""
    number = arguments.whole(f"step {index}", step)
    player = state.current_player()
    try:
        if state.is_terminal():
            raise IllegalActionError("the game is over, and nothing can follow")
        before = state.clone()
        state.apply_action(number)
    except (ValueError, OverflowError) as error:
        raise IllegalActionError(f"step {index}: {error}") from None
    name = before.outcome_to_string(number) if player == CHANCE else before.action_to_string(number)
    return Step(player, number, name)


def _labels(agents: Sequence[str] | None, num_players: int) -> tuple[str, ...] | None:
    if agents is None:
        return None
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise TypeError(f"agents must be a list with one label a seat, or None, not {type(agents).__name__}")
    if len(agents) != num_players:
        raise ValueError(
            f"agents has {len(agents)} labels; this game has {num_players} seats, one label each"
        )
    for agent in agents:
        if not isinstance(agent, str):
            raise TypeError(f"an agent's label is a text, not {type(agent).__name__}")
        if len(agent) > _MAX_LABEL:
            raise ValueError(f"an agent's label has {len(agent):,} characters; it takes up to {_MAX_LABEL:,}")
    return tuple(str(agent) for agent in agents)
