"""Networks with logits of actions: what they play, how they sample, and where else they are taken."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.nightly_books import some_books
from sarai import agents
from sarai.nets import Net


def policy(game: sarai.Game, hidden: int | None = 32, values: int = 0, outputs: str = "policy") -> Net:
    """A network with logits that know nothing, and so many values."""
    rng = np.random.default_rng(1)
    cells = game.observation_shape[0]
    units = [cells, *([] if hidden is None else [hidden]), game.num_actions + values]
    arrays: list[NDArray[np.float64]] = []
    for before, after in itertools.pairwise(units):
        arrays += [rng.normal(size=(after, before)) * 2 / np.sqrt(before), rng.normal(size=after)]
    names = ["relu"] * (len(units) - 2) + ["identity"]
    return sarai.nets.make(arrays, game=game, encoding="scaled", activations=names, outputs=outputs)


def with_values(game: sarai.Game) -> Net:
    if len(set(game.sides)) == 2:
        return policy(game, values=1, outputs="policy_viewer")
    return policy(game, values=game.num_players, outputs="policy_seats")


def logits_of(net: Net, observations: NDArray[np.int8]) -> NDArray[np.float32]:
    found = net(observations)
    return found[0] if isinstance(found, tuple) else found


def decisions(game: sarai.Game, games: int) -> sarai.States:
    states = game.sample_states(num_games=games, seed=4)
    return states[states.current_player() >= 0]


@some_books
def test_the_highest_legal_logit_is_played(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    states = decisions(game, 400)
    observations, masks = states.observation_tensor(), states.legal_actions_mask()
    for net in (policy(game), policy(game, hidden=None), with_values(game)):
        best = np.where(masks == 1, logits_of(net, observations), -np.inf).argmax(axis=1)
        agent = agents.Network(net)
        assert [sarai.choose(states[row], agent) for row in range(len(states))] == best.tolist()


@some_books
def test_logits_and_values_are_those_of_numpy(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    observations = decisions(game, 200).observation_tensor()
    net = with_values(game)
    numbers = sarai.nets.encode(observations, game, "scaled").astype(np.float64)
    for layer in net.layers:
        numbers = numbers @ layer.weights.T.astype(np.float64) + layer.bias
        numbers = np.maximum(numbers, 0) if layer.activation == "relu" else numbers
    logits, values = net(observations)
    assert logits.shape == (len(observations), game.num_actions)
    assert values.shape == (len(observations), game.num_players)
    np.testing.assert_allclose(logits, numbers[:, : game.num_actions], atol=1e-4)
    signs = [1 if side == game.sides[0] else -1 for side in game.sides]
    expected = numbers[:, game.num_actions :] * (signs if net.outputs == "policy_viewer" else 1)
    np.testing.assert_allclose(values, expected, atol=1e-4)


def test_sampling_follows_the_softmax() -> None:
    game = sarai.make("shah")
    net = policy(game)
    state = game.new_initial_state()
    legal = np.flatnonzero(sarai.States(game, 1).legal_actions_mask()[0])
    logits = logits_of(net, sarai.States(game, 1).observation_tensor())[0, legal].astype(np.float64)
    draws = 20_000
    for temperature in (0.5, 1.0, 3.0):
        agent = agents.Network(net, sample=True, temperature=temperature)
        expected = np.exp((logits - logits.max()) / temperature)
        expected *= draws / expected.sum()
        chosen = [sarai.choose(state, agent, seed=seed) for seed in range(draws)]
        counts = np.array([chosen.count(action) for action in legal])
        assert counts.sum() == draws
        # Chi-squared with 23 degrees of freedom exceeds 60 once in 30,000 times; rare actions are taken together.
        rare = expected < 5
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], max(expected[rare].sum(), 1e-9))
        assert ((counts - expected) ** 2 / np.maximum(expected, 1)).sum() < 60, temperature
        told = [move.probability for move in agents.Network.analyse(agent, state, seed=1).moves]
        assert sum(told) == pytest.approx(1)


@some_books
def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    agent = agents.Network(policy(game), sample=True)
    one, two = (sarai.rollout(game, agent, 60, seed=5, num_threads=threads) for threads in (1, 2))
    assert one == two
    assert one != sarai.rollout(game, agents.Network(policy(game)), 60, seed=5)


def test_pools_and_arenas_play_by_policies() -> None:
    game = sarai.make("shuanglu")
    past = [agents.Network(policy(game, hidden), sample=True) for hidden in (8, 16)]
    envs = [
        sarai.SingleAgentVectorEnv(game, 8, opponents=agents.Pool(past), seed=1, num_threads=threads)
        for threads in (1, 2)
    ]
    for env in envs:
        env.reset()
    for _ in range(50):
        steps = [env.step(env.action_masks().argmax(axis=1)) for env in envs]
        one, two = (step[0]["observation"] for step in steps)
        np.testing.assert_array_equal(one, two)
    assert len(sarai.arena(game, [*past, "random"], 4, seed=1).names) == 3


def test_names_parse_back_and_agents_travel() -> None:
    game = sarai.make("tshupu")
    net, both = policy(game), with_values(game)
    for agent in (
        agents.Network(net),
        agents.Network(both, head="policy", sample=True, temperature=0.25),
        agents.Network(both, head="value"),
        agents.MCTS(8, priors=net),
        agents.MCTS(8, priors=both),
        agents.MCTS(8, playout="random", priors=both),
        agents.MCTS(8, evaluator="heuristic", priors=net),
        agents.Epsilon(agents.Network(net), 0.5),
    ):
        again = agents.parse(str(agent))
        assert (again, again.parameters) == (agent, agent.parameters)
        assert eval(repr(agent), vars(agents)) == agent
        assert pickle.loads(pickle.dumps(agent)) == agent
        assert sarai.rollout(game, agent, 2, seed=1) == sarai.rollout(game, again, 2, seed=1)
    assert agents.Network(both).parameters["head"] == "policy"
    assert Net(net._net.content()).outputs == "policy"


def test_priors_lead_a_search() -> None:
    game = sarai.make("shah")
    states = sarai.States(game, 1)
    cells = sarai.nets.encode(states.observation_tensor(), game, "scaled").shape[1]
    wanted = int(np.flatnonzero(states.legal_actions_mask()[0])[-1])
    bias = np.zeros(game.num_actions + 1)
    bias[wanted], bias[-1] = 9, 0.5
    arrays = [np.zeros((game.num_actions + 1, cells)), bias]
    options = {"game": game, "encoding": "scaled", "activations": ["identity"], "outputs": "policy_viewer"}
    net = sarai.nets.make(arrays, **options)
    found = sarai.search(states, 50, net, seed=0)
    assert found.visits[0].argmax() == wanted
    assert found.visits[0, wanted] > 20
    even = sarai.search(states, 50, net, priors=False, seed=0)
    assert even.visits[0].argmax() != wanted

    # What a function of logits and values finds.
    def judge(observations: NDArray[np.int8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.tile(bias[:-1], (len(observations), 1)), np.full(len(observations), 0.5)

    both = sarai.search(states, 50, judge, seed=0)
    np.testing.assert_array_equal(both.visits, found.visits)
    told = agents.MCTS(60, priors=net).analyse(states[0], seed=1)
    assert max(told.moves, key=lambda move: move.visits).action == wanted


def test_what_has_no_values_or_no_logits_is_refused() -> None:
    game = sarai.make("shuanglu")
    net = policy(game)
    valued = sarai.nets.load("shuanglu")
    for call, word in [
        (lambda: sarai.rollout(game, agents.Network(net, head="value"), 1), "no values"),
        (lambda: sarai.rollout(game, agents.Network(valued, head="policy"), 1), "no logits"),
        (lambda: sarai.rollout(game, agents.MCTS(5, priors=valued), 1), "no logits"),
        (lambda: sarai.rollout(game, agents.Expectimax(1, evaluator=net), 1), "no values"),
        (lambda: sarai.search(sarai.States(game, 1), 5, net), "no values"),
        (lambda: sarai.rollout("shah", agents.Network(net), 1), "made for shuanglu"),
        (lambda: agents.Network(valued, sample=True), "sample"),
        (lambda: agents.Network(net, head="logits"), "head"),
        (lambda: agents.Network(net, sample=True, temperature=0), "temperature"),
        (lambda: agents.Network(net, sample=True, temperature=0.001), "temperature"),
        (lambda: agents.MCTS(5, evaluator=valued, priors=net), "two networks"),
        (lambda: agents.parse("mcts:5,priors=policy"), "no network"),
        (lambda: agents.parse("policy:"), "file of a network"),
        (lambda: agents.parse("policy:nowhere.safetensors"), "nowhere"),
    ]:
        with pytest.raises(ValueError, match=word):
            call()
    with pytest.raises(ValueError, match="150 actions"):
        policy(game, values=3)
