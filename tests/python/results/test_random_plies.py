"""Games that begin with random decisions: the same whoever plays, and told wherever results are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai

every_game = pytest.mark.parametrize("name", sarai.games())


def lowest(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def begin(record: sarai.Record, plies: int) -> list[int]:
    """The steps of a game up to and with so many decisions."""
    decisions = [place for place, step in enumerate(record.steps) if step.player >= 0]
    return [step.id for step in record.steps[: decisions[plies - 1] + 1]]


@every_game
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


@every_game
def test_without_random_plies_games_are_what_they_were(name: str) -> None:
    assert sarai.rollout(name, 20, seed=5) == sarai.rollout(name, 20, seed=5, random_plies=0)
    assert sarai.rollout(name, 20, seed=5) != sarai.rollout(name, 20, seed=5, random_plies=2)


@every_game
def test_parts_files_and_trajectories_hold_them(name: str, tmp_path: Path) -> None:
    how: dict[str, Any] = {"agents": "greedy", "seed": 5, "random_plies": 3}
    whole = sarai.rollout(name, 20, **how, keep=[2])
    parts = [sarai.rollout(name, 10, **how, first_game=first, keep=[2] * (first == 0)) for first in (0, 10)]
    assert sarai.Rollout.concatenate(parts) == whole
    assert np.array_equal(sarai.Rollout.concatenate(parts).digests, whole.digests)  # type: ignore[arg-type]
    other = sarai.rollout(name, 10, "greedy", seed=5, first_game=10)
    with pytest.raises(ValueError, match="has random_plies 0, part 0 has 3"):
        sarai.Rollout.concatenate([parts[0], other])
    t = sarai.trajectories(name, 20, **how)
    assert np.array_equal(np.diff(t.offsets), whole.lengths)
    many = sarai.rollout_series(name, 5, target=1, max_games=4, **how)
    for result in (whole, t, many):
        result.save(tmp_path / "kept")
        back: Any = sarai.load(tmp_path / "kept")
        assert back == result
        assert back.random_plies == 3
    assert sarai.play_series(name, "greedy", target=1, max_games=4, seed=5, random_plies=3) == many[0]
    plain = sarai.rollout_series(name, 5, "greedy", target=1, max_games=4, seed=5)
    assert plain != many


def test_digests_that_are_not_known_stay_so(tmp_path: Path) -> None:
    r = sarai.rollout("sho", 5, seed=1)
    unknown = sarai.Rollout(
        **{name: value for name, value in vars(r).items() if name != "stats"} | {"digests": None}
    )
    assert unknown != r
    unknown.save(tmp_path / "kept")
    assert sarai.load(tmp_path / "kept") == unknown
    later = sarai.rollout("sho", 5, seed=1, first_game=5)
    assert sarai.Rollout.concatenate([unknown, later]).digests is None


@pytest.mark.parametrize("wrong", [-1, 1001, 10**30])
@pytest.mark.parametrize("play", [sarai.rollout, sarai.trajectories, sarai.rollout_series])
def test_numbers_out_of_range_are_refused(play: Any, wrong: int) -> None:
    with pytest.raises(ValueError, match=r"random_plies got .*; it takes 0 to 1000"):
        play("sho", 1, random_plies=wrong)
    with pytest.raises(TypeError, match="random_plies must be a whole number, not float"):
        play("sho", 1, random_plies=1.0)
