"""The bear-off, against published figures, expansion of every line, and gnubg where it is installed."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from sarai.exact import BearOff, solve_bear_off, solve_small

LINE = "roll player=0 turn=8 dice=- winner=- points_won=0 | "
RULES = ("backgammon", "shuanglu")


@cache
def solved(preset: str) -> BearOff:
    return solve_bear_off(sarai.make("shuanglu", preset=preset), 6 if preset == "shuanglu" else 4)


def placing(*points: int) -> tuple[int, ...]:
    return tuple(points.count(point) for point in range(1, 7))


def test_chances_of_bearing_off_in_one_throw_are_the_published_ones() -> None:
    # Of 36, as every handbook of backgammon has them.
    due = {
        (6,): 27, (5,): 31, (4,): 34, (3,): 36,
        (6, 6): 4, (6, 5): 6, (6, 4): 8, (6, 3): 10, (6, 2): 13, (6, 1): 15,
        (5, 5): 6, (5, 4): 10, (5, 3): 14, (5, 2): 19, (5, 1): 23,
        (4, 4): 11, (4, 3): 17, (4, 2): 23, (4, 1): 29,
        (3, 3): 17, (3, 2): 25, (3, 1): 34, (2, 2): 26, (2, 1): 36, (1, 1): 36,
    }  # fmt: skip
    for points, throws in due.items():
        assert solved("backgammon").distribution(placing(*points))[1] * 36 == pytest.approx(throws, abs=1e-12)


def test_turns_by_hand() -> None:
    backgammon, shuanglu = solved("backgammon"), solved("shuanglu")
    assert backgammon.turns(placing(6)) == 1.25
    # One piece on 1 waits for one of 11 throws of 36.
    assert shuanglu.turns(placing(1)) == pytest.approx(36 / 11, abs=1e-14)
    shares = shuanglu.distribution(placing(1))
    np.testing.assert_allclose(shares[1:], 11 / 36 * (25 / 36) ** np.arange(len(shares) - 1), atol=1e-15)
    assert 0 <= 1 - shares.sum() < 2e-12
    # Two: double ace takes both, ten other throws one.
    assert shuanglu.turns(placing(1, 1)) == pytest.approx((36 + 10 * 36 / 11) / 11, abs=1e-13)
    # On 1 a turn takes two pieces, or four by a double.
    turns = [0.0, 1.0, 1.0]
    for pieces in range(3, 16):
        turns.append(1 + 5 / 6 * turns[pieces - 2] + 1 / 6 * turns[max(0, pieces - 4)])
        assert backgammon.turns((pieces, 0, 0, 0, 0, 0)) == pytest.approx(turns[pieces], abs=1e-13)


@pytest.mark.parametrize("preset", RULES)
def test_every_placing(preset: str) -> None:
    bear_off = solved(preset)
    assert bear_off.game.rules == sarai.make("shuanglu", preset=preset).rules
    assert bear_off.placings.shape == (54264, 6)
    assert bear_off.all_turns.shape == (54264,)
    assert len({row.tobytes() for row in bear_off.placings}) == comb(21, 6) == 54264
    for row in (0, 1, 6, 7, 5000, 54263):
        shares = bear_off.distribution(bear_off.placings[row])
        assert (shares * np.arange(len(shares))).sum() == pytest.approx(bear_off.all_turns[row], abs=1e-8)
        assert bear_off.turns(bear_off.placings[row]) == bear_off.all_turns[row]


@pytest.mark.parametrize(("preset", "scoring"), [(RULES[0], "gammon"), (RULES[1], "single")])
@pytest.mark.parametrize(
    "pieces", ["bar=0 off=13 6:1 3:1 | bar=0 off=13 6:2", "bar=0 off=13 5:2 | bar=0 off=12 1:1 2:1 5:1"]
)
def test_both_sides_are_what_expansion_finds(preset: str, scoring: str, pieces: str) -> None:
    game = sarai.make("shuanglu", preset=preset, scoring=scoring)
    bear_off = solved(preset)
    start = game.parse(LINE + pieces)
    solution = solve_small(game, states=start)
    rng = np.random.default_rng(4)
    for _ in range(30):
        state = start.clone()
        while not state.is_terminal():
            assert bear_off.covers(state)
            player = int(str(state).split("player=")[1][0])
            assert bear_off.value(state) == pytest.approx(solution.value(state).returns[player], abs=1e-9)
            choices = state.legal_actions()
            if state.is_chance_node():
                choices = [outcome for outcome, _ in state.chance_outcomes()]
            else:
                one, other = bear_off.moves(state), solution.moves(state)
                assert [move.value for move in one] == pytest.approx([move.value for move in other], abs=1e-9)
            state.apply_action(int(rng.choice(choices)))
        assert not bear_off.covers(state)


def test_what_it_does_not_know_is_refused() -> None:
    bear_off = solved("shuanglu")
    game = bear_off.game
    for line in (
        "bar=0 off=8 1:7 | bar=0 off=14 1:1",  # more pieces than solved against each other
        "bar=0 off=14 7:1 | bar=0 off=14 1:1",  # not home
        "bar=0 off=14 6:1 | bar=1 off=14",  # on the bar
    ):
        state = game.parse(LINE + line)
        assert not bear_off.covers(state)
        with pytest.raises(ValueError, match="does not have this state"):
            bear_off.value(state)
    with pytest.raises(ValueError, match="is of shuanglu with doubles=2"):
        bear_off.value(sarai.make("shuanglu", preset="backgammon").new_initial_state())
    with pytest.raises(ValueError, match="are too many pieces"):
        bear_off.turns((16, 0, 0, 0, 0, 0))
    with pytest.raises(ValueError, match="pieces has 5"):
        bear_off.distribution((1, 0, 0, 0, 0))
    for ask in (bear_off.turns, bear_off.distribution):
        with pytest.raises(ValueError, match="pieces has 7"):
            ask(itertools.repeat(0))
    with pytest.raises(ValueError, match="pieces got 10"):
        solve_bear_off("shuanglu", 10)
    with pytest.raises(ValueError, match="no bear-off for 'sho'"):
        solve_bear_off("sho")
    with pytest.raises(ValueError, match="there are no tables for 'shuanglu'"):
        sarai.exact.load("shuanglu", ".")
    state = game.parse(LINE + "bar=0 off=14 6:1 | bar=0 off=14 1:1")
    with pytest.raises(ValueError, match="no player acts here"):
        bear_off.moves(state)


def gnubg_number(row: NDArray[np.uint8], most: int) -> int:
    """The number of a placing in gnubg's files: of the bits that stand for its pieces, with a gap after each point."""
    at = 5 + int(row.sum())
    bits = 1 << at
    for pieces in row[:5]:
        at -= int(pieces) + 1
        bits |= 1 << at
    number, left = 0, 6
    for place in range(most + 6, 0, -1):
        if left == place:
            break
        if bits >> (place - 1) & 1:
            number += comb(place - 1, left)
            left -= 1
    return number


def gnubg(*words: str, out: Path) -> NDArray[np.uint16]:
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
    command = shutil.which("makebearoff", path=places)
    if command is None:
        pytest.skip("gnubg's makebearoff is not installed")
    subprocess.run([command, *words, "-f", str(out)], check=True, capture_output=True, timeout=300)
    return np.frombuffer(out.read_bytes()[40:], "<u2")


def test_gnubg_has_the_same_distributions(tmp_path: Path) -> None:
    found = gnubg("-o", "6", "-c", "-g", out=tmp_path / "one").reshape(54264, 32) / 65535
    bear_off = solved("backgammon")
    turns = (found * np.arange(32)).sum(axis=1)
    numbers = [gnubg_number(row, 15) for row in bear_off.placings]
    assert sorted(numbers) == list(range(54264))
    # Its shares have 16 bits, and it plays for the least number of turns that these give.
    np.testing.assert_allclose(turns[numbers], bear_off.all_turns, atol=5e-4)
    for row in range(0, 54264, 2713):
        shares = bear_off.distribution(bear_off.placings[row])
        np.testing.assert_allclose(found[numbers[row], : len(shares)], shares, atol=5e-4)


def test_gnubg_has_the_same_equities(tmp_path: Path) -> None:
    size = comb(9, 3)
    found = gnubg("-t", "6x3", "-C", out=tmp_path / "two").reshape(size, size) / 32767.5 - 1
    bear_off = solved("backgammon")
    few = bear_off.placings[1:size]
    numbers = [gnubg_number(row, 3) for row in few]

    def pieces(row: NDArray[np.uint8]) -> str:
        points = (f"{point}:{count}" for point, count in enumerate(row, 1) if count)
        return f"bar=0 off={15 - int(row.sum())} {' '.join(points)}"

    for one in range(0, size - 1, 5):
        for other in range(0, size - 1, 7):
            state = bear_off.game.parse(f"{LINE}{pieces(few[one])} | {pieces(few[other])}")
            assert found[numbers[one], numbers[other]] == pytest.approx(bear_off.value(state), abs=1e-4)
