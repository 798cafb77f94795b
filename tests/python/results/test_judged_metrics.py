"""Metrics that need judgements, against a slow computation from records with the same network."""

from __future__ import annotations

import itertools
import math
from statistics import fmean, pvariance
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.positions import BOOKS
from sarai.nets import Net
from sarai.results.skill import traced

every_book = pytest.mark.parametrize("book", BOOKS, ids="-".join)
GAMES = 8


def network(game: sarai.Game) -> Net:
    """A network that knows nothing, with an output for each seat."""
    rng = np.random.default_rng(7)
    inputs = sarai.nets.encode(np.zeros((1, *game.observation_shape), np.int8), game, "scaled").shape[1]
    layers = [rng.normal(size=(game.num_players, inputs)) / math.sqrt(inputs), np.zeros(game.num_players)]
    return sarai.nets.make(layers, game=game, encoding="scaled", activations=["tanh"])


def judged(net: Net, game: sarai.Game, states: list[sarai.State]) -> list[list[float]]:
    """What each side may expect in each state, from 0 to 1."""
    low, high = game.returns_range
    alive = [state for state in states if not state.is_terminal()]
    viewers = np.array([state.to_dict()["player"] for state in alive], np.int64)
    found = iter(())
    if alive:
        cells = sarai.States.from_states(alive).observations(viewers)
        numbers = np.clip(net(cells).astype(float), low, high)
        centred = np.clip(numbers - numbers.mean(axis=1, keepdims=True), low, high)
        found = iter([np.roll(row, viewer).tolist() for row, viewer in zip(centred, viewers, strict=True)])
    returns = [list(state.returns()) if state.is_terminal() else next(found) for state in states]
    leads = [game.sides.index(side) for side in sorted(set(game.sides))]
    # Judgements are held to 20 binary places.
    return [[round((row[seat] - low) / (high - low) * 2**20) / 2**20 for seat in leads] for row in returns]


def slowly(game: sarai.Game, net: Net, record: sarai.Record, winner: int) -> dict[str, float]:
    """The values of one game."""
    states = record.states()
    decisions = [at for at, state in enumerate(states) if state.current_player() >= 0]
    worths = judged(net, game, [states[at] for at in decisions])
    clarity, narrowness, gain = [], [], 0.0
    for at, now in zip(decisions, worths, strict=True):
        state, after = states[at], states[at + 1]
        side = game.sides[state.current_player()]
        gain = max(gain, judged(net, game, [after])[0][side] - now[side])
        following = []
        for action in state.legal_actions():
            following.append(state.clone())
            following[-1].apply_action(action)
        if len(following) > 1:
            options = [row[side] for row in judged(net, game, following)]
            mean = fmean(options)
            clarity.append(pvariance(options))
            near = mean + 0.75 * (max(options) - mean)
            narrowness.append(sum(option >= near - 1e-12 for option in options) / len(options))
    leaders = [[side for side, worth in enumerate(row) if worth == max(row)] for row in worths]
    alone = [row[0] for row in leaders if len(row) == 1]
    values = {
        "killer_moves": gain,
        "stability": fmean(pvariance(column) for column in zip(*worths, strict=True)),
        "lead_changes": sum(a != b for a, b in itertools.pairwise(alone)) / (len(worths) - 1),
    }
    if clarity:
        values |= {"clarity": fmean(clarity), "narrowness": fmean(narrowness)}
    if winner >= 0:
        threshold = max(worth for row in worths for side, worth in enumerate(row) if side != winner)
        decided = next((at for at, row in enumerate(worths) if row[winner] > threshold), len(worths))
        middle = worths[len(worths) // 2]
        values |= {
            "drama": fmean(max(row) - row[winner] for row in worths),
            "decisiveness_threshold": threshold,
            "decisive_moves": (len(worths) - decided) / len(worths),
            "comeback_probability": float(middle[winner] < max(middle)),
        }
    return values


@every_book
def test_judged_metrics_are_what_records_give(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    net = network(game)
    measured = sarai.metrics(game, num_games=GAMES, evaluator=net)
    rolled = sarai.rollout(game, GAMES, keep=range(GAMES))
    found: dict[str, list[float]] = {}
    for row, record in rolled.records.items():
        for name, value in slowly(game, net, record, int(rolled.winner[row])).items():
            found.setdefault(name, []).append(value)
    assert len(found) == 9
    for name, values in found.items():
        assert measured[name].n == len(values)
        assert measured[name].mean == pytest.approx(fmean(values), rel=1e-3, abs=2e-5), name
        assert measured[name].max == pytest.approx(max(values), rel=1e-3, abs=2e-5), name
    assert measured.evaluator == f"net:{net._net.name()}"


def test_an_evaluator_changes_no_game() -> None:
    without = sarai.metrics("shuanglu", num_games=50)
    for evaluator in ("heuristic", "playout:2"):
        judged_too = sarai.metrics("shuanglu", num_games=50, evaluator=evaluator)
        assert all(repr(judged_too[name]) == repr(one) for name, one in without.items())
        assert judged_too.evaluator == evaluator


def test_more_playouts_come_nearer_to_one_another() -> None:
    def stability(playouts: int) -> float:
        return sarai.metrics("shah", num_games=5, evaluator=f"playout:{playouts}", board_games=0)[
            "stability"
        ].mean

    # Few playouts scatter: their judgements move within a game because of chance alone.
    assert stability(1) > stability(8) > stability(64)


@pytest.mark.parametrize(
    ("utilities", "wanted"),
    [
        ([0.0, 0.0, 0.0], 0.0),
        ([0.5, 0.5, 0.5], 0.875),
        ([1.0], 1.0),
        # The line through them ends at 0, and only the first counts.
        ([0.5, 0.25, 0.0], 0.3125),
        ([-0.5, -0.5], 0.0),
    ],
)
def test_skill_traces_by_hand(utilities: list[float], wanted: float) -> None:
    assert traced(utilities) == pytest.approx(wanted)


def test_skill_wins_in_a_game_of_skill() -> None:
    options: dict[str, Any] = {"num_games": 10, "skill_levels": 4, "skill_games": 60, "seed": 1}
    one = sarai.metrics("shah", **options)["skill_trace"]
    assert one.mean > 0.3
    assert one.curve is not None
    assert one.curve.x == (1, 2, 3, 4)
    assert repr(one) == repr(sarai.metrics("shah", num_threads=1, **options)["skill_trace"])
