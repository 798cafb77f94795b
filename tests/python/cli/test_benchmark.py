"""`sarai benchmark`: what it prints and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sarai
from sarai._cli import main

Captured = pytest.CaptureFixture[str]


def test_tables_files_and_progress(tmp_path: Path, capsys: Captured) -> None:
    out, picture = tmp_path / "card.json", tmp_path / "card.svg"
    line = f"benchmark greedy tshupu sho --games 4 --seed 1 --out {out} --picture {picture}"
    assert main(line.split()) == 0
    printed, progress = capsys.readouterr()
    expected = sarai.benchmark("greedy", games=["tshupu", "sho"], num_games=4, seed=1)
    assert printed.splitlines()[0] == str(expected).splitlines()[0]
    assert printed.splitlines()[-2:] == [f"wrote {picture}", f"wrote {out}"]
    assert sarai.matches.ScoreCard.load(out) == expected
    assert progress.splitlines()[-1].endswith("decisions and games (100%) after 0 s") or "(100%)" in progress


def test_json_is_the_card_and_nothing_else(capsys: Captured) -> None:
    line = "benchmark expectimax:1 tshupu --games 0 --seed 1 --budget 1000 --no-progress --json"
    assert main(line.split()) == 0
    printed, progress = capsys.readouterr()
    assert progress == ""
    told = json.loads(printed)
    card = sarai.matches.ScoreCard.from_json(printed)
    assert told == card.to_dict()
    assert [*told["games"]["tshupu"]["budgets"]] == ["1000.0"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("greedy chess", "chess"),
        ("gredy", "did you mean 'greedy'"),
        ("greedy --budget soon", "soon"),
        ("greedy --games 2", "num_games"),
        ("greedy --suite sarai-0", "sarai-0"),
        ("greedy --out no/such/folder/card.json", "no/such/folder"),
        ("greedy --picture card.txt", "card.txt"),
    ],
)
def test_wrong_words(words: str, said: str, capsys: Captured) -> None:
    assert main(f"benchmark {words}".split()) in (1, 2)
    assert said in capsys.readouterr().err
