"""Exact tables in use: probes a second, on one thread and on two, and how "perfect" fares from decided positions.

Probes are of random positions of the tables, in no order, looked up once before so that what fits into memory is
there. The times of one thread are of the processor, so that other work on the machine disturbs less; two threads are
timed by the wall. Games are played with so many turns left as the tables promise: a win that takes longer would be a
draw.
"""

from __future__ import annotations

import argparse
import re
import time
import timeit
from collections.abc import Callable

import numpy as np

import sarai

ROWS = 1_000_000
LIMIT = 1000


def probes(tables: sarai.exact.Tables) -> None:
    """Print probes a second: the first time, of one processor and of two, the best of some rounds each."""
    states = tables.sample_states(ROWS, seed=1)

    def rate(threads: int, clock: Callable[[], float], rounds: int = 5) -> float:
        work = timeit.Timer(lambda: tables.values(states, num_threads=threads), timer=clock)
        return ROWS / min(work.repeat(rounds, 1)) / 1e6

    first, one = rate(1, time.perf_counter, 1), rate(1, time.process_time)
    ratio = rate(2, time.perf_counter) / rate(1, time.perf_counter)
    few = list(states[:20_000])
    loop = timeit.timeit(lambda: [tables.value(state) for state in few], timer=time.process_time, number=1)
    print(
        f"probes of {ROWS:,} random positions: {first:.1f} M/s the first time, {one:.1f} M/s a core,", end=" "
    )
    print(f"two threads {ratio:.2f} times one; one state at a time {len(few) / loop / 1e6:.2f} M/s")


def games(tables: sarai.exact.Tables, count: int, others: list[str]) -> None:
    """Print how many games from decided positions the side won that ought to win."""
    game = sarai.make(
        tables.game.name, rules={**tables.game.rules, "no_capture_limit": 0, "max_turns": LIMIT}
    )
    sampled = tables.sample_states(2 * count, seed=2)
    values, turns = tables.values(sampled)
    rows = np.flatnonzero(turns > 0)[:count]
    lines = (str(sampled[row]) for row in rows)
    texts = (
        re.sub(r"turn=\d+", f"turn={LIMIT - turn}", line)
        for line, turn in zip(lines, turns[rows], strict=True)
    )
    states = sarai.States.from_states(map(game.parse, texts))
    # Seat 0 is the side to move, or makes extra moves for the blocked one.
    winner = np.where(values[rows] > 0, states.current_player(), 1 - states.current_player())
    agent = sarai.agents.Perfect(tables)
    for other in others:
        began, won, lost = time.perf_counter(), 0, 0
        for seat in (0, 1):
            some = states[np.flatnonzero(winner == seat)]
            seats = [agent, other] if seat == 0 else [other, agent]
            returns = some.rollout(seats, 1, seed=3).returns[:, 0, seat]
            won, lost = won + int((returns > 0).sum()), lost + int((returns < 0).sum())
        taken = time.perf_counter() - began
        print(
            f"{other} against perfect: {len(rows):,} games, {won:,} won in time, {lost:,} lost; {taken:.0f} s",
            flush=True,
        )


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--tables", help="A folder of tables of Shah. Default: those that come with the package."
    )
    parser.add_argument("--cache-mb", type=int, default=256)
    parser.add_argument("--games", type=int, default=0, help="How many games against each agent.")
    parser.add_argument("--against", nargs="*", default=["random", "greedy", "alphabeta:4", "mcts:50"])
    given = parser.parse_args()
    began = time.perf_counter()
    tables = sarai.exact.load("shah", given.tables, cache_mb=given.cache_mb)
    print(f"opened and checked in {time.perf_counter() - began:.2f} s")
    probes(tables)
    if given.games:
        games(tables, given.games, given.against)


if __name__ == "__main__":
    main()
