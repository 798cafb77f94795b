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
from typing import Any

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
MOVE = re.compile(r"(?P<path>(?:bar|\d+)(?:/(?:off|\d+)\*?)+)(?:\((?P<times>\d)\))?")
Place = tuple[tuple[int, ...], int]
"""A side's pieces on the bar and points 1 to 24, in its own numbering, and how many of them are off."""


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
        ends = States.from_states([state]).afterstates()
        mover = state.current_player()
        due = after(state.to_dict(), mover, asked)
        for row in range(len(ends.states)):
            if placed(ends.states[row].to_dict(), mover) == due:
                first, *rest = ends.actions_to(row)
                step = state.child(int(first))
                for action in rest:
                    self.plans[str(step)].append(int(action))
                    step = step.child(int(action))
                return int(first)
        raise RuntimeError(f"GNU Backgammon plays {asked!r} in {state}, which is no legal turn here")

    def _ask(self, line: str) -> str:
        self.connection.sendall(f"{line}\n".encode("ascii"))
        return self.answers.readline().strip()


def placed(told: dict[str, Any], player: int) -> tuple[Place, Place]:
    """Where the pieces of a player and those of the other one stand."""
    return tuple(  # type: ignore[return-value]
        ((told["bar"][seat], *told["points"][seat]), told["off"][seat]) for seat in (player, 1 - player)
    )


def board(state: State) -> str:
    """A position as GNU Backgammon takes it, in the form of FIBS: the player to move has the positive numbers."""
    told = state.to_dict()
    mover = state.current_player()
    (own, own_off), (other, other_off) = placed(told, mover)
    points = [own[point] - other[25 - point] for point in range(1, 25)]
    dice = told["dice"]
    both = [dice[0], dice[-1]]
    cells = [0, 0, 0, -other[0], *points, own[0], 1, *both, 0, 0, 1, 1, 1, 0, 1, -1, 0, 25]
    cells += [own_off, other_off, own[0], other[0], 2, 0, 0, 0]
    return ":".join(["board:You:other", *map(str, cells)])


def after(told: dict[str, Any], mover: int, answer: str) -> tuple[Place, Place]:
    """Where the pieces stand after a turn, as `placed`; the turn is one such as "bar/20* 13/8(2)"."""
    (own, own_off), (other, other_off) = placed(told, mover)
    mine, theirs = list(own), list(other)
    for match in MOVE.finditer(answer):
        first, *steps = match["path"].split("/")
        for _ in range(int(match["times"] or 1)):
            mine[0 if first in ("bar", "25") else int(first)] -= 1
            for step in steps:
                # One hop may hit, whichever of two pieces comes first.
                if step.endswith("*") and theirs[25 - int(step[:-1])]:
                    theirs[25 - int(step[:-1])] -= 1
                    theirs[0] += 1
            if steps[-1] in ("off", "0"):
                own_off += 1
            else:
                mine[int(steps[-1].rstrip("*"))] += 1
    return (tuple(mine), own_off), (tuple(theirs), other_off)


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
