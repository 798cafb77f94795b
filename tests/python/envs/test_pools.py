"""Opponents that are drawn for each game, and that change while games are under way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.kinds import every_copy, played
from helpers.lanes import a_game_for_every_mode, act, same, some_books, two_games
from helpers.learner_games import act_alone, go_on, lowest
from sarai.agents import Context, Pool, with_context

Env = sarai.SingleAgentVectorEnv


def mixed(*, asked: bool) -> Pool:
    """Two agents of the engine, with or without a callable that never plays."""
    return Pool({"greedy": 0.5, "random": 0.5, **({lowest: 0} if asked else {})})


# --- The games of a pool ------------------------------------------------------------------------------------


@a_game_for_every_mode
def test_a_callable_that_never_plays_changes_no_game(name: str, mode: AutoresetMode) -> None:
    envs = [
        Env(
            name,
            5,
            seat="random",
            opponents=mixed(asked=asked),
            seed=8,
            autoreset_mode=mode,
            max_episode_steps=12,
            stats=True,
        )
        for asked in (False, True)
    ]
    engine, asked = (go_on(env, 60) for env in envs)
    assert same(engine, asked)
    drawn = {
        (name, seat)
        for step in engine
        for name, seat in zip(step[-1]["opponent"], step[-1]["seat"], strict=True)
    }
    assert len(drawn) == 2 * envs[0].game.num_players


@two_games
def test_one_game_is_the_first_lane(name: str) -> None:
    for pool in (mixed(asked=False), mixed(asked=True)):
        single = sarai.SingleAgentEnv(name, seat="random", opponents=pool)
        lanes = Env(name, 1, seat="random", opponents=pool, autoreset_mode="Disabled", seed=1)
        shown, info = single.reset(seed=4)
        observation, infos = lanes.reset(seed=4)
        seen = set()
        for _ in range(500):
            assert np.array_equal(shown["observation"], observation["observation"][0])
            assert info["opponent"] == infos["opponent"][0]
            assert info["seat"] == infos["seat"][0]
            assert info["side"] == infos["side"][0]
            seen.add((info["opponent"], info["seat"]))
            shown, reward, over, _, info = single.step(act_alone(shown))
            observation, rewards, terminated, _, infos = lanes.step(act(observation))
            assert (reward, over) == (rewards[0], terminated[0])
            if over:
                assert reward == single.state().returns()[info["seat"]]
                (shown, info), (observation, infos) = single.reset(), lanes.reset()
        assert len(seen) > 1


@some_books
def test_a_drawn_seat_sees_its_own_view_and_is_paid_its_own_return(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    env = Env(game, 20, seat="random", opponents="random", seed=1)
    assert env.seats.learner is None
    observation, info = env.reset()
    assert set(info["seat"]) == set(range(game.num_players))
    ended = 0
    for _ in range(400):
        for lane in range(0, 20, 7):
            state, seat = env.state(lane), int(info["seat"][lane])
            assert np.array_equal(observation["observation"][lane], state.observation_tensor(seat))
            assert state.is_terminal() or state.current_player() == seat
        assert info["side"].tolist() == [game.sides[seat] for seat in info["seat"]]
        observation, rewards, over, _, info = env.step(act(observation))
        for lane in np.flatnonzero(over):
            assert rewards[lane] == env.state(int(lane)).returns()[info["seat"][lane]]
            ended += 1
    assert ended


def test_members_may_be_networks_and_one_agent_for_each_seat() -> None:
    game = sarai.make("sho")
    cells = game.observation_shape[0]
    nets = [
        sarai.nets.make(
            [np.full((3, cells), weight), [0] * 3], game="sho", encoding="raw", activations=["tanh"]
        )
        for weight in (0.01, -0.01)
    ]
    members = [sarai.agents.Network(nets[0]), ("greedy", lowest), (sarai.agents.Network(nets[1]), "random")]
    env = Env(game, 60, opponents=Pool(members, names=["past", "pair", "both"]), seed=1)
    _, info = env.reset()
    assert set(info["opponent"]) == {"past", "pair", "both"}
    alone = Env(game, 60, opponents=members[0], seed=1)
    shown, expected = env.reset(seed=1)[0], alone.reset()[0]
    past = info["opponent"] == "past"
    for _ in range(12):
        shown, expected = env.step(act(shown))[0], alone.step(act(expected))[0]
    assert all(env.state(int(lane)) == alone.state(int(lane)) for lane in np.flatnonzero(past))
    assert any(env.state(int(lane)) != alone.state(int(lane)) for lane in np.flatnonzero(~past))


# --- Opponents that change ----------------------------------------------------------------------------------


@a_game_for_every_mode
@pytest.mark.parametrize("new", ["random", lowest], ids=["engine", "callable"])
def test_games_under_way_keep_their_opponents(name: str, new: Any, mode: AutoresetMode) -> None:
    given: Any = {"seed": 6, "autoreset_mode": mode, "max_episode_steps": 20, "seat": "random"}
    env = Env(name, 6, opponents=Pool(["greedy"]), **given)
    stays = Env(name, 6, opponents=Pool(["greedy"]), **given)
    observation, info = env.reset()
    expected, _ = stays.reset()
    for _ in range(4):
        observation, *_, info = env.step(act(observation))
        expected, *_ = stays.step(act(expected))
    env.set_opponents(Pool([new, "greedy"], names=["new", "also new"]))
    first, over, later = np.ones(6, bool), np.zeros(6, bool), set()
    while first.any():
        waiting = over
        if mode == AutoresetMode.DISABLED and waiting.any():
            observation, info = env.reset(options={"reset_mask": waiting})
            expected, _ = stays.reset(options={"reset_mask": waiting})
            first, waiting = first & ~waiting, np.zeros(6, bool)
        stepped, told = env.step(act(observation)), stays.step(act(expected))
        assert same([part[first] for part in stepped[1:4]], [part[first] for part in told[1:4]])
        (observation, _, terminated, truncated, info), expected = stepped, told[0]
        over = terminated | truncated
        if mode == AutoresetMode.SAME_STEP:
            if over.any():
                assert set(info["final_info"]["opponent"][over & first]) <= {"greedy"}
            first = first & ~over
        else:
            # In the row of its end, a game still says who has played.
            first = first & ~waiting
        assert (info["opponent"][first] == "greedy").all()
        later |= set(info["opponent"][~first])
    assert later <= {"new", "also new"}
    assert later


def test_games_under_way_keep_their_opponents_though_others_take_their_name() -> None:
    env, stays = (Env("sho", 6, opponents=Pool(["greedy"], names=["it"]), seed=6) for _ in range(2))
    observation, expected = env.reset()[0], stays.reset()[0]
    env.set_opponents(Pool(["random"], names=["it"]))
    first, differed = np.ones(6, bool), False
    for _ in range(300):
        stepped, told = env.step(act(observation)), stays.step(act(expected))
        assert same([part[first] for part in stepped[1:4]], [part[first] for part in told[1:4]])
        first &= ~(stepped[2] | stepped[3])
        observation, expected = stepped[0], told[0]
        differed |= not np.array_equal(observation["observation"], expected["observation"])
    assert not first.any()
    assert differed


@pytest.mark.parametrize("asked", [False, True], ids=["engine", "callable"])
@every_copy
def test_copies_go_on_with_the_opponents_of_every_game(asked: bool, duplicate: Callable[[Any], Any]) -> None:
    env = Env("shuanglu", 8, seat="random", opponents=mixed(asked=asked), seed=5, max_episode_steps=25)
    go_on(env, 30)
    env.set_opponents(Pool({"random": 1, "greedy": 2}))
    env.set_starts(sarai.make("shuanglu").sample_states(num_games=30, seed=1))
    twin = duplicate(env)
    assert played(env, 60) == played(twin, 60)
    env.set_opponents("greedy")
    assert twin.seats.drawn_opponents


def test_a_change_before_the_first_reset_counts_from_the_first_game() -> None:
    for opponents in ("random", lowest):
        env = Env("shuanglu", 5, opponents=opponents)
        env.set_opponents("greedy")
        shown = env.reset()
        assert same(shown, env.reset(seed=env.np_random_seed))
        assert same(shown[0], Env("shuanglu", 5, opponents="greedy").reset(seed=env.np_random_seed)[0])


@pytest.mark.parametrize("make", [Env, sarai.SingleAgentEnv])
@pytest.mark.parametrize(
    ("opponents", "wrong", "error", "words"),
    [
        (mixed(asked=False), "clever", ValueError, "'clever'"),
        (mixed(asked=True), Pool(["greedy", "alphabeta:3"]), ValueError, "two-player games without dice"),
        ("greedy", ["greedy", "random"], ValueError, "opponents has 2 entries"),
        (lowest, Pool([("greedy", "random")]), ValueError, "'greedy, random' of the pool"),
        (mixed(asked=False), Pool(["mcts:0"]), ValueError, "simulations"),
        (lowest, 7, TypeError, "opponents must be"),
        ("greedy", [Pool(["greedy"])], TypeError, "not Pool"),
    ],
)
def test_opponents_that_cannot_play_change_nothing(
    opponents: Any, make: Any, wrong: Any, error: type[Exception], words: str
) -> None:
    lanes = {"num_envs": 3} if make is Env else {}
    env, witness = (make("shuanglu", opponents=opponents, seat="random", **lanes) for _ in range(2))
    for each in (env, witness):
        each.reset(seed=3)
    with pytest.raises(error, match=words):
        env.set_opponents(wrong)
    assert played(env, 10) == played(witness, 10)


# --- Policies that ask where they are -----------------------------------------------------------------------


def test_a_policy_may_ask_for_lane_seat_and_episode() -> None:
    asked: list[Context] = []
    names: list[Any] = [None] * 6

    @with_context
    def curious(observations: NDArray[np.int8], masks: NDArray[np.int8], context: Context) -> Any:
        asked.append(context)
        assert len(context.lanes) == len(context.seats) == len(context.episodes) == len(masks)
        return lowest(observations, masks)

    env = Env(
        "sho",
        6,
        seat="random",
        opponents=Pool([curious, "greedy"], names=["curious", "greedy"]),
        seed=2,
        autoreset_mode="Disabled",
    )
    observation, info = env.reset()
    episodes = np.zeros(6, int)
    for _ in range(300):
        names, seats = info["opponent"], info["seat"]
        asked.clear()
        observation, _, over, _, info = env.step(act(observation))
        for context in asked:
            assert set(names[context.lanes]) == {"curious"}
            assert (context.seats != seats[context.lanes]).all()
            assert (context.episodes >= episodes[context.lanes]).all()
            episodes[context.lanes] = context.episodes
        if over.any():
            observation, info = env.reset(options={"reset_mask": over})
    assert episodes.min() >= 1


def test_a_policy_with_context_needs_an_environment() -> None:
    asks = with_context(lambda observations, masks, context: lowest(observations, masks))
    with pytest.raises(TypeError, match="only environments know"):
        sarai.rollout("shah", ["greedy", asks], 2, seed=0)
    with pytest.raises(TypeError, match="a policy must be a callable, not str"):
        with_context("greedy")  # type: ignore[arg-type]


# --- What a pool takes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"agents": {}}, ValueError, "members; there are 0"),
        ({"agents": ["random"] * 10_001}, ValueError, "members; there are more"),
        ({"agents": "greedy"}, TypeError, "dict of agents .* not str"),
        ({"agents": 3}, TypeError, "dict of agents .* not int"),
        ({"agents": {"greedy": 0.0}}, ValueError, "above 0"),
        ({"agents": {"greedy": -1}}, ValueError, "weight got -1.0"),
        ({"agents": {"greedy": float("nan")}}, ValueError, "weight"),
        ({"agents": {"greedy": float("inf")}}, ValueError, "weight got inf"),
        ({"agents": {"greedy": "much"}}, TypeError, "weight"),
        ({"agents": ["greedy"], "weights": [1, 2]}, ValueError, "weights"),
        ({"agents": {"greedy": 1}, "weights": [1]}, ValueError, "weights"),
        ({"agents": [3]}, TypeError, "agent"),
        ({"agents": ["greedy"], "names": ["a", "b"]}, ValueError, "names"),
        ({"agents": ["greedy", "random"], "names": ["a", "a"]}, ValueError, "'a' twice"),
        ({"agents": ["greedy"], "names": "a"}, TypeError, "names"),
        ({"agents": ["greedy"], "names": [1]}, TypeError, "names"),
        ({"agents": ["greedy"], "names": 5}, TypeError, "names"),
        ({"agents": ["greedy"], "weights": 5}, TypeError, "weights"),
        ({"agents": {"greedy": 1e308, "random": 1e308}}, ValueError, "sum of the weights"),
    ],
)
def test_pools_that_cannot_be(given: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Pool(**given)


def test_names_of_a_pool() -> None:
    pool = Pool(["greedy", lowest, lowest, "greedy", ("random", "greedy")])
    assert pool.names == ("greedy", "lowest", "lowest (2)", "greedy (2)", "random, greedy")
    assert (len(pool), pool.weights) == (5, (1.0,) * 5)
    with pytest.raises(TypeError, match="not Pool"):
        sarai.rollout("shah", pool, 1, seed=0)  # type: ignore[arg-type]


def test_a_drawn_seat_is_paid_for_the_game_that_has_ended() -> None:
    def episodes(mode: str) -> list[list[float]]:
        env = sarai.SingleAgentVectorEnv(
            "sho", 8, seat="random", seed=1, autoreset_mode=mode, num_shells=16, coins=1
        )
        observation, _ = env.reset()
        paid: list[list[float]] = [[] for _ in range(8)]
        for _ in range(400):
            actions = observation["action_mask"].argmax(axis=1)
            observation, rewards, over, _, _ = env.step(actions)
            for lane in np.flatnonzero(over):
                paid[lane].append(float(rewards[lane]))
        return paid

    for at_once, following in zip(episodes("SameStep"), episodes("NextStep"), strict=True):
        assert len(following) > 2
        assert at_once[: len(following)] == following


def test_a_spec_with_a_pool_goes_through_json() -> None:
    pool = Pool({"greedy": 0.5, ("greedy", "random"): 0.25}, names=None)
    env = gymnasium.make("sarai/Sho-v0", opponents=pool)
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    first, second = env.reset(seed=4), again.reset(seed=4)
    assert first[1]["opponent"] == second[1]["opponent"]
    with pytest.raises(TypeError, match="not JSON serializable"):
        gymnasium.make("sarai/Sho-v0", opponents=Pool([lambda o, m: m.argmax(1)])).spec.to_json()
