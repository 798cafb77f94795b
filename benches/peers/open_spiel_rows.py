"""Random playouts beside OpenSpiel's in C++."""

from __future__ import annotations

import time
from importlib.metadata import version

import pyspiel

import sarai
from table import Measure, Row

NOTES = [
    "OpenSpiel plays n games in one MCTSBot.mcts_search of one simulation with RandomRolloutEvaluator(n), all in "
    "C++; in backgammon a thirtieth of them after each opening throw.",
    "Ours are one call of sarai.rollout with random agents on one thread, arrays and statistics included.",
]

# So many games are one measurement: about half a second of theirs.
MORRIS_GAMES = 9_000
BACKGAMMON_GAMES = 450
# Ours are measured for about as long.
FACTOR = 20


def theirs(name: str, games: int) -> Measure:
    """OpenSpiel's playouts of a game, in games a second."""
    game = pyspiel.load_game(name)
    root = game.new_initial_state()
    roots = (
        [root.child(outcome) for outcome, _ in root.chance_outcomes()] if root.is_chance_node() else [root]
    )
    games_each = games // len(roots)

    def measure(seed: int) -> float:
        start = time.perf_counter()
        for number, state in enumerate(roots):
            evaluator = pyspiel.RandomRolloutEvaluator(games_each, seed * len(roots) + number)
            # Exploration 1.4, one simulation, 100 MiB, no solver, this seed, silent.
            pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, seed, False).mcts_search(state)
        return games_each * len(roots) / (time.perf_counter() - start)

    return measure


def ours(name: str, preset: str, games: int) -> Measure:
    """A rollout's playouts of a game, in games a second."""
    game = sarai.make(name, preset=preset)

    def measure(seed: int) -> float:
        start = time.perf_counter()
        sarai.rollout(game, num_games=games, agents="random", seed=seed, num_threads=1)
        return games / (time.perf_counter() - start)

    return measure


def rows() -> list[Row]:
    """The games that both have."""
    peer = f"OpenSpiel {version('open_spiel')}"
    return [
        Row(
            "nine_mens_morris, random playouts",
            "games/s",
            ours("shah", "nine_mens_morris", MORRIS_GAMES * FACTOR),
            peer,
            theirs("nine_mens_morris", MORRIS_GAMES),
        ),
        Row(
            "backgammon, random playouts",
            "games/s",
            ours("shuanglu", "backgammon", BACKGAMMON_GAMES * FACTOR),
            peer,
            theirs("backgammon", BACKGAMMON_GAMES),
        ),
    ]
