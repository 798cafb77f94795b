"""`Game.position`, whatever the game: its keywords, their types, and where they are documented.

What the keywords of each game mean is tested in its folder of tests/python/games.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.places import ROOT
from helpers.positions import BOOKS


def keywords(game: sarai.Game) -> list[str]:
    """The keywords that a game takes, as it says itself."""
    with pytest.raises(TypeError) as refused:
        game.position(no_such_keyword=1)
    return str(refused.value).split("; it takes ")[1].split(", ")


def refused(game: sarai.Game, given: dict[str, Any]) -> Exception | None:
    """Why these keywords are refused; None if they are not."""
    try:
        game.position(**given)
    except (TypeError, ValueError) as error:
        return error
    return None


@pytest.mark.parametrize("book", BOOKS, ids="-".join)
def test_nothing_named_is_the_start(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    assert game.position() == game.new_initial_state()
    assert game.position(**dict.fromkeys(keywords(game))) == game.new_initial_state()


@pytest.mark.parametrize("name", sarai.games())
def test_every_keyword_is_documented(name: str) -> None:
    sections = [
        (ROOT / "docs" / "positions.md", f"\n### {name}\n"),
        (ROOT / "docs" / "games" / f"{name}.md", "\n### A position from what you see\n"),
    ]
    found: list[str] = []
    for page, heading in sections:
        _, _, section = page.read_text(encoding="utf-8").partition(heading)
        for cell in re.findall(r"^\| (`[^|]*`) \|", section.split("\n#")[0], re.MULTILINE):
            found += re.findall(r"`(\w+)`", cell)
    known = keywords(sarai.make(name))
    # There may be others, which only larger games have.
    assert [keyword for keyword in found if keyword in known] == known


@pytest.mark.parametrize("name", sarai.games())
def test_values_of_other_types_are_refused(name: str) -> None:
    game = sarai.make(name)
    for keyword in keywords(game):
        kept = []
        for value in ("a7 1", 0, True, (1, 1), 1.5, {"a7": 1}, b"a7", object()):
            refusal = refused(game, {keyword: value})
            if isinstance(refusal, TypeError):
                assert keyword in str(refusal)
            else:
                kept.append(value)
        # Of one type, and of no other.
        assert len(kept) == 1, (keyword, kept)


def test_numbers_may_be_those_of_numpy() -> None:
    game = sarai.make(sarai.games()[0])
    assert game.position(player=np.int8(1), turn=np.int64(4)) == game.position(player=1, turn=4)


def test_numbers_out_of_range_are_refused() -> None:
    for name in sarai.games():
        for number in (-1, 2**70, -(2**70), 10**5000):
            with pytest.raises(ValueError, match="turn got"):
                sarai.make(name).position(turn=number)


def test_long_texts_are_refused() -> None:
    for name in sarai.games():
        game = sarai.make(name)
        text = next(keyword for keyword in keywords(game) if keyword != "player")
        for given in ("1 " * 10**6, " ".join(map(str, range(20_000)))):
            with pytest.raises(ValueError, match=f"{text}|too long"):
                game.position(**{text: given})
