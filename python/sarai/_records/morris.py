"""Games of morris in the notation of Sanmill and PlayOK: tags as in PGN, then moves such as d7xb4, d6-d5 or 12-13x5."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from sarai._base.arguments import short
from sarai._core import Game, State
from sarai._game import make
from sarai._records.model import RecordedGame

R = TypeVar("R", bound=RecordedGame)

_USUAL = "shah(preset=nine_mens_morris)"
_VARIANT = "Nine Men's Morris"
_POINTS = 24
_MAX_TEXT = 2**20
_TAG = re.compile(r'\s*\[(\w{1,40})\s+"([^"\n]*)"\]')
_RESULTS = {(0,): "1-0", (1,): "0-1", (-1,): "1/2-1/2", (None,): "*"}
_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<comment>\{[^}]*\}|;[^\n]*)|(?P<open>\()|(?P<close>\))|(?P<note>\$\d+|[!?]+)"
    r"|(?P<result>(?:1-0|0-1|1/2-1/2|\*)(?![^\s{(;]))|(?P<number>\d+\.+)|(?P<move>[A-Ga-gXx0-9-]+)"
)


def looks_like(text: str) -> bool:
    """Whether a text begins as such a game does: with a tag, or with the number of the first move.

    >>> looks_like('[White "Ann"]'), looks_like("1. d6 f4"), looks_like("sarai record 1")
    (True, True, False)
    """
    return bool(re.match(r'\s*(\[[A-Za-z]\w*\s+"|1\.)', text.lstrip("\ufeff")))


def read(text: str, kind: type[R], game: Game | None) -> R:
    """The game that a text is; without tags and `game`, it is of nine men's morris.

    Raises:
        ValueError: It is none, or the rules contradict it; the message names the line and the column.
    """
    if len(text) > _MAX_TEXT:
        raise ValueError(
            f"line 1, column 1: the text has {len(text):,} characters; a game of morris has at most "
            f"{_MAX_TEXT:,}"
        )
    text = text.lstrip("\ufeff")
    tags, begin = _tags(text)
    if game is None:
        try:
            game = _game(tags)
        except ValueError as error:
            raise _wrong(text, 0, str(error)) from None
    state = game.new_initial_state()
    names = _names(game)
    steps: list[int] = []
    told = None
    for found in _tokens(text, begin):
        if told is not None:
            raise _wrong(text, found.start(), f"{short(found[0])} follows the result")
        if found.lastgroup == "result":
            told = found[0]
            continue
        try:
            for action in state.string_to_actions(_spelt(found[0], names)):
                state.apply_action(action)
                steps.append(action)
        except ValueError as error:
            raise _wrong(text, found.start(), str(error)) from None
    _check_result(text, state, told or tags.get("Result"))
    players = (tags.get("White"), tags.get("Black"))
    agents = [name or "?" for name in players] if any(players) else None
    return kind.from_steps(game, steps, agents=agents)


def write(record: RecordedGame) -> str:
    """A record in this notation.

    Raises:
        ValueError: The record is of another game, begins elsewhere, or a label does not fit.
    """
    game = record.game
    _names(game)
    if record.start is not None or any(step.player < 0 for step in record.steps):
        raise ValueError(
            "this notation has games from the empty board that player 0 begins, and this record is not one"
        )
    result = _RESULTS[(record.winner,)]
    tags: dict[str, str] = {}
    if record.agents:
        tags.update(White=record.agents[0], Black=record.agents[1])
    tags["Result"] = result
    usual = game == make(_USUAL)
    tags["Variant" if usual else "Rules"] = _VARIANT if usual else str(game)
    for value in tags.values():
        if '"' in value or not value.isprintable():
            raise ValueError(f"this notation cannot hold the label {short(value)}")
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_lines(record), result, ""])


def _lines(record: RecordedGame) -> Iterator[str]:
    """The moves, a line for each number."""
    line, number = "", 0
    for player, move in _moves(record):
        if player == 0 or not line:
            if line:
                yield line
            number += 1
            line = f"{number}. {move}" if player == 0 else f"{number}... {move}"
        else:
            yield f"{line} {move}"
            line = ""
    if line:
        yield line


def _moves(record: RecordedGame) -> Iterator[tuple[int, str]]:
    """What each player did: a move with what it removes."""
    player, move = -1, ""
    for step in record.steps:
        goes_on = step.name[0] == "x" or move.endswith("-")
        if move and not (goes_on and step.player == player):
            yield player, move
            move = ""
        player, move = step.player, move + (f"{step.name[4:]}-" if step.name[:4] == "fly " else step.name)
    if move:
        yield player, move.removesuffix("-")


def _names(game: Game) -> list[str]:
    """The names of the points, in the order in which PlayOK numbers them.

    Raises:
        ValueError: The game has none.
    """
    if game.name != "shah":
        raise ValueError(
            f"this is the notation of morris, and not of {game.name}; use it with shah or its presets"
        )
    first = make(_USUAL).new_initial_state()
    return [first.action_to_string(point) for point in range(_POINTS)]


def _spelt(move: str, names: list[str]) -> str:
    """A move by the names of points; PlayOK has their numbers."""
    if re.search("[a-g]", move.lower()):
        return move

    def named(found: re.Match[str]) -> str:
        point = int(found[0])
        return names[point - 1] if 1 <= point <= _POINTS else found[0]

    return re.sub(r"\d{1,4}", named, move)


def _tags(text: str) -> tuple[dict[str, str], int]:
    """The tags, and where the moves begin."""
    tags: dict[str, str] = {}
    at = 0
    while True:
        found = _TAG.match(text, at)
        if not found and not re.compile(r"\s*\[").match(text, at):
            return tags, at
        if not found:
            raise _wrong(text, at, 'a tag is written [Name "value"]')
        if found[1] in tags:
            raise _wrong(text, at, f"the tag {found[1]} is there already")
        tags[found[1]], at = found[2], found.end()


def _game(tags: dict[str, str]) -> Game:
    if "FEN" in tags or "SetUp" in tags:
        raise ValueError(
            "the game begins with a position (the tag FEN), and only games from the beginning are read"
        )
    if "Rules" in tags:
        return make(tags["Rules"])
    variant = tags.get("Variant", _VARIANT)
    if variant.lower() != _VARIANT.lower():
        raise ValueError(
            f"the rules of the variant {short(variant)} are not known; give game=, such as game='shah'"
        )
    return make(_USUAL)


def _tokens(text: str, begin: int) -> Iterator[re.Match[str]]:
    """The moves and the result; comments and variations are ignored."""
    at, depth = begin, 0
    opened = begin
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise _wrong(text, at, f"{short(text[at : at + 12])} is no move, such as d6, d6-d5 or d7xb4")
        at = found.end()
        if found.lastgroup == "open":
            opened, depth = found.start(), depth + 1
        elif found.lastgroup == "close":
            depth -= 1
            if depth < 0:
                raise _wrong(text, found.start(), "nothing was opened that ')' closes")
        elif not depth and found.lastgroup in ("move", "result"):
            yield found
    if depth:
        raise _wrong(text, opened, "the variation that begins here does not end")


def _check_result(text: str, state: State, told: str | None) -> None:
    """Check the result: a game may be resigned before it is over, but the winner on the board is the winner."""
    if told is None or not state.is_terminal():
        return
    found = _RESULTS[(state.winner,)]
    if told not in (found, "*"):
        raise _wrong(text, len(text.rstrip()), f"the result is {short(told)}, but by the rules it is {found}")


def _wrong(text: str, at: int, sentence: str) -> ValueError:
    line = text.count("\n", 0, at) + 1
    return ValueError(f"line {line}, column {at - text.rfind(chr(10), 0, at)}: {sentence}")
