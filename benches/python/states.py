"""Many positions at once: rows a second of every game, on one thread and on two.

The peer of each question is the same asked of single `State` objects in a loop; that of games from given states is as
many games from the start. The times are of the processor, not of the wall, so that other work on the machine disturbs
less; two threads are timed by the wall.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import sarai

ROWS = 65_536
LOOP = 2_000
POSITIONS = 1_000


def rate(
    work: Callable[[], object], rows: int, clock: Callable[[], float] = time.process_time, rounds: int = 5
) -> float:
    """Rows a second of the best of some rounds; the first is not counted, in which memory is touched."""
    best = 0.0
    for turn in range(rounds + 1):
        start = clock()
        work()
        taken = clock() - start
        if turn:
            best = max(best, rows / taken)
    return best


def questions(s: sarai.States, threads: int) -> dict[str, Callable[[], object]]:
    """What is asked of all rows."""
    seen = np.empty((len(s), *s.game.observation_shape), np.int8)
    mask = np.empty((len(s), s.game.num_actions), np.int8)

    def afterstates() -> object:
        ends = s.afterstates(num_threads=threads).states
        out = room.setdefault(len(ends), np.empty((len(ends), *s.game.observation_shape), np.int8))
        return ends.observation_tensor(out=out, num_threads=threads)

    room: dict[int, np.ndarray] = {}
    return {
        "observations": lambda: s.observation_tensor(out=seen, num_threads=threads),
        "legal_actions_mask": lambda: s.legal_actions_mask(out=mask, num_threads=threads),
        "successors": lambda: s.successors(num_threads=threads),
        "afterstates, observed": afterstates,
    }


def loops(states: list[sarai.State]) -> dict[str, Callable[[], object]]:
    """The same, state by state."""
    return {
        "observations": lambda: [state.observation_tensor() for state in states],
        "legal_actions_mask": lambda: [state.legal_actions_mask() for state in states],
        "successors": lambda: [state.child(action) for state in states for action in state.legal_actions()],
        "afterstates, observed": lambda: [
            after.observation_tensor(0) for state in states for after in state.afterstates().states
        ],
    }


def games_from(s: sarai.States, rounds: int = 3) -> tuple[float, float]:
    """Decisions a second of games from each state, and of as many from the start."""
    games = 100 * len(s)

    def from_states() -> object:
        return s.rollout(num_games=100, seed=2, num_threads=1)

    def from_start() -> object:
        return sarai.rollout(s.game, num_games=games, seed=2, num_threads=1)

    here, there = (int(played().lengths.sum()) for played in (from_states, from_start))  # type: ignore[attr-defined]
    return rate(from_states, here, rounds=rounds), rate(from_start, there, rounds=rounds)


def main() -> None:
    """Print a row a game, preset and question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=[*sarai.games(), "shuanglu:backgammon"])
    row = "{:<9} {:<12} {:<22} {:>9} {:>9} {:>7} {:>7}"
    print(row.format("game", "preset", "question", "peer M/s", "1 thread", "ratio", "2 to 1"))
    for name in parser.parse_args().games:
        game, _, preset = name.partition(":")
        s = sarai.make(game, preset=preset or None).sample_states(num_games=ROWS, seed=1)
        asked, doubled, alone = questions(s, 1), questions(s, 2), loops(list(s[:LOOP]))
        rows = {
            "successors": len(s.successors().states),
            "afterstates, observed": len(s.afterstates().states),
        }
        for question in asked:
            count = rows.get(question, ROWS)
            one = rate(asked[question], count)
            loop = rate(alone[question], count * LOOP // ROWS, rounds=1)
            walls = [rate(work[question], count, time.perf_counter) for work in (asked, doubled)]
            cells = f"{loop / 1e6:.2f}", f"{one / 1e6:.1f}", f"{one / loop:.0f}", f"{walls[1] / walls[0]:.2f}"
            print(row.format(game, preset or "-", question, *cells), flush=True)
        here, there = games_from(s[:POSITIONS])
        cells = f"{there / 1e6:.2f}", f"{here / 1e6:.1f}", f"{here / there:.2f}", "-"
        print(row.format(game, preset or "-", "games, decisions", *cells), flush=True)


if __name__ == "__main__":
    main()
