"""Let agents play backgammon against GNU Backgammon, which must be installed (Debian's package "gnubg").

    python scripts/against_gnubg.py net:backgammon expectimax:2,net=backgammon --games 2000
    python scripts/against_gnubg.py greedy --games 400 --scoring single --plies 1

GNU Backgammon plays for money without the cube, gammons counted, and without thinking further than it is told
(`--plies`); it is asked over its interface for external players.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sarai
from sarai import State, States

SETTINGS = """\
set sound enable off
set evaluation chequerplay evaluation plies {plies}
set evaluation chequerplay evaluation cubeful off
set evaluation chequerplay evaluation noise 0
set jacoby off
external {path}
"""
PATHS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])


class Gnubg:
    """GNU Backgammon as an agent: an object with `choose_many`."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.answers = connection.makefile("r", encoding="ascii", newline="\n")
        self.plans: defaultdict[str, list[int]] = defaultdict(list)
        """What is still to be played in turns that it has chosen, by position: as often as games stand there."""

    def choose_many(self, states: States, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """An action for each row."""
        return np.array([self._choose(states[row]) for row in range(len(states))], np.int64)

    def _choose(self, state: State) -> int:
        planned = self.plans.get(str(state))
        if planned:
            return planned.pop()
        asked = self._ask(board(state))
        # A number in brackets is that of pieces, and no die.
        turn = re.sub(r"(\S+)\((\d)\)", lambda found: " ".join([found[1]] * int(found[2])), asked)
        first, *rest = state.string_to_actions(turn)
        step = state.child(first)
        for action in rest:
            self.plans[str(step)].append(action)
            step = step.child(action)
        return first

    def _ask(self, line: str) -> str:
        self.connection.sendall(f"{line}\n".encode("ascii"))
        return self.answers.readline().strip()


def board(state: State) -> str:
    """A position as GNU Backgammon takes it, in the form of FIBS: the player to move has the positive numbers."""
    told = state.to_dict()
    mover = state.current_player()
    (own, other), (bar, other_bar), (off, other_off) = (
        (told[name][mover], told[name][1 - mover]) for name in ("points", "bar", "off")
    )
    points = [own[point - 1] - other[24 - point] for point in range(1, 25)]
    dice = told["dice"]
    both = [dice[0], dice[-1]]
    cells = [0, 0, 0, -other_bar, *points, bar, 1, *both, 0, 0, 1, 1, 1, 0, 1, -1, 0, 25]
    cells += [off, other_off, bar, other_bar, 2, 0, 0, 0]
    return ":".join(["board:You:other", *map(str, cells)])


def installed() -> str | None:
    """Where GNU Backgammon is."""
    return shutil.which("gnubg", path=PATHS)


@contextmanager
def gnubg(plies: int) -> Iterator[Gnubg]:
    """Start GNU Backgammon, and end it."""
    program = installed()
    if program is None:
        raise SystemExit("GNU Backgammon is not installed; Debian's package is called gnubg")
    with tempfile.TemporaryDirectory() as folder:
        path, commands = Path(folder, "socket"), Path(folder, "commands")
        commands.write_text(SETTINGS.format(plies=plies, path=path), encoding="ascii")
        words = [program, "--tty", "--quiet", "--no-rc", "--commands", str(commands)]
        with subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    if line.startswith("Waiting for a connection"):
                        break
                else:
                    raise SystemExit("GNU Backgammon ended before anybody could connect")
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(str(path))
                    yield Gnubg(connection)
            finally:
                process.kill()


def main() -> None:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scoring", choices=("single", "gammon"), default="gammon")
    given = parser.parse_args()
    for agent in given.agents:
        with gnubg(given.plies) as opponent:
            found = sarai.arena(
                sarai.make("shuanglu", preset="backgammon", scoring=given.scoring),
                {agent: agent, f"gnubg, {given.plies}-ply": opponent},  # type: ignore[dict-item]
                given.games,
                seed=given.seed,
                schedule="gauntlet",
                progress=True,
            )
        print(found, flush=True)


if __name__ == "__main__":
    main()
