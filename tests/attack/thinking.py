"""Agents: names and objects that are none, what they are asked, and evaluators that misbehave as agents."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

import sarai
from attack import values, worlds
from attack.calls import SHORT
from attack.policies import made
from attack.trial import OwnError, Trial, shown
from sarai import agents

NAMES = (
    *("random", "greedy", "mcts:3", "mcts:3,playout=greedy", "mcts:3,evaluator=heuristic,priors=greedy"),
    *(
        "mcts:2,exploration=0.5,solver=false",
        "expectimax:1",
        "expectimax:2,filter=2/1",
        "alphabeta:2,table_mb=1",
    ),
    *("epsilon:0.1[greedy]", "mixture:0.5[greedy]+0.25[random]", "epsilon:1[mixture:1[mcts:2]+2[greedy]]"),
)

_PARTS = (
    *(
        "mcts",
        "expectimax",
        "alphabeta",
        "epsilon",
        "mixture",
        "random",
        "greedy",
        ":",
        ":",
        ",",
        "[",
        "]",
        "+",
    ),
    *("=", "1", "2", "0.5", "0", "-1", "1e3", "99999999999", "playout", "evaluator", "heuristic", "priors"),
    *("solver", "true", "filter", "1/1", "table_mb", "exploration", "\0", "\ud800", "é", " "),
)


def attack(trial: Trial) -> None:
    """One case."""
    trial.rng.choice((names, names, names, objects, objects, asked, asked, judged, judged_wrongly))(trial)


def name(trial: Trial) -> Any:
    """An agent's name, or nearly one."""
    rng = trial.rng
    kind = rng.randrange(5)
    if kind == 0:
        return "".join(rng.choice(_PARTS) for _ in range(rng.randrange(1, 12)))
    if kind == 1:
        inner = rng.choice(NAMES)
        for _ in range(rng.choice([1, 2, 7, 8, 200])):
            inner = rng.choice([f"epsilon:0.5[{inner}]", f"mixture:1[{inner}]+2[random]"])
        return values.near(rng, inner) if rng.random() < 0.3 else inner
    if kind == 2:
        one, other = rng.choice(NAMES), rng.choice(NAMES)
        both = f"mixture:1[{one}]+1[{other}]"
        return rng.choice([f"{one},{other}", one + "," + other.partition(",")[2], one + other, both])
    return values.text(rng, NAMES) if rng.random() < 0.8 else values.anything(rng)


def names(trial: Trial) -> None:
    """A name is refused, or it is that of an agent that parses back and travels."""
    given = name(trial)
    met = trial.call(agents.parse, given)
    if met.error is not None:
        return
    agent = met.value
    for twin in (agents.parse(str(agent)), pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)):
        same = (twin, type(twin), twin.parameters) == (agent, type(agent), agent.parameters)
        trial.hold(same, f"{shown(given)} became {agent!r}, and then {twin!r}", "the same agent")
    trial.same(eval(repr(agent), vars(agents)), agent, "what its repr makes")


def objects(trial: Trial) -> None:
    """Agents made with parameters that are none."""
    rng = trial.rng

    def odd() -> Any:
        return rng.choice([values.numbers(rng), values.anything(rng), 1, 0.5, "greedy", "heuristic", True])

    whole: dict[Callable[..., Any], tuple[str, ...]] = {
        agents.MCTS: ("simulations", "playout", "evaluator", "priors", "exploration", "solver"),
        agents.Expectimax: ("depth", "filter", "evaluator"),
        agents.AlphaBeta: ("depth", "table_mb", "evaluator"),
        agents.Epsilon: ("agent", "epsilon"),
        agents.Mixture: ("agents",),
        agents.TreeSearch: ("evaluator", "simulations", "exploration", "priors", "seed"),
        agents.TurnSearch: ("evaluator", "depth", "filter"),
    }
    make = rng.choice(list(whole))
    given = {key: odd() for key in rng.sample(whole[make], rng.randrange(1, len(whole[make]) + 1))}
    if "agents" in given and rng.random() < 0.8:
        given["agents"] = {key: odd() for key in rng.sample(NAMES, rng.randrange(4))}
    if make in (agents.TreeSearch, agents.TurnSearch) and "evaluator" not in given:
        given["evaluator"] = np.sum
    met = trial.call(make, **given)
    if met.error is None and isinstance(met.value, agents.EngineAgent):
        trial.same(agents.parse(str(met.value)), met.value, "an agent by its name")


def asked(trial: Trial) -> None:
    """An agent asked to choose, or what it thinks, where it is nobody's turn and with numbers that are none."""
    rng = trial.rng
    state, agent = worlds.some_state(rng), rng.choice(NAMES)
    odd = values.anything(rng)
    given = rng.choice([state, state, state, odd])
    seed = rng.choice([0, None, values.numbers(rng), odd])
    seconds = rng.choice([None, 1e-6, 0, -1, float("nan"), float("inf"), 1e300, True, odd])
    before = str(state)
    calls: list[Callable[[], Any]] = [
        lambda: sarai.choose(
            given, rng.choice([agent, name(trial) if rng.random() < 0.2 else odd]), seed=seed
        ),
        lambda: agents.parse(agent).choose(given, seed),
        lambda: sarai.analyse(given, rng.choice([agent, agent, odd]), seed=seed, seconds=seconds),
        lambda: agents.parse(agent).analyse(given, seed, seconds),
        lambda: agents.TreeSearch("heuristic", 5).analyse(given, seed, seconds),
        lambda: agents.TurnSearch(even, rng.choice([1, 2]), 2).analyse(given, seed, seconds),
    ]
    met = trial.call(rng.choice(calls))
    trial.same(str(state), before, "a state after it was asked about")
    if isinstance(met.value, sarai.Analysis):
        told = met.value
        legal = state.legal_actions()
        trial.same(sorted(move.action for move in told.moves), sorted(legal), "the actions of an analysis")
        trial.hold(told.best in legal, f"{agent}: {told.best}", "a legal action")
        trial.call(lambda: (str(told), told._repr_html_(), told.draw()))
    elif met.error is None:
        trial.hold(met.value in state.legal_actions(), f"{agent} chose {met.value}", "a legal action")


def even(observations: Any) -> Any:
    """An evaluator that does as it should."""
    return observations[:, 0] % 3 / 4


def judged(trial: Trial) -> None:
    """What an agent's evaluator raises comes through a rollout as it is, and the next rollout is as it was."""
    rng = trial.rng
    error = made(rng.choice([OwnError, ValueError, KeyboardInterrupt, MemoryError, AttributeError]))
    calls = 0
    after = rng.choice([0, 1, 5])

    def raises(observations: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > after:
            raise error
        return even(observations)

    in_games(trial, raises, (type(error),), error)


def judged_wrongly(trial: Trial) -> None:
    """What an agent's evaluator should not have returned is refused."""
    rng = trial.rng
    odd = values.anything(rng)
    kinds: list[Callable[..., Any]] = [
        *(lambda o: odd, lambda o: np.full(len(o), np.nan), lambda o: np.zeros((len(o), 9))),
        *(lambda o: np.zeros(len(o) + 1), lambda o: np.full((len(o), 1), -np.inf), lambda o: ["a"] * len(o)),
        *(lambda o: np.zeros(len(o), complex), lambda o: [odd] * len(o), lambda o: None),
    ]
    in_games(trial, rng.choice(kinds))


def in_games(
    trial: Trial,
    evaluator: Callable[..., Any],
    also: tuple[type[BaseException], ...] = (),
    error: BaseException | None = None,
) -> None:
    """Rollouts with an agent that asks this evaluator."""
    rng = trial.rng
    game = rng.choice(worlds.GAMES)
    kinds: list[Callable[[Any], Any]] = [
        lambda f: agents.TreeSearch(f, 2),
        lambda f: agents.MCTS(2, evaluator=f),
        lambda f: agents.Expectimax(evaluator=f),
        lambda f: agents.Expectimax(2, f, (2, 1)),
    ]
    make = rng.choice(kinds)
    rules = {**SHORT[game], "max_turns": 3} if game != "sho" else SHORT[game]
    seats = sarai.make(game, **rules).num_players
    lineup = [make(even)] + ["random"] * (seats - 1)
    due = sarai.rollout(game, 2, lineup, rules=rules)
    bad = [make(evaluator)] + ["random"] * (seats - 1)
    met = trial.call(sarai.rollout, game, 2, bad, rules=rules, also=also)
    if error is not None and met.error is not None:
        trial.hold(met.error is error, f"an evaluator raised {error!r}, {met.error!r} came", "the very one")
    trial.hold(
        sarai.rollout(game, 2, lineup, rules=rules) == due, "a rollout after a refusal", "the same games"
    )
