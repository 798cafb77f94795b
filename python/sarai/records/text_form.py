"""A record as text for people: a header, then one line for each roll or turn. Documented in docs/records.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sarai._core import CHANCE, State
from sarai.arguments import suggestion
from sarai.game import make
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
from sarai.records.model import MAX_STEPS, RecordedGame

_TITLE = re.compile(r"sarai record ([0-9]{1,9})")
_KEYS = ("game", "rules", "start", "seed", "number", "agents", "result")
_LINE = re.compile(r"([0-9]{1,9})\.(?: \[(.+?)\])?(?: ([0-9]{1,2}): (.+))?")
_UNFINISHED = "unfinished"
# What a name cannot hold, or the line would be read otherwise.
_AMBIGUOUS = re.compile(r"[\[\],\n\r]|^\s|\s$|^$")


def write(record: RecordedGame) -> str:
    """The record as text.

    Raises:
        ValueError: A step's name has characters that separate names in this form.
    """
    usual = make(record.game).rules
    rules = {name: value for name, value in record.rules.items() if usual[name] != value}
    header = [f"sarai record {VERSION}", f"game: {record.game}"]
    header += [f"rules: {json.dumps(rules)}"] if rules else []
    header += [f"start: {record.start}"] if record.start is not None else []
    header += [f"seed: {record.seed}"] if record.seed is not None else []
    header += [f"number: {record.number}"] if record.number is not None else []
    header += [f"agents: {json.dumps(record.agents)}"] if record.agents is not None else []
    result = result_of(record)
    header.append(f"result: {_UNFINISHED if result is None else json.dumps(result)}")
    return "\n".join([*header, "", *_turns(record), ""])


def _turns(record: RecordedGame) -> Iterator[str]:
    """The numbered lines: each begins with a chance outcome, or where another player goes on without one."""
    line, seat, lines = "", CHANCE, 0
    for index, step in enumerate(record.steps):
        if _AMBIGUOUS.search(step.name):
            raise ValueError(f"step {index}: {step.name!r} cannot be written as text; use to_json")
        if step.player == CHANCE or not line or seat not in (CHANCE, step.player):
            if line:
                yield line
            lines += 1
            line, seat = f"{lines}.", CHANCE
        if step.player == CHANCE:
            line += f" [{step.name}]"
        elif seat == CHANCE:
            line += f" {step.player}: {step.name}"
            seat = step.player
        else:
            line += f", {step.name}"
    if line:
        yield line


@dataclass
class _Reader:
    """The state of reading: which line is being read, and the position there."""

    state: State
    line: int = 0
    ids: list[int] = field(default_factory=list)

    def wrong(self, sentence: object) -> ValueError:
        return ValueError(f"line {self.line}, step {len(self.ids)}: {sentence}")

    def take(self, step: int) -> None:
        if len(self.ids) == MAX_STEPS:
            raise self.wrong(f"a record holds at most {MAX_STEPS:,} steps, and there are more here")
        self.state.apply_action(step)
        self.ids.append(step)

    def chance(self, name: str) -> None:
        """Take the chance outcome of this name."""
        if not self.state.is_chance_node():
            raise self.wrong(f"the outcome [{name[:80]}] stands where no chance is due, but {self._due()}")
        outcomes = [outcome for outcome, _ in self.state.chance_outcomes()]
        meant = next((o for o in outcomes if self.state.outcome_to_string(o) == name), None)
        if meant is None:
            names = ", ".join(map(self.state.outcome_to_string, outcomes))
            raise self.wrong(f"{name[:80]!r} names no outcome; here are {names}")
        self.take(meant)

    def action(self, seat: int, name: str) -> None:
        """Take the player's action of this name."""
        if self.state.current_player() != seat:
            raise self.wrong(f"player {seat} is to play {name[:80]!r}, but {self._due()}")
        try:
            action = self.state.string_to_action(name)
        except ValueError as error:
            raise self.wrong(error) from None
        own = self.state.action_to_string(action)
        if own != name:
            raise self.wrong(f"{name[:80]!r} is written {own!r} here")
        self.take(action)

    def _due(self) -> str:
        if self.state.is_terminal():
            return "the game is over"
        if self.state.is_chance_node():
            return "a chance outcome is due"
        return f"it is player {self.state.current_player()}'s turn"


def read(text: str, kind: type[R]) -> R:
    """The record that `write` gave as this text, as an object of this class.

    Raises:
        ValueError: It is no record, or the rules contradict it; with the line.
    """
    check_size(text)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    # A line that begins with "#" is a remark.
    rest = iter([(number, line) for number, line in lines if not line.startswith("#")])
    title = next((line for _, line in rest if line), "")
    version = _TITLE.fullmatch(title)
    if not version:
        raise ValueError(
            f"this is not a record: its first line is {title[:80]!r}, not 'sarai record {VERSION}'"
        )
    check_version(int(version[1]))
    header = _header(rest)
    try:
        game = game_of(header["game"][1], header.get("rules", (0, {}))[1])
    except ValueError as error:
        raise ValueError(f"line {max(header['game'][0], header.get('rules', (0,))[0])}: {error}") from None
    start = None
    if "start" in header:
        place, text = header["start"]
        try:
            start = start_of(game, text)
        except ValueError as error:
            raise ValueError(f"line {place}: {error}") from None
    reader = _Reader(game.new_initial_state() if start is None else start.clone())
    turns = 0
    for number, line in rest:
        if line:
            reader.line = number
            turns += 1
            _read_turn(reader, line, turns)
    values = [header.get(name, (0, None))[1] for name in ("seed", "number", "agents")]
    record = make_record(kind, game, start, reader.ids, *values)
    try:
        check_result(record, header["result"][1])
    except ValueError as error:
        raise ValueError(f"line {header['result'][0]}: {error}") from None
    return record


def _header(lines: Iterator[tuple[int, str]]) -> dict[str, tuple[int, Any]]:
    """The values by their names, each with the number of its line; up to the first empty line."""
    found: dict[str, tuple[int, Any]] = {}
    for number, line in lines:
        if not line:
            break
        name, colon, value = line.partition(":")
        if not colon or name not in _KEYS:
            raise ValueError(
                f"line {number}: {line[:80]!r} is not a line of the header{suggestion(name, _KEYS)}; its lines begin "
                f"with {', '.join(key + ':' for key in _KEYS)}, and an empty line ends it"
            )
        if name in found:
            raise ValueError(f"line {number}: {name!r} is already in line {found[name][0]}")
        value = value.strip()
        if name in ("game", "start"):
            found[name] = number, value
        elif name == "result" and value == _UNFINISHED:
            found[name] = number, None
        else:
            try:
                found[name] = number, parse(value, name)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None
    for name in ("game", "result"):
        if name not in found:
            raise ValueError(f"the record's header has no '{name}:' line")
    return found


def _read_turn(reader: _Reader, line: str, turn: int) -> None:
    """Take all steps of a numbered line."""
    parts = _LINE.fullmatch(line)
    if not parts or (parts[2] is None and parts[4] is None):
        raise reader.wrong(
            f"{line[:80]!r} is not of the form '{turn}. [outcome] player: action, action', "
            "where the outcome or the actions may be missing"
        )
    number, outcome, seat, actions = parts.groups()
    if int(number) != turn:
        raise reader.wrong(f"this line has the number {number}, but {turn} is next")
    if outcome is not None:
        reader.chance(outcome)
    if actions is not None:
        for action in actions.split(", "):
            reader.action(int(seat), action)
