"""An arena as text and as tables for notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sarai._base.arguments import counted
from sarai._base.terminal import printable
from sarai._matches.standings import Pairing, Standing
from sarai._tables import notebook, text_table
from sarai._tables.estimates import Estimate, texts

_HEADER = ("", "agent", "Elo", "95% interval", "score", "mean return", "95% interval", "draws", "ms/decision")
_AGAINST = ("against", "side", "games", "wins", "95% interval", "mean return", "95% interval", "draws")
_MOST_COLUMNS = 10
"""The most agents of which it is shown how each did against each."""


@dataclass(frozen=True)
class Told:
    """What is said of an arena."""

    game: str
    num_games: int
    seed: int
    random_plies: int
    names: tuple[str, ...]
    standings: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]
    by_side: Sequence[Pairing]
    crosstable: NDArray[np.float64]
    seat_advantage: tuple[Estimate, ...]
    bounded: bool
    seconds: float

    @property
    def title(self) -> str:
        """What was played."""
        plies = f", {counted(self.random_plies, 'random ply', 'random plies')}" if self.random_plies else ""
        return f"{self.game}: {len(self.names)} agents, {counted(self.num_games, 'game')}, seed {self.seed}{plies}"

    @property
    def order(self) -> list[int]:
        """The agents, best first."""
        return [self.names.index(standing.name) for standing in self.standings]


def text(told: Told) -> str:
    """The tables as text."""
    parts = [[told.title], text_table.lines(_HEADER, rows(told), left=(1,))]
    if len(told.names) <= _MOST_COLUMNS:
        header, body = between(told)
        parts.append(text_table.lines(header, body, left=(0 if told.by_side else 1,)))
    parts.append(list(notes(told)))
    return "\n\n".join("\n".join(part) for part in parts)


def html(told: Told) -> str:
    """The tables for notebooks."""
    page = notebook.heading(told.title) + notebook.table(_HEADER, rows(told), text_columns=2)
    if len(told.names) <= _MOST_COLUMNS:
        header, body = between(told)
        page += notebook.table(header, body, text_columns=2)
    return page + "".join(notebook.line(note) for note in notes(told))


def rows(told: Told) -> list[tuple[str, ...]]:
    """A row for each agent, best first."""
    elo = texts([standing.rating for standing in told.standings], sign="+")
    means = texts([standing.mean_return for standing in told.standings], sign="+")
    return [
        (
            str(place + 1),
            printable(standing.name),
            *elo[place],
            f"{standing.score:.1%}",
            *means[place],
            f"{standing.draws / standing.games:.1%}",
            _time(standing.milliseconds),
        )
        for place, standing in enumerate(told.standings)
    ]


def _time(milliseconds: float) -> str:
    if milliseconds == 0:
        return "-"
    return f"{milliseconds:.3g}" if milliseconds >= 0.001 else "<0.001"


def between(told: Told) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """How the first agent of a gauntlet did against each other one and on each side; otherwise the crosstable."""
    if not told.by_side:
        return crosstable(told)
    shares = texts([pairing.win_shares[0] for pairing in told.by_side], 100, "%")
    means = texts([pairing.mean_returns[0] for pairing in told.by_side], sign="+")
    body: list[tuple[str, ...]] = [
        (
            printable(pairing.names[1]),
            "all" if pairing.side is None else str(pairing.side),
            f"{pairing.games:,}",
            *share,
            *mean,
            f"{pairing.draws / pairing.games:.1%}",
        )
        for pairing, share, mean in zip(told.by_side, shares, means, strict=True)
    ]
    return _AGAINST, body


def crosstable(told: Told) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The header and the rows of the crosstable, best first."""
    header = ("", "beats, in %", *(str(place + 1) for place in range(len(told.names))))
    body = []
    for place, one in enumerate(told.order):
        shares = (told.crosstable[one, other] for other in told.order)
        cells = ("-" if math.isnan(share) else f"{100 * share:.1f}" for share in shares)
        body.append((str(place + 1), printable(told.names[one]), *cells))
    return header, body


def notes(told: Told) -> Iterator[str]:
    """What else there is to say, a line each."""
    advantage = texts(told.seat_advantage, sign="+")
    sides = (f"side {side} {value} ({interval})" for side, (value, interval) in enumerate(advantage))
    yield f"seat advantage in Elo, with 95% intervals: {', '.join(sides)}"
    repeated = [pairing for pairing in told.pairings if pairing.distinct is not None]
    for pairing in repeated[:3]:
        pair = " and ".join(map(printable, pairing.names))
        yield f"distinct games of {pair}: {pairing.distinct:,} of {pairing.games:,}"
    if len(repeated) > 3:
        yield f"and {len(repeated) - 3} more pairings have fewer than half of their games distinct"
    if repeated:
        yield "so there are no intervals: let random_plies begin the games differently"
    if not told.bounded:
        yield (
            "some agents never won, or never lost, against the rest: each pairing was given a won and a lost game "
            "more, and their ratings say no more than that the difference is large"
        )
    yield f"{told.num_games / max(told.seconds, 1e-9):,.0f} games/s ({told.seconds:.2f} s)"
