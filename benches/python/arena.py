"""The arena: how long six agents take to be rated, and how often intervals cover ratings that are known.

Shuanglu is to take less than a minute where every agent takes less than 0.1 ms a decision. The coverage is that of
made-up results of five agents, whose ratings are known, in games with as many sides; 95% is due. Shared luck is the
part of the games with the same dice that go as chance has it for all of them.
"""

from __future__ import annotations

import time

import numpy as np

import sarai
from sarai._matches.ratings import ELO, fit, fit_sides, interval
from sarai._matches.schedule import seatings

AGENTS = ["greedy", "random", "expectimax:1", "mcts:1", "mcts:2", "mcts:4"]
GAMES = 1000
TRIALS = 300
RATINGS = (150.0, 60.0, 0.0, -40.0, -170.0)
GROUPS = (20, 100, 500)
LUCK = 0.7


def rated(name: str) -> tuple[sarai.matches.Arena, float, float]:
    """The arena of a game, and the seconds by the wall and of the processors, ratings and intervals among them."""
    plies = 0 if sarai.make(name).max_chance_outcomes else 4
    began, spent = time.perf_counter(), time.process_time()
    a = sarai.arena(name, AGENTS, GAMES, seed=1, random_plies=plies)
    str(a)
    return a, time.perf_counter() - began, time.process_time() - spent


def coverage(num_sides: int, groups: int, luck: float) -> tuple[float, ...]:
    """How often the intervals of ratings, of a difference and of the sides cover the truth."""
    orders = seatings(len(RATINGS), num_sides, "round_robin")
    sides = np.linspace(30, -30, num_sides)
    truth = expected(orders, sides)
    hits = np.zeros(3)
    for seed in range(TRIALS):
        scores = made_up(orders, sides, groups, seed, luck)
        found = fit(orders, scores, len(RATINGS), seed)
        best, samples = found.ratings, found.samples
        hits[0] += covered(best, samples, groups, truth)
        difference = samples[:, :1] - samples[:, 1:2]
        hits[1] += covered(best[:1] - best[1:2], difference, groups, truth[:1] - truth[1:2])
        hits[2] += covered(*fit_sides(orders, scores, len(RATINGS), seed), groups, sides)
    return tuple((hits / TRIALS).tolist())


def covered(best: np.ndarray, samples: np.ndarray, groups: int, truth: np.ndarray) -> float:
    """The share of the intervals that cover the truth."""
    low, high = interval(best, samples, groups)
    return float(((low <= truth) & (truth <= high)).mean())


def chances(orders: np.ndarray, sides: np.ndarray) -> np.ndarray:
    power = np.exp((np.array(RATINGS)[orders] + sides) / ELO)
    return power / power.sum(axis=1, keepdims=True)


def expected(orders: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """The ratings that endless games would give: over all seat orders, sides that differ bring agents together."""
    return fit(orders, chances(orders, sides)[np.newaxis], len(RATINGS), 0, resamples=0).ratings


def made_up(orders: np.ndarray, sides: np.ndarray, groups: int, seed: int, luck: float) -> np.ndarray:
    """Results of agents with these ratings: (G, S, K), 1 for the side that won."""
    rng = np.random.default_rng(seed)
    shape = (groups, *orders.shape)
    own, common = rng.gumbel(size=shape), rng.gumbel(size=(groups, 1, orders.shape[1]))
    noise = np.where(rng.random((groups, len(orders), 1)) < luck, common, own)
    power = (np.array(RATINGS)[orders] + sides) / ELO
    return np.eye(orders.shape[1])[(power + noise).argmax(axis=2)]


def main() -> None:
    print(
        f"{'game':<9} {'sides':>5} {'games':>7} {'wall':>7} {'processor':>9} {'slowest':>9}   "
        f"{'groups':>6} {'luck':>5} {'ratings':>7} {'difference':>10} {'sides':>6}"
    )
    for name in sarai.games():
        a, wall, spent = rated(name)
        sides = max(a.sides) + 1
        slowest = max(a.milliseconds)
        print(
            f"{name:<9} {sides:>5} {a.num_games:>7,} {wall:>5.1f} s {spent:>7.1f} s {slowest:>6.3f} ms",
            flush=True,
        )
        for groups in GROUPS:
            for luck in (0.0, LUCK):
                shares = "  ".join(f"{share:>7.1%}" for share in coverage(sides, groups, luck))
                print(f"{name:<9} {'covered':>45} {groups:>6} {luck:>5} {shares}", flush=True)


if __name__ == "__main__":
    main()
