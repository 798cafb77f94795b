"""Checks of arguments, shared by everything that takes some."""

from __future__ import annotations

import difflib
import operator
import os
import reprlib
import secrets
from collections.abc import Iterable
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai._core import MAX_RANDOM_PLIES

StrPath: TypeAlias = str | os.PathLike[str]
"""What names a file."""

MAX_NUMBER = 2**64 - 1
"""The largest seed, and the largest number of a game."""


def whole(name: str, value: object, takes: str = "a whole number") -> int:
    """An integer: Python's or numpy's. True and False are none. `takes` says what belongs there.

    Raises:
        TypeError: It is something else.

    >>> whole("seed", 7)
    7
    >>> whole("seed", True)
    Traceback (most recent call last):
    ...
    TypeError: seed must be a whole number, not bool
    """
    # The oldest numpy that is supported still takes its own booleans for integers, and all take what is masked.
    if not isinstance(value, (bool, np.bool_)) and not masked(value):
        try:
            return operator.index(value)  # type: ignore[arg-type]  # that is what is tried
        except TypeError:
            pass
    raise TypeError(f"{name} must be {takes}, not {type(value).__name__}")


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxtuple = 24
        self.maxstring = self.maxother = 80

    def repr_int(self, x: int, level: int) -> str:
        return in_words(x)


def short(value: object) -> str:
    """What `repr` says of a value, in as few words as a sentence can hold; it may be nested as deep as it likes.

    >>> short([1, "a"]), short("a" * 1000)[:3], len(short("a" * 1000))
    ("[1, 'a']", "'aa", 80)
    >>> deep = []
    >>> for _ in range(100_000):
    ...     deep = [deep]
    >>> short(deep)
    '[[[[...]]]]'
    """
    text = _Short().repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def longer(value: object) -> str:
    """What `repr` says of a path, rules or labels, of which the end may be what matters: at most 1,000 characters.

    >>> longer("games.svg"), len(longer("a" * 5000))
    ("'games.svg'", 1000)
    """
    try:
        text = repr(value)
    except RecursionError:
        return short(value)
    return text if len(text) <= 1000 else text[:997] + "..."


def in_words(number: int) -> str:
    """A number as a sentence can hold it; one with thousands of digits says nothing to anybody.

    >>> in_words(-1), in_words(10**10_000)
    ('-1', 'a number of 33220 bits')
    """
    return str(number) if number.bit_length() < 200 else f"a number of {number.bit_length()} bits"


def between(name: str, value: object, least: int, most: int, where: str = "") -> int:
    """An integer from `least` to `most`; `where` says what that depends on.

    Raises:
        TypeError: It is not an integer.
        ValueError: It is out of range.

    >>> between("num_games", 0, 1, 50, "with 2 variants ")
    Traceback (most recent call last):
    ...
    ValueError: num_games got 0; with 2 variants it takes 1 to 50
    """
    number = whole(name, value)
    if not least <= number <= most:
        raise ValueError(f"{name} got {in_words(number)}; {where}it takes {least} to {most}")
    return number


def place(noun: str, index: object, count: int) -> int:
    """The place of one of `count` things; a negative index counts from the end.

    Raises:
        TypeError: The index is not an integer.
        IndexError: There is no such thing.

    >>> place("game", -1, 3)
    2
    >>> place("game", 3, 3)
    Traceback (most recent call last):
    ...
    IndexError: there is no game 3; there are 3, counted from 0
    """
    number = whole("the index", index)
    if not -count <= number < count:
        raise IndexError(f"there is no {noun} {in_words(number)}; there are {count:,}, counted from 0")
    return number % count


def from_zero(name: str, value: object, most: int = MAX_NUMBER) -> int:
    """An integer from 0 to `most`.

    Raises:
        TypeError: It is not an integer.
        ValueError: It is out of range.

    >>> from_zero("first_game", 5)
    5
    >>> from_zero("first_game", -1)
    Traceback (most recent call last):
    ...
    ValueError: first_game got -1; it takes 0 to 18446744073709551615
    """
    return between(name, value, 0, most)


def flag(name: str, value: object) -> bool:
    """True or False, numpy's as well, as one of Python's.

    Raises:
        TypeError: It is neither.

    >>> flag("stats", np.True_)
    True
    >>> flag("stats", 1)
    Traceback (most recent call last):
    ...
    TypeError: stats must be True or False, not int
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)


def masked(given: object, levels: int = 2) -> bool:
    """Whether some values are masked, in an array or in lists of so many levels; numpy would take what stands there.

    >>> masked([1, np.ma.masked]), masked([[1], np.ma.array([2], mask=[True])]), masked(np.ma.array([1, 2]))
    (True, True, False)
    """
    # Without np.ma, which would be imported in the middle of a step.
    if isinstance(given, np.ndarray):
        return bool(np.any(getattr(given, "mask", False)))
    return (
        bool(levels) and isinstance(given, list | tuple) and any(masked(each, levels - 1) for each in given)
    )


def unmasked(name: str, given: ArrayLike) -> NDArray[Any]:
    """An array of what was given.

    Raises:
        ValueError: Some of it is masked.

    >>> unmasked("rows", [0, 2])
    array([0, 2])
    """
    if masked(given):
        raise ValueError(f"{name} must be numbers, and some are masked: give them all")
    return np.asarray(given)


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a number, whole or not: one of Python's or numpy's, but no bool.

    >>> is_number(2), is_number(np.float32(0.5)), is_number(True), is_number("2")
    (True, True, False, False)
    """
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def number(name: str, value: object) -> float:
    """A number, whole or not, as one of Python's.

    Raises:
        TypeError: It is none.
        ValueError: No float can hold it.

    >>> number("rate", 0.5)
    0.5
    >>> number("rate", True)
    Traceback (most recent call last):
    ...
    TypeError: rate must be a number, not bool
    """
    if not is_number(value):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} got {in_words(int(value))}, which is too large") from None


def seed(value: object) -> int:
    """A seed; None draws one from the operating system.

    Raises:
        TypeError: It is neither None nor an integer.
        ValueError: It is out of range.

    >>> seed(7), 0 <= seed(None) < 2**64
    (7, True)
    >>> seed(-1)
    Traceback (most recent call last):
    ...
    ValueError: seed got -1; it takes 0 to 18446744073709551615
    """
    return secrets.randbits(64) if value is None else from_zero("seed", value)


def random_plies(value: object) -> int:
    """A number of random decisions at the beginning of games.

    Raises:
        TypeError: It is not an integer.
        ValueError: It is out of range.

    >>> random_plies(4)
    4
    >>> random_plies(-1)
    Traceback (most recent call last):
    ...
    ValueError: random_plies got -1; it takes 0 to 1000
    """
    return from_zero("random_plies", value, MAX_RANDOM_PLIES)


def one_of(name: str, value: object, known: tuple[str, ...]) -> str:
    """One of these words.

    Raises:
        TypeError: It is no str.
        ValueError: It is another one.

    >>> one_of("dice", "own", ("shared", "own"))
    'own'
    >>> one_of("dice", "owns", ("shared", "own"))
    Traceback (most recent call last):
    ...
    ValueError: dice got 'owns' (did you mean 'own'?); it takes 'shared' or 'own'
    """
    takes = " or ".join(map(repr, known))
    if not isinstance(value, str):
        raise TypeError(f"{name} must be {takes}, not {type(value).__name__}")
    if value not in known:
        raise ValueError(f"{name} got {short(value)}{suggestion(value, known)}; it takes {takes}")
    return str(value)


def path(value: object) -> str:
    """The name of a file. A number is none: `open` would take it for a file that is open already, and close it.

    Raises:
        TypeError: It is neither a str nor a path object.

    >>> path("games.npz")
    'games.npz'
    >>> path(0)
    Traceback (most recent call last):
    ...
    TypeError: a path must be a str or a pathlib.Path, not int
    """
    if isinstance(value, (str, os.PathLike)):
        name = os.fspath(value)
        if isinstance(name, str):
            return name
        value = name
    raise TypeError(f"a path must be a str or a pathlib.Path, not {type(value).__name__}")


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things in words. `plural` is what several are called, where an s does not make it.

    >>> counted(1, "game"), counted(1000, "game"), counted(2, "entry", "entries")
    ('1 game', '1,000 games', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def suggestion(given: str, known: Iterable[str]) -> str:
    """What was probably meant, to stand behind what was given; nothing where that is anybody's guess.

    >>> suggestion("sead", ["seed", "rules"])
    " (did you mean 'seed'?)"
    >>> suggestion("players", ["seed", "rules"])
    ''
    """
    near = difflib.get_close_matches(given[:200].lower(), known, n=1, cutoff=0.7)
    return f" (did you mean {near[0]!r}?)" if near else ""
