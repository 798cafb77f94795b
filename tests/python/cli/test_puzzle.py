"""`sarai play shah --puzzle`: solving one, wrong turns, what can be asked, and what is refused."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

import sarai
from sarai._cli.puzzle import PuzzleSession
from sarai._exact.exploring import outcome
from sarai.exact import Puzzle

Run = Callable[..., str]

PUZZLES = sarai.exact.puzzles()
TABLES = sarai.exact.load("shah")


def own(puzzle: Puzzle) -> list[str]:
    """The turns of whoever solves it."""
    return list(puzzle.line[::2])


@pytest.fixture
def puzzle() -> Puzzle:
    """One in which another turn draws."""
    return next(
        one
        for one in PUZZLES
        if 5 <= one.length <= 9 and one.others[0].value == 0 and TABLES.covers(one.state)
    )


def test_a_puzzle_is_solved_over_a_pipe(puzzle: Puzzle, run: Run) -> None:
    words = ["play", "shah", "--puzzle", str(puzzle.number)]
    out = run(words, typed=own(puzzle))
    assert out.endswith(f"You have solved puzzle {puzzle.number}.\n")
    assert f"Puzzle {puzzle.number}: {puzzle.task}" in " ".join(out.split())
    # The stone that the last turn takes can be any, and actions can be typed one by one.
    assert run(words, typed=" ".join(own(puzzle)).split()).endswith(out.splitlines()[-1] + "\n")


def test_a_wrong_turn_says_what_it_gives_away(puzzle: Puzzle, run: Run) -> None:
    words = ["play", "shah", "--puzzle", str(puzzle.number)]
    names = [turn.name for turn in puzzle.others]
    out = " ".join(run(words, typed=[*names, *own(puzzle)]).split())
    for turn in puzzle.others:
        assert f"{turn.name} {outcome(turn.value, turn.turns)}. Try again" in out
    assert out.endswith(f"You have solved puzzle {puzzle.number}.")


def session(puzzle: Puzzle) -> PuzzleSession:
    return PuzzleSession(puzzle, Console(file=io.StringIO()))


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(one, marks=() if one.length < 9 and not one.number % 4 else pytest.mark.nightly)
        for one in PUZZLES
    ],
    ids=lambda one: str(one.number),
)
def test_the_defence_holds_out_and_the_win_stays_in_sight(one: Puzzle) -> None:
    played = session(one)
    table = played._table
    while not (state := table.state).is_terminal():
        # The turn that ends the game is not counted in a win.
        left = one.length - (state.turns_passed() - one.state.turns_passed())
        best = played._best(state)
        assert (best.kind, best.value, best.turns) == ("exact", 1, left)
        if TABLES.covers(state):
            good = {move.action for move in TABLES.moves(state) if move[1:] == (1, left)}
            accepted = {action for action in state.legal_actions() if not played._refused([action])}
            assert accepted == good
        else:
            assert not played._refused([best.action])
        if state == one.state:
            for turn in one.others:
                actions = state.string_to_actions(turn.name)
                said = outcome(turn.value, turn.turns)
                assert played._refused(actions).startswith(f"{turn.name} {said}. ")
        table.play(best.action)
        table.advance()
    assert state.winner == 0
    assert state.turns_passed() - one.state.turns_passed() == one.length - 1


def test_beyond_the_tables_a_turn_that_is_too_slow_is_refused() -> None:
    one = next(one for one in PUZZLES if one.length == 7 and not TABLES.covers(one.state))
    played = session(one)
    table = played._table
    for action in table.state.string_to_actions(one.key):
        table.play(action)
    table.advance()
    refusals = [played._refused([action]) for action in table.state.legal_actions()]
    assert "" in refusals
    assert sum("does not win in 5 turns" in refusal for refusal in refusals) > 1


def test_a_slower_win_is_refused() -> None:
    """After the key several turns may win, and the puzzle asks for a quickest one."""
    seen = ""
    for one in PUZZLES:
        if not TABLES.covers(one.state) or seen:
            continue
        played = session(one)
        table = played._table
        for action in table.state.string_to_actions(one.key):
            table.play(action)
        table.advance()
        if table.state.is_terminal():
            continue
        seen = next(
            (said for a in table.state.legal_actions() if "it can be" in (said := played._refused([a]))), ""
        )
    assert "wins in " in seen


def test_hint_solution_undo_and_help(puzzle: Puzzle, run: Run) -> None:
    words = ["play", "shah", "--puzzle", str(puzzle.number)]
    slide, *_ = puzzle.key.split()
    start = run(words, typed=[])
    out = run(words, typed=["hint", "hint", "solution", "help", puzzle.key, "undo", "quit"])
    lines = out.splitlines()
    place = lines.index(f"Move the stone on {slide[:2]}. Another 'hint' says where.")
    assert lines[place + 1] == slide
    assert " ".join(puzzle.line) in " ".join(lines[place + 2 :])
    assert "solution  show how to win" in out
    assert out.count(start.splitlines()[-2]) == 2
    assert out.endswith(f"to try again: sarai play shah --puzzle {puzzle.number}\n")
    over = run(words, typed=own(puzzle))
    assert "Only one turn wins" in " ".join(over.split())


def test_a_puzzle_drawn_by_a_seed(run: Run) -> None:
    drawn = [run(["play", "shah", "--puzzle", "random", "--seed", str(seed)]) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("shah --puzzle 0", "--puzzle takes 1 to 90, or random"),
        ("shah --puzzle 91", "--puzzle takes 1 to 90, or random"),
        ("shah --puzzle ²", "--puzzle takes 1 to 90, or random"),
        ("shah --puzzle radnom", "did you mean 'random'?"),
        ("sho --puzzle 1", "there are no puzzles of"),
        ("shah --puzzle 1 --against greedy", "leave out --against"),
        ("shah --puzzle 1 --preset shah", "leave out --preset"),
        ("shah --puzzle 1 --save game.json", "leave out --save"),
        ("--puzzle 1 --resume game.json", "leave out --resume"),
    ],
)
def test_what_no_puzzle_takes(words: str, said: str, run: Run) -> None:
    assert said in run(f"play {words}", 2)
