"""What holds for every environment alike: arguments, seeds, options of a reset, copies, what is returned."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import sarai
from helpers.lanes import IDS, digest, every_game, every_mode, same
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
    with pytest.raises(ValueError, match="unknown option 'plyers'"):
        make("sho", plyers=2)
    with pytest.raises(ValueError, match="'players' got 9"):
        make("sho", players=9)


@every_kind_of_ours
def test_a_game_has_its_rules_already(kind: str) -> None:
    game = sarai.make("sho", players=2)
    assert KINDS[kind](game).game is game
    with pytest.raises(ValueError, match="players got a value, but a Game object has its rules already"):
        KINDS[kind](game, players=3)


# --- Whole numbers -------------------------------------------------------------------------------------------


@every_kind
def test_a_bool_is_no_whole_number(kind: str) -> None:
    make = KINDS[kind]
    for wrong in (True, np.True_):
        arguments = {
            "seat": "turns" not in kind and "pettingzoo" not in kind and kind != "self-play",
            "seed": kind in ("lanes", "lanes, policy", "gymnasium.make_vec", "self-play"),
            "max_episode_steps": kind in ("lanes", "lanes, policy", "gymnasium.make_vec", "self-play"),
            "num_threads": kind in ("lanes", "lanes, policy", "gymnasium.make_vec", "self-play"),
            "reward_of": kind == "self-play",
            "max_cycles": kind in ("turns", "pettingzoo.make"),
        }
        for name in (name for name, taken in arguments.items() if taken):
            with pytest.raises(TypeError, match=f"{name} must be .*, not bool"):
                make("sho", **{name: wrong})
        env = make("sho").unwrapped
        env.reset(seed=1)
        before = env._batch.snapshot()
        for seed in (wrong, [wrong] * LANES) if hasattr(env, "num_envs") else (wrong,):
            with pytest.raises(TypeError, match=r"seed(\[0\])? must be an int.*, not bool"):
                env.reset(seed=seed)
        for action in ([wrong] * LANES, np.full(LANES, True)) if hasattr(env, "num_envs") else (wrong,):
            with pytest.raises(TypeError, match=r"must be .*, not bool"):
                env.step(action)
        assert env._batch.snapshot() == before
    if kind == "self-play":
        for vector in (sarai.SelfPlayVectorEnv, sarai.SingleAgentVectorEnv):
            with pytest.raises(TypeError, match=r"num_envs must be .*, not bool"):
                vector("sho", True)


@every_mode
def test_what_actions_are_sampled_with(mode: Any) -> None:
    for env in (
        sarai.SelfPlayVectorEnv("sho", LANES, seed=1, autoreset_mode=mode),
        sarai.SingleAgentVectorEnv("sho", LANES, seed=1, opponents=lowest, autoreset_mode=mode),
    ):
        before = env.np_random.bit_generator.state
        for wrong in (3, True, "rng", np.random, np.random.PCG64(1)):
            with pytest.raises(TypeError, match=r"rng must be a numpy.random.Generator or None, not"):
                env.sample_legal(wrong)
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


# --- Options of a reset --------------------------------------------------------------------------------------


@every_kind
@every_game
def test_unknown_options_of_a_reset_are_refused(kind: str, name: str) -> None:
    env = KINDS[kind](name)
    env.reset(seed=1, options=None)
    env.reset(seed=1, options={})
    before = env.unwrapped._batch.snapshot()
    for options in (
        {"State": "now"},
        {"reset_masks": np.ones(LANES, bool)},
        {3: 1},
        {"options": {"state": 1}},
    ):
        key = next(iter(options))
        with pytest.raises(ValueError, match=f"options got {key!r}.*; a reset takes 'state'"):
            env.reset(options=options)
    if hasattr(env, "num_envs"):
        with pytest.raises(
            ValueError, match=r"'states' .did you mean 'state'.*; a reset takes 'state', 'reset_mask'"
        ):
            env.reset(options={"reset_mask": np.ones(LANES, bool), "states": "now"})
    else:
        with pytest.raises(ValueError, match=r"options got 'reset_mask'; a reset takes 'state'$"):
            env.reset(options={"reset_mask": np.ones(1, bool)})
    for options in ([], "state", 3):
        with pytest.raises(TypeError, match="options must be a dict or None"):
            env.unwrapped.reset(options=options)
    assert env.unwrapped._batch.snapshot() == before


def test_what_pettingzoos_own_test_asks_with_is_let_through() -> None:
    env = sarai.aec_env("sho")
    env.reset(seed=0, options={"options": 1})
    for options in ({"options": True}, {"options": np.ones(2)}, {"options": 1, "state": 2}):
        with pytest.raises(ValueError, match="options got 'options'; a reset takes 'state'"):
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


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_a_copy_plays_no_game_anew(duplicate: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
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


@every_kind_of_ours
@every_mode
@pytest.mark.parametrize("illegal_action", ["raise", "terminate", "random"])
def test_what_a_caller_does_to_what_it_got_stays_with_it(kind: str, mode: Any, illegal_action: str) -> None:
    given: dict[str, Any] = {"illegal_action": illegal_action}
    if "lanes" in kind or kind == "self-play":
        given |= {"autoreset_mode": mode, "max_episode_steps": 3}
    env, witness = (KINDS[kind]("shuanglu", **given) for _ in range(2))
    returned: list[Any] = [env.reset(seed=1), witness.reset(seed=1)]
    for _ in range(9):
        expected = copy.deepcopy(returned[1])
        assert same(returned[0], expected)
        if kind == "turns":
            returned = [one.last() for one in (env, witness)]
            returned[0] = [returned[0], env.infos]
        for array in arrays_of(returned[0]):
            array.fill(0 if array.dtype != object else None)
        if kind == "turns":
            observation = witness.observe(witness.agent_selection)
            assert same(env.observe(env.agent_selection), observation)
            action = int(observation["action_mask"].argmax())
            returned = [env.step(action), witness.step(action)]
            continue
        assert np.array_equal(env.action_masks(), witness.action_masks())
        env.action_masks().fill(False)
        actions = witness.sample_legal()
        assert np.array_equal(env.sample_legal(), actions)
        over = np.asarray(expected[2] if len(expected) == 5 else False) | (
            np.asarray(expected[3]) if len(expected) == 5 else False
        )
        if kind.startswith("one game") and over:
            returned = [env.reset(), witness.reset()]
        elif mode.name == "DISABLED" and over.any():
            returned = [one.reset(options={"reset_mask": over.copy()}) for one in (env, witness)]
        else:
            returned = [env.step(actions), witness.step(actions)]


@every_kind_of_ours
@every_mode
def test_no_two_arrays_are_one_unless_it_says_so(kind: str, mode: Any) -> None:
    given = {"autoreset_mode": mode, "max_episode_steps": 2} if "lanes" in kind or kind == "self-play" else {}
    env = KINDS[kind]("shuanglu", illegal_action="random", **given)
    told: list[Any] = [env.reset(seed=1)]
    for _ in range(2):
        if kind == "turns":
            told.append([env.last(), env.infos[env.agent_selection] | {}])
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        else:
            told.append(env.step(env.sample_legal()))
    for returned in told:
        arrays = arrays_of(returned)
        for place, one in enumerate(arrays):
            for other in arrays[place + 1 :]:
                assert not np.shares_memory(one, other)
    if "lanes" in kind or kind == "self-play":
        observation, *_, info = told[-1]
        assert info["action_mask"] is observation["action_mask"], "as the class says"


@pytest.mark.parametrize("kind", [kind for kind in OURS if "lanes" in kind or kind == "self-play"])
@every_mode
def test_every_key_of_an_info_says_for_which_lanes_it_is(kind: str, mode: Any) -> None:
    for illegal_action in ("raise", "terminate"):
        env = KINDS[kind](
            "shuanglu", autoreset_mode=mode, max_episode_steps=2, illegal_action=illegal_action, seed=1
        )
        infos = [(env.reset()[1], None)]
        for _ in range(4):
            actions = env.sample_legal()
            if illegal_action == "terminate":
                actions[1] = -1
            _, _, terminated, truncated, info = env.step(actions)
            over = terminated | truncated
            infos.append((info, over))
            if mode.name == "DISABLED" and over.any():
                env.reset(options={"reset_mask": over})
        finals = 0
        for info, over in infos:
            for key in {key for key in info if not key.startswith("_")}:
                flags = info[f"_{key}"]
                assert (flags.dtype, flags.shape) == (np.bool_, (LANES,))
                last = key.startswith("final_")
                assert np.array_equal(flags, over if last else np.ones(LANES, bool))
                if key == "final_info":
                    finals += 1
                    inner = info[key]
                    names = {name for name in inner if not name.startswith("_")}
                    assert inner.keys() == names | {f"_{name}" for name in names}
                    assert all(np.array_equal(inner[f"_{name}"], over) for name in names)
        assert (finals > 0) == (mode.name == "SAME_STEP")


def test_render_modes_are_each_ones_own() -> None:
    for kind in OURS:
        env = KINDS[kind]("sho")
        env.metadata["render_modes"].append("smoke")
        with pytest.raises(ValueError, match="render_mode got 'smoke'"):
            KINDS[kind]("sho", render_mode="smoke")
        env.metadata["render_modes"].remove("smoke")
