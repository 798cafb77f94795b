"""The command `sarai metrics`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sarai
from sarai._cli import main

Captured = pytest.CaptureFixture[str]


def test_a_table(capsys: Captured, tmp_path: Path) -> None:
    picture = tmp_path / "shah.svg"
    words = ["metrics", "shah", "--games", "30", "--seed", "3", "--no-progress", "--picture", str(picture)]
    assert main(words) == 0
    out, errors = capsys.readouterr()
    measured = sarai.metrics("shah", num_games=30, seed=3)
    assert out == f"{measured}\nwrote {picture}\n"
    assert errors == ""
    assert picture.stat().st_size > 5_000


def test_json(capsys: Captured) -> None:
    line = (
        "metrics sho --games 20 --agents greedy,random,random --evaluator playout:2 --preset lhasa "
        "--option max_turns=300 --random-plies 2 --json --threads 1 --seed 0"
    )
    assert main(line.split()) == 0
    out, errors = capsys.readouterr()
    wanted = sarai.metrics(
        "sho(preset=lhasa,max_turns=300)",
        ["greedy", "random", "random"],
        20,
        evaluator="playout:2",
        random_plies=2,
        seed=0,
    ).to_dict()
    assert {**json.loads(out), "seconds": 0} == {**json.loads(json.dumps(wanted)), "seconds": 0}
    assert errors.startswith("sho: ")
