"""The engine's T'shu-p'u against the naive reference: games node by node, whole turns, and broken dicts.

At every node of a game everything the two can say is compared: the whole dict, who is to act, the legal
actions, their names, the chance outcomes and the returns. Half the games start in the middle, from positions
made at random with enemies on the same few squares, pieces in hand, in the columns, in the centre and off, so
that what is rare in play (blocked totals, one die alone, finished players) is met often. From thousands of such
positions all that can be played with every throw is compared with the reference's enumeration of whole turns.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

import sarai
from games.tshupu.reference import (
    CENTRE,
    COURSES,
    DEFAULTS,
    DICE,
    HAND,
    LOOP,
    OFF,
    PRESETS,
    ReferenceTshupu,
    Square,
    in_order,
    is_finished,
)
from helpers import night
from helpers.lockstep import any_copy, assert_rejects, assert_same

NODES_PER_RANDOM_RULES = 400
NUM_RANDOM_RULES = 24

RULES_OF_TURNS: list[dict[str, Any]] = [
    {},
    {"crosscuts": "sides_and_ends", "finished_player": "partner_plays"},
    {"same_piece_both_dice": True},
    {"same_piece_both_dice": True, "crosscuts": "sides_and_ends"},
    {"pieces": 1, "finished_player": "partner_plays"},
    {"pieces": 2, "same_piece_both_dice": True, "finished_player": "partner_plays"},
    {"pieces": 3, "first_player": "random"},
]


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Any allowed combination of options."""
    return {
        "pieces": rng.randint(1, 4),
        "crosscuts": rng.choice(["sides", "sides_and_ends"]),
        "same_piece_both_dice": rng.random() < 0.5,
        "finished_player": rng.choice(["pass", "partner_plays"]),
        "first_player": rng.choice(["random", 0, 1, 2, 3]),
        "max_turns": rng.choice([1, 2, 7, 40, 2000, 2000, 65535]),
    }


def random_progress(rng: random.Random, seat: int, contested: list[Square]) -> int:
    luck = rng.random()
    if luck < 0.15:
        return HAND
    if luck < 0.30:
        return OFF
    if luck < 0.40:
        return CENTRE
    if luck < 0.60:
        return rng.randint(24, CENTRE)
    if luck < 0.80:  # where the others are, so that there is something to hit and to be blocked by
        return COURSES[seat].index(rng.choice(contested))
    return rng.randint(1, 29)


def random_position(rng: random.Random, ref: ReferenceTshupu) -> dict[str, Any]:
    """Somewhere in the middle of a game, a player about to throw."""
    r = ref.rules
    while True:
        contested = rng.sample(LOOP, 5)
        d = ref.initial()
        for seat in range(4):
            if rng.random() < 0.15:
                d["pieces"][seat] = [OFF] * r["pieces"]
                continue
            progress = [random_progress(rng, seat, contested) for _ in range(r["pieces"])]
            d["pieces"][seat] = sorted(progress)
        turn = rng.randrange(min(r["max_turns"], 60))
        first = rng.randrange(4) if r["first_player"] == "random" else r["first_player"]
        d.update(phase="roll", player=(first + turn) % 4, turn=turn)
        waits_for_nobody = r["finished_player"] == "pass" and is_finished(d["pieces"], d["player"])
        won = any(all(is_finished(d["pieces"], seat) for seat in team) for team in ((0, 2), (1, 3)))
        if not won and not waits_for_nobody:
            return d


def compare_game(game: Any, ref: ReferenceTshupu, rng: random.Random, max_nodes: int) -> int:
    """Plays one random game, at most `max_nodes` nodes of it, and says how many were compared."""
    if rng.random() < 0.5:
        d = ref.initial()
        state = game.new_initial_state()
    else:
        d = random_position(rng, ref)
        state = game.state_from_dict(d)
    choices = assert_same(state, ref, d)
    for nodes in range(1, max_nodes):
        ref.check(d)
        if d["phase"] == "over":
            assert_rejects(state, d, choices, rng)
            return nodes
        if rng.random() < 0.1:
            assert_rejects(state, d, choices, rng)
        if rng.random() < 0.1:
            state = any_copy(state, d, rng)
        action = rng.choice(ref.legal(d) or [outcome for outcome, _ in ref.chance(d)])
        state.apply_action(action)
        d = ref.apply(d, action)
        choices = assert_same(state, ref, d)
    return max_nodes


def compare_rules(rules: dict[str, Any], preset: str | None, seed: int, budget: int) -> None:
    """Plays games by one rule book until `budget` nodes have been compared."""
    rng = random.Random(seed)
    game = sarai.make("tshupu", preset=preset, **rules)
    ref = ReferenceTshupu({**PRESETS.get(preset or "tshupu", {}), **rules})
    assert game.rules == ref.rules
    assert list(game.sides) == [0, 1, 0, 1]
    while budget > 0:
        budget -= compare_game(game, ref, rng, max_nodes=min(budget, rng.choice([5, 25, 400])))


@pytest.mark.parametrize("nodes", night.after(1, [800, 3000]))
@pytest.mark.parametrize("preset", PRESETS)
def test_preset_plays_as_the_reference(preset: str, nodes: int) -> None:
    compare_rules({}, preset, seed=1, budget=nodes)


@pytest.mark.parametrize("seed", night.after(8, range(NUM_RANDOM_RULES)))
def test_random_rules_play_as_the_reference(seed: int) -> None:
    compare_rules(random_rules(random.Random(seed)), None, seed, budget=NODES_PER_RANDOM_RULES)


def test_presets_are_those_of_the_reference() -> None:
    assert sarai.presets("tshupu") == {name: {**DEFAULTS, **options} for name, options in PRESETS.items()}


# ------------------------------------------------------------------ R3 and R4: whole turns


def played_turns(state: Any) -> dict[tuple[int, ...], list[list[int]]]:
    """Every sequence of legal actions from after the throw to the turn's end, and the position it leads to."""
    found: dict[tuple[int, ...], list[list[int]]] = {}
    for first in state.legal_actions():
        after = state.clone()
        after.apply_action(first)
        d = after.to_dict()
        if d["phase"] != "second":
            found[(first,)] = d["pieces"]
            continue
        for second in after.legal_actions():
            end = after.clone()
            end.apply_action(second)
            found[first, second] = end.to_dict()["pieces"]
    return found


def enumerated_turns(ref: ReferenceTshupu, d: dict[str, Any]) -> dict[tuple[int, ...], list[list[int]]]:
    """The same from the reference's whole turns; what begins and goes on alike must end alike."""
    found: dict[tuple[int, ...], list[list[int]]] = {}
    for turn in ref.whole_turns(d):
        actions, end = tuple(step.action for step in turn), in_order(turn[-1].after)
        assert found.setdefault(actions, end) == end
    return found


def compare_turns(game: Any, ref: ReferenceTshupu, d: dict[str, Any]) -> set[str]:
    """Compares all turns from a position with every throw; says which kinds of turn there were."""
    kinds = set()
    before = game.state_from_dict(d)
    for outcome, dice in enumerate(DICE):
        state = before.clone()
        state.apply_action(outcome)
        enumerated = enumerated_turns(ref, {**d, "phase": "move", "dice": list(dice)})
        if not enumerated:
            kinds.add("none")
            after = state.to_dict()
            assert after["phase"] in ("roll", "over")
            assert after["pieces"] == d["pieces"]
            assert after["turn"] > d["turn"]
            continue
        played = played_turns(state)
        ends = {str(end) for end in played.values()}
        assert ends == {str(end) for end in enumerated.values()}
        prefixes = {actions[:length] for actions in enumerated for length in (1, 2)}
        assert {actions[:length] for actions in played for length in (1, 2)} <= prefixes
        assert played == enumerated
        for actions in enumerated:
            kinds.add("both" if actions[0] >= 4 * 33 else "split" if len(actions) == 2 else "one die")
    return kinds


def compare_positions(game: Any, ref: ReferenceTshupu, rng: random.Random, number: int) -> set[str]:
    """Compares so many random positions; says which kinds of turn there were."""
    kinds: set[str] = set()
    for _ in range(number):
        kinds |= compare_turns(game, ref, random_position(rng, ref))
    return kinds


@pytest.mark.parametrize("positions", night.after(1, [100, 400]))
@pytest.mark.parametrize("rules", RULES_OF_TURNS, ids=lambda rules: ",".join(rules) or "defaults")
def test_r3_r4_whole_turns_are_those_of_the_naive_enumeration(rules: dict[str, Any], positions: int) -> None:
    """Each position with all 10 throws."""
    game, ref = sarai.make("tshupu", **rules), ReferenceTshupu(rules)
    kinds = compare_positions(game, ref, random.Random(str(rules)), positions)
    splits = {"split"} if ref.rules["pieces"] > 1 else set()
    assert kinds == {"none", "both", "one die"} | splits


# ------------------------------------------------------------------ dicts: good ones and broken ones

JUNK: list[Any] = [
    *(None, True, -1, 0, 1, 2, 3, 4, 6, 32, 33, 34, 65535, 10**30, 1.0, "roll", "over"),
    *([], [1], {}),
]


def changed(rng: random.Random, d: dict[str, Any]) -> dict[str, Any]:
    """One to three small changes to a dict, most of which break it."""
    d = copy.deepcopy(d)
    for _ in range(rng.choice([1, 1, 2, 3])):
        key = rng.choice([*d, "pieces"])
        if key == "pieces" and type(d["pieces"]) is list and d["pieces"] and rng.random() < 0.95:
            seat = rng.choice(d["pieces"])
            if type(seat) is not list or not seat:
                continue
            at, luck = rng.randrange(len(seat)), rng.random()
            if luck < 0.4:
                seat[at] = rng.randint(-1, 34)
                seat.sort()
            elif luck < 0.7:
                seat[:] = [OFF] * len(seat)
            elif luck < 0.8:
                seat.reverse()
            elif luck < 0.9:
                seat.append(OFF)
            else:
                del seat[at]
        elif key == "phase":
            d[key] = rng.choice(["first", "roll", "move", "second", "over"])
        elif key == "dice" and rng.random() < 0.8:
            d[key] = [rng.choice([1, 3, 4, 6, 2]) for _ in range(rng.randint(0, 3))]
        elif key in ("turn", "player", "moved") and type(d[key]) is int and rng.random() < 0.8:
            d[key] += rng.choice([-4, -1, 1, 4])
        else:
            d[key] = rng.choice(JUNK)
    return d


@pytest.mark.parametrize("dicts", night.after(1, [1000, 6000]))
def test_dicts_are_accepted_and_refused_as_the_reference_says(dicts: int) -> None:
    rng = random.Random(8)
    verdicts = {True: 0, False: 0}
    while sum(verdicts.values()) < dicts:
        rules = random_rules(rng)
        game, ref = sarai.make("tshupu", **rules), ReferenceTshupu(rules)
        d = ref.initial() if rng.random() < 0.3 else random_position(rng, ref)
        for _ in range(40):
            tried = changed(rng, d)
            try:
                ref.check(tried)
            except ValueError:
                verdicts[False] += 1
                with pytest.raises(ValueError, match=r"\w+ \w+"):
                    game.state_from_dict(tried)
            else:
                verdicts[True] += 1
                state = game.state_from_dict(tried)
                assert_same(state, ref, tried)
                assert game.parse(str(state)) == state
            if d["phase"] == "over":
                break
            d = ref.apply(d, rng.choice(ref.legal(d) or [outcome for outcome, _ in ref.chance(d)]))
    assert min(verdicts.values()) > dicts / 10
