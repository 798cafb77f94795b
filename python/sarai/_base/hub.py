"""What a folder says of itself on the Hugging Face Hub: a README.md that begins with YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from sarai._base import arguments

FILE = "README.md"

_SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")

_NO_LICENSE = """# Choose a license before you publish this, for example:
# license: cc-by-4.0"""


def head(title: str, game: str, rows: int, more: str, license_id: str | None = None) -> str:
    """The YAML; `more` has further lines of it.

    Raises:
        ValueError: The license is no identifier of the Hub.
    """
    if license_id is not None and not re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,60}", license_id):
        raise ValueError(
            f"license_id takes an identifier of the Hub, such as 'cc-by-4.0', not {arguments.short(license_id)}"
        )
    tags = "\n".join(f"- {json.dumps(tag)}" for tag in ("sarai", "board-games", game))
    return f"""---
{_NO_LICENSE if license_id is None else f"license: {license_id}"}
pretty_name: {json.dumps(title)}
task_categories:
- reinforcement-learning
tags:
{tags}
size_categories:
- {_size(rows)}
{more}
---
"""


def _size(rows: int) -> str:
    """The Hub's word for so many rows.

    >>> _size(999), _size(1000), _size(1_126_688), _size(10**13)
    ('n<1K', '1K<n<10K', '1M<n<10M', 'n>1T')
    """
    place = (len(str(rows)) - 3) if rows >= 1000 else 0
    if place == 0:
        return "n<1K"
    return f"{_SIZES[place - 1]}<n<{_SIZES[place]}" if place < len(_SIZES) else "n>1T"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown."""

    def line(cells: Sequence[str]) -> str:
        # A policy's label may have anything in it.
        return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |"

    return [line(head), f"|{' --- |' * len(head)}", *map(line, rows)]
