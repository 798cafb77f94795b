"""Shuanglu's preset "backgammon" beside OpenSpiel's backgammon, turn by turn along random games.

OpenSpiel plays two dice with one action, and doubles with two such turns of the same player; Shuanglu plays each die.
What can be compared are whole turns: the set of distinct positions in which the turn can end, for every roll met.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

import sarai
from helpers.spiel import pyspiel

# A broken rule is to be found within so many games; most show in the first.
GAMES_TO_FIND = 200

# Ours by OpenSpiel's name of the same scoring.
SCORINGS = {"winloss_scoring": "single", "full_scoring": "gammon"}

THEIR_BAR = 100
# Every opening throw (seat 0's die, seat 1's) in the order of Shuanglu's outcomes.
OPENINGS = [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b]

# A throw, the higher die first.
Dice = tuple[int, int]
# Each seat's points in its own numbering, then bars, then pieces borne off.
Position = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def our_position(state: sarai.State) -> Position:
    d = state.to_dict()
    return tuple(d["points"][0]), tuple(d["points"][1]), tuple(d["bar"]), tuple(d["off"])


def their_position(state: pyspiel.BackgammonState) -> Position:
    points = (
        tuple(state.board(0, 24 - point) for point in range(1, 25)),
        tuple(state.board(1, point - 1) for point in range(1, 25)),
    )
    bar = (state.board(0, THEIR_BAR), state.board(1, THEIR_BAR))
    return (*points, bar, tuple(15 - sum(points[seat]) - bar[seat] for seat in (0, 1)))


def our_ends(state: sarai.State, mover: int) -> dict[Position, sarai.State]:
    """The distinct positions at the end of the mover's turn, each with its state."""
    ends, met, waiting = {}, {state.key()}, [state]
    while waiting:
        before = waiting.pop()
        if before.current_player() != mover:
            ends[our_position(before)] = before
            continue
        for action in before.legal_actions():
            after = before.clone()
            after.apply_action(action)
            if after.key() not in met:
                met.add(after.key())
                waiting.append(after)
    return ends


def their_ends(state: pyspiel.BackgammonState, mover: int) -> dict[Position, pyspiel.BackgammonState]:
    """The same of OpenSpiel, whose text of a state says all of it."""
    ends, met, waiting = {}, {str(state)}, [state]
    while waiting:
        before = waiting.pop()
        if before.current_player() != mover:
            ends[their_position(before)] = before
            continue
        for action in before.legal_actions():
            after = before.child(action)
            if str(after) not in met:
                met.add(str(after))
                waiting.append(after)
    return ends


def our_rolls(game: sarai.Game) -> dict[Dice, list[tuple[int, float]]]:
    """The outcomes of each throw with their probabilities: read off dice that can be played."""
    state = game.new_initial_state()
    state.apply_action(0)
    (ended, *_) = our_ends(state, state.current_player()).values()
    rolls: dict[Dice, list[tuple[int, float]]] = {}
    for outcome, probability in ended.chance_outcomes():
        thrown = ended.clone()
        thrown.apply_action(outcome)
        dice = thrown.to_dict()["dice"]
        rolls.setdefault((dice[0], dice[-1]), []).append((outcome, probability))
    return rolls


def their_rolls(state: pyspiel.BackgammonState) -> dict[tuple[str, Dice], list[tuple[int, float]]]:
    """The same of OpenSpiel, by who starts ("X", "O", or "" after the opening): read off the outcomes' names."""
    rolls: dict[tuple[str, Dice], list[tuple[int, float]]] = {}
    for outcome, probability in state.chance_outcomes():
        name = state.action_to_string(outcome)
        ((starter, a, b),) = re.findall(r"(?:(X|O) starts, )?\(roll: (\d)(\d)\)", name)
        dice = (max(int(a), int(b)), min(int(a), int(b)))
        rolls.setdefault((starter, dice), []).append((outcome, probability))
    return rolls


def blockade(position: Position, seat: int) -> int:
    """How well a position blocks: points held, few pieces alone, enemy pieces on the bar."""
    points, enemy_bar = position[seat], position[2][1 - seat]
    return 10 * sum(count > 1 for count in points) - points.count(1) + 5 * enemy_bar


def delay(position: Position, seat: int) -> int:
    """How far back the pieces are, the last ones above all."""
    return sum(point * point * count for point, count in enumerate(position[seat], 1))


def first_difference(game: sarai.Game, scoring: str, seed: int, seen: Counter[str]) -> str | None:
    """Play one game on both sides; what they first disagree on, or None. `seen` counts what was met.

    Turns are chosen at random; in every second game one seat builds a blockade and the other stays behind it, for
    otherwise turns in which one die alone can be played are rare.
    """
    rng = random.Random(seed)
    blocker = seed // 2 % 2 if seed % 2 else None
    rolls = our_rolls(game)
    ours = game.new_initial_state()
    theirs = pyspiel.load_game("backgammon", {"scoring_type": scoring}).new_initial_state()
    opening = rng.randrange(len(OPENINGS))
    a, b = OPENINGS[opening]
    dice, mover = (max(a, b), min(a, b)), int(b > a)
    ours.apply_action(opening)
    theirs.apply_action(rng.choice(their_rolls(theirs)["XO"[mover], dice])[0])
    while True:
        if theirs.current_player() != mover:
            return f"player {mover} instead of {theirs.current_player()}: {ours}\n{theirs}"
        mine, other = our_ends(ours, mover), their_ends(theirs, mover)
        if mine.keys() != other.keys():
            return (
                f"{dice}: only ours {mine.keys() - other.keys()}, only theirs {other.keys() - mine.keys()}"
                f": {ours}\n{theirs}"
            )
        seen["turns"] += 1
        seen["positions"] += len(mine)
        seen["doubles"] += dice[0] == dice[1]
        choices = sorted(mine)
        if blocker is not None:
            wanted = blockade if mover == blocker else delay
            best = max(wanted(position, mover) for position in choices)
            choices = [position for position in choices if wanted(position, mover) == best]
        position = rng.choice(choices)
        if position == our_position(ours):
            seen["passed"] += 1
        ours, theirs = mine[position], other[position]
        if ours.is_terminal() != theirs.is_terminal():
            return f"one goes on where the other has ended: {ours}\n{theirs}"
        if ours.is_terminal():
            break
        mover = 1 - mover
        if ours.to_dict()["player"] != mover:
            return f"the next to throw is not {mover}: {ours}"
        thrown = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        dice = (thrown[0], thrown[1])
        ours = ours.clone()
        ours.apply_action(rng.choice(rolls[dice])[0])
        theirs.apply_action(rng.choice(their_rolls(theirs)["", dice])[0])
    if ours.returns() != theirs.returns():
        return f"returns {ours.returns()} instead of {theirs.returns()}: {ours}\n{theirs}"
    seen[f"won {max(ours.returns()):.0f}"] += 1
    return None


def test_the_dice_are_the_same() -> None:
    game = sarai.make("shuanglu", preset="backgammon")
    ours = game.new_initial_state()
    theirs = pyspiel.load_game("backgammon").new_initial_state()
    assert dict(ours.chance_outcomes()) == {outcome: pytest.approx(1 / 30) for outcome in range(30)}
    openings = {("XO"[b > a], (max(a, b), min(a, b))): pytest.approx(1 / 30) for a, b in OPENINGS}
    assert chances(their_rolls(theirs)) == openings
    theirs.apply_action(0)
    theirs.apply_action(theirs.legal_actions()[0])
    expected = {("", (a, b)): pytest.approx((1 + (a > b)) / 36) for a in range(1, 7) for b in range(1, a + 1)}
    assert chances(their_rolls(theirs)) == expected
    assert chances({("", dice): outcomes for dice, outcomes in our_rolls(game).items()}) == expected


def chances(rolls: dict[tuple[str, Dice], list[tuple[int, float]]]) -> dict[tuple[str, Dice], float]:
    return {roll: sum(probability for _, probability in outcomes) for roll, outcomes in rolls.items()}


@pytest.mark.parametrize(
    ("theirs", "games"),
    [
        ("full_scoring", 16),
        pytest.param("full_scoring", 100, marks=pytest.mark.nightly),
        pytest.param("winloss_scoring", 100, marks=pytest.mark.nightly),
    ],
)
def test_random_games_have_the_same_ends_of_turns(theirs: str, games: int) -> None:
    game = sarai.make("shuanglu", preset="backgammon", scoring=SCORINGS[theirs])
    seen: Counter[str] = Counter()
    for seed in range(games):
        difference = first_difference(game, theirs, seed, seen)
        assert difference is None, f"seed {seed}: {difference}"
    # What the games must have met for the comparison to say something.
    assert seen["turns"] > 40 * games
    assert seen["positions"] > 10 * seen["turns"]
    assert seen["doubles"] > seen["turns"] / 10
    assert seen["passed"] > 0
    assert seen["won 1"] > 0
    assert (seen["won 2"] > 0) == (theirs == "full_scoring")


BROKEN: dict[str, Any] = {
    "setup": "from_origin", "doubles": 2, "bear_off": "exact", "larger_die": False, "scoring": "single",
    "max_turns": 30,
}  # fmt: skip


@pytest.mark.parametrize("option", BROKEN)
def test_a_broken_rule_is_found(option: str) -> None:
    rules = {"scoring": "gammon", option: BROKEN[option]}
    game = sarai.make("shuanglu", preset="backgammon", rules=rules)
    found = (first_difference(game, "full_scoring", seed, Counter()) for seed in range(GAMES_TO_FIND))
    assert any(found)
