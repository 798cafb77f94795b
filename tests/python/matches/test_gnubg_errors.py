"""scripts/gnubg_errors.py: games as other programs read them, and their judgement where GNU Backgammon is installed."""

from __future__ import annotations

from types import ModuleType

import pytest

import sarai
from helpers import scripts

GAME = "shuanglu(preset=backgammon,scoring=gammon)"


@pytest.fixture(scope="module")
def against() -> ModuleType:
    return scripts.load("scripts/against_gnubg.py")


@pytest.fixture(scope="module")
def script(against: ModuleType) -> ModuleType:
    return scripts.load("scripts/gnubg_errors.py")


def test_a_turn_has_its_dice_and_moves(script: ModuleType) -> None:
    record = sarai.Record.play(GAME, "greedy", seed=3)
    # As the record's own text has them: 1. [2-3] 1: 8/6, 13/10 ... 24. [2-3] ... 41. [2-5] 1: 4/off(5), 2/off.
    told = script.turns(record)
    assert told[0] == "32: 8/6 13/10"
    assert told[4] == "33: bar/22 6/3* 6/3 6/3"
    assert told[23] == "32:"
    assert told[40] == "52: 4/off 2/off"


@pytest.mark.parametrize("first", [0, 1])
def test_who_begins_stands_in_its_own_column(script: ModuleType, first: int) -> None:
    records = (sarai.Record.play(GAME, "greedy", seed=seed) for seed in range(100))
    record = next(one for one in records if one.steps[1].player == first)
    lines = script.session([record]).splitlines()
    opening = script.turns(record)[0]
    assert lines[4].index(opening) == (39 if first else 5)
    # The result stands in the column of the player who has won it.
    won = lines[5 + (len(script.turns(record)) + first - 1) // 2]
    assert won.index("Wins") == (6 if record.returns[0] > 0 else 39)
    assert f"Wins {int(max(record.returns))} point" in won


def test_better_players_lose_less_a_move(against: ModuleType, script: ModuleType) -> None:
    if against.installed() is None:
        pytest.skip("GNU Backgammon is not installed")
    games = {
        agent: [sarai.Record.play(GAME, agent, seed=seed) for seed in range(4)]
        for agent in ("random", "greedy", "net:backgammon_gammons")
    }
    found = [script.judged(script.session(records), plies=0) for records in games.values()]
    assert all(one.moves > 100 for one in found)
    assert found[0].rate > 1.5 * found[1].rate > 3 * found[2].rate
