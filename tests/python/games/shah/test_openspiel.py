"""Shah's preset "nine_mens_morris" beside OpenSpiel's nine_mens_morris, move by move along random games.

The points have the same numbers. OpenSpiel plays a stone by `p` (placed on p, or captured there, as the position asks)
or by `24 + 24 * start + end` (moved or flown); Shah has a number for each slide and for each removal, and flies with
two actions: a stone is lifted, then put down.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from importlib.metadata import version
from typing import Any

import pytest

import sarai
from helpers import night
from helpers.spiel import pyspiel

# A broken rule is to be found within so many games; most show in the first.
GAMES_TO_FIND = 400

MORRIS = pyspiel.load_game("nine_mens_morris")
pytestmark = pytest.mark.skipif(
    int(version("open_spiel").partition(".")[0]) < 2,
    reason="OpenSpiel before 2.0 leaves out some legal moves",
)

LINES = (
    "0-1-2 3-4-5 6-7-8 9-10-11 12-13-14 15-16-17 18-19-20 21-22-23 "
    "0-9-21 3-10-18 6-11-15 1-4-7 16-19-22 8-12-17 5-13-20 2-14-23"
)
EDGES = sorted(
    pair
    for line in LINES.split()
    for a, b, c in [map(int, line.split("-"))]
    for pair in [(a, b), (b, a), (b, c), (c, b)]
)
# The first action of Shah of each kind after the placements, and OpenSpiel's first movement.
SLIDE, REMOVE, FLY = 24, 88, 112
MOVE = 24


def moves(state: sarai.State) -> dict[int, tuple[int, ...]]:
    """Every legal move: the number that OpenSpiel gives it, and Shah's one or two actions."""
    found: dict[int, tuple[int, ...]] = {}
    for action in state.legal_actions():
        if action < SLIDE:
            found[action] = (action,)
        elif action < REMOVE:
            start, end = EDGES[action - SLIDE]
            found[MOVE + 24 * start + end] = (action,)
        elif action < FLY:
            found[action - REMOVE] = (action,)
        else:
            start = action - FLY
            lifted = state.clone()
            lifted.apply_action(action)
            assert lifted.current_player() == state.current_player()
            for end in lifted.legal_actions():
                found[MOVE + 24 * start + end] = (action, end)
    return found


def board(theirs: pyspiel.State) -> str:
    """OpenSpiel's drawing as Shah's 24 characters: its points are drawn in the order of their numbers."""
    drawing = str(theirs).split("\n\n")[0]
    return "".join({".": ".", "W": "0", "B": "1"}[mark] for mark in re.findall(r"[.WB]", drawing))


def narrowing(theirs: pyspiel.State) -> list[int]:
    """The moves that leave the other player the fewest replies, mills last: random players block nobody."""
    mover = theirs.current_player()

    def replies(action: int) -> float:
        after = theirs.child(action)
        return float("inf") if after.current_player() == mover else len(after.legal_actions())

    rated = {action: replies(action) for action in theirs.legal_actions()}
    return [action for action, left in rated.items() if left == min(rated.values())]


def first_difference(game: sarai.Game, seed: int, seen: Counter[str]) -> str | None:
    """Play one game on both sides; what they first disagree on, or None. `seen` counts what was met.

    Moves are chosen at random; in every eighth game they are chosen among the narrowing ones.
    """
    rng = random.Random(seed)
    narrow = seed % 8 == 7
    ours, theirs = game.new_initial_state(), MORRIS.new_initial_state()
    while not theirs.is_terminal():
        if ours.current_player() != theirs.current_player():
            return f"player {ours.current_player()} instead of {theirs.current_player()}: {ours}\n{theirs}"
        mine, legal = moves(ours), theirs.legal_actions()
        if sorted(mine) != legal:
            return f"only ours {mine.keys() - set(legal)}, only theirs {set(legal) - mine.keys()}: {ours}\n{theirs}"
        chosen = rng.choice(narrowing(theirs) if narrow else legal)
        for action in mine[chosen]:
            ours.apply_action(action)
        theirs.apply_action(chosen)
        seen["moves"] += 1
        seen["flights"] += len(mine[chosen]) == 2
        seen["captures"] += mine[chosen][0] in range(REMOVE, FLY)
    if not ours.is_terminal():
        return f"goes on where the other has ended: {ours}\n{theirs}"
    returns = theirs.returns()
    if ours.returns() != returns:
        return f"returns {ours.returns()} instead of {returns}: {ours}\n{theirs}"
    last = ours.to_dict()
    if last["board"] != board(theirs):
        return f"another board: {ours}\n{theirs}"
    # OpenSpiel counts the move that wins as a turn, Shah does not (R12).
    drawn = returns == [0, 0]
    turns = int(re.findall(r"Turn number: (\d+)", str(theirs))[0])
    if last["turn"] != turns - (not drawn):
        return f"turn {last['turn']} where the other has {turns}: {ours}\n{theirs}"
    two_left = min(last["board"].count(mark) + last["hand"][int(mark)] for mark in "01") < 3
    seen["drawn" if drawn else "won by captures" if two_left else "won by a block"] += 1
    return None


@pytest.mark.parametrize("games", night.after(1, [400, 4000]))
def test_random_games_are_the_same_move_by_move(games: int) -> None:
    game = sarai.make("shah", preset="nine_mens_morris")
    seen: Counter[str] = Counter()
    for seed in range(games):
        difference = first_difference(game, seed, seen)
        assert difference is None, f"seed {seed}: {difference}"
    # What the games must have met for the comparison to say something.
    assert seen["moves"] > 50 * games
    assert seen["captures"] > 5 * games
    assert seen["flights"] > games
    for ending in ("won by captures", "won by a block", "drawn"):
        assert seen[ending] >= 1 + games // 400, seen


BROKEN: dict[str, Any] = {
    "pieces": 8, "placement_captures": False, "begin": "first_mill", "mill_protection": "none", "flying": False,
    "blocked": "opponent_opens", "no_capture_limit": 20, "first_player": 1, "max_turns": 199,
}  # fmt: skip


@pytest.mark.parametrize("option", BROKEN)
def test_a_broken_rule_is_found(option: str) -> None:
    game = sarai.make("shah", preset="nine_mens_morris", rules={option: BROKEN[option]})
    assert any(first_difference(game, seed, Counter()) for seed in range(GAMES_TO_FIND))
