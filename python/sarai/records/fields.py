"""What both forms of a record say, and how it is held against the rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from sarai._core import Game, IllegalActionError, State
from sarai.arguments import short
from sarai.game import make
from sarai.records.model import MAX_STEPS, RecordedGame, Step

VERSION = 1
"""Of both forms; another one is refused with a sentence."""

MAX_BYTES = 64 * 2**20
"""The largest text or file that is read."""

R = TypeVar("R", bound=RecordedGame)


def result_of(record: RecordedGame) -> dict[str, Any] | None:
    """The result as it is written; None while there is none."""
    if record.returns is None:
        return None
    return {"returns": list(record.returns), "winner": record.winner}


def check_size(text: str) -> None:
    """Refuse a text that is too large before anything is made of it.

    Raises:
        TypeError: It is no text.
        ValueError: It is too large.
    """
    if not isinstance(text, str):
        raise TypeError(f"a record is read from text, not from {type(text).__name__}")
    if len(text) > MAX_BYTES:
        raise ValueError(f"the text has {len(text):,} characters; a record has at most {MAX_BYTES:,}")
    # A step has three values: whatever has many more would only fill the memory.
    if text.count(",") > 4 * MAX_STEPS or text.count("\n") > 4 * MAX_STEPS:
        raise ValueError(f"the text holds more than {MAX_STEPS:,} steps, the most of a record")


def check_version(version: object) -> None:
    """Refuse another format version than this one.

    Raises:
        ValueError: It is another one.
    """
    if type(version) is not int or version != VERSION:
        raise ValueError(
            f"the record has format version {short(version)}, but this version of Sarai reads {VERSION}: "
            "read it with the version that wrote it"
        )


def game_of(name: object, rules: object) -> Game:
    """The game of a record. An option that is not named has its default.

    Raises:
        ValueError: There is no such game, or it does not take these rules.
    """
    if not isinstance(name, str):
        raise ValueError(f"'game' must be a game's name, not {short(name)}")
    if not isinstance(rules, dict):
        raise ValueError(f"'rules' must be an object of options, not {short(rules)}")
    return make(name, rules=rules)


def start_of(game: Game, text: object) -> State:
    """The state in which a record begins.

    Raises:
        ValueError: The text describes no state of the game.
    """
    if not isinstance(text, str):
        raise ValueError(f"'start' must be the text of a state, not {short(text)}")
    try:
        return game.parse(text)
    except ValueError as error:
        raise ValueError(f"'start' is not a state of this game: {error}") from None


def make_record(
    kind: type[R],
    game: Game,
    start: State | None,
    ids: list[int],
    seed: object,
    number: object,
    agents: object,
    check: Callable[[int, Step], None] | None = None,
) -> R:
    """The record of these values of a file.

    Raises:
        ValueError: One is of a wrong type or out of range, or a step is not legal.
    """
    for name, value in (("seed", seed), ("number", number)):
        if value is not None and type(value) is not int:
            raise ValueError(f"{name!r} must be a whole number or null, not {short(value)}")
    if agents is not None and not isinstance(agents, list):
        raise ValueError(f"'agents' must be a list with one label per seat or null, not {short(agents)}")
    try:
        return kind._replayed(
            game,
            start,
            ids,
            seed,  # type: ignore[arg-type]  # whole, see above
            number,  # type: ignore[arg-type]
            agents,
            check,
        )
    except IllegalActionError:
        raise
    except TypeError as error:
        raise ValueError(str(error)) from None


def check_result(record: RecordedGame, told: object) -> None:
    """Hold the result that was written against the one of the replay.

    Raises:
        ValueError: They differ.
    """
    result = result_of(record)
    if isinstance(told, dict) and told.get("winner", -1) is None:
        # What a draw had before it had -1.
        told = {**told, "winner": -1}
    if told == result and _plain(told):
        return
    found = "unfinished" if result is None else json.dumps(result)
    given = "that it is unfinished" if told is None else short(told)
    raise ValueError(f"the result says {given}, but after {len(record)} steps the game is {found}")


def _plain(told: object) -> bool:
    """Whether no number of a result is a boolean, which Python takes for 0 and 1."""
    if not isinstance(told, dict):
        return told is None
    return not any(isinstance(value, bool) for value in (told["winner"], *told["returns"]))
