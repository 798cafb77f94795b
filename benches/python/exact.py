"""Exact tables in use: probes a second, on one thread and on two, and how "perfect" fares from won and lost positions.

Probes are of random positions of the tables, in no order. Without --tables they are those that come with the package. The times
of one thread are of the processor, those of two of the wall. What is cold is measured with a cache that holds nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import sarai

ROWS = 1_000_000
WIDE = {"no_capture_limit": 0, "max_turns": 10_000}


def positions(game: sarai.Game, count: int, pairs: list[tuple[int, int]], seed: int) -> sarai.States:
    """Random positions of the moving phase: so many with each pair of counts, the first to move in half of them."""
    generator = np.random.default_rng(seed)
    lines: list[str] = []
    states = sarai.States(game, 0)
    while len(states) < count:
        own, other = pairs[len(states) % len(pairs)]
        points = generator.permutation(24)
        player = int(generator.integers(2))
        board = np.full(24, ".")
        board[points[:own]], board[points[own : own + other]] = str(player), str(1 - player)
        line = (
            f"slide player={player} board={''.join(board)} hand=0,0 beginner=0 opening_removals=0 extra=false "
            "lifted=- no_capture=0 turn=90 winner=-"
        )
        try:
            states = sarai.States.from_states([*states, game.parse(line)]) if False else states
            lines.append(str(game.parse(line)))
        except ValueError:
            continue  # the player is blocked
        if len(lines) == count:
            break
    return sarai.States.from_states([game.parse(line) for line in lines])
