"""The measuring that the examples share: `examples/evaluation.py`."""

from __future__ import annotations

import doctest
import importlib.util
from types import ModuleType

import numpy as np
import pytest

import sarai
from helpers.places import ROOT

FILE = ROOT / "examples" / "evaluation.py"


@pytest.fixture(scope="module")
def evaluation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("evaluation", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_examples_hold(evaluation: ModuleType) -> None:
    result = doctest.testmod(evaluation, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0


def test_without_dice_agents_that_choose_alike_play_one_game() -> None:
    # Why there are openings.
    games = sarai.rollout("shah", 50, agents="greedy", seed=1)
    assert len(set(zip(games.winner.tolist(), games.lengths.tolist(), strict=True))) == 1


@pytest.mark.parametrize("name", sarai.games())
def test_which_games_have_dice(evaluation: ModuleType, name: str) -> None:
    for preset in sarai.presets(name):
        assert evaluation.plays_dice(sarai.make(name, preset=preset)) == (name != "shah")
    # That the beginner is drawn makes two games of one, and no more.
    assert not evaluation.plays_dice(sarai.make("shah", first_player="random"))


@pytest.mark.parametrize("preset", list(sarai.presets("shah")))
def test_openings_are_random_and_no_two_are_alike(evaluation: ModuleType, preset: str) -> None:
    game = sarai.make("shah", preset=preset)
    states = evaluation.openings(game, 1000, 4, seed=1)
    assert len({str(state) for state in states}) == len(states) == 1000
    # Two decisions of each side: as many stones lie there, unless the rules took one away.
    assert {state.current_player() for state in states} == {0}
    again = evaluation.openings(game, 1000, 4, seed=1)
    other = evaluation.openings(game, 1000, 4, seed=2)
    assert list(map(str, again)) == list(map(str, states))
    assert list(map(str, other)) != list(map(str, states))


def test_games_from_openings_differ(evaluation: ModuleType) -> None:
    states = evaluation.openings(sarai.make("shah"), 40, 4, seed=1)
    written = list(map(str, states))
    returns = evaluation.play_on(states, ["greedy", "greedy"], seed=1)
    assert list(map(str, states)) == written
    assert len(np.unique(returns[:, 0])) > 1
    assert not returns.sum(axis=1).any()


def test_a_policy_plays_as_an_agent_does(evaluation: ModuleType) -> None:
    # The policy is the engine's "greedy", asked position by position.
    game = sarai.make("shah")
    states = evaluation.openings(game, 12, 4, seed=3)
    asked = []

    def first(views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert views.shape == (len(masks), *game.observation_shape)
        assert (views.dtype, masks.dtype) == (np.int8, np.int8)
        asked.append(len(masks))
        return masks.argmax(axis=1)

    def by_hand(state: sarai.State, seat: int) -> list[float]:
        state = state.clone()
        while not state.is_terminal():
            own = state.current_player() == seat
            state.apply_action(state.legal_actions()[0] if own else sarai.choose(state, "greedy", seed=0))
        return state.returns()

    for seat, agents in enumerate(([first, "greedy"], ["greedy", first])):
        asked.clear()
        returns = evaluation.play_on(states, agents, seed=1)
        assert returns.tolist() == [by_hand(state, seat) for state in states]
        assert max(asked) > 1


def test_dice_and_seats_of_more_than_two(evaluation: ModuleType) -> None:
    game = sarai.make("tshupu")
    states = evaluation.openings(game, 5, 4, seed=1)
    returns = evaluation.play_on(states, ["greedy", "random", "greedy", "random"], seed=1)
    assert returns.shape == (5, 4)
    assert np.array_equal(returns[:, 0], returns[:, 2])


@pytest.mark.parametrize("name", ["shah", "shuanglu"])
def test_the_interval_is_that_of_the_facts(evaluation: ModuleType, name: str) -> None:
    game = sarai.make(name)
    tables = [(["greedy", "greedy"], 0), (["greedy", "greedy"], 1)]
    mean, half = evaluation.measure(game, tables, 200, seed=1)
    if name == "shah":
        # The same openings from both sides: what one side wins the other has lost.
        assert (mean, half) == (0.0, pytest.approx(3 / 100 * 2))
        mean, half = evaluation.measure(game, tables[:1], 100, seed=1)
        states = evaluation.openings(game, 100, evaluation.DECISIONS, seed=1)
        facts = evaluation.play_on(states, *tables[0][:1], seed=1)[:, 0]
    else:
        facts = np.concatenate(
            [sarai.rollout(game, 100, agents="greedy", seed=seed).returns[:, seed - 1] for seed in (1, 2)]
        )
    assert mean == pytest.approx(facts.mean())
    assert half == pytest.approx(1.96 * facts.std(ddof=1) / len(facts) ** 0.5, rel=1e-3)
    assert half > 0


def test_it_says_how_it_measures(evaluation: ModuleType) -> None:
    assert "4 random decisions of both sides" in evaluation.how(sarai.make("shah"))
    assert "dice of its own" in evaluation.how(sarai.make("sho"))


def test_wrong_numbers_are_told(evaluation: ModuleType) -> None:
    game = sarai.make("shah")
    with pytest.raises(ValueError, match="24 of 25 openings were found after 1 random decisions"):
        evaluation.openings(game, 25, 1, seed=1)
    with pytest.raises(ValueError, match="3 agents for 2 seats"):
        evaluation.play_on(evaluation.openings(game, 2, 4, seed=1), ["greedy"] * 3, seed=1)
    with pytest.raises(ValueError, match="games got 3"):
        evaluation.measure(game, [(["greedy"] * 2, 0)] * 2, 3, seed=1)
