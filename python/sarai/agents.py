"""Agents: who chooses the actions of a seat.

An agent is an object of one of the classes here, its name (`"greedy"`, `"mcts:200"`), or a policy, which is a callable
over arrays. An object equals its name: `agents.MCTS(200) == "mcts:200"`; you can use either wherever an agent is taken.

>>> import sarai
>>> from sarai import agents
>>> sarai.rollout("sho", [agents.Expectimax(), "greedy", "random"], 100, seed=1).agents
('expectimax:1', 'greedy', 'random')
>>> agents.parse("alphabeta:6")
AlphaBeta(depth=6, table_mb=64, tables=None)
"""

from __future__ import annotations

from sarai._agents.analysis import Analysis, MoveAnalysis
from sarai._agents.context import Context, ContextPolicy, with_context
from sarai._agents.engine import (
    MCTS,
    AlphaBeta,
    EngineAgent,
    Epsilon,
    Expectimax,
    Greedy,
    Mixture,
    Network,
    Perfect,
    Random,
    parse,
)
from sarai._agents.external import External, ExternalError
from sarai._agents.models import ModelAgent, from_sb3, from_torch
from sarai._agents.policies import (
    Agent,
    Agents,
    Policy,
    PositionPolicy,
    WholePositions,
    label,
    mark,
    one_agent_a_seat,
)
from sarai._agents.pool import Pool
from sarai._agents.searching import TreeSearch
from sarai._agents.turns import TurnSearch

__all__ = [
    "MCTS",
    "Agent",
    "Agents",
    "AlphaBeta",
    "Analysis",
    "Context",
    "ContextPolicy",
    "EngineAgent",
    "Epsilon",
    "Expectimax",
    "External",
    "ExternalError",
    "Greedy",
    "Mixture",
    "ModelAgent",
    "MoveAnalysis",
    "Network",
    "Perfect",
    "Policy",
    "Pool",
    "PositionPolicy",
    "Random",
    "TreeSearch",
    "TurnSearch",
    "WholePositions",
    "from_sb3",
    "from_torch",
    "label",
    "mark",
    "one_agent_a_seat",
    "parse",
    "with_context",
]
