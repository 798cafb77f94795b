"""What notebooks show: a state as its board, everything else as tables of plain HTML.

Nothing here sets a colour, so that a notebook's own theme holds, light or dark; nothing needs a script, a style sheet
or another file. All text is escaped, and letters that no page can hold are replaced.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from itertools import count
from typing import Any

from sarai import _core
from sarai._base.arguments import counted
from sarai._core import Game, State
from sarai._game import presets, show_value
from sarai._render.elements import escape
from sarai._render.svg import Svg
from sarai.render import draw


def table(header: Iterable[str], rows: Iterable[Iterable[str]], text_columns: int) -> str:
    """A table whose first columns are text, aligned left, and whose others are numbers, aligned right.

    >>> table(["agent", "wins"], [["<b>", "3"]], text_columns=1).count("&lt;b&gt;")
    1
    """

    def cells(tag: str, texts: Iterable[str]) -> str:
        aligned = ("left" if place < text_columns else "right" for place in count())
        return "".join(
            f'<{tag} style="text-align: {side}">{escape(text)}</{tag}>'
            for side, text in zip(aligned, texts, strict=False)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', header)}</tr></thead><tbody>{body}</tbody></table>"


def heading(text: str) -> str:
    """A line over a table.

    >>> heading("a & b")
    '<p><b>a &amp; b</b></p>'
    """
    return f"<p><b>{escape(text)}</b></p>"


def line(text: str) -> str:
    """A line of text.

    >>> line("a & b")
    '<p>a &amp; b</p>'
    """
    return f"<p>{escape(text)}</p>"


def picture(svg: Svg, width: int, alt: str) -> str:
    """A picture within HTML. As an image of its own it is shown or left out as a whole, but never taken to pieces."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(alt)}" width="{width}" src="data:image/svg+xml;base64,{data}">'


def game_html(game: Game) -> str:
    """The rule book of a game and its start position; options that differ from the default are marked by a star.

    >>> import sarai
    >>> page = game_html(sarai.make("sho", players=2))
    >>> '>2*</td>' in page, "<script" in page
    (True, False)
    """
    described: dict[str, Any] = json.loads(_core.describe_json(game.name))
    rules = game.rules
    preset = next((name for name, book in presets(game.name).items() if book == rules), None)
    rows = []
    for option in described["options"]:
        value, default = rules[option["name"]], option["default"]
        star = "" if value == default else "*"
        rows.append(
            (
                option["name"],
                show_value(value) + star,
                show_value(default),
                option["takes"],
                option["meaning"],
            )
        )
    of = "rules of its own" if preset is None else f'the rules of the preset "{preset}"'
    return (
        heading(f"{game.name}: {counted(game.num_players, 'seat')}, {of}")
        + picture(draw(game.new_initial_state()), 300, f"The start of {game.name}")
        + table(("option", "value", "default", "takes", "meaning"), rows, text_columns=5)
        + line(
            f"{game.num_actions} actions, {game.observation_shape[0]} cells in an observation. * not the default"
        )
    )


def _board(self: State) -> Svg:
    """The board as SVG, which notebooks show."""
    return draw(self)


def _page(self: Game) -> str:
    """The start position and the options, which notebooks show."""
    return game_html(self)


# The engine knows no pictures: its types learn from here how notebooks show them.
State._repr_svg_ = _board  # type: ignore[method-assign]
Game._repr_html_ = _page  # type: ignore[method-assign]
