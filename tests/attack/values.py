"""Values that no function expects."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from attack.trial import OwnError


class Raises:
    """An object of which every question raises."""

    def _raise(self, *_: Any) -> Any:
        raise OwnError("an object of the attack's own")

    __index__ = __int__ = __float__ = __len__ = __iter__ = __getitem__ = __contains__ = _raise
    __repr__ = __str__ = __bool__ = __eq__ = __hash__ = __lt__ = __fspath__ = __call__ = _raise


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


def bools(*cells: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """An array of bool whose cells are what no bool is."""
    return np.array(cells, "u1").view(np.bool_)


# None is from 3 to 2**31 - 1: what an argument takes may be slow, and that is no attack.
NUMBERS: tuple[int, ...] = (
    *(0, 1, 2, -1, -2, -(2**31), -(2**63), -(2**63) - 1, -(10**30), -(10**400)),
    *(2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**128, 10**30),
    10**400,
)

_FLOATS = (0.0, -0.0, 0.5, 1.0, 2.5, math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 1e19)

TEXTS = (
    *("", " ", "\0", "\n", "\t", "0", "1", "-1", "1.0", "1e9", "None", "True", "null", "nan", "random"),
    "greedy",
    *("\ud800", "a\udfffb", "\ufeff", "\u202e", "\uffff", "\x1b[31m", "\x07", "é", "日本", "👾", "İ", "ß"),
    *("１", "٣"),
    *("a" * 10_000, "[" * 5_000, '{"a":' * 3_000, "%s%n", "{0}", "$(id)", "<script>", "&", "]]>", "'", '"'),
    "\\",
    *("../x", "/", ".", "~", "-", "--", "--help", "nobody", "mcts:", "mcts:0", "mcts:-1", "mcts:99999999999"),
)


def numbers(rng: random.Random) -> Any:
    """A whole number in some form, or what is nearly one."""
    number = rng.choice(NUMBERS)
    form = rng.randrange(10)
    if form < 5:
        return number
    if form == 5:
        return Says(number)
    if form == 6:
        return Whole(number)
    small = number if -(2**63) <= number < 2**63 else 1
    if form == 7:
        return rng.choice([np.int64(small), np.array(small)])
    if form == 8:
        small &= 1
        return rng.choice([np.int8(small), np.uint8(small), np.bool_(small), np.float64(small)])
    return rng.choice([str(number)[:50], float(small), bool(number & 1), None, number & 1 == 1])


def text(rng: random.Random, words: Sequence[str] = ()) -> str:
    """A text that means nothing, or nearly one of these words."""
    if words and rng.random() < 0.6:
        return near(rng, rng.choice(words))
    return rng.choice(TEXTS)


def near(rng: random.Random, word: str) -> str:
    """A text that is not quite this word."""
    place = rng.randrange(len(word) + 1)
    letter = rng.choice(["a", "e", "_", "-", " ", "\0", "\ud800", "é", "İ", "ｓ", ".", "\n", "1", "٣"])
    edits = [
        word[:place] + letter + word[place:],
        word[:place] + word[place + 1 :],
        word[:place] + letter + word[place + 1 :],
        word[:place] + word[place : place + 2][::-1] + word[place + 2 :],
        *(word.upper(), word.title(), word + word, word * 500, word[::-1], " " + word, word + "\n"),
        word + "\0",
    ]
    return rng.choice(edits)


def nested(rng: random.Random) -> Any:
    """A container that goes deep, or round in a circle."""
    kind = rng.randrange(5)
    if kind == 0:
        circle: list[Any] = []
        circle.append(circle)
        return circle
    if kind == 1:
        around: dict[str, Any] = {}
        around["self"] = around
        return around
    deep: Any = rng.choice(NUMBERS)
    for _ in range(rng.choice([2, 50, 3_000])):
        deep = [deep] if kind == 2 else {"a": deep} if kind == 3 else (deep,)
    return deep


def arrays(rng: random.Random) -> Any:
    """An array of numpy's that few functions expect."""
    kinds = [
        *(np.zeros(0), np.zeros(3), np.zeros((2, 2), np.int64), np.zeros((1,) * 20), np.array(7)),
        np.array("x"),
        *(np.array([None]), np.array([[], []]), np.array([1, 2], ">i2"), np.array([1 + 2j])),
        np.array(["a", "b"]),
        *(np.array(["2020-01-01"], "M8[D]"), np.zeros(2, [("a", "i4"), ("b", "f8")]), np.array([b"x"], "S3")),
        *(bools(2), bools(255, 0, 1), bools(), np.arange(6)[::-2], np.broadcast_to(np.int8(1), (3,))),
        *(np.full(3, np.nan), np.full(2, np.inf), np.full(1, 2**64 - 1, np.uint64)),
        np.ma.masked_array([1, 2], [True, False]),
    ]
    return rng.choice(kinds)


def anything(rng: random.Random) -> Any:
    """Any value at all."""
    kind = rng.randrange(12)
    if kind < 4:
        return numbers(rng)
    if kind == 4:
        return rng.choice(_FLOATS)
    if kind == 5:
        return text(rng)
    if kind == 6:
        return nested(rng)
    if kind == 7:
        return arrays(rng)
    if kind == 8:
        return Raises()
    things: list[Any] = [
        *(None, True, False, ..., frozenset(), object(), int, len, 1j, b"", b"sho", bytearray(b"1")),
        memoryview(b"12"),
        *([], {}, (), set(), frozenset([1]), [None], {"a": 1}, {1: 2}, {None: None}, ["random"]),
        *([b"random"], range(3)),
        *(Text("sho"), Text(""), iter([1]), (number for number in range(2)), slice(1), float, random, rng),
        *(np, np.int8),
        *([1.5], ["a", 1], {"players": 2}, [[1], [2, 3]], [True], Exception("x"), lambda: 1, lambda *_: [0]),
    ]
    return rng.choice(things)
