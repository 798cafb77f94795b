"""How notebooks show rollouts, series, trajectories, games and figures."""

from __future__ import annotations

import numpy as np
import pytest

import sarai
from helpers.page import Page
from sarai._tables.notebook import game_html
from sarai.render import draw


def test_a_rollout_shows_its_summary() -> None:
    rollout = sarai.rollout("sho", num_games=50, seed=1, keep=[3])
    page = Page(rollout._repr_html_())
    assert rollout._repr_html_().startswith(rollout.summary()._repr_html_())
    assert page.rows[1][:2] == ["0", "random"]
    assert page.said[-1] == "1 game is kept whole in records."
    nothing = rollout[:0]
    assert Page(nothing._repr_html_()).said == [repr(nothing)]


def test_a_series_shows_its_games() -> None:
    series = sarai.series("sho", ["greedy", "random", "random"], target=2, seed=1, num_series=1)[0]
    page = Page(series._repr_html_())
    assert page.rows[0] == ["game", "began", "won", "side 0", "side 1", "side 2"]
    assert len(page.rows) == 1 + len(series)
    assert page.rows[-1] == [
        str(len(series) - 1),
        str(series.starters[-1]),
        str(series.winners[-1]),
        *map(str, series.streaks[-1]),
    ]
    assert page.said[-1] == f"Side {series.winner} has won the series."
    # The same as in print.
    for row, line in zip(page.rows[1:], str(series).splitlines()[3:], strict=False):
        assert row == line.split()


def test_a_long_series_shows_its_beginning_and_its_end() -> None:
    series = sarai.series("shah", "random", target=1000, seed=1, max_games=45, num_series=1)[0]
    rows = Page(series._repr_html_()).rows[1:]
    assert [row[0] for row in rows] == [*map(str, range(20)), "...", *map(str, range(25, 45))]
    assert rows[20][1] == "5 more"


def test_series_that_go_alike_have_no_intervals() -> None:
    alike = sarai.series("shah", "greedy", 12, target=2, max_games=3, seed=0)
    page = Page(alike._repr_html_())
    assert page.said[-1] == "Distinct series: 1 of 12, so there are no intervals."
    assert {row[3] for row in page.rows[1:]} == {"-"}
    one = sarai.series("shah", "greedy", 1, target=2, max_games=3, seed=0)
    assert "istinct" not in one._repr_html_()
    other = sarai.series("shah", "greedy", 12, target=2, max_games=3, random_plies=6, seed=0)
    assert "istinct" not in other._repr_html_()


def test_many_series_show_who_won_them() -> None:
    many = sarai.series("tshupu", num_series=12, target=2, seed=1, max_games=3)
    page = Page(many._repr_html_())
    rows = page.rows[1:]
    assert [row[:2] for row in rows] == [["0", "0: random, 2: random"], ["1", "1: random, 3: random"]]
    for side, row in enumerate(rows):
        assert row[2] == f"{100 * np.mean(many.winner == side):.0f}%"
        assert row[4] == str(np.count_nonzero(many.winners == side))
    undecided = np.count_nonzero(many.winner < 0)
    assert undecided > 0
    assert page.said[-1] == f"{undecided} series without a winner."


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_a_game_shows_its_rules_and_its_start(name: str) -> None:
    for preset, rules in sarai.presets(name).items():
        game = sarai.make(name, preset=preset)
        page = Page(game._repr_html_())
        assert [row[0] for row in page.rows[1:]] == list(rules)
        assert page.images == [draw(game.new_initial_state().view())]
        starred = {row[0] for row in page.rows[1:] if row[1].endswith("*")}
        plain = next(iter(sarai.presets(name).values()))
        assert starred == {option for option in rules if rules[option] != plain[option]}
        assert f'"{preset}"' in page.said[0]
    assert "rules of its own" in Page(game_html(sarai.make("sho", players=2, coins=4))).said[0]


def test_a_figure_shows_itself() -> None:
    pytest.importorskip("matplotlib")
    figure = sarai.rollout("shah", num_games=20, seed=1).plot()
    assert figure._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
