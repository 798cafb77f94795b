"""What a board in a browser needs of a position: its picture, its places, and the legal moves."""

from __future__ import annotations

import importlib
import re
from typing import Any

from sarai._core import State
from sarai.game import preset_label
from sarai.render import drawing, games
from sarai.render.moves import Course, Last
from sarai.render.svg import get_theme

_NAME = re.compile(r"(?:fly |x)?([a-z0-9]+?)(?:[-/]([a-z0-9]+))?(?:[*+]|\(\d\)| \(both\)| all)*")


def scene(state: State, *, theme: str | None = None, last: Last | None = None) -> dict[str, Any]:
    """The scene of a position."""
    game = state.get_game()
    view = state.view()
    draw = drawing(game.name)
    picture = draw(view, theme=theme, last=last)
    player = state.current_player()
    reading = _reading(game.name, view, player, theme)
    points: dict[str, dict[str, Any]] = {}
    moves: list[dict[str, Any]] = []
    for action in state.legal_actions() if player >= 0 else ():
        name = state.action_to_string(action)
        found = _NAME.fullmatch(name)
        course = reading(name)
        places = []
        if found is not None and course is not None:
            ends = [course[0], course[-1]] if found[2] else [course[0]]
            for word, (x, y) in zip(filter(None, found.groups()), ends, strict=False):
                points.setdefault(
                    word, {"name": word, "x": round(x, 2), "y": round(y, 2), "r": 20, "words": ""}
                )
                places.append(word)
        moves.append({"action": action, "name": name, "words": name, "places": places})
    order = sorted(points.values(), key=lambda point: (point["y"], point["x"]))
    index = {point["name"]: place for place, point in enumerate(order)}
    for move in moves:
        move["places"] = [index[word] for word in move["places"]]
    return {
        "game": game.name,
        "preset": preset_label(game.name, game.rules),
        "rules": game.rules,
        "svg": picture.written(),
        "width": picture.width,
        "height": picture.height,
        "headline": picture.title,
        "description": picture.description,
        "player": player if player >= 0 else None,
        "num_players": game.num_players,
        "over": state.is_terminal(),
        "result": None,
        "points": order,
        "moves": moves,
    }


def _reading(game: str, view: dict[str, Any], player: int, theme: str | None) -> Any:
    def part(name: str) -> Any:
        return importlib.import_module(f"{games.__name__}.{game}.{name}")

    position = part("view").read(view)
    module = part("drawing")
    if hasattr(module, "Marks"):
        spiral = module.Spiral(position.num_shells)
        marks = module.Marks(position, spiral, get_theme(theme), (), True)

        def read(name: str) -> Any:
            found = re.fullmatch(r"(hand|[0-9]+)/(off|[0-9]+).*", name)
            if found is None:
                return None
            start = 0 if found[1] == "hand" else int(found[1])
            end = position.num_shells if found[2] == "off" else int(found[2])
            return [spiral.at(marks._along(place))[:2] for place in (start, end)]

        return read
    if hasattr(module, "_course"):
        third = position if module._course.__code__.co_varnames[2] == "position" else True

        def read_names(name: str) -> Any:
            found = module._course(name, player, third)
            return found.points if isinstance(found, Course) else None

        return read_names
    spots = module.spots_of(position)

    def read_piles(name: str) -> Any:
        found = module.course(name, player, True, position, spots)
        return None if found is None else found.points

    return read_piles
