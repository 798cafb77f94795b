"""Random playouts inside Rust, beside other crates'; `src/main.rs` of this folder plays the games of either."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import sarai
from table import Measure, Row

NOTES = [
    "Rows in Rust have no Python in them: ours are rollouts of random agents on one thread.",
    "bkgm draws one of the positions in which a whole turn can end, OpenSpiel one of the plays of two dice, ours step "
    "by step; so games a second are compared, and not decisions.",
]

BKGM_GAMES = 6_000
# Ours are measured for about as long as theirs.
BACKGAMMON_GAMES = 20_000
DEFAULT_GAMES = 2_000


def played(program: Path, engine: str, game: str, games: int, seed: int) -> tuple[float, float]:
    """Games and decisions a second of one engine's random games."""
    command = [str(program), engine, game, str(games), str(seed)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    count, seconds, decisions = map(float, answer.split())
    return count / seconds, decisions / seconds


def games_rate(program: Path, engine: str, game: str, games: int) -> Measure:
    """Games a second."""
    return lambda seed: played(program, engine, game, games, seed)[0]


def decisions_rate(program: Path, game: str, games: int) -> Measure:
    """Our decisions a second."""
    return lambda seed: played(program, "sarai", game, games, seed)[1]


def bkgm_version() -> str:
    """The version that Cargo.toml asks for."""
    text = Path(__file__).with_name("Cargo.toml").read_text(encoding="utf-8")
    (asked,) = re.findall(r'^bkgm = "=(.*)"$', text, re.MULTILINE)
    return str(asked)


def rows(program: Path) -> list[Row]:
    """Backgammon beside bkgm, then the default rules of every game of ours."""
    backgammon = Row(
        "backgammon, random playouts in Rust",
        "games/s",
        games_rate(program, "sarai", "shuanglu/backgammon", BACKGAMMON_GAMES),
        f"bkgm {bkgm_version()}",
        games_rate(program, "bkgm", "backgammon", BKGM_GAMES),
    )
    defaults = [
        Row(f"{game}, random playouts in Rust", "decisions/s", decisions_rate(program, game, DEFAULT_GAMES))
        for game in sarai.games()
    ]
    return [backgammon, *defaults]
