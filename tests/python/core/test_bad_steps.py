"""Bad actions, masks and snapshots of an environment: each a clear error that changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

import sarai
from helpers.lanes import untouched

# One with dice and more than two seats, one without dice.
two_games = pytest.mark.parametrize("name", ["sho", "shah"])


def pair(name: str, lanes: int = 3) -> tuple[sarai.SelfPlayVectorEnv, sarai.SelfPlayVectorEnv]:
    one, other = (sarai.SelfPlayVectorEnv(name, lanes, seed=2) for _ in range(2))
    return one, other


@pytest.mark.parametrize("numbers", [[2**70, 2**70], [-(2**63), 2**70], [10**5000, 0]])
def test_numbers_of_more_than_64_bits_are_illegal_actions(numbers: list[int]) -> None:
    env = sarai.SelfPlayVectorEnv("sho", 2, seed=1)
    env.reset()
    for given in (numbers, np.array(numbers, object)):
        with pytest.raises(
            sarai.IllegalActionError, match=r"^lane 0: action far out of range is not legal here"
        ):
            env.step(given)


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
    for none in (np.zeros(3, bool), np.ma.array([True] * 3, mask=[0, 0, 1])):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": none})
    for lane in (-1, 3, 10**30):
        with pytest.raises(ValueError, match="lane got"):
            env.state(lane)
    with pytest.raises(TypeError, match="lane must be"):
        env.state(0.5)  # type: ignore[arg-type]
    untouched(env, witness)


@two_games
def test_snapshots_that_are_none(name: str) -> None:
    env, _ = pair(name)
    other = sarai.SelfPlayVectorEnv(name, 4)
    whole = env._batch.snapshot()
    for wrong in ("", "[", "{}", "[" * 10**6, whole[:-1], whole + "x", other._batch.snapshot()):
        with pytest.raises(ValueError, match=r"\w+ \w+"):
            env._make_batch(0, wrong)
