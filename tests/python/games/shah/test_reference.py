"""The engine's Shah against the naive reference, node by node, over random rule books, positions and games.

At every node everything the two can say is compared: the whole dict, who is to act, the legal actions, their
names, the chance outcomes and the returns. Half the games start from positions made here, so that what is rare
in play is met often: few stones, shut-in stones, flying, full boards, both limits about to be reached. Players
prefer moves that make mills or shut the opponent in.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import sarai
from games.shah.random_positions import Kind, packed, random_position, random_rules, scattered, shut_in
from games.shah.reference import DEFAULTS, PRESETS, ReferenceShah, State
from helpers import night
from helpers.lockstep import any_copy, assert_rejects, assert_same

# Nodes compared for a rule book.
NODES_PER_RANDOM_RULES = 250
NUM_RANDOM_RULES = 40


def choose(ref: ReferenceShah, d: State, rng: random.Random, skill: float) -> int:
    """An action: at random, or one after which something rare happens."""
    actions = [outcome for outcome, _ in ref.chance(d)] or ref.legal(d)
    if rng.random() < skill:
        for action in rng.sample(actions, min(len(actions), 6)):
            after = ref.apply(d, action)
            if after["extra"] or after["phase"] == "remove" or after["winner"] is not None:
                return action
    return rng.choice(actions)


def compare_game(
    game: Any, ref: ReferenceShah, d: State, rng: random.Random, max_nodes: int, met: Counter[str]
) -> None:
    """Plays one game on from `d`, at most `max_nodes` nodes of it, and notes in `met` what it came to."""
    skill = rng.choice([0.0, 0.3, 0.9])
    state = game.new_initial_state() if d == ref.initial() else game.state_from_dict(d)
    choices = assert_same(state, ref, d)
    for _ in range(max_nodes):
        met["nodes"] += 1
        met[d["phase"]] += 1
        met["extra"] += d["extra"]
        if d["phase"] == "over":
            met["won" if d["winner"] is not None else "drawn"] += 1
            assert_rejects(state, d, choices, rng)
            return
        if rng.random() < 0.1:
            assert_rejects(state, d, choices, rng)
        if rng.random() < 0.1:
            state = any_copy(state, d, rng)
        action = choose(ref, d, rng, skill)
        state.apply_action(action)
        d = ref.apply(d, action)
        choices = assert_same(state, ref, d)


def compare_rules(rules: dict[str, Any], preset: str | None, seed: int, budget: int) -> Counter[str]:
    """Plays games by one rule book until `budget` nodes have been compared."""
    rng = random.Random(seed)
    game = sarai.make("shah", preset=preset, **rules)
    ref = ReferenceShah({**PRESETS[preset or "shah"], **rules})
    assert game.rules == ref.rules
    assert list(game.sides) == [0, 1]
    met: Counter[str] = Counter()
    while met["nodes"] < budget:
        d = ref.initial() if rng.random() < 0.5 else random_position(rng, ref)
        compare_game(game, ref, d, rng, rng.choice([5, 60, 400]), met)
    return met


@pytest.mark.parametrize("nodes", night.after(1, [1000, 4000]))
@pytest.mark.parametrize("preset", PRESETS)
def test_preset_plays_as_the_reference(preset: str, nodes: int) -> None:
    met = compare_rules({}, preset, seed=1, budget=nodes)
    rare = {"shah": ["extra", "drawn"], "nine_mens_morris": ["land", "drawn"]}[preset]
    assert all(met[what] > 2 for what in ["place", "slide", "remove", "won", *rare])


@pytest.mark.parametrize("seed", night.after(12, range(NUM_RANDOM_RULES)))
def test_random_rules_play_as_the_reference(seed: int) -> None:
    rules = random_rules(random.Random(seed))
    assert compare_rules(rules, None, seed, NODES_PER_RANDOM_RULES)["over"] > 0


@pytest.mark.parametrize("option", ["placement_captures", "begin", "mill_protection", "flying", "blocked"])
@pytest.mark.parametrize("pieces", night.after(1, [9, 3, 12]))
def test_one_option_away_from_the_preset_plays_as_the_reference(option: str, pieces: int) -> None:
    nine = PRESETS["nine_mens_morris"]
    rules = {option: nine[option], "pieces": pieces, "opening_removals": "none", "no_capture_limit": 40}
    compare_rules(rules, None, seed=pieces, budget=NODES_PER_RANDOM_RULES // 2)


@pytest.mark.parametrize("books", night.after(1, [12, 60]))
@pytest.mark.parametrize("kind", [shut_in, scattered, packed])
@pytest.mark.parametrize("blocked", ["opponent_opens", "loses"])
def test_positions_made_by_hand_play_as_the_reference(blocked: str, kind: Kind, books: int) -> None:
    rng = random.Random(blocked)
    met: Counter[str] = Counter()
    for _ in range(books):
        rules = random_rules(rng)
        rules.update(blocked=blocked, no_capture_limit=rng.choice([0, 3, 200]), max_turns=100)
        game, ref = sarai.make("shah", **rules), ReferenceShah(rules)
        for _ in range(6):
            compare_game(game, ref, random_position(rng, ref, kind), rng, 8, met)
    if kind is shut_in and blocked == "opponent_opens":
        assert met["extra"] > books
    assert met["over"] > books // 6


def test_presets_are_those_of_the_reference() -> None:
    assert sarai.presets("shah") == {key: {**DEFAULTS, **options} for key, options in PRESETS.items()}
