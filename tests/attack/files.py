"""Files that were damaged or made by a stranger: refused, or they hold what was saved."""

from __future__ import annotations

import json
import os
import resource
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import sarai
from attack import crafted, values, worlds
from attack.calls import SHORT
from attack.positions import changed, changed_text
from attack.scratch import folder
from attack.trial import OwnError, Trial, shown

ROOM = 1 << 30
"""Bytes of memory beyond what the process has when it begins."""

_SIZE = 1 << 31


def prepare() -> None:
    """Take the rest of the memory away: whoever inflates a bomb must fail."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))


@cache
def saved(game: str) -> dict[str, tuple[Any, bytes]]:
    """A result of every kind with its file, by its kind."""
    how: dict[str, Any] = {"rules": SHORT[game], "num_threads": 1}
    made: dict[str, Any] = {
        "rollout": sarai.rollout(game, 6, seed=3, keep=[1, 4], **how),
        "plain rollout": sarai.rollout(game, 6, seed=4, **how),
        "trajectories": sarai.trajectories(game, 3, seed=3, **how),
        "series": sarai.rollout_series(game, 4, target=1, max_games=3, seed=3, **how),
        "arena": sarai.arena(game, ["greedy", "random"], 4, seed=3, keep=[0], **how),
        "json": sarai.Record.play(game, seed=3, rules=SHORT[game]),
        "txt": sarai.Record.play(game, seed=4, rules=SHORT[game]),
    }
    found = {}
    for kind, result in made.items():
        if not hasattr(result, "save"):
            continue
        path = folder() / f"{game}.{kind if kind in ('json', 'txt') else 'npz'}"
        result.save(path)
        found[kind] = result, path.read_bytes()
    return found


def readers(kind: str, result: Any) -> list[Any]:
    """What reads a file of this kind."""
    if kind in ("json", "txt"):
        return [sarai.Record.load]
    own = getattr(type(result), "load", None)
    return [sarai.load, *([own] if own is not None else [])]


def attack(trial: Trial) -> None:
    """One case: one file, damaged in one way, read by everything that could read it."""
    rng = trial.rng
    game = rng.choice(worlds.GAMES)
    if rng.random() < 0.08:
        return paths(trial, game)
    kinds = saved(game)
    kind = rng.choice(list(kinds))
    result, data = kinds[kind]
    if kind in ("json", "txt"):
        wrong, must = spoiled_record(trial, kind, data, game)
        words = f"a record, {kind}"
    else:
        other = kinds["trajectories" if "rollout" in kind else "rollout"][1]
        wrong, must, how = spoiled_archive(trial, data, other)
        words = f"{kind}, {how}"
    path = folder() / f"spoiled.{kind if kind in ('json', 'txt') else 'npz'}"
    path.write_bytes(wrong)
    open_before = len(os.listdir("/proc/self/fd"))
    for reader in readers(kind, result):
        met = trial.call(reader, path)
        if met.error is None and must:
            came = f"{reader.__qualname__} took {words}: {shown(met.value)} for {shown(result)}"
            trial.hold(met.value == result, came, "a refusal, or what was saved")
    left = len(os.listdir("/proc/self/fd"))
    trial.hold(left == open_before, f"{words}: {left - open_before} files left open", "none")
    return None


def spoiled_record(trial: Trial, kind: str, data: bytes, game: str) -> tuple[bytes, bool]:
    """A record that says something else; whether it must be refused unless it says the same."""
    rng = trial.rng
    if rng.random() < 0.3:
        return crafted.flipped(rng, data), False
    if kind == "txt" or rng.random() < 0.3:
        return changed_text(rng, data.decode()).encode("utf-8", "surrogatepass"), False
    told = json.loads(data)
    if rng.random() < 0.5:
        told = {**told, "steps": changed(rng, told["steps"])}
        must = True
    else:
        key = rng.choice(list(told))
        told[key] = rng.choice(
            [crafted.impossible(rng, key), values.text(rng), {**SHORT[game], "max_turns": 3}]
        )
        must = False
    try:
        return json.dumps(told).encode(), must
    except (TypeError, ValueError, RecursionError, OwnError):
        return b"[" * 100_000, True


def spoiled_archive(trial: Trial, data: bytes, other: bytes) -> tuple[bytes, bool, str]:
    """An archive with something wrong, whether it must be refused unless it says the same, and what is wrong."""
    rng = trial.rng
    kind = rng.randrange(14)
    if kind < 4:
        return crafted.flipped(rng, data), True, "bytes changed"
    members = crafted.members_of(data)
    name = rng.choice(list(members))
    if kind < 6:
        return (
            crafted.archive_of({**members, name: crafted.headed(rng, members[name])}),
            True,
            f"a header of {name}",
        )
    if kind < 8:
        return crafted.archive_of(crafted.told_otherwise(rng, members)), True, "other metadata"
    if kind < 10:
        spoiled = crafted.impossible_array(rng, members)
        if spoiled is not None:
            return crafted.archive_of(spoiled), True, "an impossible value"
    if kind < 12:
        entries, must = crafted.moved(rng, members, crafted.members_of(other))
        return crafted.archive_of(entries), must, "members moved"
    if kind == 12 and rng.random() < 0.15:
        shown_as_array = rng.random() < 0.5
        make = crafted.bomb([rng.choice([name, "more.npy", "metadata.npy"])], _SIZE, shown_as_array)
        return make(members), False, "a bomb"
    if kind == 12:
        methods = [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
        return (
            crafted.flipped(rng, crafted.archive_of(members, rng.choice(methods))),
            True,
            "another compression",
        )
    less = {each: members[each] for each in members if not each.startswith("records.")}
    return crafted.archive_of(less), True, "its records taken out"


def paths(trial: Trial, game: str) -> None:
    """Paths that are none, and numbers that would be taken for open files."""
    rng = trial.rng
    reading, writing = os.pipe()
    os.close(writing)
    odd = rng.choice(
        [
            *(reading, float(reading), str(folder()), folder(), "", "\0", "a\0b", "x" * 5000, b"", b"\xff"),
            "/dev/null",
            *("/nowhere/x.npz", "/proc/self/mem", None, [], values.numbers(rng), "\ud800.json", open, 0.0),
        ]
    )
    if isinstance(odd, int) and not isinstance(odd, bool) and 0 <= odd < 3:
        odd = reading
    for reader in (sarai.load, sarai.Trajectories.load, sarai.Record.load):
        trial.call(reader, odd, also=(OSError,))
    result = saved(game)["rollout"][0]
    for each in (result, result.records[1]):
        if isinstance(odd, int) or odd not in ("/proc/self/mem", "/dev/null"):
            trial.call(each.save, odd, also=(OSError,))
    try:
        os.close(reading)
    except OSError:
        trial.hold(False, f"a file that was open is closed by reading {shown(odd)}", "it stays open")
    trial.hold(not list(folder().glob("*.tmp")) and not list(folder().glob(".*.tmp")), "a .tmp left", "none")
