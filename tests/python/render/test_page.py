"""A game as a page of HTML: it is whole, asks the network for nothing, and holds whatever it is told."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import sarai
from helpers.refusals import refused
from sarai._render.animation import animate
from sarai._render.page import page

VOID = {"meta", "input"}


class Parts(HTMLParser):
    """The contents of the elements that stand alone in a page, which must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.contents: dict[str, list[str]] = {}
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += attributes
        self.contents.setdefault(tag, []).append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += attributes

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.contents[self.open[-1]][-1] += data


def digest(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


@pytest.mark.parametrize(("name", "theme"), [("sho", "light"), ("shah", "dark")])
def test_a_page_has_everything_and_may_run_nothing_else(name: str, theme: str) -> None:
    states = sarai.Record.play(name, seed=4).states()[:5]
    text = page(states, theme=theme, seconds_per_frame=0.3)
    assert animate(states, theme=theme, seconds_per_frame=0.3) in text
    parts = Parts(text)
    policy = next(value for _, value in parts.attributes if value and value.startswith("default-src"))
    (style,) = parts.contents["style"]
    game, script = parts.contents["script"]
    assert policy == f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}"
    assert [
        name for name, _ in parts.attributes if name in ("href", "src", "style") or name[:2] == "on"
    ] == []
    # The name space of the SVG.
    assert text.count("http://") == 1
    assert "https://" not in text
    assert f"color-scheme: {theme};" in style
    assert json.loads(game) == {"seconds": 0.3, "labels": [f"Position {k}" for k in range(5)]}
    assert parts.contents["h1"] == [f"A game of {name}"]
    # What the script looks for is there, once.
    ids = [value for name, value in parts.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'at\("(\w+)"\)', script)) <= set(ids)


def test_what_is_told_cannot_become_markup() -> None:
    evil = "</script><script>alert(1)</script><!-- & \u2028"
    state = sarai.make("shah").new_initial_state()
    text = page([state], labels=[evil], title=evil, notes=[evil])
    parts = Parts(text)
    assert len(parts.contents["script"]) == 2
    assert json.loads(parts.contents["script"][0])["labels"] == [evil]
    assert parts.contents["h1"] == [evil]


def test_views_may_come_one_by_one() -> None:
    states = sarai.Record.from_steps("shah", [4, 19]).states()
    assert page(iter(states)) == page(states) == page([state.view() for state in states])


STATE = sarai.make("shah").new_initial_state()


def test_bad_arguments_are_refused() -> None:
    def call(views: Any = (STATE,), **options: Any) -> None:
        page(views, **options)

    refused(
        call,
        {"views": [[]], "labels": [[]], "seconds_per_frame": [0], "theme": ["red"]},
        {"views": ["<svg/>", 7, [7]], "labels": ["a", [3]], "title": [3], "notes": ["a"], "colour": ["red"]},
    )
