"""What the pages in docs/ show is what comes out, and the tests that they name exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import sarai
from helpers.places import ROOT

PAGES = sorted((ROOT / "docs").glob("**/*.md"))
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def test_there_are_pages() -> None:
    assert ROOT / "docs" / "environments.md" in PAGES


@every_page
def test_examples(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_the_page_of_the_agents_says_how_every_game_is_judged() -> None:
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    bullets = re.findall(r"^- \*\*(.+)\*\*: ", text.split("\n## How positions are judged\n")[1], re.MULTILINE)
    pages = [ROOT / "docs" / "games" / f"{name}.md" for name in sarai.games()]
    assert bullets == [page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in pages]


def test_every_row_of_the_environments_has_its_test() -> None:
    text = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    # The first table of the page.
    table = text[text.index("| library |") :].split("\n\n")[0]
    rows = table.splitlines()[2:]
    assert len(rows) >= 10
    for row in rows:
        file, name = re.findall(r"`((?:python|integrations)/[\w/]+\.py)::(\w+)` \|$", row)[0]
        assert f"\ndef {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), row
