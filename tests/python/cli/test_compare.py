"""The command `sarai compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sarai
from sarai._cli import main

pytest.importorskip("scipy", reason="comparisons need sarai[stats]")

Captured = pytest.CaptureFixture[str]


def test_a_table_and_a_figure(capsys: Captured, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "sho.pdf"
    words = ["compare", "sho", "basic", "lhasa", "--by", "turns, kills", "--games", "50", "--seed", "3"]
    assert main([*words, "--no-progress", "--picture", str(picture)]) == 0
    out, errors = capsys.readouterr()
    variants = {"basic": {}, "lhasa": {"game": "sho(preset=lhasa)"}}
    compared = sarai.compare("sho", variants, num_games=50, by=["turns", "kills"], seed=3)
    assert out == f"{compared}\nwrote {picture}\n"
    assert errors == ""
    assert picture.read_bytes().startswith(b"%PDF")


def test_any_variant_may_be_the_reference(capsys: Captured) -> None:
    words = ["compare", "sho", "basic", "lhasa", "--games", "30", "--seed", "4", "--no-progress"]
    variants = {"basic": {}, "lhasa": {"game": "sho(preset=lhasa)"}}
    assert main([*words, "--reference", "lhasa"]) == 0
    assert capsys.readouterr().out == f"{sarai.compare('sho', variants, 30, reference='lhasa', seed=4)}\n"
    assert main([*words, "--reference", "lasa"]) != 0
    assert "reference" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "game", "variants", "options"),
    [
        (
            ["random:", "greedy:agents=greedy,random,random"],
            "sho",
            {"random": {}, "greedy": {"agents": ["greedy", "random", "random"]}},
            {},
        ),
        (
            ["base:", "four: sho(preset=lhasa,players=4) agents=greedy", "--option", "max_turns=300"],
            "sho(max_turns=300)",
            {"base": {}, "four": {"preset": "lhasa", "players": 4, "agents": "greedy"}},
            {},
        ),
        (
            ["one: seat=0", "other:seat=2 agents=greedy", "--agents", "greedy", "--random-plies", "3"],
            "sho",
            {"one": {"seat": 0}, "other": {"seat": 2, "agents": "greedy"}},
            {"agents": "greedy", "random_plies": 3},
        ),
        (
            ["a:", "b: preset=lhasa players=2 'pa_ra=none'", "--option", "max_turns=300", "--threads", "1"],
            "sho(max_turns=300)",
            {"a": {}, "b": {"game": "sho(preset=lhasa,players=2,pa_ra=none,max_turns=300)"}},
            {},
        ),
        (["basic", "x:", "--preset", "lhasa"], "sho(preset=lhasa)", {"basic": {"game": "sho"}, "x": {}}, {}),
    ],
)
def test_variants_as_they_are_typed(
    words: list[str], game: str, variants: dict[str, Any], options: dict[str, Any], capsys: Captured
) -> None:
    assert main(["compare", "sho", *words, "--games", "30", "--seed", "4", "--json"]) == 0
    out, errors = capsys.readouterr()
    wanted = sarai.compare(game, variants, 30, seed=4, **options).to_dict()
    assert {**json.loads(out), "seconds": 0} == {**json.loads(json.dumps(wanted)), "seconds": 0}
    assert errors.startswith("sho: ")


def test_a_preset_is_no_option_of_the_rules(capsys: Captured) -> None:
    assert main(["compare", "sho", "a:", "b: players=2", "--option", "preset=lhasa"]) == 2
    assert "unknown option 'preset'" in capsys.readouterr().err
