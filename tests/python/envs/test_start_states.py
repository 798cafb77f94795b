"""Episodes that begin in a given state: `reset(options={"state": ...})` of every environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import sarai
from helpers.positions import every_book

N = 12


def decisions(game: sarai.Game, seat: int | None = None) -> sarai.States:
    """Positions in which a seat has to decide; None is whichever."""
    drawn = sarai.sample_states(game, 200, seed=3)
    # The early ones first: near the end, an opponent who wins at once would leave nothing to decide.
    drawn = drawn[np.argsort(drawn.turns_passed, kind="stable")]
    return drawn if seat is None else drawn[drawn.current_player == seat]


def throws(game: sarai.Game) -> sarai.States:
    """Decisions and, where there is chance, throws."""
    drawn = decisions(game)[: 2 * N]
    ends = drawn.afterstates()
    alive = ends.states[~ends.states.is_terminal]
    return sarai.States.concatenate([drawn[: N // 2], alive[: N - N // 2]])


@every_book
def test_each_lane_begins_in_its_row_and_later_as_usual(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    starts = throws(game)
    env = sarai.SelfPlayVectorEnv(game, num_envs=N, autoreset_mode="SameStep")
    observation, info = env.reset(seed=5, options={"state": starts})
    expected = starts.copy()
    expected.sample_chance(seed=5)
    assert [env.state(lane) for lane in range(N)] == list(expected)
    assert np.array_equal(observation["observation"], expected.observations())
    assert np.array_equal(observation["action_mask"], expected.legal_actions_mask())
    assert info["current_player"].tolist() == expected.current_player.tolist()
    for _ in range(3000):
        _, _, over, _, _ = env.step(env.sample_legal())
        if over.any():
            # One more game, from the usual start.
            assert env.state(int(over.argmax())).turns_passed <= 1
            break
    else:
        pytest.fail("no game ended")
    _, _ = env.reset(seed=5, options={"state": starts[0], "reset_mask": np.arange(N) == 3})
    single = starts[[0] * N]
    single.sample_chance(seed=5)
    assert env.state(3) == single[3]


@every_book
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
    asked = sarai.SingleAgentVectorEnv(game, num_envs=4, seat=seat, opponents=first)
    for each in (engine, asked):
        each.reset(seed=4, options={"state": own})
        assert [each.state(lane) for lane in range(4)] == list(own)
        each.reset(seed=4, options={"state": others})
        assert all(each.state(lane).current_player() == seat for lane in range(4))


def first(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


@every_book
def test_pettingzoo_and_gymnasium_take_a_state_too(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    state = decisions(game)[0]
    aec = sarai.aec_env(game)
    aec.reset(seed=1, options={"state": state})
    assert aec.unwrapped.game_state() == state
    assert aec.agent_selection == f"player_{state.current_player()}"
    name = next(spec for spec in gymnasium.registry if spec.startswith("sarai/"))
    env = gymnasium.make(name)
    game = env.unwrapped.game  # type: ignore[attr-defined]
    state = decisions(game, 0)[0]
    env.reset(options={"state": state})
    assert env.unwrapped.state() == state  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"state": "start"}, TypeError, r"options\['state'\] must be a sarai.State"),
        ({"State": 1}, ValueError, r"options got 'State' \(did you mean 'state'\?\); a reset takes 'state'"),
        (
            {"state": sarai.States("shah", 1)[0]},
            ValueError,
            "is of sarai.make.'shah'.*this environment plays",
        ),
        ({"state": sarai.States("sho", 1, players=2)[0]}, ValueError, "players=2"),
        ({"state": "over"}, ValueError, "a game cannot begin where it is already over"),
    ],
)
@pytest.mark.parametrize("kind", ["self_play", "vector", "single", "aec", "policies"])
def test_a_state_that_does_not_fit_changes_nothing(
    kind: str, options: Any, error: Any, sentence: str
) -> None:
    if options.get("state") == "over":
        options = {"state": sarai.Record.play("sho", seed=1).final_state}
    env: Any = {
        "self_play": lambda: sarai.SelfPlayVectorEnv("sho", num_envs=2),
        "vector": lambda: sarai.SingleAgentVectorEnv("sho", num_envs=2),
        "policies": lambda: sarai.SingleAgentVectorEnv("sho", num_envs=2, opponents=first),
        "single": lambda: sarai.SingleAgentEnv("sho"),
        "aec": lambda: sarai.aec_env("sho").unwrapped,
    }[kind]()
    env.reset(seed=1)
    stands = {"aec": lambda: env.game_state(), "single": lambda: env.state()}.get(kind, lambda: env.state(1))
    before = stands()
    with pytest.raises(error, match=sentence):
        env.reset(seed=2, options=options)
    assert stands() == before


def test_as_many_states_as_lanes_or_one() -> None:
    env = sarai.SelfPlayVectorEnv("sho", num_envs=3)
    with pytest.raises(
        ValueError, match=r"options\['state'\] has 2 rows; give one state for all, or one for each of the 3"
    ):
        env.reset(options={"state": sarai.States("sho", 2)})
    over = sarai.Record.play("sho", seed=1).final_state
    starts = sarai.States.from_states([sarai.States("sho", 1)[0], over, over])
    with pytest.raises(ValueError, match="lane 1: a game cannot begin where it is already over"):
        env.reset(options={"state": starts})
