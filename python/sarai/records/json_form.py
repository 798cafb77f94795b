"""A record as JSON: one object, documented in docs/records.md."""

from __future__ import annotations

import json

from sarai.arguments import short, suggestion
from sarai.json_input import parse
from sarai.records.fields import (
    VERSION,
    R,
    check_result,
    check_size,
    check_version,
    game_of,
    make_record,
    result_of,
    start_of,
)
from sarai.records.model import MAX_STEPS, RecordedGame, Step

FORMAT = "sarai.record"
_KEYS = ("format", "version", "game", "rules", "seed", "number", "agents", "steps", "result")
_START = "start"
"""A key that stands only where a record does not begin as its game does."""


def write(record: RecordedGame) -> str:
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
    data = dict(zip(_KEYS, values, strict=True))
    if record.start is not None:
        data[_START] = str(record.start)
    return json.dumps(data, allow_nan=False)


def read(text: str, kind: type[R]) -> R:
    """The record that `write` gave as this text, as an object of this class.

    Raises:
        ValueError: It is no record, or the rules contradict it.
    """
    check_size(text)
    data = parse(text, "a record")
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f'this JSON is not a record: it is not an object with "format": "{FORMAT}"')
    check_version(data.get("version"))
    for key in data:
        if key not in (*_KEYS, _START):
            near = suggestion(key, (*_KEYS, _START))
            keys = ", ".join((*_KEYS, _START))
            raise ValueError(f"a record has no key {short(key)}{near}; its keys are {keys}")
    for key in _KEYS:
        if key not in data:
            raise ValueError(f"the record has no {key!r}: it is truncated, or was not written by Sarai")
    steps = data["steps"]
    if not isinstance(steps, list):
        raise ValueError(f"'steps' must be a list, not {short(steps)}")
    if len(steps) > MAX_STEPS:
        raise ValueError(f"'steps' has {len(steps):,} entries; a record holds at most {MAX_STEPS:,}")
    told = [_step(index, step) for index, step in enumerate(steps)]
    game = game_of(data["game"], data["rules"])
    start = start_of(game, data[_START]) if _START in data else None

    def check(index: int, real: Step) -> None:
        # At once: the first step that says two things is the wrong one, and not a later one to which it leads.
        if told[index] != real:
            raise ValueError(
                f"step {index}: the record says {short(list(told[index]))}, but by the rules it is {list(real)}"
            )

    ids = [step.id for step in told]
    record = make_record(kind, game, start, ids, data["seed"], data["number"], data["agents"], check)
    check_result(record, data["result"])
    return record


def _step(index: int, step: object) -> Step:
    if isinstance(step, list) and len(step) == 3:
        player, number, name = step
        if type(player) is int and type(number) is int and isinstance(name, str):
            return Step(player, number, name)
    raise ValueError(f"step {index} must be [player, id, name], not {short(step)}")
