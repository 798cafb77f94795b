"""Text boards of games that are played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator

import sarai
from sarai._render.text import COLUMNS, ROWS, board


def states(game: sarai.Game, games: int, every: int = 1) -> Iterator[sarai.State]:
    """Some of the positions of games, one game a seed, and all ends."""
    for seed in range(games):
        rng = random.Random(seed)
        state = game.new_initial_state()
        for step in range(100_000):
            if state.is_terminal() or step % every == 0:
                yield state
            if state.is_terminal():
                break
            chance = state.is_chance_node()
            actions = [o for o, _ in state.chance_outcomes()] if chance else state.legal_actions()
            state.apply_action(rng.choice(actions))


def fitting(state: sarai.State) -> list[str]:
    """The lines of its text board, which fit a terminal and are plain."""
    lines = board(state.view())
    assert 1 <= len(lines) <= ROWS
    assert max(map(len, lines)) <= COLUMNS
    assert all(line == line.rstrip() and line.isascii() and line.isprintable() for line in lines)
    return lines
