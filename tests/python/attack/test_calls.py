"""Every function that plays, searches, asks an agent or makes one, with an argument or two that are none."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sarai
from attack import values
from attack.oracle import GAMES, SHORT, call, short, shown, states, tries
from attack.values import OwnError, Strategy, anything, index_of, listed, near, numbers, some
from sarai import agents, exact
from sarai.agents import EngineAgent

NAMES = (
    *("random", "greedy", "mcts:3", "mcts:3,playout=greedy", "mcts:3,evaluator=heuristic,priors=greedy"),
    *("mcts:2,exploration=0.5,solver=false", "expectimax:1", "expectimax:2,filter=2/1"),
    *("alphabeta:2,table_mb=1", "epsilon:0.1[greedy]", "mixture:0.5[greedy]+0.25[random]"),
    "epsilon:1[mixture:1[mcts:2]+2[greedy]]",
)
QUICK = ("random", "greedy", "mcts:2", "epsilon:0.5[greedy]", "expectimax:1")

PROPER: dict[Callable[..., Any], dict[str, Any]] = {
    sarai.rollout: {"num_games": 2},
    sarai.trajectories: {"num_games": 2},
    sarai.series: {"num_series": 2, "target": 1, "max_games": 3},
    sarai.Record.play: {},
    sarai.arena: {"agents": ["greedy", "random"], "num_games": 4},
    sarai.sprt: {"a": "greedy", "b": "random", "max_games": 8},
    sarai.metrics: {"num_games": 3, "board_games": 2},
    sarai.compare: {"num_games": 3},
    sarai.Game.sample_states: {"num_games": 2},
    sarai.choose: {"agent": "greedy"},
    sarai.analyse: {"agent": "greedy", "num_games": 3},
    sarai.State.perft: {"depth": 1},
    sarai.search: {"simulations": 3, "evaluator": "heuristic"},
    sarai.SingleAgentEnv: {},
    sarai.SingleAgentVectorEnv: {"num_envs": 3},
    sarai.SelfPlayVectorEnv: {"num_envs": 3},
    sarai.aec_env: {},
    agents.MCTS: {"simulations": 2},
    agents.Expectimax: {},
    agents.AlphaBeta: {},
    agents.Epsilon: {"agent": "greedy"},
    agents.Mixture: {"agents": {"greedy": 1, "random": 2}},
    agents.TreeSearch: {"evaluator": "heuristic", "simulations": 2},
    agents.TurnSearch: {"evaluator": lambda observations: observations[:, 0] % 3 / 4},
    exact.load: {"check": False},
    exact.plan: {},
}
"""What is given besides a game, a seed and one thread, so that the call is a proper and a quick one."""

ENVIRONMENTS = (sarai.SingleAgentEnv, sarai.SingleAgentVectorEnv, sarai.SelfPlayVectorEnv, sarai.aec_env)
TOLD = (sarai.rollout, sarai.trajectories, sarai.series, sarai.Record.play)
AGENTS = tuple(function for function in PROPER if "agents" in str(getattr(function, "__module__", "")))
# Two sides play a match of two agents.
UNFIT = {(sarai.sprt, "sho")}

RANGES: dict[str, tuple[int, int]] = {
    "num_games": (1, 10**8),
    "board_games": (0, 10**8),
    **dict.fromkeys(("seed", "first_game"), (0, 2**64 - 1)),
    "num_series": (1, 10**6),
    "first_series": (0, 2**64 - 2),
    "number": (0, 2**64 - 2),
    "num_threads": (1, 256),
    "max_decisions": (1, 2**63),
    "target": (1, 1000),
    "max_games": (1, 100_000),
    "random_plies": (0, 1000),
    "num_envs": (1, 2**20),
    "max_episode_steps": (1, 2**63),
    "depth": (0, 100),
    "max_cycles": (1, 2**63 - 1),
}
"""What whole numbers each argument takes at most; some take fewer."""
NONE = ("seed", "num_threads", "max_episode_steps", "max_cycles")
"""Those of them that take None too."""
LONG = (
    *("num_games", "num_series", "max_games", "num_threads", "target", "depth", "num_envs"),
    "board_games",
)
"""Those of which the most would take long, and is nothing wrong."""

_floats = some(0.0, 0, 0.5, 1, -5, 20.0, 1e9, 1e300, np.float32(0.5), True)
_words = {
    "autoreset_mode": ("NextStep", "SameStep", "Disabled", "NEXT_STEP"),
    "illegal_action": ("raise", "terminate", "random"),
    "render_mode": ("ansi", "svg", "rgb_array"),
    "dice": ("shared", "own"),
    "schedule": ("round_robin", "gauntlet"),
    "by": ("turns", "win_share", "length", "decisions"),
    **dict.fromkeys(("evaluator", "playout", "priors"), ("heuristic", "playout", "greedy", "random")),
}
_agent = st.sampled_from(QUICK) | near(*QUICK) | anything
WRONG: dict[str, Strategy] = {
    **{name: st.sampled_from(words) | near(*words) | anything for name, words in _words.items()},
    **dict.fromkeys(("elo0", "elo1", "alpha", "beta", "exploration", "epsilon", "seconds"), _floats),
    **dict.fromkeys(("agent", "a", "b"), _agent),
    **dict.fromkeys(
        ("agents", "opponents"),
        _agent
        | listed(_agent)
        | st.dictionaries(st.sampled_from(["a", "", "\ud800", "x" * 300, 1]), _agent, max_size=3),
    ),
    "progress": st.sampled_from([True, False, lambda *_: None, lambda *_: 1 / 0 if _ is None else None])
    | anything,
    "keep": listed(some(0, 1, 2, -1, 10**9)) | values.arrays | anything,
    "variants": st.dictionaries(st.text(max_size=3), some({}, {"game": "shah(max_turns=9)"}), max_size=3)
    | anything,
    "noise": st.tuples(_floats, _floats) | anything,
    "filter": some((2, 1)) | st.tuples(numbers, numbers),
    "simulations": some(1, 2, 0, -1, 20_000_001),
    "table_mb": some(1, 0, 2**20),
    "skill_levels": some(0, -1).filter(lambda odd: not (index_of(odd) or 0) > 0),
    "skill_games": some(1, 2, 0, -1),
    "pair": some((3, 3), (3,), (3, 3, 3), "33", (0, 0), (99, 99)) | st.tuples(numbers, some(3)),
    "path": some("/nowhere", "", ".", "\0", "a\ud800", __file__),
    "check": some(False),
}


def range_of(name: str, function: Callable[..., Any]) -> tuple[int, int] | None:
    """What whole numbers an argument takes."""
    if function is sarai.Game.sample_states and name == "num_games":
        return 0, 10**8
    if function is sarai.sprt and name == "max_games":
        return 2, 10**7
    return None if function in AGENTS else RANGES.get(name)


@cache
def wrong(name: str, function: Callable[..., Any], game: str) -> Strategy:
    """What an argument may not take."""
    if name in ("game", "state", "states"):
        return near(*GAMES, *(str(short(each)) for each in GAMES)) | anything
    if name == "rules":
        keys = st.sampled_from(list(SHORT[game])) | near("max_turns")
        return st.dictionaries(keys, anything, max_size=2) | anything
    if name == "preset":
        return near(*sarai.presets(game)) | anything
    ends = range_of(name, function)
    if ends is None:
        return WRONG.get(name, anything)
    low, high = ends
    high += name in LONG
    wrong = st.one_of(numbers, numbers, anything, st.sampled_from([low, low - 1, high, high + 1]))
    return wrong.map(lambda odd: high + 1 if name in LONG and 3 < (index_of(odd) or 0) <= high else odd)


@cache
def proper(function: Callable[..., Any], game: str) -> dict[str, Any]:
    """Arguments that all are as they should be."""
    taken = inspect.signature(function).parameters
    book, positions = short(game), short(game).sample_states(num_games=3, seed=2)
    found = {
        "self": book if function is sarai.Game.sample_states else positions[0],
        "game": game if "rules" in taken or function in (exact.load, exact.plan) else book,
        "variants": {"one": {}, "other": {"game": f"{game}(max_turns=12)"}},
        "states": positions,
        "state": positions[0],
        "rules": SHORT[game],
        "seed": 5,
        "num_threads": 1,
        **PROPER[function],
    }
    return {name: value for name, value in found.items() if name in taken}


@pytest.mark.parametrize("function", PROPER, ids=lambda function: function.__qualname__)
@tries(25)
@given(data=st.data())
def test_wrong_arguments(function: Callable[..., Any], data: Any) -> None:
    game = data.draw(st.sampled_from([name for name in GAMES if (function, name) not in UNFIT]))
    given = dict(proper(function, game))
    names = [name for name in inspect.signature(function).parameters if name not in ("options", "self")]
    spoiled = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    for name in spoiled:
        given[name] = data.draw(wrong(name, function, game))
    if data.draw(st.integers(0, 19)) == 19:
        given[data.draw(near(*names))] = data.draw(anything)
        spoiled.append("unknown")
    about = proper(function, game)
    before = str(about.get("state")), copy.deepcopy(about.get("states"))
    # No keyword of a method is itself.
    bound = partial(function, given.pop("self")) if "self" in given else function
    met = call(bound, **given, also=(OSError,) if function is exact.load else ())
    assert before == (str(about.get("state")), about.get("states"))
    if met.error is None:
        accepted(function, given, met.value)
    elif len(spoiled) == 1 and range_of(*spoiled, function) and not isinstance(met.error, OwnError):
        # A number that is none is a TypeError, one out of range a ValueError.
        odd = given[spoiled[0]]
        due = ValueError if index_of(odd) is not None else TypeError
        assert isinstance(met.error, due) or (odd is None and spoiled[0] in NONE), met.error


def accepted(function: Callable[..., Any], given: dict[str, Any], made: Any) -> None:
    """What was taken can only have been proper, is told by the result, and gives the same a second time."""
    for name, odd in given.items():
        whole, ends = index_of(odd), range_of(name, function)
        if ends is None or (odd is None and name in NONE):
            continue
        assert whole is not None, (name, shown(odd))
        assert ends[0] <= whole <= ends[1], (name, shown(odd))
        # An arena plays whole rounds of seat orders.
        told = whole if function is sarai.arena else getattr(made, name, whole)
        assert (len(told) if isinstance(told, np.ndarray) else told) == whole, name
    if function in ENVIRONMENTS:
        plays(given, made)
    elif function in TOLD:
        if isinstance(given["game"], sarai.Game):
            assert made.rules == given["game"].rules
        once = any(hasattr(given.get(name), "__next__") for name in ("agents", "keep"))
        if given["seed"] is not None and not once and not given.get("stream"):
            assert function(**given) == made
    elif isinstance(made, agents.EngineAgent):
        same_agent(made)
    for way in ("__str__", "__repr__", "_repr_html_", "summary"):
        call(getattr(made, way, str))


def plays(given: dict[str, Any], env: Any) -> None:
    """An environment that was made can be played, and policies of the attack's own alone may refuse."""
    own = callable(given.get("opponents")) or not isinstance(given.get("opponents", ""), str | EngineAgent)
    own |= given.get("shaping") is not None
    met = call(env.reset, seed=1)
    for _ in range(3):
        assert met.error is None or own, met.error
        if met.error is not None or getattr(env, "num_envs", 3) != 3:
            return
        if isinstance(env, sarai.SingleAgentEnv) and not env.action_masks().any():
            env.reset()
        if hasattr(env, "agent_selection"):
            action = int(env.observe(env.agent_selection)["action_mask"].argmax())
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            met = call(env.step, None if over else action)
        else:
            met = call(env.step, env.sample_legal())
    if getattr(env, "render_mode", None) not in (None, "human"):
        env.render()
    env.close()


def same_agent(agent: Any) -> None:
    """An agent parses back and travels."""
    for twin in (agents.parse(str(agent)), pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)):
        assert (twin, type(twin), twin.parameters) == (agent, type(agent), agent.parameters)
    assert eval(repr(agent), vars(agents)) == agent


_parts = (
    *("mcts", "expectimax", "alphabeta", "epsilon", "mixture", "random", "greedy", ":", ",", "[", "]", "+"),
    *("=", "1", "2", "0.5", "0", "-1", "1e3", "99999999999", "playout", "evaluator", "heuristic", "priors"),
    *("solver", "true", "filter", "1/1", "table_mb", "exploration", "\0", "\ud800", "é", " "),
)


def _wrapped(name: str, times: int, around: str) -> str:
    for _ in range(times):
        name = around.format(name)
    return name


agent_names: Strategy = st.one_of(
    st.lists(st.sampled_from(_parts), min_size=1, max_size=11).map("".join),
    st.builds(
        _wrapped,
        st.sampled_from(NAMES),
        st.sampled_from([0, 1, 2, 7, 8, 200]),
        st.sampled_from(["epsilon:0.5[{}]", "mixture:1[{}]+2[random]", "{},{}", "{0}{0}"][:2]),
    ),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).map(",".join),
    near(*NAMES),
    anything,
)


@tries(150)
@given(agent_names)
def test_names_of_agents(name: Any) -> None:
    made = call(agents.parse, name).value
    if made is not None:
        same_agent(made)


def even(observations: Any) -> Any:
    """An evaluator that does as it should."""
    return observations[:, 0] % 3 / 4


@tries(100)
@given(data=st.data(), state=states, agent=st.sampled_from(NAMES))
def test_agents_asked_anywhere(data: Any, state: sarai.State, agent: str) -> None:
    odd = data.draw(anything)
    given = state if data.draw(st.integers(0, 3)) else odd
    seed = data.draw(some(0, None))
    seconds = data.draw(some(None, 1e-6, 0, -1, float("nan"), 1e300, True))
    legal, before = state.legal_actions(), str(state)
    calls: list[Callable[[], Any]] = [
        lambda: sarai.choose(given, odd if state.turns_passed() % 5 == 4 else agent, seed=seed),
        lambda: agents.parse(agent).choose(given, seed),
        lambda: sarai.analyse(given, agent, seed=seed, seconds=seconds),
        lambda: sarai.analyse(given, "greedy", 2, seed=seed),
        lambda: agents.TreeSearch("heuristic", 5).analyse(given, seed, seconds),
        lambda: agents.TurnSearch(even, 1, 2).analyse(given, seed, seconds),
    ]
    met = call(calls[data.draw(st.integers(0, len(calls) - 1))])
    assert str(state) == before
    if isinstance(met.value, sarai.agents.Analysis):
        assert sorted(move.action for move in met.value.moves) == sorted(legal)
        assert met.value.best in legal
        for way in (str, lambda told: told._repr_html_(), lambda told: told.draw()):
            call(way, met.value)
    elif met.error is None:
        assert met.value in legal


@cache
def covered() -> list[sarai.State]:
    """Positions that the tables of the package have, with all that follows."""
    tables = exact.load("shah", check=False)
    played = (state for seed in range(60) for state in sarai.Record.play("shah", seed=seed).states())
    known = (state for state in played if tables.covers(state, moves=True))
    return [state for state, _ in zip(known, range(12), strict=False)]


@tries(50)
@given(data=st.data(), state=states, at=st.integers(0, 11))
def test_exact_tables_asked_for_what_they_do_not_have(data: Any, state: sarai.State, at: int) -> None:
    tables, known = exact.load("shah", check=False), covered()[at]
    given = (state, known, data.draw(anything))[at % 3]
    some_rows = sarai.States.from_states(covered() if at % 2 else [state])
    threads = data.draw(wrong("num_threads", sarai.rollout, "shah"))
    for ask in (tables.value, tables.moves, tables.covers):
        call(ask, given)
    call(tables.values, some_rows if at % 4 else given, num_threads=threads)
    assert tables.value(known).value == tables.moves(known)[0].value
