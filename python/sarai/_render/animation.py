"""A whole game as one animated SVG without scripts, style sheets, ids or links.

The frames of a game have most of their markup in common, so they are overlaid: anything that is the same in several
frames is written once, with the times at which it is visible. A viewer that does not animate shows the first frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from sarai._base.arguments import counted, is_number, short
from sarai._core import State
from sarai._render import drawing, svg
from sarai._render.elements import Element
from sarai._render.options import Last, checked_flag
from sarai._render.view import Position

MOST_FRAMES = 5000
"""How many frames one animation may have."""


def animate(
    views: Iterable[Position],
    *,
    seconds_per_frame: float = 0.8,
    theme: str | None = None,
    repeat: bool = False,
    last: Sequence[Last | None] | None = None,
    **options: Any,
) -> svg.Svg:
    """Draw a whole game as one animated SVG.

    Args:
        views: the positions in order, at most 5,000: views, as returned by ``state.view()``, or states.
        seconds_per_frame: how long each position is shown, 0.02 to 60. The last one stays.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        repeat: whether to start again after the last position instead.
        last: for each position, the move to mark, as the player who moved and the name of the action, or None.
        **options: options of the game's own ``draw``, such as ``size`` (the width in pixels).

    Returns:
        A complete SVG document that browsers and notebooks play by themselves. The same arguments always give the same
        text.

    Raises:
        ValueError: if there are no views or too many, they do not all have the same game and rules, one of them is
            invalid, or an option is out of range.
        TypeError: if ``views`` is not a list of views or states, or the game's drawing does not have such an option.

    Example:
        >>> import sarai
        >>> state = sarai.make("shah").new_initial_state()
        >>> views = [state.view()]
        >>> state.apply_action(state.legal_actions()[0])
        >>> views.append(state.view())
        >>> "<animate " in animate(views, seconds_per_frame=0.5)
        True
        >>> animate([])
        Traceback (most recent call last):
            ...
        ValueError: an animation needs at least one view, got none
    """
    return animated(
        views, seconds_per_frame=seconds_per_frame, theme=theme, repeat=repeat, last=last, **options
    ).written()


def animated(
    views: Iterable[Position],
    *,
    seconds_per_frame: float = 0.8,
    repeat: bool = False,
    last: Sequence[Last | None] | None = None,
    **options: Any,
) -> svg.Picture:
    """What ``animate`` writes, before it is written."""
    seconds = checked_seconds(seconds_per_frame)
    checked_flag("repeat", repeat)
    layer, first = _Layer(), None
    frames = 0
    for picture in pictures(views, MOST_FRAMES, last, **options):
        first = picture if first is None else first
        layer.add(frames, [child for child in picture.children if child is not None])
        frames += 1
    if first is None:
        raise ValueError("an animation needs at least one view, got none")
    return replace(
        first,
        children=tuple(layer.laid_over(_Timing(frames, seconds, repeat))),
        title=f"{frames} positions. {first.title}",
        description=f"An animation that begins with: {first.description}",
    )


def pictures(
    positions: Iterable[Position], most: int, last: Sequence[Last | None] | None, **options: Any
) -> Iterator[svg.Picture]:
    """A drawing of each position, with its last move where one is given; all must be of one game with one rule book.

    Raises:
        ValueError, TypeError: as for ``animate``.
    """
    if isinstance(positions, Mapping | str) or not isinstance(positions, Iterable):
        raise TypeError(
            f"views must be a list of views or states, got {type(positions).__name__}: "
            "to draw a single one, use sarai.render.draw"
        )
    if last is not None and not isinstance(last, list | tuple):
        raise TypeError(f"last must be a list with a move or None for each view, got {type(last).__name__}")
    return _pictures(positions, most, last, options)


def _pictures(
    positions: Iterable[Position],
    most: int,
    last: Sequence[Last | None] | None,
    options: Mapping[str, Any],
) -> Iterator[svg.Picture]:
    kind, count, painter = None, 0, drawing.Painter()
    for count, position in enumerate(positions, 1):
        if count > most:
            raise ValueError(
                f"an animation has at most {counted(most, 'view')}, got more: leave some out or cut the game"
            )
        if last is not None and count > len(last):
            raise ValueError(
                f"last has {counted(len(last), 'entry', 'entries')}, and there are more views: give one for each"
            )
        if not isinstance(position, Mapping | State):
            raise TypeError(f"views[{count - 1}] must be a view or a state, got {type(position).__name__}")
        try:
            state = drawing.drawn_state(position)
            chosen = {**options, "last": None if last is None else last[count - 1]}
            drawn = painter.picture(state, chosen)
        except ValueError as error:
            # Options that are out of range show at the first view already.
            if count == 1:
                raise
            raise ValueError(f"views[{count - 1}]: {error}") from error
        if kind is None:
            kind = state.get_game()
        elif state.get_game() != kind:
            raise ValueError(
                f"views[{count - 1}] is of another game, rule book or number of players than views[0]: "
                "an animation shows one game"
            )
        yield drawn
    if last is not None and 0 < count < len(last):
        raise ValueError(
            f"last has {counted(len(last), 'entry', 'entries')} for {counted(count, 'view')}: give one for each"
        )


def checked_seconds(seconds: object) -> float:
    """``seconds_per_frame`` itself, which must be a number from 0.02 to 60."""
    if not is_number(seconds) or not 0.02 <= seconds <= 60:
        raise ValueError(f"seconds_per_frame must be a number from 0.02 to 60, got {short(seconds)}")
    return float(seconds)


class _Timing:
    """The times of the frames, as SVG writes them."""

    def __init__(self, frames: int, seconds: float, repeat: bool) -> None:
        self.frames = frames
        self.always = list(range(frames))
        self.whole = f"{frames * seconds:.3f}".rstrip("0").rstrip(".") + "s"
        self.end = {"repeatCount": "indefinite"} if repeat else {"fill": "freeze"}
        # Enough decimals that each frame has a time of its own.
        self.keys = [f"{k / frames:.6f}".rstrip("0").rstrip(".") for k in range(frames)]

    def shown(self, content: Sequence[Element], times: list[int]) -> Sequence[Element]:
        """That content, to be seen in those frames only."""
        if len(times) == self.frames:
            return content
        seen = set(times)
        values: list[str] = []
        keys: list[str] = []
        for k in range(self.frames):
            value = "inline" if k in seen else "none"
            if not values or value != values[-1]:
                values.append(value)
                keys.append(self.keys[k])
        change = svg.element(
            "animate",
            attributeName="display",
            calcMode="discrete",
            values=";".join(values),
            keyTimes=";".join(keys),
            dur=self.whole,
            **self.end,
        )
        # What a viewer that does not animate sees: the first frame.
        return [svg.group(change, *content, display=None if 0 in seen else "none")]


class _Slot:
    """One place in the order of painting: a finished piece, or a group that is taken apart further."""

    def __init__(self, content: Element, layer: _Layer | None) -> None:
        self.content = content
        self.layer = layer
        self.frames: list[int] = []


class _Layer:
    """The children of one element in all frames laid over each other, equal ones in one slot if order allows."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._order: list[int] = []
        self._slots: list[_Slot] = []

    def add(self, frame: int, children: Sequence[Element]) -> None:
        """Lay one more frame over the others.

        It looks on from the slot that was used last, so that the slots of each frame stand in the frame's own
        order of painting; a piece that has no slot further on gets a new one.
        """
        after = 0
        for child in children:
            inner = [one for one in child.children if isinstance(one, Element)]
            # A group without a title only holds others together; one with a title is a thing, such as a stack.
            taken_apart = child.name == "g" and not any(one.name == "title" for one in inner)
            at = self._slot(child, child.start() if taken_apart else child.written(), after, taken_apart)
            slot = self._slots[at]
            slot.frames.append(frame)
            if slot.layer is not None:
                slot.layer.add(frame, inner)
            after = at + 1

    def _slot(self, child: Element, content: str, after: int, taken_apart: bool) -> int:
        number = self._numbers.get(content)
        if number is None:
            # Nowhere yet, as most new pieces are: nothing to search.
            number = self._numbers[content] = len(self._numbers)
        else:
            try:
                return self._order.index(number, after)
            except ValueError:
                pass
        self._order.insert(after, number)
        self._slots.insert(after, _Slot(child, _Layer() if taken_apart else None))
        return after

    def laid_over(self, timing: _Timing) -> list[Element]:
        """All slots in order, neighbours that show at the same times together."""
        pieces: list[tuple[list[int], Element]] = []
        for slot in self._slots:
            if slot.layer is None:
                pieces.append((slot.frames, slot.content))
            elif inner := slot.layer.laid_over(timing):
                # What is in the group knows its own times.
                pieces.append((timing.always, slot.content._replace(children=tuple(inner))))
        return [
            element
            for times, run in groupby(pieces, key=lambda piece: piece[0])
            for element in timing.shown([content for _, content in run], times)
        ]
