"""What it costs to measure games: the ratio of `sarai.metrics` to `sarai.rollout` of the same games, of every game.

Measured are the metrics without judgements, with positions counted as by default and not at all. Both are taken in
turns, and the best of several rounds counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import sarai


def seconds(play: Callable[[], object]) -> float:
    """How long it takes."""
    begun = time.perf_counter()
    play()
    return time.perf_counter() - begun


def main() -> None:
    """Print a row a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    games, threads = given.games, given.threads
    print(f"{'game':<10}{'games':>10}{'rollout s':>12}{'metrics s':>12}{'ratio':>8}{'no boards':>12}")
    for name in sarai.games():
        calls: list[Callable[[], object]] = [
            lambda name=name: sarai.rollout(name, num_games=games, num_threads=threads, seed=0),
            lambda name=name: sarai.metrics(name, num_games=games, num_threads=threads, seed=0),
            lambda name=name: sarai.metrics(
                name, num_games=games, num_threads=threads, board_games=0, seed=0
            ),
        ]
        rounds = [[seconds(call) for call in calls] for _ in range(given.rounds)]
        plain, measured, bare = (min(times) for times in zip(*rounds, strict=True))
        print(
            f"{name:<10}{games:>10,}{plain:>12.3f}{measured:>12.3f}{measured / plain:>8.2f}{bare / plain:>12.2f}"
        )


if __name__ == "__main__":
    main()
