"""The engine's Shuanglu against the naive reference, node by node, over random rule books, positions and games.

At every node everything the two can say is compared: the whole dict, who is to act, the legal actions, their
names, the chance outcomes and the returns. Half the games start from random positions, so that bars, blocks and
the last pieces, where R4 to R7 decide, are met often. R7 alone is in ``test_shuanglu_turns.py``.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

import sarai
from games.shuanglu.random_positions import KINDS, random_position
from games.shuanglu.reference import DEFAULTS, DICE, OPENING, PRESETS, ReferenceShuanglu
from helpers import night
from helpers.lockstep import any_copy, assert_rejects, assert_same

# Nodes compared for a rule book.
NODES_PER_RANDOM_RULES = 150


def random_rules(rng: random.Random) -> dict[str, Any]:
    return {
        "setup": rng.choice(["english", "from_origin"]),
        "doubles": rng.choice([2, 4]),
        "bear_off": rng.choice(["exact", "overshoot"]),
        "larger_die": rng.random() < 0.5,
        "scoring": rng.choice(["single", "gammon"]),
        "max_turns": rng.choice([1, 2, 7, 40, 2000, 65535]),
    }


def compare_game(
    game: Any, ref: ReferenceShuanglu, rng: random.Random, max_nodes: int, seen: Counter[str]
) -> int:
    """Plays one random game, at most `max_nodes` nodes of it, and says how many were compared."""
    if rng.random() < 0.4:
        d = ref.initial()
        state = game.new_initial_state()
    else:
        d = random_position(rng, ref, rng.choice(KINDS))
        state = game.state_from_dict(d)
    choices = assert_same(state, ref, d)
    for nodes in range(1, max_nodes):
        if d["phase"] == "over":
            assert_rejects(state, d, choices, rng)
            seen[f"won {d['points_won']}"] += 1
            return nodes
        if rng.random() < 0.1:
            assert_rejects(state, d, choices, rng)
        if rng.random() < 0.1:
            assert ref.check(d)
            state = any_copy(state, d, rng)
        action = rng.choice(choices)
        before, d = d, ref.apply(d, action)
        state.apply_action(action)
        choices = assert_same(state, ref, d)
        seen["hits"] += sum(d["bar"]) > sum(before["bar"])
        seen["passed"] += before["phase"] == d["phase"] == "roll"
    return max_nodes


def compare_rules(rules: dict[str, Any], preset: str | None, seed: int, budget: int) -> Counter[str]:
    """Plays games by one rule book until `budget` nodes have been compared."""
    rng = random.Random(seed)
    game = sarai.make("shuanglu", preset=preset, **rules)
    ref = ReferenceShuanglu({**PRESETS.get(preset or "shuanglu", {}), **rules})
    assert game.rules == ref.rules
    assert list(game.sides) == [0, 1]
    seen: Counter[str] = Counter()
    while budget > 0:
        budget -= compare_game(game, ref, rng, min(budget, rng.choice([5, 25, 250])), seen)
    return seen


@pytest.mark.parametrize("nodes", night.after(1, [400, 2000]))
@pytest.mark.parametrize("preset", PRESETS)
def test_preset_plays_as_the_reference(preset: str, nodes: int) -> None:
    seen = compare_rules({"scoring": "gammon"}, preset, seed=1, budget=nodes)
    seen += compare_rules({"scoring": "single"}, preset, seed=2, budget=nodes // 4)
    assert seen["hits"] > 5
    assert seen["passed"] > 0


@pytest.mark.parametrize("books", night.after(1, [12, 64]))
def test_random_rules_play_as_the_reference(books: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(books):
        seen += compare_rules(random_rules(random.Random(seed)), None, seed, budget=NODES_PER_RANDOM_RULES)
    assert all(seen[f"won {points}"] > 0 for points in range(4))  # 0: a draw


@pytest.mark.parametrize("setup", ["english", "from_origin"])
def test_whole_games_from_the_start_play_as_the_reference(setup: str) -> None:
    rng, ref = random.Random(setup), ReferenceShuanglu({"setup": setup})
    state, d = sarai.make("shuanglu", setup=setup).new_initial_state(), ref.initial()
    while choices := assert_same(state, ref, d):
        action = rng.choice(choices)
        state.apply_action(action)
        d = ref.apply(d, action)
    assert d["phase"] == "over"
    assert d["points_won"] == 1


@pytest.mark.parametrize("setup", ["english", "from_origin"])
def test_every_opening_is_that_of_the_reference(setup: str) -> None:
    game, ref = sarai.make("shuanglu", setup=setup), ReferenceShuanglu({"setup": setup})
    for outcome in range(len(OPENING)):
        state = game.new_initial_state()
        state.apply_action(outcome)
        assert_same(state, ref, ref.apply(ref.initial(), outcome))


def test_presets_are_those_of_the_reference() -> None:
    assert sarai.presets("shuanglu") == {name: {**DEFAULTS, **options} for name, options in PRESETS.items()}


# ----------------------------------------------------------------------------- dicts, good and broken


def some_dict(rng: random.Random, ref: ReferenceShuanglu) -> dict[str, Any]:
    """A state somewhere in a game: any phase, the end included."""
    d = ref.initial() if rng.random() < 0.2 else random_position(rng, ref, rng.choice(KINDS))
    for _ in range(rng.choice([0, 1, 1, 2, 3, 8])):
        choices = [outcome for outcome, _ in ref.chance(d)] or ref.legal(d)
        if choices:
            d = ref.apply(d, rng.choice(choices))
    return d


MUTATIONS = ["move_piece", "nudge", "swap", "seats", "key", "type", "length"]
MUTATIONS += ["phase", "player", "dice", "turn", "winner", "points_won"]


def mutate(rng: random.Random, d: dict[str, Any], max_turns: int) -> str:
    """Changes one thing in place, for better or worse, and says which."""
    seat, point = rng.randrange(2), rng.randrange(24)
    kind = rng.choice(MUTATIONS)
    if kind == "move_piece":
        sources = [i for i in range(24) if d["points"][seat][i]]
        if sources:
            d["points"][seat][rng.choice(sources)] -= 1
            where = rng.choice(["points", "points", "bar", "off"])
            (d["points"][seat] if where == "points" else d[where])[point if where == "points" else seat] += 1
    elif kind == "nudge":
        counts = rng.choice([d["points"][seat], d["bar"], d["off"]])
        counts[rng.randrange(len(counts))] += rng.choice([-1, 1, 1, 15, 256])
    elif kind == "swap":  # what one seat has becomes the other's
        for key in ("points", "bar", "off"):
            d[key].reverse()
    elif kind == "phase":
        d["phase"] = rng.choice(["opening", "roll", "move", "over", "first", None, 0])
    elif kind == "player":
        d["player"] = rng.choice([None, 0, 1, 2, -1, "0"])
    elif kind == "dice":
        low, high = rng.choice(DICE)
        d["dice"] = rng.choice(
            [[], [low], [high, low], [low, high], [low] * 2, [low] * 4, [low] * 5, [7], [0, 0]]
        )
    elif kind == "turn":
        d["turn"] = rng.choice([0, 1, -1, max_turns - 1, max_turns, max_turns + 1, 2**16])
    elif kind == "winner":
        d["winner"] = rng.choice([None, 0, 1, 2, -1])
    elif kind == "points_won":
        d["points_won"] = rng.choice([0, 1, 2, 3, 4, -1, None])
    elif kind == "key":
        if rng.random() < 0.5:
            del d[rng.choice(list(d))]
        else:
            d[rng.choice(["stake", "Phase", ""])] = 0
    elif kind == "type":
        key = rng.choice(list(d))
        if isinstance(d[key], list):
            d[key] = rng.choice([None, 0, {}, "", [*d[key], None]])
        else:
            d[key] = rng.choice([True, False, 1.0, 0.0, "roll", [], {}, 10**30])
    elif kind == "length":
        counts = rng.choice([d["points"], d["points"][seat], d["bar"], d["off"]])
        if rng.random() < 0.5:
            counts.pop()
        else:
            counts.append(copy.deepcopy(counts[0]) if counts is d["points"] else 0)
    else:
        d["player"] = 1 - d["player"] if d["player"] in (0, 1) else d["player"]
        d["winner"] = 1 - d["winner"] if d["winner"] in (0, 1) else d["winner"]
    return kind


@pytest.mark.parametrize("dicts", night.after(1, [700, 4000]))
def test_broken_dicts_are_refused_and_good_ones_taken(dicts: int) -> None:
    rng = random.Random(11)
    verdicts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    books = [random_rules(rng) for _ in range(16)]
    tables = [(sarai.make("shuanglu", **rules), ReferenceShuanglu(rules)) for rules in books]
    for _ in range(dicts):
        game, ref = rng.choice(tables)
        d = some_dict(rng, ref)
        kinds = {mutate(rng, d, ref.rules["max_turns"])}
        if "key" not in kinds and "type" not in kinds and "length" not in kinds and rng.random() < 0.3:
            kinds.add(mutate(rng, d, ref.rules["max_turns"]))
        good = ref.check(d)
        verdicts[good].update(kinds)
        if good:
            state = game.state_from_dict(d)
            assert_same(state, ref, d)
            assert game.parse(str(state)) == game.state_from_json(json.dumps(d)) == state
        else:
            for read, given in ((game.state_from_dict, d), (game.state_from_json, json.dumps(d))):
                with pytest.raises(ValueError, match=r"\w+ \w+"):
                    read(given)
    assert all(verdicts[False][kind] > dicts // 200 for kind in verdicts[False])
    assert all(
        verdicts[True][kind] > dicts // 200
        for kind in ("move_piece", "swap", "player", "dice", "turn", "seats")
    )
