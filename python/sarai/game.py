"""Making games by their names."""

from __future__ import annotations

import difflib
import inspect
import json
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from sarai import _core
from sarai._core import Game, State
from sarai.arguments import short


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
        game: A name from `games()`.
        preset: A name from `presets(game)`; None means the default one.
        rules: Options as a dict, applied on top of the preset.
        **options: Options as keywords, applied on top of both.

    Raises:
        ValueError: A game, preset or option is unknown, an option does not take the given value, or options contradict
            each other. The message says what is allowed.

    >>> make("sho", players=2).num_players
    2
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
    return Game(game, preset, "{" + ", ".join(_option(name, value) for name, value in given.items()) + "}")


def as_game(
    game: str | Game,
    rules: Mapping[str, Any] | None,
    preset: str | None,
    options: Mapping[str, Any] | None = None,
    function: Callable[..., object] | None = None,
) -> Game:
    """The game object for a name with its rules, or the one that was given.

    `options` are rule options that a caller gave as keywords; they come on top of `rules`. `function` is what was
    called: one of its own keywords may be meant.
    """
    if not isinstance(game, (str, Game)):
        raise TypeError(
            f"game must be a name (one of sarai.games()) or a sarai.Game, not {type(game).__name__}"
        )
    if options and function is not None:
        known = next(iter(presets(game).values())) if isinstance(game, str) else game.rules
        _check_spelling(options, known, function)
    if isinstance(game, str):
        return make(game, preset=preset, rules=rules, **(options or {}))
    if rules is not None or preset is not None or options:
        given = ", ".join(options or ["rules" if rules is not None else "preset"])[:80]
        raise ValueError(
            f"{given} got a value, but a Game object has its rules already: leave it out, or give the game's name"
        )
    return game


def game_and_start(
    game: str | Game | State,
    rules: Mapping[str, Any] | None,
    preset: str | None,
    options: Mapping[str, Any],
    function: Callable[..., object],
) -> tuple[Game, State | None]:
    """The game, and the state where games start; None is where all games of the rule book do."""
    if not isinstance(game, State):
        return as_game(game, rules, preset, options, function), None
    if rules is not None or preset is not None or options:
        given = ", ".join(options or ["rules" if rules is not None else "preset"])[:80]
        raise ValueError(
            f"{given} got a value, but a State has its rules already: leave it out, or give the game's name"
        )
    return game.get_game(), game.clone()


def _check_spelling(options: Iterable[str], known: Iterable[str], function: Callable[..., object]) -> None:
    """Refuse what looks more like a keyword of the function than like an option of the game.

    Raises:
        ValueError: With the keyword.
    """
    own = list(inspect.signature(function).parameters)
    for name in options:
        near = difflib.get_close_matches(name[:80], [*known, *own], n=1, cutoff=0.7)
        if name not in known and near and near[0] in own:
            raise ValueError(f"unknown option {name[:80]!r} (did you mean {near[0]!r}?)")


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


def show_value(value: object) -> str:
    """An option's value as it can be typed after `--option NAME=`.

    >>> show_value(True), show_value("pass")
    ('true', 'pass')
    """
    return value if isinstance(value, str) else json.dumps(value)


def preset_label(game: str, rules: Mapping[str, Any]) -> str:
    """The preset that rules are nearest to, and the options in which they differ from it.

    Raises:
        ValueError: The game does not exist, or an option is not plain data.

    >>> preset_label("sho", make("sho", preset="lhasa").rules)
    'lhasa'
    >>> preset_label("sho", make("sho", preset="lhasa", players=4).rules)
    'lhasa players=4'
    """
    differences = {
        name: [option for option in rules if option not in options or rules[option] != options[option]]
        for name, options in presets(game).items()
    }
    for option, value in rules.items():
        _option(option, value)
    nearest = min(differences, key=lambda name: len(differences[name]))
    return " ".join([nearest, *(f"{option}={show_value(rules[option])}" for option in differences[nearest])])
