"""`sarai arena`: what it prints and what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sarai
from sarai._cli import main

Captured = pytest.CaptureFixture[str]
Run = Callable[..., str]


def test_tables_and_progress(capsys: Captured) -> None:
    line = "arena shuanglu greedy random expectimax:1 --games 4 --seed 4 --threads 2"
    assert main(line.split()) == 0
    printed, progress = capsys.readouterr()
    expected = sarai.arena("shuanglu", ["greedy", "random", "expectimax:1"], 4, seed=4)
    assert printed.splitlines()[0] == str(expected).splitlines()[0]
    ratings = [f"{standing.rating.value:+.0f}" for standing in expected.standings]
    assert [row.split()[2] for row in printed.splitlines()[3:6]] == ratings
    assert progress.splitlines()[-1].startswith("shuanglu: 12 of 12 games (100%)")


def test_json_is_the_result_and_nothing_else(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "arena.npz"
    line = (
        "arena shah greedy alphabeta:1 --games 20 --random-plies 4 --schedule gauntlet --dice own "
        f"--option max_turns=60 --seed 0 --no-progress --json --save {out}"
    )
    assert main(line.split()) == 0
    printed, progress = capsys.readouterr()
    assert progress == ""
    told = json.loads(printed)
    saved = sarai.load(out)
    assert isinstance(saved, sarai.matches.Arena)
    assert told == saved.to_dict() | {"names": [*saved.names], "agents": [*saved.agents]}
    expected = sarai.arena(
        "shah(max_turns=60)",
        ["greedy", "alphabeta:1"],
        20,
        random_plies=4,
        schedule="gauntlet",
        dice="own",
        seed=0,
    )
    assert saved == expected


def test_games_that_repeat_are_told(run: Run) -> None:
    told = run("arena shah greedy alphabeta:1 --games 20 --seed 0 --no-progress")
    assert "distinct games of greedy and alphabeta:1: 2 of 20" in told
    line = "rollout shah --agents greedy --games 20 --seed 0 --no-progress"
    assert "distinct: 1, so there are no intervals" in run(line)
    assert "distinct" not in run(f"{line} --random-plies 6")
