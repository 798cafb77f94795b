"""The measuring that the examples share: `examples/evaluation.py`."""

from __future__ import annotations

import doctest
from types import ModuleType

import numpy as np
import pytest

import sarai
from helpers import scripts


@pytest.fixture(scope="module")
def evaluation() -> ModuleType:
    return scripts.load("examples/evaluation.py")


def test_examples_hold(evaluation: ModuleType) -> None:
    result = doctest.testmod(evaluation, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0


def test_which_games_have_dice(evaluation: ModuleType) -> None:
    for name in sarai.games():
        for preset in sarai.presets(name):
            assert evaluation.plays_dice(sarai.make(name, preset=preset)) == (name != "shah")
    # That the beginner is drawn makes two games of one, and no more.
    assert not evaluation.plays_dice(sarai.make("shah", first_player="random"))


@pytest.mark.parametrize("name", ["shah", "shuanglu"])
def test_the_interval_is_that_of_the_facts(evaluation: ModuleType, name: str) -> None:
    game = sarai.make(name)
    tables = [(["greedy", "greedy"], 0), (["greedy", "greedy"], 1)]
    mean, half = evaluation.measure(game, tables, 200, seed=1)
    if name == "shah":
        # The same openings from both sides: what one side wins the other has lost.
        assert (mean, half) == (0.0, pytest.approx(3 / 100 * 2))
        mean, half = evaluation.measure(game, tables[:1], 100, seed=1)
        facts = sarai.rollout(game, "greedy", 100, seed=1, random_plies=evaluation.DECISIONS).returns[:, 0]
    else:
        facts = np.concatenate(
            [
                sarai.rollout(game, num_games=100, agents="greedy", seed=seed).returns[:, seed - 1]
                for seed in (1, 2)
            ]
        )
    assert mean == pytest.approx(facts.mean())
    assert half == pytest.approx(1.96 * facts.std(ddof=1) / len(facts) ** 0.5, rel=1e-3)
    assert half > 0


def test_it_says_how_it_measures(evaluation: ModuleType) -> None:
    assert "4 random decisions of both sides" in evaluation.how(sarai.make("shah"))
    assert "dice of its own" in evaluation.how(sarai.make("sho"))


def test_wrong_numbers_are_told(evaluation: ModuleType) -> None:
    game = sarai.make("shah")
    with pytest.raises(ValueError, match="agents"):
        evaluation.measure(game, [(["greedy"] * 3, 0)], 4, seed=1)
    with pytest.raises(ValueError, match="games got 3"):
        evaluation.measure(game, [(["greedy"] * 2, 0)] * 2, 3, seed=1)
