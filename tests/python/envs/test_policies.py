"""Python callables as opponents: they change nothing that an agent inside the engine would not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.lanes import IDS, act, same, settled, some_books, two_games
from helpers.learner_games import agree, first_rewards, highest, lowest, told_by_all_seats, told_by_one_seat

Env = sarai.SingleAgentVectorEnv
Asked = tuple[NDArray[np.int8], NDArray[np.int8]]


class Recorder:
    """A policy that keeps what it was shown and answered."""

    def __init__(self, policy: Callable[[Any, Any], Any]) -> None:
        self.policy = policy
        self.asked: list[Asked] = []
        self.answers: list[Any] = []

    def __call__(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Any:
        self.asked.append((observations.copy(), masks.copy()))
        self.answers.append(self.policy(observations, masks))
        return self.answers[-1]


# --- The same games as with names ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "limit", "mode"),
    [
        ("lhasa", None, AutoresetMode.NEXT_STEP),
        ("teams", 4, AutoresetMode.SAME_STEP),
        ("lhasa", 4, AutoresetMode.DISABLED),
    ],
)
def test_several_policies_in_every_seat_and_mode(preset: str, limit: int | None, mode: AutoresetMode) -> None:
    game = sarai.make("sho", preset=preset)
    seats = range(game.num_players)
    for seat in seats:
        policies = dict(
            zip([other for other in seats if other != seat], [lowest, highest, settled], strict=False)
        )
        reference = told_by_all_seats(game, seat, policies, lanes=3, seed=5, games=2, limit=limit)
        made: Any = {"seat": seat, "seed": 5, "autoreset_mode": mode, "max_episode_steps": limit}
        rounds = max(map(len, reference))
        told = told_by_one_seat(Env(game, 3, opponents=[*policies.values()], **made), rounds)
        assert agree(reference, told) >= 2
        turned = told_by_one_seat(Env(game, 3, opponents=[*policies.values()][::-1], **made), rounds)
        assert turned != told, "who sits where makes a difference"


@pytest.mark.parametrize("agent", ["greedy", "random", "mcts:2"])
def test_names_and_policies_mix(agent: str) -> None:
    for seat in range(3):
        for opponents in ([agent, highest], [highest, agent]):
            agents: list[Any] = [*opponents[:seat], settled, *opponents[seat:]]
            played = sarai.rollout("sho", agents, 2, seed=2)
            env = Env("sho", 2, seat=seat, opponents=opponents, seed=2, autoreset_mode="SameStep")
            assert np.array_equal(first_rewards(env), played.returns[:, seat])


# --- What policies are asked --------------------------------------------------------------------------------


@some_books
def test_policies_are_asked_for_what_waits_for_them(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    seats, seat = game.num_players, game.num_players - 1
    recorders = [Recorder(settled) for _ in range(seats - 1)]
    env = Env(game, 3, seat=seat, opponents=recorders, seed=4, autoreset_mode="Disabled")
    assert not any(recorder.asked for recorder in recorders), "an environment nobody looks at asks nobody"
    observation, _ = env.reset()
    over = np.zeros(3, bool)
    while not over.any():
        observation, _, over, _, _ = env.step(act(observation))
    for recorder in recorders:
        assert len(recorder.asked) > 3
        for (rows, masks), answer in zip(recorder.asked, recorder.answers, strict=True):
            assert rows.dtype == masks.dtype == np.int8
            assert 1 <= len(rows) <= 3
            assert rows.shape == (len(rows), *game.observation_shape)
            assert masks.shape == (len(rows), game.num_actions)
            assert masks[np.arange(len(rows)), answer].all()


def test_one_policy_in_several_seats_is_asked_for_all_of_them_at_once() -> None:
    together, apart = Recorder(settled), [Recorder(settled) for _ in range(2)]
    envs = [Env("sho", 40, opponents=agents, seed=1) for agents in (together, apart)]
    for env in envs:
        env.reset()
    observation = envs[0].reset(seed=2)[0]
    envs[1].reset(seed=2)
    for _ in range(30):
        steps = [env.step(act(observation)) for env in envs]
        assert same(*steps)
        observation = steps[0][0]
    rows = [sum(len(row) for row, _ in one.asked) for one in (together, *apart)]
    assert rows[0] == sum(rows[1:])
    assert max(len(row) for row, _ in together.asked) > 20, "lanes are asked together"


def test_what_a_policy_does_to_its_arrays_stays_with_it() -> None:
    def scribbles(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        actions = lowest(observations, masks)
        observations.fill(7)
        masks.fill(0)
        return actions

    plain, other = (Env("sho", 4, seat=1, opponents=policy, seed=1) for policy in (lowest, scribbles))
    assert told_by_one_seat(plain, 60) == told_by_one_seat(other, 60)


def test_all_that_a_policy_may_answer() -> None:
    expected = told_by_one_seat(Env("sho", 4, seat=1, opponents=lowest, seed=1), 25)
    kinds: list[Callable[[Any], Any]] = [
        lambda actions: actions.tolist(),
        lambda actions: tuple(actions.tolist()),
        lambda actions: actions.astype(np.int16),
        lambda actions: actions.astype(np.uint64),
        lambda actions: actions.astype(object),
        lambda actions: np.repeat(actions, 2)[::2],
    ]
    for kind in kinds:

        def policy(observations: Any, masks: Any, kind: Callable[[Any], Any] = kind) -> Any:
            return kind(lowest(observations, masks))

        assert told_by_one_seat(Env("sho", 4, seat=1, opponents=policy, seed=1), 25) == expected


# --- Every way to give them ---------------------------------------------------------------------------------


@two_games
def test_ways_to_name_the_opponents(name: str) -> None:
    seats = sarai.make(name).num_players

    def told(opponents: Any) -> Any:
        env = gymnasium.make_vec(IDS[name], 3, seat=1, opponents=opponents, seed=3)
        return told_by_one_seat(env, 30)

    class Listed(list[Any]):
        """Callable and iterable at once, as a torch.nn.Sequential is: one policy."""

        def __call__(self, observations: Any, masks: Any) -> Any:
            return lowest(observations, masks)

    one = told(lowest)
    assert told([lowest] * (seats - 1)) == one
    assert told((lowest,) * (seats - 1)) == one
    assert told(lowest for _ in range(seats - 1)) == one
    assert told(Listed([1, 2, 3])) == one
    assert told(highest) != one
    assert told(None) == told("random") == told(["random"] * (seats - 1)) != one
    assert told("greedy") != told("random")
    for wrong in ([lowest] * seats, [lowest] * (seats - 2), (lowest for _ in iter(int, 1))):
        with pytest.raises(ValueError, match="opponents has"):
            told(wrong)
