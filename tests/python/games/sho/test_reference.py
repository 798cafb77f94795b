"""The engine's Sho against the naive reference, node by node, over random rule books, positions and games.

At every node everything the two can say is compared: the whole dict, who is to act, the legal actions, their
names, the chance outcomes and the returns. Throws are chosen here, with 1-1 and 6-3 far more often than dice
give them, and half the games start in the middle, so that what is rare in play (full pools, six-three,
overflow) is met often.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import sarai
from games.sho.reference import DEFAULTS, DICE, MAX_POOL, PRESETS, ReferenceSho, rules_allowed
from helpers import night
from helpers.lockstep import any_copy, assert_rejects, assert_same

PA_RA = DICE.index((1, 1))
SIX_THREE = DICE.index((3, 6))

# Nodes compared for a rule book.
NODES_PER_PRESET = 500
NODES_PER_RANDOM_RULES = 500
NUM_RANDOM_RULES = 32


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Any allowed combination of options; short boards and few coins more often than not."""
    while True:
        players = rng.choice([2, 2, 3, 4, 4])
        rules = {
            "players": players,
            "teams": rng.random() < 0.4,
            "num_shells": rng.choice([rng.randint(4, 11), rng.randint(12, 20), rng.randint(12, 20), 64]),
            "coins": rng.choice([rng.randint(1, 4), rng.randint(2, 5), 9]),
            "entry_coins": rng.choice([1, 1, 2, 3]),
            "niner_stack": rng.random() < 0.6,
            "six_three": rng.random() < 0.5,
            "last_kill_ends_turn": rng.random() < 0.5,
            "pa_ra": rng.choice(["choose", "choose", "flexible", "flexible", "none"]),
            "finish_overflow": rng.random() < 0.5,
            "first_player": rng.choice(["random", rng.randrange(players)]),
            "stake": rng.choice([1.0, 0.25, 2.5]),
            "max_turns": rng.choice([1, 7, 40, 5000, 5000]),
        }
        if rules_allowed(rules):
            return rules


def random_position(rng: random.Random, ref: ReferenceSho) -> dict[str, Any]:
    """Somewhere in the middle of a game, a player about to roll."""
    r = ref.rules
    d = ref.initial()
    positions = list(range(1, r["num_shells"]))
    rng.shuffle(positions)
    for side in d["sides"]:
        if rng.random() < 0.4:
            side["cleared"] = rng.random() < 0.8
            continue
        side["off"] = rng.choice([0, 0, rng.randrange(r["coins"])])
        on_track = rng.randint(0, r["coins"] - side["off"])
        side["hand"] = r["coins"] - side["off"] - on_track
        while on_track and positions:
            size = rng.randint(1, min(on_track, 4))
            if not r["niner_stack"] and size == r["coins"]:
                size -= 1  # R10: no such stack can come about
            side["stacks"][str(positions.pop())] = size
            on_track -= size
        side["hand"] += on_track
    d.update(phase="roll", player=rng.randrange(r["players"]), turn=rng.randrange(min(r["max_turns"], 50)))
    if r["pa_ra"] == "choose" and rng.random() < 0.5:  # a leftover is at most one short of a full pool
        d["pool"] = sorted(rng.randint(2, 12) for _ in range(rng.randrange(MAX_POOL)))
    return d


def throw(rng: random.Random, ref: ReferenceSho, d: dict[str, Any], pa_ra: float, six_three: float) -> int:
    if d["phase"] == "first":
        return rng.randrange(ref.rules["players"])
    luck = rng.random()
    if luck < pa_ra:
        return PA_RA
    return SIX_THREE if luck < pa_ra + six_three else rng.randrange(len(DICE))


def compare_game(game: Any, ref: ReferenceSho, rng: random.Random, max_nodes: int) -> int:
    """Plays one random game, at most `max_nodes` nodes of it, and says how many were compared."""
    pa_ra, six_three = rng.choice([0.03, 0.3, 0.3, 0.9]), rng.choice([0.03, 0.3, 0.6])
    if rng.random() < 0.5:
        d = ref.initial()
        state = game.new_initial_state()
    else:
        d = random_position(rng, ref)
        state = game.state_from_dict(d)
    choices = assert_same(state, ref, d)
    for nodes in range(1, max_nodes):
        if d["phase"] == "over":
            assert_rejects(state, d, choices, rng)
            return nodes
        if rng.random() < 0.1:
            assert_rejects(state, d, choices, rng)
        if rng.random() < 0.1:
            state = any_copy(state, d, rng)
        legal = ref.legal(d)
        action = rng.choice(legal) if legal else throw(rng, ref, d, pa_ra, six_three)
        state.apply_action(action)
        d = ref.apply(d, action)
        choices = assert_same(state, ref, d)
    return max_nodes


def compare_rules(rules: dict[str, Any], preset: str | None, seed: int, budget: int) -> None:
    """Plays games by one rule book until `budget` nodes have been compared."""
    rng = random.Random(seed)
    game = sarai.make("sho", preset=preset, **rules)
    ref = ReferenceSho({**PRESETS.get(preset or "basic", {}), **rules})
    assert game.rules == ref.rules
    assert list(game.sides) == [ref.side_of(seat) for seat in range(game.num_players)]
    while budget > 0:
        budget -= compare_game(game, ref, rng, max_nodes=min(budget, rng.choice([5, 25, 250])))


@pytest.mark.parametrize("times", night.after(1, [1, 4]))
@pytest.mark.parametrize("preset", PRESETS)
def test_preset_plays_as_the_reference(preset: str, times: int) -> None:
    compare_rules({}, preset, seed=1, budget=times * NODES_PER_PRESET)
    rng = random.Random(preset)
    short = {"num_shells": rng.randint(12, 20), "coins": rng.randint(3, 5)}
    compare_rules(short, preset, seed=2, budget=times * NODES_PER_PRESET)


@pytest.mark.parametrize("seed", night.after(16, range(NUM_RANDOM_RULES)))
def test_random_rules_play_as_the_reference(seed: int) -> None:
    compare_rules(random_rules(random.Random(seed)), None, seed, budget=NODES_PER_RANDOM_RULES)


@pytest.mark.parametrize("num_shells", [9, 10, 11])
def test_six_three_at_the_end_of_the_board_plays_as_the_reference(num_shells: int) -> None:
    rules = {"players": 2, "num_shells": num_shells, "coins": 3, "six_three": True}
    compare_rules(rules, None, seed=num_shells, budget=NODES_PER_RANDOM_RULES)


def test_presets_are_those_of_the_reference() -> None:
    assert sarai.presets("sho") == {name: {**DEFAULTS, **options} for name, options in PRESETS.items()}
