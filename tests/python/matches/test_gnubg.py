"""GNU Backgammon as an external player, and scripts/against_gnubg.py and scripts/gnubg_errors.py: positions as it takes
them, and games and judgements where it is installed."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import sarai
from helpers import scripts
from helpers.places import ROOT
from sarai import agents
from sarai._agents.external import fibs
from sarai.records import Match

GAME = sarai.make("shuanglu", preset="backgammon", scoring="gammon")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return scripts.load("scripts/against_gnubg.py")


def start(player: int) -> sarai.State:
    return GAME.parse(
        f"move player={player} turn=3 dice=3,1 winner=- points_won=0 | bar=0 off=0 24:2 13:5 8:3 6:5 | "
        "bar=0 off=0 24:2 13:5 8:3 6:5"
    )


def test_the_first_position_is_that_of_the_manual() -> None:
    due = (
        "board:You:other:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:"
        "0:0:0:0:2:0:0:0"
    )
    assert fibs(start(0)) == fibs(start(1)) == due


def test_pieces_on_the_bar_and_off_are_told() -> None:
    state = GAME.parse(
        "move player=1 turn=30 dice=4,4,4,4 winner=- points_won=0 | bar=1 off=3 6:11 | bar=2 off=0 7:1 6:12"
    )
    cells = fibs(state).split(":")[3:]
    points = [int(cell) for cell in cells[3:29]]
    # The other side's are negative; its point 6 is 19 here.
    assert (points[0], points[25], points[6], points[7], points[19]) == (-1, 2, 12, 1, -11)
    assert sum(point for point in points if point > 0) == 15
    assert cells[29:32] == ["1", "4", "4"]
    assert cells[-8:-4] == ["0", "3", "2", "1"]


def test_games_are_played(script: ModuleType) -> None:
    if script.installed() is None:
        pytest.skip("GNU Backgammon is not installed")
    words = [sys.executable, "scripts/against_gnubg.py", "random", "--games", "20"]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    line = next(line for line in told.splitlines() if " all " in line)
    # Random moves lose by gammons and more.
    assert "gnubg, 0-ply" in line
    assert float(line.split()[8]) < -1.5


def test_it_is_an_agent_of_the_arena(script: ModuleType) -> None:
    if script.installed() is None:
        pytest.skip("GNU Backgammon is not installed")
    with agents.External("gnubg", "gnubg") as gnubg:
        found = sarai.arena(GAME, {"luck": "random", "gnubg": gnubg}, 20, seed=1)
        assert found.pairing("gnubg", "luck").mean_returns[0].value > 1.5
        assert gnubg.faults == []
        # The same dice, and no randomness of its own.
        assert sarai.arena(GAME, {"luck": "random", "gnubg": gnubg}, 20, seed=1) == found
        with pytest.raises(ValueError, match="plays shuanglu"):
            gnubg.choose(sarai.make("shah").new_initial_state())


@pytest.fixture(scope="module")
def errors(script: ModuleType) -> ModuleType:
    return scripts.load("scripts/gnubg_errors.py")


def test_better_players_lose_less_a_move(script: ModuleType, errors: ModuleType) -> None:
    if script.installed() is None:
        pytest.skip("GNU Backgammon is not installed")
    games = {
        agent: [sarai.Record.play(GAME, agent, seed=seed) for seed in range(4)]
        for agent in ("random", "greedy", "net:backgammon_gammons")
    }
    found = [errors.judged(Match.from_records(records).to_text(), plies=0) for records in games.values()]
    assert all(one.moves > 100 for one in found)
    assert found[0].rate > 1.5 * found[1].rate > 3 * found[2].rate
