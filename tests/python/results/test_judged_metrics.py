"""Metrics that need judgements, against a slow computation from records with the same evaluator."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from statistics import fmean, pvariance
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.positions import BOOKS
from sarai._results.measures import MEASURES
from sarai._results.skill import traced
from sarai.nets import Net

GAMES = 10


def judged(evaluators: list[str], often: set[str]) -> pytest.MarkDecorator:
    """Every book with every evaluator: these are tested always, and the others nightly."""
    pairs = [(book, evaluator) for book in BOOKS for evaluator in evaluators]
    return pytest.mark.parametrize(
        ("book", "evaluator"),
        [
            pytest.param(book, by, marks=() if f"{book[1]} {by}" in often else pytest.mark.nightly)
            for book, by in pairs
        ],
    )


SHARED = 2**20
"""Judgements are held to 20 binary places."""

Judgement = tuple[list[float], dict[int, float]]
"""Of a decision, as returns: what each seat may expect there, and what the first seat of the player's side may expect
after each option."""

Judge = Callable[[sarai.Game, list[sarai.State]], list[Judgement]]


def by_heuristic(_: sarai.Game, deciding: list[sarai.State]) -> list[Judgement]:
    """As an analysis tells what the game's own evaluation says."""
    found = [sarai.analyse(state, "greedy", seed=0) for state in deciding]
    return [(list(one.value), {move.action: float(move.value) for move in one.moves}) for one in found]


def by_state(worths: Callable[[sarai.Game, list[sarai.State]], list[list[float]]]) -> Judge:
    """Each position and each that follows from it, all of them judged alike."""

    def judge(game: sarai.Game, deciding: list[sarai.State]) -> list[Judgement]:
        asked = []
        for state in deciding:
            asked.append(state)
            for action in state.legal_actions():
                asked.append(state.clone())
                asked[-1].apply_action(action)
        over = [state.is_terminal() for state in asked]
        alive = iter(worths(game, [state for state, end in zip(asked, over, strict=True) if not end]))
        rows = iter([state.returns() if end else next(alive) for state, end in zip(asked, over, strict=True)])
        found = []
        for state in deciding:
            lead = game.sides.index(game.sides[state.current_player()])
            found.append((next(rows), {action: next(rows)[lead] for action in state.legal_actions()}))
        return found

    return judge


def network(game: sarai.Game) -> Net:
    """A network that knows nothing, with an output for each seat."""
    rng = np.random.default_rng(7)
    inputs = sarai.nets.encode(np.zeros((1, *game.observation_shape), np.int8), game, "scaled").shape[1]
    layers = [rng.normal(size=(game.num_players, inputs)) / math.sqrt(inputs), np.zeros(game.num_players)]
    return sarai.nets.make(layers, game=game, encoding="scaled", activations=["tanh"])


def by_network(net: Net) -> Judge:
    def worths(game: sarai.Game, states: list[sarai.State]) -> list[list[float]]:
        low, high = game.returns_range
        batch = sarai.States.from_states(states)
        numbers = np.clip(net(batch.observation_tensor("turn")).astype(float), low, high)
        centred = np.clip(numbers - numbers.mean(axis=1, keepdims=True), low, high)
        return [np.roll(row, viewer).tolist() for row, viewer in zip(centred, batch.turn, strict=True)]

    return by_state(worths)


def by_playouts(games: int, seed: int) -> Judge:
    """The mean of what so many random games from there bring; each position has its own."""
    seeds = itertools.count(seed)

    def worths(_: sarai.Game, states: list[sarai.State]) -> list[list[float]]:
        played = sarai.States.from_states(states).rollout("random", games, seed=next(seeds))
        found: list[list[float]] = played.returns.mean(axis=1, dtype=float).tolist()
        return found

    return by_state(worths)


def slowly(game: sarai.Game, judge: Judge, record: sarai.Record, winner: int) -> dict[str, float]:
    """The values of one game."""
    low, high = game.returns_range
    leads = [game.sides.index(side) for side in sorted(set(game.sides))]

    def share(worth: float) -> float:
        return round((worth - low) / (high - low) * SHARED) / SHARED

    states = record.states()[:-1]
    deciding = [
        (state, step.id) for state, step in zip(states, record.steps, strict=True) if step.player >= 0
    ]
    worths, clarity, narrowness, gain = [], [], [], 0.0
    judgements = judge(game, [state for state, _ in deciding])
    for (state, chosen), (row, following) in zip(deciding, judgements, strict=True):
        worths.append([share(row[seat]) for seat in leads])
        after = {action: share(worth) for action, worth in following.items()}
        gain = max(gain, after[chosen] - worths[-1][game.sides[state.current_player()]])
        options = list(after.values())
        if len(options) > 1:
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


def all_slowly(game: sarai.Game, judge: Judge) -> dict[str, list[float]]:
    """The values of the metrics in the games that have them."""
    rolled = sarai.rollout(game, num_games=GAMES, keep=range(GAMES), seed=0)
    found: dict[str, list[float]] = {}
    for row, record in rolled.records.items():
        for name, value in slowly(game, judge, record, int(rolled.winner[row])).items():
            found.setdefault(name, []).append(value)
    assert set(found) == {measure.name for measure in MEASURES if measure.judged}
    return found


@judged(
    ["heuristic", "network"],
    {"basic heuristic", "shah network", "chaupar_style network", "shuanglu heuristic"},
)
def test_judged_metrics_are_what_records_give(book: tuple[str, str], evaluator: str) -> None:
    game = sarai.make(book[0], preset=book[1])
    net = network(game)
    asked, judge = (net, by_network(net)) if evaluator == "network" else (evaluator, by_heuristic)
    measured = sarai.metrics(game, num_games=GAMES, evaluator=asked, seed=0)
    for name, values in all_slowly(game, judge).items():
        assert measured[name].n == len(values)
        assert measured[name].mean == pytest.approx(fmean(values), rel=1e-3, abs=2e-5), name
        assert measured[name].max == pytest.approx(max(values), rel=1e-3, abs=2e-5), name
    assert measured.evaluator == (f"net:{net._net.name()}" if evaluator == "network" else evaluator)


@judged(["playout:2"], {"basic playout:2"})
def test_metrics_judged_by_playouts_are_what_other_playouts_give(
    book: tuple[str, str], evaluator: str
) -> None:
    game = sarai.make(book[0], preset=book[1])
    measured = sarai.metrics(game, num_games=GAMES, evaluator=evaluator, seed=0)
    one, other = (all_slowly(game, by_playouts(2, seed)) for seed in (1000, 2000))
    for name, values in one.items():
        apart = np.subtract(values, other[name])
        # The engine's playouts scatter as each of these, and the mean of these half as much. Where they agree in every
        # game, nothing tells how much.
        scatter = math.sqrt(0.75 * float(np.mean(apart**2)) / len(apart))
        wanted = (fmean(values) + fmean(other[name])) / 2
        assert measured[name].n == len(values)
        assert measured[name].mean == pytest.approx(wanted, abs=5 * scatter or 1 / len(apart)), name


def test_an_evaluator_changes_no_game() -> None:
    without = sarai.metrics("shuanglu", num_games=10, seed=0)
    for evaluator in ("heuristic", "playout:1"):
        judged_too = sarai.metrics("shuanglu", num_games=10, evaluator=evaluator, seed=0)
        assert all(repr(judged_too[name]) == repr(one) for name, one in without.items())
        assert judged_too.evaluator == evaluator


def test_skill_traces_by_hand() -> None:
    assert traced([0.0, 0.0, 0.0]) == pytest.approx(0.0)
    assert traced([0.5, 0.5, 0.5]) == pytest.approx(0.875)
    assert traced([1.0]) == pytest.approx(1.0)
    # The line through them ends at 0, and only the first counts.
    assert traced([0.5, 0.25, 0.0]) == pytest.approx(0.3125)
    assert traced([-0.5, -0.5]) == pytest.approx(0.0)


def test_skill_wins_in_a_game_of_skill() -> None:
    options: dict[str, Any] = {"num_games": 2, "skill_levels": 3, "skill_games": 40, "seed": 1}
    one = sarai.metrics("shah", **options)["skill_trace"]
    assert one.mean > 0.3
    assert one.curve is not None
    assert one.curve.x == (1, 2, 3)
    assert repr(one) == repr(sarai.metrics("shah", num_threads=1, **options)["skill_trace"])
