"""sarai.plot: what the panels say, the files, and that the session's matplotlib is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import sarai._results.plots
from helpers.places import TESTS
from sarai._results.plots import plot_rollout
from sarai.intervals import mean_interval, wilson
from sarai.render import set_theme


@dataclass(frozen=True)
class Played:
    """What a figure reads of a rollout, of a game that does not exist."""

    winner: NDArray[np.int8]
    lengths: NDArray[np.int32]
    turns: NDArray[np.int32]
    stats: Mapping[str, NDArray[np.int32]]
    agents: Sequence[str]
    sides: Sequence[int]
    game: str = "marbles"
    seed: int = 7
    digests: NDArray[np.uint32] = field(default_factory=lambda: np.arange(2, dtype=np.uint32))


def made_up(
    sides: Sequence[int] = (0, 1, 2), num_games: int = 500, num_stats: int = 2, draws: bool = False
) -> Played:
    random = np.random.default_rng(3)
    turns = (20 + random.gamma(4, 25, num_games)).astype(np.int32)
    return Played(
        winner=random.integers(-1 if draws else 0, max(sides) + 1, num_games).astype(np.int8),
        lengths=(2 * turns + random.integers(0, 9, num_games)).astype(np.int32),
        turns=turns,
        stats={f"count_{i}": random.poisson(4 * i, num_games).astype(np.int32) for i in range(num_stats)},
        agents=["greedy", "random", "mcts:50", "mine"][: len(sides)],
        sides=sides,
    )


def panels(figure: Figure) -> dict[str, Axes]:
    return {axes.get_title(loc="left"): axes for axes in figure.axes}


def labels(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def widths(axes: Axes) -> list[float]:
    return [patch.get_width() for patch in axes.patches]  # type: ignore[attr-defined]


def heights(axes: Axes) -> list[float]:
    return [patch.get_height() for patch in axes.patches]  # type: ignore[attr-defined]


def said(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize(
    "num_stats", [0, 5, *(pytest.param(n, marks=pytest.mark.nightly) for n in (1, 2, 3, 4, 6, 7))]
)
def test_every_distribution_has_a_panel_and_no_two_overlap(num_stats: int) -> None:
    figure = plot_rollout(made_up(num_stats=num_stats))
    assert list(panels(figure)) == [
        "games won",
        "turns",
        "decisions",
        *(f"count {i}" for i in range(num_stats)),
    ]
    figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for i, box in enumerate(boxes):
        assert box is not None
        assert not [1 for other in boxes[:i] if other is not None and box.overlaps(other)]
        assert figure.bbox.x0 <= box.x0
        assert box.x1 <= figure.bbox.x1


def test_wins_are_shares_with_wilson_intervals() -> None:
    result = made_up(sides=(0, 1, 2, 3), draws=True)
    axes = panels(plot_rollout(result))["games won"]
    assert labels(axes) == ["seat 0\ngreedy", "seat 1\nrandom", "seat 2\nmcts:50", "seat 3\nmine", "draws"]
    for row, side in enumerate([0, 1, 2, 3, -1]):
        wins = int((result.winner == side).sum())
        low, high = wilson(wins, 500)
        assert widths(axes)[row] == pytest.approx(wins / 500)
        assert said(axes)[row] == f"{wins / 500:.1%}  [{low:.1%}, {high:.1%}]"
        whisker = axes.containers[2 * row + 1].lines[2][0].get_segments()[0]  # type: ignore[attr-defined]
        assert whisker[:, 0] == pytest.approx([low, high])


def test_partners_share_a_bar() -> None:
    axes = panels(plot_rollout(made_up(sides=(0, 1, 0, 1))))["games won"]
    assert labels(axes) == ["seats 0, 2\ngreedy, mcts:50", "seats 1, 3\nrandom, mine"]
    assert sum(widths(axes)) == pytest.approx(1)


def test_distribution_counts_every_game_and_marks_the_mean() -> None:
    result = made_up()
    axes = panels(plot_rollout(result))["count 1"]
    values = result.stats["count_1"]
    assert heights(axes) == pytest.approx(np.bincount(values) / 500)
    assert axes.lines[0].get_xdata()[0] == pytest.approx(values.mean())  # type: ignore[index]
    mean, _, high = mean_interval(values)
    assert said(axes) == [f"mean {mean:.2f} ± {high - mean:.2f}"]
    assert axes.get_xlabel() == "per game"


def test_wide_distribution_is_drawn_in_wider_bars_without_losing_a_game() -> None:
    result = replace(made_up(num_games=1000), stats={"big": np.arange(3, 1003, dtype=np.int32)})
    axes = panels(plot_rollout(result))["big"]
    assert axes.get_xlabel() == "per game (bins of 50)"
    assert sum(heights(axes)) == pytest.approx(1)
    assert heights(axes)[0] == pytest.approx(47 / 1000)  # 3 to 49
    assert set(np.round(heights(axes)[1:-1], 9)) == {0.05}


def test_long_tail_is_cut_and_told() -> None:
    turns = made_up().turns.copy()
    turns[[5, 77]] = [5000, 4000]
    axes = panels(plot_rollout(replace(made_up(), turns=turns)))["turns"]
    beyond = int((turns >= axes.get_xlim()[1]).sum())
    assert beyond >= 2
    assert axes.get_xlim()[1] < 1000
    assert axes.get_xlabel().endswith(f"\n{beyond} games beyond, up to 5,000")
    # Never more than one game in two hundred, and those in the picture are all there.
    assert beyond <= 500 * 0.005 + 1
    assert sum(heights(axes)) == pytest.approx(1 - beyond / 500)


def test_one_game_and_a_statistic_that_never_changes() -> None:
    one = made_up(num_games=1)
    assert said(panels(plot_rollout(one))["turns"]) == [f"mean {one.turns[0]:,}"]
    constant = replace(made_up(), stats={"none": np.zeros(500, np.int32)})
    axes = panels(plot_rollout(constant))["none"]
    assert heights(axes) == [1]
    assert said(axes) == ["mean 0"]


def test_games_that_go_alike_have_no_intervals() -> None:
    alike = sarai.rollout("shah", "greedy", 20, seed=0)
    figure = plot_rollout(alike)
    assert figure.texts[1].get_text().endswith("distinct games: 1, so no intervals")
    assert {"100%"} <= set(said(panels(figure)["games won"])) <= {"100%", "0%"}
    assert said(panels(figure)["turns"]) == [f"mean {alike.turns[0]:,}"]


def test_titles_and_labels() -> None:
    result = made_up(num_games=1234)
    texts = [text.get_text() for text in plot_rollout(result).texts]
    assert texts[0] == "marbles: 1,234 games"
    assert texts[1].startswith("agents by seat: greedy, random, mcts:50   ·   seed 7")
    # They are no formulas, and long ones are clipped.
    odd = replace(result, agents=[r"$\broken{", "a_name_that_goes_on_and_on_and_on", "random"])
    figure = plot_rollout(odd)
    figure.draw_without_rendering()
    assert labels(figure.axes[0])[:2] == ["seat 0\n$\\broken{", "seat 1\na_name_that_goes_on_and…"]


def test_another_process_imports_matplotlib_late_and_writes_the_same_bytes(tmp_path: Path) -> None:
    here = tmp_path / "here.svg"
    plot_rollout(made_up(), here)
    # It says how it was made, but not when.
    assert ET.parse(here).getroot().tag.endswith("svg")
    text = here.read_text("utf-8")
    assert "<dc:date>" not in text
    assert "marbles: 500 games" in text
    assert '"seed": 7' in text.replace("&quot;", '"')
    there = tmp_path / "there.svg"
    script = (
        "import sys, sarai._results.plots\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from results import test_plot\n"
        "sarai._results.plots.plot_rollout(test_plot.made_up(), sys.argv[1])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    path = os.pathsep.join([str(TESTS), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "99"}
    subprocess.run([sys.executable, "-c", script, str(there)], check=True, env=environment)
    if matplotlib.__version_info__ >= (3, 11):
        assert there.read_bytes() == here.read_bytes()


def test_other_suffixes_are_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    for name in ("a.txt", "a", "svg", "a.svg.gz", ".png"):
        with pytest.raises(ValueError, match=r"written as \.eps, .*\.webp, got '.*" + name):
            plot_rollout(made_up(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_what_is_too_long_is_neither_quoted_nor_drawn_whole(tmp_path: Path) -> None:
    long = "a" * 20_000
    with pytest.raises(ValueError, match=r"got 'a{900}") as refused:
        plot_rollout(made_up(), long)
    assert len(str(refused.value)) < 4000
    # matplotlib would warn that no room is left for the axes.
    plot_rollout(replace(made_up(), stats={long: made_up().turns}), tmp_path / "long.svg")
    assert (tmp_path / "long.svg").stat().st_size < 1_000_000
    with pytest.raises(FileNotFoundError):
        plot_rollout(made_up(), tmp_path / "no" / "a.svg")


def test_style_and_theme_are_heeded_and_the_session_is_not_changed() -> None:
    plain = panels(plot_rollout(made_up()))
    with matplotlib.rc_context({"font.size": 12, "axes.grid": True, "axes.facecolor": "#eeeeee"}):
        before = dict(matplotlib.rcParams)
        styled = panels(plot_rollout(made_up()))
        assert dict(matplotlib.rcParams) == before
    for axes, size, ground in ((plain["turns"], 9.5, "#ffffff"), (styled["turns"], 12, "#eeeeee")):
        assert axes.xaxis.label.get_fontsize() == pytest.approx(size * 0.833, abs=0.01)
        assert matplotlib.colors.to_hex(axes.get_facecolor()) == ground
    set_theme("dark")
    try:
        dark = plot_rollout(made_up())
    finally:
        set_theme("light")
    assert matplotlib.colors.to_hex(dark.get_facecolor()) == "#17191d"
    assert matplotlib.colors.to_hex(plot_rollout(made_up()).get_facecolor()) == "#ffffff"
    assert dark.texts[0].get_color() == "#f2eee6"


def test_means_have_the_colour_and_the_mark_of_the_session() -> None:
    measured = sarai.metrics("shah", num_games=5, seed=0)

    def mean_line(**style: Any) -> Any:
        with matplotlib.rc_context(style):
            lines = [line for axes in measured.plot().axes for line in axes.lines]
        return [(line.get_color(), line.get_marker(), line.get_markersize()) for line in lines]

    assert ("#6d9dc5", "o", 6.0) in mean_line()
    cycle = matplotlib.cycler(color=["#112233", "#445566"])
    styled = mean_line(**{"axes.prop_cycle": cycle, "lines.marker": "s", "lines.markersize": 9})
    assert ("#112233", "s", 9.0) in styled
    assert not any(colour == "#6d9dc5" for colour, *_ in styled)


def test_one_panel_on_axes_that_are_given() -> None:
    result = made_up()
    figure = Figure()
    first, second = figure.subplots(1, 2)
    assert plot_rollout(result, ax=first) is figure
    assert plot_rollout(result, ax=second, panel="turns") is figure
    assert [axes.get_title(loc="left") or axes.get_title() for axes in figure.axes] == ["games won", "turns"]
    # In the figure's own style: no corner is cut off.
    assert second.spines["right"].get_visible()
    for options, words in (
        ({"ax": first, "panel": "turn"}, "did you mean 'turns'"),
        ({"ax": first, "panel": [1]}, r"there is no panel \[1\]"),
        ({"ax": first, "path": "a.svg"}, "give a path or ax, not both"),
        ({"panel": "turns"}, "give ax as well"),
    ):
        with pytest.raises(ValueError, match=words):
            plot_rollout(result, **options)  # type: ignore[arg-type]
    first.remove()
    with pytest.raises(ValueError, match="ax belongs to no figure any more"):
        plot_rollout(result, ax=first)
    with pytest.raises(TypeError, match="ax must be the axes"):
        plot_rollout(result, ax=figure)  # type: ignore[arg-type]


def test_every_result_draws_on_given_axes() -> None:
    figure = Figure()
    grid = list(figure.subplots(4, 2).flat)
    axes = iter(grid)
    rollout = sarai.rollout("shah", num_games=40, seed=1, random_plies=2)
    arena = sarai.arena("shuanglu", ["greedy", "random"], 20, seed=1)
    metrics = sarai.metrics("sho", num_games=20, seed=1)
    training = sarai.train("sho", num_games=2, hidden=2, evaluations=1, evaluation_games=6, progress=False)
    rollout.plot(ax=next(axes))
    arena.plot(ax=next(axes))
    arena.plot(ax=next(axes), panel="crosstable")
    metrics.plot(ax=next(axes))
    metrics.plot(ax=next(axes), panel="branching_factor")
    training.plot(ax=next(axes))
    assert sum(axes.has_data() for axes in grid) == 6
    for result in (arena, metrics):
        with pytest.raises(ValueError, match="there is no panel 'nothing'"):
            result.plot(ax=grid[7], panel="nothing")
    assert not grid[7].has_data()


def test_labels_that_no_svg_can_hold(tmp_path: Path) -> None:
    # Controls, half a pair, what is no character, and what ends a comment.
    label = "\0\x1b[31m\x85\ud800\ufffe--><b>"
    played = replace(made_up(), agents=[label, "a\nb", "random"], stats={f"{label}": made_up().turns})
    plot_rollout(played, tmp_path / "a.svg")
    assert ET.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")


def test_a_wrong_backend_is_an_error_in_one_line(tmp_path: Path) -> None:
    script = (
        "import sys, sarai\n"
        "try:\n"
        "    sarai.rollout('shah', num_games=2).plot(sys.argv[1])\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "a.svg")],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MPLBACKEND": "nonsense"},
    )
    assert done.stdout == "matplotlib refuses the MPLBACKEND of the environment, 'nonsense': unset it\n"
    assert list(tmp_path.iterdir()) == []


def test_without_games_there_is_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        plot_rollout(replace(made_up(), winner=np.zeros(0, np.int8)))


def test_bars_have_round_widths() -> None:
    spans = {1: 1, 40: 1, 41: 2, 80: 2, 81: 5, 201: 10, 401: 20, 801: 50, 2001: 100}
    assert {span: sarai._results.plots._bar_width(span) for span in spans} == spans


def test_on_narrow_axes_labels_stay_inside_and_every_panel_has_an_x_label() -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5), layout="constrained")
    first, second = figure.subplots(2, 2)[0]
    played = sarai.rollout("sho", ["greedy", "random", "random"], 200, seed=1)
    for axes, panel in ((first, "wins"), (second, "turns")):
        played.plot(ax=axes, panel=panel)
        assert axes.get_xlabel().startswith(("share of games", "per game"))
    figure.draw_without_rendering()
    frame = first.get_window_extent()
    for label in first.texts:
        extent = label.get_window_extent()
        assert frame.x0 <= extent.x0 < extent.x1 <= frame.x1 + 2
