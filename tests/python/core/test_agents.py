"""`sarai.agents`: agents as objects, their names, and where they may be given."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import sarai
from helpers import night
from helpers.learner_games import lowest
from sarai import _core, agents
from sarai._agents.engine import CLASSES

ALL = (
    agents.Random(),
    agents.Greedy(),
    agents.MCTS(7),
    agents.MCTS(7, playout="greedy"),
    agents.MCTS(7, evaluator="heuristic"),
    agents.MCTS(7, solver=False, reuse_tree=True),
    agents.Expectimax(),
    agents.Expectimax(2, filter=(3, 1)),
    agents.AlphaBeta(2),
    agents.AlphaBeta(3, table_mb=1),
    agents.Epsilon(),
    agents.Epsilon(agents.Epsilon(agents.MCTS(7, playout="greedy"), 0.125), 1),
    agents.Mixture(),
    agents.Mixture({"random": 2, agents.Epsilon(agents.Mixture(), 0.5): 1, agents.AlphaBeta(1): 0.0625}),
)
each = pytest.mark.parametrize("agent", ALL, ids=map(str, ALL))


@each
def test_a_name_parses_back_to_an_equal_agent(agent: agents.EngineAgent) -> None:
    again = agents.parse(str(agent))
    assert (again, type(again), again.parameters) == (agent, type(agent), agent.parameters)
    assert eval(repr(agent), vars(agents)) == agent
    for twin in (copy.copy(agent), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert (twin, type(twin), twin.parameters) == (agent, type(agent), agent.parameters)
    assert hash(agent) == hash(str(agent))
    assert type(str(agent)) is str


@each
def test_objects_play_as_their_names_do(agent: agents.EngineAgent) -> None:
    name = str(agent)
    played = sarai.rollout("shah", [agent, "random"], 2, seed=1, keep=[0])
    assert played == sarai.rollout("shah", [name, "random"], 2, seed=1, keep=[0])
    assert played.agents == (name, "random")
    assert played == sarai.rollout("shah", [agent, "random"], 2, seed=1, keep=[0], num_threads=1)
    state = sarai.make("shah").new_initial_state()
    assert (
        agent.choose(state, seed=3) == sarai.choose(state, agent, seed=3) == sarai.choose(state, name, seed=3)
    )
    env = sarai.SingleAgentVectorEnv("shah", num_envs=2, opponents=agent)
    twin = sarai.SingleAgentVectorEnv("shah", num_envs=2, opponents=name)
    for one in (env, twin):
        one.reset(seed=1)
        one.step(one.action_masks().argmax(axis=1))
    assert [env.state(lane) for lane in range(2)] == [twin.state(lane) for lane in range(2)]
    assert sarai.series("shah", agent, 1, target=1, max_games=1, seed=0).agents == (name, name)


def test_there_is_a_class_for_every_kind_that_the_engine_knows() -> None:
    assert [kind.kind for kind in CLASSES] == _core.AGENT_KINDS


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("alphabeta", "depth .*''"),
        ("expectimax:5", "depth .*'5'"),
        ("expectimax:1,filter=0/4", "filter .*'0'"),
        ("expectimax:1,table_mb=4", "table_mb=4"),
        ("alphabeta:3,table_mb=4,table_mb=5", "table_mb twice"),
        ("alphabeta:3,table_mb=4097", "table_mb"),
        ("mcts:5,x", "'x'"),
        ("mcts:5,evalutor=heuristic", "did you mean 'evaluator=heuristic'"),
        ("mcts:5,playout=x", "playout=x"),
        ("random:1", "random:1"),
        ("epsilon:0.1,greedy", "chance"),
        ("epsilon:0.1[alphabet:2]", "did you mean 'alphabeta'"),
        ("mixtur:1[greedy]", "did you mean 'mixture'"),
        ("mcts:-1", "simulations .*'-1'"),
    ],
)
def test_bad_names_are_refused(name: str, word: str) -> None:
    for call in (agents.parse, lambda name: sarai.rollout("shah", name, 1, seed=0)):
        with pytest.raises(ValueError, match=word):
            call(name)


HUGE = 10**5000


@pytest.mark.parametrize(
    ("make", "error", "word"),
    [
        (lambda: agents.MCTS(1.5), TypeError, "simulations"),
        (lambda: agents.MCTS(True), TypeError, "bool"),
        (lambda: agents.MCTS(HUGE), ValueError, "simulations .*16610 bits"),
        (lambda: agents.MCTS(5, reuse_tree=1), TypeError, "reuse_tree"),
        (lambda: agents.Expectimax(HUGE), ValueError, "depth .*16610 bits"),
        (lambda: agents.Expectimax(1, filter=3), TypeError, "filter"),
        (lambda: agents.Expectimax(1, filter=(HUGE, 1)), ValueError, "filter"),
        (lambda: agents.Expectimax(1, np.zeros(3)), ValueError, "evaluator got array.*; Expectimax"),
        (lambda: agents.AlphaBeta(depth=0), ValueError, "depth .*'0'"),
        (lambda: agents.AlphaBeta(HUGE), ValueError, "depth .*16610 bits"),
        (lambda: agents.AlphaBeta(table_mb=HUGE), ValueError, "table_mb"),
        (lambda: agents.AlphaBeta(4, np.zeros(3)), ValueError, "evaluator got array.*; AlphaBeta"),
        (lambda: agents.AlphaBeta(4, tables=b"x"), TypeError, "path"),
        (lambda: agents.Perfect(b"x"), TypeError, "path"),
        (lambda: agents.parse(3), TypeError, "str"),
        (lambda: agents.Epsilon(len), TypeError, "Epsilon"),
        (lambda: agents.Epsilon("greedy", "0.1"), TypeError, "epsilon"),
        (lambda: agents.Epsilon("greedy", float("nan")), ValueError, "chance"),
        (lambda: agents.Mixture({"greedy": 1, "random": 0}), ValueError, "weight"),
        (lambda: agents.Mixture({"mcts:5": 1, "mcts:5,playout=random": 1}), ValueError, "mcts:5 twice"),
    ],
)
def test_bad_parameters_are_refused(make: Any, error: type[Exception], word: str) -> None:
    with pytest.raises(error, match=word):
        make()


@pytest.mark.parametrize("name", ["sho", "shuanglu"])
def test_alpha_beta_refuses_games_with_chance(name: str) -> None:
    state = sarai.make(name).sample_states(num_games=1, seed=1)[0]
    for call in (
        lambda: sarai.rollout(name, "alphabeta:2", 1, seed=0),
        lambda: sarai.choose(state, "alphabeta:2", seed=0),
        lambda: sarai.SingleAgentEnv(name, opponents="alphabeta:2"),
        lambda: sarai.Record.play(name, agents.AlphaBeta(2), seed=0),
    ):
        with pytest.raises(ValueError, match=name):
            call()


@pytest.mark.parametrize(
    ("name", "options"),
    night.after(
        2,
        [
            ("sho", {"players": 2}),
            ("shuanglu", {"preset": "backgammon"}),
            ("sho", {}),
            ("tshupu", {}),
            ("shuanglu", {}),
        ],
    ),
)
def test_expectimax_beats_greedy(name: str, options: dict[str, Any]) -> None:
    """Each side once in each seat; 1.96 standard errors above nothing."""
    game = sarai.make(name, **options)
    gains = []
    for side in range(max(game.sides) + 1):
        lineup = ["expectimax:1" if each == side else "greedy" for each in game.sides]
        played = sarai.rollout(game, lineup, 2500, seed=11)
        gains.append(played.returns[:, game.sides.index(side)])
    gain = np.concatenate(gains)
    assert gain.mean() > 1.96 * gain.std() / np.sqrt(len(gain))


@pytest.mark.parametrize("preset", night.after(1, ["shah", "nine_mens_morris"]))
def test_alpha_beta_beats_greedy_and_mcts(preset: str) -> None:
    game = sarai.make("shah", preset=preset)
    starts = sarai.States(game, 8)
    rng = np.random.default_rng(1)
    for _ in range(4):
        mask = starts.legal_actions_mask()
        starts.apply_actions((mask * rng.random(mask.shape)).argmax(axis=1))
    for opponent in ("greedy", "mcts:100"):
        won = [
            starts.rollout(["alphabeta:5", opponent][:: 1 - 2 * seat], 1, seed=1).returns[:, 0, seat]
            for seat in (0, 1)
        ]
        assert np.concatenate(won).mean() > 0.3, opponent


def test_a_kept_tree_is_said_and_taken_back() -> None:
    assert agents.MCTS(5, reuse_tree=False) == "mcts:5" == agents.parse("mcts:5,reuse_tree=false")
    kept = agents.MCTS(5, evaluator="heuristic", reuse_tree=True)
    assert kept == "mcts:5,evaluator=heuristic,reuse_tree=true"
    assert (kept.parameters["reuse_tree"], agents.MCTS(5).parameters["reuse_tree"]) == (True, False)
    assert repr(agents.parse(str(kept))) == repr(kept)


@pytest.mark.parametrize("game", night.after(2, ["sho", "shah", "tshupu", "shuanglu"]))
def test_whole_games_keep_trees_and_lone_decisions_do_not(game: str) -> None:
    kept, fresh = agents.MCTS(20, reuse_tree=True), agents.MCTS(20)
    others = ["random"] * (sarai.make(game).num_players - 1)

    def lengths(agent: str, *others: Any, threads: int = 1) -> list[int]:
        return sarai.rollout(game, [agent, *others], 4, seed=1, num_threads=threads).lengths.tolist()

    with_trees = lengths(kept, *others)
    assert with_trees == lengths(kept, *others, threads=2) != lengths(fresh, *others)
    # A game that waits for somebody outside in between keeps its trees as well.
    assert lengths(kept, *[lowest] * len(others)) != lengths(fresh, *[lowest] * len(others))

    state = sarai.make(game).sample_states(num_games=1, seed=2)[0]
    assert kept.choose(state, seed=3) == fresh.choose(state, seed=3)
    steps = []
    for agent in (kept, fresh):
        env = sarai.SingleAgentVectorEnv(game, 3, opponents=agent, seed=4)
        env.reset()
        steps.append([env.step(env.action_masks().argmax(axis=1))[0]["observation"] for _ in range(15)])
    np.testing.assert_array_equal(*steps)


def test_judgements_need_less_exploration_than_playouts() -> None:
    played, judged = agents.MCTS(5), agents.MCTS(5, evaluator="heuristic")
    assert (played.parameters["exploration"], judged.parameters["exploration"]) == (1.4, 1.0)
    assert agents.MCTS(5, exploration=1.4) == "mcts:5"
    assert agents.MCTS(5, evaluator="heuristic", exploration=1.0) == "mcts:5,evaluator=heuristic"
    # Whichever stands first.
    asked = agents.parse("mcts:5,exploration=1.4,evaluator=heuristic")
    assert asked == "mcts:5,evaluator=heuristic,exploration=1.4" == agents.parse(str(asked))
    searching = agents.MCTS(5, evaluator=lambda observations: [0.0] * len(observations), exploration=0.5)
    assert isinstance(searching, agents.TreeSearch)
    assert searching.exploration == 0.5


def test_what_floats_add_is_no_part_of_a_chance() -> None:
    for chance, text in (
        (np.linspace(0, 1, 11)[3], "0.3"),
        (0.1 + 0.2, "0.3"),
        (np.float32(1), "1"),
        (1, "1"),
    ):
        assert str(agents.Epsilon("greedy", chance)) == f"epsilon:{text}[greedy]"


def test_an_agent_that_never_errs_plays_as_it_would_alone() -> None:
    never = sarai.rollout("shuanglu", [agents.Epsilon("greedy", 0), "random"], 50, seed=2)
    alone = sarai.rollout("shuanglu", ["greedy", "random"], 50, seed=2)
    assert (never.returns == alone.returns).all()
    assert (never.digests == alone.digests).all()


@pytest.mark.parametrize("name", ["shah", "tshupu"])
def test_a_mixture_plays_between_its_agents(name: str) -> None:
    mixed = agents.Mixture({"greedy": 1, "random": 3})
    others = ["random"] * (sarai.make(name).num_players - 1)
    gains = [
        sarai.rollout(name, [agent, *others], 400, seed=3).returns[:, 0].mean()
        for agent in ("random", mixed, agents.Epsilon("greedy", 0.1), "greedy")
    ]
    assert gains == sorted(gains), gains


def test_a_mixture_does_not_depend_on_threads() -> None:
    agent = agents.Mixture({"greedy": 0.5, "mcts:3": 0.25, "expectimax:1": 0.25})
    one, two = (sarai.rollout("sho", agent, 40, seed=5, num_threads=threads) for threads in (1, 2))
    assert one == two
    state = sarai.make("sho").sample_states(num_games=1, seed=3)[0]
    # It draws: over some seeds it does not always choose alike.
    assert len({agent.choose(state, seed) for seed in range(40)}) > 1
    told = [agent.analyse(state, seed) for seed in range(10)]
    assert all(analysis.best == agent.choose(state, seed) for seed, analysis in enumerate(told))


def test_agents_are_spread_over_some_seats_only() -> None:
    assert sarai.agents.one_agent_a_seat("greedy", 2) == ["greedy", "greedy"]
    for wrong, error in ((2**63, ValueError), (-1, ValueError), (True, TypeError), (1.5, TypeError)):
        with pytest.raises(error, match="num_players"):
            sarai.agents.one_agent_a_seat("greedy", wrong)  # type: ignore[arg-type]
