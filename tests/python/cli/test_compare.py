"""The command `sarai compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sarai
from sarai.cli import main

pytest.importorskip("scipy", reason="comparisons need sarai[stats]")

Captured = pytest.CaptureFixture[str]


def test_a_table_and_a_figure(capsys: Captured, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "sho.pdf"
    words = ["compare", "sho", "basic", "lhasa", "--by", "turns, kills", "--games", "100", "--seed", "3"]
    assert main([*words, "--no-progress", "--picture", str(picture)]) == 0
    out, errors = capsys.readouterr()
    variants = {"basic": {"preset": "basic"}, "lhasa": {"preset": "lhasa"}}
    compared = sarai.compare("sho", variants, num_games=100, by=["turns", "kills"], seed=3)
    assert out == f"{compared}\nwrote {picture}\n"
    assert errors == ""
    assert picture.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "variants", "options"),
    [
        (
            ["random:", "greedy:agents=greedy,random,random"],
            {"random": {}, "greedy": {"agents": ["greedy", "random", "random"]}},
            {},
        ),
        (
            ["one: seat=0", "other:seat=2 agents=greedy", "--agents", "greedy", "--random-plies", "3"],
            {"one": {"seat": 0}, "other": {"seat": 2, "agents": "greedy"}},
            {"agents": "greedy", "random_plies": 3},
        ),
        (
            ["a:", "b: preset=lhasa players=2 'pa_ra=none'", "--option", "max_turns=300", "--threads", "1"],
            {"a": {}, "b": {"preset": "lhasa", "players": 2, "pa_ra": "none"}},
            {"max_turns": 300},
        ),
        (["basic", "x:", "--preset", "lhasa"], {"basic": {"preset": "basic"}, "x": {}}, {"preset": "lhasa"}),
    ],
)
def test_variants_as_they_are_typed(
    words: list[str], variants: dict[str, Any], options: dict[str, Any], capsys: Captured
) -> None:
    assert main(["compare", "sho", *words, "--games", "30", "--json"]) == 0
    out, errors = capsys.readouterr()
    wanted = sarai.compare("sho", variants, num_games=30, **options).to_dict()
    assert {**json.loads(out), "seconds": 0} == {**json.loads(json.dumps(wanted)), "seconds": 0}
    assert errors.startswith("sho: ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess", "a:", "b:"], "chess"),
        (["sho"], "variants has 0 entries; to compare takes 2 to 100"),
        (["sho", "basic"], "variants has 1 entry"),
        (["sho", "basic", "lasa"], "'lasa' is no preset (did you mean 'lhasa'?): write 'lasa:'"),
        (["sho", "basic", "x"], "'x' is no preset (basic, "),
        (["sho", "basic", "basic:seat=1"], "each variant needs a name of its own, unlike 'basic:seat=1'"),
        (["sho", "basic", ":seat=1"], "each variant needs a name of its own, unlike ':seat=1'"),
        (["sho", "basic", "x:seat"], "a variant takes NAME=VALUE"),
        (["sho", "basic", "x:seat=1 seat=2"], "a variant seat is given twice"),
        (["sho", "basic", "x:pa_ra='none"], 'a quotation mark is not closed in "pa_ra=\'none"'),
        (["sho", "basic", "x:playerz=2"], "variant 'x': "),
        (["sho", "basic", "lhasa", "--by", "charm"], "by got 'charm'"),
        (["sho", "basic", "lhasa", "--games", "1"], "num_games got 1"),
        (["sho", "basic", "lhasa", "--picture", "x.txt"], "a figure is written as .eps, "),
    ],
)
def test_what_cannot_be_compared(words: list[str], sentence: str, capsys: Captured) -> None:
    assert main(["compare", *words, "--no-progress"]) == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert sentence in errors


def test_a_figure_that_could_not_be_kept_is_refused_before_the_games(
    capsys: Captured, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    words = ["basic", "lhasa", "--games", "50000000", "--picture", str(tmp_path / "missing" / "x.svg")]
    assert main(["compare", "sho", *words]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_without_scipy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setitem(__import__("sys").modules, "scipy.stats", None)
    assert main(["compare", "sho", "basic", "lhasa"]) == 1
    assert 'pip install "sarai[stats]"' in capsys.readouterr().err
