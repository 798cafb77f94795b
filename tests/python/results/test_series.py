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


def naive(series: sarai.results.Series) -> tuple[int, list[list[int]]]:
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
    many = sarai.series(
        sarai.make(book[0], preset=book[1]),
        num_series=20,
        target=2,
        consecutive=consecutive,
        seed=2,
        max_games=15,
    )
    assert len(many) == 20
    # Who won each game, and what each seat got of it.
    many._check_rules()
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


def test_a_draw_changes_nothing() -> None:
    many = sarai.series("sho(max_turns=60)", "greedy", 20, target=2, max_games=15, seed=2)
    after = [(one.winners[at - 1], one.streaks[at - 1].max()) for one in many for at in range(1, len(one))]
    assert any(winner < 0 and won for winner, won in after)
    for series in many:
        assert (series.winner, series.streaks.tolist()) == naive(series)


def test_the_first_player_begins_only_the_first_game() -> None:
    late = sarai.series(
        sarai.make("sho", rules={"first_player": 1}), num_series=5, target=1, seed=8, max_games=2
    )
    assert {series.starters[0] for series in late} == {1}
    drawn = sarai.series(
        sarai.make("sho", rules={"first_player": "random"}), num_series=60, target=1, seed=8, max_games=2
    )
    assert {int(series.starters[0]) for series in drawn} == {0, 1, 2}


def test_illegal_action_names_series_and_game() -> None:
    def wrong(observations: Any, masks: Any) -> Any:
        return np.full(len(observations), 999)

    with pytest.raises(
        sarai.IllegalActionError, match=r"series 0, game 0, player 0: action 999 is not legal"
    ):
        sarai.series("sho", [wrong, "random", "random"], seed=0, num_series=1)[0]


def test_text_says_what_happened() -> None:
    series = sarai.series("sho", ["greedy", "random", "random"], target=3, seed=1, num_series=1)[0]
    lines = str(series).splitlines()
    assert lines[0] == "sho: first to win 3 games in a row, greedy against random against random"
    assert lines[-1] == "side 0 has won the series"
    assert len(lines) == len(series) + 5
    undecided = sarai.series(
        sarai.make("sho", rules={"max_turns": 1}), target=2, max_games=7, seed=0, num_series=1
    )[0]
    assert (undecided.winner, len(undecided)) == (-1, 7)
    assert (undecided.winners == -1).all()
    assert not undecided.streaks.any()
    assert "nobody has won the series" in str(undecided)
    assert "no winner" in repr(undecided)


def test_bad_input() -> None:
    def call(**given: Any) -> None:
        sarai.series(**{"game": "sho", "num_series": 2, **given})

    refused(call, {"target": [0, 1001], "max_games": [0, 10**30]}, {"target": [1.5], "consecutive": [1]})


@unless_windows
def test_interrupts() -> None:
    interrupted(at_once(lambda: sarai.series("sho", "mcts:100000", 1000, seed=0)))
    interrupted(at_once(lambda: sarai.make("sho").new_initial_state().perft(100)))


@some_books
def test_perft_counts_paths_of_any_state(book: tuple[str, str]) -> None:
    def count(state: sarai.State, depth: int) -> int:
        if depth == 0:
            return 1
        steps = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
        return sum(count(state.child(step), depth - 1) for step in steps)

    state = sarai.make(book[0], preset=book[1]).new_initial_state()
    before = state.clone()
    assert [state.perft(depth) for depth in range(4)] == [count(state, depth) for depth in range(4)]
    assert state == before
    refused(lambda depth: state.perft(depth), {"depth": [-1, 101, 2**70]})


def test_five_games_in_a_row_win_unless_something_else_is_said() -> None:
    one = sarai.series("sho(players=2)", seed=0, num_series=1)[0]
    assert (one.target, one.consecutive) == (5, True)
    assert one.streaks[-1].max() == 5
