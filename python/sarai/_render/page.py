"""A whole game as one page of HTML, in which it can be played, stopped and stepped through.

The page has everything in it, and its own policy forbids it to ask the network for anything. Without scripts it shows
the animation that plays by itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

from sarai._base.arguments import counted, short
from sarai._core import State
from sarai._render.animation import animate, checked_seconds
from sarai._render.elements import escape
from sarai._render.raster import checked_whole
from sarai._render.svg import get_theme
from sarai._render.view import Position, game_of

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{script_hash}'; \
style-src '{style_hash}'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{notes}<div id="board">
{board}</div>
<div id="controls" hidden>
<p id="label" aria-live="polite"></p>
<input id="place" type="range" min="0" max="0" value="0" aria-label="Position">
<p>
<button id="first" type="button" aria-label="First position">|&lt;</button>
<button id="back" type="button" aria-label="Back" title="Left arrow">&lt;</button>
<button id="play" type="button" title="Space bar">Play</button>
<button id="next" type="button" aria-label="Forward" title="Right arrow">&gt;</button>
<button id="last" type="button" aria-label="Last position">&gt;|</button>
<select id="speed" aria-label="Speed">
<option value="0.5">half speed</option>
<option value="1" selected>usual speed</option>
<option value="2">twice as fast</option>
<option value="4">four times as fast</option>
</select>
</p>
<p id="count"></p>
</div>
{jumps}</main>
<script type="application/json" id="game">{game}</script>
<script>{script}</script>
</body>
</html>
"""


def page(
    views: Iterable[Position],
    *,
    labels: Sequence[str] | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
    jumps: Sequence[tuple[int, str]] = (),
    seconds_per_frame: float = 0.8,
    theme: str | None = None,
    **options: Any,
) -> str:
    """Write a game as an HTML page with buttons and keys: play, stop, back, forward, to any position.

    Args:
        views: the positions in order, as `sarai.render.animate` takes them.
        labels: a label for each position; None numbers them.
        title: the heading; None is the title of the first picture.
        notes: lines below the heading.
        jumps: positions to jump to, each the place of one and what its button says.
        seconds_per_frame: how long each position is shown while the game plays, 0.02 to 60.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        **options: further options of ``animate``.

    Returns:
        The text of the page. The same arguments always give the same text.

    Raises:
        ValueError: as for ``animate``, there is not one label for each view, or no view to jump to.
        TypeError: as for ``animate``.

    Example:
        >>> import sarai
        >>> state = sarai.make("shah").new_initial_state()
        >>> page([state], title="Shah").count("<h1>Shah</h1>")
        1
        >>> page([state], labels=["first", "second"])
        Traceback (most recent call last):
            ...
        ValueError: labels has 2 entries for 1 view: give one for each
    """
    seconds = checked_seconds(seconds_per_frame)
    for name, given in (("labels", labels), ("notes", notes)):
        listed = isinstance(given, list | tuple) and all(isinstance(one, str) for one in given)
        if not listed and (name, given) != ("labels", None):
            raise TypeError(f"{name} must be a list of str, got {short(given)}")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a str, got {short(title)}")
    names: list[str] = []
    svg = animate(_counted(views, names), seconds_per_frame=seconds, theme=theme, **options)
    told = [f"Position {k}" for k in range(len(names))] if labels is None else list(labels)
    if len(told) != len(names):
        raise ValueError(
            f"labels has {counted(len(told), 'entry', 'entries')} for {counted(len(names), 'view')}: give one for each"
        )
    buttons = [_jump(place, words, len(names)) for place, words in _pairs(jumps)]
    script, style = _asset("player.js"), _asset("player.css") + _colours(theme)
    return _PAGE.format(
        script_hash=_digest(script),
        style_hash=_digest(style),
        title=escape(f"A game of {names[0]}" if title is None else title),
        style=style,
        notes="".join(f"<p>{escape(note)}</p>\n" for note in notes),
        board=svg,
        jumps=f'<ol id="jumps" hidden>\n{"".join(buttons)}</ol>\n' if buttons else "",
        # "</script>" in a label would end the element.
        game=json.dumps({"seconds": seconds, "labels": told}).replace("<", "\\u003c"),
        script=script,
    )


def _pairs(jumps: object) -> list[tuple[int, str]]:
    pairs = list(jumps) if isinstance(jumps, list | tuple) else None
    if pairs is None or not all(
        isinstance(one, tuple) and len(one) == 2 and isinstance(one[1], str) for one in pairs
    ):
        raise TypeError(f"jumps must be a list of pairs of a place and a str, got {short(jumps)}")
    return pairs


def _jump(place: object, words: str, views: int) -> str:
    number = checked_whole("jumps", place, "a place", 0, views - 1)
    return f'<li><button type="button" value="{number}">{escape(words)}</button></li>\n'


def _counted(views: Iterable[Position], names: list[str]) -> Any:
    """The same views; `names` gets the name of the game for each that is taken."""
    if isinstance(views, Mapping | str) or not isinstance(views, Iterable):
        return views  # which animate refuses

    def taken() -> Iterator[Position]:
        for view in views:
            names.append(str(game_of(view)) if isinstance(view, Mapping | State) else "")
            yield view

    return taken()


def _asset(name: str) -> str:
    return resources.files("sarai._render").joinpath(name).read_text(encoding="utf-8")


def _colours(theme: str | None) -> str:
    chosen = get_theme(theme)
    return (
        f"body {{ background: {chosen.background}; color: {chosen.ink}; color-scheme: {chosen.name}; }}\n"
        f"button, select {{ background: {chosen.panel}; border-color: {chosen.muted}; }}\n"
    )


def _digest(content: str) -> str:
    """What a content security policy calls an inline script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
