"""Where pieces stand and are taken: against counts of states in plain Python, and as pictures."""

from __future__ import annotations

import importlib
import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.nightly_books import some_books
from helpers.refusals import refused
from sarai.render import heat_map

NUM_GAMES = 8


@some_books
def test_counts_are_those_of_the_states(book: tuple[str, str]) -> None:
    name, preset = book
    standing_in = importlib.import_module(f"games.{name}.reference").standing
    played = sarai.rollout(
        sarai.make(name, preset=preset), num_games=NUM_GAMES, seed=3, keep=range(NUM_GAMES)
    )
    standing: Counter[tuple[int, str]] = Counter()
    taken: Counter[tuple[int, str]] = Counter()
    positions = 0
    for record in played.records.values():
        states = record.states()
        for before, step, after in zip(states, record.steps, states[1:], strict=False):
            if step.player < 0:
                continue
            positions += 1
            boards = []
            for state in (before, after):
                board: Counter[tuple[int, str]] = Counter()
                for side, place, pieces in standing_in(state.view()):
                    board[side, place] += pieces
                boards.append(board)
            standing += boards[0]
            for (side, place), pieces in boards[0].items():
                if side != played.sides[step.player]:
                    taken[side, place] += max(0, pieces - boards[1][side, place])
    measured = sarai.metrics(sarai.make(name, preset=preset), num_games=NUM_GAMES, seed=3)
    counts = measured.places
    assert counts is not None
    assert (counts.games, counts.positions) == (NUM_GAMES, positions)
    assert sum(taken.values()) > 0
    for side in range(len(set(played.sides))):
        for kind, found, of in (("standing", standing, positions), ("taken", taken, NUM_GAMES)):
            told = counts.by_name(kind, side)
            assert tuple(told)[len(told) - len(counts.beside) :] == counts.beside
            assert told == pytest.approx({place: found[side, place] / of for place in told})
            # Nothing stands where there is no place.
            assert sum(told.values()) * of == pytest.approx(
                sum(number for (whose, _), number in found.items() if whose == side)
            )


def test_what_is_beside_the_board_is_written_below_it() -> None:
    # Nothing is taken there.
    assert "Beside the board" not in sarai.metrics("shuanglu", num_games=20, seed=0).heat_map("taken")
    long = "a long name " * 3
    picture = of_map(
        heat_map("shah", {"d6": 1}, beside={"hand": 1000, f"{long}1": 2, f"{long}2": 3, "bar": 0})
    )
    lines = [line.replace("\u00a0", " ") for line in re.findall(r">([^<>]+)</text>", picture)]
    assert lines[-3:] == ["Beside the board: hand 1e+03,", f"{long}1 2,", f"{long}2 3."]
    # It is no part of the scale.
    alone = of_map(heat_map("shah", {"d6": 1}))
    assert re.findall("<circle[^>]+>", picture) == re.findall("<circle[^>]+>", alone)


def test_a_title_is_cut_only_where_it_has_no_room() -> None:
    def shown(title: str) -> str:
        return heat_map("shah", {"d6": 1}, title=title).replace("\u00a0", " ")

    assert ">a short title<" in shown("a short title")
    assert re.search(">(long )+l?o?n?g?…<", shown("long " * 100))


def test_counts_hang_neither_on_threads_nor_on_the_games_behind() -> None:
    one = sarai.metrics("sho", num_games=60, board_games=20, num_threads=1, seed=0)
    two = sarai.metrics("sho", num_games=60, board_games=20, num_threads=2, seed=0)
    fewer = sarai.metrics("sho", num_games=20, seed=0)
    assert one == two
    assert one.places is not None
    assert fewer.places is not None
    assert one.places.games == 20
    assert one.places.rows() == fewer.places.rows()
    other = sarai.metrics("sho", num_games=60, board_games=21, seed=0)
    assert one != other
    none = sarai.metrics("sho", num_games=5, board_games=0, seed=0)
    assert none.places is None
    for ask in (none.heat_map, lambda: none.to_pandas("place")):
        with pytest.raises(ValueError, match="board_games was 0"):
            ask()


@some_books
def test_a_picture_has_a_disc_on_every_place(book: tuple[str, str]) -> None:
    measured = sarai.metrics(sarai.make(book[0], preset=book[1]), num_games=20, seed=1)
    assert measured.places is not None
    values = measured.places.by_name()
    picture = measured.heat_map(theme="dark" if book[0] in ("shah", "sho") else "light")
    ET.fromstring(picture)
    told = dict(re.findall(r"<title>([^<>]+): ([0-9.e+-]+)</title><circle", of_map(picture)))
    note = re.search(r">Beside the board: (.+?)\.</text>", picture)
    beside = [(name, values.pop(name)) for name in measured.places.beside]
    written = [f"{name} {value:.3g}" for name, value in beside if value]
    assert (note[1].replace("\u00a0", " ") if note else "") == ", ".join(written)
    assert told == {place: f"{value:.3g}" for place, value in values.items() if value}
    size = re.search(r'viewBox="0 0 (\S+) (\S+)"', picture)
    assert size
    discs = re.findall(r'</title><circle cx="(\S+)" cy="(\S+)" r="(\S+)"', of_map(picture))
    assert len({disc[:2] for disc in discs}) == len(told)
    for x, y, r in (map(float, disc) for disc in discs):
        assert 0 < x - r + 1 < x + r - 1 < float(size[1])
        assert 0 < y - r + 1 < y + r - 1 < float(size[2])
    assert f"{max(values.values()):.3g}" in picture


def test_areas_are_values() -> None:
    picture = of_map(heat_map("shah", {"a7": 4, "d6": 1, "g1": 0}, title="a < b"))
    radii = [float(r) for r in re.findall(r'</title><circle cx="\S+" cy="\S+" r="(\S+)"', picture)]
    assert len(radii) == 2
    assert radii[0] == pytest.approx(2 * radii[1])
    assert "a &lt; b" in picture
    # The legend has the size of the largest.
    assert picture.count(f'r="{radii[0]:g}"') == 2
    legend = ["4", "2", "0.4"]
    # Each number with its rim; then the legend.
    assert re.findall(r">([\d.]+)</text>", picture) == ["4", "4", "1", "1", *legend]
    bare = of_map(heat_map("shah", {"a7": 4, "d6": 1}, numbers=False))
    assert re.findall(r">([\d.]+)</text>", bare) == legend
    assert heat_map("shah", {"d6": 1}, size=np.float16(480)) == heat_map("shah", {"d6": 1})
    for nothing in ({}, {"d6": 0}):
        assert "<title>d6" not in of_map(heat_map("shah", nothing))


def of_map(picture: str) -> str:
    """What lies above the veil over the board."""
    return picture.partition('fill-opacity="0.4"')[2]


def test_bad_questions_are_refused() -> None:
    def call(**given: Any) -> None:
        heat_map(**{"game": "shah", "values": {"d6": 1}, **given})

    values: list[Any] = [{"d6": -1}, {"d6": math.nan}, {"d6": math.inf}]
    types: list[Any] = [{"d6": "1"}, {"d6": True}, {4: 1}, [1], np.array([1])]
    refused(
        call, {"game": ["chess"], "values": values, "theme": ["red"]}, {"title": [5, None], "values": types}
    )
    with pytest.raises(ValueError, match=r"^the value of a{80} must be"):
        call(beside={"a" * 5000: -1})
    measured = sarai.metrics("shah", num_games=5, seed=0)
    bad = {"kind": [[1]], "side": [2], "theme": ["red"]}
    refused(measured.heat_map, bad, {"side": [0.0, True], "colour": ["red"]})
    assert measured.heat_map(side=np.int8(1)) == measured.heat_map(side=1)  # type: ignore[arg-type]
