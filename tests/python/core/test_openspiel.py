"""OpenSpiel's algorithms in Python run on a `State` as it is: the verbs are the same."""

from __future__ import annotations

import numpy as np
import pytest

import sarai
from helpers import night
from helpers.spiel import pyspiel  # First: it skips these tests where there is no OpenSpiel.

# isort: split
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.minimax import expectiminimax


@pytest.mark.parametrize("name", night.after(2, ["sho", "shah", "tshupu", "shuanglu"]))
def test_mcts_in_python_searches_a_state(name: str) -> None:
    # The bot asks its game for nothing but the range of the returns; OpenSpiel's own has the same.
    game = pyspiel.load_game("backgammon")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = sarai.make(
        name, rules={"players": 2} if "players" in sarai.make(name).rules else None
    ).new_initial_state()
    for _ in range(4):
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        root = bot.mcts_search(state)
        assert root.explore_count == 30
        assert sorted(child.action for child in root.children) == state.legal_actions()
        assert len(root.children_str(state).splitlines()) == len(state.legal_actions())
        state.apply_action(root.best_child().action)


def test_expectiminimax_searches_a_state() -> None:
    state = sarai.make("shuanglu", preset="backgammon").new_initial_state()
    state.apply_action(0)
    pieces = [sum(points) for points in state.to_dict()["points"]]
    assert pieces == [15, 15]

    def lead(state: sarai.State) -> float:
        return float(sum(state.to_dict()["off"][:1]) - sum(state.to_dict()["off"][1:]))

    value, action = expectiminimax(state, 1, lead, state.current_player())
    assert value == 0.0
    assert action in state.legal_actions()
