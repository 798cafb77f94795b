"""No module of the package names a game, save those that draw it: a further game needs no change in them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import sarai

PACKAGE = Path(__file__).parents[3] / "python" / "sarai"


def words(source: str) -> set[str]:
    """The names in code and the strings that are one word; documentation may give examples."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                found.update(value.split("."))
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not re.search(r"\s", node.value)
        ):
            found.add(node.value)
    return found


def names(word: str, game: str) -> bool:
    """Whether a game's name is a part of a word: sho, Sho, ShoBatch, sho_rules; not show."""
    return game in [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word)]


def test_the_reader_sees_code_and_single_words() -> None:
    assert words('"""sho and more\n"""\nx = y.sho  # shah\nz = "tshupu", "a word"\n') >= {"sho", "tshupu"}
    assert not words('"""sho and more\n"""\nx = 1  # shah\nz = "sho is played"\n') & {"sho", "shah"}
    assert names("ShoBatch", "sho")
    assert not names("should_show", "sho")


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py*")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_no_game_is_named(path: Path) -> None:
    if path.suffix not in {".py", ".pyi"} or path.is_relative_to(PACKAGE / "render" / "games"):
        return
    found = words(path.read_text(encoding="utf-8"))
    named = sorted(word for word in found for game in sarai.games() if names(word, game))
    assert not named
