"""What the tests of all environments have in common: parameters, a policy, comparing what was returned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from packaging.version import Version

import sarai

IDS = {spec.kwargs["game"]: name for name, spec in gymnasium.registry.items() if name.startswith("sarai/")}
every_game = pytest.mark.parametrize("name", sarai.games())
every_mode = pytest.mark.parametrize("mode", list(AutoresetMode), ids=[mode.name for mode in AutoresetMode])
# Where all games share what is tested: three seats and dice, and two seats without.
two_games = pytest.mark.parametrize("name", ["sho", "shah"])
some_books = pytest.mark.parametrize(
    "book", [("sho", "teams"), ("shah", "shah"), ("shuanglu", "backgammon")], ids="-".join
)
a_game_for_every_mode = pytest.mark.parametrize(
    ("name", "mode"), [*zip(["sho", "shah", "tshupu"], AutoresetMode, strict=True)]
)


def quick(cases: Iterable[tuple[Any, ...]], kept: list[tuple[Any, ...]]) -> list[Any]:
    """All cases of a long test, of which those that are kept run in the quick suite and all others nightly."""
    return [case if case in kept else pytest.param(*case, marks=pytest.mark.nightly) for case in cases]


def skip_where_gymnasium_miscounts(mode: AutoresetMode) -> None:
    """Leave out a test of `RecordEpisodeStatistics` that its own fault, mended in 1.4, would fail."""
    if mode == AutoresetMode.SAME_STEP and Version(gymnasium.__version__) < Version("1.4"):
        pytest.skip("Gymnasium before 1.4 counts one step too few in this mode, whatever the environment")


def settled(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
    """A policy without memory or chance that still varies: the legal action that the view hashes to."""
    key = observations.astype(np.int64) @ (np.arange(observations.shape[1]) * 7919 + 31)
    scores = key[:, None] * (2 * np.arange(masks.shape[1]) + 1) * 40503 % 10007
    chosen: NDArray[np.intp] = np.where(masks == 1, scores, -1).argmax(axis=1)
    return chosen


def act(observation: dict[str, NDArray[np.int8]]) -> NDArray[np.intp]:
    """It, in all lanes of a vector environment."""
    return settled(observation["observation"], observation["action_mask"])


def same(left: Any, right: Any) -> bool:
    """Whether two things that an environment returned are the same, arrays to the bit and the dtype."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, tuple | list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, np.ndarray) and left.dtype == object:
        return same(left.tolist(), right.tolist())
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and np.array_equal(left, right)
    return bool(left == right)


def digest(value: Any) -> Any:
    """Small enough to keep for every step, and different where the arrays are."""
    if isinstance(value, dict):
        return {key: digest(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [digest(inner) for inner in value]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return digest(value.tolist())
    return (str(value.dtype), hash(value.tobytes())) if isinstance(value, np.ndarray) else value


def looks_like_a_picture(pixels: Any) -> bool:
    height, width, channels = pixels.shape
    colours = np.unique(pixels @ np.array([65536, 256, 1]))
    return pixels.dtype == np.uint8 and channels == 3 and min(height, width) > 100 and len(colours) > 3


def untouched(env: sarai.SelfPlayVectorEnv, witness: sarai.SelfPlayVectorEnv) -> None:
    """What has only met errors equals what has met nothing, now and for a while."""
    for each in (env, witness):
        if not each._batch.is_ready:
            each.reset()
    for one, other in zip(env._batch.observe(), witness._batch.observe(), strict=True):
        assert np.array_equal(one, other)
    actions = witness._batch.observe()[1].argmax(axis=1)
    for _ in range(20):
        one, other = env.step(actions), witness.step(actions)
        for key in ("observation", "action_mask"):
            assert np.array_equal(one[0][key], other[0][key])
        assert all(np.array_equal(one[place], other[place]) for place in (1, 2, 3))
        actions = other[0]["action_mask"].argmax(axis=1)
