"""What the facts of the pages in docs/games are made of; <game>_facts.py has those of a game.

A fact is a fragment of a page with ``{}`` for each of its numbers, and a function that gives them: an int stands
on the page as digits or as a word, a text as it is. ``("a side has {} coins", lambda: default("sho", "coins"))``.
"""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import sarai
from helpers.places import ROOT
from sarai import _core

_SMALL = [
    *(
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS = {word: value for value, word in enumerate(_SMALL) if value > 1}
WORDS |= {ten: 10 * value for value, ten in enumerate(_TENS, 2)}
WORDS |= {
    f"{ten}-{_SMALL[unit]}": 10 * value + unit for value, ten in enumerate(_TENS, 2) for unit in range(1, 10)
}
# The faces of dice in the plural.
WORDS |= {"twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}

# "one" is an article more often than a number, and so no number here; nor are "first" and "both".
NUMBER = r"(?:(?<!\d)\d+(?!\d)|\b(?:" + "|".join(sorted(WORDS, key=len, reverse=True)) + r")\b)"

Value = int | str
Fact = tuple[str, Callable[[], Value | tuple[Value, ...]]]


class Page(NamedTuple):
    """What is written by hand on a page, in one line, and where its history ends."""

    text: str
    history: range


def one_line(text: str) -> str:
    # R9 names a rule; test_game_pages.py holds these against the rule book.
    return re.sub(r"\s+", " ", re.sub(r"\bR\d+\b", "R", text)).strip()


@cache
def source(name: str) -> str:
    return (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")


def by_hand(markdown: str) -> Page:
    """A page without what is generated, what runs as an example, and the targets of links."""
    markdown = re.sub(r"^<!-- generated: .*?^<!-- end -->$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    markdown = re.sub(r"^```python\n.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    text = one_line(re.sub(r"\]\([^)]*\)", "]", markdown))
    return Page(text, range(text.index("## History and source"), text.index("## Board")))


def number(written: str) -> int:
    return int(written) if written.isdigit() else WORDS[written.lower()]


class Found(NamedTuple):
    """A fact on a page: whether it is told as it is, and where its numbers stand."""

    complaint: str | None
    spans: list[tuple[int, int]]


def find(says: str, values: tuple[Value, ...], page: Page) -> Found:
    """Look for a fact on a page, whatever numbers the page gives, and compare them."""
    first, *others = map(re.escape, one_line(says).split("{}"))
    assert len(others) == len(values) > 0, f"{says!r} has {len(others)} places for {len(values)} values"
    fields = [
        f"({NUMBER})" if isinstance(value, int) else f"({re.escape(one_line(value))})" for value in values
    ]
    wanted = first + "".join(field + other for field, other in zip(fields, others, strict=True))
    matches = list(re.finditer(wanted, page.text, re.IGNORECASE))
    if len(matches) != 1:
        return Found(f"{says!r} with {values} stands there {len(matches)} times, not once", [])
    told = matches[0].groups()
    if any(isinstance(v, int) and number(t) != v for v, t in zip(values, told, strict=True)):
        return Found(f"{matches[0][0]!r} should have the numbers {values}", [])
    return Found(None, [matches[0].span(group) for group in range(1, len(values) + 1)])


def uncovered(page: Page, spans: list[tuple[int, int]]) -> Iterator[str]:
    """The numbers that belong to no fact, each with what stands around it."""
    for match in re.finditer(NUMBER, page.text, re.IGNORECASE):
        at = match.start()
        if at not in page.history and not any(start <= at < stop for start, stop in spans):
            yield f"{match[0]!r} in ...{page.text[max(at - 60, 0) : at + 60]}..."


# What the facts of several games ask.


@cache
def options(name: str) -> dict[str, dict[str, Any]]:
    return {option["name"]: option for option in json.loads(_core.describe_json(name))["options"]}


def default(name: str, option: str) -> int:
    value: int = options(name)[option]["default"]
    return value


def bounds(name: str, option: str) -> tuple[int, ...]:
    """The numbers in what an option takes: of a range its ends."""
    return tuple(map(int, re.findall(r"\d+", options(name)[option]["takes"])))


def pictured(name: str) -> Any:
    """The position of the page's picture."""
    found = re.search(r"^<!-- generated: picture (.+) -->$", source(name), re.MULTILINE)
    assert found is not None
    return sarai.make(name).parse(json.loads(found[1])["position"])


@cache
def examples(name: str) -> dict[str, Any]:
    """The functions that the page's examples define, by their names."""
    names: dict[str, Any] = {}
    exec("import sarai", names)
    for example in doctest.DocTestParser().get_examples(source(name)):
        if example.source.startswith(("def ", "POINTS")):
            exec(example.source, names)
    return names


def cited(name: str, pattern: str) -> tuple[int, ...]:
    """The numbers of a reference as the rule book has it; `pattern` has a group for each."""
    book = (ROOT / "src" / "games" / name / "rules.md").read_text(encoding="utf-8")
    found = re.search(pattern, one_line(book))
    assert found is not None, pattern
    return tuple(number(group) for group in found.groups())


def names_of_throws(state: Any) -> list[str]:
    return [state.outcome_to_string(outcome) for outcome, _ in state.chance_outcomes()]


def weights(state: Any, *, doubles: bool) -> int:
    """What each of the throws weighs, where the lightest weighs 1."""
    chances = {state.outcome_to_string(outcome): chance for outcome, chance in state.chance_outcomes()}
    found = {
        round(chance / min(chances.values()), 6)
        for name, chance in chances.items()
        if (name[0] == name[-1]) == doubles
    }
    (weight,) = found
    assert weight == int(weight)
    return int(weight)


def id_of(state: Any, name: str) -> int:
    """The id of a legal action by its name."""
    (found,) = (action for action in state.legal_actions() if state.action_to_string(action) == name)
    return int(found)


def accepted(make: Callable[[], object]) -> bool:
    """Whether a game or a position can be made."""
    try:
        make()
    except ValueError:
        return False
    return True
