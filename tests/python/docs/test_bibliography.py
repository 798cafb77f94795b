"""The bibliography and the pages have the sources as references.bib has them."""

from __future__ import annotations

import doctest
import re
from types import ModuleType

import pytest

from helpers import scripts
from helpers.places import ROOT


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return scripts.load("scripts/bibliography.py")


def test_the_page_is_as_the_script_writes_it(script: ModuleType) -> None:
    assert script.PAGE.read_text(encoding="utf-8") == script.page()
    assert doctest.testmod(script).failed == 0


def test_every_entry_says_who_when_and_where(script: ModuleType) -> None:
    for key, entry in script.entries().items():
        assert {"author", "year", "title"} <= entry.keys(), key
        assert {"journal", "booktitle", "howpublished", "publisher", "school", "url"} & entry.keys(), key


def test_an_entry_that_is_broken_is_refused(script: ModuleType) -> None:
    text = script.REFERENCES.read_text(encoding="utf-8")
    for old, new in [("  author   = {Walker", "  author   = Walker"), ("{sho}", "{ludo}"), ("\n}\n", "\n\n")]:
        broken = text.replace(old, new, 1)
        assert broken != text
        with pytest.raises(ValueError, match=r"references\.bib"):
            script.parsed(broken)


def test_what_the_pages_cite_is_there(script: ModuleType) -> None:
    known = {
        (re.split(r"[, ]", entry["author"].strip("{}"))[0], entry["year"])
        for entry in script.entries().values()
    }
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "games").glob("*.md")]
    cited = {
        (name, year)
        for page in pages
        for name, year in re.findall(
            r"\b([A-Z][\w-]+)(?:,? (?:[A-Z]\w+,? )*and [A-Z]\w+)? \(?((?:18|19|20)\d\d)\)",
            page.read_text(encoding="utf-8"),
        )
    }
    assert cited
    assert cited <= known
