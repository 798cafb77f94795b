"""Where pieces stand and are taken: against counts of states in plain Python, and as pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import sarai
from sarai.render import heat_map
from sarai.render.games.shah.view import NAMES

Stand = Iterator[tuple[int, str, int]]
NUM_GAMES = 60


def shah(state: dict[str, Any], _sides: tuple[int, ...]) -> Stand:
    for name, cell in zip(NAMES, state["board"], strict=True):
        if cell != ".":
            yield int(cell), name, 1


def sho(state: dict[str, Any], _sides: tuple[int, ...]) -> Stand:
    for side, told in enumerate(state["sides"]):
        for place, coins in told["stacks"].items():
            yield side, str(place), coins


def shuanglu(state: dict[str, Any], _sides: tuple[int, ...]) -> Stand:
    for side, points in enumerate(state["points"]):
        for own, pieces in enumerate(points, 1):
            yield side, str(own if side == 0 else 25 - own), pieces


def tshupu(state: dict[str, Any], sides: tuple[int, ...]) -> Stand:
    for seat, pieces in enumerate(state["pieces"]):
        for progress in pieces:
            if 0 < progress <= 29:
                # Seat s begins 7 s squares behind seat 0.
                yield sides[seat], str((progress - 1 - 7 * seat) % 28 + 1), 1
            elif progress in (30, 31):
                yield sides[seat], f"{('', 'yellow ', 'green ', 'black ')[seat]}{progress}", 1
            elif progress == 32:
                yield sides[seat], "32", 1


READERS = {"shah": shah, "sho": sho, "shuanglu": shuanglu, "tshupu": tshupu}
every_preset = pytest.mark.parametrize(
    ("name", "preset"), [(name, preset) for name in sarai.games() for preset in sarai.presets(name)]
)


@every_preset
def test_counts_are_those_of_the_states(name: str, preset: str) -> None:
    played = sarai.rollout(name, NUM_GAMES, seed=3, preset=preset, keep=range(NUM_GAMES))
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
                for side, place, pieces in READERS[name](state.view()["state"], played.sides):
                    board[side, place] += pieces
                boards.append(board)
            standing += boards[0]
            for (side, place), pieces in boards[0].items():
                if side != played.sides[step.player]:
                    taken[side, place] += max(0, pieces - boards[1][side, place])
    measured = sarai.metrics(name, num_games=NUM_GAMES, seed=3, preset=preset)
    counts = measured.places
    assert counts is not None
    assert (counts.games, counts.positions) == (NUM_GAMES, positions)
    assert sum(taken.values()) > 0
    for side in range(len(set(played.sides))):
        for kind, found, of in (("standing", standing, positions), ("taken", taken, NUM_GAMES)):
            told = counts.by_name(kind, side)
            assert told == pytest.approx({place: found[side, place] / of for place in told})
            # Nothing stands where there is no place.
            assert sum(told.values()) * of == pytest.approx(
                sum(number for (whose, _), number in found.items() if whose == side)
            )


def test_what_is_taken_is_what_statistics_count() -> None:
    for name in ("shuanglu", "tshupu"):
        hits = sarai.rollout(name, 200, seed=5).stats["hits"].mean()
        counts = sarai.metrics(name, num_games=200, seed=5).places
        assert counts is not None
        assert sum(counts.by_name("taken").values()) == pytest.approx(hits)


def test_counts_hang_neither_on_threads_nor_on_the_games_behind() -> None:
    one = sarai.metrics("sho", num_games=300, board_games=100, num_threads=1)
    two = sarai.metrics("sho", num_games=300, board_games=100, num_threads=2)
    fewer = sarai.metrics("sho", num_games=100)
    assert one == two
    assert one.places is not None
    assert fewer.places is not None
    assert one.places.games == 100
    assert one.places.rows() == fewer.places.rows()
    other = sarai.metrics("sho", num_games=300, board_games=101)
    assert one != other
    none = sarai.metrics("sho", num_games=5, board_games=0)
    assert none.places is None
    for ask in (none.heat_map, lambda: none.to_pandas("place")):
        with pytest.raises(ValueError, match="board_games was 0"):
            ask()


@every_preset
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_has_a_disc_on_every_place(name: str, preset: str, theme: str) -> None:
    measured = sarai.metrics(name, num_games=40, seed=1, preset=preset)
    assert measured.places is not None
    values = measured.places.by_name()
    picture = measured.heat_map(theme=theme)
    ET.fromstring(picture)
    told = dict(re.findall(r"<title>([^<>]+): ([0-9.e+-]+)</title><circle", of_map(picture)))
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
    assert picture.count(f'r="{radii[0]:.0f}"') == 2
    for nothing in ({}, {"d6": 0}):
        assert "<title>d6" not in of_map(heat_map("shah", nothing))


def of_map(picture: str) -> str:
    """What lies above the veil over the board."""
    return picture.partition('fill-opacity="0.7"')[2]


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"z9": 1}, ValueError, "the board has no place 'z9'; there are a7, "),
        ({"d6": -1}, ValueError, "the value of d6 must be a number from 0 on, got -1"),
        ({"d6": float("nan")}, ValueError, "got nan"),
        ({"d6": float("inf")}, ValueError, "got inf"),
        ({"d6": "1"}, TypeError, "the value of d6 must be a number, not str"),
        ({"d6": True}, TypeError, "the value of d6 must be a number, not bool"),
    ],
)
def test_bad_values_are_refused(values: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        heat_map("shah", values)


def test_bad_questions_are_refused() -> None:
    measured = sarai.metrics("shah", num_games=5)
    with pytest.raises(ValueError, match="kind got 'eaten'; it takes 'standing' or 'taken'"):
        measured.heat_map("eaten")
    with pytest.raises(ValueError, match="side got 2; it takes 0 to 1, or None for all"):
        measured.heat_map(side=2)
    with pytest.raises(ValueError, match="theme must be"):
        measured.heat_map(theme="red")
    with pytest.raises(TypeError, match="colour"):
        measured.heat_map(colour="red")
    with pytest.raises(ValueError, match="chess"):
        heat_map("chess", {})
