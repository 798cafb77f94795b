"""A dataset made on many machines: on a Ray or a Dask cluster, by joblib, or in processes of this machine.

    python examples/cluster.py shah --games 1000000 --out /shared/shah --on ray

The folder is one that every machine sees under the same name, and every machine has the same versions of Sarai and
pyarrow. Ray is found by RAY_ADDRESS, Dask's scheduler by --address. Run it again after whatever has happened: parts
that are whole stay, and the others are made. In the end the bytes are those that one machine would have written alone.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sarai
from sarai._datasets import executors

PLACES = ("ray", "dask", "joblib", "processes", "here")


@contextmanager
def executor(where: str, address: str | None, workers: int) -> Iterator[Any]:
    """What makes the parts."""
    if where == "ray":
        import ray

        # RAY_ADDRESS names a cluster; without it Ray starts on this machine.
        ray.init(address=address, ignore_reinit_error=True)
        yield ray
        ray.shutdown()
    elif where == "dask":
        from dask.distributed import Client

        how = {} if address else {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
        with Client(address, **how) as client:
            yield client
    elif where == "joblib":
        import joblib

        yield joblib.Parallel(n_jobs=workers, return_as="generator_unordered")
    elif where == "processes":
        with executors.processes(workers) as pool:
            yield pool
    else:
        yield None


def main() -> None:
    """Make the dataset, check it, and ask it something."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=sarai.games())
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--chunk-games", type=int, help="the games of a part")
    parser.add_argument("--agents", default="random")
    parser.add_argument("--out", required=True, help="a folder that every machine sees")
    parser.add_argument("--on", choices=PLACES, default="processes")
    parser.add_argument("--address", help="of the cluster")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count(), help="on this machine, where there is no cluster"
    )
    asked = parser.parse_args()
    with executor(asked.on, asked.address, asked.workers) as place:
        made = sarai.dataset(
            asked.game,
            asked.agents,
            asked.games,
            out=asked.out,
            chunk_games=asked.chunk_games,
            executor=place,
            progress=True,
            seed=0,
        )
    print(made)
    print(f"{made.num_bytes / made.num_games:.1f} bytes a game; wrong: {made.verify() or 'nothing'}")
    counts = (
        made.to_pyarrow().to_table(columns=["winner"]).group_by("winner").aggregate([("winner", "count")])
    )
    for row in sorted(counts.to_pylist(), key=lambda row: int(row["winner"])):
        print(f"side {row['winner']:>2} has won {row['winner_count']:,}")


if __name__ == "__main__":
    main()
