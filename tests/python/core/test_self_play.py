"""`sarai.self_play`: games that a search plays against itself, whatever stands beside them."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from core.test_search import opinion
from core.test_turn_search import SurpriseError, raises
from helpers.refusals import refused
from nets.test_policy import with_values
from sarai.training import SelfPlayGame

SMALL = {"sho": {"num_shells": 16}, "shah": {"pieces": 4, "opening_removals": "none", "max_turns": 60}}
"""Short games, where there are any."""


def small(name: str) -> sarai.Game:
    return sarai.make(name, **SMALL.get(name, {}))


def judge(
    observations: NDArray[np.int8], masks: NDArray[np.int8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits and a value that depend on the row alone."""
    hopes = opinion(observations)
    return np.sin(np.arange(masks.shape[1]) * (1 + hopes[:, None])).astype(np.float32), hopes


def same(one: SelfPlayGame, other: SelfPlayGame) -> None:
    for field in dataclasses.fields(SelfPlayGame):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


@pytest.mark.parametrize("name", sarai.games())
def test_a_game_does_not_depend_on_those_beside_it(name: str) -> None:
    game = small(name)
    for evaluator in (judge, with_values(game), "heuristic"):
        played: list[dict[int, SelfPlayGame]] = []
        for lanes, threads in ((5, 1), (1, 2), (2, 2), (64, None)):
            found = sarai.self_play(
                game, 6, evaluator, num_games=5, lanes=lanes, num_threads=threads, seed=3, sampling_moves=4
            )
            played.append({one.number: one for one in found})
            assert sorted(played[-1]) == list(range(5))
        for number, others in itertools.product(range(5), played[1:]):
            same(played[0][number], others[number])
        assert len({tuple(one.actions) for one in played[0].values()}) == 5
        other = next(sarai.self_play(game, 6, evaluator, lanes=1, seed=4))
        assert not np.array_equal(other.actions, played[0][0].actions)


def ways(state: sarai.State) -> Iterator[sarai.State]:
    """Where chance may lead before the next decision, the soonest first: a throw may have to be passed."""
    places = [state]
    while places:
        after: dict[bytes, sarai.State] = {}
        for place in places:
            if not place.is_chance_node():
                yield place
                continue
            for outcome, _ in place.chance_outcomes():
                child = place.child(outcome)
                after[child.key()] = child
        places = list(after.values())


@pytest.mark.parametrize("name", sarai.games())
def test_rows_are_the_decisions_of_a_game(name: str) -> None:
    game = small(name)
    (cells,), actions, players = game.observation_shape, game.num_actions, game.num_players
    for one in sarai.self_play(game, 8, judge, num_games=3, seed=1):
        kinds = {"observations": np.int8, "masks": np.int8, "policy": np.float32, "values": np.float32}
        kinds |= {"actions": np.int64, "players": np.int8, "returns": np.float32, "gains": np.float32}
        assert {column: getattr(one, column).dtype for column in kinds} == kinds
        assert one.observations.shape == (len(one), cells)
        assert one.policy.shape == one.masks.shape == (len(one), actions)
        assert one.values.shape == (len(one), players)
        assert one.actions.shape == one.players.shape == (len(one),)
        assert one.returns.shape == (players,)
        assert np.array_equal(one.gains, one.returns[one.players])
        state = game.new_initial_state()
        for row in range(len(one)):
            # The dice are not told, but shown.
            state = next(
                after
                for after in ways(state)
                if after.current_player() == one.players[row]
                and np.array_equal(after.observation_tensor(), one.observations[row])
            )
            assert np.array_equal(state.legal_actions_mask(), one.masks[row])
            state.apply_action(int(one.actions[row]))
        assert any(np.array_equal(np.float32(end.returns()), one.returns) for end in ways(state))
        assert next(ways(state)).is_terminal()
        np.testing.assert_allclose(one.policy.sum(axis=1), 1, atol=1e-5)
        assert not one.policy[one.masks == 0].any()
        assert (one.policy[np.arange(len(one)), one.actions] > 0).all()
        low, high = game.returns_range
        assert low <= one.values.min() <= one.values.max() <= high


def test_searches_are_those_of_search() -> None:
    game = small("shah")
    one = next(sarai.self_play(game, 30, judge, lanes=1, noise=None, sampling_moves=0, seed=1))
    states = []
    state = game.new_initial_state()
    for row in range(len(one)):
        state = next(s for s in ways(state) if np.array_equal(s.observation_tensor(), one.observations[row]))
        states.append(state.clone())
        state.apply_action(int(one.actions[row]))
    found = sarai.search(sarai.States.from_states(states), 30, judge, seed=0)
    assert np.array_equal(found.policy, one.policy)
    assert np.array_equal(found.values, one.values)
    assert np.array_equal(found.best, one.actions)
    for options in ({"priors": False}, {"noise": (0.3, 0.5)}, {"exploration": 3.0}):
        how: dict[str, Any] = {"lanes": 1, "noise": None, "sampling_moves": 0, "seed": 1, **options}
        other = next(sarai.self_play(game, 30, judge, **how))
        assert not np.array_equal(other.policy[0], one.policy[0])


def test_actions_are_drawn_by_their_share_of_the_visits() -> None:
    game = small("shah")
    how: dict[str, Any] = {"noise": None, "sampling_moves": 1, "seed": 2}
    played = list(sarai.self_play(game, 40, opinion, num_games=400, exploration=30, **how))
    by_first = {bytes(one.observations[0]): one.policy[0] for one in played}
    # Nothing but the first player's seat differs, which the player does not see.
    (policy,) = by_first.values()
    counts = Counter(int(one.actions[0]) for one in played)
    expected = 400 * policy
    assert np.count_nonzero(policy) > 2
    for action in np.flatnonzero(policy):
        assert abs(counts[int(action)] - expected[action]) < 5 * np.sqrt(expected[action]) + 1
    assert sum(counts.values()) == 400
    # After it, the best is played: where the same is seen, the same is done.
    after: dict[bytes, set[int]] = {}
    for one in played:
        after.setdefault(bytes(one.observations[1]), set()).add(int(one.actions[1]))
    assert len(after) > 2
    assert all(len(actions) == 1 for actions in after.values())


def test_games_end_as_they_are_asked_for() -> None:
    assert list(sarai.self_play("shuanglu", 2, num_games=0)) == []
    assert len(list(sarai.self_play("shuanglu", 2, num_games=3, lanes=10, seed=1))) == 3
    endless = list(itertools.islice(sarai.self_play("shuanglu", 2, lanes=3, seed=1), 9))
    assert len({one.number for one in endless}) == 9
    assert repr(endless[0]) == f"<SelfPlayGame {endless[0].number}: {len(endless[0])} decisions>"
    drawn = [next(sarai.self_play("shuanglu", 2, lanes=1)).actions for _ in range(2)]
    assert not np.array_equal(*drawn)


def test_nothing_is_played_between_two_games() -> None:
    rows: list[int] = []

    def counting(observations: NDArray[np.int8]) -> NDArray[np.float32]:
        rows.append(len(observations))
        return opinion(observations)

    games = sarai.self_play(small("shah"), 4, counting, lanes=8, seed=1)
    assert not rows
    next(games)
    # All lanes are asked together.
    assert max(rows) == rows[0] == 8
    before = len(rows)
    assert len(rows) == before
    while len(rows) == before:
        next(games)


def test_what_the_evaluator_raises_is_passed_on() -> None:
    with pytest.raises(SurpriseError):
        next(sarai.self_play("shah", 4, raises, lanes=2, seed=1))


def test_what_cannot_be_played_is_refused_at_once() -> None:
    def call(**given: Any) -> None:
        sarai.self_play(**{"game": "shuanglu", "simulations": 2, "seed": 0, **given})

    refused(
        call,
        {
            "game": ["chess"],
            "simulations": [0, -1, 10**8],
            "evaluator": ["heuristics"],
            "num_games": [-1, 10**9],
            "lanes": [0, -1, 10**9],
            "sampling_moves": [-1],
            "noise": [(0.0, 0.5), (0.3, 2)],
            "exploration": [0],
            "seed": [-1],
            "num_threads": [0],
        },
        {
            "game": [7],
            "simulations": [1.5],
            "evaluator": [None],
            "num_games": [1.5],
            "lanes": ["2"],
            "sampling_moves": [1.5],
            "priors": [1],
            "noise": [0.3],
            "exploration": ["1"],
            "seed": ["1"],
            "num_threads": [1.5],
        },
    )
    with pytest.raises(ValueError, match="is made for shah"):
        call(evaluator=sarai.nets.load("shah"))
    with pytest.raises(ValueError, match="cannot read the network 'nowhere'"):
        call(evaluator="net:nowhere")
