"""Policies and evaluators that misbehave in whole games and searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import sarai
from attack import oracle
from attack.oracle import SHORT, books, call, games, lowest, short, tries
from attack.policies import (
    Answer,
    answers,
    errors,
    late,
    priors_of_no_position,
    raising,
    values_of_no_position,
)
from sarai import agents

PLAY: dict[Callable[..., Any], dict[str, Any]] = {
    sarai.rollout: {},
    sarai.trajectories: {},
    sarai.series: {"target": 1, "max_games": 3},
}


@tries(60)
@given(st.sampled_from(list(PLAY)), games, errors | answers, st.sampled_from([0, 0, 1, 3]), st.booleans())
def test_policies(play: Callable[..., Any], game: str, wrong: Any, after: int, alone: bool) -> None:
    how: dict[str, Any] = {"seed": 0, "num_threads": 1, **PLAY[play]}
    raises = isinstance(wrong, BaseException)
    policy = late(raising(wrong) if raises else wrong, after)
    book = short(game)
    due = play(book, lowest, 4, **how)
    lineup = policy if alone else ["random"] * (book.num_players - 1) + [policy]
    met = call(play, book, lineup, 4, **how, also=(type(wrong),) if raises else ())
    assert not raises or met.error in (None, wrong)
    assert play(book, lowest, 4, **how) == due


def scribbler(answer: Answer) -> Answer:
    """Answers well, and scribbles on what it was given, at once and later."""
    kept: list[Any] = []

    @wraps(answer)
    def policy(*asked: Any) -> Any:
        told = answer(*asked)
        for array in (*asked, *kept):
            if array.flags.writeable:
                array.fill(7)
        kept[:] = [*asked, *(told if isinstance(told, tuple) else [told])]
        return told

    return policy


def judge(observations: Any, masks: Any) -> Any:
    """An evaluator that gives priors too, and does as it should."""
    return np.zeros(masks.shape, np.float32), value(observations)


def value(observations: Any) -> Any:
    """An evaluator that does as it should."""
    return observations[:, 0] % 3 / 4


def decisions(index: int) -> sarai.States:
    """Positions in which somebody is to act, and perhaps an end."""
    found = [state for state in oracle.walk(index) if not state.is_chance_node()]
    return sarai.States.from_states([*found[:4], found[-1]])


@tries(15)
@given(games, books)
def test_scribbling_on_what_is_given_changes_nothing(game: str, index: int) -> None:
    book = short(game)
    how: dict[str, Any] = {"seed": 0, "num_threads": 1}
    one, other = (sarai.rollout(book, policy, 4, **how) for policy in (scribbler(lowest), lowest))
    assert (one.returns == other.returns).all()
    assert (one.lengths == other.lengths).all()
    ours, theirs = (sarai.trajectories(book, policy, 4, **how) for policy in (scribbler(lowest), lowest))
    assert (ours.observations == theirs.observations).all()
    assert (ours.actions == theirs.actions).all()
    roots = decisions(index)
    for search in (judge, value):
        visits = [
            sarai.search(roots, 4, evaluator, seed=0).visits for evaluator in (scribbler(search), search)
        ]
        assert (visits[0] == visits[1]).all()


@tries(60)
@given(books, errors | values_of_no_position | priors_of_no_position, st.sampled_from([judge, value]))
def test_evaluators_of_a_search(index: int, wrong: Any, good: Answer) -> None:
    roots = decisions(index)
    raises = isinstance(wrong, BaseException)
    evaluator = raising(wrong) if raises else wrong
    due = sarai.search(roots, 4, good, seed=0)
    met = call(sarai.search, roots, 4, evaluator, also=(type(wrong),) if raises else ())
    assert not raises or met.error is wrong or not (roots.current_player() >= 0).any()
    assert (sarai.search(roots, 4, good, seed=0).visits == due.visits).all()


MAKERS: list[Callable[[Any], Any]] = [
    lambda evaluator: agents.TreeSearch(evaluator, 2),
    lambda evaluator: agents.MCTS(2, evaluator=evaluator),
    lambda evaluator: agents.Expectimax(evaluator=evaluator),
    lambda evaluator: agents.TurnSearch(evaluator, 1, 2),
]


@tries(40)
@given(games, errors | values_of_no_position, st.sampled_from(MAKERS), st.sampled_from([0, 1, 5]))
def test_evaluators_of_agents(game: str, wrong: Any, make: Callable[[Any], Any], after: int) -> None:
    book = short(game) if game == "sho" else sarai.make(game, rules={**SHORT[game], "max_turns": 3})
    rest = ["random"] * (book.num_players - 1)
    raises = isinstance(wrong, BaseException)
    good = call(make, value)
    if good.error is not None:
        return
    due = sarai.rollout(book, [good.value, *rest], 2, seed=0)
    bad = [make(late(raising(wrong) if raises else wrong, after, value)), *rest]
    met = call(sarai.rollout, book, bad, 2, also=(type(wrong),) if raises else ())
    assert not raises or met.error in (None, wrong)
    assert sarai.rollout(book, [good.value, *rest], 2, seed=0) == due
