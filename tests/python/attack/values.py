"""Values that no function expects."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

Strategy = st.SearchStrategy[Any]


class OwnError(Exception):
    """Raised by the objects that an attack hands in; whatever calls them lets it through as it is."""


class Raises:
    """An object of which every question raises."""

    def _raise(self, *_: Any) -> Any:
        raise OwnError("an object of the attack's own")

    __index__ = __int__ = __float__ = __len__ = __iter__ = __getitem__ = __contains__ = _raise
    __repr__ = __str__ = __bool__ = __eq__ = __hash__ = __lt__ = __fspath__ = __call__ = _raise

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        printer.text("Raises()")


class Says:
    """An object that says it is a whole number."""

    def __init__(self, number: Any) -> None:
        self.number = number

    def __index__(self) -> Any:
        return self.number

    def __repr__(self) -> str:
        return f"Says({self.number!r:.40})"


class Text(str):
    """A text that is not of the type str itself."""


class Whole(int):
    """A whole number that is not of the type int itself."""


def fresh(make: Callable[[], list[Any]]) -> Strategy:
    """One of these, made anew: no example gets what another has changed or used up."""
    return st.integers(0, len(make()) - 1).map(lambda at: make()[at])


def bools(*cells: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """An array of bool whose cells are what no bool is."""
    return np.array(cells, "u1").view(np.bool_)


def index_of(given: Any) -> int | None:
    """The whole number that something is; None if it is none, as a bool."""
    if isinstance(given, bool | np.bool_):
        return None
    try:
        whole = operator.index(given)
    except BaseException:
        return None
    return None if isinstance(whole, bool) else whole


# None is from 3 to 2**31 - 1: what an argument takes may be slow, and that is no attack.
NUMBERS: tuple[int, ...] = (
    *(0, 1, 2, -1, -2, -(2**31), -(2**63), -(2**63) - 1, -(10**30), -(10**400), 2**31 - 1, 2**31, 2**32),
    *(2**32 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**128, 10**30, 10**400),
)
TEXTS = (
    *("", " ", "\0", "\n", "\t", "0", "1", "-1", "1.0", "1e9", "None", "True", "null", "nan", "random"),
    *("greedy", "\ud800", "a\udfffb", "\ufeff", "\u202e", "\uffff", "\x1b[31m", "\x07", "é", "日本", "👾"),
    *("İ", "ß", "１", "٣", "a" * 10_000, "[" * 5_000, '{"a":' * 3_000, "%s%n", "{0}", "$(id)", "<script>"),
    *("&", "]]>", "'", '"', "\\", "../x", "/", ".", "~", "-", "--", "--help", "nobody", "mcts:", "mcts:0"),
    *("mcts:-1", "mcts:99999999999"),
)


def _forms(number: int) -> list[Any]:
    small = number if -(2**63) <= number < 2**63 else 1
    return [
        *(number, number, number, number, Says(number), Whole(number), np.int64(small), np.array(small)),
        *(np.int8(small & 1), np.uint8(small & 1), np.bool_(small & 1), np.float64(small & 1)),
        *(str(number)[:50], float(small), bool(number & 1), None),
    ]


numbers: Strategy = st.builds(
    lambda number, form: _forms(number)[form], st.sampled_from(NUMBERS), st.integers(0, len(_forms(0)) - 1)
)
"""A whole number in some form, or what is nearly one."""

odd_floats: Strategy = st.sampled_from(
    [0.0, -0.0, 0.5, 1.0, 2.5, math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 1e19]
)
texts: Strategy = fresh(lambda: list(TEXTS)) | st.text(max_size=9)


def _edited(word: str, place: int, letter: str, kind: int) -> str:
    place %= len(word) + 1
    rest = word[place:]
    return [
        *(word[:place] + letter + rest, word[:place] + rest[1:], word[:place] + letter + rest[1:]),
        *(word[:place] + rest[:2][::-1] + rest[2:], word.upper(), word.title(), word + word, word * 500),
        *(word[::-1], " " + word, word + "\n", word + "\0"),
    ][kind]


_LETTERS = ["a", "e", "_", "-", " ", "\0", "\ud800", "é", "İ", "ｓ", ".", "\n", "1", "٣"]


@cache
def near(*words: str) -> Strategy:
    """A text that is not quite one of these words."""
    edits = (st.integers(0, 99), st.sampled_from(_LETTERS), st.integers(0, 11))
    return st.builds(_edited, st.sampled_from(words), *edits)


def _deep(number: int, kind: int, depth: int) -> Any:
    if kind == 0:
        circle: list[Any] = []
        circle.append(circle)
        return circle
    if kind == 1:
        around: dict[str, Any] = {}
        around["self"] = around
        return around
    deep: Any = number
    for _ in range(depth):
        deep = [deep] if kind == 2 else {"a": deep} if kind == 3 else (deep,)
    return deep


nested: Strategy = st.builds(
    _deep, st.sampled_from(NUMBERS), st.integers(0, 4), st.sampled_from([2, 50, 3_000])
)
"""A container that goes deep, or round in a circle."""

arrays: Strategy = fresh(
    lambda: [
        *(np.zeros(0), np.zeros(3), np.zeros((2, 2), np.int64), np.zeros((1,) * 20), np.array(7)),
        *(np.array("x"), np.array([None]), np.array([[], []]), np.array([1, 2], ">i2"), np.array([1 + 2j])),
        *(np.array(["a", "b"]), np.array(["2020-01-01"], "M8[D]"), np.zeros(2, [("a", "i4"), ("b", "f8")])),
        *(np.array([b"x"], "S3"), bools(2), bools(255, 0, 1), bools(), np.arange(6)[::-2]),
        *(np.broadcast_to(np.int8(1), (3,)), np.full(3, np.nan), np.full(2, np.inf)),
        *(np.full(1, 2**64 - 1, np.uint64), np.ma.masked_array([1, 2], [True, False])),
    ]
)
_things: Strategy = fresh(
    lambda: [
        *(None, True, False, ..., frozenset(), object(), int, len, 1j, b"", b"sho", bytearray(b"1"), []),
        *({}, (), set(), frozenset([1]), [None], {"a": 1}, {1: 2}, {None: None}, ["random"], [b"random"]),
        *(range(3), memoryview(b"12"), Text("sho"), Text(""), iter([1]), (number for number in range(2))),
        *(slice(1), float, math, np, np.int8, [1.5], ["a", 1], {"players": 2}, [[1], [2, 3]], [True]),
        *(Exception("x"), lambda: 1, lambda *_: [0]),
    ]
)
anything: Strategy = st.one_of(
    *(numbers, numbers, numbers, _things, _things, odd_floats, texts, nested, arrays, st.builds(Raises))
)
"""Any value at all."""


def some(*proper: Any) -> Strategy:
    """One of these, or anything."""
    return st.sampled_from(proper) | anything


def listed(cells: Strategy, least: int = 0, most: int = 4) -> Strategy:
    """Some cells as a list, a tuple, or what is read but once."""
    kinds = st.sampled_from([list, list, tuple, iter])
    return st.builds(lambda kind, made: kind(made), kinds, st.lists(cells, min_size=least, max_size=most))


def written(data: Any) -> str:
    """It as JSON; a text that is none where it cannot be written."""
    try:
        return json.dumps(data)
    except (TypeError, ValueError, RecursionError, OwnError):
        return "[" * 100_000


_CELLS = (0, 1, 2, 3, 5, 6, 9, 12, 15, 24, 63, 64, 65, 127, 128, 255, 256, 65535, 65536, -1)
_WRITTEN = (*map(str, _CELLS), "-", "true", "", "9" * 50, "1.0", "1e3", "+1", "01", "0x1")


@st.composite
def changed_text(draw: Any, text: str) -> str:
    """A text with a few places changed."""
    for _ in range(draw(st.sampled_from([1, 1, 2, 4]))):
        place = draw(st.integers(0, len(text)))
        words = text.split(" ")
        at, other = draw(st.integers(0, len(words) - 1)), draw(st.integers(0, len(words) - 1))
        digits = [index for index, letter in enumerate(text) if letter.isdigit()] or [0]
        digit = draw(st.sampled_from(digits))
        cell = draw(st.sampled_from(_WRITTEN))
        letter = draw(st.sampled_from('0129-=|:,.#xa"{}[] \n\0é٣１'))
        named = f"{words[at].partition('=')[0]}={cell}"
        word = draw(st.sampled_from(["", f"{words[at]} {words[at]}", words[other], named, named]))
        changes = [
            *(text[:place] + text[place + 1 :], text[:place] + letter + text[place:], text[:place]),
            *(text[:place] + letter + text[place + 1 :], text[:digit] + cell + text[digit + 1 :]),
            *(" ".join([*words[:at], word, *words[at + 1 :]]), draw(texts), text + text, text + " "),
            *("\t" + text, text.replace(" ", "  "), text.upper()),
        ]
        text = changes[draw(st.sampled_from([0, 1, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 7, 8, 9, 10, 11]))]
    return text


@st.composite
def changed(draw: Any, data: Any) -> Any:
    """A copy of plain data with a few places changed."""
    if type(data) in (dict, list) and data:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = draw(st.sampled_from(keys))
        how = draw(st.integers(0, 8))
        if how > 3:
            wrong = data.copy()
            wrong[key] = draw(changed(data[key]))
            return wrong
        if how > 1:
            wrong = data.copy()
            del wrong[key]
            return wrong
        if how == 1 and isinstance(data, dict):
            return {draw(near(str(each))) if each == key else each: value for each, value in data.items()}
    cell = draw(st.sampled_from(_CELLS))
    kinds: list[Any] = [draw(anything), None]
    if isinstance(data, bool) or data is None:
        kinds += [0, 1, True, False, "true", cell]
    elif isinstance(data, int):
        kinds += [data + 1, data - 1, cell, cell, str(data), -data, True, float(data)]
    elif isinstance(data, str):
        kinds += [draw(near(data or "x")), 0, data[::-1]]
    elif isinstance(data, dict):
        kinds += [[], list(data), {**data, draw(texts): cell}]
    elif isinstance(data, list):
        kinds += [[*data, cell], [*data, *data[-1:]], data * 100, tuple(data), {}, data[::-1]]
    return kinds[draw(st.integers(0, len(kinds) - 1))]
