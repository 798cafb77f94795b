"""`Rollout.concatenate`: parts that were played alike are joined, and policies are told apart by what they are."""

from __future__ import annotations

import copy
import functools
import gc
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from sarai import agents
from sarai._agents import policies

Actions = NDArray[np.intp]


def first_legal(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Actions:
    chosen: Actions = masks.argmax(axis=1)
    return chosen


class Learner:
    """A policy that is an object, and its method one."""

    def act(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Actions:
        return first_legal(observations, masks)

    __call__ = act


class Slotted:
    """A policy to which there are no weak references."""

    __slots__ = ()

    def __call__(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Actions:
        return first_legal(observations, masks)


SLOTTED = Slotted()


def halves(policy: Callable[[], Any], **how: Any) -> list[sarai.results.Rollout]:
    """Games 0 to 3 and 4 to 7, for which the policy is asked for each time."""
    return [
        sarai.rollout("shah(max_turns=30)", ["greedy", policy()], 4, first_game=first, seed=0, **how)
        for first in (0, 4)
    ]


LEARNER = Learner()
PARTIAL = functools.partial(first_legal)

SAME: dict[str, Callable[[], Any]] = {
    "a function": lambda: first_legal,
    "an object": lambda: LEARNER,
    "its method": lambda: LEARNER.act,
    "a partial function": lambda: PARTIAL,
}
OTHER: dict[str, Callable[[], Any]] = {
    "lambdas": lambda: lambda observations, masks: masks.argmax(axis=1),
    "objects": Learner,
    "their methods": lambda: Learner().act,
    "partial functions": lambda: functools.partial(first_legal),
    "what cannot be known again": lambda: SLOTTED,
}


@pytest.mark.parametrize("kind", SAME)
def test_the_same_object_is_the_same_policy(kind: str, tmp_path: Path) -> None:
    whole = sarai.rollout("shah(max_turns=30)", ["greedy", SAME[kind]()], 8, seed=0)
    parts = halves(SAME[kind])
    assert sarai.results.Rollout.concatenate(parts) == whole
    assert sarai.results.Rollout.concatenate(parts).policies == whole.policies
    assert whole.policies[0] is None
    # A file and a copy remember which object it was.
    parts[1].save(tmp_path / "b.npz")
    for twin in (
        sarai.results.Rollout.load(tmp_path / "b.npz"),
        copy.deepcopy(parts[1]),
        pickle.loads(pickle.dumps(parts[1])),
    ):
        assert sarai.results.Rollout.concatenate([parts[0], twin]) == whole


@pytest.mark.parametrize("kind", OTHER)
def test_another_object_is_another_policy_whatever_its_name(kind: str) -> None:
    parts = halves(OTHER[kind])
    assert parts[0].agents == parts[1].agents
    with pytest.raises(ValueError, match="seat 1 of part 1 was played by another policy"):
        sarai.results.Rollout.concatenate(parts)
    joined = sarai.results.Rollout.concatenate(parts, same_policies=True)
    # Equality leaves out which object it was.
    assert joined == sarai.rollout("shah(max_turns=30)", ["greedy", OTHER[kind]()], 8, seed=0)
    # Nobody knows which object played all of these.
    assert joined.policies[0] is None
    assert joined.policies[1] not in {None, parts[0].policies[1], parts[1].policies[1]}


def test_a_policy_is_no_agent_of_the_engine() -> None:
    def greedy(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Actions:
        return first_legal(observations, masks)

    greedy.__qualname__ = "greedy"
    parts = [
        sarai.rollout("shah(max_turns=30)", ["greedy", agent], 4, first_game=first, seed=0)
        for first, agent in ((0, "greedy"), (4, greedy))
    ]
    assert parts[1].agents == ("greedy", "greedy()")
    for same in (False, True):
        with pytest.raises(ValueError, match="part 1 has agents"):
            sarai.results.Rollout.concatenate(parts, same_policies=same)
    for name in ("random", "mcts:20"):
        greedy.__qualname__ = name
        assert agents.label(greedy) == f"{name}()"


def test_a_mark_goes_to_no_other_object() -> None:
    # A new object often stands where an old one stood.
    marks = set()
    for _ in range(200):
        learner = Learner()
        marks.add(agents.mark(learner))
        marks.add(agents.mark(learner.act))
        assert agents.mark(learner) == agents.mark(learner)
        del learner
    assert len(marks) == 400
    gc.collect()
    assert len(policies._marks) < 100, "what is gone is forgotten"


def test_parts_have_the_same_arrays() -> None:
    states = sarai.make("sho").sample_states(num_games=4, seed=0)
    few, many = states[:2].rollout("random", 2, seed=0), states[2:].rollout("random", 3, seed=0, first_row=2)
    with pytest.raises(ValueError, match="different numbers of games"):
        sarai.results.StatesRollout.concatenate([few, many])


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_random_plies_do_not_depend_on_who_plays(name: str) -> None:
    begins = []
    for who in ("greedy", first_legal):
        (record,) = sarai.rollout(name, who, 3, seed=5, random_plies=3, keep=[2]).records.values()
        third = [place for place, step in enumerate(record.steps) if step.player >= 0][2]
        begins.append([step.id for step in record.steps[: third + 1]])
    assert begins[0] == begins[1]


def test_a_rollout_takes_slices_alone() -> None:
    r = sarai.rollout("sho", num_games=3, seed=0)
    for take in (lambda: r[0], lambda: r[[1, 2]], lambda: list(r)):  # type: ignore[call-overload]
        with pytest.raises(
            TypeError, match=r"a rollout takes a slice of games, such as \[0:1\], not .*to_pandas"
        ):
            take()
