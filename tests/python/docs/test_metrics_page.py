"""The page of metrics says what the definitions say, and no example there is wrong."""

from __future__ import annotations

import math
from statistics import fmean, pvariance

import pytest

from helpers import scripts
from helpers.places import ROOT
from sarai._results.measures import BY_NAME, MEASURES
from sarai._results.skill import traced


def test_the_page_is_as_the_script_writes_it() -> None:
    script = scripts.load("scripts/metrics_page.py")
    known = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert script.page(known) == known
    assert known.count("\n### `") == len(MEASURES) == len(BY_NAME)


def test_every_metric_is_told_in_full() -> None:
    for measure in MEASURES:
        assert all(text.strip() for text in (measure.unit, measure.formula, measure.source, measure.example))
        assert measure.meaning.endswith(".")


OPTIONS = [3, 1, 2, 4, 1]
WINNER = [0.5, 0.75, 0.25, 0.25, 1.0]
BEHIND = [max(one, 1 - one) - one for one in WINNER]
WORTHS = [1, 0.875, 0.125, 0]


@pytest.mark.parametrize(
    ("name", "words", "value"),
    [
        ("branching_factor", "15 / 6 = 2.5", (sum(OPTIONS) + 4) / 6),
        ("branching_factor", "= 3.1", (fmean(OPTIONS) + 4) / 2),
        ("branching_factor_choices", "= 3.", fmean(one for one in OPTIONS if one > 1)),
        ("game_tree_complexity", "1.38", sum(math.log10(one) for one in OPTIONS)),
        ("game_tree_complexity", "1.71", 5 * math.log10(fmean(OPTIONS))),
        ("game_tree_complexity", "1.51", 5 * math.log10(2)),
        ("decision_moves", "0.6", fmean(one > 1 for one in OPTIONS)),
        ("advantage", "0.15", 5 / 10 + 3 / 10 / 2 - 1 / 2),
        ("drama", "0.2", fmean(BEHIND)),
        ("drama", "0.71", fmean(math.sqrt(one) for one in BEHIND if one)),
        ("stability", "0.085", pvariance(WINNER)),
        ("clarity", "0.195", pvariance(WORTHS)),
        ("skill_trace", "0.875", traced([0.5, 0.5, 0.5])),
    ],
)
def test_examples_are_right(name: str, words: str, value: float) -> None:
    measure = BY_NAME[name]
    assert words in f"{measure.example} {measure.ludii}"
    shown = words.split()[-1].rstrip(".")
    assert round(value, len(shown.partition(".")[2])) == float(shown)
