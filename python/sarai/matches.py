"""Matches between agents: the arena and sequential tests."""

from __future__ import annotations

from sarai._matches.arena import Arena
from sarai._matches.sprt import Sprt
from sarai._matches.standings import Pairing, Standing

__all__ = [
    "Arena",
    "Pairing",
    "Sprt",
    "Standing",
]
