"""Arenas, tests and evaluations, with arguments that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sarai
from attack import values, worlds
from attack.calls import SHORT
from attack.trial import Trial, shown
from attack.verbs import index_of

CALLS: dict[Callable[..., Any], tuple[str, ...]] = {
    sarai.arena: (
        *("agents", "games", "seed", "dice", "schedule", "random_plies", "rules", "preset", "num_threads"),
        *("progress", "keep"),
    ),
    sarai.sprt: (
        *("a", "b", "elo0", "elo1", "alpha", "beta", "max_games", "seed", "random_plies", "num_threads"),
        "progress",
    ),
    sarai.evaluate: ("agent", "opponents", "num_games", "seed", "random_plies", "num_threads", "rules"),
    sarai.evaluate_moves: ("agent", "num_games", "seed", "num_threads", "progress"),
}

_MOST = 100
"""Numbers of games above this take long, and are nothing wrong."""

_NAMES = ("random", "greedy", "mcts:2", "epsilon:0.5[greedy]", "expectimax:1")


def attack(trial: Trial) -> None:
    """One case: one call, as it should be but for an argument or two."""
    rng = trial.rng
    function = rng.choice(list(CALLS))
    game = rng.choice([name for name in worlds.GAMES if function is not sarai.sprt or name != "sho"])
    given = proper(function, game)
    for name in rng.sample(CALLS[function], rng.choice([1, 1, 1, 2, 3])):
        given[name] = wrong(trial, name)
    first: Any = game
    if function is sarai.evaluate_moves:
        first = sarai.sample_states(game, 1, seed=rng.randrange(5), rules=SHORT[game])[0]
    if rng.random() < 0.05:
        first = rng.choice([values.anything(rng), values.text(rng, worlds.GAMES)])
    if function is sarai.evaluate:
        met = trial.call(function, given.pop("agent"), game=first, **given)
    else:
        met = trial.call(function, first, **given)
    if met.error is None:
        trial.call(lambda: (str(met.value), repr(met.value), met.value._repr_html_()))


def proper(function: Callable[..., Any], game: str) -> dict[str, Any]:
    """Arguments that all are as they should be."""
    how: dict[str, Any] = {"seed": 3, "num_threads": 1}
    if function is sarai.evaluate_moves:
        return {**how, "num_games": 3}
    how["rules"] = dict(SHORT[game])
    if function is sarai.arena:
        return {**how, "agents": ["greedy", "random"], "games": 4}
    if function is sarai.sprt:
        return {**how, "a": "greedy", "b": "random", "max_games": 8}
    return {**how, "agent": "greedy", "num_games": 6}


def wrong(trial: Trial, name: str) -> Any:
    """What an argument may not take."""
    rng = trial.rng
    odd = values.anything(rng)
    if name in ("games", "num_games", "max_games", "num_threads", "random_plies", "seed"):
        given = rng.choice([values.numbers(rng), odd, 0, 1, 2, -1, 3])
        number = index_of(given)
        return -1 if name != "seed" and number is not None and number > _MOST else given
    if name in ("elo0", "elo1", "alpha", "beta"):
        return rng.choice([odd, 0, 1, -5, 0.5, 1e9, float("nan"), float("inf"), True, 20.0, 10**400])
    if name in ("dice", "schedule"):
        return rng.choice([values.text(rng, ["shared", "own", "round_robin", "gauntlet"]), odd])
    if name in ("agents", "opponents"):
        some = [rng.choice([*_NAMES, values.text(rng, _NAMES), odd, len]) for _ in range(rng.randrange(4))]
        named = {rng.choice(["a", "b", "", "\ud800", "greedy", "x" * 300]): agent for agent in some}
        return rng.choice(
            [some, tuple(some), iter(some), named, odd, rng.choice(_NAMES), {1: "greedy", 2: "random"}]
        )
    if name in ("a", "b", "agent"):
        return rng.choice([values.text(rng, _NAMES), odd, [], "greedy"])
    if name == "keep":
        return rng.choice([[0], [0, 3], [-1], [10**9], [0.5], odd, iter([0])])
    if name == "progress":
        return rng.choice([odd, False, values.Raises(), lambda *_: None])
    if name == "rules":
        return rng.choice([odd, {"max_turns": 20}, {values.text(rng, ["max_turns"]): shown(odd)}])
    return odd
