"""Agents that see whole positions: objects with `choose_many`, wherever an agent is taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.learner_games import lowest
from helpers.positions import every_book
from sarai import agents


class Greedy:
    """What "greedy" does, position by position; it notes what it saw."""

    def __init__(self) -> None:
        self.seen = 0

    def choose_many(self, states: sarai.States, seats: NDArray[np.int8]) -> list[int]:
        assert isinstance(states, sarai.States)
        np.testing.assert_array_equal(seats, states.current_player())
        self.seen += len(states)
        return [sarai.choose(state, "greedy", seed=0) for state in states]


@every_book
def test_in_rollouts_they_are_what_they_choose(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    others: list[Any] = ["random"] * (game.num_players - 1)
    agent = Greedy()
    one = sarai.rollout(game, [agent, *others], 3, seed=5)
    two = sarai.rollout(game, ["greedy", *others], 3, seed=5)
    np.testing.assert_array_equal(one.returns, two.returns)
    np.testing.assert_array_equal(one.lengths, two.lengths)
    assert agent.seen > 0
    assert one.agents[0] == "Greedy"


def test_in_every_other_place() -> None:
    agent = Greedy()
    series = [sarai.series("shuanglu", [one, "random"], 2, target=1, seed=3) for one in (agent, "greedy")]
    np.testing.assert_array_equal(series[0].returns, series[1].returns)
    told = [sarai.trajectories("shah", [one, lowest], 2, seed=3) for one in (agent, "greedy")]
    np.testing.assert_array_equal(told[0].actions, told[1].actions)
    drawn = [
        sarai.make("tshupu").sample_states([one, "random", "random", "random"], 3, seed=2)
        for one in (agent, "greedy")
    ]
    assert drawn[0] == drawn[1]
    s = sarai.make("shuanglu").sample_states(num_games=3, seed=1)
    played = [s.rollout([one, "random"], 2, seed=4).returns for one in (agent, "greedy")]
    np.testing.assert_array_equal(*played)
    records = [sarai.Record.play("shuanglu", [one, "random"], seed=4).steps for one in (agent, "greedy")]
    assert list(records[0]) == list(records[1])


def test_as_opponents_in_environments() -> None:
    steps = []
    for opponent in (Greedy(), "greedy"):
        env = sarai.SingleAgentVectorEnv("tshupu", 5, opponents=[opponent, "random", "greedy"])
        env.reset(seed=3)
        seen = []
        for _ in range(60):
            observations, rewards, *_ = env.step(env.action_masks().argmax(1))
            seen.append((str(observations), rewards.copy()))
        steps.append(seen)
    assert len(steps[0]) == len(steps[1])
    for one, two in zip(*steps, strict=True):
        np.testing.assert_array_equal(one[1], two[1])
        assert one[0] == two[0]


def test_one_object_in_two_seats_is_asked_once() -> None:
    class Counting(Greedy):
        calls = 0

        def choose_many(self, states: sarai.States, seats: NDArray[np.int8]) -> list[int]:
            Counting.calls += 1
            self.both = getattr(self, "both", False) or len(set(seats.tolist())) > 1
            return super().choose_many(states, seats)

    agent = Counting()
    sarai.rollout("sho", agent, 20, seed=1)
    assert agent.both


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (lambda states: [0] * (len(states) + 1), ValueError, "shape"),
        (lambda states: [999] * len(states), sarai.IllegalActionError, "action 999"),
        (lambda states: "no", (TypeError, ValueError), ""),
    ],
)
def test_wrong_answers(answer: Any, kind: type[Exception], message: str) -> None:
    class Wrong:
        def choose_many(self, states: sarai.States, seats: NDArray[np.int8]) -> Any:
            return answer(states)

    with pytest.raises(kind) as error:
        sarai.rollout("shah", [Wrong(), "random"], 2, seed=1)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: sarai.rollout("shah", agents.Greedy, 2, seed=0),
        lambda: sarai.rollout("shah", ["random", agents.TreeSearch], 2, seed=0),
        lambda: sarai.trajectories("shah", Greedy, 2, seed=0),
        lambda: sarai.arena("shah", ["random", Greedy], num_games=2, seed=0),
        lambda: sarai.SingleAgentVectorEnv("shah", 2, opponents=Greedy),
        lambda: agents.Pool([Greedy]),
        lambda: agents.from_torch(Module),  # type: ignore[arg-type]
    ],
)
def test_a_class_is_no_agent(call: Any) -> None:
    with pytest.raises(TypeError, match=r"give an object, not the class (Greedy|TreeSearch|Module)"):
        call()


class Module:
    """What is asked of a module of PyTorch."""

    def forward(self, observations: Any) -> Any:
        """Logits."""

    def parameters(self) -> Any:
        """Weights."""


def opinion(observations: NDArray[np.int8]) -> NDArray[np.float64]:
    return np.asarray(observations[:, ::7].sum(1) % 5 / 10)


def test_a_tree_search_chooses_alike_whatever_stands_beside_a_position() -> None:
    agent = agents.MCTS(15, evaluator=opinion)
    assert isinstance(agent, agents.TreeSearch)
    s = sarai.make("shuanglu").sample_states(num_games=12, seed=4)
    chosen = agent.choose_many(s, s.current_player())
    for row, state in enumerate(s):
        assert agent.choose(state, agent.seed) == chosen[row] == agent.analyse(state, agent.seed).best
    np.testing.assert_array_equal(agent.choose_many(s[::-1], s[::-1].current_player()), chosen[::-1])
    one = sarai.rollout("shuanglu", [agent, "greedy"], 4, seed=2, num_threads=1)
    two = sarai.rollout("shuanglu", [agents.TreeSearch(opinion, 15), "greedy"], 4, seed=2)
    np.testing.assert_array_equal(one.returns, two.returns)
    assert one.agents[0] == "search:15,opinion"


def test_bad_arguments_of_a_tree_search() -> None:
    with pytest.raises(ValueError, match="none of playout, priors, solver and reuse_tree"):
        agents.MCTS(15, "greedy", opinion)
    with pytest.raises(ValueError, match="simulations got 0"):
        agents.TreeSearch(opinion, 0)
    with pytest.raises(ValueError, match="seed got -1"):
        agents.TreeSearch(opinion, seed=-1)
    with pytest.raises(ValueError, match="nothing to search"):
        agents.TreeSearch(opinion).choose(sarai.make("sho").new_initial_state())
