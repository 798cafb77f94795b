"""How one agent does against others: the arena's gauntlets."""

from __future__ import annotations

import numpy as np
import pytest

import sarai
from helpers.refusals import refused
from sarai._matches.standings import Results
from sarai.intervals import wilson


@pytest.mark.parametrize("game", ["shuanglu", "sho", "sho(preset=teams)"])
def test_every_side_is_a_rollout(game: str) -> None:
    a = sarai.arena(game, ["greedy", "random", "mcts:2"], 31, seed=4, schedule="gauntlet")
    book = sarai.make(game)
    sides = max(book.sides) + 1
    number = -(-31 // sides)
    assert [pairing.names for pairing in a.pairings] == [("greedy", "random"), ("greedy", "mcts:2")]
    for opponent in a.names[1:]:
        wins, returns = 0, []
        for side in range(sides):
            seats = ["greedy" if own == side else opponent for own in book.sides]
            r = sarai.rollout(book, seats, number, seed=4)
            found = a.pairing("greedy", opponent, side)
            mine = int((r.winner == side).sum())
            assert (found.games, found.draws, found.side) == (number, int((r.winner < 0).sum()), side)
            share, _ = found.win_shares
            assert share.value == pytest.approx(mine / number)
            assert (share.low, share.high) == pytest.approx(wilson(mine, number), abs=0.02)
            assert found.mean_returns[0].value == pytest.approx(r.returns[:, book.sides.index(side)].mean())
            wins += mine
            returns.append(r.returns[:, book.sides.index(side)])
        found = a.pairing("greedy", opponent)
        assert (found.games, found.wins[0], found.side) == (number * sides, wins, None)
        share, other = found.win_shares
        assert share.value == pytest.approx(wins / found.games)
        assert share.value + other.value + found.draws / found.games == pytest.approx(1)
        assert found.mean_returns[0].value == pytest.approx(np.mean(returns), abs=1e-6)
        assert share.low <= share.value <= share.high
        assert found in a.pairings
        assert a.pairing(opponent, "greedy").win_shares == (other, share)


def test_intervals_know_that_games_share_their_dice() -> None:
    # Against itself, who wins one of two games with the same dice loses the other one.
    alike = sarai.arena("shuanglu", {"one": "greedy", "two": "greedy"}, 400, seed=0).pairing("one", "two")
    assert alike.win_shares[0].value == 0.5
    assert alike.mean_returns[0].value == 0
    assert -0.02 < alike.mean_returns[0].low < 0 < alike.mean_returns[0].high < 0.02


@pytest.mark.parametrize(("shared", "units"), [(True, 50), (False, 100)])
def test_a_share_of_wins_and_a_mean_of_wins_and_losses_have_one_interval(shared: bool, units: int) -> None:
    orders, all_met = np.array([[0, 1], [1, 0]], np.int16), np.ones(2, bool)
    ends = []
    for lost in range(50):
        winner = np.array([[0] * 50, [1] * 50], np.int8)
        winner[0, :lost] = 1
        returns = np.where(winner[..., np.newaxis] == [0, 1], 1, -1).astype(np.float32)
        results = Results(
            orders, returns, winner, np.arange(100, dtype=np.uint32).reshape(2, 50), (-1, 1), shared
        )
        share, mean = (of(0, all_met, False) for of in (results.win_share, results.mean_return))
        assert [mean.value, mean.low, mean.high] == pytest.approx(
            [2 * end - 1 for end in vars(share).values()]
        )
        ends.append((share.low, share.high))
    assert ends == sorted(ends, reverse=True)
    # Who has won everything has won as many units as there are.
    assert ends[0] == pytest.approx(wilson(units, units))


def test_shown_as_tables_and_plain_data() -> None:
    a = sarai.arena("sho", {"<a>": "greedy", "<b>": "random"}, 30, seed=0, schedule="gauntlet")
    assert "against" in str(a)
    assert "beats, in %" not in str(a)
    rows = [line.split() for line in str(a).splitlines() if line.startswith("<b>")]
    assert [row[1:3] for row in rows] == [["all", "30"], ["0", "10"], ["1", "10"], ["2", "10"]]
    frame = a.to_pandas("pairing")
    assert frame["side"].tolist() == [-1, 0, 1, 2]
    expected = [a.pairing("<a>", "<b>", side) for side in (None, 0, 1, 2)]
    assert frame["win_share"].tolist() == [pairing.win_shares[0].value for pairing in expected]
    assert frame["mean_return"].tolist() == [pairing.mean_returns[0].value for pairing in expected]


def test_of_all_that_meet_each_two_have_a_row() -> None:
    a = sarai.arena("sho", ["greedy", "random", "mcts:1"], 12, seed=0)
    frame = a.to_pandas("pairing")
    assert frame[frame["side"] < 0]["games"].tolist() == [12, 12, 12]
    # Whoever has the third side.
    assert frame[frame["side"] >= 0]["games"].tolist() == [4] * 9
    assert "beats, in %" in str(a)


def test_pairings_that_are_none() -> None:
    a = sarai.arena("shuanglu", ["greedy", "random", "mcts:1"], 2, seed=0, schedule="gauntlet")
    for one, other in (("random", "mcts:1"), ("greedy", "greedy")):
        with pytest.raises(ValueError, match="have not met"):
            a.pairing(one, other)
    refused(lambda side: a.pairing("greedy", "random", side), {"side": [-1, 2]}, {"side": ["0", 1.5, True]})
