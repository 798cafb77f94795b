"""Write the files about a game that only a machine should write. Read the difference before you commit it.

    make accept-game NAME=sho

- tests/perft/NAME.perft: the `count` of every block whose `source` is the game's reference.py. The reference and the
  engine both count, and must agree. Blocks that somebody else has counted are left alone.
- tests/golden/NAME-*.txt, tests/python/render/golden/NAME-*.svg and, where there is one,
  tests/python/games/NAME/drawings.txt: games and pictures, for later versions to be compared with. Transcripts of
  presets that no longer exist are removed.
- tests/python/records/earlier/NAME-1.*: records as this version writes them, where there are none. Later versions must
  still read them, so a record that no longer replays is an error, unless `make accept-game NAME=... UNRELEASED=1` says
  that no release has the game: then it is replaced.
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
from sarai._records.record import Record

ROOT = Path(__file__).resolve().parent.parent


class NotAcceptedError(Exception):
    """Two things contradict each other; the message says which."""


def reference(name: str) -> type[Any]:
    """The class in the game's reference.py whose name begins with Reference."""
    sys.path.insert(0, str(ROOT / "tests" / "python"))
    module = importlib.import_module(f"games.{name}.reference")
    found = [
        value
        for key, value in vars(module).items()
        if key.startswith("Reference") and inspect.isclass(value) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise NotAcceptedError(
            f"{module.__name__} must have one class whose name begins with Reference; it has {len(found)}"
        )
    return found[0]


def paths(ref: Any, d: Any, depth: int) -> int:
    """How many ways there are to play `depth` steps, counted by the reference alone."""
    choices = [outcome for outcome, _ in ref.chance(d)] or ref.legal(d)
    if depth == 1:
        return len(choices)
    return sum(paths(ref, ref.apply(d, choice), depth - 1) for choice in choices)


def counted(name: str, text: str) -> str:
    """A file of counts with the counts of the reference, after the engine has confirmed each of them.

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
        ours = state.perft(depth)
        theirs = paths(ref, ref.initial() if position == "start" else state.to_dict(), depth)
        if ours != theirs:
            raise NotAcceptedError(
                f"tests/perft/{name}.perft, {fields['rules']}, {position!r}: the engine counts {ours} paths of depth "
                f"{depth}, but {source} counts {theirs}; one of them is wrong"
            )
        meant = "" if ours else ", as every game ends before (is that meant?)"
        print(f"{ours:,} paths of depth {depth}{meant}: {fields['rules']} {position}")
        return re.sub(r"(?m)^count: .*$", f"count: {ours}", found[0])

    return re.sub(r"(?m)^game: .*(?:\n\w+: .*)+", block, text)


def write_counts(name: str) -> None:
    path = ROOT / "tests" / "perft" / f"{name}.perft"
    path.write_text(counted(name, path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def still_played(path: Path) -> bool:
    """Whether the record in a file is the game that its agents play now."""
    try:
        old = Record.load(path)
        return old == Record.play(old.game, list(old.agents or ()), seed=old.seed, number=old.number)
    except ValueError:
        return False


def write_records(name: str, unreleased: bool) -> None:
    """Write a game in both forms where there is none yet, or where an outdated one has never been released.

    Raises:
        NotAcceptedError: A record that may have been released is not the game that is played now.
    """
    seats = ["greedy"] + ["random"] * (sarai.make(name).num_players - 1)
    for form in ("json", "txt"):
        path = ROOT / "tests" / "python" / "records" / "earlier" / f"{name}-1.{form}"
        shown = path.relative_to(ROOT).as_posix()
        if path.exists():
            if still_played(path):
                continue
            if not unreleased:
                raise NotAcceptedError(
                    f"{shown} is not the game that is played now, and people may have such files. If no release has "
                    f"the game yet, run `make accept-game NAME={name} UNRELEASED=1`, which replaces it"
                )
        record = Record.play(name, seats, seed=2**64 - 1, number=12)
        text = record.to_text() if form == "txt" else record.to_json() + "\n"
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {shown}")


def remove_old_transcripts(name: str, root: Path = ROOT) -> None:
    """Remove the golden games of presets that no longer exist."""
    kept = {f"{name}-{preset}.txt" for preset in sarai.presets(name)}
    for path in sorted((root / "tests" / "golden").glob(f"{name}-*.txt")):
        if path.name not in kept:
            path.unlink()
            print(f"removed {path.relative_to(root).as_posix()}: there is no such preset")


def compare(name: str, *command: str) -> None:
    """Run a test that writes what it would otherwise compare."""
    subprocess.run(command, cwd=ROOT, env={**os.environ, "UPDATE_GOLDEN": name}, check=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Write the files about a game that only a machine should write."
    )
    parser.add_argument("name", choices=sarai.games())
    parser.add_argument(
        "--unreleased",
        action="store_true",
        help="no release has the game: replace its records if they are outdated",
    )
    asked = parser.parse_args(arguments)
    name = asked.name
    try:
        write_counts(name)
        write_records(name, asked.unreleased)
        remove_old_transcripts(name)
        print("golden games; to build the tests first may take some minutes", flush=True)
        compare(name, "cargo", "test", "--quiet", "--test", "engine", "golden::")
        drawn = ("tests/python/render/test_golden.py", "tests/python/games/test_drawings.py")
        compare(name, sys.executable, "-m", "pytest", "-q", *drawn, "-k", f"written_down and {name}")
        pictures = (f"python/render/golden/{name}-*.svg", f"python/games/{name}/drawings.txt")
        for pattern in (f"perft/{name}.perft", f"golden/{name}-*.txt", *pictures):
            for path in sorted((ROOT / "tests").glob(pattern)):
                print(f"wrote {path.relative_to(ROOT).as_posix()}")
    except (NotAcceptedError, subprocess.CalledProcessError) as error:
        print(f"accept_game.py: {error}", file=sys.stderr)
        return 1
    return game_pages.main([name])


if __name__ == "__main__":
    sys.exit(main())
