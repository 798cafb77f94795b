"""A game of a rollout again, with its dice: what a record of it consists of."""

from __future__ import annotations

from dataclasses import dataclass

from sarai._core import Game
from sarai.play import Agent, play
from sarai.record import MAX_STEPS, Record


@dataclass(frozen=True)
class Replayed:
    """The record of a game, and what the engine says came of the game."""

    record: Record
    returns: tuple[float, ...]
    winner: int
    length: int
    turns: int


def replay(game: Game, seats: list[Agent], seed: int, number: int) -> Replayed:
    """Play one game of a seed and keep every step of it, chance outcomes included.

    Raises:
        ValueError: The agents, the seed or the number is refused.
        IllegalActionError: A policy chose an action that is not legal.
    """
    played = play(game, 1, seats, seed, None, None, 1, False, number, record=True, max_decisions=MAX_STEPS)
    columns = played.columns
    steps = columns["path"].tolist()
    record = Record.from_steps(game, steps, seed=played.seed, number=played.first_game, agents=played.agents)
    return Replayed(
        record,
        tuple(columns["returns"][0].tolist()),
        int(columns["winner"][0]),
        int(columns["lengths"][0]),
        int(columns["turns"][0]),
    )
