"""What a writer adds to a board, and takes away from it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import sarai
from sarai.render import draw, figure, picture, scene

SHAH = sarai.make("shah").new_initial_state()


def middle(text: str, label: str) -> tuple[float, float]:
    """Where the circle of the note with this title lies."""
    found = re.search(rf'<title>{label}</title>.*?<circle cx="(\S+)" cy="(\S+)"', text)
    assert found
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("name", sarai.games())
@pytest.mark.parametrize("coordinates", [True, False])
def test_the_board_alone_has_no_panels(name: str, coordinates: bool) -> None:
    record = sarai.Record.play(name, "greedy", seed=1)
    for state in (record.initial_state, record.states()[len(record) // 2], record.final_state):
        whole, alone = (
            draw(state, board_only=board_only, coordinates=coordinates) for board_only in (False, True)
        )
        heights = [float(ET.fromstring(text).attrib["viewBox"].split()[3]) for text in (whole, alone)]
        assert heights[1] < heights[0] - 80
        texts = [re.findall(r"<text[^>]*>([^<]*)</text>", text) for text in (whole, alone)]
        assert set(texts[1]) < set(texts[0])
        beside = r"turn \d|in hand|^\d* ?off$|^hand$|wins|draw|who begins|to throw|to play|choose|win$"
        assert not [text for text in texts[1] if re.search(beside, text)]


@pytest.mark.parametrize("name", sarai.games())
def test_notes_lie_where_the_places_are(name: str) -> None:
    state = sarai.Record.play(name, "greedy", seed=1).states()[20]
    point = scene(state)["points"][12]
    at = point["x"], point["y"]
    drawn = draw(state, highlight={point["name"]: "red"}, labels={point["name"]: "a < b"})
    assert middle(drawn, f"highlighted: {point['name']}") == pytest.approx(at, abs=0.01)
    assert "a &lt; b" in drawn
    moved = draw(state, highlight=[point["name"]], board_only=True, coordinates=False)
    lifted = 34 if name == "shuanglu" else 0
    assert middle(moved, f"highlighted: {point['name']}") == pytest.approx((at[0], at[1] - lifted), abs=0.01)


def test_moves_are_played_out() -> None:
    start = sarai.make("shuanglu").new_initial_state()
    walk = start.clone()
    names: list[str] = []
    while len(names) < 8:
        if walk.is_chance_node():
            outcome, _ = walk.chance_outcomes()[0]
            names.append(walk.outcome_to_string(outcome))
            walk.apply_action(outcome)
        else:
            action = walk.legal_actions()[0]
            names.append(walk.action_to_string(action))
            walk.apply_action(action)
    drawn = draw(start, moves=names)
    told = re.findall(r"<title>(\d+): ([^<]+)</title>", drawn)
    assert told == [(str(i), name) for i, name in enumerate((n for n in names if "/" in n), 1)]
    assert start == sarai.make("shuanglu").new_initial_state()
    with pytest.raises(ValueError, match=r"moves\[1\] is 'd6', which is no legal move there; there are a7"):
        draw(SHAH, moves=["d6", "d6"])
    with pytest.raises(ValueError, match=r"moves\[0\] is '9-9', and chance decides here"):
        draw(start, moves=["9-9"])


def test_names_stand_for_the_players() -> None:
    state = sarai.make("sho", preset="lhasa").new_initial_state()
    names = ["Ada", "Bo & Co", "C" * 40, "D"][: state.num_players()]
    drawn = draw(state, names=names)
    assert not re.search(r"[Pp]layers? \d", drawn)
    assert "Bo &amp; Co" in drawn
    assert "C" * 40 not in "".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))


@pytest.mark.parametrize("name", sarai.games())
def test_print_has_no_colours(name: str) -> None:
    state = sarai.Record.play(name, "greedy", seed=1).states()[20]
    drawn = draw(state, theme="print", highlight={scene(state)["points"][12]["name"]: "red"})
    colours = set(re.findall(r'(?:fill|stroke)="(#[^"]+)"', drawn))
    assert len(colours) > 2
    assert all(colour[1:3] == colour[3:5] == colour[5:] for colour in colours)
    assert re.findall(r"<title>[^<]+", drawn)[:3] == re.findall(r"<title>[^<]+", draw(state))[:3]


def test_a_figure_has_its_boards_and_captions() -> None:
    boards: list[Any] = [picture(SHAH, board_only=True), SHAH, SHAH.view()]
    drawn = figure(boards, captions=["first", "a long caption " * 8, ""], columns=2, size=700)
    root = ET.fromstring(drawn)
    inner = [one for one in root if one.tag.endswith("svg")]
    assert [float(one.attrib["x"]) for one in inner] == [0, 612, 0]
    assert float(inner[2].attrib["y"]) == float(inner[1].attrib["height"]) + 12
    assert drawn.count("a long caption") > 3
    with pytest.raises(ValueError, match="a figure has 1 to 64 boards, got 0"):
        figure([])
    with pytest.raises(ValueError, match="columns must be"):
        figure(boards, columns=0)
    with pytest.raises(TypeError, match="boards must be a list"):
        figure("shah")
    with pytest.raises(TypeError, match="captions must be a list of str"):
        figure(boards, captions="abc")


def test_what_no_board_has_is_refused() -> None:
    for options, message in (
        ({"arrows": [("a1", "h9")]}, r"arrows\[0\]: the board has no place 'h9'"),
        ({"arrows": ["d6-d5"]}, r"no legal move and no place here; there are a7"),
        ({"arrows": [("a1", "a4", "pink")]}, "a colour must be blue"),
        ({"arrows": "a1"}, "arrows must be a list"),
        ({"highlight": ["z1"]}, "highlight: the board has no place"),
        ({"highlight": 3}, "highlight must be a list of places or a dict"),
        ({"labels": {"a1": "x" * 41}}, r"labels\['a1'\] must be a text"),
        ({"names": ["one"]}, "names must be a list of 2 names"),
        ({"board_only": 1}, "board_only must be True or False"),
    ):
        with pytest.raises(ValueError, match=message):
            draw(SHAH, **options)  # type: ignore[arg-type]
