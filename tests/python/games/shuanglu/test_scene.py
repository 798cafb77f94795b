"""What a board that is played on knows of Shuanglu: its places, which of them a move touches, and the words."""

from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ET
from itertools import combinations
from typing import Any

import pytest

import sarai
from games.shuanglu.random_positions import KINDS, random_position
from games.shuanglu.reference import ReferenceShuanglu
from helpers.by_name import throw
from helpers.pictures import NS
from sarai.render import scene

Scene = dict[str, Any]


def positions(preset: str, seed: int) -> list[sarai.State]:
    """Random ones of every kind, most of them with dice to play."""
    rng, made = random.Random(seed), sarai.make("shuanglu", preset=preset)
    reference, found = ReferenceShuanglu(made.rules), []
    for kind in KINDS:
        for _ in range(12):
            state = made.state_from_dict(random_position(rng, reference, kind))
            state.apply_action(rng.choice(state.chance_outcomes())[0])
            found.append(state)
    return found


def drawn(shown: Scene) -> dict[str, list[tuple[float, float]]]:
    """Where the feet of the horses of each group stand, by its label."""
    found = {}
    for group in ET.fromstring(shown["svg"]).iter(f"{NS}g"):
        title = group.findtext(f"{NS}title") or ""
        if re.fullmatch(r"player \d: \d+ horses? on .+", title):
            feet = (re.match(r"translate\((\S+) (\S+)\)", inner.get("transform", "")) for inner in group)
            found[title] = [(float(each[1]), float(each[2])) for each in feet if each]
    return found


@pytest.mark.parametrize("preset", sarai.presets("shuanglu"))
def test_every_place_lies_where_its_horses_are_drawn(preset: str) -> None:
    for state in positions(preset, 1):
        shown = scene(state)
        held = state.to_dict()
        mover = held["player"] or 0
        by_name = {point["name"]: point for point in shown["points"]}
        assert len(by_name) == len(shown["points"]) == 24 + 2 + 2
        for label, feet in drawn(shown).items():
            player, horses, where = re.fullmatch(r"player (\d): (\d+ horses?) on (.+)", label).groups()  # type: ignore[union-attr]
            if where == "the bar":
                point = by_name[f"bar of player {player}"]
                assert point["words"] == horses
                assert all(abs(y - 22 - point["y"]) < 1 for _, y in feet)
                continue
            point = by_name[where if int(player) == mover else str(25 - int(where))]
            assert point["words"] == f"{horses} of player {player}"
            # The middle of the horse next to the rim, which stands lowest below and highest above.
            nearest = min(feet, key=lambda foot: math.dist(foot, (point["x"], point["y"] + 22)))
            assert math.dist(nearest, (point["x"], point["y"] + 22)) < point["r"] / 2
        for player in (0, 1):
            off = held["off"][player]
            assert by_name[f"off, player {player}"]["words"] == f"{off} horse{'s' * (off != 1)}"
        taken = sum(bool(count) for own in held["points"] for count in own)
        assert sum(point["words"] == "empty" for point in shown["points"]) == 24 - taken


def test_places_do_not_lie_on_each_other_and_are_read_row_by_row() -> None:
    points = scene(sarai.make("shuanglu").new_initial_state())["points"]
    for one, other in combinations(points, 2):
        assert math.dist((one["x"], one["y"]), (other["x"], other["y"])) > 0.99 * (one["r"] + other["r"])
    rows = [points[:13], points[13:26], points[26:]]
    assert all([point["x"] for point in row] == sorted(point["x"] for point in row) for row in rows)
    tops = [max(point["y"] for point in row) for row in rows]
    assert tops == sorted(tops)


@pytest.mark.parametrize("preset", sarai.presets("shuanglu"))
def test_a_move_touches_the_places_that_its_name_says(preset: str) -> None:
    seen = set()
    for state in positions(preset, 2):
        shown = scene(state)
        for move in shown["moves"]:
            player = state.current_player()
            start, end = re.sub(r"\*|\(.\)", "", move["name"]).split("/")
            due = [
                start.replace("bar", f"bar of player {player}"),
                end.replace("off", f"off, player {player}"),
            ]
            assert [shown["points"][place]["name"] for place in move["places"]] == due
            seen |= {start.isdigit(), end}
    assert {True, False, "off"} <= seen


BEGUN = "roll player=0 turn=5 dice=- winner=- points_won=0"


@pytest.mark.parametrize(
    ("sides", "name", "words"),
    [
        ("bar=0 off=0 13:15 | bar=0 off=0 1:15", "13/8", "move a horse from 13 to 8"),
        (
            "bar=0 off=0 13:15 | bar=0 off=14 17:1",
            "13/8*",
            "move a horse from 13 to 8, hitting the one there",
        ),
        ("bar=1 off=0 13:14 | bar=0 off=0 13:15", "bar/20", "bring a horse in to 20"),
        ("bar=0 off=13 5:2 | bar=0 off=0 13:15", "5/off", "bear off a horse from 5"),
        ("bar=0 off=13 3:2 | bar=0 off=0 13:15", "3/off(5)", "bear off a horse from 3, with a 5"),
    ],
)
def test_steps_in_words(sides: str, name: str, words: str) -> None:
    state = throw(sarai.make("shuanglu", preset="backgammon").parse(f"{BEGUN} | {sides}"), "4-5")
    assert {move["name"]: move["words"] for move in scene(state)["moves"]}[name] == words
