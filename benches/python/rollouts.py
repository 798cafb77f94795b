"""Whole games through the Python face: decisions a second of every game, on one thread and on two.

The peer in the same run is a loop in Python over the same engine's `State`, the OpenSpiel way of playing.
"""

from __future__ import annotations

import random
import time

import sarai

GAMES = 20_000
LOOP_GAMES = 100


def loop(name: str) -> float:
    """Decisions a second of a Python loop over `State`."""
    rng = random.Random(1)
    decisions = 0
    start = time.perf_counter()
    for _ in range(LOOP_GAMES):
        state = sarai.make(name).new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return decisions / (time.perf_counter() - start)


def main() -> None:
    """Print a row a game."""
    print(f"{'game':<10}{'State loop/s':>14}{'1 thread/s':>14}{'ratio':>8}{'2 threads/s':>14}{'ratio':>8}")
    for name in sarai.games():
        peer = loop(name)
        rates = []
        for threads in (1, 2):
            best = 0.0
            for _ in range(3):
                result = sarai.rollout(name, num_games=GAMES, seed=1, num_threads=threads)
                best = max(best, float(result.lengths.sum()) / result.seconds)
            rates.append(best)
        one, two = rates
        print(f"{name:<10}{peer:>14,.0f}{one:>14,.0f}{one / peer:>8.1f}{two:>14,.0f}{two / one:>8.2f}")


if __name__ == "__main__":
    main()
