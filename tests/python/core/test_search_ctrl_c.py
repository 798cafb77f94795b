"""A real Ctrl-C while trees are grown: it ends the search, and changes nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.ctrl_c import at_once, interrupted
from sarai import agents
from sarai._envs.single_agent import SingleAgentEnv

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to the whole console")

CENTURIES = 20_000_000 // 64
"""More simulations than anybody waits for: the most that the engine takes for 64 positions."""


def opinion(observations: NDArray[np.int8]) -> NDArray[np.float64]:
    return observations[:, :8].sum(axis=1) % 5 / 5 - 0.5


class Telling:
    """Judges like `opinion`, and sets an event in its third call: then a search is well under way."""

    def __init__(self, begun: threading.Event) -> None:
        self.begun, self.calls = begun, 0

    def __call__(self, observations: NDArray[np.int8]) -> NDArray[np.float64]:
        self.calls += 1
        if self.calls == 3:
            self.begun.set()
        return opinion(observations)


def waits_for_ever(begun: threading.Event) -> Callable[[Any], Any]:
    """A judge that waits for what never comes."""
    never = threading.Event()

    def judge(observations: NDArray[np.int8]) -> NDArray[np.float64]:
        begun.set()
        # Python misses a signal that comes between its last look and an endless wait.
        while not never.wait(0.01):
            pass
        return opinion(observations)

    return judge


def found(s: sarai.States) -> NDArray[np.int32]:
    return sarai.search(s, 8, opinion, seed=4).visits


@pytest.mark.parametrize("game", ["shah", "shuanglu"])
@pytest.mark.parametrize("judge", [Telling, waits_for_ever])
def test_a_search_with_a_function(game: str, judge: Callable[[threading.Event], Any]) -> None:
    s = sarai.make(game).sample_states(num_games=64, seed=1)
    before, due = s.copy(), found(s)
    interrupted(lambda begun: sarai.search(s, CENTURIES, judge(begun), seed=0))
    assert s == before
    assert np.array_equal(found(s), due)


@pytest.mark.parametrize("evaluator", ["heuristic", "playout", "playout=greedy"])
def test_a_search_in_the_engine(evaluator: str) -> None:
    s = sarai.make("shuanglu").sample_states(num_games=64, seed=1)
    before = s.copy()
    interrupted(at_once(lambda: sarai.search(s, CENTURIES, evaluator, seed=0)))
    assert s == before


@pytest.mark.parametrize("judge", [Telling, waits_for_ever])
def test_agents_that_search_with_a_function(judge: Callable[[threading.Event], Any]) -> None:
    state = sarai.make("tshupu").sample_states(num_games=1, seed=2)[0]
    before = state.clone()
    for call in (
        lambda agent: sarai.rollout("tshupu", agent, 20, seed=1),
        lambda agent: agent.choose(state),
        lambda agent: agent.analyse(state),
    ):
        interrupted(lambda begun, call=call: call(agents.TreeSearch(judge(begun), CENTURIES)))
    interrupted(lambda begun: sarai.rollout("tshupu", agents.TurnSearch(judge(begun), 2), 100_000, seed=1))
    assert state == before


class Hesitating:
    """Plays the first legal action, but asks its tree as long as there is an event to be set."""

    begun: threading.Event | None = None

    def choose_many(self, states: sarai.States, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        if self.begun:
            return agents.TreeSearch(Telling(self.begun), CENTURIES).choose_many(states, seats)
        return states.legal_actions_mask().argmax(1)


def test_an_environment_whose_opponent_is_interrupted_asks_for_a_reset() -> None:
    opponent = Hesitating()
    env = SingleAgentEnv("shah", opponents=opponent)
    _, info = env.reset(seed=3)
    action = int(info["action_mask"].argmax())
    told = str(env.step(action))
    env.reset(seed=3)

    def step(begun: threading.Event) -> object:
        opponent.begun = begun
        return env.step(action)

    interrupted(step)
    opponent.begun = None
    with pytest.raises(RuntimeError, match=r"interrupted: call reset\(\)"):
        env.step(action)
    env.reset(seed=3)
    assert str(env.step(action)) == told
