"""What may come of a call, and the games and positions that the calls are about."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import sarai
from attack.values import OwnError, Strategy

LONGEST_SENTENCE = 4000
"""The most characters of an error's text: who gives a million must not get them back."""

GAMES = tuple(sarai.games())
SHORT: dict[str, dict[str, Any]] = {
    **{name: {"max_turns": 20} for name in GAMES},
    "sho": {"players": 2, "coins": 2, "num_shells": 8},
    "shah": {"max_turns": 20, "no_capture_limit": 10},
    "tshupu": {"pieces": 1, "max_turns": 60},
}
"""Rules under which games are soon over: few turns for any game, fewer pieces where that helps."""


@cache
def short(name: str) -> sarai.Game:
    """The game under these rules."""
    return sarai.make(name, rules=SHORT[name])


RULES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    *((name, preset, {}) for name in GAMES for preset in sarai.presets(name)),
    ("sho", "basic", {"players": 2, "coins": 2, "num_shells": 8, "first_player": "random"}),
    ("shah", "shah", {"first_player": "random", "flying": True, "max_turns": 60}),
    ("tshupu", "tshupu", {"pieces": 1, "max_turns": 300}),
    ("shuanglu", "backgammon", {"max_turns": 40}),
)
"""Rule books: every preset, then options that make games short. A new game is here without a line of its own."""


def tries(number: int) -> settings:
    """How many examples a test tries in the fast suite, and in proportion under another profile."""
    return settings(max_examples=number * settings.default.max_examples // 100)


class Met(NamedTuple):
    """What came of a call: its value, or what it raised."""

    value: Any
    error: BaseException | None


class _Repr(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 120
        self.maxlong = 60

    def repr1(self, x: Any, level: int) -> str:
        try:
            return super().repr1(x, level)
        except BaseException as error:
            return f"<{type(x).__name__} whose repr raises {type(error).__name__}>"


shown = _Repr().repr
"""A value in a few words, whatever it is."""


def call(
    function: Callable[..., Any], *args: Any, also: tuple[type[BaseException], ...] = (), **kwargs: Any
) -> Met:
    """Give something to a function.

    Args:
        function: What is called.
        args: Its arguments.
        also: What may be raised besides what bad input raises.
        kwargs: Its keywords.

    Raises:
        AssertionError: Something else was raised, or the text of the error is none to be read.
    """
    try:
        return Met(function(*args, **kwargs), None)
    except BaseException as error:
        met = error
    what = f"{getattr(function, '__qualname__', function)}({shown(args)}, {shown(kwargs)})"
    bad_input = isinstance(met, ValueError | TypeError) and not isinstance(met, Warning)
    if not bad_input and not isinstance(met, (OwnError, *also)):
        raise AssertionError(f"{what}: {type(met).__name__}: {str(met)[:400]!r}") from met
    if not isinstance(met, OwnError | MemoryError | KeyboardInterrupt | OSError):
        # Python's own words name a keyword in full, and the system's a file.
        short = len(str(met)) <= LONGEST_SENTENCE or "unexpected keyword argument" in str(met)
        if not str(met).strip() or not short:
            raise AssertionError(f"{what}: {type(met).__name__} of {len(str(met)):,} characters") from met
    return Met(None, met)


@cache
def game(index: int) -> sarai.Game:
    """The game of a rule book."""
    name, preset, options = RULES[index]
    return sarai.make(name, preset=preset, **options)


@cache
def walk(index: int, seed: int = 0) -> tuple[sarai.State, ...]:
    """The positions of a whole game, with those near its end and not too many between."""
    states = sarai.Record.play(game(index), "random", seed=seed).states()
    kept = {*range(0, len(states), max(1, len(states) // 60)), *range(max(0, len(states) - 8), len(states))}
    return tuple(states[place] for place in sorted(kept))


books: Strategy = st.integers(0, len(RULES) - 1)
games: Strategy = st.sampled_from(GAMES)
states: Strategy = st.builds(
    lambda index, seed, place: walk(index, seed)[min(place, len(walk(index, seed)) - 1)].clone(),
    *(books, st.integers(0, 1), st.integers(0, 70)),
)
"""A position of any rule book: a decision, a throw, or an end."""


def choices(state: sarai.State) -> list[int]:
    """What `apply_action` takes here."""
    return [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()


def print_of(state: sarai.State) -> tuple[Any, ...]:
    """Everything that a state says of itself."""
    return (
        *(state.to_json(), str(state), state.key(), state.current_player(), tuple(choices(state))),
        *(tuple(state.returns()), tuple(state.rewards()), state.turns_passed(), state.winner),
    )


def plain(value: Any) -> Any:
    """Whatever an environment tells, so that it can be compared."""
    if isinstance(value, sarai.State):
        return value.to_json()
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return str(value.dtype), value.shape, value.tobytes()
    return ["objects", *map(plain, value.tolist())] if isinstance(value, np.ndarray) else repr(value)


def lowest(_: Any, masks: Any) -> Any:
    """A policy: the first legal action."""
    return masks.argmax(axis=1)


def spoil(value: Any, *, clear: bool = False) -> None:
    """Overwrite every array in it, and every list and dict too if asked for."""
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        if value.flags.writeable:
            value.fill(3)
        return
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for each in value.tolist() if isinstance(value, np.ndarray) else inner:
        spoil(each, clear=clear)
    if clear and isinstance(value, list | dict):
        value.clear()
