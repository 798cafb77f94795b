"""Puzzles: that exactly one turn wins, and in as many turns as they say; their file, pictures and table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers import scripts
from sarai._exact.puzzling import FILE, defender, read
from sarai.exact import Puzzle, Tables

PUZZLES = sarai.exact.puzzles()
TABLES = sarai.exact.load("shah")


def stones(puzzle: Puzzle) -> tuple[int, int]:
    board = puzzle.state.to_dict()["board"]
    return board.count("0"), board.count("1")


def turns(state: sarai.State, player: int, before: tuple[str, ...] = ()) -> Iterator[tuple[str, sarai.State]]:
    """Every way in which the turn of a player can go."""
    for action in state.legal_actions():
        after, names = state.child(action), (*before, state.action_to_string(action))
        if after.is_terminal() or after.current_player() != player:
            yield " ".join(names), after
        else:
            yield from turns(after, player, names)


def checked(puzzle: Puzzle, tables: Tables) -> None:
    """Hold everything that a puzzle says against tables."""
    state = puzzle.state
    assert tables.value(state) == (1, puzzle.length)
    told = {turn.name: (turn.value, turn.turns) for turn in puzzle.others}
    assert len(told) == len(puzzle.others)
    wins = set()
    for name, after in turns(state, 0):
        if after.is_terminal():
            # Whatever it takes, that is the same turn.
            wins.add(name.split()[0])
            continue
        value, left = tables.value(after)
        passed = after.turns_passed() - state.turns_passed()
        if value < 0:
            wins.add(name)
        else:
            assert told.pop(name) == (-value, None if left is None else left + passed)
    assert wins == {puzzle.key.split()[0] if puzzle.length == 1 else puzzle.key}
    assert not told
    for name in puzzle.line:
        assert not state.is_terminal()
        value, left = tables.value(state)
        for action in state.string_to_actions(name):
            best = tables.moves(state)[0]
            assert (best.value, best.turns) == (value, left)
            assert action in {move.action for move in tables.moves(state) if move[1:] == best[1:]}
            state.apply_action(action)
    assert state.winner == 0


def test_what_the_tables_of_the_package_have() -> None:
    covered = [puzzle for puzzle in PUZZLES if TABLES.covers(puzzle.state)]
    assert len(covered) > 30
    for puzzle in covered:
        checked(puzzle, TABLES)


BEYOND = [puzzle for puzzle in PUZZLES if not TABLES.covers(puzzle.state)]


@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(one, marks=pytest.mark.nightly if one.length > 9 else (), id=str(one.number))
        for one in BEYOND
    ],
)
def test_a_search_finds_what_the_tables_of_the_package_do_not_have(puzzle: Puzzle) -> None:
    state, length = puzzle.state, puzzle.length
    assert defender(state, length) == f"alphabeta:{length}"
    best = sarai.analyse(state, f"alphabeta:{length}", seed=0).moves[0]
    assert (best.kind, best.value, best.turns, best.name) == ("exact", 1, length, puzzle.key.split()[0])
    known = {puzzle.key, *(turn.name for turn in puzzle.others)}
    assert {name for name, _ in turns(state, 0)} == known
    for name in puzzle.line:
        for action in state.string_to_actions(name):
            state.apply_action(action)
    assert state.winner == 0


@pytest.mark.nightly
def test_what_five_stones_on_a_side_are_worth(tmp_path: Path) -> None:
    tables = sarai.exact.solve("shah", (5, 5), tmp_path, progress=False)
    few = [puzzle for puzzle in BEYOND if max(stones(puzzle)) <= 5]
    assert len(few) > 5
    for puzzle in few:
        checked(puzzle, tables)


def test_a_seed_gives_the_same_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = scripts.load("scripts/puzzles.py")
    paths = [tmp_path / name for name in ("one.json", "again.json", "other.json")]
    for path, seed in zip(paths, (3, 3, 4), strict=True):
        words = ["puzzles.py", str(TABLES.folder), "--games", "4000", "--seed", str(seed), "--out", str(path)]
        monkeypatch.setattr("sys.argv", words)
        script.main()
    one, again, other = (path.read_bytes() for path in paths)
    assert one == again != other
    found = read(paths[0], PUZZLES.game)
    assert found
    for puzzle in found:
        checked(puzzle, TABLES)


def test_they_differ_by_more_than_a_symmetry() -> None:
    symmetries = sarai.make("shah").symmetries.action[:, :24]
    boards = [np.array(list(puzzle.state.to_dict()["board"])) for puzzle in PUZZLES]
    smallest = {min("".join(board[symmetry]) for symmetry in symmetries) for board in boards}
    assert len(smallest) == len(PUZZLES)


def test_they_are_of_every_length_and_come_in_order() -> None:
    lengths = [puzzle.length for puzzle in PUZZLES]
    assert lengths == sorted(lengths)
    assert {1, 3, 5, 7, 9, 11, 13} <= {*lengths}
    assert lengths[-1] > 30
    assert [puzzle.number for puzzle in PUZZLES] == list(range(1, 91))
    assert len({stones(puzzle) for puzzle in PUZZLES}) > 9
    assert FILE.stat().st_size < 60_000


def test_the_solution_is_marked() -> None:
    puzzle = next(one for one in PUZZLES if " x" in one.key)
    slide, taken = puzzle.key.split()
    plain, solved = puzzle.draw(), puzzle.draw(solution=True)
    marks = {"arrows": [slide], "highlight": {taken[1:]: "red"}}
    assert plain == sarai.render.draw(puzzle.state, board_only=True)
    assert solved == sarai.render.draw(puzzle.state, board_only=True, **marks)
    assert puzzle.draw(size=240, theme="dark") != plain
    with pytest.raises(TypeError, match="colour"):
        puzzle.draw(colour="red")


def test_they_are_a_table() -> None:
    frame = PUZZLES.to_pandas()
    assert list(frame["length"]) == [puzzle.length for puzzle in PUZZLES]
    assert list(frame["position"]) == [str(puzzle.state) for puzzle in PUZZLES]
    assert str(PUZZLES).splitlines()[1].split()[:2] == ["1", "1"]


def damaged(change: Any) -> str:
    """The file of the package after a change of its first entry that has captures and replies."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    change(content, next(one for one in content["puzzles"] if one["length"] > 3))
    return json.dumps(content)


@pytest.mark.parametrize(
    "change",
    [
        lambda content, _: content.update(version=2),
        lambda content, _: content.update(game="sho"),
        lambda content, _: content.pop("puzzles"),
        lambda content, _: content.update(puzzles=[3]),
        lambda _, one: one.pop("position"),
        lambda _, one: one.update(position=one["position"].replace("board=", "board=0")),
        lambda _, one: one.update(length="five"),
        lambda _, one: one.update(line=one["line"][:-1]),
        lambda _, one: one.update(line=[*one["line"], "a7-a4"]),
        lambda _, one: one.update(line=["a7-g1", *one["line"][1:]]),
        lambda _, one: one.update(line=3),
        lambda _, one: one.update(loses={"soon": ["a7-a4"]}),
        lambda _, one: one.update(loses=[]),
    ],
)
def test_damage_is_found(change: Any, tmp_path: Path) -> None:
    path = tmp_path / FILE.name
    path.write_text(damaged(lambda *_: None), encoding="utf-8")
    assert read(path, PUZZLES.game) == PUZZLES
    path.write_text(damaged(change), encoding="utf-8")
    with pytest.raises(ValueError, match="has no sound puzzles"):
        read(path, PUZZLES.game)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"null", b'{"version": 1, "version": 1}'])
def test_what_is_no_file_of_puzzles(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / FILE.name
    path.write_bytes(content)
    with pytest.raises(ValueError, match="has no sound puzzles"):
        read(path, PUZZLES.game)


@pytest.mark.parametrize("game", ["sho", "shah(preset=nine_mens_morris)", "shah(blocked=loses)"])
def test_other_rules_have_none(game: str) -> None:
    with pytest.raises(ValueError, match="there are no puzzles of"):
        sarai.exact.puzzles(game)
