"""`Rollout.concatenate`: parts that were played alike are joined, and policies are told apart by what they are."""

from __future__ import annotations

import copy
import functools
import gc
import itertools
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from sarai import agents
from sarai.agents import policies

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


def halves(policy: Callable[[], Any], **how: Any) -> list[sarai.Rollout]:
    """Games 0 to 3 and 4 to 7, for which the policy is asked for each time."""
    return [
        sarai.rollout("shah", 4, ["greedy", policy()], first_game=first, max_turns=30, **how)
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
    whole = sarai.rollout("shah", 8, ["greedy", SAME[kind]()], max_turns=30)
    parts = halves(SAME[kind])
    assert sarai.Rollout.concatenate(parts) == whole
    assert sarai.Rollout.concatenate(parts).policies == whole.policies
    assert whole.policies[0] is None
    # A file and a copy remember which object it was.
    parts[1].save(tmp_path / "b.npz")
    for twin in (
        sarai.Rollout.load(tmp_path / "b.npz"),
        copy.deepcopy(parts[1]),
        pickle.loads(pickle.dumps(parts[1])),
    ):
        assert sarai.Rollout.concatenate([parts[0], twin]) == whole


@pytest.mark.parametrize("kind", OTHER)
def test_another_object_is_another_policy_whatever_its_name(kind: str) -> None:
    parts = halves(OTHER[kind])
    assert parts[0].agents == parts[1].agents
    with pytest.raises(
        ValueError, match="seat 1 of part 1 was played by another policy than in part 0, though both"
    ):
        sarai.Rollout.concatenate(parts)
    joined = sarai.Rollout.concatenate(parts, same_policies=True)
    assert joined.num_games == 8
    # Nobody knows which object played all of these.
    assert joined.policies[0] is None
    assert joined.policies[1] not in {None, parts[0].policies[1], parts[1].policies[1]}


def test_a_policy_is_no_agent_of_the_engine() -> None:
    def greedy(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Actions:
        return first_legal(observations, masks)

    greedy.__qualname__ = "greedy"
    parts = [
        sarai.rollout("shah", 4, ["greedy", agent], first_game=first, max_turns=30)
        for first, agent in ((0, "greedy"), (4, greedy))
    ]
    assert parts[1].agents == ("greedy", "greedy()")
    for same in (False, True):
        with pytest.raises(ValueError, match="part 1 has agents"):
            sarai.Rollout.concatenate(parts, same_policies=same)
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


def test_another_process_has_other_marks(tmp_path: Path) -> None:
    script = (
        "import sys, sarai\n"
        "def first_legal(observations, masks):\n"
        "    return masks.argmax(axis=1)\n"
        "sarai.rollout('shah', 4, ['greedy', first_legal], first_game=4, max_turns=30).save(sys.argv[1])\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "b.npz")], check=True)
    parts = [halves(lambda: first_legal)[0], sarai.Rollout.load(tmp_path / "b.npz")]
    with pytest.raises(ValueError, match="same_policies=True if they decide alike"):
        sarai.Rollout.concatenate(parts)
    whole = sarai.rollout("shah", 8, ["greedy", first_legal], max_turns=30)
    assert sarai.Rollout.concatenate(parts, same_policies=True) == whole


def test_long_labels_are_not_quoted_whole() -> None:
    def policy(_: NDArray[np.int8], masks: NDArray[np.int8]) -> Actions:
        return masks.argmax(axis=1)

    policy.__qualname__ = "a" * 20_000
    parts = [
        sarai.rollout("shah", 2, policy, max_turns=4),
        sarai.rollout("shah", 2, max_turns=4, first_game=2),
    ]
    with pytest.raises(ValueError, match=r"part 1 has agents .* part 0 has .'a{900}") as refused:
        sarai.Rollout.concatenate(parts)
    assert len(str(refused.value)) < 4000


def test_parts_have_the_same_arrays() -> None:
    first, second = (sarai.rollout("sho", 2, first_game=first) for first in (0, 2))
    for parts in (
        [first, replace(second, stats_by_seat={})],
        [replace(first, stats_by_seat={}), second],
    ):
        with pytest.raises(ValueError, match=r"part 1 has arrays .* only rollouts that were played alike"):
            sarai.Rollout.concatenate(parts)
    assert sarai.Rollout.concatenate([replace(first, digests=None), second]).digests is None
    t = sarai.trajectories("sho", 2)
    narrow = replace(t[1:], masks=t[1:].masks[:, :-1])
    with pytest.raises(ValueError, match=r"part 1 has arrays .* only trajectories that were played alike"):
        sarai.Trajectories.concatenate([t[:1], narrow])


def test_parts_come_in_any_iterable() -> None:
    whole = sarai.rollout("sho", 12, seed=1)
    parts = [sarai.rollout("sho", 4, seed=1, first_game=first) for first in (0, 4, 8)]
    for given in (
        parts,
        tuple(parts),
        iter(parts),
        (part for part in parts),
        dict(enumerate(parts)).values(),
    ):
        assert sarai.Rollout.concatenate(given) == whole
    assert sarai.Rollout.concatenate(itertools.islice(parts, 1)) == parts[0]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (None, "parts must be a list of rollouts, not NoneType"),
        (3, "parts must be a list of rollouts, not int"),
        (sarai.rollout("sho", 1), "parts must be a list of rollouts, not Rollout"),
        ("ab", "part 0 must be a Rollout, not str"),
        ([sarai.rollout("sho", 1), None], "part 1 must be a Rollout, not NoneType"),
        ([sarai.trajectories("sho", 1)], "part 0 must be a Rollout, not Trajectories"),
    ],
)
def test_what_is_no_rollout_is_refused(parts: Any, sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{sentence}$"):
        sarai.Rollout.concatenate(parts)


@pytest.mark.parametrize("policies", [("a",), ("a", None, None, "b"), ("", None, None), (1, 2, 3), "abcd"])
def test_marks_of_a_wrong_shape_are_refused(policies: Any) -> None:
    r = sarai.rollout("sho", 1)
    with pytest.raises(ValueError, match="policies must be a tuple with one mark or None per seat"):
        sarai.Rollout(
            **{**{name: value for name, value in vars(r).items() if name != "stats"}, "policies": policies}
        )
