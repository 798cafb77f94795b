"""The calls that play whole games, with arguments that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import sarai
from attack import values, worlds
from attack.trial import Met, OwnError, Trial, shown
from attack.verbs import index_of

SHORT: dict[str, dict[str, Any]] = {
    **{name: {"max_turns": 20} for name in worlds.GAMES},
    "sho": {"players": 2, "coins": 2, "num_shells": 8},
    "shah": {"max_turns": 20, "no_capture_limit": 10},
    "tshupu": {"pieces": 1, "max_turns": 60},
}
"""Rules under which games are soon over: few turns for any game, fewer pieces where that helps."""

RANGES: dict[str, tuple[int, int, bool]] = {
    "num_games": (1, 10**8, False),
    "num_series": (1, 10**6, False),
    "seed": (0, 2**64 - 1, True),
    "first_game": (0, 2**64 - 2, False),
    "first_series": (0, 2**64 - 2, False),
    "number": (0, 2**64 - 2, False),
    "num_threads": (1, 256, True),
    "max_decisions": (1, 2**63, False),
    "target": (1, 1000, False),
    "max_games": (1, 100_000, False),
    "random_plies": (0, 1000, False),
}
"""What whole numbers each argument takes at most, and whether None too."""

CALLS: dict[Callable[..., Any], tuple[str, ...]] = {
    sarai.rollout: (
        "num_games",
        "agents",
        "seed",
        "rules",
        "preset",
        "num_threads",
        "progress",
        "first_game",
        "keep",
        "random_plies",
    ),
    sarai.trajectories: (
        *("num_games", "agents", "seed", "rules", "preset", "num_threads", "progress", "first_game"),
        *("max_decisions", "random_plies"),
    ),
    sarai.play_series: (
        "agents",
        "target",
        "consecutive",
        "seed",
        "rules",
        "preset",
        "max_games",
        "random_plies",
    ),
    sarai.rollout_series: (
        *("num_series", "agents", "target", "consecutive", "seed", "rules", "preset", "max_games"),
        "num_threads",
        *("progress", "first_series", "random_plies"),
    ),
    sarai.Record.play: ("agents", "seed", "number", "rules", "preset"),
}


def attack(trial: Trial) -> None:
    """One case: one call, as it should be but for an argument or two."""
    rng = trial.rng
    function = rng.choice(list(CALLS))
    game = rng.choice(worlds.GAMES)
    given = proper(function, game)
    names = rng.sample(CALLS[function], rng.choice([1, 1, 1, 2, 3]))
    for name in names:
        given[name] = wrong(trial, name, game)
    first: Any = game
    alone = len(names) == 1
    if rng.random() < 0.05:
        alone = False
        first = rng.choice(
            [values.anything(rng), values.text(rng, worlds.GAMES), sarai.make(game, **SHORT[game])]
        )
    if rng.random() < 0.05:
        alone = False
        given[values.text(rng, list(given))] = values.anything(rng)
    met = trial.call(function, first, **given)
    if met.error is None:
        accepted(trial, function, first, given, met)
    elif alone:
        kind_of_error(trial, names[0], given[names[0]], met)


def proper(function: Callable[..., Any], game: str) -> dict[str, Any]:
    """Arguments that all are as they should be."""
    proper: dict[str, Any] = {"rules": dict(SHORT[game]), "seed": 5, "agents": "random"}
    if "num_threads" in CALLS[function]:
        proper["num_threads"] = 1
    for name in ("num_games", "num_series"):
        if name in CALLS[function]:
            proper[name] = 2
    if "target" in CALLS[function]:
        proper |= {"target": 1, "max_games": 3}
    return proper


def wrong(trial: Trial, name: str, game: str) -> Any:
    """What an argument may not take."""
    rng = trial.rng
    if name in RANGES:
        low, high, _ = RANGES[name]
        if name in ("num_games", "num_series", "max_games", "num_threads", "target"):
            high += 1  # the most of it would take long, and is nothing wrong
        return rng.choice([values.numbers(rng), values.anything(rng), low, low - 1, high, high + 1])
    if name == "agents":
        agents = ["random", "greedy", "mcts:2"]
        listed = [
            rng.choice([*agents, values.text(rng, agents), values.anything(rng)])
            for _ in range(rng.randrange(5))
        ]
        return rng.choice(
            [values.text(rng, agents), values.anything(rng), listed, tuple(listed), iter(listed)]
        )
    if name == "rules":
        return rng.choice([values.anything(rng), {**SHORT[game], values.text(rng, list(SHORT[game])): 1}])
    if name == "preset":
        return rng.choice([values.text(rng, list(sarai.presets(game))), values.anything(rng), game])
    if name == "progress":
        return rng.choice(
            [values.anything(rng), values.Raises(), True, lambda *_: 1 / 0 if _ is None else None]
        )
    if name == "keep":
        rows = [
            rng.choice([0, 1, 2, -1, values.numbers(rng), values.anything(rng)])
            for _ in range(rng.randrange(4))
        ]
        return rng.choice(
            [rows, tuple(rows), np.array([0, 1]), np.array([0.0]), iter([0]), values.anything(rng)]
        )
    return rng.choice([values.anything(rng), values.bools(2)[0], np.True_, 1])


def kind_of_error(trial: Trial, name: str, given: Any, met: Met) -> None:
    """A number that is none is a TypeError, one out of range a ValueError."""
    if name not in RANGES or isinstance(met.error, OwnError):
        return
    _, _, none = RANGES[name]
    whole = index_of(given)
    due = ValueError if whole is not None else TypeError
    if not (given is None and none):
        right = isinstance(met.error, due)
        trial.hold(right, f"{name}={shown(given)}: {type(met.error).__name__}: {met.error}", due.__name__)


def accepted(trial: Trial, function: Callable[..., Any], game: Any, given: dict[str, Any], met: Met) -> None:
    """What was taken can only have been proper, is told by the result, and gives the same a second time."""
    for name in set(given) & set(RANGES):
        low, high, none = RANGES[name]
        whole = index_of(given[name])
        taken = (given[name] is None and none) or (whole is not None and low <= whole <= high)
        trial.hold(taken, f"{function.__name__}({name}={shown(given[name])})", f"{low} to {high}")
        told = getattr(met.value, name, whole)
        told = len(told) if isinstance(told, np.ndarray) else told
        trial.hold(told == whole or given[name] is None, f"{name}: {shown(whole)} became {told}", "the same")
    rules = given.get("rules")
    if isinstance(rules, dict):
        trial.hold(met.value.rules.items() >= rules.items(), f"{rules} became {met.value.rules}", "the same")
    once = ("agents", "keep")
    if given.get("seed") is None or any(hasattr(given.get(name), "__next__") for name in once):
        return
    again = function(game, **given)
    trial.hold(again == met.value, f"{function.__name__}({shown(given)}) twice", "the same result")
