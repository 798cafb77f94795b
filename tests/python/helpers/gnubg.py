"""GNU Backgammon, where it is installed (Debian's package "gnubg"): what it says to commands, and matches it plays.

    python tests/python/helpers/gnubg.py FOLDER

writes the matches that are kept in tests/python/records/gnubg.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PATHS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])

PLAYING = """\
set automatic game on
set automatic roll on
set automatic bearoff on
set player both human
set rng mersenne
set seed {seed}
new match {length}
set player 0 name Ann Lee
set player 1 name bob
set player 0 chequer evaluation plies 0
set player 1 chequer evaluation plies 0
set player 0 cube evaluation plies 0
set player 1 cube evaluation plies 0
set display off
set player both gnubg
play
export match mat {path}
quit
y
"""

# Computers move until it is a person's turn if the lines come from the input, and one move a line if from a file.
WORDS = ("--tty", "--quiet", "--no-rc")


def program() -> str | None:
    """Where it is."""
    return shutil.which("gnubg", path=PATHS)


def told(commands: str) -> str:
    """What it prints when it is given these commands."""
    found = program()
    assert found is not None
    text = f"set sound enable off\n{commands}"
    return subprocess.run(
        [found, *WORDS], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
    ).stdout


def match(path: Path, length: int, seed: int) -> str:
    """A match that it plays against itself, as it writes it to this file."""
    told(PLAYING.format(seed=seed, length=length, path=path))
    return path.read_text(encoding="utf-8")


def again(path: Path) -> str:
    """A match, read by it from this file and written into another."""
    other = path.with_suffix(".again.mat")
    told(f"import mat {path}\nexport match mat {other}\nquit\ny\n")
    return other.read_text(encoding="utf-8")


def errors(path: Path, games: int) -> list[list[tuple[int, float]]]:
    """For each game of the match in this file and each player, the unforced moves and the points that moves lost.

    It looks at the positions after each move only, and leaves the cube out.
    """
    asked = [
        "set automatic game off",
        f"import mat {path}",
        "set jacoby off",
        "set analysis cubedecision off",
    ]
    asked += [f"set analysis {what} plies 0" for what in ("chequerplay evaluation", "luckanalysis")]
    asked += ["set analysis chequerplay evaluation cubeful off", "analyse match", "first game"]
    asked += ["show statistics game", "next game"] * games
    said = told("\n".join([*asked, "quit", "y", ""]))
    unforced = re.findall(r"Unforced moves +(\d+) +(\d+)", said)
    part = r"(?:[-+][\d.]+ \( *([-+][\d.]+)\)|(0))"
    lost = re.findall(rf"Unforced moves(?s:.*?)Error total EMG \(Points\) +{part} +{part}", said)
    pairs = [(abs(float(one[0] or 0)), abs(float(one[2] or 0))) for one in lost]
    return [
        [(int(count), loss) for count, loss in zip(counts, losses, strict=True)]
        for counts, losses in zip(unforced, pairs, strict=True)
    ]


def ids(commands: Iterable[str]) -> list[str]:
    """The position ID and match ID after each command that sets a position, with a colon between them."""
    setup = "set automatic game off\nset automatic roll off\nset player both human\nset confirm new off\nnew session\n"
    # What it does not know it names, which parts the answers.
    parts = told(setup + "".join(f"{command}\nshow board\nnow\n" for command in commands)).split("`now'")
    return [":".join(re.findall(r"(?:Position|Match) ID *: (\S+)", part)[-2:]) for part in parts[:-1]]


if __name__ == "__main__":
    for number, points in enumerate((1, 3, 5, 7, 9), 1):
        match(Path(sys.argv[1], f"{points}_points.mat"), points, number)
