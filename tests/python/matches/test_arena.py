"""The arena: who plays whom on which dice, what is counted, and that nothing hangs on threads."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.learner_games import lowest
from helpers.refusals import refused
from matches.likelihood import by_steps
from sarai import agents
from sarai._matches import arena_text, playing
from sarai._matches.ratings import fit, interval
from sarai._playout import Run
from sarai.intervals import mean_interval

# The name of the module is that of the function in it.
arena_module = sys.modules["sarai._matches.arena"]


# A game and who plays: two sides, teams, three and four sides, and more seats than agents.
TABLES: dict[str, tuple[str, list[sarai.agents.Agent], dict[str, Any]]] = {
    "two": ("shuanglu", ["greedy", "expectimax:1", "random"], {}),
    "own dice": ("shuanglu", ["greedy", "random"], {"dice": "own"}),
    "no dice": ("shah", ["greedy", "alphabeta:1", lowest], {"random_plies": 4}),
    "draws": ("shah(max_turns=40)", ["greedy", "random"], {"random_plies": 2}),
    "draws of three": ("sho(max_turns=60)", ["greedy", "expectimax:1", "random"], {}),
    "teams": ("tshupu", ["greedy", "random"], {}),
    "teams of sho": ("sho(preset=teams)", ["greedy", "random", "mcts:2"], {}),
    "three": ("sho", ["greedy", "random", lowest, "expectimax:1"], {"schedule": "gauntlet"}),
    "three of four": ("sho", ["greedy", "random", "mcts:1", "expectimax:1"], {}),
    "four": ("sho(players=4)", ["greedy", "random", "expectimax:1"], {"random_plies": 3}),
    "two of four": ("sho(players=4)", ["greedy", "random"], {}),
}
each = pytest.mark.parametrize("name", TABLES)


def some(*names: str) -> pytest.MarkDecorator:
    """These tables always, and the others nightly."""
    marks = {name: () if name in names else pytest.mark.nightly for name in TABLES}
    return pytest.mark.parametrize("name", [pytest.param(name, marks=mark) for name, mark in marks.items()])


@cache
def fixed(name: str) -> sarai.matches.Arena:
    """What all tests of the table look at, and none changes."""
    return played(name)


def played(name: str, games: int = 30, **changes: Any) -> sarai.matches.Arena:
    game, players, settings = TABLES[name]
    return sarai.arena(game, players, games, **{"seed": 7, "keep": [1], **settings, **changes})


@each
def test_every_seating_is_a_rollout_of_its_agents(name: str) -> None:
    game, players, settings = TABLES[name]
    a = fixed(name)
    sides = sarai.make(game).sides
    games = a.winner.shape[1]
    assert games * len(a.orders) == a.num_games >= 30
    for place, order in enumerate(a.orders):
        r = sarai.rollout(
            game,
            [players[order[side]] for side in sides],
            games,
            seed=7,
            first_game=place * games if settings.get("dice") == "own" else 0,
            random_plies=settings.get("random_plies", 0),
            keep=[1],
        )
        assert np.array_equal(r.winner, a.winner[place])
        assert np.array_equal(r.returns, a.returns[place][:, list(sides)])
        assert np.array_equal(r.lengths, a.lengths[place])
        assert r.records[1] == a.records[place, 1]
    assert len(a.records) == len(a.orders)
    # Every order of the seats is played equally often.
    assert len(np.unique(a.orders, axis=0)) == len(a.orders)
    for agent in range(len(a.names)):
        counts = (a.orders == agent).sum(axis=0)
        assert (counts == counts[0]).all()
        assert counts[0] > 0


@some("own dice", "teams of sho")
def test_threads_and_runs_change_nothing(name: str) -> None:
    told: list[int] = []
    one, two = (played(name, num_threads=threads, progress=told.append) for threads in (1, 2))
    assert one == two == fixed(name)
    assert (max(told), told[-1]) == (one.num_games, one.num_games)
    assert one.ratings == two.ratings
    assert one.seat_advantage == two.seat_advantage
    assert played(name, seed=8) != one


@some("no dice", "draws", "teams of sho", "three")
def test_what_is_counted_is_what_was_played(name: str) -> None:
    a = fixed(name)
    num_sides = max(a.sides) + 1
    assert sorted(standing.name for standing in a.standings) == sorted(a.names)
    assert [s.rating.value for s in a.standings] == sorted(
        (e.value for e in a.ratings.values()), reverse=True
    )
    for standing in a.standings:
        mine = a.names.index(standing.name)
        games = wins = draws = 0
        points: list[float] = []
        returns: list[float] = []
        for order, winners, scores in zip(a.orders, a.winner, a.returns, strict=True):
            for winner, score in zip(winners, scores, strict=True):
                held = [side for side in range(num_sides) if order[side] == mine]
                games += bool(held)
                wins += winner in held
                draws += bool(held) and winner < 0
                points += [1 / num_sides if winner < 0 else float(winner == side) for side in held]
                returns += [float(score[side]) for side in held]
        assert (standing.games, standing.wins, standing.draws) == (games, wins, draws)
        assert standing.score == pytest.approx(np.mean(points))
        assert standing.mean_return.value == pytest.approx(np.mean(returns))
        assert standing.milliseconds > 0
    for pairing in a.pairings:
        one, other = map(a.names.index, pairing.names)
        met = [place for place, order in enumerate(a.orders) if {one, other} <= set(order.tolist())]
        winners = [(a.orders[place], winner) for place in met for winner in a.winner[place]]
        won = [order[winner] for order, winner in winners if winner >= 0]
        assert pairing.games == len(winners)
        assert pairing.wins == (won.count(one), won.count(other))
        assert pairing.draws == len(winners) - len(won)
        decided = pairing.wins[0] + pairing.wins[1] + pairing.draws
        share = (pairing.wins[0] + pairing.draws / 2) / decided if decided else math.nan
        assert a.crosstable[one, other] == pytest.approx(share, nan_ok=True)
        assert a.crosstable[other, one] == pytest.approx(1 - share, nan_ok=True)


@some("no dice", "draws of three", "teams", "three of four")
def test_ratings_are_those_of_the_games(name: str) -> None:
    a = played(name, 60)
    if a.bounded:
        scores = (a.winner[..., np.newaxis] == np.arange(max(a.sides) + 1)).astype(float)
        scores[a.winner < 0] = 1 / (max(a.sides) + 1)
        expected = by_steps(a.orders, scores.transpose(1, 0, 2), len(a.names))
        assert [a.ratings[name].value for name in a.names] == pytest.approx(expected, abs=1e-3)
    assert sum(estimate.value for estimate in a.ratings.values()) == pytest.approx(0, abs=1e-3)
    for estimate in (*a.ratings.values(), *a.seat_advantage):
        assert estimate.low <= estimate.value <= estimate.high
    one, other = a.names[:2]
    ahead, behind = a.difference(one, other), a.difference(other, one)
    assert (ahead.value, ahead.low, ahead.high) == pytest.approx((-behind.value, -behind.high, -behind.low))
    assert ahead.value == pytest.approx(a.ratings[one].value - a.ratings[other].value)


def test_repeated_games_are_told_and_have_no_intervals() -> None:
    a = sarai.arena("shah", ["greedy", "alphabeta:2", "random"], 40, seed=1)
    (few,) = [pairing for pairing in a.pairings if pairing.distinct is not None]
    assert (set(few.names), few.distinct) == ({"greedy", "alphabeta:2"}, 2)
    every = [*a.ratings.values(), *a.seat_advantage, a.difference("greedy", "random"), *few.mean_returns]
    assert all(math.isnan(estimate.low) and math.isnan(estimate.high) for estimate in every)
    for shown in (str(a), a._repr_html_()):
        assert "distinct games of greedy and alphabeta:2: 2 of 40" in shown
        assert "random_plies" in shown
    assert [a.pairing(*few.names, side).distinct for side in (None, 0, 1)] == [2, 1, 1]
    b = sarai.arena("shah", ["greedy", "alphabeta:2", "random"], 40, seed=1, random_plies=6)
    assert all(pairing.distinct is None for pairing in b.pairings)
    assert "distinct" not in str(b)


def test_who_won_everything_is_told_to_be_out_of_sight() -> None:
    a = sarai.arena("shah", ["alphabeta:2", "random"], 40, seed=1)
    assert not a.bounded
    assert a.standings[0].score == 1
    assert all(math.isfinite(end) for e in a.ratings.values() for end in (e.value, e.low, e.high))
    assert "won and a lost game more" in str(a)
    close = sarai.arena("shuanglu", ["greedy", "expectimax:1"], 40, seed=1)
    assert close.bounded
    assert "won and a lost game more" not in str(close)


def test_one_game_of_each_seating_has_no_intervals_of_ratings() -> None:
    a = sarai.arena("shuanglu", ["greedy", "random"], 1, seed=1)
    assert a.winner.shape == (2, 1)
    assert all(math.isnan(one.low) for one in a.ratings.values())
    for estimate in a.pairings[0].mean_returns:
        assert -1 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert "-" in str(a)


def test_names_labels_and_objects() -> None:
    named = {"a": agents.Greedy(), "b": lowest, "<b>[bold]": agents.MCTS(2)}
    a = sarai.arena("shuanglu", named, 10, seed=1)
    assert a.names == ("a", "b", "<b>[bold]")
    assert a.agents == ("greedy", "lowest", "mcts:2")
    assert "<b>[bold]" in str(a)
    assert sarai.arena("shuanglu", iter(["greedy", lowest]), 10, seed=0).names == ("greedy", "lowest")


def test_tables_and_texts_have_all_agents_best_first() -> None:
    for name in ("no dice", "draws of three", "teams", "two of four"):
        a = fixed(name)
        assert [row["name"] for row in a.to_dict()["standings"]] == [s.name for s in a.standings]
        assert all(agent in str(a) and agent in a._repr_html_() for agent in a.names)
    frame = a.to_pandas()
    assert list(frame["name"]) == [standing.name for standing in a.standings]
    assert frame["rating"].tolist() == [standing.rating.value for standing in a.standings]


def test_bad_input_is_refused() -> None:
    told: list[int] = []
    fine: dict[str, Any] = {"game": "sho(players=2)", "agents": ["greedy", "random"], "num_games": 10}

    def call(**given: Any) -> None:
        sarai.arena(**{**fine, "progress": told.append, **given})

    # `errors.txt` has more of them.
    agents = [
        [], ["greedy", "gready"], (f"mcts:{n}" for n in count(1)), {"": "greedy", "b": "random"},
        {"\udc80": "greedy", "b": "random"},
    ]  # fmt: skip
    values = {
        "agents": agents, "num_games": [10**30], "random_plies": [-1, 1001], "seed": [-1], "keep": [[5]],
        "num_threads": [-1], "game": ["chess"],
    }  # fmt: skip
    types = {
        "agents": [None, ["greedy", 7], {"a": "greedy", "b": None}, {1: "greedy", 2: "random"}],
        "num_games": [1.5], "dice": [None], "random_plies": [1.0], "keep": ["0"],
    }  # fmt: skip
    refused(call, values, types)
    many = [f"mcts:{n}" for n in range(1, 6)]
    for given, says in (
        ({"agents": ["greedy", "alphabeta:2"]}, "without dice"),
        ({"game": "sho(players=5)"}, "'players' got 5"),
        ({"agents": many, "keep": range(1000), "num_games": 100_000}, "more than 10,000 records"),
    ):
        with pytest.raises(ValueError, match=says):
            call(**given)
    assert not told, "nothing was played"


def test_many_agents_are_not_told_all() -> None:
    names = tuple(f"{number:03}" * 30 for number in range(100))
    agents = dict.fromkeys(names, "random")
    a = sarai.arena("shuanglu(max_turns=4)", agents, 2, schedule="gauntlet", seed=0)
    with pytest.raises(ValueError, match="there is no agent 'x'; the agents are 000000") as refused:
        a.difference("x", "y")
    assert len(str(refused.value)) < 1200


def test_no_more_is_asked_than_the_games_have_decisions() -> None:
    asked = 0

    def counting(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        nonlocal asked
        asked += len(masks)
        return lowest(observations, masks)

    a = sarai.arena("shah", {"one": counting, "two": counting}, 6, seed=1, random_plies=4)
    assert asked == a.lengths.sum() - 4 * a.num_games


def test_milliseconds_are_those_of_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    def spending(run: Any, seats: Any, *rest: Any) -> playing.Games:
        # The first agent took 6 s for 4 decisions on each of its sides, and the other was never asked.
        of = {"greedy": (6.0, 4.0), "random": (0.0, 0.0)}
        spent = np.array([of[seats[side]] for side in run.game.sides])
        return replace(playing.play_games(run, seats, *rest), spent=spent)

    monkeypatch.setattr(arena_module, "play_games", spending)
    a = sarai.arena("sho", ["greedy", "random"], 6, seed=1)
    assert a.milliseconds[0] == 1500
    assert a.milliseconds[1] == 0
    rows = {row[1]: row[-1] for row in arena_text.rows(a)}
    assert rows == {"greedy": "1.5e+03", "random": "-"}


def test_the_time_that_a_choice_takes_is_that_of_its_side() -> None:
    def slow(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        time.sleep(0.002)
        return lowest(observations, masks)

    run = Run.of("tshupu", None, 0, 1, 1, random_plies=2)
    found = playing.play_games(run, ["greedy", slow, "greedy", slow], 1, 0)
    decisions = int(found.lengths[0]) - 2
    assert found.spent[:, 1].sum() == decisions
    assert found.spent[1, 0] >= 0.002 * found.spent[1, 1] > 0
    assert found.spent[0, 0] > 0


def test_few_draws_are_no_certainty() -> None:
    widths = []
    for games in (6, 60):
        a = sarai.arena("shuanglu(max_turns=4)", ["greedy", "random"], games, seed=0)
        assert (a.winner < 0).all()
        apart = a.difference("greedy", "random")
        assert apart.value == 0
        # What a score interval leaves open where so many groups are drawn, as Elo.
        _, low, high = mean_interval(np.full(games // 2, 0.5), (0, 1))
        assert (apart.low, apart.high) == pytest.approx(
            [400 * math.log10(share / (1 - share)) for share in (low, high)]
        )
        for one in a.ratings.values():
            assert (one.low, one.high) == pytest.approx((apart.low / 2, apart.high / 2))
        for one in a.seat_advantage:
            assert one.low <= apart.low / 2 * 0.999 < 0 < apart.high / 2 * 0.999 <= one.high
        widths.append(apart.high - apart.low)
    assert widths[0] > 5 * widths[1] > 0


def test_games_with_dice_of_their_own_are_weighed_alone() -> None:
    a = sarai.arena("shuanglu", ["greedy", "random"], 60, seed=1, dice="own")
    scores = (a.winner[..., np.newaxis] == np.arange(2)).astype(float).transpose(1, 0, 2)
    found = fit(a.orders, scores, 2, a.seed, shared=False)
    low, high = interval(found.ratings, found.samples, a.winner.shape[1])
    assert [a.ratings[name].low for name in a.names] == low.tolist()
    assert [a.ratings[name].high for name in a.names] == high.tolist()


def test_the_crosstable_is_best_first() -> None:
    a = sarai.arena("shuanglu", ["random", "greedy", "expectimax:1"], 20, seed=1)
    order = [a.names.index(standing.name) for standing in a.standings]
    assert order != [0, 1, 2]
    header, body = arena_text.crosstable(a)
    assert header == ("", "beats, in %", "1", "2", "3")
    for row, one in zip(body, order, strict=True):
        shares = [a.crosstable[one, other] for other in order]
        assert row[1:] == (a.names[one], *("-" if math.isnan(x) else f"{100 * x:.1f}" for x in shares))


def test_drawn_games_leave_room_for_a_difference() -> None:
    """No interval is narrower than so few games allow, though all of them ended alike."""
    a = sarai.arena(sarai.make("shah", max_turns=2), ["greedy", "random"], 6, seed=0)
    assert a.pairings[0].draws == 6
    found = [a.difference("greedy", "random"), *a.seat_advantage, *a.ratings.values()]
    found += [*a.pairings[0].win_shares, *a.pairings[0].mean_returns]
    assert all(estimate.high - estimate.low > 0.5 for estimate in found)
    assert all(estimate.low <= estimate.value <= estimate.high for estimate in found)
