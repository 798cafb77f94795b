"""What can follow each of many states, held against naive enumeration over `State`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sarai
from helpers import night
from helpers.positions import every_book, mixed

CLOCKS = ("turn", "no_capture")
"""What a state dict counts only towards the end of a game."""


def naive(state: sarai.State) -> dict[str, tuple[int, ...]]:
    """The ends of the turn by what the rules still look at, each with the shortest way there, smallest ids first."""
    mover = state.current_player()
    ends: dict[str, tuple[int, ...]] = {}
    if mover < 0:
        return ends
    known = {board(state)}
    level: list[tuple[tuple[int, ...], sarai.State]] = [((), state)]
    while level:
        following = []
        for path, before in level:
            for action in before.legal_actions():
                after = before.child(action)
                if after.current_player() == mover:
                    if board(after) not in known:
                        known.add(board(after))
                        following.append(((*path, action), after))
                else:
                    ends.setdefault(board(after), (*path, action))
        level = following
    return ends


def board(state: sarai.State) -> str:
    """All of a state but its clock."""
    told = state.to_dict()
    # Placing ends by the turn, so that there it is no clock.
    placing = told.get("phase") == "place"
    kept = {key: value for key, value in told.items() if key not in CLOCKS or (key == "turn" and placing)}
    return repr((kept, state.current_player(), state.is_terminal()))


@every_book
def test_successors_are_the_children(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    batch = sarai.States.from_states(mixed(game))
    for threads in (1, 2):
        found = batch.successors(num_threads=threads)
        expected = [
            (row, action, state.child(action))
            for row, state in enumerate(batch)
            for action in state.legal_actions()
        ]
        assert found.parent.tolist() == [row for row, _, _ in expected]
        assert found.action.tolist() == [action for _, action, _ in expected]
        assert list(found.states) == [state for _, _, state in expected]
        check_offsets(found, len(batch))
    assert (found.parent.dtype, found.action.dtype) == (np.int64, np.int32)


@every_book
def test_chance_successors_are_the_outcomes(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    batch = sarai.States.from_states([game.new_initial_state(), *mixed(game)])
    found = batch.chance_successors()
    expected = [
        (row, outcome, probability, state.child(outcome))
        for row, state in enumerate(batch)
        for outcome, probability in state.chance_outcomes()
    ]
    assert found.parent.tolist() == [row for row, _, _, _ in expected]
    assert found.outcome.tolist() == [outcome for _, outcome, _, _ in expected]
    assert found.probability.tolist() == [probability for _, _, probability, _ in expected]
    assert list(found.states) == [state for _, _, _, state in expected]
    assert (found.outcome.dtype, found.probability.dtype) == (np.int32, np.float64)
    check_offsets(found, len(batch))


@every_book
def test_afterstates_are_the_distinct_ends_of_turns(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    batch = sarai.States.from_states(mixed(game))
    for threads in (1, 2):
        found = batch.afterstates(num_threads=threads)
        check_offsets(found, len(batch))
        for row, state in enumerate(batch):
            rows = range(found.offsets[row], found.offsets[row + 1])
            expected = naive(state)
            paths = [tuple(found.actions_to(at).tolist()) for at in rows]
            assert paths == sorted(paths, key=lambda path: (len(path), path))
            assert {board(found.states[at]): path for at, path in zip(rows, paths, strict=True)} == expected
            for at, path in zip(rows, paths, strict=True):
                played = state.clone()
                for action in path:
                    played.apply_action(action)
                assert played == found.states[at]
    assert (found.actions.dtype, found.action_offsets.dtype) == (np.int32, np.int64)


def test_rows_of_afterstates_count_from_either_end() -> None:
    found = sarai.States.from_states(mixed(sarai.make("shah"))).afterstates()
    rows = len(found.states)
    paths = [found.actions_to(row).tolist() for row in range(rows)]
    assert [found.actions_to(row - rows).tolist() for row in range(rows)] == paths
    assert found.actions_to(np.int8(1)).tolist() == paths[1]
    for outside, told in (
        (rows, str(rows)),
        (-rows - 1, str(-rows - 1)),
        (10**5000, "a number of 16610 bits"),
    ):
        with pytest.raises(IndexError, match=f"there is no row {told}; there are {rows:,}, counted from 0"):
            found.actions_to(outside)
    for wrong in (True, 1.5, None):
        with pytest.raises(TypeError, match="the index must be a whole number, not"):
            found.actions_to(wrong)  # type: ignore[arg-type]


def check_offsets(found: Any, rows: int) -> None:
    assert found.offsets.dtype == np.int64
    assert found.offsets.tolist() == np.searchsorted(found.parent, np.arange(rows + 1)).tolist()


def test_where_one_seat_acts_for_several_turns_they_are_one() -> None:
    """R7 of Shah: while the opponent is blocked, the same seat makes extra moves, each a turn of its own."""
    # H9 of the rule book: after d6-d5 the opponent is still blocked, and only d7-d6 opens.
    game = sarai.make("shah")
    stones = ["0" if place in (1, 4, 9, 10, 13, 14, 19, 22, 23) else "." for place in range(24)]
    for place in (0, 2, 21):
        stones[place] = "1"
    told = {**game.new_initial_state().to_dict(), "board": "".join(stones), "hand": [0, 0], "beginner": 0}
    position = game.state_from_dict(
        {**told, "phase": "slide", "opening_removals": 0, "extra": True, "turn": 60}
    )
    found = position.afterstates()
    lengths = np.diff(found.action_offsets)
    assert lengths.max() > 1
    assert (found.states.current_player() != position.current_player()).all()
    assert {
        board(state): tuple(found.actions_to(at).tolist()) for at, state in enumerate(found.states)
    } == naive(position)


@pytest.mark.parametrize("way", ["successors", "afterstates", "chance_successors"])
def test_an_expansion_that_does_not_fit_says_how_many_rows_would(way: str) -> None:
    game = sarai.make("shuanglu", preset="backgammon")
    batch = game.sample_states(num_games=600, seed=3)
    if way == "chance_successors":
        batch = sarai.States(game, 600)
    whole = getattr(batch, way)()
    total = len(whole.states)
    assert len(getattr(batch, way)(total).states) == total
    for limit in (total - 1, total // 2, 1, 0):
        with pytest.raises(ValueError, match=f"max_rows={limit} ") as refused:
            getattr(batch, way)(limit)
        fit = int(np.searchsorted(whole.offsets, limit, side="right")) - 1
        assert f"those of the first {fit} rows fit" in str(refused.value)
        assert len(getattr(batch[:fit], way)(limit).states) <= limit


@pytest.mark.parametrize("count", night.after(1, [20_000, 1_000_000]))
def test_many_rows_are_expanded_in_parts_as_in_one(count: int) -> None:
    batch = sarai.make("shah").sample_states(num_games=count, seed=1)
    found = batch.afterstates(max_rows=60 * count)
    check_offsets(found, count)
    middle = slice(count // 2, count // 2 + 300)
    part = batch[middle].afterstates()
    rows = slice(found.offsets[middle.start], found.offsets[middle.stop])
    assert found.states[rows] == part.states
    assert np.array_equal(found.parent[rows] - middle.start, part.parent)


def test_one_state_has_the_afterstates_of_a_batch_of_it() -> None:
    state = sarai.make("sho").sample_states(num_games=1, seed=5)[0]
    one, many = state.afterstates(), sarai.States.from_states([state]).afterstates()
    assert one.states == many.states
    assert np.array_equal(one.actions, many.actions)
    with pytest.raises(ValueError, match="max_rows=0"):
        state.afterstates(0)


def test_child_leaves_the_state_as_it_was() -> None:
    state = sarai.make("shah").new_initial_state()
    before = state.clone()
    child = state.child(4)
    assert (state, child.turns_passed()) == (before, 1)
    before.apply_action(4)
    assert child == before
    with pytest.raises(sarai.IllegalActionError, match="action 4 is not legal here"):
        child.child(4)
