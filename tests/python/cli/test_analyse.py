"""`sarai analyse`."""

from __future__ import annotations

import json

import pytest

import sarai
from sarai.cli import main

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("game", sarai.games())
def test_it_prints_what_analyse_tells(game: str, capsys: Captured) -> None:
    state = sarai.sample_states(game, 1, seed=5)[0]
    told = sarai.analyse(state, "mcts:50", seed=3)
    assert main(["analyse", game, "--position", str(state), "--agent", "mcts:50", "--seed", "3"]) == 0
    assert capsys.readouterr().out == f"{state}\n\n{told}\n"
    assert (
        main(["analyse", game, "--position", str(state), "--agent", "mcts:50", "--seed", "3", "--json"]) == 0
    )
    printed = json.loads(capsys.readouterr().out)
    assert printed["best"] == told.best
    assert [move["action"] for move in printed["moves"]] == [move.action for move in told.moves]
    assert printed["value"] == list(told.value)


def test_without_a_position_it_takes_one_of_a_game(capsys: Captured) -> None:
    assert main(["analyse", "shuanglu", "--agent", "greedy", "--seed", "7"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == str(sarai.sample_states("shuanglu", 1, seed=7)[0])
