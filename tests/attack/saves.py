"""Ctrl-C while something is saved: the old file or the new one, whole, and no temporary file."""

from __future__ import annotations

import gc
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import sarai
from attack.calls import SHORT
from attack.interrupting import interrupted
from attack.trial import Trial


@cache
def results() -> dict[str, tuple[Any, Any]]:
    """Two of every kind that can be saved, by the ending of its file."""
    how: dict[str, Any] = {"rules": SHORT["sho"], "num_threads": 1}

    def both(play: Callable[[int], Any]) -> tuple[Any, Any]:
        return play(1), play(2)

    made = {
        "rollout.npz": both(lambda seed: sarai.rollout("sho", 4, seed=seed, keep=[1], **how)),
        "trajectories.npz": both(lambda seed: sarai.trajectories("sho", 2, seed=seed, **how)),
        "series.npz": both(
            lambda seed: sarai.rollout_series("sho", 2, target=1, max_games=2, seed=seed, **how)
        ),
        "arena.npz": both(lambda seed: sarai.arena("sho", ["greedy", "random"], 2, seed=seed, **how)),
        "record.json": both(lambda seed: sarai.Record.play("sho", seed=seed, rules=SHORT["sho"])),
        "record.txt": both(lambda seed: sarai.Record.play("sho", seed=seed, rules=SHORT["sho"])),
    }
    return {name: pair for name, pair in made.items() if hasattr(pair[0], "save")}


@cache
def places(name: str, there: bool) -> int:
    """At how many places a save can be interrupted."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        if there:
            path.write_bytes(b"old")
        return interrupted(lambda: results()[name][0].save(path), None).count


def attack(trial: Trial) -> None:
    """One case: a few saves of one kind, each interrupted somewhere."""
    rng = trial.rng
    name = rng.choice(list(results()))
    first, second = results()[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        for _ in range(4):
            there = rng.random() < 0.7
            path.unlink(missing_ok=True)
            if there:
                first.save(path)
            before = path.read_bytes() if there else None
            at = rng.randrange(places(name, there))
            done = interrupted(lambda: second.save(path), at)
            # Between open() and the line that would close it nothing in Python can: that file is closed by its end.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                gc.collect()
            trial.met["KeyboardInterrupt"] += 1
            words = f"the save of {name} interrupted at place {at}, {done.said}"
            trial.hold(done.instead is None, lambda: f"{words}: {done.instead!r}", "KeyboardInterrupt")
            left = sorted(each.name for each in Path(folder).iterdir() if each != path)
            trial.hold(not left, f"{words}: left {left}", "no other file")
            after = path.read_bytes() if path.exists() else None
            if after == before:
                continue
            trial.hold(after is not None, f"{words}: the file is gone", "the old one or the new one")
            reader = (
                sarai.Record.load if "record" in name else type(second).load if "traj" in name else sarai.load
            )
            trial.hold(
                reader(path) == second, f"{words}: neither the old nor the new", "the old one or the new one"
            )
