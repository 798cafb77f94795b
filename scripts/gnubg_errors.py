"""Let GNU Backgammon judge the moves of agents, which it must be installed for (Debian's package "gnubg").

    python scripts/gnubg_errors.py net:backgammon_gammons expectimax:2,net=backgammon_gammons --games 50
    python scripts/gnubg_errors.py greedy --plies 2

Each agent plays itself, gammons counted and without the cube. GNU Backgammon reads the games as a session and says by
how much each move falls short of the one it thinks best. The error rate is the mean of that over all unforced moves, in
thousandths of a point.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from against_gnubg import installed
from sarai import Record

SETTINGS = """\
set automatic crawford off
set jacoby off
set analysis cubedecisions off
set analysis luck off
set analysis chequerplay evaluation plies {plies}
set analysis chequerplay evaluation cubeful off
set analysis chequerplay evaluation noise 0
import mat {path}
analyse session
show statistics session
quit
y
"""
UNFORCED = re.compile(r"^Unforced moves +(\d+) +(\d+)", re.MULTILINE)
TOTAL = re.compile(
    r"^Error total EMG \(Points\) +[-+]?([\d.]+) \( *[-+]?[\d.]+\) +[-+]?([\d.]+)", re.MULTILINE
)


@dataclass(frozen=True)
class Errors:
    """How many unforced moves were judged, and what they lost in points."""

    moves: int
    lost: float

    @property
    def rate(self) -> float:
        """Thousandths of a point a move."""
        return 1000 * self.lost / self.moves


def turns(record: Record) -> list[str]:
    """The turns of a game as they are written for other programs, such as "31: 8/5 6/5", the first player's first."""
    told: list[list[str]] = []
    for step in record.steps:
        if step.player < 0:
            # The higher die first. Doubles are thrown once, and played four times.
            told.append(["".join(sorted(step.name.replace("-", ""), reverse=True)) + ":"])
        else:
            # "4/off(5)" says which die takes the piece off; nobody else needs to know.
            told[-1].append(re.sub(r"\(\d\)", "", step.name))
    return [" ".join(one) for one in told]


def session(records: Iterable[Record]) -> str:
    """Games for money in the form of Jellyfish's match files, .mat."""
    lines = [" 0 point match", ""]
    for number, record in enumerate(records, 1):
        lines += [f" Game {number}", f" {'zero : 0':<37}one : 0"]
        first = next(step.player for step in record.steps if step.player >= 0)
        cells = [""] * first + turns(record)
        for row in range(0, len(cells), 2):
            left, right = (*cells[row : row + 2], "")[:2]
            lines.append(f"{row // 2 + 1:3}) {left:<34}{right}".rstrip())
        points = int(max(record.returns))
        won = f"Wins {points} point{'s' * (points > 1)}"
        lines += [f"{'':<{6 if record.returns[0] > 0 else 39}}{won}", ""]
    return "\n".join(lines)


def judged(text: str, plies: int) -> Errors:
    """What GNU Backgammon says of both players of a session."""
    program = installed()
    if program is None:
        raise SystemExit("GNU Backgammon is not installed; Debian's package is called gnubg")
    with tempfile.TemporaryDirectory() as folder:
        path, commands = Path(folder, "games.mat"), Path(folder, "commands")
        path.write_text(text, encoding="ascii")
        commands.write_text(SETTINGS.format(plies=plies, path=path), encoding="ascii")
        words = [program, "--tty", "--quiet", "--no-rc", "--commands", str(commands)]
        said = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    moves, lost = UNFORCED.search(said), TOTAL.search(said)
    if moves is None or lost is None:
        raise SystemExit(f"GNU Backgammon could not judge the games: {said[-2000:]}")
    return Errors(sum(map(int, moves.groups())), sum(map(float, lost.groups())))


def main() -> None:
    """Play, let it judge, and print a line for each agent."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for agent in given.agents:
        games = (
            Record.play(
                "shuanglu(preset=backgammon,scoring=gammon)", [agent, agent], seed=given.seed, number=number
            )
            for number in range(given.games)
        )
        found = judged(session(games), given.plies)
        print(
            f"{agent}: {found.rate:.1f} thousandths of a point a move, {found.moves:,} unforced moves of "
            f"{given.games} games, judged at {given.plies}-ply",
            flush=True,
        )


if __name__ == "__main__":
    main()
