"""Episodes that begin in a given state: `reset(options={"state": ...})` of every environment."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.kinds import KINDS, LEARNERS, every_kind_of_ours
from helpers.lanes import some_books
from helpers.learner_games import lowest

N = 12


def decisions(game: sarai.Game, seat: int | None = None) -> sarai.States:
    """Positions in which a seat has to decide; None is whichever."""
    drawn = game.sample_states(num_games=200, seed=3)
    # The early ones first: near the end, an opponent who wins at once would leave nothing to decide.
    drawn = drawn[np.argsort(drawn.turns_passed(), kind="stable")]
    return drawn if seat is None else drawn[drawn.current_player() == seat]


def throws(game: sarai.Game) -> sarai.States:
    """Decisions and, where there is chance, throws."""
    drawn = decisions(game)[: 2 * N]
    ends = drawn.afterstates()
    alive = ends.states[~ends.states.is_terminal()]
    return sarai.States.concatenate([drawn[: N // 2], alive[: N - N // 2]])


@some_books
def test_each_lane_begins_in_its_row_and_later_as_usual(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    starts = throws(game)
    env = sarai.SelfPlayVectorEnv(game, num_envs=N, autoreset_mode="SameStep")
    observation, info = env.reset(seed=5, options={"state": starts})
    expected = starts.copy()
    expected.sample_chance(seed=5)
    assert [env.state(lane) for lane in range(N)] == list(expected)
    assert np.array_equal(observation["observation"], expected.observation_tensor())
    assert np.array_equal(observation["action_mask"], expected.legal_actions_mask())
    assert info["current_player"].tolist() == expected.current_player().tolist()
    for _ in range(3000):
        _, _, over, _, _ = env.step(env.sample_legal())
        if over.any():
            # One more game, from the usual start.
            assert env.state(int(over.argmax())).turns_passed() <= 1
            break
    else:
        pytest.fail("no game ended")
    _, _ = env.reset(seed=5, options={"state": starts[0], "reset_mask": np.arange(N) == 3})
    single = starts[[0] * N]
    single.sample_chance(seed=5)
    assert env.state(3) == single[3]


@some_books
def test_a_learner_begins_at_the_first_decision_after_the_state(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    seat = game.num_players - 1
    own, others = decisions(game, seat)[:4], decisions(game, 0)[:4]
    env = sarai.SingleAgentEnv(game, seat=seat, opponents="random")
    for state in own:
        observation, info = env.reset(seed=1, options={"state": state})
        assert env.state() == state
        assert np.array_equal(observation["observation"], state.observation_tensor(seat))
        assert np.array_equal(info["action_mask"], state.legal_actions_mask())
    for state in others:
        env.reset(seed=2, options={"state": state})
        assert env.state().current_player() == seat
        # The same as a lane, and as with a callable that chooses alike.
        vector = sarai.SingleAgentVectorEnv(game, num_envs=1, seat=seat, opponents="random")
        vector.reset(seed=2, options={"state": state})
        assert vector.state(0) == env.state()
    engine = sarai.SingleAgentVectorEnv(game, num_envs=4, seat=seat, opponents="greedy")
    asked = sarai.SingleAgentVectorEnv(game, num_envs=4, seat=seat, opponents=lowest)
    for each in (engine, asked):
        each.reset(seed=4, options={"state": own})
        assert [each.state(lane) for lane in range(4)] == list(own)
        each.reset(seed=4, options={"state": others})
        assert all(each.state(lane).current_player() == seat for lane in range(4))


def test_pettingzoo_takes_a_state_too() -> None:
    state = decisions(sarai.make("shah"))[1]
    aec = sarai.aec_env("shah")
    aec.reset(seed=1, options={"state": state})
    assert aec.game_state() == state
    assert aec.agent_selection == f"player_{state.current_player()}"


def stands(env: Any) -> sarai.State:
    """Where the game stands, or the first one."""
    if hasattr(env, "game_state"):
        return env.game_state()
    return env.state(0) if hasattr(env, "num_envs") else env.state()


@every_kind_of_ours
def test_a_state_that_does_not_fit_changes_nothing(kind: str) -> None:
    over = sarai.Record.play("sho", seed=1).final_state
    some = decisions(sarai.make("sho"), 0)[:3]
    env = KINDS[kind]("sho", **{"seat": 0} if kind in LEARNERS else {})
    env.set_starts(some)
    env.reset(seed=1)
    before, whole = stands(env), env._batch.snapshot()
    for wrong, error, words in [
        ("start", TypeError, "state"),
        (sarai.States("shah", 1)[0], ValueError, "sarai.make.'shah'.*this environment plays"),
        (sarai.States("sho(players=2)", 1)[0], ValueError, "players=2"),
        (over, ValueError, "already over"),
        (sarai.States("sho", 0), ValueError, "rows"),
    ]:
        with pytest.raises(error, match=words):
            env.reset(seed=2, options={"state": wrong})
        assert stands(env) == before
        with pytest.raises(error, match=words):
            env.set_starts(wrong)
    assert env._batch.snapshot() == whole
    for _ in range(4):
        env.reset()
        assert stands(env) in list(some)


def test_of_several_states_the_one_at_fault_is_named() -> None:
    env = sarai.SelfPlayVectorEnv("sho", num_envs=3)
    over = sarai.Record.play("sho", seed=1).final_state
    starts = sarai.States.from_states([sarai.States("sho", 1)[0], over, over])
    with pytest.raises(ValueError, match=r"lane 1.*over"):
        env.reset(options={"state": starts})


# --- Starts of all later games ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "kind", "mode"),
    [
        (("sho", "teams"), "self_play", "NextStep"),
        (("sho", "basic"), "vector", "SameStep"),
        (("sho", "lhasa"), "policies", "Disabled"),
        (("shah", "shah"), "self_play", "SameStep"),
        (("shah", "shah"), "vector", "Disabled"),
        (("shah", "nine_mens_morris"), "policies", "NextStep"),
        (("shah", "shah"), "drawn", "SameStep"),
        (("shuanglu", "shuanglu"), "drawn", "NextStep"),
        (("shuanglu", "backgammon"), "policies", "SameStep"),
        (("tshupu", "tshupu"), "self_play", "Disabled"),
        (("tshupu", "chaupar_style"), "vector", "NextStep"),
        (("tshupu", "tshupu"), "drawn", "Disabled"),
    ],
)
def test_every_later_game_begins_in_one_of_the_states(book: tuple[str, str], kind: str, mode: str) -> None:
    game = sarai.make(book[0], preset=book[1])
    starts = decisions(game, 0)[:N]
    given: Any = {"num_envs": 8, "seed": 2, "autoreset_mode": mode, "max_episode_steps": 6}
    learner: dict[str, Any] = {
        "vector": {},
        "policies": {"opponents": lowest},
        "drawn": {"opponents": sarai.agents.Pool([lowest, "greedy"])},
    }
    env: Any = (
        sarai.SelfPlayVectorEnv(game, **given)
        if kind == "self_play"
        else sarai.SingleAgentVectorEnv(game, **given, **learner[kind])
    )
    usual = env.reset()[0]["observation"].copy()
    env.set_starts(starts)
    known = {state.observation_tensor(0).tobytes() for state in starts}
    seen: set[bytes] = set()
    observation, _ = env.reset(seed=7)
    waiting = np.ones(8, bool)
    for _ in range(40):
        for lane in np.flatnonzero(waiting):
            # The first row of a game.
            cells = observation["observation"][lane].tobytes()
            assert cells in known
            seen.add(cells)
        observation, _, terminated, truncated, _ = env.step(env.sample_legal())
        over = terminated | truncated
        if mode == "NextStep" and over.any():
            observation, *_ = env.step(env.sample_legal())
        if mode == "Disabled" and over.any():
            observation, _ = env.reset(options={"reset_mask": over})
        waiting = over
    assert len(seen) > min(3, len(known) - 1)
    # A reset that says where its games begin still does.
    observation, _ = env.reset(options={"state": starts[0]})
    assert (observation["observation"] == starts[0].observation_tensor(0)).all()
    env.set_starts(None)
    assert np.array_equal(env.reset(seed=2)[0]["observation"], usual)


@some_books
def test_one_game_begins_like_the_first_lane(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    starts = decisions(game, 0)[:N]
    single, lanes = sarai.SingleAgentEnv(game), sarai.SingleAgentVectorEnv(game, num_envs=1)
    turns = sarai.aec_env(game)
    for env in (single, lanes, turns):
        env.set_starts(starts)
    begun = set()
    for episode in range(20):
        seed = 3 if episode == 0 else None
        observation, _ = single.reset(seed=seed)
        assert np.array_equal(observation["observation"], lanes.reset(seed=seed)[0]["observation"][0])
        turns.reset(seed=seed)
        assert turns.game_state() == single.state()
        assert single.state() in list(starts)
        begun.add(str(single.state()))
    assert len(begun) > 3


def test_starts_are_copied_and_pickled_and_kept_by_copies() -> None:
    starts = decisions(sarai.make("sho"), 0)[:5]
    env = sarai.SingleAgentVectorEnv("sho", num_envs=4, opponents=lowest)
    env.set_starts(starts)
    first_games = env.reset()[0]["observation"]
    assert np.array_equal(first_games, env.reset(seed=env.np_random_seed)[0]["observation"])
    twin = pickle.loads(pickle.dumps(env))
    starts.apply_actions(starts.legal_actions_mask().argmax(axis=1))
    for _ in range(3):
        shown = env.reset()[0]["observation"]
        assert np.array_equal(shown, twin.reset()[0]["observation"])
    twin.set_starts(None)
    assert not np.array_equal(env.reset()[0]["observation"], twin.reset()[0]["observation"])
