"""Games that begin with random decisions: the same whoever plays, and told wherever results are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sarai

two_games = pytest.mark.parametrize("name", ["sho", "shah"])


def lowest(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def begin(record: sarai.Record, plies: int) -> list[int]:
    """The steps of a game up to and with so many decisions."""
    decisions = [place for place, step in enumerate(record.steps) if step.player >= 0]
    return [step.id for step in record.steps[: decisions[plies - 1] + 1]]


@two_games
def test_games_begin_in_the_same_position_whoever_plays(name: str) -> None:
    keep = range(12)
    played = [
        sarai.rollout(name, 12, agents, seed=5, random_plies=4, keep=keep)
        for agents in ("greedy", "random", lowest, "mcts:2")
    ]
    begins = [[begin(r.records[row], 4) for row in keep] for r in played]
    assert begins[0] == begins[1] == begins[2] == begins[3]
    assert len({tuple(steps) for steps in begins[0]}) > 6
    for r in played:
        assert r.random_plies == 4
        for row, record in r.records.items():
            assert sum(step.player >= 0 for step in record.steps) == r.lengths[row]


@two_games
def test_parts_trajectories_and_series_hold_them(name: str) -> None:
    how: dict[str, Any] = {"agents": "greedy", "seed": 5, "random_plies": 3}
    whole = sarai.rollout(name, 20, **how, keep=[2])
    parts = [sarai.rollout(name, 10, **how, first_game=first, keep=[2] * (first == 0)) for first in (0, 10)]
    assert sarai.Rollout.concatenate(parts) == whole
    other = sarai.rollout(name, 10, "greedy", seed=5, first_game=10)
    with pytest.raises(ValueError, match="random_plies"):
        sarai.Rollout.concatenate([parts[0], other])
    assert sarai.rollout(name, 20, "greedy", seed=5) != whole
    t = sarai.trajectories(name, 20, **how)
    assert np.array_equal(np.diff(t.offsets), whole.lengths)
    many = sarai.rollout_series(name, 5, target=1, max_games=4, **how)
    assert sarai.play_series(name, "greedy", target=1, max_games=4, seed=5, random_plies=3) == many[0]
    plain = sarai.rollout_series(name, 5, "greedy", target=1, max_games=4, seed=5)
    assert plain != many
    assert plain == sarai.rollout_series(name, 5, "greedy", target=1, max_games=4, seed=5, random_plies=0)
