"""Boards as SVG: a pure function from a position to a ``str``, which notebooks display as a picture.

A position is a state or a view. A view is plain data: ``{"game", "rules", "num_players", "sides", "state"}``, as
returned by ``state.view()``. The engine draws, so that a board looks the same wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sarai import _core
from sarai._base.arguments import short
from sarai._core import Game, State
from sarai._game import as_game
from sarai._render import heat, notes, svg
from sarai._render import options as checked
from sarai._render.elements import Element
from sarai._render.svg import Picture, Svg
from sarai._render.view import Position, game_of, state_of


def drawn_games() -> list[str]:
    """The names of the games that can be drawn.

    Example:
        >>> "svg" in drawn_games()
        False
    """
    return sorted(_core.games())


def draw(
    view: Position,
    *,
    theme: str | None = None,
    board_only: bool = False,
    arrows: Sequence[notes.Move] = (),
    highlight: Sequence[str] | Mapping[str, str] = (),
    labels: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    moves: Sequence[notes.Move] = (),
    **options: Any,
) -> Svg:
    """Draw a position as SVG.

    Args:
        view: The result of ``state.view()``, or the state itself; it is never modified. A state is drawn as it is. A
            view is first checked against the rules by the engine, so a picture is never silently wrong.
        theme: ``"light"``, ``"dark"`` or ``"print"`` (black, white and grey, for paper); None takes that of
            ``sarai.render.set_theme``.
        board_only: Whether to leave out the panels and the words beside the board and on it.
        arrows: Arrows: pairs of places, such as ``("a7", "d7")``, or names of legal moves; a pair may have a colour as
            its third. Two equal places, or a move at one place, are a ring. Places have the names that
            ``sarai.render.scene`` lists; colours are blue, orange, green, red, purple, black, or like ``"#102030"``.
        highlight: Places to mark, as a list, or a dict of the colour of each.
        labels: A short text for each place, by its name.
        names: What the players are called, one name a seat, in place of "player 0".
        moves: A line of play from this position, drawn as arrows with numbers: names of actions, and of what chance
            gives between them, which has no number; or pairs of places, as for ``arrows``.
        **options: ``size``, the width in pixels, 16 to 16384, 480 by default: pictures are legible from 300 on.
            ``orientation``, the seat from whose side the board is seen, 0 by default: Shah is turned by half, Shuanglu
            mirrored so that this player's home is below, T'shu-p'u turned until this player's arm is below; in Sho,
            where nobody has a side of the board, this player's panel comes first. ``coordinates``, whether to name the
            places. ``last``, who moved last and the name of that action, such as ``(0, "d6-d5")``, and ``legal``, names
            of actions of the player whose turn it is: these moves are marked. ``values``, for games that have it, what
            actions are worth to that player, by name: a pair of 1 won, 0 drawn or -1 lost, and the turns to the end,
            None in a draw.

    Returns:
        A complete SVG document, which a notebook displays as a picture. The same arguments always give the same text.

    Raises:
        ValueError: If the view is not a valid position of its game, the game has no drawing, an option is out of
            range, or a move has no known name.
        TypeError: If the game's drawing does not have such an option.

    Example:
        >>> import sarai
        >>> state = sarai.make("shah").new_initial_state()
        >>> draw(state, legal=["d6"]).count("legal: d6")
        1
        >>> drawn = draw(state, board_only=True, highlight=["a1"], moves=["d6", "g7"])
        >>> "moves first" in drawn, "1: d6" in drawn, "2: g7" in drawn
        (False, True, True)
        >>> draw(state, orientation=1) == draw(state)
        False
        >>> draw(state, arrows=[("a1", "h8")])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ValueError: arrows[0]: the board has no place 'h8'...
        >>> draw({"game": "chess"})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ValueError: no drawing for the game 'chess': there are drawings for ...
    """
    asked = {"arrows": arrows, "highlight": highlight, "labels": labels, "names": names, "moves": moves}
    added: dict[str, Any] = {
        name: value for name, value in asked.items() if value is not None and value != ()
    }
    if board_only is not False:
        added["board_only"] = board_only
    return picture(view, theme=theme, **added, **options).written()


def picture(view: Position, **options: Any) -> Picture:
    """What ``draw`` writes, before it is written: to be put into a figure, captioned or laid over others.

    Raises:
        ValueError, TypeError: As for ``draw``.
    """
    return Painter().picture(drawn_state(view), options)


class Painter:
    """Draws positions in order, and keeps the elements that one has in common with the next."""

    def __init__(self) -> None:
        self._trees: list[_core._Tree | str] = []
        self._elements: tuple[Element | str, ...] = ()

    def picture(self, state: State, options: Mapping[str, Any]) -> Picture:
        """The picture of a state.

        Raises:
            ValueError, TypeError: As for ``draw``.
        """
        added = {name: value for name, value in options.items() if name in notes.NAMES}
        asked = checked.asked(state, {name: value for name, value in options.items() if name not in added})
        trees: list[_core._Tree | str]
        trees, width, height, title, description = _core.draw_tree(state, asked)  # type: ignore[assignment]
        self._elements = _elements(trees, self._trees, self._elements)
        self._trees = trees
        painted = tuple(one for one in self._elements if isinstance(one, Element))
        drawn = Picture(painted, width, height, asked[1], title, description)
        on_paper = svg.get_theme(options.get("theme")).name == "print"
        if added:
            drawn = notes.noted(drawn, state, added, asked[2], asked[3], "black" if on_paper else "blue")
        return notes.printed(drawn) if on_paper else drawn


def _elements(
    trees: Sequence[_core._Tree | str],
    old: Sequence[_core._Tree | str],
    known: tuple[Element | str, ...],
) -> tuple[Element | str, ...]:
    """What the engine drew as elements: where it is equal to what it drew before, the same ones."""
    made: list[Element | str] = []
    for i, tree in enumerate(trees):
        before = old[i] if i < len(old) else None
        if tree == before:
            made.append(known[i])
        elif isinstance(tree, str):
            made.append(tree)
        else:
            name, attributes, children = tree
            one = known[i] if i < len(known) else ""
            inner: tuple[Sequence[_core._Tree | str], tuple[Element | str, ...]] = ((), ())
            if isinstance(one, Element) and before is not None and not isinstance(before, str):
                inner = before[2], one.children
            made.append(Element(name, dict(attributes), _elements(children, *inner)))
    return tuple(made)


def drawn_state(position: Position) -> State:
    """The state that is drawn.

    Raises:
        ValueError: As for ``draw``.
    """
    game, known = game_of(position), drawn_games()
    if not isinstance(game, str) or game not in known:
        raise ValueError(f"no drawing for the game {short(game)}: there are drawings for {', '.join(known)}")
    return state_of(position)


def scene(
    view: Position, *, theme: str | None = None, last: checked.Last | None = None, orientation: int = 0
) -> dict[str, Any]:
    """A position for a board to play on: its picture, its places and its moves, also in words.

    Args:
        view: A view or a state, as for ``draw``.
        theme: ``"light"`` or ``"dark"``; None takes that of ``sarai.render.set_theme``.
        last: Who moved last and the name of that action, to be marked in the picture.
        orientation: The seat from whose side the board is seen.

    Returns:
        Plain data. ``game``, ``preset`` (None if the rules are not those of a preset) and ``rules``; ``svg``, and its
        ``width`` and ``height`` in the units of its viewBox; ``headline`` and ``description``, the position in words;
        ``player`` (None at a chance node and at the end), ``num_players``, ``over``, and ``result``, None before the
        end. ``points`` are the places of the board that moves touch, in the reading order of seat 0, each with its
        ``name``, middle ``x`` and ``y``, radius ``r``, and in ``words`` what stands there. ``moves`` are the legal
        ones, each with its ``action``, ``name``, ``words`` and ``places``: which of the points it touches, from where
        it begins to where it ends; none for a move that happens at no place.

    Raises:
        ValueError: As for ``draw``.

    Example:
        >>> import sarai
        >>> shown = scene(sarai.make("shah").new_initial_state())
        >>> shown["headline"], shown["points"][4]["words"], shown["moves"][4]["words"]
        ('player 0 is to place one of 12 stones', 'd6, empty', 'place a stone on d6')
        >>> scene({"game": "chess"})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ValueError: no drawing for the game 'chess': there are drawings for ...
    """
    state = drawn_state(view)
    found: dict[str, Any] = _core.scene(
        state, checked.asked(state, {"theme": theme, "last": last, "orientation": orientation})
    )
    return found


def heat_map(
    game: str | Game,
    values: Mapping[str, float],
    *,
    beside: Mapping[str, float] | None = None,
    title: str = "",
    numbers: bool = True,
    theme: str | None = None,
    **options: Any,
) -> Svg:
    """Draw a number for each place of a board: a disc whose area is the number, on the empty board, with a legend.

    Args:
        game: a game's name, or a game made by `sarai.make`.
        values: a number from 0 on for each place, by the name of the place; a place that is missing has no disc. The
            names are those of the game's actions, such as "d6"; where seats number the board differently, those of
            player 0. `sarai.metrics` counts pieces by the same names.
        beside: numbers from 0 on that belong to no place of the board, by names of any kind, such as "hand"; they are
            written below unless they are 0, and do not affect the scale.
        title: what the numbers are, for the legend.
        numbers: whether to write each number on its disc, with two digits.
        theme: ``"light"``, ``"dark"`` or ``"print"``; None takes that of ``sarai.render.set_theme``.
        **options: options of the game's own ``draw``, such as ``size``.

    Raises:
        ValueError: if a place is unknown, a value negative or not finite, the game has no drawing, or an option is out
            of range.
        TypeError: if a value is no number, or the drawing has no such option.

    Example:
        >>> heat_map("shah", {"d6": 3, "d5": 1.5}, title="stones").count("<title>d")
        2
        >>> "Beside the board: hand" in heat_map("shah", {"d6": 3}, beside={"hand": 4})
        True
        >>> heat_map("shah", {"z9": 1})
        Traceback (most recent call last):
            ...
        ValueError: the board has no place 'z9'; there are ...
    """
    start = as_game(game).new_initial_state()
    board = notes.emptied(picture(start, theme=theme, **{"board_only": True, **options}))
    seen = options.get("orientation", 0), bool(options.get("coordinates", True))
    places = notes.places_on_board(start, *seen)
    others = {} if beside is None else beside
    shown = checked.checked_flag("numbers", numbers)
    return heat.laid_over(board, places, values, others, title, theme, shown).written()
