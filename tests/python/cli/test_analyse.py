"""`sarai analyse`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import sarai

Run = Callable[..., str]


@pytest.mark.parametrize("game", sarai.games())
def test_it_prints_what_analyse_tells(game: str, run: Run) -> None:
    state = sarai.make(game).sample_states(num_games=1, seed=5)[0]
    told = sarai.analyse(state, "mcts:50", seed=3)
    words = ["analyse", game, "--position", str(state), "--agent", "mcts:50", "--seed", "3"]
    assert run(words) == f"{state}\n\n{told}\n\nseed 3\n"
    printed = json.loads(run([*words, "--json"]))
    assert printed["best"] == told.best
    assert [move["action"] for move in printed["moves"]] == [move.action for move in told.moves]
    assert printed["value"] == list(told.value)


@pytest.mark.parametrize(
    "text",
    [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:0:0:10",
        str(sarai.make("tshupu").sample_states(num_games=1, seed=5)[0]),
    ],
)
def test_a_position_needs_no_game(text: str, run: Run) -> None:
    state = sarai.parse(text)
    told = sarai.analyse(state, "greedy", seed=3)
    assert run(["analyse", text, "--agent", "greedy", "--seed", "3"]) == f"{state}\n\n{told}\n\nseed 3\n"
    assert "no game" in run(["analyse", "e2 e4"], 2)
    assert "'sho (players=2'" in run(["analyse", "sho (players=2"], 2)


def test_it_plays_games_out(run: Run) -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=4)[0]
    told = sarai.analyse(state, ["greedy", "random"], 20, seed=3, plays="turn")
    words = ["analyse", "shuanglu", "--position", str(state), "--agent", "greedy,random", "--seed", "3"]
    words += ["--games", "20", "--plays", "turn", "--threads", "1"]
    assert run(words) == f"{state}\n\n{told}\n\nseed 3\n"
    printed = json.loads(run([*words, "--json"]))
    assert [tuple(move["actions"]) for move in printed["moves"]] == [move.actions for move in told.moves]
    assert printed["moves"][-1]["difference"] == told.moves[-1].difference.to_dict()
    assert printed["num_games"] == 20


def test_without_a_position_it_takes_one_of_a_game(run: Run) -> None:
    first = run("analyse shuanglu --agent greedy --seed 7").splitlines()[0]
    assert first == str(sarai.make("shuanglu").sample_states(num_games=1, seed=7)[0])
