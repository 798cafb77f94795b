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
from dataclasses import dataclass
from pathlib import Path

from against_gnubg import installed
from sarai import Record
from sarai.records import Match

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
        games = [
            Record.play(
                "shuanglu(preset=backgammon,scoring=gammon)", [agent, agent], seed=given.seed, number=number
            )
            for number in range(given.games)
        ]
        found = judged(Match.from_records(games).to_text(), given.plies)
        print(
            f"{agent}: {found.rate:.1f} thousandths of a point a move, {found.moves:,} unforced moves of "
            f"{given.games} games, judged at {given.plies}-ply",
            flush=True,
        )


if __name__ == "__main__":
    main()
