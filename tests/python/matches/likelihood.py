"""Strengths by maximum likelihood, found in another way than the package finds them, and results made of known ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

ELO = 400 / np.log(10)


def by_steps(
    orders: NDArray[np.int16], scores: NDArray[np.float64], num_agents: int, rounds: int = 20_000
) -> NDArray[np.float64]:
    """Elo by Hunter's minorise-maximise steps on the wins themselves (Annals of Statistics 32, 2004)."""
    total = scores.sum(axis=0)
    games = total.sum(axis=1)
    worth = np.ones(num_agents)
    wins = np.zeros(num_agents)
    np.add.at(wins, orders.reshape(-1), total.reshape(-1))
    for _ in range(rounds):
        expected = np.zeros(num_agents)
        share = games / worth[orders].sum(axis=1)
        np.add.at(expected, orders.reshape(-1), np.repeat(share, orders.shape[1]))
        new = wins / expected
        new /= np.exp(np.log(new).mean())
        if np.allclose(new, worth, rtol=1e-14, atol=0):
            break
        worth = new
    return np.asarray(ELO * np.log(worth))


def made_up(
    orders: NDArray[np.int16],
    elo: Any,
    sides: Any,
    groups: int,
    seed: int,
    draws: float = 0.0,
    luck: float = 0.0,
) -> NDArray[np.float64]:
    """(G, S, K) scores of agents with these ratings, on sides that are worth so much.

    `luck` is how much of what decides a game all games of a group have in common, 0 to 1: then the same side wins
    them more often than not.
    """
    rng = np.random.default_rng(seed)
    seatings, num_sides = orders.shape
    power = (np.asarray(elo)[orders] + np.asarray(sides)) / ELO
    # The largest of strengths with Gumbel noise is each with its chance in the model.
    own = rng.gumbel(size=(groups, seatings, num_sides))
    common = rng.gumbel(size=(groups, 1, num_sides))
    noise = np.where(rng.random((groups, seatings, 1)) < luck, common, own)
    winner = (power + noise).argmax(axis=2)
    scores = np.eye(num_sides)[winner]
    scores[rng.random((groups, seatings)) < draws] = 1 / num_sides
    return np.asarray(scores)
