"""A complete or unfinished game that replays exactly: the model, which is independent of any format."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sarai import _core
from sarai._base import arguments
from sarai._base.arguments import counted, short
from sarai._core import CHANCE, Game, IllegalActionError, State
from sarai._game import game_and_start
from sarai._playout import Run
from sarai.agents import Agents

if TYPE_CHECKING:
    # In `typing` from Python 3.11 on.
    from typing_extensions import Self

MAX_STEPS = 1_000_000
"""The most steps of a record."""

_MAX_LABEL = 1000


class Step(NamedTuple):
    """One step of a game.

    Attributes:
        player: The player who acted; `sarai.CHANCE` for a chance outcome.
        id: The action or the outcome, as `State.apply_action` takes it.
        name: Its name, as given by `State.action_to_string` or `State.outcome_to_string`.
    """

    player: int
    id: int
    name: str


@dataclass(frozen=True, eq=False, repr=False, init=False)
class RecordedGame:
    """The model that `sarai.Record` is made of, which knows no format and no picture.

    Attributes:
        game: The game, with its rules.
        steps: Every step in order.
        seed: The seed of the rollout that the game comes from, if any.
        number: The number of the game in that rollout.
        agents: One label per seat, if known.
        returns: The final score of each seat; None while the game is unfinished.
        winner: The side that won, -1 for a draw; None while the game is unfinished.
    """

    game: Game
    steps: tuple[Step, ...]
    seed: int | None
    number: int | None
    agents: tuple[str, ...] | None
    returns: tuple[float, ...] | None
    winner: int | None
    _start: State | None
    _final: State

    def __init__(self) -> None:
        raise TypeError(
            "a Record is made by Record.from_steps, Record.play, Record.load, or rollout(keep=...)"
        )

    @classmethod
    def from_steps(
        cls,
        game: str | Game | State,
        steps: Iterable[int],
        *,
        seed: int | None = None,
        number: int | None = None,
        agents: Sequence[str] | None = None,
    ) -> Self:
        """Replay steps from the beginning of a game, or from a state.

        Args:
            game: A game made by `sarai.make`, a name, or the state in which the record begins.
            steps: Chance outcomes and actions in order, as `State.apply_action` takes them; at most 1,000,000.
            seed: The seed that the game comes from, 0 to 2**64 - 1; it is stored but not used.
            number: The number of the game, which is also only stored.
            agents: One label per seat.

        Raises:
            IllegalActionError: A step is not legal; the message begins with its number, counted from 0.
            ValueError: There are too many steps, a seed or number is out of range, there is not one label per seat, or
                the game does not have these rules.
            TypeError: A value has the wrong type.
        """
        game, start = game_and_start(game)
        return cls._replayed(game, start, steps, seed, number, agents)

    @classmethod
    def _replayed(
        cls,
        game: Game,
        start: State | None,
        steps: Iterable[int],
        seed: int | None,
        number: int | None,
        agents: Sequence[str] | None,
    ) -> Self:
        """What `from_steps` does."""
        labels = _labels(agents, game.num_players)
        seed = None if seed is None else arguments.from_zero("seed", seed)
        number = None if number is None else arguments.from_zero("number", number)
        if isinstance(steps, (str, bytes)) or not isinstance(steps, Iterable):
            raise TypeError(f"steps must be a list of whole numbers, not {type(steps).__name__}")
        state = game.new_initial_state() if start is None else start.clone()
        taken: list[Step] = []
        # One more than is allowed is enough to be refused, and an endless iterator ends.
        for index, step in enumerate(itertools.islice(steps, MAX_STEPS + 1)):
            if index == MAX_STEPS:
                raise ValueError(f"a record holds at most {MAX_STEPS:,} steps, and there are more here")
            taken.append(_take(state, index, step))
        return cls.made(game, start, tuple(taken), state, seed, number, labels)

    @classmethod
    def made(
        cls,
        game: Game,
        start: State | None,
        steps: tuple[Step, ...],
        final: State,
        seed: int | None,
        number: int | None,
        agents: Sequence[str] | None,
    ) -> Self:
        """A record of steps that were taken by the rules."""
        over = final.is_terminal()
        record = object.__new__(cls)
        values = {
            "game": game,
            "steps": steps,
            "seed": seed,
            "number": number,
            "agents": None if agents is None else tuple(agents),
            "returns": tuple(final.returns()) if over else None,
            "winner": final.winner if over else None,
            "_start": start,
            "_final": final,
        }
        for name, value in values.items():
            object.__setattr__(record, name, value)
        return record

    @classmethod
    def play(
        cls,
        game: str | Game | State,
        agents: Agents = "random",
        *,
        seed: int | None = None,
        number: int = 0,
    ) -> Self:
        """Play one game to its end: the same game as game `number` of a rollout with these arguments.

        Args:
            game: A game's name, a game made by `sarai.make`, or the state in which the game starts.
            agents: As `sarai.rollout` takes them.
            seed: 0 to 2**64 - 1; None draws one from the operating system, and the record stores it.
            number: The number of the game among all games of the seed.

        Raises:
            ValueError: As for `sarai.rollout`.
            TypeError: As for `sarai.rollout`.
            IllegalActionError: A policy chose an action that is not legal.

        Examples:
            >>> import sarai
            >>> record = sarai.Record.play("sho", "greedy", seed=3)
            >>> record.returns == tuple(sarai.rollout("sho", "greedy", 1, seed=3).returns[0])
            True
            >>> sarai.Record.play("sho", number=-1)
            Traceback (most recent call last):
            ...
            ValueError: number got -1; it takes 0 to 18446744073709551614
        """
        # No game can be kept that has the very last number: the engine counts to the one after it.
        place = arguments.from_zero("number", number, arguments.MAX_NUMBER - 1)
        run = Run.of(game, agents, 1, seed, first=place, num_threads=1)
        columns, _ = run.ask(_core.rollout, keep={0})
        start = None if run.start is None else run.game.parse(str(run.start_text))
        return cls._replayed(run.game, start, columns["paths"][0].tolist(), run.seed, place, run.labels)

    @property
    def rules(self) -> dict[str, Any]:
        """Every option of the game."""
        return self.game.rules

    @property
    def start(self) -> State | None:
        """The state in which the record begins, a new copy each time; None for the usual start of a game."""
        return None if self._start is None else self._start.clone()

    @property
    def initial_state(self) -> State:
        """The state in which the record begins, a new copy each time."""
        return self.start or self.game.new_initial_state()

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
        """The position after the last step; a new copy each time."""
        return self._final.clone()

    def states(self) -> list[State]:
        """Every position, beginning with the start: one more than there are steps.

        >>> import sarai
        >>> record = sarai.Record.from_steps("shah", [4, 19])
        >>> len(record.states()), record.states()[-1] == record.final_state
        (3, True)
        """
        state = self.initial_state
        states = [state.clone()]
        for step in self.steps:
            state.apply_action(step.id)
            states.append(state.clone())
        return states

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
        return f"Record({str(self.game)!r}, {counted(len(self), 'step')}, {state}{origin})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordedGame):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        ids = [step.id for step in self.steps]
        begin = self._start or self.game
        return _rebuilt, (type(self), begin, ids, self.seed, self.number, self.agents)

    def _identity(self) -> tuple[Any, ...]:
        """All that the rest follows from."""
        return self.game, self._start and self._start.key(), self.steps, self.seed, self.number, self.agents


def _rebuilt(
    kind: type[RecordedGame],
    game: Game | State,
    ids: list[int],
    seed: int | None,
    number: int | None,
    agents: tuple[str, ...] | None,
) -> RecordedGame:
    return kind.from_steps(game, ids, seed=seed, number=number, agents=agents)


def _take(state: State, index: int, step: int) -> Step:
    """Take a step in the state."""
    number = arguments.whole(f"step {index}", step)
    player = state.current_player()
    try:
        if state.is_terminal():
            raise IllegalActionError("the game is over, so no step can follow")
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
        raise TypeError(
            f"agents must be a list with one label per seat, or None, not {type(agents).__name__}"
        )
    if len(agents) != num_players:
        raise ValueError(
            f"agents has {counted(len(agents), 'label')}; this game has {num_players} seats, one label each"
        )
    for agent in agents:
        if not isinstance(agent, str):
            raise TypeError(f"an agent's label must be text, not {type(agent).__name__}")
        if len(agent) > _MAX_LABEL:
            raise ValueError(f"an agent's label has {len(agent):,} characters; it takes up to {_MAX_LABEL:,}")
        try:
            agent.encode()
        except UnicodeEncodeError:
            raise ValueError(
                f"an agent's label has half of a surrogate pair, which no file takes: {short(agent)}"
            ) from None
    return tuple(str(agent) for agent in agents)
