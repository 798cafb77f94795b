"""The example of the first page gives the pictures beside it."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from helpers import scripts
from helpers.places import ROOT


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return scripts.load("scripts/front_page.py")


def test_both_first_pages_show_the_same(script: ModuleType) -> None:
    readme = script.example(ROOT / "README.md")
    assert readme == script.example(ROOT / "docs" / "index.md")
    assert len(readme.strip().splitlines()) == 10


def test_the_example_gives_the_pictures(script: ModuleType, tmp_path: Path) -> None:
    printed = script.run(script.example(ROOT / "README.md"), tmp_path)
    assert "10,000 games, seed 7" in printed
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in script.FRONT.iterdir()}
    new, kept = ((folder / "board.svg").read_text(encoding="utf-8") for folder in (tmp_path, script.FRONT))
    assert new == kept
    # Another version of Matplotlib writes the same figure in other words.
    new, kept = ((folder / "games.svg").read_text(encoding="utf-8") for folder in (tmp_path, script.FRONT))
    versions = [re.findall(r"Matplotlib v[\d.]+", text) for text in (new, kept)]
    assert versions[0] != versions[1] or new == kept
