"""Every line of docs/coming_from.md runs, on both sides where the other library is installed."""

from __future__ import annotations

import importlib
import io
import re
from typing import Any

import gymnasium
import pytest

import sarai
from helpers.places import ROOT

PAGE = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")
# What the lines of the other library need to be there.
THEIRS = {
    "OpenSpiel": ("pyspiel",),
    "Gymnasium": ("gymnasium",),
    "PettingZoo": ("pettingzoo.classic.tictactoe_v3",),
    "python-chess": ("chess", "chess.svg", "chess.pgn"),
}


def rows(library: str) -> list[list[str]]:
    """The code in the cells of a library's table."""
    section = PAGE.split(f"\n## {library}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*) \| (`.*) \|$", section, re.MULTILINE)
    return [[re.findall(r"`([^`]+)`", cell)[0] for cell in row] for row in cells]


def run(line: str, names: dict[str, Any]) -> None:
    """Run a line as Python does at its prompt."""
    exec(compile(line, line, "single"), names)


@pytest.mark.parametrize("library", THEIRS)
def test_our_lines_run(library: str) -> None:
    names: dict[str, Any] = {"sarai": sarai, "gymnasium": gymnasium}
    found = rows(library)
    assert len(found) > 5
    for _, ours in found:
        run(ours, names)


@pytest.mark.parametrize("library", THEIRS)
def test_their_lines_run(library: str) -> None:
    names: dict[str, Any] = {"io": io}
    for module in THEIRS[library]:
        pytest.importorskip(module)
        names[module.rpartition(".")[2]] = importlib.import_module(module)
        names[module.partition(".")[0]] = importlib.import_module(module.partition(".")[0])
    for theirs, _ in rows(library):
        run(theirs, names)


def test_no_library_is_left_out() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE) == [*THEIRS]
