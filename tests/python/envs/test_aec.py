"""`aec_env`: the games as PettingZoo environments of turns."""

from __future__ import annotations

import copy
import itertools
import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

import sarai
from helpers.kinds import COPIES, every_copy
from helpers.lanes import looks_like_a_picture, quick, same, settled, some_books, two_games
from helpers.learner_games import act_alone

# What PettingZoo says of every observation that is a dict.
UNAVOIDABLE = re.compile(
    r"Observation is not a NumPy array|Observation space for each agent probably should be "
)


def wrapped(*args: Any, **kwargs: Any) -> Any:
    """The stack of wrappers that PettingZoo's own games have."""
    env = TerminateIllegalWrapper(sarai.aec_env(*args, **kwargs), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))


STACKS = {"raw": sarai.aec_env, "wrapped": wrapped}


def everything(env: Any) -> list[Any]:
    """All that an environment says of where it stands."""
    dicts = (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards)
    seen = [env.observe(agent) for agent in env.possible_agents]
    return [env.agent_selection, list(env.agents), *map(dict, dicts), seen]


def play(env: Any, steps: int, choose: Callable[[dict[str, Any]], int] = act_alone) -> list[Any]:
    """Play on, dead agents too, until all have left or so many steps were made; what was seen."""
    told = [everything(env)]
    for agent in env.agent_iter(steps):
        observation, _, terminated, truncated, _ = env.last()
        assert observation in env.observation_space(agent)
        env.step(None if terminated or truncated else choose(observation))
        if env.agents:
            told.append(copy.deepcopy(everything(env)))
    return told


# --- PettingZoo's own tests ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "stack", "max_cycles"),
    quick(
        itertools.product(sarai.games(), STACKS, [None, 5]), [("sho", "raw", None), ("shah", "wrapped", 5)]
    ),
)
def test_api(name: str, stack: str, max_cycles: int | None) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(STACKS[stack](name, max_cycles=max_cycles), num_cycles=300, verbose_progress=False)
    said = [str(warning.message) for warning in caught]
    assert [text for text in said if not UNAVOIDABLE.match(text)] == []
    assert said, "PettingZoo has become kinder: UNAVOIDABLE may go"


@pytest.mark.parametrize(
    ("name", "stack", "illegal_action"),
    quick(
        itertools.product(sarai.games(), STACKS, ["raise", "terminate", "random"]),
        [("sho", "raw", "raise"), ("shah", "wrapped", "random")],
    ),
)
def test_seed(name: str, stack: str, illegal_action: str) -> None:
    seed_test(lambda: STACKS[stack](name, illegal_action=illegal_action), num_cycles=60)


@pytest.mark.parametrize(
    ("name", "stack"), quick(itertools.product(sarai.games(), STACKS), [("shah", "wrapped")])
)
def test_render(name: str, stack: str, capsys: pytest.CaptureFixture[str]) -> None:
    make = STACKS[stack]
    assert set(make(name).metadata["render_modes"]) == {"ansi", "svg", "rgb_array", "human"}
    checks = {
        "svg": lambda text: ElementTree.fromstring(text).tag.endswith("svg"),
        "rgb_array": looks_like_a_picture,
    }
    render_test(lambda render_mode: make(name, render_mode=render_mode), custom_tests=checks)
    assert len(capsys.readouterr().out.splitlines()) == 5, "human prints a line a picture"


def test_the_wrapped_stack_ends_a_game_at_an_illegal_action(caplog: pytest.LogCaptureFixture) -> None:
    env = wrapped("sho")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(env.observe(agent)["action_mask"].argmin()))
    assert "Illegal move made" in caplog.text
    assert all(env.terminations.values())
    assert env.rewards[agent] == -1
    for _ in env.agent_iter():
        env.step(None)
    env.reset()
    assert env.agents == env.possible_agents


# --- What is shown ------------------------------------------------------------------------------------------


@some_books
def test_a_game_from_every_seat(book: tuple[str, str]) -> None:
    env = sarai.aec_env(book[0], preset=book[1])
    game = env.game
    agents = [f"player_{seat}" for seat in range(game.num_players)]
    assert env.possible_agents == agents
    assert env.max_num_agents == game.num_players
    assert env.metadata["name"] == str(env) == f"sarai_{book[0]}_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["teams"] == dict(zip(agents, game.sides, strict=True))
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in agents]
    env.reset(seed=3)
    decisions = 0
    while not any(env.terminations.values()):
        state = env.game_state()
        player = state.current_player()
        assert env.agent_selection == agents[player]
        assert env.agents == agents
        for seat, agent in enumerate(agents):
            shown = env.observe(agent)
            assert shown in env.observation_space(agent)
            assert np.array_equal(shown["observation"], state.observation_tensor(seat))
            mask = state.legal_actions_mask() if seat == player else np.zeros(game.num_actions, np.int8)
            assert shown["action_mask"].dtype == np.int8
            assert np.array_equal(shown["action_mask"], mask)
            # The mask has one place, as in PettingZoo's own games: TorchRL cannot read two.
            assert env.infos[agent] == {"side": game.sides[seat]}
        assert same(env.last(), (env.observe(agents[player]), 0.0, False, False, env.infos[agents[player]]))
        assert all(reward == 0 for reward in env.rewards.values())
        action = act_alone(env.observe(agents[player]))
        decisions += 1
        assert env.step(action) is None
        for flags in (env.terminations, env.truncations):
            assert {type(flag) for flag in flags.values()} == {bool}
        assert {type(reward) for reward in env.rewards.values()} == {float}
    assert decisions == sarai.rollout(game, settled, 1, seed=3).lengths[0]
    state = env.game_state()
    assert state.is_terminal()
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    returns = state.returns()
    assert list(env.rewards.values()) == pytest.approx(returns)
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-5)
    for agent, side in env.metadata["teams"].items():
        assert env.rewards[agent] == env.rewards[agents[game.sides.index(side)]]
    last = {}
    for agent in env.agent_iter():
        observation, last[agent], terminated, _, info = env.last()
        assert terminated
        assert not observation["action_mask"].any()
        assert info["side"] == env.metadata["teams"][agent]
        seat = agents.index(agent)
        assert np.array_equal(observation["observation"], state.observation_tensor(seat))
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        env.step(None)
    assert last == pytest.approx(dict(zip(agents, returns, strict=True)))
    assert env.agents == []
    with pytest.raises(RuntimeError, match="begin one with reset"):
        env.step(None)
    env.reset()
    for agent, (observations, actions) in zip(agents, spaces, strict=True):
        assert env.observation_space(agent) is observations
        assert env.action_space(agent) is actions


# --- Actions ------------------------------------------------------------------------------------------------


@two_games
def test_illegal_actions(name: str) -> None:
    made = {policy: sarai.aec_env(name, illegal_action=policy) for policy in ("raise", "terminate", "random")}
    for env in made.values():
        env.reset(seed=5)
        env.step(act_alone(env.observe(env.agent_selection)))
    env = made["raise"]
    agent = env.agent_selection
    wrong = int(env.observe(agent)["action_mask"].argmin())
    with pytest.raises(sarai.IllegalActionError, match=f"^action {wrong} "):
        env.step(wrong)
    env.step(act_alone(env.observe(agent)))
    assert "illegal_action" not in env.infos[agent]

    env = made["terminate"]
    assert env.infos[agent].get("illegal_action") is not True
    state = env.game_state()
    env.step(wrong)
    assert env.infos[agent]["illegal_action"] is True
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.agents}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.game_state() == state
    assert not any(env.observe(other)["action_mask"].any() for other in env.agents)
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []

    env = made["random"]
    env.step(wrong)
    assert env.infos[agent]["illegal_action"] is True
    assert not any(env.terminations.values())
    assert env.game_state() != state
    mover = env.agent_selection
    env.step(act_alone(env.observe(mover)))
    assert env.infos[mover]["illegal_action"] is False


# --- max_cycles ---------------------------------------------------------------------------------------------


@some_books
def test_max_cycles_truncates_everybody_together(book: tuple[str, str]) -> None:
    for limit in (1, 4, np.int64(10**6)):
        env = sarai.aec_env(book[0], preset=book[1], max_cycles=limit)
        env.reset(seed=7)
        decisions = dict.fromkeys(env.agents, 0)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            decisions[env.agent_selection] += 1
            env.step(act_alone(env.observe(env.agent_selection)))
            assert max(decisions.values()) <= limit
        state = env.game_state()
        assert all(env.truncations.values()) != all(env.terminations.values())
        assert any(env.truncations.values()) != any(env.terminations.values())
        if limit == 10**6:
            assert state.is_terminal()
            continue
        assert all(env.truncations.values())
        assert not state.is_terminal()
        assert max(decisions.values()) == limit
        to_act = env.possible_agents[state.current_player()]
        assert decisions[to_act] == limit, "the player to act has had all the decisions there are"
        assert not any(env.rewards.values())
        assert env.agent_selection == "player_0"
        for seat, agent in enumerate(env.agents):
            shown = env.observe(agent)
            assert np.array_equal(shown["observation"], state.observation_tensor(seat))
            assert shown["action_mask"].any() == (agent == to_act), "what it could have played"
        left = [agent for agent in env.agent_iter() if env.step(None) is None]
        assert left == env.possible_agents
        env.reset()
        assert not any(env.truncations.values())
        env.step(act_alone(env.observe(env.agent_selection)))


def test_what_there_is_not_is_refused() -> None:
    env = sarai.aec_env("sho")
    for early in (lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(RuntimeError, match="reset"):
            early()
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        for wrong in ("player_9", ["player_0"]):
            with pytest.raises(ValueError, match="no agent"):
                ask(wrong)  # type: ignore[arg-type]


# --- Copies -------------------------------------------------------------------------------------------------


@every_copy
def test_copies_among_agents_that_leave(duplicate: Callable[[Any], Any]) -> None:
    env, twin = (sarai.aec_env("sho", max_cycles=3) for _ in range(2))
    for one in (env, twin):
        one.reset(9)
        while not any(one.truncations.values()):
            one.step(act_alone(one.observe(one.agent_selection)))
        one.step(None)
    leaving = duplicate(env)
    assert not any(leaving.__dict__[name] is env.__dict__[name] for name in ("rewards", "infos", "agents"))
    leaving.step(None)
    assert len(leaving.agents) == len(env.agents) - 1 == len(twin.agents) - 1
    twin.step(None)
    assert same(everything(leaving), everything(twin))


@pytest.mark.parametrize("duplicate", [COPIES["deepcopy"], COPIES["pickle"]], ids=["deepcopy", "pickle"])
def test_copies_of_the_wrapped_stack(duplicate: Callable[[Any], Any]) -> None:
    env = wrapped("sho")
    env.reset(seed=8)
    play(env.unwrapped, 9)
    twin = duplicate(env)
    told = [play(one.unwrapped, 60) for one in (twin, env)]
    assert len(told[0]) > 1
    assert same(*told)


def test_pettingzoo_make() -> None:
    given: dict[str, Any] = {
        "max_cycles": 3,
        "preset": "teams",
        "render_mode": "ansi",
        "illegal_action": "random",
    }
    made, plain = pettingzoo.make("aec", "sarai/sho_v0", **given), sarai.aec_env("sho", **given)
    assert str(pettingzoo.make("aec", "sarai/shah_v0")) == "sarai_shah_v0"
    assert made.game == plain.game == sarai.make("sho", preset="teams")
    for env in (made, plain):
        env.reset(seed=1)
        env.step(-1)
    assert same(play(made, 500), play(plain, 500))
    assert any(plain.truncations.values()) or plain.agents == []
    assert made.render() == str(made.game_state())
