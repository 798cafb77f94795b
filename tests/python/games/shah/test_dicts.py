"""Which dicts the engine takes as states of Shah: those that the naive reference's own check takes, and no others."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import sarai
from games.shah.random_positions import random_position, random_rules
from games.shah.reference import PRESETS, ReferenceShah, State
from games.shah.reference_check import fault
from helpers import night


def spoil(d: State, rng: random.Random) -> State:
    """The dict with one or two of its values changed, mostly to something that the key can hold."""
    d = {**d, "hand": list(d["hand"])}
    seat: Callable[[], int | None] = lambda: rng.choice([None, 0, 1])  # noqa: E731
    for _ in range(rng.choice([1, 1, 2])):
        key = rng.choice(sorted(d))
        if key == "board":
            point = rng.randrange(24)
            d["board"] = d["board"][:point] + rng.choice(".01") + d["board"][point + 1 :]
        elif key == "hand":
            d["hand"][rng.randrange(2)] += rng.choice([-1, 1])
        elif key == "phase":
            d["phase"] = rng.choice(["first", "place", "remove", "slide", "land", "over"])
        elif key in ("player", "beginner", "winner"):
            d[key] = seat()
        elif key == "extra":
            d["extra"] = not d["extra"]
        elif key == "lifted":
            d["lifted"] = rng.choice([None, rng.randrange(24)])
        elif key == "opening_removals":
            d["opening_removals"] = rng.randrange(3)
        else:
            d[key] += rng.choice([-1, 1])
    return d


@pytest.mark.parametrize("seed", night.after(5, range(12)))
def test_dicts_are_accepted_and_refused_as_the_reference_does(seed: int) -> None:
    rng = random.Random(seed)
    rules = {**PRESETS["shah"], **[{}, PRESETS["nine_mens_morris"], random_rules(rng)][min(seed, 2)]}
    game, ref = sarai.make("shah", **rules), ReferenceShah(rules)
    accepted = refused = 0
    for _ in range(60):
        good = random_position(rng, ref)
        assert game.state_from_dict(good).to_dict() == good
        for _ in range(5):
            d = spoil(good, rng)
            if fault(ref, d) is None:
                assert game.state_from_dict(d).to_dict() == d
                accepted += 1
            else:
                with pytest.raises(ValueError, match=r"\w"):
                    game.state_from_dict(d)
                refused += 1
    assert accepted > 5
    assert refused > 100
