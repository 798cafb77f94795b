"""`sarai.search`: trees of many positions, against a search in plain Python, and with evaluators that misbehave."""

from __future__ import annotations

import copy
import hashlib
import math
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from core.test_turn_search import Evaluator, SurpriseError, raises
from helpers.positions import every_book
from helpers.refusals import refused

EXPLORATION = 1.25


def opinion(observations: NDArray[np.int8]) -> NDArray[np.float32]:
    """Some number from -0.5 to 0.5 for each position: a judgement that any search must follow exactly."""
    weights = np.arange(1, observations.shape[1] + 1) ** 2 % 97
    sums: NDArray[np.int64] = observations.astype(np.int64) @ weights
    return ((sums % 64 - 32) / 64).astype(np.float32)


class Node:
    """A position of the plain search."""

    def __init__(self, state: sarai.State, hope: float) -> None:
        self.state, self.hope = state, hope
        self.player = state.current_player()
        self.actions = state.legal_actions()
        self.visits = dict.fromkeys(self.actions, 0)
        self.total = dict.fromkeys(self.actions, 0.0)
        self.children: dict[int, Node] = {}
        self.proofs: dict[int, list[float]] = {}
        self.proof: list[float] | None = None
        self.count = 0


class Plain:
    """PUCT with proofs for two players without chance, one position at a time."""

    def __init__(self, state: sarai.State) -> None:
        self.scale = 0.0
        self.most = 1.0
        self.root = self.opened(state)

    def opened(self, state: sarai.State) -> Node:
        return Node(state, float(opinion(state.observation_tensor()[None])[0]))

    def choose(self, node: Node) -> int:
        curiosity = EXPLORATION * self.scale * math.sqrt(max(node.count, 1))
        prior = float(np.float32(1) / np.float32(len(node.actions)))

        def bound(action: int) -> float:
            if action in node.proofs:
                return node.proofs[action][node.player]
            visits = node.visits[action]
            mean = node.total[action] / visits if visits else node.hope
            return mean + curiosity * prior / (visits + 1)

        return max(node.actions, key=bound)

    def simulate(self) -> None:
        node, path, proven = self.root, [], False
        while True:
            action = self.choose(node)
            path.append((node, action))
            if action in node.proofs:
                returns = node.proofs[action]
                break
            child = node.state.child(action)
            if child.is_terminal():
                returns, proven = child.returns(), True
                break
            if action not in node.children:
                new = node.children[action] = self.opened(child)
                returns = [-new.hope, -new.hope]
                returns[new.player] = new.hope
                break
            node = node.children[action]
            if node.proof is not None:
                returns, proven = node.proof, True
                break
        for node, action in path:
            self.scale = max(self.scale, abs(returns[node.player]))
            node.count += 1
            node.visits[action] += 1
            node.total[action] += returns[node.player]
        proof = returns
        for node, action in reversed(path) if proven else []:
            node.proofs[action] = proof
            if proof[node.player] < self.most:
                if len(node.proofs) < len(node.actions):
                    break
                proof = max((node.proofs[action] for action in node.actions), key=lambda p: p[node.player])
            node.proof = proof

    def run(self, simulations: int) -> None:
        # The root is judged before anything is chosen.
        self.scale = abs(self.root.hope)
        for _ in range(simulations):
            if self.root.proof is not None:
                break
            self.simulate()


def positions(preset: str, rows: int) -> sarai.States:
    s = sarai.make("shah", preset=preset).sample_states("random", 4 * rows, seed=5)
    return s[np.flatnonzero(s.current_player() >= 0)[:rows]]


@pytest.mark.parametrize("preset", ["shah", "nine_mens_morris"])
def test_a_search_visits_what_a_plain_search_visits(preset: str) -> None:
    s = positions(preset, 25)
    found = sarai.search(s, 150, opinion, exploration=EXPLORATION, seed=0)
    proofs = 0
    for row in range(len(s)):
        plain = Plain(s[row])
        plain.run(150)
        expected = np.zeros(s.game.num_actions, np.int32)
        for action, visits in plain.root.visits.items():
            expected[action] = visits
        np.testing.assert_array_equal(found.visits[row], expected, f"row {row}: {s[row]}")
        proofs += plain.root.proof is not None
    assert found.policy.sum(1) == pytest.approx(1)


def test_proofs_end_a_search() -> None:
    s = sarai.make("shah").sample_states("greedy", 2000, seed=3)
    s = s[np.flatnonzero(s.current_player() >= 0)]
    found = sarai.search(s, 200, opinion, seed=0)
    ended = np.flatnonzero(found.visits.sum(1) < 200)
    assert len(ended) > 20
    exact = [sarai.analyse(s[int(row)], "alphabeta:12", seed=0) for row in ended[:20]]
    for row, analysis in zip(ended, exact, strict=False):
        assert found.values[row, analysis.player] == pytest.approx(analysis.value[analysis.player], abs=1e-3)
        assert found.policy[row, found.best[row]] == 1


@every_book
def test_rows_do_not_depend_on_threads_or_on_later_rows(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    s = game.sample_states("random", 60, seed=2)
    s.sample_chance(seed=1)
    whole = sarai.search(s, 30, opinion, seed=4, noise=(0.3, 0.25), num_threads=1)
    again = sarai.search(s, 30, opinion, seed=4, noise=(0.3, 0.25), num_threads=3)
    part = sarai.search(s[:20], 30, opinion, seed=4, noise=(0.3, 0.25))
    for name in ("visits", "values", "policy", "best"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(again, name))
        np.testing.assert_array_equal(getattr(whole, name)[:20], getattr(part, name))
    low, high = game.returns_range
    assert whole.values.min() >= low
    assert whole.values.max() <= high
    acting = s.current_player() >= 0
    mask = s.legal_actions_mask()
    assert not whole.visits[mask == 0].any()
    assert (whole.best[acting] >= 0).all()
    assert (mask[np.flatnonzero(acting), whole.best[acting]] == 1).all()
    assert np.abs(whole.values.sum(1)).max() < 1e-4


@pytest.mark.parametrize(
    ("game", "preset", "digest"),
    [
        ("sho", "basic", "88857be6826ac285"),
        ("sho", "lhasa", "c948816f11c94da9"),
        ("tshupu", "tshupu", "6509ab58bfb63809"),
        ("tshupu", "chaupar_style", "90171cffb71428af"),
        ("shuanglu", "shuanglu", "b8704c2ba87187b6"),
        ("shuanglu", "backgammon", "2169acb4543d288c"),
    ],
)
def test_searches_with_chance_find_what_they_have_always_found(game: str, preset: str, digest: str) -> None:
    """No plain search can draw the same dice. Whoever changes what is found changes this, and says why."""
    s = sarai.make(game, preset=preset).sample_states("random", 40, seed=6)
    s.sample_chance(seed=1)
    found = sarai.search(s, 120, opinion, seed=4, noise=(0.3, 0.25))
    cells = b"".join(array.tobytes() for array in (found.visits, found.values, found.best))
    assert hashlib.sha256(cells).hexdigest()[:16] == digest


@pytest.mark.parametrize("evaluator", ["heuristic", "playout", "playout=greedy"])
def test_evaluators_of_the_engine(evaluator: str) -> None:
    s = sarai.make("tshupu").sample_states("random", 30, seed=2)
    one = sarai.search(s, 20, evaluator, num_threads=1, seed=0)
    two = sarai.search(s, 20, evaluator, num_threads=2, seed=0)
    np.testing.assert_array_equal(one.visits, two.visits)
    np.testing.assert_array_equal(one.values, two.values)
    assert (one.visits.sum(1) <= 20).all()


def test_values_for_each_seat_are_those_of_whoever_acts() -> None:
    """For two sides, one number and a number for each seat say the same."""
    s = sarai.make("tshupu").sample_states("random", 40, seed=9)
    sides = np.array(s.game.sides)

    def a_seat(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        return np.repeat(opinion(observations)[:, None], 4, 1) * 0.0

    def to_act(observations: NDArray[np.int8]) -> NDArray[np.float32]:
        return opinion(observations) * 0.0

    np.testing.assert_array_equal(
        sarai.search(s, 25, a_seat, seed=0).visits, sarai.search(s, 25, to_act, seed=0).visits
    )
    one = sarai.search(s, 1, lambda observations: np.full(len(observations), 0.5), seed=0)
    acting = sides[s.current_player()]
    # The root is judged, and then one position after it; each side has 0.5 or -0.5 in both.
    for row in range(len(s)):
        assert set(np.abs(one.values[row])) <= {0.0, 0.5}, acting[row]
        assert one.values[row, 0] == one.values[row, 2] == -one.values[row, 1] == -one.values[row, 3]


def test_logits_are_priors() -> None:
    s = positions("shah", 30)
    mask = s.legal_actions_mask().astype(bool)
    favourite = np.array([np.flatnonzero(row)[-1] for row in mask])

    def evaluator(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Any:
        logits = np.full(masks.shape, -np.inf, np.float32)
        for row, legal in enumerate(masks):
            logits[row, legal == 1] = 0
            logits[row, np.flatnonzero(legal)[-1]] = 6
        return logits, np.zeros(len(masks))

    # Everything is worth nothing: only the priors decide. A first value other than 0 makes curiosity count.
    def curious(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Any:
        logits, values = evaluator(observations, masks)
        return logits, values + 0.125 * (np.arange(len(values)) % 2 * 2 - 1)

    found = sarai.search(s, 40, curious, seed=0)
    assert (found.visits[np.arange(len(s)), favourite] > 20).mean() > 0.8
    without = sarai.search(s, 40, curious, priors=False, seed=0)
    assert (without.visits[np.arange(len(s)), favourite] > 20).mean() < 0.3


@pytest.mark.parametrize("value", [-0.5, -1e-30, 0.0, 0.5])
def test_the_first_simulation_goes_where_the_logits_say(value: float) -> None:
    """Nothing else is known yet, whatever the position is worth."""
    for name in sarai.games():
        s = sarai.make(name).sample_states("random", 40, seed=5)
        s = s[np.flatnonzero(s.current_player() >= 0)]

        def evaluator(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> Any:
            logits = np.zeros(masks.shape, np.float32)
            logits[np.arange(len(masks)), masks.shape[1] - 1 - masks[:, ::-1].argmax(1)] = 0.1
            return logits, np.full(len(masks), value)

        mask = s.legal_actions_mask()
        liked = mask.shape[1] - 1 - mask[:, ::-1].argmax(1)
        np.testing.assert_array_equal(sarai.search(s, 1, evaluator, seed=0).policy.argmax(1), liked, name)


def test_noise_moves_the_roots_alone_and_follows_the_seed() -> None:
    s = positions("shah", 30)
    plain = sarai.search(s, 30, opinion, seed=0)
    noisy = [sarai.search(s, 30, opinion, noise=(0.3, 0.5), seed=seed).visits for seed in (1, 1, 2)]
    np.testing.assert_array_equal(noisy[0], noisy[1])
    assert (noisy[0] != noisy[2]).any(1).mean() > 0.5
    assert (noisy[0] != plain.visits).any(1).mean() > 0.5
    np.testing.assert_array_equal(sarai.search(s, 30, opinion, noise=(0.3, 0), seed=0).visits, plain.visits)


def test_games_that_are_over_stay_as_they_are() -> None:
    s = sarai.States("shah", 2)
    while (s.current_player() >= 0).any():
        mask = s.legal_actions_mask()
        s.apply_actions(mask.argmax(1))
    found = sarai.search(s, 10, opinion, seed=0)
    assert not found.visits.any()
    assert list(found.best) == [-1, -1]
    np.testing.assert_array_equal(found.values, s.returns())
    with pytest.raises(ValueError, match="it is nobody's turn in row 1"):
        found.analysis(1)


def test_no_rows() -> None:
    def never(observations: NDArray[np.int8]) -> NDArray[np.float32]:
        raise AssertionError("there is nothing to judge")

    found = sarai.search(sarai.States("sho", 0), 10, never, seed=0)
    assert found.visits.shape == (0, sarai.make("sho").num_actions)
    assert found.values.shape[0] == 0
    with pytest.raises(ValueError, match="no rows"):
        found.analysis(0)


def test_the_states_and_what_the_evaluator_keeps_are_not_touched() -> None:
    s = positions("shah", 10)
    before = s.copy()
    kept: list[tuple[NDArray[np.int8], NDArray[np.int8]]] = []

    def keeps(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        kept.append((observations, observations.copy()))
        masks[:] = 0  # its own
        return opinion(observations)

    found = sarai.search(s, 20, keeps, seed=0)
    assert s == before
    assert all((given == copy).all() for given, copy in kept)
    np.testing.assert_array_equal(found.visits, sarai.search(s, 20, opinion, seed=0).visits)


def test_an_evaluator_may_search_itself_and_take_locks() -> None:
    s = positions("shah", 5)
    lock = threading.Lock()

    def inner(observations: NDArray[np.int8]) -> NDArray[np.float32]:
        with lock:
            return opinion(observations)

    def outer(observations: NDArray[np.int8]) -> NDArray[np.float32]:
        sarai.search(s, 2, inner, seed=0)
        return inner(observations)

    due = sarai.search(s, 5, opinion, seed=0).visits
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(lambda evaluator: sarai.search(s, 5, evaluator, seed=0), [outer] * 3):
            np.testing.assert_array_equal(found.visits, due)


def test_the_analysis_of_a_row() -> None:
    s = positions("shah", 6)
    found = sarai.search(s, 60, opinion, seed=0)
    for row in range(len(s)):
        analysis = found.analysis(row)
        assert analysis.best == found.best[row]
        assert {move.action: move.visits for move in analysis.moves} == {
            action: found.visits[row, action] for action in s[row].legal_actions()
        }
        np.testing.assert_allclose(analysis.value, found.values[row], atol=1e-6)


# Values alone that are none: test_turn_search.py has them, of searches too.
BAD: list[tuple[Evaluator, type[Exception], str]] = [
    (raises, SurpriseError, "of mine"),
    (lambda o: np.full(len(o), -np.inf), ValueError, "row 0 is -inf"),
    (lambda o: ["a"] * len(o), TypeError, "dtype <U1"),
    (lambda o: np.zeros(len(o), complex), TypeError, "dtype complex128"),
    (lambda o: (np.zeros((len(o), 5)), np.zeros(len(o))), ValueError, r"logits of shape \(4, 5\)"),
    (lambda o: (np.full((len(o), 136), np.nan), np.zeros(len(o))), ValueError, "logit .* row 0 is NaN"),
    (lambda o: (1, 2, 3), ValueError, "3 arrays"),
    (lambda o: np.ma.array(np.zeros(len(o)), mask=True), ValueError, "values .*masked"),
    (lambda o: [[np.ma.masked, 0.0]] * len(o), ValueError, "values .*masked"),
    (lambda o: (np.ma.array(np.zeros((len(o), 136)), mask=True), np.zeros(len(o))), ValueError, "logits .*masked"),
    (lambda o: [[0.0], *[[0.0, 0.0]] * (len(o) - 1)], ValueError, "values .*different lengths"),
]  # fmt: skip


@pytest.mark.parametrize(("evaluator", "kind", "message"), BAD, ids=range(len(BAD)))
def test_what_an_evaluator_may_not_do(evaluator: Evaluator, kind: type[Exception], message: str) -> None:
    s = positions("shah", 4)
    with pytest.raises(kind, match=message):
        sarai.search(s, 10, evaluator, seed=0)


def test_bad_arguments() -> None:
    s = positions("shah", 4)

    def call(**given: Any) -> None:
        sarai.search(s, **{"simulations": 10, "evaluator": opinion, **given})

    refused(
        call,
        {
            "simulations": [0, 10**9, 20_000_000],
            "evaluator": ["heuristics"],
            "noise": [(0.0, 0.5), (0.3, 2), (float("nan"), 0.5)],
            "exploration": [0],
            "seed": [-1],
            "num_threads": [0],
        },
        {
            "simulations": [True],
            "evaluator": [3],
            "priors": [1],
            "noise": [0.3, (0.3, np.False_), (0.3, np.zeros(2))],
            "exploration": ["1"],
        },
    )


def test_a_single_state_is_refused() -> None:
    with pytest.raises(TypeError, match="states"):
        sarai.search(sarai.make("shah").new_initial_state(), 10, opinion, seed=0)  # type: ignore[arg-type]


def test_what_was_found_can_be_copied_and_pickled() -> None:
    found = sarai.search(sarai.make("shah").sample_states(num_games=3, seed=1), 20, opinion, seed=0)
    for twin in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        for name in ("visits", "values", "policy", "best"):
            np.testing.assert_array_equal(getattr(twin, name), getattr(found, name))
        assert [twin.analysis(row) for row in range(3)] == [found.analysis(row) for row in range(3)]
        assert twin.to_pandas("move").equals(found.to_pandas("move"))
