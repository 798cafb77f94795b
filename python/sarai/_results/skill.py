"""The skill trace of a game: agents of doubling effort against one another."""

from __future__ import annotations

import math

import numpy as np

from sarai._base import arguments
from sarai._core import Game
from sarai._game import returns_bounds
from sarai._results.metric_values import NO_INTERVAL, Curve, Metric
from sarai._results.rollout import rollout
from sarai.intervals import mean_interval

MAX_LEVELS = 12


def check(game: Game, levels: int, games: int) -> None:
    """Refuse numbers that are out of range, before anything is played.

    Raises:
        ValueError: With what is allowed.
    """
    arguments.from_zero("skill_levels", levels, MAX_LEVELS)
    arguments.between("skill_games", games, len(set(game.sides)), 1_000_000)


def skill_trace(game: Game, levels: int, games: int, seed: int, num_threads: int | None) -> Metric:
    """The metric, from `games` games of each of so many levels; see `sarai._results.measures`."""
    sides = sorted(set(game.sides))
    least, most = returns_bounds(game)
    # Divided as the returns are, or rounding would leave a value beyond the bounds.
    bounds = float(np.float32(least) / np.float32(most)), 1.0
    found: list[tuple[float, float, float]] = []
    for level in range(1, levels + 1):
        strong, weak = f"mcts:{2**level}", f"mcts:{2 ** (level - 1)}"
        utilities = []
        for place, side in enumerate(sides):
            agents = [strong if of == side else weak for of in game.sides]
            # The games that do not divide go to the first sides.
            share = games // len(sides) + (place < games % len(sides))
            played = rollout(game, agents, share, seed=seed, num_threads=num_threads)
            utilities.append(played.returns[:, game.sides.index(side)] / most)
        found.append(mean_interval(np.concatenate(utilities), bounds))
    mean, low, high = zip(*found, strict=True)
    curve = Curve("doublings", tuple(float(level) for level in range(1, levels + 1)), mean, low, high)
    nan = math.nan
    value = traced([float(one) for one in mean])
    return Metric("skill_trace", "share", value, NO_INTERVAL, nan, nan, nan, nan, games * levels, curve)


def traced(utilities: list[float]) -> float:
    """The number for the utilities of the levels, the first level first.

    >>> traced([0.5, 0.5, 0.5]), traced([0.0, 0.0])
    (0.875, 0.0)
    """
    area = min(sum(max(one, 0.0) ** 2 for one in utilities), 1.0)
    n = len(utilities)
    middle = (n - 1) / 2
    mean = sum(utilities) / n
    slope = sum((place - middle) * one for place, one in enumerate(utilities))
    slope /= max(sum((place - middle) ** 2 for place in range(n)), 1.0)
    following = min(max(mean + slope * (n - middle), 0.0), 1.0)
    return following + (1 - following) * area
