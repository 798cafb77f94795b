"""The summary of a rollout: the right numbers, in every form it is read in."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import sarai
from helpers.refusals import refused
from sarai.intervals import mean_interval, wilson


@pytest.fixture(scope="module")
def played() -> sarai.results.Rollout:
    return sarai.rollout("sho", num_games=400, agents=["greedy", "random", "random"], seed=7)


def hand_made(**changes: Any) -> sarai.results.Rollout:
    """Four games won by side 1, 1, 0 and nobody."""
    made = sarai.results.Rollout(
        game=sarai.make("shah"),
        agents=("one", "<b>[bold]two"),
        seed=3,
        first_game=0,
        returns=np.array([[-1, 1], [-1, 1], [1, -1], [0, 0]], np.float32),
        winner=np.array([1, 1, 0, -1], np.int8),
        lengths=np.array([10, 20, 30, 40], np.int32),
        turns=np.array([1, 2, 3, 4], np.int32),
        stats_by_seat=dict.fromkeys(
            sarai.make("shah").statistics, np.array([[1, 1], [0, 0], [0, 2], [4, 0]], np.int32)
        ),
        digests=np.arange(4, dtype=np.uint32),
        seconds=0.5,
    )
    return replace(made, **changes)


def test_a_hand_made_rollout_as_numbers_text_and_page() -> None:
    made = hand_made()
    s = made.summary()
    assert [seat.wins for seat in s.seats] == [1, 2]
    assert [seat.win_share.value for seat in s.seats] == [0.25, 0.5]
    assert [seat.mean_return.value for seat in s.seats] == [-0.25, 0.25]
    low, high = wilson(2, 4)
    assert (s.seats[1].win_share.low, s.seats[1].win_share.high) == (low, high)
    assert (s.draws, s.draw_share.value) == (1, 0.25)
    assert (s.turns.value, s.decisions.value, s.statistics["captures"].value) == (2.5, 25, 2)
    assert (s.turns.value, s.turns.low, s.turns.high) == mean_interval(np.array([1, 2, 3, 4]))
    assert (s.games_per_second, s.decisions_per_second) == (8, 200)
    table = s.to_pandas("statistic").set_index("statistic")
    assert list(table.index) == ["turns", "decisions", *made.stats, "draws"]
    assert (table["mean"]["captures"], table["mean"]["draws"], table["mean_low"]["turns"]) == (
        2,
        0.25,
        s.turns.low,
    )
    lines = str(s).splitlines()
    (seat,) = (line for line in lines if line.startswith("1"))
    assert seat.split()[1:6] == ["<b>[bold]two", "50%", f"{100 * low:.0f}%", "to", f"{100 * high:.0f}%"]
    assert lines[-1] == "8 games/s, 200 decisions/s (0.50 s)"
    page = s._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 2
    assert page.count("<tr>") == page.count("</tr>") == 1 + 2 + 1 + 6
    at_once = hand_made(seconds=0.0).summary()
    assert at_once.games_per_second is at_once.decisions_per_second is None
    assert "played in 0.00 s" in str(at_once)
    with pytest.raises(ValueError, match="holds no game"):
        made[:0].summary()
    refused(sarai.results.Summary.of, {}, {"rollout": [3]})


def test_partners_share_a_win() -> None:
    r = sarai.rollout("sho(preset=teams)", num_games=50, seed=1)
    wins = [seat.wins for seat in r.summary().seats]
    assert wins[0] == wins[2]
    assert wins[1] == wins[3]
    assert wins[0] + wins[1] + r.summary().draws == 50
    assert "side 1" in str(r.summary())


@pytest.mark.parametrize("name", ["sho", "sho(stake=0.1)", "shah", "shuanglu", "tshupu"])
@pytest.mark.parametrize("num_games", [1, 2, 40])
def test_intervals_of_mean_returns_lie_within_the_returns(name: str, num_games: int) -> None:
    least, most = np.array(sarai.make(name).returns_range, np.float32).tolist()
    for agents in ("random", ["greedy", *["random"] * (sarai.make(name).num_players - 1)]):
        s = sarai.rollout(name, agents, num_games, seed=1).summary()
        for seat in s.seats:
            mean = seat.mean_return
            assert least <= mean.low <= mean.value <= mean.high <= most
            assert mean.low < mean.high
        for counted in (s.turns, s.decisions, *s.statistics.values()):
            assert not counted.low < 0


def test_where_all_games_are_won_the_mean_return_has_an_interval() -> None:
    five: dict[str, Any] = {"returns": np.array([[1, -1]] * 5, np.float32), "winner": np.zeros(5, np.int8)}
    counts: dict[str, Any] = {"lengths": np.full(5, 9, np.int32), "turns": np.full(5, 5, np.int32)}
    none = dict.fromkeys(sarai.make("shah").statistics, np.zeros((5, 2), np.int32))
    nothing: dict[str, Any] = {"stats_by_seat": none, "digests": np.arange(5, dtype=np.uint32)}
    s = hand_made(**five, **counts, **nothing).summary()
    low, high = wilson(5, 5)
    assert (s.seats[0].mean_return.low, s.seats[0].mean_return.high) == pytest.approx((2 * low - 1, high))


def test_text_fits_80_columns_of_plain_ascii(played: sarai.results.Rollout) -> None:
    text = str(played.summary())
    assert text.isascii()
    assert "\x1b" not in text
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "sho: 400 games, seed 7"
    for name in ("greedy", "turns", "decisions", "draws", *played.stats):
        assert any(name in line for line in lines), name
    long = replace(played, agents=("a_policy_with_a_name_that_is_longer_than_a_line_can_hold",) * 3)
    assert max(map(len, str(long.summary()).splitlines())) <= 80


DISTINCT: list[tuple[str, Any, int, Any]] = [
    ("shah", "greedy", 0, 1),
    ("shah(first_player=random)", "greedy", 0, 2),
    ("shah(max_turns=6)", lambda observations, masks: masks.argmax(axis=1), 0, 1),
    ("shah(max_turns=20)", "greedy", 1, range(2, 21)),
    ("shah", "greedy", 6, None),
    ("shah", ["greedy", "random"], 0, None),
    ("sho", "greedy", 0, None),
]


@pytest.mark.parametrize(("game", "agents", "random_plies", "distinct"), DISTINCT)
def test_where_fewer_than_half_of_the_games_are_distinct_there_are_no_intervals(
    game: str, agents: Any, random_plies: int, distinct: Any
) -> None:
    r = sarai.rollout(game, agents, 40, seed=5, random_plies=random_plies)
    assert r.digests is not None
    differ = len(set(r.digests.tolist()))
    s = r.summary()
    assert s.distinct == s.to_dict()["distinct"] == (differ if 2 * differ < 40 else None)
    assert s.distinct == distinct or s.distinct in (distinct or ())
    assert ("distinct" in str(s)) == ("distinct" in s._repr_html_()) == (distinct is not None)
    for estimate in (s.draw_share, s.turns, *(seat.win_share for seat in s.seats)):
        assert (estimate.to_dict()["low"] is None) == (distinct is not None)
    # One game, or two that are alike, say nothing of others.
    assert sarai.rollout(game, agents, 1, seed=5, random_plies=random_plies).summary().distinct is None


def test_labels_cannot_control_the_terminal_or_the_page() -> None:
    label = "\x1b[2J\0\x9b\ufffe"
    summary = hand_made(agents=("one", label)).summary()
    for shown in (str(summary), summary._repr_html_()):
        assert shown.replace("\n", "").isprintable()
        assert shown.encode()
    rich = io.StringIO()
    Console(file=rich, force_terminal=True, color_system="truecolor", width=200).print(summary)
    assert "\x1b[2J" not in rich.getvalue()
    assert "\\x1b[2J" in rich.getvalue()
    # Whoever computes with them gets them as they are.
    assert summary.to_dict()["seats"][1]["agent"] == label
