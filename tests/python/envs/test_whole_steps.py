"""A step or a reset happens as a whole or not at all, whatever ends it: Ctrl-C at any point, and errors."""

from __future__ import annotations

import contextlib
import copy
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import sarai
from helpers.interrupts import interrupted
from helpers.kinds import played
from helpers.lanes import act, digest, every_mode
from helpers.learner_games import act_alone, lowest
from sarai import _core

Work = Callable[[Any], Callable[[], Any]]
"""A call of one of an environment's methods, whose arguments are known beforehand."""


def stands(env: Any) -> Any:
    """Everything that can be seen of where an environment stands, and everything that its future depends on."""
    # A first look brings the first games to where they can be shown, so the snapshot comes after it.
    seen: list[Any] = [digest(env._batch.masks()), env._batch.snapshot(), env._repr_html_()]
    if hasattr(env, "possible_agents"):
        dicts = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
        seen += [env.agent_selection, list(env.agents), *map(digest, dicts), env._decisions]
        seen += [digest(env.observe(agent)) for agent in env.possible_agents if not env._fresh]
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


def whole_or_not_at_all(env: Any, work: Work, points: int | None) -> None:
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
        if not (interrupter.at_the_return and stood == after):
            assert stood == before
            # And it is not only shown so.
            if points or at % 9 == 0:
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
    whole_or_not_at_all(new, reset(), points)
    env = copy.copy(new)
    env.reset(seed=3)
    for work in (step, lambda env: lambda: env.step(-1), reset(), reset(seed=8)):
        whole_or_not_at_all(env, work, points)
    ends = until(env, lambda told: bool(told[2]))
    whole_or_not_at_all(ends, step, points)
    step(ends)()
    whole_or_not_at_all(ends, reset(), points)


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
    whole_or_not_at_all(env, step, points)
    ends = until(env, lambda told: bool(told[3].any()))
    whole_or_not_at_all(ends, step, points)
    step(ends)()
    if mode == AutoresetMode.DISABLED:
        whole_or_not_at_all(ends, reset(options={"reset_mask": np.array([True, False, True])}), points)
    elif mode == AutoresetMode.NEXT_STEP:
        whole_or_not_at_all(ends, step, points)
    else:
        whole_or_not_at_all(new, reset(), points)
        whole_or_not_at_all(env, reset(seed=[1, 2, 3]), points)
        whole_or_not_at_all(env, reset(seed=6), points)


@pytest.mark.parametrize("illegal_action", ["raise", "terminate", "random"])
def test_the_environment_of_turns(illegal_action: str, points: int | None) -> None:
    new = sarai.aec_env("shuanglu", illegal_action=illegal_action, max_cycles=3)
    whole_or_not_at_all(new, reset(), points)
    env = copy.copy(new)
    env.reset(seed=4)
    whole_or_not_at_all(env, step, points)
    whole_or_not_at_all(env, reset(seed=9), points)
    if illegal_action != "raise":
        whole_or_not_at_all(env, lambda env: lambda: env.step(-1), points)
    while not any(env.truncations.values()):
        ends = copy.copy(env)
        step(env)()
    whole_or_not_at_all(ends, step, points)
    while env.agents:
        whole_or_not_at_all(env, step, points)
        # As PettingZoo's TerminateIllegalWrapper does it.
        whole_or_not_at_all(env, lambda env: lambda: env._was_dead_step(None), points)
        step(env)()


# --- Errors --------------------------------------------------------------------------------------------------


class RefusedError(Exception):
    """What a policy here raises."""


@every_mode
def test_an_interrupt_while_an_error_is_undone_leaves_nothing_of_the_step(
    mode: AutoresetMode, points: int | None
) -> None:
    fails = False

    def sometimes(observations: Any, masks: Any) -> Any:
        if fails:
            raise RefusedError
        return lowest(observations, masks)

    env = sarai.SingleAgentVectorEnv("shah", 2, opponents=sometimes, seed=1, autoreset_mode=mode)
    env.reset()
    before = stands(env)

    def attempt(one: Any) -> None:
        with contextlib.suppress(RefusedError):
            one.step(one._batch.masks().argmax(axis=1))

    fails = True
    for at in places(partial(attempt, copy.copy(env)), points):
        one = copy.copy(env)
        fails = True
        interrupted(at, partial(attempt, one))
        fails = False
        assert stands(one) == before
        played(one, 3)


def test_only_the_call_that_has_the_turn_undoes_and_gives_it_back() -> None:
    mine: list[None] = []
    undone: list[int] = []
    way = (undone.append, (1,))
    other: dict[str, object] = {"taken": []}
    _core.undo(other, mine, way)
    assert (undone, other) == ([], {"taken": []})
    turn: dict[str, object] = {"taken": mine}
    _core.undo(turn, mine, way)
    _core.undo(turn, mine, way)
    assert (undone, turn) == ([1], {})
    turn["taken"] = mine
    with pytest.raises(ValueError, match="invalid literal"):
        _core.undo(turn, mine, (int, ("one",), *way))
    assert (undone, turn) == ([1, 1], {}), "an error on the way keeps nothing else from being undone"


def worth(observations: Any) -> Any:
    """A shaping of no meaning."""
    return observations.mean(axis=1, dtype=np.float64)


def test_a_first_step_with_shaping_is_whole_without_a_reset() -> None:
    def made(shaping: Callable[[Any], Any]) -> Any:
        return sarai.SingleAgentVectorEnv("shuanglu", 3, seat=1, opponents=lowest, shaping=shaping, seed=1)

    asked = 0

    def fails_after_the_step(observations: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise RefusedError
        return worth(observations)

    untouched = made(worth)
    before = stands(untouched)
    actions = untouched.action_masks().argmax(axis=1)
    env = made(worth)
    with pytest.raises(sarai.IllegalActionError):
        env.step([9999] * 3)
    assert stands(env) == before
    env = made(fails_after_the_step)
    with pytest.raises(RefusedError):
        env.step(actions)
    assert stands(env) == before


@self_play_or_opponents
def test_shared_arrays_show_where_the_lanes_stand(opponents: Any, points: int | None) -> None:
    env = vector(AutoresetMode.NEXT_STEP, opponents, copy=False, illegal_action="raise")
    observation, _ = env.reset()
    before = digest(observation)
    *inside, _ = places(step(copy.copy(env)), points)
    for at in inside:
        if interrupted(at, step(env)).at_the_return:
            break
        assert digest(observation) == before
    for wrong in ([-1] * 3, [0], "actions"):
        env.reset(seed=5)
        with pytest.raises((ValueError, TypeError)):
            env.step(wrong)
        if opponents is not lowest:
            assert digest(observation) == before


def test_a_policy_that_fails_is_not_asked_again_to_undo_it() -> None:
    asked = []

    def fails(observations: Any, masks: Any) -> Any:
        asked.append(len(masks))
        raise RefusedError

    env = sarai.SingleAgentVectorEnv("shuanglu", 64, seat=1, opponents=fails, seed=1, copy=False)
    with pytest.raises(RefusedError):
        env.reset()
    assert len(asked) == 1
