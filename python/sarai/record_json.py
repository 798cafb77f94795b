"""A record as JSON: one object, documented in docs/records.md."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sarai._core import IllegalActionError
from sarai.arguments import short, suggestion
from sarai.game import make
from sarai.plain_json import parse
from sarai.record import MAX_BYTES, MAX_STEPS, Record, Step

if TYPE_CHECKING:
    from sarai._core import Game

FORMAT = "sarai.record"
VERSION = 1
"""Of both forms, this one and the text; another one is refused with a sentence."""

_KEYS = ("format", "version", "game", "rules", "seed", "number", "agents", "steps", "result")


def write(record: Record) -> str:
    """The record as JSON text."""
    values = (
        FORMAT,
        VERSION,
        record.game,
        record.rules,
        record.seed,
        record.number,
        record.agents,
        record.steps,
        result_of(record),
    )
    return json.dumps(dict(zip(_KEYS, values, strict=True)), allow_nan=False)


def read(text: str) -> Record:
    """The record that `write` gave as this text.

    Raises:
        ValueError: It is no record, or the rules contradict it.
    """
    check_size(text)
    data = parse(text, "a record")
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f'this JSON is no record: it is no object with "format": "{FORMAT}"')
    check_version(data.get("version"))
    for key in data:
        if key not in _KEYS:
            near = suggestion(key, _KEYS)
            raise ValueError(f"a record has no key {short(key)}{near}; its keys are {', '.join(_KEYS)}")
    for key in _KEYS:
        if key not in data:
            raise ValueError(f"the record has no {key!r}: it is cut off, or was not written by Sarai")
    steps = data["steps"]
    if not isinstance(steps, list):
        raise ValueError(f"'steps' must be a list, not {short(steps)}")
    if len(steps) > MAX_STEPS:
        raise ValueError(f"'steps' has {len(steps):,} entries; a record holds at most {MAX_STEPS:,}")
    told = [_step(index, step) for index, step in enumerate(steps)]
    game = game_of(data["game"], data["rules"])

    def check(index: int, real: Step) -> None:
        # At once: the first step that says two things is the wrong one, and not a later one to which it leads.
        if told[index] != real:
            raise ValueError(
                f"step {index}: the record says {list(told[index])}, by the rules it is {list(real)}"
            )

    ids = [step.id for step in told]
    record = make_record(game, ids, data["seed"], data["number"], data["agents"], check)
    check_result(record, data["result"])
    return record


def result_of(record: Record) -> dict[str, Any] | None:
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
        raise TypeError(f"a record is read from a text, not from {type(text).__name__}")
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
            f"the record has format version {short(version)}, this Sarai reads {VERSION}: "
            "read it with the Sarai that wrote it"
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


def make_record(
    game: Game,
    ids: list[int],
    seed: object,
    number: object,
    agents: object,
    check: Callable[[int, Step], None] | None = None,
) -> Record:
    """The record of these values of a file.

    Raises:
        ValueError: One is of a wrong type or out of range, or a step is not legal.
    """
    for name, value in (("seed", seed), ("number", number)):
        if value is not None and type(value) is not int:
            raise ValueError(f"{name!r} must be a whole number or null, not {short(value)}")
    if agents is not None and not isinstance(agents, list):
        raise ValueError(f"'agents' must be a list with one label a seat or null, not {short(agents)}")
    try:
        return Record._replayed(
            game,
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


def check_result(record: Record, told: object) -> None:
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


def _step(index: int, step: object) -> Step:
    if isinstance(step, list) and len(step) == 3:
        player, number, name = step
        if type(player) is int and type(number) is int and isinstance(name, str):
            return Step(player, number, name)
    raise ValueError(f"step {index} must be [player, id, name], not {short(step)}")
