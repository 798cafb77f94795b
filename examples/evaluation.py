"""How good is an agent? The mean return of its games, with an interval that means something; the examples share it.

Two agents that always choose alike play one game of Shah again and again, for nothing is left to chance there: a
thousand of these games tell as much as one, and an interval over them tells nothing. Where there are no dice the games
begin with random decisions of both sides (`random_plies`), so that there are as many facts as there are openings.

`sarai.arena` with `schedule="gauntlet"` does this for every side of a game at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

import sarai
from sarai.intervals import mean_interval

DECISIONS = 4
"""How many decisions are random at the beginning of a game without dice: two of each side."""

Table: TypeAlias = tuple[Sequence[sarai.agents.Agent], int]
"""An agent for each seat, and the seat whose returns count."""


def how(game: sarai.Game) -> str:
    """A line that says how `measure` plays."""
    if plays_dice(game):
        return "measured in games from the beginning, each with dice of its own"
    return f"measured from openings: {DECISIONS} random decisions of both sides, for there are no dice"


def measure(game: sarai.Game, tables: Sequence[Table], games: int, seed: int) -> tuple[float, float]:
    """The mean return at some tables, and half its 95% interval.

    Where all facts are alike, the interval is that of the rule of three: with 95% confidence fewer than 3 in n of such
    games end otherwise.

    Args:
        game: The rule book.
        tables: Who sits where. Without dice each opening is played at every table, and the mean of its games is a fact.
        games: How many, at all tables together; at least two at each.
        seed: Of the dice, or of the openings, and of the agents by name.

    Raises:
        ValueError: Too few games; what `sarai.rollout` raises.

    >>> game = sarai.make("shah")
    >>> mean, half = measure(game, [(["greedy", "random"], 0), (["random", "greedy"], 1)], 20, seed=1)
    >>> mean, half
    (1.0, 0.6)
    >>> measure(game, [(["greedy", "random"], 0)], 1, seed=1)
    Traceback (most recent call last):
    ...
    ValueError: games got 1; it takes at least 2 at each of the tables, of which there are 1
    """
    number = games // len(tables)
    if number < 2:
        raise ValueError(
            f"games got {games}; it takes at least 2 at each of the tables, of which there are {len(tables)}"
        )
    dice = plays_dice(game)
    played = [
        sarai.rollout(
            game, agents, number, seed=seed + place if dice else seed, random_plies=0 if dice else DECISIONS
        ).returns[:, seat]
        for place, (agents, seat) in enumerate(tables)
    ]
    # Games of one opening are one fact; with dice of its own, each game is one.
    facts = np.concatenate(played) if dice else np.mean(played, axis=0)
    mean, low, _ = mean_interval(facts)
    if (facts == facts[0]).all():
        worst, best = game.returns_range
        return mean, 3 / len(facts) * (best - worst)
    return mean, mean - low


def plays_dice(game: sarai.Game) -> bool:
    """Whether chance has a say after the first decision, as it has in every game of dice.

    >>> plays_dice(sarai.make("shuanglu")), plays_dice(sarai.make("shah"))
    (True, False)
    """
    if game.max_chance_outcomes == 0:
        return False
    rng = np.random.default_rng(1)
    state = game.new_initial_state()
    decided = False
    while not state.is_terminal():
        if state.is_chance_node():
            if decided:
                return True
            state.apply_action(int(rng.choice([outcome for outcome, _ in state.chance_outcomes()])))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
            decided = True
    return False
