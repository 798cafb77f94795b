"""`SingleAgentVectorEnv`: seeds and lanes, copies, pictures and Ctrl-C."""

from __future__ import annotations

import contextlib
import copy
import os
import pickle
import signal
import threading
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import sarai
from helpers.lanes import (
    IDS,
    a_game_for_every_mode,
    act,
    digest,
    looks_like_a_picture,
    same,
    settled,
    two_games,
)
from helpers.learner_games import go_on, lowest, told_by_one_seat

Env = sarai.SingleAgentVectorEnv


# --- Seeds and lanes -----------------------------------------------------------------------------------------


@two_games
def test_a_lane_does_not_depend_on_the_others(name: str) -> None:
    few, many = (Env(name, lanes, seed=8, opponents=settled) for lanes in (3, 40))
    for small, large in zip(go_on(few, 40), go_on(many, 40), strict=True):
        for key in small[0]:
            assert np.array_equal(small[0][key], large[0][key][:3])
        for place in range(1, len(small) - 1):
            assert np.array_equal(small[place], large[place][:3])


@two_games
def test_seeds(name: str) -> None:
    def first(env: Any, **reset: Any) -> list[Any]:
        return [env.reset(**reset), *(env.step(env.sample_legal()) for _ in range(30))]

    seeded = first(Env(name, 4, seed=8))
    assert same(first(Env(name, 4, seed=1), seed=8), seeded), "a reset's seed is the constructor's"
    assert not same(first(Env(name, 4, seed=9)), seeded)
    env = gymnasium.make_vec(IDS[name], 4)
    assert not same(first(env), first(gymnasium.make_vec(IDS[name], 4))), "None takes a seed from the system"
    assert same(first(env, seed=8), seeded), "whatever was played before"
    assert env.np_random_seed == 8
    assert same(first(env, seed=np.int64(8)), seeded)
    assert not same(first(env), seeded), "without a seed the streams go on"
    listed = first(env, seed=[8, 7, 7, 8])
    assert not same(listed, seeded)
    assert same(first(env, seed=np.array([8, 7, 7, 8])), listed)
    assert same(first(env, seed=(8, 7, 7, 8)), listed)
    rows = listed[0][0]["observation"]
    assert np.array_equal(rows[1], rows[2])


@two_games
def test_only_a_first_reset_shows_the_games_that_stand_there(name: str) -> None:
    def views(env: Any) -> list[str]:
        return [state.to_json() for state in map(env.state, range(env.num_envs))]

    # Where there are no dice, the random opponents who begin make the difference.
    made = {"seed": 1, "opponents": "random", "seat": 1}
    env = Env(name, 20, **made)
    standing = views(env)
    env.reset()
    assert views(env) == standing
    env.reset()
    assert views(env) != standing, "a second one begins new games"
    env = Env(name, 20, **made)
    env.step(env.sample_legal())
    stepped = views(env)
    env.reset()
    assert views(env) not in (stepped, standing)


@a_game_for_every_mode
def test_fresh_arrays_or_the_same(name: str, mode: AutoresetMode) -> None:
    made = {"seed": 6, "max_episode_steps": 4, "autoreset_mode": mode, "illegal_action": "random"}
    fresh, shared = (gymnasium.make_vec(IDS[name], 20, copy=copied, **made) for copied in (True, False))
    told = [told_by_one_seat(env, 25) for env in (fresh, shared)]
    assert told[0] == told[1], "the numbers are the same"

    def arrays(step: Any) -> list[Any]:
        return [*step[0].values(), *step[1:4], step[4]["illegal_action"]]

    def two_steps(env: Any) -> tuple[list[Any], list[Any]]:
        observation, _ = env.reset(seed=1)
        one = env.step(act(observation))
        return arrays(one), arrays(env.step(act(one[0])))

    one, two = two_steps(shared)
    # The rewards are the learner's column, which is an array of its own in any case.
    reused = [np.shares_memory(*pair) for pair in zip(one, two, strict=True)]
    assert reused == [True, True, False, True, True, True]
    kept = []
    observation, _ = fresh.reset(seed=1)
    for _ in range(12):
        step = fresh.step(act(observation))
        observation = step[0]
        for array in arrays(step):
            assert not any(np.shares_memory(array, old) for old, _ in kept)
            kept.append((array, array.tobytes()))
        if mode == AutoresetMode.DISABLED and (step[2] | step[3]).any():
            observation, _ = fresh.reset(options={"reset_mask": step[2] | step[3]})
    assert all(array.tobytes() == then for array, then in kept)


# --- Copies, pictures, Ctrl-C -------------------------------------------------------------------------------


@a_game_for_every_mode
@pytest.mark.parametrize("opponents", ["random", lowest], ids=["name", "policy"])
def test_copies_go_on_alike_and_apart(name: str, mode: AutoresetMode, opponents: Any) -> None:
    def played(env: Any, steps: int) -> list[Any]:
        seen: list[Any] = []
        for _ in range(steps):
            seen.append(digest(step := env.step(env.sample_legal())))
            if mode == AutoresetMode.DISABLED and (step[2] | step[3]).any():
                env.reset(options={"reset_mask": step[2] | step[3]})
        return seen

    preset = list(sarai.presets(name))[-1]
    made = {
        "preset": preset,
        "seat": 1,
        "opponents": opponents,
        "autoreset_mode": mode,
        "copy": False,
        "max_episode_steps": 6,
    }
    for duplicate in (copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))):
        env = gymnasium.make_vec(IDS[name], 5, **made)
        witness = Env(name, 5, **made)
        for one in (env, witness):
            one.reset(seed=13)
            played(one, 9)
        twin = duplicate(env)
        expected = played(witness, 14)
        assert played(env, 14) == expected
        assert played(twin, 14) == expected, "the copy's games and its sampling are its own"
        assert (twin.game, twin.num_envs, twin.autoreset_mode) == (env.game, 5, mode)
        assert twin.metadata["autoreset_mode"] is mode
        assert twin.observation_space == env.observation_space
        fresh = Env(name, 5, seed=7, **made)
        assert same(duplicate(fresh).reset(), fresh.reset()), "a copy of a new environment is new"


def test_pictures() -> None:
    for mode in ("ansi", "svg", "rgb_array"):
        env = gymnasium.make_vec("sarai/Sho-v0", 2, render_mode=mode, seed=1)
        env.reset()
        for _ in range(3):
            env.step(env.sample_legal())
        frames = env.render()
        assert isinstance(frames, tuple)
        assert not np.array_equal(*frames), "each lane shows its own game"
        for lane, frame in enumerate(frames):
            if mode == "ansi":
                assert frame == str(env.state(lane))
            elif mode == "svg":
                assert ElementTree.fromstring(frame).tag.endswith("svg")
            else:
                assert looks_like_a_picture(frame)
    assert Env("sho", 2).render() == (None, None)
    with pytest.raises(ValueError, match="render_mode"):
        Env("sho", 2, render_mode="human")


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to the whole console")
@pytest.mark.parametrize(("name", "with_policy"), [("sho", True), ("shah", False)])
def test_interrupts_change_nothing(name: str, with_policy: bool) -> None:
    game, lanes = sarai.make(name), 6
    asked = threading.Event()

    def waits(observations: Any, masks: Any) -> Any:
        asked.set()
        while True:
            # One long wait would sleep through a signal that comes just before it.
            threading.Event().wait(0.01)

    opponents: list[Any] = ["mcts:100000"] * (game.num_players - 1)
    if with_policy:
        opponents[0] = waits

    def begins(seed: int) -> bool:
        """Whether the learner has the first decision; others would think before there is anything to stop."""
        info = sarai.SelfPlayVectorEnv(game, lanes, seed=seed).reset()[1]
        return bool((info["current_player"] == 0).all())

    seed = next(seed for seed in range(10_000) if begins(seed))
    env = Env(game, lanes, opponents=opponents, seed=seed, num_threads=1)
    observation, _ = env.reset()

    # A twin of the environment goes ahead until its opponents have a choice: one who has none does not think.
    choosing = threading.Event()

    def looks(observations: Any, masks: Any) -> Any:
        if with_policy or (masks.sum(axis=1) > 1).any():
            choosing.set()
        return masks.argmax(axis=1)

    twin = Env(game, lanes, opponents=looks, seed=seed)
    twin.reset()
    twin.step(act(observation))
    while not choosing.is_set():
        observation = env.step(act(observation))[0]
        twin.step(act(observation))
    before = env._batch.snapshot()

    def thinks() -> None:
        """Return when the engine is at work, which it is for minutes: a batch that is being stepped says nothing."""
        with contextlib.suppress(RuntimeError):
            while env._batch.way_back({}):
                pass

    def send() -> None:
        (asked.wait if with_policy else thinks)()
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        env.step(act(observation))
    sender.join()
    assert env._batch.snapshot() == before
    rows, masks, _ = env._batch.observe()
    assert same({"observation": rows, "action_mask": masks}, observation)


@pytest.mark.parametrize("opponents", ["random", lowest], ids=["name", "policy"])
def test_bad_arguments(opponents: Any) -> None:
    wrong: list[tuple[type[Exception], str, Any]] = [
        (ValueError, "num_envs", 0),
        (TypeError, "num_envs", 1.5),
        (ValueError, "num_threads", 0),
        (ValueError, "max_episode_steps", 0),
        (ValueError, "autoreset_mode", "sometimes"),
        (ValueError, "autoreset_mode", np.array([1, 2])),
        (TypeError, "copy", 1),
        (ValueError, "seed", -1),
        (TypeError, "seed", 1.5),
        (ValueError, "seat", 9),
        (ValueError, "seat", 10**5000),
        (ValueError, "illegal_action", "ignore"),
    ]
    for kind, name, value in wrong:
        with pytest.raises(kind, match=name):
            gymnasium.make_vec("sarai/Sho-v0", **{"opponents": opponents, name: value})
    with pytest.raises(ValueError, match="lone surrogate"):
        Env("sho", opponents="\udcff")
    env = Env("sho", 2, opponents=opponents, seed=1)
    env.reset()
    before = env._batch.snapshot()
    for actions, kind in [
        ([0], ValueError),
        ([0.0, 0.0], TypeError),
        (0, ValueError),
        (None, (TypeError, ValueError)),
    ]:
        with pytest.raises(kind, match="actions must"):
            env.step(actions)
    assert env._batch.snapshot() == before
