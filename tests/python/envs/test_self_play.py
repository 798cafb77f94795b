"""`SelfPlayVectorEnv`: what its arrays hold, what becomes of ended lanes, whose rewards it gives, threads."""

from __future__ import annotations

import contextlib
import copy
import threading
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.lanes import a_game_for_every_mode, act, digest, same, settled, some_books
from helpers.learner_games import agree, go_on, told_by_one_seat
from helpers.positions import every_book

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


def test_the_dice_of_a_later_game_do_not_depend_on_those_before() -> None:
    """The first throw of a lane's second game is the same whoever plays the first, and differs between games."""

    def throws(first_or_last: int) -> dict[tuple[int, int], str]:
        env = Env("sho", 6, coins=1, num_shells=16, autoreset_mode="SameStep")
        _, info = env.reset(seed=8)
        found = {(lane, 0): str(env.state(lane)) for lane in range(6)}
        games = [0] * 6
        while min(games) < 4:
            legal = [np.flatnonzero(mask) for mask in info["action_mask"]]
            *_, over, _, info = env.step([int(actions[first_or_last]) for actions in legal])
            for lane in np.flatnonzero(over):
                games[lane] += 1
                found[int(lane), games[lane]] = str(env.state(lane))
        return found

    one, other = throws(0), throws(-1)
    both = one.keys() & other.keys()
    assert len(both) >= 24
    assert all(one[game] == other[game] for game in both)
    assert len({one[game] for game in both}) > 5


def test_a_lane_without_a_seed_of_its_own_plays_on() -> None:
    env = Env("sho", 3)
    env.reset(seed=5)
    on = Env("sho", 3)
    on.reset(seed=5)
    on.reset()
    env.reset(seed=[1, None, 3])
    assert str(env.state(1)) == str(on.state(1))
    alone = Env("sho", 1)
    alone.reset(seed=[3])
    assert str(env.state(2)) == str(alone.state(0))


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
    played = sarai.rollout(game, settled, games, seed=23)
    env = Env(game, games, seed=23, autoreset_mode="Disabled")
    returns, lengths = first_games(env)
    assert np.array_equal(returns, played.returns)
    assert np.array_equal(lengths, played.lengths)


@pytest.mark.parametrize("limit", [None, 7])
def test_the_modes_tell_the_same_games(limit: int | None) -> None:
    made: Any = {"reward_of": "actor", "seed": 5, "max_episode_steps": limit}
    # Twice the longest of the first games, so that each lane begins a second one.
    rounds = 40 if limit else 2 * int(sarai.rollout("sho", settled, 4, seed=5).lengths.max())
    told = [told_by_one_seat(Env("sho", 4, autoreset_mode=mode, **made), rounds) for mode in AutoresetMode]
    for other in told[1:]:
        assert agree(told[0], other) >= 2
    assert any(event[0] == "end" and event[2] for event in told[0][0]) == (limit is None)


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


@a_game_for_every_mode
def test_threads_do_not_change_anything(name: str, mode: AutoresetMode) -> None:
    def played(threads: int | None) -> list[Any]:
        made: Any = {"seed": 3, "autoreset_mode": mode, "num_threads": threads, "max_episode_steps": 5}
        envs = Env(name, 300, **made), sarai.SingleAgentVectorEnv(name, 300, **made)
        return [digest(step) for env in envs for step in go_on(env, 12)]

    assert played(1) == played(4) == played(None)


def test_no_more_threads_than_pay() -> None:
    assert [Env("sho", lanes, num_threads=4).num_threads for lanes in (2, 1024, 4096)] == [1, 2, 4]
    # A search is more work than a thousand throws.
    assert Env("sho", 4, opponents="mcts:50", num_threads=3).num_threads == 3


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


def test_metadata_says_the_mode() -> None:
    for mode in AutoresetMode:
        for given in (mode, mode.value, mode.name):
            env = Env("sho", 2, autoreset_mode=given)
            assert env.metadata["autoreset_mode"] is env.autoreset_mode is mode
    assert Env("sho", 2).autoreset_mode is AutoresetMode.NEXT_STEP
    assert Env.metadata.get("autoreset_mode") is None, "the class's dict is left alone"


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


# --- Whose rewards -------------------------------------------------------------------------------------------

WHOSE = [0, 1, "actor"]


def steps(env: Any, number: int, choose: Any = act) -> list[tuple[Any, ...]]:
    """What each step returned, with the seats that acted in it before."""
    observation, info = env.reset(seed=4)
    told = []
    for _ in range(number):
        actors = info["current_player"].copy()
        observation, rewards, terminated, truncated, info = env.step(choose(observation))
        told.append((actors, observation, rewards, terminated, truncated, info))
        over = terminated | truncated
        if env.unwrapped.autoreset_mode == AutoresetMode.DISABLED and over.any():
            observation, info = env.reset(options={"reset_mask": over.copy()})
    return told


def careless(observation: dict[str, Any]) -> Any:
    """A policy that now and then chooses what is not legal, so that games end soon."""
    views = observation["observation"].astype(np.int64)
    keys = views @ (np.arange(views.shape[1]) * 31 + 7) + np.arange(len(views))
    return np.where(keys % 11 == 0, -1, act(observation))


@pytest.mark.parametrize(
    ("name", "preset", "mode"),
    [*zip(["sho", "shah", "shuanglu"], ["teams", "shah", "backgammon"], AutoresetMode, strict=True)],
)
def test_the_rewards_of_one_seat_or_of_whoever_acted(name: str, preset: str, mode: AutoresetMode) -> None:
    made = {"preset": preset, "autoreset_mode": mode, "max_episode_steps": 30, "illegal_action": "terminate"}
    rows = np.arange(6)
    ends = 0
    everybodys = steps(Env(name, 6, **made), 60, careless)
    for whose in WHOSE:
        for copied in (True, False):
            env = Env(name, 6, reward_of=whose, copy=copied, **made)
            observation, info = env.reset(seed=4)
            for actors, expected, rewards, terminated, truncated, told in everybodys:
                assert "rewards" not in told
                observation, mine, *flags, info = env.step(careless(observation))
                assert same(observation, expected)
                assert same(flags, [terminated, truncated])
                assert same(info.pop("rewards"), rewards)
                assert info.pop("_rewards").all()
                assert info.keys() == told.keys()
                assert (mine.shape, mine.dtype) == ((6,), np.float32)
                # Nobody acts in a step that begins a game, and nobody gets anything.
                seats = np.where(actors < 0, 0, actors) if whose == "actor" else np.full(6, whose)
                assert np.array_equal(mine, rewards[rows, seats])
                assert not rewards[actors < 0].any()
                ends += int((mine != 0).sum())
                if mode == AutoresetMode.DISABLED and (terminated | truncated).any():
                    observation, info = env.reset(options={"reset_mask": terminated | truncated})
    assert ends > 3


# --- Threads, and arrays that others write to ----------------------------------------------------------------


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
    assert env._batch.snapshot() == witness._batch.snapshot()


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
    alone.reset()
    for _ in range(30):
        observation = alone.step(observation["action_mask"].argmax(axis=1))[0]
    assert env._batch.snapshot() == alone._batch.snapshot()


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
