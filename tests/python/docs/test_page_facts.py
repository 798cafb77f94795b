"""Every number that is written by hand in docs/games/<game>.md is what the engine gives.

The facts of a game stand in <game>_facts.py: fragments of its page, each with its numbers computed. A number that
no fact has fails, so that whoever writes it says where it comes from. Exempt are

- what is generated (test_game_pages.py) and what runs as an example (test_docs.py);
- numbers of rules, such as R9 (test_game_pages.py), and targets of links (test_docs.py);
- the section on history: dates and what old books tell stand for no number of the package. Facts may hold on to
  it where it tells what the package does, and where it cites what the rule book cites too.
"""

from __future__ import annotations

import importlib
import random
import re
from functools import cache

import pytest

import sarai
from helpers.page_facts import NUMBER, Fact, Found, Page, Value, by_hand, find, number, source, uncovered

every_game = pytest.mark.parametrize("name", sarai.games())


def facts(name: str) -> list[Fact]:
    found: list[Fact] = importlib.import_module(f"games.{name}.facts").FACTS
    return found


@cache
def values(name: str) -> list[tuple[Value, ...]]:
    """The numbers of each fact, computed once for all tests."""
    given = [compute() for _, compute in facts(name)]
    return [value if isinstance(value, tuple) else (value,) for value in given]


def look(name: str, page: Page) -> list[Found]:
    return [find(says, value, page) for (says, _), value in zip(facts(name), values(name), strict=True)]


def complaints(name: str, page: Page) -> list[str]:
    """What is wrong with the numbers of a page."""
    found = look(name, page)
    wrong = [fact.complaint for fact in found if fact.complaint is not None]
    return [*wrong, *uncovered(page, [span for fact in found for span in fact.spans])]


@every_game
def test_facts_stand_on_the_page_with_the_numbers_of_the_engine(name: str) -> None:
    wrong = [fact.complaint for fact in look(name, by_hand(source(name))) if fact.complaint is not None]
    assert not wrong, "\n".join(wrong)


@every_game
def test_every_number_belongs_to_a_fact(name: str) -> None:
    page = by_hand(source(name))
    spans = [span for fact in look(name, page) for span in fact.spans]
    missing = list(uncovered(page, spans))
    assert not missing, "\n".join(missing)


@every_game
def test_no_number_is_written_into_a_fact(name: str) -> None:
    for says, _ in facts(name):
        assert not re.search(NUMBER, re.sub(r"\bR\d+\b", "R", says), re.IGNORECASE), says


@every_game
def test_a_changed_number_is_found(name: str) -> None:
    page = by_hand(source(name))
    assert complaints(name, page) == []
    told = [m for m in re.finditer(NUMBER, page.text, re.IGNORECASE) if m.start() not in page.history]
    assert len(told) > 50
    for match in random.Random(3).sample(told, 30):
        start, stop = match.span()
        changed = f"{page.text[:start]}{number(match[0]) + 1}{page.text[stop:]}"
        # The history stays where it is: it comes before all others but those of the first lines.
        assert complaints(name, page._replace(text=changed)), changed[start - 40 : stop + 40]


@every_game
def test_a_new_number_is_found(name: str) -> None:
    page = by_hand(source(name))
    (found,) = complaints(name, page._replace(text=f"{page.text} It is played with seventeen dice."))
    assert found.startswith("'seventeen' in ...")


@pytest.mark.parametrize(
    ("says", "value", "complaint"),
    [
        ("a side has {} coins", (9,), None),
        ("and {} dice", (2,), None),
        ("{} lie there", ("5-6",), None),
        ("a side has {} coins", (8,), "'A side has nine coins' should have the numbers (8,)"),
        ("{} lie there", ("6-6",), "'{} lie there' with ('6-6',) stands there 0 times, not once"),
        ("of {} shells", (64,), "'of {} shells' with (64,) stands there 2 times, not once"),
        ("of {} stones", (64,), "'of {} stones' with (64,) stands there 0 times, not once"),
    ],
)
def test_a_fact_is_looked_for(says: str, value: tuple[Value, ...], complaint: str | None) -> None:
    page = Page(
        "A side has nine coins and 2 dice. 5-6 lie there. A row of sixty-four shells of 64 shells.", range(0)
    )
    assert find(says, value, page).complaint == complaint


def test_what_is_written_by_hand_on_a_page() -> None:
    lines = ["# Sho", "## History and source", "In 1895.", "## Board", "Of [9](8.md) shells,", "two (R12)."]
    lines += ["<!-- generated: sizes -->", "7 shells", "<!-- end -->", "```python", ">>> 6 * 9", "54", "```"]
    page = by_hand("\n".join(lines) + "\n")
    assert page.text == "# Sho ## History and source In 1895. ## Board Of [9] shells, two (R)."
    nine = page.text.index("9]")
    (two,) = uncovered(page, [(nine, nine + 1)])
    assert two.startswith("'two' in ...")
