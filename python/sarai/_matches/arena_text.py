"""An arena as text and as tables for notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sarai._base.arguments import counted
from sarai._base.terminal import printable
from sarai._tables import notebook, text_table
from sarai._tables.estimates import texts

if TYPE_CHECKING:
    from sarai._matches.arena import Arena

_HEADER = ("", "agent", "Elo", "95% interval", "score", "mean return", "95% interval", "draws", "ms/decision")
_AGAINST = ("against", "side", "games", "wins", "95% interval", "mean return", "95% interval", "draws")
_MOST_COLUMNS = 10
"""The most agents of which it is shown how each did against each."""


def title(arena: Arena) -> str:
    """What was played."""
    plies = f", {counted(arena.random_plies, 'random ply', 'random plies')}" if arena.random_plies else ""
    games = counted(arena.num_games, "game")
    return f"{arena.game}: {len(arena.names)} agents, {games}, seed {arena.seed}{plies}"


def order(arena: Arena) -> list[int]:
    """The agents, best first."""
    return [arena.names.index(standing.name) for standing in arena.standings]


def text(arena: Arena) -> str:
    """The tables as text."""
    parts = [[title(arena)], text_table.lines(_HEADER, rows(arena), left=(1,))]
    if len(arena.names) <= _MOST_COLUMNS:
        header, body = between(arena)
        parts.append(text_table.lines(header, body, left=(0 if arena.schedule == "gauntlet" else 1,)))
    parts.append(list(notes(arena)))
    return "\n\n".join("\n".join(part) for part in parts)


def html(arena: Arena) -> str:
    """The tables for notebooks."""
    page = notebook.heading(title(arena)) + notebook.table(_HEADER, rows(arena), text_columns=2)
    if len(arena.names) <= _MOST_COLUMNS:
        header, body = between(arena)
        page += notebook.table(header, body, text_columns=2)
    return page + "".join(notebook.line(note) for note in notes(arena))


def rows(arena: Arena) -> list[tuple[str, ...]]:
    """A row for each agent, best first."""
    elo = texts([standing.rating for standing in arena.standings], sign="+")
    means = texts([standing.mean_return for standing in arena.standings], sign="+")
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
        for place, standing in enumerate(arena.standings)
    ]


def _time(milliseconds: float) -> str:
    if milliseconds == 0:
        return "-"
    return f"{milliseconds:.3g}" if milliseconds >= 0.001 else "<0.001"


def between(arena: Arena) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """How the first agent of a gauntlet did against each other one and on each side; otherwise the crosstable."""
    if arena.schedule != "gauntlet":
        return crosstable(arena)
    by_side = arena.by_side()
    shares = texts([pairing.win_shares[0] for pairing in by_side], 100, "%")
    means = texts([pairing.mean_returns[0] for pairing in by_side], sign="+")
    body: list[tuple[str, ...]] = [
        (
            printable(pairing.names[1]),
            "all" if pairing.side is None else str(pairing.side),
            f"{pairing.games:,}",
            *share,
            *mean,
            f"{pairing.draws / pairing.games:.1%}",
        )
        for pairing, share, mean in zip(by_side, shares, means, strict=True)
    ]
    return _AGAINST, body


def crosstable(arena: Arena) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The header and the rows of the crosstable, best first."""
    header = ("", "beats, in %", *(str(place + 1) for place in range(len(arena.names))))
    body = []
    for place, one in enumerate(order(arena)):
        shares = (arena.crosstable[one, other] for other in order(arena))
        cells = ("-" if math.isnan(share) else f"{100 * share:.1f}" for share in shares)
        body.append((str(place + 1), printable(arena.names[one]), *cells))
    return header, body


def notes(arena: Arena) -> Iterator[str]:
    """What else there is to say, a line each."""
    advantage = texts(arena.seat_advantage, sign="+")
    sides = (f"side {side} {value} ({interval})" for side, (value, interval) in enumerate(advantage))
    yield f"seat advantage in Elo, with 95% intervals: {', '.join(sides)}"
    repeated = [pairing for pairing in arena.pairings if pairing.distinct is not None]
    for pairing in repeated[:3]:
        pair = " and ".join(map(printable, pairing.names))
        yield f"distinct games of {pair}: {pairing.distinct:,} of {pairing.games:,}"
    if len(repeated) > 3:
        yield f"and {len(repeated) - 3} more pairings have fewer than half of their games distinct"
    if repeated:
        yield "so there are no intervals: let random_plies begin the games differently"
    if not arena.bounded:
        yield (
            "some agents never won, or never lost, against the rest: each pairing was given a won and a lost game "
            "more, and their ratings only show that the difference is large"
        )
    yield f"{arena.num_games / max(arena.seconds, 1e-9):,.0f} games/s ({arena.seconds:.2f} s)"
