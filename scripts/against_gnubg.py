"""Let agents play backgammon against GNU Backgammon, which must be installed (Debian's package "gnubg").

    python scripts/against_gnubg.py net:backgammon expectimax:2,net=backgammon --games 2000
    python scripts/against_gnubg.py greedy --games 400 --scoring single --plies 1

GNU Backgammon plays for money without the cube, gammons counted, and without thinking further than it is told
(`--plies`); it is asked over its interface for external players.
"""

from __future__ import annotations

import argparse
import os
import shutil

import sarai
from sarai.agents import External

PATHS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])


def installed() -> str | None:
    """Where GNU Backgammon is."""
    return shutil.which("gnubg", path=PATHS)


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
    program = installed()
    if program is None:
        raise SystemExit("GNU Backgammon is not installed; Debian's package is called gnubg")
    with External([program], "gnubg", options={"plies": given.plies}) as opponent:
        for agent in given.agents:
            found = sarai.arena(
                sarai.make("shuanglu", preset="backgammon", scoring=given.scoring),
                {agent: agent, f"gnubg, {given.plies}-ply": opponent},
                given.games,
                seed=given.seed,
                schedule="gauntlet",
                progress=True,
            )
            print(found, flush=True)


if __name__ == "__main__":
    main()
