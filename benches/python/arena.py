"""The arena: how long six agents take to be rated, and how often intervals cover ratings that are known.

The games are to take less than a minute where every agent takes less than 0.1 ms a decision. The coverage is that of
made-up results, whose ratings are known; 95% is due. Shared luck is what games with the same dice have in common.
"""

from __future__ import annotations

import time

import numpy as np

import sarai
from sarai.matches.ratings import ELO, fit, fit_sides, interval
from sarai.matches.schedule import seatings

AGENTS = ["greedy", "random", "expectimax:1", "mcts:1", "mcts:2", "mcts:4"]
GAMES = 1000
TRIALS = 300
RATINGS = (150.0, 60.0, 0.0, -40.0, -170.0)
KINDS = [(2, 50), (2, 500), (3, 20), (3, 100)]


def speed() -> None:
    began, spent = time.perf_counter(), time.process_time()
    a = sarai.arena("shuanglu", AGENTS, GAMES, seed=1)
    shown = str(a)
    wall, spent = time.perf_counter() - began, time.process_time() - spent
    print(f"\n{shown}\n")
    print(
        f"{a.num_games:,} games of {len(AGENTS)} agents, rated with intervals: {wall:.1f} s, "
        f"{spent:.1f} s of the processors"
    )
    fast = all(standing.milliseconds < 0.1 for standing in a.standings)
    print(f"every agent faster than 0.1 ms a decision: {'yes' if fast else 'no'}; due in under 60 s")


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
    print(f"coverage of 95% intervals in {TRIALS} made-up results of {len(RATINGS)} agents")
    print(f"{'sides':>5}  {'groups':>6}  {'luck':>4}  {'ratings':>7}  {'difference':>10}  {'sides':>6}")
    for num_sides, groups in KINDS:
        for luck in (0.0, 0.7):
            found = coverage(num_sides, groups, luck)
            print(
                f"{num_sides:>5}  {groups:>6}  {luck:>4}  {found[0]:>7.1%}  {found[1]:>10.1%}  {found[2]:>6.1%}",
                flush=True,
            )
    speed()


if __name__ == "__main__":
    main()
