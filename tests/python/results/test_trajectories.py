"""`sarai.trajectories`: the same games as the rollout's, decision by decision."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai

MIXED = ["greedy", "random", "random"]


def is_array(array: NDArray[Any], dtype: type[np.generic], shape: tuple[int, ...]) -> bool:
    return array.dtype == dtype and array.shape == shape


@pytest.fixture(scope="module")
def recorded() -> sarai.Trajectories:
    return sarai.trajectories("sho", num_games=20, agents=MIXED, seed=7)


@pytest.mark.parametrize("name", sarai.games())
def test_arrays_agree_with_the_rollout(name: str) -> None:
    game = sarai.make(name)
    t = sarai.trajectories(name, num_games=10, seed=3)
    r = sarai.rollout(name, num_games=10, seed=3)
    steps = int(r.lengths.sum())
    assert is_array(t.observations, np.int8, (steps, *game.observation_shape))
    assert is_array(t.masks, np.int8, (steps, game.num_actions))
    assert is_array(t.actions, np.int32, (steps,))
    assert is_array(t.players, np.int8, (steps,))
    assert is_array(t.rewards, np.float32, (steps, game.num_players))
    assert is_array(t.offsets, np.int64, (11,))
    assert np.array_equal(np.diff(t.offsets), r.lengths)
    assert t.masks[np.arange(steps), t.actions].all(), "every action was legal"
    assert set(np.unique(t.masks)) <= {0, 1}
    for index, one in enumerate(t):
        assert np.array_equal(one.rewards.sum(axis=0), r.returns[index])


def test_one_games_decisions_are_a_slice(recorded: sarai.Trajectories) -> None:
    assert len(recorded) == recorded.num_games == 20
    assert sum(len(one) for one in recorded) == recorded.num_decisions
    one = recorded[3]
    begin, end = recorded.offsets[3:5]
    assert np.array_equal(one.observations, recorded.observations[begin:end])
    assert np.shares_memory(one.masks, recorded.masks)
    assert np.array_equal(recorded[-1].actions, recorded[19].actions)
    for wrong in (20, -21, 2**70):
        with pytest.raises(IndexError, match="there is no game"):
            recorded[wrong]
    with pytest.raises(TypeError):
        recorded["3"]  # type: ignore[index]


def test_threads_and_the_split_do_not_change_the_games(recorded: sarai.Trajectories) -> None:
    for threads in (1, 2):
        assert sarai.trajectories("sho", 20, MIXED, seed=7, num_threads=threads) == recorded
    second = sarai.trajectories("sho", 10, MIXED, seed=7, first_game=10)
    assert np.array_equal(second.actions, recorded.actions[recorded.offsets[10] :])
    assert np.array_equal(second.offsets, recorded.offsets[10:] - recorded.offsets[10])
    assert second != recorded


def test_what_a_policy_saw_is_what_is_recorded() -> None:
    seen: list[bytes] = []

    def policy(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        seen.extend(row.tobytes() for row in observations)
        chosen: NDArray[np.intp] = masks.argmax(axis=1)
        return chosen

    t = sarai.trajectories("sho", 5, ["random", policy, "random"], seed=2)
    mine = t.players == 1
    assert sorted(seen) == sorted(row.tobytes() for row in t.observations[mine])
    assert np.array_equal(t.actions[mine], t.masks[mine].argmax(axis=1))
    assert t.agents[1].endswith("policy")


def test_more_decisions_than_allowed_are_refused(recorded: sarai.Trajectories) -> None:
    enough = recorded.num_decisions
    assert sarai.trajectories("sho", 20, MIXED, seed=7, max_decisions=enough) == recorded
    with pytest.raises(ValueError, match="max_decisions"):
        sarai.trajectories("sho", 20, MIXED, seed=7, max_decisions=enough - 1)


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"random_plies": -5}, ValueError, "random_plies got -5; it takes 0 to 1000"),
        ({"num_threads": -1}, ValueError, "num_threads got -1; it takes 1 to 256"),
        ({"num_threads": 1.5}, TypeError, "num_threads must be a whole number, not float"),
        ({"max_decisions": 0}, ValueError, "max_decisions got 0; it takes 1 to 9223372036854775807"),
        ({"max_decisions": 2**63}, ValueError, "max_decisions got 9223372036854775808; it takes"),
        ({"progress": 5}, TypeError, "progress must be True, False or a callable"),
    ],
)
def test_a_stream_is_refused_before_its_first_part(
    wrong: dict[str, Any], error: type[Exception], words: str
) -> None:
    for stream in (True, False):
        with pytest.raises(error, match=words):
            sarai.trajectories("shah", 5, stream=stream, **wrong)


def test_huge_indices_are_not_quoted(recorded: sarai.Trajectories) -> None:
    with pytest.raises(IndexError, match="there is no game a number of 16610 bits among 20"):
        recorded[10**5000]
    with pytest.raises(ValueError, match="so no step of a number of 16610 bits"):
        recorded[:: 10**5000]


@pytest.mark.parametrize("num_games", [0, -1, 2**63])
def test_num_games_out_of_range(num_games: int) -> None:
    with pytest.raises(ValueError, match="num_games"):
        sarai.trajectories("sho", num_games=num_games)


def test_save_and_load(recorded: sarai.Trajectories, tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    recorded.save(path)
    assert sarai.Trajectories.load(path) == recorded
    assert sarai.load(path) == recorded
    with pytest.raises(ValueError, match=r"holds sarai\.trajectories, not sarai\.rollout; sarai\.load reads"):
        sarai.Rollout.load(path)
    sarai.rollout("sho", 5).save(path)
    with pytest.raises(ValueError, match=r"holds sarai\.rollout, not sarai\.trajectories"):
        sarai.Trajectories.load(path)
    path.write_text("nothing of the kind")
    with pytest.raises(ValueError, match="was not written by Sarai"):
        sarai.Trajectories.load(path)
    with pytest.raises(FileNotFoundError):
        sarai.Trajectories.load(tmp_path / "missing.npz")


@pytest.mark.parametrize("how", ["empty", "late", "short", "descending"])
def test_offsets_must_cover_the_decisions(recorded: sarai.Trajectories, how: str) -> None:
    steps = recorded.num_decisions
    offsets = {"empty": [], "late": [1, steps], "short": [0, steps - 1], "descending": [0, 5, 3, steps]}[how]
    with pytest.raises(ValueError, match="offsets must ascend"):
        replace(recorded, offsets=np.array(offsets, np.int64))


def test_repr_copy_and_pickle(recorded: sarai.Trajectories) -> None:
    assert repr(recorded).startswith(f"Trajectories('sho', 20 games, {recorded.num_decisions:,} decisions, ")
    for twin in (copy.deepcopy(recorded), pickle.loads(pickle.dumps(recorded))):
        assert twin == recorded
