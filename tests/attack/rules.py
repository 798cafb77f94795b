"""Games, presets and options."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import sarai
from attack import values, worlds
from attack.trial import Trial, shown
from sarai import _core


@cache
def options(game: str) -> tuple[dict[str, Any], ...]:
    """What a game says of its options."""
    return tuple(json.loads(_core.describe_json(game))["options"])


def attack(trial: Trial) -> None:
    """One case."""
    trial.rng.choice((one_option, one_option, many_options, names, as_json, comparisons))(trial)


def one_option(trial: Trial) -> None:
    """A value that an option may not take."""
    name = trial.rng.choice(worlds.GAMES)
    option = trial.rng.choice(options(name))["name"]
    for _ in range(4):
        value = values.anything(trial.rng)
        made(trial, name, None, {option: value}, as_keyword=trial.rng.random() < 0.5)


def many_options(trial: Trial) -> None:
    """Several options, most of them values that each alone would take, some not."""
    rng = trial.rng
    name = rng.choice(worlds.GAMES)
    chosen: dict[str, Any] = {}
    known = options(name)
    for option in rng.sample(known, min(rng.randrange(1, 5), len(known))):
        chosen[option["name"]] = (
            values.anything(rng) if rng.random() < 0.2 else likely(trial, option["takes"], option["default"])
        )
    if rng.random() < 0.1:
        chosen[values.text(rng, list(chosen))] = 1
    preset = rng.choice([None, *sarai.presets(name)])
    made(trial, name, preset, chosen, as_keyword=rng.random() < 0.5)


def likely(trial: Trial, takes: str, default: Any) -> Any:
    """A value that fits the words of what an option takes, or lies just beside."""
    rng = trial.rng
    if "true or false" in takes:
        return rng.choice([True, False, np.True_])
    if "integer from" in takes:
        low, high = (int(word) for word in takes.split() if word.isdigit())
        return rng.choice([low, high, low - 1, high + 1, rng.randint(low, high), np.int32(low)])
    words = [word.strip('"') for word in takes.split() if word.startswith('"')]
    return rng.choice([*words, default, *([values.near(rng, words[0])] if words else [0.5, 2])])


def made(trial: Trial, name: str, preset: str | None, given: dict[str, Any], *, as_keyword: bool) -> None:
    """Make a game of it; what was taken must be what was given, and an equal game comes of what it says."""
    met = (
        trial.call(sarai.make, name, preset=preset, **given)
        if as_keyword
        else trial.call(sarai.make, name, preset=preset, rules=given)
    )
    game = met.value
    if met.error is not None:
        return
    for option, value in given.items():
        took = game.rules[option]
        alike = isinstance(took, bool) == isinstance(value, bool | np.bool_)
        exact = plain(value)
        same = took == (float(exact) if isinstance(took, float) else exact)
        came = f"{name}, {option}: given {shown(value)}, taken {shown(took)}"
        trial.hold(alike and bool(same), came, "what was given")
    again = sarai.make(name, rules=game.rules)
    copies = [again, copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    trial.hold(
        all(each == game and hash(each) == hash(game) for each in copies), f"{game.rules}", "equal games"
    )
    state = game.new_initial_state()
    trial.hold(
        bool(worlds.choices(state)) or state.is_terminal(), f"{game.rules}: nothing to do", "a way to begin"
    )
    low, high = game.returns_range
    trial.hold(
        math.isfinite(low) and math.isfinite(high) and low <= high, f"returns {low} to {high}", "finite"
    )


def plain(value: Any) -> Any:
    """A number that a game's rules can hold."""
    if hasattr(value, "__index__") and not isinstance(value, bool):
        return value.__index__()
    return value


def names(trial: Trial) -> None:
    """Names that are none, and what is no name."""
    rng = trial.rng
    name = rng.choice(worlds.GAMES)
    for _ in range(3):
        wrong = values.text(rng, worlds.GAMES) if rng.random() < 0.7 else values.anything(rng)
        calls: list[Callable[..., Any]] = [sarai.presets, sarai.make, sarai.Game]
        met = trial.call(rng.choice(calls), wrong)
        known = isinstance(wrong, str) and wrong in worlds.GAMES
        trial.hold(met.error is not None or known, f"{shown(wrong)} is a game", "a refusal")
    wrong = values.text(rng, list(sarai.presets(name))) if rng.random() < 0.7 else values.anything(rng)
    met = trial.call(rng.choice(calls[1:]), name, preset=wrong)
    known = wrong is None or (isinstance(wrong, str) and wrong in sarai.presets(name))
    trial.hold(met.error is not None or known, f"{shown(wrong)} is a preset", "a refusal")
    option = values.text(rng, [option["name"] for option in options(name)])
    met = trial.call(sarai.make, name, rules={option: rng.choice([1, True, "both"])})
    known = any(option == each["name"] for each in options(name))
    trial.hold(met.error is not None or known, f"{shown(option)} is an option", "a refusal")
    trial.call(sarai.make, name, rules=values.anything(rng))
    key = values.anything(rng)
    try:
        keyed = {key: 1}
    except BaseException:
        return
    trial.call(sarai.make, name, rules=keyed)


def as_json(trial: Trial) -> None:
    """The text that the compiled class takes."""
    rng = trial.rng
    name = rng.choice(worlds.GAMES)
    text = json.dumps(sarai.make(name).rules)
    for _ in range(4):
        place = rng.randrange(len(text))
        wrong = rng.choice(
            [
                *(text[:place], text[:place] + rng.choice('{}[]",:0-e\\\0é') + text[place + 1 :]),
                text + text,
                *(text[:place] + text[place + 1 :], values.text(rng), text.replace("false", "1e400")),
                f"[{text}]",
                *(text.replace(":", ": " * 100, 1), '{"stake": ' + "9" * 400 + "}"),
                text.replace("{", '{"a": ' * 500),
            ]
        )
        met = trial.call(sarai.Game, name, None, wrong)
        if met.error is None:
            told = json.loads(wrong)
            taken = {option: met.value.rules[option] for option in told}
            trial.hold(taken == told, f"{wrong:.200} became {taken}", "what was given")
    trial.call(sarai.Game, name, None, values.anything(rng))
    trial.call(sarai.Game, *[values.anything(rng) for _ in range(rng.randrange(5))])


def comparisons(trial: Trial) -> None:
    """A game beside what is none; what it returns is a copy."""
    game = worlds.some_game(trial.rng)
    before = game.rules
    other = values.anything(trial.rng)
    met = trial.call(lambda one, two: one == two, game, other)
    if not isinstance(other, np.ndarray | np.generic):
        trial.hold(
            met.error is not None or met.value is False, f"a game equals {type(other).__name__}", "False"
        )
    trial.call(lambda one, two: one < two, game, other)
    game.rules.clear()
    game.sides.clear()
    game.statistics.clear()
    for part in game.observation_spec:
        part.clear()
    trial.same(game.rules, before, "rules after what was returned was emptied")
    rebuild, arguments = game.__reduce__()
    wrong = list(arguments)
    wrong[trial.rng.randrange(len(wrong))] = values.anything(trial.rng)
    trial.call(rebuild, *wrong)
