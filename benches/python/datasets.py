"""Datasets: games a second into Parquet, in this process, and by one and by two worker processes; bytes a game.

The peer in the same run is a rollout of the same games that is not written. Workers have one thread each, and are warm.
"""

from __future__ import annotations

import tempfile
import time
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path

import sarai
from sarai._datasets import executors

GAMES = 400_000
PARTS = 20
ROUNDS = 3


def warm(executor: Executor, workers: int) -> None:
    """Let every worker import what it needs for a part."""
    with tempfile.TemporaryDirectory() as folder:
        sarai.dataset(
            "sho", num_games=8000 * workers, out=folder, chunk_games=2000, executor=executor, seed=0
        )


def rate(name: str, workers: int | None) -> tuple[float, float]:
    """Games a second, and bytes a game."""
    with executors.processes(workers) if workers else nullcontext() as executor:
        if executor is not None and workers:
            warm(executor, workers)
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            made = sarai.dataset(
                name,
                num_games=GAMES,
                out=Path(folder),
                chunk_games=max(GAMES // PARTS, 1),
                executor=executor,
                seed=0,
            )
            return GAMES / (time.perf_counter() - start), made.num_bytes / GAMES


def main() -> None:
    """Print a row a game."""
    header = ("rollout/s", "dataset/s", "1 worker/s", "2 workers/s")
    print(f"{'game':<10}{''.join(f'{name:>12}' for name in header)}{'ratio':>8}{'bytes':>8}")
    for name in sarai.games():
        best = dict.fromkeys(header, 0.0)
        length = 0.0
        # The best of some rounds: other programs only ever make it slower.
        for _ in range(ROUNDS):
            start = time.perf_counter()
            sarai.rollout(name, num_games=GAMES, seed=0)
            rates = [GAMES / (time.perf_counter() - start)]
            for workers in (None, 1, 2):
                found, length = rate(name, workers)
                rates.append(found)
            best = {what: max(best[what], found) for what, found in zip(header, rates, strict=True)}
        ratio = best["2 workers/s"] / best["1 worker/s"]
        print(f"{name:<10}{''.join(f'{best[what]:>12,.0f}' for what in header)}{ratio:>8.2f}{length:>8.1f}")


if __name__ == "__main__":
    main()
