"""What holds for every environment alike: arguments, seeds, options of a reset, copies, what is returned."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.lanes import IDS, digest, same
from helpers.learner_games import lowest
from sarai import _core

LANES = 3
Make = Callable[..., Any]

KINDS: dict[str, Make] = {
    "one game": lambda name, **given: sarai.SingleAgentEnv(name, **given),
    "one game, policy": lambda name, **given: sarai.SingleAgentEnv(
        name, **{"seat": 1, "opponents": lowest, **given}
    ),
    "gymnasium.make": lambda name, **given: gymnasium.make(IDS[name], **given),
    "lanes": lambda name, **given: sarai.SingleAgentVectorEnv(name, LANES, **given),
    "lanes, policy": lambda name, **given: sarai.SingleAgentVectorEnv(
        name, LANES, **{"seat": 1, "opponents": lowest, **given}
    ),
    "gymnasium.make_vec": lambda name, **given: gymnasium.make_vec(IDS[name], LANES, **given),
    "self-play": lambda name, **given: sarai.SelfPlayVectorEnv(name, LANES, **given),
    "turns": lambda name, **given: sarai.aec_env(name, **given),
    "pettingzoo.make": lambda name, **given: pettingzoo.make("aec", f"sarai/{name}_v0", **given),
}
every_kind = pytest.mark.parametrize("kind", KINDS)
# A wrapper of Gymnasium's is not ours to copy, nor does it let everything through.
OURS = [kind for kind in KINDS if "." not in kind]
VECTORS = ["lanes", "lanes, policy", "self-play"]
every_kind_of_ours = pytest.mark.parametrize("kind", OURS)


def played(env: Any, steps: int = 20) -> list[Any]:
    """What an environment tells from where it stands, through new games where one ends."""
    told: list[Any] = []
    for _ in range(steps):
        if hasattr(env, "possible_agents"):
            if not env.agents or any(env.terminations.values()):
                env.reset()
            told.append([digest(env.observe(agent)) for agent in env.agents])
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
            continue
        actions = env.sample_legal()
        stepped = env.step(actions)
        told.append(digest([actions, stepped]))
        if not hasattr(env, "num_envs") and stepped[2]:
            told.append(digest(env.reset()))
    return told


# --- Rules ---------------------------------------------------------------------------------------------------


@every_kind
def test_options_of_the_rules_are_keywords(kind: str) -> None:
    make = KINDS[kind]
    for name, options in [("sho", {"players": 2}), ("shah", {"max_turns": 50, "flying": True})]:
        expected = sarai.make(name, **options)
        assert make(name, **options).unwrapped.game == expected
        assert make(name, rules=options).unwrapped.game == expected
    env = make("sho", rules={"players": 4, "coins": 5}, players=2)
    assert env.unwrapped.game == sarai.make("sho", players=2, coins=5), "a keyword comes on top of rules"
    assert make("sho", preset="teams", max_turns=7).unwrapped.game == sarai.make(
        "sho", preset="teams", max_turns=7
    )
    for name, wrong in (("plyers", 2), ("players", 9)):
        with pytest.raises(ValueError, match=name):
            make("sho", **{name: wrong})


@every_kind_of_ours
def test_a_game_has_its_rules_already(kind: str) -> None:
    game = sarai.make("sho", players=2)
    assert KINDS[kind](game).game is game
    with pytest.raises(ValueError, match="players"):
        KINDS[kind](game, players=3)
    with pytest.raises(ValueError, match="rules"):
        KINDS[kind](game, rules={})


# --- Whole numbers -------------------------------------------------------------------------------------------


@every_kind_of_ours
def test_a_bool_is_no_whole_number(kind: str) -> None:
    make = KINDS[kind]
    arguments = ["max_cycles"] if kind == "turns" else ["reward_of"] if kind == "self-play" else ["seat"]
    if kind in VECTORS:
        arguments += ["seed", "max_episode_steps", "num_threads"]
    for name in arguments:
        with pytest.raises(TypeError, match=f"{name} must be .*, not bool"):
            make("sho", **{name: True})
    env = make("sho")
    env.reset(seed=1)
    before = env._batch.snapshot()
    for wrong in (True, [np.True_] * LANES) if kind in VECTORS else (np.True_,):
        with pytest.raises(TypeError, match=r"seed.*, not bool"):
            env.reset(seed=wrong)
    for wrong in ([True] * LANES, np.full(LANES, True)) if kind in VECTORS else (True,):
        with pytest.raises(TypeError, match=r"action.*, not bool"):
            env.step(wrong)
    assert env._batch.snapshot() == before
    for vector in (sarai.SelfPlayVectorEnv, sarai.SingleAgentVectorEnv):
        with pytest.raises(TypeError, match=r"num_envs must be .*, not bool"):
            vector("sho", True)


def test_what_actions_are_sampled_with() -> None:
    env = sarai.SelfPlayVectorEnv("sho", LANES, seed=1)
    before = env.np_random.bit_generator.state
    for wrong in (3, np.random, np.random.PCG64(1)):
        with pytest.raises(TypeError, match="rng"):
            env.sample_legal(wrong)  # type: ignore[arg-type]
    first, second = (env.sample_legal(np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, second)
    assert env.np_random.bit_generator.state == before


# --- Seeds ---------------------------------------------------------------------------------------------------


@every_kind_of_ours
def test_the_seed_that_was_drawn_is_told(kind: str) -> None:
    env, other = KINDS[kind]("sho"), KINDS[kind]("sho")
    seed = env.np_random_seed
    assert 0 <= seed < 2**64
    assert seed != other.np_random_seed
    told = [digest(env.reset()), *played(env)]
    again = [digest(other.reset(seed=seed)), *played(other)]
    assert again == told
    assert env.np_random_seed == other.np_random_seed == seed
    env.reset(seed=9)
    assert env.np_random_seed == 9


@every_kind_of_ours
def test_bad_seeds_are_refused_and_nothing_has_changed(kind: str) -> None:
    env = KINDS[kind]("sho")
    env.reset(seed=3)
    played(env, 3)
    before, chance = env._batch.snapshot(), copy.deepcopy(getattr(env, "np_random", None))
    wrong: list[tuple[type[Exception], Any]] = [(TypeError, "1"), (TypeError, 1.5), (TypeError, {1, 2, 3})]
    wrong += [(ValueError, -1), (ValueError, 2**64)]
    if kind in VECTORS:
        wrong += [(TypeError, iter([1, 2, 3])), (TypeError, [1.5] * LANES), (TypeError, [1, [2], 3])]
        wrong += [(ValueError, [1, 2]), (ValueError, [1, 2, -3]), (ValueError, [2**64] * LANES)]
        wrong += [(ValueError, [np.ma.masked, 1, 2]), (ValueError, np.ma.array([1, 2, 3], mask=[0, 0, 1]))]
    else:
        wrong += [(TypeError, [1]), (TypeError, np.array([1]))]
    for error, seed in wrong:
        with pytest.raises(error, match="seed"):
            env.reset(seed=seed)
    assert env._batch.snapshot() == before
    assert kind == "turns" or env.np_random.bit_generator.state == chance.bit_generator.state
    assert env.np_random_seed == 3


# --- Options of a reset --------------------------------------------------------------------------------------


@every_kind
def test_unknown_options_of_a_reset_are_refused(kind: str) -> None:
    env = KINDS[kind]("sho")
    env.reset(seed=1, options=None)
    env.reset(seed=1, options={})
    before = env.unwrapped._batch.snapshot()
    mask = {"reset_mask": np.ones(LANES, bool)}
    wrong: list[dict[Any, Any]] = [{"State": "now"}, {3: 1}, {"options": {"state": 1}}]
    for options in [*wrong, {**mask, "states": "now"} if hasattr(env, "num_envs") else mask]:
        with pytest.raises(ValueError, match=f"options got {[*options][-1]!r}.*; a reset takes 'state'"):
            env.reset(options=options)
    with pytest.raises(TypeError, match="options"):
        env.unwrapped.reset(options=[])
    assert env.unwrapped._batch.snapshot() == before


def test_what_pettingzoos_own_test_asks_with_is_let_through() -> None:
    env = sarai.aec_env("sho")
    env.reset(seed=0, options={"options": 1})
    for options in ({"options": True}, {"options": np.ones(2)}, {"options": 1, "state": 2}):
        with pytest.raises(ValueError, match="options got 'options'"):
            env.reset(options=options)


# --- Copies --------------------------------------------------------------------------------------------------

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@every_kind_of_ours
@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_an_environment_that_was_never_seeded_is_copied(kind: str, duplicate: Callable[[Any], Any]) -> None:
    env = KINDS[kind]("sho")
    twin = duplicate(env)
    assert digest(twin.reset()) == digest(env.reset())
    assert played(twin) == played(env)
    twin = duplicate(env)
    assert played(twin) == played(env), "what is sampled too"


def test_a_copy_plays_no_game_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = _core.Batch

    def spy(*args: Any, **kwargs: Any) -> Any:
        made.append(kwargs["snapshot"])
        return real(*args, **kwargs)

    monkeypatch.setattr(_core, "Batch", spy)
    for kind in OURS:
        opponents = {"opponents": "mcts:2"} if kind in ("one game", "lanes") else {}
        env = KINDS[kind]("shuanglu", **opponents)
        env.reset(seed=3)
        snapshot = env._batch.snapshot()
        for duplicate in COPIES.values():
            del made[:]
            twin = duplicate(env)
            assert made == [snapshot], "one batch, which takes up what stands"
            assert twin._batch.snapshot() == snapshot


# --- What is returned ----------------------------------------------------------------------------------------


def arrays_of(value: Any) -> list[np.ndarray[Any, Any]]:
    """All arrays in what was returned, each once."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.dtype == object):
        found = {id(array): array for inner in value for array in arrays_of(inner)}
        return list(found.values())
    return [value] if isinstance(value, np.ndarray) else []


@pytest.mark.parametrize(
    ("kind", "mode", "illegal_action"),
    [
        *itertools.product(VECTORS, AutoresetMode, ["raise", "terminate"]),
        *itertools.product(sorted({*OURS} - {*VECTORS}), [None], ["raise", "random"]),
    ],
)
def test_what_is_returned(kind: str, mode: AutoresetMode | None, illegal_action: str) -> None:
    given: dict[str, Any] = {"illegal_action": illegal_action}
    if mode:
        given |= {"autoreset_mode": mode, "max_episode_steps": 3}
    env, witness = (KINDS[kind]("shuanglu", **given) for _ in range(2))
    returned: list[Any] = [env.reset(seed=1), witness.reset(seed=1)]
    over, finals = np.zeros(LANES, bool), 0
    for _ in range(9):
        if kind == "turns":
            returned = [[one.last(), *map(one.observe, one.agents), one.infos] for one in (env, witness)]
        assert same(*returned)
        arrays = arrays_of(returned[0])
        assert not any(np.shares_memory(*pair) for pair in itertools.combinations(arrays, 2))
        if kind in VECTORS:
            assert returned[0][-1]["action_mask"] is returned[0][0]["action_mask"], "as the class says"
            finals += says_for_which_lanes(returned[0][-1], over)
        # What a caller does to what it got stays with it.
        for array in arrays:
            array.fill(0 if array.dtype != object else None)
        if kind == "turns":
            observation = witness.observe(witness.agent_selection)
            assert same(env.observe(env.agent_selection), observation)
            action = int(observation["action_mask"].argmax())
            for one in (env, witness):
                one.step(action)
            continue
        assert np.array_equal(env.action_masks(), witness.action_masks())
        env.action_masks().fill(False)
        actions = witness.sample_legal()
        assert np.array_equal(env.sample_legal(), actions)
        if mode is None and over.any():
            returned, over = [env.reset(), witness.reset()], np.zeros(1, bool)
        elif mode == AutoresetMode.DISABLED and over.any():
            returned = [one.reset(options={"reset_mask": over}) for one in (env, witness)]
            over = np.zeros(LANES, bool)
        else:
            if illegal_action == "terminate":
                actions[1] = -1
            returned = [env.step(actions), witness.step(actions)]
            over = np.atleast_1d(returned[1][2]) | returned[1][3]
    assert (finals > 0) == (mode == AutoresetMode.SAME_STEP)


def says_for_which_lanes(info: dict[str, Any], over: NDArray[np.bool_]) -> int:
    """Hold that every key of an info says for which lanes it is; whether it tells of the ends."""
    for key in {key for key in info if not key.startswith("_")}:
        flags = info[f"_{key}"]
        assert (flags.dtype, flags.shape) == (np.bool_, (LANES,))
        assert np.array_equal(flags, over if key.startswith("final_") else np.ones(LANES, bool))
    inner = info.get("final_info", {})
    names = {name for name in inner if not name.startswith("_")}
    assert inner.keys() == names | {f"_{name}" for name in names}
    assert all(np.array_equal(inner[f"_{name}"], over) for name in names)
    return len(names)


def test_metadata_is_each_ones_own() -> None:
    for kind in OURS:
        env = KINDS[kind]("sho")
        env.metadata["render_modes"].append("smoke")
        env.metadata.get("teams", {}).clear()
        with pytest.raises(ValueError, match="render_mode got 'smoke'"):
            KINDS[kind]("sho", render_mode="smoke")
        env.metadata["render_modes"].remove("smoke")
        assert env.metadata == (KINDS[kind]("sho").metadata | ({"teams": {}} if kind == "turns" else {}))
