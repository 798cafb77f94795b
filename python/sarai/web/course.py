"""A game under way, without threads: its position, its steps, the way back, and the words for what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sarai._core import Game, State
from sarai.records.record import Record

PERSON = "person"
"""Who has a seat that a person plays."""

_IN_RECORDS = "human"
"""How records call a person, so that the terminal can go on with a game of a page."""

MOST_STEPS = 20_000
"""The most steps of a game on a board."""


class Step(NamedTuple):
    """A step that was taken: by whom (below 0 for chance), what, and in words."""

    player: int
    id: int
    name: str
    words: str


class Course:
    """A game and what was played.

    Attributes:
        game: The rules.
        seats: Who has each seat: `PERSON`, or an agent's name.
        seed: What dice and agents' choices come from.
        state: The position after all steps.
        steps: What was played.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: int,
        start: State | None = None,
        steps: Iterable[int] = (),
    ) -> None:
        """Begin, and take steps that were played before.

        Raises:
            ValueError: A step is not legal, or there are too many.
        """
        self.game = game
        self.seats = tuple(seats)
        self.seed = seed
        self.start = None if start is None else start.clone()
        self.state = self.at(0)
        self.steps: list[Step] = []
        for step in steps:
            self.take(step)

    def take(self, step: int) -> None:
        """Take a step: an action or an outcome of chance.

        Raises:
            ValueError: It is not legal, or there is no room for it; nothing has changed.
        """
        if len(self.steps) == MOST_STEPS:
            raise ValueError(f"a game on a board has at most {MOST_STEPS:,} steps: begin a new one")
        state = self.state
        player = state.current_player()
        before = state.clone()
        state.apply_action(step)
        if player >= 0:
            name = before.action_to_string(step)
            words = f"{self.who(player)} plays {name}"
        else:
            name = before.outcome_to_string(step)
            thrower = before.view()["state"].get("player")
            words = f"drawn: {name}" if thrower is None else f"{self.who(thrower)} throws {name}"
        self.steps.append(Step(player, step, name, words))

    def who(self, player: int) -> str:
        """How a player is called in words.

        >>> import sarai
        >>> Course(sarai.make("shah"), [PERSON, "greedy"], 1).who(1)
        'player 1 (greedy)'
        """
        seat = self.seats[player]
        return f"player {player}" if seat == PERSON else f"player {player} ({seat})"

    @property
    def is_persons(self) -> bool:
        """Whether a person is to choose."""
        player = self.state.current_player()
        return player >= 0 and self.seats[player] == PERSON

    def at(self, place: int) -> State:
        """The position after so many steps, as a copy."""
        state = self.game.new_initial_state() if self.start is None else self.start.clone()
        if place:
            for step in self.steps[:place]:
                state.apply_action(step.id)
        return state

    def last_choice(self, place: int) -> Step | None:
        """The latest of the first `place` steps that a player chose."""
        return next((step for step in reversed(self.steps[:place]) if step.player >= 0), None)

    def back_to(self, place: int) -> None:
        """Take back all but so many steps."""
        self.state = self.at(place)
        del self.steps[place:]

    def last_of_a_person(self) -> int | None:
        """Where the latest choice of a person stands among the steps."""
        for place in range(len(self.steps) - 1, -1, -1):
            player = self.steps[place].player
            if player >= 0 and self.seats[player] == PERSON:
                return place
        return None

    def record(self) -> Record:
        """The game so far."""
        agents = [_IN_RECORDS if seat == PERSON else seat for seat in self.seats]
        begin = self.game if self.start is None else self.start
        return Record.from_steps(begin, [step.id for step in self.steps], seed=self.seed, agents=agents)

    def result(self) -> str | None:
        """Who has won what; None while the game goes on.

        >>> import sarai
        >>> Course(sarai.make("shah"), [PERSON, "greedy"], 1).result() is None
        True
        """
        if not self.state.is_terminal():
            return None
        returns = self.state.returns()
        if not any(returns):
            return "The game is a draw."
        told = (
            f"{self.who(player)} {'wins' if value > 0 else 'loses'} {abs(value):g}"
            for player, value in enumerate(returns)
        )
        return f"The game is over: {', '.join(told)}."


def from_record(record: Record, seats: Sequence[str], seed: int) -> Course:
    """The game of a record, with these players.

    Raises:
        ValueError: It has too many steps.
    """
    if len(record) > MOST_STEPS:
        raise ValueError(f"the record has {len(record):,} steps; a board takes at most {MOST_STEPS:,}")
    return Course(record.get_game(), seats, seed, record.start, [step.id for step in record.steps])


def log(course: Course, most: int) -> list[dict[str, Any]]:
    """The latest steps in words, with how many steps there were after each."""
    first = max(0, len(course.steps) - most)
    return [
        {"at": place, "seat": step.player, "name": step.name, "words": step.words}
        for place, step in enumerate(course.steps[first:], first + 1)
    ]


def persons_of(record: Record) -> list[str]:
    """Who has each seat in a record, by the words of a board; `PERSON` where nothing is known."""
    labels = record.agents or [PERSON] * record.get_game().num_players
    return [PERSON if label in (PERSON, _IN_RECORDS) else label for label in labels]
