"""Series: who begins, who has won, streaks, many at once, bad input."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.ctrl_c import at_once, interrupted
from helpers.nightly_books import some_books
from helpers.refusals import refused

unless_windows = pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to the whole console")


def naive(series: sarai.Series) -> tuple[int, list[list[int]]]:
    """The winner of a series and what each side had after each game, counted game by game."""
    sides = max(series.sides) + 1
    have, table = [0] * sides, []
    for winner in series.winners:
        if winner >= 0:
            if series.consecutive:
                have = [count if side == winner else 0 for side, count in enumerate(have)]
            have[winner] += 1
        table.append(list(have))
    leaders = [side for side, count in enumerate(have) if count >= series.target]
    return (leaders[0] if leaders else -1), table


@some_books
@pytest.mark.parametrize("consecutive", [True, False])
def test_winner_and_streaks(book: tuple[str, str], consecutive: bool) -> None:
    many = sarai.rollout_series(
        book[0], 20, target=2, consecutive=consecutive, seed=2, preset=book[1], max_games=15
    )
    players = len(many.sides)
    assert len(many) == 20
    assert many.winner.dtype == np.int8
    assert many.winner.shape == (20,)
    assert many.offsets.dtype == np.int64
    total = int(many.num_games.sum())
    assert many.returns.shape == (total, players)
    assert many.returns.dtype == np.float32
    for values in many.stats_by_seat.values():
        assert values.shape == (total, players)
        assert values.dtype == np.int32
    for place, series in enumerate(many):
        winner, table = naive(series)
        assert series.winner == winner
        assert many.winner[place] == winner
        assert series.streaks.tolist() == table
        assert winner >= 0 or len(series) == 15
        if "first_player" in many.rules:
            # Who has won begins the next; a draw changes nothing.
            begins = [0]
            for won_by, starter in zip(series.winners[:-1], series.starters[1:], strict=True):
                begins.append(begins[-1] if won_by < 0 else starter)
                assert won_by < 0 or many.sides[starter] == won_by
            assert series.starters.tolist() == begins
        won = series.winners >= 0
        assert (series.returns[~won] == 0).all()
        assert np.abs(series.returns.sum(axis=1)).max() == 0


def test_the_first_player_begins_only_the_first_game() -> None:
    late = sarai.rollout_series("sho", 5, target=1, seed=8, rules={"first_player": 1}, max_games=2)
    assert {series.starters[0] for series in late} == {1}
    drawn = sarai.rollout_series("sho", 60, target=1, seed=8, rules={"first_player": "random"}, max_games=2)
    assert {int(series.starters[0]) for series in drawn} == {0, 1, 2}


def test_games_differ_and_follow_from_the_seed() -> None:
    one, same, other = (sarai.play_series("sho", target=3, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert len(set(one.lengths.tolist())) > 1


def test_many_are_split_and_spread_alike() -> None:
    whole = sarai.rollout_series("sho", 30, target=2, seed=4, num_threads=1)
    told: list[int] = []
    assert whole == sarai.rollout_series("sho", 30, target=2, seed=4, num_threads=2, progress=told.append)
    assert told[-1] == 30
    late = sarai.rollout_series("sho", 10, target=2, seed=4, first_series=20)
    assert list(whole)[20:] == list(late)
    assert whole != sarai.rollout_series("sho", 30, target=2, seed=5)
    assert whole[-1] == whole[29]
    assert whole[0] == sarai.play_series("sho", target=2, seed=4)


def test_policies_play_series() -> None:
    rows = []

    def lowest(observations: Any, masks: Any) -> Any:
        rows.append(len(observations))
        return masks.argmax(axis=1)

    many = sarai.rollout_series("sho", 20, [lowest, "random", "random"], target=2, seed=1)
    assert many.agents[0].endswith("lowest")
    assert max(rows) > 10
    again = sarai.rollout_series("sho", 20, [lowest, "random", "random"], target=2, seed=1, num_threads=2)
    assert many == again


def test_illegal_action_names_series_and_game() -> None:
    def wrong(observations: Any, masks: Any) -> Any:
        return np.full(len(observations), 999)

    with pytest.raises(
        sarai.IllegalActionError, match=r"series 0, game 0, player 0: action 999 is not legal"
    ):
        sarai.play_series("sho", [wrong, "random", "random"])


def test_text_says_what_happened() -> None:
    series = sarai.play_series("sho", ["greedy", "random", "random"], target=3, seed=1)
    lines = str(series).splitlines()
    assert lines[0] == "sho: first to win 3 games in a row, greedy against random against random"
    assert lines[-1] == "side 0 has won the series"
    assert len(lines) == len(series) + 5
    undecided = sarai.play_series("sho", target=2, rules={"max_turns": 1}, max_games=7)
    assert (undecided.winner, len(undecided)) == (-1, 7)
    assert (undecided.winners == -1).all()
    assert not undecided.streaks.any()
    assert "nobody has won the series" in str(undecided)
    assert "no winner" in repr(undecided)


def test_bad_input() -> None:
    def call(**given: Any) -> None:
        sarai.rollout_series(**{"game": "sho", "num_series": 2, **given})

    values = {
        "target": [0, 1001], "max_games": [0, 10**30], "num_series": [0, -1], "first_series": [2**64 - 1],
        "seed": [-1], "agents": [["random"], "clever"], "game": ["chess"], "preset": ["nowhere"],
        "num_threads": [0], "random_plies": [-1, 1001],
    }  # fmt: skip
    types = {"target": [1.5], "consecutive": [1], "num_series": ["2"], "progress": [3], "game": [7]}
    refused(call, values, types)
    with pytest.raises(ValueError, match="may come to more than 100000000 games"):
        call(num_series=10**6)


@unless_windows
def test_interrupts() -> None:
    interrupted(at_once(lambda: sarai.rollout_series("sho", 1000, "mcts:100000")))
    interrupted(at_once(lambda: sarai.perft(sarai.make("sho").new_initial_state(), 100)))


@some_books
def test_perft_counts_paths_of_any_state(book: tuple[str, str]) -> None:
    def count(state: sarai.State, depth: int) -> int:
        if depth == 0:
            return 1
        steps = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
        return sum(count(state.child(step), depth - 1) for step in steps)

    state = sarai.make(book[0], preset=book[1]).new_initial_state()
    before = state.clone()
    assert [sarai.perft(state, depth) for depth in range(4)] == [count(state, depth) for depth in range(4)]
    assert state == before
    refused(lambda depth: sarai.perft(state, depth), {"depth": [-1, 101, 2**70]})
    with pytest.raises(TypeError):
        sarai.perft(book[0], 1)  # type: ignore[arg-type]


def test_five_games_in_a_row_win_unless_something_else_is_said() -> None:
    one = sarai.play_series("sho", players=2)
    many = sarai.rollout_series("sho", 1, players=2)
    assert (one.target, one.consecutive) == (many.target, many.consecutive) == (5, True)
    assert one == many[0]
    assert one.streaks[-1].max() == 5
