"""The two forms of a record, JSON and text, which the engine reads and writes; docs/records.md describes them."""

from __future__ import annotations

from typing import TypeVar

from sarai import _core
from sarai._base.json_input import parse
from sarai._records.model import MAX_STEPS, RecordedGame, Step

MAX_BYTES = 64 * 2**20
"""The largest text or file that is read."""

R = TypeVar("R", bound=RecordedGame)


def write(record: RecordedGame, form: str) -> str:
    """The record as "json" or as "text".

    Raises:
        ValueError: A step's name has characters that separate names in the text.
    """
    ids = [step.id for step in record.steps]
    game = record.game
    return _core.write_record(game, record.start, ids, record.seed, record.number, record.agents, form)


def read(text: str, form: str, kind: type[R]) -> R:
    """The record that `write` gave as this text, as an object of this class.

    Raises:
        TypeError: It is no text.
        ValueError: It is no record, or the rules contradict it.
    """
    if not isinstance(text, str):
        raise TypeError(f"a record is read from text, not from {type(text).__name__}")
    if len(text) > MAX_BYTES:
        raise ValueError(f"the text has {len(text):,} characters; a record has at most {MAX_BYTES:,}")
    # A step has three values: whatever has many more would only fill the memory.
    if text.count(",") > 4 * MAX_STEPS or text.count("\n") > 4 * MAX_STEPS:
        raise ValueError(f"the text holds more than {MAX_STEPS:,} steps, the most of a record")
    if form == "json" or text.lstrip("\ufeff \t\r\n").startswith("{"):
        # No key twice, of which the engine would take the last.
        parse(text, "a record")
    game, start, steps, final, seed, number, agents = _core.read_record(text)
    return kind.made(game, start, tuple(map(Step._make, steps)), final, seed, number, agents)
