"""Making games by their names."""

from __future__ import annotations

import inspect
import json
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from sarai import _core
from sarai._base.arguments import short, suggestion
from sarai._core import Game, State


def games() -> list[str]:
    """The names of all games, as `make` takes them.

    >>> "sho" in games()
    True
    """
    return _core.games()


def presets(game: str) -> dict[str, dict[str, Any]]:
    """The presets of a game, by name, each with all its options. The first is the default.

    Args:
        game: A name from `games()`.

    Raises:
        ValueError: The game does not exist.

    >>> presets("sho")["lhasa"]["entry_coins"]
    2
    """
    found: dict[str, dict[str, Any]] = json.loads(_core.presets_json(game))
    return found


def make(
    game: str,
    *,
    preset: str | None = None,
    rules: Mapping[str, Any] | None = None,
    **options: Any,
) -> Game:
    """A game with its rules.

    Args:
        game: A name from `games()`, alone or followed by rules, as `str` writes a game:
            `"sho(preset=lhasa,players=4)"`.
        preset: A name from `presets(game)`; None means the default one.
        rules: Options as a dict, which override the preset.
        **options: Options as keywords, which override both.

    Raises:
        ValueError: A game, a preset or an option in a text or dict is unknown, an option does not take the given value
            or is given twice, or options contradict each other. The message says what is allowed.
        TypeError: A keyword is no option of the game.

    >>> make("sho", players=2).num_players
    2
    >>> make("sho(players=2)") == make("sho", players=2), str(make("sho", players=2))
    (True, 'sho(players=2)')
    >>> make("sho", players=5)
    Traceback (most recent call last):
    ...
    ValueError: option 'players' got 5; it takes an integer from 2 to 4
    """
    if not isinstance(game, str):
        raise TypeError(f"game must be a name (one of {', '.join(games())}), not {type(game).__name__}")
    if rules is not None and not isinstance(rules, Mapping):
        raise TypeError(f"rules must be a dict of options, not {type(rules).__name__}")
    given = {**(rules or {}), **options}
    text = "{" + ", ".join(_option(name, value) for name, value in given.items()) + "}"
    try:
        return Game(game, preset, text)
    except ValueError as error:
        # A misspelt keyword is a TypeError in Python, on which other libraries rely.
        if any(f"unknown option {name!r}" in str(error) for name in options):
            raise TypeError(str(error)) from None
        raise


def as_game(game: str | Game) -> Game:
    """The game of a text, or the one that was given."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise TypeError(
            f"game must be a sarai.Game, or a name such as 'sho' or 'sho(players=2)', not {type(game).__name__}"
        )
    return make(game)


def game_and_start(game: str | Game | State) -> tuple[Game, State | None]:
    """The game, and the state where games start; None is where all games of the rule book do."""
    if isinstance(game, State):
        return game.get_game(), game.clone()
    return as_game(game), None


def with_rules(
    environment: type,
    game: str | Game,
    preset: str | None,
    rules: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> Game:
    """The game that an environment is asked for; its constructor takes what `make` takes.

    Raises:
        ValueError: As `make`; or there are rules, and a Game that has its own.
        TypeError: A keyword is neither an option of the rules nor the environment's own.
    """
    known = as_game(game).rules
    for name in options:
        if name not in known:
            own = list(inspect.signature(environment).parameters)[1:-1]
            raise TypeError(
                f"{environment.__name__}() got an unexpected keyword argument {short(name)}"
                f"{suggestion(name, [*own, *known])}; it takes {', '.join(own)}, "
                f"and the options of {as_game(game).name}: {', '.join(known)}"
            )
    if isinstance(game, Game) and not (options or rules is not None or preset is not None):
        return game
    if isinstance(game, Game):
        given = ", ".join(options or ["rules" if rules is not None else "preset"])[:80]
        raise ValueError(
            f"{given} got a value, but a Game object has its rules already: leave it out, or give the game's name"
        )
    return make(game, preset=preset, rules=rules, **options)


def _plain(value: object) -> object:
    """What JSON can hold, from numpy's numbers and whatever else is an integer."""
    return value.item() if isinstance(value, np.generic) else operator.index(value)  # type: ignore[arg-type]


def _option(name: object, value: object) -> str:
    """One option as a member of a JSON object. What each option takes is the engine's to check."""
    if not isinstance(name, str):
        raise ValueError(f"options have names, not {type(name).__name__}")
    shown = short(name)
    try:
        text = json.dumps(value, default=_plain, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(value, (float, np.floating)):
            raise ValueError(f"option {shown} got {value}, which no option takes") from None
        raise ValueError(f"option {shown} got a value that is not plain data: {error}") from None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= 1e300:
        raise ValueError(f"option {shown} got a number that is larger than any option takes")
    return f"{json.dumps(name)}: {text}"


def returns_bounds(game: Game) -> tuple[float, float]:
    """The least and the greatest return of a game, as the float32 that results hold.

    >>> returns_bounds(make("sho"))
    (-1.0, 2.0)
    """
    low, high = np.array(game.returns_range, np.float32).tolist()
    return low, high


def show_value(value: object) -> str:
    """An option's value as it can be typed after `--option NAME=`.

    >>> show_value(True), show_value("pass")
    ('true', 'pass')
    """
    return value if isinstance(value, str) else json.dumps(value)
