"""Ratings from results: how strong each agent must be to win as it did."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai.intervals import Z95, wilson

ELO = 400 / math.log(10)
"""Elo of a strength that is larger by one, on the natural scale: 400 Elo are ten times the wins."""

RESAMPLES = 1000
"""How often the groups of games are weighed anew for the intervals."""

_AT_ONCE = 2**23
"""The most weights in memory at a time."""
_MOST_GROUPS = 10_000
_ROUNDS = 200
_LONGEST_STEP = 1.0
_CLOSE = 1e-7


@dataclass(frozen=True)
class Fit:
    """Strengths that fit results best.

    Attributes:
        ratings: (N,) float64, the Elo of each agent; they sum to 0.
        samples: (B, N) float64, the same for results whose groups are weighed anew.
        bounded: Whether every agent has both won and lost against the rest, so that the results bound its rating. If
            not, each pairing was given a won and a lost game more.
    """

    ratings: NDArray[np.float64]
    samples: NDArray[np.float64]
    bounded: bool


def fit(
    seatings: NDArray[np.integer[Any]],
    scores: NDArray[np.float64],
    num_agents: int,
    seed: int,
    shared: bool = True,
    resamples: int = RESAMPLES,
) -> Fit:
    """Ratings by maximum likelihood in the model of Bradley and Terry, or of Plackett and Luce for more than two sides.

    An agent whose strength is s wins with a chance proportional to exp(s) among those at its table. A draw counts as a
    win of equal parts for every side. The samples are a Bayesian bootstrap: each group of games that share dice has a
    weight drawn from the exponential distribution.

    Args:
        seatings: (S, K), the agent on each side.
        scores: (G, S, K) float64, how much each side won of the games of each group at each seating: 1 for a win, 1 / K
            each for a draw; a group that has no game at a seating has zeros there.
        num_agents: N; every number in `seatings` is below it.
        seed: For the weights of the samples.
        shared: Whether the games of a group share their dice. If not, every game has a weight of its own.
        resamples: B, how many samples.

    Raises:
        ValueError: Two agents are not connected by any chain of games, so nothing compares them.

    Examples:
        >>> import numpy as np
        >>> seatings = np.array([[0, 1], [1, 0]])
        >>> scores = np.zeros((4, 2, 2))
        >>> scores[:, 0] = [[1, 0], [1, 0], [1, 0], [0, 1]]  # agent 0 wins three of four on side 0
        >>> scores[:, 1] = [[0, 1], [0, 1], [0, 1], [1, 0]]  # and three of four on side 1
        >>> fit(seatings, scores, 2, seed=0).ratings.round(1).tolist()
        [95.4, -95.4]
        >>> fit(seatings, scores, 3, seed=0)
        Traceback (most recent call last):
        ...
        ValueError: nothing compares agent 2 with agent 0: no chain of games leads from one to the other
    """
    total = scores.sum(axis=0)
    _check_connected(seatings, total, num_agents)
    parts = seatings[..., np.newaxis]
    bounded = _is_bounded(seatings, total, num_agents)
    if not bounded:
        scores = np.concatenate([scores, _prior(seatings, total)[np.newaxis]])
        total = scores.sum(axis=0)
    best = _maximise(parts, total[np.newaxis], np.zeros(num_agents))
    samples = _samples(parts, scores, seed, shared, resamples, best[0])
    return Fit(_elo(best)[0], _elo(samples), bounded)


def fit_sides(
    seatings: NDArray[np.integer[Any]],
    scores: NDArray[np.float64],
    num_agents: int,
    seed: int,
    shared: bool = True,
    resamples: int = RESAMPLES,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each side is worth: (K,) Elo that sum to 0, and (B, K) samples of them; the arguments are those of `fit`.

    The strengths of agents and sides are fitted together: a side adds its own strength to that of its agent. Each
    pairing is given a won and a lost game more, shared out among its seat orders, so that there is a finite answer
    whatever the results; in the samples each part of them has a weight of its own, so where a side has hardly lost,
    they tell how little is known.

    >>> import numpy as np
    >>> scores = np.array([[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]])
    >>> sides, _ = fit_sides(np.array([[0, 1], [1, 0]]), scores, 2, seed=0)
    >>> bool(sides[0] > 0), bool(abs(sides.sum()) < 1e-9)
    (True, True)
    """
    num_sides = seatings.shape[1]
    sides = np.broadcast_to(np.arange(num_agents, num_agents + num_sides), seatings.shape)
    parts = np.stack([seatings, sides], axis=2)
    total = scores.sum(axis=0)
    prior = _prior(seatings, total)
    best = _maximise(parts, (total + prior)[np.newaxis], np.zeros(num_agents + num_sides))
    samples = _samples(parts, scores, seed, shared, resamples, best[0], prior)
    return _elo(best[:, num_agents:])[0], _elo(samples[:, num_agents:])


def interval(
    values: NDArray[np.float64], samples: NDArray[np.float64], groups: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The ends of the 95% intervals of (N,) values, given (B, N) samples from so many groups, 2 or more.

    They are the quantiles of the samples, further from the value by as much as few groups know of their own spread.
    They are no closer to it than the score interval of as many drawn games, since what no group has shown may still be.

    >>> low, high = interval(np.zeros(1), np.linspace(-1, 1, 201)[:, np.newaxis], 50)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([-24.83], [24.83])
    """
    # Student's quantile to the normal one, by the first term of Cornish and Fisher; and the weights are a little
    # more even than what they stand for.
    stretch = (1 + (Z95**2 + 1) / (4 * (groups - 1))) * math.sqrt((groups + 1) / (groups - 1))
    ends = np.quantile(samples, [0.025, 0.975], axis=0)
    low, high = values + stretch * (ends - values)
    unseen = wilson(0, groups)[1]
    # Of several values whose mean is 0, one that moves takes the mean along.
    least = ELO * math.log((1 + unseen) / (1 - unseen)) * (1 - 1 / len(values) if len(values) > 1 else 1)
    return np.minimum(low, values - least), np.maximum(high, values + least)


def _weights(bits: np.random.PCG64, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Weights from the exponential distribution.

    numpy promises the bits of a generator for ever, and of its distributions nothing.
    """
    raw = np.asarray(bits.random_raw(math.prod(shape)), np.uint64)
    return np.asarray(-np.log1p(-((raw >> np.uint64(11)) * 2.0**-53))).reshape(shape)


def _samples(
    parts: NDArray[np.integer[Any]],
    scores: NDArray[np.float64],
    seed: int,
    shared: bool,
    resamples: int,
    start: NDArray[np.float64],
    prior: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """(B, F) strengths; of a prior each win has a weight of its own, since no two of them were seen together."""
    if len(scores) > _MOST_GROUPS:
        # So many tell of the spread of all; groups that are weighed together are as independent as others.
        scores = np.add.reduceat(scores, np.arange(_MOST_GROUPS) * len(scores) // _MOST_GROUPS)
    groups, seatings, sides = scores.shape
    bits = np.random.PCG64(seed)
    step = max(1, _AT_ONCE // max(groups, seatings * sides * sides))
    found: list[NDArray[np.float64]] = [np.zeros((0, len(start)))]
    # What shares its dice shares its weight.
    alike = [slice(0, seatings)] if shared else [slice(place, place + 1) for place in range(seatings)]
    for first in range(0, resamples, step):
        rows = min(step, resamples - first)
        totals = np.empty((rows, seatings, sides))
        for some in alike:
            flat = scores[:, some].reshape(groups, -1)
            totals[:, some] = (_weights(bits, (rows, groups)) @ flat).reshape(rows, -1, sides)
        if prior is not None:
            totals += _weights(bits, totals.shape) * prior
        found.append(_maximise(parts, totals, start))
    return np.concatenate(found)


def _prior(seatings: NDArray[np.integer[Any]], total: NDArray[np.float64]) -> NDArray[np.float64]:
    """(S, K): for each pairing a game that each side has won, shared out among its seat orders."""
    played = total.sum(axis=1) > 0
    _, table = np.unique(np.sort(seatings, axis=1), axis=0, return_inverse=True)
    table = table.reshape(-1)
    orders = np.bincount(table, weights=played)
    share = np.where(played, 1 / np.maximum(orders, 1)[table], 0.0)
    return np.repeat(share[:, np.newaxis], seatings.shape[1], axis=1)


def _elo(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Strengths as Elo with a mean of 0, without the digits that machines differ in."""
    centred = ELO * (strengths - strengths.mean(axis=1, keepdims=True))
    return np.asarray(centred.round(6) + 0.0)


def _maximise(
    parts: NDArray[np.integer[Any]], totals: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(B, F) strengths that fit (B, S, K) scores best, by Newton's method with short steps.

    `parts` is (S, K, D): which D of the F strengths add up to that of a side. The likelihood is concave; along the
    directions in which it is flat, nothing is added.
    """
    size = len(start)
    # (S, K, B): what is added up lies behind one another.
    parts, won = _merged(parts, np.ascontiguousarray(totals.transpose(1, 2, 0)))
    games = won.sum(axis=1, keepdims=True)
    weight = games.sum(axis=0)[0]
    strengths = np.repeat(start[:, np.newaxis], won.shape[2], axis=1)
    slopes, curves = _Sums(parts, 1, size), _Sums(parts, 2, size)
    flat = _flat(parts, size)[np.newaxis]
    same = np.eye(parts.shape[1])[..., np.newaxis]
    for _ in range(_ROUNDS):
        powers = strengths[parts].sum(axis=2)
        chances = np.exp(powers - powers.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = slopes.of(won - games * chances).T / weight[:, np.newaxis]
        spread = chances[:, :, np.newaxis] * (same - chances[:, np.newaxis])
        curve = curves.of(games[:, np.newaxis] * spread).reshape(size, size, -1) / weight
        step = np.linalg.solve(curve.transpose(2, 0, 1) + flat, slope[..., np.newaxis])[..., 0].T
        longest = np.abs(step).max(axis=0)
        strengths = strengths + step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _CLOSE))
        if longest.max() < _CLOSE:
            break
    return np.asarray(strengths.T)


def _merged(
    parts: NDArray[np.integer[Any]], won: NDArray[np.float64]
) -> tuple[NDArray[np.integer[Any]], NDArray[np.float64]]:
    """The same with seat orders of one table added up, where sides have no strength of their own."""
    if parts.shape[2] > 1:
        return parts, won
    order = np.argsort(parts[:, :, 0], axis=1, kind="stable")
    parts = np.take_along_axis(parts, order[..., np.newaxis], axis=1)
    won = np.take_along_axis(won, order[..., np.newaxis], axis=1)
    tables, place = np.unique(parts[:, :, 0], axis=0, return_inverse=True)
    rows = np.argsort(place.reshape(-1), kind="stable")
    starts = np.searchsorted(place.reshape(-1)[rows], np.arange(len(tables)))
    return tables[..., np.newaxis], np.add.reduceat(won[rows], starts)


class _Sums:
    """Sums over the sides, or the pairs of sides, of all seatings, by the strengths that each of them has."""

    def __init__(self, parts: NDArray[np.integer[Any]], how_many: int, size: int) -> None:
        self._cells = size**how_many
        self._terms = []
        for picked in np.ndindex(*[parts.shape[2]] * how_many):
            first = parts[:, :, picked[0]].astype(np.int64)
            cell = (
                first
                if how_many == 1
                else first[:, :, np.newaxis] * size + parts[:, np.newaxis, :, picked[1]]
            )
            order = np.argsort(cell.reshape(-1), kind="stable")
            cells, starts = np.unique(cell.reshape(-1)[order], return_index=True)
            self._terms.append((order, cells, starts))

    def of(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(F or F * F, B), of values whose last axis is B."""
        rows = values.reshape(-1, values.shape[-1])
        total = np.zeros((self._cells, values.shape[-1]))
        for order, cells, starts in self._terms:
            total[cells] += np.add.reduceat(rows[order], starts)
        return total


def _flat(parts: NDArray[np.integer[Any]], size: int) -> NDArray[np.float64]:
    """(F, F): what projects strengths on those changes that no seating feels."""
    design = np.eye(size)[parts].sum(axis=2)
    felt = (design - design.mean(axis=1, keepdims=True)).reshape(-1, size)
    sizes, directions = np.linalg.eigh(felt.T @ felt)
    free = directions[:, sizes < 1e-9 * sizes.max()]
    return np.asarray(free @ free.T)


def _check_connected(seatings: NDArray[np.integer[Any]], total: NDArray[np.float64], num_agents: int) -> None:
    met = np.zeros((num_agents, num_agents), bool)
    for seating, games in zip(seatings, total.sum(axis=1), strict=True):
        if games > 0:
            met[np.ix_(seating, seating)] = True
    alone = np.flatnonzero(~_reached(met))
    if len(alone):
        raise ValueError(
            f"nothing compares agent {alone[0]} with agent 0: no chain of games leads from one to the other"
        )


def _is_bounded(seatings: NDArray[np.integer[Any]], total: NDArray[np.float64], num_agents: int) -> bool:
    """Whether the agents cannot be split into two parts of which one has never won anything against the other."""
    beaten = np.zeros((num_agents, num_agents), bool)
    for seating, won in zip(seatings, total, strict=True):
        for side, agent in enumerate(seating):
            if won[side] > 0:
                beaten[agent, seating] = True
    return bool(_reached(beaten).all() and _reached(beaten.T).all())


def _reached(leads: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which agents can be reached from agent 0."""
    found = np.zeros(len(leads), bool)
    found[0] = True
    for _ in range(len(leads)):
        found = found | leads[found].any(axis=0)
    return found


def fit_one(
    scores: NDArray[np.float64], opponents: NDArray[np.float64], seed: int
) -> tuple[float, float, float]:
    """The Elo of an agent against opponents whose ratings are known, with its 95% interval.

    If it has won or lost every game, it is given half a point of one game more against each opponent.

    Args:
        scores: (G, K), the share of the points that it won of each group of games against each opponent.
        opponents: (K,), their Elo.
        seed: For the weights of the samples, as in `fit`.

    >>> import numpy as np
    >>> value, low, high = fit_one(np.tile([[1.0, 0.5], [0.0, 0.5]], (50, 1)), np.array([100.0, 100.0]), seed=0)
    >>> round(value), low < value < high
    (100, True)
    """
    if scores.min() == 1 or scores.max() == 0:
        scores = np.concatenate([scores, np.full((1, len(opponents)), 0.5)])
    weights = np.concatenate(
        [np.ones((1, len(scores))), _weights(np.random.PCG64(seed), (RESAMPLES, len(scores)))]
    )
    won, games = (weights @ scores).sum(axis=1), weights.sum(axis=1)
    low = np.full(len(weights), opponents.min() - 8 * 400)
    high = np.full(len(weights), opponents.max() + 8 * 400)
    # What is expected rises with the rating, so that halving finds it.
    for _ in range(60):
        middle = (low + high) / 2
        expected = games * (1 / (1 + np.exp((opponents - middle[:, np.newaxis]) / ELO))).sum(axis=1)
        low, high = np.where(expected < won, middle, low), np.where(expected < won, high, middle)
    found = ((low + high) / 2).round(6)
    ends = interval(found[:1], found[1:, np.newaxis], len(scores))
    return float(found[0]), float(ends[0][0]), float(ends[1][0])
