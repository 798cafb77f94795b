"""Policies that go wrong: the environment says what happened, and asks for a reset."""

from __future__ import annotations

import copy
import functools
import itertools
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.lanes import act, same, settled, two_games
from helpers.learner_games import told_by_one_seat

Env = sarai.SingleAgentVectorEnv


class Failing:
    """A policy that plays well until it is told otherwise."""

    def __init__(self) -> None:
        self.answer: Callable[[Any, Any], Any] = settled
        self.after = 0

    def __call__(self, observations: Any, masks: Any) -> Any:
        self.after -= 1
        return (settled if self.after >= 0 else self.answer)(observations, masks)


def nest(value: Any, _: int) -> list[Any]:
    return [value]


class PolicyError(Exception):
    """What the policies of these tests raise."""


def fails(observations: Any, masks: Any) -> Any:
    raise PolicyError("this policy has failed")


def interrupted(observations: Any, masks: Any) -> Any:
    raise KeyboardInterrupt


def misstep(env: Any, observation: Any, number: int) -> Any:
    """A step in which one lane's action is not legal."""
    actions = act(observation)
    actions[number % env.num_envs] = -1
    return env.step(actions)


def goes_wrong(env: Any, observation: Any) -> BaseException:
    """What is raised in one of the next steps."""
    try:
        for number in range(20):
            observation = misstep(env, observation, number)[0]
    except BaseException as error:
        return error
    raise AssertionError("nothing has gone wrong")


def cheats(observations: Any, masks: Any) -> Any:
    """Makes the mask allow what it does not."""
    actions = masks.argmin(1)
    masks.fill(1)
    return actions


WRONG: dict[str, tuple[type[BaseException], str, Callable[[Any, Any], Any]]] = {
    "error": (PolicyError, "this policy has failed", fails),
    "interrupt": (KeyboardInterrupt, "^$", interrupted),
    "floats": (TypeError, "integers", lambda rows, masks: masks.argmax(1) * 1.0),
    "bools": (TypeError, "integers", lambda rows, masks: masks.argmax(1) > -1),
    "a bool in a list": (TypeError, "not bool", lambda rows, masks: [*masks.argmax(1)[1:], True]),
    "masked": (ValueError, "masked", lambda rows, masks: np.ma.array(masks.argmax(1), mask=True)),
    "masked in a list": (ValueError, "masked", lambda rows, masks: [*masks.argmax(1)[1:], np.ma.masked]),
    "texts": (TypeError, "integers", lambda rows, masks: ["0"] * len(masks)),
    "nones": (TypeError, "integers", lambda rows, masks: [None] * len(masks)),
    "nothing": ((TypeError, ValueError), "policy returned must", lambda rows, masks: None),
    "scalar": (ValueError, r"shape .*, not \(\)", lambda rows, masks: 0),
    "table": (ValueError, "shape", lambda rows, masks: masks.argmax(1)[:, None]),
    "too many": (ValueError, "shape", lambda rows, masks: [0] * (len(masks) + 1)),
    "ragged": (ValueError, "shape", lambda rows, masks: [[0], [0, 0]]),
    "deeper than numpy goes": (
        ValueError,
        "shape",
        lambda rows, masks: functools.reduce(nest, range(50), -(2**64)),
    ),
    "illegal": (sarai.IllegalActionError, "chose action", lambda rows, masks: masks.argmin(1)),
    "made legal": (sarai.IllegalActionError, "chose action", cheats),
    "negative": (sarai.IllegalActionError, "action -1,", lambda rows, masks: masks.argmax(1) * 0 - 1),
    "one too large": (
        sarai.IllegalActionError,
        "chose action",
        lambda rows, masks: masks.argmax(1) * 0 + masks.shape[1],
    ),
    "wraps around": (sarai.IllegalActionError, "chose action", lambda rows, masks: masks.argmax(1) + 2**32),
    "unsigned": (
        sarai.IllegalActionError,
        "action 18446744073709551615",
        lambda rows, masks: np.full(len(masks), 2**64 - 1, np.uint64),
    ),
    "huge": (sarai.IllegalActionError, "action 1000000", lambda rows, masks: [10**30] * len(masks)),
}


# One kind of error is met in every mode; the others take turns.
@pytest.mark.parametrize(
    ("mode", "what"),
    [*zip(itertools.cycle(AutoresetMode), WRONG), *((mode, "error") for mode in [*AutoresetMode][1:])],
)
@two_games
def test_a_policy_that_goes_wrong_interrupts_its_environment(
    name: str, mode: AutoresetMode, what: str
) -> None:
    kind, words, answer = WRONG[what]
    seats = sarai.make(name).num_players
    failing = Failing()
    made: Any = {"seat": seats - 1, "autoreset_mode": mode, "illegal_action": "random"}
    env = Env(name, 5, opponents=[failing, *["random"] * (seats - 2)], **made)
    other = Env(name, 5, opponents=[settled, *["random"] * (seats - 2)], **made)
    works: list[Callable[[Any], Any]] = [
        # The first, the second, the third question from now on goes wrong: in this step or in a later one.
        *[lambda observation: goes_wrong(env, observation)] * 3,
        *(lambda _, reset=reset: env.reset(**reset) for reset in ({}, {"seed": 3})),
        lambda _: env.reset(options={"reset_mask": np.arange(5) > 0}),
    ]
    for after, work in enumerate(works):
        failing.answer, failing.after = settled, 0
        observation, _ = env.reset(seed=1)
        failing.answer, failing.after = answer, after if after < 3 else 0
        try:
            error = work(observation)
        except BaseException as raised:
            error = raised
        assert isinstance(error, kind)
        assert re.search(words, str(error))
        for look in (
            env.sample_legal,
            partial(env.state, 4),
            partial(env.step, [0] * 5),
            partial(copy.copy, env),
        ):
            with pytest.raises(RuntimeError, match=r"interrupted: call reset\(\)"):
                look()
        failing.answer = settled
        assert same(env.reset(seed=2), other.reset(seed=2))
        for number in range(3):
            observation = env._batch.observe()[0], env._batch.masks()
            told = {"observation": observation[0], "action_mask": observation[1]}
            assert same(misstep(env, told, number), misstep(other, told, number))


@two_games
def test_a_first_reset_may_fail_and_be_tried_again(name: str) -> None:
    seats = sarai.make(name).num_players
    failing = Failing()
    failing.answer = fails
    env = Env(name, 6, seat=seats - 1, opponents=[failing] * (seats - 1), seed=2)
    for look in (env.sample_legal, lambda: env.state(0), lambda: env.step([0] * 6)):
        with pytest.raises(RuntimeError, match=r"no game is under way; begin one with reset\(\)"):
            look()
    with pytest.raises(PolicyError):
        env.reset()
    with pytest.raises(RuntimeError, match=r"interrupted: call reset\(\)"):
        env.sample_legal()
    failing.answer = settled
    assert same(env.reset(seed=2), Env(name, 6, seat=seats - 1, opponents=settled, seed=2).reset())
    failing.answer = fails
    alone = sarai.SingleAgentEnv(name, seat=seats - 1, opponents=failing)
    # A game that a policy begins.
    seed = next(
        seed
        for seed in range(1000)
        if sarai.SelfPlayVectorEnv(name, 1, seed=seed).reset()[1]["current_player"][0] < seats - 1
    )
    with pytest.raises(PolicyError):
        alone.reset(seed=seed)
    with pytest.raises(ResetNeeded):
        alone.step(0)
    failing.answer = settled
    plain = sarai.SingleAgentEnv(name, seat=seats - 1, opponents=settled)
    assert same(alone.reset(seed=seed), plain.reset(seed=seed))


def test_opponents_that_fail_can_be_replaced() -> None:
    env = Env("shah", 3, seat=1, opponents=fails, seed=2)
    with pytest.raises(PolicyError):
        env.reset()
    env.set_opponents(settled)
    assert same(env.reset(seed=2), Env("shah", 3, seat=1, opponents=settled, seed=2).reset())


def test_a_policy_may_not_use_the_environment_that_asks_it() -> None:
    envs: list[Any] = []
    tried = {
        "step": lambda env: env.step(env.sample_legal()),
        "reset": lambda env: env.reset(seed=1),
        "state": lambda env: env.state(0),
        "observe": lambda env: env._batch.observe(),
        "copy": copy.deepcopy,
        "opponents": lambda env: env.set_opponents("random"),
        "starts": lambda env: env.set_starts(None),
    }
    told: list[str] = []

    def meddles(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        for what, attempt in tried.items():
            with pytest.raises(RuntimeError, match="in the middle of a step"):
                attempt(envs[0])
            told.append(what)
        return settled(observations, masks)

    envs.append(Env("sho", 4, seat=2, opponents=meddles, seed=1))
    plain = Env("sho", 4, seat=2, opponents=settled, seed=1)
    assert told_by_one_seat(envs[0], 10) == told_by_one_seat(plain, 10)
    assert set(told) == set(tried)
