"""R7 of Shuanglu against the naive enumeration of whole turns, from many random positions.

What the engine lets a player do in one turn is found by playing all its legal actions to the end of the turn.
The sequences of steps, and the states that they reach, must be those that are left when all sequences are tried
and only those are kept that R7 allows.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

import sarai
from games.shuanglu.random_positions import KINDS, random_position
from games.shuanglu.reference import BAR, DICE, OFF, PIECES, ReferenceShuanglu, Turn
from helpers import night

# Of the positions of a test so many are played by a random roll for each that is played by every roll.
BY_ONE_ROLL = 6

RULES = [
    {"bear_off": bear_off, "larger_die": larger_die, "doubles": doubles}
    for bear_off, larger_die, doubles in product(["exact", "overshoot"], [True, False], [2, 4])
]

Line = tuple[tuple[int, int], ...]


def lines_of_play(state: Any, line: Line = ()) -> dict[Line, dict[str, Any]]:
    """Every way in which the engine lets the turn be played, with the dict at its end."""
    if state.is_chance_node() or state.is_terminal():
        return {line: state.to_dict()}
    found = {}
    actions = state.legal_actions()
    assert actions, "who has nothing to play is not asked"
    for action in actions:
        after = state.clone()
        after.apply_action(action)
        found.update(lines_of_play(after, (*line, ReferenceShuanglu.die_and_source(action))))
    return found


def at_the_end(ref: ReferenceShuanglu, d: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """The dict after a whole turn."""
    me = d["player"]
    both = [turn.mine, turn.theirs] if me == 0 else [turn.theirs, turn.mine]
    end: dict[str, Any] = {**d, "dice": []}
    end["points"] = [pieces[1:25] for pieces in both]
    end["bar"] = [pieces[BAR] for pieces in both]
    end["off"] = [pieces[OFF] for pieces in both]
    if turn.mine[OFF] == PIECES:
        return {**end, "phase": "over", "player": None, "winner": me, "points_won": 1}
    return {**end, "phase": "roll", "player": 1 - me, "turn": d["turn"] + 1}


def compare_turn(
    game: Any, ref: ReferenceShuanglu, d: dict[str, Any], outcome: int, seen: Counter[str]
) -> None:
    """Plays one roll in every way, and counts what the rule decided."""
    low, high = DICE[outcome]
    dice = [high, low] if low < high else [high] * ref.rules["doubles"]
    allowed = ref.whole_turns({**d, "dice": dice})
    state = game.state_from_dict(d)
    state.apply_action(outcome)
    played = lines_of_play(state)
    assert played == {turn.steps: at_the_end(ref, d, turn) for turn in allowed}

    mine, theirs = ref.pieces(d, d["player"]), ref.pieces(d, 1 - d["player"])
    first = {turn.steps[0] for turn in allowed if turn.steps}
    by_die = {
        (die, source) for die in dice for source in range(1, BAR + 1) if ref._step(mine, theirs, die, source)
    }
    used = len(allowed[0].steps)
    seen["turns"] += 1
    seen["passed"] += used == 0
    seen["cut short"] += 0 < used < len(dice)
    seen["won early"] += 0 < used < len(dice) and allowed[0].mine[OFF] == PIECES
    if first != by_die:
        assert first < by_die
        seen["most dice" if used > 1 else "larger die"] += 1
    if used == 1 and len({die for die, _ in first}) == 2:
        seen["either die"] += 1


def compare_turns(rules: dict[str, Any], kind: str, seed: int, positions: int, every: bool) -> Counter[str]:
    rng = random.Random(f"{kind} {seed}")
    ref = ReferenceShuanglu(rules)
    game = sarai.make("shuanglu", **rules)
    seen: Counter[str] = Counter()
    for _ in range(positions):
        d = random_position(rng, ref, kind)
        for outcome in range(21) if every else [rng.randrange(21)]:
            compare_turn(game, ref, d, outcome, seen)
    return seen


@pytest.mark.parametrize("positions", night.after(1, [8, 80]))
@pytest.mark.parametrize("kind", KINDS)
def test_r7_turns_are_those_of_the_naive_enumeration(kind: str, positions: int) -> None:
    """With the rules above: some 300 positions by every roll and 2000 by a random one, or ten times as many."""
    share = 4 if kind == "any" else 1  # full boards have very many turns, of which R7 forbids few
    seen: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for number, rules in enumerate(RULES):
        found = seen[bool(rules["larger_die"])]
        found += compare_turns(rules, kind, number, positions // share, every=True)
        found += compare_turns(rules, kind, 100 + number, BY_ONE_ROLL * positions // share, every=False)
    # A sweep that never met the rule would prove nothing.
    for found in seen.values():
        assert min(found["most dice"], found["cut short"], found["passed"]) > 0
    assert seen[False]["larger die"] == seen[True]["either die"] == 0
    if kind != "any":
        assert seen[True]["larger die"] >= positions // 4
        assert seen[False]["either die"] >= positions // 4
    if kind in ("bear_off", "endgame"):
        assert seen[True]["won early"] >= positions
