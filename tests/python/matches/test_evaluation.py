"""How one agent does against others."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.refusals import refused
from sarai import agents
from sarai.results.intervals import wilson


@pytest.mark.parametrize("game", ["shuanglu", "sho", "sho(preset=teams)"])
def test_every_side_is_a_rollout(game: str) -> None:
    found = sarai.evaluate("greedy", ["random", "mcts:2"], game=game, num_games=31, seed=4)
    book = sarai.make(game)
    sides = max(book.sides) + 1
    assert [(score.opponent, score.side) for score in found.scores] == [
        (opponent, side) for opponent in ("random", "mcts:2") for side in (None, *range(sides))
    ]
    number = -(-31 // sides)
    for opponent in found.opponents:
        wins, returns = 0, []
        for side in range(sides):
            seats = ["greedy" if own == side else opponent for own in book.sides]
            r = sarai.rollout(book, seats, number, seed=4)
            (score,) = [s for s in found.scores if (s.opponent, s.side) == (opponent, side)]
            mine = int((r.winner == side).sum())
            assert (score.games, score.draws) == (number, int((r.winner < 0).sum()))
            assert score.win_share.value == pytest.approx(mine / number)
            assert (score.win_share.low, score.win_share.high) == pytest.approx(
                wilson(mine, number), abs=0.02
            )
            assert score.mean_return.value == pytest.approx(r.returns[:, book.sides.index(side)].mean())
            wins += mine
            returns.append(r.returns[:, book.sides.index(side)])
        (score,) = [s for s in found.scores if (s.opponent, s.side) == (opponent, None)]
        assert score.games == number * sides
        assert score.win_share.value == pytest.approx(wins / score.games)
        assert score.mean_return.value == pytest.approx(np.mean(returns), abs=1e-6)
        assert score.win_share.low <= score.win_share.value <= score.win_share.high


def test_intervals_know_that_games_share_their_dice() -> None:
    # Against itself, who wins one of two games with the same dice loses the other one.
    whole = sarai.evaluate("greedy", "greedy", game="shuanglu", num_games=400, seed=0).scores[0]
    assert whole.win_share.value == 0.5
    assert math.isnan(whole.mean_return.low)
    # Against another it is somewhat so.
    found = sarai.evaluate("expectimax:1", "greedy", game="shuanglu", num_games=1200, seed=0)
    every = found.scores[0]
    low, high = wilson(round(every.win_share.value * every.games), every.games)
    assert every.win_share.high - every.win_share.low < 0.97 * (high - low)


def test_threads_change_nothing_and_progress_counts() -> None:
    told: list[int] = []
    one = sarai.evaluate("greedy", game="sho", num_games=60, num_threads=1, progress=told.append, seed=0)
    two = sarai.evaluate("greedy", game="sho", num_games=60, num_threads=2, seed=0)
    assert one.scores == two.scores
    assert told[-1] == sum(score.games for score in one.scores if score.side is None)


def test_repeated_games_are_told() -> None:
    found = sarai.evaluate("greedy", ["alphabeta:1", "random"], game="shah", num_games=40, seed=0)
    assert [score.distinct for score in found.scores] == [2, 1, 1, None, None, None]
    assert all(math.isnan(score.win_share.low) for score in found.scores[:3])
    for shown in (str(found), found._repr_html_()):
        assert "distinct games against alphabeta:1: 2 of 40" in shown
    begun = sarai.evaluate("greedy", ["alphabeta:1"], game="shah", num_games=40, random_plies=6, seed=0)
    assert all(score.distinct is None for score in begun.scores)
    assert "distinct" not in str(begun)


def test_shown_as_tables_and_plain_data() -> None:
    found = sarai.evaluate("greedy", {"<b>": "random"}, game="sho", num_games=30, seed=0)
    assert found.opponents == ("<b>",)
    assert "<b>" in str(found).replace("<b>sho", "")
    assert "&lt;b&gt;" in found._repr_html_()
    told = found.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False))["agent"] == "greedy"
    frame = found.to_pandas()
    assert frame["side"].tolist() == [-1, 0, 1, 2]
    assert frame["win_share"].tolist() == [score.win_share.value for score in found.scores]


LONG = agents.Mixture({f"mcts:{number}": 1 for number in range(1, 12)})


def test_one_opponent_may_see_whole_positions() -> None:
    class First:
        def choose_many(self, states: sarai.States, seats: NDArray[np.int8]) -> NDArray[np.intp]:
            return states.legal_actions_mask().argmax(1)

    search = agents.TreeSearch(lambda observations: np.zeros(len(observations)), 2)
    for opponent in (First(), search):
        alone = sarai.evaluate("greedy", opponent, game="shah", num_games=2, seed=0)
        assert alone.scores == sarai.evaluate("greedy", [opponent], game="shah", num_games=2, seed=0).scores
    assert sarai.evaluate("random", {"long": LONG}, game="sho", num_games=1, seed=0).opponents == ("long",)


def test_bad_input_is_refused() -> None:
    def call(**given: Any) -> None:
        sarai.evaluate(**{"agent": "greedy", "game": "sho", "num_games": 10, **given})

    values = {"agent": ["gready"], "num_games": [0], "random_plies": [2000]}
    refused(call, values, {"agent": [None], "num_games": ["7"]})
    for opponents, error, says in (
        ([], ValueError, "agents has 0 entries"),
        (["alphabeta:2"], ValueError, "without chance"),
        (7, TypeError, "a dict of agents by name"),
        ([LONG], ValueError, "1 to 100 characters"),
        (agents.Greedy, TypeError, "not the class Greedy"),
    ):
        with pytest.raises(error, match=says):
            call(opponents=opponents)
