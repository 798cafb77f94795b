"""The agents that play inside the engine, as objects."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, ClassVar

from sarai import _core, arguments
from sarai._core import State
from sarai.agents.analysis import Analysis, analyse
from sarai.agents.searching import TreeSearch
from sarai.agents.trees import Evaluator


class EngineAgent(str):
    """An agent that plays inside the engine. It is a str, its name, so it can be given wherever a name is taken.

    Two agents are equal if their names are, and a name parses back to an equal agent (`parse`). Agents are immutable,
    hashable and picklable.

    Attributes:
        parameters: Every parameter with its value.
    """

    __slots__ = ("parameters",)
    kind: ClassVar[str]
    parameters: dict[str, Any]

    def __new__(cls, name: str) -> EngineAgent:
        """Read a name; use `parse`, or the class of the agent."""
        if cls is EngineAgent:
            return parse(name)
        canonical, kind, parameters = _read(name)
        if kind != cls.kind:
            raise ValueError(f"agent {arguments.short(name)} is not of the kind {cls.kind!r}")
        agent = str.__new__(cls, canonical)
        agent.parameters = parameters
        return agent

    def choose(self, state: State, seed: int | None = None) -> int:
        """What the agent chooses in a state; see `sarai.choose`.

        Args:
            state: A state in which a player is to act.
            seed: 0 to 2**64 - 1; None draws one from the operating system. Only agents with randomness depend on it.

        Raises:
            ValueError: No player is to act, the agent cannot play this game, or the seed is out of range.
        """
        return _core.choose(state, str(self), seed=seed)

    def analyse(self, state: State, seed: int | None = 0, seconds: float | None = None) -> Analysis:
        """What the agent thinks of a state; see `sarai.analyse`.

        Args:
            state: A state in which a player is to act.
            seed: 0 to 2**64 - 1; None draws one from the operating system.
            seconds: Stop a search after so many seconds.

        Raises:
            ValueError: No player is to act, the agent cannot play this game, or a number is out of range.
        """
        return analyse(state, self, seed=seed, seconds=seconds)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({given})"

    def __str__(self) -> str:
        return str.__str__(self)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return parse, (str(self),)

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
        simulations: How many games it plays on from the position for each decision, 1 to 100,000.
        playout: How they are played to their ends: "random", which is the default, or "greedy".
        evaluator: "heuristic" plays ten random decisions instead, and judges the position there by the game's own
            evaluation (docs/agents.md); None plays to the end. With a function, as `sarai.search` takes it, the
            agent is a `TreeSearch`, which asks the function about many positions at once and plays outside the engine.
        priors: "greedy" tries first what the agent "greedy" likes, and favours it as long as little is known; None
            favours nothing.
        exploration: How far curiosity weighs against what is known, in units of the largest return seen: 0.01 to 100,
            with two decimals.
        solver: Whether wins and losses are proven where no chance can change them, and never searched again; a win
            within the turn is then always found.

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
        priors: str | None = None,
        exploration: float = 1.4,
        solver: bool = True,
    ) -> MCTS:
        """Make the agent."""
        if callable(evaluator):
            if playout is not None or priors is not None or solver is not True:
                raise ValueError("an evaluator of your own goes with neither playout, priors nor solver")
            return TreeSearch(evaluator, simulations)  # type: ignore[return-value]
        name = f"mcts:{arguments.whole('simulations', simulations)}"
        for key, value in (("playout", playout), ("evaluator", evaluator), ("priors", priors)):
            if value is not None:
                name += f",{key}={value}"
        if isinstance(exploration, bool) or not isinstance(exploration, (int, float)):
            raise TypeError(f"exploration must be a number, not {type(exploration).__name__}")
        if not isinstance(solver, bool):
            raise TypeError(f"solver must be True or False, not {type(solver).__name__}")
        if exploration != 1.4:
            name += f",exploration={exploration}"
        if not solver:
            name += ",solver=false"
        return EngineAgent.__new__(cls, name)  # type: ignore[return-value]


class Expectimax(EngineAgent):
    """Weighs every way to end the turn, with dice averaged exactly. Its name is "expectimax:1".

    A position is judged by the game's own evaluation (docs/agents.md). With more than two sides, each player is taken
    to choose what is best for itself.

    Args:
        depth: How many turns it looks ahead, 1 to 4; 1 is its own turn.
        filter: How many ends of a turn are looked at beyond a first glance, at its own turn and at each later one, 1 to
            65,535 each.

    >>> from sarai import agents
    >>> agents.Expectimax(2, filter=(20, 5))
    Expectimax(depth=2, filter=(20, 5))
    >>> str(agents.Expectimax(2, filter=(20, 5))), str(agents.Expectimax())
    ('expectimax:2,filter=20/5', 'expectimax:1')
    """

    __slots__ = ()
    kind = "expectimax"

    def __new__(cls, depth: int = 1, filter: tuple[int, int] = (8, 4)) -> Expectimax:  # noqa: A002
        """Make the agent."""
        try:
            first, later = filter
        except (TypeError, ValueError):
            raise TypeError(f"filter must be two whole numbers, not {arguments.short(filter)}") from None
        numbers = (
            arguments.whole("depth", depth),
            arguments.whole("filter", first),
            arguments.whole("filter", later),
        )
        return EngineAgent.__new__(cls, "expectimax:{},filter={}/{}".format(*numbers))  # type: ignore[return-value]


class AlphaBeta(EngineAgent):
    """Alpha-beta search, for games of two players without chance: the Shah family. Its name is "alphabeta:8".

    It deepens move by move, with a transposition table of which every thread has its own. A position is judged by the
    game's own evaluation (docs/agents.md).

    Args:
        depth: How many moves it looks ahead, 1 to 64; what a seat does before the other one acts counts as one.
        table_mb: The size of the table in MiB, 1 to 4,096.
        tables: Where it looks up exact values instead of searching on: True for the tables that come with the package,
            or a folder of tables (docs/exact.md). Positions that they do not have are searched as ever. None looks
            nothing up. Exact values know no clock: a win that comes too late for `no_capture_limit` counts as one.

    >>> from sarai import agents
    >>> import sarai
    >>> str(agents.AlphaBeta(4, tables=True)), str(agents.AlphaBeta(4, tables="folder"))
    ('alphabeta:4,tables', 'alphabeta:4,tables=folder')
    >>> agents.AlphaBeta(4).choose(sarai.make("shah").new_initial_state()) < 24
    True
    >>> sarai.rollout("sho", 1, agents.AlphaBeta(4))
    Traceback (most recent call last):
    ...
    ValueError: agent 'alphabeta:4' plays games of two players without chance, and sho is none; ...
    """

    __slots__ = ()
    kind = "alphabeta"

    def __new__(
        cls, depth: int = 8, table_mb: int = 64, tables: bool | str | os.PathLike[str] | None = None
    ) -> AlphaBeta:
        """Make the agent."""
        name = f"alphabeta:{arguments.whole('depth', depth)},table_mb={arguments.whole('table_mb', table_mb)}"
        if tables is True:
            name += ",tables"
        elif tables is not None and tables is not False:
            name += f",tables={os.fspath(tables)}"
        return EngineAgent.__new__(cls, name)  # type: ignore[return-value]


class Perfect(EngineAgent):
    """Plays by tables of exact values: the quickest win, or the slowest loss. Its name is "perfect".

    Of equal moves, all drawing ones among them, it plays the one with the smallest id, so it never draws anything at
    random. Where the tables do not have the position it raises an error that says what to solve: it does not begin
    from an empty board.

    Args:
        tables: The folder of the tables, or `Tables` that were loaded from it. None takes those that come with the
            package.

    >>> from sarai import agents
    >>> str(agents.Perfect()), str(agents.Perfect("tables"))
    ('perfect', 'perfect:tables')
    >>> import sarai
    >>> agents.Perfect().choose(sarai.make("shah").new_initial_state())
    Traceback (most recent call last):
    ...
    ValueError: agent 'perfect' does not know this position: it is of a part of shah that no tables cover; ...
    """

    __slots__ = ()
    kind = "perfect"

    def __new__(cls, tables: str | os.PathLike[str] | None = None) -> Perfect:
        """Make the agent."""
        name = "perfect" if tables is None else f"perfect:{os.fspath(tables)}"
        return EngineAgent.__new__(cls, name)  # type: ignore[return-value]


_core.exact_ship(os.fspath(Path(__file__).parents[1] / "exact" / "data"))

CLASSES: tuple[type[EngineAgent], ...] = (Random, Greedy, MCTS, Expectimax, AlphaBeta, Perfect)
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
    canonical, kind, parameters = _read(name)
    agent = str.__new__(next(known for known in CLASSES if known.kind == kind), canonical)
    agent.parameters = parameters
    return agent


def _read(name: str) -> tuple[str, str, dict[str, Any]]:
    """The canonical name, the kind and the parameters of an agent."""
    told = json.loads(_core.agent_json(str(name)))
    parameters = {
        key: tuple(value) if isinstance(value, list) else value for key, value in told["parameters"].items()
    }
    return told["name"], told["kind"], parameters
