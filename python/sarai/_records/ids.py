"""Positions of backgammon in the notations of other programs: GNU Backgammon's position ID and match ID, and XGID."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sarai._base.arguments import between, flag, one_of, short
from sarai._core import Game, State

FORMS = ("gnubg", "xgid")

_BAR = 25
_POSITION_BYTES, _MATCH_BYTES = 10, 9
# The largest score and match length, and the logarithm of the largest cube, that a match ID has place for.
_MOST, _LARGEST_CUBE = 32767, 15

# The fields of a match ID in the order of their bits, each with how many it has.
_MATCH_BITS = {
    "cube": 4,
    "cube_owner": 2,
    "roller": 1,
    "crawford": 1,
    "playing": 3,
    "turn": 1,
    "doubled": 1,
    "resigned": 2,
    "die_1": 3,
    "die_2": 3,
    "match_length": 15,
    "score_0": 15,
    "score_1": 15,
    "no_jacoby": 1,
}

_PLAIN: dict[str, Any] = {
    "cube": 1,
    "cube_owner": None,
    "doubled": False,
    "match_length": 0,
    "score": (0, 0),
    "crawford": False,
    "jacoby": False,
    "beavers": False,
    "max_cube": 1024,
    "resigned": 0,
}
"""What is outside the rules of the games here, each as in a game for points without a cube."""


class _Read(NamedTuple):
    player: int
    counts: tuple[Sequence[int], Sequence[int]]
    """The pieces of each seat on its points 1 to 24, and last those on the bar."""
    dice: tuple[int, ...]
    facts: dict[str, Any]


def looks_like(text: str) -> bool:
    """Whether a text is one of these notations, rightly or wrongly written.

    >>> looks_like("4HPwATDgc/ABMA"), looks_like("XGID=-"), looks_like("roll player=0")
    (True, True, False)
    """
    text = text.strip()
    return bool(
        text[:5].upper() == "XGID=" or re.fullmatch(r"[\w+/=-]{14}(:[\w+/=-]*)?|[-A-Pa-p]{26}:.*", text)
    )


def parse(game: Game, text: str) -> State:
    """The state that a text describes.

    Raises:
        ValueError: It is in none of the notations, or the rules contradict it.
    """
    read = _read(text)
    own, other = (read.counts[seat] for seat in (read.player, 1 - read.player))
    dice = read.dice or None
    return game.position(player=read.player, own=_piles(own), other=_piles(other), dice=dice)


def facts(text: str) -> dict[str, Any]:
    """Cube, score and the like of a position of backgammon, which are outside the rules that Sarai plays.

    Args:
        text: A GNU Backgammon ID (position ID and match ID with a colon between them, or a position ID alone), or an
            XGID.

    Returns:
        `cube`, its value; `cube_owner`, a seat, or None if it is in the middle; `doubled`, whether a double has been
        offered; `match_length`, 0 for a game for points; `score`, one per seat; `crawford`, `jacoby` and `beavers`,
        whether these rules apply; `max_cube`; `resigned`, the points of a resignation that has been offered, or 0.

    Raises:
        ValueError: It is not one of these notations.

    >>> from sarai.records import match_facts
    >>> found = match_facts("XGID=-b----E-C---eE---c-e----B-:1:-1:1:63:1:2:0:7:10")
    >>> found["cube"], found["cube_owner"], found["score"], found["match_length"]
    (2, 1, (1, 2), 7)
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    return _read(text).facts


def write(state: State, form: str, given: Mapping[str, Any] | None = None) -> str:
    """A state in one of the notations; `given` is what `facts` returned, or some of it.

    Raises:
        ValueError: The state is not one that the notation has, or a fact is unknown or out of range.
        TypeError: A fact has the wrong type.
    """
    one_of("form", form, FORMS)
    told = _checked(given or {})
    game = state.get_game()
    if game.name != "shuanglu":
        raise ValueError(f"{form!r} is a notation of backgammon, and this is a state of {game.name}")
    now = state.to_dict()
    if now["player"] is None:
        when = "is over" if now["phase"] == "over" else "has not begun: the opening throw is due"
        raise ValueError(f"{form!r} names the player on roll, but the game {when}")
    dice = now["dice"]
    double = len({*dice}) == 1
    if dice and len(dice) != (game.rules["doubles"] if double else 2):
        raise ValueError(f"{form!r} has no place for a turn that has begun; write the position before it")
    one, other = ([*now["points"][seat], now["bar"][seat]] for seat in (0, 1))
    position = _Read(now["player"], (one, other), (dice[0], dice[-1]) if dice else (), told)
    return _write_xgid(position) if form == "xgid" else _write_gnubg(position)


def _checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """All facts, those that are given among them."""
    if not isinstance(given, Mapping):
        raise TypeError(f"facts must be a dict, as match_facts returns it, not {type(given).__name__}")
    told = {**_PLAIN, **given}
    if len(told) > len(_PLAIN):
        unknown = next(name for name in told if name not in _PLAIN)
        raise ValueError(f"facts has no {short(unknown)}; it takes {', '.join(_PLAIN)}")
    for name in ("cube", "max_cube"):
        value = between(name, told[name], 1, 1 << _LARGEST_CUBE)
        if value & value - 1:
            raise ValueError(f"{name} got {value}; it takes a power of 2")
    if told["cube_owner"] is not None:
        between("cube_owner", told["cube_owner"], 0, 1)
    between("match_length", told["match_length"], 0, _MOST)
    between("resigned", told["resigned"], 0, 3)
    if not isinstance(told["score"], Sequence) or len(told["score"]) != 2:
        raise ValueError(f"score got {short(told['score'])}; it takes two numbers, such as (2, 4)")
    for score in told["score"]:
        between("score", score, 0, _MOST)
    for name in ("doubled", "crawford", "jacoby", "beavers"):
        flag(name, told[name])
    return told


def _read(text: str) -> _Read:
    text = text.strip()
    if text[:5].upper() == "XGID=":
        return _read_xgid(text[5:], 5)
    if re.match(r"[-A-Pa-p]{26}:", text):
        return _read_xgid(text, 0)
    return _read_gnubg(text)


def _piles(counts: Sequence[int]) -> str:
    """The pieces as `Game.position` takes them."""
    names = [*range(1, _BAR), "bar"]
    return " ".join(f"{name}:{count}" for name, count in zip(names, counts, strict=True) if count)


def _wrong(form: str, column: int, sentence: str) -> ValueError:
    return ValueError(f"the {form} is wrong at character {column}: {sentence}")


def _bits(text: str, form: str, column: int, size: int) -> int:
    """What base64 writes, as one number whose lowest bit comes first."""
    letters = -(-size * 8 // 6)
    if len(text) != letters:
        raise _wrong(form, column, f"it has {len(text)} characters, not {letters}")
    at = re.search(r"[^A-Za-z0-9+/]", text)
    if at:
        raise _wrong(form, column + at.start(), f"{at[0]!r} is not a letter, a digit, '+' or '/'")
    try:
        data = base64.b64decode(text + "=" * (-letters % 4))
    except binascii.Error as error:
        raise _wrong(form, column, str(error)) from None
    return int.from_bytes(data, "little")


def _letters(bits: int, size: int) -> str:
    return base64.b64encode(bits.to_bytes(size, "little")).decode().rstrip("=")


def _read_gnubg(text: str) -> _Read:
    position, colon, match = text.partition(":")
    bits = _bits(position, "position ID", 1, _POSITION_BYTES)
    # The player who is not on roll comes first.
    both, at = [], 0
    for _ in range(2):
        side = []
        for _ in range(_BAR):
            count = 0
            while bits >> at & 1:
                count, at = count + 1, at + 1
            side.append(count)
            at += 1
        both.append(side)
    if at > _POSITION_BYTES * 8 or bits >> at:
        raise _wrong(
            "position ID", 1, "its bits are no position: they do not end where the second player's bar does"
        )
    if not colon:
        return _Read(0, (both[1], both[0]), (), dict(_PLAIN))
    rest = _bits(match, "match ID", len(position) + 2, _MATCH_BYTES)
    field = {}
    for name, width in _MATCH_BITS.items():
        field[name] = rest & (1 << width) - 1
        rest >>= width
    column = len(position) + 2
    dice = (field["die_1"], field["die_2"])
    if max(dice) > 6 or (0 in dice and dice != (0, 0)):
        raise _wrong("match ID", column, f"its dice are {dice[0]} and {dice[1]}")
    owner = {0: 0, 1: 1, 3: None}
    if field["cube_owner"] not in owner:
        raise _wrong("match ID", column, "its cube belongs to nobody that there is")
    if field["playing"] != 1:
        raise _wrong("match ID", column, "no game is in progress in it")
    player = field["roller"]
    told = {
        **_PLAIN,
        "cube": 1 << field["cube"],
        "cube_owner": owner[field["cube_owner"]],
        "doubled": bool(field["doubled"]),
        "match_length": field["match_length"],
        "score": (field["score_0"], field["score_1"]),
        "crawford": bool(field["crawford"]),
        "jacoby": not field["no_jacoby"],
        "resigned": field["resigned"],
    }
    counts = (both[1], both[0]) if player == 0 else (both[0], both[1])
    return _Read(player, counts, dice if dice != (0, 0) else (), told)


def _write_gnubg(position: _Read) -> str:
    player, counts, dice, told = position
    bits, at = 0, 0
    for seat in (1 - player, player):
        for count in counts[seat]:
            bits |= (1 << count) - 1 << at
            at += count + 1
    field = {
        "cube": told["cube"].bit_length() - 1,
        "cube_owner": 3 if told["cube_owner"] is None else told["cube_owner"],
        "roller": player,
        "crawford": bool(told["crawford"]),
        "playing": 1,
        "turn": 1 - player if told["doubled"] or told["resigned"] else player,
        "doubled": bool(told["doubled"]),
        "resigned": told["resigned"],
        "die_1": dice[0] if dice else 0,
        "die_2": dice[1] if dice else 0,
        "match_length": told["match_length"],
        "score_0": told["score"][0],
        "score_1": told["score"][1],
        "no_jacoby": not told["jacoby"],
    }
    match, at_match = 0, 0
    for name, width in _MATCH_BITS.items():
        match |= int(field[name]) << at_match
        at_match += width
    return f"{_letters(bits, _POSITION_BYTES)}:{_letters(match, _MATCH_BYTES)}"


# The fields of an XGID after the board, each with the pattern of what it takes.
_XGID = {
    "cube": r"\d|1[0-5]",
    "owner of the cube": r"-1|0|1",
    "turn": r"-1|1",
    "dice": r"00|[1-6][1-6]|[DBR]",
    "score of the first player": r"\d{1,5}",
    "score of the second player": r"\d{1,5}",
    "Crawford and Jacoby": r"[0-3]",
    "match length": r"\d{1,5}",
    "largest cube": r"\d|1[0-5]",
}


def _read_xgid(text: str, offset: int) -> _Read:
    board, *given = text.split(":")
    column = offset + 1
    if len(board) != 26:
        raise _wrong("XGID", column, f"its board has {len(board)} characters, not 26")
    counts = ([0] * _BAR, [0] * _BAR)
    for at, letter in enumerate(board):
        if letter == "-":
            continue
        seat = int(letter.islower())
        count = ord(letter.upper()) - 64
        if not (letter.isascii() and 1 <= count <= 15):
            raise _wrong(
                "XGID", column + at, f"{letter!r} is no number of pieces, which is A to O, a to o or '-'"
            )
        # The first place is the second player's bar, the last is the first player's.
        place = _BAR - at if seat else at
        if place == 0:
            raise _wrong("XGID", column + at, "this is the bar of the other player")
        counts[seat][place - 1] = count
    if len(given) != len(_XGID):
        raise _wrong("XGID", column + len(board), f"{len(given)} fields follow the board, not {len(_XGID)}")
    field = {}
    column += len(board) + 1
    for (name, pattern), value in zip(_XGID.items(), given, strict=True):
        if not re.fullmatch(pattern, value, re.ASCII) or (value.isdigit() and int(value) > _MOST):
            raise _wrong("XGID", column, f"the {name} is {short(value)}")
        field[name] = value
        column += len(value) + 1
    thrown = field["dice"]
    length, rule = int(field["match length"]), int(field["Crawford and Jacoby"])
    told = {
        **_PLAIN,
        "cube": 1 << int(field["cube"]),
        "cube_owner": {"0": None, "1": 0, "-1": 1}[field["owner of the cube"]],
        "doubled": thrown in "DBR",
        "match_length": length,
        "score": (int(field["score of the first player"]), int(field["score of the second player"])),
        "crawford": length > 0 and rule == 1,
        "jacoby": length == 0 and bool(rule & 1),
        "beavers": length == 0 and bool(rule & 2),
        "max_cube": 1 << int(field["largest cube"]),
    }
    dice = () if thrown in ("00", "D", "B", "R") else (int(thrown[0]), int(thrown[1]))
    return _Read(int(field["turn"] == "-1"), counts, dice, told)


def _write_xgid(position: _Read) -> str:
    player, counts, dice, told = position
    board = ["-"] * 26
    for seat in (0, 1):
        for at, count in enumerate(counts[seat], 1):
            if count:
                board[_BAR - at if seat else at] = chr((96 if seat else 64) + count)
    if told["resigned"]:
        raise ValueError("an XGID has no place for a resignation; leave 'resigned' out")
    length = told["match_length"]
    rule = told["crawford"] if length else told["jacoby"] + 2 * told["beavers"]
    thrown = f"{dice[0]}{dice[1]}" if dice else "D" if told["doubled"] else "00"
    owner = {None: 0, 0: 1, 1: -1}[told["cube_owner"]]
    cube, largest = (told[name].bit_length() - 1 for name in ("cube", "max_cube"))
    fields = (cube, owner, -1 if player else 1, thrown, *told["score"], int(rule), length, largest)
    return f"XGID={''.join(board)}:{':'.join(map(str, fields))}"
