"""A folder for the files that an attack writes; it is gone at the end."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

_KEPT: list[tempfile.TemporaryDirectory[str]] = []


@cache
def folder() -> Path:
    """The folder."""
    _KEPT.append(tempfile.TemporaryDirectory())
    return Path(_KEPT[-1].name)
