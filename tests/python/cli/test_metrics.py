"""The command `sarai metrics`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sarai
from sarai.cli import main

Captured = pytest.CaptureFixture[str]


def test_a_table(capsys: Captured, tmp_path: Path) -> None:
    picture = tmp_path / "shah.svg"
    words = ["metrics", "shah", "--games", "200", "--seed", "3", "--no-progress", "--picture", str(picture)]
    assert main(words) == 0
    out, errors = capsys.readouterr()
    measured = sarai.metrics("shah", num_games=200, seed=3)
    assert out == f"{measured}\nwrote {picture}\n"
    assert errors == ""
    assert picture.stat().st_size > 5_000


def test_json(capsys: Captured) -> None:
    words = [
        "metrics",
        "sho",
        "--games",
        "50",
        "--agents",
        "greedy,random,random",
        "--evaluator",
        "playout:2",
    ]
    words += [
        "--preset",
        "lhasa",
        "--option",
        "max_turns=300",
        "--random-plies",
        "2",
        "--json",
        "--threads",
        "1",
    ]
    assert main(words) == 0
    out, errors = capsys.readouterr()
    wanted = sarai.metrics(
        "sho",
        ["greedy", "random", "random"],
        50,
        evaluator="playout:2",
        preset="lhasa",
        max_turns=300,
        random_plies=2,
    ).to_dict()
    assert {**json.loads(out), "seconds": 0} == {**json.loads(json.dumps(wanted)), "seconds": 0}
    assert errors.startswith("sho: ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "chess"),
        (["sho", "--games", "0"], "num_games got 0"),
        (["sho", "--evaluator", "clever"], "unknown evaluator 'clever'"),
        (["sho", "--evaluator", "heuristc"], "did you mean 'heuristic'"),
        (["sho", "--skill-levels", "13"], "skill_levels got 13"),
        (["sho", "--games", "5", "--picture", "x.txt"], "a figure is written as .eps, "),
        (["sho", "--agents", "greedy,random"], "agents has 2 entries"),
    ],
)
def test_what_cannot_be_measured(words: list[str], sentence: str, capsys: Captured) -> None:
    assert main(["metrics", *words, "--no-progress"]) == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert sentence in errors
