"""What `sarai.rollout` returns: the same whatever the threads and the split, in little memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai

Observations = NDArray[np.int8]
Masks = NDArray[np.int8]


@pytest.mark.parametrize("name", sarai.games())
def test_every_game_gives_the_documented_arrays(name: str) -> None:
    game = sarai.make(name)
    r = sarai.rollout(name, num_games=40, seed=3)
    assert (r.num_games, r.num_players) == (40, game.num_players)
    assert list(r.stats) == list(game.statistics)
    for statistic, total in r.stats.items():
        assert total.dtype == np.int32
        assert np.array_equal(total, r.stats_by_seat[statistic].sum(axis=1))
    assert (r.game, r.rules, list(r.sides)) == (game, game.rules, list(game.sides))
    assert r.lengths.min() > 0
    assert r.turns.min() > 0
    # Who won, and what each seat got of it, a save holds against the rules.
    r._check_rules()


@pytest.mark.nightly
@pytest.mark.parametrize("name", sarai.games())
def test_threads_and_halves_give_one_result(name: str) -> None:
    whole = sarai.rollout(name, num_games=20_000, seed=1)
    for threads in (1, 2):
        assert whole == sarai.rollout(name, num_games=20_000, seed=1, num_threads=threads)
    halves = [sarai.rollout(name, num_games=10_000, seed=1, first_game=first) for first in (0, 10_000)]
    assert sarai.results.Rollout.concatenate(halves) == whole


def test_agents_one_for_all_or_one_a_seat() -> None:
    assert sarai.rollout("sho", "greedy", 20, seed=2) == sarai.rollout("sho", ["greedy"] * 3, 20, seed=2)
    assert sarai.rollout("sho", None, 20, seed=2) == sarai.rollout("sho", num_games=20, seed=2)
    assert sarai.rollout("sho", num_games=20, seed=2).agents == ("random", "random", "random")


def test_a_policy_is_called_on_batches_of_views() -> None:
    game = sarai.make("sho")
    sizes = []

    def policy(observations: Observations, masks: Masks) -> NDArray[np.int64]:
        assert observations.dtype == masks.dtype == np.int8
        assert observations.shape == (len(masks), *game.observation_shape)
        assert masks.shape == (len(observations), game.num_actions)
        assert masks.any(axis=1).all()
        sizes.append(len(masks))
        return np.array([np.flatnonzero(row)[-1] for row in masks])

    r = sarai.rollout(game, [policy, "random", "random"], 50, seed=4)
    assert sum(sizes) <= r.lengths.sum()
    assert max(sizes) > 1
    assert r.agents[0].endswith("policy")


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (ZeroDivisionError, lambda masks: 1 / 0),
        (ValueError, lambda masks: masks.argmax(axis=1)[:-1]),
        (ValueError, lambda masks: masks.argmax(axis=1)[:, None]),
        (TypeError, lambda masks: masks.argmax(axis=1).astype(np.float64)),
        (sarai.IllegalActionError, lambda masks: masks.argmin(axis=1)),
        (sarai.IllegalActionError, lambda masks: masks.argmax(axis=1) - 1000),
        (sarai.IllegalActionError, lambda masks: masks.argmax(axis=1) + 2**40),
    ],
)
def test_policies_that_fail(error: type[Exception], answer: Callable[..., Any]) -> None:
    with pytest.raises(error, match=r"\w"):
        sarai.rollout("sho", lambda observations, masks: answer(masks), 10, seed=0)


def test_progress_is_silent_when_nobody_watches(capfd: pytest.CaptureFixture[str]) -> None:
    sarai.rollout("sho", num_games=50, progress=True, seed=0)
    assert capfd.readouterr() == ("", "")
