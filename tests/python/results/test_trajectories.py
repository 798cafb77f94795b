"""`sarai.trajectories`: the same games as the rollout's, decision by decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.refusals import refused

MIXED = ["greedy", "random", "random"]


@pytest.fixture(scope="module")
def recorded() -> sarai.results.Trajectories:
    return sarai.trajectories("sho", num_games=20, agents=MIXED, seed=7)


@pytest.mark.parametrize("name", sarai.games())
def test_arrays_agree_with_the_rollout(name: str) -> None:
    t = sarai.trajectories(name, num_games=10, seed=3)
    r = sarai.rollout(name, num_games=10, seed=3)
    assert np.array_equal(np.diff(t.offsets), r.lengths)
    # Every action was legal, and every observation in its range.
    t._check_rules()
    for index, one in enumerate(t):
        assert np.array_equal(one.rewards.sum(axis=0), r.returns[index])


def test_one_games_decisions_are_a_slice(recorded: sarai.results.Trajectories) -> None:
    assert len(recorded) == recorded.num_games == 20
    assert sum(len(one) for one in recorded) == recorded.num_decisions
    one = recorded[3]
    begin, end = recorded.offsets[3:5]
    assert np.array_equal(one.observations, recorded.observations[begin:end])
    assert np.shares_memory(one.masks, recorded.masks)
    assert np.array_equal(recorded[-1].actions, recorded[19].actions)
    for wrong in (20, -21, 2**70, 10**5000):
        with pytest.raises(IndexError, match="there is no game"):
            recorded[wrong]
    with pytest.raises(TypeError):
        recorded["3"]  # type: ignore[index]


@pytest.mark.parametrize("name", sarai.games())
def test_games_have_what_each_seat_sees_at_the_end(name: str) -> None:
    how: dict[str, Any] = {"agents": "random", "num_games": 10, "seed": 3, "random_plies": 2}
    t = sarai.trajectories(name, **how)
    records = sarai.rollout(name, keep=range(10), **how).records
    for index, one in enumerate(t):
        state = records[index].final_state
        assert state.is_terminal()
        wanted = [state.observation_tensor(seat) for seat in range(t.num_players)]
        assert np.array_equal(one.final_observations, wanted)
        assert np.shares_memory(one.final_observations, t.final_observations)
    assert np.array_equal(t[4:7].final_observations, t.final_observations[4:7])


@pytest.mark.parametrize("name", sarai.games())
def test_rows_say_how_the_game_ends_for_their_seat(name: str) -> None:
    t = sarai.trajectories(name, num_games=30, seed=5)
    columns = t[10:].to_arrow().to_pydict()
    row = 0
    for one in t[10:]:
        for place, seat in enumerate(one.players.tolist()):
            last = seat not in one.players[place + 1 :]
            assert columns["return"][row] == one.rewards[:, seat].sum()
            assert columns["last_of_seat"][row] == last
            assert columns["last_of_game"][row] == (place == len(one) - 1)
            wanted = one.final_observations[seat] if last else np.zeros_like(one.final_observations[seat])
            assert columns["final_observation"][row] == wanted.tolist()
            row += 1
    assert row == len(columns["return"])


def test_what_a_policy_saw_is_what_is_recorded() -> None:
    seen: list[bytes] = []

    def policy(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        seen.extend(row.tobytes() for row in observations)
        chosen: NDArray[np.intp] = masks.argmax(axis=1)
        return chosen

    t = sarai.trajectories("sho", ["random", policy, "random"], 5, seed=2)
    mine = t.players == 1
    assert sorted(seen) == sorted(row.tobytes() for row in t.observations[mine])
    assert np.array_equal(t.actions[mine], t.masks[mine].argmax(axis=1))
    assert t.agents[1].endswith("policy")


def test_more_decisions_than_allowed_are_refused(recorded: sarai.results.Trajectories) -> None:
    enough = recorded.num_decisions
    assert sarai.trajectories("sho", MIXED, 20, seed=7, max_decisions=enough) == recorded
    with pytest.raises(ValueError, match="max_decisions"):
        sarai.trajectories("sho", MIXED, 20, seed=7, max_decisions=enough - 1)


def test_a_stream_is_refused_before_its_first_part() -> None:
    def call(**given: Any) -> None:
        sarai.trajectories(**{"game": "shah", "num_games": 5, "stream": True, **given})

    values = {
        "num_games": [0, -1], "agents": ["clever"], "first_game": [-1], "random_plies": [-5, 1001],
        "num_threads": [-1], "max_decisions": [0, 2**63], "chunk_games": [0],
    }  # fmt: skip
    types = {"num_threads": [1.5], "progress": [5], "random_plies": [1.0], "stream": [1]}
    refused(call, values, types)


def test_a_stream_is_the_same_games_part_by_part() -> None:
    whole = sarai.trajectories("sho", MIXED, 25, seed=2, first_game=4)
    told: list[int] = []
    parts = sarai.trajectories(
        "sho", MIXED, 25, seed=2, first_game=4, stream=True, chunk_games=10, progress=told.append
    )
    found = list(parts)
    assert [len(part) for part in found] == [10, 10, 5]
    assert sarai.results.Trajectories.concatenate(found) == whole
    assert told[-1] == 25
    assert told == sorted(told)
    endless = sarai.trajectories("sho", num_games=10**15, stream=True, chunk_games=1, seed=0)
    assert next(endless) == sarai.trajectories("sho", num_games=1, seed=0)
    limited = sarai.trajectories("sho", num_games=10, stream=True, chunk_games=1, max_decisions=1, seed=0)
    with pytest.raises(ValueError, match="max_decisions=1"):
        next(limited)
