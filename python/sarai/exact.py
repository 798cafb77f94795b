"""Exact play: exact values of positions.

- `load` opens tables, those of the package or others. They have the values of states and of their moves.
- `solve` makes tables in a folder, `plan` estimates the time, memory and disk, and `verify` checks every position
  against the best of its moves. These are for the moving phase of Shah and its relatives.
- `write_strategy` writes a winning turn for every position that can arise, and `verify_strategy` checks by the rules
  alone that they win.
- `puzzles` are positions in which exactly one turn wins.
- `manifest` prepares a folder of tables for others, and `fetch` fetches tables from there.
- `solve_bear_off` solves the bear-off of Shuanglu and backgammon.
- `solve_small` solves any sufficiently small rule book of two sides completely, with or without dice.

Tables ignore the move limits: a position counts as drawn if neither side can force a win, however long it takes. Under
a limit of turns or of moves without a capture, a won position may still end as a draw.
"""

from sarai._exact.bear_off import BearOff, solve_bear_off
from sarai._exact.exploring import Exploration, ExploredMove
from sarai._exact.fetching import fetch
from sarai._exact.loading import load
from sarai._exact.manifest import Manifest, TableFile, manifest
from sarai._exact.puzzling import Puzzle, Puzzles, PuzzleTurn, puzzles
from sarai._exact.small import SmallMove, SmallSummary, SmallValue, Solution, solve_small
from sarai._exact.solving import Plan, Verified, plan, solve, verify
from sarai._exact.strategy import Strategy, verify_strategy, write_strategy
from sarai._exact.tables import Solved, SolvedMove, Tables, TablesSummary, TableSummary

__all__ = [
    "BearOff",
    "Exploration",
    "ExploredMove",
    "Manifest",
    "Plan",
    "Puzzle",
    "PuzzleTurn",
    "Puzzles",
    "SmallMove",
    "SmallSummary",
    "SmallValue",
    "Solution",
    "Solved",
    "SolvedMove",
    "Strategy",
    "TableFile",
    "TableSummary",
    "Tables",
    "TablesSummary",
    "Verified",
    "fetch",
    "load",
    "manifest",
    "plan",
    "puzzles",
    "solve",
    "solve_bear_off",
    "solve_small",
    "verify",
    "verify_strategy",
    "write_strategy",
]
