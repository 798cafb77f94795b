"""`sarai.render.scene`: what a board in a browser is made of."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import sarai
from helpers.positions import to_a_decision
from sarai import render

GAMES = sorted(sarai.games())


@pytest.mark.parametrize("game", GAMES)
def test_a_scene_is_plain_data_with_the_picture_that_is_drawn(game: str) -> None:
    state = to_a_decision(sarai.make(game).new_initial_state())
    scene = render.scene(state, theme="dark")
    assert json.loads(json.dumps(scene)) == scene
    assert scene == render.scene(state.view(), theme="dark")
    assert scene["svg"] == render.draw(state, theme="dark")
    assert list(scene) == [
        "game", "preset", "rules", "svg", "width", "height", "headline", "description", "player", "num_players",
        "over", "result", "points", "moves",
    ]  # fmt: skip
    assert (scene["game"], scene["rules"]) == (game, state.get_game().rules)
    assert scene["preset"] == next(iter(sarai.presets(game)))
    size = re.search(r'viewBox="0 0 (\S+) (\S+)"', scene["svg"])
    # A picture has its numbers with two decimals.
    assert size is not None
    assert [float(part) for part in size.groups()] == pytest.approx(
        [scene["width"], scene["height"]], abs=0.01
    )
    assert (scene["player"], scene["num_players"]) == (state.current_player(), state.num_players())
    assert (scene["over"], scene["result"]) == (False, None)
    assert [move["action"] for move in scene["moves"]] == state.legal_actions()
    assert [move["name"] for move in scene["moves"]] == [
        state.action_to_string(action) for action in state.legal_actions()
    ]
    assert scene["headline"] in scene["description"].lower() or scene["headline"] in scene["description"]


def test_moves_and_points_of_shah_are_told_in_words() -> None:
    game = sarai.make("shah", preset="nine_mens_morris")
    state = game.new_initial_state()
    for name in ("a7", "d6", "d7", "b4", "g7"):
        state.apply_action(state.string_to_action(name))
    scene = render.scene(state, last=(0, "g7"))
    points = {point["name"]: point for point in scene["points"]}
    assert [points[name]["words"] for name in ("a7", "d6", "a1")] == [
        "a7, a stone of player 0, in a row of three",
        "d6, a stone of player 1",
        "a1, empty",
    ]
    assert [(move["words"], move["places"]) for move in scene["moves"]] == [
        ("take the stone on d6", [4]),
        ("take the stone on b4", [10]),
    ]
    assert "player 0 played g7" in scene["svg"]
    assert scene["preset"] == "nine_mens_morris"
    assert render.scene(sarai.make("shah", max_turns=7).new_initial_state())["preset"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [({"theme": "sepia"}, "theme must be"), ({"last": (0, "h9")}, "last is 'h9', which names no action")],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        render.scene(sarai.make("shah").new_initial_state(), **options)
    with pytest.raises(TypeError, match="legal"):
        render.scene(sarai.make("shah").new_initial_state(), legal=["d6"])  # type: ignore[call-arg]
