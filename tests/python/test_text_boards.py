"""Text boards: every piece is where it should be, and the board fits a terminal."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import sarai
from sarai.render import drawn_games
from sarai.render.games.shah.view import NAMES
from sarai.render.games.tshupu.cross import square_of
from sarai.render.games.tshupu.view import read
from sarai.render.text import COLUMNS, ROWS, board, introduction, piece_letters, text_games

PRESETS = [(game, preset) for game in sarai.games() for preset in sarai.presets(game)]

# The widest rules that no preset has.
WIDE = [
    ("sho", {"players": 4}),
    ("sho", {"players": 4, "teams": True}),
    ("sho", {"num_shells": 5, "coins": 1}),
]


def states(game: sarai.Game, games: int, every: int = 1) -> Iterator[sarai.State]:
    for seed in range(games):
        rng = random.Random(seed)
        state = game.new_initial_state()
        for step in range(100_000):
            if state.is_terminal() or step % every == 0:
                yield state
            if state.is_terminal():
                break
            chance = state.is_chance_node()
            actions = [o for o, _ in state.chance_outcomes()] if chance else state.legal_actions()
            state.apply_action(rng.choice(actions))


def check_size(state: sarai.State) -> list[str]:
    lines = board(state.view())
    assert 1 <= len(lines) <= ROWS
    assert max(map(len, lines)) <= COLUMNS
    assert all(line == line.rstrip() and line.isascii() and line.isprintable() for line in lines)
    return lines


def test_every_game_has_a_text_board() -> None:
    assert text_games() == sorted(sarai.games())
    # It is no drawing of its own.
    assert drawn_games() == sorted(sarai.games())
    for game in sarai.games():
        assert len(set(piece_letters(game))) >= sarai.make(game).num_players


@pytest.mark.parametrize("name", sarai.games())
def test_an_introduction_fits_and_its_moves_are_those_of_the_game(name: str) -> None:
    aim, moves = lines = introduction(name)
    assert aim.startswith("Aim: ")
    assert moves.startswith("Moves: ")
    assert all(len(line) <= COLUMNS and line.isascii() and line.endswith(".") for line in lines)
    written = re.findall(r"\w+[-/]\w+(?: \(both\))?|\bx?[a-g]\d\b(?!-)", moves)
    assert len(written) >= 2
    named: set[str] = set()
    for state in states(sarai.make(name), games=10):
        named.update(state.action_to_string(action) for action in state.legal_actions())
    assert named.issuperset(written)
    # A mark after a name is explained.
    for mark in {name[-1] for name in named if name[-1] in "*+"}:
        assert f"{mark} after it" in moves or f", {mark} " in moves


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_boards_fit_and_hold_every_piece(name: str, preset: str) -> None:
    game = sarai.make(name, preset=preset)
    seen = 0
    for state in states(game, games=5, every=2):
        before = state.to_json()
        CHECKS[name](check_size(state), state.view())
        assert state.to_json() == before
        seen += 1
    assert seen > 100


@pytest.mark.parametrize(("name", "rules"), WIDE)
def test_boards_of_other_rules(name: str, rules: dict[str, Any]) -> None:
    for state in states(sarai.make(name, rules=rules), games=2, every=2):
        CHECKS[name](check_size(state), state.view())


def check_sho(lines: list[str], view: dict[str, Any]) -> None:
    sides = view["state"]["sides"]
    track = lines[2 : -len(sides) - 1]
    found: dict[int, tuple[str, int]] = {}
    places = 0
    for numbers, stacks in zip(track[::3], track[1::3], strict=True):
        for start in range(0, len(numbers), 4):
            number, stack = numbers[start : start + 3].strip(), stacks[start : start + 3].strip()
            if number.isdigit():
                places += 1
                assert int(number) == places
                assert stack
                if stack != ".":
                    found[places] = (stack[0], int(stack[1:]))
    assert places == view["rules"]["num_shells"] - 1
    expected = {
        int(place): ("ABCD"[i], count)
        for i, side in enumerate(sides)
        for place, count in side["stacks"].items()
    }
    assert found == expected
    for side, line in zip(sides, lines[-len(sides) :], strict=True):
        counts = re.search(r"(\d+) in hand, +(\d+) on the track, +(\d+) off", line)
        assert counts is not None
        assert [int(n) for n in counts.groups()] == [
            side["hand"],
            sum(side["stacks"].values()),
            side["off"],
        ]
    moved = view["state"]["moved"]
    assert "\n".join(track).count("!") == (moved in expected)


def check_shah(lines: list[str], view: dict[str, Any]) -> None:
    state = view["state"]
    for point, held in enumerate(state["board"]):
        name = NAMES[point]
        row = next(line for line in lines[2:] if line.startswith(f" {name[1]} "))
        shown = row[lines[-1].index(name[0])]
        if point == state["lifted"]:
            assert shown == "*"
        else:
            assert shown == {".": "+", "0": "O", "1": "X"}[held]
    grid = "".join(line[4:42] for line in lines[2:15])
    assert (grid.count("O"), grid.count("X")) == (state["board"].count("0"), state["board"].count("1"))
    hands = re.findall(r"(\d+) in hand, (\d+) lost", "\n".join(lines))
    assert [int(hand) for hand, _ in hands] == state["hand"]


def check_tshupu(lines: list[str], view: dict[str, Any]) -> None:
    pieces = view["state"]["pieces"]
    text = "\n".join(lines)
    found = Counter(dict.fromkeys(range(4), 0))
    for letter, count in re.findall(r"([RYGBrygb])(\d)", text):
        found["RYGB".index(letter.upper())] += int(count)
    panels = dict.fromkeys(range(4), (0, 0))
    # The panels stand as G B above and Y R below.
    counts = [(int(a), int(b)) for a, b in re.findall(r"(\d) in hand, (\d) off", text)]
    for seat, pair in zip((2, 3, 1, 0), counts, strict=True):
        panels[seat] = pair
    for seat, own in enumerate(pieces):
        assert panels[seat] == (own.count(0), own.count(33))
        assert found[seat] + sum(panels[seat]) == len(own)
    position = read(view)
    mover = position.mover or 0
    for progress in set(pieces[mover]) & set(range(1, 32)):
        column, row = square_of(mover, progress)
        start = 8 * column + 1
        number, held = (lines[2 * row + i][start : start + 7] for i in (0, 1))
        assert number.split()[0] == str(1 if progress == 29 else progress)
        letter = "rygb"[mover] if progress == 29 else "RYGB"[mover]
        assert f"{letter}{pieces[mover].count(progress)}" in held


def check_shuanglu(lines: list[str], view: dict[str, Any]) -> None:
    state = view["state"]
    for player, letter in enumerate("OX"):
        seen: dict[int, int] = {}
        heights: dict[int, int] = {}
        edge = 3 - player
        for numbers, first, step in ((lines[edge], 4, 1), (lines[16 - edge], 12, -1)):
            # The letter at the start of a row of numbers tells whose numbers they are.
            assert numbers.startswith(f" {letter}:")
            for place in range(12):
                # A bar stands between the halves.
                column = 5 + 5 * place + (place > 5)
                cells = [lines[first + step * level][column : column + 5] for level in range(4)]
                shown = re.search(rf"{letter}(\d+)", cells[0])
                point = int(numbers[column : column + 5])
                seen[point] = int(shown.group(1)) if shown else 0
                heights[point] = sum(letter in cell for cell in cells)
        assert [seen[i + 1] for i in range(24)] == state["points"][player]
        assert [heights[i + 1] for i in range(24)] == [min(count, 4) for count in state["points"][player]]
        assert f"{state['bar'][player]} on the bar, {state['off'][player]} off" in lines[15 + player]


CHECKS = {"sho": check_sho, "shah": check_shah, "tshupu": check_tshupu, "shuanglu": check_shuanglu}


def test_a_lifted_stone_is_shown() -> None:
    game = sarai.make("shah", preset="nine_mens_morris")
    views = (state.view() for state in states(game, games=40))
    lifted = [view for view in views if view["state"]["lifted"] is not None]
    assert lifted
    for view in lifted:
        assert any(line.startswith("* lifted from ") for line in board(view))


@pytest.mark.parametrize("name", sarai.games())
def test_a_broken_view_is_refused(name: str) -> None:
    view = sarai.make(name).new_initial_state().view()
    for broken in ({**view, "state": {}}, {**view, "num_players": 99}, {**view, "game": None}):
        with pytest.raises(ValueError, match=r"view|game|state"):
            board(broken)
    with pytest.raises(ValueError, match="no text board for the game 'chess': there are text boards for"):
        piece_letters("chess")
