"""Make a dataset that is killed at random moments, and one that is not; both must have the same bytes.

    python scripts/check_datasets.py --games 1000000 --kills 50

The undisturbed one is made on Ray with --ray, and in two processes otherwise. Where they are installed, polars and
DuckDB read both. Prints what it has seen, with the seed of the moments; the exit status is 1 when a byte differs.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import sarai


def command(game: str, games: int, chunk: int, folder: Path) -> list[str]:
    numbers = ["--games", str(games), "--chunk-games", str(chunk), "--processes", "2", "--no-progress"]
    return [sys.executable, "-m", "sarai", "dataset", game, *numbers, "--out", os.fspath(folder)]


def parts(folder: Path) -> dict[str, int]:
    """The parts that are there, with their lengths."""
    return {path.name: path.stat().st_size for path in folder.glob("part-*.parquet")}


def killed(words: Sequence[str], folder: Path, kills: int, seconds: float, rng: random.Random) -> int:
    """Kill the command at random moments until it ends by itself.

    Returns:
        How often it was killed.

    Raises:
        ValueError: A finished part was lost.
    """
    hits = 0
    while True:
        before = parts(folder) if folder.exists() else {}
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(rng.uniform(0, seconds) if hits < kills else None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            hits += 1
        now = parts(folder) if folder.exists() else {}
        if not before.items() <= now.items():
            raise ValueError(f"kill {hits} lost {sorted(before.keys() - now.keys())}")
        if process.returncode == 0:
            return hits


def read(folder: Path) -> list[str]:
    """What polars and DuckDB make of it."""
    found = sarai.open_dataset(folder)
    said = []
    if find_spec("polars") is not None:
        import polars

        mean = found.to_polars().select(polars.len(), polars.col("length").cast(polars.Int64).sum()).collect()
        said.append(f"polars: {mean.row(0)}")
    if find_spec("duckdb") is not None:
        import duckdb

        paths = found.paths
        said.append(f"DuckDB: {duckdb.read_parquet(paths).aggregate('count(*), sum(length)').fetchall()[0]}")
    return said


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="shah")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--chunk-games", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=50, help="how often it is killed, at most")
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="the latest moment of a kill, after each start"
    )
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--ray", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder) / "killed", Path(folder) / "undisturbed"
        words = command(asked.game, asked.games, asked.chunk_games, one)
        start = time.perf_counter()
        hits = killed(words, one, asked.kills, asked.seconds, random.Random(asked.seed))
        took = time.perf_counter() - start
        print(f"killed {hits} times, seed {asked.seed}: {asked.games:,} games after {took:.0f} s", flush=True)
        words = command(asked.game, asked.games, asked.chunk_games, other)
        if asked.ray:
            place = words.index("--processes")
            words[place : place + 2] = ["--ray"]
        start = time.perf_counter()
        subprocess.run(words, check=True)
        took = time.perf_counter() - start
        on = "Ray" if asked.ray else "two processes"
        print(f"undisturbed on {on}: {took:.0f} s, {asked.games / took:,.0f} games/s", flush=True)
        names = {path.name for path in one.iterdir()}
        same = names == {path.name for path in other.iterdir()} and all(
            (one / name).read_bytes() == (other / name).read_bytes() for name in names
        )
        found = sarai.open_dataset(one)
        print(
            f"{len(found.parts):,} parts, {found.num_bytes:,} bytes, {'the same' if same else 'NOT the same'}"
        )
        for mine, theirs in zip(read(one), read(other), strict=True):
            print(mine, "" if mine == theirs else f"but undisturbed {theirs}")
            same = same and mine == theirs
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
