"""The agents that play inside the engine, as objects."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from sarai import _core
from sarai._agents.analysis import Analysis, ask
from sarai._agents.searching import TreeSearch
from sarai._agents.trees import Evaluator
from sarai._agents.turns import TurnSearch
from sarai._base import arguments
from sarai._core import State
from sarai.nets import Net, load


class EngineAgent(str):
    """An agent that plays inside the engine. It is a str, its name, so you can use it wherever a name is taken.

    Two agents are equal if their names are, and a name parses back to an equal agent (`parse`). Agents are immutable,
    hashable and picklable. An agent reads its networks and tables when it is made, and keeps them open as long as it
    exists; a name is resolved at every call.

    Attributes:
        parameters: Every parameter with its value.
        example: An example of a name, for a class without defaults.
    """

    __slots__ = ("_engine", "parameters")
    _engine: _core.Agent
    kind: ClassVar[str]
    example: ClassVar[str | None] = None
    parameters: dict[str, Any]

    def __new__(cls, name: str) -> EngineAgent:
        """Read a name; use `parse`, or the class of the agent."""
        if cls is EngineAgent:
            return parse(name)
        engine, told = _read(name)
        if told["kind"] != cls.kind:
            raise ValueError(f"agent {arguments.short(name)} is not of the kind {cls.kind!r}")
        return _made(cls, engine, told)

    def choose(self, state: State, seed: int | None = None) -> int:
        """Choose an action in a state; see `sarai.choose`.

        Args:
            state: A state in which it is a player's turn.
            seed: 0 to 2**64 - 1; None draws one from the operating system. Only agents with randomness depend on it.

        Raises:
            ValueError: It is no player's turn, the agent cannot play this game, or the seed is out of range.
        """
        return _core.choose(state, self, seed=seed)

    def analyse(self, state: State, seed: int | None = None, seconds: float | None = None) -> Analysis:
        """Evaluate the moves of a state; see `sarai.analyse`.

        Args:
            state: A state in which it is a player's turn.
            seed: 0 to 2**64 - 1; None draws one from the operating system.
            seconds: Stop a search after this many seconds.

        Raises:
            ValueError: It is no player's turn, the agent cannot play this game, or a number is out of range.
        """
        return ask(state, self, seed, seconds)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({given})"

    def __str__(self) -> str:
        return str.__str__(self)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # A network that has no file is known to this process alone, so it goes along.
        known = re.findall(r"\bsha256:[0-9a-f]{16}\b", str(self))
        return _unpickled, (str(self), *(Net._of(_core.Net.load(name)) for name in known))

    def __copy__(self) -> EngineAgent:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> EngineAgent:
        return self


class Random(EngineAgent):
    """Every legal action is equally likely. Its name is "random"."""

    __slots__ = ()
    kind = "random"

    def __new__(cls) -> Random:
        """Make the agent."""
        return EngineAgent.__new__(cls, "random")  # type: ignore[return-value]


class Greedy(EngineAgent):
    """The action that looks best at once, by rules of thumb that the game's page lists. Its name is "greedy"."""

    __slots__ = ()
    kind = "greedy"

    def __new__(cls) -> Greedy:
        """Make the agent."""
        return EngineAgent.__new__(cls, "greedy")  # type: ignore[return-value]


class MCTS(EngineAgent):
    """Monte Carlo tree search, for any number of players, with chance. Its name is "mcts:200".

    Args:
        simulations: The number of simulations for each decision, 1 to 100,000.
        playout: How they are played to their ends: "random" (the default) or "greedy".
        evaluator: "heuristic" plays ten random decisions instead, and evaluates the position there by the game's own
            evaluation (docs/agents.md); a network (`sarai.nets.Net`, or its name as in "net:FILE") evaluates the
            position itself, or with dice the best end of the turn. None plays to the end. With a function, as
            `sarai.search` takes it, the agent is a `TreeSearch`, which evaluates many positions in one call and plays
            outside the engine.
        priors: "greedy" tries first the moves that the agent "greedy" prefers, and favours them while few simulations
            have been made; a network with logits (`sarai.nets.Net`, or its name as in "policy:FILE") those that it
            prefers. If that network has values too, it is the evaluator unless you name another. None has uniform
            priors.
        exploration: The exploration constant, in units of the largest return seen: 0.01 to 100, with two decimals; None
            is 1.4, or 1.0 with an evaluator, whose values vary less than the results of games. With a function, as in
            `sarai.search`.
        solver: Whether to mark proven wins and losses, which no chance can change, and never search them again; a win
            within the turn is then always found.
        reuse_tree: Whether a seat starts its next decision from the subtree of the new position, in rollouts, series,
            arenas and metrics. With a single position, and in environments, every decision starts with a new tree
            (docs/agents.md).

    >>> from sarai import agents
    >>> agents.MCTS(50) == "mcts:50", agents.MCTS(50, evaluator="heuristic") == "mcts:50,evaluator=heuristic"
    (True, True)
    >>> agents.MCTS(0)
    Traceback (most recent call last):
    ...
    ValueError: agent 'mcts:0' needs simulations from 1 to 100000, not '0'
    """

    __slots__ = ()
    kind = "mcts"

    def __new__(
        cls,
        simulations: int = 200,
        playout: str | None = None,
        evaluator: Evaluator | None = None,
        priors: str | Net | None = None,
        exploration: float | None = None,
        solver: bool = True,
        reuse_tree: bool = False,
    ) -> MCTS:
        """Make the agent."""
        solver, reuse_tree = arguments.flag("solver", solver), arguments.flag("reuse_tree", reuse_tree)
        evaluator, network = _network(evaluator)
        priors, preferring = _network(priors, "policy", "policy:")
        if network and preferring and network != preferring:
            raise ValueError(
                "evaluator and priors are two networks; an agent has one, which may have both logits and values"
            )
        network = network or preferring
        if callable(evaluator):
            if playout is not None or priors is not None or not solver or reuse_tree:
                raise ValueError(
                    "an evaluator of your own goes with none of playout, priors, solver and reuse_tree"
                )
            more: dict[str, Any] = {} if exploration is None else {"exploration": exploration}
            return TreeSearch(evaluator, simulations, **more)  # type: ignore[return-value]
        name = f"mcts:{_whole('simulations', simulations)}"
        for key, value in (("playout", playout), ("evaluator", evaluator), ("priors", priors)):
            if value is not None:
                if not isinstance(value, str):
                    raise TypeError(f"{key} must be a word or None, not {type(value).__name__}")
                name += f",{key}={value}"
        if exploration is not None:
            name += f",exploration={_decimal('exploration', exploration)}"
        if not solver:
            name += ",solver=false"
        if reuse_tree:
            name += ",reuse_tree=true"
        name += network
        return EngineAgent.__new__(cls, name)  # type: ignore[return-value]


class Expectimax(EngineAgent):
    """Weighs every way to end the turn, with dice averaged exactly. Its name is "expectimax:1".

    With more than two sides, each player is assumed to maximise its own return.

    Args:
        depth: The turns of lookahead, 1 to 4; 1 is its own turn.
        evaluator: "heuristic", the game's own evaluation, or a network (`sarai.nets.Net`, or its name as in
            "net:FILE"). With a function of observations, the agent is a `TurnSearch`, which evaluates the ends of many
            turns in one call and plays outside the engine; it looks 1 or 2 turns ahead.
        filter: How many ends of a turn to search further, at its own turn and at each later one, 1 to 65,535 each.

    >>> from sarai import agents
    >>> agents.Expectimax(2, filter=(20, 5))
    Expectimax(depth=2, filter=(20, 5))
    >>> str(agents.Expectimax(2, filter=(20, 5))), str(agents.Expectimax())
    ('expectimax:2,filter=20/5', 'expectimax:1')
    """

    __slots__ = ()
    kind = "expectimax"

    def __new__(
        cls,
        depth: int = 1,
        evaluator: str | Net | Callable[..., ArrayLike] = "heuristic",
        filter: tuple[int, int] = (8, 4),  # noqa: A002
    ) -> Expectimax:
        """Make the agent."""
        try:
            first, later = filter
        except (TypeError, ValueError):
            raise TypeError(
                f"filter must be two whole numbers, as in (8, 4), not {arguments.short(filter)}"
            ) from None
        evaluator, network = _network(evaluator, "heuristic")
        if callable(evaluator):
            return TurnSearch(evaluator, depth, first)  # type: ignore[return-value]
        _heuristic(cls, evaluator)
        numbers = _whole("depth", depth), _whole("filter", first), _whole("filter", later)
        return EngineAgent.__new__(cls, "expectimax:{},filter={}/{}".format(*numbers) + network)  # type: ignore[return-value]


class AlphaBeta(EngineAgent):
    """Alpha-beta search, for games of two players without chance: the Shah family. Its name is "alphabeta:8".

    It uses iterative deepening and a transposition table per thread. A thread keeps its table for the next search,
    unless it is larger than 64 MiB, the default: then it is freed when the search ends. Positions that differ only in
    their clocks share an entry, so values a few moves before `no_capture_limit` or `max_turns` may be of another clock.

    Args:
        depth: The moves of lookahead, 1 to 64; all actions of a seat before the other one acts count as one.
        evaluator: "heuristic", the game's own evaluation (docs/agents.md), or a network (`sarai.nets.Net`, or its name
            as in "net:FILE").
        table_mb: The size of the table in MiB, 1 to 4,096.
        tables: The exact tables to look up instead of searching on: True for those in the package, or a folder of
            tables (docs/exact.md). Positions that they do not cover are searched. None looks nothing up. Exact values
            ignore the move limits: a win that comes too late for `no_capture_limit` counts as a win.

    >>> from sarai import agents
    >>> import sarai
    >>> str(agents.AlphaBeta(4, tables=True)), str(agents.AlphaBeta(4, tables="folder"))
    ('alphabeta:4,tables', 'alphabeta:4,tables=folder')
    >>> agents.AlphaBeta(4).choose(sarai.make("shah").new_initial_state()) < 24
    True
    >>> sarai.rollout("sho", agents.AlphaBeta(4), 1)
    Traceback (most recent call last):
    ...
    ValueError: agent 'alphabeta:4' only plays two-player games without dice, and sho is not one; try "expectimax:N"
    """

    __slots__ = ()
    kind = "alphabeta"

    def __new__(
        cls,
        depth: int = 8,
        evaluator: str | Net = "heuristic",
        table_mb: int = 64,
        tables: bool | str | os.PathLike[str] | None = None,
    ) -> AlphaBeta:
        """Make the agent."""
        evaluator, network = _network(evaluator, "heuristic")
        if callable(evaluator):
            raise TypeError(
                "alphabeta evaluates one position at a time, so a function would be called millions of times; give it "
                "to agents.Expectimax or agents.MCTS, which evaluate many positions in one call"
            )
        _heuristic(cls, evaluator)
        name = f"alphabeta:{_whole('depth', depth)},table_mb={_whole('table_mb', table_mb)}"
        name += network
        if tables is True:
            name += ",tables"
        elif tables is not None and tables is not False:
            name += f",tables={arguments.path(tables)}"
        return EngineAgent.__new__(cls, name)  # type: ignore[return-value]


class Network(EngineAgent):
    """Plays by a network, without search. Its name is "net:FILE", or "policy:FILE" if it plays by logits.

    By values, it plays to the end of the turn that the network values most, of equal ends to the one with fewer
    actions. By logits, it plays the legal action with the highest, of equals the smallest id, or samples one. Without
    sampling it is deterministic. docs/networks.md describes names and files.

    Args:
        network: The name of a baseline or a file, as `sarai.nets.load` takes it, or a `sarai.nets.Net`. For a `Net`,
            the name is "net:sha256:" and digits, which parses back in this process as long as the `Net` or an agent
            with it exists; a pickled agent includes it.
        head: "value" or "policy". None takes "policy" if the network has logits, otherwise "value".
        sample: Whether to sample an action by the softmax of the logits, from the stream of the agent's seat.
        temperature: What the logits are divided by before sampling, 0.01 to 100, with two decimals.

    Raises:
        ValueError: An argument is out of range, or sampling is asked of a network without logits.

    >>> import numpy as np, sarai
    >>> from sarai import agents
    >>> net = sarai.nets.make([np.zeros((1, 65)), [0]], game="shuanglu", encoding="raw", activations=["identity"])
    >>> agent = agents.Network(net)
    >>> agents.parse(str(agent)) == agent
    True
    >>> sarai.rollout("shah", agent, 1)
    Traceback (most recent call last):
    ...
    ValueError: the network of agent 'net:sha256:...' is made for shuanglu and does not play shah
    """

    __slots__ = ()
    kind = "net"
    example = "net:FILE"

    def __new__(
        cls,
        network: Net | str | os.PathLike[str],
        head: str | None = None,
        sample: bool = False,
        temperature: float = 1.0,
    ) -> Network:
        """Make the agent."""
        name = network._net.name() if isinstance(network, Net) else arguments.path(network)
        if head is None:
            net = network if isinstance(network, Net) else load(network)
            head = "policy" if net._net.logits() else "value"
        if head not in ("value", "policy"):
            raise ValueError(f"head got {arguments.short(head)}; it takes 'value' or 'policy'")
        if head == "value":
            if arguments.flag("sample", sample):
                raise ValueError(
                    "a network plays the best turn by its values, and samples only by logits; leave out sample"
                )
            return EngineAgent.__new__(cls, f"net:{name}")  # type: ignore[return-value]
        if arguments.flag("sample", sample):
            name = f"temperature={_decimal('temperature', temperature)},net={name}"
        return EngineAgent.__new__(_ByLogits, f"policy:{name}")  # type: ignore[return-value]


class _ByLogits(Network):
    """Plays by the logits of a network, without search: `agents.Network` with head "policy"."""

    __slots__ = ()
    kind = "policy"
    example = "policy:FILE"

    def __repr__(self) -> str:
        return EngineAgent.__repr__(self).replace("_ByLogits", "Network", 1)


class Perfect(EngineAgent):
    """Plays by tables of exact values: the quickest win, or the slowest loss. Its name is "perfect".

    Of equal moves, which include all drawing moves, it plays the one with the smallest id, so it is deterministic. If
    the tables do not cover the position, it raises an error that says what to solve; those of the package have the
    first turns of Shah, and positions with few stones.

    Args:
        tables: The folder of the tables, or `Tables` loaded from it. None takes those of the package.

    >>> from sarai import agents
    >>> str(agents.Perfect()), str(agents.Perfect("tables"))
    ('perfect', 'perfect:tables')
    >>> import sarai
    >>> agents.Perfect().choose(sarai.make("shah").new_initial_state())
    3
    >>> agents.Perfect().choose(sarai.make("shah", begin="first_player").new_initial_state())
    Traceback (most recent call last):
    ...
    ValueError: agent 'perfect' does not know this position: it is of a part of shah that no tables cover; ...
    """

    __slots__ = ()
    kind = "perfect"

    def __new__(cls, tables: str | os.PathLike[str] | None = None) -> Perfect:
        """Make the agent."""
        name = "perfect" if tables is None else f"perfect:{arguments.path(tables)}"
        return EngineAgent.__new__(cls, name)  # type: ignore[return-value]


_core.exact_ship(os.fspath(Path(__file__).parents[1] / "_exact" / "data"))


class Epsilon(EngineAgent):
    """Plays like another agent, but now and then at random. Its name is "epsilon:0.1[greedy]".

    At every decision, the stream of the agent's own seat decides between the agent and a random action: an opponent
    that errs now and then, or a learner that explores.

    Args:
        agent: The agent: its name, or an object of `sarai.agents` that plays inside the engine.
        epsilon: The probability of a random decision, 0 to 1, with four decimals.

    >>> from sarai import agents
    >>> str(agents.Epsilon(agents.MCTS(50), 0.25)), agents.parse("epsilon:0.1[greedy]")
    ('epsilon:0.25[mcts:50]', Epsilon(agent='greedy', epsilon=0.1))
    >>> agents.Epsilon("greedy", 1.5)
    Traceback (most recent call last):
    ...
    ValueError: agent 'epsilon:1.5[greedy]' needs a chance from 0 to 1 with four decimals at most, as in ...
    """

    __slots__ = ()
    kind = "epsilon"

    def __new__(cls, agent: str = "greedy", epsilon: float = 0.1) -> Epsilon:
        """Make the agent."""
        name = f"epsilon:{_decimal('epsilon', epsilon)}[{_inside(cls, agent)}]"
        return EngineAgent.__new__(cls, name)  # type: ignore[return-value]


class Mixture(EngineAgent):
    """Leaves every decision to one of several agents, drawn by weight. Its name is "mixture:0.5[greedy]+0.5[random]".

    The agent is re-drawn for every decision, from the stream of its own seat. The order of the agents does not matter.

    Args:
        agents: 2 to 16 agents, each with its weight: above 0, at most 10,000, with four decimals. An agent decides with
            the probability of its weight divided by the sum of all weights. None is half "greedy" and half "random".

    >>> from sarai import agents
    >>> str(agents.Mixture({"random": 1, agents.Expectimax(): 3}))
    'mixture:3[expectimax:1]+1[random]'
    >>> agents.Mixture({"greedy": 1})
    Traceback (most recent call last):
    ...
    ValueError: agent 'mixture:1[greedy]' has 1 agent; it takes 2 to 16, as in "mixture:0.5[greedy]+0.5[random]"
    """

    __slots__ = ()
    kind = "mixture"

    def __new__(cls, agents: Mapping[str, float] | None = None) -> Mixture:
        """Make the agent."""
        if agents is None:
            agents = {"greedy": 0.5, "random": 0.5}
        if not isinstance(agents, Mapping):
            raise TypeError(
                "agents must be a dict of agents and their weights, as in {'greedy': 3, 'random': 1}, "
                f"not {type(agents).__name__}"
            )
        parts = [f"{_decimal('a weight', weight)}[{_inside(cls, agent)}]" for agent, weight in agents.items()]
        return EngineAgent.__new__(cls, "mixture:" + "+".join(parts))  # type: ignore[return-value]


def _network(given: Any, otherwise: str | None = None, kind: str = "net:") -> tuple[Any, str]:
    """What is no network, and what a name ends with if it is one."""
    if isinstance(given, Net):
        return otherwise, f",net={given._net.name()}"
    if isinstance(given, str) and given.startswith(kind):
        return otherwise, f",net={given.removeprefix(kind)}"
    return given, ""


def _heuristic(taker: type[EngineAgent], evaluator: object) -> None:
    """Refuse every evaluator but "heuristic"."""
    if not isinstance(evaluator, str) or evaluator != "heuristic":
        known = "'heuristic' or a network" + ("" if taker is AlphaBeta else ", or a function of observations")
        raise ValueError(f"evaluator got {arguments.short(evaluator)}; {taker.__name__} takes {known}")


def _inside(taker: type[EngineAgent], agent: object) -> str:
    """The name of an agent that another one is made of."""
    if isinstance(agent, str):
        return str(agent)
    raise TypeError(
        f"{taker.__name__} takes agents that play inside the engine, by name or as objects of sarai.agents, "
        f"not {type(agent).__name__}; a policy of your own can draw for itself"
    )


def _whole(name: str, number: object) -> str:
    """A whole number as names hold it."""
    return arguments.in_words(arguments.whole(name, number))


def _decimal(name: str, number: object) -> str:
    """A number as names hold it, in as few digits as its type needs; what floats add after many decimals is cut."""
    if not arguments.is_number(number):
        raise TypeError(f"{name} must be a number, not {type(number).__name__}")
    if isinstance(number, (int, np.integer)):
        return arguments.in_words(int(number))
    told = float(str(number))
    rounded = round(told, 4)
    given = rounded if abs(rounded - told) < 1e-9 else told
    return repr(int(given)) if given.is_integer() else repr(given)


CLASSES = (Random, Greedy, MCTS, Expectimax, AlphaBeta, Network, _ByLogits, Perfect, Epsilon, Mixture)
"""Every kind of agent that plays inside the engine."""


def parse(name: str) -> EngineAgent:
    """The agent with this name.

    Raises:
        ValueError: The name or a parameter is unknown or out of range; the message says what is allowed.
        TypeError: The name is not a str.

    >>> from sarai import agents
    >>> agents.parse("expectimax:2")
    Expectimax(depth=2, filter=(8, 4))
    >>> agents.parse(str(agents.MCTS(50))) == agents.MCTS(50)
    True
    >>> agents.parse("gredy")
    Traceback (most recent call last):
    ...
    ValueError: unknown agent 'gredy' (did you mean 'greedy'?); agents are ...
    """
    if not isinstance(name, str):
        raise TypeError(f"an agent's name must be a str, not {type(name).__name__}")
    engine, told = _read(name)
    return _made(next(known for known in CLASSES if known.kind == told["kind"]), engine, told)


def _unpickled(name: str, *networks: Net) -> EngineAgent:
    # Its networks, if they have no files, are here by now.
    return parse(name)


def _read(name: str) -> tuple[_core.Agent, dict[str, Any]]:
    """What the engine plays by, and what it tells of that."""
    engine = _core.Agent(name)
    return engine, json.loads(engine.describe_json())


def _made(cls: type[EngineAgent], engine: _core.Agent, told: dict[str, Any]) -> EngineAgent:
    agent = str.__new__(cls, told["name"])
    agent._engine = engine
    agent.parameters = {
        key: tuple(value) if isinstance(value, list) else value for key, value in told["parameters"].items()
    }
    return agent
