"""Exact play: positions whose value is known for certain.

- `load` opens tables, those that come with the package or others. They answer what a state or many are worth and what
  each move leads to.
- `solve` makes tables in a folder, `plan` says beforehand what that takes, and `verify` checks every position of them
  against the best of its moves. These are for the moving phase of Shah and its relatives.
- `solve_bear_off` solves the bear-off of Shuanglu and backgammon.
- `solve_small` solves any rule book of two sides whole that is small enough, with or without dice.

The clock is no part of it: a position is drawn here where neither side can force a win, however long it takes. Under a
limit of turns or of moves without a capture, what is won here may still end as a draw.
"""

from sarai._exact.bear_off import BearOff, solve_bear_off
from sarai._exact.loading import load
from sarai._exact.small import SmallMove, SmallSummary, SmallValue, Solution, solve_small
from sarai._exact.solving import Plan, Verified, plan, solve, verify
from sarai._exact.tables import Solved, SolvedMove, Tables, TablesSummary, TableSummary

__all__ = [
    "BearOff",
    "Plan",
    "SmallMove",
    "SmallSummary",
    "SmallValue",
    "Solution",
    "Solved",
    "SolvedMove",
    "TableSummary",
    "Tables",
    "TablesSummary",
    "Verified",
    "load",
    "plan",
    "solve",
    "solve_bear_off",
    "solve_small",
    "verify",
]
