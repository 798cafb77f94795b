"""What holds for every environment alike: arguments, seeds, options of a reset, copies, what is returned."""

from __future__ import annotations

import copy
import itertools
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.kinds import (
    COPIES,
    KINDS,
    LANES,
    LEARNERS,
    OURS,
    VECTORS,
    every_copy,
    every_kind,
    every_kind_of_ours,
    every_vector,
    played,
)
from helpers.lanes import act, digest, every_mode, same
from sarai import _core

# --- Arguments -----------------------------------------------------------------------------------------------


@every_kind
def test_options_of_the_rules_are_keywords(kind: str) -> None:
    make = KINDS[kind]
    for name, options in [("sho", {"players": 2}), ("shah", {"max_turns": 50, "flying": True})]:
        expected = sarai.make(name, **options)
        assert make(name, **options).unwrapped.game == expected
        assert make(name, rules=options).unwrapped.game == expected
    env = make("sho", rules={"players": 4, "coins": 5}, players=2)
    assert env.unwrapped.game == sarai.make("sho", players=2, coins=5), "a keyword comes on top of rules"
    assert make("sho", preset="teams", coins=5).unwrapped.game == sarai.make("sho", preset="teams", coins=5)


@every_kind_of_ours
def test_a_game_has_its_rules_already(kind: str) -> None:
    game = sarai.make("sho", players=2)
    assert KINDS[kind](game).game is game
    with pytest.raises(ValueError, match="players"):
        KINDS[kind](game, players=3)
    with pytest.raises(ValueError, match="rules"):
        KINDS[kind](game, rules={})


HUGE = 10**5000
WRONG: list[tuple[list[str], type[Exception], str, list[Any]]] = [
    (OURS, ValueError, "illegal_action", ["ignore", "x" * 10_000]),
    (OURS, ValueError, "render_mode", ["smoke", "x" * 10_000, HUGE]),
    (OURS, ValueError, "preset", ["none such"]),
    (OURS, TypeError, "plyers", [2]),
    (OURS, ValueError, "players", [9]),
    (OURS, ValueError, "observation_dtype", ["float64", np.array(["int8", "b"])]),
    (OURS, ValueError, "mask_dtype", [True, np.array("int8")]),
    (OURS, TypeError, "stats", [1]),
    (LEARNERS, ValueError, "seat", [3, -1, HUGE]),
    (LEARNERS, TypeError, "seat", [0.0, True, "first", "RANDOM", "[" * 10_000]),
    (LEARNERS, ValueError, "opponents", [["random"] * 3, "clever", "\udcff"]),
    (LEARNERS, TypeError, "opponents", [3, [3] * 2]),
    (VECTORS, ValueError, "num_envs", [0]),
    (VECTORS, TypeError, "num_envs", [1.5, True]),
    (VECTORS, ValueError, "num_threads", [0]),
    (VECTORS, TypeError, "num_threads", [True]),
    (VECTORS, ValueError, "max_episode_steps", [0]),
    (VECTORS, TypeError, "max_episode_steps", [True]),
    (VECTORS, ValueError, "autoreset_mode", ["sometimes", "x" * 10_000, HUGE, np.array([1, 2])]),
    (VECTORS, TypeError, "copy", [1, np.array([1, 2])]),
    (VECTORS, ValueError, "seed", [-1]),
    (VECTORS, TypeError, "seed", [1.5, True]),
    (["self-play"], ValueError, "reward_of", [-1, 3, HUGE]),
    (["self-play"], TypeError, "reward_of", [1.0, "mover", True, [0]]),
    (["turns"], ValueError, "max_cycles", [0, -HUGE]),
    (["turns"], TypeError, "max_cycles", [1.5, True]),
]


@every_kind_of_ours
def test_bad_arguments(kind: str) -> None:
    for kinds, error, name, values in WRONG:
        for value in values if kind in kinds else ():
            with pytest.raises(error, match="opponents|agent" if name == "opponents" else name) as refused:
                KINDS[kind]("sho", **{name: value})
            assert len(str(refused.value)) < 500
    with pytest.raises(TypeError, match="game"):
        KINDS[kind](3)


@every_kind_of_ours
def test_bad_actions_change_nothing(kind: str) -> None:
    env = KINDS[kind]("sho", illegal_action="raise", **{"copy": False} if kind in VECTORS else {})
    shown = env.reset(seed=1)
    before, looked = env._batch.snapshot(), digest(shown)
    first = [int(mask.argmax()) for mask in env._batch.masks()]
    legal = np.array(first)
    if kind in VECTORS:
        wrong = [
            [0],
            0,
            None,
            "actions",
            {"a": 1},
            [],
            [*first, 0],
            [[1], [2, 3]],
            legal[:, None],
            legal[None],
        ]
        wrong += [
            [True] * LANES,
            [*first[1:], True],
            [0, 0, 0.5],
            [0, "0", 0],
            [None] * LANES,
            [b"0"] * LANES,
            [np.ma.masked, 0, 0],
        ]
        wrong += [legal.astype(dtype) for dtype in (bool, float, str, complex, "M8[s]")]
        wrong += [
            np.array([0.5, 0, 0], object),
            np.ma.array(legal, mask=[0, 1, 0]),
            np.zeros((LANES, 0), int),
        ]
    else:
        wrong = [0.0, True, None, "0", np.float32(0), [0, 0], np.zeros((1, 1), int)]
    for action in wrong:
        with pytest.raises((TypeError, ValueError), match="action"):
            env.step(action)
    for action in (-1, env.game.num_actions, 2**16, 2**32 + first[0], 2**63, 2**64 - 1, 2**64, -(10**30)):
        said = action if -(2**63) < action < 2**63 else "far out of range"
        with pytest.raises(sarai.IllegalActionError, match=f"action {said} "):
            env.step([action] * LANES if kind in VECTORS else action)
    assert (env._batch.snapshot(), digest(shown)) == (before, looked), "shared arrays are left alone, too"
    if kind in VECTORS:
        misaligned = np.frombuffer(b"\0" + legal.tobytes(), np.uint8)[1:].view(legal.dtype)
        given = [
            first,
            tuple(first),
            list(legal),
            np.repeat(first, 2)[::2],
            legal[::-1].copy()[::-1],
            misaligned,
        ]
        given += [legal.astype(dtype) for dtype in (np.uint8, np.int16, np.uint64, ">i8", object)]
    else:
        given = [first[0], np.uint8(first[0]), np.int64(first[0]), np.array(first[0])]
    twins = [copy.deepcopy(env) for _ in given]
    told = [digest(twin.step(actions)) for twin, actions in zip(twins, given, strict=True)]
    assert told == told[:1] * len(given)
    assert len({twin._batch.snapshot() for twin in twins}) == 1


def test_what_actions_are_sampled_with() -> None:
    env = sarai.SelfPlayVectorEnv("sho", LANES, seed=1)
    env.reset()
    before = env.np_random.bit_generator.state
    for wrong in (3, np.random, np.random.PCG64(1)):
        with pytest.raises(TypeError, match="rng"):
            env.sample_legal(wrong)  # type: ignore[arg-type]
    first, second = (env.sample_legal(np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, second)
    assert env.np_random.bit_generator.state == before
    single = sarai.SingleAgentEnv("shah")
    lanes = sarai.SelfPlayVectorEnv("shah", 64)
    drawn = []
    for seed in (7, 7, 8):
        for each in (single, lanes):
            each.reset(seed=seed)
        drawn.append(([single.sample_legal() for _ in range(64)], lanes.sample_legal().tolist()))
    assert drawn[0] == drawn[1]
    for one, *_, other in zip(*drawn, strict=True):
        assert one != other
        legal = single.state().legal_actions()
        assert set(one) <= {*legal}
        assert len(set(one)) > len(legal) / 2, "each is as likely as another"


# --- Seeds ---------------------------------------------------------------------------------------------------


def games(env: Any, **given: Any) -> list[Any]:
    """What an environment tells from a reset on."""
    return [digest(env.reset(**given)), *played(env)]


@every_kind_of_ours
def test_seeds(kind: str) -> None:
    make = partial(KINDS[kind], "sho")
    env, other = make(), make()
    seed = env.np_random_seed
    assert 0 <= seed < 2**64
    assert seed != other.np_random_seed, "None takes a seed from the system"
    drawn = games(env)
    assert drawn == games(other, seed=seed), "and says which"
    assert env.np_random_seed == other.np_random_seed == seed
    seeded = games(env, seed=8)
    assert seeded != drawn
    assert env.np_random_seed == 8
    assert games(other, seed=np.uint64(8)) == seeded, "whatever was played before"
    assert games(env) == games(other) != seeded, "without a seed the streams go on"
    assert games(env, seed=9) != seeded
    assert games(env, seed=2**64 - 1) == games(other, seed=2**64 - 1)
    if kind in VECTORS:
        assert games(make(seed=8)) == seeded
        listed = games(env, seed=[8, 7, 7])
        assert listed == games(other, seed=np.array([8, 7, 7])) == games(other, seed=(8, 7, 7)) != seeded
        assert games(env, seed=[8, 7, 6]) != listed
        rows = env.reset(seed=[8, 7, 7])[0]["observation"]
        assert np.array_equal(rows[1], rows[2])
        assert np.array_equal(rows[0], make(num_envs=1).reset(seed=8)[0]["observation"][0])


@every_kind_of_ours
def test_bad_seeds_are_refused_and_nothing_has_changed(kind: str) -> None:
    env = KINDS[kind]("sho")
    env.reset(seed=3)
    played(env, 3)
    before, chance = env._batch.snapshot(), copy.deepcopy(getattr(env, "np_random", None))
    wrong: list[tuple[type[Exception], Any]] = [(TypeError, "1"), (TypeError, 1.5), (TypeError, {1, 2, 3})]
    wrong += [(TypeError, True), (ValueError, -1), (ValueError, 2**64)]
    if kind in VECTORS:
        wrong += [(TypeError, iter([1, 2, 3])), (TypeError, [1.5] * LANES), (TypeError, [1, [2], 3])]
        wrong += [(TypeError, [np.True_] * LANES), (ValueError, [1, 2]), (ValueError, [1, 2, -3])]
        wrong += [(ValueError, [2**64] * LANES), (ValueError, [np.ma.masked, 1, 2])]
        wrong += [(ValueError, np.ma.array([1, 2, 3], mask=[0, 0, 1]))]
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


@every_copy
@every_kind_of_ours
def test_copies_go_on_alike_and_apart(kind: str, duplicate: Any) -> None:
    for mode in AutoresetMode if kind in VECTORS else [None]:
        given: dict[str, Any] = {"illegal_action": "terminate"}
        if mode:
            given |= {"autoreset_mode": mode, "max_episode_steps": 6, "copy": False}
        env, witness = (KINDS[kind]("sho", preset="lhasa", **given) for _ in range(2))
        new = duplicate(env)
        assert games(new) == games(env), "of one that was never seeded"
        for one in (env, witness):
            one.reset(seed=5)
            played(one, 9)
        twin = duplicate(env)
        expected = played(witness, 20)
        assert played(twin, 20) == expected
        assert played(env, 20) == expected, "the copy's games and its sampling are its own"
        assert twin.game == env.game
        assert twin.metadata == env.metadata
        if kind != "turns":
            assert twin.observation_space == env.observation_space
            assert twin.action_space == env.action_space


def test_a_copy_plays_no_game_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = _core.Batch

    def spy(*args: Any, **kwargs: Any) -> Any:
        made.append(kwargs["snapshot"])
        return real(*args, **kwargs)

    monkeypatch.setattr(_core, "Batch", spy)
    for kind in OURS:
        env = KINDS[kind]("shuanglu", **{"opponents": "mcts:2"} if kind in ("one game", "lanes") else {})
        env.reset(seed=3)
        snapshot = env._batch.snapshot()
        for duplicate in COPIES.values():
            del made[:]
            twin = duplicate(env)
            assert made == [snapshot], "one batch, which takes up what stands"
            assert twin._batch.snapshot() == snapshot


# --- What is returned ----------------------------------------------------------------------------------------


@every_vector
def test_the_same_arrays_or_fresh_ones(kind: str) -> None:
    fresh, shared = (KINDS[kind]("sho", copy=copied) for copied in (True, False))
    assert games(fresh, seed=6) == games(shared, seed=6), "the numbers are the same"

    def two_steps(env: Any) -> list[tuple[Any, Any]]:
        seen = [env.step(act({"observation": env._batch.observe()[0], "action_mask": env._batch.masks()}))]
        seen.append(env.step(act(seen[0][0])))
        first, second = ([*step[0].values(), *step[1:4]] for step in seen)
        return list(zip(first, second, strict=True))

    assert not any(np.shares_memory(*pair) for pair in two_steps(fresh))
    # A learner's rewards are a column of all rewards, which is an array of its own in any case.
    shares = [True, True, kind == "self-play", True, True]
    assert [np.shares_memory(*pair) for pair in two_steps(shared)] == shares


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
    over, finals, kept = np.zeros(LANES, bool), 0, []
    for _ in range(9):
        if kind == "turns":
            returned = [[one.last(), *map(one.observe, one.agents), one.infos] for one in (env, witness)]
        assert same(*returned)
        arrays = arrays_of(returned[0])
        assert not any(np.shares_memory(*pair) for pair in itertools.combinations(arrays, 2))
        assert not any(np.shares_memory(*pair) for pair in itertools.product(arrays, kept))
        # A view holds on to its array as well as the array itself does.
        kept += [array[1:] for array in arrays]
        if kind != "turns":
            shared = returned[0][-1]["action_mask"] is returned[0][0]["action_mask"]
            assert shared == (kind in VECTORS), "as the classes say"
        if kind in VECTORS:
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
    for key in {"final_obs_arrays", "final_info"} & info.keys():
        names = {name for name in info[key] if not name.startswith("_")}
        assert info[key].keys() == names | {f"_{name}" for name in names}
        assert all(np.array_equal(info[key][f"_{name}"], over) for name in names)
    inner = info.get("final_info", {})
    assert not any(inner[name] is info[name] for name in inner.keys() & info.keys())
    assert not any(inner[name][~over].any() for name in inner.keys() & {"action_mask", "current_player"})
    return len(inner)


def test_metadata_is_each_ones_own() -> None:
    for kind in OURS:
        env = KINDS[kind]("sho")
        env.metadata["render_modes"].append("smoke")
        env.metadata.get("teams", {}).clear()
        with pytest.raises(ValueError, match="render_mode got 'smoke'"):
            KINDS[kind]("sho", render_mode="smoke")
        env.metadata["render_modes"].remove("smoke")
        assert env.metadata == (KINDS[kind]("sho").metadata | ({"teams": {}} if kind == "turns" else {}))


@every_mode
@every_vector
def test_illegal_actions(kind: str, mode: AutoresetMode) -> None:
    def made(illegal_action: str) -> tuple[Any, Any]:
        given = {"num_envs": 4, "seed": 6, "autoreset_mode": mode, "illegal_action": illegal_action}
        env = KINDS[kind]("sho", **given)
        env.reset()
        # Somebody else's turn in some lanes.
        for _ in range(5):
            observation = env.step(env.sample_legal())[0]
        return env, observation

    raising, observation = made("raise")
    legal = act(observation)
    wrong = legal.copy()
    wrong[[1, 3]] = [observation["action_mask"][1].argmin(), 2**40]
    before = raising._batch.snapshot()
    with pytest.raises(sarai.IllegalActionError, match=f"lane 1: action {wrong[1]} "):
        raising.step(wrong)
    assert raising._batch.snapshot() == before
    expected = raising.step(legal)
    assert "illegal_action" not in expected[4]
    for illegal_action, reward in (("terminate", -1.0), ("random", 0.0)):
        env, _ = made(illegal_action)
        state, movers = env.state(1), env._batch.observe()[2].copy()
        observation, rewards, terminated, truncated, info = env.step(wrong)
        if kind == "self-play":
            assert not np.delete(rewards[1], movers[1]).any(), "the others get nothing"
            rewards = rewards[range(4), movers]
        assert rewards.tolist() == [0, reward] * 2
        assert info["illegal_action"].tolist() == [False, True] * 2
        assert terminated.tolist() == [False, illegal_action == "terminate"] * 2
        assert not truncated.any()
        for key in observation:
            assert np.array_equal(observation[key][::2], expected[0][key][::2]), "others go on as ever"
        last = info.get("final_info", info)
        if illegal_action == "random":
            assert env.state(1) != state
        else:
            assert (env.state(1) == state) == (mode != AutoresetMode.SAME_STEP)
            assert last["illegal_action"].tolist() == [False, True] * 2
            assert set(last["action_mask"][[1, 3]].flat) == {int(mode == AutoresetMode.NEXT_STEP)}
            assert kind != "self-play" or last["current_player"][[1, 3]].tolist() == [sarai.TERMINAL] * 2
        if mode == AutoresetMode.DISABLED and terminated.any():
            env.reset(options={"reset_mask": terminated})
        following = env.sample_legal()
        # A step that only begins a game heeds no action.
        following[terminated & (mode == AutoresetMode.NEXT_STEP)] = -1
        assert not env.step(following)[4]["illegal_action"].any()
