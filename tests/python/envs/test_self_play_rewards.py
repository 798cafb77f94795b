"""`SelfPlayVectorEnv`: whose rewards it gives, what stock wrappers make of them, illegal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

import sarai
from helpers.lanes import a_game_for_every_mode, act, same, skip_where_gymnasium_miscounts

Env = sarai.SelfPlayVectorEnv
WHOSE = [0, 1, "actor"]
every_mode_and_whose = pytest.mark.parametrize(
    ("name", "mode", "whose"), [*zip(["sho", "shah", "shuanglu"], AutoresetMode, WHOSE, strict=True)]
)


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


# --- Whose rewards -------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("whose", WHOSE)
def test_a_first_step_without_a_reset(whose: Any) -> None:
    env, plain = Env("sho", 5, seed=3, reward_of=whose), Env("sho", 5, seed=3)
    actions = plain.sample_legal()
    stepped, expected = env.step(actions), plain.step(actions)
    assert same(stepped[0], expected[0])
    assert stepped[1].shape == (5,)
    assert np.array_equal(stepped[4]["rewards"], expected[1])


def test_rewards_of_what_is_no_seat() -> None:
    for kind, wrong in [
        (ValueError, -1),
        (ValueError, 3),
        (ValueError, 10**5000),
        (TypeError, 1.0),
        (TypeError, "mover"),
        (TypeError, [0]),
    ]:
        with pytest.raises(kind, match="reward_of"):
            Env("sho", 2, reward_of=wrong)  # type: ignore[arg-type]


# --- Gymnasium's own wrappers --------------------------------------------------------------------------------


@every_mode_and_whose
def test_record_episode_statistics(name: str, mode: AutoresetMode, whose: Any) -> None:
    skip_where_gymnasium_miscounts(mode)
    env = Env(name, 6, autoreset_mode=mode, reward_of=whose, max_episode_steps=90)
    wrapped = wrappers.RecordEpisodeStatistics(env, buffer_length=1000)
    returns: list[float] = []
    lengths: list[int] = []
    length = np.zeros(6, int)
    begins = np.zeros(6, bool)
    for actors, _, rewards, terminated, truncated, info in steps(wrapped, 200):
        over = terminated | truncated
        length += ~begins
        for lane in np.flatnonzero(over):
            seat = actors[lane] if whose == "actor" else whose
            returns.append(float(info["rewards"][lane, seat]))
            lengths.append(int(length[lane]))
            assert rewards[lane] == info["rewards"][lane, seat]
            assert info["episode"]["r"][lane] == returns[-1]
            assert info["episode"]["l"][lane] == lengths[-1]
        length[over] = 0
        begins = over if mode == AutoresetMode.NEXT_STEP else np.zeros(6, bool)
    assert list(wrapped.return_queue) == returns
    assert list(wrapped.length_queue) == lengths
    assert len(returns) > 6


@every_mode_and_whose
def test_wrappers_of_one_reward_a_lane(name: str, mode: AutoresetMode, whose: Any) -> None:
    def made() -> Any:
        return Env(name, 5, autoreset_mode=mode, reward_of=whose, illegal_action="terminate")

    def told(env: Any) -> list[tuple[Any, ...]]:
        return steps(env, 160, careless)

    plain = told(made())
    doubled = told(wrappers.TransformReward(made(), lambda reward: 2 * reward))
    clipped = told(wrappers.ClipReward(made(), min_reward=-0.25, max_reward=0.25))
    normal = told(wrappers.NormalizeReward(made()))
    both_on_top = told(wrappers.NormalizeReward(wrappers.RecordEpisodeStatistics(made())))
    for step, twice, cut, scaled, both in zip(plain, doubled, clipped, normal, both_on_top, strict=True):
        assert same(twice[1], step[1])
        assert np.array_equal(twice[2], 2 * step[2])
        assert np.array_equal(cut[2], step[2].clip(-0.25, 0.25))
        assert np.isfinite(scaled[2]).all()
        assert np.array_equal(np.sign(scaled[2]), np.sign(step[2]))
        assert np.array_equal(scaled[2], both[2])
    assert sum(np.count_nonzero(step[2]) for step in plain) > 3, "too few rewards to mean anything"


# --- Illegal actions -----------------------------------------------------------------------------------------


@a_game_for_every_mode
def test_illegal_actions(name: str, mode: AutoresetMode) -> None:
    def made(policy: str, **more: Any) -> tuple[Any, Any, Any]:
        env = Env(name, 4, seed=6, autoreset_mode=mode, illegal_action=policy, **more)
        env.reset()
        # Somebody else's turn in some lanes.
        for _ in range(5):
            observation, _, _, _, info = env.step(env.sample_legal())
        return env, observation, info

    raising, observation, _ = made("raise")
    legal = act(observation)
    wrong = legal.copy()
    wrong[[1, 3]] = [observation["action_mask"][1].argmin(), 2**40]
    before = raising._batch.snapshot()
    with pytest.raises(sarai.IllegalActionError, match=f"lane 1: action {wrong[1]} "):
        raising.step(wrong)
    assert raising._batch.snapshot() == before
    expected = raising.step(legal)
    assert "illegal_action" not in expected[4]
    for policy, reward in (("terminate", -1.0), ("random", 0.0)):
        env, _, info = made(policy)
        movers = info["current_player"].copy()
        state = env.state(1)
        observation, rewards, terminated, truncated, info = env.step(wrong)
        assert info["illegal_action"].tolist() == [False, True, False, True]
        assert info["_illegal_action"].all()
        assert terminated.tolist() == [False, policy == "terminate"] * 2
        assert not truncated.any()
        for lane in (1, 3):
            assert rewards[lane].sum() == rewards[lane, movers[lane]] == reward
        assert not rewards[[0, 2]].any()
        for lane in (0, 2):
            for key in observation:
                assert np.array_equal(observation[key][lane], expected[0][key][lane]), "others go on as ever"
        if policy == "random":
            assert env.state(1) != state
        elif mode == AutoresetMode.SAME_STEP:
            final = info["final_info"]
            assert final["illegal_action"].tolist() == [False, True, False, True]
            assert final["current_player"][[1, 3]].tolist() == [sarai.TERMINAL] * 2
            assert not final["action_mask"].any()
        else:
            assert env.state(1) == state
            assert info["current_player"][[1, 3]].tolist() == [sarai.TERMINAL] * 2
        if mode == AutoresetMode.DISABLED and terminated.any():
            env.reset(options={"reset_mask": terminated})
        _, rewards, terminated, _, info = env.step(env.sample_legal())
        assert not info["illegal_action"].any()
        # The step that begins a game ignores its action, whatever it is.
        if policy == "terminate":
            actor, _, info = made(policy, reward_of="actor")
            assert actor.step(wrong)[1].tolist() == [0, -1, 0, -1]
    with pytest.raises(ValueError, match="illegal_action"):
        Env(name, 1, illegal_action="ignore")
