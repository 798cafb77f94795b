"""Bad actions, masks and snapshots of an environment: each a clear error that changes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.lanes import untouched
from sarai._render.animation import animate
from sarai.render import draw

# One with dice and more than two seats, one without dice.
two_games = pytest.mark.parametrize("name", ["sho", "shah"])


def pair(name: str, lanes: int = 3) -> tuple[sarai.SelfPlayVectorEnv, sarai.SelfPlayVectorEnv]:
    one, other = (sarai.SelfPlayVectorEnv(name, lanes, seed=2) for _ in range(2))
    return one, other


@two_games
def test_illegal_actions_in_a_batch(name: str) -> None:
    env, witness = pair(name)
    legal = env.reset()[0]["action_mask"].argmax(axis=1)
    mask = env._batch.observe()[1]
    for lane in range(3):
        illegal = int(np.flatnonzero(mask[lane] == 0)[-1])
        huge: list[int] = [
            2**63 - 1,
            -(2**63),
            2**15,
            2**16,
            2**16 + int(legal[lane]),
            2**32 + int(legal[lane]),
        ]
        for wrong in [illegal, -1, env.game.num_actions, *huge]:
            actions = legal.copy()
            actions[lane] = wrong
            with pytest.raises(sarai.IllegalActionError, match=f"^lane {lane}: action {wrong} is not legal"):
                env.step(actions)
        for wrong in (2**63, 2**64 - 1):
            actions = legal.astype(np.uint64)
            actions[lane] = wrong
            with pytest.raises(sarai.IllegalActionError, match=f"action {wrong} is not legal"):
                env.step(actions)
        for wrong in (2**63, 10**30, -(10**30), 10**5000):
            given = legal.tolist()
            given[lane] = wrong
            with pytest.raises(sarai.IllegalActionError, match="is not legal") as refused:
                env.step(given)
            assert ("of 16610 bits" if wrong == 10**5000 else str(wrong)[:20]) in str(refused.value)
        for masked in (np.ma.masked, np.ma.array(legal[lane], mask=True)):
            given = legal.tolist()
            given[lane] = masked
            with pytest.raises(ValueError, match="actions must be integers, and some are masked"):
                env.step(given)
    untouched(env, witness)


@pytest.mark.parametrize(
    ("numbers", "named"),
    [
        ([2**70, 2**70], "1180591620717411303424"),
        ([2**70, 2**80], "far out of range"),
        ([-(2**63), 2**70], "far out of range"),
        ([-(2**63), -(2**63)], "-9223372036854775808"),
    ],
)
def test_no_lane_is_said_to_have_the_action_of_another(numbers: list[int], named: str) -> None:
    env = sarai.SelfPlayVectorEnv("sho", 2, seed=1)
    env.reset()
    for given in (numbers, np.array(numbers, object)):
        with pytest.raises(sarai.IllegalActionError, match=f"^lane 0: action {named} is not legal here"):
            env.step(given)


def test_of_many_huge_numbers_one_is_written_out() -> None:
    written = []

    class Huge(int):
        def __str__(self) -> str:
            written.append(int(self))
            return "huge"

    env = sarai.SelfPlayVectorEnv("sho", 1000, seed=1)
    env.reset()
    for given in ([Huge(2**70)] * 1000, np.array([Huge(2**70) for _ in range(1000)], object)):
        with pytest.raises(sarai.IllegalActionError, match=r"^lane 0: action huge is not legal here"):
            env.step(given)
    assert written == [2**70] * 2


def strided(actions: NDArray[np.int64]) -> NDArray[np.int64]:
    wide = np.full(3 * len(actions), -1)
    wide[::3] = actions
    return wide[::3]


def misaligned(actions: NDArray[np.int64]) -> NDArray[np.int64]:
    raw = np.frombuffer(b"\x00" + actions.tobytes(), np.uint8)[1:]
    return raw.view(np.int64)


def read_only(actions: NDArray[np.int64]) -> NDArray[np.int64]:
    frozen = actions.copy()
    frozen.flags.writeable = False
    return frozen


ACCEPTED: dict[str, Callable[[NDArray[np.int64]], Any]] = {
    "int16": lambda actions: actions.astype(np.int16),
    "int32": lambda actions: actions.astype(np.int32),
    "uint64": lambda actions: actions.astype(np.uint64),
    "big endian": lambda actions: actions.astype(">i8"),
    "list": lambda actions: actions.tolist(),
    "tuple": lambda actions: tuple(actions.tolist()),
    "list of numpy's": list,
    "objects": lambda actions: actions.astype(object),
    "strided": strided,
    "reversed": lambda actions: actions[::-1].copy()[::-1],
    "misaligned": misaligned,
    "read-only": read_only,
}


@pytest.mark.parametrize("form", ACCEPTED)
def test_actions_in_any_form_of_integers(form: str) -> None:
    env, witness = pair("sho")
    witness.reset()
    actions = env.reset()[0]["action_mask"].argmax(axis=1)
    for _ in range(10):
        seen = env.step(ACCEPTED[form](actions))
        expected = witness.step(actions)
        assert np.array_equal(seen[0]["observation"], expected[0]["observation"])
        actions = expected[0]["action_mask"].argmax(axis=1)


@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt, MemoryError])
def test_what_an_action_raises_comes_through(kind: type[BaseException]) -> None:
    class Raises:
        def __index__(self) -> int:
            raise kind("the disk is full")

    env, witness = pair("sho")
    env.reset()
    with pytest.raises(kind, match="the disk is full"):
        env.step([Raises()] * 3)  # type: ignore[arg-type]
    with pytest.raises(kind, match="the disk is full"):
        sarai.rollout("sho", lambda observations, masks: [Raises()] * len(masks), 6, seed=0)  # type: ignore[arg-type, return-value]
    untouched(env, witness)


@two_games
def test_actions_of_a_wrong_shape_or_type(name: str) -> None:
    env, witness = pair(name)
    legal = env.reset()[0]["action_mask"].argmax(axis=1)
    shapes: list[Any] = [
        legal[:2],
        [*legal, 0],
        legal[:, None],
        legal[None],
        [],
        int(legal[0]),
        [[1], [2, 3]],
    ]
    shapes += [np.zeros((3, 0), int), np.zeros(0, int), [[0, 0, 0]] * 3, legal.reshape(3, 1, 1)]
    for wrong in shapes:
        with pytest.raises(ValueError, match=r"\(3,\)"):
            env.step(wrong)
    kinds: list[Any] = [legal * 1.0, legal.astype(bool), legal.astype(str), legal.astype(complex)]
    kinds += [legal.astype("M8[s]"), ["a", "b", "c"], [None] * 3, [0, 0, 0.5], [object()] * 3, [0, "0", 0]]
    kinds += [np.array([0.5, 0, 0], dtype=object), [float("nan")] * 3, [b"0"] * 3]
    for wrong in kinds:
        with pytest.raises(TypeError, match=r"actions must be (.*integer|a whole number)"):
            env.step(wrong)
    for wrong in (None, "actions", {"a": 1}, object()):
        with pytest.raises((TypeError, ValueError), match="actions must"):
            env.step(wrong)  # type: ignore[arg-type]
    untouched(env, witness)


def test_actions_that_step_the_environment_themselves() -> None:
    env, witness = pair("sho")
    legal = env.reset()[0]["action_mask"].argmax(axis=1)

    class Sneaky:
        def __index__(self) -> int:
            env.step(legal)
            return -1

    with pytest.raises(RuntimeError, match="in the middle of a step"):
        env.step(np.array([Sneaky(), 0, 0], dtype=object))
    untouched(env, witness)


def test_reset_masks_of_a_wrong_shape_or_type() -> None:
    env, witness = pair("sho")
    env.reset()
    witness.reset()
    for wrong in ([True] * 3, np.ones(3, int), np.ones(3), None, True, "all"):
        with pytest.raises(TypeError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    for shape in ((2,), (4,), (3, 1), (), (0,)):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": np.ones(shape, bool)})
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(3, bool)})
    for lane in (-1, 3, 10**30):
        with pytest.raises(ValueError, match="lane got"):
            env.state(lane)
    with pytest.raises(TypeError, match="lane must be"):
        env.state(0.5)  # type: ignore[arg-type]
    untouched(env, witness)


def test_autoreset_modes_that_do_not_exist() -> None:
    for wrong in ("", "sometimes", None, 3, True):
        with pytest.raises(ValueError, match="autoreset_mode got"):
            sarai.SelfPlayVectorEnv("sho", 1, autoreset_mode=wrong)  # type: ignore[arg-type]


def nested() -> list[Any]:
    """A list in a list in a list: its repr is a RecursionError."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    return deep


START = sarai.make("sho").new_initial_state().view()
PLAYED = sarai.rollout("sho", num_games=1, seed=1)
ENDLESS: list[tuple[str, Callable[[Any], Any]]] = [
    ("autoreset_mode", lambda wrong: sarai.SelfPlayVectorEnv("sho", 1, autoreset_mode=wrong)),
    ("render_mode", lambda wrong: sarai.SelfPlayVectorEnv("sho", 1, render_mode=wrong)),
    ("num_players", lambda wrong: draw({**START, "num_players": wrong})),
    ("no drawing", lambda wrong: draw({**START, "game": wrong})),
    ("theme", lambda wrong: draw(START, theme=wrong)),
    ("size", lambda wrong: draw(START, size=wrong)),
    ("last", lambda wrong: draw(START, last=wrong)),
    ("seconds_per_frame", lambda wrong: animate([START], seconds_per_frame=wrong)),
    ("repeat", lambda wrong: animate([START], repeat=wrong)),
    ("agents", lambda wrong: dataclasses.replace(PLAYED, agents=wrong)),
    ("policies", lambda wrong: dataclasses.replace(PLAYED, policies=(wrong,))),
]


@pytest.mark.parametrize(("name", "give"), ENDLESS, ids=[case[0] for case in ENDLESS])
def test_what_was_given_is_quoted_in_few_words(name: str, give: Callable[[Any], Any]) -> None:
    for wrong in (nested(), "x" * 10_000, 10**10_000):
        with pytest.raises(ValueError, match=name) as caught:
            give(wrong)
        assert len(str(caught.value)) < 400


@two_games
def test_snapshots_that_are_none(name: str) -> None:
    env, _ = pair(name)
    other = sarai.SelfPlayVectorEnv(name, 4)
    whole = env._batch.snapshot()
    for wrong in ("", "[", "{}", "[" * 10**6, whole[:-1], whole + "x", other._batch.snapshot()):
        with pytest.raises(ValueError, match=r"\w+ \w+"):
            env._make_batch(0, wrong)
