"""Tables as lines of text, for whatever is printed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def lines(header: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """The header and the rows, their columns under one another; those in `left` are aligned left.

    >>> lines(("agent", "wins"), [("a", "10"), ("bcdefgh", "7")])
    ['agent    wins', 'a          10', 'bcdefgh     7']
    """
    every = [tuple(header), *map(tuple, rows)]
    widths = [max(len(row[place]) for row in every) for place in range(len(header))]
    return [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in every
    ]
