"""scripts/against_gnubg.py and scripts/gnubg_errors.py: positions, turns and games as GNU Backgammon writes them, and
games and judgements where it is installed."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import sarai
from helpers import scripts
from helpers.places import ROOT

GAME = sarai.make("shuanglu", preset="backgammon", scoring="gammon")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return scripts.load("scripts/against_gnubg.py")


def start(player: int) -> sarai.State:
    return GAME.parse(
        f"move player={player} turn=3 dice=3,1 winner=- points_won=0 | bar=0 off=0 24:2 13:5 8:3 6:5 | "
        "bar=0 off=0 24:2 13:5 8:3 6:5"
    )


def test_the_first_position_is_that_of_the_manual(script: ModuleType) -> None:
    due = (
        "board:You:other:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:"
        "0:0:0:0:2:0:0:0"
    )
    assert script.board(start(0)) == script.board(start(1)) == due


def test_pieces_on_the_bar_and_off_are_told(script: ModuleType) -> None:
    state = GAME.parse(
        "move player=1 turn=30 dice=4,4,4,4 winner=- points_won=0 | bar=1 off=3 6:11 | bar=2 off=0 7:1 6:12"
    )
    cells = script.board(state).split(":")[3:]
    points = [int(cell) for cell in cells[3:29]]
    # The other side's are negative; its point 6 is 19 here.
    assert (points[0], points[25], points[6], points[7], points[19]) == (-1, 2, 12, 1, -11)
    assert sum(point for point in points if point > 0) == 15
    assert cells[29:32] == ["1", "4", "4"]
    assert cells[-8:-4] == ["0", "3", "2", "1"]


@pytest.mark.parametrize(
    ("answer", "own", "other"),
    [
        ("8/5 6/5", {8: 2, 6: 4, 5: 2}, {}),
        ("8/5(2) 6/3(2)", {8: 1, 6: 3, 5: 2, 3: 2}, {}),
        ("24/23 13/10", {24: 1, 23: 1, 13: 4, 10: 1}, {}),
        # Nothing of the kind can be played here, but so hits and pieces off are told.
        ("24/12*/8", {24: 1, 8: 4}, {13: 4, 0: 1}),
        ("6/off(2) 6/0", {6: 2}, {}),
    ],
)
def test_turns_are_read(script: ModuleType, answer: str, own: dict[int, int], other: dict[int, int]) -> None:
    before = {24: 2, 13: 5, 8: 3, 6: 5}
    (mine, off), (theirs, _) = script.after(start(0).to_dict(), 0, answer)
    for found, changed in ((mine, own), (theirs, other)):
        due = before | changed
        assert list(found) == [due.get(point, 0) for point in range(25)]
    assert off == 15 - sum(mine)


def test_games_are_played(script: ModuleType) -> None:
    if script.installed() is None:
        pytest.skip("GNU Backgammon is not installed")
    words = [sys.executable, "scripts/against_gnubg.py", "random", "--games", "20"]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    line = next(line for line in told.splitlines() if " all " in line)
    # Random moves lose by gammons and more.
    assert "gnubg, 0-ply" in line
    assert float(line.split()[8]) < -1.5


@pytest.fixture(scope="module")
def errors(script: ModuleType) -> ModuleType:
    return scripts.load("scripts/gnubg_errors.py")


def test_a_turn_has_its_dice_and_moves(errors: ModuleType) -> None:
    record = sarai.Record.play(GAME, "greedy", seed=3)
    # As the record's own text has them: 1. [2-3] 1: 8/6, 13/10 ... 24. [2-3] ... 41. [2-5] 1: 4/off(5), 2/off.
    told = errors.turns(record)
    assert told[0] == "32: 8/6 13/10"
    assert told[4] == "33: bar/22 6/3* 6/3 6/3"
    assert told[23] == "32:"
    assert told[40] == "52: 4/off 2/off"


@pytest.mark.parametrize("first", [0, 1])
def test_who_begins_stands_in_its_own_column(errors: ModuleType, first: int) -> None:
    records = (sarai.Record.play(GAME, "greedy", seed=seed) for seed in range(100))
    record = next(one for one in records if one.steps[1].player == first)
    lines = errors.session([record]).splitlines()
    opening = errors.turns(record)[0]
    assert lines[4].index(opening) == (39 if first else 5)
    # The result stands in the column of the player who has won it.
    won = lines[5 + (len(errors.turns(record)) + first - 1) // 2]
    assert won.index("Wins") == (6 if record.returns[0] > 0 else 39)
    assert f"Wins {int(max(record.returns))} point" in won


def test_better_players_lose_less_a_move(script: ModuleType, errors: ModuleType) -> None:
    if script.installed() is None:
        pytest.skip("GNU Backgammon is not installed")
    games = {
        agent: [sarai.Record.play(GAME, agent, seed=seed) for seed in range(4)]
        for agent in ("random", "greedy", "net:backgammon_gammons")
    }
    found = [errors.judged(errors.session(records), plies=0) for records in games.values()]
    assert all(one.moves > 100 for one in found)
    assert found[0].rate > 1.5 * found[1].rate > 3 * found[2].rate
