"""Write what only a machine should about a game: look at the difference, and commit it when it is meant.

    make accept-game NAME=sho

- tests/perft/NAME.perft: the `count` of every block whose `source` is the game's reference.py, counted by that and by
  the engine, which must agree; blocks that somebody else has counted are left alone.
- tests/golden/NAME-*.txt and tests/python/render/golden/NAME-*.svg: games and pictures, to be compared from now on.
- tests/python/records/earlier/NAME-1.*: records as this version writes them, where there are none. They are a promise,
  and never written anew; those that no longer hold are named, to be deleted by hand while no release has the game.
- docs/games/NAME.md: its generated parts, and its picture.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import game_pages
import sarai
from sarai.records.record import Record

ROOT = Path(__file__).resolve().parent.parent


class NotAcceptedError(Exception):
    """Something does not add up; the sentence says what."""


def reference(name: str) -> type[Any]:
    """The class of the game's reference.py, whose name begins with Reference."""
    sys.path.insert(0, str(ROOT / "tests" / "python"))
    module = importlib.import_module(f"games.{name}.reference")
    found = [
        value
        for key, value in vars(module).items()
        if key.startswith("Reference") and inspect.isclass(value) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise NotAcceptedError(f"{module.__name__} has {len(found)} classes named Reference..., not one")
    return found[0]


def paths(ref: Any, d: Any, depth: int) -> int:
    """How many ways there are to play so many steps, by the reference alone."""
    choices = [outcome for outcome, _ in ref.chance(d)] or ref.legal(d)
    if depth == 1:
        return len(choices)
    return sum(paths(ref, ref.apply(d, choice), depth - 1) for choice in choices)


def counted(name: str, text: str) -> str:
    """A file of counts with the counts of the reference, each of which the engine confirms.

    Raises:
        NotAcceptedError: The two differ.
    """
    source = f"tests/python/games/{name}/reference.py"
    made = reference(name)

    def block(found: re.Match[str]) -> str:
        fields = dict(line.split(": ", 1) for line in found[0].splitlines())
        if fields["source"] != source:
            return found[0]
        rules, position, depth = json.loads(fields["rules"]), fields["position"], int(fields["depth"])
        game = sarai.make(name, rules=rules)
        state = game.new_initial_state() if position == "start" else game.parse(position)
        ref = made(rules)
        ours = sarai.perft(state, depth)
        theirs = paths(ref, ref.initial() if position == "start" else state.to_dict(), depth)
        if ours != theirs:
            raise NotAcceptedError(
                f"tests/perft/{name}.perft, {fields['rules']}, {position!r}: the engine counts {ours} paths of depth "
                f"{depth}, {source} {theirs}; one of both is wrong"
            )
        return re.sub(r"(?m)^count: .*$", f"count: {ours}", found[0])

    return re.sub(r"(?m)^game: .*(?:\n\w+: .*)+", block, text)


def write_counts(name: str) -> None:
    path = ROOT / "tests" / "perft" / f"{name}.perft"
    path.write_text(counted(name, path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def write_records(name: str) -> None:
    """Write a game in both forms where there is none yet.

    Raises:
        NotAcceptedError: What an earlier version wrote is another game by now, or none.
    """
    seats = ["greedy"] + ["random"] * (sarai.make(name).num_players - 1)
    for form in ("json", "txt"):
        path = ROOT / "tests" / "python" / "records" / "earlier" / f"{name}-1.{form}"
        shown = path.relative_to(ROOT).as_posix()
        if path.exists():
            try:
                old = Record.load(path)
                kept = old == Record.play(
                    old.get_game(), list(old.agents or ()), seed=old.seed, number=old.number
                )
            except ValueError:
                kept = False
            if not kept:
                raise NotAcceptedError(
                    f"{shown} is not the game that is played now, and people may have such files; delete both "
                    f"{name}-1.* there if no release has the game"
                )
            continue
        record = Record.play(name, seats, seed=2**64 - 1, number=12)
        text = record.to_text() if form == "txt" else record.to_json() + "\n"
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {shown}")


def compare(name: str, *command: str) -> None:
    """Run a test that writes what it would compare."""
    subprocess.run(command, cwd=ROOT, env={**os.environ, "UPDATE_GOLDEN": name}, check=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write what only a machine should about a game.")
    parser.add_argument("name", choices=sarai.games())
    name = parser.parse_args(arguments).name
    try:
        write_counts(name)
        write_records(name)
        compare(name, "cargo", "test", "--quiet", "--test", "golden")
        pictures = "tests/python/render/test_golden.py"
        compare(name, sys.executable, "-m", "pytest", "-q", pictures, "-k", f"written_down and {name}-")
    except (NotAcceptedError, subprocess.CalledProcessError) as error:
        print(f"accept_game.py: {error}", file=sys.stderr)
        return 1
    return game_pages.main([name])


if __name__ == "__main__":
    sys.exit(main())
