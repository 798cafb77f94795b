"""What a board that is played on knows of Sho: its places, which of them a move touches, and the words for both."""

from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ET
from itertools import combinations
from typing import Any

import pytest

import sarai
from helpers.by_name import play, throw
from helpers.pictures import NS
from sarai.render import scene

Scene = dict[str, Any]


def middles(shown: Scene) -> dict[str, tuple[float, float]]:
    """Where each pile of coins is drawn, by its label."""
    found = {}
    for group in ET.fromstring(shown["svg"]).iter(f"{NS}g"):
        title = group.findtext(f"{NS}title") or ""
        if re.fullmatch(r"side [A-D]: \d( coins? on \d+.*| hand| off)", title):
            ys = [float(coin.get("cy", "")) for coin in group.iter(f"{NS}circle") if coin.get("r")]
            x = next(float(coin.get("cx", "")) for coin in group.iter(f"{NS}circle"))
            found[title] = (x, (min(ys) + max(ys)) / 2)
    return found


def positions(rules: dict[str, Any], seed: int) -> list[sarai.State]:
    """Those of one random game."""
    state, rng = sarai.make("sho", rules=rules).new_initial_state(), random.Random(seed)
    found: list[sarai.State] = []
    while not state.is_terminal() and len(found) < 300:
        outcomes = [outcome for outcome, _ in state.chance_outcomes()] if state.is_chance_node() else []
        state.apply_action(rng.choice(outcomes or state.legal_actions()))
        found.append(state.clone())
    return found


@pytest.mark.parametrize(
    "rules", [{}, {"players": 4, "teams": True}, {"num_shells": 4, "players": 2}, {"num_shells": 20}]
)
def test_every_place_lies_where_its_coins_are_drawn(rules: dict[str, Any]) -> None:
    seen = 0
    for state in positions(rules, 1)[::4]:
        shown = scene(state)
        by_name = {point["name"]: point for point in shown["points"]}
        assert len(by_name) == len(shown["points"])
        for label, (x, y) in middles(shown).items():
            side, count, where = re.fullmatch(r"(side .): (\d) (?:coins? on )?(\w+).*", label).groups()  # type: ignore[union-attr]
            name = {"hand": f"hand of {side}", "off": f"off, {side}"}.get(where, where)
            point = by_name[name]
            assert math.dist((x, y), (point["x"], point["y"])) < 0.3 * point["r"]
            coins = "1 coin" if count == "1" else f"{count} coins"
            assert point["words"].startswith(coins if where in ("hand", "off") else f"{coins} of {side}")
            seen += 1
        empty = [point for point in shown["points"] if point["words"] == "empty"]
        assert len(empty) + len(middles(shown)) == len(shown["points"])
    assert seen > 10


@pytest.mark.parametrize("num_shells", [4, 7, 12, 30, 64])
def test_places_do_not_lie_on_each_other(num_shells: int) -> None:
    points = scene(sarai.make("sho", num_shells=num_shells, players=4).new_initial_state())["points"]
    assert len(points) == num_shells - 1 + 2 * 4
    for one, other in combinations(points, 2):
        assert math.dist((one["x"], one["y"]), (other["x"], other["y"])) > 0.9 * (one["r"] + other["r"])


@pytest.mark.parametrize("preset", sarai.presets("sho"))
def test_a_move_touches_the_places_that_its_name_says(preset: str) -> None:
    seen = set()
    for state in positions(sarai.presets("sho")[preset], 2):
        if state.is_chance_node() or state.is_terminal():
            continue
        shown = scene(state)
        side = "ABCD"[state.view()["sides"][state.current_player()]]
        for move in shown["moves"]:
            names = [shown["points"][place]["name"] for place in move["places"]]
            start, _, end = move["name"].partition("/")
            if not end:
                assert names == []
                continue
            start = start.replace("hand", f"hand of side {side}")
            end = re.sub(r"[*+]$| all$", "", end).replace("off", f"off, side {side}")
            assert names == [start, end]
            seen.add(end.isdigit())
    assert seen == {True, False}


def at(line: str, **rules: Any) -> sarai.State:
    """Two players, of whom the first is to throw; the sides as in a line of text."""
    begun = "roll player=0 turn=0 pool=- value=- moved=- six_three_roll=false winner=-"
    return sarai.make("sho", players=2, **rules).parse(f"{begun} | {line}")


@pytest.mark.parametrize(
    ("line", "thrown", "name", "words"),
    [
        ("hand=8 off=0 cleared=false 3:1 | hand=9 off=0 cleared=false", "2-3", "hand/5", "bring 1 coin in to 5"),
        ("hand=5 off=0 cleared=false 3:4 | hand=9 off=0 cleared=false", "2-3", "3/8", "move 4 coins from 3 to 8"),
        (
            "hand=3 off=0 cleared=false 3:4 8:2 | hand=9 off=0 cleared=false",
            "2-3", "3/8+", "move 4 coins from 3 to 8, onto 2 coins there",
        ),
        (
            "hand=5 off=0 cleared=false 3:4 | hand=8 off=0 cleared=false 8:1",
            "2-3", "3/8*", "move 4 coins from 3 to 8, killing 1 coin of side B",
        ),
        ("hand=0 off=8 cleared=false 60:1 | hand=9 off=0 cleared=false", "2-3", "60/off", "move 1 coin from 60 off"),
    ],
)  # fmt: skip
def test_moves_in_words(line: str, thrown: str, name: str, words: str) -> None:
    said = {move["name"]: move["words"] for move in scene(throw(at(line), thrown))["moves"]}
    assert said[name] == words


def test_what_is_no_movement_in_words() -> None:
    lot = throw(throw(at("hand=8 off=0 cleared=false 3:1 | hand=9 off=0 cleared=false"), "1-1"), "2-3")
    assert [(move["words"], move["places"]) for move in scene(lot)["moves"]] == [
        ("move by 2", []),
        ("move by 5", []),
        ("move by 7", []),
    ]
    rest = at("hand=0 off=7 cleared=false 3:1 60:1 | hand=9 off=0 cleared=false", finish_overflow=True)
    shown = scene(play(throw(rest, "6-6"), "60/off"))
    assert [move["words"] for move in shown["moves"] if not move["places"]] == ["leave the rest unused"]
    home = at("hand=9 off=0 cleared=true | hand=0 off=0 cleared=false 20:9", six_three=True)
    (whole,) = (move for move in scene(throw(home, "3-6"))["moves"] if move["name"] == "hand/9 all")
    assert whole["words"] == "bring all 9 coins in to 9"
    assert len(whole["places"]) == 2


def test_a_split_says_what_moved_just_now() -> None:
    begun = throw(
        throw(at("hand=7 off=0 cleared=false 3:2 | hand=9 off=0 cleared=false", pa_ra="flexible"), "1-1"),
        "2-3",
    )
    shown = scene(play(begun, "value 3", "3/6"))
    assert [point["words"] for point in shown["points"] if point["name"] == "6"] == [
        "2 coins of side A, moved just now"
    ]
