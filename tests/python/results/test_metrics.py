"""Metrics of games, against slow computations of the same from trajectories and records."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.ctrl_c import at_once, interrupted
from helpers.nightly_books import some_books
from helpers.refusals import refused
from sarai._results import metric_values, sketches, skill
from sarai._results.measures import MEASURES
from sarai.intervals import mean_interval

GAMES = 100

Values = dict[str, list[float]]


def played(
    book: tuple[str, str], games: int, seed: int = 0
) -> Iterator[tuple[list[int], int, int, list[float]]]:
    """Of each game: the number of options of each decision, the turns, the winner's side, and the returns."""
    rules = sarai.make(book[0], preset=book[1])
    found = sarai.trajectories(rules, num_games=games, seed=seed)
    rolled = sarai.rollout(rules, num_games=games, seed=seed)
    counts = found.masks.sum(axis=1)
    for game in range(games):
        own = slice(found.offsets[game], found.offsets[game + 1])
        yield (
            counts[own].tolist(),
            int(rolled.turns[game]),
            int(rolled.winner[game]),
            rolled.returns[game].tolist(),
        )


def slowly(book: tuple[str, str], games: int) -> tuple[dict[str, float], list[float]]:
    """The means of the metrics without judgements, and the branching factor of each tenth."""
    game = sarai.make(book[0], preset=book[1])
    sides = len(set(game.sides))
    low, high = game.returns_range
    tenths: list[list[int]] = [[] for _ in range(10)]
    values: Values = {name: [] for name in ("turns", "decisions", "complexity", "choices")}
    options: list[int] = []
    winners, returns = [], []
    for counts, turns, winner, scores in played(book, games):
        values["turns"].append(turns)
        values["decisions"].append(len(counts))
        values["complexity"].append(sum(math.log10(count) for count in counts))
        values["choices"].append(sum(count > 1 for count in counts) / len(counts))
        for at, count in enumerate(counts):
            tenths[10 * at // len(counts)].append(count)
        options += counts
        winners.append(winner)
        returns.append([2 * (score - low) / (high - low) - 1 for score in scores])
    shares = [winners.count(side) / games for side in range(sides)]
    nobody = winners.count(-1) / games
    choices = [count for count in options if count > 1]
    means = {
        "duration_turns": float(np.mean(values["turns"])),
        "duration_decisions": float(np.mean(values["decisions"])),
        "branching_factor": float(np.mean(options)),
        "branching_factor_choices": float(np.mean(choices)),
        "game_tree_complexity": float(np.mean(values["complexity"])),
        "decision_moves": float(np.mean(values["choices"])),
        "completion": 1 - nobody,
        "balance": 1 - max(shares) + min(shares),
        "outcome_uniformity": 1 - float(np.mean(np.var(returns, axis=0))),
    }
    for seat, side in enumerate(game.sides):
        means[f"advantage_{seat}"] = shares[side] + nobody / sides - 1 / sides
    return means, [float(np.mean(part)) for part in tenths]


@some_books
def test_metrics_are_what_trajectories_give(book: tuple[str, str]) -> None:
    measured = sarai.metrics(sarai.make(book[0], preset=book[1]), num_games=GAMES, board_games=10, seed=0)
    means, tenths = slowly(book, GAMES)
    for name, wanted in means.items():
        assert measured[name].mean == pytest.approx(wanted, rel=1e-5, abs=1e-5), name
    curve = measured["branching_factor"].curve
    assert curve is not None
    assert curve.mean == pytest.approx(tenths)
    assert measured["drawishness"].mean + measured["timeouts"].mean == pytest.approx(1 - means["completion"])
    assert {name for name in measured if not name.startswith("advantage_")} == {
        measure.name
        for measure in MEASURES
        if not measure.judged and measure.name not in ("advantage", "skill_trace")
    }


@some_books
def test_spreads_are_what_numpy_gives(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    measured = sarai.metrics(game, num_games=GAMES, board_games=0, seed=3)
    rolled = sarai.rollout(game, num_games=GAMES, seed=3)
    for name, values in (("duration_turns", rolled.turns), ("duration_decisions", rolled.lengths)):
        one = measured[name]
        assert one.std == pytest.approx(values.std(ddof=1))
        assert (one.median, one.min, one.max) == (np.median(values), values.min(), values.max())
        half = 1.959964 * values.std(ddof=1) / math.sqrt(GAMES)
        assert one.interval == pytest.approx((values.mean() - half, values.mean() + half))
    options = np.concatenate([counts for counts, *_ in played(book, GAMES, seed=3)])
    one = measured["branching_factor"]
    assert (one.n, one.median, one.min, one.max) == (
        len(options),
        np.median(options),
        options.min(),
        options.max(),
    )
    assert one.std == pytest.approx(options.std(ddof=1))
    shares = [np.mean(np.array(counts) > 1) for counts, *_ in played(book, GAMES, seed=3)]
    assert measured["decision_moves"].median == pytest.approx(np.median(shares), abs=2e-3)
    assert measured["decision_moves"].std == pytest.approx(np.std(shares, ddof=1), rel=1e-3)
    assert math.isnan(measured["state_space"].mean)


def test_the_interval_of_branching_takes_games_as_its_unit() -> None:
    games = [(sum(counts), len(counts)) for counts, *_ in played(("sho", "basic"), GAMES)]
    x, y = (np.array(column, float) for column in zip(*games, strict=True))
    mean = x.sum() / y.sum()
    rest = x - mean * y
    half = 1.959964 * math.sqrt((rest**2).sum() / (GAMES - 1) / GAMES) / y.mean()
    measured = sarai.metrics("sho", num_games=GAMES, seed=0)["branching_factor"]
    assert measured.interval == pytest.approx((mean - half, mean + half))


@some_books
def test_positions_are_counted(book: tuple[str, str]) -> None:
    game, games = sarai.make(book[0], preset=book[1]), 7
    rolled = sarai.rollout(game, num_games=games, keep=range(games), seed=0)
    clocks = ("turn", "no_capture", "moves_left", "turns_left")
    seen: list[set[str]] = []
    for row in range(games):
        seen.append(set())
        for state in rolled.records[row].states():
            if state.current_player() >= 0:
                told = {key: value for key, value in state.to_dict().items() if key not in clocks}
                seen[-1].add(json.dumps(told))
    curve = sarai.metrics(game, num_games=games, seed=0)["state_space"].curve
    assert curve is not None
    assert curve.x == (1, 3, 7)
    for upto, estimate in zip((1, 3, 7), curve.mean, strict=True):
        exact = len(set().union(*seen[:upto]))
        assert estimate == pytest.approx(exact, rel=0.03)


def test_a_sketch_is_right_about_what_it_has_seen() -> None:
    rng = np.random.default_rng(1)
    for many in (0, 1, 100, 20_000, 200_000):
        hashes = rng.integers(0, 2**64, many, dtype=np.uint64)
        registers = np.zeros(16_384, np.uint8)
        rest = (hashes << np.uint64(14)) | np.uint64(1 << 13)
        # The place of the first bit that is set, from the left and from 1 on; a float64 holds its exponent exactly
        # after the lower bits are cut off.
        ranks = (64 - np.floor(np.log2((rest >> np.uint64(11)).astype(np.float64))) - 11).astype(np.uint8)
        np.maximum.at(registers, (hashes >> np.uint64(50)).astype(int), ranks)
        assert sketches.estimate(registers) == pytest.approx(many, rel=0.03)


def test_limits_are_no_draws() -> None:
    limits: list[tuple[str, float, float]] = [
        ("sho(max_turns=20)", 1, 0),
        ("tshupu(max_turns=20)", 1, 0),
        ("shuanglu(max_turns=20)", 1, 0),
        ("shah(max_turns=30)", 1, 0),
        ("shah(no_capture_limit=1)", 1, 0),
        # 24 stones fill all points but one, and nobody can win: that is a draw by the rules.
        ("shah(opening_removals=none)", 0, 1),
    ]
    for game, timeouts, draws in limits:
        measured = sarai.metrics(game, num_games=10, board_games=0, seed=0)
        assert (measured["timeouts"].mean, measured["drawishness"].mean) == (timeouts, draws)
        assert measured["completion"].mean == 0


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_any_number_of_threads_and_any_agents(name: str) -> None:
    def first(observations: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    players = sarai.make(name).num_players
    for agents in ("random", [first, *["greedy"] * (players - 1)]):
        one, two = (
            sarai.metrics(
                name, agents, 60, num_threads=threads, random_plies=3, evaluator="heuristic", seed=0
            )
            for threads in (1, 3)
        )
        assert one == two
    rolled = sarai.rollout(name, agents, 60, random_plies=3, seed=0)  # type: ignore[arg-type]
    assert one["duration_turns"].mean == rolled.turns.mean()


@pytest.mark.parametrize("options", [{}, {"evaluator": "playout:50"}])
def test_ctrl_c(options: dict[str, Any]) -> None:
    interrupted(at_once(lambda: sarai.metrics("shah", num_games=100_000_000, **options)))


def test_games_from_a_state_count_from_there() -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=5)[0]
    rolled = sarai.rollout(state, num_games=100, seed=2)
    measured = sarai.metrics(state, num_games=100, seed=2)
    assert measured.start == str(state)
    assert measured["duration_turns"].mean == rolled.turns.mean()
    assert measured["duration_decisions"].mean == rolled.lengths.mean()


def test_intervals_lie_within_what_a_metric_can_be() -> None:
    for name in ("sho", "shah", "shuanglu", "tshupu"):
        for games in (1, 3):
            measured = sarai.metrics(name, num_games=games, evaluator="heuristic", seed=2)
            for one in measured.values():
                low, high = one.interval
                if math.isfinite(low):
                    assert low <= one.mean <= high
                    assert low >= (-1 if one.name.startswith("advantage") else 0)
                    assert high <= 1 or one.unit != "share"
            assert math.isfinite(measured["advantage_0"].interval[0])
            assert math.isfinite(measured["balance"].interval[0])


def test_games_that_are_all_alike_have_no_intervals() -> None:
    measured = sarai.metrics("shah", "greedy", 100, seed=0)
    assert measured.distinct == 1
    ends = [end for name, one in measured.items() if name != "state_space" for end in one.interval]
    assert all(math.isnan(end) for end in ends)
    assert "no intervals" in str(measured)
    assert sarai.metrics("shah", num_games=100, seed=0).distinct is None


def test_what_cannot_be_measured() -> None:
    def call(**given: Any) -> None:
        sarai.metrics(**{"game": "sho", "num_games": 2, **given})

    values = {
        "num_games": [0], "board_games": [-1], "evaluator": ["playout"], "skill_levels": [13],
        "agents": [["random"]], "game": ["tibet"],
    }  # fmt: skip
    refused(call, values, {"num_games": [True], "evaluator": [3]})
    with pytest.raises(ValueError, match="a number of random games from 1 to 10000"):
        call(evaluator="playout:0")
    with pytest.raises(ValueError, match="no_such_file"):
        call(evaluator="net:no_such_file")
    net = sarai.nets.make([np.zeros((1, 65)), [0]], game="shuanglu", encoding="scaled", activations=["tanh"])
    with pytest.raises(ValueError, match="the network of evaluator 'net:"):
        call(evaluator=net)
    with pytest.raises(ValueError, match="skill_games got 1; it takes 3"):
        call(skill_levels=1, skill_games=1)


def test_what_is_told_of_metrics() -> None:
    measured = sarai.metrics(
        "sho", "greedy", 100, evaluator="heuristic", skill_levels=2, skill_games=6, seed=0
    )
    assert str(measured).startswith("sho: 100 games of greedy, seed 0, judged by heuristic")
    assert measured._repr_html_().count("<tr>") == len(measured) + 1
    assert list(measured.to_pandas()["metric"]) == list(measured) == list(measured.to_dict()["metrics"])
    assert measured.to_pandas()["mean"][0] == measured["duration_turns"].mean
    assert all(one.meaning.endswith(".") for one in measured.values())
    names: list[Any] = ["charm", [1], 1, None]
    for name in names:
        assert name not in measured
        with pytest.raises(KeyError, match="is not a metric; there are duration_turns"):
            measured[name]


def test_games_that_are_over_at_once_are_drawn(tmp_path: Path) -> None:
    state = sarai.make("sho", max_turns=1).new_initial_state()
    while not state.is_terminal():
        options = state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]
        state.apply_action(options[0])
    sarai.metrics(state, num_games=4, seed=0).plot(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").stat().st_size > 5_000


def test_intervals_of_balance_and_uniformity_by_hand() -> None:
    for best, worst, games in ((5, 2, 10), (300, 200, 1000), (40, 0, 40), (0, 0, 40), (1, 0, 1)):
        _, low, high = mean_interval([1] * best + [-1] * worst + [0] * (games - best - worst), (-1, 1))
        found = metric_values.balance([best, worst], games, False)
        assert found.interval == pytest.approx((1 - high, min(1 - low, 1)))
        assert 0 <= found.interval[0] <= found.mean <= found.interval[1] <= 1
    held = [2**20] * 3 + [2**19] * 4 + [0] * 13
    moments = tuple(sum(value**power for value in held) for power in (1, 2, 3, 4))
    returns = np.array(held) * 2.0**-19 - 1
    apart = returns - returns.mean()
    half = 1.959964 * math.sqrt(((apart**4).mean() - (apart**2).mean() ** 2) / len(held))
    found = metric_values.uniformity([moments] * 2, len(held), False)
    assert found.interval == pytest.approx((found.mean - half, found.mean + half))


def test_every_game_of_a_skill_trace_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    real = skill.rollout

    def rollout(game: Any, agents: Any, games: int, **how: Any) -> Any:
        counts.append(games)
        return real(game, agents, games, **how)

    monkeypatch.setattr(skill, "rollout", rollout)
    sarai.metrics("sho", num_games=1, skill_levels=2, skill_games=5, seed=0)
    assert counts == [2, 2, 1] * 2


@pytest.mark.parametrize(
    ("game", "evaluator"), [("shah", "heuristic"), ("sho", None), ("shuanglu", "playout:2")]
)
def test_the_values_of_each_game_are_those_of_the_game_alone(game: str, evaluator: str | None) -> None:
    asked: dict[str, Any] = {"evaluator": evaluator, "seed": 3, "per_game": True, "board_games": 5}
    measured = sarai.metrics(game, "greedy", 12, num_threads=3, first_game=4, **asked)
    assert measured.games is not None
    assert measured == sarai.metrics(game, "greedy", 12, num_threads=1, first_game=4, **asked)
    table = measured.to_pandas("game")
    assert table["number"].tolist() == list(range(4, 16))
    assert table["duration_turns"].tolist() == (
        sarai.rollout(game, "greedy", 12, seed=3, first_game=4).turns.tolist()
    )
    for row in range(0, 12, 5):
        alone = sarai.metrics(game, "greedy", 1, first_game=4 + row, **asked)
        for name, values in measured.games.items():
            assert math.isnan(values[row]) == math.isnan(alone[name].mean)
            assert math.isnan(values[row]) or values[row] == pytest.approx(alone[name].mean, rel=1e-12)
    for name, values in measured.games.items():
        assert np.nanmean(values) == pytest.approx(measured[name].mean, rel=1e-9)


def test_without_per_game_there_is_no_table_of_games() -> None:
    measured = sarai.metrics("sho", num_games=3, seed=0)
    assert measured.games is None
    with pytest.raises(ValueError, match="measure with per_game=True"):
        measured.to_pandas("game")
    with pytest.raises(TypeError, match="per_game"):
        sarai.metrics("sho", num_games=3, per_game=1)  # type: ignore[arg-type]
