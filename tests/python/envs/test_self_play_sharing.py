"""One self-play environment and several threads, and arrays that others write to."""

from __future__ import annotations

import contextlib
import copy
import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.lanes import act, digest, go_on, same

Env = sarai.SelfPlayVectorEnv


def test_two_threads_at_one_environment() -> None:
    env, witness = Env("sho", 3, seed=1), Env("sho", 3, seed=1)
    actions = act(env.reset()[0])
    inside, go = threading.Event(), threading.Event()

    class Slow:
        """Actions that are not there yet."""

        def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.intp]:
            inside.set()
            go.wait()
            return actions

    stepped: list[Any] = []
    worker = threading.Thread(target=lambda: stepped.append(env.step(Slow())))
    worker.start()
    inside.wait()
    try:
        for meddle in (lambda: env.step(actions), env.reset, lambda: copy.copy(env)):
            with pytest.raises(RuntimeError, match="give each thread"):
                meddle()
    finally:
        go.set()
        worker.join()
    witness.reset()
    assert same(stepped[0], witness.step(actions))
    assert same(go_on(env, 5), go_on(witness, 5))


def test_who_comes_between_the_steps_of_another_thread_changes_nothing() -> None:
    env, alone = (Env("shuanglu", 200, seed=1, num_threads=1) for _ in range(2))
    observation, _ = env.reset()
    failures: list[BaseException] = []

    def step_on() -> None:
        rows = observation
        try:
            for _ in range(30):
                stepped = None
                while stepped is None:
                    with contextlib.suppress(RuntimeError):
                        stepped = env.step(rows["action_mask"].argmax(axis=1))
                rows = stepped[0]
        except BaseException as error:
            failures.append(error)

    worker = threading.Thread(target=step_on)
    worker.start()
    # No lane takes -1.
    nothing = np.full(env.num_envs, -1)
    for _ in range(100):
        with contextlib.suppress(RuntimeError, sarai.IllegalActionError):
            env.step(nothing)
        with contextlib.suppress(RuntimeError):
            copy.copy(env)
    worker.join()
    assert not failures
    for _ in range(30):
        observation = alone.step(observation["action_mask"].argmax(axis=1))[0]
    ahead = [digest(go_on(one, 2)) for one in (env, alone)]
    assert ahead[0] == ahead[1]


# What a user can do to an array in place.
SPOILS = {
    "read-only": lambda array: array.setflags(write=False),
    "another shape": lambda array: setattr(array, "shape", (array.size, 1)),
    "another dtype": lambda array: setattr(array, "dtype", np.int8),
    "resized": lambda array: array.resize((1,) * array.ndim, refcheck=False),
}


@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype):DeprecationWarning")
@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("copy", [True, False])
def test_arrays_spoilt_in_place_are_not_used_again(spoil: str, copy: bool) -> None:
    env = sarai.SelfPlayVectorEnv(sarai.games()[0], 4, seed=1, copy=copy)
    env.reset()
    shapes = [(array.shape, array.dtype) for array in env.step(env.sample_legal())[1:4]]
    for index in (1, 2, 3):
        result = env.step(env.sample_legal())
        SPOILS[spoil](result[index])
        del result
        again = env.step(env.sample_legal())[1:4]
        assert [(array.shape, array.dtype) for array in again] == shapes
