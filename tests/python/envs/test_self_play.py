"""`SelfPlayVectorEnv`: what its arrays hold, what becomes of ended lanes, seeding, copies, threads."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList
from numpy.typing import NDArray

import sarai
from helpers.lanes import (
    a_game_for_every_mode,
    act,
    digest,
    every_book,
    go_on,
    same,
    settled,
    some_books,
    two_games,
)

Env = sarai.SelfPlayVectorEnv


def rows_agree_with_states(env: Env, observation: dict[str, Any], info: dict[str, Any]) -> None:
    """Each row is the view that the lane's own state gives of itself."""
    for lane in range(env.num_envs):
        state = env.state(lane)
        player = state.current_player()
        assert info["current_player"][lane] == player
        side = env.game.sides[player] if player >= 0 else sarai.TERMINAL
        assert info["side"][lane] == side
        if player >= 0:
            assert np.array_equal(observation["observation"][lane], state.observation_tensor(player))
            assert np.array_equal(observation["action_mask"][lane], state.legal_actions_mask())


def follows(before: sarai.State, after: sarai.State) -> bool | None:
    """Whether chance alone leads from one state to the other; None if that is more than two throws away."""
    if not before.is_chance_node():
        return before == after
    unsure = False
    for outcome, _ in before.chance_outcomes():
        first = before.clone()
        first.apply_action(outcome)
        if first == after:
            return True
        if first.is_chance_node():
            unsure = True
    return None if unsure else False


@some_books
def test_arrays_and_rows(book: tuple[str, str]) -> None:
    lanes = 5
    env = Env(book[0], lanes, preset=book[1], seed=11)
    game = env.game
    length, ids, seats = game.observation_shape[0], game.num_actions, game.num_players
    shapes = {"observation": (lanes, length), "action_mask": (lanes, ids)}
    rng = np.random.default_rng(1)
    observation, info = env.reset()
    checked = 0
    for _ in range(60):
        assert {key: array.shape for key, array in observation.items()} == shapes
        assert {array.dtype for array in observation.values()} == {np.dtype(np.int8)}
        assert observation in env.observation_space
        row = {key: array[2] for key, array in observation.items()}
        assert row in env.single_observation_space
        assert info["action_mask"] is observation["action_mask"]
        assert info["current_player"].dtype == np.int8
        assert info["current_player"].shape == (lanes,)
        rows_agree_with_states(env, observation, info)
        actions = env.sample_legal(rng)
        assert actions in env.action_space
        before = [env.state(lane) for lane in range(lanes)]
        observation, rewards, terminated, truncated, info = env.step(actions)
        assert (rewards.shape, rewards.dtype) == ((lanes, seats), np.float32)
        for flags in (terminated, truncated):
            assert (flags.shape, flags.dtype) == ((lanes,), np.bool_)
        for lane in range(lanes):
            if before[lane].is_terminal():
                continue
            before[lane].apply_action(actions[lane])
            found = follows(before[lane], env.state(lane))
            assert found in (True, None), f"lane {lane} does not stand where its action leads"
            checked += found is True
    assert checked > 60
    assert env.num_envs == lanes
    assert env.single_action_space.n == ids


@every_book
def test_the_first_games_are_the_rollouts(book: tuple[str, str]) -> None:
    games = 10
    game = sarai.make(book[0], preset=book[1])
    played = sarai.rollout(game, games, settled, seed=23)
    env = Env(game, games, seed=23, autoreset_mode="Disabled")
    returns, lengths = first_games(env)
    assert np.array_equal(returns, played.returns)
    assert np.array_equal(lengths, played.lengths)


def first_games(env: Env) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Play one game in each lane; a lane that is done is begun anew as it must be, and not looked at again."""
    returns = np.zeros((env.num_envs, env.game.num_players), np.float32)
    lengths = np.zeros(env.num_envs, np.int32)
    playing = np.ones(env.num_envs, bool)
    observation, _ = env.reset()
    while playing.any():
        observation, rewards, terminated, truncated, _ = env.step(act(observation))
        lengths += playing
        over = terminated | truncated
        assert not rewards[~over].any(), "rewards come at the end"
        assert np.allclose(rewards.sum(axis=1), 0, atol=1e-5)
        for seat, side in enumerate(env.game.sides):
            assert np.array_equal(rewards[:, seat], rewards[:, env.game.sides.index(side)])
        for lane in np.flatnonzero(playing & over):
            returns[lane] = rewards[lane]
            assert env.state(lane).returns() == pytest.approx(rewards[lane])
        playing &= ~over
        if over.any():
            observation, _ = env.reset(options={"reset_mask": over})
    return returns, lengths


def story(name: str, mode: AutoresetMode, lanes: int, rounds: int, limit: int | None) -> list[list[Any]]:
    """What happened in each lane, told the same way in each mode: views, ends, and beginnings."""
    env = Env(name, lanes, seed=5, autoreset_mode=mode, max_episode_steps=limit)
    told: list[list[Any]] = [[] for _ in range(lanes)]

    def tell(lane: int, row: NDArray[np.int8], player: int, *end: Any) -> None:
        told[lane].append((row.tobytes(), int(player), *end))

    observation, info = env.reset()
    for lane in range(lanes):
        tell(lane, observation["observation"][lane], info["current_player"][lane])
    waiting = np.zeros(lanes, bool)
    for _ in range(rounds):
        actions = act(observation)
        # What an ended lane is told to do is ignored, however wrong it is.
        actions[waiting] = -(10**15)
        observation, rewards, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        assert not (terminated & truncated).any()
        assert not rewards[~terminated].any()
        assert ("final_obs" in info) == (mode == AutoresetMode.SAME_STEP and bool(over.any()))
        for lane in range(lanes):
            row, player = observation["observation"][lane], info["current_player"][lane]
            if over[lane]:
                end = (rewards[lane].tobytes(), bool(terminated[lane]), bool(truncated[lane]))
                if mode == AutoresetMode.SAME_STEP:
                    last = info["final_obs"][lane]["observation"]
                    tell(lane, last, info["final_info"]["current_player"][lane], *end)
                    tell(lane, row, player)
                else:
                    tell(lane, row, player, *end)
                    assert set(observation["action_mask"][lane]) == {int(mode == AutoresetMode.NEXT_STEP)}
            else:
                tell(lane, row, player)
        if mode == AutoresetMode.SAME_STEP and over.any():
            check_final_info(env, info, over)
        if mode == AutoresetMode.NEXT_STEP:
            assert not over[waiting].any()
            waiting = over
        if mode == AutoresetMode.DISABLED and over.any():
            observation = begin_again(env, observation, over, tell)
    return told


def check_final_info(env: Env, info: dict[str, Any], over: NDArray[np.bool_]) -> None:
    assert np.array_equal(info["_final_obs"], over)
    assert np.array_equal(info["_final_info"], over)
    assert info["final_obs"].dtype == object
    assert [last is not None for last in info["final_obs"]] == over.tolist()
    players = info["final_info"]["current_player"]
    for lane in np.flatnonzero(over):
        last = info["final_obs"][lane]
        assert last in env.single_observation_space
        # A game that is over leaves nothing to do; in one that was cut off somebody could have gone on.
        assert last["action_mask"].any() == (players[lane] != sarai.TERMINAL)
    final = info["final_info"]
    assert {key for key in final if key[0] != "_"} == {"current_player", "side", "action_mask"}
    assert set(final["current_player"][over]) <= {sarai.TERMINAL, *range(env.game.num_players)}
    assert not final["current_player"][~over].any()
    assert not final["action_mask"][~over].any()


def begin_again(
    env: Env, before: dict[str, Any], over: NDArray[np.bool_], tell: Callable[..., None]
) -> dict[str, Any]:
    """Under DISABLED: a step is refused, a reset begins the ended lanes and leaves the others alone."""
    lane = int(np.flatnonzero(over)[0])
    with pytest.raises(ValueError, match=f"lane {lane}.*reset_mask"):
        env.step(act(before))
    observation, info = env.reset(options={"reset_mask": over})
    assert np.array_equal(observation["observation"][~over], before["observation"][~over])
    assert np.array_equal(observation["action_mask"][~over], before["action_mask"][~over])
    assert (info["current_player"] >= 0).all()
    for lane in np.flatnonzero(over):
        tell(lane, observation["observation"][lane], info["current_player"][lane])
    return observation


@pytest.mark.parametrize(("name", "limit"), [("sho", None), ("shah", 7)])
def test_the_modes_tell_the_same_games(name: str, limit: int | None) -> None:
    # Twice the longest of the first games, so that each lane begins a second one.
    rounds = 40 if limit else 2 * int(sarai.rollout(name, 6, settled, seed=5).lengths.max())
    told = [story(name, mode, lanes=6, rounds=rounds, limit=limit) for mode in AutoresetMode]
    ends = 0
    for one, *others in zip(*told, strict=True):
        for other in others:
            shared = min(len(one), len(other))
            assert one[:shared] == other[:shared]
        ends += sum(len(event) > 2 for event in one)
        assert len({event[0] for event in one}) > 5
    assert ends >= 6, "too few games ended for the test to mean anything"


def test_truncation_is_no_termination() -> None:
    def ends(limit: int | None) -> tuple[list[int], list[bool], list[bool]]:
        env = Env("sho", 12, seed=9, max_episode_steps=limit, autoreset_mode="Disabled")
        observation, _ = env.reset()
        at, decided, cut = [0] * 12, [False] * 12, [False] * 12
        playing = np.ones(12, bool)
        for step in range(1, 10**6):
            observation, rewards, terminated, truncated, _ = env.step(act(observation))
            assert not rewards[~terminated].any(), "a game that was cut off brings nobody anything"
            over = terminated | truncated
            for lane in np.flatnonzero(over & playing):
                at[lane], decided[lane], cut[lane] = step, bool(terminated[lane]), bool(truncated[lane])
            playing &= ~over
            if not playing.any():
                return at, decided, cut
            if over.any():
                observation, _ = env.reset(options={"reset_mask": over})
        raise AssertionError("the games do not end")

    lengths, decided, cut = ends(None)
    assert all(decided)
    assert not any(cut)
    middle = sorted(lengths)[6]
    at, decided, cut = ends(middle)
    assert at == [min(length, middle) for length in lengths]
    assert decided == [length <= middle for length in lengths], "the last step allowed may end the game"
    assert cut == [length > middle for length in lengths]


@a_game_for_every_mode
def test_threads_do_not_change_anything(name: str, mode: AutoresetMode) -> None:
    def played(threads: int | None) -> list[Any]:
        made: Any = {"seed": 3, "autoreset_mode": mode, "num_threads": threads, "max_episode_steps": 5}
        envs = Env(name, 300, **made), sarai.SingleAgentVectorEnv(name, 300, **made)
        return [digest(step) for env in envs for step in [env.reset(), *go_on(env, 12)]]

    assert played(1) == played(4) == played(None)


@two_games
def test_seeds(name: str) -> None:
    # Where nothing else is drawn, the lot of who begins is.
    lot = {"first_player": "random"} if "first_player" in sarai.make(name).rules else {}

    def make(lanes: int, **options: Any) -> Env:
        return Env(name, lanes, rules=lot, **options)

    def first(env: Env, **reset: Any) -> list[Any]:
        return [env.reset(**reset), *go_on(env, 40)]

    seeded = first(make(4, seed=8))
    assert same(first(make(4, seed=1), seed=8), seeded), "a reset's seed is the constructor's"
    assert not same(first(make(4, seed=9)), seeded)
    env = make(4, seed=8)
    assert same(env.reset(seed=8), seeded[0])
    go_on(env, 15)
    assert same(first(env, seed=8), seeded), "whatever was played before"
    assert same(first(env, seed=np.uint64(8)), seeded)
    assert not same(first(env), seeded), "without a seed the streams go on"
    seeds = [8, 0, 2**64 - 1, 8]
    listed = first(make(4), seed=seeds)
    for lane, seed in enumerate(seeds):
        for all_lanes, alone in zip(listed, first(make(1), seed=seed), strict=True):
            assert np.array_equal(all_lanes[0]["observation"][lane], alone[0]["observation"][0])
    assert same(first(make(4), seed=np.array(seeds, np.uint64)), listed)
    unseeded = [make(8), make(8)]
    assert not same(first(unseeded[0]), first(unseeded[1])), "None takes a seed from the system"


@pytest.mark.parametrize("seed", [3, [*range(8)]], ids=["one", "list"])
def test_a_reset_seed_repeats_the_sampled_actions(seed: Any) -> None:
    def sampled(seed: Any) -> NDArray[np.int64]:
        env = Env("sho", 8)
        env.reset(seed=seed)
        drawn = []
        for _ in range(20):
            drawn.append(env.sample_legal())
            assert env._batch.observe()[1][np.arange(8), drawn[-1]].all()
            env.step(drawn[-1])
        return np.array(drawn)

    first = sampled(seed)
    assert np.array_equal(first, sampled(np.int64(seed)))
    assert not np.array_equal(first, sampled(4))


def test_part_of_the_lanes_can_begin_anew() -> None:
    env = Env("sho", 6, seed=4)
    last = go_on(env, 20)[-1][0]
    states = [env.state(lane) for lane in range(6)]
    mask = np.array([True, False, False, True, False, False])
    observation, info = env.reset(seed=4, options={"reset_mask": mask})
    begun, _ = Env("sho", 6, seed=4).reset()
    expected = np.where(mask[:, None], begun["observation"], last["observation"])
    assert np.array_equal(observation["observation"], expected)
    assert [env.state(lane) == states[lane] for lane in range(6)] == (~mask).tolist()
    rows_agree_with_states(env, observation, info)


def test_fresh_arrays_or_the_same() -> None:
    env = Env("sho", 20, seed=6, autoreset_mode="SameStep", max_episode_steps=4)
    kept: list[tuple[NDArray[Any], bytes]] = []
    for step in go_on(env, 25):
        new = [step[0]["observation"], step[0]["action_mask"], *step[1:4], step[4]["current_player"]]
        if "final_obs" in step[4]:
            new += [last["observation"] for last in step[4]["final_obs"] if last is not None]
        for array in new:
            assert not any(np.shares_memory(array, old) for old, _ in kept[-120:])
        # A view holds on to its array as well as the array itself does.
        kept += [(array[1:], array[1:].tobytes()) for array in new]
    assert all(array.tobytes() == then for array, then in kept)

    one, two = go_on(Env("sho", 20, seed=6, copy=False), 2)
    assert np.shares_memory(one[0]["observation"], two[0]["observation"])
    assert np.shares_memory(one[0]["action_mask"], two[0]["action_mask"])
    assert all(np.shares_memory(one[place], two[place]) for place in (1, 2, 3))
    assert same(go_on(Env("sho", 20, seed=6), 2)[-1], two), "the numbers are the same"


COPIES: list[Callable[[Env], Env]] = [
    lambda env: pickle.loads(pickle.dumps(env)),
    copy.copy,
    copy.deepcopy,
]


@pytest.mark.parametrize(
    ("name", "mode", "duplicate"),
    [*zip(["sho", "shah", "tshupu"], AutoresetMode, COPIES, strict=True)],
    ids=["pickle", "copy", "deepcopy"],
)
def test_copies_go_on_alike_and_apart(
    name: str, mode: AutoresetMode, duplicate: Callable[[Env], Env]
) -> None:
    # Games are cut short, so that some end in every mode.
    made = {"preset": list(sarai.presets(name))[-1], "autoreset_mode": mode, "max_episode_steps": 15}
    env, witness = Env(name, 9, seed=12, copy=False, **made), Env(name, 9, **made)
    for one in (env, witness):
        one.reset(seed=13)
        go_on(one, 20, lambda observation, one=one: one.sample_legal())
    twin = duplicate(env)

    def digests(of: Env) -> list[Any]:
        return go_on(of, 25, lambda observation: of.sample_legal(), digest)

    expected = digests(witness)
    assert digests(twin) == expected
    assert digests(env) == expected, "the copy's games and its sampling are its own"
    assert (twin.game, twin.num_envs, twin.autoreset_mode) == (env.game, 9, mode)
    assert twin.observation_space == env.observation_space
    assert twin.action_space == env.action_space


def test_a_copy_of_a_new_environment_is_new() -> None:
    env = Env("sho", 3, seed=7)
    ended = Env("sho", 3, seed=7, max_episode_steps=2)
    go_on(ended, 2)
    expected = go_on(copy.deepcopy(ended), 6)
    for duplicate in COPIES:
        assert same(duplicate(env).reset(), Env("sho", 3, seed=7).reset())
        assert same(go_on(duplicate(ended), 6), expected), "at the end of a game too"


def test_metadata_says_the_mode() -> None:
    for mode in AutoresetMode:
        for given in (mode, mode.value, mode.name):
            env = Env("sho", 2, autoreset_mode=given)
            assert env.metadata["autoreset_mode"] is env.autoreset_mode is mode
    assert Env("sho", 2).autoreset_mode is AutoresetMode.NEXT_STEP
    assert Env.metadata.get("autoreset_mode") is None, "the class's dict is left alone"


@a_game_for_every_mode
def test_dict_info_to_list(name: str, mode: AutoresetMode) -> None:
    env = Env(name, 3, seed=1, max_episode_steps=3, autoreset_mode=mode)
    wrapped = DictInfoToList(env)
    observation, infos = wrapped.reset()
    finals = 0
    for _ in range(9):
        observation, _, terminated, truncated, infos = wrapped.step(act(observation))
        assert len(infos) == 3
        for lane, info in enumerate(infos):
            assert np.array_equal(info["action_mask"], observation["action_mask"][lane])
            shows_the_end = bool(terminated[lane]) and mode != AutoresetMode.SAME_STEP
            assert (info["current_player"] == sarai.TERMINAL) == shows_the_end
            if "final_info" in info:
                finals += 1
                assert (info["final_info"]["current_player"] == sarai.TERMINAL) == terminated[lane]
                assert info["final_obs"] in env.single_observation_space
        over = terminated | truncated
        if mode == AutoresetMode.DISABLED and over.any():
            observation, infos = wrapped.reset(options={"reset_mask": over})
    assert finals == (9 if mode == AutoresetMode.SAME_STEP else 0)
    wrapped.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_game_cut_off_shows_the_seat_to_act(mode: str) -> None:
    env = sarai.SelfPlayVectorEnv(sarai.games()[0], 64, seed=1, max_episode_steps=5, autoreset_mode=mode)
    env.reset()
    for _ in range(5):
        observation, _, terminated, truncated, info = env.step(env.sample_legal())
    assert truncated.all()
    assert not terminated.any()
    if mode == "SameStep":
        views = np.stack([last["observation"] for last in info["final_obs"]])
        masks, players = info["final_info"]["action_mask"], info["final_info"]["current_player"]
        assert (masks.sum(axis=1) > 0).all()
    else:
        views, masks, players = observation["observation"], info["action_mask"], info["current_player"]
        assert (masks == (mode == "NextStep")).all()
        for lane in range(64):
            state = env.state(lane)
            assert state.current_player() == players[lane]
            np.testing.assert_array_equal(views[lane], state.observation_tensor(players[lane]))
    assert set(players.tolist()) <= set(range(env.game.num_players))
    assert len(set(players.tolist())) > 1
    (to_act,) = (part for part in env.game.observation_spec if part["name"] == "to_act")
    assert (views[:, to_act["start"]] == 1).all()
