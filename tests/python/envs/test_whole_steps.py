"""A step that ends midway, by Ctrl-C at any point or by an error, leaves an environment that asks for a reset."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import sarai
from helpers.interrupts import interrupted
from helpers.lanes import act, digest, every_mode
from helpers.learner_games import act_alone, lowest

Work = Callable[[Any], Callable[[], Any]]
"""A call of one of an environment's methods, whose arguments are known beforehand."""


def stands(env: Any) -> Any:
    """Everything that can be seen of where an environment stands, and everything that its future depends on.

    None where it asks for a reset.
    """
    if not env._batch.is_ready:
        return None
    seen: list[Any] = [digest(env._batch.masks()), env._batch.snapshot(), env._repr_html_()]
    if hasattr(env, "possible_agents"):
        dicts = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
        seen += [env.agent_selection, list(env.agents), *map(digest, dicts), env._decisions]
        seen += [digest(env.observe(agent)) for agent in env.possible_agents]
        seen += [env.np_random_seed, env._skip_agent_selection, str(env.game_state())]
        if env.agents:
            seen.append(digest(env.last()))
        return seen
    states = [env.state(lane) for lane in range(env.num_envs)] if hasattr(env, "num_envs") else [env.state()]
    chance = [str(env.np_random.bit_generator.state), env.np_random_seed]
    return [*seen, *chance, list(map(str, states))]


@pytest.fixture(params=[5, pytest.param(None, marks=pytest.mark.nightly)], ids=["some points", "every point"])
def points(request: pytest.FixtureRequest) -> Any:
    """How many of the points of a call are tried; None is all."""
    return request.param


def places(work: Callable[[], Any], points: int | None) -> list[int]:
    """The points to be tried of a call: some, drawn with a seed, or all. The last is one past its end."""
    end = 10**9 - interrupted(10**9, work).left
    assert end > 50
    chosen = range(end) if points is None else sorted(random.Random(end).sample(range(end), points))
    return [*chosen, end]


def asks_for_a_reset(env: Any, twin: Any) -> None:
    """An environment that was interrupted says so until it is reset, and then is as its twin, which was not."""
    looks: list[Callable[[], Any]]
    if hasattr(env, "possible_agents"):
        looks = [partial(env.observe, "player_0"), env.game_state, partial(env.step, 0)]
    elif hasattr(env, "num_envs"):
        looks = [
            env.action_masks,
            env.sample_legal,
            partial(env.state, 0),
            partial(env.step, [0] * env.num_envs),
        ]
    else:
        looks = [env.action_masks, env.sample_legal, env.state, partial(env.step, 0)]
    for look in looks:
        for _ in range(2):
            with pytest.raises((RuntimeError, ResetNeeded), match=r"reset\(\)"):
                look()
    assert env._repr_html_()
    for each in (env, twin):
        each.reset(seed=3)
    assert stands(env) == stands(twin)
    assert digest(step(env)()) == digest(step(twin)())


def interrupt(env: Any, work: Work, points: int | None) -> None:
    """Interrupt the work at these points."""
    before = stands(env)
    through = copy.copy(env)
    told = digest(work(through)())
    after = stands(through)
    assert after != before, "a test of nothing"
    *inside, end = places(work(copy.copy(env)), points)
    for at in inside:
        one = copy.copy(env)
        interrupter = interrupted(at, work(one))
        assert interrupter.said
        stood = stands(one)
        if stood is None:
            asks_for_a_reset(one, copy.copy(env))
        elif not (interrupter.at_the_return and stood == after):
            assert stood == before
            # And it is not only shown so.
            assert digest(work(one)()) == told
            assert stands(one) == after
    assert not interrupted(end, work(copy.copy(env))).said


def step(env: Any) -> Callable[[], Any]:
    """The step of a policy, whatever the environment."""
    if hasattr(env, "possible_agents"):
        observation, _, terminated, truncated, _ = env.last()
        action = None if terminated or truncated else act_alone(observation)
        return lambda: env.step(action)
    observation, masks, _ = env._batch.observe()
    actions = act({"observation": observation, "action_mask": masks})
    return lambda: env.step(actions if hasattr(env, "num_envs") else int(actions[0]))


def reset(**given: Any) -> Work:
    return lambda env: lambda: env.reset(**copy.deepcopy(given))


def until(env: Any, happens: Callable[[Any], bool]) -> Any:
    """The environment where it stands before the first step in which this happens."""
    for _ in range(2000):
        after = copy.copy(env)
        if happens(step(after)()):
            return env
        env = after
    raise AssertionError("it does not happen")


def learner(name: str, seat: int, opponents: Any) -> Any:
    env = sarai.SingleAgentEnv(name, seat=seat, opponents=opponents, illegal_action="random")
    env.reset(seed=3)
    return env


OPPONENTS = {"random": "random", "mcts": "mcts:2", "policy": lowest}
every_opponent = pytest.mark.parametrize("opponents", OPPONENTS.values(), ids=OPPONENTS)
self_play_or_opponents = pytest.mark.parametrize(
    "opponents", [None, *OPPONENTS.values()], ids=["self-play", *OPPONENTS]
)


@every_opponent
def test_the_environment_of_one_game(opponents: Any, points: int | None) -> None:
    new = sarai.SingleAgentEnv("shuanglu", seat=1, opponents=opponents, illegal_action="random")
    interrupt(new, reset(), points)
    env = copy.copy(new)
    env.reset(seed=3)
    for work in (step, lambda env: lambda: env.step(-1), reset(), reset(seed=8)):
        interrupt(env, work, points)
    ends = until(env, lambda told: bool(told[2]))
    interrupt(ends, step, points)
    step(ends)()
    interrupt(ends, reset(), points)


def vector(mode: AutoresetMode, opponents: Any, **made: Any) -> Any:
    name = "shuanglu" if opponents is lowest else "tshupu"
    made = {"seed": 5, "autoreset_mode": mode, "max_episode_steps": 4, **made}
    if opponents is None:
        return sarai.SelfPlayVectorEnv(name, 3, reward_of="actor", **made)
    return sarai.SingleAgentVectorEnv(name, 3, opponents=opponents, **made)


@every_mode
@self_play_or_opponents
def test_vector_environments(mode: AutoresetMode, opponents: Any, points: int | None) -> None:
    new = vector(mode, opponents, illegal_action="random")
    env = copy.copy(new)
    env.reset()
    interrupt(env, step, points)
    ends = until(env, lambda told: bool(told[3].any()))
    interrupt(ends, step, points)
    step(ends)()
    if mode == AutoresetMode.DISABLED:
        interrupt(ends, reset(options={"reset_mask": np.array([True, False, True])}), points)
    elif mode == AutoresetMode.NEXT_STEP:
        interrupt(ends, step, points)
    else:
        interrupt(new, reset(), points)
        interrupt(env, reset(seed=[1, 2, 3]), points)
        interrupt(env, reset(seed=6), points)


@pytest.mark.parametrize("illegal_action", ["raise", "terminate", "random"])
def test_the_environment_of_turns(illegal_action: str, points: int | None) -> None:
    new = sarai.aec_env("shuanglu", illegal_action=illegal_action, max_cycles=3)
    interrupt(new, reset(), points)
    env = copy.copy(new)
    env.reset(seed=4)
    interrupt(env, step, points)
    interrupt(env, reset(seed=9), points)
    if illegal_action != "raise":
        interrupt(env, lambda env: lambda: env.step(-1), points)
    while not any(env.truncations.values()):
        ends = copy.copy(env)
        step(env)()
    interrupt(ends, step, points)
    while env.agents:
        interrupt(env, step, points)
        # As PettingZoo's TerminateIllegalWrapper does it.
        interrupt(env, lambda env: lambda: env._was_dead_step(None), points)
        step(env)()


# --- Errors --------------------------------------------------------------------------------------------------


class RefusedError(Exception):
    """What a policy here raises."""


@every_mode
def test_a_policy_that_fails_leaves_an_environment_that_asks_for_a_reset(mode: AutoresetMode) -> None:
    fails = False

    def sometimes(observations: Any, masks: Any) -> Any:
        if fails:
            raise RefusedError
        return lowest(observations, masks)

    env = sarai.SingleAgentVectorEnv("shah", 2, seat=1, opponents=sometimes, seed=1, autoreset_mode=mode)
    env.reset()
    for work in (step, reset(), reset(seed=4)):
        twin = copy.copy(env)
        fails = True
        with pytest.raises(RefusedError):
            work(env)()
        assert stands(env) is None
        with pytest.raises(RefusedError):
            env.reset()
        fails = False
        with pytest.raises(RuntimeError, match=r"interrupted: call reset\(\)"):
            env.reset(options={"reset_mask": np.array([True, True])})
        asks_for_a_reset(env, twin)


def worth(observations: Any) -> Any:
    """A shaping of no meaning."""
    return observations.mean(axis=1, dtype=np.float64)


def test_a_shaping_that_fails_leaves_an_environment_that_asks_for_a_reset() -> None:
    fails = False

    def sometimes(observations: Any) -> Any:
        if fails:
            raise RefusedError
        return worth(observations)

    made: dict[str, Any] = {"seat": 1, "opponents": lowest, "shaping": sometimes}
    for env in (sarai.SingleAgentVectorEnv("shuanglu", 3, **made), sarai.SingleAgentEnv("shuanglu", **made)):
        for work in (reset(), step):
            env.reset(seed=1)
            twin = copy.copy(env)
            act = work(env)
            fails = True
            with pytest.raises(RefusedError):
                act()
            fails = False
            asks_for_a_reset(env, twin)


@self_play_or_opponents
def test_actions_that_are_refused_change_no_shared_array(opponents: Any) -> None:
    env = vector(AutoresetMode.NEXT_STEP, opponents, copy=False, illegal_action="raise")
    observation, _ = env.reset(seed=5)
    before, stood = digest(observation), stands(env)
    for wrong in ([-1] * 3, [0], "actions", [0.5] * 3):
        with pytest.raises((ValueError, TypeError)):
            env.step(wrong)
        assert digest(observation) == before
        assert stands(env) == stood
